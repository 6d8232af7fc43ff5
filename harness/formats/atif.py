"""ATIF trajectories (Harbor's Agent Trajectory Interchange Format): one JSON object with `steps`.

Source: the pydantic models of harbor 0.26.0 (`harbor/models/trajectories`), which accept ATIF-v1.0 to v1.8. A converted
trajectory can be inflated: Harbor's converter for Claude Code appends `[stdout]` and `[metadata]` to each result, 2 to
7 times the bytes that the model saw. Where it kept the original block (in
`extra.tool_result_metadata.raw_tool_result`), that is read. Copied context (`is_copied_context`) and steps without a
model call (`llm_call_count` 0) stand in the prompts, and their requests are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.assembly import own_names
from harness.formats.atif_steps import AtifRun
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

NESTED = 20


class Atif:
    name = "atif"

    def sniff(self, head: Head) -> bool:
        if head.kind != "object" or "steps" not in head.keys:
            return False
        version = head.records[0].get("schema_version")
        named = isinstance(version, str) and version.startswith("ATIF")
        return named or {"schema_version", "agent", "steps"} <= head.keys

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document()
        if not isinstance(document, dict):
            raise Unreadable(f"{kind_of(document)} where a trajectory belongs")
        names = own_names(source.name)
        nothing = True
        for number, (run, parent) in enumerate(_runs(document, source)):
            if run.assembly.messages:
                nothing = False
                transcript_id = names(run.own_name, number) if number else source.name
                yield run.transcript(self.name, transcript_id, parent)
            else:
                source.problems += run.assembly.problems
        if nothing and not source.problems:
            raise HoldsNothing("a trajectory without steps")


def _runs(document: dict[str, object], source: Source) -> Iterator[tuple[AtifRun, str | None]]:
    """The trajectory and, behind it, those of its sub-agents."""
    waiting = [(document, source.name, 0)]
    while waiting:
        value, place, depth = waiting.pop(0)
        run = AtifRun(source.name)
        root = Record(value, place, run.assembly.problems.append)
        run.read(root)
        if depth < NESTED:
            waiting += [(sub.value, sub.place, depth + 1) for sub in root.records("subagent_trajectories")]
        yield run, source.name if depth else None
