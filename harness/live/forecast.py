"""What a run would ask for and what that would cost, before the first request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.engines.spec import EngineSpec
from harness.errors import HarnessError
from harness.live.spend import cost, is_metered, rates_of
from harness.runs.kind import Forecast
from harness.text import count, number


@dataclass(frozen=True)
class Amount:
    """Requests, and the tokens that go in and come out."""

    requests: int
    input: int
    output: int


@dataclass(frozen=True)
class Asked:
    """What one engine would be asked: likely, and at most."""

    spec: EngineSpec
    likely: Amount
    most: Amount


def check_prices(specs: Sequence[EngineSpec], max_usd: float) -> None:
    """Raises `HarnessError` where a budget in money is to hold and a price is not known."""
    unknown = [spec.label for spec in specs if max_usd and rates_of(spec) is None]
    if unknown:
        raise HarnessError(
            f"engine {unknown[0]}: no price is known for it, so --max-usd could not stop it: name the model of harness "
            "list prices with price=…, or give --max-total-tokens"
        )


def forecast(runs: str, asked: Sequence[Asked], basis: str, limited: bool, dry: bool) -> Forecast:
    """runs: how many runs of what, in words. basis: where the figures come from."""
    lines, records = [f"{runs}; {basis}"], []
    for one in asked:
        rates = rates_of(one.spec)
        usd = [cost(rates, a.input, 0, a.output) if rates else None for a in (one.likely, one.most)]
        price = "price not known (price=MODEL names one)" if usd[0] is None else f"{usd[0]:,.2f} to {usd[1]:,.2f} USD"
        lines.append(
            f"  {one.spec.label}: {count(one.likely.requests)} to {number(one.most.requests, 'request')}, "
            f"{count(one.likely.input)} to {count(one.most.input)} tokens in, {count(one.likely.output)} to "
            f"{count(one.most.output)} out, {price if is_metered(one.spec) else 'not metered'}"
        )
        records.append(_record(one, usd))
    metered = any(is_metered(one.spec) for one in asked)
    return Forecast("\n".join(lines), {"runs": runs, "basis": basis, "engines": records}, metered, limited, dry)


def _record(one: Asked, usd: Sequence[float | None]) -> dict[str, Any]:
    return {
        "engine": one.spec.label,
        "metered": is_metered(one.spec),
        "likely": vars(one.likely) | {"usd": usd[0]},
        "most": vars(one.most) | {"usd": usd[1]},
    }
