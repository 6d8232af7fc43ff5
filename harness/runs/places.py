"""Folders and files that a command is to write: looked at before any work is done for them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import click

from harness.errors import HarnessError


class FolderToWrite(click.ParamType[Path]):
    """A folder that there is, or that can be made. Nothing is left behind by looking."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(value)
        try:
            _try(_there(path))
        except NotADirectoryError:
            raise HarnessError(f"{path}: there is a file in its place; {_another(param, 'folder')}") from None
        except OSError as error:
            raise HarnessError(f"{path}: cannot be written ({error.strerror}); {_another(param, 'folder')}") from None
        return path


class FileToWrite(click.ParamType[Path]):
    """A file that can be made or replaced, in a folder that there is or that can be made."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(value)
        try:
            if path.is_dir():
                raise HarnessError(f"{path}: this is a folder; {_another(param, 'file')}")
            if path.exists() and not os.access(path, os.W_OK):
                raise HarnessError(f"{path}: cannot be written; {_another(param, 'file')}")
            if not path.exists():
                _try(_there(path.parent))
        except OSError as error:
            raise HarnessError(f"{path}: cannot be written ({error.strerror}); {_another(param, 'file')}") from None
        return path


def _there(path: Path) -> Path:
    """The path, or the nearest folder above it that there is; a link to nothing is there and no folder."""
    for place in (path, *path.absolute().parents):
        try:
            place.lstat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        return place
    return path


def _try(folder: Path) -> None:
    """Raises `OSError` unless a file can be made in a folder."""
    with tempfile.TemporaryFile(dir=folder):
        pass


def _another(param: click.Parameter | None, what: str) -> str:
    return f"name another {what}" + (f" with {param.opts[0]}" if param and param.opts else "")
