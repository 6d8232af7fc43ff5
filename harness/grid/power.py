"""Energy and clock frequency, where the system shows them (Linux: powercap, cpufreq); None where it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Final

POWERCAP: Final = Path("/sys/class/powercap")
CPUS: Final = Path("/sys/devices/system/cpu")


def energy(folder: Path = POWERCAP) -> dict[str, tuple[int, int]] | None:
    """Per package its counter and where it wraps, in microjoules. None without a counter that may be read."""
    found = {}
    for package in sorted(folder.glob("*-rapl:[0-9]*")) if folder.is_dir() else ():
        if package.name.count(":") == 1:  # parts of a package are in its counter
            try:
                found[package.name] = (_number(package / "energy_uj"), _number(package / "max_energy_range_uj"))
            except (OSError, ValueError):  # for root only, on most systems
                continue
    return found or None


def joules(before: dict[str, tuple[int, int]] | None, after: dict[str, tuple[int, int]] | None) -> float | None:
    """What all packages took in between; the whole machine's, not the engine's alone."""
    if before is None or after is None or before.keys() != after.keys():
        return None
    return sum((after[name][0] - before[name][0]) % (after[name][1] + 1) for name in before) / 1e6


def clock(folder: Path = CPUS) -> float | None:
    """Mean clock frequency of the cores now, in MHz."""
    found = []
    for file in sorted(folder.glob("cpu[0-9]*/cpufreq/scaling_cur_freq")):
        try:
            found.append(_number(file) / 1000)
        except (OSError, ValueError):  # a core that is off
            continue
    return sum(found) / len(found) if found else None


def _number(file: Path) -> int:
    return int(file.read_text(encoding="ascii"))
