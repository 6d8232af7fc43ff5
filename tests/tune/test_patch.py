"""The patch for the reference's `value_store.rs`: it applies, it compiles, and what it compiles to renders as we do."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.policies.spec import make_policy
from harness.preview import parse_value
from harness.transcript import ToolResult, Transcript
from harness.tune.patch import NAMES, beside_the_patch, reference_patch

EVERY = (
    "car:min_bytes=40,text_head_bytes=30,text_tail_bytes=7,seq_head=2,seq_tail=0,element_bytes=5,key_limit=3,"
    "keys_named=1,row_keys=1,row_value_bytes=4"
)
SOME = ["car:row_keys=3", "car:keys_named=0", "car:min_bytes=700", "car:element_bytes=4,text_tail_bytes=0", EVERY]
VALUES = [
    '"short"', json.dumps("x" * 90), json.dumps("é€😀\n" * 20), json.dumps([{"name": "long text", "n": 123456}] * 6),
    json.dumps({f"key{n}": "abcdefgh" for n in range(5)}), json.dumps({"a": ["b"] * 9, "c": "d" * 50}),
    json.dumps([True, 1234567, "abcdefgh", None] * 4),
]  # fmt: skip
RENDER = """
use std::io::BufRead;
use value_store::value_store::SessionValues;
fn main() {
    let mut store = SessionValues::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        let recorded = value.as_str().map(String::from).unwrap_or(line);
        println!("{}", serde_json::to_string(&store.admit(value, &recorded)).unwrap());
    }
}
"""


@pytest.fixture(scope="module")
def reference(shared: Path) -> Path:
    folder = shared / "golden" / "reference"
    if missing := [name for name in ("cargo", "rustc", "patch") if shutil.which(name) is None]:
        pytest.skip(f"needs {', '.join(missing)} to compile the reference")
    if not list(Path("/usr/share/cargo/registry").glob("serde_json-*")):
        pytest.skip("needs Debian's crates: apt-get install librust-serde-json-dev librust-indexmap-dev")
    return folder


def test_nothing_changed_is_no_patch() -> None:
    assert reference_patch(make_policy("car")) == ""
    assert reference_patch(make_policy("car:text_head_bytes=400")) == ""
    assert reference_patch(make_policy("head:bytes=500")) == ""


@pytest.mark.parametrize("label", SOME)
def test_every_constant_that_is_used_is_defined_and_every_hunk_counts_its_lines(label: str) -> None:
    patch = reference_patch(make_policy(label))
    old, new = ("\n".join(line[1:] for line in patch.splitlines()[2:] if line[0] in signs) for signs in (" -", " +"))
    defined = set(re.findall(r"^const (\w+): usize", new, re.MULTILINE))
    there = {NAMES[name] for name in ("text_head_bytes", "text_tail_bytes", "seq_head", "seq_tail", "element_bytes")}
    assert set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", new)) <= defined | there
    assert set(re.findall(r"^const (\w+): usize", old, re.MULTILINE)) <= there
    for head, body in re.findall(r"^@@ (.+) @@\n((?:[ +-].*\n)+)", patch, re.MULTILINE):
        counts = re.fullmatch(r"-\d+,(\d+) \+\d+,(\d+)", head)
        assert counts is not None
        lines = body.splitlines()
        assert [sum(line[0] in signs for line in lines) for signs in (" -", " +")] == [int(n) for n in counts.groups()]


def test_it_says_what_is_left_to_do() -> None:
    assert beside_the_patch(make_policy("car:text_head_bytes=1")) == []
    (gate, parse) = beside_the_patch(make_policy("car:min_bytes=700,parse=sniff"))
    assert "SessionValues::admit" in gate
    assert parse == "parse=sniff is no constant there and not in the patch"
    (exempt,) = beside_the_patch(make_policy("car:exempt=read"))
    assert exempt.startswith("exempt=read is no constant there")


@pytest.mark.parametrize("label", SOME)
def test_it_applies(label: str, reference: Path, tmp_path: Path) -> None:
    source = reference / "value_store" / "src" / "value_store.rs"
    shutil.copy(source, tmp_path)
    done = _patched(tmp_path, label)
    assert done.stdout == "patching file value_store.rs\n"
    text = (tmp_path / "value_store.rs").read_text(encoding="utf-8")
    for name, constant in NAMES.items():
        if name in label:
            assert f"const {constant}: usize = {make_policy(label).settings[name]};" in text


def test_it_compiles_by_the_references_own_check(reference: Path, tmp_path: Path) -> None:
    (tmp_path / "value_store.patch").write_text(reference_patch(make_policy(EVERY)), encoding="utf-8")
    done = subprocess.run(
        ["bash", str(reference / "check.sh"), "value_store.patch"],
        cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "compiles\n", "")


def test_what_is_compiled_renders_as_the_policy_does(reference: Path, tmp_path: Path) -> None:
    crate = tmp_path / "crate"
    shutil.copytree(reference, crate)
    source = crate / "value_store" / "src"
    _patched(source, EVERY)
    (source / "bin").mkdir()
    (source / "bin" / "render.rs").write_text(RENDER, encoding="utf-8")
    done = subprocess.run(
        ["cargo", "run", "--offline", "-q", "-p", "value_store", "--bin", "render"],
        cwd=crate, input="\n".join(VALUES), capture_output=True, text=True, encoding="utf-8", timeout=300, check=True,
    )  # fmt: skip
    policy = make_policy(EVERY)
    run = policy.family.start(Transcript("t", "test", ()))
    ours = []
    for number, text in enumerate(VALUES):
        value = parse_value(text)
        is_json = not isinstance(value, str)
        recorded = text if is_json else value
        ours.append(run.admit(number, ToolResult(content=recorded, is_json=is_json), None).text)
    assert [json.loads(line) for line in done.stdout.splitlines()] == ours
    assert ours[0] == "short"


def _patched(folder: Path, label: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["patch", "value_store.rs"],
        cwd=folder, input=reference_patch(make_policy(label)), capture_output=True, text=True, encoding="utf-8",
        check=True,
    )  # fmt: skip
