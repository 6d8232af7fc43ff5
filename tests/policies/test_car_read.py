"""`car_read`: CAR's preview, and the tool that shows a part of the rest."""

from __future__ import annotations

import pytest

from harness.errors import HarnessError
from harness.policies.spec import make_policy
from harness.testing.policies import conversation, drive, result


def test_it_shows_what_car_shows_and_names_the_tool() -> None:
    run = conversation("x" * 5000)
    plain, more = drive("car", run)[-1], drive("car_read", run)[-1]
    (index,) = plain
    assert more[index].text.startswith(plain[index].text)
    assert 'read_handle(handle="r1", offset=0)' in more[index].text
    assert more[index].elided_bytes == plain[index].elided_bytes > 0
    assert (plain[index].reach, more[index].reach) == ("handle-arg", "handle-read")


def test_what_is_shown_in_full_needs_no_tool() -> None:
    run = conversation("short")
    assert drive("car_read", run) == drive("car", run)


def test_a_slice_stands_as_it_is() -> None:
    run = make_policy("car_read").start(conversation())
    assert run.admit(1, result("y" * 2000, "read_handle"), None).text == "y" * 2000


def test_its_page_is_a_setting() -> None:
    assert make_policy("car_read").page_bytes == 2000
    assert make_policy("car_read:page=4k").page_bytes == 4000
    with pytest.raises(HarnessError, match="page is 0"):
        make_policy("car_read:page=0")
