from __future__ import annotations

import hashlib

import pytest

from harness.evidence.background import Background, background
from tasks.background.make import TARGET, common, make, numbers, python_version


@pytest.mark.parametrize(
    "text",
    [
        "README.md", "package.json", "os.path.join", "subprocess", "404", "8080", "__init__.py", "Content-Type",
        "127.0.0.1", "NotImplementedError", "application/json", "node_modules", "1024", "2024", "100644", "json.dumps",
        "from __future__ import annotations", "read-only", "Read-Only", "console.log", "usr/bin/env",
    ],
)  # fmt: skip
def test_common_things_stand_in_it(text: str) -> None:
    assert background().has(text)


@pytest.mark.parametrize(
    "text", ["ORD-99812", "mia_li_3668", "README.mdx", "4711", "package.jsonl", "zeta_core.py", "ackage.json"]
)
def test_others_do_not(text: str) -> None:
    assert not background().has(text)


def test_version_and_hash_say_which_it_is() -> None:
    text = TARGET.read_text(encoding="utf-8")
    assert text.startswith(f"Background of the evidence measure, version {background().version}\n")
    assert background().sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert Background("0", "other").sha256 != background().sha256


def test_another_background_is_another_measure() -> None:
    own = Background("0", "zeta_core.py and more words")
    assert own.has("zeta_core.py")
    assert own.has("and more words")
    assert not own.has("README.md")


def test_the_committed_file_holds_what_does_not_depend_on_python() -> None:
    text = TARGET.read_text(encoding="utf-8")
    assert common() in text
    assert " ".join(numbers()) == " ".join(text.partition("\nNumbers\n")[2].partition("\n\n")[0].split())


@pytest.mark.slow
def test_the_committed_file_is_what_the_recipe_gives() -> None:
    text = TARGET.read_text(encoding="utf-8")
    if python_version() not in text:
        pytest.skip("the names of the standard library depend on Python's version, and the file was made with another")
    assert make() == text
