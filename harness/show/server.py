"""`harness server`: whether a chat-completions server carries calls as the protocol has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.engines.chat_server import ChatServer
from harness.engines.server_check import Check, check_server
from harness.errors import HarnessError
from harness.report.table import Column, Table
from harness.report.table_text import table_text, width

COLUMNS = (Column("check", "check"), Column("state", "state"), Column("seen", "seen"))


def checked(url: str, model: str, key: str, seconds: float) -> list[Check]:
    """Raises `HarnessError` where no server is there, or none that lists a model and none is named."""
    server = ChatServer(url.rstrip("/"), key, seconds, 0)
    listed = server.models()
    name = model or str(next((one.get("id") for one in listed), ""))
    if not name:
        raise HarnessError(f"{url}: the server lists no models; name one with --model")
    return list(check_server(server, name))


def rows(checks: Sequence[Check]) -> list[dict[str, Any]]:
    return [{"check": c.name, "state": c.state, "wanted": c.wanted, "seen": c.seen} for c in checks]


def text(checks: Sequence[Check]) -> str:
    counts = {state: sum(c.state == state for c in checks) for state in ("holds", "breaks", "not seen")}
    summary = ", ".join(f"{n} {state}" for state, n in counts.items())
    return f"{table_text(Table('server', 'Server', 'live', '', COLUMNS, rows(checks)), width())}\n\n{summary}"
