"""A small Python package that looks up parcels: a failing test, a renamed setting, a question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.loop.environment.dice import Dice
from harness.loop.environment.words import TOWNS, companies
from harness.loop.environment.workspace import Workspace
from tasks.transcripts.maker.agent import Agent, edit, read, sh, write
from tasks.transcripts.maker.script import Script

TASK = "parcel-tracker"

RUNNER = '''"""Run every test_* function under tests/ and print what fails."""

import importlib.util
import pathlib
import sys
import traceback

sys.path.insert(0, "src")
passed, failed = 0, []
for path in sorted(pathlib.Path("tests").glob("test_*.py")):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    print(f"collected {path}")
    for name in [n for n in vars(module) if n.startswith("test_")]:
        for case in getattr(getattr(module, name), "cases", [()]):
            label = f"{path}::{name}" + (f"[{case[0]}]" if case else "")
            try:
                getattr(module, name)(*case)
                passed += 1
                print(f"  ok    {label}")
            except Exception as error:
                failed.append(label)
                print(f"  FAIL  {label}")
                for frame in traceback.extract_tb(error.__traceback__)[1:]:
                    where = frame.filename.rsplit("/", 3)[-3:] if "/src/" in frame.filename else [frame.filename]
                    print(f"        {'/'.join(where)}:{frame.lineno} in {frame.name}: {frame.line}")
                print(f"        {type(error).__name__}: {error}")
print(f"{passed} passed, {len(failed)} failed")
sys.exit(1 if failed else 0)
'''

TRACKING = '''"""Tracking numbers: which carrier they belong to, and whether they are well formed."""

from parcels.carriers import CARRIERS
from parcels.config import SETTINGS


class UnknownCarrier(LookupError):
    """No carrier has this prefix."""


def split(number):
    """Prefix and digits of a tracking number such as `KF-004711`."""
    prefix, _, digits = number.partition("-")
    return prefix, digits


def carrier_of(number):
    prefix, _ = split(number)
    if prefix not in CARRIERS:
        raise UnknownCarrier(f"no carrier has the prefix {prefix!r}")
    return CARRIERS[prefix]


def check(number):
    """Raise ValueError unless the number has as many digits as its carrier uses."""
    carrier = carrier_of(number)
    _, digits = split(number)
    if not digits.isdigit():
        raise ValueError(f"{number} has something other than digits after the prefix")
    if len(digits) != carrier.digits:
        raise ValueError(f"{carrier.name} uses {carrier.digits} digits, {number} has {len(digits)}")
    return carrier


def lookup_url(number):
    carrier = check(number)
    return f"{SETTINGS['lookup_base']}/{carrier.code}/{number}?wait={SETTINGS['retry_limit']}"
'''

CONFIG = '''"""Settings with their defaults."""

SETTINGS = {
    "lookup_base": "https://lookup.parcels.example",
    "retry_limit": 4,
    "connect_timeout_seconds": 11,
    "label_format": "A6",
    "depot_language": "en",
}
'''

ZONES = '''"""Zones: which part of the country a postcode belongs to."""

ZONES = {"1": "coast", "2": "coast", "3": "hills", "4": "hills", "5": "plain", "6": "plain", "7": "islands"}


def zone_of(postcode):
    """The zone of a postcode, `unknown` where its first digit has none."""
    return ZONES.get(postcode.strip()[:1], "unknown")
'''

ZONES_TEST = '''"""Zones."""

from parcels.zones import zone_of


def test_known():
    assert zone_of(" 7100") == "islands"


def test_unknown():
    assert zone_of("") == "unknown"
'''


def _carriers(dice: Dice, count: int) -> list[tuple[str, str, str, int, int]]:
    """Prefix, code, name, digits, greatest weight: of each carrier."""
    rows, taken = [], set()
    for name in companies(dice, count):
        prefix = name.replace(" ", "")[: 2 + dice.below(2)].upper() + dice.pick("ABCDEFGHJKLMNPRSTUVWXYZ")
        while prefix in taken:
            prefix += dice.pick("ABCDEFGHJKLMNPRSTUVWXYZ")
        taken.add(prefix)
        code = f"{prefix.lower()}{dice.between(100, 999)}"
        rows.append((prefix, code, name, dice.between(6, 12), dice.pick((10, 20, 31, 40))))
    return rows


def _module(dice: Dice, name: str, functions: int) -> list[str]:
    """Plain source code that uses the settings here and there."""
    verbs = ("load", "merge", "render", "queue", "notify", "collect", "split", "refresh", "store", "group")
    things = ("label", "depot", "parcel", "route", "event", "receipt", "customs_form", "batch", "slot", "driver")
    keys = ("retry_limit", "connect_timeout_seconds", "label_format", "depot_language")
    lines = [f'"""{name.title()} of parcels."""', "", "from parcels.config import SETTINGS", ""]
    for n in range(functions):
        verb, thing, key = dice.pick(verbs), dice.pick(things), dice.pick(keys)
        lines += [
            "",
            f"def {verb}_{thing}_{n}(items, limit={dice.between(5, 500)}):",
            f'    """{verb.title()} the {thing} that belongs to each item."""',
            "    chosen = []",
            "    for position, item in enumerate(items):",
            f'        if position >= limit or item.get("{thing}") is None:',
            "            continue",
            f'        if item.get("attempts", 0) > SETTINGS["{key}"]:'
            if key == "retry_limit"
            else f'        item["{key}"] = SETTINGS["{key}"]',
            *(["            continue"] if key == "retry_limit" else []),
            f'        chosen.append((item["{thing}"], position * {dice.between(2, 90)}))',
            f"    return sorted(chosen, key=lambda pair: pair[1])[:{dice.between(3, 60)}]",
            "",
        ]
    return lines


def prepare(workspace: Workspace, wrong: Sequence[int] = ()) -> list[tuple[str, str, str, int, int]]:
    """The package and its tests; the carriers numbered `wrong` have one digit too few in the source."""
    dice = Dice(TASK)
    rows = _carriers(dice, 260)
    source = ['"""Every carrier that we ship with."""', "", "from collections import namedtuple", ""]
    source += ['Carrier = namedtuple("Carrier", "code name digits max_kg")', "", "CARRIERS = {"]
    for n, (prefix, code, name, digits, kilos) in enumerate(rows):
        shown = digits - 1 if n in wrong else digits
        source.append(f'    "{prefix}": Carrier(code="{code}", name="{name}", digits={shown}, max_kg={kilos}),')
    workspace.lines("src/parcels/carriers.py", [*source, "}"], 31)
    workspace.file("src/parcels/__init__.py", '"""Parcels."""\n', 400)
    workspace.file("src/parcels/config.py", CONFIG, 60)
    workspace.file("src/parcels/tracking.py", TRACKING, 12)
    for name in ("depots", "events", "labels", "notices", "routes", "reports"):
        workspace.lines(f"src/parcels/{name}.py", _module(dice, name, dice.between(9, 26)), dice.between(3, 200))
    tests = [
        '"""Every carrier accepts its own sample number."""',
        "",
        "from parcels.tracking import check",
        "",
        "CASES = [",
    ]
    for prefix, _, name, digits, _ in rows:
        number = f"{prefix}-" + "".join(dice.pick("0123456789") for _ in range(digits))
        tests.append(f'    ("{number}", "{name}"),')
    tests += ["]", "", "", "def test_sample(number, name):", "    assert check(number).name == name", ""]
    tests += ["", "test_sample.cases = CASES"]
    workspace.lines("tests/test_samples.py", tests, 9)
    workspace.file(
        "tests/test_config.py",
        '"""Settings."""\n\nfrom parcels.config import SETTINGS\n\n\ndef test_timeout():\n'
        '    assert 1 <= SETTINGS["connect_timeout_seconds"] <= 60\n\n\ndef test_label():\n'
        '    assert SETTINGS["label_format"] in ("A6", "A5")\n',
        90,
    )
    workspace.file("run_tests.py", RUNNER, 120)
    towns = "\n".join(f"- {town}" for town in TOWNS)
    workspace.file(
        "README.md", f"# parcels\n\nRun the tests with `python3 run_tests.py`.\n\n## Depots\n\n{towns}\n", 50
    )
    return rows


def failing_test(agent: Agent) -> None:
    """The failing case stands in the middle of the test log; the source line in the middle of a long file."""
    prepare(agent.workspace, wrong=(137, 31, 222))
    agent.user("The sample tests fail since this morning. Find out why and mend it, one by one. Don't touch the tests.")
    agent.do(sh("ls -l . src/parcels tests"), "I'll look at the layout first.")
    log = agent.do(sh("python3 run_tests.py"), "Now the tests as they are.")
    blamed = log.match(r"(tracking\.py:\d+) in check")
    agent.do(read("src/parcels/tracking.py"), f"What fails is raised at {blamed}. Let me read that.")
    table = agent.do(read("src/parcels/carriers.py"), "The check looks right, so I'll read the table that it goes by.")
    mended: list[str] = []
    while " 0 failed" not in log.text:
        number = log.match(r"FAIL .*\[(.+)\]")
        carrier = log.match(r"ValueError: (.+) uses ")
        found = agent.do(
            sh(f"grep -n '{carrier}' src/parcels/*.py tests/*.py"), f"Where does {carrier} occur?", [log.span(carrier)]
        )
        assert number in found.text
        row = table.match(rf"^ *\d+\t +(\"\w+\": Carrier\(.*{carrier}.*)$")
        digits = int(row.split("digits=")[1].split(",")[0])
        agent.do(
            edit("src/parcels/carriers.py", row, row.replace(f"digits={digits},", f"digits={digits + 1},")),
            f"The sample has {digits + 1} digits, the table says {digits}.",
            [table.span(row)],
        )
        mended.append(number)
        log = agent.do(sh("python3 run_tests.py"), "Once more, all of them.")
    passed = log.match(r"^(\d+ passed)")
    agent.answer(
        f"Mended: {len(mended)} carriers had a digit too few in src/parcels/carriers.py; their samples are "
        f"{', '.join(mended)}. The run now ends with {passed}, 0 failed.",
        [log.span(passed)],
    )


def renamed_setting(agent: Agent) -> None:
    """Grep lines name every place; each edit needs one of them. Ends with an empty result and a count."""
    prepare(agent.workspace)
    agent.user("Rename the setting retry_limit to max_attempts everywhere. Then tell me how many places you changed.")
    files = agent.do(sh("grep -rl retry_limit . | sort"), "Which files mention it?")
    places = agent.do(sh("grep -n retry_limit src/parcels/*.py"), "And where exactly?")
    paths = [line.removeprefix("./") for line in files.text.split()]
    for path in paths[:3]:
        agent.do(
            sh(f"sed -i 's/retry_limit/max_attempts/g' {path}"),
            f"{path} first." if path == paths[0] else "Next.",
            [files.span(path)],
        )
    rest = " ".join(paths[3:])
    agent.do(
        sh(f"sed -i 's/retry_limit/max_attempts/g' {rest}"),
        "The others in one go.",
        [files.span(path) for path in paths[3:]],
    )
    agent.do_all(
        [sh("grep -rn retry_limit src tests"), sh("python3 run_tests.py | tail -n 1")],
        "Nothing may be left, and the tests must still pass.",
    )
    count = places.text.count("\n")
    agent.answer(
        f"Done: {count} lines in {len(paths)} files now say max_attempts, none says retry_limit any more, and "
        "the tests pass.",
        [places.over_all(f"{count} lines"), files.over_all(f"{len(paths)} files")],
    )


def connect_timeout(agent: Agent) -> None:
    """A question that the head of a small file answers."""
    prepare(agent.workspace)
    agent.user("How long do we wait for a connection by default, and where is that set?")
    listed = agent.do(sh("grep -rln connect_timeout src | sort"), "I'll find where it is set.")
    assert "src/parcels/config.py" in listed.text
    source = agent.do(read("src/parcels/config.py"), "The configuration is the likely place.")
    line = source.match(r'"(connect_timeout_seconds": \d+)').replace('"', "")
    agent.do(sh("ls -l src/parcels/config.py"), "When was it last touched?")
    agent.answer(
        f"src/parcels/config.py sets `{line}`: so {line.split()[-1]} seconds.",
        [source.span("connect_timeout_seconds")],
    )


def greatest_limit(agent: Agent) -> None:
    """Every module is read in windows; the answer at the end needs a line that was seen long before."""
    prepare(agent.workspace)
    agent.user("Which function has the greatest default limit, which the smallest? Read the modules, don't grep.")
    counted = agent.do(sh("grep -c '' src/parcels/[delnr]*.py"), "How long are they?")
    windows = []
    for path, lines in (line.rsplit(":", 1) for line in counted.text.splitlines()):
        for start in range(1, int(lines) + 1, 65):
            windows.append(agent.do(read(path, start, 65), f"{path}:" if start == 1 else "And on."))
    found = [
        (int(match[2]), match[1], window)
        for window in windows
        for match in re.finditer(r"def (\w+)\(items, limit=(\d+)\)", window.text)
    ]
    (least, small, first), (most, great, last) = min(found)[:3], max(found, key=lambda hit: hit[0])
    agent.answer(
        f"`{great}` has the greatest, {most}, and `{small}` the smallest, {least}, of {len(found)} functions.",
        [last.span(great), first.span(small), *(window.over_all(f"{len(found)} functions") for window in windows)],
    )


def new_module(agent: Agent) -> None:
    """New code is written and run; no step takes anything from a result."""
    prepare(agent.workspace)
    agent.user(
        "Add a module src/parcels/zones.py with a function that maps a postcode's first digit to a zone, and a test."
    )
    agent.do(sh("ls -l src/parcels"), "How do the modules look?")
    agent.do(read("src/parcels/tracking.py"), "Their style:")
    agent.do(write("src/parcels/zones.py", ZONES), "The module.")
    agent.do(write("tests/test_zones.py", ZONES_TEST), "Its test.")
    agent.do(sh("python3 run_tests.py"), "Everything together.")
    agent.answer("The new module and its test are there, and all tests pass.")


SCRIPTS = (
    Script(TASK, "failing-test", "claude-code", ("sh", "read", "edit"), failing_test),
    Script(TASK, "renamed-setting", "openai-chat", ("sh", "read", "edit"), renamed_setting),
    Script(TASK, "greatest-limit", "openai-chat", ("sh", "read"), greatest_limit),
    Script(TASK, "new-module", "openai-chat", ("sh", "read", "write"), new_module),
    Script(TASK, "connect-timeout", "claude-code", ("sh", "read"), connect_timeout),
)
