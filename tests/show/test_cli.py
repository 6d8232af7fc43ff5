"""The command line: what is printed, and the exit codes that scripts rely on."""

from __future__ import annotations

import errno
import json
import re
import resource
import shlex
from pathlib import Path
from typing import NoReturn

import click
import pytest
from click.testing import CliRunner

from harness.cli import cli, main
from harness.report import write
from tests.bench.fake import lines, task

CHAT = {
    "messages": [
        {"role": "user", "content": "hello"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "a", "content": "word " * 400},
        {"role": "assistant", "content": "done"},
    ]
}


@pytest.fixture
def chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chat.json").write_text(json.dumps(CHAT), encoding="utf-8")
    return Path("chat.json")


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    return int(stop.value.code or 0)


def test_inspect_says_what_was_recorded(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("inspect", chat, "--json") == 0
    facts = json.loads(capsys.readouterr().out)["transcripts"][0]
    assert (facts["requests"], facts["tool_calls"], facts["results"], facts["result_bytes"]) == (2, 1, 1, 2000)
    assert run("inspect", chat) == 0
    assert "not reported" in capsys.readouterr().out


def test_replay_ends_with_the_path_of_the_report(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", chat, "--policy", "head:bytes=100") == 0
    last = capsys.readouterr().out.strip().splitlines()[-1]
    assert Path(last.split()[1]).is_file()
    assert run("report", "last", "--format", "md") == 0
    assert Path(capsys.readouterr().out.strip().splitlines()[0]).read_text(encoding="utf-8").startswith("# ")


def test_redrive_prints_its_tables_and_where_they_are(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    envelope = '{"type": "call", "success": true, "function_calls": [{"name": "look", "arguments": {}}]}\n'
    Path("said.jsonl").write_text(4 * envelope, encoding="utf-8")
    engine = ("--engine", "recorded:path=said.jsonl")
    assert run("redrive", chat, *engine, "--policy", "head:bytes=100") == 2
    assert "give --window" in capsys.readouterr().err
    assert run("redrive", chat, *engine, "--policy", "head:bytes=100", "--window", 2000) == 0
    out = capsys.readouterr().out
    assert "2 of 2 requests (100.0 %) fit under all policies" in out
    assert Path(out.strip().splitlines()[-1].split()[1]).exists()
    name = Path(out.strip().splitlines()[-2].split()[1]).name
    assert run("compare", name, name) == 0
    assert "figures, as they are, without a verdict: none changed" in capsys.readouterr().out
    assert run("redrive", "--resume", "last") == 2
    assert run("redrive", chat, "--window", 2000) == 2


def test_bench_prints_the_path_of_its_report_last(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = '{"type": "call", "success": true, "function_calls": [{"name": "set_light", "arguments": {"room": "hall"}}]}'
    Path("said.jsonl").write_text(f'{call}\n{{"type": "respond", "success": true}}\n', encoding="utf-8")
    Path("tasks.jsonl").write_text(lines([task("t1", "hall light"), task("t2", "hall light")]), encoding="utf-8")
    assert run("bench", "--engine", "recorded:path=said.jsonl", "--tasks", "tasks.jsonl", "--repetitions", 1) == 0
    out = capsys.readouterr().out
    assert "is right on 50.0 % of 2 turns" in out
    page = Path(out.strip().splitlines()[-1].split()[1])
    assert page.name == "index.html"
    assert "How engines did" in page.read_text(encoding="utf-8")
    assert run("report", "last", "--format", "csv", "--pages", 1) == 2
    assert "--pages is for" in capsys.readouterr().err


def test_bundled_tasks_have_names(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("said.jsonl").write_text('{"type": "respond", "success": true}\n' * 80, encoding="utf-8")
    assert (
        run("bench", "--engine", "recorded:path=said.jsonl", "--tasks", "tiny", "--first", 2, "--repetitions", 1) == 0
    )
    assert "of 2 turns" in capsys.readouterr().out
    assert run("bench", "--engine", "recorded:path=said.jsonl", "--tasks", "tinny", "--repetitions", 1) == 2
    assert "tinny" in capsys.readouterr().err


def test_preview_says_that_a_history_policy_acts_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "value.txt"
    path.write_text("abc", encoding="utf-8")
    assert run("preview", path, "--policy", "mask_last_n:n=5") == 0
    assert "(as it arrives: this policy rewrites results later" in capsys.readouterr().out
    assert run("preview", path, "--policy", "car") == 0
    assert "as it arrives" not in capsys.readouterr().out


def test_a_mistake_gets_one_sentence_and_exit_code_2(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", chat, "--policy", "haed:bytes=100") == 2
    assert capsys.readouterr().err.startswith("harness: no policies called 'haed' (did you mean 'head'?)")
    assert run("replay", chat, "--policy", "head:byte=100") == 2
    said = capsys.readouterr().err
    assert "no setting 'byte' (did you mean 'bytes'?)" in said
    assert "a limit with its unit: bytes, codepoints" in said
    assert run("inspect", "nowhere") == 2
    assert "no such file or directory" in capsys.readouterr().err
    assert run("nonsense") == 2
    assert run("replay") == 2


def test_nothing_to_replay_is_not_success(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("notes.txt").write_text("no recording", encoding="utf-8")
    assert run("replay", "notes.txt") == 2
    said = capsys.readouterr().err
    assert "nothing to replay, no transcript was found (1 skipped, 0 broken): notes.txt: text, of no known form" in said
    for command in (("report", "last"), ("compare", "last", "last")):
        assert run(*command) == 2
        assert "no finished run in results that holds anything; make one with harness replay" in capsys.readouterr().err


def test_too_many_bad_records_fail_the_gate(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("many.jsonl").write_text(json.dumps(CHAT) + '\n{"messages": [\n', encoding="utf-8")
    assert run("inspect", "many.jsonl") == 0
    assert "many.jsonl: line 2" in capsys.readouterr().out
    assert run("inspect", "many.jsonl", "--max-bad", 0) == 1


def test_a_bug_keeps_its_traceback_and_exits_with_3(
    chat: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("harness.show.inspect.describe", broken)
    assert run("inspect", chat) == 3
    assert "ZeroDivisionError: a bug" in capsys.readouterr().err


def test_an_interrupt_exits_with_130_and_says_how_to_go_on(
    chat: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("harness.show.kind.run", interrupted)
        assert run("replay", chat) == 130
        assert "interrupted; nothing is left to go on with" in capsys.readouterr().err
        patch.undo()
        patch.setattr("harness.runs.manifest.write_manifest", interrupted)
        assert run("replay", chat) == 130
    said = capsys.readouterr().err
    assert "interrupted; what was finished is kept: harness replay --resume 20" in said
    assert run(*shlex.split(said.strip().rpartition(": harness ")[2])) == 0


def test_preview_shows_the_rendering_and_its_cost(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("value.json").write_text('{"rows": [1, 2, 3]}', encoding="utf-8")
    assert run("preview", "value.json", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["read_as"] == "json"
    assert shown["rendering"].startswith("r1 = ")


@pytest.mark.parametrize(
    "what", ["formats", "policies", "engines", "exporters", "tokenizers", "prices", "caches", "tasks", "suites"]
)
def test_lists_are_full_and_readable_by_programs(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", what, "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows
    assert all(rows[0].keys() == row.keys() for row in rows)
    assert run("list", what) == 0


def test_a_list_says_what_an_exporter_writes_and_no_number_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "exporters", "--json") == 0
    said = {row["exporter"]: row["what"] for row in json.loads(capsys.readouterr().out)}
    assert said["md"] == "`report.md`, for a design review, with the plots beside it"
    assert run("list", "caches", "--json") == 0
    least = {row["name"]: row["minimum, tokens"] for row in json.loads(capsys.readouterr().out)}
    assert least["openai"] == 1024
    assert least["none"] is None


def test_the_help_says_of_every_command_in_a_whole_phrase_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    said = capsys.readouterr().out
    assert "Compare policies at equal input tokens.\n" in said
    assert "..." not in said.replace("COMMAND [ARGS]...", "")


def test_the_readme_has_every_command_once() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z]+)[^|]*\|", text, re.MULTILINE)
    commands = cli.list_commands(click.Context(cli))
    assert sorted(name for name in listed if name in commands) == commands


def test_a_prompt_on_the_terminal_shows_secrets_only_if_asked(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = "sk-ant-api03-" + "abcdefgh" * 4
    chat.write_text(json.dumps(CHAT).replace("hello", f"hello {key} there"), encoding="utf-8")
    assert run("show", chat, "--policy", "car") == 0
    said = capsys.readouterr().out
    assert "hello [masked 1] there" in said
    assert key not in said
    assert run("show", chat, "--policy", "car", "--show-secrets") == 0
    assert key in capsys.readouterr().out


def test_doctor_finds_what_the_tests_need(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("doctor", "--json") == 0
    states = {row["what"]: row["state"] for row in json.loads(capsys.readouterr().out)}
    assert states["vocabulary o200k_base"] == "ok"
    assert states["formats"] == "ok"


def test_every_reader_says_what_it_reads(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "formats", "--json") == 0
    said = {row["format"]: row["what"] for row in json.loads(capsys.readouterr().out)}
    assert said["pi"].startswith("pi session files: JSONL under")
    assert all(said.values())


def test_the_list_of_runs_holds_runs_of_engines_and_what_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifests = {
        "a": '{"schema": 1, "command": "replay", "corpus": {"transcripts": 3}, "policies": [{}, {}]}',
        "b": '{"schema": 1, "command": "bench", "engines": [{}]}',
        "c": '{"schema": 9999}',
        "d": '{"schema": 1,',
    }
    for name, manifest in manifests.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "journal.jsonl").touch()
        (tmp_path / name / "manifest.json").write_text(manifest, encoding="utf-8")
    (tmp_path / "e").mkdir()
    (tmp_path / "e" / "journal.jsonl").touch()
    assert run("list", "runs", "--results", tmp_path, "--json") == 0
    replay, bench, newer, damaged, unfinished = json.loads(capsys.readouterr().out)
    assert replay == {"run": "a", "command": "replay", "state": "finished", "transcripts": 3, "policies": 2}
    assert bench == {"run": "b", "command": "bench", "state": "finished", "transcripts": None, "policies": None}
    assert "use a newer harness" in newer["state"]
    assert "damaged" in damaged["state"]
    assert unfinished["state"] == "unfinished"


@pytest.mark.parametrize("text", ["NaN", "1e400", '"\\ud800"', "{"])
def test_preview_reads_as_text_what_is_no_json_value(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "value").write_text(text, encoding="utf-8")
    assert run("preview", tmp_path / "value", "--json") == 0
    assert json.loads(capsys.readouterr().out)["read_as"] == "text"


def test_a_full_disk_is_no_bug(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, hard))
    try:
        assert run("replay", chat, "--policy", "head:bytes=100") == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    said = capsys.readouterr().err
    assert "File too large: make room; what was finished is kept: harness replay --resume 20" in said
    _, _, command = said.strip().rpartition(": harness ")
    assert run(*shlex.split(command)) == 0


def test_a_full_disk_under_a_report_leaves_the_run(
    chat: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device", "reports/index.html")

    monkeypatch.setattr(write, "write_part", full)
    assert run("replay", chat, "--policy", "head:bytes=100") == 2
    said = capsys.readouterr().err
    assert "reports/index.html: No space left on device: make room; the run is whole: harness report 20" in said
    _, _, command = said.strip().rpartition(": harness ")
    assert run(*shlex.split(command)) == 0


def test_a_run_of_an_unknown_kind_has_no_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifest.json").write_text('{"schema": 1, "command": "dance"}', encoding="utf-8")
    assert run("report", tmp_path, "--report-dir", tmp_path / "reports") == 2
    assert "no kinds called 'dance'; there are: replay, bench" in capsys.readouterr().err
    assert not (tmp_path / "reports").exists()


def test_audit_lists_what_is_doubtful_first_and_a_skeleton_holds_no_text(tmp_path: Path) -> None:
    lost = "a long sentence that no reader will ever find"
    chat = {"messages": [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Well."}]}
    (tmp_path / "a.json").write_text(json.dumps(chat), encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(chat | {"unheard_of": lost}), encoding="utf-8")
    found = CliRunner().invoke(cli, ["audit", str(tmp_path)])
    assert found.exit_code == 0
    assert "1 doubtful, 1 not audited" in found.output
    assert found.output.index("b.json") < found.output.index("a.json")
    assert "every record is accounted for" in found.output
    record = json.loads(CliRunner().invoke(cli, ["audit", str(tmp_path), "--json"]).output)
    assert [t["verdict"] for t in record["transcripts"]] == ["doubtful", "not audited"]
    shown = CliRunner().invoke(cli, ["audit", str(tmp_path), "--skeleton"])
    assert json.loads(shown.output)[1]["kind"] == "object"
    assert lost not in shown.output
    assert "unheard" not in shown.output
