"""`harness preview`: one value under one policy."""

from __future__ import annotations

from typing import Any

from harness.errors import HarnessError
from harness.json.value import MalformedJson, parse_value
from harness.policies.spec import make_policy
from harness.text import count, harmless
from harness.tokens.counter import open_counter
from harness.transcript import Message, ToolResult, Transcript


def preview_input(data: bytes, policy_text: str, as_text: bool) -> dict[str, Any]:
    """Render bytes from a file: as a JSON value if they are one (and `as_text` is not set), else as text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HarnessError(f"the input is not UTF-8 (offset {error.start}): convert it first") from None
    policy = make_policy(policy_text)
    result = ToolResult(text, name="preview", is_json=not as_text and _is_json(text))
    transcript = Transcript("preview", "preview", (Message("tool", result=result),))
    view = policy.start(transcript).admit(0, result, None)
    counter = open_counter("o200k_base")
    return {
        "policy": policy.label,
        "stage": policy.stage,
        "read_as": "json" if result.is_json else "text",
        "rendering": view.text,
        "bytes": len(data),
        "rendered_bytes": len(view.text.encode("utf-8", "surrogatepass")),
        "tokens": counter.count(text),
        "rendered_tokens": counter.count(view.text),
        "elided_bytes": view.elided_bytes,
        "reach": view.reach if view.elided_bytes else "all of it is shown",
    }


def _is_json(text: str) -> bool:
    try:
        parse_value(text)
    except MalformedJson:
        return False
    return True


def preview_text(shown: dict[str, Any]) -> str:
    """The rendering, and below it what it costs."""
    later = " (as it arrives: this policy rewrites results later, see `harness show`)"
    return (
        f"{harmless(shown['rendering'])}\n\n"
        f"{shown['policy']}{later if shown['stage'] == 'history' else ''}, read as {shown['read_as']}: "
        f"{count(shown['rendered_bytes'])} of {count(shown['bytes'])} bytes, "
        f"{count(shown['rendered_tokens'])} of {count(shown['tokens'])} tokens (o200k_base); "
        f"{count(shown['elided_bytes'])} bytes elided, reach: {shown['reach']}"
    )
