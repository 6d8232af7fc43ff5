"""The exact count of any Python string, by tiktoken; nothing that a transcript holds can make it raise.

Three things in recorded text break a plain call of tiktoken: text that looks like a special token (counted as
ordinary text, as inside a message), lone surrogates (replaced by U+FFFD, as tiktoken's own `encode` does),
and a million blanks in a row, on which its regex engine gives up.
"""

from __future__ import annotations

import re
from array import array
from functools import cache
from itertools import accumulate

from harness.tokens.vocabulary import load_encoding, rank_file

# The regex engine stops after 1,000,000 steps back, which is some blanks less than that.
LONG_RUN = 900_000
# Unicode White_Space without CR and LF. Python's \s also has U+001C..U+001F, text to the tokenizers.
_BLANKS = re.compile("[\t\v\f \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


class ExactTokenizer:
    """One encoding of tiktoken.

    Its vocabulary is loaded at the first count: `HarnessError` if there is none on this machine.
    """

    def __init__(self, encoding: str) -> None:
        rank_file(encoding)
        self.encoding = encoding

    def count(self, text: str) -> int:
        """Tokens of `text` as ordinary text."""
        return len(self.ids(text))

    def ids(self, text: str) -> list[int]:
        """Token ids of `text` as ordinary text; they spell its UTF-8, lone surrogates replaced."""
        encoding = load_encoding(self.encoding)
        try:
            return encoding.encode(text, disallowed_special=())
        except ValueError:
            text = repaired(text)
            run = long_run(text)
            if run is None:
                raise
            return self._ids_around(text, *run)

    def _ids_around(self, text: str, start: int, end: int) -> list[int]:
        blanks = load_encoding(self.encoding)._encode_single_piece(text[start:end])
        return self.ids(text[:start]) + blanks + self.ids(text[end:])

    def token_ends(self, text: str) -> list[int]:
        """For each token of `text`, the offset of its end in bytes of UTF-8."""
        lengths = _token_lengths(self.encoding)
        return list(accumulate(lengths[i] for i in self.ids(text)))


def repaired(text: str) -> str:
    """`text` with surrogate pairs joined and lone surrogates replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def long_run(text: str) -> tuple[int, int] | None:
    r"""The first long run of blanks that is a token piece of its own, as start and end.

    Both patterns end in ``\s*[\r\n]`` and ``\s+(?!\S)``: a run before a line end belongs to that line end, and the
    last blank before other text belongs to that text. What remains is one piece, and so are the texts on its
    sides. (At the end of the text cl100k takes line ends before the run too; there it never gives up.)
    """
    for match in _BLANKS.finditer(text):
        start, end = match.span()
        if end - start >= LONG_RUN and text[end : end + 1] not in ("\r", "\n"):
            return start, end - (end < len(text))
    return None


@cache
def _token_lengths(encoding: str) -> array[int]:
    tokens = load_encoding(encoding).decode_tokens_bytes(range(rank_file(encoding).tokens))
    return array("H", map(len, tokens))
