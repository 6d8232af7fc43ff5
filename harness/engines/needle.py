"""The Needle C library, by ctypes. Nothing is downloaded, and the vendor's Python package is never imported.

The library is looked for in the setting `library`, in NEEDLE3_LIB_PATH, beside an installed package `needle`, and where
that package keeps what it has fetched; the weights in `weights`, in NEEDLE3_WEIGHTS_PATH, beside the library. The
interface differs between versions, and is told from the symbols (`Abi`).

The interface does not stream. So the first turn after a reset is asked twice: with a budget of one token, which gives
the time to the first token, and, after another reset, in full.
"""

from __future__ import annotations

import ctypes
import importlib.util
import mmap
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any, Final

import orjson

from harness.engines.turn import Answer, Declared, EngineFailure, Identity, Tool, TurnInput, sha256_of
from harness.errors import HarnessError

LIBRARIES: Final = tuple(f"libneedle{number}{suffix}" for suffix in (".so", ".dylib", ".dll") for number in (3, ""))
WEIGHTS: Final = "needle3.cact"
WINDOW: Final = 8192


class Abi(Enum):
    """What `needle_complete` takes between the input and the token budget, and whether weights come apart."""

    TWO = "2.0: weights inside the library"
    THREE = "3.0: text"
    THREE_AUDIO = "3.3: text and audio"

    @staticmethod
    def of(library: ctypes.CDLL) -> Abi:
        """Told from the symbols that the library exports."""
        if not hasattr(library, "needle_load"):
            return Abi.TWO
        return Abi.THREE_AUDIO if hasattr(library, "needle_models") else Abi.THREE


@dataclass
class Needle:
    """library: its path. weights: the `.cact` file. out_bytes: of the buffer for an envelope; one that is too small
    would cut envelopes without a word."""

    library: str = ""
    weights: str = ""
    out_bytes: int = 1 << 20
    _lib: Any = field(default=None, init=False, repr=False)
    _abi: Abi = field(default=Abi.THREE, init=False, repr=False)
    _mapped: mmap.mmap | None = field(default=None, init=False, repr=False)
    _out: Any = field(default=None, init=False, repr=False)
    _fresh: bool = field(default=False, init=False, repr=False)

    def load(self) -> None:
        path = self._found_library()
        try:
            self._lib = ctypes.CDLL(str(path))
        except OSError as error:
            raise HarnessError(f"{path}: cannot be loaded ({error}); give the library built for this system") from error
        if not hasattr(self._lib, "needle_complete"):
            raise HarnessError(f"{path}: no symbol needle_complete, so it is no Needle library")
        self._abi = Abi.of(self._lib)
        _declare_types(self._lib, self._abi)
        self._out = ctypes.create_string_buffer(self.out_bytes)
        if self._abi is not Abi.TWO:
            self._load_weights(self._found_weights())

    def identity(self) -> Identity:
        path = self._found_library()
        hashes = {"library": sha256_of(path)}
        if self._abi is not Abi.TWO:
            hashes["weights"] = sha256_of(self._found_weights())
        settings = {
            "library": self.library,
            "weights": self.weights,
            "out_bytes": self.out_bytes,
            "abi": self._abi.value,
        }
        return Identity("needle", _build(path), hashes, settings, WINDOW)

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        listed = orjson.dumps(list(tools))
        began = time.perf_counter()
        tokens = self._lib.needle_init(system.encode("utf-8"), listed, None)
        seconds = time.perf_counter() - began
        if tokens < 0:
            raise EngineFailure("refused", f"needle_init returned {tokens}: {self._last_error()}")
        self._fresh = True
        return Declared(seconds, tokens)

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        text = turn.text.encode("utf-8")
        if b"\0" in text:
            raise EngineFailure("refused", "the input holds a zero byte, at which the library would stop reading")
        first = None
        if self._fresh:
            began = time.perf_counter()
            self._complete(text, 1)
            first = time.perf_counter() - began
            self._lib.needle_reset()
        self._fresh = False
        began = time.perf_counter()
        tokens = self._complete(text, max_tokens)
        seconds = time.perf_counter() - began
        envelope: bytes = self._out.value
        if not envelope:
            raise EngineFailure("refused", f"needle_complete returned {tokens}: {self._last_error()}")
        return Answer(envelope, seconds, first, None, tokens if tokens >= 0 else None)

    def reset(self) -> None:
        self._lib.needle_reset()
        self._fresh = True

    def close(self) -> None:
        """The library cannot be unloaded; it ends with the process."""

    def _complete(self, text: bytes, budget: int) -> int:
        self._out[0] = b"\0"
        audio = (None, 0) if self._abi is Abi.THREE_AUDIO else ()
        return int(self._lib.needle_complete(text, *audio, budget, self._out, len(self._out)))

    def _load_weights(self, path: Path) -> None:
        try:
            with path.open("rb") as stream:
                # Kept mapped: whether the library copies what it is given is not documented.
                self._mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_COPY)
        except (OSError, ValueError) as error:
            raise HarnessError(f"{path}: cannot be read ({error}); give the path of {WEIGHTS}") from error
        size = len(self._mapped)
        code = self._lib.needle_load((ctypes.c_ubyte * size).from_buffer(self._mapped), size)
        if code < 0:
            raise HarnessError(f"{path}: needle_load returned {code}: {self._last_error()}; give weights that fit")

    def _last_error(self) -> str:
        if not hasattr(self._lib, "needle_last_error"):
            return "no reason given"
        said = self._lib.needle_last_error()
        return said.decode("utf-8", "replace") if said else "no reason given"

    def _found_library(self) -> Path:
        return _first(_library_places(self.library), "the Needle library", "library=… or NEEDLE3_LIB_PATH")

    def _found_weights(self) -> Path:
        places = [self.weights or os.environ.get("NEEDLE3_WEIGHTS_PATH", "")]
        given = [Path(place) for place in places if place]
        return _first(given or [self._found_library().parent / WEIGHTS], WEIGHTS, "weights=… or NEEDLE3_WEIGHTS_PATH")


