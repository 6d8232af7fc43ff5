"""What holds for every registered policy."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.policies import FAMILIES
from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy, names
from harness.testing.policies import STRANGE, a_run, check_policy, conversation, drive

WHOLE_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)
WITH_PROGRAM = {"command": "command:run=cat,mode=plain", "python": "python:call=textwrap:dedent"}
# A proxy needs a session that was recorded whole: tests/replay/test_wire.py.
SPECS = [WITH_PROGRAM.get(name, name) for name in names() if name != "wire"]


@pytest.mark.parametrize("name", names())
def test_min_bytes_of_infinity_is_identity(name: str) -> None:
    transcript = a_run(STRANGE)
    assert drive(f"{name}:min_bytes=inf", transcript) == drive("identity", transcript)


@pytest.mark.parametrize("name", SPECS)
def test_every_policy_keeps_the_contract(name: str) -> None:
    check_policy(name)


POLICIES = [make_policy(name) for name in SPECS if name != WITH_PROGRAM["command"]]


@settings(max_examples=30, deadline=None)
@given(values=st.tuples(WHOLE_TEXT, WHOLE_TEXT, WHOLE_TEXT))
def test_no_text_breaks_a_policy(values: tuple[str, str, str]) -> None:
    transcript = a_run(values)
    for policy in POLICIES:
        views = drive(policy, transcript)
        assert len(views) == len(transcript.requests())
        assert all(isinstance(view, Rendering) for shown in views for view in shown.values())


@pytest.mark.parametrize("name", ["identity", "swe_agent", "codex", "claude_code", "opencode", "deepagents", "hermes"])
def test_small_results_stand_as_they_are(name: str) -> None:
    for views in drive(name, conversation("a small result", "日本語", "")):
        assert [view.elided_bytes for view in views.values()] == [0] * len(views)
        assert [view.text for view in views.values()] == ["a small result", "日本語", ""][: len(views)]


def test_every_family_is_documented_and_knows_its_page() -> None:
    for name in FAMILIES:
        policy = make_policy(name)
        assert (type(policy.family).__doc__ or "").strip()
        assert policy.page_bytes is None or policy.page_bytes > 0
        assert policy.stage in ("admission", "history")
