"""The numbers that stand in a text: digits, English words, ordinals, fractions.

    for number in numbers(Folded("half a dozen of the 1,500")):
        number.value, number.rule        # 6, number words; 1500, number; and more

A text is evidence, not a formula: where it can be read in two ways (`1.500`, `twenty twenty`), both readings are
given. Parts of a number are no numbers: there is no 5 in `1.5` and no 404 in `14049`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from harness.grounding.folding import Folded, Word

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
_TENFOLD = "twenty thirty forty fifty sixty seventy eighty ninety"
_RANKS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth"""
_ONES = {name: value for value, name in enumerate(_SMALL.split())}
_TENS = {name: 10 * tens for tens, name in enumerate(_TENFOLD.split(), start=2)} | {"fourty": 40}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_LARGE = {"hundred": 100, **_SCALES}
_MULTIPLES = {**_LARGE, "grand": 10**3, "dozen": 12, "dozens": 12, "score": 20}
_SPACED = {**_MULTIPLES, "k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9}
_SCALE = re.compile(r" ?-?(?P<word>[^\W\d_]+)")
_ORDINALS = {name: value for value, name in enumerate(_RANKS.split(), start=1)} | {
    f"{name[:-1]}ieth": value for name, value in _TENS.items()
}
_FRACTIONS = {"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5,
              "tenth": 10, "tenths": 10}  # fmt: skip
_COUNTS = {"once": 1, "twice": 2, "thrice": 3, "couple": 2, "pair": 2, "dozen": 12, "single": 1, "double": 2,
           "triple": 3}  # fmt: skip
_SUFFIXES = {"k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9}
_DIGITS = re.compile(
    r"(?<![\w.])(?P<sign>[-+])?(?P<digits>\d+(?:[.,' ]\d{3})+(?:[.,]\d+)?(?![.,]?\d)|\d+(?:[.,]\d++(?!\.\d))?)"
    r"(?:/(?P<under>\d+)(?![\d/]))?(?P<after>[^\W\d_]*)"
)
_GLUED = re.compile(r"(?:st|nd|rd|th|[ap]m?|x|k|mn?|bn|km|cm|mm|mi|ft|kg|g|lb|oz|ml|l|ms|s|sec|min|mins|h|hr|hrs|d|w|"
                    r"kb|mb|gb|tb|hz|khz|c|f|kwh|w|v|db|px|pt|pp?|bpm|km|er|ers|º|c)?")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text. start, end: its place in `Folded.text`. fraction: whether it is a part of one ("half")."""

    value: Fraction
    start: int
    end: int
    rule: str
    fraction: bool = False


def numbers(folded: Folded) -> list[Number]:
    """All readings of all numbers, in the order of their starts."""
    found = [*_in_digits(folded), *_in_words(folded)]
    return sorted(found, key=lambda number: (number.start, -number.end))


def _in_digits(folded: Folded) -> Iterator[Number]:
    text = folded.text
    for match in _DIGITS.finditer(text):
        after = match["after"]
        if not (_GLUED.fullmatch(after) or not after.isascii()):
            continue
        start, end = match.start(), match.end("under") if match["under"] else match.end("digits")
        sign = -1 if match["sign"] == "-" else 1
        rule = "ordinal" if after in ("st", "nd", "rd", "th") else "number"
        scale = _SCALE.match(text, end) if not after and not match["under"] else None
        if scale and (times := _SPACED.get(scale["word"])):  # there is no 2 in "2 million"
            for value in _readings(match["digits"]):
                yield Number(sign * value * times, start, scale.end(), "number words")
            if scale["word"] in _LARGE:
                continue
        for value in _readings(match["digits"]):
            if not match["under"]:
                yield Number(sign * value, start, end, rule)
                if after in _SUFFIXES:
                    yield Number(sign * value * _SUFFIXES[after], start, match.end(), "number")
            elif int(match["under"]):
                yield from _mixed(text, Number(sign * value / int(match["under"]), start, end, rule, fraction=True))
        if not match["under"] and sign < 0:  # the dash of a range or a list
            for value in _readings(match["digits"]):
                yield Number(value, start + 1, end, rule)
        if _is_list(folded.original[slice(*folded.span(start, end))]):
            for part in re.finditer(r"\d+", text[start:end]):
                yield Number(Fraction(part[0]), start + part.start(), start + part.end(), rule)
        if match["after"] == "" and (tail := re.match(r"-(\d+(?:\.\d+)?)(?!\d)", text[end:])):
            yield Number(Fraction(tail[1]), end + 1, end + tail.end(), rule)


def _is_list(written: str) -> bool:
    """Whether digits may be two numbers side by side: `10,20` and `3/4`, but not `1,500`, `1.5` or `½`."""
    return "/" in written or bool(re.fullmatch(r"[-+]?\d+,(?:\d{1,2}|\d{4,})", written))


def _readings(digits: str) -> set[Fraction]:
    """`1,500` is 1500 or 1.5, as one writes here or there."""
    if digits.isdigit():
        return {Fraction(digits)}
    bare = digits.replace(" ", "").replace("'", "")
    last = max(bare.rfind("."), bare.rfind(","))
    if last < 0:
        return {Fraction(bare)}
    decimal = Fraction(re.sub("[.,]", "", bare[:last]) + "." + bare[last + 1 :])
    if len(bare) - last == 4 and bare[:last].strip("0"):
        grouped = Fraction(re.sub("[.,]", "", bare))
        return {grouped} if bare.count(bare[last]) > 1 else {grouped, decimal}
    return {decimal}


def _mixed(text: str, part: Number) -> Iterator[Number]:
    """`2 1/2` beside `1/2`."""
    yield part
    if whole := re.search(r"(?<![\w.,])(\d+)(?: | ?(?:and|&) )$", text[: part.start]):
        yield Number(int(whole[1]) + part.value, whole.start(), part.end, part.rule)


def _in_words(folded: Folded) -> Iterator[Number]:
    words = folded.words
    at = 0
    while at < len(words):
        number = _spelled(folded.text, words, at)
        if number is None:
            yield from _single(folded.text, words, at)
            at += 1
            continue
        yield from number
        at = next(i for i in range(at, len(words) + 1) if i == len(words) or words[i].start >= number[0].end)


def _spelled(text: str, words: tuple[Word, ...], at: int) -> list[Number] | None:
    """A number in words that starts at this word, with its other readings behind it; the longest comes first."""
    start, negative = at, words[at].text in ("minus", "negative") and at + 1 < len(words)
    at += negative
    if (
        words[at].text in ("a", "an")
        and at + 1 < len(words)
        and words[at + 1].text in ("hundred", "thousand", "million")
    ):
        value, end = _cardinal(words, at + 1, Fraction(1))
    else:
        value, end = _cardinal(words, at, None)
    found: list[Number] = []
    if value is None:
        return None
    sign = -1 if negative else 1
    rule = "number words"

    def add(value: Fraction, past: int, rule: str) -> None:
        found.append(Number(sign * value, words[start].start, words[past - 1].end, rule))

    add(value, end, rule)
    # one hundred and first; twenty-second
    if end < len(words) and (ordinal := _ORDINALS.get(words[end].text)) and ordinal < 10 and value % 10 == 0 and value:
        add(value + ordinal, end + 1, "ordinal")
    # two point five
    if end + 1 < len(words) and words[end].text in ("point", "dot") and words[end + 1].text in _ONES:
        past, decimals = end + 1, ""
        while past < len(words) and (digit := _ONES.get(words[past].text, 10)) < 10:
            decimals += str(digit)
            past += 1
        add(value + Fraction(f"0.{decimals}") if decimals else value, past, rule)
    # two and a half; three quarters
    if (part := _and_a_part(words, end)) is not None:
        add(value + part[0], part[1], rule)
    if end < len(words) and (under := _FRACTIONS.get(words[end].text)) and value < under:
        add(value / under, end + 1, "fraction")
        found[-1] = Number(found[-1].value, found[-1].start, found[-1].end, "fraction", fraction=True)
    for number in found.copy():
        if times := _times(words, number.end):
            add(sign * number.value * times[0], times[1], rule)
    if (digits := _digit_by_digit(words, at)) is not None:
        add(Fraction(digits[0]), digits[1], "spoken digits")
    if (year := _pairs(words, at)) is not None:
        add(year[0], year[1], rule)
    found.sort(key=lambda number: -number.end)
    return found


def _times(words: tuple[Word, ...], end: int, of: bool = False) -> tuple[int, int] | None:
    """What a word behind a number multiplies it by, and the word behind that: the `thousand` of "two and a half
    thousand"; of: also behind "a", "of a", "of"."""
    past = next((at for at, word in enumerate(words) if word.start >= end), len(words))
    while of and past < len(words) and words[past].text in ("of", "a", "an"):
        past += 1
    if past == len(words) or not (times := _MULTIPLES.get(words[past].text)):
        return None
    return times, past + 1


def _cardinal(words: tuple[Word, ...], at: int, start: Fraction | None) -> tuple[Fraction | None, int]:
    """The cardinal number that starts here, or None; and the word behind it."""
    total, current, last = Fraction(0), start, "one" if start else ""
    end = at
    while end < len(words):
        word = words[end].text
        step = end
        if word == "and" and last in ("hundred", "scale") and end + 1 < len(words):
            step, word = end + 1, words[end + 1].text
        if word in _ONES and (last in ("", "hundred", "scale") or (last == "tens" and 0 < _ONES[word] < 10)):
            current, last = (current or Fraction(0)) + _ONES[word], "one"
        elif word in _TENS and last in ("", "hundred", "scale"):
            current, last = (current or Fraction(0)) + _TENS[word], "tens"
        elif word == "hundred" and last in ("one", "tens") and current:
            current, last = current * 100, "hundred"
        elif word in _SCALES and last in ("one", "tens", "hundred") and current:
            total, current, last = total + current * _SCALES[word], Fraction(0), "scale"
        else:
            break
        end = step + 1
    if current is None:
        return None, at
    return total + current, end


def _and_a_part(words: tuple[Word, ...], at: int) -> tuple[Fraction, int] | None:
    """`and a half`, `and three quarters` behind a number: what it adds, and the word behind it."""
    if at + 1 >= len(words) or words[at].text != "and":
        return None
    at += 1
    over = _ONES.get(words[at].text, 0)
    if words[at].text in ("a", "one") or over:
        over = over or 1
        at += 1
    else:
        over = 1
    if at < len(words) and (under := _FRACTIONS.get(words[at].text)) and over < under:
        return Fraction(over, under), at + 1
    return None


def _digit_by_digit(words: tuple[Word, ...], at: int) -> tuple[str, int] | None:
    """`nine one one`: two or more spoken digits, as text, since zeros in front count; and the word behind them."""
    digits = ""
    while at < len(words):
        word = words[at].text
        repeat = {"double": 2, "triple": 3}.get(word, 1)
        if repeat > 1 and at + 1 < len(words):
            at, word = at + 1, words[at + 1].text
        digit = 0 if word in ("oh", "o") else _ONES.get(word, 10)
        if digit > 9:
            break
        digits += str(digit) * repeat
        at += 1
    return (digits, at) if len(digits) > 1 else None


def spoken_digits(folded: Folded) -> Iterator[tuple[str, int, int]]:
    """Runs of spoken digits as they would be written, with their places in `Folded.text`."""
    words, at = folded.words, 0
    while at < len(words):
        found = _digit_by_digit(words, at)
        if found is not None:
            yield found[0], words[at].start, words[found[1] - 1].end
        at = at + 1 if found is None else found[1]


def _pairs(words: tuple[Word, ...], at: int) -> tuple[Fraction, int] | None:
    """`nineteen eighty four`, `twenty twenty-six`: a year or a house number in two halves."""
    first, end = _below_hundred(words, at)
    if first is None or first < 10:
        return None
    second, past = _below_hundred(words, end)
    if second is None or second < 10:
        return None
    return Fraction(first * 100 + second), past


def _below_hundred(words: tuple[Word, ...], at: int) -> tuple[int | None, int]:
    if at >= len(words):
        return None, at
    word = words[at].text
    if word in _ONES:
        return _ONES[word], at + 1
    if word not in _TENS:
        return None, at
    if at + 1 < len(words) and 0 < (one := _ONES.get(words[at + 1].text, 0)) < 10:
        return _TENS[word] + one, at + 2
    return _TENS[word], at + 1


def _single(text: str, words: tuple[Word, ...], at: int) -> Iterator[Number]:
    """What one word says by itself: an ordinal, a fraction, a count."""
    word = words[at]
    before = words[at - 1].text if at else ""
    if word.text in _ORDINALS and not (
        word.text == "second" and (before in ("a", "per", "every") or _is_number(before))
    ):
        yield Number(Fraction(_ORDINALS[word.text]), word.start, word.end, "ordinal")
    if word.text in _FRACTIONS:
        nothing = word.text.endswith("s")
        if not nothing:
            value = Fraction(1, _FRACTIONS[word.text])
            yield Number(value, word.start, word.end, "fraction", fraction=True)
            if times := _times(words, word.end, of=True):  # half a million
                yield Number(value * times[0], word.start, words[times[1] - 1].end, "number words")
    if word.text in _COUNTS:
        count = Fraction(_COUNTS[word.text])
        yield Number(count, word.start, word.end, "number words")
        if times := _times(words, word.end, of=True):  # a couple of thousand
            yield Number(count * times[0], word.start, words[times[1] - 1].end, "number words")
        if word.text == "dozen" and (part := _and_a_part(words, at + 1)) is not None:
            yield Number(count * (1 + part[0]), word.start, words[part[1] - 1].end, "number words")


def _is_number(word: str) -> bool:
    return word.isdigit() or word in _ONES or word in _TENS
