"""A faster count of the same tokens (toktok-rs), used where its wheel is installed and it agrees with tiktoken.

It is asked at start-up for a fixed sample, whose counts by tiktoken are known (`accelerated.toml`), and every
thousandth text is counted by tiktoken too. On 90,000 real files and millions of random strings the only difference was
an apostrophe before a long s (U+017F) under o200k, which no random sample would find: texts with that letter, with
lone surrogates, or with very long runs of blanks always go to tiktoken.
"""

from __future__ import annotations

import tomllib
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files

from harness.errors import HarnessError
from harness.tokens.exact import LONG_RUN, ExactTokenizer, long_run

EVERY = 1000
DISTRIBUTION = "toktok-rs"


class AcceleratedTokenizer:
    """Counts with toktok-rs. `HarnessError` if it is not installed, or does not count as tiktoken does."""

    def __init__(self, encoding: str) -> None:
        try:
            self._batch_count = import_module("toktok").batch_count
        except ModuleNotFoundError as missing:
            raise HarnessError("the tokenizer `toktok` is not installed: `pip install toktok-rs==0.3.0`") from missing
        self._exact = ExactTokenizer(encoding)
        self.encoding = encoding
        self._counted = 0
        for text, count in sample(encoding):
            if self._accelerated(text) != count:
                raise HarnessError(self._differs(text, self._accelerated(text), count))

    def count(self, text: str) -> int:
        """Tokens of `text` as ordinary text. `HarnessError` where the two tokenizers are found to differ."""
        if not text.isascii() and ("\u017f" in text or _has_surrogates(text)):
            return self._exact.count(text)
        if len(text) >= LONG_RUN and long_run(text) is not None:
            return self._exact.count(text)
        found = self._accelerated(text)
        self._counted += 1
        if self._counted % EVERY == 0 and (exact := self._exact.count(text)) != found:
            raise HarnessError(self._differs(text, found, exact))
        return found

    def _accelerated(self, text: str) -> int:
        counts: list[int] = self._batch_count([text], self.encoding, threads=1)
        return counts[0]

    def _differs(self, text: str, found: int, exact: int) -> str:
        return (
            f"{DISTRIBUTION} {version(DISTRIBUTION)} counts {found} tokens in a text of {len(text)} characters where "
            f"tiktoken counts {exact} ({self.encoding}): set HARNESS_TOKENIZER=tiktoken and start the run anew"
        )


def sample(encoding: str) -> list[tuple[str, int]]:
    """Texts that tokenizers stumble over, with what tiktoken counts in them."""
    known = tomllib.loads(files("harness.tokens").joinpath("accelerated.toml").read_text(encoding="utf-8"))
    return list(zip(known["texts"], known["counts"][encoding], strict=True))


def accelerator(encoding: str) -> str:
    """Why the accelerator is not used for an encoding; empty where it is."""
    try:
        AcceleratedTokenizer(encoding)
    except HarnessError as error:
        return str(error)
    return ""


def _has_surrogates(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
