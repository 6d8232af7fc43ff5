"""CAR's policy with one thing more: a tool that shows a slice of what a handle holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.errors import HarnessError
from harness.policies.car import Car
from harness.policies.family import Arrival
from harness.policies.rendering import Rendering

READ_TOOL = "read_handle"


@dataclass(frozen=True, kw_only=True)
class CarRead(Car):
    """`car`, where the hint also names `read_handle`, which shows `page` bytes of the whole value.

    The slice is a result like any other; by default it is exempt, since it would be previewed again. This is no policy
    of the reference: it answers what such a tool would buy.
    """

    page: int = 2000
    exempt: tuple[str, ...] = (READ_TOOL,)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.page < 1:
            raise HarnessError(f"page is {self.page}: give the bytes that one call of {READ_TOOL} shows, 1 or more")

    @property
    def page_bytes(self) -> int | None:
        return self.page

    @property
    def notice(self) -> str:
        return super().notice + read_hint("rN")

    def preview(self, arrival: Arrival, handle: str) -> Rendering:
        view = super().preview(arrival, handle)
        return replace(view, reach="handle-read") if view.elided_bytes else view

    def pieces(self, arrival: Arrival, handle: str) -> tuple[str, ...]:
        *first, last = super().pieces(arrival, handle)
        return *first, last + read_hint(handle) * (self.elided(arrival) > 0)


def read_hint(handle: str) -> str:
    """What tells the model of the tool."""
    return (
        f'\n[{READ_TOOL}(handle="{handle}", offset=0) shows a part of it, {READ_TOOL}(handle, around="text") a place]'
    )
