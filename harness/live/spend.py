"""What a run may spend: in money, in tokens. It ends before the request that would pass it."""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from harness.engines.spec import EngineSpec
from harness.engines.turn import Answer
from harness.errors import HarnessError
from harness.money.models import price_name
from harness.money.prices import Rates, price_model

BYTES_A_TOKEN = 3
"""Before a prompt is sent it counts as a token for so many bytes: rather too many than too few."""
METERED = ("auto", "yes", "no")


class OutOfBudget(Exception):
    """The next request might cost more than is left."""


def is_remote(spec: EngineSpec) -> bool:
    """Whether the engine is a server that the harness did not start."""
    return "url" in spec.settings


def is_metered(spec: EngineSpec) -> bool:
    """Whether its answers cost money: as its setting `metered` says, or by `auto` whether it is on another machine."""
    if not is_remote(spec):
        return False
    said = str(spec.settings.get("metered", "auto"))
    if said not in METERED:
        raise HarnessError(f"engine {spec.label}: metered={said} will not do; give one of {', '.join(METERED)}")
    return said == "yes" or (said == "auto" and not _is_here(str(spec.settings["url"])))


def _is_here(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def rates_of(spec: EngineSpec) -> Rates | None:
    """The prices of an engine's model, `None` where they are not known. Raises `HarnessError` for a named one that is
    not in the snapshot."""
    if named := str(spec.settings.get("price", "")):
        return price_model(price_name(named) or named).base
    found = price_name(str(spec.settings.get("model", "")))
    return price_model(found).base if found else None


def cost(rates: Rates, fresh: int, cached: int, output: int) -> float:
    """USD of one request, at the price of its fresh, cached and written tokens."""
    return (fresh * rates.input + cached * rates.cache_read + output * rates.output) / 1e6


@dataclass
class Spend:
    """What is spent and may be; several threads may ask at once. The most that the requests in flight may cost is set
    aside."""

    max_usd: float | None = None
    max_tokens: int | None = None
    usd: float = 0.0
    tokens: int = 0
    _aside_usd: float = 0.0
    _aside_tokens: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def is_limited(self) -> bool:
        return self.max_usd is not None or self.max_tokens is not None

    @contextmanager
    def room(self, rates: Rates | None, prompt_bytes: int, output: int) -> Iterator[None]:
        """Room for one request while it is asked. Raises `OutOfBudget` where there is not enough."""
        tokens = prompt_bytes // BYTES_A_TOKEN + 1 + output
        usd = cost(rates, tokens - output, 0, output) if rates else 0.0
        with self._lock:
            over_tokens = self.max_tokens is not None and self.tokens + self._aside_tokens + tokens > self.max_tokens
            over_usd = self.max_usd is not None and self.usd + self._aside_usd + usd > self.max_usd
            if over_tokens or over_usd:
                raise OutOfBudget
            self._aside_usd += usd
            self._aside_tokens += tokens
        try:
            yield
        finally:
            with self._lock:
                self._aside_usd -= usd
                self._aside_tokens -= tokens

    def paid(self, rates: Rates | None, answer: Answer) -> tuple[int, float | None]:
        """An answer that came. Returns its tokens and what it cost, `None` where price or usage are not known."""
        fresh, cached, output = answer.prompt_tokens, answer.cached_tokens or 0, answer.output_tokens
        usd = None if rates is None or fresh is None or output is None else cost(rates, fresh, cached, output)
        tokens = (fresh or 0) + cached + (output or 0)
        with self._lock:
            self.tokens += tokens
            self.usd += usd or 0.0
        return tokens, usd
