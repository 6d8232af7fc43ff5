"""The scripts, by task: one file a task, each with the workspace that its runs share."""

from __future__ import annotations

from importlib import import_module

from tasks.transcripts.maker.script import Script

TASKS = (
    "parcel_tracker",
    "orders_db",
    "billing_api",
    "night_logs",
    "stock_csv",
    "handbook",
    "config_migration",
    "sensor_archive",
    "support_inbox",
    "release_notes",
)


def scripts() -> list[Script]:
    """All scripts, in a fixed order."""
    return [s for task in TASKS for s in import_module(f"{__name__}.{task}").SCRIPTS]
