"""The counter: the same counts from the memo, the disk and the tokenizer."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import HarnessError
from harness.tokens import counter as counter_module
from harness.tokens.counter import SHORT, TokenCounter, open_counter
from harness.tokens.exact import ExactTokenizer
from harness.tokens.store import CountStore
from tests.tokens.awkward import AWKWARD, TEXTS, WITH_SURROGATES

EXACT = ExactTokenizer("o200k_base")
LONG = "".join(AWKWARD) * 6
LONG_TEXTS = [f"{number}\n" + LONG for number in range(30)]


def plant(counter: TokenCounter, text: str, count: int) -> None:
    """Put a count into the store that no tokenizer would give, to see whether it is asked."""
    assert counter._store is not None
    counter._store.put(counter._digest(text), count)


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(st.one_of(TEXTS, WITH_SURROGATES, TEXTS.map(lambda text: text * 20)), max_size=6))
def test_every_way_gives_the_exact_count(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    exact = [EXACT.count(text) for text in texts]
    folder = tmp_path_factory.mktemp("counts")
    with TokenCounter("o200k_base", CountStore(folder)) as counter:
        assert counter.count_many(texts) == exact
        assert [counter.count(text) for text in texts] == exact
    with TokenCounter("o200k_base", CountStore(folder)) as counter:
        assert [counter.count(text) for text in texts] == exact
        assert counter.count_many(iter(texts)) == exact
    assert [TokenCounter("o200k_base").count(text) for text in texts] == exact


def test_the_long_texts_are_long() -> None:
    assert len(LONG) > SHORT


def test_awkward_texts_long_enough_for_a_digest() -> None:
    counter = TokenCounter("o200k_base")
    for text in [*AWKWARD, "\ud83d", "\ud83d\ude00"]:
        long = text * (SHORT + 1)
        assert counter.count(long) == EXACT.count(long)


def test_a_later_run_asks_the_store(tmp_path: Path) -> None:
    with TokenCounter("o200k_base", CountStore(tmp_path)) as counter:
        plant(counter, LONG, 1_000_001)
        plant(counter, LONG + "!", 1_000_002)
    with TokenCounter("o200k_base", CountStore(tmp_path)) as counter:
        assert counter.count(LONG) == 1_000_001
        assert counter.count_many([LONG + "!", LONG, LONG + "?"])[:2] == [1_000_002, 1_000_001]


def test_what_is_counted_reaches_the_store(tmp_path: Path) -> None:
    with TokenCounter("o200k_base", CountStore(tmp_path)) as counter:
        counts = counter.count_many(LONG_TEXTS)
        keys = [counter._digest(text) for text in LONG_TEXTS]
    assert CountStore(tmp_path).get_many(keys) == dict(zip(keys, counts, strict=True))


def test_a_count_depends_on_the_encoding_and_on_the_tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def digest(encoding: str, tokenizer: str = "tiktoken") -> bytes:
        return TokenCounter(encoding, tokenizer=tokenizer)._digest(LONG)

    monkeypatch.setitem(counter_module.TOKENIZERS, "other", "harness.tokens.exact:ExactTokenizer")
    keys = {digest("o200k_base"), digest("cl100k_base"), digest("o200k_harmony"), digest("o200k_base", "other")}
    monkeypatch.setattr(counter_module, "tiktoken_version", lambda: "0.14.99")
    keys.add(digest("o200k_base"))
    monkeypatch.setattr(counter_module, "SCHEME", 2)
    keys.add(digest("o200k_base"))
    assert len(keys) == 6


def test_encodings_share_a_store(tmp_path: Path) -> None:
    text = "日本語のテキスト " * 100
    store = CountStore(tmp_path)
    counts = [TokenCounter(encoding, store).count(text) for encoding in ("o200k_base", "cl100k_base") * 2]
    assert counts[0] != counts[1]
    assert counts[:2] == counts[2:]
    store.close()


def test_the_memo_is_bounded_and_still_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counter_module, "LONG_KEPT", 4)
    counter = TokenCounter("o200k_base")
    counts = counter.count_many(LONG_TEXTS)
    assert counts == [EXACT.count(text) for text in LONG_TEXTS]
    assert len(counter._recent) <= 4
    assert len(counter._older) <= 4
    assert [counter.count(text) for text in LONG_TEXTS] == counts


def test_what_is_used_again_stays_in_the_memo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counter_module, "LONG_KEPT", 4)
    counter = TokenCounter("o200k_base")
    counter._remember(counter._digest(LONG), 1_000_003)
    for text in LONG_TEXTS:
        counter.count(text)
        assert counter.count(LONG) == 1_000_003


def test_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HARNESS_CACHE", "off")
    with open_counter("o200k_base") as counter:
        assert counter.count(LONG) == EXACT.count(LONG)
    assert not (tmp_path / "cache").exists()
    monkeypatch.delenv("HARNESS_CACHE")
    with open_counter("o200k_base") as counter:
        counter.count(LONG)
        counter.flush()
        assert (tmp_path / "cache").is_dir()
    monkeypatch.setenv("HARNESS_CACHE", "perhaps")
    with pytest.raises(HarnessError, match="HARNESS_CACHE is 'perhaps': set it to on or off"):
        open_counter("o200k_base")


def test_unknown_names_list_what_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HarnessError, match=r"no encoding called 'x'.*o200k_base"):
        TokenCounter("x")
    monkeypatch.setenv("HARNESS_CACHE", "off")
    monkeypatch.setenv("HARNESS_TOKENIZER", "fastest")
    with pytest.raises(HarnessError, match=r"no tokenizer called 'fastest'.*tiktoken, toktok"):
        open_counter("o200k_base")
