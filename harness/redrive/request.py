"""One transcript, request by request: its prompts under every policy, asked, and held against the recorded action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from harness.bench.outcome import Outcome
from harness.evidence import EvidenceRun, RequestStates, find_borne
from harness.policies.rendering import Rendering
from harness.policies.spec import NamedPolicy
from harness.redrive.judge import NOT_ASKED, judge
from harness.redrive.kept import KeptValues
from harness.redrive.prompt import RecordedPrompt, recorded_prompt
from harness.redrive.settings import RedriveSettings
from harness.redrive.tools import added_tools, toolbox
from harness.replay.ledger import Account, account_of, lay_out
from harness.replay.visibility import states_of
from harness.tokens.counter import TokenCounter
from harness.tokens.profiles import TokenProfile
from harness.transcript import Transcript

Rows = list[dict[str, Any]]
Keep = Callable[[str, Outcome], None]
"""Called with the name of every turn that was asked, and what came of it."""


class Asks(Protocol):
    """Whoever is asked (`harness.redrive.ask.Asked`)."""

    @property
    def window(self) -> int: ...

    def ask(self, name: str, prompt: RecordedPrompt) -> Outcome: ...


@dataclass(frozen=True)
class Driving:
    """What does not change over a run."""

    settings: RedriveSettings
    policies: list[NamedPolicy]
    counter: TokenCounter
    profile: TokenProfile


class TranscriptDrive:
    """A transcript laid out under all policies."""

    def __init__(self, transcript: Transcript, driving: Driving) -> None:
        self.transcript, self.driving = transcript, driving
        self.box = toolbox(transcript)
        self.layout = lay_out(transcript, driving.counter, driving.profile)
        evidence = EvidenceRun(find_borne(transcript))
        self.sides = {
            policy.label: _side(transcript, account_of(self.layout, policy, driving.counter), evidence)
            for policy in driving.policies
        }

    def drive(self, engine: str, asked: Asks, done: set[int], keep: Keep) -> Iterator[tuple[int, Rows]]:
        """The number of each request (from 1) that is not done, and its rows, a policy each. A request without a
        prompt has none."""
        drawn = set(self.driving.settings.drawn(self.transcript.id, len(self.layout.requests)))
        for k, (message, shown) in enumerate(self.transcript.prompts()):
            for side in self.sides.values():
                side.kept.arrive(message)
            if k in drawn and k + 1 not in done:
                yield k + 1, self._rows(k, message, shown, engine, asked, keep) if shown else []

    def _rows(self, k: int, message: int, shown: list[int], engine: str, asked: Asks, keep: Keep) -> Rows:
        settings = self.driving.settings
        views = {label: side.account.views_at(k) for label, side in self.sides.items()}
        prompts = {
            label: recorded_prompt(self.transcript, shown, views[label], self.box.tools + side.added)
            for label, side in self.sides.items()
        }
        sizes = {label: prompt.tokens(self.driving.counter, self.driving.profile) for label, prompt in prompts.items()}
        recorded = self.transcript.messages[message].calls
        shared = {
            "engine": engine,
            "transcript": self.transcript.id,
            "cluster": self.transcript.cluster or self.transcript.id,
            "request": k + 1,
            "message": message,
            "tools_from": self.box.origin,
            "recorded_calls": len(recorded),
            "after_cut": bool(self.layout.boundary[k]),
        }
        first: dict[str, tuple[str, Outcome]] = {}
        rows = {}
        for label in settings.order(self.transcript.id, k, list(self.sides)):
            prompt, side = prompts[label], self.sides[label]
            row = shared | side.columns(k, shown, views[label], prompt) | {"policy": label}
            row["prompt_tokens"] = sizes[label]
            if sizes[label] + settings.max_tokens > asked.window:
                rows[label] = row | NOT_ASKED | {"asked": "no", "outcome": "overflow"}
                continue
            if prompt.digest not in first:
                name = f"{self.transcript.id}@{k + 1}@{prompt.digest}"
                first[prompt.digest] = label, asked.ask(name, prompt)
                keep(name, first[prompt.digest][1])
            who, outcome = first[prompt.digest]
            row["asked"] = "itself" if who == label else f"as {who}"
            rows[label] = row | judge(outcome, prompt, recorded, side.kept, asked.window)
        fits = all(row["outcome"] != "overflow" for row in rows.values())
        return [rows[label] | {"comparable": fits} for label in self.sides]


@dataclass
class Side:
    """A transcript under one policy. added: the tools that its renderings speak of."""

    account: Account
    states: list[RequestStates]
    kept: KeptValues
    added: tuple[Mapping[str, Any], ...]

    def columns(
        self, k: int, shown: list[int], views: Mapping[int, Rendering], prompt: RecordedPrompt
    ) -> dict[str, Any]:
        return {
            "tools": len(prompt.tools),
            "left_out": prompt.left_out,
            "bears": self.states[k].bears,
            "at_risk": self.states[k].at_risk,
            "handles_shown": sum(1 for i in shown if i in views and views[i].handle is not None),
        }


def _side(transcript: Transcript, account: Account, evidence: EvidenceRun) -> Side:
    added = added_tools({view.reach for view in account.admitted.values() if view.elided_bytes})
    return Side(account, states_of(evidence, account), KeptValues(transcript, account), added)
