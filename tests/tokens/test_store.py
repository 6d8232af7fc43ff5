"""The store of counts: several processes, killed processes, broken files."""

from __future__ import annotations

import hashlib
import logging
import os
import random
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from harness.tokens import store as store_module
from harness.tokens.counter import TokenCounter
from harness.tokens.store import CountStore, cache_folder


def key(number: int) -> bytes:
    return hashlib.blake2b(str(number).encode(), digest_size=16).digest()


def fill(folder: Path, numbers: range) -> int:
    """Write the numbers under their keys, in many small batches; how many were read back."""
    store = CountStore(folder)
    for number in numbers:
        store.put(key(number), number)
        if number % 50 == 0:
            store.flush()
    store.close()
    found = CountStore(folder).get_many(key(number) for number in numbers)
    return sum(found[key(number)] == number for number in numbers)


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_counts_outlive_the_store(tmp_path: Path) -> None:
    store = CountStore(tmp_path / "a" / "b")
    store.put(key(1), 7)
    assert store.get(key(1)) == 7
    assert store.get(key(2)) is None
    store.close()
    again = CountStore(tmp_path / "a" / "b")
    assert again.get_many([key(2), key(1)]) == {key(1): 7}
    again.close()


def test_many_keys_are_asked_at_once(tmp_path: Path) -> None:
    assert fill(tmp_path, range(1501)) == 1501


def test_a_full_batch_is_written_without_being_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "BATCH", 3)
    writer, reader = CountStore(tmp_path), CountStore(tmp_path)
    writer.put(key(1), 1)
    writer.put(key(2), 2)
    assert reader.get(key(1)) is None
    writer.put(key(3), 3)
    assert reader.get_many(map(key, range(4))) == {key(n): n for n in (1, 2, 3)}
    writer.close()
    reader.close()


def test_processes_write_at_once(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        work = [pool.submit(fill, tmp_path, numbers) for numbers in (range(1200), range(600, 1800))]
        assert [future.result() for future in work] == [1200, 1200]
    assert len(CountStore(tmp_path).get_many(map(key, range(1800)))) == 1800


KILLED = """
import os, signal, sys
from pathlib import Path
from harness.tokens.store import CountStore
store = CountStore(Path(sys.argv[1]))
store.put(b"1" * 16, 1)
store.flush()
store.put(b"2" * 16, 2)
os.kill(os.getpid(), getattr(signal, sys.argv[2])) if sys.argv[2] else None
"""


@pytest.mark.parametrize(("end", "kept"), [("SIGKILL", {b"1" * 16: 1}), ("", {b"1" * 16: 1, b"2" * 16: 2})])
def test_what_a_process_leaves_behind(end: str, kept: dict[bytes, int], tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), end], env=environment)
    assert done.returncode == (-signal.SIGKILL if end else 0)
    store = CountStore(tmp_path)
    assert store.get_many([b"1" * 16, b"2" * 16]) == kept
    store.put(b"3" * 16, 3)
    store.close()
    assert CountStore(tmp_path).get(b"3" * 16) == 3


