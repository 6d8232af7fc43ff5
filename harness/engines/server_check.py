"""Whether a chat-completions server carries calls as the protocol has them, so that its faults are not the model's.

    for check in check_server(ChatServer("http://127.0.0.1:8080/v1", "", 30.0, 0), "model"):
        check.name, check.state, check.seen      # index, breaks, calls 1 and 2 are both numbered 0

Ten requests are made, with two small tools. What a model must do for a check to say anything (make two calls, say) it
may not do; such a check is *not seen*, which is neither a pass nor a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import orjson
from jsonschema import Draft202012Validator

from harness.engines.call_in_text import call_in_text
from harness.engines.chat_server import ChatServer
from harness.engines.turn import EngineFailure

State = Literal["holds", "breaks", "not seen"]
TOOLS: Final = (
    {
        "name": "set_light",
        "description": "Switch the light of a room.",
        "parameters": {
            "type": "object",
            "properties": {"room": {"type": "string"}, "on": {"type": "boolean"}},
            "required": ["room", "on"],
        },
    },
    {
        "name": "set_timer",
        "description": "Start a timer.",
        "parameters": {
            "type": "object",
            "properties": {"minutes": {"type": "integer"}},
            "required": ["minutes"],
        },
    },
)
NAMES: Final = frozenset(str(tool["name"]) for tool in TOOLS)
ANSWER: Final = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "people": {"type": "integer"}},
    "required": ["city", "people"],
    "additionalProperties": False,
}
FEWEST: Final = 24
"""Letters of arguments from which on they should come in several parts."""


@dataclass(frozen=True, slots=True)
class Check:
    """name: what was looked at. wanted: what the protocol has. seen: what came, in words."""

    name: str
    state: State
    wanted: str
    seen: str


@dataclass
class _Reply:
    """The raw events of one reply, or why there is none."""

    events: list[dict[str, Any]] = field(default_factory=list)
    refused: str = ""

    def _choices(self) -> Iterator[dict[str, Any]]:
        for event in self.events:
            for choice in event.get("choices") or ():
                if isinstance(choice, dict):
                    yield choice

    def deltas(self) -> Iterator[Mapping[str, Any]]:
        for choice in self._choices():
            delta = choice.get("delta") or choice.get("message")
            if isinstance(delta, dict):
                yield delta

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The parts of calls, as they came."""
        return [part for d in self.deltas() for part in d.get("tool_calls") or () if isinstance(part, dict)]

    @property
    def text(self) -> str:
        return "".join(str(delta.get("content") or "") for delta in self.deltas())

    @property
    def finish(self) -> str | None:
        return next((str(c["finish_reason"]) for c in self._choices() if c.get("finish_reason")), None)

    @property
    def has_usage(self) -> bool:
        return any(isinstance(event.get("usage"), dict) for event in self.events)

    @property
    def calls(self) -> list[list[dict[str, Any]]]:
        """The parts of each call: a new one begins where a part bears an id or a name that the last one did not."""
        found: list[list[dict[str, Any]]] = []
        for part in self.parts:
            name, own = _name(part), part.get("id")
            last = found[-1] if found else []
            same_id = bool(last) and own in (None, "", last[0].get("id"))
            same_index = bool(last) and part.get("index") == last[0].get("index")
            if last and same_id and same_index and (not name or name == _name(last[0]) or not own):
                last.append(part)
            else:
                found.append([part])
        return found


def _name(part: Mapping[str, Any]) -> str:
    function = part.get("function")
    return str(function.get("name") or "") if isinstance(function, dict) else ""


def _raw_arguments(call: Sequence[Mapping[str, Any]]) -> list[Any]:
    return [f["arguments"] for p in call if isinstance(f := p.get("function"), dict) and f.get("arguments")]


def _arguments(call: Sequence[Mapping[str, Any]]) -> Any:
    """What the parts come to; None where they are no JSON."""
    raw = _raw_arguments(call)
    if any(not isinstance(piece, str) for piece in raw):
        return raw[0]
    try:
        return orjson.loads("".join(raw) or "{}")
    except orjson.JSONDecodeError:
        return None


def check_server(server: ChatServer, model: str) -> Iterator[Check]:
    """Every check, in the order of the table. Raises `EngineFailure` only where the server cannot be reached at all."""
    asked = {name: _ask(server, body) for name, body in _requests(model).items()}
    for name, wanted, look in CHECKS:
        state, seen = look(asked)
        yield Check(name, state, wanted, seen)


