"""The reading audit: what makes a reading doubtful."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.replay.audit import audit
from harness.transcript import Message, Problem, Transcript, Usage


def billed(*inputs: int | None) -> Transcript:
    messages: list[Message] = []
    for tokens in inputs:
        messages += [Message("user", "Go."), Message("assistant", "Well.", usage=Usage(tokens) if tokens else None)]
    return Transcript("t", "some-format", tuple(messages))


def verdict(transcript: Transcript, prompt: list[int], read: float | None = 1.0) -> tuple[str, float | None]:
    found = audit(transcript, prompt, [0] * len(prompt), read)
    return found.verdict, found.growth


@pytest.mark.parametrize(
    ("ours", "expected"), [(5_600, "audited"), (5_400, "doubtful"), (11_400, "audited"), (11_600, "doubtful")]
)
def test_growth_decides_where_the_bill_grew_by_enough(ours: int, expected: str) -> None:
    assert verdict(billed(20_000, 30_000), [1_000, 1_000 + ours]) == (expected, ours / 10_000)
    assert verdict(billed(20_000, 24_000), [1_000, 1_000 + ours // 4])[1] is None


def test_steps_with_images_or_sealed_reasoning_or_a_rewritten_prompt_tell_nothing() -> None:
    plain = billed(20_000, 30_000)
    for change in ({"images": 1}, {"encrypted": 1}):
        messages = (*plain.messages[:2], replace(plain.messages[2], **change), plain.messages[3])
        assert verdict(replace(plain, messages=messages), [1_000, 1_010]) == ("audited", None)
    assert audit(plain, [1_000, 1_010], [0, 1], 1.0).growth is None


def test_a_count_over_the_bill_by_half() -> None:
    assert verdict(billed(1_000), [1_600])[0] == "doubtful"
    assert verdict(billed(1_000), [1_400])[0] == "audited"


def test_text_that_was_lost_for_no_named_reason() -> None:
    silent = billed(None)
    assert verdict(silent, [10], read=0.4)[0] == "doubtful"
    assert verdict(replace(silent, problems=(Problem("x", "broken"),)), [10], read=0.4)[0] == "not audited"
    assert verdict(silent, [10], read=None)[0] == "not audited"
    assert audit(silent, [10], [0], 0.4).why == "60% of its source's text was not read"
