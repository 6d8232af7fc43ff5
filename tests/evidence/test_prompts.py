from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.evidence.prompts import TOOLS, shown_prompts
from harness.transcript import Cut, Message, Transcript
from tests.evidence.planted import answer, result, transcript, user

MESSAGES = st.lists(
    st.sampled_from([user("u"), result("r"), answer("a"), Message("assistant", "c", copied=True)]), max_size=20
)


@st.composite
def cut_runs(draw: st.DrawFn) -> Transcript:
    messages = draw(MESSAGES)
    places = sorted(draw(st.lists(st.integers(0, len(messages)), max_size=4)))
    cuts = tuple(
        Cut(at, tuple(sorted(draw(st.sets(st.sampled_from(range(at)))) if at else ())), "compacted") for at in places
    )
    return transcript(*messages, cuts=cuts)


@given(cut_runs())
def test_it_is_what_the_transcript_says(run: Transcript) -> None:
    everything = [TOOLS, *range(len(run.messages))]
    expected = [(i, [TOOLS, *shown]) for i, shown in ((i, list(shown)) for i, shown in run.prompts())]
    assert [(shown.message, shown.of(everything)) for shown in shown_prompts(run)] == expected
