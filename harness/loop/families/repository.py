"""Repository search and edit: one grep over a tree of sources, and then a setting to change."""

from __future__ import annotations

from harness.loop.environment.workspace import Workspace
from harness.loop.families.texts import TextSource, TextTemplate, text_family
from harness.loop.task import Pages, Step
from harness.loop.tools import GREP, LIST_FILES, READ_FILE
from harness.loop.world import World

FILES = 12
WORD = "@tracked"
"""The word that every line of interest bears, as a decorator or a remark does."""


def _write(workspace: Workspace, template: TextTemplate, lines: list[str]) -> None:
    each = -(-len(lines) // FILES)
    for number in range(FILES):
        part = lines[number * each : (number + 1) * each]
        text = template.header + "".join(f"{line}  # {WORD}\n\n" for line in part)
        workspace.file(f"{template.path}/part_{number:02}.py", text)


def _look(template: TextTemplate) -> Step:
    return Step("grep", {"pattern": WORD, "path": template.path})


def _find(template: TextTemplate, text: str) -> Step:
    return Step("grep", {"pattern": text, "path": template.path})


def _tally(template: TextTemplate, each: str) -> Step:
    return Step("grep", {"pattern": each, "path": template.path, "count": True})


def _page(template: TextTemplate) -> Pages:
    step = Step("grep", {"pattern": WORD, "path": template.path, "offset": "{offset}", "limit": "{limit}"})
    return Pages(step, rf"{WORD}", 32)


def _shown(world: World, template: TextTemplate) -> str:
    found = []
    for file in sorted((world.root / template.path).iterdir()):
        name = file.relative_to(world.root).as_posix()
        for n, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            found += [f"{name}:{n}:{line}\n"] if WORD in line else []
    return "".join(found)


SOURCE = TextSource(
    (GREP, READ_FILE, LIST_FILES), r"[^\n]*?", r"\bKEY\b", _write, _look, _find, _find, _tally, _page, _shown
)

TEMPLATES = (
    TextTemplate(
        "feature-flags", "flags", "flag", ("on", "off", "beta"),
        'flag("{key}", id="{code}", state="{group}", weight={number}, owner="{note}", mac="{seal}")',
        "never evaluated", 'note("never evaluated", id="{code}")',
        r'state="GROUP", weight=(\d+)', ("flag", "id", "mac", "state", "weight"), (100, 180),
        "from flags import flag\n", end="edit",
    ),
    TextTemplate(
        "pinned-versions", "vendor", "pkg", ("runtime", "test", "docs"),
        "pin({key!r}, rev={code!r}, scope={group!r}, size={number}, from_={note!r}, sha={seal!r})",
        "yanked upstream", "remark('yanked upstream', rev={code!r})",
        r"scope='GROUP', size=(\d+)", ("package", "revision", "sha", "scope", "size"), (110, 200), "", True, "edit",
    ),
    TextTemplate(
        "timeouts", "services", "svc", ("hard", "soft"),
        'TIMEOUTS["{key}"] = Limit("{code}", "{group}", {number})  # {note} {seal}',
        "FIXME races", "# FIXME races with {code}",
        r'"GROUP", (\d+)\)', ("service", "limit id", "seal", "kind", "limit"), (90, 170), "import limits\n",
        True, "edit",
    ),
    TextTemplate(
        "endpoints", "api", "route", ("GET", "POST", "PUT"),
        'route("{key}", handler="{code}", verb="{group}", cost={number}, doc="{note}", etag="{seal}")',
        "deprecated without", 'warn("deprecated without a successor", handler="{code}")',
        r'verb="GROUP", cost=(\d+)', ("route", "handler", "etag", "verb", "cost"), (120, 200), end="write",
    ),
    TextTemplate(
        "translations", "locale", "text", ("final", "draft"),
        '_("{key}", catalog="{code}", status="{group}", length={number}, hint="{note}", digest="{seal}")',
        "placeholder lost", '# placeholder lost, catalog="{code}"',
        r'status="GROUP", length=(\d+)', ("text", "catalog", "digest", "status", "length"), (140, 240), end="edit",
    ),
    TextTemplate(
        "migrations", "migrations", "mig", ("applied", "pending"),
        "migrate('{key}', parent='{code}', state='{group}', rows={number}, title='{note}', stamp='{seal}')",
        "cannot be undone", "barrier('cannot be undone', parent='{code}')",
        r"state='GROUP', rows=(\d+)", ("migration", "parent", "stamp", "state", "rows"), (80, 150), "", True,
    ),
    TextTemplate(
        "todo-owners", "modules", "todo", ("now", "later", "maybe"),
        "# {key} ticket={code} when={group} points={number} {note} ref={seal}",
        "blocks the release", "# blocks the release: ticket={code}",
        r"when=GROUP points=(\d+)", ("note", "ticket", "ref", "time", "points"), (100, 220), end="edit",
    ),
)  # fmt: skip

FAMILY = text_family("repository", TEMPLATES, SOURCE)
