"""Put a measured model where the harness finds it, with a card that says what it is.

    python -m tasks.tiny.publish RUN_FOLDER [--steps 2000]      after train.py and evaluate.py

The card holds hashes of the model and of the recipe, the tools it knows, and the figures of figures.json; it is
refused where the figures were measured on another file.
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
RECIPE = ("catalog.py", "refusals.py", "values.py", "generate.py", "text.py", "network.py", "train.py", "confidence.py")


def recipe_hash() -> str:
    """sha256 over the recipe's files, names and contents in order."""
    digest = hashlib.sha256()
    for name in RECIPE:
        digest.update(name.encode() + b"\0" + (HERE / name).read_bytes() + b"\0")
    return digest.hexdigest()


def card(run: dict[str, Any], figures: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": "tiny",
        "what": "a Needle model made for testing this harness: synthetic English, twelve fixed tools, no product",
        "license": "Apache-2.0",
        "format": "cact (Needle 3)",
        "recipe": {"folder": "tasks/tiny", "sha256": recipe_hash(), **run},
        **figures,
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
    MODELS.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(model, MODELS / "tiny.cact")
    (MODELS / "tiny.json").write_text(json.dumps(card(run, figures), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
