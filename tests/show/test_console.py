"""A console that lacks a character gets another for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.show.console import plain, print_anything


def run(encoding: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    return subprocess.run(
        [sys.executable, "-m", "harness", *arguments], env=environment, capture_output=True, check=False
    )


def test_a_folder_with_a_japanese_name_is_inspected_on_a_console_of_windows(tmp_path: Path) -> None:
    folder = tmp_path / "記録"
    folder.mkdir()
    (folder / "テスト.json").write_text('{"messages": [{"role": "user", "content": "x"}]}', encoding="utf-8")
    done = run("cp1252", "inspect", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert rb"\u8a18\u9332/\u30c6\u30b9\u30c8.json" in done.stdout


def test_signs_of_our_own_have_a_plain_form() -> None:
    print_anything()
    with pytest.raises(UnicodeEncodeError) as raised:
        "a → b".encode("cp1252")
    assert plain(raised.value) == ("->", 3)
    assert "é → テ".encode("cp1252", "harness-plain") == b"\xe9 -> \\u30c6"
