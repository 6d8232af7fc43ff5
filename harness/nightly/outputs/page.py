"""One Markdown page on a night, for someone who has never heard of the suite."""

from __future__ import annotations

import time
from pathlib import Path

from harness.nightly import tables
from harness.nightly.engines import Judged
from harness.nightly.figures import ABOUT_EVIDENCE
from harness.nightly.measured import Change
from harness.nightly.movers import Hidden
from harness.nightly.outputs import Night
from harness.nightly.verdict import BASELINE, Verdict, ways_to_accept
from harness.report.markup import code, escaped
from harness.report.secrets import Mask
from harness.report.table_markdown import table_markdown
from harness.report.units import EXACT
from harness.runs.groups import write_whole
from harness.runs.kinds import all_kinds
from harness.runs.schema import TRANSCRIPTS

MOST = 12
ATOM = (
    "An atom is an identifier, a path, a number or a passage in an action of the agent that it can only know from an "
    "earlier tool result; the request bears it. What is not in the prompt is reachable (a file or a reference leads to "
    "it), held (a handle holds it and cannot show it) or lost."
)
MEANINGS = {
    "visible_share": "share of the borne atoms that stand in the prompt",
    "added_high": "further tool calls at most, to read in full what the policy hides and a later action mentions",
    "unrecoverable": "pairs of a request and a result that it needs and that nothing can bring back",
    "transcripts": "transcripts that could be read",
    "failed_turns": "turns without an envelope that can be read, or with an error in it",
    "right_turns": "turns whose calls are all right",
    "traced_turns": "turns whose every argument the harness traces to the input",
    "passed_runs": "runs of the loop whose end state or answer is right",
    "run_requests": "requests of the loop's runs",
    "run_tool_calls": "tool calls of the loop's runs",
    "run_input_tokens": "framed prompt tokens of the loop's runs",
    "problems": "records that could not be read",
    "skipped": "files in which no format found a transcript",
}
NO_BASELINE = {True: "There is no baseline yet", False: "Judged against the reference that ran in it"}
WAYS = {BASELINE: "`harness nightly SUITE.toml --accept --why '…'` makes this run the baseline"}
WORDS = {
    "regression": "Something got worse",
    "fine": "Nothing got worse",
    "incomplete": "Not everything that the baseline had was compared",
    "inconclusive": "Nothing is known to be worse, but not everything could be told",
}


class Page:
    """`night.md`."""

    name = "page"

    def export(self, night: Night, directory: Path) -> list[Path]:
        path = directory / "night.md"
        write_whole(path, page(night).encode("utf-8", "replace"))
        return [path]


def page(night: Night) -> str:
    """The whole page: the verdict, what is worse, what else changed, and what to do."""
    v = night.verdict
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(v.finished))
    against = f"against {code(v.baseline)} ({escaped(v.chosen)})" if v.baseline else NO_BASELINE[v.lacks_baseline]
    blocks = [f"# {WORDS[v.state]}: suite {code(v.suite)}, {when}"]
    blocks.append(f"**{escaped(Mask()(v.line()))}**")
    blocks.append(f"Run {code(v.group)}{', ' if v.baseline else '. '}{against}.")
    if v.notes:
        blocks.append(
            "## What differs from the baseline\n\n" + "\n".join(f"- {escaped(Mask()(n))}" for n in v.notes[:MOST])
        )
        if len(v.notes) > MOST:
            blocks.append(f"and {len(v.notes) - MOST} more.")
    if v.missing:
        blocks.append("## Gone, so not compared\n\n" + "\n".join(f"- {escaped(Mask()(m))}" for m in v.missing[:MOST]))
    failing = [c for c in v.changes if c.fails]
    if failing:
        blocks += ["## Worse than allowed (exact, no sampling)", _changes(failing), _meanings(failing)]
        blocks += _movers(failing, night)
    if failed := [j for j in v.judged if j.fails]:
        blocks += ["## Slower or less often right (live: statistical, confirmed by a second run)", _judged(failed)]
    rest = [c for c in v.changes if not c.fails]
    if rest:
        blocks += ["## Changed, but not failing", _changes(rest)]
    others = [j for j in v.judged if not j.fails]
    if others:
        blocks += ["## Other timings and live figures", _judged(others)]
    blocks.append("## What to do" + _advice(v))
    if night.reports:
        links = [f"- {code(part)}: [report]({path})" for part, path in night.reports.items()]
        blocks.append("## Full reports\n\n" + "\n".join(links))
    return "\n\n".join(blocks) + "\n"


