"""From a run to something people read: one file an exporter.

Packages add their own exporters through the entry point group `harness.exporters`.
"""

from __future__ import annotations

EXPORTERS: dict[str, str] = {
    "html": "harness.reports.html:Html",
    "md": "harness.reports.markdown:Markdown",
    "csv": "harness.reports.csv:Csv",
    "plots": "harness.reports.figures:Figures",
}
GROUP = "harness.exporters"
