"""Claude Code sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import Transcript, Usage
from tests.formats.claude_session import MODEL, Session, everything, printed, text, usage, use

PROVIDERS = "msg_01abcdefghijklmnopqrstuv"
SAMPLES = {"s1.jsonl": everything().data(), "printed.jsonl": printed()}


def only(session: Session, name: str = "s1.jsonl") -> Transcript:
    transcripts, intake = read(name, session.data())
    assert [t.format for t in transcripts] == ["claude-code"]
    assert intake.problems == []
    return transcripts[0]


def shown(transcript: Transcript) -> list[list[str]]:
    """Per request, the texts of the messages in its prompt."""
    return [[said(transcript, i) for i in indices] for _, indices in transcript.prompts()]


def said(transcript: Transcript, index: int) -> str:
    message = transcript.messages[index]
    return (
        message.result.content if message.result else message.text or ",".join(c.call_id or "" for c in message.calls)
    )


def in_folder(folder: Path, **sessions: Session) -> dict[str, Transcript]:
    for name, session in sessions.items():
        path = folder / f"{name.replace('__', '/')}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(session.data())
    return {t.id: t for t in read_transcripts([folder], Intake())}


def test_the_blocks_of_one_answer_are_one_message_with_its_results_behind_it() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", text("I go."), use("t1"), stop_reason=None, usage=usage(5, 90, 10, 1))
    s.result("t1", "one")
    s.answer("msg_a", use("t2"), usage=usage(5, 90, 10, 77))
    s.result("t2", "two")
    s.answer("msg_b", text("Done."))
    transcript = only(s)
    assert [m.role for m in transcript.messages] == ["user", "assistant", "tool", "tool", "assistant"]
    answer = transcript.messages[1]
    assert (answer.text, [c.call_id for c in answer.calls], answer.message_id) == ("I go.", ["t1", "t2"], "msg_a")
    assert [transcript.messages[i].result.call for i in transcript.results()] == [(1, 0), (1, 1)]  # type: ignore[union-attr]
    assert answer.usage == Usage(105, 90, 10, 77)
    assert transcript.model == MODEL


def test_the_copy_of_the_interface_does_not_count() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", use("t1"))
    s.result("t1", "what the model saw")
    transcript = only(s)
    assert "the copy of the interface" not in repr(transcript)
    assert transcript.messages[2].result.content == "what the model saw"  # type: ignore[union-attr]


def test_an_id_made_by_hand_may_stand_for_several_answers_and_a_providers_does_not() -> None:
    for message_id, requests in (("msg_1", 2), (PROVIDERS, 1)):
        s = Session()
        s.user("Go.")
        s.answer(message_id, text("one"))
        s.user("On.")
        s.answer(message_id, text("two"))
        assert len(only(s).requests()) == requests


def test_parallel_results_on_their_own_lines_are_all_shown() -> None:
    s = Session()
    s.user("Go.")
    first = s.answer("msg_a", use("t1"))
    second = s.answer("msg_a", use("t2"))
    s.result("t1", "one", parent=first)
    s.add("attachment", attachment={"type": "hook_additional_context", "content": ["note"]})
    s.result("t2", "two", parent=second)
    s.answer("msg_b", text("Done."))
    transcript = only(s)
    assert transcript.cuts == ()
    assert shown(transcript)[-1] == ["Go.", "t1,t2", "one", "note", "two"]


def test_a_line_that_stands_before_its_parent_is_no_going_back() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", use("t1"))
    result = s.result("t1", "one")
    s.add("attachment", parent="s1-u5", attachment={"type": "task_reminder", "content": "remember"})
    s.add("attachment", parent=result, attachment={"type": "hook_success", "hookEvent": "PostToolUse", "content": "x"})
    s.answer("msg_b", text("Done."), parent="s1-u4")
    transcript = only(s)
    assert transcript.cuts == ()
    assert shown(transcript)[-1] == ["Go.", "t1", "one", "remember"]


def test_a_user_who_goes_back_leaves_a_branch_that_no_later_prompt_holds() -> None:
    s = Session()
    s.user("Go.")
    fork = s.answer("msg_a", text("Where?"))
    s.user("Left.")
    s.answer("msg_b", use("t1"), use("t2"))
    s.result("t1", "a wall")
    s.result("t2", "a ditch", parent="s1-u5")
    s.user("Right.", parent=fork)
    s.answer("msg_c", text("A meadow."))
    transcript = only(s)
    assert [(c.kind, c.at, c.keep) for c in transcript.cuts] == [("rewound", 6, (0, 1))]
    assert shown(transcript) == [["Go."], ["Go.", "Where?", "Left."], ["Go.", "Where?", "Right."]]


def test_a_user_who_goes_back_to_the_first_branch_has_it_again() -> None:
    s = Session()
    s.user("Go.")
    fork = s.answer("msg_a", text("Where?"))
    s.user("Left.")
    left = s.answer("msg_b", text("A wall."))
    s.user("Right.", parent=fork)
    s.answer("msg_c", text("A meadow."))
    s.user("Over it.", parent=left)
    s.answer("msg_d", text("A sea."))
    transcript = only(s)
    assert [(c.kind, c.keep) for c in transcript.cuts] == [("rewound", (0, 1)), ("rewound", (0, 1, 2, 3))]
    assert shown(transcript)[-1] == ["Go.", "Where?", "Left.", "A wall.", "Over it."]


def test_a_prompt_that_hangs_on_nothing_begins_anew() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", text("Where?"))
    s.user("Start again.", parent=None)
    s.answer("msg_b", text("Well."))
    assert shown(only(s)) == [["Go."], ["Start again."]]


def test_a_file_whose_lines_name_no_parents_is_read_straight_on() -> None:
    s = Session()
    s.user("Go.", parent=None)
    s.answer("msg_a", text("Where?"), parent=None)
    s.user("Left.", parent=None)
    s.answer("msg_b", text("Well."), parent=None)
    assert shown(only(s))[-1] == ["Go.", "Where?", "Left."]


def test_a_parent_that_is_not_in_the_file_proves_nothing() -> None:
    s = Session()
    s.user("Go.", parent="elsewhere")
    s.answer("msg_a", text("Where?"), parent="elsewhere too")
    s.user("Left.", parent="and this")
    s.answer("msg_b", text("Well."))
    assert shown(only(s))[-1] == ["Go.", "Where?", "Left."]


def test_after_a_compaction_the_prompt_holds_the_summary() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", text("Where?"))
    s.add("system", subtype="compact_boundary", parent=None, logicalParentUuid=s.latest)
    s.user("Summary.", isCompactSummary=True, isVisibleInTranscriptOnly=True)
    s.answer("msg_b", text("Well."))
    transcript = only(s)
    assert [(c.kind, c.at, c.keep) for c in transcript.cuts] == [("compacted", 2, ())]
    assert shown(transcript)[-1] == ["Summary."]


def test_a_compaction_can_keep_a_stretch() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", text("Where?"))
    head = s.user("Left.")
    tail = s.answer("msg_b", text("Well."))
    kept = {"headUuid": head, "tailUuid": tail, "anchorUuid": "s1-u6"}
    s.add("system", subtype="compact_boundary", parent=None, compactMetadata={"preservedSegment": kept})
    s.user("Summary.", isCompactSummary=True)
    s.user("On.", parent=tail)
    s.answer("msg_c", text("Good."))
    transcript = only(s)
    assert [(c.kind, c.at, c.keep) for c in transcript.cuts] == [("compacted", 4, (2, 3))]
    assert shown(transcript)[-1] == ["Left.", "Well.", "Summary.", "On."]


def test_results_that_the_client_cleared_are_in_no_later_prompt() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", use("t1"), use("t2"))
    s.result("t1", "old")
    s.result("t2", "new")
    s.add("system", subtype="microcompact_boundary", microcompactMetadata={"compactedToolIds": ["t1", "t9"]})
    s.answer("msg_b", text("Well."))
    transcript = only(s)
    assert [c.kind for c in transcript.cuts] == ["cleared"]
    assert shown(transcript)[-1] == ["Go.", "t1,t2", "new"]


def test_a_result_that_was_replaced_before_it_was_sent_keeps_its_whole_value() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", use("t1"))
    s.result("t1", "a long text")
    s.lines.append(
        {
            "type": "content-replacement",
            "sessionId": "s1",
            "replacements": [{"toolUseId": "t1", "replacement": "short"}],
        }
    )
    result = only(s).messages[2].result
    assert result is not None
    assert (result.content, result.value) == ("short", "a long text")


def test_repeated_lines_and_unknown_kinds_are_left_out() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", use("t1"))
    s.result("t1", "one")
    s.lines += s.lines[:]
    for kind in ("progress", "custom-title", "pr-link", "a-kind-of-tomorrow"):
        s.lines.append({"type": kind, "sessionId": "s1", "content": "not shown"})
    transcript = only(s)
    assert len(transcript.messages) == 3
    assert transcript.notes == ("3 repeated lines left out",)


def test_what_the_client_says_for_the_model_is_no_request() -> None:
    s = Session()
    s.user("Go.")
    s.add("assistant", isApiErrorMessage=True, message={"model": "<synthetic>", "content": [text("API Error")]})
    s.answer("m2", text("No response requested."), model="<synthetic>")
    s.user("Go on.")
    s.answer("msg_a", text("Well."))
    transcript = only(s)
    assert [said(transcript, i) for i in transcript.requests()] == ["Well."]
    assert shown(transcript) == [["Go.", "No response requested.", "Go on."]]
    assert transcript.model == MODEL
    assert transcript.notes == ("1 error messages of the client left out",)


def test_thinking_images_and_what_is_encrypted() -> None:
    s = Session()
    s.user([text("Look."), {"type": "image", "source": {}}])
    withheld = {"type": "thinking", "thinking": "", "signature": "x" * 80}
    s.answer("msg_a", {"type": "thinking", "thinking": "Hm."}, withheld, {"type": "redacted_thinking"}, text("A cat."))
    transcript = only(s)
    assert (transcript.messages[0].images, transcript.messages[0].text) == (1, "Look.")
    answer = transcript.messages[1]
    assert (answer.reasoning, answer.encrypted, answer.text) == ("Hm.", 2, "A cat.")


@pytest.mark.parametrize(
    ("model", "resends"),
    [("claude-opus-4-5-20251101", True), ("claude-sonnet-4-5-20250929", False), ("claude-opus-4-20250514", False)],
)
def test_thinking_of_earlier_turns_is_sent_again_by_the_model(model: str, resends: bool) -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", {"type": "thinking", "thinking": "Hm."}, model=model)
    transcript = only(s)
    assert transcript.resends_reasoning is resends
    assert ("thinking that later prompts of the same turn hold" in transcript.unknown) is not resends


def test_a_result_of_parts_is_text_and_one_of_references_is_json() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", use("t1"), use("t2"))
    s.result("t1", [text("a"), text("b"), {"type": "image"}])
    s.result("t2", [{"type": "tool_reference", "tool_name": "Ω"}])
    transcript = only(s)
    first, second = (transcript.messages[i] for i in transcript.results())
    assert first.result is not None
    assert second.result is not None
    assert (first.result.content, first.result.is_json, first.images) == ("a\nb", False, 1)
    assert (second.result.content, second.result.is_json) == ('{"type":"tool_reference","tool_name":"Ω"}', True)


def test_errors_and_exit_codes_where_they_are_recorded() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", use("t1"), use("t2"), use("t3"))
    s.result("t1", "Exit code 127\nnot found", is_error=True)
    s.result("t2", "Exit code 1 is what grep says", is_error=False)
    s.result("t3", "fine")
    results = [m.result for m in only(s).messages if m.result]
    assert [(r.is_error, r.exit_code) for r in results] == [(True, 127), (False, None), (None, None)]


def test_output_counts_of_the_first_event_are_not_reported() -> None:
    s = Session()
    s.user("Go.")
    for number in range(4):
        s.answer(f"msg_{number}", text("word " * 60), stop_reason=None, usage=usage(10, 0, 0, 1))
    s.answer("msg_x", text("word"), stop_reason=None, usage=usage(10, 0, 0, 1))
    transcript = only(s)
    assert [m.usage and m.usage.output_tokens for m in transcript.messages[1:]] == [None] * 5
    assert transcript.messages[1].usage == Usage(10, 0, 0, None)
    s = Session()
    s.user("Go.")
    s.answer("msg_a", text("word " * 60), usage=usage(10, 0, 0, 61))
    assert only(s).messages[1].usage == Usage(10, 0, 0, 61)


def test_times_that_go_backwards_stay_and_are_noted() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", text("Well."))
    s.lines[1]["timestamp"] = "2025-01-01T00:00:00Z"
    transcript = only(s)
    assert transcript.notes == ("1 times that go backwards",)
    assert transcript.messages[0].time == 1_750_000_001


@pytest.mark.parametrize(
    ("attachment", "said"),
    [
        ({"type": "hook_success", "hookEvent": "SessionStart", "content": "hello"}, ["hello"]),
        ({"type": "hook_success", "hookEvent": "PostToolUse", "content": "hello"}, []),
        ({"type": "hook_additional_context", "content": ["a", "b"]}, ["a\nb"]),
        ({"type": "nested_memory", "path": "/x", "content": {"type": "Project", "content": "rules"}}, ["rules"]),
        ({"type": "file", "content": {"type": "text", "file": {"filePath": "/x", "content": "body"}}}, ["body"]),
        ({"type": "queued_command", "prompt": [{"type": "text", "text": "wait"}]}, ['{"type":"text","text":"wait"}']),
        ({"type": "deferred_tools_delta", "addedNames": ["A", "B"], "addedLines": ["A: x"]}, ["A: x"]),
        ({"type": "deferred_tools_delta", "addedNames": ["A", "B"]}, ["A\nB"]),
        ({"type": "hook_cancelled", "content": "x"}, []),
        ({"type": "edited_text_file", "filename": "a.py", "snippet": "1\tx"}, ["a.py\n1\tx"]),
    ],
)
def test_attachments_stand_in_the_prompt_as_far_as_they_are_recorded(attachment: Any, said: list[str]) -> None:
    s = Session()
    s.add("attachment", attachment=attachment)
    s.user("Go.")
    s.answer("msg_a", text("Well."))
    transcript = only(s)
    assert shown(transcript) == [[*said, "Go."]]
    assert transcript.notes == ()


def test_attachments_of_unknown_kinds_are_noted() -> None:
    s = Session()
    s.add("attachment", attachment={"type": "a-kind-of-tomorrow", "content": "x"})
    s.user("Go.")
    assert only(s).notes == ("1 attachments whose text is not recorded",)


def test_local_commands_stand_in_the_prompt() -> None:
    s = Session()
    s.user("Caveat: ...", isMeta=True)
    s.user("<local-command-stdout>ok</local-command-stdout>")
    s.add("system", subtype="local_command", content="<command-name>/cost</command-name>")
    s.add("system", subtype="turn_duration", durationMs=5)
    s.user("Go.")
    s.answer("msg_a", text("Well."))
    assert [t[:9] for t in shown(only(s))[0]] == ["Caveat: .", "<local-co", "<command-", "Go."]


def test_sub_agents_inline_are_transcripts_of_their_own() -> None:
    s = Session()
    s.user("Go.")
    s.answer("msg_a", use("t1", "Task"))
    s.result("t1", "found")
    s.answer("msg_b", text("Well."))
    side = Session("s1", isSidechain=True)
    side.number = 100
    side.user("Search.", agentId="a7")
    side.answer("msg_s", text("Found."))
    side.lines[-1]["agentId"] = "a7"
    unnamed = Session("s1", isSidechain=True)
    unnamed.number = 200
    unnamed.user("Search more.")
    unnamed.answer("msg_t", text("Nothing."))
    s.lines[2:2] = [side.lines[0], unnamed.lines[0], side.lines[1], unnamed.lines[1]]
    transcripts, _ = read("p/s1.jsonl", s.data())
    assert [(t.id, t.parent, len(t.requests())) for t in transcripts] == [
        ("p/s1.jsonl", None, 2),
        ("p/s1.jsonl#a7", "p/s1.jsonl", 1),
        ("p/s1.jsonl#sidechain-3", "p/s1.jsonl", 1),
    ]
    assert [shown(t)[-1] for t in transcripts[1:]] == [["Search."], ["Search more."]]


def test_sub_agents_in_their_own_files_name_their_session(tmp_path: Path) -> None:
    main = Session("s1")
    main.user("Go.")
    main.answer("msg_a", text("Well."))
    agents = {}
    for name in ("s1__subagents__agent-a1", "agent-a2"):
        agent = Session("s1", isSidechain=True, agentId=name[-2:], cwd="/home/me/shop/.claude/worktrees/agent-x")
        agent.number = 100 * len(name)
        agent.user("Search.")
        agent.answer("msg_s", text("Found."))
        agents[name] = agent
    found = in_folder(tmp_path, s1=main, **agents)
    assert {t.id: t.parent for t in found.values()} == {
        "s1.jsonl": None,
        "agent-a2.jsonl": "s1.jsonl",
        "s1/subagents/agent-a1.jsonl": "s1.jsonl",
    }
    assert {t.cluster for t in found.values()} == {"/home/me/shop"}


def resumed(original: Session, session: str) -> Session:
    copy = Session(session)
    copy.lines = [{**line, "sessionId": session} for line in original.lines]
    copy.latest, copy.number = original.latest, 50
    return copy


def test_a_resumed_session_counts_only_its_own_requests(tmp_path: Path) -> None:
    first = Session("s1")
    first.user("Go.")
    first.answer("msg_a", use("t1"))
    first.result("t1", "one")
    first.answer("msg_b", text("Well."))
    second = resumed(first, "s2")
    second.user("On.")
    second.answer("msg_c", text("Good."))
    third = resumed(second, "s3")
    third.user("And on.")
    third.answer("msg_d", text("Bye."))
    found = in_folder(tmp_path, s1=first, s2=second, s3=third)
    assert {name: len(t.requests()) for name, t in found.items()} == {"s1.jsonl": 2, "s2.jsonl": 1, "s3.jsonl": 1}
    assert shown(found["s3.jsonl"])[-1] == ["Go.", "t1", "one", "Well.", "On.", "Good.", "And on."]
    assert [m.copied for m in found["s2.jsonl"].messages] == [True] * 4 + [False] * 2


def test_of_two_that_both_went_on_the_one_that_did_earlier_holds_the_shared_lines(tmp_path: Path) -> None:
    first = Session("s1")
    first.user("Go.")
    first.answer("msg_a", text("Well."))
    second = resumed(first, "s2")
    first.user("On here.")
    second.user("On there.")
    found = in_folder(tmp_path, s1=first, s2=second)
    assert {name: len(t.requests()) for name, t in found.items()} == {"s1.jsonl": 1}


def test_lines_under_another_sessions_id_count_unless_that_session_is_there(tmp_path: Path) -> None:
    s = Session("s0")
    s.user("Go.")
    s.answer("msg_a", text("Well."))
    old = Session("s0")
    old.lines = list(s.lines)
    s.common["sessionId"] = "s1"
    s.user("On.")
    s.answer("msg_b", text("Good."))
    assert len(only(s).requests()) == 2
    found = in_folder(tmp_path, s0=old, s1=s)
    assert {name: len(t.requests()) for name, t in found.items()} == {"s0.jsonl": 1, "s1.jsonl": 1}


def test_a_sub_agent_that_begins_with_its_parents_lines_copied_them(tmp_path: Path) -> None:
    main = Session("s1")
    main.user("Go.")
    main.answer("msg_a", text("Well."))
    agent = Session("s1", isSidechain=True, agentId="a1")
    agent.lines = [{**line, "isSidechain": True, "agentId": "a1"} for line in main.lines]
    agent.latest, agent.number = main.latest, 50
    agent.user("Search.")
    agent.answer("msg_s", text("Found."))
    found = in_folder(tmp_path, s1=main, s1__subagents__agent_a1=agent)
    assert {t.id: len(t.requests()) for t in found.values()} == {"s1.jsonl": 1, "s1/subagents/agent_a1.jsonl": 1}


def test_the_printed_stream_is_read_alike() -> None:
    transcripts, intake = read("printed.jsonl", printed())
    assert intake.problems == []
    main, agent = transcripts
    assert [m.role for m in main.messages] == ["user", "assistant", "tool", "assistant"]
    assert main.messages[1].calls[0].call_id == "t1"
    assert main.cuts == ()
    assert shown(main)[-1] == ["Go.", "I ask.", "found"]
    assert (agent.id, agent.parent, shown(agent)) == ("printed.jsonl#t1", "printed.jsonl", [["Search."]])
    assert main.cluster == "/home/me/shop"


SPILLED = (
    "<persisted-output>\nOutput too large (52KB). Full output saved to: {path}\n\nPreview (first 2KB):\n"
    "{preview}\n...\n</persisted-output>"
)


def spilling(path: str) -> Session:
    s = Session("s1")
    s.user("Go.")
    s.answer("msg_a", use("t1"))
    s.result("t1", SPILLED.format(path=path, preview="the beginning"))
    return s


def whole(found: dict[str, Transcript], name: str = "s1.jsonl") -> str | None:
    result = found[name].messages[2].result
    assert result is not None
    assert (result.clipped or "").startswith("persisted-output")
    return result.whole


@pytest.mark.parametrize("path", ["/home/me/.claude/projects/x/s1/tool-results/b1.txt", "C:\\x\\tool-results\\b1.txt"])
def test_a_spilled_result_is_joined_with_its_file(tmp_path: Path, path: str) -> None:
    (tmp_path / "s1" / "tool-results").mkdir(parents=True)
    (tmp_path / "s1" / "tool-results" / "b1.txt").write_text("the beginning and the end: Ω", encoding="utf-8")
    assert whole(in_folder(tmp_path, s1=spilling(path))) == "the beginning and the end: Ω"


def test_a_spilled_result_is_found_by_its_calls_id_and_from_a_sub_agent(tmp_path: Path) -> None:
    (tmp_path / "s1" / "tool-results").mkdir(parents=True)
    blocks = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    (tmp_path / "s1" / "tool-results" / "t1.json").write_text(json.dumps(blocks), encoding="utf-8")
    found = in_folder(tmp_path, s1__subagents__agent=spilling("nowhere"))
    assert whole(found, "s1/subagents/agent.jsonl") == "a\nb"


def test_a_path_out_of_a_transcript_is_never_opened(tmp_path: Path) -> None:
    (tmp_path / "s1" / "tool-results").mkdir(parents=True)
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    (tmp_path / "s1" / "tool-results" / "link.txt").symlink_to(secret)
    for path in (str(secret), "../../secret.txt", "s1/tool-results/link.txt", "/x/\0.txt"):
        assert whole(in_folder(tmp_path, s1=spilling(path))) is None


def test_a_session_that_says_nothing_is_skipped_with_a_sentence() -> None:
    line = {"type": "summary", "summary": "Shop", "leafUuid": "x"}
    transcripts, intake = read("s1.jsonl", json.dumps(line).encode())
    assert (transcripts, intake.problems) == ([], [])
    assert intake.skipped == [("s1.jsonl", "a session without messages (only its title or settings)")]
    assert read("s1.jsonl", b"")[1].skipped == [("s1.jsonl", "empty file")]


def test_line_separators_of_unicode_do_not_end_a_line() -> None:
    s = Session()
    s.user("a\u2028b\x85c\x0bd")
    s.answer("msg_a", text("Well."))
    data = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in s.lines)
    transcripts, intake = read("s1.jsonl", data)
    assert intake.problems == []
    assert transcripts[0].messages[0].text == "a\u2028b\x85c\x0bd"


def test_sessions_of_an_agent_with_lines_alike_are_another_formats() -> None:
    line = {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "message": {"parts": [{"text": "Go."}]}}
    assert read("s.jsonl", json.dumps(line).encode())[0][0].format == "qwen-code"


def test_broken_lines_are_named_and_passed_over() -> None:
    data = everything().data().splitlines(keepends=True)
    deep = b'{"type":"user","message":' + b"[" * 100_000 + b"\n"
    wrong = b'{"type":"user","sessionId":"s1","uuid":7,"message":{"content":5}}\n'
    broken = [data[0], b"{\x00}\n", b'"text"\n', deep, wrong, b'{"a": "\xff"}\n', *data[1:-1], data[-1][:40]]
    transcripts, intake = read("s1.jsonl", b"".join(broken))
    assert [p.place for p in intake.problems] == [f"s1.jsonl: line {n}" for n in (2, 3, 4, 6, len(data) + 5)]
    assert "ends in the middle" in intake.problems[-1].reason
    whole_ones, _ = read("s1.jsonl", everything().data())
    assert len(transcripts) == len(whole_ones) == 2
    assert [(p.place, p.reason) for p in transcripts[0].problems] == [
        ("s1.jsonl: line 5", "uuid is a number, not a string"),
        ("s1.jsonl: line 5.message", "content is a number, not an array"),
    ]


def test_nan_and_lone_surrogates_are_read() -> None:
    data = everything().data().replace(b'"preTokens": 9000', b'"preTokens": NaN').replace(b"Count the", b"\\ud800 the")
    transcripts, intake = read("s1.jsonl", data)
    assert intake.problems == []
    assert transcripts[0].messages[2].text == "\ud800 the orders."


def test_a_session_that_hops_between_branches_takes_bounded_work() -> None:
    s = Session()
    root = s.user("Go.")
    tips = [root, root]
    for number in range(600):
        tips[number % 2] = s.user(f"{number}", parent=tips[number % 2])
    assert len(only(s).messages) == 601


@pytest.mark.parametrize("sample", SAMPLES)
def test_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("claude-code", sample, SAMPLES[sample], 200)


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_many_mutants_are_read_or_refused_by_name(sample: str) -> None:
    survive("claude-code", sample, SAMPLES[sample], 2000, seed=2)
