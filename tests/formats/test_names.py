"""Names of files of any bytes: carried, shown escaped, and never the end of a run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.cli import main

SESSION = {
    "messages": [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "rows of /src/part_1234.py"},
        {"role": "assistant", "content": "done with /src/part_1234.py"},
    ]
}


def test_names_that_are_no_utf8_end_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in (b"good.json", b"ses\xe9.json", b"note\xff.txt"):
        data = b"no recording" if name.endswith(b".txt") else json.dumps(SESSION | {"id": name.hex()}).encode()
        with open(os.path.join(os.fsencode(folder), name), "wb") as stream:
            stream.write(data)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["replay", "corpus", "--policy", "head:bytes=10"])
    assert not ended.value.code
    with pytest.raises(SystemExit) as ended:
        main(["inspect", "corpus"])
    assert not ended.value.code
    said = capsys.readouterr().out
    assert "ses\\xe9.json" in said
    assert "note\\xff.txt" in said
