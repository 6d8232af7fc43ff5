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

GLOSSARY = {
    "transcript": "the messages of one agent run, in their order",
    "request": "one call of the model; its prompt is everything that it was shown before it answered",
    "policy": "decides what of a tool result the model sees; identity shows what was recorded",
    "dependency": "a piece of an action (a name, number, path, copied text) that only a tool result had shown before",
    "requests that see all": "of the requests with dependencies, those whose every dependency stands in the prompt",
    "at risk": "a request with a dependency that is not visible; not a failure: the agent did not run again",
    "visible, reachable, held, lost": "a dependency stands in the prompt; a tool of this agent or a reference "
    "can bring it; a handle holds it but nothing shows it; nothing has it any more",
    "handle": "a short name under which a policy keeps a whole value, to be passed to a later call",
    "the bill, typical": "the sum over the whole corpus; the mean over its clusters of each cluster's mean",
    "cluster": "what is independent of the rest: a task, a repository, or a session of its own",
    "effective clusters": "how many equal clusters would carry as much; one large session counts for most of a sum",
    "95 % interval": "where the figure would lie for other clusters like these; exact where nothing varies",
    "chance": "the same number of bytes of each result cut out at a random place, 20 times",
    "already clipped": "the recorder's own agent had cut the result; a looser policy is not identified on it",
    "bill not explained": "billed input tokens that the recording does not hold, such as tool definitions",
    "not identified, not reported": "the recording cannot tell; the recording does not say; neither is zero",
}
