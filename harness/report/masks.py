"""What of a report differs between two runs of one command: ids, dates, machine, versions. Masked, the rest is the
same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from harness.report.citation import Citation
from harness.report.markup import code, escaped

FACTS = ("seal", "made", "harness", "machine", "python")


def masked(text: str, citations: Sequence[Citation]) -> str:
    """The text of a report with what its citations say of the run itself replaced by the name of the fact."""
    for citation in citations:
        run = citation.facts["run"]
        values = {name: citation.facts[name] for name in FACTS if name in citation.facts}
        values |= {"sentence": citation.sentence, "bibtex": citation.bibtex, "run": run}
        for name, value in values.items():
            for form in sorted({value, escape(value), str(escaped(value)), code(value)}, key=len, reverse=True):
                text = text.replace(form, f"<{name}>")
        text = text.replace(re.sub("[^A-Za-z0-9]", "", run), "<run>")
    return text
