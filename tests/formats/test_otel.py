from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Transcript, Usage

SYSTEM, TASK, OUTPUT, DONE = "You help.", "Go.", '{"rows": [1, 2]}', "Done."
ARGUMENTS = '{"q":"x"}'


def attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    kinds = {str: "stringValue", int: "intValue", float: "doubleValue"}
    return [{"key": key, "value": {kinds[type(value)]: value}} for key, value in values.items()]


def otlp(number: int, values: dict[str, Any], parent: str = "", events: Any = ()) -> dict[str, Any]:
    return {
        "traceId": "t1", "spanId": f"s{number}", "parentSpanId": parent, "name": f"span {number}",
        "startTimeUnixNano": str(1700000000_000000000 + number * 1_000_000_000),
        "endTimeUnixNano": str(1700000000_500000000 + number * 1_000_000_000),
        "attributes": attributes(values),
        "events": [{"name": name, "attributes": attributes(fields)} for name, fields in events],
    }  # fmt: skip


def wrapped(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "content": content}


def genai(number: int) -> dict[str, Any]:
    """The first or second request in the GenAI conventions."""
    call = {"type": "tool_call", "id": "c1", "name": "find", "arguments": {"q": "x"}}
    gave = {"type": "tool_call_response", "id": "c1", "response": OUTPUT}
    said = {"role": "assistant", "parts": [{"type": "reasoning", "content": "hm"}, call]}
    prompt = [{"role": "user", "parts": [text(TASK)]}]
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": "m-1",
        "gen_ai.system_instructions": json.dumps([text(SYSTEM)]),
        "gen_ai.tool.definitions": json.dumps([{"name": "find"}]),
        "gen_ai.input.messages": json.dumps(
            prompt if number == 0 else [*prompt, said, {"role": "tool", "parts": [gave]}]
        ),
        "gen_ai.output.messages": json.dumps([said if number == 0 else {"role": "assistant", "parts": [text(DONE)]}]),
        "gen_ai.usage.input_tokens": 100 * (number + 1),
        "gen_ai.usage.output_tokens": 7,
    }


def inference(number: int) -> dict[str, Any]:
    call = "message.tool_calls.0.tool_call."
    said = {f"{call}id": "c1", f"{call}function.name": "find", f"{call}function.arguments": ARGUMENTS}
    found: dict[str, Any] = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m-1",
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": SYSTEM,
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.contents.0.message_content.type": "text",
        "llm.input_messages.1.message.contents.0.message_content.text": TASK,
        "llm.tools.0.tool.json_schema": '{"name":"find"}',
        "llm.output_messages.0.message.role": "assistant",
        "llm.token_count.prompt": 100 * (number + 1),
        "llm.token_count.completion": 7,
    }
    if number == 0:
        return found | {f"llm.output_messages.0.{key}": value for key, value in said.items()}
    return (
        found
        | {"llm.input_messages.2.message.role": "assistant"}
        | {f"llm.input_messages.2.{key}": value for key, value in said.items()}
        | {
            "llm.input_messages.3.message.role": "tool",
            "llm.input_messages.3.message.tool_call_id": "c1",
            "llm.input_messages.3.message.content": OUTPUT,
            "llm.output_messages.0.message.content": DONE,
        }
    )


def llmetry(number: int) -> dict[str, Any]:
    said = {"tool_calls.0.id": "c1", "tool_calls.0.name": "find", "tool_calls.0.arguments": ARGUMENTS}
    found: dict[str, Any] = {
        "gen_ai.request.model": "m-1",
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": SYSTEM,
        "gen_ai.prompt.1.role": "user",
        "gen_ai.prompt.1.content": json.dumps([{"type": "text", "text": TASK}]),
        "llm.request.functions.0.name": "find",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.usage.prompt_tokens": 100 * (number + 1),
        "gen_ai.usage.completion_tokens": "7",
    }
    if number == 0:
        return found | {f"gen_ai.completion.0.{key}": value for key, value in said.items()}
    return (
        found
        | {"gen_ai.prompt.2.role": "assistant", "gen_ai.completion.0.content": DONE}
        | {f"gen_ai.prompt.2.{key}": value for key, value in said.items()}
        | {"gen_ai.prompt.3.role": "tool", "gen_ai.prompt.3.tool_call_id": "c1", "gen_ai.prompt.3.content": OUTPUT}
    )


