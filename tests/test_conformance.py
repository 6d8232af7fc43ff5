from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.conformance import OPERATIONS, format_report, run_cases
from harness.errors import HarnessError
from tests.conftest import ROOT

GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.jsonl"))


def case(**changes: object) -> dict[str, object]:
    return {"id": "a-1", "op": "human", "bytes": 1280, "expected": {"human": "1.2KB"}} | changes


def write(folder: Path, *lines: str | bytes) -> Path:
    path = folder / "cases.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode("utf-8") for line in lines))
    return path


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_golden_case_holds(path: Path) -> None:
    report = run_cases([path])
    cases = path.read_bytes().count(b'{"id": "')
    assert format_report(report) == f"passed {cases}, failed 0"


def test_there_is_a_golden_file_for_every_operation() -> None:
    assert {path.stem for path in GOLDEN} == {*OPERATIONS, "budgets"}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_changed_expectation_fails(path: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in path.read_bytes().splitlines() if line][:40]
    for line in lines:
        line["expected"] = {"ok": {"stats": {}, "confidence": 0}} if line["op"] == "completion" else {"other": 1}
    report = run_cases([write(tmp_path, *map(json.dumps, lines))])
    assert (report.passed, report.failed) == (0, len(lines))


@pytest.mark.parametrize(
    "changes",
    [
        {"op": "lines", "s": "a", "expected": {"lines": True}},
        {"op": "lines", "s": "a", "expected": {"lines": 1.0}},
        {
            "op": "resolve",
            "puts_text": ["1"],
            "params_text": "[1]",
            "expected": {"params_text": "[1]", "params": [1.0], "resolved": []},
        },
        {"op": "completion", "text": "{", "expected": {"err": {"variant": "Complete", "detail": "x"}}},
        {"op": "completion", "text": '{"error":"y"}', "expected": {"err": {"variant": "Complete", "detail": "x"}}},
    ],
)
def test_types_and_details_count(changes: dict[str, object], tmp_path: Path) -> None:
    assert run_cases([write(tmp_path, json.dumps(case(**changes)))]).failed == 1


def test_of_an_envelope_error_only_the_variant_counts_and_rates_are_rounded(tmp_path: Path) -> None:
    error = case(op="completion", text="[]", expected={"err": {"variant": "Envelope", "message": "any"}})
    turn = json.loads((GOLDEN[0].parent / "completion.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert turn["op"] == "completion"
    turn["expected"]["ok"]["stats"]["decode_tps"] = 809.7
    assert format_report(run_cases([write(tmp_path, json.dumps(error), json.dumps(turn))])) == "passed 2, failed 0"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "a-1", "op"', "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ("[1]", "a case as a JSON object"),
        (json.dumps(case(op="nonsense")), "unknown operation"),
        (json.dumps({"id": "a-1", "op": "human", "expected": {"human": "1B"}}), "a case with a value for 'bytes'"),
        (json.dumps({"id": "a-1", "op": "human", "bytes": 1}), "a case with a value for 'expected'"),
        (json.dumps(case(bytes="1")), "TypeError"),
        (json.dumps(case(op="preview", handle="r1", value_text="nope")), "MalformedJson"),
    ],
)
def test_what_cannot_be_run_fails_at_its_place_and_the_rest_runs(line: str | bytes, said: str, tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps(case()), "", line, json.dumps(case()), "")
    report = run_cases([path])
    assert (report.passed, report.failed) == (2, 1)
    assert report.failures[0].place == f"{path}:3"
    text = format_report(report)
    assert said in text
    assert f"{path}:3" in text
    assert text.splitlines()[-1] == "passed 2, failed 1"


def test_a_failure_names_the_case_and_shows_both_sides(tmp_path: Path) -> None:
    text = format_report(run_cases([write(tmp_path, json.dumps(case(expected={"human": "1.3KB"})))]))
    assert text.splitlines()[0].startswith("FAILED a-1 (human) at ")
    assert '"1.3KB"' in text.splitlines()[1]
    assert '"1.2KB"' in text.splitlines()[2]


def test_hostile_ids_cannot_reach_the_terminal(tmp_path: Path) -> None:
    text = format_report(run_cases([write(tmp_path, json.dumps(case(id="\x1b[2J\nx", op="\u202e" * 5000)))]))
    assert all(line.isprintable() and line.isascii() for line in text.splitlines())
    assert len(text) < 5000


def test_only_line_feeds_end_a_case(tmp_path: Path) -> None:
    line = json.dumps(case(id="a\u2028b\u0085c"), ensure_ascii=False)
    assert run_cases([write(tmp_path, line)]).passed == 1


@pytest.mark.parametrize("lines", [(), ("", " ")])
def test_no_case_is_an_error_not_a_pass(lines: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="no cases"):
        run_cases([write(tmp_path, *lines)])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=r"absent\.jsonl"):
        run_cases([tmp_path / "absent.jsonl"])
