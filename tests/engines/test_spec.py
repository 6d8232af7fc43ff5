"""How an engine is written: settings of the right types, mistakes named, one label for each of a run."""

from __future__ import annotations

import pytest

from harness.engines.command import Command
from harness.engines.spec import describe_engines, read_spec, read_specs
from harness.errors import HarnessError


def test_the_label_holds_what_differs_from_the_defaults() -> None:
    spec = read_spec("command:run='a \"b\" c',max_bytes=64KiB")
    assert spec.label == 'command:run="a \\"b\\" c",max_bytes=65536'
    assert read_spec(spec.label) == spec
    assert spec.settings == {"run": 'a "b" c', "build": "", "max_bytes": 65536}
    assert spec.make() == Command('a "b" c', max_bytes=65536)
    assert read_spec("tiny:depth=0").label == "tiny"
    assert read_spec({"engine": "tiny", "depth": 2, "constrain": True}).label == "tiny:depth=2,constrain=true"


def test_an_engine_named_twice_is_told_apart() -> None:
    assert [spec.label for spec in read_specs(["tiny", "tiny", "tiny:depth=2", "tiny"])] == [
        "tiny",
        "tiny#2",
        "tiny:depth=2",
        "tiny#3",
    ]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tinny", r"no engines called 'tinny' \(did you mean 'tiny'\?\)"),
        ("tiny:deph=2", r"engine 'tiny' has no setting 'deph' \(did you mean 'depth'\?\)"),
        ("tiny:depth=two", "engine 'tiny': depth='two' will not do; give a whole number"),
        ("command", "engine 'command' needs run: write command:run=…"),
        ("tiny:depth", "engine 'tiny:depth': no key=value"),
        ({"depth": 2}, 'add engine = "tiny"'),
    ],
)
def test_mistakes_are_named(spec: str, message: str) -> None:
    with pytest.raises(HarnessError, match=message):
        read_spec(spec)


def test_all_engines_are_listed_with_their_settings() -> None:
    found = {row["engine"]: row for row in describe_engines()}
    assert {"tiny", "needle", "llama", "openai", "command", "recorded"} <= found.keys()
    assert found["command"]["settings"] == 'run, build="", max_bytes=1048576'
    assert all(row["what"].endswith(".") for row in found.values())
