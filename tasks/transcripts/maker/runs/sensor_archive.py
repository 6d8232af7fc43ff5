"""An archive of measurements: JSON in one line of 200 kB, a coloured build, a listing of 500 files."""

from __future__ import annotations

import json
from typing import Any

from harness.loop.environment.dice import Dice
from harness.loop.environment.words import FIRST, TOWNS, company
from harness.loop.environment.workspace import Workspace
from tasks.transcripts.maker.agent import Agent, read, sh, write
from tasks.transcripts.maker.needs import Need
from tasks.transcripts.maker.script import Script

TASK = "sensor-archive"

BUILD = '''"""Build the firmware image: a progress line that redraws itself, colours, one warning."""

import hashlib
import sys

parts = [line.split() for line in open("parts.txt", encoding="utf-8")]
out = open("image.bin", "wb")
for number, (name, size, origin) in enumerate(parts, 1):
    for percent in (0, 25, 50, 75, 100):
        sys.stdout.write(f"\\r[{number:3}/{len(parts)}] {name} {percent:3}%")
    block = (name.encode() * int(size))[: int(size)]
    out.write(block)
    digest = hashlib.sha256(block).hexdigest()[:16]
    sys.stdout.write(f"\\r\\x1b[32m[{number:3}/{len(parts)}]\\x1b[0m {name} {digest}\\n")
    if origin == "patched":
        offset = f"0x{out.tell() - int(size):06x}"
        print(f"\\x1b[1;33mwarning:\\x1b[0m {name} was patched by hand; offset {offset} is not reproducible")
out.close()
print(f"\\x1b[1mimage.bin\\x1b[0m {sum(int(size) for _, size, _ in parts)} bytes, \\x1b[33m1 warning\\x1b[0m")
'''


def prepare(workspace: Workspace) -> None:
    """stations.json in one line, certificates, parts of a firmware image, and one file a day."""
    dice = Dice(TASK)
    stations: list[dict[str, Any]] = []
    for n in range(420):
        stations.append(
            {
                "id": f"ST-{1000 + n}",
                "name": company(dice),
                "town": dice.pick(TOWNS),
                "calibration": {
                    "serial": f"{dice.hex(4)}-{dice.hex(4)}-{dice.hex(4)}",
                    "by": dice.pick(FIRST),
                    "on": f"2024-{dice.between(1, 12):02}-{dice.between(1, 28):02}",
                    "drift_ppm": dice.between(1, 40),
                },
                "readings": [dice.between(-120, 4200) / 10 for _ in range(54)],
            }
        )
    for at, drift in ((213, 1877), (30, 951), (377, 702)):
        stations[at]["calibration"]["drift_ppm"] = drift
    workspace.file("stations.json", json.dumps(stations, separators=(",", ":"), ensure_ascii=True), 15)
    folder = [
        f"{s['calibration']['serial']}  {s['calibration']['on']}  sheet "
        f"{dice.between(100, 999)}-{dice.pick('KLMN')}  {dice.pick(FIRST)}"
        for s in dice.shuffled(stations)
    ]
    workspace.lines("certificates.txt", folder, 90)
    parts = [f"{dice.pick(FIRST)}_{dice.pick(FIRST)}.{n:02} {dice.between(40, 4000)} vendor" for n in range(64)]
    parts[35] = parts[35].rsplit(" ", 1)[0] + " patched"
    workspace.lines("parts.txt", parts, 6)
    workspace.file("build.py", BUILD, 70)
    for n in range(500):
        size = 0 if n == 291 else dice.between(20, 90)
        day = f"{2023 + n // 336}-{1 + n % 336 // 28:02}-{1 + n % 28:02}"
        name = f"days/{day}.dat"
        workspace.file(name, dice.hex(size), 500 - n)


def drifting_stations(agent: Agent) -> None:
    """Nested fields in one line of 196 kB lead to lines of another file, in an order that only the whole shows."""
    prepare(agent.workspace)
    agent.user(
        "Some stations drift by more than 500 ppm. Which sheets are their calibration certificates on? Worst first."
    )
    agent.do(sh("ls -l *.json *.txt"))
    line = agent.do(sh("cat stations.json"), "All stations are in one file.")
    stations = line.value()
    drifts = [station["calibration"]["drift_ppm"] for station in stations]
    rows: list[str] = []
    needs: list[Need] = []
    for at in sorted((i for i, drift in enumerate(drifts) if drift > 500), key=lambda i: -drifts[i]):
        sheet = agent.do(
            sh(f"grep -n '{stations[at]['calibration']['serial']}' certificates.txt"),
            f"This one drifts by {drifts[at]} ppm. Its certificate:",
            [line.field(at, "calibration", "serial")],
        )
        number = sheet.match(r"sheet (\S+)")
        rows.append(f"- {stations[at]['id']} ({stations[at]['name']}): sheet {number}")
        needs += [line.field(at, "id"), sheet.span(number)]
    agent.answer("\n".join(rows), needs)


def firmware_build(agent: Agent) -> None:
    """A build whose output redraws itself and is coloured; a warning in its middle, the sum at its end."""
    prepare(agent.workspace)
    agent.user("Build the image and note in BUILD.md how large it is and whatever is not reproducible.")
    agent.do(read("build.py"), "What does the build do?")
    log = agent.do(sh("python3 build.py"), "Building.")
    part = log.match(r"warning:\x1b\[0m (\S+) was")
    offset = log.match(r"offset (0x\w+) is")
    size = log.match(r"image\.bin\x1b\[0m (\d+) bytes")
    agent.do(sh(f"grep -n '{part}' parts.txt"), "One warning. Where does that part come from?", [log.span(part)])
    agent.do(
        write(
            "BUILD.md",
            f"# Build\n\n- image.bin: {size} bytes\n- not reproducible: {part} at {offset}, patched by hand\n",
        ),
        "Into the notes.",
        [log.span(offset), log.span(size)],
    )
    agent.do(sh("ls -l image.bin BUILD.md"), "Both are there.")
    agent.answer("The image is built, with one warning, which is in BUILD.md.")


def empty_day(agent: Agent) -> None:
    """500 lines of `ls -l`; one file in the middle is empty."""
    prepare(agent.workspace)
    agent.user("One of the daily files is empty. Which one? Make a note in gaps.txt.")
    listed = agent.do(sh("ls -l days"), "All of them with their sizes.")
    name = listed.match(r"^-\S+ \d+ dev dev +0 \w+ +\d+ +\d+ (\S+)$")
    around = agent.do(
        sh(f"ls days | grep -n -B 1 -A 1 '{name}'"), "Are the days before and after there?", [listed.span(name)]
    )
    after = around.text.splitlines()[-1].split("-", 1)[1]
    agent.do(write("gaps.txt", f"{name} is empty; the next file is {after}\n"), "Yes. The note.", [around.span(after)])
    count = listed.text.count(".dat\n")
    agent.answer(f"{name} is the only empty one of {count} files.", [listed.over_all(f"the only one of {count}")])


SCRIPTS = (
    Script(TASK, "drifting-stations", "openai-chat", ("sh", "read"), drifting_stations),
    Script(TASK, "firmware-build", "claude-code", ("sh", "read", "write"), firmware_build),
    Script(TASK, "empty-day", "openai-chat", ("sh", "write"), empty_day),
)
