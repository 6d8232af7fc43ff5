"""The table of policies, on the terminal and in the documentation."""

from __future__ import annotations

from pathlib import Path

from harness.policies import FAMILIES
from harness.policies.describe import COLUMNS, describe_policies, markdown
from harness.policies.presets import presets
from harness.policies.spec import make_policy

PAGE = Path(__file__).resolve().parents[2] / "docs" / "policies.md"


def test_a_reader_finds_their_agent() -> None:
    rows = {row["name"]: row for row in describe_policies()}
    assert set(rows) == set(FAMILIES) | set(presets())
    assert all(tuple(row) == COLUMNS for row in rows.values())
    assert rows["codex"] == {
        "name": "codex",
        "stage": "admission",
        "kind": "middle",
        "agent": "Codex CLI",
        "keeps": "10,000 tokens of 4 bytes, half at each end",
        "unit": "tokens4",
        "marker": "…{excess} tokens truncated…",
        "recovery": "run the command again, narrower; in code mode, store() and load()",
        "grade": "S",
        "as_of": "2026-08",
        "source": presets()["codex"].source,
    }
    assert rows["lease"]["stage"] == "history"
    assert rows["head"]["keeps"] == "The beginning of a value that is over the limit, then the marker"


def test_the_page_is_in_step() -> None:
    page = PAGE.read_text(encoding="utf-8")
    start, end = "<!-- tables: python -m harness.policies.describe -->\n\n", "\n\n<!-- end of tables -->"
    tables = page.partition(start)[2].partition(end)[0]
    assert tables == markdown(), "paste the output of `python -m harness.policies.describe` between the two marks"


def test_every_specification_on_the_page_works() -> None:
    page = PAGE.read_text(encoding="utf-8")
    block = page.partition("```text\n")[2].partition("```")[0]
    specs = [line.split("   ")[0].strip() for line in block.splitlines() if line.strip()]
    assert len(specs) >= 8
    for spec in specs:
        assert make_policy(spec).label
