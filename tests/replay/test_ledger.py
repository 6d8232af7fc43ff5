"""The ledger against a naive count: every prompt laid out as text and counted anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.money.cache import alive, cache_profile, cache_profiles
from harness.policies.rendering import Prompt, Rendering
from harness.policies.spec import make_policy
from harness.replay.ledger import account_of, admission_accounts, history_account, lay_out
from harness.tokens.profiles import TokenProfile
from harness.transcript import Cut, Message, ToolCall, ToolResult, Transcript

FRAMING = TokenProfile("test", "o200k_base", 3, 5, 2, "", "")


class Letters:
    """Counts characters, so that expected figures can be read off the texts."""

    def count(self, text: str) -> int:
        return len(text)


@dataclass
class ForgetsAllButTheLast:
    """A history policy: before every request, results but the last become `gone`."""

    label: str = "forgets"
    settings: Mapping[str, Any] = field(default_factory=dict)
    stage: Literal["admission", "history"] = "history"
    page_bytes: int | None = None

    def start(self, transcript: Transcript) -> ForgetsAllButTheLast:
        return self

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        return Rendering(result.content)

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        shown = [i for i in prompt.shown if i in prompt.views]
        return {i: Rendering("gone", 1) for i in shown[:-1] if prompt.views[i].text != "gone"}


texts = st.text("ab ", max_size=12)
kinds = st.sampled_from(["user", "call", "result", "answer", "copied"])


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    messages = [Message("system", draw(texts))]
    for kind in draw(st.lists(kinds, max_size=14)):
        text = draw(texts)
        match kind:
            case "user":
                messages.append(Message("user", text))
            case "call":
                messages.append(Message("assistant", text, (ToolCall("t", draw(texts)),), reasoning=draw(texts)))
            case "result":
                messages.append(Message("tool", result=ToolResult(text, "t")))
            case "answer":
                messages.append(Message("assistant", text))
            case "copied":
                messages.append(Message("assistant", text, copied=True))
    cuts = []
    for at in sorted(draw(st.sets(st.integers(0, len(messages) - 1), max_size=2))):
        keep = draw(st.lists(st.integers(0, at - 1), unique=True, max_size=3)) if at else []
        cuts.append(Cut(at, tuple(sorted(keep)), "compacted"))
    tools = draw(st.sampled_from([None, ("{}",), ("{}", '{"a":1}')]))
    return Transcript(
        "t", "test", tuple(messages), tools=tools, cuts=tuple(cuts), resends_reasoning=draw(st.booleans())
    )


def naive_size(message: Message, view: Rendering | None, resends: bool) -> int:
    framing = FRAMING.per_message + FRAMING.per_call * len(message.calls)
    if view is not None:
        return framing + len(view.text)
    reasoning = len(message.reasoning) if resends else 0
    return framing + len(message.text) + reasoning + sum(len(c.name) + len(c.arguments) for c in message.calls)


def naive(transcript: Transcript, policy: Any) -> tuple[list[int], list[int]]:
    """Prompt and kept tokens, with every prompt laid out anew."""
    run = policy.start(transcript)
    views = {}
    for i in transcript.results():
        result = transcript.messages[i].result
        assert result is not None
        views[i] = run.admit(i, result, None)
    head = sum(len(t) for t in transcript.tools or ())
    prompts, kept = [], []
    before: list[tuple[int, str | None]] = []
    for k, (_, shown) in enumerate(transcript.prompts()):
        sizes = np.array(
            [naive_size(m, views.get(i), transcript.resends_reasoning) for i, m in enumerate(transcript.messages)]
        )
        views |= dict(run.rewrite(Prompt(k, list(shown), sizes, dict(views), 0)))
        laid = [(i, views[i].text if i in views else None) for i in shown]
        size = [naive_size(transcript.messages[i], views.get(i), transcript.resends_reasoning) for i in shown]
        prompts.append(head + FRAMING.priming + sum(size))
        common = 0
        while common < min(len(laid), len(before)) and laid[common] == before[common]:
            common += 1
        kept.append(head + sum(size[:common]) if k else 0)
        before = laid
    return prompts, kept


@settings(max_examples=150, deadline=None)
@given(transcripts())
def test_every_prompt_and_kept_prefix_equals_the_naive_count(transcript: Transcript) -> None:
    layout = lay_out(transcript, Letters(), FRAMING)
    policies = [make_policy("identity"), make_policy("head:bytes=3"), ForgetsAllButTheLast()]
    for policy in policies:
        account = account_of(layout, policy, Letters())
        prompt, kept = naive(transcript, policy)
        assert account.prompt.tolist() == prompt
        assert account.kept.tolist() == kept


def test_admission_policies_counted_together_equal_each_alone() -> None:
    transcript = conversation()
    layout = lay_out(transcript, Letters(), FRAMING)
    policies = [make_policy(p) for p in ("identity", "head:bytes=4", "tail:bytes=4", "car")]
    for together in admission_accounts(layout, policies, Letters()):
        alone = account_of(layout, together.policy, Letters())
        assert alone.prompt.tolist() == together.prompt.tolist()
        assert alone.views == together.views


def conversation() -> Transcript:
    return Transcript(
        "t",
        "test",
        (
            Message("system", "sys"),
            Message("user", "do it"),
            Message("assistant", "ok", (ToolCall("run", '{"a":1}'),)),
            Message("tool", result=ToolResult("0123456789", "run", call=(2, 0))),
            Message("assistant", "ok", (ToolCall("run", '{"a":2}'),)),
            Message("tool", result=ToolResult("abcdefghij", "run", call=(4, 0))),
            Message("assistant", "done"),
        ),
    )


def test_a_small_conversation_by_hand() -> None:
    account = account_of(lay_out(conversation(), Letters(), FRAMING), make_policy("identity"), Letters())
    first = 5 + (3 + 3) + (3 + 5)
    call = 3 + 2 + 2 + 3 + 7
    result = 3 + 10
    assert account.prompt.tolist() == [first, first + call + result, first + 2 * (call + result)]
    assert account.kept.tolist() == [0, first - 5, first - 5 + call + result]


def test_a_history_policy_keeps_the_prefix_before_its_first_change() -> None:
    account = history_account(lay_out(conversation(), Letters(), FRAMING), ForgetsAllButTheLast(), Letters())
    assert account.rewritten == {3: 2}
    assert account.views[3].text == "gone"
    assert account.admitted[3].text == "0123456789"
    assert account.views_at(1)[3].text == "0123456789"
    assert account.views_at(2)[3].text == "gone"
    before_the_change = 3 + 3 + 3 + 5 + 17
    assert account.kept.tolist()[2] == before_the_change


def test_cached_tokens_are_cut_to_the_block_and_zero_under_the_minimum() -> None:
    hits = cache_profile("openai").hits(np.array([0, 1023, 1024, 1151, 1152, 5000]))
    assert hits.tolist() == [0, 0, 1024, 1024, 1152, 4992]
    assert cache_profile("none").hits(np.array([10**9])).tolist() == [0]


def test_an_entry_lives_as_long_as_its_profile_says_and_unknown_times_stay_unknown() -> None:
    starts = [0.0, 300.0, 601.0, None, 700.0, 650.0]
    assert alive(starts, [300.0] * 6, ["m"] * 6) == [False, True, False, None, None, None]
    assert alive([0.0, 1.0], [None, None], ["m", "m"]) == [False, None]
    assert alive([], [], []) == []


def test_an_entry_is_of_one_model() -> None:
    assert alive([0.0, 1.0, 2.0], [300.0] * 3, ["m", "n", "n"]) == [False, False, True]


def test_every_cache_profile_says_where_it_comes_from() -> None:
    for profile in cache_profiles().values():
        assert profile.source
        assert profile.as_of
        assert profile.grade in "SRQC"
    with pytest.raises(Exception, match="there are: openai"):
        cache_profile("nobody")


def test_results_copied_from_another_recording_are_counted_in_prompts_only() -> None:
    messages = list(conversation().messages)
    copied = [replace(m, copied=True) for m in messages[2:4]]
    layout = lay_out(Transcript("t", "test", (*messages[:2], *copied, *messages[4:])), Letters(), FRAMING)
    whole = account_of(lay_out(conversation(), Letters(), FRAMING), make_policy("identity"), Letters())
    account = account_of(layout, make_policy("identity"), Letters())
    assert layout.own_results == [5]
    assert account.prompt.tolist() == whole.prompt.tolist()[1:]
