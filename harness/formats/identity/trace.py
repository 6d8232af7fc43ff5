"""What the answers of one transcript are known by: numbers only, no text.

An answer has its marks: the ids that the provider gave it and its calls, its content, its time, and the chain, which
is a hash over all messages up to and with it. Hashes have 64 bits: among a million answers two different ones are
taken for one with a chance of 3 in 100 million.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from harness.formats.json_text import Unreadable, parse
from harness.transcript import Message, ToolCall, Transcript

PROVIDERS_ID = 20
"""Letters of an id that stands for one answer in the world; shorter ones are made by hand or drawn from few numbers."""
LARGE_RESULT = 500
"""Bytes from which a result tells whether two transcripts are the same work."""
TRIAL = re.compile(r"(trial|run|epoch|rep|repetition|attempt|seed|sample|arm|r)[-_ ]?(\d+)", re.IGNORECASE)
CONVERTED = ("atif",)
"""Formats that other recordings are converted into."""
UNKNOWN = np.iinfo(np.int64).min
"""For a time that is not recorded."""

ANSWER = np.dtype(
    [
        ("transcript", "u4"),
        ("message", "u4"),
        ("id", "u8"),
        ("calls", "u8"),
        ("model", "u8"),
        ("content", "u8"),
        ("before", "u8"),
        ("chain", "u8"),
        ("time", "i8"),
        ("pieces", "u2"),
        ("results", "u2"),
        ("flags", "u1"),
    ]
)
STRONG, USED = 1, 2
"""Flags: the id is a provider's; what its prompt was billed at is recorded."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One transcript. answers: `ANSWER` rows of its requests, in order (`transcript` is filled in by the index).
    pieces: hashes of the parts of every answer, one behind another. results: hashes of its large results, in order.
    end: the chain after its last message. run: what its source names it by, where that tells it from other runs.
    read: the share of its source's text that was read. text: characters in its messages. ends: of
    the first transcript of a source, how its source's records ended (`harness.formats.reading`)."""

    id: str
    format: str
    answers: NDArray[np.void]
    pieces: NDArray[np.uint64]
    results: NDArray[np.uint64]
    end: int
    messages: int
    named_run: bool
    run: tuple[str, ...]
    is_sub_agent: bool
    session: str
    forked_from: str
    read: float | None = None
    text: int = 0
    ends: dict[str, int] = field(default_factory=dict)


def trace(transcript: Transcript) -> Trace:
    """What identity needs to know of a transcript."""
    answered = [0] * len(transcript.messages)
    for message in transcript.messages:
        if message.result is not None and message.result.call is not None and message.result.content:
            answered[message.result.call[0]] += 1
    rows, pieces, results = [], [], []
    chain = before = 0
    for at, message in enumerate(transcript.messages):
        parts = list(_pieces(message))
        content = _hash("content", message.role, *sorted(parts))
        chain = _hash("chain", chain, content)
        if message.role == "assistant" and not message.copied and parts:
            own_id = message.message_id or ""
            used = message.usage is not None and message.usage.input_tokens is not None
            flags = (STRONG if len(own_id) >= PROVIDERS_ID else 0) | (USED if used else 0)
            rows.append(
                (
                    0,
                    at,
                    _hash("id", own_id) if own_id else 0,
                    _call_ids(message),
                    _hash("model", message.model) if message.model else 0,
                    content,
                    before,
                    chain,
                    UNKNOWN if message.time is None else round(message.time * 1000),
                    min(len(parts), 65_535),
                    min(answered[at], 65_535),
                    flags,
                )
            )
            pieces += parts[:65_535]
        elif message.result is not None and _is_large(message.result.content):
            results.append(content)
        before = content
    return Trace(
        transcript.id,
        transcript.format,
        np.array(rows, dtype=ANSWER),
        np.array(pieces, dtype=np.uint64),
        np.array(results, dtype=np.uint64),
        chain,
        len(transcript.messages),
        bool(transcript.run or _own_name(transcript.session)),
        (transcript.run or _own_name(transcript.id) or _own_name(transcript.session), *_trials(transcript.id)),
        transcript.parent is not None,
        transcript.session,
        transcript.forked_from,
        text=sum(map(_length, transcript.messages)),
    )


def _length(message: Message) -> int:
    result = len(message.result.content) if message.result is not None else 0
    return len(message.text) + len(message.reasoning) + result + sum(len(call.arguments) for call in message.calls)


def _pieces(message: Message) -> Iterator[int]:
    """Hashes of what a message says: its text, its calls, its result; reasoning only where there is nothing else, since
    echoes and conversions lack it."""
    if message.result is not None:
        yield _hash("result", message.result.content.strip())
        return
    text = message.text.strip()
    if text:
        yield _hash("text", text)
    for call in message.calls:
        yield _hash("call", call.name, _arguments(call))
    if not text and not message.calls and message.reasoning.strip():
        yield _hash("reasoning", message.reasoning.strip())


def _call_ids(message: Message) -> int:
    """A hash of the ids that the provider gave the calls; 0 where it gave none."""
    ids = [call.call_id or "" for call in message.calls]
    return _hash("calls", *ids) if ids and all(len(i) >= PROVIDERS_ID for i in ids) else 0


def _arguments(call: ToolCall) -> str:
    """Arguments in one spelling: JSON by sorted keys, a bare text as the object that conversions make of it."""
    try:
        value = parse(call.arguments) if call.arguments.strip() else {}
    except Unreadable:
        value = call.arguments
    return json.dumps(value if isinstance(value, dict) else {"input": call.arguments}, sort_keys=True)


def _own_name(transcript_id: str) -> str:
    """The name of a run within its file, which a conversion keeps in the session's id; the number that it has where it
    has no name tells nothing."""
    own = transcript_id.partition("#")[2]
    return "" if own.isdigit() else own


def _trials(transcript_id: str) -> Iterator[str]:
    """Folders and names that number trials, epochs, repetitions or arms."""
    for part in PurePosixPath(transcript_id.partition("#")[0].replace("!", "/")).parts:
        if found := TRIAL.fullmatch(part.split(".")[0]):
            yield found[0].lower()


def _is_large(text: str) -> bool:
    return len(text) >= LARGE_RESULT // 4 and len(text.encode("utf-8", "surrogatepass")) >= LARGE_RESULT


def _hash(*parts: object) -> int:
    text = "\0".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
