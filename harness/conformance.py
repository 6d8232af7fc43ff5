"""Golden cases against this build: outputs of the reference implementations, one JSON object a line.

A case has `id`, `op`, the inputs of its operation and `expected`. What cannot be read or is of no known operation
fails, with its place; nothing is skipped but empty lines.

    harness conformance tests/golden/*.jsonl
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.engines.envelope import (
    Call,
    CompleteError,
    EnvelopeError,
    ReferenceCompletion,
    parse_completion,
)
from harness.engines.strict_json import to_single
from harness.errors import HarnessError
from harness.preview import Budgets, SessionValues, parse_value, reference_hint, render_preview, serialize
from harness.preview.rust_debug import debug_string
from harness.preview.text import clip_head, clip_string, clip_tail, human_bytes, line_count

Case = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that does not hold. place: `file:line`. expected and got are JSON or a sentence, for people."""

    place: str
    id: str
    op: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Report:
    """What became of all cases. `failed` is the number of `failures`."""

    passed: int
    failures: tuple[Failure, ...]

    @property
    def failed(self) -> int:
        """How many cases do not hold."""
        return len(self.failures)


def run_cases(paths: Iterable[Path | str]) -> Report:
    """Run all cases of the files.

    Raises `HarnessError` for a file that cannot be read, and if there is no case at all.
    """
    passed = 0
    failures: list[Failure] = []
    names = [str(path) for path in paths]
    for name in names:
        for number, line in enumerate(_read(name).split(b"\n"), start=1):
            if not line.strip():
                continue
            failure = _run(f"{name}:{number}", line)
            if failure is None:
                passed += 1
            else:
                failures.append(failure)
    if not passed and not failures:
        raise HarnessError(f"no cases in {', '.join(names) or 'no files'}: name at least one file of golden cases")
    return Report(passed, tuple(failures))


def format_report(report: Report) -> str:
    """The failures, and as the last line `passed N, failed M`."""
    lines = []
    for failure in report.failures:
        lines += [
            f"FAILED {_shown(failure.id)} ({_shown(failure.op)}) at {_shown(failure.place)}",
            f"    expected {_shown(failure.expected)}",
            f"    got      {_shown(failure.got)}",
        ]
    lines.append(f"passed {report.passed}, failed {report.failed}")
    return "\n".join(lines)


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise HarnessError(f"cannot read the cases in {name}: {error.strerror}; check the path") from error


def _run(place: str, line: bytes) -> Failure | None:
    try:
        case = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return Failure(place, "?", "?", "a case as one line of JSON", f"a line that cannot be read: {error}")
    if not isinstance(case, dict):
        return Failure(place, "?", "?", "a case as a JSON object", _json(case))
    case_id, op = str(case.get("id", "?")), str(case.get("op", "?"))
    if op not in OPERATIONS:
        return Failure(place, case_id, op, f"one of the operations {', '.join(OPERATIONS)}", "an unknown operation")
    try:
        wanted = _comparable(op, case["expected"])
        got = _comparable(op, OPERATIONS[op](case))
    except KeyError as error:
        return Failure(place, case_id, op, f"a case with a value for {error}", "a case without it")
    # Whatever a build raises on a case is what it got wrong there, and the cases after it still count.
    except Exception as error:  # noqa: BLE001
        return Failure(place, case_id, op, _json(case["expected"]), f"{type(error).__name__}: {error}")
    return None if got == wanted else Failure(place, case_id, op, wanted, got)


def _comparable(op: str, outcome: Any) -> str:
    """A text that is equal just where two outcomes are: 1, 1.0 and true differ, the order of keys does not count."""
    return _json(_by_reference(outcome) if op == "completion" else outcome)


def _by_reference(outcome: Any) -> Any:
    """What the reference vouches for in a completion: floats of 32 bits, and of an `Envelope` error only its kind."""
    if "err" in outcome:
        error = outcome["err"]
        return {"err": {"variant": "Envelope"} if error["variant"] == "Envelope" else error}
    turn = outcome["ok"]
    stats = {name: _single(value) for name, value in turn["stats"].items()}
    return {"ok": {**turn, "confidence": _single(turn["confidence"]), "stats": stats}}


def _single(value: Any) -> Any:
    """As a float of 32 bits; JSON has no infinity, so that of the reference is null."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    single = to_single(value)
    return single if math.isfinite(single) else None


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _shown(text: str, limit: int = 600) -> str:
    """What came out of a file, safe for a terminal and not too long."""
    safe = text.encode("unicode_escape").decode("ascii") if not (text.isascii() and text.isprintable()) else text
    return safe if len(safe) <= limit else f"{safe[:limit]}... ({len(safe)} characters)"


def _preview(case: Case) -> dict[str, Any]:
    budgets = Budgets(**case.get("budgets", {}))
    return {"preview": render_preview(case["handle"], parse_value(case["value_text"]), budgets)}


def _hint(case: Case) -> dict[str, Any]:
    return {"hint": reference_hint(case["handle"])}


def _resolve(case: Case) -> dict[str, Any]:
    values = SessionValues()
    for text in case["puts_text"]:
        values.put(parse_value(text))
    resolved = values.resolve(parse_value(case["params_text"]))
    return {
        "params_text": serialize(resolved.params).decode("utf-8"),
        "params": resolved.params,
        "resolved": list(resolved.references),
    }


def _human(case: Case) -> dict[str, Any]:
    return {"human": human_bytes(case["bytes"])}


def _lines(case: Case) -> dict[str, Any]:
    return {"lines": line_count(case["s"])}


def _debug(case: Case) -> dict[str, Any]:
    return {"debug": debug_string(case["s"])}


def _clip(case: Case) -> dict[str, Any]:
    cut = clip_head if case["from_head"] else clip_tail
    return {"clipped": cut(case["s"], case["budget"])}


def _clip_str(case: Case) -> dict[str, Any]:
    return {"clipped": clip_string(case["s"], case["budget"])}


def _completion(case: Case) -> dict[str, Any]:
    try:
        completion = parse_completion(case["text"])
    except EnvelopeError:
        return {"err": {"variant": "Envelope"}}
    except CompleteError as error:
        return {"err": {"variant": "Complete", "detail": error.detail}}
    return {"ok": _turn(completion.reference)}


def _turn(turn: ReferenceCompletion) -> dict[str, Any]:
    return {
        "kind": turn.kind,
        "calls": [_call(call) for call in turn.calls],
        "grounded_calls": [_call(call) for call in turn.grounded_calls],
        "suppressed_calls": [_call(call) for call in turn.suppressed_calls],
        "reasoning": turn.reasoning,
        "reason": turn.reason,
        "confidence": turn.confidence,
        "stats": {
            "prefill_tps": turn.stats.prefill_tps,
            "decode_tps": turn.stats.decode_tps,
            "peak_ram_mb": turn.stats.peak_ram_mb,
        },
        "validation": {
            "ungrounded": list(turn.validation.ungrounded or ()),
            "negation": turn.validation.negation,
            "is_grounded": turn.validation.is_grounded,
        },
    }


def _call(call: Call) -> dict[str, Any]:
    return {"name": call.name, "arguments": call.arguments, "arguments_json": call.arguments_json}


OPERATIONS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "preview": _preview,
    "hint": _hint,
    "resolve": _resolve,
    "completion": _completion,
    "human": _human,
    "lines": _lines,
    "debug": _debug,
    "clip": _clip,
    "clip_str": _clip_str,
}
