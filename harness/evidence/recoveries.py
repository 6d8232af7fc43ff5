"""What an agent would have to fetch again under a policy: per request, the windows of results that hold atoms out of
sight.

This is the ground of the estimate `evidence` (METHOD, section 4). Atoms in one window of the policy's page size count
once; an atom that a reference can stand for needs no recovery.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.evidence.fields import Parse
from harness.evidence.states import EvidenceRun, State
from harness.policies.rendering import Reach, Rendering


@dataclass(frozen=True, slots=True)
class Recovery:
    """request: from 0. source: message of the result. window: number of the page of the value; 0 without a page size.

    start, end: the bytes of the value (UTF-8) that the window's atoms span. reach and state: of the result and its
    atoms under the policy; whether this can be a call or is a loss follows from them. atoms: how many it would bring
    back.
    """

    request: int
    source: int
    window: int
    start: int
    end: int
    reach: Reach
    state: State
    atoms: int


def recoveries(
    run: EvidenceRun,
    request: int,
    views: Mapping[int, Rendering],
    page_bytes: int | None = None,
    parse: Parse = "recorded",
) -> list[Recovery]:
    """The recoveries of one request. Of several results that bear an atom, the one that is easiest to reach counts."""
    found: dict[tuple[int, int], Recovery] = {}
    atoms = run.borne.requests[request].borne
    for atom, (state, source) in zip(atoms, run.states(request, views, parse), strict=True):
        reach = views[source].reach
        if state == "visible" or (state == "reachable" and reach == "handle-arg" and not run.tools.shows_parts):
            continue
        spans = run.borne.byte_spans(source, atom.text)
        start, end = next((s for s in spans if (source, _page(s[0], page_bytes)) in found), spans[0])
        key = source, _page(start, page_bytes)
        known = found.get(key)
        if known is None:
            found[key] = Recovery(request, *key, start, end, reach, state, 1)
        else:
            found[key] = Recovery(
                request, *key, min(known.start, start), max(known.end, end), reach, state, known.atoms + 1
            )
    return list(found.values())


def _page(offset: int, page_bytes: int | None) -> int:
    return offset // page_bytes if page_bytes else 0
