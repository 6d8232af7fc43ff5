from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.evidence import find_borne
from harness.evidence.plain import AFTER, BEFORE, plain
from harness.transcript import Message, Transcript
from tests.evidence.planted import (
    answer,
    borne_texts,
    calls,
    cut,
    filler,
    result,
    system,
    transcript,
    user,
    with_atom,
)


def test_an_atom_that_only_a_result_told_is_borne() -> None:
    run = transcript(user("Find it."), calls("ls"), result("total 1\nORD-99812\n"), calls({"id": "ORD-99812"}))
    borne = find_borne(run)
    assert borne_texts(run) == [[], ["ORD-99812"]]
    (atom,) = borne.requests[1].borne
    assert (atom.kind, atom.sources, atom.arguments) == ("identifier", (2,), (0,))
    assert borne.spans(2, "ORD-99812") == [(8, 17)]


@pytest.mark.parametrize(
    "told",
    [
        system("Orders such as ORD-99812"),
        user("What of ORD-99812?"),
        calls({"id": "ORD-99812"}),
        answer("It may be ORD-99812."),
        calls("ls", text="I look for ORD-99812 now"),
    ],
)
def test_what_anything_else_told_is_not(told: Message) -> None:
    run = transcript(user("Go."), told, calls("ls"), result("ORD-99812"), calls({"id": "ORD-99812"}))
    assert borne_texts(run)[-1] == []
    assert find_borne(run).requests[-1].known == 1


def test_tool_definitions_tell_too() -> None:
    messages = (user("Go."), calls("ls"), result("mode=fast_track_9"), calls({"mode": "fast_track_9"}))
    assert borne_texts(transcript(*messages)) == [[], ["fast_track_9"]]
    assert borne_texts(transcript(*messages, tools=('{"enum":["fast_track_9"]}',))) == [[], []]


def test_what_is_used_is_the_models_own_word_from_then_on() -> None:
    run = transcript(
        calls("ls"), result("ORD-99812"), calls({"id": "ORD-99812"}), result("ok"), calls({"id": "ORD-99812"})
    )
    assert borne_texts(run) == [[], ["ORD-99812"], []]


def test_reasoning_counts_where_it_is_sent_again() -> None:
    messages = (
        calls("ls"),
        result("ORD-99812"),
        calls("pwd", reasoning="so it is ORD-99812"),
        result("/"),
        calls({"id": "ORD-99812"}),
    )
    assert borne_texts(transcript(*messages))[-1] == ["ORD-99812"]
    assert borne_texts(transcript(*messages, resends_reasoning=True))[-1] == []


def test_reasoning_of_the_same_request_does_not_count() -> None:
    run = transcript(
        calls("ls"), result("ORD-99812"), calls({"id": "ORD-99812"}, reasoning="ORD-99812", text="ORD-99812")
    )
    assert borne_texts(run) == [[], ["ORD-99812"]]
    assert borne_texts(transcript(*run.messages, resends_reasoning=True)) == [[], ["ORD-99812"]]


def test_several_results_bear_one_atom_once() -> None:
    run = transcript(
        calls("a"), result("x ORD-99812"), calls("b"), result("none"), calls("c"), result("ORD-99812 y"),
        calls({"id": "ORD-99812", "again": "ORD-99812"}, {"id": "ORD-99812"}),
    )  # fmt: skip
    (atom,) = find_borne(run).requests[-1].borne
    assert atom.sources == (1, 5)
    assert atom.arguments == (0, 1, 2)


def test_the_final_answer_is_an_action() -> None:
    run = transcript(
        calls("a"), result("Total due: 1,386.50 for HAT7731"), answer("You owe 1,386.50 for flight HAT7731.")
    )
    assert borne_texts(run)[-1] == ["1,386.50", "HAT7731"]


def test_case_counts() -> None:
    run = transcript(calls("a"), result("ord-9981x ParseHeader"), calls({"id": "ORD-9981x", "f": "parseHeader"}))
    assert borne_texts(run)[-1] == []


def test_letters_are_compared_in_composed_form() -> None:
    run = transcript(calls("a"), result("name: Ange\u0301lique_7"), calls({"id": "Ang\u00e9lique_7"}))
    assert borne_texts(run)[-1] == ["Ang\u00e9lique_7"]


@pytest.mark.parametrize(
    "written",
    [
        '{"id": "caf\\u00e9_17", "p": "a\\/b_c.py"}',
        '{"id": "café_17", "p": "a/b_c.py"}',
        r'{"input": "{\"id\": \"caf\\u00e9_17\", \"p\": \"a/b_c.py\"}"}',
        "lookup café_17 'a/b_c.py'",
    ],
)
@pytest.mark.parametrize(
    "held", ["café_17 in a/b_c.py", r'{"k":"caf\u00e9_17","p":"a\/b_c.py"}', r'"{\"k\":\"caf\\u00e9_17\\na/b_c.py\"}"']
)
def test_escaping_is_undone_on_both_sides(written: str, held: str) -> None:
    assert borne_texts(transcript(calls("a"), result(held), calls(written)))[-1] == ["café_17", "a/b_c.py"]


