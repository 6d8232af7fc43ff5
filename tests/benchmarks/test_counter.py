"""What counting costs, as shares of one plain tiktoken pass over the same texts, printed for people and as a JSON line.

python -m pytest -m benchmark -s tests/benchmarks/test_counter.py
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.tokens.counter import TokenCounter
from harness.tokens.exact import ExactTokenizer
from harness.tokens.prefix import CutCounter
from harness.tokens.store import CountStore

pytestmark = pytest.mark.benchmark

ENCODING = "o200k_base"
REPEATS = 5
BUDGETS = range(200, 20_200, 100)
TOLD = (
    ("memo_first", "first pass, memo only"),
    ("store_first", "first pass, nothing on disk yet"),
    ("memo_again", "the same texts again, from the memo"),
    ("store_again", "a new run, from the disk"),
    ("cuts", f"{len(BUDGETS)} budgets, head and tail kept"),
)


def texts(count: int, seed: int) -> list[str]:
    """Texts of 100 to 50,000 characters in lines, as tool results are."""
    draw = random.Random(seed)
    words = [f"{draw.choice(('path/to', 'def', 'id', 'Wort', '値'))}{draw.randrange(5000)}" for _ in range(2000)]

    def line() -> str:
        return " " * draw.choice((0, 0, 4, 8)) + " ".join(draw.choices(words, k=draw.randint(0, 16)))

    lines = [line() for _ in range(3000)]
    return ["\n".join(draw.choices(lines, k=int(2 ** draw.uniform(1, 9.5)))) for _ in range(count)]


def seconds(work: Callable[..., object], *arguments: object) -> float:
    start = time.process_time()
    work(*arguments)
    return time.process_time() - start


def test_shares_of_a_plain_pass(tmp_path: Path) -> None:
    sample = texts(400, seed=1)
    plain = ExactTokenizer(ENCODING)
    counts = [plain.count(text) for text in sample]
    taken: dict[str, list[float]] = {name: [] for name in ("plain", *(name for name, _ in TOLD))}

    def count_plainly() -> None:
        assert [plain.count(text) for text in sample] == counts

    def count_all(counter: TokenCounter) -> None:
        assert counter.count_many(sample) == counts
        counter.close()

    def count_with_store(folder: Path) -> None:
        count_all(TokenCounter(ENCODING, CountStore(folder)))

    def sweep() -> None:
        for text in sample:
            cuts = CutCounter(text, plain)
            for budget in BUDGETS:
                if budget < len(text):
                    cuts.spliced(budget // 2, "\n[... elided ...]\n", len(text) - budget // 2)

    for turn in range(REPEATS):  # interleaved, so that a busy machine slows all of them
        memo = TokenCounter(ENCODING)
        folder = tmp_path / str(turn)
        taken["plain"].append(seconds(count_plainly))
        taken["memo_first"].append(seconds(count_all, memo))
        taken["memo_again"].append(seconds(count_all, memo))
        taken["store_first"].append(seconds(count_with_store, folder))
        taken["store_again"].append(seconds(count_with_store, folder))
        taken["cuts"].append(seconds(sweep))

    shares = {name: round(min(taken[name]) / min(taken["plain"]), 3) for name, _ in TOLD}
    megabytes = sum(len(text.encode("utf-8")) for text in sample) / 1e6
    speed = megabytes / min(taken["plain"])
    print(f"\n{megabytes:.1f} MB in {len(sample)} texts, {speed:.1f} MB/s plain; shares of that:")
    for name, meaning in TOLD:
        print(f"{shares[name]:8.3f}  {meaning}")
    print(json.dumps({"benchmark": "counter", "encoding": ENCODING, "megabytes": round(megabytes, 2), **shares}))
