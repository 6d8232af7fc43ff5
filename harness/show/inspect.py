"""`harness inspect`: what was recorded, transcript by transcript, and what could not be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from harness.after.summary import after_cuts
from harness.evidence.handles import previews, uses
from harness.formats.corpus import Intake
from harness.formats.identity.copies import Pair
from harness.report.table import Column, Table
from harness.report.table_text import grid, prose, width
from harness.report.units import BYTES, COUNT, NAME, PART, Unit
from harness.text import count, harmless, number, share, size
from harness.transcript import Transcript


def describe(transcript: Transcript) -> dict[str, Any]:
    """The facts of one transcript, for a program."""
    results = [m.result for m in transcript.messages if m.result is not None and not m.copied]
    sizes = sorted(len(r.content.encode("utf-8", "surrogatepass")) for r in results)
    requests = transcript.requests()
    return {
        "transcript": transcript.id,
        "format": transcript.format,
        "cluster": transcript.cluster,
        "model": transcript.model,
        "task": transcript.task,
        "repetition": transcript.repetition,
        "agent": transcript.agent,
        "version": transcript.version,
        "outcome": asdict(transcript.outcome) | {"limits": dict(transcript.outcome.limits)},
        "totals": asdict(transcript.totals),
        "parent": transcript.parent,
        "messages": len(transcript.messages),
        "requests": len(requests),
        "tool_calls": sum(len(m.calls) for m in transcript.messages if not m.copied),
        "results": len(results),
        "result_bytes": sum(sizes),
        "median_result_bytes": sizes[len(sizes) // 2] if sizes else None,
        "largest_result_bytes": sizes[-1] if sizes else None,
        "already_clipped": sum(1 for r in results if r.clipped),
        "already_clipped_bytes": sum(len(r.content.encode("utf-8", "surrogatepass")) for r in results if r.clipped),
        "handles": _handles(transcript),
        "after_cuts": after_cuts(transcript),
        "requests_with_usage": sum(1 for i in requests if _has_usage(transcript, i)),
        "requests_with_time": sum(1 for i in requests if transcript.messages[i].time is not None),
        "tool_definitions": None if transcript.tools is None else len(transcript.tools),
        "images": sum(m.images for m in transcript.messages),
        "encrypted": sum(m.encrypted for m in transcript.messages),
        "cuts": [c.kind for c in transcript.cuts],
        "unknown": list(transcript.unknown),
        "notes": list(transcript.notes),
        "problems": [asdict(p) for p in transcript.problems],
    }


def _handles(transcript: Transcript) -> dict[str, int] | None:
    """What a recording with handles has of them; `None` for one without."""
    shown = previews(transcript)
    if not shown:
        return None
    parts = [seen for seen in shown.values() if not seen.whole]
    fates = Counter(use.fate for use in uses(transcript))
    return {
        "given": len(shown),
        "partly_shown": len(parts),
        "stated_bytes": sum(seen.size for seen in parts if seen.size is not None),
        "size_not_stated": sum(1 for seen in parts if seen.size is None),
        **{fate: fates[fate] for fate in ("right", "untold", "wrong", "invented")},
    }


def _has_usage(transcript: Transcript, index: int) -> bool:
    usage = transcript.messages[index].usage
    return usage is not None and usage.input_tokens is not None


def intake_record(intake: Intake) -> dict[str, Any]:
    """What was skipped and what is in quarantine, for a program."""
    return {
        "skipped": [{"source": name, "why": why} for name, why in intake.skipped],
        "quarantine": [asdict(p) for p in intake.problems],
        "copies": [asdict(p) for p in intake.copies],
        "records": dict(intake.ends),
    }


CLIPPED = Unit("share", lambda part, whole: PART.text(part, whole) if part else "none")


def inspection_text(facts: list[dict[str, Any]], intake: Intake) -> str:
    """The table, and under it what was skipped or could not be read."""
    rows = [f | {"usage": _usage(f), "ended": _ended(f["outcome"])} for f in facts]
    columns = COLUMNS if any(row["ended"] for row in rows) else tuple(c for c in COLUMNS if c.key != "ended")
    shown = Table("transcripts", "", "", columns=columns, data=rows)
    parts = [grid(shown, shown.rows, width())] if facts else []
    if len(facts) > 1:
        parts.append(prose(_totals(facts), width(), ""))
    parts += _notes(facts)
    parts += [_handle_line(f["transcript"], f["handles"]) for f in facts if f["handles"]]
    parts += [line for line in map(_after_line, facts) if line]
    parts += records_line(intake.ends) if intake.ends else []
    parts += intake_lines(intake)
    return "\n\n".join(parts) or "nothing to read was found"


COLUMNS = (
    Column("transcript", "transcript", NAME),
    Column("format", "format"),
    Column("requests", "requests", COUNT),
    Column("tool_calls", "calls", COUNT),
    Column("results", "results", COUNT),
    Column("result_bytes", "bytes", BYTES),
    Column("largest_result_bytes", "largest", BYTES, absent="0 B"),
    Column(("already_clipped_bytes", "result_bytes"), "clipped", CLIPPED),
    Column("usage", "usage"),
    Column("ended", "outcome", absent="not reported"),
    Column("problems", "problems", Unit("problems", lambda found: str(len(found) or "none"), figure=False)),
)


def records_line(ends: Mapping[str, int]) -> list[str]:
    """How the records of the sources with transcripts ended: every one of them, once."""
    said = ", ".join(f"{count(n)} {end}" for end, n in sorted(ends.items()))
    return [prose(f"records: {count(sum(ends.values()))}, of them {said} (harness audit tells more)", width(), "")]


def _notes(facts: list[dict[str, Any]], most: int = 20) -> list[str]:
    """A paragraph for what is known of the recordings besides, if anything is."""
    said = [f"  {harmless(f['transcript'])}: {harmless(note)}" for f in facts for note in f["notes"]]
    return ["said of the recordings:\n" + _some(said, len(said), most)] if said else []


def _handle_line(transcript: str, handles: dict[str, int]) -> str:
    unsized = handles["size_not_stated"]
    return (
        f"{harmless(transcript)}: {number(handles['given'], 'value')} under handles, {handles['partly_shown']} partly "
        f"shown: {size(handles['stated_bytes'])} as their previews state"
        + (f", {unsized} without a stated size" if unsized else "")
        + f"; references in arguments: {handles['right']} right, {handles['untold']} with a path not shown, "
        f"{handles['wrong']} wrong, {handles['invented']} invented"
    )


def _after_line(f: dict[str, Any]) -> str:
    """What the agent did after results that were cut, and the calls that it repeated; empty for none of them."""
    found = f["after_cuts"]
    said = []
    if found["acts"]:
        acts = ", ".join(f"{act} {n}" for act, n in found["acts"].items())
        said.append(f"after {number(sum(found['acts'].values()), 'cut result')}: {acts}")
    if found["repeated_calls"]:
        said.append(
            f"{number(found['repeated_calls'], 'call')} repeated an earlier one with the same result (at most "
            f"{found['longest_repeat']} alike)"
        )
    if found["thrashed"]:
        said.append(f"thrash over {number(found['thrashed'], 'value')}")
    return f"{harmless(f['transcript'])}: {'; '.join(said)}" if said else ""


def _ended(outcome: dict[str, Any]) -> str | None:
    """`passed`, `failed`, `score 0.5`, with the reason; nothing where none is reported."""
    passed, score = outcome["passed"], outcome["score"]
    said = "" if passed is None else "passed" if passed else "failed"
    if passed is None and score is not None:
        said = f"score {score:g}"
    return ", ".join(filter(None, (said, outcome["reason"]))) or None


def _usage(f: dict[str, Any]) -> str:
    known, requests = f["requests_with_usage"], f["requests"]
    return "not reported" if not known else "all" if known == requests else f"{known} of {requests}"


def _totals(facts: list[dict[str, Any]]) -> str:
    def total(name: str) -> int:
        return sum(f[name] for f in facts)

    judged = [f["outcome"]["passed"] for f in facts if f["outcome"]["passed"] is not None]
    passed = f"; {sum(judged)} of {number(len(judged), 'run')} with an outcome passed" if judged else ""
    return (
        f"{number(len(facts), 'transcript')}, {number(total('requests'), 'request')}, "
        f"{number(total('tool_calls'), 'call')}, {number(total('results'), 'result')} of "
        f"{size(total('result_bytes'))} in all; already clipped: "
        f"{share(total('already_clipped'), total('results'))} of the results, "
        f"{share(total('already_clipped_bytes'), total('result_bytes'))} of their bytes{passed}"
    )


def intake_lines(intake: Intake, most: int = 20) -> list[str]:
    """A paragraph for answers that stand twice, one for what was skipped and one for the quarantine, if there is
    any."""
    parts = []
    if intake.copies:
        listed = _some(map(_pair, intake.copies), len(intake.copies), most)
        parts.append(f"transcripts that share answers, each counted once ({len(intake.copies)}):\n{listed}")
    if intake.skipped:
        listed = _some(
            (f"  {harmless(name)}: {harmless(why)}" for name, why in intake.skipped),
            len(intake.skipped),
            most,
        )
        parts.append(f"skipped, no transcript in it ({len(intake.skipped)}):\n{listed}")
    if intake.problems:
        listed = _some(
            (f"  {harmless(p.place)}: {harmless(p.reason)}" for p in intake.problems),
            len(intake.problems),
            most,
        )
        parts.append(f"quarantine, could not be read ({len(intake.problems)}):\n{listed}")
    return parts


def _pair(pair: Pair) -> str:
    """Where the answers of one transcript are counted."""
    answers = number(pair.answers, "answer")
    if pair.kind == "alike":
        what = f"much the same work, {answers} equal: both are counted"
    elif pair.kind == "same work":
        what = "the same work: left out (--keep-same-work keeps it)" if pair.left else "the same work: kept as asked"
    else:
        what = f"{pair.kind}, {answers} counted there" + (", left out" if pair.left else "")
    return f"  {harmless(pair.copy)} of {harmless(pair.original)}: {what}"


def _some(lines: Iterable[str], total: int, most: int) -> str:
    shown = [line for line, _ in zip(lines, range(most), strict=False)]
    if total > most:
        shown.append(f"  … and {total - most} more (--json lists all)")
    return "\n".join(shown)
