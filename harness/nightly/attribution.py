"""What differs between two runs of a part, and so what can have moved a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from harness.runs.run import Run

Record = Mapping[str, Any]
SHOWN = 5
SUBJECTS = frozenset({"policies", "drivers", "engines", "paths", "tasks", "jobs"})


@dataclass(frozen=True)
class CorpusChange:
    """Names of transcripts, or of tasks. changed: those whose digest is another. common: those that can be compared."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    common: frozenset[str]
    what: str = "transcripts"

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def short(self) -> str:
        """Counts only."""
        named = (("added", self.added), ("removed", self.removed), ("changed", self.changed))
        return f"{self.what}: " + ", ".join(f"{len(names)} {what}" for what, names in named if names)

    def __str__(self) -> str:
        said = [
            f"{len(names)} {what} ({', '.join(names[:SHOWN])}{', …' if len(names) > SHOWN else ''})"
            for what, names in (("added", self.added), ("removed", self.removed), ("changed", self.changed))
            if names
        ]
        return f"{self.what}: " + ", ".join(said)


@dataclass(frozen=True)
class Cause:
    """kind: corpus, tokenizer, background, prices, cache, policy, settings, packages, code.

    policy: the one it is about, empty for all.
    """

    kind: str
    what: str
    policy: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


def corpus_change(before: Run, after: Run) -> CorpusChange:
    """By name and digest; the digest is of all that figures depend on."""
    return _change_of(_digests(before), _digests(after), "transcripts")


def task_change(before: Run, after: Run) -> CorpusChange | None:
    """The same for the tasks of two benches; None where the older one does not say which tasks it had."""
    old, new = (run.manifest["tasks"].get("digests") for run in (before, after))
    return None if old is None or new is None else _change_of(old, new, "tasks")


def _change_of(old: Mapping[str, str], new: Mapping[str, str], what: str) -> CorpusChange:
    both = old.keys() & new.keys()
    changed = sorted(name for name in both if old[name] != new[name])
    return CorpusChange(
        tuple(sorted(new.keys() - old.keys())),
        tuple(sorted(old.keys() - new.keys())),
        tuple(changed),
        frozenset(both.difference(changed)),
        what,
    )


def _digests(run: Run) -> dict[str, str]:
    rows: pd.DataFrame = run.transcripts[run.transcripts["policy"] == "identity"]
    return dict(zip(rows["transcript"].astype(str), rows["digest"].astype(str), strict=True))


def causes(before: Record, after: Record) -> list[Cause]:
    """Everything but the corpus that differs between the manifests of two replays, the most specific first."""
    found = []
    old, new = _policies(before), _policies(after)
    for label in sorted(old.keys() | new.keys()):
        if label not in new or label not in old:
            found.append(Cause("policy", "no longer in the suite" if label in old else "new in the suite", label))
        elif difference := _difference(old[label], new[label]):
            found.append(Cause("policy", difference, label))
    for kind, key in (("tokenizer", "tokens"), ("background", "background"), ("prices", "prices"), ("cache", "cache")):
        if difference := _difference(before.get(key), after.get(key)):
            found.append(Cause(kind, difference))
    found += settings_causes(before, after, ("window", "format"))
    return found + program_causes(before, after)


def settings_causes(before: Record, after: Record, names: Iterable[str] | None = None) -> list[Cause]:
    """Settings of a run that differ: these, or all but which subjects were compared."""
    old, new = before["settings"], after["settings"]
    chosen = [n for n in dict.fromkeys((*old, *new)) if n not in SUBJECTS] if names is None else names
    pairs = ((name, _difference(old.get(name), new.get(name))) for name in chosen)
    return [Cause("settings", f"{name} {difference}") for name, difference in pairs if difference]


def program_causes(before: Record, after: Record) -> list[Cause]:
    """What differs in the program and the packages under it."""
    found = []
    old, new = before["environment"], after["environment"]
    if old["code"] != new["code"]:
        found.append(Cause("code", f"{_version(old)} → {_version(new)}"))
    if difference := _difference(old["packages"], new["packages"]):
        found.append(Cause("packages", difference))
    if old["python"] != new["python"]:
        found.append(Cause("packages", f"python {old['python']} → {new['python']}"))
    return found


def engine_causes(before: Record, old: str, after: Record, new: str) -> list[str]:
    """What is recorded to differ between an engine of one bench and an engine of another, or of the same one."""
    found = "" if old == new else f"{old} → {new}"
    identities = (_identity(before, old), _identity(after, new))
    if all(identities) and (difference := _difference(*identities)):
        found = difference
    return ([f"engine: {found}"] if found else []) + [str(c) for c in program_causes(before, after)]


def _identity(manifest: Record, label: str) -> Record | None:
    return next((e["identity"] for e in manifest["engines"] if e["label"] == label), None)


def machine_of(manifest: Record) -> str:
    """What tells machines apart, as far as it is recorded; not the release of the system, which updates change."""
    machine = manifest["environment"]["machine"]
    kept = {key: value for key, value in machine.items() if key != "release"}
    return ", ".join(f"{key} {value}" for key, value in sorted(kept.items()))


def relevant(found: list[Cause], policy: str, moved_by: frozenset[str]) -> list[Cause]:
    """Of all causes those that can have moved a figure of a policy: specific ones if there are any, else the program's.

    Empty means that nothing recorded explains it.
    """
    own = [c for c in found if c.kind == "policy" and c.policy == policy]
    known = [c for c in found if c.kind in moved_by or c.kind == "settings"]
    if own or known:
        return own + known
    program = [c for c in found if c.kind in ("code", "packages")]
    return program or [c for c in found if c.kind in ("tokenizer", "background")]


def _policies(manifest: Record) -> dict[str, Record]:
    return {p["label"]: p for p in manifest.get("policies", [])}


def _version(environment: Record) -> str:
    commit = (environment["git"]["commit"] or "")[:10]
    dirty = "+changes" if environment["git"]["dirty"] else ""
    return f"{commit}{dirty} ({environment['code'][:8]})" if commit else environment["code"][:8]


def differences(before: Record, after: Record) -> list[str]:
    """What differs between two mappings, `key old → new` each."""
    return [
        text for key in dict.fromkeys((*before, *after)) if (text := _difference(before.get(key), after.get(key), key))
    ]


def _difference(before: Any, after: Any, place: str = "") -> str:
    """What differs, `key old → new`; empty if nothing does."""
    if before == after:
        return ""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        keys = list(dict.fromkeys((*before, *after)))
        inner = [_difference(before.get(k), after.get(k), str(k)) for k in keys]
        return ", ".join(text for text in inner if text)
    return f"{place} {_short(before)} → {_short(after)}".strip()


def _short(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:16]}…"
