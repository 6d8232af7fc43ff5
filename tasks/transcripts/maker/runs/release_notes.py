"""Two trees of a library, old and new: a renamed function, missing licence lines, a version number."""

from __future__ import annotations

from harness.loop.environment.dice import Dice
from harness.loop.environment.words import FIRST, SECOND, sentence
from harness.loop.environment.workspace import Workspace
from tasks.transcripts.maker.agent import Agent, edit, read, sh, write
from tasks.transcripts.maker.script import Script

TASK = "release-notes"
LICENCE = "// SPDX-License-Identifier: MIT"


def _source(dice: Dice, module: str, functions: int) -> list[str]:
    """JavaScript of the look that a small library has."""
    lines = [LICENCE, f'import {{ clamp, warn }} from "./{dice.pick(FIRST)}.js";', ""]
    for n in range(functions):
        name = f"{dice.pick(FIRST)}{dice.pick(SECOND).title()}{n}"
        lines += [
            f"/** {sentence(dice)} */",
            f"export function {name}(items, {{ limit = {dice.between(2, 90)}, strict = false }} = {{}}) {{",
            f"  const kept = items.filter((item) => item.{dice.pick(SECOND)} > {dice.between(1, 70)});",
            f'  if (strict && kept.length > limit) warn("{module}", `more than ${{limit}} {dice.pick(SECOND)}s`);',
            f"  return clamp(kept.map((item) => item.weight * {dice.between(2, 19)}), limit);",
            "}",
            "",
        ]
    return lines


def prepare(workspace: Workspace) -> None:
    """old/ and new/ with 90 modules: a mechanical change in many, one renamed export, five missing licence lines."""
    dice = Dice(TASK)
    modules = [f"{FIRST[n % len(FIRST)]}-{SECOND[(n * 7) % len(SECOND)]}" for n in range(90)]
    for n, module in enumerate(modules):
        old = _source(dice, module, dice.between(3, 9))
        new = list(old)
        for at, line in enumerate(old):
            if "weight *" in line and dice.chance(0.3):
                new[at] = line.replace("weight *", "grams *")
        if n == 51:
            at = next(i for i, line in enumerate(old) if i > 8 and line.startswith("export function"))
            name = old[at].split("function ")[1].split("(")[0]
            new[at] = old[at].replace(name, f"{name}Strictly").replace("strict = false", "strict = true")
        if n in (13, 37, 66, 71, 88):
            del new[0]
        workspace.lines(f"old/src/{module}.js", old, 200)
        workspace.lines(f"new/src/{module}.js", new, 11)
    workspace.file("new/CHANGELOG.md", "# Changes\n\n## 4.1.0\n\n- Weights are rounded.\n", 60)
    workspace.file(
        "new/package.json", '{\n  "name": "crate-weights",\n  "version": "4.1.0",\n  "type": "module"\n}\n', 60
    )
    workspace.file("new/README.md", "# crate-weights\n\nThis is crate-weights 4.1.0.\n", 60)


DIFF = "for f in old/src/*.js; do n=${f##*/}; diff -U 3 -L old/$n -L new/$n $f new/src/$n; done"


def renamed_export(agent: Agent) -> None:
    """A diff of 77 kB, nearly all of it one mechanical change; the renamed export is in its middle."""
    prepare(agent.workspace)
    agent.user("Write the changelog entry for 5.0.0: what breaks for our users between old/ and new/?")
    agent.do(sh("ls -l old/src new/src"), "Which modules are there?")
    changes = agent.do(sh(DIFF), "The same ones in both. What changed in them?")
    before = changes.match(r"^-export function (\w+)\(")
    after = changes.match(r"^\+export function (\w+Strictly)\(")
    head = changes.text[: changes.text.index(f"-export function {before}")]
    module = head[head.rindex("+++ new/") :].split("\n", 1)[0].removeprefix("+++ new/")
    uses = agent.do(
        sh(f"grep -rn '{before}' new | sort"),
        "One export has another name. Is the old name used anywhere?",
        [changes.span(before)],
    )
    assert f"{before}Strictly" in uses.text
    log = agent.do(read("new/CHANGELOG.md"), "How do entries look?")
    moved = changes.text.count("\n+  return clamp(kept.map((item) => item.grams")
    entry = (
        f"## 5.0.0\n\n- `{before}` in {module} is now `{after}`, and strict by default.\n- {moved} functions "
        "read `grams` where they read `weight`.\n\n## 4.1.0"
    )
    agent.do(
        edit("new/CHANGELOG.md", log.match(r"\t(## 4\.1\.0)"), entry),
        "Now the entry.",
        [changes.span(after), changes.span(module), changes.over_all(f"{moved} functions")],
    )
    agent.answer("The entry for 5.0.0 is in new/CHANGELOG.md: one rename, and the change from weight to grams.")


