"""Usage of a task of Cline's editor extension (and of its kin), which it keeps beside the messages.

Source: cline/cline `src/shared/getApiMetrics.ts`: in `ui_messages.json` every request has a message `api_req_started`,
whose text is JSON with `tokensIn`, `tokensOut`, `cacheWrites` and `cacheReads`, all apart. Roo Code says by
`apiProtocol` where `tokensIn` is the whole prompt (`openai`).
"""

from __future__ import annotations

from dataclasses import replace

from harness.formats.assembly import Assembly
from harness.formats.json_text import Unreadable, parse
from harness.formats.record import Record, records
from harness.formats.source import Source
from harness.formats.usage import additive, contained
from harness.transcript import Usage

FILE = "ui_messages.json"
REQUEST = "api_req_started"
UNMATCHED = "usage: the client's requests cannot be matched with the answers"


def add_usage(assembly: Assembly, source: Source) -> tuple[str, ...]:
    """Give the answers of a task their usage and model; what stays unknown."""
    file = source.sibling(FILE)
    if file is None or file.is_symlink():
        return ()
    try:
        document = parse(file.read_bytes())
    except Unreadable as error:
        source.problem(FILE, str(error), lost=0)
        return ()
    listed = document if isinstance(document, list) else []
    found = [used for message in records(listed, f"{source.name}: {FILE}", source.problems.append)
             if message.raw("say") == REQUEST and (used := _request(message)) is not None]  # fmt: skip
    answers = [i for i, m in enumerate(assembly.messages) if m.role == "assistant"]
    if len(found) != len(answers):
        return (UNMATCHED,) if found else ()
    for at, (usage, model) in zip(answers, found, strict=True):
        message = assembly.messages[at]
        assembly.messages[at] = replace(message, usage=usage, model=message.model or model)
    return ()


def _request(message: Record) -> tuple[Usage, str | None] | None:
    """What a request was billed, and by which model; `None` for one that was never answered."""
    try:
        said = parse(message.string("text").encode("utf-8", "surrogatepass"))
    except Unreadable:
        return None
    info = Record(said if isinstance(said, dict) else {}, message.place, message.report)
    protocol = info.raw("apiProtocol") or message.raw("apiProtocol")
    usage = (contained if protocol == "openai" else additive)(
        info.integer("tokensIn"), info.integer("cacheReads"), info.integer("cacheWrites"), info.integer("tokensOut")
    )
    return (usage, message.record("modelInfo").string("modelId") or None) if usage is not None else None
