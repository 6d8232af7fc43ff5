"""What `harness new` writes is green, and its tests see what is broken."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.show.new import SORTS, write_new

BROKEN = {
    "format": ("yield run.transcript", "return\n        yield run.transcript"),
    "policy": ("elided = utf8", "elided = 10 * utf8"),
    "engine": (
        "return Answer(json.dumps(envelope)",
        "raise EngineFailure('refused', 'no')\n        return Answer(json.dumps(envelope)",
    ),
    "exporter": ("return [path]", "return []"),
    "kind": ("if path not in done", "if path not in done or True"),
}


def installed(package: Path) -> None:
    """The metadata that pip would write, so that nothing is installed here."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = package / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (metadata / "METADATA").write_text(head, encoding="utf-8")
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{n} = {t}\n" for n, t in names.items()) for group, names in groups]
    (metadata / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


def tried(package: Path) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ) | {"PYTHONPATH": str(package), "HARNESS_PLUGINS": "on", "HARNESS_CACHE": "off"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "."]
    return subprocess.run(command, cwd=package, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("sort", SORTS)
def test_a_new_package_is_green_and_its_contract_sees_a_fault(sort: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["new", sort, "parrot-x", "--to", str(tmp_path)])
    assert done.exit_code == 0, done.output
    package = tmp_path / "parrot-x"
    assert not any("@" in path.read_text(encoding="utf-8") for path in package.glob("*.toml"))
    installed(package)
    green = tried(package)
    assert green.returncode == 0, green.stdout + green.stderr
    (module,) = package.glob("parrot*.py")
    text = module.read_text(encoding="utf-8")
    assert BROKEN[sort][0] in text
    module.write_text(text.replace(*BROKEN[sort]), encoding="utf-8")
    red = tried(package)
    assert red.returncode == 1, red.stdout
    assert re.search(r"AssertionError|assert", red.stdout)


@pytest.mark.parametrize("name", ["", "Parrot", "a b", "../up", "a--b", "1st", "-x"])
def test_a_name_that_will_not_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="is no name"):
        write_new("format", name, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("sort", "name"), [("format", "atif"), ("policy", "codex"), ("engine", "tiny"), ("kind", "replay")]
)
def test_a_name_that_is_taken(sort: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="already"):
        write_new(sort, name, tmp_path)


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(HarnessError, match="is there already"):
        write_new("format", "mine", tmp_path)
    assert not list((tmp_path / "mine").iterdir())
