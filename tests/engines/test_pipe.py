"""A child that misbehaves in every way there is: a failure with a name, at once, and nothing is left of the child."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from harness.engines.pipe import LinePipe
from harness.engines.turn import EngineFailure
from harness.errors import HarnessError

LIMIT = 10_000


def child(body: str) -> LinePipe:
    """A child that runs `body` for every line that it gets."""
    head = "import os, sys, time\nsay = lambda t: (sys.stdout.buffer.write(t), sys.stdout.buffer.flush())\n"
    return LinePipe([sys.executable, "-S", "-E", "-c", f"{head}for line in sys.stdin.buffer:\n    {body}"], LIMIT)


def failure(pipe: LinePipe, seconds: float = 20.0) -> EngineFailure:
    with pytest.raises(EngineFailure) as caught:
        pipe.ask(b"go", seconds)
    assert not Path(f"/proc/{pipe.pid}").exists()
    return caught.value


def test_lines_go_there_and_back_byte_for_byte() -> None:
    pipe = child("say(line)")
    for line in (b"", b"\xff\x00 \xe2\x80\xa8", b"x" * LIMIT):
        assert pipe.ask(line, 20.0) == line
    pipe.close()
    assert not Path(f"/proc/{pipe.pid}").exists()


@pytest.mark.parametrize(
    ("body", "kind", "received", "detail"),
    [
        ("os._exit(3)", "crash", b"", "exit code 3"),
        ("os.abort()", "crash", b"", "SIGABRT"),
        ("sys.exit('no weights')", "crash", b"", "no weights"),
        ("say(b'{\"type'); os._exit(0)", "half line", b'{"type', "exit code 0"),
        ("say(b'x' * 10_000_000)", "flood", b"x" * LIMIT, "10,000 bytes"),
        ("say(b'one\\ntwo\\n')", "unasked", b"two\n", "one line a question"),
        ("os.close(1); time.sleep(60)", "crash", b"", "closed its output"),
    ],
)
def test_what_can_go_wrong(body: str, kind: str, received: bytes, detail: str) -> None:
    found = failure(child(body))
    assert found.kind == kind
    assert found.received == received
    assert detail in found.detail


def test_silence_ends_after_the_time_given() -> None:
    pipe = child("say(b'half') if line == b'go\\n' else say(line); time.sleep(60 * (line == b'go\\n'))")
    assert pipe.ask(b"first", 20.0) == b"first"
    found = failure(pipe, 0.3)
    assert found.kind == "timeout"
    assert found.received == b"half"


def test_words_that_come_late_are_noticed_before_the_next_question(tmp_path: Path) -> None:
    sign = tmp_path / "sign"
    pipe = child(f"say(line); time.sleep(0.1); say(b'and another'); open({str(sign)!r}, 'w')")
    assert pipe.ask(b"go", 20.0) == b"go"
    while not sign.exists():
        time.sleep(0.01)
    assert failure(pipe).kind == "unasked"


def test_standard_error_does_not_block_the_child_and_its_last_words_are_told() -> None:
    pipe = child("sys.stderr.write('x' * 1_000_000 + ' the end'); say(line) if line == b'a\\n' else os._exit(1)")
    assert pipe.ask(b"a", 20.0) == b"a"
    found = failure(pipe)
    assert found.detail.endswith("the end")
    assert len(found.detail) < 3000


def test_a_long_question_is_read_while_the_answer_is_written() -> None:
    pipe = LinePipe([sys.executable, "-S", "-E", "-c", "import sys\nfor l in sys.stdin: print(len(l), flush=True)"], 99)
    assert pipe.ask(b"x" * 3_000_000, 20.0) == b"3000001"
    pipe.close()


def test_whatever_the_child_started_ends_with_it(tmp_path: Path) -> None:
    number = tmp_path / "pid"
    command = f"sleep 600 & echo $! > {shlex.quote(str(number))}; read x; sleep 600"
    pipe = LinePipe(["sh", "-c", command], LIMIT)
    assert failure(pipe, 0.5).kind == "timeout"
    grandchild = int(number.read_text(encoding="ascii"))
    for _ in range(200):
        if not Path(f"/proc/{grandchild}").exists() or "Z" in _state(grandchild):
            break
        time.sleep(0.01)
    else:
        os.kill(grandchild, 9)
        pytest.fail("a process was left behind")


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(HarnessError, match="no-such-program: cannot be started"):
        LinePipe(["no-such-program"], LIMIT)
