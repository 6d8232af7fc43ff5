"""What engines say of themselves beside what the clock and the operating system saw, and how quiet the machine was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.bench.throughput import ALL
from harness.report.table import Column, Table
from harness.report.units import COUNT, MEGABYTES, NAME, NOT_REPORTED, NUMBER, OF, SECONDS, Unit
from harness.text import count

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

CLAIMS: dict[str, tuple[str, Unit]] = {
    "prefill": ("prefill, tokens/s", NUMBER),
    "decode": ("decode, tokens/s", NUMBER),
    "memory": ("peak memory", MEGABYTES),
    "first": ("first token", SECONDS),
    "seconds": ("whole turn", SECONDS),
}
CLAIMED = Unit("of the claim", lambda value, claim: CLAIMS[claim][1].text(value), NOT_REPORTED, whole=False)
COLUMNS = (
    Column("engine", "engine", NAME),
    Column("_said", "claim"),
    Column("turns", "turns", COUNT),
    Column(("reported_median", "claim"), "as reported, median", CLAIMED),
    Column(("seen", "claim"), "as seen", CLAIMED),
    Column("_verdict", "contradicted"),
)


def claims(part: Engines) -> Table:
    """One row an engine and figure; peak memory always, as it is asked of every engine."""
    summary = part.summary
    known = {(row["engine"], row["claim"]): row for row in summary.claims.to_dict("records")}
    rows = []
    for engine in part.engines:
        for claim, (said, _) in CLAIMS.items():
            reported, seen = known.get((engine, claim)), _seen(part, engine, claim)
            if reported is None and claim != "memory":
                continue
            against, quiet = summary.contradicted[engine].get(claim, 0), summary.quiet_turns[engine]
            record: dict[str, Any] = {"engine": engine, "claim": claim, "turns": int(reported["n"]) if reported else 0}
            record |= {"reported_median": reported["median"] if reported else None, "seen": seen}
            record |= {"contradicted": against, "quiet_turns": quiet, "_said": said}
            verdict = _verdict(against, quiet if engine in summary.live else 0, reported is not None)
            rows.append(record | {"_verdict": verdict})
    return Table(
        "claims",
        "What engines report of themselves",
        "live",
        "Beside it, what the harness's clock or the operating system saw (peak memory of the engine's own process, "
        "less what it had before anything was loaded; where an engine runs elsewhere, it cannot be seen). A claim is "
        "contradicted where it is off by more than 10 % and a few tokens, on turns that were not contended, since "
        "only there a clock is a witness, and not where envelopes come from a recording. On Linux, a process that "
        "asks getrusage for its peak also gets that of the process which started it.",
        COLUMNS,
        rows,
    )


def _seen(part: Engines, engine: str, claim: str) -> float | None:
    if claim == "memory":
        return part.summary.memory[engine]["peak"]
    if claim in ("prefill", "decode"):
        return part.median("throughput", engine, band=ALL, rate=claim)
    return part.median("times", engine, time={"first": "first", "seconds": "turn"}[claim])


def _verdict(against: int, quiet: int, reported: bool) -> str:
    if not reported:
        return "-"
    if not quiet:
        return "cannot be told"
    return f"contradicted on {count(against)} of {count(quiet)} turns" if against else f"no, on {count(quiet)} turns"


def conditions(part: Engines) -> Table:
    """What else the machine did, and how the engines were started."""
    rows = []
    for engine in part.engines:
        own = part.run.stretches[part.run.stretches["engine"] == engine]
        starts = part.run.starts[part.run.starts["engine"] == engine]
        busy, unknown, total = part.summary.contended[engine]
        settled = starts["stable"].dropna()
        because = sorted({b for text in own["because"] for b in str(text).split(";") if b})[:3]
        record: dict[str, Any] = {
            "engine": engine,
            "because": "; ".join(because) or None,
            "stretches": total,
            "contended": busy,
            "not_known": unknown,
            "foreign_cores": own["foreign_cores"].astype("float64").median(),
            "steal": own["steal"].astype("float64").median(),
            "switched_out": own["switched_out"].astype("float64").sum(min_count=1),
            "load_before": own["load_before"].astype("float64").median(),
            "starts": len(starts),
            "warm_turns": int(starts["warm_turns"].sum()),
            "settled": int(settled.sum()),
            "_settled_of": len(settled),
            "loaded_mb": part.summary.memory[engine]["loaded"],
            "peak_mb": part.summary.memory[engine]["peak"],
        }
        rows.append(record)
    return Table(
        "conditions",
        "Conditions",
        "live",
        "Engines take turns by stretches of tasks; the machine is looked at before and after each. A stretch is "
        "contended if other processes kept more than a quarter of a core busy, the host took more than 1 % of the "
        "time, or the engine was put off a core more than a hundred times a second. Warm-up turns are thrown away; "
        "settled: their last three times were within 15 %. Memory is the engine's process less what it had before "
        "anything was loaded.",
        CONDITIONS,
        rows,
    )


CONDITIONS = (
    Column("engine", "engine", NAME),
    Column("because", "contended because"),
    Column(("contended", "stretches"), "contended", OF),
    Column("not_known", "cannot be told", COUNT),
    Column("foreign_cores", "foreign cores, median", NUMBER),
    Column("load_before", "load, median", NUMBER),
    Column("switched_out", "switches off a core", NUMBER),
    Column("starts", "starts", COUNT),
    Column("warm_turns", "warm-up turns", COUNT),
    Column(("settled", "_settled_of"), "settled", OF),
    Column("loaded_mb", "memory when loaded", MEGABYTES),
    Column("peak_mb", "peak memory", MEGABYTES),
)
