"""The bundled tiny model: the file that its card describes, answering as it did when it was measured."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from tasks.tiny import catalog, publish
from tasks.tiny.generate import HELD_SETS

FILE = publish.MODELS / "tiny.cact"


@pytest.fixture(scope="module")
def card() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((publish.MODELS / "tiny.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((publish.HERE / "figures.json").read_text(encoding="utf-8"))
    return found


def test_the_card_describes_the_file(card: dict[str, Any]) -> None:
    raw = FILE.read_bytes()
    assert card["model"] == {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
    assert len(raw) < 2_000_000
    assert card["tools"] == catalog.TOOLS
    assert {name: found["turns"] for name, found in card["held_out"].items()} == HELD_SETS


def test_the_recipe_is_the_one_that_made_it(card: dict[str, Any], figures: dict[str, Any]) -> None:
    assert card["recipe"]["sha256"] == publish.recipe_hash()
    assert card["held_out"] == publish.without_outcomes(figures)["held_out"]


def test_the_readme_shows_the_figures(figures: dict[str, Any]) -> None:
    readme = (publish.HERE / "README.md").read_text(encoding="utf-8")
    assert publish.with_table(readme, figures) == readme
    assert set(publish.SETS) == set(HELD_SETS)
    for found in figures["held_out"].values():
        assert found["outcomes"].count("1") == found["exact"]
        assert f"| {found['exact']} | {found['exact'] / found['turns']:.1%} |" in readme


@pytest.mark.parametrize("name", ["phrasings", "values", "off_topic"])
def test_it_answers_as_it_did_when_it_was_measured(figures: dict[str, Any], name: str) -> None:
    """Two turns of forty may differ, since the last bits of a sum depend on the machine."""
    pytest.importorskip("needle_rs", reason="the extra `tiny` is not installed")
    from needle_rs import V3Engine

    from tasks.tiny.evaluate import measure

    engine = V3Engine.load(str(FILE))
    lines = (publish.HERE / "heldout" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[:40]
    found, _, _ = measure(engine, [json.loads(line) for line in lines], 0)
    measured = figures["held_out"][name]["outcomes"][:40]
    assert sum(now != then for now, then in zip(found["outcomes"], measured, strict=True)) <= 2
    assert found["exact"] >= 20
