"""What a tuning is asked to do."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from harness.errors import HarnessError

Metric = Literal["tokens", "money"]


@dataclass(frozen=True)
class TuneSettings:
    """evidence: the share of borne atoms that may be out of sight. settings: how many to try. folds: parts of the
    clusters; each is reported on with the setting chosen on the others. against: the default, one of the choices;
    the policy as written if empty."""

    paths: tuple[str, ...]
    policy: str
    vary: tuple[str, ...]
    metric: Metric = "tokens"
    evidence: float = 0.02
    folds: int = 5
    settings: int = 200
    format: str | None = None
    tokens: str = "openai-chat-3-3"
    prices: str = "auto"
    against: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.evidence < 1:
            raise HarnessError(f"--evidence is {self.evidence}: give the share that may be lost, from 0 to under 1")
        if self.metric not in get_args(Metric):
            raise HarnessError(f"metric is {self.metric!r}: give {' or '.join(get_args(Metric))}")
        if self.folds < 2 or self.settings < 2:
            raise HarnessError("--folds and --settings are 2 or more")

    def to_record(self) -> dict[str, Any]:
        return asdict(self)
