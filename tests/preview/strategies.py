"""JSON values and budgets for property tests, hostile strings included."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from harness.preview import Budgets

# The same examples in every run, and no clock: the machine that runs them may be busy.
bounded = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

AWKWARD = list('aé€😀\u0301\u200d\u2028\n\r\t"\\\0$./')
any_text = st.text(st.sampled_from([*AWKWARD, "\ud800", "\udfff"]) | st.characters(exclude_categories=()), max_size=12)
good_text = st.text(st.sampled_from(AWKWARD) | st.characters(codec="utf-8"), max_size=12)


def json_values(text: st.SearchStrategy[str], numbers: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Values a few levels deep, with long texts, wide objects and integers beyond 64 bits among them."""
    long = st.builds(lambda part, times: part * times, text, st.integers(0, 60))
    wide = st.builds(lambda count, value: {f"k{n}": value for n in range(count)}, st.integers(0, 30), text)
    return st.recursive(
        st.none() | st.booleans() | numbers | text | long | wide,
        lambda inner: st.lists(inner, max_size=7) | st.dictionaries(text, inner, max_size=4),
        max_leaves=8,
    )


any_json = json_values(any_text, st.integers(-(2**70), 2**70) | st.floats())
good_json = json_values(good_text, st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False))

budgets = st.builds(
    Budgets,
    text_head_bytes=st.integers(0, 60),
    text_tail_bytes=st.integers(0, 60),
    seq_head=st.integers(0, 4),
    seq_tail=st.integers(0, 4),
    element_bytes=st.integers(0, 50),
    key_limit=st.integers(0, 12),
    keys_named=st.integers(0, 6),
    row_keys=st.integers(0, 4),
    row_value_bytes=st.integers(0, 30),
)
