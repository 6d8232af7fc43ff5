"""Engines as small programs, well-behaved and not: each answers JSON lines on standard input."""

from __future__ import annotations

import shlex
import sys

HEAD = """
import json, os, sys, time
def say(text):
    sys.stdout.write(text); sys.stdout.flush()
def call(turn):
    name = turn["tools"][0]["name"] if turn["tools"] else ""
    return json.dumps({"type": "call", "success": True, "function_calls": [{"name": name, "arguments": {}}],
                       "validation": {"ungrounded": [], "negation": False}})
for line in sys.stdin:
    turn = json.loads(line)
    asked = turn["input"]
"""

BEHAVIOURS = {
    "die": "os._exit(7)",
    "abort": "os.abort()",
    "hang": "time.sleep(600)",
    "flood": "say('x' * 3_000_000)",
    "half": 'say(\'{"type": "ca\'); os._exit(0)',
    "garbage": "say('no envelope at all\\n'); continue",
    "not utf-8": 'sys.stdout.buffer.write(b\'{"type": "\\xff"}\\n\'); sys.stdout.flush(); continue',
    "two": 'say(\'{"type":"call"}\\n{"type":"call"}\\n\'); continue',
    "error": "say(json.dumps({'type': 'error', 'error': 'no idea'}) + '\\n'); continue",
    "complain": "sys.stderr.write('x' * 1_000_000)",
}


def program(body: str) -> str:
    """The command line of a program that runs `body` for every line."""
    return shlex.join([sys.executable, "-c", HEAD + "\n".join(f"    {line}" for line in body.splitlines())])


def obedient() -> str:
    """A program that misbehaves as its input tells it to, and answers with its first tool otherwise."""
    body = "\n".join(f"if asked == {name!r}: {what}" for name, what in BEHAVIOURS.items())
    return program(f"{body}\nsay(call(turn) + '\\n')")
