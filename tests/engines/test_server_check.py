"""Each fault of a server is found, by its own check and no other; a server without one breaks none."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.engines.chat_server import ChatServer
from harness.engines.server_check import CHECKS, check_server
from tests.conftest import ROOT

FAULTS: dict[str, set[str]] = {
    "": set(),
    "index": {"index"},
    "id": {"id"},
    "name": {"names"},
    "name repeated": {"names"},
    "twice encoded": {"arguments"},
    "object": {"arguments", "buffered deltas"},
    "no json": {"arguments"},
    "schema": {"schema of the tool"},
    "buffered": {"buffered deltas"},
    "text": {"calls in text"},
    "finish": {"finish reason"},
    "usage": {"usage"},
    "truncation": {"truncation"},
    "differs": {"streaming and not"},
    "none": {"tool_choice none"},
    "silent": {"refusal"},
    "json schema": {"JSON schema"},
    "results": {"results"},
    "errors": {"errors"},
    "500": {"errors"},
}
"""By fault of the server, the checks that break."""


@contextmanager
def server(fault: str) -> Iterator[str]:
    script = Path(__file__).parent / "misbehaving_server.py"
    command = [sys.executable, str(script), *filter(None, [fault])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip() + "/v1"
        process.kill()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_breaks_its_check(fault: str) -> None:
    with server(fault) as url:
        found = list(check_server(ChatServer(url, "", 10.0, 0), "small"))
    assert {check.name for check in found if check.state == "breaks"} == FAULTS[fault]
    assert all(check.seen for check in found)
    if not fault:
        assert {check.state for check in found} == {"holds"}


def test_every_check_has_a_fault() -> None:
    assert set().union(*FAULTS.values()) == {name for name, *_ in CHECKS} - {"parallel calls"}


def test_the_command_prints_a_table_and_ends_with_1_where_one_breaks() -> None:
    with server("buffered") as url:
        done = CliRunner().invoke(cli, ["server", url])
        assert done.exit_code == 1
        assert "16 holds, 1 breaks, 0 not seen" in done.stdout
    with server("") as url:
        done = CliRunner().invoke(cli, ["server", url, "--json"])
    assert done.exit_code == 0
    assert {row["state"] for row in json.loads(done.stdout)} == {"holds"}


def test_the_page_names_every_check() -> None:
    page = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    assert [name for name, wanted, _ in CHECKS if f"| {name} | {wanted} |" not in page] == []
