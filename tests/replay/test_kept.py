"""What a second replay finds again, and what makes it measure anew."""

from __future__ import annotations

import dataclasses
import json
import logging
import os
from pathlib import Path

import pytest

from harness.replay import kept as kept_module
from harness.replay import shards
from harness.replay.kept import KeptRows
from harness.replay.kind import REPLAY
from harness.replay.settings import ReplaySettings
from harness.runs import life
from harness.transcript import Problem, Transcript
from tests.replay.test_runner import comparable, conversation


@pytest.fixture(autouse=True)
def kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_CACHE", "on")
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for n in range(4):
        (folder / f"run-{n}.json").write_text(json.dumps(conversation(n)), encoding="utf-8")
    return folder


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The transcripts that were really measured, as it happens."""
    ids: list[str] = []
    real = shards.measure

    def noted(transcript, measures):  # type: ignore[no-untyped-def]
        ids.append(transcript.id)
        return real(transcript, measures)

    monkeypatch.setattr(shards, "measure", noted)
    monkeypatch.setattr(shards, "_prepared", None)
    return ids


def settings_for(corpus: Path, *policies: str, window: int = 200_000) -> ReplaySettings:
    return ReplaySettings((str(corpus),), policies or ("head:bytes=200", "car"), window=window)


def test_a_second_run_measures_nothing_and_writes_the_same(corpus: Path, tmp_path: Path, measured: list[str]) -> None:
    first = life.run(REPLAY, settings_for(corpus), tmp_path / "one")
    assert len(measured) == 4
    second = life.run(REPLAY, settings_for(corpus), tmp_path / "two")
    assert len(measured) == 4
    assert comparable(first) == comparable(second)


def test_only_what_changed_is_measured_anew(corpus: Path, tmp_path: Path, measured: list[str]) -> None:
    life.run(REPLAY, settings_for(corpus), tmp_path / "one")
    (corpus / "run-2.json").write_text(json.dumps(conversation(99)), encoding="utf-8")
    again = life.run(REPLAY, settings_for(corpus), tmp_path / "two")
    assert measured[4:] == ["run-2.json"]
    for name in (tmp_path / "cache" / "rows").glob("*/*"):
        name.unlink()
    assert comparable(life.run(REPLAY, settings_for(corpus), tmp_path / "three")) == comparable(again)


@pytest.mark.parametrize("change", ["policy", "window", "code", "package", "vocabulary"])
def test_whatever_a_row_depends_on_makes_another_key(
    corpus: Path, change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = KeptRows.open(settings_for(corpus).measures())
    settings = settings_for(corpus)
    match change:
        case "policy":
            settings = settings_for(corpus, "head:bytes=201", "car")
        case "window":
            settings = settings_for(corpus, window=100_000)
        case "code":
            monkeypatch.setattr(kept_module, "code_digest", lambda: "other")
        case "package":
            monkeypatch.setattr(kept_module, "package_versions", lambda: {"tiktoken": "0"})
        case "vocabulary":
            other = dataclasses.replace(settings.measures().tokens, encoding="cl100k_base")
            after = KeptRows.open(dataclasses.replace(settings.measures(), tokens=other))
    after = after if change == "vocabulary" else KeptRows.open(settings.measures())
    assert before is not None
    assert after is not None
    assert before.key("x") != after.key("x")
    assert before.key("x") == KeptRows(tmp_path, before._identity).key("x")


def test_off_keeps_nothing(corpus: Path, tmp_path: Path, measured: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_CACHE", "off")
    for name in ("one", "two"):
        life.run(REPLAY, settings_for(corpus), tmp_path / name)
    assert len(measured) == 8
    assert not (tmp_path / "cache").exists()


def test_rows_of_a_policy_from_elsewhere_are_not_kept(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_module, "targets", lambda *_: {"first_line": "elsewhere:FirstLine"})
    assert KeptRows.open(settings_for(corpus).measures()) is not None
    nested = settings_for(corpus, "mask_last_n:n=5,admission=head:bytes=300").measures()
    assert KeptRows.open(nested) is not None
    monkeypatch.setattr(kept_module, "targets", lambda *_: {"head": "elsewhere:Head"})
    assert KeptRows.open(nested) is None


def test_a_damaged_entry_is_measured_anew_and_replaced(
    corpus: Path, tmp_path: Path, measured: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    first = life.run(REPLAY, settings_for(corpus), tmp_path / "one")
    for path in (tmp_path / "cache" / "rows").glob("*/*"):
        path.write_bytes(path.read_bytes()[:-3])
    with caplog.at_level(logging.WARNING):
        second = life.run(REPLAY, settings_for(corpus), tmp_path / "two")
    assert "measuring again" in caplog.text
    assert len(measured) == 8
    assert (
        comparable(first)
        == comparable(second)
        == comparable(life.run(REPLAY, settings_for(corpus), tmp_path / "three"))
    )
    assert len(measured) == 8


def test_a_folder_that_cannot_be_written_costs_a_warning(
    corpus: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        run = life.run(REPLAY, settings_for(corpus), tmp_path / "one")
    assert (run / "manifest.json").exists()
    said = [record.getMessage() for record in caplog.records if record.name == "harness.replay.kept"]
    assert len(said) == 2  # one for the rows, one for the controls, and none for each transcript
    assert all("going on without keeping rows" in one for one in said)


def test_rows_that_nobody_may_delete_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept = KeptRows(tmp_path, b"identity")
    kept.put("a" * 40, b"x" * 100)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refused)
    with caplog.at_level(logging.WARNING):
        kept.prune(max_bytes=0)
    assert "going on without keeping rows" in caplog.text
    assert kept.get("a" * 40) == b"x" * 100


def test_problems_that_cost_other_records_make_another_key(tmp_path: Path) -> None:
    """A row counts the records that problems cost, not the problems."""
    kept = KeptRows(tmp_path, b"identity")
    one = Transcript("id", "chat", (), problems=(Problem("line 1", "unknown role", lost=1),))
    none = dataclasses.replace(one, problems=(Problem("line 1", "no request of it", lost=0),))
    assert one.digest() == none.digest()
    assert kept.transcript_key(one) != kept.transcript_key(none)


def test_the_oldest_go_when_it_grows_too_large(tmp_path: Path) -> None:
    kept = KeptRows(tmp_path, b"identity")
    for n in range(10):
        kept.put(f"{n:040}", b"x" * 100)
        path = next(p for p in tmp_path.glob("*/*") if p.name == f"{n:038}")
        os.utime(path, (n, n))
    size = path.stat().st_size
    kept.prune(max_bytes=10 * size)
    assert len(list(tmp_path.glob("*/*"))) == 10
    kept.prune(max_bytes=9 * size)
    assert {int(p.name) for p in tmp_path.glob("*/*")} == {6, 7, 8, 9}
    assert kept.get(f"{9:040}") == b"x" * 100
    assert kept.get(f"{0:040}") is None
