"""Every behaviour after a cut, in a recording made for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from harness.after.acts import Acts, After
from harness.after.habits import invented, thrashed
from harness.after.rows import rows_of
from harness.after.timeline import Timeline
from tests.after.made_up import CLIPPED, HIDDEN, PATH, PREVIEW, REFUSED, RESCUED, SPILLED, Recording

CAT = "cat build.log"


def first_cut(recording: Recording) -> After:
    return Acts(Timeline(recording.transcript())).cuts()[0]


def opens_the_file(r: Recording) -> None:
    r.bash(CAT, SPILLED)
    r.call("Read", {"file_path": PATH, "limit": 200}, "line 1")


def passes_the_handle(r: Recording) -> None:
    r.call("fetch", {"id": 1}, PREVIEW)
    r.call("save", {"text": "$r1"})


def asks_narrower(r: Recording) -> None:
    r.bash(CAT, CLIPPED)
    r.bash("grep -n error build.log", "12: error")


def asks_for_a_page(r: Recording) -> None:
    r.call("Read", {"file_path": "/r/a.py"}, REFUSED)
    r.call("Read", {"file_path": "/r/a.py", "offset": 100, "limit": 50}, "line 100")


def asks_the_same(r: Recording) -> None:
    r.bash(CAT, CLIPPED)
    r.bash(CAT, CLIPPED)


def asks_otherwise(r: Recording) -> None:
    r.call("Read", {"file_path": "/r/build.log"}, CLIPPED)
    r.bash("nl build.log", "1 line 1")


def guesses_what_is_hidden(r: Recording) -> None:
    r.bash("list-invoices", SPILLED, whole=f"line 1\n{HIDDEN}\n")
    r.call("pay", {"invoice": "kx-4417a7"})


def edits_what_it_never_saw(r: Recording) -> None:
    r.call("Read", {"file_path": "/r/a.py"}, CLIPPED)
    r.call("Edit", {"file_path": "/r/a.py", "old_string": "def hidden(x):", "new_string": "def shown(x):"})


def edits_what_it_saw(r: Recording) -> None:
    r.call("Read", {"file_path": "/r/a.py"}, CLIPPED)
    r.call("Edit", {"file_path": "/r/a.py", "old_string": "line 99", "new_string": "line 100"})


def goes_on(r: Recording) -> None:
    r.bash(CAT, CLIPPED)
    r.bash("ls src", "a.py")


def runs_again_after_a_change(r: Recording) -> None:
    r.bash("pytest tests/a.py", CLIPPED)
    r.bash("sed -i s/a/b/ src/a.py")
    r.bash("pytest tests/a.py", CLIPPED)


def reads_on_after_a_change_elsewhere(r: Recording) -> None:
    r.bash(CAT, CLIPPED)
    r.bash("echo x > notes.txt")
    r.bash(f"{CAT} | tail -3", "line 99")


def answers(r: Recording) -> None:
    r.bash(CAT, CLIPPED)


def turns_back_too_late(r: Recording) -> None:
    r.bash(CAT, CLIPPED)
    r.bash("ls src", "a.py")
    r.bash("ls lib", "b.py")
    r.bash(f"{CAT} | tail -3", "line 99")


@pytest.mark.parametrize(
    ("behaviour", "act"),
    [
        (opens_the_file, "opened the file"),
        (passes_the_handle, "passed the handle"),
        (asks_narrower, "asked narrower"),
        (asks_for_a_page, "asked narrower"),
        (asks_the_same, "asked the same again"),
        (asks_otherwise, "asked otherwise"),
        (guesses_what_is_hidden, "guessed"),
        (edits_what_it_never_saw, "guessed"),
        (edits_what_it_saw, "went on"),
        (goes_on, "went on"),
        (answers, "went on"),
        (runs_again_after_a_change, "went on"),
        (reads_on_after_a_change_elsewhere, "asked narrower"),
        (turns_back_too_late, "went on"),
    ],
)
def test_what_was_done(behaviour: Callable[[Recording], None], act: str) -> None:
    recording = Recording()
    behaviour(recording)
    assert first_cut(recording.says()).act == act


def test_a_recording_that_ends_at_the_cut_tells_nothing() -> None:
    recording = Recording()
    recording.bash(CAT, CLIPPED)
    assert first_cut(recording).act == "not identified"


def test_calls_made_beside_the_cut_one_could_not_see_it() -> None:
    recording = Recording()
    recording.calls(("Bash", {"command": CAT}, CLIPPED), ("Bash", {"command": f"{CAT} | tail -3"}, "line 99"))
    assert first_cut(recording.says()).act == "went on"


def test_all_calls_of_the_last_request_are_looked_at() -> None:
    recording = Recording()
    recording.bash(CAT, CLIPPED)
    recording.calls(*(("Bash", {"command": f"ls {n}"}, "") for n in "abc"), ("Bash", {"command": f"{CAT} | wc"}, "9"))
    found = first_cut(recording.says())
    assert (found.act, found.distance) == ("asked narrower", 4)


def test_a_whole_result_has_no_cut() -> None:
    recording = Recording()
    recording.bash(CAT, "line 1")
    assert Acts(Timeline(recording.says().transcript())).cuts() == []


@pytest.mark.parametrize(
    ("cut", "arguments", "result", "error", "fate"),
    [
        (SPILLED, {"file_path": PATH}, "line 1", False, "right"),
        (SPILLED, {"file_path": f"/elsewhere/{PATH.rpartition('/')[2]}"}, "a directory", True, "wrong"),
        (SPILLED, {"file_path": PATH}, "File does not exist.", True, "not there"),
        (SPILLED, {"file_path": "/r/other.txt"}, "line 1", False, "ignored"),
        (RESCUED, {"handle": "tla:0123456789ab"}, "line 1", False, "right"),
        (
            RESCUED,
            {"handle": "tla:0123456789ab"},
            "Error: No such tool: toolaria_retrieve",
            True,
            "not there",
        ),
    ],
)
def test_what_becomes_of_files_and_handles(
    cut: str, arguments: dict[str, str], result: str, error: bool, fate: str
) -> None:
    recording = Recording()
    recording.bash(CAT, cut)
    recording.call("Read", arguments, result, error=error)
    assert first_cut(recording.says()).fate == fate


@pytest.mark.parametrize(
    ("tools", "fate"),
    [(None, "ignored"), (("fetch",), "not there"), (("fetch", "toolaria_retrieve"), "ignored")],
)
def test_a_handle_whose_tool_the_agent_does_not_have_is_not_there(tools: tuple[str, ...] | None, fate: str) -> None:
    recording = Recording()
    recording.call("fetch", {"id": 1}, RESCUED)
    defined = None if tools is None else tuple(f'{{"name": "{name}"}}' for name in tools)
    transcript = replace(recording.says().transcript(), tools=defined)
    assert Acts(Timeline(transcript)).cuts()[0].fate == fate


def test_a_handle_used_late_is_right_though_the_agent_went_on_first() -> None:
    recording = Recording()
    recording.bash(CAT, SPILLED)
    for name in "abc":
        recording.bash(f"ls {name}", name)
    recording.call("Read", {"file_path": PATH}, "line 1")
    found = first_cut(recording.says())
    assert (found.act, found.fate, found.later) == ("went on", "right", 4)


def test_handles_that_never_were() -> None:
    recording = Recording()
    recording.bash(CAT, SPILLED)
    recording.call("Read", {"file_path": PATH}, "line 1")
    recording.call("Read", {"file_path": PATH.replace("toolu_1", "toolu_2")}, "File does not exist.", error=True)
    recording.call("toolaria_retrieve", {"handle": "tla:ffffffffffff"}, "Error: unknown handle", error=True)
    assert invented(Timeline(recording.says().transcript())) == 2


def test_a_long_text_without_an_end_is_read_in_no_time_that_grows_with_its_square() -> None:
    recording = Recording()
    recording.bash("cat key", "a/" * 200_000)
    assert invented(Timeline(recording.says().transcript())) == 0


def test_calls_tokens_and_seconds_of_turning_back() -> None:
    recording = Recording()
    recording.bash(CAT, CLIPPED)
    recording.bash(f"{CAT} | head -5", "line 1")
    recording.bash("ls src", "a.py")
    recording.bash(f"{CAT} | tail -3", "line 99")
    results, whole = rows_of(recording.says().transcript(), len)
    row = results[0]
    assert (row["calls"], row["requests"], row["distance"]) == (2, 2, 1)
    spent = [("head -5", "line 1"), ("tail -3", "line 99")]
    assert row["tokens"] == sum(len("Bash") + len(f'{{"command": "{CAT} | {how}"}}') + len(got) for how, got in spent)
    assert row["seconds"] == 60.0
    assert (whole["cut_results"], whole["limited_calls"], whole["thrashed"]) == (1, 2, 0)


def test_a_call_counts_at_the_latest_cut_and_thrash_is_of_the_chain() -> None:
    recording = Recording()
    first = recording.bash(CAT, CLIPPED)
    for n in range(3):
        recording.bash(f"{CAT} | head -{n + 50}", CLIPPED)
    acts = Acts(Timeline(recording.says().transcript()))
    assert [len(after.back) for after in acts.cuts()] == [1, 1, 1, 0]
    assert {after.root for after in acts.cuts()} == {first}
    assert thrashed(acts) == {first: 3}


def test_without_times_the_seconds_are_not_reported() -> None:
    recording = Recording()
    recording.bash(CAT, CLIPPED)
    recording.bash(f"{CAT} | head -5", "line 1")
    recording.messages = [replace(message, time=None) for message in recording.messages]
    assert rows_of(recording.says().transcript(), len)[0][0]["seconds"] is None
