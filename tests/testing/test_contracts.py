"""Our own exporters and engines keep the contracts that `harness.testing` asks of strangers' ones."""

from __future__ import annotations

import pytest

from harness.engines.spec import read_spec
from harness.engines.turn import EngineFailure
from harness.report import EXPORTERS
from harness.testing.engines import check_engine
from harness.testing.exporters import check_exporter, check_round_trip
from harness.transcript import Message, ToolCall, ToolResult, Transcript
from tests.engines.programs import obedient, program


@pytest.mark.parametrize("name", EXPORTERS)
def test_every_exporter_keeps_the_contract(name: str) -> None:
    assert check_exporter(name)


def test_an_engine_behind_a_program_keeps_the_contract() -> None:
    found = check_engine(read_spec({"engine": "command", "run": obedient()}).label)
    assert not any(isinstance(one, EngineFailure) for one in found)


def test_an_engine_that_answers_nothing_breaks_it() -> None:
    with pytest.raises(AssertionError, match="it answered nothing"):
        check_engine(read_spec({"engine": "command", "run": program("os._exit(7)")}).label)


RUN = Transcript(
    "run",
    "test",
    (
        Message("user", "Count the lines."),
        Message("assistant", "I look.", calls=(ToolCall("read_file", '{"path":"a.txt"}', "c1"),)),
        Message("tool", result=ToolResult("one\ntwo", "read_file", "c1", (1, 0))),
        Message("assistant", "Two."),
    ),
)


@pytest.mark.parametrize("name", ["openai-messages", "atif"])
def test_transcripts_come_back(name: str) -> None:
    file = "run.jsonl" if name == "openai-messages" else "run.json"
    assert check_round_trip(name, RUN, file).results() == [2]
