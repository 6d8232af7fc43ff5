"""`harness verify`: is a run still what it was when it was made?"""

from __future__ import annotations

from typing import Any

from harness.runs.seal import AGAIN, Verified
from harness.text import harmless, number


def verified_record(found: Verified) -> dict[str, Any]:
    """For a program. verdict: `sealed`, `not sealed` or `changed`."""
    return {
        "run": found.run,
        "verdict": verdict(found),
        "seal": found.seal or None,
        "files": found.files,
        "faults": dict(found.faults),
        "absent": list(found.absent),
    }


def verdict(found: Verified) -> str:
    return "changed" if found.faults else "sealed" if found.seal else "not sealed"


def verified_text(found: Verified) -> str:
    """A sentence, and a line a fault."""
    run = harmless(found.run)
    if found.faults:
        lines = [f"  {harmless(name)}: {why}" for name, why in found.faults.items()]
        return "\n".join([f"{run}: changed after it was made; {AGAIN}", *lines])
    if not found.seal:
        return f"{run}: not sealed, as runs were before seals; whether it changed cannot be said. Make it again."
    absent = f"; not kept here: {', '.join(map(harmless, found.absent))}" if found.absent else ""
    return f"{run}: as it was made, {number(found.files, 'file')}, seal {found.seal[:16]}{absent}"
