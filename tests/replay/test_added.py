"""Estimated added calls, worked out by hand on a run of four requests."""

from __future__ import annotations

import json

import numpy as np
import pytest

from harness.evidence import EvidenceRun, find_borne
from harness.money.bill import RequestPrices, Tariff
from harness.money.cache import cache_profile
from harness.money.prices import price_model
from harness.policies.spec import make_policy
from harness.replay.added import Added
from harness.replay.ledger import account_of, lay_out
from harness.tokens.profiles import TokenProfile
from harness.transcript import Message, ToolCall, ToolResult, Transcript
from tests.policies.test_every_policy import SPECS

FRAMING = TokenProfile("test", "o200k_base", 0, 0, 0, "", "")
TARIFF = Tariff(price_model("claude-opus-5-5"), cache_profile("none"))
LINES = [f"row {n:03} code zq-{n * 7919 % 10007:05}" for n in range(100)]
VALUE = "\n".join(LINES)
FIRST, MIDDLE = "zq-00000", LINES[50].split()[-1]


class Letters:
    def count(self, text: str) -> int:
        return len(text)


def run(tool: str, *needs: str, whole: str | None = None, then: str = "use") -> Transcript:
    messages = [
        Message("user", "look"),
        Message("assistant", calls=(ToolCall(tool, "{}"),)),
        Message("tool", result=ToolResult(VALUE if whole is None else "cut", tool, call=(1, 0), whole=whole)),
    ]
    for need in needs:
        messages.append(Message("assistant", calls=(ToolCall(then, json.dumps({"code": need})),)))
        messages.append(Message("tool", result=ToolResult("ok", then, call=(len(messages) - 1, 0))))
    messages.append(Message("assistant", "Done."))
    return Transcript("t", "test", tuple(messages))


def estimate(transcript: Transcript, policy: str) -> dict[str, float]:
    layout = lay_out(transcript, Letters(), FRAMING)
    account = account_of(layout, make_policy(policy), Letters())
    prices = RequestPrices.uniform(TARIFF, len(layout.requests))
    density = dict.fromkeys(layout.results, 1.0)
    return Added(layout, EvidenceRun(find_borne(transcript)), prices, density).columns(account)


def gone(found: dict[str, float]) -> tuple[float, float, float]:
    return found["added_evidence"], found["unrecoverable"], found["unrecoverable_unknown"]


def test_what_is_visible_costs_nothing() -> None:
    found = estimate(run("Read", FIRST), "head:bytes=500")
    assert found["added_low"] == 0
    assert gone(found) == (0, 0, 0)


def test_one_recovery_a_window_however_often_it_is_needed() -> None:
    neighbour = LINES[51].split()[-1]
    assert gone(estimate(run("Read", MIDDLE, neighbour, MIDDLE), "head:bytes=500")) == (1, 0, 0)
    assert gone(estimate(run("Read", MIDDLE, LINES[80].split()[-1]), "head:bytes=500")) == (1, 1, 0)  # `use` may write


