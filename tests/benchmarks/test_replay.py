"""How fast a replay is, as ratios inside one run: `make bench`, or

    python -m pytest -m benchmark -s tests/benchmarks/test_replay.py

Nothing here passes or fails by time; the tables are to be read. CPU seconds of this process, medians of three.
"""

from __future__ import annotations

import dataclasses
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.replay.billing import Billing
from harness.replay.ledger import admission_accounts, lay_out
from harness.replay.measure import Measures, measure, start_times
from harness.replay.settings import ReplaySettings
from harness.tokens.counter import TokenCounter
from harness.tokens.exact import ExactTokenizer
from harness.transcript import Transcript
from tests.benchmarks.recordings import conversation, write_corpus

pytestmark = pytest.mark.benchmark

TWELVE = (
    "identity", "head:bytes=2000", "middle:bytes=4000", "middle:bytes=10000", "tail:bytes=4000", "swe_agent",
    "mini_swe", "codex", "inspect", "car", "car:min_bytes=600", "pi",
)  # fmt: skip


def cpu(work: Callable[[], object], times: int = 3) -> float:
    taken = []
    for _ in range(times):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return statistics.median(taken)


def show(title: str, **figures: float) -> None:
    print(f"\n{title}")
    for name, value in figures.items():
        print(f"  {name.replace('_', ' '):48} {value:10.3f}")
    print(json.dumps({"benchmark": title} | figures))


class Noting:
    """A counter that notes the distinct texts it is asked for."""

    def __init__(self) -> None:
        self.texts: set[str] = set()

    def count(self, text: str) -> int:
        self.texts.add(text)
        return 0

    def count_many(self, texts: Iterable[str]) -> list[int]:
        return [self.count(text) for text in texts]


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory) -> list[Transcript]:
    folder = tmp_path_factory.mktemp("bench")
    write_corpus(folder, 30, 60)
    return list(read_transcripts([folder], Intake()))


def fresh(measures: Measures) -> Measures:
    return dataclasses.replace(measures, counter=TokenCounter("o200k_base"))


def replayed(transcripts: list[Transcript], measures: Measures) -> None:
    for transcript in transcripts:
        measure(transcript, measures)


def ledgers(transcripts: list[Transcript], measures: Measures) -> None:
    """Tokens, cache and money alone."""
    for transcript in transcripts:
        layout = lay_out(transcript, measures.counter, measures.tokens)
        accounts = admission_accounts(layout, measures.policies, measures.counter)
        starts = start_times(transcript)
        Billing(layout, accounts[0], measures.tariffs, starts).columns(accounts, measures.window)


def test_twelve_policies_against_one_pass_over_the_distinct_texts(transcripts: list[Transcript]) -> None:
    measures = ReplaySettings(("-",), TWELVE).measures()
    noting = Noting()
    replayed(transcripts, dataclasses.replace(measures, counter=noting))  # type: ignore[arg-type]
    tokenizer = ExactTokenizer("o200k_base")
    floor = cpu(lambda: [tokenizer.count(text) for text in noting.texts])
    alone = cpu(lambda: ledgers(transcripts, fresh(measures)))
    whole = cpu(lambda: replayed(transcripts, fresh(measures)))
    show(
        "replay under 12 policies against one tiktoken pass",
        megabytes_of_distinct_text=sum(map(len, noting.texts)) / 1e6,
        floor_seconds=floor,
        ledger_by_floor=alone / floor,
        with_evidence_and_references_by_floor=whole / floor,
    )
    assert whole > 0


def test_against_counting_every_prompt_anew() -> None:
    tokenizer = ExactTokenizer("o200k_base")
    measures = ReplaySettings(("-",), ("identity",)).measures()
    ratios = {}
    for requests in (50, 100, 200):
        transcript = one(conversation(7, requests))
        naive = cpu(lambda t=transcript: list(naive_counts(t, tokenizer)), times=1)  # type: ignore[misc]
        ours = cpu(lambda t=transcript: measure(t, fresh(measures)))  # type: ignore[misc]
        ratios[f"naive_by_ours_at_{requests}_requests"] = naive / ours
        ratios[f"our_seconds_at_{requests}"] = ours
    show("one policy against counting every prompt anew", **ratios)
    assert len(ratios) == 6


