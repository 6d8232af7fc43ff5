"""What every exporter of reports, and every exporter of transcripts, promises."""

from __future__ import annotations

import tempfile
from pathlib import Path

from harness import Exporter
from harness.export import exporter_named
from harness.registry import load
from harness.report import EXPORTERS, GROUP
from harness.report.report import Report
from harness.testing.formats import read
from harness.testing.runs import small_report
from harness.transcript import Transcript


def check_exporter(name: str) -> list[Path]:
    """On a report with hostile names: something is written, all of it inside the folder, and the same bytes when asked
    again. Returns the paths below the folder, the one to open first in front."""
    exporter = load(EXPORTERS, GROUP, name)()
    assert exporter.name == name, f"exporter {name!r} calls itself {exporter.name!r}"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        report = small_report(folder / "made")
        before = {path for path in folder.rglob("*") if path.is_file()}
        first, second = (_written(exporter, report, folder / place) for place in ("first", "second"))
        after = {path for path in folder.rglob("*") if path.is_file()}
        unsaid = after - before - set(first) - set(second)
        assert not unsaid, f"{name}: {min(unsaid).name} was written and not said"
        for one, other in zip(first, second, strict=True):
            assert one.read_bytes() == other.read_bytes(), f"{name}: {one.name} is another when written again"
        return [path.relative_to(folder / "first") for path in first]


def _written(exporter: Exporter, report: Report, target: Path) -> list[Path]:
    target.mkdir()
    found = [path.resolve() for path in exporter.export(report, target)]
    assert found, f"{exporter.name}: nothing was written"
    outside = [path for path in found if not path.is_relative_to(target)]
    assert not outside, f"{exporter.name}: {outside[0]} is outside of the folder"
    return found


def check_round_trip(name: str, transcript: Transcript, file: str) -> Transcript:
    """A transcript written by an exporter and read back has the same messages. Returns what was read. file: name under
    which the recording is read."""
    data = exporter_named(name).export(transcript)
    assert data == exporter_named(name).export(transcript), f"{name}: other bytes when written again"
    found, intake = read(file, data)
    assert not intake.problems, f"{name}: {intake.problems[0].reason}"
    assert len(found) == 1, f"{name}: {len(found)} transcripts came back"
    before, after = ([(m.role, m.text, m.calls) for m in t.messages] for t in (transcript, found[0]))
    assert before == after, f"{name}: other messages came back"
    return found[0]