def test_common_things_are_in_the_background() -> None:
    held = "README.md 404 os.path.join 8080 http://localhost:8000 subprocess.run 2024 Cross-Platform".replace(" ", "\n")
    assert borne_texts(transcript(calls("a"), result(held), answer(f"So:\n{held}\nORD-1"))) == [[], []]


def test_unsourced_atoms_are_counted_and_left_out() -> None:
    run = transcript(
        calls("a"), result("ORD-99812"), calls({"id": "ORD-77777", "p": "new/made_up.py", "q": "ORD-99812"})
    )
    request = find_borne(run).requests[-1]
    assert [atom.text for atom in request.borne] == ["ORD-99812"]
    assert request.unsourced == 2


def test_the_largest_piece_that_occurs_counts() -> None:
    run = transcript(
        calls("a"), result("lib/zeta_core.py\nlib/iota_core.py"), calls("cat /srv/x/zeta_core.py lib/iota_core.py")
    )
    assert borne_texts(run)[-1] == ["zeta_core.py", "lib/iota_core.py"]


def test_a_result_that_comes_later_bears_nothing() -> None:
    run = transcript(calls({"id": "ORD-99812"}), result("ORD-99812"))
    assert borne_texts(run) == [[]]
    assert find_borne(run).requests[0].unsourced == 1


def test_messages_of_another_recording_are_no_requests_but_own_words() -> None:
    copied = Message("assistant", "I saw ORD-99812", copied=True)
    run = transcript(copied, calls("a"), result("ORD-99812 ORD-55555"), calls({"a": "ORD-99812", "b": "ORD-55555"}))
    assert borne_texts(run) == [[], ["ORD-55555"]]


def test_the_whole_value_counts_where_it_was_joined() -> None:
    run = transcript(calls("a"), result("start ...", whole="start and ORD-99812"), calls({"id": "ORD-99812"}))
    assert borne_texts(run)[-1] == ["ORD-99812"]


class TestAfterACut:
    MESSAGES = (
        user("Go."),
        calls("a"),
        result("ORD-99812 and ORD-55555 and ORD-33333"),
        user("Summary: it was ORD-55555."),
        calls({"a": "ORD-99812", "b": "ORD-55555"}),
        result("ORD-33333"),
        calls({"c": "ORD-33333"}),
    )

    def test_a_dropped_result_bears_nothing(self) -> None:
        run = transcript(*self.MESSAGES, cuts=(cut(3, 0),))
        first, second = find_borne(run).requests[1:]
        assert (first.borne, first.dropped, first.known, first.unsourced) == ((), 1, 1, 0)
        assert [(atom.text, atom.sources) for atom in second.borne] == [("ORD-33333", (5,))]

    def test_a_kept_result_does(self) -> None:
        run = transcript(*self.MESSAGES, cuts=(cut(3, 0, 1, 2),))
        first, second = find_borne(run).requests[1:]
        assert [(atom.text, atom.sources) for atom in first.borne] == [("ORD-99812", (2,))]
        assert [(atom.text, atom.sources) for atom in second.borne] == [("ORD-33333", (2, 5))]

    def test_what_a_dropped_message_told_is_forgotten(self) -> None:
        told = (user("Think of ORD-33333."), *self.MESSAGES[1:])
        assert borne_texts(transcript(*told, cuts=(cut(3),)))[-1] == ["ORD-33333"]
        assert borne_texts(transcript(*told, cuts=(cut(3, 0),)))[-1] == []

    def test_rewound_messages_never_happened(self) -> None:
        run = transcript(
            user("Go."), calls("a"), result("ORD-99812"), calls({"id": "ORD-99812"}), result("ok"),
            user("No, again."), calls("b"), result("other"), calls({"id": "ORD-99812"}),
            cuts=(cut(5, 0, 1, 2, kind="rewound"),),
        )  # fmt: skip
        assert borne_texts(run) == [[], ["ORD-99812"], [], ["ORD-99812"]]

    def test_several_cuts(self) -> None:
        run = transcript(*self.MESSAGES, cuts=(cut(3, 0, 1, 2), cut(6)))
        assert borne_texts(run)[-1] == []
        assert find_borne(run).requests[-1].dropped == 1


