"""The table of docs/grounding.md: how far the check agrees with arguments that were labelled by hand."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from harness.bench.acting import TRACED
from harness.bench.paths import leaves
from harness.bench.task import Task
from harness.bench.tasks import read_tasks
from harness.engines.envelope import Call, parse_completion
from harness.grounding import ArgumentGrounding, Said, Source, ground_call
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "grounding.md"
LABELS = ROOT / "tasks" / "grounding" / "labels.jsonl"
RECORDING = ROOT / "tasks" / "engine" / "recordings" / "needle-3.0.2.jsonl"
MARKS = ("<!-- agreement -->\n", "<!-- end of agreement -->\n")


@cache
def labels() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]


@cache
def envelopes() -> dict[str, str]:
    lines = (json.loads(line) for line in RECORDING.read_text(encoding="utf-8").splitlines())
    return {line["id"]: line["envelope"] for line in lines}


@cache
def tasks() -> dict[str, Task]:
    return {task.id: task for task in read_tasks(ROOT / "tasks" / "engine")}


def checked(label: dict[str, Any]) -> ArgumentGrounding:
    """What the check says of a labelled argument: of a recorded call, or of one that was made up."""
    if "turn" not in label:
        *before, (_, asked) = label["said"]
        tool = {"name": "act", "parameters": {"properties": {label["argument"]: label["schema"]}}}
        said = Said.of([{"role": role, "content": content} for role, content in before], asked)
        (found,) = ground_call(Call("act", {label["argument"]: label["value"]}), tool, said)
        return found
    name, _, number = label["turn"].rpartition("/")
    task = tasks()[name]
    turn = task.turns[int(number) - 1]
    completion = parse_completion(envelopes()[label["turn"]])
    call = [*(completion.function_calls or ()), *(completion.suppressed_calls or ())][label["call"]]
    assert dict(leaves(call.arguments))[label["argument"]] == label["value"]
    declared = {tool["name"]: tool for tool in task.tools}.get(call.name)
    said = Said.of(turn.context, turn.input, turn.today)
    return {one.path: one for one in ground_call(call, declared, said, synonyms=task.synonyms)}[label["argument"]]


def agreement() -> Iterator[str]:
    """The rows of the table: by kind, how many are labelled, and of how many the check says the same."""
    counts: Counter[tuple[str, str]] = Counter()
    for label in labels():
        source = checked(label).source
        for kind in (label["kind"], "all"):
            counts[kind, "n"] += 1
            counts[kind, "traced"] += (source in TRACED) == (Source(label["source"]) in TRACED)
            counts[kind, "source"] += source == label["source"]
    yield "| kind | arguments | traced or not, as labelled | traced to the same source |"
    yield "| --- | ---: | ---: | ---: |"
    for kind in [*dict.fromkeys(label["kind"] for label in labels()), "all"]:
        yield f"| {kind} | {counts[kind, 'n']} | {counts[kind, 'traced']} | {counts[kind, 'source']} |"


def test_the_page_has_the_agreement_with_the_labels() -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = text.partition(MARKS[0])[2].partition(MARKS[1])[0]
    wanted = "\n".join(agreement()) + "\n"
    if os.environ.get("HARNESS_UPDATE_DOCS"):
        PAGE.write_text(text.replace(MARKS[0] + found + MARKS[1], MARKS[0] + wanted + MARKS[1]), encoding="utf-8")
    else:
        assert found == wanted


def test_there_are_labels_of_every_source_and_enough() -> None:
    sources = Counter(label["source"] for label in labels())
    assert sum(sources.values()) >= 300
    assert all(sources[source] >= 10 for source in Source if source is not Source.OWN)
    assert len({json.dumps(label, sort_keys=True) for label in labels()}) == len(labels())


@pytest.mark.parametrize("source", [Source.CLOCK, Source.FURNITURE])
def test_what_only_the_clock_or_a_policy_said_is_never_traced(source: Source) -> None:
    assert [label for label in labels() if label["source"] == source and checked(label).source in TRACED] == []
