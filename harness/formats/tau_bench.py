"""tau-bench result files: a list of runs `{task_id, trial, traj, reward, info}`, or one of them by itself; `traj` holds
chat messages.

Source: sierra-research/tau-bench@59a200c `tau_bench/types.py::EnvRunResult`. The tools return strings, most
of them JSON text: they are text here, and `parse=sniff` of a policy sees the JSON in them. Ids of calls
repeat within a run. The trials of one task are one cluster. The message that ends a run comes from the
simulated user and was never answered.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.assembly import Assembly, own_names
from harness.formats.dialects.openai_chat import add_message
from harness.formats.json_text import Unreadable
from harness.formats.outcomes import rewarded
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.transcript import Problem, Transcript


class TauBench:
    name = "tau-bench"

    def sniff(self, head: Head) -> bool:
        return head.kind in ("array", "jsonl", "object") and any(
            "task_id" in run and isinstance(run.get("traj"), list) for run in head.records
        )

    def read(self, source: Source) -> Iterator[Transcript]:
        names = own_names(source.name)
        runs = source.lines() if source.head().kind == "jsonl" else enumerate(_runs(source))
        for number, value in runs:
            place = f"{source.name}: run {number}"
            if not isinstance(value, dict) or not isinstance(value.get("traj"), list):
                source.problems.append(Problem(place, "no run: an object with the list `traj` belongs here"))
                continue
            assembly = Assembly(source.name)
            run = Record(value, place, assembly.problems.append)
            for message in run.records("traj"):
                add_message(assembly, message)
            task = _label(run, "task_id")
            own = f"task-{task}-trial-{_label(run, 'trial')}"
            failed = "error" if "error" in run.record("info") else ""
            yield assembly.transcript(
                names(own, number),
                self.name,
                cluster=f"task-{task}",
                run=own,
                task=task,
                repetition=_label(run, "trial"),
                outcome=rewarded(run.raw("reward"), failed),
            )


def _runs(source: Source) -> list[object]:
    document = source.document()
    if not isinstance(document, (list, dict)):
        raise Unreadable(f"{kind_of(document)} where a list of runs belongs")
    return document if isinstance(document, list) else [document]


def _label(run: Record, key: str) -> str:
    value = run.raw(key)
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    run.wrong(key, value, "a number or a name")
    return "unknown"
