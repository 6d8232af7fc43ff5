"""Families of which it is known which is better, drawn again and again: what `harness decide` says of them.

    python -m tests.benchmarks.planted_decide 500
    python -m tests.benchmarks.planted_decide 500 recordings        # the whole commands, over written recordings

By plant and number of clusters: the share of draws that gave each word. *Wrong* is a word that contradicts the plant:
the other family, *equal* where they differ, a family where they are equal.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from harness.tune.settings import TuneSettings
from harness.tune.tune import run_trial
from harness.tune.verdict import judge
from tests.decide.planted import PLANTED, draw, word
from tests.decide.recordings import PLANTED as PLANTED_RECORDINGS
from tests.decide.recordings import corpus
from tests.decide.recordings import word as word_of_recordings

WORDS = ("A", "B", "equal", "depends", "not shown")
RIGHT = {"A better": "A", "B better": "B", "equal": "equal", "alike": "equal", "crossing": "depends"}
WRONG = {
    "A better": {"B", "equal", "depends"},
    "B better": {"A", "equal", "depends"},
    "equal": {"A", "B", "depends"},
    "alike": {"A", "B", "depends"},
    "crossing": {"equal"},
}


def main(draws: int) -> None:
    print(f"{draws} draws a line")
    print(f"{'plant':10}{'sizes':>8}{'clusters':>10}" + "".join(f"{w:>11}" for w in WORDS) + f"{'wrong':>8}")
    for planted in PLANTED:
        for heavy in (False, True):
            for clusters in (15, 20, 40, 60):
                found = Counter(
                    str(word(draw(np.random.default_rng([n, clusters]), clusters, planted, heavy)))
                    for n in range(draws)
                )
                wrong = sum(found[w] for w in WRONG[planted])
                shares = "".join(f"{found[w] / draws:>11.3f}" for w in WORDS)
                sizes = "heavy" if heavy else "even"
                print(f"{planted:10}{sizes:>8}{clusters:>10}{shares}{wrong / draws:>8.3f}", flush=True)


def whole(draws: int) -> None:
    """`harness decide`, and `harness tune` where everything is small, over recordings written anew for each draw."""
    for a, b, place, known in PLANTED_RECORDINGS:
        found = Counter(_word(a, b, place, n) for n in range(draws))
        print(f"{place:10}{a:>18}{b:>18}  known: {' or '.join(known):20} found: {dict(found)}", flush=True)
    tuned = Counter(_tuned(n) for n in range(draws))
    print(f"small: tune recommends {dict(tuned)}")


def _word(a: str, b: str, place: str, draw: int) -> str:
    with TemporaryDirectory() as folder:
        return word_of_recordings(Path(folder), a, b, place, draw)


def _tuned(draw: int) -> str:
    with TemporaryDirectory() as folder:
        return judge(run_trial(TuneSettings((corpus(Path(folder), "small", draw),), policy="car"))).chosen.policy.label


if __name__ == "__main__":
    (whole if "recordings" in sys.argv else main)(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
