"""What an action bears of earlier results, and what a policy leaves of it in sight.

    borne = find_borne(transcript)
    borne.requests[3].borne                              # the atoms that request 3 took from results, and from which
    EvidenceRun(borne).count_all(views)[3].at_risk       # views: the rendering of each result by message index

An action is the arguments of a request's calls, or its answer. Its atoms are identifiers, paths, numbers of three or
more digits and quoted strings that are marked or long and not in the background (`atoms`, `background`), and copied
runs of eight or more words within a line (`runs`). An atom is borne where, of all that the prompt held, only results
hold it (`borne`, `prompts`); both sides are compared without escaping (`plain`), between the bounds of words and not
as numbers of lines (`occurrences`). Of a path or quoted string the largest piece that occurs anywhere before counts,
and its parts only where it does not. A run is counted beside the short atoms in it, and reported apart.

What it cannot see: paraphrase, numbers written another way, and what the model knew from a system prompt that was not
recorded.
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