def adk(number: int) -> dict[str, Any]:
    call = {"role": "model", "parts": [{"function_call": {"id": "c1", "name": "find", "args": {"q": "x"}}}]}
    gave = {"function_response": {"id": "c1", "name": "find", "response": {"result": OUTPUT}}}
    contents = [{"role": "user", "parts": [{"text": TASK}]}]
    tools = [{"function_declarations": [{"name": "find"}]}]
    usage = {"prompt_token_count": 100 * (number + 1), "candidates_token_count": 7}
    answer = call if number == 0 else {"role": "model", "parts": [{"text": DONE}]}
    request = {
        "config": {"system_instruction": SYSTEM, "tools": tools},
        "contents": contents if number == 0 else [*contents, call, {"role": "user", "parts": [gave]}],
    }
    return {
        "gen_ai.request.model": "m-1",
        "gcp.vertex.agent.llm_request": json.dumps(request),
        "gcp.vertex.agent.llm_response": json.dumps({"content": answer, "usage_metadata": usage}),
    }


def spoken(number: int) -> list[tuple[str, dict[str, Any]]]:
    calls = json.dumps([{"id": "c1", "type": "function", "function": {"name": "find", "arguments": ARGUMENTS}}])
    found: list[tuple[str, dict[str, Any]]] = [
        ("gen_ai.system.message", {"content": SYSTEM}),
        ("gen_ai.user.message", {"gen_ai.event.content": json.dumps({"content": TASK})}),
    ]
    if number == 0:
        return [*found, ("gen_ai.choice", {"message": json.dumps({"tool_calls": json.loads(calls)})})]
    return [
        *found,
        ("gen_ai.assistant.message", {"tool_calls": calls}),
        ("gen_ai.tool.message", {"content": OUTPUT, "id": "c1"}),
        ("gen_ai.choice", {"message": json.dumps({"content": DONE})}),
    ]


