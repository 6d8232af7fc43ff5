"""CAR's previews as they stand in a recording: told from other text, with the size that they state.

seen = recorded_preview(result.content)
seen.handle, seen.size, seen.whole        # "r3", 54988, False: text(len=53.7KB, lines=812, head="…", tail="…")
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PREVIEW = re.compile(
    r"(?P<handle>r\d+) = (?P<body>.*)\n\[full value retained this run — pass \"\$(?P=handle)\" as a tool argument"
    r"[^\]\n]*\]\s*",
    re.DOTALL,
)
_TEXT = re.compile(r"text\(len=(?P<size>[\d.]+)(?P<unit>B|KB|MB), lines=\d+(?P<part>, head=)?")
_ARRAY = re.compile(r"array\(len=(?P<length>\d{1,9})")
_OBJECT = re.compile(r"json\(.*, bytes=(?P<bytes>\d+)\)|json\(bytes=(?P<empty>\d+)\)", re.DOTALL)
_SHORTENED = re.compile(r"text\(len=|array\((?:len=)?\d+|json\(keys=|…|\[:\d+\]=")
_NAMES = re.compile(r"(?:^json\(|, )(?:keys=\d+ total, first=\[)?(?P<name>[^\s:,\[\]()\"{}]+): ")
_SCALAR = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
UNITS = {"B": 1, "KB": 1024, "MB": 1024**2}


@dataclass(frozen=True, slots=True)
class RecordedPreview:
    """handle: the name of the value. body: what is shown of it. size: bytes of the whole value, as stated, rounded
    where the preview rounds (`exact` says so); `None` where it states none. whole: all of the value is shown."""

    handle: str
    body: str
    size: int | None
    exact: bool
    whole: bool

    def names(self, path: str) -> bool | None:
        """Whether the value has what a path (`rows.0`, without the handle) leads to; `None` where the preview does not
        tell."""
        if not path:
            return True
        if self.body.startswith("text(") or not self.body.startswith(("json(", "array(")):
            return False
        first = path.partition(".")[0]
        if self.body.startswith("json(keys="):
            return None
        if found := _ARRAY.match(self.body):
            known = first.isdecimal() and int(first) < int(found["length"])
        else:
            known = first in {match["name"] for match in _NAMES.finditer(self.body)}
        return None if known and "." in path else known

    def size_of(self, path: str) -> int | None:
        """Bytes of what a path leads to, as far as the preview states them; a text that is shown counts as shown."""
        if not path:
            return self.size
        field = re.search(
            rf"(?:^json\(|, ){re.escape(path)}: (?P<shown>text\(len=([\d.]+)(B|KB|MB)|\"(?:\\.|[^\"\\])*\")", self.body
        )
        if field is None:
            return None
        return round(float(field[2]) * UNITS[field[3]]) if field[2] else len(field["shown"].encode("utf-8"))


def recorded_preview(text: str) -> RecordedPreview | None:
    """What a preview says, or `None` for any other text."""
    if not text.startswith("r"):
        return None
    match = _PREVIEW.fullmatch(text)
    if match is None:
        return None
    handle, body = match["handle"], match["body"]
    if found := _TEXT.match(body):
        stated = round(float(found["size"]) * UNITS[found["unit"]])
        return RecordedPreview(handle, body, stated, found["unit"] == "B", found["part"] is None)
    if body.startswith("array("):
        return RecordedPreview(handle, body, None, False, not _SHORTENED.search(body.removeprefix("array(")))
    if found := _OBJECT.fullmatch(body):
        size = int(found["bytes"] or found["empty"])
        return RecordedPreview(handle, body, size, True, not _SHORTENED.search(body))
    scalar = _SCALAR.fullmatch(body) is not None
    return RecordedPreview(handle, body, len(body) if scalar else None, scalar, scalar)
