"""Tasks: enough of them, the same every time, and answered by nothing but their environment."""

from __future__ import annotations

import re

import pytest

from harness.errors import HarnessError
from harness.loop.task import NEEDS, Need
from harness.loop.tasks import family, family_names, tasks
from harness.loop.world import open_world
from harness.policies.spec import make_policy
from harness.transcript import ToolResult, Transcript
from tests.loop.worlds import EVERY, SOME, brief, drive, task


def test_forty_templates_in_six_families() -> None:
    assert len(family_names()) == 6
    assert len(EVERY) == len(set(EVERY)) >= 40
    assert {len(family(name).templates) for name in family_names()} == {7}


def test_so_many_seeds_give_every_template_every_need() -> None:
    found = {(one.family, one.template, one.need) for one in tasks([], len(NEEDS))}
    assert found == {(name, template, need) for name, template in EVERY for need in NEEDS}


def test_the_first_tasks_are_some_of_all() -> None:
    every = [one.id for one in tasks([], 2)]
    some = [one.id for one in tasks([], 2, first=20)]
    assert len(some) == len(set(some)) == 20
    assert set(some) < set(every)
    assert len({one.family for one in tasks([], 2, first=20)}) == 6


def test_there_are_as_many_seeds_as_the_first_tasks_need() -> None:
    assert len(tasks(["logs"], first=10)) == 10
    assert {one.seed for one in tasks(["logs"], first=10)} == {0, 1}
    assert len(tasks(["logs"])) == 7
    with pytest.raises(HarnessError, match="there are 7 tasks of 1 seeds"):
        tasks(["logs"], 1, first=10)


def test_one_family_has_the_tasks_that_it_has_among_all() -> None:
    every = [one.id for one in tasks([], 2)]
    assert [one.id for one in tasks(["sql"], 2)] == [one for one in every if one.startswith("sql/")]


@pytest.mark.parametrize(("families", "seeds", "why"), [(["sqk"], 1, "did you mean 'sql'"), ([], -1, "seeds is -1")])
def test_what_cannot_be_had_is_said(families: list[str], seeds: int, why: str) -> None:
    with pytest.raises(HarnessError, match=why):
        tasks(families, seeds)


@pytest.mark.parametrize(("name", "template", "need"), SOME)
def test_the_same_seed_gives_the_same_run_and_another_one_another(name: str, template: str, need: Need) -> None:
    first, again = (drive(task(name, template, need, 4), "identity") for _ in range(2))
    other = drive(task(name, template, need, 5), "identity")
    assert first.passed
    assert other.passed
    assert first.transcript == again.transcript
    assert first.transcript.digest() != other.transcript.digest()


@pytest.mark.parametrize(("name", "template", "need"), SOME)
def test_nothing_done_is_not_right(name: str, template: str, need: Need) -> None:
    one = task(name, template, need)
    with open_world(one.prepare, None) as world:
        assert not one.check(world, "")
        assert not one.check(world, "I could not find out.")


def secrets(value: object) -> list[str]:
    """The codes and seals in something written out."""
    return re.findall(r"kx-[0-9a-f]{6}|SL[0-9A-F]{6}", repr(value))


def shown_of_the_answer(name: str, template: str, need: Need) -> bool:
    """Whether CAR's rendering of the first result shows what the run under identity takes from it."""
    run = drive(task(name, template, need), "identity")
    said = run.transcript.messages[4]
    written = said.text + "".join(call.arguments for call in said.calls)
    (answer,) = re.findall(r"kx-[0-9a-f]{6}|SL[0-9A-F]{6}|\b[0-9]{2,}\b", written)
    view = make_policy("car").start(run.transcript).admit(3, result_of(run.transcript, 3), None)
    return answer in view.text


def result_of(transcript: Transcript, index: int) -> ToolResult:
    result = transcript.messages[index].result
    assert result is not None
    return result


@pytest.mark.parametrize(("name", "template"), EVERY)
def test_a_preview_shows_and_hides_what_it_is_meant_to(name: str, template: str) -> None:
    needs: tuple[Need, ...] = ("preview", "field", "row", "line")
    assert [shown_of_the_answer(name, template, need) for need in needs] == [True, False, False, False]


@pytest.mark.parametrize(("name", "template"), EVERY)
def test_what_a_driver_is_told_holds_no_answer(name: str, template: str) -> None:
    for need in NEEDS:
        assert not secrets(brief(task(name, template, need)))
