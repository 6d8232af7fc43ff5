"""LangSmith runs: an export of a trace as a list, a tree by `child_runs`, or one run a JSONL line.

Source: langchain-ai/langsmith-sdk@bc8dd67 `python/langsmith/schemas.py` (`RunBase`, `Run`), `wrappers/_openai.py`.

| field | what |
| --- | --- |
| `run_type` | llm: a request; chain, tool, ...: what stands around it |
| `inputs.messages`, `inputs.input` | the prompt, in whatever dialect; of LangChain a batch of one |
| `outputs.generations[0][0].message`, `outputs.choices`, `outputs` | the answer |
| `outputs.usage_metadata`, `outputs.llm_output.token_usage` | usage |
| `extra.invocation_params.{model,tools}`, `extra.metadata.ls_model_name` | model, tool definitions |
| `start_time`, `end_time`, `id`, `child_runs[]` | times, id, the runs below |

A trace without runs of type llm is read by the messages that its top run ends with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.containers.envelope import opened, prompt_of, tools_of
from harness.formats.containers.exchange import Exchange, conversations_in
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of, records
from harness.formats.source import Head, Source
from harness.transcript import Transcript

DEEPEST = 60


class LangSmith:
    name = "langsmith"
    read_on = "its source, and made-up requests"

    def sniff(self, head: Head) -> bool:
        return head.kind in ("object", "array", "jsonl") and any(map(_is_run, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        runs = [run for top in _tops(source) for run in _below(top, 0)]
        requests = [run for run in runs if run.raw("run_type") == "llm"]
        if requests:
            exchanges = [_exchange(run) for run in sorted(requests, key=lambda run: run.time("start_time") or 0.0)]
        else:
            exchanges = [_end(run) for run in runs if run.raw("parent_run_id") is None]
        nothing = f"{len(runs)} runs, {{}} requests and none with messages: their inputs were hidden"
        yield from conversations_in(
            source,
            self.name,
            exchanges,
            nothing,
        )


def _is_run(record: dict[str, Any]) -> bool:
    holder = record.get("runs")
    if isinstance(holder, list) and holder and isinstance(holder[0], dict):
        return _is_run(holder[0])
    return isinstance(record.get("run_type"), str) and ("inputs" in record or "child_runs" in record)


def _tops(source: Source) -> Iterator[Record]:
    if source.head().kind == "jsonl":
        for number, value in source.lines():
            yield from records([value], f"{source.name}: line {number} ", source.problems.append)
        return
    document = source.document()
    if isinstance(document, dict) and isinstance(document.get("runs"), list):
        document = document["runs"]
    if not isinstance(document, (dict, list)):
        raise Unreadable(f"{kind_of(document)} where runs belong")
    listed = document if isinstance(document, list) else [document]
    yield from records(listed, f"{source.name}: runs", source.problems.append)


def _below(run: Record, depth: int) -> Iterator[Record]:
    yield run
    if depth < DEEPEST and isinstance(run.raw("child_runs"), list):
        for child in run.records("child_runs"):
            yield from _below(child, depth + 1)


def _exchange(run: Record) -> Exchange:
    extra = opened(run.raw("extra"))
    extra = extra if isinstance(extra, dict) else {}
    parameters = extra.get("invocation_params")
    metadata = extra.get("metadata")
    model = parameters.get("model") or parameters.get("model_name") if isinstance(parameters, dict) else None
    model = model or (metadata.get("ls_model_name") if isinstance(metadata, dict) else None)
    inputs = opened(run.raw("inputs"))
    return Exchange(
        inputs,
        run.raw("outputs"),
        run.place.partition(": ")[2],
        time=run.time("end_time"),
        started=run.time("start_time"),
        model=model if isinstance(model, str) else None,
        tools=tools_of(Record(parameters, run.place, run.report)) if isinstance(parameters, dict) else None,
    )


def _end(run: Record) -> Exchange:
    """The state that a chain ends with, or begins with if it holds no messages then."""
    for key in ("outputs", "inputs"):
        state = opened(run.raw(key))
        if isinstance(state, dict) and prompt_of(Record(state, run.place, lambda _: None)):
            return Exchange(state, None, run.place.partition(": ")[2])
    return Exchange({}, None, run.place.partition(": ")[2])
