"""Configuration that moves: a file copied whole, two environments compared, a nested flag."""

from __future__ import annotations

import json
from typing import Any

from harness.loop.environment.dice import Dice
from harness.loop.environment.words import FIRST, SECOND, sentence
from harness.loop.environment.workspace import Workspace
from tasks.transcripts.maker.agent import Agent, edit, read, sh, write
from tasks.transcripts.maker.script import Script

TASK = "config-migration"


def _service(dice: Dice, name: str, flags: int) -> dict[str, Any]:
    return {
        "name": name,
        "owner": f"{dice.pick(FIRST)}-team",
        "limits": {"cpu": dice.between(1, 8), "memory_mb": dice.between(2, 64) * 128, "replicas": dice.between(1, 9)},
        "queue": {"host": f"mq-{dice.hex(4)}.internal", "prefetch": dice.between(1, 200), "dead_letter": f"dl.{name}"},
        "flags": [
            {
                "key": f"{dice.pick(FIRST)}_{dice.pick(SECOND)}",
                "rollout": dice.between(0, 100),
                "since": f"2024-{dice.between(1, 12):02}",
                "why": sentence(dice),
            }
            for _ in range(flags)
        ],
    }


def _ini(dice: Dice, name: str, lines: int) -> list[str]:
    text = [f"# {name}", ""]
    for n in range(lines):
        if n % 9 == 0:
            text += ["", f"[{dice.pick(FIRST)}.{dice.pick(SECOND)}]"]
        text.append(
            f"{dice.pick(SECOND)}_{dice.pick(('seconds', 'limit', 'path', 'mode'))}_{n} = {dice.between(1, 9000)}"
        )
    return text


def prepare(workspace: Workspace) -> None:
    """old/: one JSON file a service; environments/staging and production: ini files that differ here and there."""
    dice = Dice(TASK)
    names = [f"{dice.pick(FIRST)}-{dice.pick(SECOND)}" for _ in range(12)]
    for n, name in enumerate(sorted(set(names))):
        service = _service(dice, name, 60 if n == 4 else dice.between(4, 9))
        if n == 4:
            service["flags"][38] |= {"key": "parallel_receipts_v2", "rollout": 5}
        workspace.file(f"old/{name}.json", json.dumps(service, indent=2) + "\n", dice.between(30, 300))
    for n in range(14):
        lines = _ini(dice, f"part {n:02}", 160)
        changed = list(lines)
        for _ in range(16):
            at = 4 + dice.below(len(lines) - 4)
            if " = " in changed[at]:
                changed[at] = changed[at].split(" = ")[0] + f" = {dice.between(1, 9000)}"
        if n == 7:
            at = next(i for i in range(90, 160) if " = " in lines[i])
            lines[at] = "receipt_signing_mode_x7 = strict"
            changed[at] = "receipt_signing_mode_x7 = off-until-INC-20418"
        workspace.lines(f"environments/staging/part-{n:02}.ini", lines, 50)
        workspace.lines(f"environments/production/part-{n:02}.ini", changed, 40)


def moved_settings(agent: Agent) -> None:
    """A JSON file of 1 kB is read and written whole into another place; the comparison is empty."""
    prepare(agent.workspace)
    agent.user("Copy the smallest file of old/ to services/<owner>/settings.json, unchanged. Leave old/ alone.")
    listed = agent.do(sh("ls -l old"), "Sizes first.")
    rows = [line.split() for line in listed.text.splitlines()[1:]]
    path = "old/" + min(rows, key=lambda row: int(row[4]))[-1]
    name = path.removeprefix("old/")
    content = agent.do(sh(f"cat {path}"), "The smallest one.", [listed.span(name)])
    owner = content.value()["owner"]
    target = f"services/{owner}/settings.json"
    agent.do(write(target, content.text), "As it is.", [content.whole(), content.span(owner)])
    same = agent.do(sh(f"diff {path} {target}"), "No difference?")
    assert not same.text
    agent.do(sh("ls -l services services/*"))
    agent.answer(f"{target} is an exact copy of {path}; diff finds nothing.", [same.over_all("diff finds nothing")])


def compared_environments(agent: Agent) -> None:
    """A long recursive diff; one hunk in its middle names an incident, and its line has to be set back."""
    prepare(agent.workspace)
    agent.user(
        "Production has something switched off that staging has not, because of an incident that is long "
        "closed. Find it and make production like staging there. Only there."
    )
    files = agent.do(sh("find environments -name '*.ini' | sort"), "What is there to compare?")
    assert files.text.count("\n") == 28
    loop = "cd environments; for f in staging/*.ini; do g=production/${f##*/}; diff -U 2 -L $f -L $g $f $g; done"
    changes = agent.do(sh(loop), "All differences, file by file.")
    line = changes.match(r"^\+(.* = off-until-\S+)$")
    wanted = changes.match(rf"^-({line.split(' = ')[0]} = .*)$")
    before = changes.text[: changes.text.index(line)]
    part = before[before.rindex("+++ production/") :].split("\n", 1)[0].removeprefix("+++ production/")
    incident = changes.match(r"off-until-(INC-\d+)")
    agent.do(
        edit(f"environments/production/{part}", line, wanted),
        "Most of it is tuning. One line says that it is off until an incident is closed.",
        [changes.span(part), changes.span(line), changes.span(wanted)],
    )
    left = agent.do(sh("grep -rn 'off-until' environments"), "Nothing else of the kind?")
    assert not left.text
    agent.answer(
        f"environments/production/{part}: `{wanted}` is on again. It was off for {incident}; nothing else is.",
        [left.over_all("nothing else is")],
    )


def nested_flag(agent: Agent) -> None:
    """One of 60 flags, deep in a JSON file; its neighbours have the same names."""
    prepare(agent.workspace)
    agent.user("The flag for parallel receipts goes to 50 %. Which service has it, and who has to be told?")
    hits = agent.do(sh("grep -n 'parallel_receipts' old/*.json"), "Which file?")
    path = hits.match(r"^(old/[^:]+):")
    whole = agent.do(sh(f"cat {path}"), "The file.", [hits.span(path)])
    service = json.loads(whole.text)
    at = next(i for i, flag in enumerate(service["flags"]) if flag["key"].startswith("parallel_receipts"))
    flag = service["flags"][at]
    old = f'"rollout": {flag["rollout"]},\n      "since": "{flag["since"]}",\n      "why": "{flag["why"]}"'
    key = flag["key"]
    block = f'"key": "{key}",\n      {old}'
    new = block.replace(f'"rollout": {flag["rollout"]}', '"rollout": 50')
    agent.do(edit(path, block, new), f"It stands at {flag['rollout']}.", [whole.span(block)])
    check = agent.do(sh(f"python3 -m json.tool {path} | grep -n -A 1 '{key}'"), "Still valid JSON?")
    assert '"rollout": 50' in check.text
    agent.do(read(path, 1, 16), "And the head of the file for the contact.")
    agent.answer(
        f"{path} has it; it is at 50 % now. Tell {service['owner']}, and whoever watches "
        f"{service['queue']['dead_letter']}.",
        [whole.span(service["owner"])],
    )


SCRIPTS = (
    Script(TASK, "moved-settings", "openai-chat", ("sh", "read", "write"), moved_settings),
    Script(TASK, "compared-environments", "claude-code", ("sh", "read", "edit"), compared_environments),
    Script(TASK, "nested-flag", "openai-chat", ("sh", "read", "edit"), nested_flag),
)
