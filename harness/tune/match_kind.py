"""A match as a kind of run: sizes at which policies cost the same, and a replay of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.policies.spec import make_policy
from harness.replay.kind import REPLAY
from harness.replay.settings import ReplayHow, ReplaySettings
from harness.runs.kind import Going, Kind, Record
from harness.runs.schema import TABLES
from harness.tune.settings import MatchSettings

if TYPE_CHECKING:
    from harness.runs.run import Run


class MatchKind(Kind[MatchSettings]):
    name = "match"
    help = """Compare policies at equal input tokens.

    Each gets the size at which it costs what --to costs."""
    settings = MatchSettings
    how = ReplayHow
    tables = TABLES
    named = REPLAY.named
    compared = REPLAY.compared
    looks_itself = True
    unit = "B"
    part = "harness.tune.sections.matched:Matched"

    def check(self, settings: MatchSettings) -> None:
        from harness.tune.match import size_of

        for policy in settings.policies:
            size_of(make_policy(policy))
        REPLAY.check(settings.replay(*settings.shown()))

    def work(self, settings: MatchSettings, going: Going) -> Iterator[Record | bytes]:
        from harness.tune.match import match

        if _found(going) is None:
            yield {"kind": "match"} | match(settings).to_record()
        yield from REPLAY.work(_replay(settings, going), going)

    def finish(self, settings: MatchSettings, going: Going) -> tuple[dict[str, int], Record]:
        counts, facts = REPLAY.finish(_replay(settings, going), going)
        return counts, facts | {"match": _found(going)}

    def empty(self, run: Run) -> str:
        return REPLAY.empty(run)


def _found(going: Going) -> Record | None:
    return next((record for record in going.records() if record["kind"] == "match"), None)


def _replay(settings: MatchSettings, going: Going) -> ReplaySettings:
    """The replay of the policies at the sizes that were found."""
    found = _found(going) or {"matched": []}
    return settings.replay(*settings.shown(), *(one["policy"] for one in found["matched"]))


MATCH = MatchKind()
