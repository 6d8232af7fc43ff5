"""Sums over sums, by repetition and band; nothing where a part is missing."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from harness.bench.bands import BANDS, band
from harness.bench.throughput import samples, spread, table
from harness.bench.warmup import is_stable


def frame(*turns: dict[str, Any]) -> pd.DataFrame:
    blank = dict.fromkeys(
        (
            *("seconds", "first_seconds", "prompt_tokens", "output_tokens", "claimed_prefill", "claimed_decode"),
            *("claimed_prompt_tokens", "claimed_output_tokens", "pieces", "retries"),
        )
    )
    rows = [{"engine": "e", "band": "under 64 B", "repetition": 1} | blank | turn for turn in turns]
    kinds = {name: "Int64" if name.endswith("tokens") else "Float64" for name in blank}
    return pd.DataFrame(rows).astype(kinds)


QUICK = {"seconds": 1.0, "first_seconds": 0.2, "prompt_tokens": 100, "output_tokens": 41}
SLOW = {"seconds": 3.0, "first_seconds": 1.8, "prompt_tokens": 100, "output_tokens": 41}


def whole(turns: pd.DataFrame) -> pd.Series:
    found = samples(turns)
    return found[found["band"] == "all"].iloc[0]


def test_sums_over_sums_not_means_of_rates() -> None:
    found = whole(frame(QUICK, SLOW))
    assert found["prefill"] == pytest.approx(200 / 2.0)
    assert found["decode"] == pytest.approx(80 / 2.0)
    assert found["whole"] == pytest.approx(82 / 4.0)


def test_a_turn_without_a_time_gives_neither_tokens_nor_seconds() -> None:
    unknown = QUICK | {"first_seconds": None}
    failed = dict.fromkeys(QUICK)
    found = whole(frame(QUICK, unknown, failed))
    assert found["prefill"] == pytest.approx(100 / 0.2)
    assert found["decode"] == pytest.approx(40 / 0.8)
    assert found["whole"] == pytest.approx(82 / 2.0)
    assert (found["turns"], found["timed"]) == (3, 2)


def test_claims_are_weighted_by_tokens() -> None:
    found = whole(frame(QUICK | {"claimed_decode": 41.0}, QUICK | {"claimed_decode": 410.0}))
    assert found["claimed_decode"] == pytest.approx(82 / 1.1)
    assert math.isnan(found["claimed_prefill"])


def test_an_engine_that_counts_its_own_tokens_has_its_own_rates() -> None:
    told = {"claimed_prefill": 400.0, "claimed_decode": 50.0, "claimed_prompt_tokens": 100, "claimed_output_tokens": 50}
    found = whole(frame({"seconds": 1.5} | told))
    assert (found["claimed_prefill"], found["claimed_decode"]) == (400.0, 50.0)
    assert math.isnan(found["prefill"])
    assert math.isnan(found["decode"])


def test_words_that_came_at_once_have_no_first_token() -> None:
    found = whole(frame(QUICK | {"pieces": 2}))
    assert math.isnan(found["prefill"])
    assert math.isnan(found["decode"])
    assert found["whole"] == 41.0
    assert whole(frame(QUICK | {"pieces": 30}))["decode"] == pytest.approx(40 / 0.8)


def test_a_turn_that_was_asked_again_has_no_rate() -> None:
    found = whole(frame(QUICK, SLOW | {"retries": 1}))
    assert (found["prefill"], found["whole"]) == (pytest.approx(100 / 0.2), 41.0)


def test_runs_from_before_pieces_were_counted_have_the_same_rates() -> None:
    turns = frame(QUICK, SLOW)
    older = turns.drop(columns=["pieces", "retries", "claimed_prompt_tokens", "claimed_output_tokens"])
    assert whole(older).equals(whole(turns))


def test_no_rate_under_32_tokens() -> None:
    assert math.isnan(whole(frame(QUICK | {"output_tokens": 31}))["whole"])
    assert whole(frame(QUICK | {"output_tokens": 32}))["whole"] == 32.0


def test_the_table_has_the_spread_over_repetitions() -> None:
    turns = frame(*(QUICK | {"repetition": n, "seconds": 1.0 + n / 10} for n in range(1, 8)))
    found = table(turns).set_index(["band", "rate"]).loc[("all", "whole")]
    assert found["n"] == 7
    assert found["median"] == pytest.approx(41 / 1.4)
    assert found["low"] < found["median"] < found["high"]
    assert found["tokens"] == 7 * 41
    assert set(table(turns)["rate"]) == {"prefill", "decode", "whole"}


def test_a_spread_says_what_it_can() -> None:
    assert spread([]) is None
    assert spread([math.nan]) is None
    one = spread([2.0])
    assert one is not None
    assert (one.n, one.median, one.sd, one.interval) == (1, 2.0, None, None)
    constant = spread([3.0] * 6)
    assert constant is not None
    assert (constant.sd, constant.interval) == (0.0, (3.0, 3.0))


@pytest.mark.parametrize(
    ("seconds", "stable"),
    [
        ([], False),
        ([1.0, 1.0], False),
        ([9.0, 1.0, 1.0], False),
        ([1.0, 1.1, 1.0], True),
        ([9.0, 1.0, 1.1, 1.0], True),
        ([1.0, 1.0, 1.0, 2.0], False),
    ],
)
def test_warm_when_the_last_three_turns_took_the_same_time(seconds: list[float], stable: bool) -> None:
    assert is_stable(seconds) == stable


def test_bands_go_from_short_to_long() -> None:
    assert [band(size) for size in (0, 63, 64, 255, 256, 1024, 4096, 16383, 16384, 10**9)] == [
        *(BANDS[0], BANDS[0], BANDS[1], BANDS[1], BANDS[2]),
        *(BANDS[3], BANDS[4], BANDS[4], BANDS[5], BANDS[5]),
    ]
    turns = frame(QUICK | {"band": BANDS[4]}, QUICK | {"band": BANDS[1]}, QUICK | {"band": BANDS[0]})
    assert list(dict.fromkeys(table(turns)["band"])) == ["all", BANDS[0], BANDS[1], BANDS[4]]
