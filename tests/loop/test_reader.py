"""The reader: it acts only on what it can see, and recovers as the policy and its temperament allow."""

from __future__ import annotations

import gc
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import FunctionType, ModuleType

import pytest

from harness.loop.driver import Brief, Move, Seen, Session
from harness.loop.reader import Reader, TemperamentName
from harness.loop.signs import handle_of, is_partial, legible
from harness.loop.task import NEEDS, Need, Step
from tests.loop.test_tasks import secrets
from tests.loop.worlds import EVERY, brief, drive, task


def reachable(start: object) -> list[object]:
    """Everything that can be reached from an object, except through modules, classes and functions of the program."""
    seen: dict[int, object] = {}
    todo = [start]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, ModuleType | type | FunctionType):
            continue
        seen[id(one)] = one
        todo += gc.get_referents(one)
    return list(seen.values())


@dataclass
class Watched:
    """A reader whose every context is kept, and of which is asked, before every move, what it could reach."""

    inner: Reader
    contexts: list[list[Seen]]
    moves: list[Move]
    found: set[str]

    label = "watched"
    temperament = "careful"

    def begin(self, brief: Brief) -> Session:
        self.session = self.inner.begin(brief)
        return self

    def next(self, context: Sequence[Seen]) -> Move:
        texts = [one for one in reachable(self.session) if isinstance(one, str)]
        self.found |= {secret for text in texts for secret in secrets(text)}
        move = self.session.next(context)
        self.contexts.append(list(context))
        self.moves.append(move)
        return move

    def close(self) -> None:
        """Nothing to let go of."""


POLICIES = ["car", "car_read", "head:bytes=600", "middle:bytes=600", "spill:bytes=600,keep=200", "mask_last_n:n=1"]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("need", NEEDS)
def test_it_cannot_reach_a_value_but_through_its_context(policy: str, need: Need) -> None:
    """What it says and calls with was shown to it before, and between its moves it holds nothing of the kind."""
    for name, template in EVERY[NEEDS.index(need) * 7 + POLICIES.index(policy) :: 42]:
        watched = Watched(Reader(), [], [], set())
        drive(task(name, template, need), policy, watched)
        assert not watched.found
        for context, move in zip(watched.contexts, watched.moves, strict=True):
            said = secrets([move.text, [step.arguments for step in move.calls]])
            assert set(said) <= {s for seen in context for s in secrets([seen.text, seen.calls])}


@pytest.mark.parametrize(("name", "template"), EVERY[::5])
def test_other_text_in_its_context_gives_another_answer(name: str, template: str) -> None:
    """The context alone decides: with every code in it replaced, what it passes on is the replacement."""
    one = task(name, template, "row")
    watched = Watched(Reader(), [], [], set())
    assert drive(one, "identity", watched).passed
    context = [replace(seen, text=re.sub(r"kx-[0-9a-f]{6}", "kx-0ff1ce", seen.text)) for seen in watched.contexts[1]]
    move = Reader().begin(brief(one)).next(context)
    assert set(secrets([move.text, [step.arguments for step in move.calls]])) == {"kx-0ff1ce"}


def steps(policy: str, need: Need, temperament: TemperamentName = "careful") -> list[Step]:
    watched = Watched(Reader(temperament), [], [], set())
    drive(task("logs", "web-access", need), policy, watched)
    return [step for move in watched.moves for step in move.calls]


def test_it_searches_again_narrower_where_nothing_else_is_offered() -> None:
    assert [step.name for step in steps("head:bytes=600", "row")] == ["read_file", "grep"]


def test_it_searches_the_file_that_was_spilled() -> None:
    first, second = steps("spill:bytes=600,keep=200", "row")
    assert (first.name, second.name) == ("read_file", "grep")
    assert second.arguments["path"].startswith("tool-results/")


def test_it_reads_the_handle_around_the_place() -> None:
    _, second = steps("car_read", "row")
    assert second.name == "read_handle"
    assert "around" in second.arguments


def test_it_passes_a_reference_on() -> None:
    *_, last = steps("car", "whole")
    assert (last.name, last.arguments["content"]) == ("write_file", "$r1")


def test_the_forgetful_one_thinks_of_neither() -> None:
    assert [step.name for step in steps("car_read", "row", "forgetful")] == ["read_file", "grep"]
    assert steps("spill:bytes=600,keep=200", "row", "forgetful")[1].arguments["path"] == "logs/web.log"
    assert steps("car", "whole", "forgetful")[-1].arguments.get("content") != "$r1"


def test_the_hasty_one_gives_up_after_two() -> None:
    assert len(steps("head:bytes=600", "aggregate", "hasty")) <= 3
    one = task("logs", "web-access", "row")
    assert not drive(one, "head:bytes=600", Reader("hasty")).passed
    assert drive(one, "head:bytes=600").passed


def test_it_counts_in_its_own_words_where_results_are_cleared() -> None:
    one = task("logs", "payments", "aggregate")
    run = drive(one, 'mask_last_n:n=1,admission="head:bytes=2000"')
    assert run.passed
    assert len(run.layout.requests) > 5
    assert run.account.changes


@pytest.mark.parametrize(
    ("shown", "partial", "handle", "read"),
    [
        ("a\nb\n", False, None, "a\nb\n"),
        ("a\n[5 of 9 bytes left out]", True, None, "a\n\n⋯\n"),
        ('r1 = text(len=4B, lines=2) "a\\nb"\n[pass "$r1" as', False, "r1", "a\nb"),
        (
            'r2 = text(len=9KB, lines=2, head="a", tail="b")\n["$r2"',
            True,
            "r2",
            'r2 = text(len=9KB, lines=2, head="a"\n⋯\nb")\n["$r2"',
        ),
        ('r3 = array(len=9, [:1]=[1])\n["$r3"', True, "r3", 'r3 = array(len=9, [:1]=[1])\n["$r3"'),
        ("[bytes 0 to 4 of r1, 7 after them]\nabcd", False, None, "abcd"),
    ],
)
def test_signs(shown: str, partial: bool, handle: str | None, read: str) -> None:
    assert (is_partial(shown), handle_of(shown), legible(shown)) == (partial, handle, read)
