"""Tasks driven in tests, with the token counts of the default profile."""

from __future__ import annotations

from functools import cache

from harness.loop.driver import Brief, Driver
from harness.loop.episode import Counting, Episode, run
from harness.loop.reader import Reader
from harness.loop.settings import LoopSettings
from harness.loop.task import NEEDS, Need, Task
from harness.loop.tasks import family, family_names
from harness.policies.spec import make_policy


@cache
def counting() -> Counting:
    return LoopSettings().counting()


def drive(task: Task, policy: str, driver: Driver | None = None) -> Episode:
    return run(task, make_policy(policy), driver or Reader(), counting())


def task(family_name: str, template: str, need: Need, seed: int = 0) -> Task:
    return family(family_name).make(template, need, seed)


def brief(one: Task) -> Brief:
    return Brief(one.id, one.question, one.procedure, tuple(tool.declaration() for tool in one.tools))


EVERY = [(name, template) for name in family_names() for template in family(name).templates]
SOME = [(name, template, NEEDS[n % 6]) for n, (name, template) in enumerate(EVERY)]