@pytest.mark.parametrize("damage", ["header", "pages", "text"])
def test_a_broken_file_is_replaced(damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    fill(tmp_path, range(3000))
    path = tmp_path / "token-counts-1.sqlite"
    content = path.read_bytes()
    assert len(content) > 8 * 4096
    broken = {
        "header": b"x" * 100 + content[100:],
        "pages": content[:4096] + b"\xff" * (len(content) - 4096),
        "text": b"not a database, but long enough to be one\n" * 200,
    }
    path.write_bytes(broken[damage])
    store = CountStore(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert store.get(key(1)) is None
    assert "starting the cache of token counts anew" in caplog.text
    store.put(key(1), 1)
    store.close()
    caplog.clear()
    assert CountStore(tmp_path).get(key(1)) == 1
    assert caplog.text == ""
    assert {name for name in files(tmp_path) if name.endswith(".sqlite")} == {"token-counts-2.sqlite"}


def test_a_process_that_still_has_the_broken_file_goes_on_in_the_new_one(tmp_path: Path) -> None:
    fill(tmp_path, range(3000))
    first, second = CountStore(tmp_path), CountStore(tmp_path)
    assert first.get(key(1)) == second.get(key(1)) == 1
    path = tmp_path / "token-counts-1.sqlite"
    with path.open("r+b") as file:
        file.write(b"\xff" * path.stat().st_size)
    for store, number in ((first, 1), (second, 2)):
        store.get_many(map(key, range(3000)))
        store.put(key(number), number)
    first.close()
    second.close()
    assert CountStore(tmp_path).get_many([key(1), key(2)]) == {key(1): 1, key(2): 2}


def test_a_folder_that_cannot_be_used_costs_one_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    store = CountStore(tmp_path / "file" / "cache")
    with caplog.at_level(logging.WARNING):
        for number in range(3):
            store.put(key(number), number)
            store.flush()
            assert store.get(key(number)) is None
    assert len(caplog.records) == 1
    assert "going on without the cache of token counts" in caplog.text
    store.close()


def test_a_table_of_other_columns_is_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "token-counts-5.sqlite"
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE checked (word TEXT)")
    foreign.close()
    store = CountStore(tmp_path)
    assert store.get(key(1)) is None
    assert "going on without" in caplog.text
    assert files(tmp_path) >= {path.name}


def test_the_file_stays_in_bounds(tmp_path: Path) -> None:
    store = CountStore(tmp_path, max_bytes=200_000)
    for number in range(30_000):
        store.put(key(number), number)
        if number % 1000 == 999:
            store.flush()
    store.close()
    assert (tmp_path / "token-counts-1.sqlite").stat().st_size < 300_000
    found = CountStore(tmp_path).get_many(map(key, range(30_000)))
    assert 0 < len(found) < 10_000
    assert found.keys() >= {key(number) for number in range(29_000, 30_000)}
    assert all(found[key(n)] == n for n in range(30_000) if key(n) in found)


def test_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HARNESS_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "context-policy-harness"
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("HARNESS_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder().is_relative_to(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_flipped_bits_give_no_wrong_count(tmp_path: Path) -> None:
    """Anywhere in the file, three hundred times: the right count, or none."""
    fill(tmp_path / "whole", range(600))
    content = (tmp_path / "whole" / "token-counts-1.sqlite").read_bytes()
    dice = random.Random(3)
    unknown = 0
    for n in range(300):
        folder = tmp_path / str(n)
        folder.mkdir()
        broken = bytearray(content)
        for _ in range(3):
            broken[dice.randrange(len(broken))] ^= 1 << dice.randrange(8)
        (folder / "token-counts-1.sqlite").write_bytes(broken)
        store = CountStore(folder)
        found = store.get_many(map(key, range(600)))
        store.close()
        assert all(found.get(key(number), number) == number for number in range(600))
        assert set(found) <= set(map(key, range(600)))
        unknown += len(found) < 600
    assert unknown > 100


def test_a_file_of_before_there_were_checksums_is_taken_over_empty(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "token-counts-1.sqlite") as database:
        database.execute("CREATE TABLE counts (key BLOB PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID")
        database.execute("INSERT INTO counts VALUES (?, ?)", (key(1), 99))
    database.close()
    store = CountStore(tmp_path)
    assert store.get(key(1)) is None
    store.put(key(1), 1)
    store.close()
    assert CountStore(tmp_path).get(key(1)) == 1


def test_a_count_that_is_wrong_under_a_right_checksum_is_found_and_nothing_kept_is_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("harness.tokens.counter.RECOUNTED", 1)
    texts = [f"{n} " * 400 for n in range(5)]
    with TokenCounter("cl100k_base", CountStore(tmp_path)) as counter:
        right = counter.count_many(texts)
        wrong = {counter._digest(text): count + 1 for text, count in zip(texts, right, strict=True)}
    store = CountStore(tmp_path)
    store.distrust("for the test")
    for digest, count in wrong.items():
        store.put(digest, count)
    store.close()
    with caplog.at_level(logging.WARNING):
        assert TokenCounter("cl100k_base", CountStore(tmp_path)).count(texts[0]) == right[0]
        assert TokenCounter("cl100k_base", CountStore(tmp_path)).count_many(texts) == right
    assert "held a count that is not the text's" in caplog.text
