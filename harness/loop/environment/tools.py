"""The tools: each a function of a root folder (or a service's address) and its arguments, returning an `Output`.

Nothing here knows of transcripts, so anything that needs an agent's tools can call them. Output is made independent
of the machine: `LC_ALL=C`, UTC, umask 022, the root folder shown under another name, and in `ls -l` the owner, the
directory sizes and the block totals, which differ between file systems.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.children import marked

SHELL_TIMEOUT_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool gave back. exit_code: of a command or an HTTP error, else `None`."""

    text: str
    is_error: bool = False
    exit_code: int | None = None


def _inside(root: Path, path: str) -> Path | None:
    """The path below `root`, or `None` if it leads out of it."""
    target = (root / path).resolve()
    return target if target.is_relative_to(root.resolve()) else None


def shell(root: Path, command: str, shown_as: str) -> Output:
    """Standard output and error of `sh -c command` in `root`, which appears in it as `shown_as`.

    An exit code other than 0 is an error, but for the 1 with which grep and diff say "nothing" and "different".
    """
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '/usr/bin:/bin')}",
        "HOME": str(root),
        "LC_ALL": "C",
        "TZ": "UTC0",
        "PYTHONUTF8": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    _, known = marked(environment)
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=root,
        env=known,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SHELL_TIMEOUT_SECONDS,
        umask=0o022,
        check=False,
    )
    text = done.stdout.decode("utf-8", "replace").replace(str(root.resolve()), shown_as)
    answers_no = done.returncode == 1 and re.search(r"\b(grep|diff)\b", command) is not None
    return Output(_same_listing_everywhere(text), done.returncode != 0 and not answers_no, done.returncode)


_LISTED = re.compile(r"^([-dl][-rwxsStT]{9})[.+@]? +(\d+) +\S+ +\S+ +(\d+) +(\w{3} +\d+ +[\d:]+) (.*)$")


def _same_listing_everywhere(text: str) -> str:
    """`ls -l` lines with what a file system or a user decides replaced by fixed values, and columns aligned again."""
    lines = text.split("\n")
    found = {i: match.groups() for i, line in enumerate(lines) if (match := _LISTED.match(line))}
    if not found:
        return text
    rows: dict[int, tuple[str, str, str, str, str]] = {}
    for i, (mode, links, size, date, name) in found.items():
        folder = mode[0] == "d"
        rows[i] = (mode, "2" if folder else links, "4096" if folder else size, " ".join(date.split()), name)
    width = max(len(row[2]) for row in rows.values())
    for i, (mode, links, size, date, name) in rows.items():
        month, day, year = date.split(" ")
        lines[i] = f"{mode} {links} dev dev {size:>{width}} {month} {day:>2}  {year} {name}"
    for i, line in enumerate(lines):
        if re.fullmatch(r"total \d+", line):
            below = [int(rows[j][2]) for j in range(i + 1, len(lines)) if j in rows]
            lines[i] = f"total {sum(-(-size // 4096) * 4 for size in below)}"
    return "\n".join(lines)


def read_file(root: Path, path: str, offset: int = 1, limit: int | None = None) -> Output:
    """The lines of a file from line `offset` on, at most `limit`, numbered as `cat -n` does."""
    target = _inside(root, path)
    if target is None or not target.is_file():
        return Output(f"Error: file does not exist: {path}", is_error=True)
    lines = target.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    end = len(lines) if limit is None else min(len(lines), offset - 1 + limit)
    return Output("".join(f"{n:6}\t{lines[n - 1]}\n" for n in range(offset, end + 1)))


def write_file(root: Path, path: str, content: str) -> Output:
    """Write a whole file, making its folder."""
    target = _inside(root, path)
    if target is None:
        return Output(f"Error: outside of the working folder: {path}", is_error=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode("utf-8")
    target.write_bytes(data)
    return Output(f"Wrote {len(data)} bytes to {path}")


def edit_file(root: Path, path: str, old: str, new: str) -> Output:
    """Replace the one place where `old` stands."""
    target = _inside(root, path)
    if target is None or not target.is_file():
        return Output(f"Error: file does not exist: {path}", is_error=True)
    text = target.read_bytes().decode("utf-8")
    if (places := text.count(old)) != 1:
        return Output(f"Error: the text to replace stands {places} times in {path}; it must stand once", is_error=True)
    target.write_bytes(text.replace(old, new).encode("utf-8"))
    line = text[: text.index(old)].count("\n") + 1
    return Output(f"Edited {path} at line {line}")


def query(root: Path, database: str, sql: str) -> Output:
    """Rows of one SQL statement as a JSON array of objects, or how many rows it changed; the change is kept."""
    with closing(sqlite3.connect(root / database)) as connection:
        try:
            cursor = connection.execute(sql)
            rows = cursor.fetchall()
            connection.commit()
        except sqlite3.Error as error:
            return Output(f"Error: {error}", is_error=True)
    if cursor.description is None:
        return Output(json.dumps({"rows_changed": cursor.rowcount}))
    names = [column[0] for column in cursor.description]
    return Output(json.dumps([dict(zip(names, row, strict=True)) for row in rows], ensure_ascii=False))


def http_get(address: str, path: str) -> Output:
    """Body of a GET; an HTTP error is `HTTP <status>` and the body below it."""
    return _http(urllib.request.Request(address + path))


def http_post(address: str, path: str, body: Any) -> Output:
    """Body of the answer to a POST of JSON."""
    data = json.dumps(body, ensure_ascii=False).encode("utf-8")
    return _http(urllib.request.Request(address + path, data, {"Content-Type": "application/json"}))


_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _http(request: urllib.request.Request) -> Output:
    try:
        with _direct.open(request, timeout=SHELL_TIMEOUT_SECONDS) as answer:
            return Output(answer.read().decode("utf-8"))
    except urllib.error.HTTPError as error:
        with error:
            body = error.read().decode("utf-8")
        return Output(f"HTTP {error.code}\n{body}", is_error=True, exit_code=error.code)
