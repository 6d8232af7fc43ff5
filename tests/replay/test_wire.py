"""A proxy that cuts as `head:bytes=2000` does has its figures, to the token, in every dialect; all else is told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from harness.bundled import bundled
from harness.formats.corpus import Intake, read_transcripts
from harness.policies.spec import make_policy
from harness.policies.wire.policy import WireRun
from harness.replay.measure import Rows, measure
from harness.replay.settings import ReplaySettings
from harness.transcript import Cut, Message, ToolCall, ToolResult, Transcript
from tests import policies

PROXY = Path(policies.__file__).parent / "programs" / "proxy.py"
HEAD = "head:bytes=2000"


def wire(fault: str = "", **more: Any) -> str:
    settings = {"page": 2000, "twice": 0, "seconds": 5} | more
    written = ",".join(f"{key}={value}" for key, value in settings.items())
    return f'wire:run="{sys.executable} {PROXY} {{port}} {{upstream}} {fault}",{written}'


def sample(name: str) -> list[Transcript]:
    return list(read_transcripts([bundled() / "transcripts" / name], Intake(), None))


def measured(transcript: Transcript, *specs: str) -> Rows:
    return measure(transcript, ReplaySettings(("x",), ("identity", *specs)).measures())


def figures(rows: Rows, policy: str) -> dict[tuple[str, str], str]:
    """Every column of every policy's table, written out, so that what is not a number equals itself."""
    tables = rows.policies[make_policy(policy).label]
    return {
        (table, name): repr(values)
        for table, columns in tables.items()
        if table != "programs"
        for name, values in columns.items()
    }


def cut_session() -> Transcript:
    """With a recorded compaction, parallel calls, equal call ids, and answers that follow each other."""
    messages = [Message("system", "be brief"), Message("user", "the task é")]
    for n in range(6):
        calls = tuple(ToolCall("bash", f'{{"command": "ls {n}{m}"}}', "call-0") for m in range(2))
        messages.append(Message("assistant", f"step {n}", calls))
        at = len(messages) - 1
        for m in range(2):
            value = f"line {n} {m} of a text with number 4711{n}{m}\n" * 90
            messages.append(Message("tool", result=ToolResult(value, "bash", "call-0", (at, m))))
        if n == 3:
            messages += [Message("assistant", "one"), Message("assistant", "two"), Message("user", "go on")]
    messages.append(Message("assistant", "it was 471152"))
    return Transcript("cut", "test", tuple(messages), cuts=(Cut(8, (0, 1, 5, 6, 7), "compacted"),))


@pytest.mark.parametrize("dialect", ["chat", "responses", "messages"])
@pytest.mark.parametrize("transcript", [sample("claude-code")[0], sample("openai-chat")[3], cut_session()])
def test_what_cuts_as_a_policy_does_has_its_figures(dialect: str, transcript: Transcript) -> None:
    spec = wire(dialect=dialect)
    rows = measured(transcript, HEAD, spec)
    assert figures(rows, spec) == figures(rows, HEAD)
    programs = rows.policies[make_policy(spec).label]["programs"]
    assert set(programs["told"]) == set(programs["failed"]) == {""}
    assert set(programs["added_tokens"]) == {0}


@pytest.mark.parametrize("dialect", ["chat", "responses", "messages"])
def test_what_does_nothing_is_identity(dialect: str) -> None:
    transcript, spec = sample("claude-code")[1], wire("identity", dialect=dialect)
    rows = measured(transcript, spec)
    assert figures(rows, spec) == figures(rows, "identity")
    assert figures(measured(transcript, "wire:min_bytes=inf"), "wire:min_bytes=inf") == figures(rows, "identity")


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("drop-result", "dropped tool message+orphaned call"),
        ("double-result", "added tool message+doubled result"),
        ("change-user", "changed user message"),
        ("drop-message", "dropped user message"),
        ("add-system", "added system message"),
        ("model", "model rewritten"),
        ("add-tool", "added tool"),
        ("stream", "streaming changed"),
        ("itself", "answered by itself"),
        ("twice", "asked more than once"),
    ],
)
def test_what_a_proxy_does_is_told_by_name_and_request(fault: str, told: str) -> None:
    spec = wire(fault, dialect="chat")
    programs = measured(sample("claude-code")[0], spec).policies[make_policy(spec).label]["programs"]
    assert programs["told"][-1] == told


