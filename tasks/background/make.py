"""Makes the background text of the evidence measure (`harness/evidence/background.txt`).

    python -m tasks.background.make            # writes it
    python -m tasks.background.make --check    # exit 1 if the committed file is not what this recipe gives

Four parts: names in the source of Python's standard library, long and marked words of its documentation, numbers that
stand anywhere, and `common.txt`, written by hand. The library's part depends on Python's version, which the file's
second line names; with that version the file is the same to the byte.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import keyword
import platform
import re
import sys
import sysconfig
import warnings
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from harness.evidence.atoms import distinctive

VERSION = "1"
TARGET = Path(str(files("harness.evidence"))) / "background.txt"
COMMON = Path(__file__).with_name("common.txt")
SKIPPED = {
    "test",
    "tests",
    "idlelib",
    "turtledemo",
    "lib2to3",
    "encodings",
    "site-packages",
    "ensurepip",
    "__pycache__",
}
WORD_OF_PROSE = re.compile(r"[A-Za-z][A-Za-z]*(?:-[A-Za-z]+)*")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="compare with the committed file instead of writing it")
    check: bool = parser.parse_args().check
    text = make()
    if check:
        return int(TARGET.read_text(encoding="utf-8") != text)
    TARGET.write_text(text, encoding="utf-8", newline="\n")
    print(f"{TARGET.name}: {len(text):,} characters")
    return 0


def python_version() -> str:
    """The line that says which standard library the names are from."""
    return f"Standard library of CPython {platform.python_version()} on {sys.platform}"


def make() -> str:
    """The whole text: a line with the version, a line with the library, then one section after the other."""
    names, words = library()
    sections = {
        "Names of the standard library": _filled(sorted(names)),
        "Words of its documentation": _filled(sorted(words)),
        "Numbers": _filled(numbers()),
        "Common": common(),
    }
    head = f"Background of the evidence measure, version {VERSION}\n{python_version()}\n"
    return head + "".join(f"\n{title}\n{body}\n" for title, body in sections.items())


def common() -> str:
    """The hand-written part without its comments."""
    lines = COMMON.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line and not line.startswith(("# ", "## "))]
    hyphenated = [word for line in kept for word in line.split() if re.fullmatch("[a-z]+(?:-[a-z]+)+", word)]
    return "\n".join([*kept, _filled([case for word in hyphenated for case in (word.capitalize(), word.title())])])


def library() -> tuple[set[str], set[str]]:
    """Distinctive names that two files of the library use or that one defines for all, and words of its docstrings."""
    used: Counter[str] = Counter()
    public: set[str] = {name for name in dir(builtins) if distinctive(name)}
    words: Counter[str] = Counter()
    for path in _sources(Path(sysconfig.get_path("stdlib"))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
        seen = set(_names(tree))
        used.update(seen)
        public.update(n for n in _defined(tree) if not n.startswith("_") or n.startswith("__"))
        module = path.parent.name if path.stem == "__init__" else path.stem
        public.update(f"{module}.{name}" for name in _top(tree) if not name.startswith("_"))
        words.update({w for text in _prose(tree) for w in WORD_OF_PROSE.findall(text)})
    words.update({w: n for word, n in words.items() if "-" in word for w in (word.capitalize(), word.title())})
    names = {n for n, files_ in used.items() if files_ > 1} | public | set(keyword.kwlist) | sys.stdlib_module_names
    return {n for n in names if distinctive(n)}, {w for w, n in words.items() if n > 1 and distinctive(w)} - names


def _sources(root: Path) -> list[Path]:
    return sorted(
        path
        for path in root.rglob("*.py")
        if not SKIPPED.intersection(path.relative_to(root).parts) and not path.name.startswith("_sysconfigdata")
        and not path.relative_to(root).parts[0].startswith("config-")
    )  # fmt: skip


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.alias(name=name):
                yield name
            case ast.Attribute(attr=name):
                yield name
                dotted = _dotted(node)
                if not dotted.startswith(("self.", "cls.", ".")):
                    yield dotted
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def _dotted(node: ast.expr) -> str:
    """`os.path.join`; what hangs on something else than a name starts with a dot."""
    match node:
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
        case ast.Name(id=name):
            return name
        case _:
            return ""


def _top(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name


def _defined(tree: ast.Module) -> Iterator[str]:
    yield from _top(tree)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from (item.name for item in node.body if isinstance(item, ast.FunctionDef))


def _prose(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def numbers() -> list[str]:
    """Numbers that stand anywhere: round ones, powers of two, years, codes of HTTP, counting, versions, times."""
    round_ones = {str(n * 10**k) for n in range(1, 100) for k in range(1, 10)}
    powers = {str(2**n) for n in range(7, 33)} | {str(2**n - 1) for n in (*range(7, 33), 63, 64)}
    years = {str(n) for n in range(1970, 2041)}
    codes = {str(n) for n in (*range(100, 104), *range(200, 209), *range(300, 309), *range(400, 432), *range(500, 512))}
    counting = {"0123456789"[:n] for n in range(3, 11)} | {"1234567890"[:n] for n in range(3, 11)}
    repeated = {str(digit) * n for digit in range(10) for n in range(3, 13)}
    versions = {f"{a}.{b}.{c}" for a in range(3) for b in range(10) for c in range(5)} | {
        f"3.{n}" for n in range(6, 15)
    }
    times = {f"{h:02}:{m:02}" for h in range(24) for m in (0, 15, 30, 45)}
    times |= {f"{h}:{m:02}" for h in range(10) for m in (0, 15, 30, 45)} | {f"{t}:00" for t in times}
    decimals = {f"{n / 100:.2f}" for n in range(0, 101, 5)} | {f"{n / 1000:.3f}" for n in range(11)}
    every = (round_ones, powers, years, codes, counting, repeated, versions, times, decimals)
    return sorted({n for group in every for n in group if distinctive(n)}, key=lambda n: (len(n), n))


def _filled(entries: list[str]) -> str:
    lines: list[str] = []
    line = ""
    for entry in entries:
        if line and len(line) + len(entry) >= 120:
            lines.append(line)
            line = entry
        else:
            line = f"{line} {entry}" if line else entry
    return "\n".join([*lines, line])


if __name__ == "__main__":
    raise SystemExit(main())
