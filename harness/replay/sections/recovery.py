"""What brings back that which a policy leaves out, in words that an author of the policy would sign."""

from __future__ import annotations

from harness.replay.sections.summary import ALL, Summary
from harness.report.screen import Fact
from harness.text import count

WORDS = {
    "rerun": "calling the tool again",
    "none": "nothing",
    "file": "reading a file",
    "handle-read": "reading by handle",
    "handle-arg": "a handle, to pass on",
}
"""By the `reach` of a result."""

PASSES_ON = "handle-arg"


def short(reaches: tuple[str, ...]) -> str:
    return ", ".join(WORDS.get(r, r) for r in reaches) or "nothing is left out"


def handle_fact(summary: Summary) -> Fact | None:
    """What a handle that passes values on can and cannot do, with the dependencies that it holds; of the first policy
    that has one."""
    name = next((name for name, found in summary.reaches.items() if PASSES_ON in found), None)
    if name is None:
        return None
    can = "the whole value, or a field whose path was shown, to a later call; it shows the model no more of it"
    e = next(r for r in summary.part(ALL) if r.policy == name).evidence
    if e and e.borne:
        states = f"{count(e.visible)} visible, {count(e.reachable)} can be passed on, {count(e.held)} held unseen"
        can += f". Of {count(e.borne)} dependencies: {states}"
    return Fact(f"The handle of {name}", "measured", "passes on", can)