class TestRuns:
    LINE = "the quick survey of northern harbours found seven boats adrift near the old light house"

    def test_a_copied_stretch_is_one_run(self) -> None:
        run = transcript(
            calls("a"), result(f"   12→{self.LINE}\n   13→{filler(200)}"), calls({"old": f"xx yy {self.LINE} zz"})
        )
        (atom,) = [a for a in find_borne(run).requests[-1].borne if a.kind == "run"]
        assert (atom.text, atom.sources) == (self.LINE, (1,))

    def test_runs_end_with_the_line(self) -> None:
        second = self.LINE.replace("seven", "eleven").replace("northern", "southern")
        run = transcript(
            calls("a"), result(f"   12→{self.LINE}\n   13→{second}"), calls({"old": f"  {self.LINE}\n  {second}\nmore"})
        )
        assert [a.text for a in find_borne(run).requests[-1].borne if a.kind == "run"] == [self.LINE, second]

    def test_the_longest_stretch_of_any_result_counts(self) -> None:
        half = " ".join(self.LINE.split()[:9])
        run = transcript(
            calls("a"), result(half), calls("b"), result(f"so {self.LINE}, yes"), answer(f"I read: {self.LINE}!")
        )
        (atom,) = [a for a in find_borne(run).requests[-1].borne if a.kind == "run"]
        assert (atom.text, atom.sources) == (self.LINE, (3,))

    def test_short_stretches_are_no_runs(self) -> None:
        seven = " ".join(self.LINE.split()[:7])
        run = transcript(calls("a"), result(f"{seven}."), calls({"old": f"{seven} no"}))
        assert find_borne(run).requests[-1].borne == ()
        short = "a b c d e f g h i j k"
        assert borne_texts(transcript(calls("a"), result(f"{short}, no"), answer(f"So {short}!"))) == [[], []]

    def test_words_in_the_same_order_with_other_marks_are_no_copy(self) -> None:
        run = transcript(calls("a"), result(self.LINE.replace(" ", "; ")), answer(f"I read: {self.LINE}."))
        assert borne_texts(run)[-1] == []

    def test_a_run_that_the_user_wrote_is_known(self) -> None:
        run = transcript(user(self.LINE), calls("a"), result(self.LINE), answer(f"I read: {self.LINE}."))
        assert borne_texts(run)[-1] == []

    def test_scripts_without_spaces(self) -> None:
        line = "用户可以在设置页面里打开或关闭夜间模式并保存更改"
        run = transcript(calls("a"), result(f"一。{line}。二"), answer(f"答案是{line}。"))
        assert [(a.kind, a.text) for a in find_borne(run).requests[-1].borne] == [("run", line)]


def test_spanless_uses_are_flagged() -> None:
    run = transcript(
        calls("a"),
        result("x"),
        calls({"t": "hm"}, name="think"),
        result("ok"),
        answer("There are 3 files, 98765 in all."),
    )
    assert [request.spanless for request in find_borne(run).requests] == [(), ("tool",), ("count", "sum")]


ATOMS = ["ORD-1001", "ORD-1002", "src/alpha_mod.py", "4711", "betaValue", "gamma_3"]
MARKS = st.sampled_from([" ", "\n", ", ", '"', "=", " _x ", "\\n", "(", "7"])
TEXTS = st.lists(st.one_of(st.sampled_from(ATOMS), MARKS, st.just("word")), max_size=8).map("".join)
MESSAGES = st.lists(
    st.one_of(
        TEXTS.map(user),
        TEXTS.map(result),
        TEXTS.map(answer),
        TEXTS.map(lambda text: calls({"a": text})),
    ),
    max_size=10,
)


@st.composite
def runs(draw: st.DrawFn) -> Transcript:
    messages = draw(MESSAGES)
    at = draw(st.integers(0, len(messages)))
    keep = draw(st.lists(st.integers(0, max(at - 1, 0)), unique=True, max_size=at).map(sorted)) if at else []
    return transcript(*messages, cuts=(cut(at, *keep),) if draw(st.booleans()) else ())


@settings(max_examples=100, deadline=None)
@given(runs())
def test_against_reading_every_prompt_again(run: Transcript) -> None:
    def holds(text: str, atom: str) -> bool:
        return re.search(BEFORE + re.escape(atom) + AFTER, plain(text)) is not None

    borne = find_borne(run)
    for request, (index, shown) in zip(borne.requests, run.prompts(), strict=True):
        own = run.messages[index]
        action = " ".join(c.arguments for c in own.calls) or own.text
        found = {atom.text: atom.sources for atom in request.borne}
        for atom in ATOMS:
            results = tuple(sorted(i for i in shown if (r := run.messages[i].result) and holds(r.value, atom)))
            others = [
                i for i in shown
                if holds(run.messages[i].text, atom) or any(holds(c.arguments, atom) for c in run.messages[i].calls)
            ]  # fmt: skip
            if atom in found:
                assert holds(action, atom)
                assert found[atom] == results
                assert not others
            elif holds(action, atom) and results and not others:
                larger = [text for text in found if holds(text, atom)]
                assert larger, (atom, found)


def test_planted_rates() -> None:
    """Of 30 results each holds an atom at a known place; the answer names all of them, and two that the user named."""
    planted = [f"ITEM-{7000 + 13 * n}" for n in range(30)]
    messages = [user(f"Not {planted[0]} and {planted[1]}.")]
    for n, atom in enumerate(planted):
        messages += [calls(f"step {n}"), result(with_atom(atom, 100 * n + 50, 4000))]
    messages.append(answer(", ".join([*planted, "ITEM-1"])))
    last = find_borne(transcript(*messages)).requests[-1]
    assert [(atom.text, atom.sources) for atom in last.borne] == [(planted[n], (2 + 2 * n,)) for n in range(2, 30)]
    assert (last.known, last.unsourced) == (2, 1)
