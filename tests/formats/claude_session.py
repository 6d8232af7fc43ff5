"""A maker of Claude Code session lines."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

MODEL = "claude-opus-4-5-20251101"


def use(call_id: str, name: str = "Bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments or {"command": "ls"}}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def usage(fresh: int, read: int = 0, written: int = 0, output: int = 40) -> dict[str, int]:
    return {
        "input_tokens": fresh,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
        "output_tokens": output,
    }


class Session:
    """Lines in their order; each hangs on the one before unless `parent` is given. Uuids are `u1`, `u2`, ..."""

    def __init__(self, session: str = "s1", **common: Any) -> None:
        self.lines: list[dict[str, Any]] = []
        self.common = {"sessionId": session, "isSidechain": False, "cwd": "/home/me/shop", "version": "2.1.0", **common}
        self.latest: str | None = None
        self.number = 0

    def add(self, kind: str, *, parent: str | None = "latest", **fields: Any) -> str:
        """Append a line of any kind; its uuid."""
        self.number += 1
        uuid = f"{self.common['sessionId']}-u{self.number}"
        time = datetime.fromtimestamp(1_750_000_000 + self.number, UTC).isoformat().replace("+00:00", "Z")
        above = self.latest if parent == "latest" else parent
        line = {**self.common, "type": kind, "uuid": uuid, "parentUuid": above, "timestamp": time, **fields}
        self.lines.append(line)
        self.latest = uuid
        return uuid

    def user(self, content: Any, **fields: Any) -> str:
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def result(self, call_id: str, content: Any, parent: str | None = "latest", **fields: Any) -> str:
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content, **fields}
        return self.user([block], parent=parent, toolUseResult={"stdout": "the copy of the interface"})

    def answer(self, message_id: str, *blocks: Any, parent: str | None = "latest", **fields: Any) -> str:
        """One block is one line, as in the recordings; the uuid of the last."""
        tokens = fields.pop("usage", None)
        stop = fields.pop("stop_reason", "end_turn")
        for block in blocks:
            message = {"id": message_id, "role": "assistant", "model": fields.get("model", MODEL), "content": [block]}
            message |= {"usage": tokens or usage(100), "stop_reason": stop}
            uuid = self.add("assistant", message=message, parent=parent, requestId=f"req_{message_id}")
            parent = "latest"
        return uuid

    def data(self) -> bytes:
        return b"".join(json.dumps(line).encode() + b"\n" for line in self.lines)


def everything() -> Session:
    """A session with most of what occurs in one."""
    s = Session()
    s.lines.append({"type": "summary", "summary": "Shop", "leafUuid": "x"})
    s.lines.append({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}})
    s.add("attachment", attachment={"type": "skill_listing", "content": "- deploy: puts it out"})
    s.user("<command-name>/model</command-name>", isMeta=True)
    start = s.user("Count the orders.")
    s.answer("msg_a", {"type": "thinking", "thinking": "I look.", "signature": "x" * 20}, text("I look."), use("t1"))
    s.result("t1", "orders.csv\ncustomers.csv", is_error=False)
    s.answer("msg_b", {"type": "redacted_thinking", "data": "zz"}, use("t2", "Read", file_path="orders.csv"), use("t3"))
    s.result("t2", [text("     1\tid,total"), {"type": "image", "source": {"type": "base64", "data": "aa"}}])
    s.result("t3", "Exit code 2\nls: no such file", is_error=True)
    s.answer("msg_c", text("There is one."))
    s.user("No, the customers.", parent=start)
    s.answer("msg_d", use("t4", "Grep", pattern="Ω"))
    s.result("t4", "customers.csv:1:name")
    s.add("system", subtype="compact_boundary", parent=None, compactMetadata={"trigger": "auto", "preTokens": 9000})
    s.user("This session is being continued: one file was read.", isCompactSummary=True)
    s.answer("msg_e", use("t5", "Task", prompt="Look again."))
    s.result("t5", [text("done")])
    s.add("user", isSidechain=True, agentId="a9", parent=None, message={"role": "user", "content": "Look again."})
    s.answer("msg_f", text("I looked."))
    s.lines[-1].update(isSidechain=True, agentId="a9")
    s.add("queue-operation", operation="enqueue", content="next")
    return s


def printed() -> bytes:
    """What the client prints as a stream of JSON: a session with a sub-agent."""

    def line(kind: str, parent: str | None = None, **fields: Any) -> dict[str, Any]:
        return {"type": kind, "session_id": "s1", "parent_tool_use_id": parent, "uuid": f"u{len(lines)}", **fields}

    def answer(message_id: str, block: dict[str, Any], parent: str | None = None) -> dict[str, Any]:
        message = {"id": message_id, "model": MODEL, "content": [block], "usage": usage(9)}
        return line("assistant", parent, message=message)

    lines: list[dict[str, Any]] = []
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "found"}
    lines.append(line("system", subtype="init", cwd="/home/me/shop", tools=["Bash"], model=MODEL))
    lines.append(line("user", message={"role": "user", "content": "Go."}))
    lines.append(answer("msg_a", text("I ask.")))
    lines.append(answer("msg_a", use("t1", "Task")))
    lines.append(line("user", "t1", message={"role": "user", "content": [text("Search.")]}))
    lines.append(answer("msg_s", text("Found."), "t1"))
    lines.append(line("user", message={"role": "user", "content": [result]}))
    lines.append(answer("msg_b", text("Done.")))
    lines.append(line("result", subtype="success", result="Done.", usage=usage(9)))
    return b"".join(json.dumps(found).encode() + b"\n" for found in lines)
