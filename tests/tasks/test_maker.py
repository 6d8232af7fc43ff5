"""The parts of the maker: tools that really run, needs that point at bytes, choices that never change."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.loop.environment.dice import Dice
from harness.loop.environment.service import Store, serve
from harness.loop.environment.tools import edit_file, http_get, http_post, query, read_file, shell, write_file
from harness.loop.environment.workspace import FILES_DATE, Workspace
from tasks.transcripts.maker.agent import Agent, edit, read, sh
from tasks.transcripts.maker.needs import Need, Seen, found_in


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    space = Workspace(tmp_path / "here", "/home/dev/here")
    space.lines("notes/a.txt", [f"line {n}" for n in range(1, 8)])
    return space


def test_shell_shows_the_root_under_another_name(workspace: Workspace) -> None:
    assert shell(workspace.root, "pwd", workspace.shown_as).text == "/home/dev/here\n"


@pytest.mark.parametrize(
    ("command", "is_error", "code"),
    [
        ("grep nothing notes/a.txt", False, 1),
        ("grep x notes/none.txt", True, 2),
        ("false", True, 1),
        ("true", False, 0),
    ],
)
def test_exit_codes(workspace: Workspace, command: str, is_error: bool, code: int) -> None:
    output = shell(workspace.root, command, workspace.shown_as)
    assert (output.is_error, output.exit_code) == (is_error, code)


def test_listing_hides_what_machines_decide(workspace: Workspace) -> None:
    workspace.file("big.txt", "x" * 12_345)
    os.utime(workspace.root / "notes", (FILES_DATE, FILES_DATE))
    assert shell(workspace.root, "ls -l", workspace.shown_as).text == (
        "total 20\n-rw-r--r-- 1 dev dev 12345 Mar  3  2025 big.txt\ndrwxr-xr-x 2 dev dev  4096 Mar  3  2025 notes\n"
    )


def test_settle_dates_only_what_is_new(workspace: Workspace) -> None:
    written = workspace.root / "new.txt"
    written.write_text("new", encoding="utf-8")
    written.chmod(0o600)
    workspace.settle(FILES_DATE + 5)
    assert written.stat().st_mtime == FILES_DATE + 5
    assert written.stat().st_mode & 0o777 == 0o644
    assert (workspace.root / "notes/a.txt").stat().st_mtime == FILES_DATE


def test_read_numbers_lines(workspace: Workspace) -> None:
    assert read_file(workspace.root, "notes/a.txt", 6, 5).text == "     6\tline 6\n     7\tline 7\n"
    assert read_file(workspace.root, "notes/b.txt").is_error


def test_edit_wants_one_place(workspace: Workspace) -> None:
    assert edit_file(workspace.root, "notes/a.txt", "line 3", "third").text == "Edited notes/a.txt at line 3"
    refused = edit_file(workspace.root, "notes/a.txt", "line", "x")
    assert refused.is_error
    assert "stands 6 times" in refused.text
    assert "third" in (workspace.root / "notes/a.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ["../out.txt", "/etc/hostname", "notes/../../out.txt"])
def test_files_stay_inside(workspace: Workspace, path: str) -> None:
    assert read_file(workspace.root, path).is_error
    assert write_file(workspace.root, path, "x").is_error
    assert edit_file(workspace.root, path, "x", "y").is_error
    assert not (workspace.root.parent / "out.txt").exists()


def test_query(workspace: Workspace) -> None:
    workspace.table("d.sqlite", "t", "id INTEGER, name TEXT", [[1, "Råneå"], [2, "b"]])
    assert query(workspace.root, "d.sqlite", "SELECT * FROM t WHERE id = 1").text == '[{"id": 1, "name": "Råneå"}]'
    assert query(workspace.root, "d.sqlite", "UPDATE t SET name = 'c'").text == '{"rows_changed": 2}'
    assert query(workspace.root, "d.sqlite", "SELECT count(*) AS n FROM t WHERE name = 'c'").text == '[{"n": 2}]'
    assert query(workspace.root, "d.sqlite", "SELECT none FROM t").text == "Error: no such column: none"


def test_service() -> None:
    things = [{"id": f"t{n}", "kind": "ab"[n % 2], "more": {"n": n}} for n in range(7)]
    store = Store({"things": things}, summary={"things": ("id",)}, required={"things": ("kind",)})
    with serve(store) as address:
        page = json.loads(http_get(address, "/things?kind=a&per_page=3&page=2").text)
        assert page == {"items": [{"id": "t6"}], "page": 2, "pages": 2, "total": 4}
        assert json.loads(http_get(address, "/things/t3").text) == things[3]
        missing = http_get(address, "/things/t9")
        assert (missing.is_error, missing.exit_code, missing.text[:9]) == (True, 404, "HTTP 404\n")
        assert http_get(address, "/things?per_page=0").exit_code == 400
        assert http_get(address, "/others").exit_code == 404
        assert http_post(address, "/things", {"more": 1}).exit_code == 422
        assert json.loads(http_post(address, "/things", {"kind": "é"}).text) == {"created": "th-0008", "fields": 2}
        assert json.loads(http_get(address, "/things/th-0008").text)["kind"] == "é"


@pytest.mark.parametrize(
    "style",
    [
        {},
        {"separators": (",", ":")},
        {"indent": 2},
        {"ensure_ascii": False},
        {"indent": 2, "ensure_ascii": False},
        {"separators": (",", ":"), "ensure_ascii": False},
    ],
)
def test_field_points_at_its_bytes(style: dict[str, object]) -> None:
    value = {"é": [1, {"name": "Søn 📦", "inner": {"a": [1, 2], "b": None}}, "Søn 📦"]}
    seen = Seen(1, json.dumps(value, **style))  # type: ignore[arg-type]
    for path, wanted in [
        (("é", 1, "name"), "Søn 📦"),
        (("é", 2), "Søn 📦"),
        (("é", 1, "inner"), {"a": [1, 2], "b": None}),
        (("é", 0), 1),
    ]:
        need = seen.field(*path)
        assert json.loads(seen.text.encode("utf-8")[need.start : need.end]) == wanted
    assert seen.field("é", 2).start > seen.field("é", 1, "name").start


def test_span_counts_bytes() -> None:
    seen = Seen(1, "ä needle, ö needle")
    need = seen.span("needle", 1)
    assert seen.text.encode("utf-8")[need.start : need.end] == b"needle"
    assert need.start == 14


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [(0, 400, "head"), (0, 401, "middle"), (799, 900, "middle"), (800, 900, "tail"), (390, 400, "head")],
)
def test_places(start: int, end: int, place: str) -> None:
    assert Need("span", 1, 1000, start, end, "x").place == place
    assert Need("whole", 1, 1000, start, end, "x").place == "everywhere"


@pytest.mark.parametrize(
    ("text", "distinctive"),
    [
        ("plain", False),
        ("Plain", False),
        ("innerCapital", True),
        ("a_b", True),
        ("a1", True),
        ("sixteen letters!", True),
    ],
)
def test_distinctive(text: str, distinctive: bool) -> None:
    assert Need("span", 1, 10, 0, 5, text).distinctive is distinctive


def test_found_on_token_boundaries() -> None:
    assert found_in("404", "status 404.")
    assert not found_in("404", "14049")
    assert found_in("Søn", '{"name": "S\\u00f8n"}')
    assert found_in('say "a"', '{"x": "say \\"a\\""}')


def test_dice_never_change() -> None:
    dice = Dice("seed")
    assert [dice.between(1, 6) for _ in range(8)] == [1, 2, 6, 2, 1, 6, 5, 4]
    assert dice.hex(8) == "8ac61630"
    assert dice.shuffled("abcd") == ["b", "a", "d", "c"]


def make_agent(workspace: Workspace) -> Agent:
    agent = Agent("task/run", "task", "openai-chat", workspace, ("sh", "read", "edit"))
    agent.user("Go on.")
    return agent


def test_agent_refuses_what_is_no_evidence(workspace: Workspace) -> None:
    agent = make_agent(workspace)
    seen = agent.do(sh("cat notes/a.txt"))
    with pytest.raises(AssertionError, match="said before"):
        agent.do(sh("grep -c a notes/a.txt"), uses=[Seen(1, "see notes/a.txt").span("notes/a.txt")])
    with pytest.raises(AssertionError, match="no call of request"):
        agent.do(read("notes/a.txt"), uses=[seen.span("line 4")])
    with pytest.raises(AssertionError, match="the answer lacks"):
        agent.answer("Nothing.", [seen.span("line 4")])


def test_agent_records_what_ran(workspace: Workspace) -> None:
    agent = make_agent(workspace)
    seen = agent.do(sh("cat notes/a.txt"), "Look.")
    agent.do(edit("notes/a.txt", "line 4", "fourth"), uses=[seen.span("line 4")])
    agent.answer("Done.")
    transcript = agent.transcript()
    assert [m.role for m in transcript.messages] == ["system", "user", *["assistant", "tool"] * 2, "assistant"]
    assert transcript.messages[5].result is not None
    assert transcript.messages[5].result.call == (4, 0)
    assert (workspace.root / "notes/a.txt").read_text(encoding="utf-8").split("\n")[3] == "fourth"
    planted = agent.planted[0]
    assert (planted.request, planted.action, planted.need.start, planted.also_in) == (2, "edit_file", 21, ())
