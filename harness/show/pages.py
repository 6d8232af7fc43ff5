"""`harness report --pages N`: for every policy the requests that it puts most at risk, each a page that proves it: the
answer, the source, what the policy showed. With `--against Q` only those of which Q shows everything.

The recordings are read again; a run itself holds no text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from harness.errors import HarnessError, did_you_mean
from harness.formats.corpus import Intake, read_transcripts
from harness.policies.spec import make_policy
from harness.replay.sections.risk import Risk, at_risk
from harness.replay.settings import ReplaySettings
from harness.runs.run import Run
from harness.show.proof import hide, prove
from harness.show.show import Prompts, mask_for
from harness.show.source_place import source_of
from harness.transcript import Transcript

FOLDER = "pages"


@dataclass(frozen=True)
class Page:
    """A page of one request under one policy. file: its name within the folder. command: the whole prompt by `show`."""

    risk: Risk
    file: str
    transcript: str
    command: str


def write_pages(
    run: Run, folder: Path, most: int, show_secrets: bool, policies: Sequence[str] = (), against: str = ""
) -> tuple[list[Path], dict[tuple[str, str, int], str]]:
    """Write `index.html` and up to `most` pages a policy; returns the files, and by policy, transcript and request the
    address of its page beside the report.

    Raises `HarnessError` for a policy that the run does not have, and if the recordings are no longer where
    it read them.
    """
    chosen = [p for p in policies or run.policies if p != "identity"]
    for name in filter(None, [*chosen, against]):
        if name not in run.policies:
            raise HarnessError(
                f"policy {name}: not in this run{did_you_mean(name, run.policies)}; it has {_listed(run)}"
            )
    risks = {policy: at_risk(run, policy, most, against) for policy in chosen if policy != against}
    settings = ReplaySettings.from_record(run.manifest["settings"])
    found = _read(settings, {risk.transcript for own in risks.values() for risk in own})
    masks = {name: None if show_secrets else mask_for(t) for name, t in found.items()}
    sections = {
        policy: [
            _page(risk, n, rank, found, settings, hide(masks[risk.transcript], risk.transcript))
            for rank, risk in enumerate(own, 1)
        ]
        for n, (policy, own) in enumerate(risks.items(), 1)
    }
    folder.mkdir(parents=True, exist_ok=True)
    environment = Environment(loader=PackageLoader("harness.show"), autoescape=True, undefined=StrictUndefined)
    measures = settings.measures()
    prompts = {name: Prompts(t, measures.counter, measures.tokens) for name, t in found.items()}
    written = [folder / "index.html"]
    known = {"run": run.id, "sections": sections, "against": against}
    _write(written[0], environment.get_template("pages.html.j2").render(known))
    for policy, pages in sections.items():
        compared = [make_policy(p) for p in (policy, against) if p]
        for n, page in enumerate(pages):
            name = page.risk.transcript
            proof = prove(prompts[name], compared, page.risk.request, source_of(settings.paths, name), masks[name])
            before, behind = pages[n - 1] if n else None, pages[n + 1] if n + 1 < len(pages) else None
            written.append(folder / page.file)
            about = {"proof": proof, "page": page, "before": before, "behind": behind, "rank": n + 1, "of": len(pages)}
            _write(written[-1], environment.get_template("proof.html.j2").render(about))
    links = {page.risk.key: f"{FOLDER}/{page.file}" for pages in sections.values() for page in pages}
    return written, links


def _page(
    risk: Risk, policy: int, rank: int, found: dict[str, Transcript], settings: ReplaySettings, shown: str
) -> Page:
    path = source_of(settings.paths, risk.transcript)
    own = found[risk.transcript].id.partition("#")[2]
    place = f"{path}{f'#{own}' if own else ''}" if path else shown
    command = f"harness show '{place}' --policy '{risk.policy}' --request {risk.request}"
    return Page(risk, f"{policy}-{rank}.html", shown, command)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace")


def _listed(run: Run) -> str:
    return ", ".join(p for p in run.policies if p != "identity")


def _read(settings: ReplaySettings, wanted: set[str]) -> dict[str, Transcript]:
    found = {
        t.id: t
        for t in read_transcripts([Path(p) for p in settings.paths], Intake(), settings.format, settings.keep_same_work)
        if t.id in wanted
    }
    missing = wanted - found.keys()
    if missing:
        raise HarnessError(
            f"{sorted(missing)[0]}: no longer where the run read it; go to the folder where it was started"
        )
    return found
