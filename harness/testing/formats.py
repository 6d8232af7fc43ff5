"""What every format promises; among it to survive broken copies of a sample, made from a seed."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.formats.corpus import Intake, all_formats, format_named, read_source
from harness.formats.json_text import Unreadable
from harness.formats.source import Source
from harness.transcript import Transcript

HOSTILE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, "", "x", "\ud800", "\x00", [], {}, [[]], [None], ["x", 1],
    {"x": None}, {"type": "text"}, {"role": "assistant"}, [{"type": "text", "text": 5}], "2025-99-99T00:00",
    "a\nb", [{}] * 3,
)  # fmt: skip


def source_of(name: str, data: bytes) -> Source:
    """A source whose bytes are in memory."""
    return Source(name, Path(name), opener=lambda: io.BytesIO(data))


def read(name: str, data: bytes, format_name: str | None = None) -> tuple[list[Transcript], Intake]:
    intake = Intake()
    return list(read_source(source_of(name, data), intake, format_name)), intake


def mutants(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """`count` broken copies: half of them JSON that is well-formed and wrong, half of them broken bytes."""
    dice = random.Random(seed)
    for number in range(count):
        yield broken_values(data, dice) if number % 2 else broken_bytes(data, dice)


def broken_bytes(data: bytes, dice: random.Random) -> bytes:
    broken = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(broken) + 1)
        match dice.randrange(5):
            case 0:
                del broken[at:]
            case 1:
                del broken[at : at + dice.randint(1, 40)]
            case 2:
                broken[at:at] = dice.randbytes(dice.randint(1, 4))
            case 3:
                broken[at:at] = broken[at : at + dice.randint(1, 200)]
            case _:
                broken[at:at] = dice.choice([b'"', b"{", b"]", b"\n", b"\xe2\x80", b",", b"null", b"\\ud800"])
    return bytes(broken)


def broken_values(data: bytes, dice: random.Random) -> bytes:
    """Some values replaced, keys dropped, elements doubled or swapped; a JSONL file stays one."""
    lines = data.split(b"\n")
    documents = [json.loads(line) for line in lines if line.strip()] if _is_jsonl(lines) else [json.loads(data)]
    for _ in range(dice.randint(1, 5)):
        _break(documents, dice)
    return b"\n".join(json.dumps(d).encode() for d in documents)


def _is_jsonl(lines: list[bytes]) -> bool:
    filled = [line for line in lines if line.strip()]
    try:
        return len(filled) > 1 and all(json.loads(line) is not None for line in filled)
    except ValueError:
        return False


def _break(root: Any, dice: random.Random) -> None:
    places = list(_places(root))
    if not places:
        return
    holder, key = dice.choice(places)
    match dice.randrange(5):
        case 0 | 1:
            holder[key] = copy.deepcopy(dice.choice(HOSTILE))
        case 2:
            del holder[key]
        case 3 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 4 if isinstance(holder, list):
            dice.shuffle(holder)
        case _:
            holder[key] = [holder[key]]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    stack = [value]
    while stack:
        holder = stack.pop()
        items = list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder))
        for key, child in items:
            yield holder, key
            if isinstance(child, (dict, list)):
                stack.append(child)


def check_format(format_name: str, name: str, data: bytes, count: int = 200) -> list[Transcript]:
    """The sample is claimed by this format alone, read whole and the same every time, and survives `count` broken
    copies. Returns its transcripts. name: of the sample's file."""
    head = source_of(name, data).head()
    claimed = [reader.name for reader in all_formats() if reader.sniff(head)]
    assert claimed == [format_name], f"{name} is claimed by {', '.join(claimed) or 'no format'}"
    found, intake = read(name, data)
    assert found, f"{name}: no transcript was read"
    assert not intake.problems, f"{name}: {intake.problems[0].place}: {intake.problems[0].reason}"
    lost = [problem for transcript in found for problem in transcript.problems]
    assert not lost, f"{name}: {lost[0].place}: {lost[0].reason}"
    again, _ = read(name, data)
    assert [t.digest() for t in again] == [t.digest() for t in found], "a second reading gives another transcript"
    assert all(transcript.requests() for transcript in found), f"{name}: a transcript without a request"
    survive(format_name, name, data, count)
    return found


def survive(format_name: str, name: str, data: bytes, count: int, seed: int = 1) -> None:
    """Every mutant is read without an error but those that have a name, and what comes out is sound."""
    unharmed, _ = read(name, data, format_name)
    assert unharmed, "the sample itself must be readable"
    for mutant in mutants(data, count, seed):
        check_one(format_name, name, mutant)


def check_one(format_name: str, name: str, data: bytes) -> None:
    with contextlib.suppress(Unreadable):
        format_named(format_name).sniff(source_of(name, data).head())
    transcripts, intake = read(name, data, format_name)
    for transcript in transcripts:
        check_sound(transcript)
    for problem in intake.problems:
        assert not problem.traceback, problem.traceback
        assert problem.place.startswith(name)
        assert problem.reason
    ids = [t.id for t in transcripts]
    assert len(ids) == len(set(ids))


def check_sound(transcript: Transcript) -> None:
    """What every transcript promises, whatever it was read from."""
    messages = transcript.messages
    answered = set()
    for at, message in enumerate(messages):
        assert (message.result is not None) == (message.role == "tool")
        assert not message.calls or message.role == "assistant"
        if message.result is not None and message.result.call is not None:
            caller, position = message.result.call
            assert caller < at
            assert messages[caller].calls[position] is not None
            assert (caller, position) not in answered
            answered.add((caller, position))
    for cut in transcript.cuts:
        assert 0 <= cut.at <= len(messages)
        assert all(0 <= kept < cut.at for kept in cut.keep)
    assert list(transcript.cuts) == sorted(transcript.cuts, key=lambda cut: cut.at)
    for _, shown in transcript.prompts():
        assert all(0 <= index < len(messages) for index in shown)
    assert transcript.digest()
    for problem in transcript.problems:
        assert problem.place
        assert problem.reason
