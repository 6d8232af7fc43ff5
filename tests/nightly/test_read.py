"""Suite files are read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.nightly.read import read_suite
from harness.show.suite import plan_text

ROOT = Path(__file__).resolve().parents[2]
REPLAY = '[replay.a]\npaths = ["rec"]\n'
LOOP = '[loop.l]\ndrivers = ["reader"]\npolicies = ["car"]\nfamilies = ["sql"]\nfirst = 3\n'
TUNE = '[tune.t]\npaths = ["rec"]\npolicy = "head"\nvary = ["bytes=100:900"]\n'
MATCH = '[match.m]\npaths = ["rec"]\nto = "car"\npolicies = ["head"]\n'
REDRIVE = '[redrive.r]\npaths = ["rec"]\nengines = ["command:run=x"]\nlimit = 2\n'
BENCH = '[bench.b]\nengines = ["command:run=x", "command:run=y"]\ntasks = ["t.jsonl"]\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (REPLAY + 'polices = ["car"]\n', r"unknown key replay.a.polices \(did you mean 'policies'\?\); known: paths,"),
        ('[replays.a]\npaths = ["rec"]\n', r"unknown key replays \(did you mean 'replay'\?\)"),
        (REPLAY + "window = true\n", r"replay.a.window must be a whole number, not True"),
        (REPLAY + 'policies = ["hed:bytes=3"]\n', r"'hed'.*did you mean"),
        (REPLAY + "[tolerance]\ninput_token = 0.1\n", r"unknown figure tolerance.input_token \(did you mean 'input_t"),
        (REPLAY + "[tolerance]\ninput_tokens = -0.1\n", r"tolerance.input_tokens must be a number of 0 or more"),
        (REPLAY + '[bench.a]\nengines = ["command:run=x"]\ntasks = ["t"]\n', "two parts of one name"),
        ('[replay."../a"]\npaths = ["rec"]\n', "cannot be a name"),
        ('name = "../b"\n' + REPLAY, "cannot be a name"),
        ("[replay.a]\n", "replay.a needs paths"),
        (BENCH + 'reference = "command:run=z"\n', "must be one of its engines"),
        ('[bench.b]\nengines = ["tiny"]\ntasks = ["t"]\nreference = "tiny"\n', "has only its reference"),
        ('[loop.l]\ndrivers = ["raeder"]\n', r"loop.l: driver 'raeder': neither reader"),
        ('[loop.l]\ndrivers = ["reader"]\nfamilies = ["sqk"]\n', r"loop.l: .*did you mean 'sql'"),
        (TUNE + 'metric = "time"\n', r"tune.t: metric is 'time': give tokens or money"),
        (TUNE.replace("bytes", "lengths"), r"tune.t: --vary 'lengths=.*no number called 'lengths'"),
        ('[tune.t]\npolicy = "head"\n', "tune.t needs paths"),
        ("", "nothing to run"),
        ("[replay", "not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    place = tmp_path / "s.toml"
    place.write_text(text, encoding="utf-8")
    with pytest.raises(HarnessError, match=said) as caught:
        read_suite(place)
    assert str(caught.value).startswith(str(place))


def test_what_a_suite_says(tmp_path: Path) -> None:
    place = tmp_path / "s.toml"
    place.write_text(REPLAY + BENCH + 'reference = "command:run=y"\n[tolerance]\ndecode = 0.1\n', encoding="utf-8")
    suite = read_suite(place)
    assert [(p.kind, p.name, p.reference) for p in suite.parts] == [
        ("replay", "a", ""),
        ("bench", "b", "command:run=y"),
    ]
    assert suite.tolerance == {"decode": 0.1}
    assert [p.name for p in suite.only(["b"]).parts] == ["b"]
    with pytest.raises(HarnessError, match=r"no part called 'c'; there are: a, b|no part called 'c'"):
        suite.only(["c"])
    assert "replay a" in plan_text(suite)
    assert "tasks: " in plan_text(suite)


def test_every_kind_has_parts(tmp_path: Path) -> None:
    place = tmp_path / "s.toml"
    place.write_text(REDRIVE + LOOP + TUNE + MATCH, encoding="utf-8")
    suite = read_suite(place)
    assert [(p.kind, p.name) for p in suite.parts] == [("redrive", "r"), ("loop", "l"), ("match", "m"), ("tune", "t")]
    said = plan_text(suite)
    assert "tune t\n    paths: " in said
    assert "families: sql" in said


def test_every_suite_in_the_tree_is_one() -> None:
    suites = sorted((ROOT / "tasks" / "suites").glob("*.toml"))
    assert [s.stem for s in suites]
    for place in suites:
        assert read_suite(place).parts
