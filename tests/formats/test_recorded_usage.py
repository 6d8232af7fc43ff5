"""The prompts that readers rebuild grow as the providers' own counts say: nothing is missing, nothing is there twice.

The first prompt is left out, for the system prompt and the tools are rarely recorded whole. What is left of a
difference is the tokenizer (o200k for all of them here) and what a provider puts around calls.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.tokens.counter import TokenCounter
from harness.transcript import Transcript

FRAME = 4


@pytest.fixture(scope="module")
def counter() -> TokenCounter:
    return TokenCounter("o200k_base")


def growth(run: Transcript, counter: TokenCounter) -> tuple[int, int]:
    """By how many tokens the prompt grew from the first to the last request, as counted here and as recorded."""
    sizes = [
        FRAME
        + counter.count(message.result.content if message.result else message.text)
        + sum(counter.count(call.name) + counter.count(call.arguments) for call in message.calls)
        for message in run.messages
    ]
    counted, recorded = [], []
    for index, shown in run.prompts():
        usage = run.messages[index].usage
        if usage is not None and usage.input_tokens is not None:
            counted.append(sum(sizes[i] for i in shown))
            recorded.append(usage.input_tokens)
    assert len(counted) > 2
    return counted[-1] - counted[0], recorded[-1] - recorded[0]


@pytest.mark.parametrize(
    ("recording", "least", "most"),
    [
        ("tau2-bench", 0.96, 1.01),  # gpt-4.1-mini
        ("inspect/docent-sample-log.eval", 0.93, 1.0),  # gpt-4o; what stands around its calls
        ("mini-swe-agent", 0.84, 0.92),  # gemini-3-pro
        ("openhands-v0", 0.90, 1.0),  # llama-4; the lines that the agent adds to results are not recorded
    ],
)
def test_prompts_grow_as_the_provider_counted(
    corpora: Path, counter: TokenCounter, recording: str, least: float, most: float
) -> None:
    ours = theirs = 0
    for run in read_transcripts([corpora / recording], Intake()):
        if "usage" not in run.unknown and len(run.requests()) > 8:
            counted, recorded = growth(run, counter)
            ours, theirs = ours + counted, theirs + recorded
    assert theirs > 3000
    assert least < ours / theirs < most
