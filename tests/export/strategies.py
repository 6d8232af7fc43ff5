"""Transcripts of any shape that an exporter must be able to write."""

from __future__ import annotations

from hypothesis import strategies as st

from harness.formats.json_text import compact
from harness.transcript import Message, Role, ToolCall, ToolResult, Transcript, Usage

TEXT = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["", "\u2028", "<script>", "\x00", "\ud800x", '{"a": [1, 2]}', "a\r\nb", "=cmd()", "\x1b[31mred"]),
)
NAMES = st.sampled_from(["bash", "read_file", "search", "mcp__db__query"])
ARGUMENTS = st.dictionaries(st.text(max_size=6), st.one_of(st.integers(-999, 999), TEXT, st.none()), max_size=3)
TIMES = st.integers(1_600_000_000_000, 1_800_000_000_000).map(lambda ms: ms / 1000)


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    fresh, cached, written = draw(st.tuples(*[st.integers(0, 90_000)] * 3))
    return Usage(fresh + cached + written + 1, cached, written, draw(st.integers(2_000, 90_000)))


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    """A run whose calls have ids of their own, answered in any order, some of them never."""
    messages: list[Message] = []
    unanswered: list[tuple[int, int]] = []
    for number in range(draw(st.integers(1, 8))):
        role = draw(st.sampled_from(["system", "user", "assistant", "assistant", "tool", "tool"]))
        time = draw(TIMES)
        if role == "tool" and unanswered:
            at = unanswered.pop(draw(st.integers(0, len(unanswered) - 1)))
            call = messages[at[0]].calls[at[1]]
            result = ToolResult(draw(TEXT), call.name, call.call_id, at)
            messages.append(Message("tool", result=result, time=time))
        elif role == "assistant":
            calls = tuple(
                ToolCall(draw(NAMES), compact(draw(ARGUMENTS)), f"toolu_{number}_{position}")
                for position in range(draw(st.integers(0, 3)))
            )
            unanswered += [(len(messages), position) for position in range(len(calls))]
            messages.append(
                Message(
                    "assistant",
                    draw(TEXT),
                    calls=calls,
                    reasoning=draw(TEXT),
                    message_id=f"msg_{number:024}",
                    model="m-1",
                    time=time,
                    usage=draw(usages()),
                )
            )
        else:
            other: Role = "system" if role == "system" else "user"
            messages.append(Message(other, draw(TEXT), time=time))
    return Transcript(
        id=draw(st.text(max_size=12)),
        format="made-up",
        messages=tuple(messages),
        cluster=draw(st.sampled_from(["", "orders", "django/django"])),
        model="m-1",
        tools=draw(st.sampled_from([None, (), ('{"name":"bash"}', '{"name":"read_file"}')])),
    )
