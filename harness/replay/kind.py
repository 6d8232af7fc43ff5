"""A replay as a kind of run: recordings under policies, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.replay.settings import ReplayHow, ReplaySettings
from harness.runs.kind import Going, Kind, Record
from harness.runs.schema import TABLES

if TYPE_CHECKING:
    from harness.runs.run import Run


SHOWN = 3


class Replay(Kind[ReplaySettings]):
    name = "replay"
    help = """Replay recordings under policies.

    One run into the results folder, a summary here, the report's path last."""
    settings = ReplaySettings
    how = ReplayHow
    tables = TABLES
    named = ("transcripts", "results")
    compared = ("transcripts",)
    looks_itself = True
    unit = "B"
    part = "harness.replay.sections.part:Replay"

    def check(self, settings: ReplaySettings) -> None:
        settings.measures()

    def work(self, settings: ReplaySettings, going: Going) -> Iterator[Record | bytes]:
        from harness.replay.runner import work

        return work(settings, going)

    def finish(self, settings: ReplaySettings, going: Going) -> tuple[dict[str, int], Record]:
        from harness.replay.finish import finish

        return finish(settings, going)

    def empty(self, run: Run) -> str:
        if run.manifest["corpus"]["transcripts"]:
            return ""
        skipped = [f"{name}: {why}" for name, why in run.manifest["skipped"]]
        broken = [f"{p['place']}: {p['reason']}" for p in run.manifest["problems"]]
        named = "; ".join((broken + skipped)[:SHOWN]) + ("; …" if len(broken + skipped) > SHOWN else "")
        found = (
            f"{named}; harness inspect lists all, harness list formats what can be read" if named else "no file in it"
        )
        return f"nothing to replay, no transcript was found ({len(skipped)} skipped, {len(broken)} broken): {found}"


REPLAY = Replay()
