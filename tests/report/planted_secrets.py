"""Made-up secrets of 29 kinds, in 12 places where recordings have them. None of them opens anything."""

from __future__ import annotations

from collections.abc import Iterator

A = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6"
KEY_LINES = [f"{A[i:]}{A[:i]}ab+/0123"[:64] for i in range(4)]

KINDS: dict[str, str] = {
    "OpenAI key": "sk-proj-" + A[:40],
    "Anthropic key": "sk-ant-api03-" + A[:40],
    "Google key": "AIza" + A[:35],
    "Hugging Face token": "hf_" + A[:34],
    "Groq key": "gsk_" + A[:50],
    "xAI key": "xai-" + A[:40],
    "GitHub token": "ghp_" + A[:36],
    "GitHub fine-grained token": "github_pat_" + A[:22],
    "GitLab token": "glpat-" + A[:20],
    "npm token": "npm_" + A[:36],
    "PyPI token": "pypi-AgEIcHlwaS5vcmc" + A[:40],
    "Slack token": "xoxb-123456789012-" + A[:24],
    "AWS key id": "AKIA" + "ABCDEFGHIJ234567",
    "AWS secret key": "AWS_SECRET_ACCESS_KEY=" + A[:38] + "/x",
    "Stripe key": "sk_live_" + A[:24],
    "SendGrid key": "SG." + A[:22] + "." + A[:43],
    "DigitalOcean token": "dop_v1_" + "0123456789abcdef" * 4,
    "JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijklmnopqrstuv",
    "bearer token": "Authorization: Bearer " + A[:32],
    "basic login": "Authorization: Basic dXNlcjpodW50ZXIyYWJjOTk=",
    "mail address": "jane.doe@mail.example",
    "password in an address": "postgres://joe:hunter22x@db.example/shop",
    "password, unquoted": "DB_PASSWORD=hunter2abc99",
    "password, quoted": 'password: "hunter2abc99"',
    "password of a command": "sshpass -p hunter2abc99 ssh host",
    "key, unquoted": "api_key: " + A[:24],
    "cookie": "Cookie: session=" + A[:30],
    "client secret": "client_secret = '" + A[:28] + "'",
    "private key": "\n".join(["-----BEGIN OPENSSH PRIVATE KEY-----", *KEY_LINES, "-----END OPENSSH PRIVATE KEY-----"]),
}
"""By kind: the secret with the words that it comes with."""

CORES: dict[str, str] = {
    "AWS secret key": A[:38] + "/x",
    "bearer token": A[:32],
    "basic login": "dXNlcjpodW50ZXIyYWJjOTk=",
    "password in an address": "hunter22x",
    "password, unquoted": "hunter2abc99",
    "password, quoted": "hunter2abc99",
    "password of a command": "hunter2abc99",
    "key, unquoted": A[:24],
    "cookie": A[:30],
    "client secret": A[:28],
    "private key": KEY_LINES[2],
}
"""What must not be seen of it, where that is not the whole."""

PLACES: dict[str, str] = {
    "alone": "{}",
    "in a sentence": "It said {} and then went on.",
    "quoted": 'run "{}" now',
    "in a shell command": "export X=1 && echo '{}' | tee out.txt",
    "in a log line": "2026-05-01T10:00:00Z INFO worker-3 {} status=200",
    "in the name of a file": "chat_{}.json",
    "in a path": "runs/{}/log.jsonl",
    "numbered": "    12\t{}",
    "in a difference": "+{}",
    "at the end of a sentence": "Use {}.",
    "in JSON": '{{"text": "{}"}}',
    "on a line of its own": "first\n{}\nlast",
}


def planted() -> Iterator[tuple[str, str, str, str]]:
    """Kind, place, the text, and what must not be seen of it."""
    for kind, secret in KINDS.items():
        for place, around in PLACES.items():
            core = CORES.get(kind, secret)
            shown = secret
            if place == "in JSON":
                shown, core = (text.replace('"', '\\"').replace("\n", "\\n") for text in (secret, core))
            yield kind, place, around.format(shown), core
