"""A token budget in a project's own tests.

def test_the_prompts_stay_small(token_budget):
    token_budget(["sessions"], "car", at_most=200_000)
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from harness.runs.run import Run

__all__ = ["assert_input_tokens", "token_budget"]


def assert_input_tokens(
    paths: str | Path | Iterable[str | Path],
    policy: str = "identity",
    *,
    at_most: int,
    results: Path | None = None,
    **settings: Any,
) -> int:
    """Fail unless the framed prompt tokens of all requests, summed, are at most so many. Returns how many they are.

    paths: one or several recordings or folders of them. results: where the run is kept, nowhere by default. Further
    settings are those of `ReplaySettings`, such as `tokens`. Fails as well, with a sentence, for an unknown policy or
    path, and where there is nothing to replay or something cannot be read: a budget that counts nothing always holds.
    """
    __tracebackhide__ = True
    from harness.api import replay
    from harness.errors import HarnessError

    with tempfile.TemporaryDirectory() as folder:
        try:
            run = replay(paths, [policy], results or folder, **settings)
        except HarnessError as error:
            pytest.fail(str(error), pytrace=False)
        _fail_if_nothing(run)
        rows = run.transcripts[run.transcripts["policy"] == run.policies[-1]]
        used = int(rows["input_tokens"].sum())
        if used > at_most:
            largest = rows.sort_values("input_tokens", ascending=False).head(3)
            named = ", ".join(
                f"{name} {tokens:,}"
                for name, tokens in zip(largest["transcript"], largest["input_tokens"], strict=True)
            )
            pytest.fail(
                f"{used:,} input tokens under {policy}, {used - at_most:,} more than {at_most:,}; most: {named}",
                pytrace=False,
            )
    return used


def _fail_if_nothing(run: Run) -> None:
    __tracebackhide__ = True
    problems = run.manifest["problems"]
    if problems:
        first = problems[0]
        many = f"{len(problems)} records cannot be read, the first" if len(problems) > 1 else "a record cannot be read"
        pytest.fail(f"{many}: {first['place']}: {first['reason']}", pytrace=False)
    if not run.manifest["corpus"]["transcripts"]:
        pytest.fail("no transcript to replay; harness inspect says why files are skipped", pytrace=False)


@pytest.fixture(name="token_budget")
def token_budget(request: pytest.FixtureRequest) -> Callable[..., int]:
    """`assert_input_tokens`, with relative paths taken from pytest's root folder, wherever it is started."""
    from harness.api import listed

    def within_budget(paths: str | Path | Iterable[str | Path], *arguments: Any, **settings: Any) -> int:
        __tracebackhide__ = True
        return assert_input_tokens([request.config.rootpath / p for p in listed(paths)], *arguments, **settings)

    return within_budget
