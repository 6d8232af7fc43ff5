"""Tasks driven in tests. Tokens are counted roughly, since no driver sees them; `test_runner` counts them well."""

from __future__ import annotations

from functools import cache

from harness.loop.driver import Brief, Driver
from harness.loop.episode import Counting, Episode, run
from harness.loop.reader import Reader
from harness.loop.task import NEEDS, Need, Task
from harness.loop.tasks import family, family_names
from harness.policies.spec import make_policy
from harness.tokens.profiles import DEFAULT_PROFILE, token_profile


class Rough:
    """Four characters a token."""

    def count(self, text: str) -> int:
        return len(text) // 4


COUNTING = Counting(Rough(), token_profile(DEFAULT_PROFILE))


def drive(task: Task, policy: str, driver: Driver | None = None) -> Episode:
    return run(task, make_policy(policy), driver or Reader(), COUNTING)


@cache
def task(family_name: str, template: str, need: Need, seed: int = 0) -> Task:
    return family(family_name).make(template, need, seed)


def brief(one: Task) -> Brief:
    return Brief(one.id, one.question, one.procedure, tuple(tool.declaration() for tool in one.tools))


EVERY = [(name, template) for name in family_names() for template in family(name).templates]
SOME = [(name, template, NEEDS[n % 6]) for n, (name, template) in enumerate(EVERY)]