def _requests(model: str) -> dict[str, dict[str, Any]]:
    base: dict[str, Any] = {"model": model, "temperature": 0, "seed": 1, "max_tokens": 128, "stream": True}
    base["stream_options"] = {"include_usage": True}
    tools = {"tools": [{"type": "function", "function": tool} for tool in TOOLS]}

    def said(text: str) -> dict[str, Any]:
        return {"messages": [{"role": "user", "content": text}]}

    one = said("Turn on the light in the living room on the second floor.")
    plain = {key: value for key, value in base.items() if key != "stream_options"} | {"stream": False}
    call = {"id": "call_1", "type": "function", "function": {"name": "set_timer", "arguments": '{"minutes": 5}'}}
    result = {"role": "tool", "tool_call_id": "call_1", "content": "started"}
    schema = {"type": "json_schema", "json_schema": {"name": "answer", "schema": ANSWER, "strict": True}}
    many = said("Turn on the light in the hall, and also turn off the light in the attic. Make two calls.")
    return {
        "one": base | tools | one | {"tool_choice": "required"},
        "whole": plain | tools | one | {"tool_choice": "required"},
        "many": base | tools | many | {"tool_choice": "required", "parallel_tool_calls": True},
        "short": base | tools | one | {"tool_choice": "required", "max_tokens": 4},
        "free": base | tools | one,
        "none": base | tools | one | {"tool_choice": "none"},
        "nothing": base | tools | said("Thank you, that is all. Say goodbye."),
        "schema": base | said("Name a city and how many people live there.") | {"response_format": schema},
        "result": base
        | tools
        | {
            "messages": [
                *said("Five minutes")["messages"],
                {"role": "assistant", "content": None, "tool_calls": [call]},
                result,
            ]
        },
        "wrong": base | one | {"tools": [{"type": "function", "function": {"name": 7}}], "tool_choice": "sometimes"},
    }


def _ask(server: ChatServer, body: Mapping[str, Any]) -> _Reply:
    reply = _Reply()
    try:
        reply.events, _ = server.ask(body, lambda answer: list(answer.events()))
    except EngineFailure as failure:
        reply.refused = failure.detail[:200] or failure.kind
    return reply


Asked = Mapping[str, _Reply]
Found = tuple[State, str]
CALLED: Final = ("one", "many", "free", "whole")


def _with_calls(asked: Asked, *names: str) -> list[_Reply]:
    return [asked[name] for name in names if asked[name].parts]


def _all(asked: Asked, faults: Iterator[str], said: str) -> Found:
    if not _with_calls(asked, *CALLED):
        return "not seen", _why(asked["one"])
    found = list(dict.fromkeys(faults))
    return ("breaks", "; ".join(found[:3])) if found else ("holds", said)


def _why(reply: _Reply) -> str:
    if reply.refused:
        return f"refused: {reply.refused}"
    return f"no call came; text: {reply.text[:60]!r}" if reply.text else "no call came, and no text"


def _index(asked: Asked) -> Found:
    def faults() -> Iterator[str]:
        for reply in _with_calls(asked, "one", "many", "free"):
            if any(not isinstance(part.get("index"), int) for part in reply.parts):
                yield "a part without an index"
            numbers = [call[0].get("index") for call in reply.calls]
            if len(numbers) > 1 and len(set(numbers)) < len(numbers):
                yield f"{len(numbers)} calls are numbered {', '.join(map(str, numbers))}"

    return _all(asked, faults(), "every part has its call's number")


def _ids(asked: Asked) -> Found:
    def faults() -> Iterator[str]:
        for reply in _with_calls(asked, *CALLED):
            ids = [call[0].get("id") for call in reply.calls]
            if not all(ids):
                yield "a call without an id"
            if len(set(map(str, ids))) < len(ids):
                yield f"two calls have the id {ids[-1]!r}"

    return _all(asked, faults(), "each call has an id of its own")


def _names(asked: Asked) -> Found:
    def faults() -> Iterator[str]:
        for reply in _with_calls(asked, *CALLED):
            for call in reply.calls:
                names = [name for part in call if (name := _name(part))]
                if len(names) > 1:
                    yield f"the name comes {len(names)} times"
                if not names or names[0] not in NAMES:
                    yield f"no declared tool is called {names[0]!r}" if names else "a call without a name"

    return _all(asked, faults(), "declared names, said once")


def _objects(asked: Asked) -> Found:
    def faults() -> Iterator[str]:
        for name in CALLED:
            for call in asked[name].calls if asked[name].finish != "length" else ():
                given = _arguments(call)
                if any(not isinstance(piece, str) for piece in _raw_arguments(call)):
                    yield "arguments are an object, not a text"
                elif isinstance(given, str):
                    yield "arguments are encoded twice"
                elif not isinstance(given, dict):
                    yield f"arguments are no JSON object: {''.join(map(str, _raw_arguments(call)))[:60]!r}"

    return _all(asked, faults(), "a JSON object as text")


def _schemas(asked: Asked) -> Found:
    schemas = {str(tool["name"]): Draft202012Validator(tool["parameters"]) for tool in TOOLS}  # type: ignore[arg-type]

    def faults() -> Iterator[str]:
        for reply in _with_calls(asked, *CALLED):
            for call in reply.calls if reply.finish != "length" else ():
                given, name = _arguments(call), _name(call[0])
                if isinstance(given, dict) and name in schemas and not schemas[name].is_valid(given):
                    yield f"{name} with {orjson.dumps(given).decode()[:80]}"

    return _all(asked, faults(), "arguments keep to the tool's schema")


