"""The part of a report on a grid."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.grid import tables
from harness.report.citation import Citation, cite
from harness.report.screen import Fact, Screen
from harness.report.sections import SectionPart
from harness.report.table import Column, Table
from harness.report.units import COUNT, MEGABYTES, NAME, NOT_REPORTED, NUMBER, SECONDS, Unit, between, decimals
from harness.text import count, number

if TYPE_CHECKING:
    from harness.report.plots.drawing import Plot

WITHHELD = "-"
RATIO = Unit("ratio", decimals(3), NOT_REPORTED)
MILLISECONDS = Unit("ms", decimals(1), NOT_REPORTED)
PERCENT = Unit("% a minute", decimals(1, "+"), NOT_REPORTED)
JOULES = Unit("J", decimals(3), NOT_REPORTED)
AT = Unit("tokens/s", lambda rate, size: f"{NUMBER.text(rate)} at {count(size)}", WITHHELD)
CELLS = (
    Column("engine", "engine", NAME),
    Column("prompt", "prompt, tokens asked for", COUNT, "recorded"),
    Column("failure", "failed", absent=""),
    Column("tokens", "read", COUNT, absent=NOT_REPORTED),
    Column("prefill", "prefill, tokens/s", NUMBER, main=True, absent=WITHHELD),
    Column(("prefill_p5", "prefill_p95"), "p5 to p95", between(NUMBER), absent=WITHHELD),
    Column("decode", "decode at this depth, tokens/s", NUMBER, main=True, absent=WITHHELD),
    Column(("decode_p5", "decode_p95"), "p5 to p95", between(NUMBER), absent=WITHHELD),
    Column("first", "first token", SECONDS, absent=WITHHELD),
    Column("first_p95", "p95", SECONDS, absent=WITHHELD),
    Column("gap_p50", "between tokens, ms: p50", MILLISECONDS),
    Column("gap_p90", "p90", MILLISECONDS),
    Column("gap_p99", "p99", MILLISECONDS),
    Column("peak_mb", "peak memory so far", MEGABYTES, absent=NOT_REPORTED),
    Column("prefill_ratio", "own prefill / clock", RATIO),
    Column("decode_ratio", "own decode / clock", RATIO),
)
STARTS = (
    Column("engine", "engine", NAME),
    Column("start", "start"),
    Column("starts", "starts", COUNT),
    Column("load_seconds", "load", SECONDS, absent=NOT_REPORTED),
    Column("first_turn", "first token, first turn", SECONDS, absent=NOT_REPORTED),
    Column("second_turn", "second turn", SECONDS, absent=NOT_REPORTED),
    Column("loaded_mb", "memory when loaded", MEGABYTES, absent=NOT_REPORTED),
)
MEMORY = (
    Column("engine", "engine", NAME),
    Column("least_mb", "at the smallest prompt", MEGABYTES, absent=NOT_REPORTED),
    Column("most_mb", "at the largest that fits", MEGABYTES, absent=NOT_REPORTED),
    Column("kb_a_token", "kB a token between", Unit("kB", decimals(2), NOT_REPORTED)),
)
CANARIES = (
    Column("engine", "engine", NAME),
    Column("prompt", "prompt, tokens asked for", COUNT, "recorded"),
    Column("pairs", "sent twice", COUNT),
    Column("share", "first token again / before", RATIO),
    Column("read_first", "tokens read", COUNT, absent=NOT_REPORTED),
    Column("read_again", "read again", COUNT, absent=NOT_REPORTED),
    Column("served", "served from a cache", absent=NOT_REPORTED),
)
POWER = (
    Column("engine", "engine", NAME),
    Column("joules", "J a token, whole machine", JOULES),
    Column("mhz", "clock, MHz", NUMBER, absent=NOT_REPORTED),
    Column("mhz_least", "lowest", NUMBER, absent=NOT_REPORTED),
)
SUSTAINED = (
    Column("engine", "engine", NAME),
    Column("turns", "turns", COUNT),
    Column("minutes", "minutes", Unit("min", decimals(1))),
    Column("rate", "tokens written/s", NUMBER, absent=NOT_REPORTED),
    Column("slope", "slope, % a minute", PERCENT),
    Column(("slope_low", "slope_high"), "95 % interval", between(PERCENT)),
)
RUNGS = (
    Column("engine", "engine", NAME),
    Column("file_mb", "weights", MEGABYTES, "recorded", absent=NOT_REPORTED),
    Column("prompt", "prompt, tokens asked for", COUNT, "recorded"),
    Column("prefill", "prefill, tokens/s", NUMBER, absent=WITHHELD),
    Column("decode", "decode, tokens/s", NUMBER, absent=WITHHELD),
    Column("peak_mb", "peak memory", MEGABYTES, absent=NOT_REPORTED),
)


ANSWERS = (
    Column("engine", "engine", NAME),
    Column(("prefill", "small"), "prefill at the smallest, tokens/s", AT, main=True, absent=WITHHELD),
    Column(("decode", "small"), "decode behind it", AT, main=True, absent=WITHHELD),
    Column(("prefill_large", "large"), "prefill at the largest that fits", AT, main=True, absent=WITHHELD),
    Column(("decode_large", "large"), "decode behind it", AT, main=True, absent=WITHHELD),
    Column("beyond", "overflow from, tokens", COUNT, absent="none"),
    Column("peak_mb", "peak memory", MEGABYTES, absent=NOT_REPORTED),
)


class GridPart(SectionPart):
    """Engines over prompt sizes and settings."""

    title = "Engines over a grid"
    SECTIONS = (
        lambda part: Table("cells", "Prompt sizes", "live", CELL_NOTE, CELLS, part.cells),
        lambda part: part.starts(),
        lambda part: part.memory(),
        lambda part: part.canaries(),
        lambda part: part.rungs(),
        lambda part: part.power(),
        lambda part: part.sustained(),
    )

    @cached_property
    def turns(self) -> pd.DataFrame:
        return self.run.table("grid")

    @cached_property
    def cells(self) -> list[dict[str, Any]]:
        return list(tables.cells(self.turns))

    def screen(self) -> Screen:
        rows = [_ends(engine, own) for engine, own in self.by_engine.items()]
        table = Table("answers", "Smallest and largest prompt", "live", columns=ANSWERS, data=rows)
        return Screen(self._headline(), table, self._facts())

    @cached_property
    def by_engine(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {}
        for row in self.cells:
            found.setdefault(row["engine"], []).append(row)
        return found

    def _headline(self) -> str:
        said = []
        for engine, own in self.by_engine.items():
            best = [row for row in own if row["prefill"] is not None or row["decode"] is not None]
            beyond = [row["prompt"] for row in own if row["failure"] == "overflow"]
            if not best:
                said.append(f"{engine}: no rate, every size failed or wrote too few tokens.")
                continue
            ends = [best[0], best[-1]] if len(best) > 1 else best
            at = "; ".join(
                f"at {count(row['prompt'])} tokens prefill {NUMBER.text(row['prefill'], absent='withheld')}, "
                f"decode {NUMBER.text(row['decode'], absent='withheld')} tokens/s"
                for row in ends
            )
            over = f"; overflow from {count(min(beyond))} tokens on" if beyond else ""
            said.append(f"{engine}: {at}{over}.")
        return " ".join(said)

    def _facts(self) -> tuple[Fact, ...]:
        machine = self.run.manifest["environment"]["machine"]
        what = f"{machine['model'] or machine['processor']}, {machine['system']}; one engine runs at a time"
        asked = len(self.turns)
        return (
            Fact("Turns", "live", count(asked), "every prompt is unique, so that no prefix of it is in a cache"),
            Fact("Machine", "recorded", f"{machine['cpus']} CPUs", what),
        )

    def starts(self) -> Table:
        note = (
            "Cold: the system was asked to drop the engine's files from its cache before (it keeps pages in use); "
            "warm: right after. A new process each time; medians."
        )
        return Table("starts", "Starts", "live", note, STARTS, list(tables.starts(self.run.table("grid_starts"))))

    def memory(self) -> Table:
        note = (
            "Peak of the engine's process, less that before loading, as the system saw it. Sizes ascend in a "
            "repetition, so the peak is that of the largest prompt so far. A window that is set up whole when loading "
            "shows no slope."
        )
        return Table("memory", "Memory by context", "live", note, MEMORY, list(tables.memory(self.turns)))

    def canaries(self) -> Table:
        note = (
            "The same prompt sent twice in a row, apart from the cells. Served from a cache: the first token of the "
            "second took less than half the time."
        )
        return Table("canary", "Caches", "live", note, CANARIES, list(tables.canaries(self.turns)))

    def rungs(self) -> Table:
        sizes = {e["label"]: _weights(e["identity"]) for e in self.run.manifest["engines"]}
        rows = list(tables.rungs(self.turns, sizes))
        files = len({row["file_mb"] for row in rows})
        note = "Engines by the size of their weights, each at its smallest prompt." + (
            "" if files > 1 else " There is one file, so this is one rung, and no ladder of quantisation."
        )
        return Table("rungs", "Rungs", "live", note, RUNGS, rows)

    def power(self) -> Table:
        note = "From the system's counters (powercap, cpufreq), over all turns; not reported where it shows none."
        return Table("power", "Energy and clock", "live", note, POWER, list(tables.power(self.turns)))

    def sustained(self) -> Table | None:
        rows = list(tables.sustained(self.turns))
        note = (
            "Turns of the smallest size without a pause; the slope of tokens written a second over the minutes, by "
            "Theil and Sen, in percent of the rate at the beginning. A falling rate is heat, or somebody else's work."
        )
        return Table("sustained", "Minutes on end", "live", note, SUSTAINED, rows) if rows else None

    def plots(self) -> tuple[Plot, ...]:
        from harness.grid.sections.plots import PLOTS

        return PLOTS

    def raw_tables(self) -> Iterator[Table]:
        yield Table("grid", "Turns", "live", data=self.turns)
        yield Table("grid_starts", "Starts", "live", data=self.run.table("grid_starts"))

    def notes(self) -> tuple[str, ...]:
        return (
            "Every rate is sum of tokens over sum of seconds of a size's turns in a repetition; the median over "
            "repetitions stands with p5 and p95. Withheld (-) under 32 tokens.",
            "Decode is measured behind a prompt of the size beside it, so that it says what depth costs.",
        )

    def citation(self) -> Citation:
        engines = [e["label"] for e in self.run.manifest["engines"]]
        known = [e["identity"]["hashes"].get("weights", "") for e in self.run.manifest["engines"] if e["identity"]]
        digests = ", ".join(sorted({digest[:12] for digest in known if digest})) or "no weights"
        title = f"A grid of {number(len(engines), 'engine')}"
        return cite(self.run, title, {"engines": "; ".join(engines)}, f"weights {digests}")


CELL_NOTE = (
    "Unique prompts of about so many tokens; read is what the engine counted. Overflow: beyond its window. Between "
    "tokens: where they come one by one. Own / clock: the engine's own timings over the harness's clock, turn by turn, "
    "the median."
)


def _ends(engine: str, cells: list[dict[str, Any]]) -> dict[str, Any]:
    fits = [row for row in cells if row["turns"]] or cells[:1]
    beyond = [row["prompt"] for row in cells if row["failure"] == "overflow"]
    found = {"engine": engine, "small": fits[0]["prompt"], "large": fits[-1]["prompt"]}
    found |= {name: fits[0][name] for name in ("prefill", "decode")}
    found |= {f"{name}_large": fits[-1][name] for name in ("prefill", "decode")}
    return found | {"beyond": min(beyond, default=None), "peak_mb": fits[-1]["peak_mb"]}


def _weights(identity: dict[str, Any] | None) -> int | None:
    """Bytes of the file of weights, if its setting names one that is still there."""
    for name in ("model", "weights"):
        path = Path(str((identity or {}).get("settings", {}).get(name) or ""))
        if path.is_file():
            return path.stat().st_size
    return None
