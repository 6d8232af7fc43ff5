"""What each setting of a policy governs on a corpus: the results that it renders otherwise, their bytes, and the
dependencies that they bear. A setting that governs none is without effect there, and is left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.errors import HarnessError
from harness.evidence.borne import utf8_length
from harness.policies.settings import field_types
from harness.policies.spec import NamedPolicy
from harness.tune.sweep import Prepared

FOURFOLD, MUCH = 4, 10**9
"""A setting is held against none of it and four times as much; one that is 0, against as much as there can be."""


@dataclass(frozen=True)
class Effect:
    """Of one setting, at the others' values. results: rendered otherwise at none of it or at four times as much."""

    setting: str
    value: float
    results: int
    bytes: int
    dependencies: int


def effects(corpus: Sequence[Prepared], policy: NamedPolicy) -> list[Effect]:
    """One a number of the policy, in the order of its settings; of history policies none."""
    if policy.stage == "history":
        return []
    own = [_texts(prepared, policy) for prepared in corpus]
    found = []
    for name, kind in field_types(type(policy.family)).items():
        value = policy.settings[name]
        if kind not in (int, float) or not isinstance(value, int | float):
            continue
        wanted = (0, value * FOURFOLD if value else MUCH)
        others = [other for number in wanted if (other := _varied(policy, name, number))]
        changed: set[tuple[int, int]] = set()
        for other in others:
            for t, prepared in enumerate(corpus):
                texts = _texts(prepared, other)
                changed |= {(t, i) for i, text in texts.items() if text != own[t][i]}
        found.append(_effect(name, float(value), corpus, changed))
    return found


def _effect(name: str, value: float, corpus: Sequence[Prepared], changed: set[tuple[int, int]]) -> Effect:
    size = dependencies = 0
    for t, prepared in enumerate(corpus):
        mine = {i for at, i in changed if at == t}
        for i in mine:
            result = prepared.transcript.messages[i].result
            assert result is not None
            size += utf8_length(result.value)
        dependencies += sum(
            1 for request in prepared.borne.requests for atom in request.borne if mine & set(atom.sources)
        )
    return Effect(name, value, len(changed), size, dependencies)


def _varied(policy: NamedPolicy, name: str, value: float) -> NamedPolicy | None:
    """None where the policy has no such value."""
    try:
        return policy.varied(**{name: int(value) if float(value).is_integer() else value})
    except HarnessError:
        return None


def _texts(prepared: Prepared, policy: NamedPolicy) -> dict[int, str]:
    transcript = prepared.transcript
    run = policy.start(transcript)
    found = {}
    for i in prepared.layout.results:
        result = transcript.messages[i].result
        assert result is not None
        call = transcript.messages[result.call[0]].calls[result.call[1]] if result.call else None
        found[i] = run.admit(i, result, call).text
    return found
