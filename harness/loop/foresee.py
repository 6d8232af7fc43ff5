"""What a loop would ask of its servers: as the careful reader does the same tasks, and at most."""

from __future__ import annotations

from harness.engines.spec import EngineSpec
from harness.live.forecast import Amount, Asked, check_prices, forecast
from harness.live.spend import is_metered, is_remote
from harness.loop.engine_driver import SERVER_TOKENS, EngineDriver
from harness.loop.episode import MOST_REQUESTS, Episode, run
from harness.loop.reader import Reader
from harness.loop.settings import LoopHow, LoopSettings
from harness.runs.kind import Forecast
from harness.text import number

LOOKED_AT = 12
"""Tasks that the reader does for it, evenly among all."""


def foresee(settings: LoopSettings, how: LoopHow) -> Forecast | None:
    """`None` where nothing costs money without a limit, and nobody wants to know."""
    specs = [d.spec for d in settings.make_drivers() if isinstance(d, EngineDriver) and is_remote(d.spec)]
    check_prices(specs, how.max_usd)
    limited = bool(how.max_usd or how.max_total_tokens or how.yes)
    if not how.dry_run and (limited or not any(map(is_metered, specs))):
        return None
    tasks, policies = settings.make_tasks(), settings.make_policies()
    asked = _asked(settings, specs) if specs else []
    words = f"{number(len(tasks), 'task')} under {len(policies)} policies by each driver"
    basis = f"likely as a careful reader asks, at most {MOST_REQUESTS} requests a run as long as its longest"
    return forecast(words, asked, basis, limited, how.dry_run)


def _asked(settings: LoopSettings, specs: list[EngineSpec]) -> list[Asked]:
    tasks, policies, counting = settings.make_tasks(), settings.make_policies(), settings.counting()
    step = max(1, len(tasks) // LOOKED_AT)
    found = [run(task, policy, Reader("careful"), counting) for task in tasks[::step] for policy in policies]
    scale = len(tasks) * len(policies) / len(found)
    runs = len(tasks) * len(policies)
    likely = Amount(
        round(scale * sum(len(e.account.prompt) for e in found)),
        round(scale * sum(int(e.account.prompt.sum()) for e in found)),
        round(scale * sum(int(e.layout.output.sum()) for e in found)),
    )
    longest = max(map(_peak, found))
    most = Amount(runs * MOST_REQUESTS, runs * MOST_REQUESTS * longest, runs * MOST_REQUESTS * SERVER_TOKENS)
    return [Asked(spec, likely, most) for spec in specs]


def _peak(episode: Episode) -> int:
    return int(episode.account.prompt.max())
