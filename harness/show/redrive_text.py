"""The summary of a re-drive, for a terminal and for a program."""

from __future__ import annotations

import textwrap
from typing import Any

from harness.redrive.tables import tables
from harness.redrive.words import ONE_RUN, TABLES, Row, fits, is_weak, records
from harness.runs.run import Run
from harness.text import count, harmless, number, short, table

WIDTH = 110


def redrive_record(run: Run) -> dict[str, Any]:
    """What the run was, and all tables as lists of rows; what is not identified is null."""
    keys = ("engines", "corpus", "tools_from", "without_prompt", "skipped", "problems")
    return {"run": str(run.directory)} | {key: run.manifest[key] for key in keys} | _tables(run)


def redrive_text(run: Run) -> str:
    """All of it as text."""
    found = _tables(run)
    parts = [_what(run), *(_window(engine, found["fit"]) for engine in run.manifest["engines"])]
    known = 0 if len(run.engines) > 1 else 1  # a single engine is named above all tables
    for name, words in TABLES.items():
        if rows := found[name]:
            cells = [[short(cell) for cell in texts[known:]] for texts in words.texts(rows)]
            figures = table(cells, words.headings[known:], range(2 - known, len(words.headings) - known))
            parts.append(f"{words.title} ({words.kind})\n{textwrap.fill(words.note, WIDTH)}\n\n{figures}")
    return "\n\n".join([*parts, _caveats(run, found["agreement"])])


def _tables(run: Run) -> dict[str, list[Row]]:
    return {name: records(one) for name, one in tables(run.redrive).items()}


def _what(run: Run) -> str:
    manifest = run.manifest
    asked = run.redrive[["transcript", "request"]].drop_duplicates()
    lines = [
        f"{number(len(asked), 'request')} of {number(manifest['corpus']['transcripts'], 'transcript')}, "
        f"{len(manifest['policies'])} policies; tokens by {manifest['tokens']['profile']}"
    ]
    if manifest["without_prompt"]:
        lines.append(f"left out for want of a recorded prompt: {number(manifest['without_prompt'], 'request')}")
    if manifest["problems"] or manifest["skipped"]:
        problems, skipped = number(len(manifest["problems"]), "problem"), number(len(manifest["skipped"]), "file")
        lines.append(f"{problems} in the recordings, {skipped} skipped (in the manifest)")
    if told := {kind: n for kind, n in manifest["tools_from"].items() if kind != "recorded"}:
        found = ", ".join(f"{kind} in {count(n)}" for kind, n in sorted(told.items()))
        lines.append(f"tool definitions, by transcript: {found}; what is derived has no description")
    return "\n".join(lines)


def _window(engine: Row, fit: list[Row]) -> str:
    label, window = engine["label"], count(engine["window"])
    return (
        f"{harmless(short(label))}: window {window} tokens ({engine['window_from']})\n"
        f"{fits(fit, label)}; only these are compared"
    )


def _caveats(run: Run, agreement: list[Row]) -> str:
    lines = []
    for engine in run.manifest["engines"]:
        label = harmless(short(engine["label"]))
        if is_weak(agreement, engine["label"]):
            lines.append(
                f"{label} repeats the recorded tools in under half of the requests under identity, so its differences "
                "say little about policies."
            )
        if not engine["identity"]["live"]:
            lines.append(f"{label} is a recording: its times say nothing about this machine.")
    return "\n".join([*lines, ONE_RUN])
