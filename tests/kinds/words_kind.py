"""A kind of run in a package of its own: how many words text files hold, and how long reading them took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessError
from harness.report.citation import Citation, cite
from harness.report.screen import Screen
from harness.report.sections import SectionPart
from harness.report.table import Column as Shown
from harness.report.table import Table
from harness.report.units import COUNT, NAME, SECONDS
from harness.runs.kind import Figure, Going, Kind, Record, Rows
from harness.runs.run import Run
from harness.runs.schema import Column
from harness.settings import Settings, setting

WORDS = (
    Column("file", "category", "key", "", "path of the file"),
    Column("words", "int64", "measured", "words", "words of at least so many letters"),
    Column("seconds", "float64", "live", "s", "time to read it"),
)


@dataclass(frozen=True)
class WordsSettings(Settings):
    """Which files, and what is a word."""

    paths: tuple[str, ...] = setting("FILE...", "Text files.", path=True)
    letters: int = setting("--letters N", "Shorter ones are no words.", 1, least=1)


class Words(Kind[WordsSettings]):
    name = "words"
    help = "Count the words of text files."
    settings = WordsSettings
    tables = {"words": WORDS}
    better = {"words": "higher", "seconds": "lower"}
    timings = frozenset({"seconds"})
    unit = "file"
    part = "words_kind:WordsPart"

    def work(self, settings: WordsSettings, going: Going) -> Iterator[Record]:
        done = {record["file"] for record in going.records() if record["kind"] == "file"}
        for number, path in enumerate(settings.paths, 1):
            if path not in done:
                began = time.perf_counter()
                text = Path(path).read_text(encoding="utf-8")
                if "STOP" in text:
                    raise HarnessError(f"{path}: holds STOP; take it out and go on with --resume last")
                words = sum(len(word) >= settings.letters for word in text.split())
                yield {"kind": "file", "file": path, "words": words, "seconds": time.perf_counter() - began}
            going.progress(number, len(settings.paths))

    def rows(self, settings: WordsSettings, records: list[Record]) -> tuple[Rows, Record]:
        found = sorted((r for r in records if r["kind"] == "file"), key=lambda r: str(r["file"]))
        return {"words": found}, {"words": sum(r["words"] for r in found)}

    def figures(self, run: Run) -> Iterator[Figure]:
        yield Figure("all", "words", float(run.manifest["words"]), "words", "measured")
        yield Figure("all", "seconds", float(run.table("words")["seconds"].sum()), "s")


COLUMNS = (Shown("file", "file", NAME), Shown("words", "words", COUNT), Shown("seconds", "seconds", SECONDS, "live"))


def files(part: WordsPart) -> Table:
    return Table("files", "Files", "measured", "One row a file.", COLUMNS, part.run.table("words"))


class WordsPart(SectionPart):
    title = "Words"
    SECTIONS = (files,)

    def screen(self) -> Screen:
        whole = self.run.manifest["words"]
        answers = Table("answers", "Answers", "measured", "", (COLUMNS[1],), [{"words": whole}])
        return Screen(f"{whole} words.", answers)

    def citation(self) -> Citation:
        return cite(self.run, "Words counted", {"words": str(self.run.manifest["words"])}, "no corpus")


KIND = Words()
