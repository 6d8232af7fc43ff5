"""The repository of a SWE-bench style instance, which is what its runs cluster by."""

from __future__ import annotations

import re

_INSTANCE = re.compile(r"(?P<owner>[\w.-]+?)(?:__|/)(?P<name>[A-Za-z0-9_.-]+?)(?:-\d+|\.[0-9a-f]{7,40}\b.*|:.*)$")


def repository_of(instance: str) -> str:
    """`django__django-14238` is of `django/django`; an id of another shape is its own cluster."""
    found = _INSTANCE.fullmatch(instance[:300])
    return f"{found['owner']}/{found['name']}" if found else instance
