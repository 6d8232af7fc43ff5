"""The tools of the live loop: they really run, inside the task's folder and on its service.

A tool takes the world and its arguments, references already resolved. What is wrong with a call is an error that the
driver reads, as any agent would.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from harness.loop.environment import tools as base
from harness.loop.environment.tools import Output
from harness.loop.world import World
from harness.policies.car_read import READ_TOOL
from harness.preview import serialize

Arguments = dict[str, Any]
PAGE_BYTES: Final = 2000


@dataclass(frozen=True)
class LoopTool:
    """parameters: type by name, the required ones without `?` at the end. returns_json: its results are JSON."""

    name: str
    description: str
    parameters: dict[str, str]
    run: Callable[[World, Arguments], Output]
    returns_json: bool = False

    def declaration(self) -> dict[str, Any]:
        """name, description and JSON schema, as engines take them."""
        properties = {
            name.removesuffix("?"): {} if kind == "any" else {"type": kind} for name, kind in self.parameters.items()
        }
        required = [name for name in self.parameters if not name.endswith("?")]
        schema = {"type": "object", "properties": properties, "required": required}
        return {"name": self.name, "description": self.description, "parameters": schema}


def call_tool(tools: Iterable[LoopTool], world: World, name: str, arguments: object) -> Output:
    """Run a tool. A wrong name or wrong arguments are an error for the driver to read."""
    tool = next((t for t in tools if t.name == name), None)
    if tool is None:
        return Output(f"Error: no tool called {name}", is_error=True)
    if not isinstance(arguments, dict):
        return Output("Error: the arguments must be an object", is_error=True)
    for given in tool.parameters:
        wanted, kind = given.removesuffix("?"), tool.parameters[given]
        if wanted not in arguments and not given.endswith("?"):
            return Output(f"Error: {name} needs {wanted}", is_error=True)
        if wanted in arguments and not _fits(arguments[wanted], kind):
            return Output(f"Error: {wanted} must be of type {kind}", is_error=True)
    return tool.run(world, arguments)


def _fits(value: object, kind: str) -> bool:
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return kind == "any" or isinstance(value, {"string": str, "boolean": bool}[kind])


def _read_file(world: World, given: Arguments) -> Output:
    path, offset, limit = given["path"], given.get("offset", 1), given.get("limit")
    if offset < 1 or (limit is not None and limit < 1):
        return Output("Error: offset and limit start at 1", is_error=True)
    if path in world.spilled:
        lines = world.spilled[path].splitlines(keepends=True)
        end = len(lines) if limit is None else offset - 1 + limit
        return Output("".join(lines[offset - 1 : end]))
    return base.read_file(world.root, path, offset, limit)


def _lines_below(world: World, path: str) -> list[tuple[str, str]] | None:
    """`path:number` and text of every line of a file, of all files in a folder, or of a spilled value."""
    if path in world.spilled:
        return [(str(n), line) for n, line in enumerate(world.spilled[path].splitlines(), 1)]
    target = (world.root / path).resolve()
    root = world.root.resolve()
    if not target.is_relative_to(root) or not target.exists():
        return None
    files = [target] if target.is_file() else sorted(p for p in target.rglob("*") if p.is_file())
    found = []
    for file in files:
        name = file.relative_to(root).as_posix()
        for n, line in enumerate(file.read_bytes().decode("utf-8", "replace").splitlines(), 1):
            found.append((str(n) if target.is_file() else f"{name}:{n}", line))
    return found


def _grep(world: World, given: Arguments) -> Output:
    lines = _lines_below(world, given.get("path", "."))
    if lines is None:
        return Output(f"Error: no such file or folder: {given['path']}", is_error=True)
    try:
        pattern = re.compile(given["pattern"])
    except re.error as error:
        return Output(f"Error: bad pattern: {error}", is_error=True)
    found = [f"{place}:{line}\n" for place, line in lines if pattern.search(line)]
    if given.get("count"):
        return Output(f"{len(found)} lines match\n")
    start, limit = given.get("offset", 1) - 1, given.get("limit", len(found))
    return Output("".join(found[start : start + limit]) if start >= 0 and limit > 0 else "")


def _list_files(world: World, given: Arguments) -> Output:
    root = world.root
    return Output("".join(f"{p.relative_to(root).as_posix()}\n" for p in sorted(root.rglob("*")) if p.is_file()))


def _write_file(world: World, given: Arguments) -> Output:
    content = given["content"]
    text = content if isinstance(content, str) else serialize(content).decode("utf-8", "surrogatepass")
    return base.write_file(world.root, given["path"], text)


def _edit_file(world: World, given: Arguments) -> Output:
    return base.edit_file(world.root, given["path"], given["old"], given["new"])


DATABASE: Final = "data.sqlite"


def _sql_query(world: World, given: Arguments) -> Output:
    """Read only: the connection cannot write."""
    path = world.root / DATABASE
    if not path.exists():
        return Output(json.dumps({"error": "there is no database"}), is_error=True)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        try:
            cursor = connection.execute(given["sql"])
            rows = cursor.fetchall()
        except sqlite3.Error as error:
            return Output(json.dumps({"error": str(error)}), is_error=True)
    names = [column[0] for column in cursor.description or ()]
    return Output(json.dumps([dict(zip(names, row, strict=True)) for row in rows], ensure_ascii=False))


def _sql_execute(world: World, given: Arguments) -> Output:
    return base.query(world.root, DATABASE, given["sql"])


def _http_get(world: World, given: Arguments) -> Output:
    return base.http_get(world.address, "/" + given["path"].lstrip("/"))


def _http_post(world: World, given: Arguments) -> Output:
    if not isinstance(given["body"], dict):
        return Output("Error: the body must be an object", is_error=True)
    return base.http_post(world.address, "/" + given["path"].lstrip("/"), given["body"])


def sections(text: str) -> list[str]:
    """A document cut before each of its headings."""
    return re.split(r"(?m)^(?=## )", text)


def _document(world: World, path: str) -> str | None:
    target = (world.root / path).resolve()
    inside = target.is_relative_to(world.root.resolve()) and target.is_file()
    return target.read_bytes().decode("utf-8") if inside else None


def _read_document(world: World, given: Arguments) -> Output:
    text = _document(world, given["path"])
    if text is None:
        return Output(f"Error: no such document: {given['path']}", is_error=True)
    if "section" not in given:
        return Output(text)
    wanted = [part for part in sections(text) if part.split("\n", 1)[0].startswith(f"## {given['section']}")]
    return Output(wanted[0]) if wanted else Output(f"Error: no section {given['section']}", is_error=True)


def _search_document(world: World, given: Arguments) -> Output:
    text = _document(world, given["path"])
    if text is None:
        return Output(f"Error: no such document: {given['path']}", is_error=True)
    return Output("\n\n".join(p for p in re.split(r"\n{2,}", text) if given["text"] in p))


def _read_handle(world: World, given: Arguments) -> Output:
    name, dot, rest = given["handle"].removeprefix("$").partition(".")
    if name not in world.handles:
        return Output(f"Error: no handle {name}", is_error=True)
    value = world.handles[name]
    if dot:
        try:
            value = world.values.lookup(f"{name}.{rest}")
        except KeyError:
            return Output(f"Error: nothing at {name}.{rest}", is_error=True)
    data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else serialize(value)
    size = world.page_bytes or PAGE_BYTES
    start = given.get("offset", 0)
    if "around" in given:
        place = data.find(given["around"].encode("utf-8"))
        if place < 0:
            return Output(f"Error: {given['around']} does not stand in {name}", is_error=True)
        start = max(0, place - size // 4)
    if start < 0:
        return Output("Error: offset starts at 0", is_error=True)
    part = data[start : start + size].decode("utf-8", "ignore")
    rest_bytes = max(0, len(data) - start - size)
    return Output(f"[bytes {start} to {min(start + size, len(data))} of {name}, {rest_bytes} after them]\n{part}")


READ_FILE = LoopTool(
    "read_file",
    "Lines of a file from line offset on, at most limit, numbered.",
    {"path": "string", "offset?": "integer", "limit?": "integer"},
    _read_file,
)
GREP = LoopTool(
    "grep",
    "Lines that match a pattern, in a file or in all files of a folder; count gives their number only.",
    {"pattern": "string", "path?": "string", "count?": "boolean", "offset?": "integer", "limit?": "integer"},
    _grep,
)
LIST_FILES = LoopTool("list_files", "All files.", {}, _list_files)
WRITE_FILE = LoopTool("write_file", "Write a whole file.", {"path": "string", "content": "any"}, _write_file)
EDIT_FILE = LoopTool(
    "edit_file",
    "Replace the one place where old stands.",
    {"path": "string", "old": "string", "new": "string"},
    _edit_file,
)
SQL_QUERY = LoopTool("sql_query", "Rows of a SELECT.", {"sql": "string"}, _sql_query, returns_json=True)
SQL_EXECUTE = LoopTool("sql_execute", "Run a statement that changes rows.", {"sql": "string"}, _sql_execute, True)
HTTP_GET = LoopTool(
    "http_get", "GET a path of the service: ?page=, ?per_page=, ?field=value.", {"path": "string"}, _http_get, True
)
HTTP_POST = LoopTool("http_post", "POST an object to a path.", {"path": "string", "body": "any"}, _http_post, True)
READ_DOCUMENT = LoopTool(
    "read_document", "A document, or one section of it.", {"path": "string", "section?": "string"}, _read_document
)
SEARCH_DOCUMENT = LoopTool(
    "search_document", "Paragraphs that hold a text.", {"path": "string", "text": "string"}, _search_document
)
READ_HANDLE = LoopTool(
    READ_TOOL,
    "A slice of a kept value: from offset (bytes) on, or around the first place of a text.",
    {"handle": "string", "offset?": "integer", "around?": "string"},
    _read_handle,
)
