"""Grounding by policy: the same values, shown to the engine under truncation and under a preview with a handle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from harness.bench.rates import Rates, rates
from harness.bench.sections import wording as say
from harness.report.by_hand import Section
from harness.report.table import Table
from harness.text import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.bench.sections.part import Engines

FIGURES = ("right", "grounded", "grounded_needed", "traced")
HIDDEN = {"all": "all turns", "shown": "what the call needs is shown", "hidden": "what the call needs is hidden"}


def section(part: Engines) -> Table | None:
    rows, texts = [], []
    for engine, policy, which, found in by_policy(part):
        counts = {state: found.states[state] for state in ("no call", "withheld", "failed")}
        record: dict[str, object] = {"engine": engine, "policy": policy, "turns_with": which, "turns": found.turns}
        for name in FIGURES:
            one = getattr(found, name)
            low, high = one.interval or (None, None)
            record |= {name: one.count, f"{name}_of": one.total, f"{name}_low": low, f"{name}_high": high}
        rows.append(record | counts)
        cells = [say.of_total(getattr(found, name)) for name in FIGURES[1:]]
        texts.append(
            [
                policy,
                engine,
                HIDDEN[which],
                count(found.turns),
                say.rate(found.right),
                say.interval(found.right),
                *cells,
            ]
            + [count(v) for v in counts.values()]
        )
    if not rows:
        return None
    return Section(
        "by_policy",
        "Grounding by policy",
        "live",
        "Tasks that show the engine a tool result as a policy renders it, and then ask for a call with a value from "
        "it. Where the policy hides that value, a grounded and right answer is to pass a reference, to ask, or to "
        "make no call; a value that stands nowhere in the input is invented.",
        (
            *("policy", "engine", "turns with", "turns", "right", "95 % interval", "grounded, of checked"),
            *("grounded, call needed", "traced by the harness", "no call", "withheld", "failed"),
        ),
        pd.DataFrame(rows),
        texts,
        names=3,
        words=frozenset({"turns with"}),
    )


def by_policy(part: Engines) -> Iterator[tuple[str, str, str, Rates]]:
    """Engine, policy, which of its turns, and their rates; identity first."""
    shown = part.run.engine[part.run.engine["policy"].astype("str") != ""]
    for policy in sorted(dict.fromkeys(shown["policy"].astype("str")), key="identity".__ne__):
        for engine in part.engines:
            own = shown[(shown["policy"].astype("str") == policy) & (shown["engine"] == engine)]
            hidden = own["hidden"].fillna(False).astype("bool")
            parts = {"all": own, "shown": own[~hidden], "hidden": own[hidden]}
            for which, turns in parts.items():
                if len(turns) and (which == "all" or len(turns) < len(own)):
                    yield engine, policy, which, rates(turns)