def _library_places(path: str) -> list[Path]:
    if given := path or os.environ.get("NEEDLE3_LIB_PATH", ""):
        return [Path(given)]
    return [folder / name for folder in _folders() for name in LIBRARIES]


def _folders() -> Iterator[Path]:
    spec = importlib.util.find_spec("needle")
    for folder in spec.submodule_search_locations or () if spec else ():
        yield Path(folder)
    fetched = Path.home() / ".cache" / "cactus-needle" / "v3"
    if fetched.is_dir():
        yield from sorted(fetched.iterdir(), reverse=True)


def _first(places: Sequence[Path], what: str, setting: str) -> Path:
    for place in places:
        if place.is_file():
            return place
    where = str(places[0]) if len(places) == 1 else "an installed package or its cache"
    raise HarnessError(f"{what} is not in {where}; say where it is with {setting}")


def _build(library: Path) -> str:
    """The version of the distribution that the library came with, if it came with one."""
    if library.parent.name == "needle":
        for name in packages_distributions().get("needle", ()):
            try:
                return f"{name} {version(name)}"
            except PackageNotFoundError:
                continue
    return ""


def _declare_types(library: ctypes.CDLL, abi: Abi) -> None:
    text, number = ctypes.c_char_p, ctypes.c_int
    audio: list[Any] = [ctypes.POINTER(ctypes.c_float), number] if abi is Abi.THREE_AUDIO else []
    library.needle_init.argtypes = [text, text, text]
    library.needle_init.restype = number
    library.needle_complete.argtypes = [text, *audio, number, text, number]
    library.needle_complete.restype = number
    library.needle_reset.argtypes = []
    library.needle_reset.restype = None
    if abi is not Abi.TWO:
        library.needle_load.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
        library.needle_load.restype = number
    if hasattr(library, "needle_last_error"):
        library.needle_last_error.argtypes = []
        library.needle_last_error.restype = text
