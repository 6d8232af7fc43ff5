"""What comes with the program: sample transcripts, engine tasks and suites."""

from __future__ import annotations

from pathlib import Path

import harness


def bundled() -> Path:
    """The folder of `transcripts`, `engine` and `suites`: inside an installed package, or `tasks` of a checkout."""
    package = Path(harness.__file__).parent
    installed = package / "bundled"
    return installed if installed.is_dir() else package.parent / "tasks"


def bundled_tasks(name: str) -> str:
    """A task file or folder as given, or the bundled task file of that name."""
    ours = bundled() / "engine" / f"{name}.jsonl"
    return str(ours) if not Path(name).exists() and Path(name).name == name and ours.exists() else name


def bundled_suite(name: Path) -> Path:
    """A suite file as given, or the bundled suite of that name."""
    ours = bundled() / "suites" / f"{name}.toml"
    return ours if not name.exists() and name.name == str(name) and ours.exists() else name