@pytest.mark.parametrize(
    ("fault", "failed"), [("crash", "crash"), ("refuse", "refused"), ("stall", "timeout"), ("garble", "refused")]
)
def test_a_failure_is_told_and_the_prompt_stands_as_it_was_sent(fault: str, failed: str) -> None:
    spec = wire(fault, dialect="chat", seconds=0.5)
    transcript = sample("claude-code")[0]
    rows = measured(transcript, spec)
    programs = rows.policies[make_policy(spec).label]["programs"]
    assert programs["failed"] == ["", *[failed] * (len(programs["failed"]) - 1)]
    prompts = [rows.policies[p]["requests"]["prompt_tokens"] for p in ("identity", make_policy(spec).label)]
    assert prompts[0] == prompts[1]


def test_what_is_put_in_is_counted() -> None:
    transcript = sample("claude-code")[0]
    plain, added, tool = (wire(fault, dialect="chat") for fault in ("", "add-system", "add-tool"))
    rows = measured(transcript, plain, added, tool)
    prompts = {p: rows.policies[make_policy(p).label]["requests"]["prompt_tokens"] for p in (plain, added, tool)}
    for spec in (added, tool):
        programs = rows.policies[make_policy(spec).label]["programs"]
        more = [a - b for a, b in zip(prompts[spec], prompts[plain], strict=True)]
        assert programs["added_tokens"] == more
        assert min(more) > 0
    assert rows.policies[make_policy(added).label]["requests"]["kept_tokens"][1] > 0


def test_handles_that_the_agent_has_no_tool_for_are_counted() -> None:
    spec = wire("handle", dialect="chat")
    transcript = sample("claude-code")[0]
    long = sum(len(transcript.messages[i].result.value.encode()) > 2000 for i in transcript.results())  # type: ignore[union-attr]
    programs = measured(transcript, spec).policies[make_policy(spec).label]["programs"]
    assert sum(programs["handles"]) == long > 0


def test_what_answers_otherwise_the_second_time_is_found_out() -> None:
    transcript = sample("claude-code")[0]
    for fault, different in (("random", 1), ("", 0)):
        spec = wire(fault, dialect="chat", twice=1)
        programs = measured(transcript, spec).policies[make_policy(spec).label]["programs"]
        assert (sum(programs["again"]), sum(programs["different"])) == (1, different)


def test_a_proxy_that_tries_another_address_is_told_and_does_not_get_there() -> None:
    transcript = sample("claude-code")[0]
    run = make_policy(wire("reach-out", dialect="chat")).start(transcript)
    assert isinstance(run, WireRun)
    if not run.played.cut_off:
        pytest.skip("this system gives no network of its own: it takes Linux, and root")
    assert set(run.played.tried) == {"192.0.2.7:443", "name telemetry.example.org"}


def test_what_a_proxy_puts_into_another_message_is_seen() -> None:
    transcript = sample("claude-code")[2]
    cut, moved = wire(dialect="chat"), wire("move", dialect="chat")
    rows = measured(transcript, cut, moved)
    visible = {p: sum(rows.policies[make_policy(p).label]["requests"]["visible"]) for p in (cut, moved)}
    borne = sum(rows.shared["requests"]["borne"])
    assert visible[cut] < visible[moved] == borne


def test_a_proxy_that_keeps_no_state_is_kept_running() -> None:
    spec = wire(dialect="chat", keeps_state="false")
    for transcript in sample("claude-code")[:2]:
        rows = measured(transcript, HEAD, spec)
        assert figures(rows, spec) == figures(rows, HEAD)
