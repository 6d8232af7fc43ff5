"""The bill by the record, worked out by hand on a run of three requests, and over all recordings at hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.money.tariffs import Tariffs
from harness.policies.spec import make_policy
from harness.replay.billing import Billing
from harness.replay.ledger import Account, account_of, lay_out
from harness.replay.measure import start_times
from harness.tokens.profiles import TokenProfile
from harness.transcript import Cut, Message, ToolCall, ToolResult, Transcript, Usage

FRAMING = TokenProfile("test", "o200k_base", 0, 0, 0, "", "")
MODEL = "claude-opus-5-5"  # input 4, output 20, read 0.2, write 5, write for an hour 8; from 512 tokens on
CASES = Path(__file__).parents[1] / "cases"
CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
WITHOUT_USAGE = {"tau-bench-split", "swe-agent", "claude-code-negatives", "openhands-v1"}


class Letters:
    def count(self, text: str) -> int:
        return len(text)


def answer(usage: Usage | None, time: float, *, model: str = MODEL, call: bool = True) -> Message:
    calls = (ToolCall("f", "{}"),) if call else ()
    return Message("assistant", "" if call else "Yes.", calls=calls, usage=usage, model=model, time=time, started=time)


def run(*usages: Usage | None, times: tuple[float, ...] = (0, 60, 120), models: tuple[str, ...] = (MODEL,) * 3,
        cuts: tuple[Cut, ...] = ()) -> Transcript:  # fmt: skip
    """Prompts of 100, 1,103 and 1,506 letters, answers of 3, 3 and 4."""
    messages = (
        Message("user", "u" * 100),
        answer(usages[0], times[0], model=models[0]),
        Message("tool", result=ToolResult("r" * 1000, "f", call=(1, 0))),
        answer(usages[1], times[1], model=models[1]),
        Message("tool", result=ToolResult("s" * 400, "f", call=(3, 0))),
        answer(usages[2], times[2], model=models[2], call=False),
    )
    return Transcript("t", "test", messages, cuts=cuts)


WARM = (Usage(2100, 0, 2100, 3), Usage(3103, 2100, 1003, 3), Usage(3506, 3103, 403, 4))


def billed(transcript: Transcript, *policies: str, prices: str = "auto") -> tuple[Billing, list[Account]]:
    layout = lay_out(transcript, Letters(), FRAMING)
    accounts = [account_of(layout, make_policy(p), Letters()) for p in ("identity", *policies)]
    return Billing(layout, accounts[0], Tariffs(prices), start_times(transcript)), accounts


def recorded(transcript: Transcript, policy: str) -> tuple[list[int], list[float]]:
    billing, accounts = billed(transcript, policy)
    columns = billing.columns(accounts, 200_000)[1]
    return columns["cached_recorded"], columns["cost_recorded"]


def test_identity_is_billed_as_recorded() -> None:
    billing, accounts = billed(run(*WARM))
    by_hand = [(5 * 2100 + 20 * 3) / 1e6, (0.2 * 2100 + 5 * 1003 + 20 * 3) / 1e6, (0.2 * 3103 + 5 * 403 + 20 * 4) / 1e6]
    assert billing.shared_columns()["bill"] == pytest.approx(by_hand)
    columns = billing.columns(accounts, 200_000)[0]
    assert columns["cost_recorded"] == pytest.approx(by_hand)
    assert columns["cached_recorded"] == [0, 2100, 3103]


def test_what_is_kept_for_an_hour_has_its_own_price() -> None:
    billing, accounts = billed(run(Usage(2100, 0, 2000, 3, 1500), *WARM[1:]))
    by_hand = (4 * 100 + 5 * 500 + 8 * 1500 + 20 * 3) / 1e6
    assert billing.shared_columns()["bill"][0] == pytest.approx(by_hand)
    assert billing.columns(accounts, 200_000)[0]["cost_recorded"][0] == pytest.approx(by_hand)


def test_an_admission_policy_reads_its_own_views_up_to_the_mark() -> None:
    read, cost = recorded(run(*WARM), "head:bytes=500")
    _, (_, own) = billed(run(*WARM), "head:bytes=500")
    saved = 1103 - int(own.prompt[1])
    assert saved > 400
    assert read == [0, 2100, 3103 - saved]
    assert cost[1] == pytest.approx((0.2 * 2100 + 5 * (1003 - saved) + 20 * 3) / 1e6)
    assert cost[2] == pytest.approx((0.2 * (3103 - saved) + 5 * 403 + 20 * 4) / 1e6)


def test_a_history_policy_reads_up_to_its_first_changed_view() -> None:
    read, cost = recorded(run(*WARM), "mask_last_n:n=1")
    _, (_, own) = billed(run(*WARM), "mask_last_n:n=1")
    assert own.prompt[2] < 1506 - 900
    whole = 3506 - (1506 - int(own.prompt[2]))
    assert read == [0, 2100, 2000 + 103]
    assert cost[2] == pytest.approx((0.2 * 2103 + 5 * (whole - 2103) + 20 * 4) / 1e6)


def test_the_rest_is_written_and_fresh_in_the_recordings_proportions() -> None:
    half = (WARM[0], replace(WARM[1], cache_write_tokens=501), WARM[2])
    _, cost = recorded(run(*half), "head:bytes=500")
    _, (_, own) = billed(run(*half), "head:bytes=500")
    rest = 1003 - (1103 - int(own.prompt[1]))
    written = rest * 501 / 1003
    assert cost[1] == pytest.approx((0.2 * 2100 + 5 * written + 4 * (rest - written) + 20 * 3) / 1e6)


def test_times_decide_only_where_usage_is_silent() -> None:
    late = (0, 3600, 3660)
    billing, accounts = billed(run(*WARM, times=late))
    assert billing.columns(accounts, 200_000)[0]["cached_recorded"] == [0, 2100, 3103]
    billing, accounts = billed(run(None, None, None, times=late))
    assert billing.columns(accounts, 200_000)[0]["cached_recorded"] == [0, 0, 1103]
    assert billing.shared_columns()["bill"] == [None, None, None]


def test_each_request_has_the_price_of_its_model() -> None:
    billing, accounts = billed(run(*WARM, models=(MODEL, "us.anthropic.claude-haiku-4-5-20251001-v1:0", "small-1")))
    shared = billing.shared_columns()
    assert shared["priced_as"] == [MODEL, "claude-haiku-4-5", ""]
    assert shared["bill"][1] == pytest.approx((0.1 * 2100 + 1.25 * 1003 + 5 * 3) / 1e6)
    assert shared["bill"][2] is None
    assert billing.columns(accounts, 200_000)[0]["cost_warm"][2] is None
    named, _ = billed(run(*WARM, models=("small-1",) * 3), prices=MODEL)
    assert None not in named.shared_columns()["bill"]


COLD = (WARM[0], Usage(3103, 0, 3103, 3), WARM[2])


@pytest.mark.parametrize(
    ("transcript", "cause"),
    [
        (run(*COLD), "unknown"),
        (run(*COLD, times=(0, 400, 460)), "gap"),
        (run(replace(WARM[0], cache_write_1h_tokens=2100), *COLD[1:], times=(0, 400, 460)), "unknown"),
        (run(*COLD, models=("claude-haiku-4-5", MODEL, MODEL)), "another model"),
        (run(*COLD, cuts=(Cut(2, (0, 1), "compacted"),)), "compaction"),
        (run(*COLD, cuts=(Cut(2, (0, 1), "cleared"),)), "rewrite"),
        (run(Usage(9000, 0, 9000, 3), *COLD[1:]), "rewrite"),
    ],
)
def test_the_cause_of_a_lost_prefix(transcript: Transcript, cause: str) -> None:
    billing, _ = billed(transcript)
    shared = billing.shared_columns()
    assert shared["lost_cause"] == ["", cause, ""]
    lost = shared["lost_prefix"][1]
    assert lost == (3103 if transcript.messages[1].usage == Usage(9000, 0, 9000, 3) else 2100)
    assert shared["lost_cost"][1] == pytest.approx(lost * (5 - 0.2) / 1e6)


def totals(case: str) -> dict[str, float]:
    (transcript,) = read_transcripts([CASES / case], Intake())
    billing, accounts = billed(transcript)
    shared = billing.shared_columns()
    identity = billing.columns(accounts, 200_000)[0]
    return {
        "bill": sum(shared["bill"]),
        "identity": sum(identity["cost_recorded"]),
        "cliffs": sum(1 for lost in shared["lost_prefix"] if lost),
        "lost": sum(shared["lost_prefix"]),
        "lost_cost": sum(usd or 0 for usd in shared["lost_cost"]),
    }


def test_entries_that_lived_an_hour() -> None:
    found = totals("cache-lived-1h")
    assert found["identity"] == found["bill"] == pytest.approx(0.2666, abs=5e-5)
    assert found["cliffs"] == 0


def test_two_requests_wrote_their_prompts_anew() -> None:
    found = totals("cache-cliff")
    assert (found["cliffs"], found["lost"]) == (2, 45_308)
    assert found["lost_cost"] == pytest.approx(45_308 * (6.25 - 0.5) / 1e6, abs=2e-5)  # a few were plain input
    assert found["identity"] == pytest.approx(found["bill"])


def test_half_a_session_by_another_model() -> None:
    (transcript,) = read_transcripts([CASES / "mixed-models"], Intake())
    names = billed(transcript)[0].shared_columns()["priced_as"]
    assert set(names) == {"claude-opus-5", "claude-haiku-4-5"}


def recordings() -> Iterator[Transcript]:
    yield from read_transcripts([CASES], Intake())
    for folder in sorted(CORPORA.iterdir()) if CORPORA.is_dir() else ():
        if folder.is_dir() and folder.name not in WITHOUT_USAGE:
            yield from read_transcripts([folder], Intake())


def test_equal_views_give_the_recorded_bill_to_the_token() -> None:
    seen = 0
    for transcript in recordings():
        if not any(m.usage for m in transcript.messages):
            continue
        billing, accounts = billed(transcript, "head:bytes=300,min_bytes=inf", "mask_last_n:n=1,min_bytes=inf")
        usage, bill = billing.usage, billing.usage.bill(billing.prices)
        for own in billing.columns(accounts, 200_000):
            read = np.array([-1 if n is None else n for n in own["cached_recorded"]])
            assert (read[usage.split] == usage.read[usage.split]).all(), transcript.id
            cost = np.array([np.nan if usd is None else usd for usd in own["cost_recorded"]])
            paid = np.isfinite(bill)
            assert cost[paid] == pytest.approx(bill[paid], rel=1e-12), transcript.id
            seen += int(paid.sum())
    assert seen > 60


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the shared recordings are not here")
def test_a_client_booked_the_same() -> None:
    (transcript,) = read_transcripts([CORPORA / "pi"], Intake())
    billing, _ = billed(transcript)
    assert np.nansum(billing.usage.bill(billing.prices)) == pytest.approx(30.3302, abs=5e-5)
