"""The tables of a re-drive for a reader: what stands in each column of `harness.redrive.tables`."""

from __future__ import annotations

from dataclasses import dataclass

from harness.report.table import Column
from harness.report.units import COUNT, NAME, PART, POINTS, RATIO, SECONDS, SHARE, TOKENS, P, Unit, estimate

KEYS = (Column("engine", "engine", NAME), Column("policy", "policy", NAME))


@dataclass(frozen=True)
class Words:
    """title, note: what a table shows. kind: of its figures."""

    title: str
    kind: str
    note: str
    columns: tuple[Column, ...]


def _estimate(key: str, heading: str, unit: Unit = POINTS, kind: str = "") -> Column:
    return Column((key, f"{key}_low", f"{key}_high"), heading, estimate(unit), kind)


TABLES: dict[str, Words] = {
    "fit": Words(
        "What fits into the window",
        "live",
        "Too long by our count: prompt and answer budget exceed the window, so nobody was asked. By the engine's: it "
        "said so, or its own count fills the window. Nothing is cut to fit. Failed: crash, hang, garbage, error.",
        (
            *KEYS,
            Column("requests", "requests", COUNT),
            Column("fit", "fit", COUNT),
            Column(("fit", "requests"), "share", PART),
            Column("overflow_counted", "too long by our count", COUNT),
            Column("overflow_reported", "by the engine's", COUNT),
            Column("failed", "failed", COUNT),
        ),
    ),
    "agreement": Words(
        "Agreement with the recording",
        "live",
        "Same tools, same arguments and all arguments grounded: shares of the requests whose recorded action is a call "
        "(calls). No call: share of those that the recording answers in words (answers). Differences are from identity "
        "on the same requests, in points, with 95 % intervals over clusters; p of same arguments by sign flips over "
        "clusters, corrected (Benjamini-Hochberg). Under 8 clusters: no interval.",
        (
            *KEYS,
            Column("calls", "calls", COUNT),
            Column("same_tools", "same tools", SHARE, absent="-"),
            _estimate("same_tools_difference", "difference"),
            Column("same_arguments", "same arguments", SHARE, absent="-"),
            _estimate("same_arguments_difference", "difference"),
            Column("p", "p", P),
            Column("grounded", "all grounded", SHARE, absent="-"),
            _estimate("grounded_difference", "difference"),
            Column("answers", "answers", COUNT),
            Column("no_call", "no call", SHARE, absent="-"),
        ),
    ),
    "costs": Words(
        "Prompt tokens and time",
        "live",
        "Prompt tokens are as given to the engine, by the token profile. Seconds are over the requests that were "
        "answered under both. Ratios of totals to identity's, 95 % over clusters.",
        (
            *KEYS,
            Column("requests", "requests", COUNT),
            Column("prompt_tokens", "prompt tokens", TOKENS, kind="measured"),
            _estimate("tokens_ratio", "ratio", RATIO, "measured"),
            Column("timed", "timed", COUNT),
            Column("seconds", "time", SECONDS, absent="-"),
            _estimate("seconds_ratio", "ratio", RATIO),
        ),
    ),
    "hidden": Words(
        "Where evidence is hidden",
        "live",
        "Requests that call with something that only a result had shown: those where the policy hides some of it, and "
        "how many of them got the recorded arguments under identity and under the policy; then those where it hides "
        "none.",
        (
            *KEYS,
            Column("at_risk", "hidden", COUNT),
            Column("at_risk_right_identity", "right under identity", COUNT),
            Column("at_risk_right", "right under the policy", COUNT),
            Column("visible", "visible", COUNT),
            Column("visible_right_identity", "right under identity", COUNT),
            Column("visible_right", "right under the policy", COUNT),
        ),
    ),
    "handles": Words(
        "Handles",
        "live",
        "Uses: references that stand for a value, and handles that are read. Wrong: a handle with a path that is not "
        "there, or not written as a reference. Invented: a handle that never was.",
        (
            *KEYS,
            Column("requests", "requests with handles", COUNT),
            Column("requests_using", "that use one", COUNT),
            Column("handles_used", "uses", COUNT),
            Column("handles_wrong", "wrong", COUNT),
            Column("handles_invented", "invented", COUNT),
        ),
    ),
}
"""By the name of the table in `harness.redrive.tables`."""
