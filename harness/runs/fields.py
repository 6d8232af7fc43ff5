"""Settings that several kinds share, declared once: `paths: tuple[str, ...] = fields.paths()`."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from harness.bundled import bundled_tasks
from harness.money import AUTO
from harness.settings import setting
from harness.tokens.profiles import DEFAULT_PROFILE

DEFAULT_PRICES = "gpt-5.4"
"""Where no recording says which model answered, and only one price is wanted."""

DEFAULT_FLOOR = "95,1"
"""Percent: requests that see all they depend on, at least; windows that nothing brings back, as a share of the
dependencies, at most."""


def paths() -> Any:
    """Recordings: files, folders, archives."""
    return setting("PATH...", "Recordings: files, folders, archives.", path=True)


def policies(default: tuple[str, ...], usage: str = "--policy P", help: str = "") -> Any:
    """Policies under their canonical names."""
    words = help or "A policy: name or name:key=value,…; see `harness list policies`."
    return setting(usage, words, default, read=_policy_label, names=_policies)


def policy(usage: str, help: str, default: Any = MISSING) -> Any:
    """One policy; empty for none."""
    return setting(usage, help, default, read=_policy_or_none, names=_policies)


def engines() -> Any:
    """Engines as they are written."""
    return setting("--engine E", "An engine: name or name:key=value,….", names=_engines)


def tasks() -> Any:
    """Task files, or names of those that come with the program."""
    words = "A task file, or a name that `harness list tasks` shows."
    return setting("--tasks FILE", words, path=True, read=bundled_tasks, names=_tasks)


def recording_format() -> Any:
    """How recordings are to be read; `None` for what they look like."""
    return setting("--format NAME", "Read as this format, whatever it looks like.", None, names=_formats)


def tokens() -> Any:
    """The token profile."""
    return setting("--tokens PROFILE", "Token profile.", DEFAULT_PROFILE, names=_profiles)


def prices() -> Any:
    """A model of the price snapshot, or `auto`."""
    words = "Whose prices to apply; auto: each request's own model's."
    return setting("--prices MODEL", words, AUTO, names=_models)


def floor() -> Any:
    """What a headline asks of a policy."""
    words = "The headline asks, in percent: requests with all visible at least, unrecoverable at most; or none."
    return setting("--floor VISIBLE,LOST", words, DEFAULT_FLOOR)


def max_tokens(what: str) -> Any:
    """The budget of a turn or answer."""
    return setting("--max-tokens N", f"Budget of {what} in tokens.", 256, least=1)


def turn_seconds(default: float) -> Any:
    """When a turn has failed."""
    return setting("--timeout S", "Seconds after which a turn has failed.", default, above=0)


def jobs() -> Any:
    """Processes; changes no figure."""
    return setting("--jobs N", "Processes; 0 for one a core.", 1, least=0)


def _policy_label(spec: Any) -> str:
    from harness.policies.spec import make_policy

    return make_policy(spec).label


def _policy_or_none(spec: Any) -> str:
    return _policy_label(spec) if spec else ""


def _policies() -> list[str]:
    from harness.policies.spec import names

    return names()


def _engines() -> list[str]:
    from harness.engines import ENGINES, GROUP
    from harness.registry import targets

    return list(targets(ENGINES, GROUP))


def _formats() -> list[str]:
    from harness.formats import FORMATS, GROUP
    from harness.registry import targets

    return list(targets(FORMATS, GROUP))


def _tasks() -> list[str]:
    from harness.bundled import bundled

    return sorted(path.stem for path in (bundled() / "engine").glob("*.jsonl"))


def _profiles() -> list[str]:
    from harness.tokens.profiles import PROFILES

    return list(PROFILES)


def _models() -> list[str]:
    from harness.money.prices import price_models

    return list(price_models())


def max_usd() -> Any:
    return setting("--max-usd USD", "Stop before a request that would cost more in all.", 0.0, least=0)


def max_total_tokens() -> Any:
    return setting("--max-total-tokens N", "Stop before a request that would take more tokens in all.", 0, least=0)


def dry_run() -> Any:
    return setting("--dry-run", "Say what would be asked and what it would cost; ask nothing.", False)


def yes() -> Any:
    return setting("--yes", "Ask what costs money without a budget and without being asked back.", False)
