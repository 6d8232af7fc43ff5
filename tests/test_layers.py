"""The order of the rooms: data flows one way, and a lower room knows nothing of a higher one."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import harness
from harness.runs import KINDS

PACKAGE = Path(harness.__file__).parent
ORDER = (
    ("errors", "text", "__init__", "transcript"),
    ("spec", "settings", "registry", "bundled", "json", "tool_table", "children"),
    ("formats", "preview", "tokens", "money"),
    ("policies", "evidence", "grounding", "engines"),
    ("statistics", "export", "runs"),
    ("report",),
    ("after", "live"),
    ("replay", "bench"),
    ("loop", "redrive", "tune", "decide", "arms", "plan", "grid"),
    ("api",),
    ("nightly", "conformance"),
    ("show",),
    ("cli",),
    ("__main__", "pytest_plugin", "testing"),
)
"""From the lowest; rooms in one line may know each other only one way."""
KNOWN: frozenset[tuple[str, str]] = frozenset()
"""Arrows that are against the order and wait to be turned; none is added."""


@cache
def arrows() -> dict[tuple[str, str], list[str]]:
    """From room to room, by the imports that run: those under `if TYPE_CHECKING` are none."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        inner = path.relative_to(PACKAGE)
        room = inner.parts[0].removesuffix(".py")
        for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            parts = name.split(".")
            if parts[0] == "harness" and len(parts) > 1 and parts[1] != room:
                found.setdefault((room, parts[1]), []).append(f"{inner}: {name}")
    return found


def imported(tree: ast.AST) -> list[str]:
    names: list[str] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = PACKAGE.parent.joinpath(*node.module.split("."))
            is_module = [whole.joinpath(f"{a.name}.py").exists() or whole.joinpath(a.name).is_dir() for a in node.names]
            names += [
                f"{node.module}.{a.name}" if m else node.module for a, m in zip(node.names, is_module, strict=True)
            ]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        names += imported(node)
    return names


LEVEL = {room: number for number, rooms in enumerate(ORDER) for room in rooms}


def test_every_room_has_its_place() -> None:
    rooms = {path.stem if path.suffix == ".py" else path.name for path in PACKAGE.iterdir()}
    assert {
        room for room in rooms if room not in ("__pycache__", "py", "bundled") and room != "py.typed"
    } <= LEVEL.keys()


def test_no_arrow_goes_up() -> None:
    up = {arrow: where for arrow, where in arrows().items() if LEVEL[arrow[0]] < LEVEL[arrow[1]]}
    assert {a: w for a, w in up.items() if a not in KNOWN} == {}


def test_report_knows_no_kind() -> None:
    kinds = {target.split(".")[1] for target in KINDS.values()}
    assert {a: w for a, w in arrows().items() if a[0] in ("report", "runs") and a[1] in kinds and a not in KNOWN} == {}


def test_there_is_no_circle_of_rooms() -> None:
    left = {room: {b for a, b in arrows() if a == room and (a, b) not in KNOWN} for room in LEVEL}
    while free := [room for room, needs in left.items() if not needs]:
        left = {room: needs - set(free) for room, needs in left.items() if room not in free}
    assert left == {}
