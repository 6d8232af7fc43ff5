"""What was billed for the requests of a transcript, as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.money.bill import Floats, RequestPrices
from harness.money.cache import Ints
from harness.replay.ledger import Layout
from harness.transcript import Transcript

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Recorded:
    """Of R requests, in tokens; 0 where a count is not known.

    known: whether the size of the prompt was recorded. split: whether what was read from the cache was too. written:
    to the cache, of which `hour` for an hour. answered: whether `output` was recorded; where not, it is our count.
    """

    known: Bools
    split: Bools
    writes_known: Bools
    answered: Bools
    prompt: Ints
    read: Ints
    written: Ints
    hour: Ints
    output: Ints

    def complete(self, prices: RequestPrices) -> Bools:
        """Which requests were recorded with all that the price of their prompt depends on."""
        free = np.array([t is not None and not t.charges_for_writing for t in prices.tariffs], bool)
        return np.asarray(self.split & (self.writes_known | free))

    def bill(self, prices: RequestPrices) -> Floats:
        """USD: recorded usage times price, `nan` where it is not complete. An answer whose size is not known is billed
        by our count."""
        usd = prices.billed(self.prompt, self.read, self.written, self.hour, self.output)
        return np.where(self.complete(prices), usd, np.nan)


def recorded(layout: Layout) -> Recorded:
    """The recorded usage of a transcript."""
    usage = [layout.transcript.messages[i].usage for i in layout.requests]
    known, prompt = _counts(u and u.input_tokens for u in usage)
    split, read = _counts(u and u.cached_tokens for u in usage)
    writes_known, written = _counts(u and u.cache_write_tokens for u in usage)
    _, hour = _counts(u and u.cache_write_1h_tokens for u in usage)
    answered, output = _counts(u and u.output_tokens for u in usage)
    split &= known
    return Recorded(
        known,
        split,
        writes_known & split,
        answered,
        prompt,
        np.where(split, read, 0),
        np.where(split, written, 0),
        np.where(split, hour, 0),
        np.where(answered, output, layout.output),
    )


def _counts(values: Iterable[int | None]) -> tuple[Bools, Ints]:
    found = list(values)
    return np.array([v is not None for v in found], bool), np.array([v or 0 for v in found], np.int64)


def models_of(transcript: Transcript) -> list[str | None]:
    """The model that answered each request, as far as the recording names it."""
    return [transcript.messages[i].model or transcript.model for i in transcript.requests()]
