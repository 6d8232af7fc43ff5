"""The appendix: controls, references, and what rewriting history costs and pays back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.replay.sections import wording as say
from harness.replay.sections.added import added
from harness.replay.sections.bill import cliff_frame
from harness.replay.sections.grid import Grid, grid
from harness.replay.sections.placebos import against_chance
from harness.replay.sections.readings import opaque_transcripts
from harness.runs.run import Run
from harness.statistics.calibration import stretch
from harness.statistics.clusters import clusters_of
from harness.text import count


@dataclass(frozen=True)
class Appendix:
    """A table with plain values in `frame` and, for a reader, `texts` of the same shape; `note` says what it shows."""

    name: str
    title: str
    kind: str
    note: str
    headings: tuple[str, ...]
    frame: pd.DataFrame
    texts: list[list[str]]


def appendices(run: Run) -> Iterator[Appendix]:
    """Those that the run has figures for."""
    whole = grid(run.transcripts, run.policies)
    for found in (
        placebo(whole),
        chance(whole),
        false_match(run),
        checks(run),
        references(whole),
        handles(whole),
        rewriting(run, whole),
        cliffs(run),
        models_table(run),
        sensitivity(whole),
    ):
        if found is not None and not found.frame.empty:
            yield found


def placebo(whole: Grid) -> Appendix | None:
    """What chance would keep: as many bytes of each result hidden at random places."""
    if not whole.has("visible", "placebo_visible", "placebo_variance", "placebo_at_risk"):
        return None
    sums = {
        name: whole.column(name).sum(axis=0)
        for name in ("borne", "visible", "placebo_visible", "placebo_variance", "at_risk_requests", "placebo_at_risk")
    }
    borne = np.where(sums["borne"] > 0, sums["borne"], np.nan)
    frame = pd.DataFrame(
        {
            "policy": whole.policies,
            "visible": sums["visible"] / borne,
            "placebo": sums["placebo_visible"] / borne,
            "placebo_sd": np.sqrt(sums["placebo_variance"]) / borne,
            "at_risk_requests": sums["at_risk_requests"],
            "placebo_at_risk": sums["placebo_at_risk"],
        }
    ).iloc[1:]
    return Appendix(
        "placebo",
        "Placebo",
        "measured",
        "Borne atoms visible under the policy, and if as many bytes of each result were hidden in one piece at a "
        "random place (20 seeds).",
        ("policy", "visible", "placebo", "sd", "at risk", "placebo at risk"),
        frame,
        [
            [p, *(say.percent(None if np.isnan(v) else v) for v in (a, b, sd)), count(risk), f"{chance:,.1f}"]
            for p, a, b, sd, risk, chance in frame.itertuples(index=False)
        ],
    )


def chance(whole: Grid) -> Appendix | None:
    """What a policy shows, less what chance would."""
    found = against_chance(whole, clusters_of(whole.shared))
    frame = pd.DataFrame(
        [
            {
                "policy": a.policy,
                "less": a.placebo,
                "of": a.of,
                "visible": a.visible,
                "chance": a.chance,
                "difference": a.difference.value,
                "low": a.difference.interval[0] if a.difference.interval else None,
                "high": a.difference.interval[1] if a.difference.interval else None,
                "word": a.word,
                "skill": a.skill,
            }
            for a in found
        ]
    )
    return Appendix(
        "chance",
        "Less chance",
        "measured",
        "Visible less placebo, in points, over the whole (the bill), with its 95 % interval. A random cut hides one "
        "span of as many bytes of each result; random windows keep as many windows as the policy, or hide other "
        "results where it hides whole ones. More or less: the interval excludes 0; no more: it lies within 2 points; "
        "else it is not shown. Skill: of what chance would hide, the share that the policy shows.",
        ("policy", "less", "of", "visible", "by chance", "points", "95 %", "than chance", "skill"),
        frame,
        [
            [
                a.policy,
                a.placebo,
                a.of,
                say.percent(a.visible),
                say.percent(a.chance),
                say.points(a.difference.value),
                say.point_range(a.difference.interval),
                a.word,
                "-" if a.skill is None else f"{a.skill:.2f}",
            ]
            for a in found
        ],
    )


HANDLES = (
    ("handles_given", "values under a handle"),
    ("handles_partly_shown", "of those, not shown whole"),
    ("handles_size_not_stated", "of those, without a stated size (left out of the estimates)"),
    ("stated_bytes", "bytes of the values partly shown, as stated"),
    ("references_right", "references that were right"),
    ("references_untold", "references with a path that no preview shows"),
    ("references_wrong", "references that were wrong"),
    ("references_invented", "references to a handle that never was"),
    ("references_size_not_stated", "right references without a stated size (left out of the estimates)"),
    ("written_out_tokens", "output tokens more, had they been written out (estimated)"),
    ("written_out_carried_tokens", "input tokens more, by those in later prompts (estimated)"),
    ("written_out_cost", "USD of both (estimated)"),
    ("whole_values_tokens", "input tokens more, had the values stood whole (estimated)"),
    ("whole_values_cost", "USD of those (estimated)"),
)


def handles(whole: Grid) -> Appendix | None:
    """What handles did in recordings that have them, and what it would have cost without."""
    if not whole.has(*(name for name, _ in HANDLES)) or not whole.shared["handles_given"].sum():
        return None
    sums = [(words, float(whole.column(name)[:, 0].sum())) for name, words in HANDLES]
    texts = [[words, _handle_figure(words, value)] for words, value in sums]
    return Appendix(
        "handles",
        "Handles in the recording",
        "recorded",
        "An agent with handles shows a preview and keeps the value. Without them each value would have stood whole in "
        "the prompt, and each part that was passed on would have had to be written out: estimated from the sizes that "
        "previews state, at their own tokens per byte, cache warm.",
        ("figure", "value"),
        pd.DataFrame(sums, columns=["figure", "value"]),
        texts,
    )


def _handle_figure(words: str, value: float) -> str:
    if np.isnan(value):
        return say.NOT_IDENTIFIED
    return f"${value:,.4f}" if "USD" in words else count(int(value))


def false_match(run: Run) -> Appendix | None:
    """How often actions match the results of unrelated transcripts, as a share of own matches."""
    known: dict[str, dict[str, Any]] = run.manifest.get("controls", {}).get("false_match", {})
    frame = pd.DataFrame([{"format": name, **values} for name, values in known.items()])
    texts = [
        [
            name,
            count(v["transcripts"]),
            count(v["clusters"]),
            count(v["own"]),
            say.percent(v["share"]),
            say.percents(None if v["low"] is None else (v["low"], v["high"])),
        ]
        for name, v in known.items()
    ]
    return Appendix(
        "false_match",
        "False matches",
        "measured",
        "Actions matched against the results of unrelated transcripts, as a share of the matches with their own: how "
        "much of the evidence is coincidence.",
        ("format", "transcripts", "clusters", "own matches", "false", "95 % interval"),
        frame,
        texts,
    )


def checks(run: Run) -> Appendix | None:
    """The checks that must come out as zero, by policy."""
    controls = run.manifest.get("controls", {})
    spared = {c["policy"]: c for c in controls.get("no_minimum_equals_identity", [])}
    rising = {c["policy"]: c for c in controls.get("elided_never_rises_with_the_budget", [])}
    rows = [
        {
            "policy": p,
            "results": (spared.get(p) or rising[p])["results"],
            "different_with_endless_minimum": spared.get(p, {}).get("different"),
            "elided_more_with_twice_the_budget": rising.get(p, {}).get("rising"),
        }
        for p in run.policies
        if p in spared or p in rising
    ]
    return Appendix(
        "checks",
        "Checks",
        "measured",
        "Both counts must be zero: with an endless minimum size a policy leaves every result as it is, and with twice "
        "the budget it elides no more of any.",
        ("policy", "results", "changed with endless minimum", "elided more with twice the budget"),
        pd.DataFrame(rows),
        [[r["policy"], count(r["results"]), *(_or_dash(r[k]) for k in list(r)[2:])] for r in rows],
    )


def _or_dash(value: int | None) -> str:
    return "-" if value is None else count(value)


def references(whole: Grid) -> Appendix | None:
    """Arguments that could have been passed as references, by format."""
    names = ("referencable_arguments", "reference_tokens_saved")
    columns = [f"{n}{ending}" for ending in ("", "_sniffed") for n in names]
    if not whole.has(*columns):
        return None
    frame = whole.shared.groupby("format", observed=True)[["tool_calls", "output_tokens", *columns]].sum().reset_index()
    return Appendix(
        "references",
        "References",
        "measured",
        "Arguments that equal a stored value or one of its fields and would be shorter as a reference, each resolved "
        "again to what it was; with results as recorded, and with every text that is JSON taken for JSON.",
        ("format", "tool calls", "output tokens", "arguments", "tokens saved", "arguments, sniffed", "tokens, sniffed"),
        frame,
        [[str(name), *(count(v) for v in values)] for name, *values in frame.itertuples(index=False)],
    )


def rewriting(run: Run, whole: Grid) -> Appendix | None:
    """Whether a history policy earns back what it has the provider read anew."""
    stages = {p["label"]: p["stage"] for p in run.manifest["policies"]}
    columns = ("removed_by_left", "resent_tokens", "resent_price")
    if not whole.has(*columns) or "history" not in stages.values():
        return None
    priced = np.asarray(np.isfinite(whole.column("resent_price")).all(axis=1))
    removed, resent, price = (whole.column(c)[priced].sum(axis=0) for c in columns)
    if not priced.any():
        return None
    rows = [
        {"policy": p, "removed_by_left": removed[i], "resent": resent[i], "price": price[i]}
        for i, p in enumerate(whole.policies)
        if stages[p] == "history"
    ]
    frame = pd.DataFrame(rows)
    frame["paid_back"] = frame["removed_by_left"] / frame["price"].where(frame["price"] > 0)
    return Appendix(
        "rewriting",
        "Rewriting history",
        "measured",
        f"Tokens removed times the requests that are left, against the suffix read anew times (write - read) / read at "
        f"each request's prices: from 1 on, a policy earns back what it costs in the cache. Over "
        f"{priced.sum():,} of {len(whole.transcripts):,} transcripts, whose prices are known.",
        ("policy", "removed × requests left", "read anew", "× (write - read) / read", "paid back"),
        frame,
        [
            [p, count(a), count(b), count(c), say.NOT_IDENTIFIED if np.isnan(d) else f"{d:.2f} times"]
            for p, a, b, c, d in frame.itertuples(index=False)
        ],
    )


LISTED = 50


def cliffs(run: Run) -> Appendix | None:
    """The requests that lost the prefix that they should have kept."""
    frame = cliff_frame(run)
    if frame.empty:
        return None
    usd = float(frame["lost_cost"].sum(min_count=1))
    causes = frame.groupby(frame["lost_cause"].astype(str))["lost_prefix"].agg(["size", "sum"])
    told = ", ".join(f"{cause} {n:,} ({tokens:,} tokens)" for cause, n, tokens in causes.itertuples())
    shown = frame.head(LISTED)
    more = (
        f" The {len(shown):,} that lost most of {len(frame):,}; all are in cliffs.csv." if len(frame) > LISTED else ""
    )
    return Appendix(
        "cliffs",
        "Cache cliffs",
        "measured",
        "Requests that read less than half of what they could have had from the cache, as the request before had sent "
        f"it; the price is what the lost tokens were billed over the price of reading them, "
        f"{say.usd(None if np.isnan(usd) else usd)} USD in all. By cause: {told}.{more}",
        ("transcript", "request", "model", "cause", "billed input", "read", "lost", "USD"),
        frame,
        [
            [str(t), count(k), str(m), str(cause), *map(count, (whole, read, lost)), say.usd(None if pd.isna(c) else c)]
            for t, k, m, cause, whole, read, lost, c in shown.itertuples(index=False)
        ],
    )


def models_table(run: Run) -> Appendix | None:
    """Which models answered, whose price each has, and how far a model of its bill is from the bill."""
    requests = run.requests
    if "priced_as" not in requests:
        return None
    identity = requests[requests["policy"] == "identity"]
    names = [identity[c].astype(str) for c in ("model", "priced_as")]
    billed = identity["bill"].notna()
    sums = identity.assign(billed=billed, modelled=identity["cost_model"].where(billed)).groupby(names)
    totals = sums.agg({"request": "size", "billed": "sum", "bill": "sum", "modelled": "sum"})
    b = stretch(identity, opaque_transcripts(run.transcripts)).by_model
    rows = [
        {
            "model": model,
            "priced_as": priced,
            "requests": int(n),
            "billed_requests": int(paid),
            "bill": float(usd) if paid else None,
            "model_over_bill": float(guess) / float(usd) if paid and usd else None,
            "billed_tokens_to_one_of_ours": b.get(model),
        }
        for (model, priced), n, paid, usd, guess in totals.itertuples()
    ]
    return Appendix(
        "models",
        "Models, prices and the error bar of money",
        "measured",
        "The bill is recorded usage times price; the model of it is our tokens, the cache guessed from times. b: "
        "billed tokens to one of ours as prompts grow, over transcripts without images or hidden reasoning.",
        ("model", "priced as", "requests", "with bill", "bill, USD", "model / bill", "b"),
        pd.DataFrame(rows),
        [
            [
                str(r["model"] or "not named"),
                str(r["priced_as"] or say.NOT_IDENTIFIED),
                count(r["requests"]),
                count(r["billed_requests"]),
                say.usd(r["bill"]),
                *(say.NOT_IDENTIFIED if r[k] is None else f"{r[k]:.2f}" for k in list(r)[-2:]),
            ]
            for r in rows
        ],
    )


CHANCES = (0.0, 0.1, 0.25, 0.5, 1.0)


def sensitivity(whole: Grid) -> Appendix | None:
    """What is left of the saving if elided results are fetched again, by how often."""
    known = [(p, a) for p, a in zip(whole.policies, added(whole), strict=True) if a is not None][1:]
    base = float(whole.column("input_tokens")[:, 0].sum())
    if not known or not base:
        return None
    rows: list[dict[str, Any]] = [
        {"policy": p, "fetched": what}
        | {f"change_at_{chance:g}": (chance * tokens - a.saved) / base for chance in CHANCES}
        | {"break_even": even}
        for p, a in known
        for what, tokens, even in (
            ("a page", a.refetch_page, a.break_even_page),
            ("whole", a.refetch_whole, a.break_even_whole),
        )
    ]
    frame = pd.DataFrame(rows)
    return Appendix(
        "sensitivity",
        "If elided results are fetched again",
        "estimated",
        "Change of input tokens if each elided result is fetched again with this probability at the next request, a "
        "page or all of it, and the probability from which on nothing is saved.",
        ("policy", "fetched", *(f"{chance:g}" for chance in CHANCES), "break-even"),
        frame,
        [
            [p, what, *(say.change(1 + v) for v in values), _even(even)]
            for p, what, *values, even in frame.itertuples(index=False)
        ],
    )


def _even(value: float | None) -> str:
    return "-" if value is None or np.isnan(value) else f"{value:.2f}"
