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

FRAMING = TokenProfile("test", "o200k_base", 0, 0, 0, "", "")
TARIFF = Tariff(price_model("claude-opus-5-5"), cache_profile("none"))
LINES = [f"row {n:03} code zq-{n * 7919 % 10007:05}" for n in range(100)]
VALUE = "\n".join(LINES)
FIRST, MIDDLE = "zq-00000", LINES[50].split()[-1]


class Letters:
    def count(self, text: str) -> int:
        return len(text)


def run(tool: str, *needs: str, whole: str | None = None) -> Transcript:
    messages = [
        Message("user", "look"),
        Message("assistant", calls=(ToolCall(tool, "{}"),)),
        Message("tool", result=ToolResult(VALUE if whole is None else "cut", tool, call=(1, 0), whole=whole)),
    ]
    for need in needs:
        messages.append(Message("assistant", calls=(ToolCall("use", json.dumps({"code": need})),)))
        messages.append(Message("tool", result=ToolResult("ok", "use", call=(len(messages) - 1, 0))))
    messages.append(Message("assistant", "Done."))
    return Transcript("t", "test", tuple(messages))


def estimate(transcript: Transcript, policy: str) -> dict[str, float]:
    layout = lay_out(transcript, Letters(), FRAMING)
    account = account_of(layout, make_policy(policy), Letters())
    prices = RequestPrices.uniform(TARIFF, len(layout.requests))
    density = dict.fromkeys(layout.results, 1.0)
    return Added(layout, EvidenceRun(find_borne(transcript)), prices, density).columns(account)


def test_what_is_in_sight_costs_nothing() -> None:
    found = estimate(run("Read", FIRST), "head:bytes=500")
    assert (found["added_low"], found["added_evidence"], found["losses"]) == (0, 0, 0)


def test_one_recovery_a_window_however_often_it_is_needed() -> None:
    neighbour = LINES[51].split()[-1]
    found = estimate(run("Read", MIDDLE, neighbour, MIDDLE), "head:bytes=500")
    assert found["added_evidence"] == 1
    assert found["losses"] == 0


def test_two_windows_are_two_recoveries_and_high_reads_all_pages() -> None:
    found = estimate(run("Read", MIDDLE, LINES[99].split()[-1]), "head:bytes=500")
    assert found["added_evidence"] == 2
    assert found["added_high"] == -(-len(VALUE) // 500)
    assert found["added_low"] <= found["added_evidence"] <= found["added_high"]


def test_a_tool_that_cannot_be_narrowed_loses_what_was_cut() -> None:
    found = estimate(run("no_such_tool", MIDDLE), "head:bytes=500")
    assert (found["added_evidence"], found["losses"]) == (0, 1)


def test_a_spilled_file_is_read_again_by_an_agent_that_reads_files() -> None:
    found = estimate(run("Bash", MIDDLE), "spill:bytes=1000,keep=500")
    assert (found["added_evidence"], found["losses"]) == (1, 0)


def test_a_handle_that_cannot_show_a_row_loses_it() -> None:
    found = estimate(run("no_such_tool", MIDDLE), "car")
    assert (found["added_evidence"], found["losses"]) == (0, 1)


def test_the_tokens_of_a_recovery_are_its_request_its_window_and_what_both_leave_behind() -> None:
    transcript = run("Read", MIDDLE)
    found = estimate(transcript, "head:bytes=500")
    layout = lay_out(transcript, Letters(), FRAMING)
    prompt = account_of(layout, make_policy("head:bytes=500"), Letters()).prompt
    call = int(
        np.median([n for n, i in zip(layout.output, layout.requests, strict=True) if transcript.messages[i].calls])
    )
    requests_left = 2
    assert found["added_tokens_evidence"] == prompt[1] + (500 + call) * requests_left


def test_the_price_reads_the_prompt_writes_the_window_once_and_carries_it_on() -> None:
    transcript = run("Read", MIDDLE)
    found = estimate(transcript, "head:bytes=500")
    layout = lay_out(transcript, Letters(), FRAMING)
    prompt = int(account_of(layout, make_policy("head:bytes=500"), Letters()).prompt[1])
    call = (found["added_tokens_evidence"] - prompt) // 2 - 500
    rates = price_model("claude-opus-5-5").base
    added = 500 + call
    expected = rates.cache_read * (prompt + added) + rates.cache_write * added + rates.output * call
    assert found["added_cost_evidence"] == pytest.approx(expected / 1e6)


def test_refetching_every_elided_result_is_the_end_of_the_sensitivity() -> None:
    found = estimate(run("Read", MIDDLE), "head:bytes=500")
    assert found["refetch_page_calls"] == 1
    assert found["refetch_whole_calls"] == -(-len(VALUE) // 500)
    assert estimate(run("Read", MIDDLE), "identity")["refetch_whole_tokens"] == 0


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
