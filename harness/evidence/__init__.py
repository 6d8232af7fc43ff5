"""What an action bears of earlier results, and what a policy leaves of it in sight (METHOD.md, section 3).

borne = find_borne(transcript)
borne.requests[3].borne                              # the atoms that request 3 took from results, and from which
EvidenceRun(borne).count_all(views)[3].at_risk       # views: the rendering of each result by message index
"""

from __future__ import annotations

from harness.evidence.atoms import Argument, Candidate, Kind
from harness.evidence.background import Background, background
from harness.evidence.borne import Borne, BorneAtom, RequestEvidence, find_borne
from harness.evidence.states import EvidenceRun, RequestStates, StateCounts

__all__ = [
    "Argument",
    "Background",
    "Borne",
    "BorneAtom",
    "Candidate",
    "EvidenceRun",
    "Kind",
    "RequestEvidence",
    "RequestStates",
    "StateCounts",
    "background",
    "find_borne",
]
