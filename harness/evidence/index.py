"""Which messages of a transcript hold which pieces of its actions.

Every message is read once, into its words; of these only the words of pieces that may be atoms are kept. A piece is
then looked for only in messages that have all of its words, which are few, because such pieces are rare by choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from harness.evidence.atoms import Argument
from harness.evidence.occurrences import place
from harness.evidence.plain import Plain, plain, units, units_and_lines
from harness.evidence.prompts import TOOLS
from harness.transcript import Message, Transcript

RUN_WORDS = 8
"""A copied run has at least so many words (signs, in scripts without spaces)."""
GRAM = 5
STRIDE = RUN_WORDS - GRAM + 1
"""Of an action every fourth run of five words is looked for: any run of eight holds one of these."""

Gram = tuple[str, ...]


class Index:
    """texts: per message index the plain text that a model could have learnt from it (`TOOLS` for the tool
    definitions).

    results: of the messages that hold tool results, with the way back to the value. grams: per run of `RUN_WORDS`
    words of an action, the results that hold these words in this order. words: of each text of
    an action, with the ends of its lines, which no gram of a result holds.
    """

    def __init__(
        self, transcript: Transcript, actions: Mapping[int, tuple[Argument, ...]], wanted: frozenset[str]
    ) -> None:
        """actions: what may be looked up, by index of its message. wanted: all units of the pieces in it."""
        self.texts: dict[int, str] = {}
        self.results: dict[int, Plain] = {}
        self.grams: dict[Gram, list[int]] = {}
        self._wanted = wanted
        self._messages: dict[str, list[int]] = {}
        self._found: dict[str, list[int]] = {}
        self._near: dict[int, int] = {}
        self.words = {a.text: units_and_lines(a.text) for arguments in actions.values() for a in arguments}
        grams: set[Gram] = set()
        for words in self.words.values():
            grams.update(sparse_grams(words))
        if transcript.tools:
            self._add(TOOLS, *_read_once("\n".join(transcript.tools)))
        for i, message in enumerate(transcript.messages):
            if message.result is not None:
                self.results[i] = Plain(message.result.value)
                words = units(self.results[i].text)
                self._add(i, self.results[i].text, words)
                for gram in grams.intersection(_grams(words)):
                    self.grams.setdefault(gram, []).append(i)
            elif message.role == "assistant":
                text = _own_words(message, actions.get(i, ()), transcript.resends_reasoning)
                self._add(i, text, self.words.get(text) or units(text))
            else:
                self._add(i, *_read_once(message.text))

    def _add(self, index: int, text: str, words: list[str] | frozenset[str]) -> None:
        self.texts[index] = text
        for word in self._wanted.intersection(words):
            self._messages.setdefault(word, []).append(index)

    def messages(self, piece: str) -> list[int]:
        """The messages that hold a piece of an action, in order."""
        known = self._found.get(piece)
        if known is None:
            known = self._found[piece] = self._search(piece)
        return known

    def _search(self, piece: str) -> list[int]:
        if piece.isascii() and piece.isidentifier():
            return self._messages.get(piece, [])
        words = units(piece)
        held = sorted((self._messages.get(word, []) for word in {*words} & self._wanted), key=len)
        if not held:
            return [i for i in self.texts if self.holds(i, piece)]
        rarest, *others = held
        few = set(rarest).intersection(*(o for o in others if len(o) <= 8 * len(rarest)))
        return [i for i in sorted(few) if self.holds(i, piece)]

    def holds(self, message: int, piece: str) -> bool:
        """Whether a message holds a piece of an action."""
        at = place(piece, self.texts[message], self._near.get(message, 0))
        if at >= 0:
            self._near[message] = at
        return at >= 0


def _grams(words: list[str]) -> Iterator[Gram]:
    return zip(*(words[n:] for n in range(GRAM)), strict=False)


def sparse_grams(words: list[str]) -> Iterator[Gram]:
    """Of an action's words the runs that are looked for: those at word 0, `STRIDE`, 2 `STRIDE`, ..."""
    return zip(*(words[n::STRIDE] for n in range(GRAM)), strict=False)


@lru_cache(maxsize=256)
def _read_once(text: str) -> tuple[str, frozenset[str]]:
    """System prompts, tool definitions and tasks are the same in many transcripts."""
    text = plain(text)
    return text, frozenset(units(text))


def _own_words(message: Message, arguments: tuple[Argument, ...], resends_reasoning: bool) -> str:
    """What an assistant message puts into later prompts, in plain form."""
    if arguments and arguments[0].call < 0:
        text = arguments[0].text
    else:
        calls = [part for call in message.calls for part in (call.name, call.arguments)]
        text = plain("\n".join([message.text, *calls]))
    return f"{text}\n{plain(message.reasoning)}" if resends_reasoning and message.reasoning else text
