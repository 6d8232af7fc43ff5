"""Manifests of older schemas, brought up to this one: one step a schema number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.runs.schema import SCHEMA_VERSION

Manifest = dict[str, Any]


def updated(manifest: Manifest) -> Manifest:
    """The manifest as this program would have written it, as far as that can be known."""
    for version in range(manifest["schema"], SCHEMA_VERSION):
        manifest = STEPS[version](manifest) | {"schema": version + 1}
    return manifest


def _to_2(manifest: Manifest) -> Manifest:
    """`prices` of a loop changed nothing and is no setting any more. Hashes of the inputs were not kept."""
    if manifest.get("command") != "loop":
        return manifest
    settings = {key: value for key, value in manifest["settings"].items() if key != "prices"}
    return manifest | {"settings": settings}


def _to_3(manifest: Manifest) -> Manifest:
    """From here on a manifest has a seal; what had none stays *not sealed*."""
    return manifest


STEPS: Mapping[int, Callable[[Manifest], Manifest]] = {1: _to_2, 2: _to_3}
