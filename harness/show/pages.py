"""`harness report --pages N`: the prompts that a policy puts most at risk, each as a page with its evidence marked.

The recordings are read again; a run itself holds no text.
"""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.policies.spec import make_policy
from harness.replay.settings import ReplaySettings
from harness.runs.run import Run
from harness.show.show import mask_for, view_prompt
from harness.show.show_html import write_page
from harness.transcript import Transcript


def write_pages(run: Run, folder: Path, most: int, show_secrets: bool) -> list[Path]:
    """Write `index.html` and up to `most` pages, identity beside the policy, those with the most hidden atoms first.

    Raises `HarnessError` if the recordings are no longer where the run read them.
    """
    wanted = most_at_risk(run, most)
    settings = ReplaySettings.from_record(run.manifest["settings"])
    found = _read(settings, {transcript for transcript, _, _, _ in wanted})
    measures = settings.measures()
    folder.mkdir(parents=True, exist_ok=True)
    entries, pages = [], []
    for n, (transcript, request, policy, hidden) in enumerate(wanted, 1):
        views = [
            view_prompt(found[transcript], make_policy(p), request, measures.counter, measures.tokens)
            for p in ("identity", policy)
        ]
        mask = None if show_secrets else mask_for(found[transcript])
        pages.append(write_page(folder / f"{n}.html", transcript, views, mask))
        entries.append((pages[-1].name, mask(transcript) if mask else transcript, request, policy, hidden))
    environment = Environment(loader=PackageLoader("harness.show"), autoescape=True, undefined=StrictUndefined)
    index = folder / "index.html"
    index.write_text(
        environment.get_template("pages.html.j2").render(run=run.id, entries=entries),
        encoding="utf-8",
        errors="replace",
    )
    return [index, *pages]


def most_at_risk(run: Run, most: int) -> list[tuple[str, int, str, int]]:
    """Transcript, request, policy and hidden atoms: the worst policy of each request, the most hidden atoms first."""
    rows = run.requests[run.requests["at_risk"]]
    hidden = (rows["borne"] - rows["visible"]).rename("hidden")
    table = rows[["transcript", "request", "policy"]].astype(str).assign(hidden=hidden)
    table["request"] = rows["request"].astype(int)
    ordered = table.sort_values(["hidden", "transcript", "request", "policy"], ascending=[False, True, True, True])
    worst = ordered.drop_duplicates(["transcript", "request"]).head(most)
    return [(t, int(r), p, int(h)) for t, r, p, h in worst.itertuples(index=False)]


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
