"""SWE-bench predictions: patches without the runs that made them. They are known, and hold nothing to replay."""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript


class Predictions:
    name = "swe-bench-predictions"

    def sniff(self, head: Head) -> bool:
        return bool(head.records) and all(
            {"instance_id", "model_patch"} <= record.keys() and not record.keys() & {"history", "messages", "traj"}
            for record in head.records
        )

    def read(self, source: Source) -> Iterator[Transcript]:
        raise HoldsNothing("patches only: the runs that made them are not in this file")
        yield
