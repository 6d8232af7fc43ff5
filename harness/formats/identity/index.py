"""The answers of a corpus, and which of them are one.

Two answers are one if they have the provider's id (of the answer, or of its calls), the model and the content in
common; without an id, content and time; without both, if they stand in a common beginning of whole messages with five
answers or more, in a whole file of the same name and content, or in the part that a recording says it took from
another. Between two answers that are one in a recording and its conversion, as many answers are one. Where an answer
stands in several places, its request is counted where it is whole and earliest, and in a recording before its
conversion. The order in which transcripts are added changes nothing.

Memory, measured on 10,000 transcripts with a million answers of two parts, a third of them followed by a large result:
90 MB while they are gathered, 296 MB at the peak of `copies`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from harness.formats.identity.copies import Copies, Kind, Pair
from harness.formats.identity.same_work import same_work
from harness.formats.identity.trace import ANSWER, CONVERTED, STRONG, UNKNOWN, USED, Trace

PREFIX = 5
"""Answers of a common beginning from which it is evidence by itself."""
Rows = NDArray[np.void]


class Index:
    """Add the trace of every transcript, then ask for `copies`."""

    def __init__(self) -> None:
        self._traces: list[Trace] = []

    def add(self, trace: Trace) -> None:
        self._traces.append(trace)

    def copies(self, keep_same_work: bool = False) -> Copies:
        """Whose requests are counted elsewhere, and the pairs. `keep_same_work`: leave nothing out for being the same
        work, only for having the same answers."""
        found = _Found(sorted(self._traces, key=lambda t: t.id)).copies()
        if not keep_same_work:
            return found
        kept = {pair.copy for pair in found.pairs if pair.kind == "same work"}
        pairs = (replace(pair, left=pair.left and pair.copy not in kept) for pair in found.pairs)
        return replace(found, left=found.left - kept, pairs=tuple(pairs))


@dataclass(frozen=True)
class _Place:
    """What decides where an answer is counted, after how whole it is there: the smallest."""

    packed: bool
    converted: bool
    shorter: bool
    forked: bool
    went_on: float
    name: str

    def __lt__(self, other: _Place) -> bool:
        return self._key < other._key

    @property
    def _key(self) -> tuple[bool, bool, bool, bool, float, str]:
        return (self.packed, self.converted, self.shorter, self.forked, self.went_on, self.name)


class _Found:
    def __init__(self, traces: list[Trace]) -> None:
        self.traces = traces
        self.starts = np.cumsum([0, *(len(t.answers) for t in traces)])
        self.rows: Rows = np.concatenate([np.zeros(0, ANSWER), *(t.answers for t in traces)])
        for number in range(len(traces)):
            self.rows["transcript"][self.starts[number] : self.starts[number + 1]] = number
        self._parts = np.concatenate([np.zeros(0, np.uint64), *(t.pieces for t in traces)])
        self._ends = np.cumsum(self.rows["pieces"], dtype=np.int64)
        self._above = np.arange(len(self.rows))
        self._without_answers: set[int] = set()  # copies of transcripts that hold none

    def _pieces(self, at: int) -> set[int]:
        """The parts of an answer."""
        return set(self._parts[self._ends[at] - self.rows["pieces"][at] : self._ends[at]].tolist())

    def copies(self) -> Copies:
        self._by_id()
        self._by_calls()
        self._by_time()
        self._by_claim()
        self._by_chain()
        self._by_file()
        self._by_neighbours()
        return self._result()

    def _top(self, at: int) -> int:
        above = self._above
        while above[at] != at:
            above[at] = above[above[at]]
            at = int(above[at])
        return at

    def _join(self, one: int, other: int) -> None:
        a, b = self._top(one), self._top(other)
        if a != b:
            self._above[max(a, b)] = min(a, b)

    def _groups(self, *names: str, among: NDArray[np.bool_]) -> Iterator[NDArray[np.int64]]:
        """Answers that agree in these fields, two or more."""
        chosen = np.flatnonzero(among)
        chosen = chosen[np.lexsort([self.rows[name][chosen] for name in names])]
        changes = np.zeros(max(len(chosen) - 1, 0), dtype=bool)
        for name in names:
            changes |= np.diff(self.rows[name][chosen]) != 0
        breaks = np.flatnonzero(changes) + 1
        for start, end in zip([0, *breaks], [*breaks, len(chosen)], strict=True):
            if end - start > 1:
                yield chosen[start:end]

    def _trace(self, at: int) -> Trace:
        return self.traces[int(self.rows["transcript"][at])]

    def _apart(self, one: int, other: int) -> bool:
        """Whether the source names the two runs apart, as trials of one task."""
        a, b = self._trace(one), self._trace(other)
        return (a.named_run or b.named_run or bool(a.run[1:] and b.run[1:])) and a.run != b.run

    def _by_id(self) -> None:
        for group in self._groups("id", among=self.rows["id"] != 0):
            whole = sorted(map(int, group), key=lambda at: (-int(self.rows["pieces"][at]), at))
            classes: list[tuple[int, set[int]]] = []
            for at in whole:
                parts = self._pieces(at)
                same = next((first for first, all_parts in classes if parts <= all_parts and self._one(first, at)), -1)
                if same < 0:
                    classes.append((at, parts))
                else:
                    self._join(same, at)

    def _one(self, one: int, other: int) -> bool:
        """Whether answers of one id and content are one."""
        a, b = self.rows[one], self.rows[other]
        if (a["model"] and b["model"] and a["model"] != b["model"]) or self._apart(one, other):
            return False
        if a["flags"] & STRONG:
            return True
        if a["transcript"] == b["transcript"]:
            return bool(a["time"] == b["time"] != UNKNOWN)
        return bool(a["time"] == b["time"] or UNKNOWN in (a["time"], b["time"]))

    def _by_calls(self) -> None:
        """Conversions drop the answer's id and keep those of its calls, which the provider gave as well."""
        for group in self._groups("content", "calls", among=self.rows["calls"] != 0):
            self._join_unnamed(list(map(int, group)))

    def _by_time(self) -> None:
        for group in self._groups("content", "time", among=self.rows["time"] != UNKNOWN):
            exact = bool(self.rows["time"][group[0]] % 1000)
            contexts: dict[int, list[int]] = defaultdict(list)
            for at in map(int, group):
                contexts[0 if exact else int(self.rows["before"][at])].append(at)
            for alike in contexts.values():
                self._join_unnamed(alike)

    def _join_unnamed(self, alike: list[int]) -> None:
        """Join what has no id, or one, across transcripts: the first in one with the first in the other, and so on."""
        ids = {int(i) for i in self.rows["id"][alike] if i}
        models = {int(m) for m in self.rows["model"][alike] if m}
        if len(models) > 1 or len(ids) > 1:
            return
        first, *others = self._by_transcript(alike)
        for other in others:
            for one, same in zip(first, other, strict=False):
                if not self._apart(one, same):
                    self._join(one, same)

    def _by_transcript(self, answers: list[int]) -> list[list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for at in sorted(answers):
            found[int(self.rows["transcript"][at])].append(at)
        return list(found.values())

    def _by_claim(self) -> None:
        """What a recording says it took from another: a beginning with the other's answers, in their order."""
        sessions: dict[str, list[int]] = defaultdict(list)
        for number, trace in enumerate(self.traces):
            if trace.session:
                sessions[trace.session].append(number)
        for number, trace in enumerate(self.traces):
            for origin in sessions.get(trace.forked_from, ()) if trace.forked_from else ():
                if origin == number:
                    continue
                theirs = self.rows[self.starts[origin] : self.starts[origin + 1]]["content"]
                own = self.rows[self.starts[number] : self.starts[number + 1]]["content"]
                for n, (a, b) in enumerate(zip(theirs, own, strict=False)):
                    if a != b:
                        break
                    self._join(int(self.starts[origin]) + n, int(self.starts[number]) + n)

    def _by_chain(self) -> None:
        """A common beginning that is long, or holds an answer that is known to be one by its marks."""
        bare = (self.rows["id"] == 0) & (self.rows["time"] == UNKNOWN)
        for group in self._groups("chain", among=np.ones(len(self.rows), dtype=bool)):
            members = list(map(int, group))
            if not bare[members].any():
                continue
            named = next((at for at in members if not bare[at]), members[0])
            for at in members:
                if at != named and bare[at] and not self._branches(named, at):
                    a, b = (int(self.starts[self.rows["transcript"][one]]) for one in (named, at))
                    pairs = [(a + n, b + n) for n in range(at - b + 1)]
                    if len(pairs) >= PREFIX or any(self._top(x) == self._top(y) for x, y in pairs):
                        for x, y in pairs:
                            if bare[y]:
                                self._join(x, y)

    def _by_file(self) -> None:
        """Short transcripts without id and time are copies only as a whole, and under the same name of a file."""
        whole: dict[tuple[str, tuple[str, ...], int, int], list[int]] = defaultdict(list)
        for number, trace in enumerate(self.traces):
            file = trace.id.partition("#")[0].replace("!", "/").rpartition("/")[2]
            whole[file, trace.run, trace.end, trace.messages].append(number)
        for first, *others in whole.values():
            for other in others:
                self._without_answers |= {other} if not len(self.traces[other].answers) else set()
                for a, b in zip(*(range(self.starts[n], self.starts[n + 1]) for n in (first, other)), strict=True):
                    if not self.rows["id"][b] and self.rows["time"][b] == UNKNOWN:
                        self._join(a, b)

    def _by_neighbours(self) -> None:
        """Answers between two that are one in both formats are one too, where they are as many: a conversion spells
        some calls in another way, but what led to one answer of the provider was said once."""
        shared: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for group in self._classes():
            by_transcript = self._by_transcript(list(map(int, group)))
            for one, other in combinations((members[0] for members in by_transcript), 2):
                shared[int(self.rows["transcript"][one]), int(self.rows["transcript"][other])].append((one, other))
        for (a, b), pairs in shared.items():
            if self.traces[a].format == self.traces[b].format:
                continue
            latest = int(self.starts[a]) - 1, int(self.starts[b]) - 1
            for one, other in sorted(pairs):
                between = one - latest[0]
                if between == other - latest[1]:
                    for n in range(1, between):
                        self._join(latest[0] + n, latest[1] + n)
                latest = one, other

    def _branches(self, one: int, other: int) -> bool:
        """Whether a common beginning is none of one run: the source names them apart, or as runs of a benchmark, which
        begin alike and are copies only as a whole."""
        a, b = self._trace(one), self._trace(other)
        if a is b or a.run != b.run or a.is_sub_agent != b.is_sub_agent:
            return True
        return (a.named_run or b.named_run) and (a.end, a.messages) != (b.end, b.messages)

    def _result(self) -> Copies:
        classes = list(self._classes())
        places = self._places(classes)
        answers: dict[str, dict[int, bool]] = defaultdict(dict)
        shared: Counter[tuple[int, int]] = Counter()
        for group in classes:
            best = min(map(int, group), key=lambda at: self._rank(at, places))
            for at in map(int, group):
                if at == best:
                    continue
                row, original = self.rows[at], self.rows[best]
                answers[self._trace(at).id][int(row["message"])] = bool(original["results"] >= row["results"])
                shared[int(row["transcript"]), int(original["transcript"])] += 1
        counts = np.diff(self.starts)
        empty = {n for n, t in enumerate(self.traces) if counts[n] and len(answers.get(t.id, ())) == counts[n]}
        pairs = [self._pair(copy, original, count, copy in empty) for (copy, original), count in shared.items()]
        empty |= self._without_answers
        related = {frozenset((pair.copy, pair.original)) for pair in pairs}
        work = same_work([t for n, t in enumerate(self.traces) if n not in empty], related)
        left = {self.traces[n].id for n in empty} | {pair.copy for pair in work if pair.left}
        listed = tuple(sorted((*pairs, *work), key=lambda p: (p.copy, p.original)))
        read = {t.id: t.read for t in self.traces if t.read is not None}
        ends: Counter[str] = Counter()
        for trace in self.traces:
            ends.update(trace.ends)
        return Copies(dict(answers), frozenset(left), listed, read, ends)

    def _classes(self) -> Iterator[NDArray[np.int64]]:
        """Answers that are one, two or more."""
        tops = self._above
        while (tops[tops] != tops).any():
            tops = tops[tops]
        sizes = np.bincount(tops)
        joined = np.flatnonzero(sizes[tops] > 1)
        order = joined[np.argsort(tops[joined], kind="stable")]
        if len(order):
            yield from np.split(order, np.flatnonzero(np.diff(tops[order])) + 1)

    def _rank(self, at: int, places: dict[int, _Place]) -> tuple[int, bool, int, _Place, int]:
        """How little there is to say for counting an answer here."""
        row = self.rows[at]
        pieces, used, results = int(row["pieces"]), bool(row["flags"] & USED), int(row["results"])
        return -pieces, not used, -results, places[int(row["transcript"])], at

    def _places(self, classes: list[NDArray[np.int64]]) -> dict[int, _Place]:
        """Of every transcript with shared answers. Of two that share a beginning, the one that went on earlier is the
        original, or the one that did not go on at all; but of two files of one session, the longer."""
        longest: dict[str, int] = defaultdict(int)
        for trace in self.traces:
            if name := trace.session or trace.run[0]:
                longest[name] = max(longest[name], trace.messages)
        shared = np.zeros(len(self.rows), dtype=bool)
        for group in classes:
            shared[group] = len(set(self.rows["transcript"][group])) > 1
        found = {}
        for number in {int(n) for group in classes for n in self.rows["transcript"][group]}:
            trace = self.traces[number]
            span = slice(self.starts[number], self.starts[number + 1])
            own = self.rows["time"][span][~shared[span]]
            known = own[own != UNKNOWN]
            went_on = float("-inf") if not len(own) else float(known.min()) if len(known) else float("inf")
            found[number] = _Place(
                "!" in trace.id or "archived" in trace.id,
                trace.format in CONVERTED,
                trace.messages < longest[trace.session or trace.run[0]],
                bool(trace.forked_from),
                went_on,
                trace.id,
            )
        return found

    def _pair(self, copy: int, original: int, answers: int, left: bool) -> Pair:
        a, b = self.traces[copy], self.traces[original]
        whole = answers == self.starts[original + 1] - self.starts[original]
        kind: Kind
        if copy == original:
            kind = "repeated"
        elif a.format != b.format:
            kind = "conversion"
        elif not left:
            kind = "resume" if whole and not a.forked_from else "fork"
        elif "!" in a.id or "archived" in a.id:
            kind = "archive"
        else:
            kind = "copy"
        return Pair(a.id, b.id, kind, answers, left)


def index_of(traces: Iterable[Trace]) -> Index:
    """An index over these."""
    index = Index()
    for trace in traces:
        index.add(trace)
    return index