def _deltas(asked: Asked) -> Found:
    long = [
        len(pieces)
        for name in ("one", "many", "free")
        for call in asked[name].calls
        if len("".join(map(str, pieces := _raw_arguments(call)))) >= FEWEST
    ]
    if not long:
        return "not seen", "no call with long arguments came"
    if max(long) == 1:
        return "breaks", "each call came whole, in one part: its decode rate cannot be measured"
    return "holds", f"arguments came in up to {max(long)} parts"


def _in_text(asked: Asked) -> Found:
    found = [words for name in CALLED if (words := call_in_text(asked[name].text, NAMES))]
    if found:
        return "breaks", f"{found[0]} was left in the text"
    return ("holds", "none") if _with_calls(asked, *CALLED) else ("not seen", _why(asked["free"]))


def _finish(asked: Asked) -> Found:
    def faults() -> Iterator[str]:
        for reply in _with_calls(asked, *CALLED):
            if reply.finish not in ("tool_calls", "length"):
                yield f"finish_reason is {reply.finish!r}"

    return _all(asked, faults(), "tool_calls")


def _usage(asked: Asked) -> Found:
    if asked["one"].refused:
        return "not seen", _why(asked["one"])
    missing = [name for name in ("one", "whole", "nothing") if not (asked[name].has_usage or asked[name].refused)]
    return ("breaks", f"no usage in {', '.join(missing)}") if missing else ("holds", "tokens are counted")


def _truncation(asked: Asked) -> Found:
    reply = asked["short"]
    if reply.refused:
        return "not seen", _why(reply)
    return ("holds", "length") if reply.finish == "length" else ("breaks", f"finish_reason is {reply.finish!r}")


def _parallel(asked: Asked) -> Found:
    number = len(asked["many"].calls)
    if number > 1:
        return "holds", f"{number} calls"
    return "not seen", "one call came" if number else _why(asked["many"])


def _both_ways(asked: Asked) -> Found:
    streamed, whole = asked["one"], asked["whole"]
    if not (streamed.parts and whole.parts):
        return "not seen", _why(whole if streamed.parts else streamed)
    one, other = ([(_name(c[0]), _arguments(c)) for c in reply.calls] for reply in (streamed, whole))
    return ("holds", "the same calls") if one == other else ("breaks", f"{one} streamed, {other} whole"[:160])


def _no_tools(asked: Asked) -> Found:
    reply = asked["none"]
    if reply.refused:
        return "not seen", _why(reply)
    return ("breaks", "a call came") if reply.parts else ("holds", "no call")


def _refusal(asked: Asked) -> Found:
    reply = asked["nothing"]
    if reply.refused:
        return "not seen", _why(reply)
    if reply.parts:
        return "not seen", "the model made a call where none fits"
    return ("holds", "text, no call") if reply.text.strip() else ("breaks", "neither text nor call")


def _json_schema(asked: Asked) -> Found:
    reply = asked["schema"]
    if reply.refused:
        return "breaks", _why(reply)
    if reply.finish == "length":
        return "not seen", "the answer did not end within its budget"
    try:
        given = orjson.loads(reply.text)
    except orjson.JSONDecodeError:
        return "breaks", f"no JSON: {reply.text[:60]!r}"
    is_valid = Draft202012Validator(ANSWER).is_valid(given)
    return ("holds", "keeps to it") if is_valid else ("breaks", f"breaks it: {reply.text[:60]!r}")


def _results(asked: Asked) -> Found:
    reply = asked["result"]
    return ("breaks", _why(reply)) if reply.refused or not reply.events else ("holds", "answered")


def _errors(asked: Asked) -> Found:
    refused = asked["wrong"].refused
    if not refused:
        return "breaks", "a request that makes no sense was answered"
    return ("holds", refused[:60]) if refused.startswith("HTTP 4") else ("breaks", refused[:80])


CHECKS: Final[tuple[tuple[str, str, Callable[[Asked], Found]], ...]] = (
    ("index", "every part of a streamed call has the number of its call", _index),
    ("id", "each call has an id of its own", _ids),
    ("names", "the name of a declared tool, said once", _names),
    ("arguments", "a JSON object, as text", _objects),
    ("schema of the tool", "arguments keep to it", _schemas),
    ("buffered deltas", "arguments come in parts as they are written", _deltas),
    ("calls in text", "no call is left in the text", _in_text),
    ("finish reason", "tool_calls where calls came", _finish),
    ("usage", "tokens are counted, streaming and not", _usage),
    ("truncation", "length, where the budget was too small", _truncation),
    ("parallel calls", "two calls in one answer", _parallel),
    ("streaming and not", "the same calls both ways", _both_ways),
    ("tool_choice none", "no call", _no_tools),
    ("refusal", "text and no call, where no tool fits", _refusal),
    ("JSON schema", "response_format is kept to", _json_schema),
    ("results", "a tool's result is taken", _results),
    ("errors", "a request that makes no sense is refused with 4xx", _errors),
)