def test_windows_that_the_policy_would_cut_again_are_smaller_and_more() -> None:
    needs = MIDDLE, LINES[99].split()[-1]
    assert gone(estimate(run("Read", *needs, then="Grep"), "head:bytes=500")) == (2, 0, 0)
    found = estimate(run("Read", *needs, then="Grep"), "head:bytes=1600")
    assert gone(found) == (1, 0, 0)
    assert found["added_high"] == -(-len(VALUE) // 1000)  # 4,000 bytes are halved until the policy lets them through
    assert found["added_low"] <= found["added_evidence"] <= found["added_high"]


def test_where_no_number_of_windows_suffices_the_pair_is_unrecoverable() -> None:
    assert gone(estimate(run("Read", MIDDLE, then="Grep"), "head:bytes=0")) == (0, 1, 0)


def test_one_rule_for_all_policies() -> None:
    for policy in ("head:bytes=500", "car", "spill:bytes=1000,keep=500", "tail:bytes=500", "mask_last_n:n=0"):
        assert gone(estimate(run("Read", MIDDLE, then="Grep"), policy)) == (1, 0, 0), policy
        assert gone(estimate(run("WebFetch", MIDDLE, then="Grep"), policy)) == (0, 1, 0), policy


def test_pairs_are_of_a_request_and_a_result_not_windows() -> None:
    both = f"{MIDDLE} {LINES[99].split()[-1]}"
    assert gone(estimate(run("WebFetch", both, LINES[51].split()[-1]), "head:bytes=500")) == (0, 2, 0)


def test_a_spilled_file_is_read_by_an_agent_that_reads_files() -> None:
    assert gone(estimate(run("Bash", MIDDLE), "spill:bytes=1000,keep=500")) == (1, 0, 0)
    assert gone(estimate(run("WebFetch", MIDDLE, then="Grep"), "spill:bytes=1000,keep=500")) == (0, 1, 0)
    assert gone(estimate(run("no_such_tool", MIDDLE), "spill:bytes=1000,keep=500")) == (0, 0, 1)


def test_what_is_unrecoverable_costs_nothing_or_its_whole_value_on_arrival() -> None:
    transcript = run("WebFetch", MIDDLE)
    found = estimate(transcript, "head:bytes=500")
    layout = lay_out(transcript, Letters(), FRAMING)
    prompt = account_of(layout, make_policy("head:bytes=500"), Letters()).prompt
    requests_left = 2
    assert found["added_tokens_evidence"] == 0
    assert found["unrecoverable_tokens"] == prompt[1] + (len(VALUE) + call_tokens(transcript)) * requests_left


def call_tokens(transcript: Transcript) -> int:
    layout = lay_out(transcript, Letters(), FRAMING)
    return int(
        np.median([n for n, i in zip(layout.output, layout.requests, strict=True) if transcript.messages[i].calls])
    )


def test_the_tokens_of_a_recovery_are_its_request_its_window_and_what_both_leave_behind() -> None:
    transcript = run("Read", MIDDLE)
    found = estimate(transcript, "head:bytes=500")
    prompt = account_of(lay_out(transcript, Letters(), FRAMING), make_policy("head:bytes=500"), Letters()).prompt
    requests_left = 2
    assert found["added_tokens_evidence"] == prompt[1] + (500 + call_tokens(transcript)) * requests_left


def test_the_price_reads_the_prompt_writes_the_window_once_and_carries_it_on() -> None:
    transcript = run("Read", MIDDLE)
    found = estimate(transcript, "head:bytes=500")
    layout = lay_out(transcript, Letters(), FRAMING)
    prompt = int(account_of(layout, make_policy("head:bytes=500"), Letters()).prompt[1])
    call = call_tokens(transcript)
    rates = price_model("claude-opus-5-5").base
    added = 500 + call
    expected = rates.cache_read * (prompt + added) + rates.cache_write * added + rates.output * call
    assert found["added_cost_evidence"] == pytest.approx(expected / 1e6)


def test_refetching_every_elided_result_is_the_end_of_the_sensitivity() -> None:
    found = estimate(run("Read", MIDDLE), "head:bytes=500")
    assert (found["refetch_page_calls"], found["refetch_whole_calls"]) == (1, 1)
    assert found["refetch_whole_tokens"] == found["refetch_page_tokens"] > 0
    assert estimate(run("Read", MIDDLE), "identity")["refetch_whole_tokens"] == 0


@pytest.mark.parametrize("policy", SPECS)
def test_every_policy_is_estimated(policy: str) -> None:
    found = estimate(run("Read", MIDDLE, FIRST, then="Grep"), policy)
    assert found["added_low"] <= found["added_evidence"] <= found["added_high"]
    assert found["unrecoverable"] + found["unrecoverable_unknown"] <= 2


def test_low_counts_recorded_readings_of_a_spilled_file_that_the_policy_makes_needless() -> None:
    spilled = ToolResult("saved to /tmp/results/7.txt", "Read", call=(1, 0), whole=VALUE)
    messages = (
        Message("user", "look"),
        Message("assistant", calls=(ToolCall("Read", "{}"),)),
        Message("tool", result=spilled),
        Message("assistant", calls=(ToolCall("Read", '{"path": "/tmp/results/7.txt"}'),)),
        Message("tool", result=ToolResult(VALUE, "Read", call=(3, 0))),
        Message("assistant", "Done."),
    )
    transcript = Transcript("t", "test", messages)
    assert estimate(transcript, "head:bytes=100000")["added_low"] == -1
    assert estimate(transcript, "head:bytes=500")["added_low"] == 0
    assert estimate(transcript, "head:bytes=100000")["added_tokens_low"] < 0
    assert estimate(transcript, "identity")["added_tokens_low"] == 0
