"""What the evidence pass costs, as shares of one plain tiktoken pass over the distinct texts of the same replay.

python -m pytest -m benchmark -s tests/benchmarks/test_evidence.py

The texts are the messages, the results and all renderings under twelve policies. Finding what is borne is done once a
transcript, counting states once a policy.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable

import pytest

from harness.evidence import EvidenceRun, background, find_borne
from harness.policies.rendering import Rendering
from harness.tokens.exact import ExactTokenizer
from harness.transcript import Message, ToolCall, ToolResult, Transcript
from tests.evidence.planted import views

pytestmark = pytest.mark.benchmark

REPEATS = 5
POLICIES = (
    "identity", "head:bytes=200", "head:bytes=2000", "head:bytes=8000", "tail:bytes=2000", "middle:bytes=1000",
    "middle:bytes=4000", "middle:bytes=10000", "middle:bytes=16384", "car", "car:min_bytes=600", "codex",
)  # fmt: skip


def recording(requests: int, seed: int) -> Transcript:
    """Calls with a line or a small file, results of 100 to 50,000 characters; half of the calls use a result."""
    draw = random.Random(seed)
    pool = [f"{draw.choice(('path/to', 'def', 'id', 'class'))}_{draw.randrange(10**6)}" for _ in range(30_000)]

    def lines(count: int, names: list[str]) -> list[str]:
        return [
            " " * draw.choice((0, 4, 8)) + " ".join(draw.choices(names, k=draw.randint(0, 14))) for _ in range(count)
        ]

    shown, own = lines(3000, pool[:20_000]), lines(1000, pool[20_000:])
    messages = [Message("user", "Mend it.")]
    for n in range(requests):
        seen = messages[-1].result.content.split() if messages[-1].result else []
        used = " ".join(draw.sample(seen, min(len(seen), 3))) if n % 2 else "ls"
        written = "\n".join(draw.choices(own, k=draw.choice((1, 1, 1, 30))))
        arguments = json.dumps({"command": used, "text": written})
        messages.append(Message("assistant", "I look.", (ToolCall("Bash", arguments),)))
        content = "\n".join(draw.choices(shown, k=int(2 ** draw.uniform(1, 9.5))))
        messages.append(Message("tool", result=ToolResult(content, "Bash", call=(2 * n + 1, 0))))
    return Transcript(f"made {seed}", "test", tuple(messages))


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def test_shares_of_a_plain_pass() -> None:
    recordings = [recording(100, seed) for seed in range(3)]
    rendered: list[list[dict[int, Rendering]]] = [[views(run, policy) for policy in POLICIES] for run in recordings]
    texts = {message.text for run in recordings for message in run.messages}
    texts |= {call.arguments for run in recordings for message in run.messages for call in message.calls}
    texts |= {view.text for policies in rendered for shown in policies for view in shown.values()}
    tokenizer = ExactTokenizer("o200k_base")
    background().has("warm_up")
    runs = [EvidenceRun(find_borne(run)) for run in recordings]
    assert sum(len(request.borne) for run in runs for request in run.borne.requests) > 100

    def count_states() -> None:
        for run, policies in zip(runs, rendered, strict=True):
            fresh = EvidenceRun(run.borne)
            for shown in policies:
                fresh.count_all(shown)

    taken: dict[str, list[float]] = {"tokens": [], "borne": [], "states": []}
    for _ in range(REPEATS):
        taken["tokens"].append(seconds(lambda: sum(map(tokenizer.count, texts))))
        taken["borne"].append(seconds(lambda: [find_borne(run) for run in recordings]))
        taken["states"].append(seconds(count_states))
    best = {name: min(samples) for name, samples in taken.items()}
    shares = {name: round(best[name] / best["tokens"], 3) for name in ("borne", "states")}
    print(
        f"\n{sum(map(len, texts)) / 1e6:.1f} MB of distinct text, {len(POLICIES)} policies; shares of a tiktoken pass:"
    )
    for name, share in shares.items():
        print(f"  {name:<8}{share:>6.2f}")
    print(json.dumps({"benchmark": "evidence", **shares}))
    assert sum(shares.values()) < 1.5
