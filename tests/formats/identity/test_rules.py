"""What makes two answers one, and what does not."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from harness.formats.identity.copies import Copies
from harness.formats.identity.index import PREFIX, index_of
from harness.formats.identity.trace import trace
from harness.transcript import Message, ToolCall, ToolResult, Transcript, Usage

PROVIDERS = "msg_0123456789abcdefghijklmn"


def said(text: str = "", **fields: object) -> Message:
    return Message("assistant", text, **fields)  # type: ignore[arg-type]


def run(name: str, *messages: Message, **fields: object) -> Transcript:
    return Transcript(name, "some-format", messages, **fields)  # type: ignore[arg-type]


def counted(*transcripts: Transcript) -> dict[str, int]:
    """Own requests of those that are left in, the same for every order."""
    found = []
    for order in itertools.islice(itertools.permutations(transcripts), 6):
        copies = index_of(map(trace, order)).copies()
        own = (copies.own(t) for t in transcripts)
        found.append({t.id: len(t.requests()) for t in own if t is not None})
    assert all(f == found[0] for f in found)
    return found[0]


def copies_of(*transcripts: Transcript) -> Copies:
    return index_of(map(trace, transcripts)).copies()


GO = Message("user", "Go.")


def test_a_providers_id_with_model_and_content_is_one_answer_at_any_time() -> None:
    a, b = (run(n, GO, said("Well.", message_id=PROVIDERS, model="m", time=t)) for n, t in (("a", 1.0), ("b", 9.0)))
    assert counted(a, b) == {"a": 1}
    other_model = run("c", GO, said("Well.", message_id=PROVIDERS, model="n", time=1.0))
    other_words = run("d", GO, said("No.", message_id=PROVIDERS, model="m", time=1.0))
    assert counted(a, other_model, other_words) == {"a": 1, "c": 1, "d": 1}


def test_an_id_of_few_numbers_is_one_answer_only_at_one_time() -> None:
    def of(name: str, time: float | None) -> Transcript:
        return run(name, GO, said("Done.", message_id="chatcmpl-483", model="m", time=time))

    assert counted(of("a", 1.5), of("b", 1.5)) == {"a": 1}
    assert counted(of("a", 1.5), of("b", 2.5)) == {"a": 1, "b": 1}
    twice = run("a", GO, *(said("Done.", message_id="chatcmpl-483", model="m") for _ in range(2)))
    assert counted(twice) == {"a": 2}


def test_without_an_id_content_and_time_decide_and_ids_that_differ_forbid() -> None:
    def of(name: str, time: float | None, **fields: object) -> Transcript:
        return run(name, GO, said("Done.", time=time, **fields))

    assert counted(of("a", 1.25), of("b", 1.25)) == {"a": 1}
    assert counted(of("a", 1.25), of("b", 1.26)) == {"a": 1, "b": 1}
    assert counted(of("a", None), of("b", None)) == {"a": 1, "b": 1}
    assert counted(of("a", 1.25, message_id="1"), of("b", 1.25, message_id="2")) == {"a": 1, "b": 1}
    assert counted(of("a", 1.25, message_id="1"), of("b", 1.25)) == {"a": 1}


def test_a_time_in_whole_seconds_needs_the_message_before_too() -> None:
    a, b = (run(n, Message("user", n), said("Done.", time=5.0)) for n in "ab")
    assert counted(a, b) == {"a": 1, "b": 1}
    assert counted(a, replace(a, id="c")) == {"a": 1}


def conversation(name: str, answers: int, last: str = "", **fields: object) -> Transcript:
    messages: list[Message] = []
    for n in range(answers):
        messages += [Message("user", f"{n}?"), said(f"{n}.")]
    return run(name, *messages, *([Message("user", last), said(last)] if last else []), **fields)


@pytest.mark.parametrize(("answers", "of_b"), [(PREFIX - 1, PREFIX), (PREFIX, 1), (PREFIX + 3, 1)])
def test_without_id_and_time_only_a_common_beginning_of_five_answers(answers: int, of_b: int) -> None:
    found = counted(conversation("a", answers), conversation("b", answers, "More."))
    assert found == {"a": answers, "b": of_b}


def test_a_beginning_that_differs_is_no_common_one() -> None:
    a = conversation("a", 9)
    b = run("b", Message("system", "Other."), *a.messages)
    assert counted(a, b) == {"a": 9, "b": 9}


def test_trials_epochs_and_repetitions_are_never_one() -> None:
    a, b = (conversation(f"{n}.json#task-1-trial-{n}", 9, run=f"task-1-trial-{n}") for n in (0, 1))
    assert set(counted(a, b).values()) == {9}
    a, b = (conversation(f"trial-{n}/x.json", 9) for n in (0, 1))
    assert set(counted(a, b).values()) == {9}
    a, b = (conversation(f"{n}/x.json#t", 9, last=n, run="t") for n in ("native", "rtk"))
    assert set(counted(a, b).values()) == {10}, "runs of a benchmark that begin alike are no forks of one another"
    a, b = (conversation(f"{n}/x.json#t", 9, run="t") for n in ("here", "there"))
    assert counted(a, b) == {"here/x.json#t": 9}


def test_cached_answers_of_two_trials_have_one_id_and_are_two_requests() -> None:
    one = said("Well.", message_id=PROVIDERS, model="m")
    assert counted(run("a", GO, one, run="trial 0"), run("b", GO, one, run="trial 1")) == {"a": 1, "b": 1}


def test_an_answer_is_counted_where_it_is_whole() -> None:
    calls = tuple(ToolCall("read", f'{{"path": "{n}"}}', f"c{n}") for n in range(3))
    broken = run("a", GO, said("Well.", calls=calls[:1], message_id=PROVIDERS, model="m", time=1.0))
    whole = run("b", GO, said("Well.", calls=calls, message_id=PROVIDERS, model="m", time=1.0))
    assert counted(broken, whole) == {"b": 1}
    used = run("c", GO, said("Well.", calls=calls, message_id=PROVIDERS, model="m", time=1.0, usage=Usage(5)))
    assert counted(broken, whole, used) == {"c": 1}


def test_of_two_that_went_on_the_earlier_holds_what_they_share() -> None:
    shared = said("Well.", message_id=PROVIDERS, model="m", time=1.0)
    late, early = (run(n, GO, shared, said(n, time=t)) for n, t in (("a", 90.0), ("b", 20.0)))
    assert counted(late, early) == {"a": 1, "b": 2}


def test_a_result_that_only_the_copy_has_is_its_own() -> None:
    asked = said(calls=(ToolCall("read", "{}", "c1"),), message_id=PROVIDERS, model="m", usage=Usage(5))
    result = Message("tool", result=ToolResult("found", call_id="c1", call=(1, 0)))
    broken_off = run("a", GO, asked)
    went_on = run("b", GO, replace(asked, usage=None), result, said("Done.", time=2.0))
    copies = copies_of(broken_off, went_on)
    own = copies.own(went_on)
    assert own is not None
    assert [m.copied for m in own.messages] == [True, True, False, False]


def work(name: str, results: int, shuffled: bool = False, **fields: object) -> Transcript:
    order = range(results - 1, -1, -1) if shuffled else range(results)
    messages: list[Message] = [GO]
    for n in order:
        messages.append(said(f"Step {n}.", calls=(ToolCall("read", "{}", f"c{n}"),), time=fields.pop("start", None)))  # type: ignore[arg-type]
        messages.append(Message("tool", result=ToolResult(f"{n} " * 300, call=(len(messages) - 1, 0))))
    return run(name, Message("system", name), *messages, **fields)


def test_the_same_work_is_left_out_by_name_and_kept_when_asked() -> None:
    a, b = work("a", 9), work("b", 9)
    index = index_of(map(trace, (a, b)))
    (pair,) = index.copies().pairs
    assert (pair.copy, pair.original, pair.kind, pair.left) == ("b", "a", "same work", True)
    kept = index.copies(keep_same_work=True)
    assert (kept.left, kept.pairs[0].left) == (frozenset(), False)


def test_of_the_same_work_the_fuller_record_stays() -> None:
    """The one with usage, though it is later and its name comes after; without usage the one with more text."""
    early, used, longer = work("a", 9, start=1.0), work("b", 9, start=2.0), work("c", 9, start=3.0)
    billed = (replace(m, usage=Usage(9)) if m.role == "assistant" else m for m in used.messages)
    used = replace(used, messages=tuple(billed))
    longer = replace(longer, messages=(*longer.messages, Message("user", "And then?")))
    assert counted(early, used) == {"b": 9}
    assert counted(early, longer) == {"c": 9}
    assert counted(early, used, longer) == {"b": 9}


def test_a_conversion_that_spells_some_calls_otherwise_is_left_out_for_its_original() -> None:
    """Its names come first, and it has more messages: the answers between those that are one are one as well."""

    def step(n: int, call: str) -> tuple[Message, ...]:
        ids = (ToolCall(call, f'{{"n": {n}}}', f"call_{n}abcdefghijklmnop"),)
        return said(calls=ids, usage=Usage(10 + n)), Message("tool", result=ToolResult(f"{n}", call=(2 * n + 1, 0)))

    searched = (*step(0, "f"), *step(1, "web_search"), *step(2, "f"))
    renamed = (*step(0, "f"), *step(1, "search_call"), *step(2, "f"), Message("user", ""))
    original, conversion = run("b", GO, *searched), replace(run("a", GO, *renamed), format="atif")
    assert counted(original, conversion) == {"b": 3}
    (pair,) = copies_of(original, conversion).pairs
    assert (pair.copy, pair.kind, pair.answers, pair.left) == ("a", "conversion", 3, True)


def test_of_the_same_work_the_record_with_the_bill_stays_whatever_its_name() -> None:
    a, b = work("a", 9), work("b", 9)
    bills = tuple(replace(m, usage=Usage(1000, output_tokens=5)) if m.role == "assistant" else m for m in b.messages)
    (pair,) = copies_of(a, replace(b, messages=bills)).pairs
    assert (pair.copy, pair.original) == ("a", "b")
    no_bill = tuple(replace(m, usage=Usage(output_tokens=5)) if m.role == "assistant" else m for m in b.messages)
    (pair,) = copies_of(a, replace(b, messages=no_bill)).pairs
    assert (pair.copy, pair.original) == ("b", "a")


def test_answers_of_a_conversion_are_counted_in_its_source_though_it_is_longer() -> None:
    a = replace(conversation("a", 6, session="s"), format="atif")
    b = conversation("b", 6, session="s")
    assert counted(replace(a, messages=(*a.messages, Message("user", "Bye."))), b) == {"b": 6}


def test_less_than_the_same_work_is_listed_and_counted() -> None:
    a = work("a", 9)
    b = run("b", *(replace(m, text=f"{m.text} Otherwise.") if m.role == "assistant" else m for m in a.messages))
    assert [(p.kind, p.left) for p in copies_of(a, b).pairs] == [("alike", False)]
    assert copies_of(work("a", 9), work("b", 9, shuffled=True)).pairs == ()
    assert copies_of(work("a", 7), work("b", 7)).pairs == ()


def test_a_fork_keeps_what_it_did_alone_though_most_of_it_is_the_same_work() -> None:
    a = work("a", 12)
    marked = tuple(
        replace(m, message_id=f"{PROVIDERS}{n}", model="m") if m.role == "assistant" else m
        for n, m in enumerate(a.messages)
    )
    a, b = run("a", *marked), run("b", *marked, Message("user", "On."), said("New."))
    assert counted(a, b) == {"a": 12, "b": 1}


def test_arguments_are_compared_as_values() -> None:
    spelled = {"a": '{"x":1,"y":2}', "b": '{"y": 2, "x": 1}'}
    one, other = (run(n, GO, said(calls=(ToolCall("f", a),), time=1.5)) for n, a in spelled.items())
    assert counted(one, other) == {"a": 1}
