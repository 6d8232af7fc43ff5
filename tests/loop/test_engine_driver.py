"""An engine as driver: a small program that answers envelopes, well-behaved and not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from harness.engines.spec import read_spec
from harness.loop.driver import Seen
from harness.loop.engine_driver import EngineDriver, message, said
from harness.transcript import ToolCall
from tests.engines.programs import program
from tests.loop.worlds import drive, task

CALL = "json.dumps({'type': 'call', 'success': True, 'function_calls': [{'name': %r, 'arguments': %s}]}) + '\\n'"


ENDLESS = "{'path': 'x', 'offset': int(time.time() * 1e6)}"


@contextmanager
def engine(body: str) -> Iterator[EngineDriver]:
    driver = EngineDriver(read_spec({"engine": "command", "run": program(body)}), 20.0)
    try:
        yield driver
    finally:
        driver.close()


LOOK_THEN_ANSWER = f"""
if 'kx-' not in asked: say({CALL % ("read_file", "{'path': 'logs/web.log', 'limit': 3}")})
else:
    import re
    code = re.search('kx-[0-9a-f]{{6}}', asked).group()
    say(json.dumps({{'type': 'respond', 'success': True, 'function_calls': [], 'response': code}}) + '\\n')
"""


def test_it_sees_what_the_policy_shows_and_its_answer_is_checked() -> None:
    with engine(LOOK_THEN_ANSWER) as driver:
        run = drive(task("logs", "web-access", "preview"), "identity", driver)
        again = drive(task("logs", "web-access", "preview", 1), "car", driver)
    assert run.passed
    assert again.passed
    assert [m.role for m in run.transcript.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert (run.stopped, run.uptake.offered, again.uptake.offered) == ("answered", 0, 1)


def test_invented_handles_are_counted() -> None:
    body = f"""
if 'Wrote' in asked: say(json.dumps({{'type': 'respond', 'success': True, 'response': 'done'}}) + '\\n')
else: say({CALL % ("write_file", "{'path': 'report.txt', 'content': '$r7'}")})
"""
    with engine(body) as driver:
        run = drive(task("logs", "payments", "row"), "car", driver)
    assert not run.passed
    assert (run.uptake.invented, run.uptake.used) == (1, 0)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("os._exit(7)", "crash"),
        ("say('no envelope\\n')", "no envelope"),
        ("say(json.dumps({'type': 'error', 'error': 'no idea'}) + '\\n')", "error reported"),
        ("say(json.dumps({'type': 'call', 'success': False, 'error_code': 'truncated'}) + '\\n')", "error: truncated"),
    ],
)
def test_a_failed_turn_ends_the_run_and_is_kept(body: str, why: str) -> None:
    with engine(body) as driver:
        first = drive(task("logs", "payments", "row"), "car", driver)
        second = drive(task("logs", "payments", "row"), "identity", driver)
    assert [(run.passed, run.stopped, len(run.layout.requests)) for run in (first, second)] == [(False, why, 1)] * 2


def test_an_engine_that_goes_round_in_a_circle_is_stopped() -> None:
    with engine(f"say({CALL % ('list_files', '{}')})") as driver:
        run = drive(task("logs", "payments", "row"), "identity", driver)
    assert (run.stopped, len(run.layout.requests)) == ("circle", 3)


def test_one_that_never_ends_too() -> None:
    with engine(f"say({CALL % ('read_file', ENDLESS)})") as driver:
        run = drive(task("logs", "payments", "row"), "identity", driver)
    assert (run.stopped, len(run.layout.requests)) == ("limit", 64)


def test_calls_are_text_in_what_engines_are_shown() -> None:
    seen = Seen("assistant", "so", (ToolCall("grep", '{"pattern":"x"}'),))
    assert message(seen) == {"role": "assistant", "content": 'so\n{"name": "grep", "arguments": {"pattern": "x"}}'}
    assert said('{"type":"respond","reason":"no tool fits"}') == "no tool fits"
    assert said('{"type":"respond","response":["x"]}') == ""
