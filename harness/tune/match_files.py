"""What a match says in words and rows, and the files that it leaves: match.csv, match.svg, match.png, match.json,
report.md."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import orjson
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.report import wording as say
from harness.report.evidence import STATES
from harness.report.plots.style import COLOURS, GREY, label, png, styled, svg, svg_file
from harness.statistics.paired import FEWEST_CLUSTERS
from harness.text import count, number
from harness.tune.match import Match
from harness.tune.matched import Row
from harness.tune.words import markdown_table

HEAD = (
    "policy",
    "input tokens (measured)",
    "against {to} (measured)",
    "visible (measured)",
    "visible or reachable (measured)",
    "requests with all in sight (measured)",
    "95 %",
    "less {to}'s (measured)",
    "95 %",
    "losses (estimated)",
    "added calls: low … evidence … high (estimated)",
    "tokens with the calls by evidence (estimated)",
)


def lines(match: Match, found: Sequence[Row]) -> list[str]:
    """What was done and what it comes to."""
    first = found[0]
    said = [
        f"at the price of {match.to.label}: {count(match.tokens)} input tokens over "
        f"{number(match.transcripts, 'transcript')} in {number(first.against.clusters, 'cluster')}; "
        "sizes chosen on this corpus so that each policy costs the same"
    ]
    said += [
        f"{row.policy} differs by {say.change(row.against.ratio)}: no size brings it nearer"
        for row in found
        if row.matched and not row.near
    ]
    best = next((row for row in found if row.best), None)
    if best is not None and best.evidence:
        said.append(
            f"best truncation: {best.policy}, {say.percent(best.evidence.share('visible'))} of borne atoms visible; "
            "chosen on this corpus, which flatters it a little"
        )
    if first.against.clusters < FEWEST_CLUSTERS:
        said.append(f"fewer than {FEWEST_CLUSTERS} clusters: no interval")
    return said


def table_rows(match: Match, found: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Headings and rows."""
    return [name.format(to=match.to.label) for name in HEAD], [
        _cells(row, row.policy == match.to.label) for row in found
    ]


def _cells(row: Row, is_to: bool) -> list[str]:
    e, a = row.evidence, row.added
    low, high = row.difference_interval or (None, None)
    return [
        row.policy,
        count(row.input_tokens),
        "-" if is_to else say.change(row.against.ratio),
        say.percent(e.share("visible") if e else None),
        say.percent(e.share("visible", "reachable") if e else None),
        say.percent(e.all_visible if e else None),
        say.percents(e.interval if e else None),
        "-" if is_to else say.NOT_IDENTIFIED if row.difference is None else f"{100 * row.difference:+.1f} points",
        "-" if is_to else "no interval" if low is None or high is None else f"{100 * low:+.1f} … {100 * high:+.1f}",
        count(a.losses if a else None),
        f"{count(a.low)} … {count(a.evidence)} … {count(a.high)}" if a else say.NOT_IDENTIFIED,
        count(row.input_tokens + a.tokens_evidence if a else None),
    ]


def write_files(match: Match, found: Sequence[Row], run: str, folder: Path) -> list[Path]:
    """Write all files; what stood there under those names is replaced. Returns their paths, the report last."""
    folder.mkdir(parents=True, exist_ok=True)
    with styled():
        figure = draw(found)
        picture, image = svg_file(svg(figure)), png(figure)
    (folder / "match.png").write_bytes(image)
    texts = {
        "match.csv": _csv(match, found),
        "match.svg": picture,
        "match.json": orjson.dumps(record(match, found, run), option=orjson.OPT_INDENT_2).decode("utf-8") + "\n",
        "report.md": _markdown(match, found, run),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in ("match.csv", "match.svg", "match.png", "match.json", "report.md")]


def record(match: Match, found: Sequence[Row], run: str) -> dict[str, object]:
    """For a program."""
    sizes = {one.policy.label: {one.size: one.value} for one in match.matched}
    return {
        "to": match.to.label,
        "input_tokens": match.tokens,
        "transcripts": match.transcripts,
        "run": run,
        "policies": [row.to_record() | {"size": sizes.get(row.policy)} for row in found],
    }


def _csv(match: Match, found: Sequence[Row]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    head, cells = table_rows(match, found)
    writer.writerow(head)
    writer.writerows(cells)
    return stream.getvalue()


def _markdown(match: Match, found: Sequence[Row], run: str) -> str:
    parts = [f"# At the price of {match.to.label}", "\n".join(f"- {line}" for line in lines(match, found))]
    parts += [markdown_table(*table_rows(match, found)), f"![{title(match)}](match.svg)", NOTE]
    parts.append(f"The replay behind it: run {run}; `harness report` writes its report.")
    return "\n\n".join(parts) + "\n"


def title(match: Match) -> str:
    return f"what policies show at the price of {match.to.label}"


NOTE = (
    "Visible, reachable, held and lost are shares of the atoms that later requests take from results. Reachable "
    "is what a file or a handle that can be read brings back, or what a reference can stand for; held is kept "
    "under a handle that shows nothing. What only the same call, narrowed, would bring back counts as lost there, "
    "and as an added call where the tool is known to allow it. A loss is a window that is needed and that nothing "
    "brings back; it is no call. Added calls are a range, never one figure."
)
TINTS = {"visible": COLOURS[0], "reachable": COLOURS[2], "held": COLOURS[3], "lost": COLOURS[1]}


def draw(found: Sequence[Row]) -> Figure:
    """A line a policy: what becomes of the borne atoms, and the calls and losses that are estimated."""
    figure = Figure(figsize=(9, 1.6 + 0.36 * len(found)))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    places = np.arange(len(found))
    start = np.zeros(len(found))
    for state in STATES:
        shares = np.array([(row.evidence.share(state) if row.evidence else None) or 0.0 for row in found])
        left.barh(places, shares, left=start, height=0.6, color=TINTS[state], label=state)
        start += shares
    added = [row.added for row in found]
    right.hlines(
        places,
        [a.low if a else 0 for a in added],
        [a.high if a else 0 for a in added],
        color=COLOURS[0], linewidth=5, alpha=0.35, label="calls, low to high",
    )  # fmt: skip
    right.plot([a.evidence if a else 0 for a in added], places, "|", color=COLOURS[0], markersize=11, mew=2)
    right.plot([a.losses if a else 0 for a in added], places, "x", color=COLOURS[1], label="losses")
    right.plot([], [], "|", color=COLOURS[0], markersize=11, mew=2, label="calls, evidence")
    left.set_yticks(places, [label(row.policy + (" (best truncation)" if row.best else ""), 40) for row in found])
    left.invert_yaxis()
    left.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    left.set_xlabel("borne atoms (measured)")
    right.set_xlabel("calls and windows (estimated)")
    right.axvline(0, color=GREY, linewidth=0.8)
    for axes in (left, right):
        axes.grid(axis="y", visible=False)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=8)
    return figure
