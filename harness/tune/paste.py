"""A recommendation as a policy table for a suite; as a patch of the reference it is in `harness.tune.patch`."""

from __future__ import annotations

from harness.policies.spec import NamedPolicy
from harness.spec import written


def toml_table(policy: NamedPolicy, remarks: list[str]) -> str:
    """A table that stands in a suite's `policies`, or is read by `make_policy`; the remarks as comments above it."""
    name, _, _ = policy.label.partition(":")
    lines = [f"# {' '.join(remark.split())}" for remark in remarks]
    lines.append(f'policy = "{name}"')
    lines += [f"{key} = {_toml(value)}" for key, value in _changed(policy).items()]
    return "\n".join(lines) + "\n"


def _changed(policy: NamedPolicy) -> dict[str, object]:
    """The settings that the label names, so that the table means the same policy."""
    from harness.policies.spec import build

    name = policy.label.partition(":")[0]
    default = build(name, {}).settings
    return {key: value for key, value in policy.settings.items() if value != default[key]}


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    text = written(value)
    return text if text.startswith('"') else f'"{text}"'
