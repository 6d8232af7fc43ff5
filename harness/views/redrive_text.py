"""The summary of a re-drive, for a terminal and for a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.redrive.tables import tables
from harness.results.run import Run
from harness.views.text import count, harmless, share, short, table

Row = dict[str, Any]
Tables = dict[str, list[Row]]


def redrive_record(run: Run) -> dict[str, Any]:
    """What the run was, and all tables as lists of rows; what is not identified is null."""
    keys = ("engines", "corpus", "tools_from", "without_prompt", "skipped", "problems")
    return {"run": str(run.directory)} | {key: run.manifest[key] for key in keys} | _tables(run)


def redrive_text(run: Run) -> str:
    """All of it as text."""
    found = _tables(run)
    parts = [_what(run), *(_window(engine, found["fit"]) for engine in run.manifest["engines"])]
    for name, (title, columns) in COLUMNS.items():
        if rows := found[name]:
            cells = [[cell(row) for _, cell in columns] for row in rows]
            parts.append(f"{title}\n\n{table(cells, [heading for heading, _ in columns], range(2, len(columns)))}")
    return "\n\n".join([*parts, _caveats(run, found["agreement"])])


def _tables(run: Run) -> Tables:
    """Every table as rows, None for what is not there."""
    found = {}
    for name, one in tables(run.redrive).items():
        plain = one.astype(object).where(one.notna(), None)
        found[name] = [{str(key): value for key, value in row.items()} for row in plain.to_dict("records")]
    return found


def _what(run: Run) -> str:
    manifest = run.manifest
    asked = run.redrive[["transcript", "request"]].drop_duplicates()
    lines = [
        f"{count(len(asked))} requests of {count(manifest['corpus']['transcripts'])} transcripts, "
        f"{len(manifest['policies'])} policies; tokens by {manifest['tokens']['profile']}"
    ]
    if manifest["without_prompt"]:
        lines.append(f"{count(manifest['without_prompt'])} requests have no recorded prompt and were left out")
    if manifest["problems"] or manifest["skipped"]:
        problems, skipped = count(len(manifest["problems"])), count(len(manifest["skipped"]))
        lines.append(f"{problems} problems in the recordings, {skipped} files skipped (in the manifest)")
    if told := {kind: n for kind, n in manifest["tools_from"].items() if kind != "recorded"}:
        found = ", ".join(f"{kind} in {count(n)}" for kind, n in sorted(told.items()))
        lines.append(f"tool definitions, by transcript: {found}; what is derived has no description")
    return "\n".join(lines)


def _window(engine: Row, fit: list[Row]) -> str:
    own = [row for row in fit if row["engine"] == engine["label"]]
    requests, both = (max((row[key] for row in own), default=0) for key in ("requests", "fit_under_all"))
    return (
        f"{_engine(engine['label'])}: window {count(engine['window'])} tokens ({engine['window_from']})\n"
        f"{count(both)} of {count(requests)} requests ({share(both, requests)}) fit under all policies; only these are "
        "compared"
    )


def _caveats(run: Run, agreement: list[Row]) -> str:
    lines = []
    for engine in run.manifest["engines"]:
        label = _engine(engine["label"])
        for row in agreement:
            if (row["engine"], row["policy"]) == (engine["label"], "identity") and (row["same_tools"] or 0) < 0.5:
                lines.append(
                    f"{label} repeats the recorded tools in under half of the requests under identity, so its "
                    "differences say little about policies."
                )
        if not engine["identity"]["live"]:
            lines.append(f"{label} is a recording: its times say nothing about this machine.")
    lines.append(
        "Agreement is with one recorded run, made by its own model under its own policy: another right action counts "
        "as a difference. No success rate follows from it."
    )
    return "\n".join(lines)


def _engine(label: str) -> str:
    return harmless(short(label))


Column = tuple[str, Callable[[Row], str]]


def _text(key: str, heading: str = "") -> Column:
    return heading or key, lambda row: short(str(row[key]))


def _count(key: str, heading: str) -> Column:
    return heading, lambda row: count(row[key])


def _share(key: str, heading: str) -> Column:
    return heading, lambda row: "-" if row[key] is None else f"{100 * row[key]:.1f} %"


def _points(key: str) -> Column:
    return "difference", lambda row: _with_interval(row, f"{key}_difference", 100.0, "+.1f")


def _ratio(key: str) -> Column:
    return "ratio", lambda row: _with_interval(row, key, 1.0, ".3f")


def _with_interval(row: Row, key: str, scale: float, form: str) -> str:
    value, low, high = (row[f"{key}{end}"] for end in ("", "_low", "_high"))
    if value is None:
        return "-"
    interval = "" if low is None else f" [{scale * low:{form}}, {scale * high:{form}}]"
    return f"{scale * value:{form}}{interval}"


def _p(row: Row) -> str:
    return "-" if row["p"] is None else f"{row['p']:.3g}"


def _seconds(row: Row) -> str:
    return "-" if row["seconds"] is None else f"{row['seconds']:,.2f}"


_KEYS = (_text("engine"), _text("policy"))
COLUMNS: dict[str, tuple[str, tuple[Column, ...]]] = {
    "fit": (
        "What fits into the window (live)",
        (
            *_KEYS,
            _count("requests", "requests"),
            _count("fit", "fit"),
            ("share", lambda row: share(row["fit"], row["requests"])),
            _count("overflow_counted", "too long by our count"),
            _count("overflow_reported", "by the engine's"),
            _count("failed", "failed"),
        ),
    ),
    "agreement": (
        "Agreement with the recording (live; difference from identity in points, 95 % over clusters)",
        (
            *_KEYS,
            _count("calls", "calls"),
            _share("same_tools", "same tools"),
            _points("same_tools"),
            _share("same_arguments", "same arguments"),
            _points("same_arguments"),
            ("p", _p),
            _share("grounded", "all grounded"),
            _points("grounded"),
            _count("answers", "answers"),
            _share("no_call", "no call"),
        ),
    ),
    "costs": (
        "Prompt tokens as given (measured) and time (live), against identity",
        (
            *_KEYS,
            _count("requests", "requests"),
            _count("prompt_tokens", "prompt tokens"),
            _ratio("tokens_ratio"),
            _count("timed", "timed"),
            ("seconds", _seconds),
            _ratio("seconds_ratio"),
        ),
    ),
    "hidden": (
        "Recorded arguments repeated, where the policy hides some of what they were taken from, and where it hides none"
        "\n(live; on the same requests under identity and under the policy)",
        (
            *_KEYS,
            _count("at_risk", "hidden"),
            _count("at_risk_right_identity", "identity"),
            _count("at_risk_right", "policy"),
            _count("visible", "visible"),
            _count("visible_right_identity", "identity"),
            _count("visible_right", "policy"),
        ),
    ),
    "handles": (
        "Handles (live)",
        (
            *_KEYS,
            _count("requests", "requests with handles"),
            _count("requests_using", "that use one"),
            _count("handles_used", "uses"),
            _count("handles_wrong", "wrong path"),
            _count("handles_invented", "invented"),
        ),
    ),
}
