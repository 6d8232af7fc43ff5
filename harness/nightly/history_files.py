"""The history for other tools and for eyes: `history.csv`, `steps.csv`, and a plot a part and figure."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from harness.report.csv import csv_text
from harness.report.plots.style import COLOURS, GREY, INK, MARKS, WIDTH, label, styled, svg, svg_file


def write_history(frame: pd.DataFrame, steps: pd.DataFrame, directory: Path) -> list[Path]:
    """Write the tables and the plots of figures that have two nights or more."""
    directory.mkdir(parents=True, exist_ok=True)
    written = [directory / "history.csv", directory / "steps.csv"]
    for table, path in zip((frame, steps), written, strict=True):
        path.write_text(csv_text(table), encoding="utf-8", errors="replace", newline="")
    for (part, figure), rows in frame.groupby(["part", "figure"], sort=True):
        if rows["number"].nunique() > 1:
            marks = steps[(steps["part"] == part) & (steps["figure"] == figure)]
            path = directory / f"{part}-{figure}.svg"
            path.write_text(svg_file(_plot(rows, marks, f"{part}: {figure}")), encoding="utf-8", errors="replace")
            written.append(path)
    return written


def _plot(rows: pd.DataFrame, marks: pd.DataFrame, title: str) -> str:
    """A line a policy or engine and machine; accepted nights are dotted, steps dashed, bad nights crosses."""
    with styled():
        figure = Figure(figsize=(WIDTH, 3.4))
        axes = figure.subplots()
        for n, ((subject, machine), line) in enumerate(_lines(rows)):
            colour = INK if subject == "identity" else COLOURS[n % len(COLOURS)]
            good, bad = line[~line["bad"]], line[line["bad"]]
            named = f"{subject}, {machine}" if machine else str(subject)
            numbers, values = good["number"].to_numpy(), good["value"].to_numpy()
            axes.plot(numbers, values, color=colour, marker=MARKS[n % len(MARKS)], markersize=3, label=label(named))
            axes.plot(bad["number"].to_numpy(), bad["value"].to_numpy(), "x", color=colour, markersize=7)
        by_night = rows.drop_duplicates("night").set_index("night")["number"]
        for night in rows.loc[rows["accepted"], "night"].unique():
            axes.axvline(float(by_night[night]), color=GREY, linestyle=":", linewidth=1)
        for night in marks["since"].unique():
            if night in by_night.index:
                axes.axvline(float(by_night[night]) - 0.5, color=COLOURS[1], linestyle="--", linewidth=0.8)
        axes.set_title(label(title, 80), loc="left", fontsize=9)
        axes.set_xlabel("night (dashed: step, dotted: accepted, x: bad night)")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        figure.legend(loc="outside lower center", ncols=3, fontsize=7)
        return svg(figure)


def _lines(rows: pd.DataFrame) -> list[tuple[tuple[str, str], pd.DataFrame]]:
    """Timings of each machine apart; measured figures do not depend on it."""
    if (rows["kind"] == "measured").all():
        return [((str(subject), ""), line) for subject, line in rows.groupby("subject", sort=False)]
    return [((str(s), str(m)), line) for (s, m), line in rows.groupby(["subject", "machine"], sort=False)]
