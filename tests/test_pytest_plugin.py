"""The plug-in inside another project's tests."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.nightly.nights import add_transcript

pytest_plugins = ["pytester"]
ROOT = Path(__file__).resolve().parent.parent


def test_a_budget_holds_or_fails_with_the_largest_transcripts(pytester: pytest.Pytester) -> None:
    for seed in range(2):
        add_transcript(pytester.path / "rec", seed)
    (pytester.path / "empty").mkdir()
    (pytester.path / "broken").mkdir()
    (pytester.path / "broken" / "a.jsonl").write_bytes(
        (pytester.path / "rec" / "run-0.json").read_bytes() + b"\n" + b'{"messages": [{"ro'
    )
    pytester.makepyfile("""
        from harness.pytest_plugin import assert_input_tokens

        def test_holds(token_budget):
            used = token_budget(["rec"], "head:bytes=300", at_most=5000)
            assert 1000 < used < assert_input_tokens(["rec"], at_most=10**6)
            assert token_budget(["rec"], "head:bytes=300", at_most=used) == used

        def test_one_path(token_budget, monkeypatch):
            monkeypatch.chdir("empty")
            assert token_budget("rec", "head:bytes=300", at_most=5000) < 5000

        def test_too_much(token_budget):
            token_budget(["rec"], at_most=5000)

        def test_unknown(token_budget):
            token_budget(["rec"], "crs", at_most=5000)

        def test_missing(token_budget):
            token_budget(["none"], at_most=5000)

        def test_nothing(token_budget):
            token_budget(["empty"], at_most=5000)

        def test_broken(token_budget):
            token_budget(["broken"], at_most=10**6)
    """)
    found = pytester.runpytest("-p", "no:harness", "-p", "harness.pytest_plugin", "-p", "no:cacheprovider")
    found.assert_outcomes(passed=2, failed=5)
    found.stdout.fnmatch_lines(
        [
            "*5,966 input tokens under identity, 966 more than 5,000; most: run-0.json 3,471, run-1.json 2,495*",
            "no policies called 'crs' (did you mean 'car'?*",
            "*none: no such file or directory; name a file or a folder that there is",
            "*no transcript to replay*",
            "a record cannot be read: a.jsonl: line 2*",
        ]
    )


def test_it_is_an_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"harness": "harness.pytest_plugin"}
