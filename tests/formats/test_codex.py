"""Codex rollouts."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import Transcript, Usage

WRAPPED = '{"output":"a\\nb\\n","metadata":{"exit_code":3,"duration_seconds":0.1}}'
EXEC = (
    "Chunk ID: a1\nWall time: 1.0 seconds\nProcess exited with code 2\nOriginal token count: 5\nOutput:\nExit code: 9\n"
)


class Rollout:
    """Lines in their order, a second apart."""

    def __init__(self, **meta: Any) -> None:
        self.lines: list[dict[str, Any]] = []
        self.total = 0
        self.line("session_meta", {"id": "th1", "cwd": "/w", "base_instructions": {"text": "You code."}, **meta})

    def line(self, kind: str, payload: dict[str, Any], at: float | None = None, **fields: Any) -> None:
        seconds = 1_750_000_000 + (len(self.lines) if at is None else at)
        self.lines.append(
            {"timestamp": datetime.fromtimestamp(seconds, UTC).isoformat(), "type": kind, "payload": payload, **fields}
        )

    def item(self, kind: str, **fields: Any) -> None:
        self.line("response_item", {"type": kind, **fields})

    def event(self, kind: str, **fields: Any) -> None:
        self.line("event_msg", {"type": kind, **fields})

    def user(self, said: str) -> None:
        self.item("message", role="user", content=[{"type": "input_text", "text": said}])
        self.event("user_message", message=said)

    def says(self, said: str) -> None:
        self.event("agent_message", message=said)
        self.item("message", role="assistant", content=[{"type": "output_text", "text": said}])

    def call(self, call_id: str, name: str = "exec_command", arguments: str = '{"cmd":"ls"}') -> None:
        self.item("function_call", name=name, arguments=arguments, call_id=call_id)

    def output(self, call_id: str, output: Any) -> None:
        self.item("function_call_output", call_id=call_id, output=output)

    def tokens(self, given: int, made: int, cached: int = 0) -> None:
        self.total += given + made
        last = {
            "input_tokens": given,
            "cached_input_tokens": cached,
            "output_tokens": made,
            "total_tokens": given + made,
        }
        self.event("token_count", info={"last_token_usage": last, "total_token_usage": {"total_tokens": self.total}})

    def data(self) -> bytes:
        return b"".join(json.dumps(line).encode() + b"\n" for line in self.lines)


def only(rollout: Rollout) -> Transcript:
    transcripts, intake = read("2026/r.jsonl", rollout.data())
    assert [t.format for t in transcripts] == ["codex"]
    assert intake.problems == []
    return transcripts[0]


def shown(transcript: Transcript) -> list[list[str]]:
    messages = transcript.messages
    said = [m.result.content if m.result else m.text or ",".join(c.name for c in m.calls) for m in messages]
    return [[said[i] for i in indices] for _, indices in transcript.prompts()]


def everything() -> Rollout:
    r = Rollout(git={"repository_url": "git@example.org:me/shop.git"}, cli_version="0.125.0")
    r.event("task_started", turn_id="1")
    r.item("message", role="developer", content=[{"type": "input_text", "text": "Ask first."}])
    r.line("turn_context", {"model": "gpt-5.5", "cwd": "/w"})
    r.user("Count the orders.")
    r.item("reasoning", summary=[{"type": "summary_text", "text": "I look."}], encrypted_content="zzz")
    r.says("I look.")
    r.call("c1")
    r.call("c2", "update_plan", "{}")
    r.tokens(1000, 60, 512)
    r.output("c1", EXEC)
    r.output("c2", "Plan updated")
    r.item("custom_tool_call", call_id="c3", name="apply_patch", input="*** Begin Patch\nΩ", status="completed")
    r.item("local_shell_call", call_id="c4", action={"type": "exec", "command": ["ls"]})
    r.item("web_search_call", status="completed", action={"type": "search", "query": "x"})
    r.tokens(1200, 30)
    r.item("custom_tool_call_output", call_id="c3", output=WRAPPED)
    parts = [{"type": "input_text", "text": "seen"}, {"type": "input_image", "image_url": "data:"}]
    r.output("c4", parts)
    r.item("tool_search_call", call_id="c5", arguments={"query": "db"})
    r.tokens(1300, 30)
    r.item("tool_search_output", call_id="c5", tools=[{"name": "db"}])
    r.event("turn_aborted", reason="interrupted")
    r.user("Go on.")
    r.says("Done.")
    r.tokens(1400, 5)
    return r


SAMPLES = {"r.jsonl": everything().data()}


def test_a_request_is_a_run_of_items_that_the_model_made() -> None:
    transcript = only(everything())
    assert [m.role for m in transcript.messages] == [
        *("system", "system", "user", "assistant", "tool", "tool", "assistant", "tool", "tool", "assistant", "tool"),
        *("user", "assistant"),
    ]
    first, second, third, _ = (transcript.messages[i] for i in transcript.requests())
    assert (first.text, first.reasoning, first.encrypted) == ("I look.", "I look.", 1)
    assert [(c.name, c.arguments, c.call_id) for c in first.calls] == [
        ("exec_command", '{"cmd":"ls"}', "c1"),
        ("update_plan", "{}", "c2"),
    ]
    assert [(c.name, c.arguments) for c in second.calls] == [
        ("apply_patch", "*** Begin Patch\nΩ"),
        ("local_shell", '{"type":"exec","command":["ls"]}'),
        ("web_search", '{"type":"search","query":"x"}'),
    ]
    assert third.calls[0].name == "tool_search"
    assert [m.usage for m in (first, second)] == [Usage(1000, 512, None, 60), Usage(1200, 0, None, 30)]
    assert (transcript.cluster, transcript.model) == ("git@example.org:me/shop.git", "gpt-5.5")
    assert transcript.messages[0].text == "You code."
    assert transcript.unknown == ("tool definitions", "tokens of encrypted reasoning")
    assert transcript.notes == ("1 turns that the user broke off",)
    assert not transcript.resends_reasoning


def test_a_result_is_the_text_that_was_sent() -> None:
    results = [m.result for m in only(everything()).messages if m.result]
    assert [(r.content, r.is_json, r.exit_code) for r in results] == [
        (EXEC, False, 2),
        ("Plan updated", False, None),
        (WRAPPED, False, 3),
        ("seen", False, None),
        ('[{"name":"db"}]', True, None),
    ]
    assert [r.call for r in results] == [(3, 0), (3, 1), (6, 0), (6, 1), (9, 0)]


@pytest.mark.parametrize(
    ("output", "content", "is_json", "is_error", "code"),
    [
        ({"content": "Exit code: 4\nOutput:\n", "success": False}, "Exit code: 4\nOutput:\n", False, True, 4),
        ({"content": [1], "success": True}, '{"content":[1],"success":true}', True, False, None),
        ("Exit code: 5 and more", "Exit code: 5 and more", False, None, None),
        ("Wall time: 1 s\nOutput:\nExit code: 7\n", "Wall time: 1 s\nOutput:\nExit code: 7\n", False, None, None),
        (
            '{"output":"x","metadata":{"exit_code":"0"}}',
            '{"output":"x","metadata":{"exit_code":"0"}}',
            False,
            None,
            None,
        ),
        ('{"output": broken', '{"output": broken', False, None, None),
        (None, "", False, None, None),
    ],
)
def test_outputs_of_other_shapes(
    output: Any, content: str, is_json: bool, is_error: bool | None, code: int | None
) -> None:
    r = Rollout()
    r.call("c1")
    r.output("c1", output)
    result = only(r).messages[2].result
    assert result is not None
    assert (result.content, result.is_json, result.is_error, result.exit_code) == (content, is_json, is_error, code)


def test_a_search_of_the_provider_takes_no_result() -> None:
    r = Rollout()
    r.item("web_search_call", action={"type": "search"})
    r.call("c1")
    r.output("c9", "whose?")
    r.output("c1", "mine")
    assert [m.result.call for m in only(r).messages if m.result] == [None, (1, 1)]


def test_a_repeated_usage_event_tells_nothing_and_a_missing_one_is_noted() -> None:
    r = Rollout()
    r.user("Go.")
    r.says("One.")
    r.tokens(10, 5)
    r.lines.append(r.lines[-1])
    r.user("On.")
    r.says("Two.")
    r.event("token_count", info=None)
    transcript = only(r)
    assert [m.usage for m in transcript.messages if m.role == "assistant"] == [Usage(10, 0, None, 5), None]
    assert transcript.notes == ("1 usage events for 2 requests",)


def test_usage_that_does_not_add_up_is_noted() -> None:
    r = Rollout()
    r.says("One.")
    r.total = 7
    r.tokens(10, 5)
    assert only(r).notes == ("1 usage events whose parts do not add up to the total",)


def test_a_compaction_with_the_history_that_replaces_it() -> None:
    r = Rollout()
    r.user("Go.")
    r.says("One.")
    kept = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]}
    answer = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Kept."}]}
    sealed = {"type": "compaction", "encrypted_content": "zzz"}
    r.line("compacted", {"message": "", "replacement_history": [kept, answer, sealed]})
    r.user("On.")
    r.says("Two.")
    transcript = only(r)
    assert [(c.kind, c.at, c.keep) for c in transcript.cuts] == [("compacted", 3, (0,))]
    assert shown(transcript) == [["You code.", "Go."], ["You code.", "Go.", "Kept.", "", "On."]]
    assert [m.encrypted for m in transcript.messages] == [0, 0, 0, 0, 0, 1, 0, 0]


def test_a_compaction_with_a_summary_only_keeps_what_the_user_said() -> None:
    r = Rollout()
    r.user("Go.")
    r.call("c1")
    r.output("c1", "long")
    r.line("compacted", {"message": "Summary."})
    r.says("Two.")
    assert shown(only(r)) == [["You code.", "Go."], ["You code.", "Go.", "Summary."]]


def test_turns_that_were_taken_back_are_in_no_later_prompt() -> None:
    r = Rollout()
    for said in ("One?", "Two?", "Three?"):
        r.user(said)
        r.says(f"{said[:-1]}.")
    r.event("thread_rolled_back", num_turns=2)
    r.user("Four?")
    r.says("Four.")
    transcript = only(r)
    assert [(c.kind, c.at, c.keep) for c in transcript.cuts] == [("rewound", 7, (0, 1, 2))]
    assert shown(transcript)[-1] == ["You code.", "One?", "One.", "Four?"]


def forked(numbered: bool) -> Rollout:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "th0", "depth": 1}}}
    r = Rollout(source=spawn, forked_from_id="th0", **({"subagent_history_start_ordinal": 7} if numbered else {}))
    r.line("session_meta", {"id": "th0", "cwd": "/other", "base_instructions": {"text": "Parent."}}, at=0.1)
    r.user("Go.")
    r.says("Of the parent.")
    r.tokens(50, 5)
    for line in r.lines:
        line["timestamp"] = r.lines[0]["timestamp"]
    r.user("Search.")
    r.says("Of the agent.")
    r.tokens(70, 6)
    for number, line in enumerate(r.lines):
        line["ordinal"] = number if numbered else None
    return r


@pytest.mark.parametrize("numbered", [True, False])
def test_what_a_fork_copied_is_its_own_request_only_if_the_original_is_not_there(
    numbered: bool, tmp_path: Path
) -> None:
    alone = only(forked(numbered))
    assert [m.text for m in alone.messages] == ["You code.", "Go.", "Of the parent.", "Search.", "Of the agent."]
    assert [alone.messages[i].text for i in alone.requests()] == ["Of the parent.", "Of the agent."]
    assert [alone.messages[i].usage for i in alone.requests()] == [Usage(50, 0, None, 5), Usage(70, 0, None, 6)]
    assert (alone.parent, alone.cluster) == ("th0", "/w")
    parent = Rollout(id="th0")
    parent.user("Go.")
    parent.says("Of the parent.")
    parent.tokens(50, 5)
    parent.user("On.")
    parent.says("Later.")
    (tmp_path / "rollout-th0.jsonl").write_bytes(parent.data())
    (tmp_path / "rollout-th1.jsonl").write_bytes(forked(numbered).data())
    found = {t.id: t for t in read_transcripts([tmp_path], Intake())}
    assert {name: len(t.requests()) for name, t in found.items()} == {"rollout-th0.jsonl": 2, "rollout-th1.jsonl": 1}
    assert shown(found["rollout-th1.jsonl"]) == [["You code.", "Go.", "Of the parent.", "Search."]]


def test_a_sub_agent_names_its_parents_file_where_it_lies_beside(tmp_path: Path) -> None:
    parent = Rollout()
    parent.says("Well.")
    (tmp_path / "rollout-th0.jsonl").write_bytes(parent.data())
    (tmp_path / "rollout-th1.jsonl").write_bytes(forked(True).data())
    found = {t.id: t.parent for t in read_transcripts([tmp_path], Intake())}
    assert found == {"rollout-th0.jsonl": None, "rollout-th1.jsonl": "rollout-th0.jsonl"}


def test_the_bare_items_of_earlier_versions() -> None:
    lines: list[dict[str, Any]] = [
        {"id": "x", "timestamp": "2025-05-01T00:00:00Z", "instructions": None, "git": {"repository_url": "u"}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]},
        {"record_type": "state"},
        {"type": "reasoning", "summary": [{"text": "Hm."}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": WRAPPED},
    ]
    transcripts, _ = read("r.jsonl", b"\n".join(json.dumps(line).encode() for line in lines))
    assert [m.role for m in transcripts[0].messages] == ["user", "assistant", "tool"]
    assert transcripts[0].messages[1].reasoning == "Hm."
    assert transcripts[0].cluster == "u"


def test_messages_between_agents_and_items_of_unknown_kinds() -> None:
    r = Rollout()
    r.item("agent_message", author="/root", recipient="/root/a", content=[{"type": "input_text", "text": "Help."}])
    r.item("ghost_snapshot", ghost_commit={})
    r.item("a_kind_of_tomorrow", content="x")
    r.item("message", role="narrator", content="x")
    r.says("Well.")
    transcript = only(r)
    assert shown(transcript) == [["You code.", "Help."]]
    assert transcript.notes == ("1 items of the unknown kind 'a_kind_of_tomorrow'",)
    assert [p.reason for p in transcript.problems] == ["unknown role 'narrator'"]


def test_a_session_without_messages_is_skipped_with_a_sentence() -> None:
    transcripts, intake = read("r.jsonl", Rollout().data())
    assert (transcripts, intake.problems) == ([], [])
    assert intake.skipped == [("r.jsonl", "a session without messages")]


def test_broken_lines_are_named_and_passed_over() -> None:
    lines = everything().data().splitlines(keepends=True)
    wrong = b'{"type":"response_item","payload":{"type":"function_call","arguments":5,"name":{}}}\n'
    data = b"".join([lines[0], b"{\x00}\n", b"[]\n", *lines[1:6], wrong, *lines[6:-1], lines[-1][:30]])
    transcripts, intake = read("r.jsonl", data)
    assert [p.place for p in intake.problems] == [f"r.jsonl: line {n}" for n in (2, 3, len(lines) + 3)]
    assert "ends in the middle" in intake.problems[-1].reason
    assert [p.reason for p in transcripts[0].problems] == ["name is an object, not a string"]
    assert len(transcripts[0].requests()) == 4


def test_line_separators_of_unicode_do_not_end_a_line() -> None:
    r = Rollout()
    r.user("a\u2028b")
    data = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in r.lines)
    transcripts, intake = read("r.jsonl", data)
    assert (transcripts[0].messages[1].text, intake.problems) == ("a\u2028b", [])


def test_mutants_are_read_or_refused_by_name() -> None:
    survive("codex", "r.jsonl", everything().data(), 200)


@pytest.mark.slow
def test_many_mutants_are_read_or_refused_by_name() -> None:
    survive("codex", "r.jsonl", everything().data(), 2000, seed=2)
    survive("codex", "r.jsonl", forked(True).data(), 500, seed=3)