def licence_lines(agent: Agent) -> None:
    """A list of 90 paths; those without a licence are told by an absence, and their first lines have to be known."""
    prepare(agent.workspace)
    agent.user("Every module needs its licence line. Check new/src and mend what lacks it.")
    having = agent.do(sh(f"grep -l '{LICENCE}' new/src/*.js"), "Which modules have it?")
    every = agent.do(sh("find new/src -type f -size +0 | sort"), "And which are there?")
    lacking = sorted(set(every.text.split()) - set(having.text.split()))
    for path in lacking:
        source = agent.do(read(path, 1, 8), f"{path} is not in the first list.", [every.span(path)])
        first = source.match(r"^ +1\t(.*)$")
        agent.do(edit(path, first, f"{LICENCE}\n{first}"), "It goes on top.", [source.span(first)])
    none = agent.do(sh(f"grep -L '{LICENCE}' new/src/*.js"), "Nobody lacks it now?")
    agent.answer(
        f"{len(lacking)} of {every.text.count('.js')} modules lacked the line; now none does.",
        [every.over_all(f"{len(lacking)} of {every.text.count('.js')}"), none.over_all("none does")],
    )


def version_bump(agent: Agent) -> None:
    """Short results; nothing that a cut would hide. Twenty-odd steps, one file at a time."""
    prepare(agent.workspace)
    agent.user(
        "Set the version to 4.2.0 everywhere in new/, add an empty changelog section, then read me the five "
        "smallest modules one by one, so that I know what is in them."
    )
    places = agent.do(sh("grep -rn '4\\.1\\.0' new | sort"), "Where does the version stand?")
    for line in places.text.splitlines():
        path, _, text = line.split(":", 2)
        new = "## 4.2.0\n\n## 4.1.0" if text.startswith("## ") else text.strip().replace("4.1.0", "4.2.0")
        agent.do(read(path, 1, 6), f"{path}:")
        agent.do(edit(path, text.strip(), new))
    agent.do(sh("grep -rn '4\\.[12]\\.0' new | sort"), "As it should be.")
    sizes = agent.do(sh("ls -l new/src"), "Now the modules by size.")
    rows = sorted((int(line.split()[4]), line.split()[-1]) for line in sizes.text.splitlines()[1:])
    for number, (_, name) in enumerate(rows[:5], 1):
        source = agent.do(read(f"new/src/{name}"), f"Number {number}.", [sizes.span(name)])
        export = source.match(r"export function (\w+)\(")
        agent.do(write(f"notes/{number}.txt", f"{name}: {export}\n"), "A line about it.", [source.span(export)])
        if number == 3:
            agent.answer("Three are done; two to go. Shall I go on?")
            agent.user("Yes, please.", after_seconds=1900)
    notes = agent.do(sh("cat notes/*.txt"), "All five.")
    agent.do(write("notes/all.txt", notes.text), "In one file as well.", [notes.whole()])
    agent.answer(
        "The version is 4.2.0 in all three places, and notes/ has a line for each of the five smallest modules."
    )


SCRIPTS = (
    Script(TASK, "renamed-export", "openai-chat", ("sh", "read", "edit"), renamed_export),
    Script(TASK, "licence-lines", "claude-code", ("sh", "read", "edit"), licence_lines),
    Script(TASK, "version-bump", "claude-code", ("sh", "read", "edit", "write"), version_bump),
)
