"""What a run reads, by hash: the files and folders that its settings name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.errors import HarnessError
from harness.settings import Settings, declared, is_many, named_path


def paths_of(settings: Settings) -> list[str]:
    """The files and folders that settings name."""
    found: list[str] = []
    for field, option, hint in declared(type(settings)):
        if option.path and (value := getattr(settings, field.name)):
            given = value if is_many(hint) else [value]
            found += [named_path(one)[1] if option.named else one for one in given]
    return found


def digests(settings: Settings) -> dict[str, str]:
    """SHA-256 of each, of a folder over the names and contents of its files. Raises `HarnessError` for what is not
    there."""
    return {path: _digest(Path(path)) for path in paths_of(settings)}


def changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The names whose digest is another, or that only one side has."""
    return [path for path in dict.fromkeys((*before, *now)) if before.get(path) != now.get(path)]


def _digest(path: Path) -> str:
    if not path.exists():
        raise HarnessError(f"{path}: no such file or directory; name a file or a folder that there is")
    whole = hashlib.sha256()
    for file in _files(path):
        with file.open("rb") as stream:
            content = hashlib.file_digest(stream, "sha256").digest()
        if file == path:
            return content.hex()
        whole.update(file.relative_to(path).as_posix().encode("utf-8", "surrogateescape") + b"\0" + content)
    return whole.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    yield from sorted(found for found in path.rglob("*") if found.is_file() and not found.is_symlink())
