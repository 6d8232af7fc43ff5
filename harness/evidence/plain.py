r"""Text with its escaping undone, so that the same words are found however deep they were quoted.

A result may hold JSON text, the `repr` of a string, or a preview that escapes it; an argument is JSON whose strings
hold shell commands. How many layers there are cannot be known, so both sides are brought to one form in which no
layer is left:

- a run of backslashes counts as one; `\n \r \t` become the character, `\b \f \0` a space; `\uXXXX` (pairs of surrogates
  too), `\u{X}`, `\UXXXXXXXX` and `\xXX` become the character; before punctuation or a space the backslash goes;
- a backslash that is left (`\d`, `C:\Users`) becomes `/`, so that a Windows path is a path;
- colour codes and other terminal sequences go;
- what remains is in Unicode NFC.

The form is for looking things up, never shown: `C:\new` loses its `n`, on both sides alike. A word is a run of
letters, digits and `_`. Signs of scripts that put no spaces between words (Chinese, Japanese, Korean, Thai, ...) end
a word.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property

_LETTERS = (
    "0-9A-Za-z_\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\u0dff\u10a0-\u10ff\u1200-\u177f\u1800-\u1fff"
    "\u2c00-\u2dff\ua640-\uabff\ufb00-\ufdff\ufe70-\ufefc\U00010000-\U0001cfff\U0001e000-\U0001efff"
)
_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3031-\u3035"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff10-\uff19"
    "\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc\U00020000-\U0003ffff"
)
WORD = re.compile(f"[{_LETTERS}]++")
UNIT = re.compile(f"[{_LETTERS}]++|[{_SPACELESS}]")
_UNIT_OR_END = re.compile(f"[{_LETTERS}]++|\n|[{_SPACELESS}]")
BEFORE = f"(?<![{_LETTERS}])"
AFTER = f"(?![{_LETTERS}])"

_RUN = re.compile(r"\\{2,}")
_SHORT = (
    ("\\n", "\n"),
    ('\\"', '"'),
    ("\\t", "\t"),
    ("\\r", "\r"),
    ("\\/", "/"),
    ("\\'", "'"),
    ("\\b", " "),
    ("\\f", " "),
)
_NAMED = {written[1]: character for written, character in _SHORT}
_ESCAPE = re.compile(
    r"\\+(?:u\{(?P<braced>[0-9a-fA-F]{1,6})\}"
    r"|u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\+u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>[0-9a-fA-F]{8})|x(?P<two>[0-9a-fA-F]{2})|(?P<nul>0)(?!\d)|(?P<other>[^\\])|$)"
)
_TERMINAL = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b\n]*(?:\x07|\x1b/?)?)")


def units(text: str) -> list[str]:
    """The words of a text; in scripts without spaces, the signs."""
    return WORD.findall(text) if text.isascii() else UNIT.findall(text)


def units_and_lines(text: str) -> list[str]:
    """The same, with the ends of lines."""
    return _UNIT_OR_END.findall(text)


def plain(text: str) -> str:
    """The text with escaping undone, as described above."""
    if "\\" in text:
        if "\\\\" in text:
            text = _RUN.sub(lambda _: "\\", text)
        for written, character in _SHORT:
            text = text.replace(written, character)
        if "\\" in text:
            text = _ESCAPE.sub(_undone, text)
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return text


def _undone(found: re.Match[str]) -> str:
    kind = found.lastgroup
    if kind == "other":
        character = found["other"]
        named = _NAMED.get(character)
        return named if named is not None else "/" + character if character.isalnum() else character
    if kind is None:
        return "/"
    if kind == "nul":
        return " "
    if kind == "low":
        code = 0x10000 + ((int(found["high"], 16) - 0xD800) << 10) + int(found["low"], 16) - 0xDC00
    else:
        code = int(found[kind], 16)
    return "/" if code == 0x5C or code > 0x10FFFF else chr(code)


class Plain:
    """A text, its plain form, and the way between them. raw: as recorded. text: the plain form."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.text = plain(raw)

    @cached_property
    def words(self) -> frozenset[str]:
        """The units of the plain form."""
        return frozenset(units(self.text))

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of `raw` that a range of `text` came from; what was replaced comes back as a whole."""
        if self.text == self.raw:
            return start, end
        for inner, outer in reversed(self._stages):
            start, end = outer[_piece(inner, start)] + _rest(inner, outer, start), _end(inner, outer, end)
        return start, end

    def text_span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of `text` that a range of `raw` became."""
        if self.text == self.raw:
            return start, end
        for inner, outer in self._stages:
            start, end = inner[_piece(outer, start)] + _rest(outer, inner, start), _end(outer, inner, end)
        return start, end

    @cached_property
    def _stages(self) -> list[_Stage]:
        stages: list[_Stage] = []
        text = self.raw
        for pattern, change in ((_ESCAPE, _undone), (_TERMINAL, _gone), (_BEYOND_ASCII, _composed)):
            text, stage = _changed(text, pattern, change)
            stages.append(stage)
        return stages


_Stage = tuple[list[int], list[int]]
"""Where pieces that belong together start, after a change and before it; the lists end with the texts' lengths."""

_BEYOND_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")


def _gone(_: re.Match[str]) -> str:
    return ""


def _composed(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", found[0])


def _changed(text: str, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str]) -> tuple[str, _Stage]:
    after, before = [0], [0]
    parts: list[str] = []
    length = done = 0
    for found in pattern.finditer(text):
        new = change(found)
        if new == found[0]:
            continue
        parts += (text[done : found.start()], new)
        length += found.start() - done
        after += (length, length + len(new))
        before += found.span()
        length += len(new)
        done = found.end()
    parts.append(text[done:])
    return "".join(parts), ([*after, length + len(text) - done], [*before, len(text)])


def _piece(starts: list[int], at: int) -> int:
    return bisect_right(starts, at, 0, len(starts) - 1) - 1


def _rest(starts: list[int], others: list[int], at: int) -> int:
    """How far into its piece a position is; 0 in a piece that was replaced."""
    piece = _piece(starts, at)
    size, other = starts[piece + 1] - starts[piece], others[piece + 1] - others[piece]
    return at - starts[piece] if size == other else 0


def _end(starts: list[int], others: list[int], at: int) -> int:
    """The end of a range: that of the piece where its last character was replaced."""
    if at == 0:
        return 0
    piece = _piece(starts, at - 1)
    size, other = starts[piece + 1] - starts[piece], others[piece + 1] - others[piece]
    return others[piece] + at - starts[piece] if size == other else others[piece + 1]
