"""The project's own recordings: made again they are the same, and what is said to be planted in them is there."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.loop.environment.service import Store, serve
from harness.loop.environment.tools import http_get, shell
from harness.transcript import Message, Transcript
from tasks.transcripts.maker.needs import found_in
from tasks.transcripts.maker.recordings import PLANTED, place, recording, truth
from tasks.transcripts.maker.runs import scripts
from tasks.transcripts.maker.script import Script

FOLDER = Path(__file__).resolve().parents[2] / "tasks" / "transcripts"
TYPES = {"json", "text", "numbered", "grep", "listing", "empty", "error", "log", "paths", "table", "diff"}


@cache
def planted() -> list[dict[str, Any]]:
    document = json.loads((FOLDER / PLANTED).read_text(encoding="utf-8"))
    assert (document["schema"], document["clock"]) == (1, "simulated")
    runs: list[dict[str, Any]] = document["runs"]
    return runs


@cache
def committed() -> dict[str, Transcript]:
    """Every committed recording as its reader sees it, by run."""
    intake = Intake()
    found = list(read_transcripts([FOLDER / "claude-code", FOLDER / "openai-chat"], intake))
    assert (intake.problems, intake.skipped) == ([], [])
    # Both formats keep the order of the maker inside of a file, and a file is of one task.
    by_file: dict[str, list[str]] = {}
    for run in planted():
        by_file.setdefault(run["file"], []).append(run["run"])
    result = {}
    for transcript in found:
        file = next(f for f in by_file if transcript.id.split("#")[0].endswith(f.split("/", 1)[1]))
        result[by_file[file].pop(0)] = transcript
    return result


@cache
def why_not_here() -> str | None:
    """Why the tools of this machine cannot make the recordings, or `None`: a reason for skipping, never for passing."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "a.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
        (root / "b.txt").write_text("one\nzwei\nthree\n", encoding="utf-8")
        wanted = {
            "grep -n -A 1 two a.txt": "2:two\n3-three\n",
            "grep -rn t . | sort": "./a.txt:2:two\n./a.txt:3:three\n./b.txt:3:three\n",
            "grep -L two a.txt b.txt": "b.txt\n",
            "grep -n -o 't[a-z]' a.txt": "2:tw\n3:th\n",
            "diff -U 0 -L x -L y a.txt b.txt": "--- x\n+++ y\n@@ -2 +2 @@\n-two\n+zwei\n",
            "sort -c a.txt || echo unsorted": r"sort: .*\nunsorted\n|unsorted\n",
            "find . -name '*.txt' -size +0 | sort": "./a.txt\n./b.txt\n",
            "sed 's/two/2/' a.txt | tail -n 2": "2\nthree\n",
            "ls -l a.txt": r"-rw-[-r]{6} 1 dev dev 14 \w{3} .* a\.txt\n",
            "python3 -c 'print(chr(233))'": "é\n",
        }
        for command, text in wanted.items():
            got = shell(root, command, "/root").text
            if got != text and not re.fullmatch(text, got):
                return f"`{command}` prints {got!r} on this machine"
        try:
            with serve(Store({"things": []})) as address:
                if http_get(address, "/things").is_error:
                    return "a service on loopback answers with an error"
        except OSError as error:
            return f"no service on loopback: {error}"
    return None


@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.run)
def test_made_again_is_the_same(script: Script) -> None:
    if (reason := why_not_here()) is not None:
        pytest.skip(f"the recordings cannot be made here: {reason}")
    agent = script.make()
    assert truth(agent) == next(run for run in planted() if run["run"] == script.run)
    data = (FOLDER / place(agent)).read_bytes()
    recorded = recording(agent)
    if agent.format == "openai-chat":
        assert recorded in data.splitlines(keepends=True)
    else:
        assert recorded == data
    assert committed()[script.run].messages == agent.transcript().messages
    assert committed()[script.run].cluster == script.task


def test_nothing_else_is_committed() -> None:
    runs = [script.run for script in scripts()]
    assert [run["run"] for run in planted()] == runs
    assert set(committed()) == set(runs)
    recordings = {p for name in ("claude-code", "openai-chat") for p in (FOLDER / name).rglob("*") if p.is_file()}
    assert recordings == {FOLDER / run["file"] for run in planted()}
    lines = sum(path.read_bytes().count(b"\n") for path in (FOLDER / "openai-chat").iterdir())
    assert lines == sum(run["file"].startswith("openai-chat") for run in planted())


