"""Logs of one night: a failed checkout, a full disk, and a night without any error."""

from __future__ import annotations

from harness.loop.environment.dice import Dice
from harness.loop.environment.words import FIRST, SECOND
from harness.loop.environment.workspace import Workspace
from tasks.transcripts.maker.agent import Agent, read, sh, write
from tasks.transcripts.maker.script import Script

TASK = "night-logs"
ROUTES = ("/cart", "/cart/items", "/checkout", "/search", "/products/{}", "/account", "/health", "/images/{}.webp")


def _time(second: int) -> str:
    return f"2025-02-19T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"


def _web_log(dice: Dice, count: int, failing: int | None) -> tuple[list[str], str]:
    """Lines of the web server, with three lines of one failed request from line `failing` on, and its trace id."""
    lines, second, trace = [], 0, ""
    for n in range(count):
        second += dice.below(27)
        host = f"web-{dice.between(1, 4)}"
        route = dice.pick(ROUTES).format(dice.hex(4))
        status = dice.pick((200, 200, 200, 200, 204, 301, 304, 404))
        line = f"{_time(second)} {host} INFO  trace={dice.hex(12)} {dice.pick(('GET', 'GET', 'POST'))} {route}"
        lines.append(f"{line} {status} {dice.between(2, 480)}ms user={dice.pick(FIRST)}-{dice.between(10, 99)}")
        if n == failing:
            trace = dice.hex(12)
            upstream = f"pay-{dice.pick(SECOND)}-{dice.between(2, 9)}.internal:{dice.between(7000, 7999)}"
            lines += [
                f"{_time(second)} {host} ERROR trace={trace} POST /checkout 502 30001ms user=violet-58",
                f"{_time(second)} {host} ERROR trace={trace}   upstream {upstream} closed the connection after 0 bytes",
                f"{_time(second)} {host} WARN  trace={trace}   cart c-{dice.hex(8)} kept for retry",
            ]
    return lines, trace


def prepare(workspace: Workspace, lines: int, failing: int | None) -> None:
    """web.log, pay.log (which knows the trace), disk.log, and the on-call notes."""
    dice = Dice(f"{TASK} {lines}")
    web, trace = _web_log(dice, lines, failing)
    workspace.lines("logs/web.log", web, 20)
    pay = []
    for n in range(700):
        word = trace if n == 388 and trace else dice.hex(12)
        pay.append(
            f"{_time(n * 90)} pay {'DENY' if word == trace else 'OK  '} trace={word} key=rk_{dice.hex(9)} "
            f"queue={dice.below(40)}"
        )
        if word == trace:
            pay.append(
                f"{_time(n * 90)} pay STOP worker {dice.pick(FIRST)}-{dice.between(100, 999)}: certificate "
                "expired 2025-02-18"
            )
    workspace.lines("logs/pay.log", pay, 20)
    disk = [
        f"{_time(n * 600)} store-{1 + n % 3} used={40 + n // 4 + dice.below(3)}% inodes={dice.between(11, 14)}%"
        for n in range(140)
    ]
    disk.append(f"{_time(140 * 600)} store-2 used=97% inodes=14% biggest=/var/spool/exports/{dice.hex(6)}.tar")
    workspace.lines("logs/disk.log", disk, 20)
    workspace.file(
        "oncall.md", "# On call\n\n| night | who |\n| --- | --- |\n| 18 Feb | Paavo |\n| 19 Feb | Quynh |\n", 22
    )


def failed_checkout(agent: Agent) -> None:
    """136 kB of log with the error in its middle; its trace id leads to another log, and that to a worker."""
    prepare(agent.workspace, 1500, 811)
    agent.user("A customer could not pay in the night of 19 February. What happened? Write it down in incident.md.")
    agent.do(sh("ls -l . logs"), "What is there?")
    web = agent.do(sh("cat logs/web.log"), "The web server's log of that night.")
    trace = web.match(r"ERROR trace=(\w+) POST /checkout")
    upstream = web.match(r"upstream (\S+) closed")
    pay = agent.do(
        sh(f"grep -n -A 1 'trace={trace}' logs/pay.log"),
        "One checkout failed; the payment side must know its trace.",
        [web.span(trace)],
    )
    worker = pay.match(r"worker (\S+):")
    elsewhere = agent.do(
        sh(f"grep -c '{worker}' logs/pay.log"), "Was that worker in trouble more than once?", [pay.span(worker)]
    )
    cart = web.match(r"cart (c-\w+) kept")
    agent.do(write("evidence.txt", pay.text), "I keep these lines.", [pay.whole()])
    agent.do(
        write(
            "incident.md",
            f"# Failed checkout, 19 February\n\nTrace {trace}: the upstream {upstream} closed the connection. "
            f"Worker {worker} had stopped, because its certificate expired on 2025-02-18. Cart {cart} was kept.\n",
        ),
        "That explains it.",
        [web.span(upstream), web.span(cart)],
    )
    agent.answer(
        "incident.md has it. The payment worker's certificate had expired; it stopped "
        f"{elsewhere.text.strip()} time, and one customer was hit.",
        [pay.over_all("one customer was hit")],
    )


def full_disk(agent: Agent) -> None:
    """The last line of a small log is all that is needed."""
    prepare(agent.workspace, 60, None)
    agent.user("A disk ran full tonight. Which machine, and what takes the space?")
    agent.do(read("oncall.md"), "Who is on call?")
    disk = agent.do(sh("cat logs/disk.log"), "The disk log.")
    biggest = disk.match(r"biggest=(\S+)")
    agent.do(
        write("page.txt", f"store-2: please remove {biggest}\n"), "That is for the one on call.", [disk.span(biggest)]
    )
    agent.answer("store-2 is at 97 %; one export takes the space. page.txt says which.", [disk.span("97%".rstrip("%"))])


def quiet_night(agent: Agent) -> None:
    """An absence: 60 kB in which there is no error, read in windows; the answer has no span in them."""
    prepare(agent.workspace, 640, None)
    agent.user("Was there any error on the web servers that night? Please really read the log.")
    size = agent.do(sh("grep -c '' logs/web.log"), "How long is it?")
    total = int(size.text)
    parts = [
        agent.do(read("logs/web.log", at, 60), "From the start." if at == 1 else "Nothing so far; on.")
        for at in range(1, total + 1, 60)
    ]
    assert all(" ERROR " not in part.text for part in parts)
    empty = agent.do(sh("grep -n ERROR logs/web.log"), "And to be sure:")
    assert not empty.text
    slowest = max((int(line.rsplit("ms", 1)[0].rsplit(" ", 1)[1]), line) for p in parts for line in p.text.splitlines())
    trace = slowest[1].split("trace=")[1].split(" ")[0]
    home = next(p for p in parts if trace in p.text)
    agent.answer(
        f"No, there is no error in its {total} lines. The slowest request took {slowest[0]} ms (trace {trace}).",
        [*(part.over_all("no error") for part in parts), home.span(trace)],
    )


SCRIPTS = (
    Script(TASK, "failed-checkout", "claude-code", ("sh", "read", "write"), failed_checkout),
    Script(TASK, "full-disk", "openai-chat", ("sh", "read", "write"), full_disk),
    Script(TASK, "quiet-night", "openai-chat", ("sh", "read"), quiet_night),
)
