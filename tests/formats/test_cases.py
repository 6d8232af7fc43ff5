"""The made-up recordings of `tests/cases/mini` whose dialects were read as empty, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.formats.corpus import Intake, read_transcripts

MINI = Path(__file__).parents[1] / "cases" / "mini"
RESULT = "Lake A covers 4711 hectares."
FRAMED = {"oh_nonfncall": "EXECUTION RESULT of [look_up]:\n", "swesmith_xml.json": "OBSERVATION:\n"}
CASES = {
    "agentdojo.json": ("agentdojo", 2, ["look_up"], []),
    "bedrock_converse.json": ("bedrock-converse", 2, ["look_up"], []),
    "langfuse_genai_parts.json": ("langfuse", 2, ["look_up"], [60, 120]),
    "langfuse_responses_items.json": ("langfuse", 2, ["look_up"], [50, 90]),
    "oh_nonfncall": ("openhands-llm-logs", 2, ["look_up", "look_up"], [50, 100]),
    "swesmith_xml.json": ("function-text", 2, ["bash", "submit"], []),
    "ironclaw_expected_results.json": ("ironclaw", 2, ["builtin__look_up"], [900, 950]),
}


@pytest.mark.parametrize("case", CASES)
def test_what_was_read_as_empty_is_read(case: str) -> None:
    format_name, requests, calls, billed = CASES[case]
    intake = Intake()
    (run,) = read_transcripts([MINI / case], intake)
    assert (intake.problems, intake.skipped, run.problems) == ([], [], ())
    assert (run.format, len(run.requests())) == (format_name, requests)
    assert [call.name for m in run.messages for call in m.calls] == calls
    assert [m.result.content for m in run.messages if m.result] == [FRAMED.get(case, "") + RESULT]
    assert all(m.result.call is not None for m in run.messages if m.result)
    assert [m.usage.input_tokens for m in run.messages if m.usage] == billed
