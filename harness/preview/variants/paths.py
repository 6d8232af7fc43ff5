"""Lists of paths: how many each folder has, and the first of every folder before the second ones."""

from __future__ import annotations

from harness.preview.excerpt import Plan, counted, heads, in_order, lines_of, round_robin


def plan(text: str) -> Plan:
    """Folders as they first come; a path counts for the folder that it names last."""
    lines = lines_of(text)
    folders: dict[str, list[int]] = {}
    for number, line in enumerate(heads(text, lines)):
        folders.setdefault(line.strip().rstrip("/").rpartition("/")[0] or ".", []).append(number)
    counts = {name: len(numbers) for name, numbers in folders.items()}
    return Plan({"folders": len(folders)}, counted(counts), in_order(lines, round_robin(folders.values())))
