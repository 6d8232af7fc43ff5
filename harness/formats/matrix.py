"""Which dialect of messages reads in which container: what `harness list dialects` prints.

Every pair is read but those that cannot occur, which stand here with the reason. A test reads a made-up payload of each
readable pair.
"""

from __future__ import annotations

from harness.formats.dialects import DIALECTS

FILES = ("json", "jsonl-conversations", "jsonl-requests")
HTTP = ("cassette", "har", "nock", "proxy-log")
TRACES = ("langfuse", "langsmith", "opentelemetry", "phoenix")
LOGS = ("openhands-llm-logs",)
IN_PROCESS = {
    "genai-parts": "what a program tells its tracer; no API of a model takes it",
    "pydantic-ai": "kept inside a program; what it sends is in its provider's dialect",
    "strands": "written to a session's folder; what it sends is in its provider's dialect",
    "agentdojo": "written to a result file; what it sends is in its provider's dialect",
}
BY_LITELLM = "OpenHands asks every model through LiteLLM and logs what that takes: OpenAI's chat, or calls in its text"
SPOKEN_BY_OPENHANDS = ("openai-chat", "function-text")
READ = "read"


def containers() -> tuple[str, ...]:
    return (*FILES, *HTTP, *TRACES, *LOGS)


def state_of(dialect: str, container: str) -> str:
    """`READ`, or why the pair cannot occur."""
    if container in HTTP and dialect in IN_PROCESS:
        return IN_PROCESS[dialect]
    if container in LOGS and dialect not in SPOKEN_BY_OPENHANDS:
        return BY_LITELLM
    return READ


def markdown() -> str:
    """The matrix as `docs/dialects.md` prints it: a row a container, and the reasons below."""
    table = matrix()
    reasons = list(dict.fromkeys(s for row in table.values() for s in row.values() if s != READ))
    marks = {reason: f"({number})" for number, reason in enumerate(reasons, 1)}
    lines = ["| | " + " | ".join(DIALECTS) + " |", "| --- " * (len(DIALECTS) + 1) + "|"]
    for container in containers():
        cells = [marks.get(table[dialect][container], READ) for dialect in DIALECTS]
        lines.append(f"| **{container}** | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *(f"{mark} cannot occur: {reason}.  " for reason, mark in marks.items())]) + "\n"


def matrix() -> dict[str, dict[str, str]]:
    """Per dialect and container the state of the pair."""
    return {dialect: {container: state_of(dialect, container) for container in containers()} for dialect in DIALECTS}
