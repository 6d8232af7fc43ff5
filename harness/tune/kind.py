"""A tuning as a kind of run: settings of a policy tried on recordings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from harness.runs.kind import Going, Kind, Record, Rows
from harness.runs.schema import Column
from harness.tune.settings import TuneSettings

CORPUS = (
    Column("transcript", "category", "key", "", "id of the transcript"),
    Column("cluster", "category", "recorded", "", "task or repository"),
    Column("source", "category", "recorded", "", "format of its recording"),
    Column("borne", "int64", "measured", "atoms", "taken from an earlier result and from nothing else"),
    Column("bearing", "int64", "measured", "requests", "that bear such an atom"),
)
TRIED = (
    Column("setting", "int32", "key", "", "number of the setting: 0 identity, 1 the default, then those shown"),
    Column("role", "category", "key", "", "identity, default, tuned, gate alone, plain cut"),
    Column("policy", "category", "key", "", "the policy as it is written"),
    Column("transcript", "category", "key", "", "id of the transcript"),
    Column("tokens", "float64", "measured", "tokens", "framed prompt tokens over all requests"),
    Column("usd", "Float64", "measured", "USD", "price with a warm cache"),
    Column("visible", "float64", "measured", "atoms", "borne atoms that are visible"),
    Column("whole", "float64", "measured", "requests", "that bear an atom and see all of them"),
)


class Tune(Kind[TuneSettings]):
    name = "tune"
    help = """The cheapest settings that keep enough visible.

    Sweeps settings of a policy over recordings, beside a plain cut, the gate alone and doing nothing, and says how sure
    the choice is."""
    settings = TuneSettings
    tables = {"corpus": CORPUS, "tried": TRIED}
    named = ("corpus",)
    unit = "trial"
    part = "harness.tune.sections.tuned:Tuned"

    def check(self, settings: TuneSettings) -> None:
        from harness.tune.vary import check

        check(settings)

    def work(self, settings: TuneSettings, going: Going) -> Iterator[Record]:
        from harness.tune.tune import run_trial

        if not any(record["kind"] == "trial" for record in going.records()):
            yield {"kind": "trial"} | run_trial(settings).to_record()

    def rows(self, settings: TuneSettings, records: list[Record]) -> tuple[Rows, Record]:
        from harness.tune.rows import corpus_rows, tried_rows

        trial = next(record for record in records if record["kind"] == "trial")
        digest = hashlib.sha256("\n".join(trial["transcripts"]).encode("utf-8", "surrogatepass")).hexdigest()
        return {"corpus": corpus_rows(trial), "tried": tried_rows(trial)}, {
            "corpus": {"transcripts": len(trial["transcripts"]), "sha256": digest},
            **{key: trial[key] for key in ("clipped", "found", "problems", "skipped")},
        }


TUNE = Tune()
