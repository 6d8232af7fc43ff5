"""A re-drive with a chat-completions server on loopback, and with the bundled engine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.redrive.kind import REDRIVE
from harness.redrive.settings import RedriveSettings
from harness.runs import life
from harness.runs.run import Run
from tests.redrive.recordings import call, write

SERVER = Path(__file__).parents[1] / "engines" / "chat_server.py"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    command = [sys.executable, str(SERVER)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", env=os.environ | {"SERVER_KEY": ""}) as it:
        assert it.stdout is not None
        yield it.stdout.readline().strip()
        it.kill()


def lights(text: str, room: str) -> dict[str, object]:
    tool = {"name": "set_light", "description": "Switch light", "parameters": {"type": "object", "properties": {}}}
    messages = [{"role": "user", "content": text}, call("set_light", room=room)]
    return {"id": text, "tools": [tool], "messages": messages}


def test_a_server(server: str, tmp_path: Path) -> None:
    texts = ("in the hall", "words", "refuse", "too long")
    path = write(tmp_path / "lights.jsonl", [lights(text, "hall") for text in texts])
    engine = f"openai:url={server}/v1,retries=0"
    run = Run(life.run(REDRIVE, RedriveSettings((str(path),), (engine,), ("car",), window=1000), tmp_path / "results"))
    rows = run.redrive[run.redrive["policy"] == "identity"]
    found = {str(name).partition("#")[2]: outcome for name, outcome in zip(rows.transcript, rows.outcome, strict=True)}
    assert found == {"in the hall": "call", "words": "no call", "refuse": "failed", "too long": "overflow"}
    assert rows["same_arguments"].sum() == 1
    assert rows["tools_from"].unique().tolist() == ["recorded"]
    assert rows["engine_prompt_tokens"].dropna().tolist() == [42]
    assert run.manifest["engines"][0]["window_from"] == "given"


def test_the_bundled_engine_says_itself_what_does_not_fit(tmp_path: Path) -> None:
    pytest.importorskip("needle_rs", reason="needs the extra `tiny`")
    long = "harbor lantern " * 700
    path = write(tmp_path / "lights.jsonl", [lights("light in the hall", "hall"), lights(f"light {long}", "hall")])
    settings = RedriveSettings((str(path),), ("tiny",), (), max_tokens=64)
    run = Run(life.run(REDRIVE, settings, tmp_path / "results"))
    rows = run.redrive.set_index(run.redrive["transcript"].astype(str).str.len())
    short, too_long = sorted(rows.index)
    assert rows.loc[short, "outcome"] in ("call", "no call")
    assert rows.loc[too_long, ["asked", "outcome", "comparable"]].tolist() == ["itself", "overflow", False]
    assert rows.loc[too_long, "prompt_tokens"] < 2048
    assert run.manifest["engines"][0]["window"] == 2048
    assert run.manifest["engines"][0]["window_from"] == "engine"
