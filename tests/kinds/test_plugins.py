"""A plug-in that fails is named with its package and left out; the rest goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cli import main
from harness.errors import HarnessError
from harness.formats.corpus import all_formats
from harness.policies.spec import make_policy
from harness.registry import load
from tests.kinds.plugins import Install, site

CHAT = {"messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]}
BROKEN_SNIFF = """
class Reader:
    name = "sneezing"

    def sniff(self, head):
        raise ZeroDivisionError("no")

    def read(self, source):
        return iter(())
"""
POLICY = """
from dataclasses import dataclass
from harness.policies.family import Family

@dataclass(frozen=True)
class Mine(Family):
    limit: int = 3
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chat.json").write_text(json.dumps(CHAT), encoding="utf-8")
    (tmp_path / "site").mkdir()
    with site(tmp_path / "site", monkeypatch) as installer:
        yield installer


def harness(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


def test_one_that_cannot_be_imported(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("gone_format", "import nothing_like_this", {"harness.formats": {"gone": "gone_format:Reader"}})
    assert harness("inspect", "chat.json") == 0
    said = capsys.readouterr()
    assert "formats 'gone' of gone-format 1.2 is left out: it cannot be loaded (ModuleNotFoundError" in said.err
    assert said.err.count("left out") == 1
    assert harness("replay", "chat.json", "--policy", "car") == 0
    capsys.readouterr()
    assert harness("inspect", "chat.json", "--format", "gone") == 2
    assert "gone-format 1.2" in capsys.readouterr().err


def test_one_whose_sniff_raises(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("sneeze", BROKEN_SNIFF, {"harness.formats": {"sneezing": "sneeze:Reader"}})
    (Path.cwd() / "odd.json").write_text('{"of": "no format"}', encoding="utf-8")
    assert harness("inspect", "odd.json", "chat.json") == 0
    said = capsys.readouterr()
    assert "of sneeze 1.2 is left out: it raises where it looks at odd.json (ZeroDivisionError: no)" in said.err
    assert "chat.json" in said.out
    assert "sneezing" not in [f.name for f in all_formats()]


def test_doctor_names_what_is_left_out(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("gone_engine", "", {"harness.engines": {"gone": "gone_engine:Engine"}})
    assert harness("doctor", "--json") == 1
    rows = {row["what"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["harness.engines gone"]["state"] == "broken"
    assert rows["harness.engines gone"]["detail"].startswith("gone-engine 1.2: it cannot be loaded (AttributeError")


def test_a_policy_cannot_take_the_name_of_a_preset(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    before = make_policy("codex")
    install("mine", POLICY, {"harness.policies": {"codex": "mine:Mine", "head": "mine:Mine"}})
    assert make_policy("codex") == before
    assert make_policy("head:bytes=5").label == "head:bytes=5"
    said = capsys.readouterr().err
    assert "policies 'codex' of mine 1.2 is left out: the name is taken" in said
    assert "policies 'head' of mine 1.2 is left out: the name is taken" in said


def test_what_lacks_a_part_of_its_protocol(install: Install) -> None:
    install("half", "class Half:\n    name = 'half'\n", {"harness.formats": {"half": "half:Half"}})
    with pytest.raises(HarnessError, match=r"formats 'half' of half 1\.2 is left out: it has no sniff, read"):
        load({}, "harness.formats", "half")


def test_two_of_one_name(install: Install) -> None:
    for module in ("one_kind", "two_kind"):
        install(module, "KIND = 1", {"harness.kinds": {"same": f"{module}:KIND"}})
    with pytest.raises(HarnessError, match=r"of one-kind 1\.2 and two-kind 1\.2 is left out: two packages"):
        load({}, "harness.kinds", "same")


def test_without_plug_ins(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install("gone_format", "import nothing_like_this", {"harness.formats": {"gone": "gone_format:Reader"}})
    monkeypatch.setenv("HARNESS_PLUGINS", "off")
    with pytest.raises(HarnessError, match="no formats called 'gone'"):
        load({}, "harness.formats", "gone")
