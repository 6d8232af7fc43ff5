"""Masking: what is found, that equal secrets stay equal, and that ordinary ids stay as they are."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from harness.report.names import LONGEST, shortened
from harness.report.secrets import Mask, secret_spans
from tests.report.planted_secrets import KINDS, PLACES, planted

TOKEN = "ghp_" + "A1b2C3d4E5" * 3 + "F6g7H8"


@pytest.mark.parametrize(
    "secret",
    [
        TOKEN,
        "AKIA" + "ABCDEFGHIJ234567",
        "sk-ant-api03-" + "abcDEF123456" * 3,
        "AIza" + "b" * 35,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijklmnopqrstuv",
        "jane.doe@mail.example",
        "xoxb-123456789012-abcdefghijkl",
        "github_pat_" + "A1b2C3" * 10,
        "npm_" + "A1b2C3" * 6,
    ],
)
def test_a_secret_is_masked_wherever_it_stands(secret: str) -> None:
    for text in (secret, f"runs/{secret}/log.jsonl", f"get {secret}", f"a#{secret}"):
        masked = Mask()(text)
        assert secret not in masked
        assert "[masked 1]" in masked


def test_what_stands_beside_a_secret_stays() -> None:
    assert Mask()(f"run-6.jsonl#get_{TOKEN}") == "run-6.jsonl#[masked 1]"


def test_a_password_in_an_address_is_masked() -> None:
    assert Mask()("https://joe:hunter22@host/x") == "https://[masked 1]/x"


@pytest.mark.parametrize(
    "name",
    [
        "get_user_details",
        "tasks-00-24.json#task-9-trial-0",
        "projects/ef958aa1-0e93-49f0-bb71-150f63befcd1.jsonl",
        "9a863d47af88338c045f1285a93bb896b4f1a566246810ce39e32bf160d0da92",
        "git@host.example:team/repository.git",
        "a-model-4-5-20250929",
        "bearer of-bad-news-and-other-things",
        "",
    ],
)
def test_ordinary_names_stay(name: str) -> None:
    assert Mask()(name) == name


def test_equal_secrets_get_equal_numbers_and_others_do_not() -> None:
    mask = Mask()
    assert mask(f"{TOKEN}/a") == "[masked 1]/a"
    assert mask("b@c.example x@y.example b@c.example") == "[masked 2] [masked 3] [masked 2]"
    assert mask(f"{TOKEN}/b") == "[masked 1]/b"


def test_the_punctuation_behind_a_secret_is_no_part_of_it() -> None:
    assert Mask()(f"{TOKEN}. {TOKEN}: {TOKEN}") == "[masked 1]. [masked 1]: [masked 1]"


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ('-H "Authorization: Bearer ', "A1b2C3d4E5" * 3, '"'),
        ("aws_secret_access_key = ", "A1b2C3d4/5" * 4, ""),
        ('{"AWS_SECRET_ACCESS_KEY": "', "A1b2C3d4+5" * 4, '"}'),
    ],
)
def test_what_names_a_secret_stays(before: str, secret: str, after: str) -> None:
    assert Mask()(before + secret + after) == f"{before}[masked 1]{after}"


KEY = ["-----BEGIN RSA PRIVATE KEY-----", "A1b2C3d4" * 8, "E5f6G7h8" * 8, "I9j0K1", "-----END RSA PRIVATE KEY-----"]


@pytest.mark.parametrize(
    ("lines", "between"),
    [
        (KEY, "\n"),
        (KEY, "\\n"),
        (KEY[:3], "\n"),
        ([f"{n:6}\t{line}" for n, line in enumerate(KEY, 1)], "\n"),
        (["+" + line for line in KEY], "\n"),
    ],
    ids=["plain", "escaped", "cut off", "numbered", "a difference"],
)
def test_a_private_key_is_masked_with_its_lines(lines: list[str], between: str) -> None:
    masked = Mask()(f"The key:\n{between.join(lines)}\nand what follows it.")
    assert masked.startswith("The key:\n")
    assert masked.endswith("[masked 1]\nand what follows it.")
    assert not any(line in masked for line in KEY)


def test_what_was_told_for_a_secret_is_one_elsewhere_too() -> None:
    mask = Mask()
    assert mask("hunter2abc99, status1") == "hunter2abc99, status1"
    mask.learn(['password = "hunter2abc99"', 'password = "status1"', 'secret = "username"'])
    assert mask("hunter2abc99, status1, username") == "[masked 1], status1, username"
    assert mask("hunter2abc99, status1") == "[masked 1], status1"


def test_long_names_are_cut_and_stay_apart() -> None:
    a, b = shortened("x" * 10_000 + "a", LONGEST), shortened("x" * 10_000 + "b", LONGEST)
    assert len(a) == len(b) == LONGEST - 1 + 1
    assert a != b
    assert shortened("short", LONGEST) == "short"


def test_a_secret_in_several_pieces_is_one() -> None:
    left, inside, right = TOKEN[:9], TOKEN[9:20], TOKEN[20:]
    parts = [(f"get {left}", False), (inside, True), (f"{right} now, then ", False), ("x@y.example", False)]
    assert Mask().pieces(parts) == [
        ("get ", False),
        ("[masked 1]", True),
        (" now, then ", False),
        ("[masked 2]", False),
    ]
    assert Mask().pieces([("plain", False), ("ord_7", True)]) == [("plain", False), ("ord_7", True)]
    assert Mask().pieces([(TOKEN[:5], True), (TOKEN[5:], False)]) == [("[masked 1]", True)]


def test_a_long_text_full_of_addresses_takes_no_long_time() -> None:
    text = "\n".join(f"from user{n}@mail.example to the list" for n in range(4000))
    masked = Mask()(text)
    assert "@" not in masked
    assert "[masked 4000] to the list" in masked


def test_planted_secrets_do_not_show() -> None:
    assert (len(KINDS), len(PLACES)) == (29, 12)
    assert [(kind, place) for kind, place, text, core in planted() if core in Mask()(text)] == []


def test_programs_are_left_as_they_are() -> None:
    """Over a part of the standard library: what is masked there are mail addresses and little else."""
    folder = Path(sysconfig.get_path("stdlib"))
    found, size = [], 0
    for name in (
        "argparse",
        "ast",
        "configparser",
        "getpass",
        "netrc",
        "secrets",
        "tokenize",
        "typing",
        "zipfile",
    ):
        text = (folder / f"{name}.py").read_text(encoding="utf-8")
        found += [text[start:stop] for start, stop in secret_spans(text)]
        size += len(text)
    assert size > 250_000
    assert [value for value in found if "@" not in value] == []


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens: 4096",
        "token: string",
        "password = getpass.getpass()",
        "password: required",
        "self.password = config.password",
        "api_key=$API_KEY",
        'api_key = os.environ["API_KEY"]',
        "secret: ****",
        "timeout_token=30s",
        "session: 2 of 10",
    ],
)
def test_words_about_secrets_stay(text: str) -> None:
    assert Mask()(text) == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        *(("a.b-", False), ("bearer ", False), ("password=", False), ("http://a:", False)),
        *(("sk-", True), ("-----BEGIN PRIVATE KEY-----1 ", True)),
    ],
)
def test_a_hostile_text_is_done_at_all(text: str, secret: bool) -> None:
    """80 kB of what made an earlier pattern quadratic (22 s and more): a time-out of the whole suite would show it."""
    long = text * (80_000 // len(text))
    masked = Mask()(long)
    assert masked == long or secret
    assert ("[masked 1]" in masked) == secret
