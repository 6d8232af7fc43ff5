"""The figures of docs/needle.md come out of the committed envelopes: those of the turns that they answer."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from harness.bench.acting import TRACED, acting, causes, sources
from harness.bench.kind import BENCH
from harness.bench.rates import Rate, Rates, Square, rates
from harness.bench.settings import BenchSettings
from harness.runs import life
from harness.runs.run import Run

ROOT = Path(__file__).resolve().parents[2]
RECORDING = ROOT / "tasks" / "engine" / "recordings" / "needle-3.0.2.jsonl"


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    settings = BenchSettings((f"recorded:path={RECORDING}",), (str(ROOT / "tasks" / "engine"),), repetitions=1)
    frame = Run(life.run(BENCH, settings, tmp_path_factory.mktemp("results"))).engine
    return frame[frame["failure"].astype(str) != "refused"]


def share(found: Rate) -> str:
    assert found.value is not None
    assert found.interval is not None
    low, high = found.interval
    return f"{found.count} of {found.total}, {100 * found.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def lines(turns: pd.DataFrame) -> list[str]:
    """The lines of the page that hold figures of rates."""
    found = rates(turns)
    figures = {
        "right, of all turns": found.right,
        "right to the letter": found.exact,
        "right, of turns that need a call": found.called_right,
        "no call, of turns that need none": found.refused,
        "grounded by the engine, of turns that it checked": found.grounded,
        "grounded by the engine, of turns that need a call": found.grounded_needed,
        "every argument traced by the harness, of turns with arguments": found.traced,
        "arguments traced by the harness": found.arguments,
    }
    rows = [f"| {name} | {share(figure)} |" for name, figure in figures.items()]
    cases = [(str(case), rates(part)) for case, part in turns.groupby("case", observed=True)]
    rows += [_case(name, own) for name, own in sorted(cases, key=_least_right_last)]
    squares = (found.grounding.checks, found.grounding.engine, found.grounding.harness)
    for square, names in zip(squares, (PASSES, PASSES, TRACES), strict=True):
        rows += _square(square, names)
    for source, n in sources(turns).items():
        rows.append(f"| {source} | {'traces' if source in TRACED else 'does not'} | {n['passes']} | {n['flags']} |")
    for rule, own in acting(turns).items():
        rows.append(f"| {rule} | {share(own.coverage)} | {share(own.risk)} | {own.done.count} of {own.done.total} |")
    for cause, of in causes(turns).items():
        rows.append(f"| {cause} | {of.turns} | {of.called} | {of.right} | {of.traced} |")
    return rows


PASSES = ("engine passes", "engine does not pass")
TRACES = ("harness traces every argument", "it does not")


def _least_right_last(case: tuple[str, Rates]) -> tuple[float, str]:
    return -(case[1].right.value or 0.0), case[0]


def _case(name: str, own: Rates) -> str:
    return (
        f"| {name} | {own.turns} | {own.right.count} | {own.grounded.count} of {own.grounded.total} | "
        f"{own.traced.count} of {own.traced.total} |"
    )


def _square(found: Square, names: tuple[str, str]) -> list[str]:
    return [
        f"| {names[0]} | {found.both} | {found.first_only} |",
        f"| {names[1]} | {found.second_only} | {found.neither} |",
    ]


def test_the_page_has_the_figures_of_the_envelopes(turns: pd.DataFrame) -> None:
    page = (ROOT / "docs" / "needle.md").read_text(encoding="utf-8").splitlines()
    assert len(turns) == 395
    assert [line for line in lines(turns) if line not in page] == []
