"""What a tuning leaves in its folder: front.csv, front.svg, front.png, tuned.toml, report.md, tune.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.report.csv import csv_text
from harness.report.markup import escaped
from harness.report.plots.style import COLOURS, INK, png, styled, svg, svg_file
from harness.report.table_markdown import table_markdown
from harness.tune.paste import constants, toml_table
from harness.tune.verdict import Point, Verdict, record
from harness.tune.words import facts, front, heading, held_out_lines


def write_files(verdict: Verdict, folder: Path) -> list[Path]:
    """Write all files; what stood there under those names is replaced. Returns their paths, the report last."""
    folder.mkdir(parents=True, exist_ok=True)
    with styled():
        figure = _draw(verdict)
        picture, image = svg_file(svg(figure)), png(figure)
    texts = {
        "front.csv": csv_text(front(verdict).frame),
        "front.svg": picture,
        "tuned.toml": toml_table(verdict.recommended, [*facts(verdict), *held_out_lines(verdict)]),
        "tune.json": orjson.dumps(
            record(verdict) | {"columns": front(verdict).keys()}, option=orjson.OPT_INDENT_2
        ).decode("utf-8")
        + "\n",
        "report.md": _markdown(verdict),
    }
    (folder / "front.png").write_bytes(image)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in ("front.csv", "front.svg", "front.png", "tuned.toml", "tune.json", "report.md")]


def tune_record(verdict: Verdict) -> dict[str, Any]:
    """For a program, with what the columns of the front are."""
    return record(verdict) | {"columns": front(verdict).keys()}


def _markdown(verdict: Verdict) -> str:
    parts = [f"# {escaped(heading(verdict))}", "\n".join(f"- {escaped(line)}" for line in facts(verdict))]
    parts += ["## Held out", "\n".join(f"- {escaped(line)}" for line in held_out_lines(verdict))]
    parts += ["## Recommended", f"```toml\n{toml_table(verdict.recommended, [])}```"]
    if text := constants(verdict.recommended):
        parts.append(f"The same as the constants of the reference:\n\n```rust\n{text}```")
    parts += ["## Front (measured, whole corpus)", table_markdown(front(verdict)), "![front](front.svg)"]
    return "\n\n".join(parts) + "\n"


def _draw(verdict: Verdict) -> Figure:
    """Every setting tried as a dot, the front as a line with the intervals of its evidence, and the default."""
    trial = verdict.trial
    identity = trial.identity.usd if trial.settings.metric == "money" else trial.identity.tokens
    share = trial.cost.sum(axis=1) / max(float(identity.sum()), 1e-12) - 1
    figure = Figure(figsize=(7, 4))
    axes = figure.subplots()
    axes.plot(share, verdict.evidence, ".", color=COLOURS[7], alpha=0.4, label="tried")
    x = [(p.against_identity.ratio or 0) - 1 for p in verdict.front]
    y = [_evidence(p) for p in verdict.front]
    low = [value - (p.evidence_interval or (value, value))[0] for p, value in zip(verdict.front, y, strict=True)]
    high = [(p.evidence_interval or (value, value))[1] - value for p, value in zip(verdict.front, y, strict=True)]
    axes.errorbar(x, y, [low, high], fmt="o-", color=COLOURS[0], markersize=4, elinewidth=0.7, label="front, 95 %")
    axes.plot(share[:1], verdict.evidence[:1], "s", color=COLOURS[1], label="default")
    best = verdict.recommended_at
    axes.plot(share[best : best + 1], verdict.evidence[best : best + 1], "D", color=INK, label="recommended")
    axes.axhline(1 - trial.settings.evidence, color=COLOURS[7], linewidth=0.7, linestyle="--")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel(f"change of {trial.settings.metric} against identity (measured; less to the left)")
    axes.set_ylabel("borne atoms visible (measured)")
    axes.legend(loc="lower right")
    return figure


def _evidence(point: Point) -> float:
    return 1.0 if point.evidence is None else point.evidence
