"""What was billed, by the recording itself: the bill, how far a model of it is off, and the cache cliffs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from harness.replay.sections import wording as say
from harness.replay.sections.grid import Grid
from harness.runs.run import Run
from harness.text import count, number, share

COLUMNS = ("bill", "billed_requests", "cost_model_of_billed", "priced_requests", "cliffs", "lost_prefix", "lost_cost")


@dataclass(frozen=True)
class Bill:
    """Over one part of a corpus. bill: recorded usage times price, USD, over `billed` of `requests`; of those the
    answers of `output_counted` are billed by our count. model: the same requests by our tokens, the cache guessed from
    times. priced: requests whose model has a price. read: tokens read from the cache, of `read_of` billed input. lost:
    tokens of the `cliffs`, lost_usd what they were billed over the price of reading them."""

    requests: int
    priced: int
    billed: int
    output_counted: int
    bill: float | None
    model: float | None
    read: int | None
    read_of: int | None
    cliffs: int
    lost: int | None
    lost_usd: float | None

    @property
    def error(self) -> float | None:
        """Model over bill: the error bar of money."""
        return self.model / self.bill if self.bill and self.model is not None else None


def bill(part: Grid) -> Bill | None:
    """`None` where the run has no such figures."""
    if not part.has(*COLUMNS):
        return None

    def total(column: str) -> Any:
        values = part.shared[column].dropna()
        return values.sum() if len(values) else None

    return Bill(
        requests=int(total("requests") or 0),
        priced=int(total("priced_requests") or 0),
        billed=int(total("billed_requests") or 0),
        output_counted=int(total("output_counted") or 0),
        bill=_float(total("bill")),
        model=_float(total("cost_model_of_billed")),
        read=_int(total("recorded_cached")),
        read_of=_int(total("recorded_input")),
        cliffs=int(total("cliffs") or 0),
        lost=_int(total("lost_prefix")),
        lost_usd=_float(total("lost_cost")),
    )


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _int(value: Any) -> int | None:
    return None if value is None else int(value)


def prices_words(manifest: Mapping[str, Any]) -> str:
    """Whose prices apply, in a sentence: named ones, or how many requests each model's were found for."""
    prices = manifest.get("prices") or {}
    if "asked" not in prices:  # a run of an earlier schema, at one model's prices
        return f"prices of {prices['name']}" if prices else ""
    dated = f"as of {prices['as_of']}"
    rules = f"cache rules {', '.join(manifest['cache']['profiles'])}"
    if prices["asked"] != "auto":
        return f"prices of {prices['asked']}, whatever model answered, {dated}; {rules}"
    sums: dict[str, int] = {}
    unknown: dict[str, int] = {}
    for row in manifest.get("models", ()):
        held, name = (sums, row["priced_as"]) if row["priced_as"] else (unknown, row["model"] or "no model named")
        held[name] = held.get(name, 0) + row["requests"]
    known = f"each request at the price of its model, {dated}: {_listed(sums)}" if sums else ""
    missing = f"not identified, as the price is not known: {_listed(unknown)}" if unknown else ""
    return "; ".join(filter(None, (known, missing, rules)))


def _listed(sums: Mapping[str, int], most: int = 5) -> str:
    ordered = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    words = [f"{name} ({number(n, 'request')})" for name, n in ordered[:most]]
    if len(ordered) > most:
        words.append(f"{len(ordered) - most} more")
    return ", ".join(words)


def bill_words(b: Bill) -> tuple[str, str]:
    """The figure of the bill, and what it is of."""
    if b.bill is None or not b.billed:
        return say.NOT_IDENTIFIED, "as no request has both complete usage and a known price"
    note = f"USD by recorded usage, over {count(b.billed)} of {number(b.requests, 'request')}"
    if b.output_counted:
        note += f" (the answers of {count(b.output_counted)} by our count)"
    if b.error is not None:
        note += (
            f"; a model of it, by our tokens and the times alone, gives {b.error:.2f} of it: so far off is money where "
            "usage is silent"
        )
    return say.usd(b.bill), note


def cliff_words(b: Bill) -> tuple[str, str]:
    """The share of billed input that was read from the cache, and the requests that lost their prefix."""
    if b.read is None or not b.read_of:
        return say.NOT_REPORTED, "as no reads of a cache were recorded"
    note = "of the billed input"
    if not b.cliffs:
        return share(b.read, b.read_of), f"{note}; no request lost over half of the prefix that it should have kept"
    price = f", {say.usd(b.lost_usd)} USD more than reading them" if b.lost_usd is not None else ""
    lost = f"{say.short_count(b.lost or 0)} tokens billed anew{price}"
    return share(b.read, b.read_of), f"{note}; {number(b.cliffs, 'request')} lost over half of a kept prefix: {lost}"


def cliff_frame(run: Run) -> pd.DataFrame:
    """One line a request that lost its prefix, dearest first."""
    requests = run.requests
    if "lost_prefix" not in requests:
        return pd.DataFrame()
    identity = requests[(requests["policy"] == "identity") & (requests["lost_prefix"].fillna(0) > 0)]
    columns = ["transcript", "request", "model", "lost_cause", "recorded_input", "recorded_cached", "lost_prefix"]
    ordered = identity.sort_values("lost_prefix", ascending=False, kind="stable")
    return ordered[[*columns, "lost_cost"]].reset_index(drop=True)