def test_readme_lists_every_run() -> None:
    """Each with its format, requests, and what its script says of it."""
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for script, run in zip(scripts(), planted(), strict=True):
        kind = "session" if script.format == "claude-code" else "chat"
        assert f"| {script.run} | {kind} | {run['requests']} | " in readme
        assert f" | {script.play.__doc__} |" in readme


def test_variety() -> None:
    transcripts = committed().values()
    assert len(transcripts) >= 24
    assert len({t.cluster for t in transcripts}) >= 8
    shares = Counter(t.format for t in transcripts)
    assert min(shares.values()) >= len(transcripts) // 3
    assert {result["type"] for run in planted() for result in run["results"]} == TYPES
    sizes = [result["bytes"] for run in planted() for result in run["results"]]
    assert min(size for size in sizes if size) < 100
    assert 180_000 < max(sizes) <= 200_000
    assert all(4 <= run["requests"] <= 25 for run in planted())
    kinds = Counter((need["kind"], need["place"]) for run in planted() for need in run["needs"])
    assert all(kinds["span", place] >= 3 for place in ("head", "middle", "tail"))
    assert kinds["field", "middle"] >= 3
    assert kinds["whole", "everywhere"] >= 3
    assert kinds["aggregate", "everywhere"] >= 3
    assert any(not run["needs"] for run in planted())


def test_hazards_are_in_them() -> None:
    results = [m.result.content for t in committed().values() for m in t.messages if m.result is not None]
    for hazard in ("\x1b[", "\r", "<script>", "=cmd(", "積み込み場", "⚠️", "\\ud83d", "Søndervig"):
        assert any(hazard in text for text in results), hazard
    assert max(len(line) for text in results for line in text.split("\n")) > 180_000
    assert [m.result.clipped for t in committed().values() for m in t.messages if m.result and m.result.clipped] == []


def test_no_trace_of_a_machine() -> None:
    for path in sorted((FOLDER / "claude-code").rglob("*.jsonl")) + sorted((FOLDER / "openai-chat").iterdir()):
        text = path.read_text(encoding="utf-8")
        for trace in ("/tmp", "127.0.0.1", "localhost", "/root", "sample-", str(Path.home()), " root root "):
            assert trace not in text, (path.name, trace)


@pytest.mark.parametrize("run", planted(), ids=lambda run: run["run"])
def test_planted(run: dict[str, Any]) -> None:
    """Each need is borne: it stands in its result at these bytes, in the action, and in nothing else seen before."""
    transcript = committed()[run["run"]]
    requests = transcript.requests()
    results = [m.result.content for m in transcript.messages if m.result is not None]
    assert len(requests) == run["requests"]
    assert [len(text.encode("utf-8")) for text in results] == [result["bytes"] for result in run["results"]]
    for need in run["needs"]:
        at = requests[need["request"] - 1]
        message, before = transcript.messages[at], transcript.messages[:at]
        assert sum(m.result is not None for m in before) >= need["result"]
        if need["kind"] == "aggregate":
            continue
        raw = results[need["result"] - 1].encode("utf-8")[need["start"] : need["end"]].decode("utf-8")
        value = json.loads(raw) if need["kind"] == "field" or is_json(raw) else raw
        assert need["text"] in ((raw,) if need["kind"] != "field" else (value, _json(value)))
        assert carries(message, need["action"], need["text"], value)
        said = [text for m in before if m.result is None for text in words_of(m)]
        assert [text for text in said if found_in(need["text"], text)] == []
        seen = results[: sum(m.result is not None for m in before)]
        others = [n for n, text in enumerate(seen, 1) if n != need["result"] and found_in(need["text"], text)]
        assert need["also_in"] == others


def carries(message: Message, action: str, text: str, value: Any) -> bool:
    if action == "answer":
        return not message.calls and text in message.text
    leaves = [leaf for call in message.calls if call.name == action for leaf in parts(json.loads(call.arguments))]
    return any(leaf == value or (isinstance(leaf, str) and text in leaf) for leaf in leaves)


def is_json(text: str) -> bool:
    """Whether a text is a JSON object or array, which an argument can hold as a value instead of as text."""
    try:
        return isinstance(json.loads(text), dict | list)
    except ValueError:
        return False


def words_of(message: Message) -> list[str]:
    arguments = [leaf for call in message.calls for leaf in parts(json.loads(call.arguments)) if isinstance(leaf, str)]
    return [message.text, *arguments]


def parts(value: Any) -> list[Any]:
    """A JSON value and everything in it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(part for item in inner for part in parts(item))]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
