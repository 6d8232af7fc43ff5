from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.evidence import EvidenceRun, StateCounts, find_borne
from harness.policies.rendering import Reach, Rendering
from harness.transcript import Message, Transcript
from tests.evidence.planted import answer, calls, cut, filler, result, transcript, user, views, with_atom

ATOMS = [f"ITEM-{7000 + 13 * n}" for n in range(40)]


def planted_every_100_bytes() -> Transcript:
    """40 results of 4,000 bytes; result n holds its atom at byte 100 n, and the request after it uses it."""
    messages: list[Message] = [user("Go.")]
    for n, atom in enumerate(ATOMS):
        messages += [calls(f"step {n}"), result(with_atom(atom, 100 * n + 10, 4000)), calls({"id": atom}), result("ok")]
    return transcript(*messages)


@pytest.mark.parametrize(
    ("policy", "seen"),
    [
        ("identity", lambda at: True),
        ("head:bytes=2000", lambda at: at + 9 <= 2000),
        ("head:bytes=200", lambda at: at + 9 <= 200),
        ("tail:bytes=1500", lambda at: at >= 2500),
        ("middle:bytes=1000", lambda at: at + 9 <= 500 or at >= 3500),
        ("head:bytes=2000,min_bytes=inf", lambda at: True),
        ("car", lambda at: at + 9 <= 400 or at >= 3800),
    ],
)
def test_rates_come_out_as_planted(policy: str, seen: object) -> None:
    assert callable(seen)
    run = EvidenceRun(find_borne(planted_every_100_bytes()))
    rendered = views(run.borne.transcript, policy)
    states = [states for states in run.count_all(rendered) if states.bears]
    expected = [bool(seen(100 * n + 10)) for n in range(40)]
    assert [s.short.borne for s in states] == [1] * 40
    assert [s.all_visible for s in states] == expected
    assert [s.at_risk for s in states] == [not visible for visible in expected]
    assert sum(s.short.visible for s in states) == sum(expected)
    hidden = 40 - sum(expected)
    assert sum(s.short.held for s in states) == (hidden if policy == "car" else 0)
    assert sum(s.short.lost for s in states) == (0 if policy == "car" else hidden)
    assert run.count_all(rendered) == [run.count(k, rendered) for k in range(len(run.borne.requests))]


def test_a_history_policy_hides_and_shows_again() -> None:
    run = EvidenceRun(find_borne(transcript(calls("a"), result("ORD-99812"), calls({"i": "ORD-99812"}))))
    whole, masked = Rendering("ORD-99812"), Rendering("[masked]", 9)
    assert run.count(1, {1: whole}).short == StateCounts(visible=1)
    assert run.count(1, {1: masked}).short == StateCounts(lost=1)
    assert run.count(1, {1: whole}).short == StateCounts(visible=1)
    assert run.count(0, {1: masked}).short == StateCounts()


@pytest.mark.parametrize(
    ("reach", "state"),
    [
        ("none", "lost"),
        ("rerun", "lost"),
        ("file", "unknown"),
        ("handle-read", "reachable"),
        ("handle-arg", "held"),
    ],
)
def test_what_a_policy_leaves_out_is_in_the_state_of_its_reach(reach: Reach, state: str) -> None:
    run = EvidenceRun(find_borne(transcript(calls("a"), result(f"ORD-99812 {filler(99)}"), calls({"i": "ORD-99812"}))))
    counts = run.count(1, {1: Rendering("cut", 106, reach, "r1")})
    assert counts.short == StateCounts(**{state: 1})
    assert (counts.at_risk, counts.all_visible) == (True, False)


