"""Put a measured model where the harness finds it, with a card that says what it is.

    python -m tasks.tiny.publish RUN_FOLDER      after train.py and evaluate.py

The card holds hashes of the model and of the recipe, the tools it knows, and the figures of figures.json; it is
refused where the figures were measured on another file. The table of README.md is written from the same figures.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from tasks.tiny.catalog import TOOLS

HERE = Path(__file__).parent
MODELS = HERE.parent.parent / "harness" / "engines" / "models"
RECIPE = (
    "catalog.py",
    "paraphrases.py",
    "refusals.py",
    "values.py",
    "generate.py",
    "text.py",
    "network.py",
    "train.py",
    "confidence.py",
)


SETS = {
    "phrasings": ("the pattern of the sentence", "one call"),
    "values": ("the values", "one call"),
    "both": ("pattern and values", "one call"),
    "several": ("the patterns", "two or three calls"),
    "off_topic": ("the pattern", "a refusal: no tool is for it"),
    "absent_tool": ("the pattern", "a refusal: the tool is not shown"),
    "missing_argument": ("the pattern", "a refusal: a value is missing"),
    "negated": ("the pattern and the negation", "a refusal: it is not wanted"),
}
BEGIN, END = "<!-- held-out sets: written by publish.py -->", "<!-- end -->"


def recipe_hash() -> str:
    """sha256 over the recipe's files, names and contents in order."""
    digest = hashlib.sha256()
    for name in RECIPE:
        digest.update(name.encode() + b"\0" + (HERE / name).read_bytes() + b"\0")
    return digest.hexdigest()


def without_outcomes(figures: dict[str, Any]) -> dict[str, Any]:
    held_out = {
        name: {k: v for k, v in found.items() if k != "outcomes"} for name, found in figures["held_out"].items()
    }
    return {**figures, "held_out": held_out}


def table(figures: dict[str, Any]) -> str:
    """The held-out sets as a Markdown table."""
    lines = ["| set | turns | what training never saw | wanted | exact | rate | 95 % interval |",
             "| --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    for name, (what, wanted) in SETS.items():
        found = figures["held_out"][name]
        low, high = found["interval"]
        lines.append(
            f"| {name} | {found['turns']} | {what} | {wanted} | {found['exact']} | {found['rate']:.1%} "
            f"| {low:.1%} to {high:.1%} |"
        )
    return "\n".join(lines)


def with_table(readme: str, figures: dict[str, Any]) -> str:
    """The README with its table of the held-out sets made anew."""
    before, rest = readme.split(BEGIN)
    refusals, confidence = figures["refusals"], figures["confidence"]
    below = (
        f"Of the {refusals['turns']} turns that deserve no call, {refusals['refused']} got none. Over all "
        f"{confidence['turns']} turns the confidence of a right answer is above that of a wrong one with a chance of "
        f"{confidence['auc']:.0%}."
    )
    return f"{before}{BEGIN}\n{table(figures)}\n\n{below}\n{END}{rest.split(END)[1]}"


def card(run: dict[str, Any], figures: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": "tiny",
        "what": "a Needle model made for testing this harness: synthetic English, twelve fixed tools, no product",
        "license": "Apache-2.0",
        "format": "cact (Needle 3)",
        "recipe": {"folder": "tasks/tiny", "sha256": recipe_hash(), **run},
        **without_outcomes(figures),
        "tools": TOOLS,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    figures = json.loads((HERE / "figures.json").read_text(encoding="utf-8"))
    model = args.folder / "tiny.cact"
    if hashlib.sha256(model.read_bytes()).hexdigest() != figures["model"]["sha256"]:
        raise SystemExit(f"figures.json was measured on another file than {model}: run evaluate.py on it first")
    run = json.loads((args.folder / "run.json").read_text(encoding="utf-8"))
    readme = HERE / "README.md"
    readme.write_text(with_table(readme.read_text(encoding="utf-8"), figures), encoding="utf-8")
    MODELS.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(model, MODELS / "tiny.cact")
    (MODELS / "tiny.json").write_text(json.dumps(card(run, figures), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
