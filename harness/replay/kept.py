"""Rows kept on disk, so that a second replay of the same recordings under the same settings measures nothing again.

One small file a transcript, under a digest of all that its rows depend on: the transcript, every setting, the program's
own code, the vocabulary, the packages that compute. So no entry ever becomes wrong; it only becomes useless, and the
oldest are thrown away when the folder grows too large. Deleting the folder is always safe.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self

from harness.evidence import background
from harness.money.prices import money_digest
from harness.policies import FAMILIES, GROUP
from harness.policies.spec import NamedPolicy
from harness.registry import targets
from harness.replay.measure import Measures
from harness.runs.manifest import code_digest, package_versions
from harness.tokens.store import cache_folder, cache_is_on
from harness.tokens.vocabulary import rank_file
from harness.transcript import Transcript

logger = logging.getLogger(__name__)

MAX_BYTES = 2**30


class KeptRows:
    """What was measured before under the same `identity`, by transcript."""

    def __init__(self, folder: Path, identity: bytes) -> None:
        self.folder = folder
        self._identity = identity
        self._unreadable = self._refused = False

    @classmethod
    def open(cls, measures: Measures) -> Self | None:
        """The rows of earlier runs, or `None` where nothing may be kept: by the user's wish (`HARNESS_CACHE=off`), or
        since a policy comes from elsewhere, whose code may change without our knowing."""
        if not cache_is_on() or any(map(_is_foreign, measures.policies)):
            return None
        return cls(cache_folder() / "rows", _identity(measures))

    def found_or_made(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The JSON kept under a key, else what `make` gives, kept from now on."""
        found = self.get(key)
        if found is None:
            found = make()
            self.put(key, found)
        return found

    def key(self, *parts: object) -> str:
        """A name for what depends on the settings and on `parts`, whose `repr` tells them apart."""
        text = repr(parts).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=20, key=self._identity).hexdigest()

    def transcript_key(self, transcript: Transcript) -> str:
        return self.key(transcript.digest(), sum(problem.lost for problem in transcript.problems), transcript.read)

    def get(self, key: str) -> bytes | None:
        """The JSON kept under a key. A damaged entry is as good as none; a folder that cannot be read is left alone."""
        if self._unreadable:
            return None
        try:
            return zlib.decompress(self._path(key).read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            self._unreadable = True
            self._refuse(error)
            return None
        except zlib.error as error:
            logger.warning("measuring again: a kept row cannot be read (%s: %s)", self._path(key), error)
            return None

    def put(self, key: str, data: bytes) -> None:
        """Keep JSON under a key, whole or not at all."""
        if self._refused:
            return
        path = self._path(key)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(zlib.compress(data, 1))
            beside.replace(path)
        except OSError as error:
            self._refuse(error)

    def prune(self, max_bytes: int = MAX_BYTES) -> None:
        """Throw away the oldest entries until a half of `max_bytes` is left, if there is more than that."""
        if self._refused:
            return
        try:
            entries = sorted(_entries(self.folder.glob("*/*")))
            size = sum(size for _, size, _ in entries)
            if size <= max_bytes:
                return
            for _, entry_size, path in entries:
                if size <= max_bytes // 2:
                    break
                path.unlink(missing_ok=True)
                size -= entry_size
        except OSError as error:
            self._refuse(error)

    def _refuse(self, error: OSError) -> None:
        """Keep nothing more; said once."""
        if not self._refused:
            logger.warning("going on without keeping rows in %s: %s", self.folder, error)
            self._refused = True

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]


def _entries(paths: Iterable[Path]) -> Iterable[tuple[float, int, Path]]:
    for path in paths:
        try:
            state = path.stat()
        except FileNotFoundError:  # another process prunes too
            continue
        yield state.st_mtime, state.st_size, path


def _is_foreign(policy: NamedPolicy) -> bool:
    """Whether the policy's family, or one that its settings name, is not the program's own."""
    foreign = [name for name, where in targets(FAMILIES, GROUP).items() if not where.startswith("harness.")]
    own = type(policy.family).__module__.startswith("harness.")
    return not own or any(name in value for value in map(str, policy.settings.values()) for name in foreign)


def _identity(measures: Measures) -> bytes:
    """A digest of everything but the transcript that a row depends on."""
    depends_on: dict[str, Any] = {
        "policies": [(p.label, p.stage, sorted(p.settings.items()), p.ran()) for p in measures.policies],
        "tokens": repr(measures.tokens),
        "vocabulary": rank_file(measures.tokens.encoding).sha256,
        "tokenizer": measures.counter.identity,
        "prices": [repr(measures.tariffs), money_digest()],
        "windows": [measures.window, measures.recovery_window],
        "background": background().sha256,
        "code": code_digest(),
        "packages": package_versions(),
        "python": platform.python_version(),
    }
    return hashlib.sha256(repr(sorted(depends_on.items())).encode("utf-8", "surrogatepass")).digest()
