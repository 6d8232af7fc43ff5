"""Names that a chat-completions server takes, and back."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from harness.engines.wire_names import WireNames


@given(st.lists(st.text(), unique=True, max_size=20))
def test_every_name_comes_back(names: list[str]) -> None:
    found = WireNames(names)
    wire = [found.wire(name) for name in names]
    assert len(set(wire)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in wire)
    assert [found.own(name) for name in wire] == names


def test_good_names_stay_and_unknown_ones_too() -> None:
    found = WireNames(["set_light", "a.b", "a_b"])
    assert [found.wire(name) for name in ("set_light", "a.b", "a_b")] == ["set_light", "a_b", "a_b_2"]
    assert found.own("made_up") == "made_up"
