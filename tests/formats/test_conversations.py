from __future__ import annotations

from harness.formats.conversations import Conversations, Logged
from harness.transcript import Cut, Message, ToolCall, ToolResult, Transcript, Usage

SYSTEM = Message("system", "You help.")


def user(text: str) -> Message:
    return Message("user", text)


def said(text: str, *ids: str, tokens: int | None = None) -> Message:
    usage = None if tokens is None else Usage(tokens)
    return Message("assistant", text, calls=tuple(ToolCall("f", "{}", i) for i in ids), usage=usage)


def gave(call_id: str, text: str) -> Message:
    return Message("tool", result=ToolResult(text, call_id=call_id))


def conversations(*requests: tuple[list[Message], list[Message]]) -> list[Transcript]:
    found = Conversations("log.json")
    for prompt, answer in requests:
        found.add(Logged(prompt, answer))
    return list(found.transcripts("log.json", "some-log"))


def shown(run: Transcript) -> list[list[int]]:
    return [list(indices) for _, indices in run.prompts()]


def test_prompts_that_only_grow_are_one_conversation_with_every_message_once() -> None:
    first = [SYSTEM, user("Go.")]
    second = [*first, said("", "a"), gave("a", "one")]
    third = [*second, said("", "b"), gave("b", "two"), user("More.")]
    (run,) = conversations(
        (first, [said("", "a", tokens=10)]), (second, [said("", "b", tokens=20)]), (third, [said("Done.", tokens=30)])
    )
    assert run.id == "log.json"
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "assistant", "tool", "user", "assistant",
    ]  # fmt: skip
    assert [m.usage.input_tokens for m in run.messages if m.usage] == [10, 20, 30]
    assert [(r.content, r.call) for m in run.messages if (r := m.result)] == [("one", (2, 0)), ("two", (4, 0))]
    assert run.cuts == ()
    assert run.problems == ()
    assert not any(m.copied for m in run.messages)


def test_the_echo_of_an_answer_may_lack_what_is_not_sent_again() -> None:
    first = [user("Go.")]
    answer = Message("assistant", "Yes. ", calls=(ToolCall("f", '{"a": 1}', "a"),), reasoning="hm", usage=Usage(5))
    echo = Message("assistant", "Yes.", calls=(ToolCall("f", '{"a":1}', "a"),))
    (run,) = conversations((first, [answer]), ([*first, echo, gave("a", "x")], [said("Done.")]))
    assert run.messages[1] == answer
    assert not run.resends_reasoning
    assert len(run.messages) == 4
    assert run.cuts == ()


def test_prompts_tell_whether_reasoning_is_sent_again() -> None:
    answer = Message("assistant", "Yes.", reasoning="hm")
    (run,) = conversations(([user("Go.")], [answer]), ([user("Go."), answer, user("On.")], [said("Done.")]))
    assert run.resends_reasoning
    assert len(run.messages) == 4


def test_a_shortened_result_is_shown_in_place_of_the_whole_one() -> None:
    first = [user("Go."), said("", "a"), gave("a", "long " * 100)]
    second = [user("Go."), said("", "a"), gave("a", "[gone]"), said("", "b"), gave("b", "x")]
    (run,) = conversations((first, [said("", "b")]), (second, [said("Done.")]))
    assert len(run.results()) == 2
    assert run.messages[4] == Message("user", "[gone]")
    assert run.cuts == (Cut(6, (0, 1, 4, 3, 5), "cleared"),)
    assert shown(run)[-1] == [0, 1, 4, 3, 5]
    assert run.problems == ()


def test_a_summary_that_replaces_the_middle() -> None:
    first = [SYSTEM, user("Go.")]
    second = [*first, said("One."), user("On.")]
    third = [SYSTEM, user("Summary: one."), said("Two."), user("On.")]
    (run,) = conversations((first, [said("One.")]), (second, [said("Two.")]), (third, [said("Three.")]))
    assert shown(run) == [[0, 1], [0, 1, 2, 3], [0, 5, 4, 3]]
    assert len(run.requests()) == 3


def test_the_same_prompt_again_is_a_request_that_went_back() -> None:
    (run,) = conversations(([user("Go.")], [said("A.")]), ([user("Go.")], [said("B.")]))
    assert run.cuts == (Cut(2, (0,), "rewound"),)
    assert shown(run) == [[0], [0]]


def test_another_task_with_the_same_system_prompt_is_another_conversation() -> None:
    runs = conversations(
        ([SYSTEM, user("One.")], [said("A.")]),
        ([SYSTEM, user("Two.")], [said("B.")]),
        ([SYSTEM, user("One."), said("A."), user("On.")], [said("C.")]),
    )
    assert [(r.id, len(r.requests())) for r in runs] == [("log.json#1", 2), ("log.json#2", 1)]


def test_earlier_answers_in_a_first_prompt_are_requests_and_later_strangers_are_not() -> None:
    first = [user("Go."), said("Before."), user("On.")]
    second = [*first, said("A."), said("Put in by the agent."), user("On.")]
    (run,) = conversations((first, [said("A.")]), (second, [said("B.")]))
    assert [(m.text, m.copied) for m in run.messages if m.role == "assistant"] == [
        ("Before.", False), ("A.", False), ("Put in by the agent.", True), ("B.", False),
    ]  # fmt: skip


def test_a_failed_request_has_no_answer() -> None:
    (run,) = conversations(([user("Go.")], []), ([user("Go.")], [said("A.")]))
    assert [m.role for m in run.messages] == ["user", "assistant"]
    assert run.cuts == ()


def test_many_unrelated_requests_with_the_same_answer() -> None:
    runs = conversations(*(([user(f"Task {n}.")], [said("Done.")]) for n in range(3000)))
    assert len(runs) == 3000
    (run, *others) = conversations(
        *(([user(f"Task {n}.")], [said("Done.")]) for n in range(20)),
        ([user("Task 19."), said("Done."), user("More.")], [said("A.")]),
    )[19:]
    assert others == []
    assert [m.text for m in run.messages] == ["Task 19.", "Done.", "More.", "A."]
