"""A corpus whose names try to break what shows them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.report.recordings import conversation

SCRIPT = "</script><script>document.title='owned'</script><img src=http://198.51.100.7/x onerror=alert(1)>"
ANSI = "\x1b[31mred\x1b]0;title\x07"
FORMULA = "=cmd|' /C calc'!A0"
BIDI = "abc\u202etxt.exe"
LINES = "a\u2028b\u2029c"
LONG = "L" * 200_000
KEY = "ghp_" + "A1b2C3d4E5" * 3 + "F6g7H8"
MAIL = "jane.doe@mail.example"
MATH = "$\\frac{1}{0}$ \\input{x}"
TABLE = "a|b`c`[link](http://198.51.100.7/)*x*<b>"

NAMES = (SCRIPT, ANSI, FORMULA, BIDI, LINES, LONG, f"get_{KEY}", MAIL, MATH, TABLE)


def write_hostile(folder: Path) -> Path:
    """Every name as a tool, as a task, as a model and as the id of a conversation; some in the names of files, too."""
    folder.mkdir()
    for n, name in enumerate(NAMES):
        record = conversation(name, ["v " * 3000, "w" * 50], tool=name, model=name) | {"id": name}
        (folder / f"run-{n}.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    for name in (FORMULA.replace("/", "_"), BIDI, MAIL, "<b>bold<script>"):
        record = conversation("files", ["z" * 2000])
        (folder / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")
    (folder / "<img src=x onerror=alert(1)>.txt").write_text("not a recording", encoding="utf-8")
    (folder / "broken<script>.jsonl").write_text(
        json.dumps(conversation("files", ["z"])) + '\n{"messages": [\n', encoding="utf-8"
    )
    return folder
