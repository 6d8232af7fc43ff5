"""Counting texts once: a memo in the process, a store on disk, and under both the exact tokenizer.

The same text stands in the prompt of many requests, under many policies and in every run, so its count is
kept under a digest of its content. Short texts are cheaper to count again than to look up on disk; they only
have the memo.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib import import_module
from types import TracebackType
from typing import Protocol

from harness.errors import HarnessError
from harness.tokens.accelerated import accelerator
from harness.tokens.store import CountStore, cache_folder, cache_is_on
from harness.tokens.vocabulary import rank_file, tiktoken_version

SHORT = 512  # characters: 40 us to count, 15 us to look up and keep
SHORT_KEPT = 2**14  # texts of up to SHORT characters: 10 MB, 35 MB if all of them are long and emoji
LONG_KEPT = 2**16  # digests in each of two generations: 10 MB each
RECOUNTED = 1000  # of so many texts whose count was kept, one is counted again
SCHEME = 1  # goes up when the count of some text changes

TOKENIZERS: dict[str, str] = {
    "tiktoken": "harness.tokens.exact:ExactTokenizer",
    "toktok": "harness.tokens.accelerated:AcceleratedTokenizer",
}


class Tokenizer(Protocol):
    """Counts the tokens of any string as ordinary text."""

    encoding: str

    def count(self, text: str) -> int:
        """Tokens of `text`."""


class TokenCounter:
    """Exact counts of one encoding, each text counted once.

    tokenizer: a name in `TOKENIZERS`. store: where counts outlive the process, or `None`. Memory stays under
    some 50 MB however much is counted. A counter belongs to one process; end it with `close`, or use it in a
    `with`. identity: a digest of all that a count depends on but the text.
    """

    def __init__(self, encoding: str, store: CountStore | None = None, tokenizer: str = "tiktoken") -> None:
        if tokenizer not in TOKENIZERS:
            raise HarnessError(f"no tokenizer called {tokenizer!r}; there are: {', '.join(TOKENIZERS)}")
        depends_on = (encoding, rank_file(encoding).sha256, tiktoken_version(), tokenizer, str(SCHEME))
        self.encoding = encoding
        self.tokenizer = tokenizer
        self.identity = hashlib.sha256("\0".join(depends_on).encode("utf-8")).digest()
        module, _, name = TOKENIZERS[tokenizer].partition(":")
        self._tokenizer: Tokenizer = getattr(import_module(module), name)(encoding)
        self._store = store
        self._short: Callable[[str], int] = lru_cache(maxsize=SHORT_KEPT)(self._tokenizer.count)
        self._recent: dict[bytes, int] = {}
        self._older: dict[bytes, int] = {}

    def count(self, text: str) -> int:
        """Tokens of `text` as ordinary text. Any string has a count."""
        if len(text) <= SHORT:
            return self._short(text)
        key = self._digest(text)
        count = self._remembered(key)
        if count is None and self._store is not None:
            count = self._store.get(key)
            if count is not None and self._is_right(key, text, count):
                self._remember(key, count)
            else:
                count = None
        return self._count_long(key, text) if count is None else count

    def count_many(self, texts: Iterable[str]) -> list[int]:
        """Tokens of each text, in order; the store is asked once for all of them."""
        texts = list(texts)
        keys = [self._digest(text) if len(text) > SHORT else None for text in texts]
        if self._store is not None:
            unknown = {
                key: text
                for key, text in zip(keys, texts, strict=True)
                if key is not None and self._remembered(key) is None
            }
            for found, count in self._store.get_many(unknown).items():
                if self._is_right(found, unknown[found], count):
                    self._remember(found, count)
        counts = []
        for key, text in zip(keys, texts, strict=True):
            if key is None:
                counts.append(self._short(text))
                continue
            known = self._remembered(key)
            counts.append(self._count_long(key, text) if known is None else known)
        return counts

    def flush(self) -> None:
        """Bring what was counted to the disk, such as at the end of a shard."""
        if self._store is not None:
            self._store.flush()

    def close(self) -> None:
        """Bring what was counted to the disk and let go of it."""
        if self._store is not None:
            self._store.close()

    def __enter__(self) -> TokenCounter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _digest(self, text: str) -> bytes:
        content = text.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(content, digest_size=16, key=self.identity).digest()

    def _count_long(self, key: bytes, text: str) -> int:
        count = self._tokenizer.count(text)
        self._remember(key, count)
        if self._store is not None:
            self._store.put(key, count)
        return count

    def _is_right(self, key: bytes, text: str, kept: int) -> bool:
        """Whether a count that was kept is the text's, looked at for one in `RECOUNTED`. If it is not, nothing that was
        kept is believed any more."""
        if int.from_bytes(key[:4], "big") % RECOUNTED or self._tokenizer.count(text) == kept:
            return True
        self._recent.clear()
        self._older.clear()
        assert self._store is not None
        self._store.distrust("held a count that is not the text's")
        return False

    def _remembered(self, key: bytes) -> int | None:
        count = self._recent.get(key)
        if count is None:
            count = self._older.get(key)
            if count is not None:
                self._remember(key, count)
        return count

    def _remember(self, key: bytes, count: int) -> None:
        if len(self._recent) >= LONG_KEPT:
            self._older, self._recent = self._recent, {}
        self._recent[key] = count


def open_counter(encoding: str) -> TokenCounter:
    """The counter that the commands use.

    `HARNESS_CACHE=off` leaves the disk alone (`store.cache_is_on`), and `HARNESS_TOKENIZER` names a tokenizer of
    `TOKENIZERS`; without it the accelerator counts where it is installed and agrees with tiktoken.
    """
    store = CountStore(cache_folder()) if cache_is_on() else None
    return TokenCounter(encoding, store, os.environ.get("HARNESS_TOKENIZER") or quickest(encoding))


@cache
def quickest(encoding: str) -> str:
    """The name of the quickest tokenizer here that counts as tiktoken does."""
    return "tiktoken" if accelerator(encoding) else "toktok"
