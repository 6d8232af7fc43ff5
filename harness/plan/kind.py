"""A plan as a kind of run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from harness.plan.rows import PLANS
from harness.plan.settings import PlanSettings
from harness.runs.kind import Going, Kind, Record, Rows


class PlanKind(Kind[PlanSettings]):
    name = "plan"
    help = """How many tasks and repetitions a comparison takes.

    The comparison is simulated and judged by the test of `harness arms`, under what is stated or a pilot says."""
    settings = PlanSettings
    tables = {"plans": PLANS}
    unit = "size"
    part = "harness.plan.sections.part:PlanPart"

    def work(self, settings: PlanSettings, going: Going) -> Iterator[Record]:
        from harness.plan.assumptions import assumptions
        from harness.plan.search import search

        done = {record["repetitions"] for record in going.records() if record["kind"] == "sizes"}
        assumed = assumptions(settings)
        if not done:
            yield {"kind": "assumptions"} | asdict(assumed)
        for number, repetitions in enumerate(wanted := sorted(set(settings.repetitions)), 1):
            if repetitions not in done:
                yield {
                    "kind": "sizes",
                    "repetitions": repetitions,
                    "tried": list(search(settings, assumed, repetitions)),
                }
            going.progress(number, len(wanted))

    def rows(self, settings: PlanSettings, records: list[Record]) -> tuple[Rows, Record]:
        assumed = next(record for record in records if record["kind"] == "assumptions")
        found = []
        for record in (record for record in records if record["kind"] == "sizes"):
            last = record["tried"][-1]
            for one in record["tried"]:
                runs = int(one["tasks"] * one["repetitions"] * (settings.arms + 1))
                price = {name: assumed[name] and assumed[name] * runs for name in ("tokens", "usd")}
                chosen = one is last and one["power"] >= settings.power
                found.append(one | price | {"runs": runs, "chosen": chosen})
        found.sort(key=lambda row: (row["repetitions"], row["tasks"]))
        return {"plans": found}, {"assumptions": {k: v for k, v in assumed.items() if k != "kind"}}


PLAN = PlanKind()
