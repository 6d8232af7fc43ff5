"""Remarks on runs, which are never edited themselves: `results/annotations.toml`, written by people and by `--accept`.

[[accepted]]                    # this group is the baseline from here on
suite = "demo"
group = "demo-20260101T020000Z"
why = "the preview shows three more rows"

[[muted]]                       # shown, but does not fail; part/policy/figure, * stands for anything
figure = "samples/*/cost_warm"
why = "new price list"

[[bad_nights]]                  # left out of the history and never a baseline
group = "demo-20260103T020000Z"
why = "backup was running"
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from harness.errors import HarnessError
from harness.runs.groups import write_whole

NAME = "annotations.toml"
KEYS = {
    "accepted": {"suite", "group", "why", "when", "commit"},
    "muted": {"figure", "why"},
    "bad_nights": {"group", "why"},
}
NEEDED = {"accepted": {"suite", "group", "why"}, "muted": {"figure", "why"}, "bad_nights": {"group", "why"}}
Remark = dict[str, str]


@dataclass(frozen=True)
class Annotations:
    """Each in the order in which it was written."""

    accepted: tuple[Remark, ...] = ()
    muted: tuple[Remark, ...] = ()
    bad_nights: tuple[Remark, ...] = ()

    def accepted_groups(self, suite: str) -> list[str]:
        """Names of the accepted groups of a suite, the newest last."""
        return [a["group"] for a in self.accepted if a["suite"] == suite]

    def why_muted(self, figure: str) -> str | None:
        """Why `part/policy/figure` does not fail; `None` if it does."""
        return next((m["why"] for m in self.muted if fnmatchcase(figure, m["figure"])), None)

    @property
    def bad(self) -> frozenset[str]:
        return frozenset(b["group"] for b in self.bad_nights)


def read_annotations(results: Path) -> Annotations:
    """Raises `HarnessError` for a damaged file or an unknown key."""
    place = results / NAME
    if not place.exists():
        return Annotations()
    try:
        content = tomllib.loads(place.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise HarnessError(f"{place}: not TOML ({error}); mend it, every line counts") from None
    for kind, remarks in content.items():
        if kind not in KEYS or not isinstance(remarks, list):
            raise HarnessError(f"{place}: unknown {kind!r}; known: {', '.join(f'[[{k}]]' for k in KEYS)}")
        for remark in remarks:
            unknown, missing = remark.keys() - KEYS[kind], NEEDED[kind] - remark.keys()
            if unknown or missing:
                what = f"unknown key {min(unknown)!r}" if unknown else f"no {min(missing)!r}"
                raise HarnessError(f"{place}: {what} in [[{kind}]]; it takes {', '.join(sorted(KEYS[kind]))}")
    return Annotations(**{kind: tuple(content.get(kind, ())) for kind in KEYS})


def add_accepted(results: Path, remark: Remark) -> Path:
    """Put an accepted group at the end of the file; what people wrote in it stays as it is."""
    place = results / NAME
    before = place.read_text(encoding="utf-8") if place.exists() else ""
    gap = "\n" if before and not before.endswith("\n\n") else ""
    lines = [f"{key} = {_text(value)}" for key, value in remark.items()]
    write_whole(place, (before + gap + "\n".join(["[[accepted]]", *lines]) + "\n").encode("utf-8"))
    return place


def _text(value: str) -> str:
    """A basic string of TOML: that of JSON, with DEL escaped too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