def pair(dialect: Any) -> dict[str, Any]:
    noise = otlp(0, {"http.method": "POST"})
    tool = otlp(2, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find"})
    return wrapped(noise, otlp(3, dialect(1)), tool, otlp(1, dialect(0)))


def eventful() -> dict[str, Any]:
    facts = [{"gen_ai.usage.input_tokens": n, "gen_ai.usage.output_tokens": 7, "gen_ai.request.model": "m-1",
              "gen_ai.tool.definitions": '[{"name":"find"}]'} for n in (100, 200)]  # fmt: skip
    return wrapped(otlp(1, facts[0], events=spoken(0)), otlp(3, facts[1], events=spoken(1)), otlp(4, {}), otlp(5, {}))


def jaeger() -> dict[str, Any]:
    def span(number: int, values: dict[str, Any]) -> dict[str, Any]:
        tags = [{"key": key, "type": "string", "value": value} for key, value in values.items()]
        return {"traceID": "t", "spanID": f"s{number}", "operationName": "chat", "references": [], "logs": [],
                "startTime": (1700000000 + number) * 1_000_000, "duration": 500_000, "tags": tags}  # fmt: skip

    return {"data": [{"traceID": "t", "spans": [span(1, llmetry(0)), span(0, {}), span(3, llmetry(1)), span(2, {})]}]}


def console() -> bytes:
    def span(number: int, values: dict[str, Any]) -> dict[str, Any]:
        return {"name": "chat", "context": {"trace_id": "0x1", "span_id": f"0x{number}"}, "parent_id": None,
                "start_time": f"2023-11-14T22:13:2{number}.000000Z", "end_time": f"2023-11-14T22:13:2{number}.500000Z",
                "attributes": values, "events": []}  # fmt: skip

    def nested(values: dict[str, Any]) -> dict[str, Any]:
        """As Phoenix exports them: arrays and objects instead of dotted names."""
        tree: dict[str, Any] = {}
        for name, value in values.items():
            node: Any = tree
            steps = name.split(".")
            for step, following in zip(steps, [*steps[1:], ""], strict=True):
                empty: Any = [] if following.isdigit() else {}
                if step.isdigit():
                    while len(node) <= int(step):
                        node.append({})
                    node = node[int(step)]
                elif following:
                    node = node.setdefault(step, empty)
                else:
                    node[step] = value
        return tree

    lines = [span(1, nested(inference(0))), span(2, {}), span(3, inference(1)), span(4, {})]
    return b"\n".join(json.dumps(line).encode() for line in lines)


SAMPLES = {
    "genai.json": json.dumps(pair(genai)).encode(),
    "inference.json": json.dumps(pair(inference)).encode(),
    "llmetry.json": json.dumps(pair(llmetry)).encode(),
    "adk.json": json.dumps(pair(adk)).encode(),
    "events.json": json.dumps(eventful()).encode(),
    "jaeger.json": json.dumps(jaeger()).encode(),
    "tempo.json": json.dumps(
        {"batches": [{"instrumentationLibrarySpans": pair(genai)["resourceSpans"][0]["scopeSpans"]}]}).encode(),
    "console.jsonl": console(),
}  # fmt: skip


def only(data: bytes, name: str = "x.json") -> Transcript:
    (run,), intake = read(name, data)
    assert intake.problems == []
    assert run.problems == ()
    return run


@pytest.mark.parametrize("name", SAMPLES)
def test_every_dialect_and_wrapper_says_the_same(name: str) -> None:
    run = only(SAMPLES[name], name)
    assert run.format == "opentelemetry"
    assert [m.role for m in run.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert [m.text for m in run.messages] == [SYSTEM, TASK, "", "", DONE]
    assert run.messages[2].calls == (ToolCall("find", ARGUMENTS, "c1"),)
    result = run.messages[3].result
    assert result is not None
    assert (result.content, result.name, result.call, result.is_json) == (OUTPUT, "find", (2, 0), False)
    assert [m.usage for m in run.messages if m.usage] == [Usage(100, None, None, 7), Usage(200, None, None, 7)]
    assert run.tools == ('{"name":"find"}',)
    assert run.model == "m-1"
    assert run.cuts == ()
    assert run.notes == ("2 other spans left out",)
    assert run.messages[2].started is not None
    assert run.messages[2].time == run.messages[2].started + 0.5
    assert run.unknown == ()


def test_a_request_recorded_twice_counts_once() -> None:
    outer, inner = otlp(1, adk(0)), otlp(2, llmetry(0), parent="s1")
    run = only(json.dumps(wrapped(outer, inner)).encode())
    assert len(run.requests()) == 1
    side_by_side = [otlp(1, genai(0)), {**otlp(1, llmetry(0)), "spanId": "other"}]
    assert len(only(json.dumps(wrapped(*side_by_side)).encode()).requests()) == 1


def test_a_request_of_an_agent_below_a_tool_is_its_own() -> None:
    other = {**llmetry(0), "gen_ai.prompt.1.content": "Help me."}
    spans = [
        otlp(1, adk(0)),
        otlp(2, {"gen_ai.operation.name": "execute_tool"}, parent="s1"),
        otlp(3, other, parent="s2"),
    ]
    runs, _ = read("x.json", json.dumps(wrapped(*spans)).encode())
    assert [len(r.requests()) for r in runs] == [1, 1]


def test_a_result_that_is_more_than_text_is_json() -> None:
    values = adk(1)
    request = json.loads(values["gcp.vertex.agent.llm_request"])
    request["contents"][2]["parts"][0]["function_response"]["response"] = {"rows": [1], "next": None}
    values["gcp.vertex.agent.llm_request"] = json.dumps(request)
    result = only(json.dumps(wrapped(otlp(1, values))).encode()).messages[3].result
    assert result is not None
    assert (result.content, result.is_json) == ('{"rows":[1],"next":null}', True)


def test_spans_without_messages_hold_nothing() -> None:
    bare = wrapped(otlp(1, {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 5}))
    runs, intake = read("x.json", json.dumps(bare).encode())
    assert runs == []
    assert intake.skipped[0][1].startswith("1 spans, and no request to a model with its messages among them")


def test_the_recorded_trace(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    (name,) = (n for n in expected if n.startswith("otel/"))
    (run,) = read_transcripts([corpora / name], Intake())
    results = [m.result for m in run.messages if m.result]
    figures = expected[name]
    assert (sum(len(m.calls) for m in run.messages), len(results)) == (figures["calls"], figures["results"])
    # The rough reader counts the tool's whole response, in JSON. What the model was sent is the text in it.
    assert len(results[0].content.encode()) == figures["total"] - 82 == 339
    assert run.messages[0].role == "system"
    assert [run.messages[i].usage for i in run.requests()] == [Usage(1820, 0, None, 13), Usage(1956, 1792, None, 117)]


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("opentelemetry", name, SAMPLES[name], 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("opentelemetry", name, SAMPLES[name], 2000, seed=2)