def naive_counts(transcript: Transcript, tokenizer: ExactTokenizer) -> Iterator[int]:
    for _, shown in transcript.prompts():
        yield sum(tokenizer.count(_text(transcript, i)) for i in shown)


def _text(transcript: Transcript, index: int) -> str:
    message = transcript.messages[index]
    return message.result.content if message.result else message.text + "".join(c.arguments for c in message.calls)


def one(data: dict[str, object]) -> Transcript:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return next(read_transcripts([path], Intake()))


def harness_replay(corpus: Path, results: Path, cache: Path, jobs: int = 1) -> tuple[float, float, float]:
    """Wall and CPU seconds and peak memory in MB of one `replay` run in a process of its own."""
    code = (
        "import json,resource,sys,time\n"
        "from pathlib import Path\n"
        "from harness.replay.runner import replay\n"
        "from harness.replay.settings import ReplaySettings\n"
        "if __name__ == '__main__':\n"
        f"    settings = ReplaySettings(({str(corpus)!r},), {TWELVE!r})\n"
        "    started = time.monotonic()\n"
        f"    replay(settings, Path({str(results)!r}), jobs={jobs})\n"
        "    used = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]\n"
        "    seconds = sum(u.ru_utime + u.ru_stime for u in used)\n"
        "    memory = max(u.ru_maxrss for u in used) / 1000\n"
        "    print(json.dumps([time.monotonic() - started, seconds, memory]))\n"
    )
    script = results.parent / f"replay-{results.name}.py"
    script.write_text(code, encoding="utf-8")
    environment = {"HARNESS_CACHE_DIR": str(cache), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, check=True, env=environment, encoding="utf-8"
    )
    wall, seconds, memory = json.loads(done.stdout.splitlines()[-1])
    return wall, seconds, memory


def test_a_second_run(tmp_path: Path) -> None:
    """The same recordings and settings again, in a new process: by then their rows are in the cache."""
    corpus = tmp_path / "corpus"
    size = write_corpus(corpus, 120, 60)
    empty = harness_replay(corpus / "case-00000.json", tmp_path / "one", tmp_path / "other-cache")
    first = harness_replay(corpus, tmp_path / "first", tmp_path / "cache")
    again = [harness_replay(corpus, tmp_path / f"again-{n}", tmp_path / "cache")[1] for n in range(3)]
    show(
        "a second run of `replay`",
        megabytes=size / 1e6,
        cpu_seconds_of_one_transcript=empty[1],
        cpu_seconds_of_the_first_run=first[1],
        second_by_first=statistics.median(again) / first[1],
    )
    assert first[1] > 0


def test_two_processes(tmp_path: Path) -> None:
    """Beside the ratio that two processes of pure arithmetic reach on this machine: two cores may share one."""
    corpus = tmp_path / "corpus"
    size = write_corpus(corpus, 1250, 60)
    one = harness_replay(corpus, tmp_path / "one", tmp_path / "cache-one")
    two = harness_replay(corpus, tmp_path / "two", tmp_path / "cache-two", jobs=2)
    show(
        "`replay` in one process and in two",
        megabytes=size / 1e6,
        wall_seconds_of_one=one[0],
        one_by_two=one[0] / two[0],
        one_by_two_of_arithmetic=2 * arithmetic(1) / arithmetic(2),
        peak_megabytes_of_one=one[2],
        peak_megabytes_of_each_of_two=two[2],
    )
    assert two[0] > 0


def arithmetic(processes: int) -> float:
    """Wall seconds of so many processes that count, each as far."""
    started = time.monotonic()
    code = "for _ in range(60_000_000): pass"
    for child in [subprocess.Popen([sys.executable, "-c", code]) for _ in range(processes)]:
        child.wait()
    return time.monotonic() - started


def test_memory_does_not_follow_the_corpus(tmp_path: Path) -> None:
    peaks = {}
    for transcripts in (60, 600, 6000):
        corpus = tmp_path / f"corpus-{transcripts}"
        size = write_corpus(corpus, transcripts, 60)
        peaks[f"peak_megabytes_at_{size / 1e6:.0f}_MB"] = harness_replay(
            corpus, tmp_path / str(transcripts), tmp_path / "c", jobs=2
        )[2]
    show("peak memory of a process", **peaks)
    assert len(peaks) == 3
