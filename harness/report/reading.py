"""What a reader has to know about the figures, in plain text with one paragraph a line."""

from __future__ import annotations

from harness.report.columns import groups
from harness.report.summary import Summary

KINDS = {
    "recorded": "stands so in the recording",
    "measured": "follows exactly from the recording and the policy",
    "estimated": "what the agent would probably have needed, under stated assumptions, always as a range",
    "live": "a model or an engine really ran",
}

NOTES = (
    "Nothing here says that an agent would have succeeded or failed: it did not run again. A replay says what the same "
    "run would have sent, and which of its later actions used something that would no longer have been in sight.",
    "The ratio of totals and the typical transcript answer different questions: what the whole corpus would have cost, "
    "and what one may expect of the next run. Where they are far apart, a few long runs decide the total.",
    "Admission policies act once, when a result arrives; history policies rewrite the prompt later and pay for it in "
    "the prefix cache. They are listed apart.",
    "A policy was picked for the first screen because its figure was the best of all; on new recordings it will "
    "probably do a little worse.",
)


def reading(summary: Summary) -> str:
    """A list: the kinds, the columns, and what the figures do not say."""
    lines = [f"- *{kind}*: {meaning}." for kind, meaning in KINDS.items()]
    for group in groups(summary):
        lines.append(f"- {group.title}: " + "; ".join(f"*{c.heading}*, {c.meaning}" for c in group.columns) + ".")
    return "\n".join([*lines, *(f"- {note}" for note in NOTES)])
