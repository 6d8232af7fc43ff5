"""The live loop: tasks with known answers, drivers that see only what a policy shows, and how far off the estimate is.

harness loop --driver reader:temperament=careful --policy car --policy head:bytes=2000
"""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    "logs": "harness.loop.families.logs:FAMILY",
    "repository": "harness.loop.families.repository:FAMILY",
    "sql": "harness.loop.families.sql:FAMILY",
    "service": "harness.loop.families.service:FAMILY",
    "tables": "harness.loop.families.tables:FAMILY",
    "documents": "harness.loop.families.documents:FAMILY",
}
FAMILY_GROUP = "harness.loop_families"

DRIVERS: dict[str, str] = {"reader": "harness.loop.reader:Reader"}
"""Any engine is a driver too, under its own name (`harness.engines`)."""
