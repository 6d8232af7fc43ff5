"""What a reader of a replay has to know about its figures."""

from __future__ import annotations

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