class TestHandlesThatOnlyPassValuesOn:
    VALUE = json.dumps({"user": {"id": "mia_li_3668", "zip": 98187}, "text": "see ORD-99812 there", "a.b": "dot_key_1"})
    VIEW = {1: Rendering('r1 = json(user: map(keys=["id", "zip"]), text, "a.b")', 90, "handle-arg", "r1")}
    BLIND = {1: Rendering('r1 = json(keys=["user", "text"])', 90, "handle-arg", "r1")}

    def states(self, action: Message, is_json: bool = True, **options: str) -> StateCounts:
        run = EvidenceRun(find_borne(transcript(calls("a"), result(self.VALUE, is_json=is_json), action)))
        return run.count(1, self.VIEW, **options).every  # type: ignore[arg-type]

    def test_an_argument_that_is_a_field_is_reachable(self) -> None:
        assert self.states(calls({"user": "mia_li_3668"})) == StateCounts(reachable=1)
        assert self.states(calls({"zip": 98187})) == StateCounts(reachable=1)

    def test_a_path_that_the_model_has_not_seen_would_be_a_guess(self) -> None:
        run = EvidenceRun(find_borne(transcript(calls("a"), result(self.VALUE, True), calls({"user": "mia_li_3668"}))))
        blind, seen = run.count(1, self.BLIND), run.count(1, self.VIEW)
        assert (blind.every, blind.guessed) == (StateCounts(held=1), 1)
        assert (seen.every, seen.guessed) == (StateCounts(reachable=1), 0)
        in_an_answer = EvidenceRun(find_borne(transcript(calls("a"), result(self.VALUE, True), answer("mia_li_3668"))))
        assert (in_an_answer.count(1, self.BLIND).guessed, in_an_answer.count(1, self.VIEW).every.held) == (0, 1)

    def test_an_argument_that_only_holds_it_is_not(self) -> None:
        assert self.states(calls({"q": "user mia_li_3668!"})) == StateCounts(held=1)
        assert self.states(calls({"zip": "98187"})) == StateCounts(held=1)
        assert self.states(calls({"id": "ORD-99812"})) == StateCounts(held=1)

    def test_all_arguments_must_be_fields(self) -> None:
        assert self.states(calls({"a": "mia_li_3668"}, {"b": "mia_li_3668"})) == StateCounts(reachable=1)
        assert self.states(calls({"a": "mia_li_3668"}, {"b": "for mia_li_3668"})) == StateCounts(held=1)

    def test_an_answer_cannot_hold_references(self) -> None:
        assert self.states(answer("mia_li_3668")) == StateCounts(held=1)

    def test_a_key_with_a_dot_has_no_path(self) -> None:
        assert self.states(calls({"x": "dot_key_1"})) == StateCounts(held=1)

    def test_of_a_text_only_the_whole_can_be_passed(self) -> None:
        assert self.states(calls({"user": "mia_li_3668"}), is_json=False) == StateCounts(held=1)
        assert self.states(calls({"user": "mia_li_3668"}), is_json=False, parse="sniff") == StateCounts(reachable=1)
        whole = "the manifest of ship ORD-99812"
        run = EvidenceRun(find_borne(transcript(calls("a"), result(whole), calls({"text": whole}))))
        assert run.count(1, {1: Rendering("r1", 30, "handle-arg", "r1")}).every == StateCounts(reachable=1)

    def test_a_tool_that_shows_parts_makes_all_reachable(self) -> None:
        messages = (calls("a"), result(self.VALUE), calls({"q": "user mia_li_3668!"}))
        tools = ('{"type":"function","function":{"name":"tool_result_fetch"}}',)
        assert EvidenceRun(find_borne(transcript(*messages))).count(1, self.VIEW).every == StateCounts(held=1)
        shown = EvidenceRun(find_borne(transcript(*messages, tools=tools)))
        assert shown.count(1, self.VIEW).every == StateCounts(reachable=1)


def test_of_several_results_the_best_counts() -> None:
    run = EvidenceRun(
        find_borne(
            transcript(calls("a"), result("x ORD-99812"), calls("b"), result("ORD-99812"), calls({"i": "ORD-99812"}))
        )
    )
    gone, filed, seen = Rendering("cut", 9), Rendering("cut", 9, "handle-read"), Rendering("ORD-99812")
    assert run.count(2, {1: gone, 3: seen}).short == StateCounts(visible=1)
    assert run.count(2, {1: gone, 3: filed}).short == StateCounts(reachable=1)
    assert run.states(2, {1: gone, 3: filed}) == [("reachable", 3)]
    assert run.count(2, {1: gone, 3: gone}).short == StateCounts(lost=1)


