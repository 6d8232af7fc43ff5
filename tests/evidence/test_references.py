from __future__ import annotations

import json

from harness.evidence.references import referencable
from tests.evidence.planted import calls, cut, filler, result, transcript, user


class Words:
    """A token a word."""

    def count(self, text: str) -> int:
        return len(text.replace('"', " ").replace(",", " ").replace(":", " ").split())


TEXT = filler(200)
ROWS = [{"name": f"row {n} of the long table", "note": f"the note that goes with row {n}"} for n in range(3)]


def test_a_whole_value_passed_on() -> None:
    run = transcript(user("Go."), calls("a"), result(TEXT), calls({"to": "x", "body": TEXT}))
    (one,) = referencable(run, Words())
    assert (one.request, one.call, one.at, one.reference, one.source) == (1, 0, ("body",), "$r1", 2)
    assert one.bytes == len(json.dumps(TEXT))
    assert one.tokens_saved == len(TEXT.split()) - 1


def test_a_field_of_json() -> None:
    run = transcript(
        calls("a"), result("short"), calls("b"), result(json.dumps({"rows": ROWS}), is_json=True), calls({"x": ROWS[1]})
    )
    (one,) = referencable(run, Words())
    assert (one.reference, one.source, one.at) == ("$r2.rows.1", 3, ("x",))


def test_json_in_a_text_counts_only_when_sniffed() -> None:
    run = transcript(calls("a"), result(json.dumps({"rows": ROWS})), calls({"x": ROWS[1]}))
    assert referencable(run, Words()) == []
    assert [one.reference for one in referencable(run, Words(), "sniff")] == ["$r1.rows.1"]


def test_a_part_of_a_text_is_none() -> None:
    run = transcript(calls("a"), result(TEXT + " end"), calls({"x": TEXT}))
    assert referencable(run, Words()) == []


def test_short_values_are_not_worth_it() -> None:
    run = transcript(
        calls("a"), result("x" * 37), calls({"x": "x" * 37}), result("y" * 38), calls({"x": "y " + "y" * 38})
    )
    assert referencable(run, Words()) == []


def test_what_is_no_shorter_in_tokens_does_not_count() -> None:
    run = transcript(calls("a"), result("x" * 80), calls({"x": "x" * 80}))
    assert referencable(run, Words()) == []


def test_only_results_before_it_and_in_the_prompt() -> None:
    assert referencable(transcript(calls({"x": TEXT}), result(TEXT)), Words()) == []
    run = transcript(calls("a"), result(TEXT), user("summary"), calls({"x": TEXT}))
    assert len(referencable(run, Words())) == 1
    assert referencable(transcript(*run.messages, cuts=(cut(2),)), Words()) == []


def test_arguments_that_would_not_come_back_are_left_alone() -> None:
    run = transcript(calls("a"), result(TEXT), calls({"x": TEXT, "y": "$r1"}))
    assert referencable(run, Words()) == []


def test_plain_text_arguments() -> None:
    run = transcript(calls("a"), result(TEXT), calls(TEXT))
    assert [one.at for one in referencable(run, Words())] == [()]
