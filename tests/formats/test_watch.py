"""A source that takes too much time or memory costs itself and nothing else."""

from __future__ import annotations

import json
import re
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.formats import json_text
from harness.formats.corpus import Intake, all_formats, read_transcripts
from harness.formats.json_text import parse, weight
from harness.formats.source import Source
from harness.formats.watch import TooMuch, watched
from harness.transcript import Transcript

CHAT = {"messages": [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Done."}]}


def endless() -> None:
    re.match(r"(a+)+$", "a" * 64 + "b")


def greedy() -> None:
    held: list[list[int]] = []
    while True:
        held.append([len(held)] * 100_000)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.json").write_text(json.dumps(CHAT), encoding="utf-8")
    return folder


def stumbling(monkeypatch: pytest.MonkeyPatch, how: object) -> None:
    """The reader of conversations does this where it reads the second one."""
    (reader,) = [f for f in all_formats() if f.name == "openai-chat"]
    whole = type(reader).read

    def stumbles(self: object, source: Source) -> Iterator[Transcript]:
        if source.name.endswith("b.json"):
            how()  # type: ignore[operator]
        yield from whole(self, source)  # type: ignore[arg-type]

    monkeypatch.setattr(type(reader), "read", stumbles)


# A test tool's hook into the collector runs out of memory too where the memory is limited on purpose.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("how", "limit", "most", "said"),
    [
        (endless, "HARNESS_SOURCE_SECONDS", "1", "takes over 1 s of processor time to read"),
        (greedy, "HARNESS_SOURCE_MEMORY", "200000000", "takes over 200,000,000 bytes of memory to read"),
    ],
)
def test_the_run_goes_on_and_ends_with_three(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: object, limit: str, most: str, said: str
) -> None:
    stumbling(monkeypatch, how)
    monkeypatch.setenv(limit, most)
    places = ["--results", str(tmp_path / "results"), "--report-dir", str(tmp_path / "reports"), "--policy", "car"]
    done = CliRunner().invoke(cli, ["replay", str(corpus), *places])
    assert done.exit_code == 3
    assert "1 source left out for a bug, the first b.json" in done.stderr
    (run,) = (tmp_path / "results").iterdir()
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["corpus"]["transcripts"] == 2
    (problem,) = manifest["problems"]
    assert problem["place"] == "b.json"
    assert said in problem["reason"]
    assert f"in {how.__name__}" in problem["traceback"]  # type: ignore[attr-defined]


def test_what_is_done_between_two_transcripts_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_SOURCE_SECONDS", "1")
    began = time.process_time()
    for _ in watched(iter(range(3)), 0):
        while time.process_time() - began < 1.5:
            pass

    def slow() -> Iterator[int]:
        for n in range(1000):
            start = time.process_time()
            while time.process_time() - start < 0.05:
                pass
            yield n

    with pytest.raises(TooMuch):
        list(watched(slow(), 0))


def test_a_limit_that_is_no_number_is_named(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_SOURCE_MEMORY", "4 GB")
    with pytest.raises(HarnessError, match="HARNESS_SOURCE_MEMORY is '4 GB': set it to a whole number over 0"):
        list(read_transcripts([corpus], Intake()))


@pytest.mark.parametrize(
    "one", ["[]", "{}", "[[]]", "0.5", "123456", '""', '"one word"', '{"a":1}', '{"a":{"b":[1,2]},"c":"d"}', "null"]
)
def test_a_value_weighs_at_least_what_it_takes(one: str) -> None:
    text = "[" + ",".join([one] * 20_000) + "]"
    tracemalloc.start()
    value = parse(text.encode())
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(value) == 20_000
    assert taken <= weight(text)


def test_a_value_that_would_fill_the_memory_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "WEIGHED_FROM", 1000)
    monkeypatch.setattr(json_text, "HEAVY", 100_000)
    (tmp_path / "heavy.json").write_text("[" + "[]," * 5000 + "[]]", encoding="utf-8")
    (tmp_path / "light.json").write_text(json.dumps(CHAT | {"note": "a" * 50_000}), encoding="utf-8")
    intake = Intake()
    assert [t.id for t in read_transcripts([tmp_path], intake)] == ["light.json"]
    (problem,) = intake.problems
    assert problem.place == "heavy.json"
    assert "one value that may take" in problem.reason
    assert "split it, or write it as JSONL" in problem.reason
