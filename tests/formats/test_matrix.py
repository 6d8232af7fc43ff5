"""Every dialect reads in every container that can carry it; what none reads is refused by name, never read as empty."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.formats.containers import CONTAINERS as REGISTERED
from harness.formats.dialects import DIALECTS
from harness.formats.matrix import READ, containers, markdown, matrix
from harness.show.listing import listing
from harness.testing.formats import check_sound, read
from harness.transcript import Transcript
from tests.formats.container_samples import CONTAINERS
from tests.formats.dialect_samples import ARGUMENTS, ASK, DONE, RESULT, Sample
from tests.formats.dialect_samples import SAMPLES as IN_DIALECTS

PAIRS = [(dialect, container) for dialect, row in matrix().items() for container in row]


def payload(sample: Sample, container: str) -> tuple[str, bytes]:
    if container == "json":
        return "conversation.json", json.dumps({sample.key: sample.conversation()}).encode()
    if container == "jsonl-conversations":
        return "many.jsonl", json.dumps({sample.key: sample.conversation()}).encode() + b"\n"
    name, build = CONTAINERS[container]
    return name, build(sample.requests())


def check(run: Transcript) -> None:
    assert run.problems == ()
    check_sound(run)
    said = [m for m in run.messages if m.role != "system"]
    assert [m.role for m in said] == ["user", "assistant", "tool", "assistant"]
    assert said[0].text == ASK
    (call,) = said[1].calls
    assert call.name == "look_up"
    assert json.loads(call.arguments) == ARGUMENTS if call.arguments[0] == "{" else "A</parameter>" in call.arguments
    result = said[2].result
    assert result is not None
    assert result.content.endswith(RESULT)
    assert result.name == "look_up"
    assert result.call is not None
    assert said[3].text == DONE


@pytest.mark.parametrize(("dialect", "container"), [pair for pair in PAIRS if matrix()[pair[0]][pair[1]] == READ])
def test_a_readable_pair_is_read(dialect: str, container: str) -> None:
    name, data = payload(IN_DIALECTS[dialect], container)
    runs, intake = read(name, data)
    assert intake.problems == []
    assert intake.skipped == []
    (run,) = runs
    assert run.format == (container if container in REGISTERED else dialect)
    assert len(run.requests()) == 2
    check(run)


@pytest.mark.parametrize("container", containers())
def test_what_no_dialect_reads_is_one_clear_problem(container: str) -> None:
    strange: list[Any] = [{"role": "user", "content": [{"kind_of_thing": "prose", "body": "word " * 1000}]}]
    name, data = payload(Sample(strange, strange, strange, strange), container)
    runs, intake = read(name, data)
    assert runs == []
    told = [problem.reason for problem in intake.problems] + [reason for _, reason in intake.skipped]
    assert told
    assert all("kind_of_thing" in reason for reason in told)
    assert not any("word" in reason for reason in told)


def test_at_most_a_third_of_the_pairs_cannot_occur_and_each_says_why() -> None:
    reasons = [matrix()[dialect][container] for dialect, container in PAIRS]
    impossible = [reason for reason in reasons if reason != READ]
    assert len(impossible) * 3 <= len(PAIRS)
    assert all(len(reason.split()) > 5 for reason in impossible)


def test_the_matrix_names_every_dialect_and_container() -> None:
    assert set(matrix()) == set(DIALECTS) == set(IN_DIALECTS)
    assert set(REGISTERED) <= set(containers())
    assert set(CONTAINERS) | {"json", "jsonl-conversations"} == set(containers())


def test_the_docs_print_this_matrix() -> None:
    text = (Path(__file__).parents[2] / "docs" / "dialects.md").read_text(encoding="utf-8")
    assert markdown() in text


def test_the_list_tells_the_same() -> None:
    for row in listing("dialects", Path()):
        told = matrix()[row["dialect"]]
        assert row["read in"].split(", ") == [container for container, state in told.items() if state == READ]
        assert all(reason in (row["cannot occur in"] or "") for reason in told.values() if reason != READ)
