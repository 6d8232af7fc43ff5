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
STOPS = (
    Column("ladder", "int32", "key", "", "number of the ladder: 0 the tuned policy, if it is swept; then plain cuts"),
    Column("role", "category", "key", "", "tuned, plain cut"),
    Column("policy", "category", "key", "", "the policy as it is written"),
    Column("head", "int64", "key", "bytes", "of a text's beginning that is kept"),
    Column("tail", "int64", "key", "bytes", "of its end that is kept"),
    Column("gate", "int64", "key", "bytes", "below which a result stays as it is"),
    Column("tokens", "int64", "measured", "tokens", "framed prompt tokens over all requests"),
    Column("usd", "Float64", "measured", "USD", "price with a warm cache"),
    Column("tokens_typical", "Float64", "measured", "ratio", "tokens against identity's in a typical cluster"),
    Column("visible", "int64", "measured", "atoms", "borne atoms that are visible"),
    Column("whole", "int64", "measured", "requests", "that bear an atom and see all of them"),
    Column("whole_typical", "Float64", "measured", "share", "of requests that bear an atom, in a typical cluster"),
    Column("bound", "Float64", "measured", "share", "lower end of a one-sided 95 % interval, of bill and typical"),
    Column("reachable", "int64", "measured", "atoms", "not visible; a tool or a reference brings them back"),
    Column("unknown", "int64", "measured", "atoms", "not visible; reachable if an unknown tool reads files"),
    Column("held", "int64", "measured", "atoms", "not visible; under a handle that nothing reads"),
    Column("lost", "int64", "measured", "atoms", "not visible; nothing brings them back"),
)
NEEDS = (
    Column("ladder", "int32", "key", "", "number of the ladder"),
    Column("transcript", "category", "key", "", "id of the transcript"),
    Column("request", "int32", "key", "", "number of the request, from 1"),
    Column("dependency", "int32", "key", "", "number of the atom among those that it bears, from 1"),
    Column("state", "category", "measured", "", "where all of its sources are cut: visible, reachable, held, lost"),
    Column("size", "int64", "recorded", "bytes", "of one of its sources; a gate above it shows the atom"),
    Column("head", "Int64", "measured", "bytes", "the least head that shows it there; empty where none does"),
    Column("tail", "Int64", "measured", "bytes", "the least tail that does"),
    Column("fits", "Int64", "measured", "bytes", "the least head and tail together, as the source then stands whole"),
)


class Tune(Kind[TuneSettings]):
    name = "tune"
    help = """The cheapest settings that keep enough visible.

    Sweeps settings of a policy over recordings, beside a plain cut, the gate alone and doing nothing, and says how sure
    the choice is."""
    settings = TuneSettings
    tables = {"corpus": CORPUS, "tried": TRIED, "stops": STOPS, "needs": NEEDS}
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
        rows = {"corpus": corpus_rows(trial), "tried": tried_rows(trial), "stops": trial["stops"]}
        return rows | {"needs": trial["needs"]}, {
            "corpus": {"transcripts": len(trial["transcripts"]), "sha256": digest},
            **{key: trial[key] for key in ("clipped", "found", "problems", "skipped")},
        }


TUNE = Tune()
