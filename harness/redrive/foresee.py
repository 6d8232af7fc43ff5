"""What a re-drive would ask of its servers: the prompts themselves are known, the answers are not."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.bench.outcome import Outcome
from harness.formats.corpus import Intake
from harness.live.forecast import Amount, Asked, check_prices, forecast
from harness.live.spend import is_metered, is_remote
from harness.redrive.prompt import RecordedPrompt
from harness.redrive.request import Driving, TranscriptDrive
from harness.redrive.settings import RedriveHow, RedriveSettings
from harness.runs.kind import Forecast
from harness.text import number
from harness.tokens.counter import TokenCounter, open_counter
from harness.tokens.profiles import TokenProfile

LIKELY_ANSWER = 100
"""Tokens of a call with its arguments."""


@dataclass
class Nobody:
    """Is asked in place of an engine, counts, and answers nothing."""

    counter: TokenCounter
    profile: TokenProfile
    window: int
    prompts: list[int] = field(default_factory=list)

    def ask(self, name: str, prompt: RecordedPrompt) -> Outcome:
        self.prompts.append(prompt.tokens(self.counter, self.profile))
        return Outcome(b"", None, "refused", "nothing was asked")


def foresee(settings: RedriveSettings, how: RedriveHow) -> Forecast | None:
    """`None` where nothing costs money without a limit, and nobody wants to know."""
    from harness.redrive.runner import Done, read

    specs = [spec for spec in settings.make_engines() if is_remote(spec)]
    check_prices(specs, how.max_usd)
    limited = bool(how.max_usd or how.max_total_tokens or how.yes)
    if not how.dry_run and (limited or not any(map(is_metered, specs))):
        return None
    profile = settings.profile()
    with open_counter(profile.encoding) as counter:
        nobody = Nobody(counter, profile, settings.window or 1 << 31)
        driving = Driving(settings, settings.make_policies(), counter, profile)
        transcripts = 0
        for transcript in read(settings, Intake(), Done.of(())):
            transcripts += 1
            list(TranscriptDrive(transcript, driving).drive("", nobody, set(), lambda name, outcome: None))
    count, size = len(nobody.prompts), sum(nobody.prompts)
    likely, most = Amount(count, size, count * LIKELY_ANSWER), Amount(count, size, count * settings.max_tokens)
    words = f"{number(transcripts, 'transcript')} under {len(settings.make_policies())} policies"
    basis = f"prompts as they are, answers of {LIKELY_ANSWER} to {settings.max_tokens} tokens"
    return forecast(words, [Asked(spec, likely, most) for spec in specs], basis, limited, how.dry_run)