def _changes(changes: list[Change]) -> str:
    left = len(changes) - MOST
    shown = table_markdown(tables.changes(changes[:MOST], Mask()))
    return shown + (f"\n\nand {left} more, in the verdict's JSON file." if left > 0 else "")


def _meanings(changes: list[Change]) -> str:
    """What the failing figures are."""
    tables = [columns for kind in all_kinds().values() for columns in kind.tables.values()]
    known = {c.name: f"{c.unit} {c.meaning}" for columns in (*tables, TRANSCRIPTS) for c in columns} | MEANINGS
    named = dict.fromkeys(c.figure for c in changes[:MOST] if c.figure in known)
    lines = [f"- {escaped(name)}: {escaped(known[name])}" for name in named]
    about_atoms = any(c.figure in ABOUT_EVIDENCE for c in changes[:MOST])
    return "\n".join(lines) + (f"\n\n{ATOM}" if about_atoms else "")


def _movers(changes: list[Change], night: Night) -> list[str]:
    """The transcripts that moved the failing figures most, one line each, with the report of their part, and what the
    policy hides in them."""
    lines = []
    told: set[str] = set()
    for change in changes[:MOST]:
        for mover in change.movers[:1]:
            report = night.reports.get(change.part)
            link = f" ([report]({report}))" if report else ""
            name = code(Mask()(mover.transcript))
            what = " atoms visible" if change.figure == "visible_share" else ""
            moved = f"{EXACT.text(mover.before)} → {EXACT.text(mover.after)}{what}"
            lines.append(f"- {code(change.policy)} {escaped(change.figure)}: {name} {moved}{link}")
            if mover.hidden and mover.hidden.command not in told:
                told.add(mover.hidden.command)
                lines += _hidden(mover.hidden)
    return ["**Moved most, by transcript**\n\n" + "\n".join(lines)] if lines else []


def _hidden(hidden: Hidden) -> list[str]:
    """Where the atoms are that a request needs and does not see, and the command that shows them."""
    atoms = [
        f"result [{a.message}], bytes {a.start:,} to {a.start + a.bytes:,}: {a.state} (sha256 {code(a.sha256)})"
        for a in hidden.atoms
    ]
    more = [f"{hidden.hidden - len(atoms)} more"] if hidden.hidden > len(atoms) else []
    return [
        f"    - request {hidden.request} uses {hidden.borne} atoms of earlier results and does not see "
        f"{hidden.hidden} of them; to see them: {code(Mask()(hidden.command))}",
        *(f"        - {line}" for line in atoms + more),
    ]


def _judged(judged: list[Judged]) -> str:
    return table_markdown(tables.judged(judged, Mask()))


def _advice(v: Verdict) -> str:
    if v.state == "regression":
        wanted = "".join(f"- If it is wanted: {WAYS.get(way, escaped(way))}.\n" for way in ways_to_accept(v))
        return (
            "\n\n- If it is not wanted: undo its cause and run `harness nightly` again.\n"
            f"{wanted}- If a figure does not matter: mute it, with the reason, in `results/annotations.toml`."
        )
    if v.lacks_baseline:
        return "\n\n`harness nightly SUITE.toml --accept --why '…'` makes this run the baseline."
    return "\n\nNothing."
