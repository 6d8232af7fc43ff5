"""Programs as policies: equal to the built-in one where they do the same, and told where they fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.policies.conduct import Conduct
from harness.policies.kept_part import elided_bytes
from harness.policies.program import Session
from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy
from harness.testing.policies import conversation, drive
from harness.transcript import Transcript

FILTER = Path(__file__).parent / "programs" / "filter.py"
RUN = f"{sys.executable} {FILTER}"
VALUES = ("short", "é" * 3000, "line of text\n" * 400, "", "short", "x" * 2000, "y" * 2001)
CALL = "tests.policies.programs.filter:shortened"


def command(fault: str = "", **more: object) -> str:
    settings = "".join(f",{key}={value}" for key, value in more.items())
    return f'command:run="{RUN} {fault}"{settings}'


def conduct_of(spec: str, transcript: Transcript) -> tuple[list[Rendering], Conduct]:
    run = make_policy(spec).start(transcript)
    views = [run.admit(i, r, None) for i in transcript.results() if (r := transcript.messages[i].result)]
    assert isinstance(run, Session)
    return views, run.conduct


@pytest.mark.parametrize(
    "spec", [command(), f'command:run="{RUN} plain",mode=plain', f"python:call={CALL}", command(keeps_state="true")]
)
def test_a_program_that_cuts_as_a_policy_does_renders_the_same(spec: str) -> None:
    transcript = conversation(*VALUES)
    assert drive(spec, transcript) == drive("head:bytes=2000", transcript)


def test_the_same_result_is_asked_for_once() -> None:
    _, conduct = conduct_of(command(twice=0), conversation(*VALUES))
    assert [asked.message for asked in conduct.asked] == [3, 5, 7, 9, 13, 15]
    assert all(asked.seconds > 0 and not asked.failed and asked.again is None for asked in conduct.asked)


@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        ("refuse", ["refused"] * 3),
        ("broken", ["broken"] * 3),
        ("crash", ["", "crash", ""]),  # started anew behind the crash
        ("stall", ["timeout"] * 3),
    ],
)
def test_a_failure_is_told_by_name_and_leaves_the_result_as_recorded(fault: str, kinds: list[str]) -> None:
    long = ["a" * 3000, "b" * 3000, "c" * 3000]
    views, conduct = conduct_of(command(fault, seconds=0.5, twice=0), conversation(*long))
    assert [asked.failed for asked in conduct.asked] == kinds
    for view, value, kind in zip(views, long, kinds, strict=True):
        assert (view.text == value) == bool(kind)


def test_a_plain_program_that_fails_is_told() -> None:
    long = conversation("a" * 3000)
    for run, kind in (("false", "refused"), ("sleep 60", "timeout"), (r"printf '\\377'", "broken")):
        _, conduct = conduct_of(f'command:run="{run}",mode=plain,seconds=0.5,twice=0', long)
        assert [asked.failed for asked in conduct.asked] == [kind]


def test_what_answers_differently_is_found_out() -> None:
    transcript = conversation(*("word " * (200 + n) for n in range(8)))
    views, conduct = conduct_of(command("random", twice=1), transcript)
    assert all(asked.again is not None for asked in conduct.asked)
    assert any(asked.again != view.text for asked, view in zip(conduct.asked, views, strict=True))
    views, conduct = conduct_of(command(twice=1), transcript)
    assert [asked.again for asked in conduct.asked] == [view.text for view in views]


def test_what_keeps_state_is_started_anew_for_every_session() -> None:
    transcript = conversation("a" * 200, "b" * 200)
    spec = command("remembers", keeps_state="true", twice=1)
    first, conduct = conduct_of(spec, transcript)
    second, _ = conduct_of(spec, transcript)
    assert [view.text[:9] for view in first] == ["number 0:", "number 1:"]
    assert first == second
    assert [asked.again for asked in conduct.asked] == [view.text for view in first]


def says_how(text: str, tool: str, arguments: str) -> dict[str, str]:
    return {"text": f"{tool}({arguments}) -> h1", "reach": "handle-read", "handle": "h1"}


def raises(text: str) -> str:
    raise ValueError(text)


def test_a_program_may_say_how_the_whole_can_be_had_again() -> None:
    (view,) = drive(f"python:call={__name__}:says_how", conversation("something"))[1].values()
    assert view == Rendering('bash({"command": "ls"}) -> h1', 9, "handle-read", "h1")


def test_a_function_that_raises_has_crashed() -> None:
    views, conduct = conduct_of(f"python:call={__name__}:raises", conversation("some value"))
    assert (views[0].text, conduct.asked[0].failed) == ("some value", "crash")


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("command", "run is empty"),
        ("command:run=/no/such/program", "cannot be started"),
        ("command:run=/no/such/program,mode=plain", "cannot be started"),
        ("python", "package.module:function"),
        ("python:call=no.such:thing", "cannot be found"),
        ("python:call=sys:version", "is no function"),
    ],
)
def test_what_cannot_run_is_a_sentence(spec: str, says: str) -> None:
    with pytest.raises(HarnessError, match=says):
        drive(spec, conversation("x"))


def test_what_ran_is_known_by_its_hash() -> None:
    first = make_policy(command()).ran()["hashes"]
    assert len(first["program"]) == len(first[str(FILTER)]) == 64
    inner = make_policy(f"mask_last_n:n=2,admission='{command()}'")
    assert next(iter(inner.ran().values()))["hashes"] == first
    assert make_policy("head").ran() == {}


@pytest.mark.parametrize(
    ("value", "text", "elided"),
    [
        ("abc", "abc", 0),
        ("a" * 100, "a" * 10 + "\n[90 left]", 90),
        ("head\nmiddle\ntail of the whole value", "head\n...\ntail of the whole value", 6),
        ("one\ntwo\nthree\nfour", "four\ntwo", 10),  # whole lines, wherever they stand
        ("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "[1 more]", 29),  # one bracket in common is chance
        ("éé", "é", 2),
        ("written", "anew", 7),
        ('{"id": "TX68", "account": "488130"}', '{"id":"TX68","account":"488130"}', 3),
        ("", "something", 0),
    ],
)
def test_what_stands_of_a_value_in_a_text(value: str, text: str, elided: int) -> None:
    assert elided_bytes(value, text) == elided


def test_what_is_only_written_otherwise_is_not_elided() -> None:
    rows = [{"id": f"row_{n}", "text": f"some words about number {n}"} for n in range(40)]
    value = json.dumps(rows, indent=1)
    columns = json.dumps({"columns": ["id", "text"], "rows": [list(row.values()) for row in rows]})
    blanks = len(value) - len(json.dumps(rows, separators=(",", ":")))
    assert elided_bytes(value, json.dumps(rows, separators=(",", ":"))) <= blanks
    keys = 40 * len('"id":"text":{}')
    assert elided_bytes(value, columns) <= blanks + keys
