"""Policies that rewrite the prompt: what is replaced before which request, counted out by hand.

A token is four bytes here and framing is free (`driving`), so sizes below are exact. In `conversation`, the k-th
value's result is message 2k + 3, and request k + 1 is the first to show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np
import pytest

from harness.policies.rendering import Prompt, Rendering
from harness.policies.spec import make_policy
from harness.testing.policies import conversation, drive, tokens
from harness.transcript import Cut, Message, ToolResult, Transcript

BIG = "x" * 400  # 100 tokens


def replaced(spec: str, transcript: Transcript) -> list[list[int]]:
    """Per request which results (numbered from 0) are replaced."""
    order = {index: number for number, index in enumerate(transcript.results())}
    return [[order[i] for i, view in views.items() if view.elided_bytes] for views in drive(spec, transcript)]


def test_mask_last_n_keeps_the_last_n() -> None:
    values = conversation(*[BIG] * 4)
    assert replaced("mask_last_n:n=2", values) == [[], [], [], [0], [0, 1]]
    assert replaced("mask_last_n:n=0", values) == [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]
    assert replaced("mask_last_n:n=9", values) == [[], [], [], [], []]
    views = drive("swe_agent_masking:n=1", conversation("a\nb\nc" * 20, BIG))
    assert views[2][3] == Rendering("Old environment output: (41 lines omitted)", 100, "rerun")
    assert views[2][5] == Rendering(BIG)


@pytest.mark.parametrize("polling", [1, 2, 3, 5])
def test_polling_masks_once_in_so_many_steps(polling: int) -> None:
    # SWE-agent: of the observations (the task is the first of them) all from the second up to this one are removed.
    got = replaced(f"mask_last_n:n=3,polling={polling}", conversation(*[BIG] * 12))
    for count, masked in enumerate(got):
        last = max(0, (count + 1) // polling * polling - 3)
        assert masked == list(range(max(0, last - 1)))
    changes = sum(before != after for before, after in pairwise(got))
    assert changes <= 12 // polling + 1


def test_exempt_and_small_results_are_never_masked() -> None:
    mixed = Transcript(
        "t",
        "test",
        (
            Message("user", "task"),
            Message("assistant"),
            Message("tool", result=ToolResult(BIG, "Read")),
            Message("tool", result=ToolResult("small", "bash")),
            Message("tool", result=ToolResult(BIG, "bash")),
            Message("tool", result=ToolResult(BIG, "bash")),
            Message("assistant"),
        ),
    )
    assert replaced("mask_last_n:n=1,exempt=@read,min_bytes=6", mixed) == [[], [2]]
    assert replaced("mask_last_n:n=1,only=@read", mixed) == [[], [0]]
    # A replacement that is no shorter is not made.
    assert replaced("mask_last_n:n=1", mixed) == [[], [0, 2]]


def test_a_history_policy_works_over_any_admission_policy() -> None:
    spec = 'mask_last_n:n=1,admission="car:text_head_bytes=5,text_tail_bytes=5",replace="head:bytes=4,marker=…"'
    views = drive(spec, conversation(BIG, BIG))
    assert views[1][3].text.startswith('r1 = text(len=400B, lines=1, head="xxxxx"')
    assert views[2][3] == Rendering("xxxx…", 396, "rerun")
    assert views[2][5].handle == "r2"
    both = make_policy(spec)
    assert (both.stage, both.page_bytes) == ("history", 4)


def test_mask_window_protects_the_newest_tokens_and_fires_in_batches() -> None:
    values = conversation(*[BIG] * 7)
    # 100 tokens each; 250 protected: the two newest and, as the one that crosses the limit is prunable, not the third.
    at = "mask_window:protect=250,minimum=200,fires=at"
    assert replaced(at, values) == [[], [], [], [], [0, 1], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3]]
    over = "mask_window:protect=250,minimum=200,fires=over"
    assert replaced(over, values) == [[], [], [], [], [], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
    # Exactly at the limit nothing crosses it.
    assert replaced("mask_window:protect=200,minimum=0", values)[2:5] == [[], [0], [0, 1]]
    assert replaced("mask_window:protect=0,minimum=0", values)[1:3] == [[0], [0, 1]]


def test_mask_window_shelters_the_latest_results() -> None:
    sheltered = "mask_window:protect=0,minimum=0,shelter_requests={}"
    values = conversation(*[BIG] * 4)
    assert replaced(sheltered.format(1), values) == [[], [], [0], [0, 1], [0, 1, 2]]
    assert replaced(sheltered.format(2), values) == [[], [], [], [0], [0, 1]]
    turns = "mask_window:protect=0,minimum=0,shelter_turns={}"
    tasks = conversation(BIG, None, BIG, BIG, None, BIG)
    assert replaced(turns.format(1), tasks) == [[], [], [0], [0], [0], [0, 1, 2], [0, 1, 2]]
    assert replaced(turns.format(2), tasks) == [[], [], [], [], [], [0], [0]]


def test_mask_window_at_the_end_of_a_turn_only() -> None:
    tasks = conversation(BIG, None, BIG, BIG, None, BIG, None)
    spec = "mask_window:protect=0,minimum=0,when=turn-end,shelter_turns={}"
    # Requests 0 and 1 are the first task; 2, 3, 4 the second; 5, 6 the third; 7 the fourth.
    assert replaced(spec.format(0), tasks) == [[], [], [0], [0], [0], [0, 1, 2], [0, 1, 2], [0, 1, 2, 3]]
    assert replaced(spec.format(1), tasks) == [[], [], [], [], [], [0], [0], [0, 1, 2]]
    assert replaced(spec.format(2), tasks) == [[], [], [], [], [], [], [], [0]]
    assert replaced("opencode_prune:protect=0,minimum=99", tasks)[-1] == [0]
    assert replaced("opencode_prune:protect=0,minimum=100", tasks)[-1] == []


def test_gemini_masks_to_both_ends_and_a_file() -> None:
    value = "a" * 300 + "b" * 4000 + "c" * 300
    views = drive("gemini_masking:protect=1000,minimum=1150", conversation(value, value))
    assert views[1][3] == Rendering(value)  # it is the latest
    assert views[2][3] == Rendering(  # alone it crosses the limit of what is protected
        f"<tool_output_masked>\n{'a' * 250}\n... [TRUNCATED] ...\n{'c' * 250}\n\nOutput too large. Full output "
        "available at: tool-outputs/bash_call-2.txt\n</tool_output_masked>",
        4100,
        "file",
    )
    assert views[2][5] == Rendering(value)


def test_clear_fires_over_the_trigger_and_keeps_the_last() -> None:
    values = conversation(*[BIG] * 5)
    task = tokens("be brief") + tokens("the task")
    call = tokens('{"command": "ls"}')
    at_two = task + 2 * (call + 100)
    assert replaced(f"clear:trigger={at_two},keep=1", values)[:4] == [[], [], [], [0, 1]]
    assert replaced(f"clear:trigger={at_two - 1},keep=1", values)[:4] == [[], [], [0], [0, 1]]
    assert replaced(f"clear:trigger={at_two},keep=0", values)[:4] == [[], [], [], [0, 1, 2]]
    assert replaced(f"clear:trigger={at_two},keep=9", values)[5] == []


def test_clear_measures_the_original_or_the_edited_prompt() -> None:
    values = conversation(*[BIG] * 6)
    task, call = tokens("be brief") + tokens("the task"), tokens('{"command": "ls"}')
    trigger = task + 3 * (call + 100)
    original = replaced(f"clear:trigger={trigger},keep=1,measured=original", values)
    assert original == [[], [], [], [], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4]]
    # Three of four went: what stands is under the trigger until two more results have come.
    edited = replaced(f"clear:trigger={trigger},keep=1,measured=edited", values)
    assert edited == [[], [], [], [], [0, 1, 2], [0, 1, 2], [0, 1, 2, 3, 4]]


def test_clear_at_least() -> None:
    values = conversation(*[BIG] * 5)
    spec = "clear:trigger=0,keep=0,at_least={},rule={}"
    assert replaced(spec.format(200, "all-or-nothing"), values) == [[], [], [0, 1], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3]]
    assert replaced(spec.format(201, "all-or-nothing"), values)[2:4] == [[], [0, 1, 2]]
    assert replaced(spec.format(200, "stop"), values) == [[], [0], [0, 1], [0, 1], [0, 1], [0, 1]]
    assert replaced(spec.format(0, "stop"), values)[5] == [0, 1, 2, 3, 4]
    assert drive("langchain_clear:trigger=0,keep=0", values)[1][3].text == "[cleared]"
    assert drive("inspect_edit:trigger=0,keep=0", values)[1][3].text == "(Tool result removed)"


def test_a_lease_ends_after_some_calls_and_large_results_go_in_batches() -> None:
    values = conversation(BIG, "small", BIG, BIG, BIG, BIG)
    spec = "lease:tokens={},calls={},batch={}"
    assert replaced(spec.format(100, 2, 0), values) == [[], [], [], [0], [0], [0, 2], [0, 2, 3]]
    assert replaced(spec.format(100, 2, 200), values) == [[], [], [], [], [], [0, 2], [0, 2]]
    assert replaced(spec.format(101, 0, 0), values)[-1] == []
    assert replaced(spec.format(2, 0, 0), values)[1:3] == [[0], [0]]  # a stub would be longer than "small"


def test_the_results_of_a_task_are_pruned_when_the_next_one_begins() -> None:
    long = "the first line\n" + "/a/b.py " * 300
    tasks = conversation(long, BIG, None, long, long)
    assert replaced("prune_boundary", tasks) == [[], [], [], [0], [0], [0]]
    views = drive("prune_boundary", tasks)
    assert views[3][3].text == "the first line\n[pruned; names /a/b.py]"
    assert views[3][5] == Rendering(BIG)


def test_a_summary_takes_the_place_of_what_is_old() -> None:
    values = conversation(*[BIG] * 6)
    task, call = tokens("be brief") + tokens("the task"), tokens('{"command": "ls"}')
    trigger = task + 3 * (call + 100)
    spec = f"summarise:window={trigger},at=1,keep={(call + 100) / trigger},summary=6"
    seen = drive(spec, values)
    summary = "[modelled summary] summary summary"
    assert [[view.text for view in views.values()] for views in seen[3:]] == [
        [BIG] * 3,
        # The newest that fit are the last result and its call: the summary stands where the task was.
        ["", "", "", BIG],
        ["", "", "", BIG, BIG],
        ["", "", "", "", "", BIG],
    ]
    transcript = Transcript("t", "test", values.messages)
    run = make_policy(spec).start(transcript)
    counts = np.full(len(transcript.messages), 100, np.int64)
    views = {i: Rendering(BIG) for i in transcript.results()}
    changes = run.rewrite(Prompt(4, list(range(10)), counts, views, trigger + 1))
    assert next(iter(changes)) == 1
    assert changes[1] == Rendering(summary)
    assert changes[3] == Rendering("", 400)
    assert 0 not in changes
    later = run.rewrite(Prompt(5, list(range(14)), counts, views, trigger + 1))
    assert later[1] == Rendering("")
    assert [view.text for view in later.values()].count(summary) == 1


CUT = Cut(8, (0, 1, 6, 7), "compacted")  # before the fourth call: the task and the third call with its result are kept


def test_a_recorded_cut_starts_the_count_anew() -> None:
    values = conversation(*[BIG] * 6, cuts=[CUT])
    assert replaced("mask_last_n:n=2", values) == [[], [], [], [], [], [2], [2, 3]]
    assert replaced("mask_window:protect=150,minimum=0", values) == [[], [], [0], [], [2], [2, 3], [2, 3, 4]]
    assert replaced("lease:tokens=1,calls=2,batch=0", values) == [[], [], [], [], [], [2], [2, 3]]
    task, call = tokens("be brief") + tokens("the task"), tokens('{"command": "ls"}')
    trigger = task + 2 * (call + 100)
    spec = f"clear:trigger={trigger},keep=1,measured=original"
    assert replaced(spec, values) == [[], [], [], [], [], [2, 3], [2, 3, 4]]
    assert replaced("prune_boundary", values)[-1] == []


def test_what_was_replaced_before_a_cut_stays_so_and_no_longer_counts_as_saved() -> None:
    values = conversation(*[BIG] * 6, cuts=[CUT])
    assert replaced("mask_last_n:n=0", values)[3] == [2]
    task, call = tokens("be brief") + tokens("the task"), tokens('{"command": "ls"}')
    spec = f"clear:trigger={task + call + 100},keep=0"
    # Two results are cleared; after the cut the original prompt holds one result, which is not over the trigger.
    assert replaced(spec, values)[:5] == [[], [], [0, 1], [], [2, 3]]


class Counted(Sequence[int]):
    """A list that counts how many of its items were looked at."""

    def __init__(self, items: list[int]) -> None:
        self.items, self.looks = items, 0

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> list[int]: ...
    def __getitem__(self, at: Any) -> Any:
        found = self.items[at]
        self.looks += len(found) if isinstance(found, list) else 1
        return found

    def __len__(self) -> int:
        return len(self.items)


@pytest.mark.parametrize(
    "spec",
    [
        "mask_last_n",
        "swe_agent_polling",
        "mask_window:protect=50,minimum=5000",
        "opencode_prune",
        "clear:trigger=1000",
        "langchain_clear:trigger=1000",
        "lease:tokens=1,batch=5000",
        "prune_boundary",
        "summarise:window=1000000",
        "placebo:of=mask_last_n",
    ],
)
def test_the_work_grows_with_the_messages_and_not_with_their_square(spec: str) -> None:
    transcript = conversation(*[BIG] * 500)
    run = make_policy(spec).start(transcript)
    views: dict[int, Rendering] = {}
    counts = np.full(len(transcript.messages), 100, np.int64)
    for index in transcript.results():
        answer = transcript.messages[index].result
        assert answer is not None
        views[index] = run.admit(index, answer, None)
    looks = 0
    for number, (_, shown) in enumerate(transcript.prompts()):
        counted = Counted(shown)
        views |= run.rewrite(Prompt(number, counted, counts, views, 100 * len(shown)))
        looks += counted.looks
    assert looks <= 3 * len(transcript.messages)