def test_a_result_that_a_cut_dropped_does_not_count() -> None:
    messages = (calls("a"), result("x ORD-99812"), calls("b"), result("ORD-99812"), calls({"i": "ORD-99812"}))
    run = EvidenceRun(find_borne(transcript(*messages, cuts=(cut(2),))))
    assert run.count(2, {1: Rendering("x ORD-99812"), 3: Rendering("cut", 9)}).short == StateCounts(lost=1)


def test_runs_are_counted_apart() -> None:
    line = "the quick survey of northern harbours found seven boats adrift near ORD-99812"
    run = EvidenceRun(find_borne(transcript(calls("a"), result(f"{line}\nmore"), answer(f"It says: {line}."))))
    counts = run.count(1, {1: Rendering("near ORD-99812 it is", 60)})
    assert counts.runs == StateCounts(lost=1)
    assert counts.short == StateCounts(visible=1)
    assert counts.every == StateCounts(visible=1, lost=1)
    assert counts.at_risk


def test_atoms_of_a_joined_value_may_be_hidden_in_the_recording_itself() -> None:
    run = EvidenceRun(
        find_borne(transcript(calls("a"), result("start", whole="start ORD-99812"), calls({"i": "ORD-99812"})))
    )
    assert run.count(1, {1: Rendering("start", 10)}).short == StateCounts(lost=1)


WORDS = st.sampled_from(
    ["ORD-1001", "src/alpha_mod.py", "betaValue", "4711", "word", "\n", '"quoted text_7 here"', "é", "\\n"]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


@settings(max_examples=50, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5), TEXTS, st.booleans())
def test_identity_shows_all_and_budgets_only_add(texts: list[str], action: str, as_answer: bool) -> None:
    messages = [message for text in texts for message in (calls("a"), result(text))]
    run = EvidenceRun(find_borne(transcript(*messages, answer(action) if as_answer else calls({"x": action}))))
    last = len(run.borne.requests) - 1
    identity = run.count(last, views(run.borne.transcript, "identity"))
    assert identity.every.visible == identity.every.borne == len(run.borne.requests[last].borne)
    before = 0
    for size in (0, 5, 10, 20, 40, 80, 160, 320):
        visible = run.count(last, views(run.borne.transcript, f"head:bytes={size}")).every.visible
        assert before <= visible <= identity.every.visible
        before = visible
    assert before == identity.every.visible


class TestFiles:
    """A value spilled to a file is reachable by a tool that this agent has, and of a line no more than it shows."""

    LONG = f"{'x ' * 1500}ORD-99812 {'y ' * 1500}"
    SHORT = LONG.replace(" ", "\n")

    def state(self, value: str, *tools: str) -> str:
        offered = tuple(json.dumps({"name": name}) for name in tools)
        run = EvidenceRun(
            find_borne(
                transcript(
                    calls("a", name="get_user_details"),
                    result(value),
                    calls({"i": "ORD-99812"}, name="get_user_details"),
                    tools=offered,
                )
            )
        )
        ((state, source),) = run.states(1, {1: Rendering("cut", len(value), "file")})
        assert source == 1
        return state

    def test_an_agent_without_a_reader_has_lost_it(self) -> None:
        assert self.state(self.SHORT) == "lost"

    def test_a_reader_of_files_reaches_it(self) -> None:
        assert self.state(self.SHORT, "Read") == "reachable"

    def test_a_reader_that_cuts_long_lines_does_not_reach_their_middle(self) -> None:
        assert self.state(self.LONG, "Read") == "lost"
        assert self.state(self.LONG, "Read", "Bash") == "reachable"

    def test_a_tool_that_the_table_does_not_know_may_reach_it(self) -> None:
        assert self.state(self.LONG, "Read", "no such tool") == "unknown"
        assert self.state(self.SHORT, "Read", "no such tool") == "reachable"
