"""From a run to something people read: one file an exporter.

Packages add their own exporters through the entry point group `harness.exporters`.
"""

from __future__ import annotations

EXPORTERS: dict[str, str] = {
    "html": "harness.report.html:Html",
    "md": "harness.report.markdown:Markdown",
    "pr": "harness.report.pull_request:PullRequest",
    "csv": "harness.report.csv:Csv",
    "rows": "harness.report.csv:Rows",
    "json": "harness.report.json:Json",
    "plots": "harness.report.figures:Figures",
}
GROUP = "harness.exporters"
