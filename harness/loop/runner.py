"""The work of a loop: every task under every policy by every driver, recorded as it is done; then its rows.

The policies of a task follow each other, so that what changes with time changes for all of them. Several tasks may be
under way at once (`--concurrency`); the rows do not depend on it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.live.spend import OutOfBudget, Spend, cost, is_remote, rates_of
from harness.live.turns import Turns, paid_and_stopped
from harness.loop.driver import Driver
from harness.loop.engine_driver import EngineDriver
from harness.loop.recorder import Recorder
from harness.loop.rows import task_rows
from harness.loop.settings import LoopHow, LoopSettings, make_driver
from harness.loop.task import Task
from harness.runs.kind import Going, Record, Rows

SERVER_SECONDS = 900.0
"""A turn of a server with its retries; the engine has a limit of its own for what is hung."""


def work(settings: LoopSettings, going: Going) -> Iterator[Record]:
    """The records of the tasks that are not done yet, up to the budget."""
    how: LoopHow = going.how
    records = list(going.records())
    done = {(r["driver"], r["task"]) for r in records if r["kind"] == "task"}
    spend = Spend(how.max_usd or None, how.max_total_tokens or None)
    workers = Workers(settings, going, Turns.going_on(records, spend, going.keep))
    drivers = [driver.label for driver in settings.make_drivers()]
    units = [(driver, task) for driver in drivers for task in settings.make_tasks()]
    waiting = [(driver, task) for driver, task in units if (driver, task.id) not in done]
    number = len(units) - len(waiting)
    known = {r["label"] for r in records if r["kind"] == "engine"}
    try:
        for found in workers.results(waiting, how.concurrency):
            if found is None:
                yield {"kind": "stopped", "why": "budget", "done": number, "of": len(units)}
                return
            driver, task, identity, rows = found
            if identity and driver not in known:
                known.add(driver)
                yield {"kind": "engine", "label": driver, "identity": identity}
            yield {"kind": "task", "driver": driver, "task": task, "rows": rows}
            number += 1
            going.progress(number, len(units))
    finally:
        workers.close()


Found = tuple[str, str, dict[str, Any] | None, list[dict[str, Any]]]


@dataclass
class Workers:
    """Each thread has drivers of its own, and so engines in processes of their own."""

    settings: LoopSettings
    going: Going
    turns: Turns
    _own: threading.local = field(default_factory=threading.local)
    _all: list[Driver] = field(default_factory=list)

    def results(self, units: list[tuple[str, Task]], concurrency: int) -> Iterator[Found | None]:
        """What came of each, in the order in which they end; `None` at the end where the budget did not do for all."""
        if concurrency == 1:
            for label, task in units:
                found = self._result(label, task)
                yield found
                if found is None:
                    return
            return
        stopped = False
        with ThreadPoolExecutor(concurrency) as pool:
            going: set[Future[Found | None]] = set()
            waiting = iter(units)
            try:
                while True:
                    while not stopped and len(going) < concurrency and (unit := next(waiting, None)):
                        going.add(pool.submit(self._result, *unit))
                    if not going:
                        break
                    ended, going = wait(going, return_when=FIRST_COMPLETED)
                    for future in ended:
                        if (found := future.result()) is None:
                            stopped = True
                        else:
                            yield found
            except BaseException:
                self.close()  # ends the engines, so that no thread waits for one
                raise
        if stopped:
            yield None

    def _result(self, label: str, task: Task) -> Found | None:
        driver = self._driver(label)
        recorder = Recorder(self._folder(driver))
        settings = self.settings
        try:
            rows = task_rows(
                task, driver, settings.make_policies(), settings.counting(), settings.tariff(), recorder.write
            )
        except OutOfBudget:
            return None
        rates = rates_of(driver.spec) if isinstance(driver, EngineDriver) and is_remote(driver.spec) else None
        for row in rows:
            known = rates is not None and row["billed_input"] is not None
            cached = row["billed_cached"] or 0
            row["usd"] = (
                cost(rates, row["billed_input"] - cached, cached, row["billed_output"]) if rates and known else None
            )
        return label, task.id, driver.identity.to_record() if driver.identity else None, rows

    def _driver(self, label: str) -> Driver:
        mine: dict[str, Driver] = self._own.__dict__.setdefault("drivers", {})
        if label not in mine:
            spec = next(text for text in self.settings.drivers if make_driver(text).label == label)
            driver = make_driver(spec)
            if isinstance(driver, EngineDriver):
                driver.turns = self.turns
                driver.turn_seconds = SERVER_SECONDS if is_remote(driver.spec) else driver.turn_seconds
            mine[label] = driver
            self._all.append(driver)
        return mine[label]

    def _folder(self, driver: Driver) -> Path | None:
        """Where runs are recorded: where it was asked for; those that were paid for in any case, with the run."""
        if self.going.how.record is not None:
            return Path(self.going.how.record)
        paid = isinstance(driver, EngineDriver) and is_remote(driver.spec)
        return self.going.directory / "recordings" if paid else None

    def close(self) -> None:
        for driver in self._all:
            driver.close()


def rows_of(settings: LoopSettings, records: list[Record]) -> tuple[Rows, Record]:
    """The rows, sorted, and what the manifest says beside them."""
    rows: list[dict[str, Any]] = []
    engines: list[dict[str, Any]] = []
    for record in records:
        if record["kind"] == "engine":
            engine = {"label": record["label"], "identity": record["identity"]}
            engines += [engine] * (engine not in engines)
        elif record["kind"] == "task":
            rows += record["rows"]
    policies = settings.make_policies()
    order = {policy.label: n for n, policy in enumerate(policies)}
    rows.sort(key=lambda row: (row["driver"], row["task"], order[row["policy"]]))
    facts: Record = {
        "policies": [{"label": p.label, "stage": p.stage, "settings": dict(p.settings)} for p in policies],
        "drivers": sorted({row["driver"] for row in rows}),
        "identities": engines,
    }
    return {"loop": rows}, facts | paid_and_stopped(records)
