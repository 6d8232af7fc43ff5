"""One transcript under all policies: the rows that go into a run.

Columns that do not depend on the policy are kept once (`shared`), the others once a policy. Rows hold ids, offsets and
hashes; no text of the transcript.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from harness.evidence import EvidenceRun, find_borne
from harness.evidence.controls import Chance
from harness.evidence.reach import hidden_bytes
from harness.evidence.windows import Windows
from harness.money.tariffs import Tariffs
from harness.policies.rendering import Rendering
from harness.policies.spec import NamedPolicy
from harness.preview.content import content_kind
from harness.replay import programs, visibility
from harness.replay.added import Added, tokens_per_byte
from harness.replay.audit import audit
from harness.replay.billing import Billing
from harness.replay.handles import handle_columns
from harness.replay.ledger import (
    Account,
    Layout,
    admission_accounts,
    history_account,
    lay_out,
    prompt_sums,
)
from harness.tokens.counter import TokenCounter
from harness.tokens.profiles import TokenProfile
from harness.tool_table import Toolset
from harness.transcript import ToolResult, Transcript

Columns = dict[str, list[Any]]


@dataclass(frozen=True)
class Measures:
    """How a replay counts: what to measure under, with the settings that change a number."""

    policies: list[NamedPolicy]
    counter: TokenCounter
    tokens: TokenProfile
    tariffs: Tariffs
    window: int
    recovery_window: int


@dataclass
class Rows:
    """The rows of one transcript: per table the shared columns, and per table and policy the others."""

    transcript: str
    shared: dict[str, Columns]
    policies: dict[str, dict[str, Columns]]


def measure(transcript: Transcript, measures: Measures) -> Rows:
    """All rows of one transcript. The first policy must be `identity`: what recorded usage leaves unexplained is taken
    against it."""
    layout = lay_out(transcript, measures.counter, measures.tokens)
    admission = [p for p in measures.policies if p.stage == "admission"]
    accounts = {a.policy.label: a for a in admission_accounts(layout, admission, measures.counter)}
    for policy in measures.policies:
        if policy.stage == "history":
            accounts[policy.label] = history_account(layout, policy, measures.counter)
    ordered = [accounts[p.label] for p in measures.policies]
    starts = start_times(transcript)
    requests = _request_columns(layout, ordered[0], starts)
    results = _result_columns(layout, ordered[0])
    billing = Billing(layout, ordered[0], measures.tariffs, starts)
    requests |= billing.shared_columns()
    own_requests = billing.columns(ordered, measures.window)
    evidence = EvidenceRun(find_borne(transcript))
    own_results = [_rendering_columns(layout, a, evidence.tools) for a in ordered]
    content = _content_tokens(layout, ordered)
    chance, windows = Chance(evidence), Windows(evidence)
    requests |= visibility.shared_requests(evidence.borne)
    added = Added(layout, evidence, billing.prices, tokens_per_byte(layout, ordered[0]), measures.recovery_window)
    own_states = [visibility.policy_requests(visibility.states_of(evidence, a)) for a in ordered]
    return Rows(
        transcript=transcript.id,
        shared={
            "requests": requests,
            "results": results,
            "programs": {},
            "transcripts": _transcript_columns(transcript, layout, requests, results)
            | _audit_columns(transcript, layout, ordered[0])
            | single(visibility.shared_transcript(evidence.borne, requests, measures.counter))
            | single(handle_columns(layout, ordered[0], measures.counter, billing.prices)),
        },
        policies={
            account.policy.label: {
                "requests": own | seen,
                "results": rendered,
                "programs": programs.columns(layout, account, measures.counter),
                "transcripts": _totals(own, rendered, results, tokens)
                | single(visibility.policy_transcript(chance, windows, account, seen) | added.columns(account)),
            }
            for account, own, seen, rendered, tokens in zip(
                ordered, own_requests, own_states, own_results, content, strict=True
            )
        },
    )


def start_times(transcript: Transcript) -> list[float | None]:
    """When each request started: as recorded, or when the message before it was there."""
    messages = transcript.messages
    known: list[float | None] = []
    for i in transcript.requests():
        before = messages[i - 1].time if i else None
        known.append(messages[i].started or before or messages[i].time)
    return known


def _request_columns(layout: Layout, identity: Account, starts: list[float | None]) -> Columns:
    messages = [layout.transcript.messages[i] for i in layout.requests]
    usage = [m.usage for m in messages]
    recorded = [u.input_tokens if u else None for u in usage]
    return {
        "request": list(range(1, len(messages) + 1)),
        "message": layout.requests.tolist(),
        "prompt_messages": layout.prompt_messages.tolist(),
        "cuts": layout.boundary.tolist(),
        "started": starts,
        "output_tokens": layout.output.tolist(),
        "tool_calls": [len(m.calls) for m in messages],
        "recorded_input": recorded,
        "recorded_cached": [u.cached_tokens if u else None for u in usage],
        "recorded_cache_write": [u.cache_write_tokens if u else None for u in usage],
        "recorded_cache_write_1h": [u.cache_write_1h_tokens if u else None for u in usage],
        "recorded_output": [u.output_tokens if u else None for u in usage],
        "unrecorded": [None if r is None else r - n for r, n in zip(recorded, identity.prompt.tolist(), strict=True)],
    }


def _result_columns(layout: Layout, identity: Account) -> Columns:
    results = [r for i in layout.own_results if (r := layout.transcript.messages[i].result) is not None]
    values = [utf8(r.value) for r in results]
    return {
        "message": list(layout.own_results),
        "tool": [r.name for r in results],
        "content": [content_kind(r.value, r.is_json) for r in results],
        "value_hash": [hashlib.blake2b(v, digest_size=8).hexdigest() for v in values],
        "value_bytes": [len(v) for v in values],
        "joined_bytes": [joined_bytes(r) for r in results],
        "value_tokens": [identity.tokens[i] - int(layout.framing[i]) for i in layout.own_results],
        "clipped": [r.clipped or "" for r in results],
        "is_error": [r.is_error for r in results],
    }


def _transcript_columns(transcript: Transcript, layout: Layout, requests: Columns, results: Columns) -> Columns:
    recorded = [r is not None for r in requests["recorded_input"]]
    recorded_bytes = [utf8_length(r.content) for i in layout.own_results if (r := transcript.messages[i].result)]
    row = {
        "format": transcript.format,
        "cluster": transcript.cluster,
        "model": transcript.model or "",
        "sub_agent": transcript.parent is not None,
        "task": transcript.task,
        "repetition": transcript.repetition,
        "agent": transcript.agent,
        "version": transcript.version,
        "passed": transcript.outcome.passed,
        "score": transcript.outcome.score,
        "ended": transcript.outcome.reason,
        "limits": ", ".join(f"{name} {most:g}" for name, most in transcript.outcome.limits),
        "total_requests": transcript.totals.requests,
        "total_input": transcript.totals.input_tokens,
        "total_output": transcript.totals.output_tokens,
        "total_usd": transcript.totals.usd,
        "total_seconds": transcript.totals.seconds,
        "digest": transcript.digest(),
        "messages": len(transcript.messages),
        "requests": len(requests["request"]),
        "tool_calls": sum(len(m.calls) for m in transcript.messages if not m.copied),
        "results": len(layout.own_results),
        "result_bytes": sum(recorded_bytes),
        "joined_bytes": sum(results["joined_bytes"]),
        "clipped_results": sum(1 for c in results["clipped"] if c),
        "clipped_bytes": sum(n for n, c in zip(recorded_bytes, results["clipped"], strict=True) if c),
        "images": sum(m.images for m in transcript.messages),
        "encrypted": sum(m.encrypted for m in transcript.messages),
        "cuts": len(transcript.cuts),
        "problems": sum(p.lost for p in transcript.problems),
        "output_tokens": int(layout.output.sum()),
        "recorded_requests": sum(recorded),
        "recorded_input": total(requests["recorded_input"]),
        "recorded_output": total(requests["recorded_output"]),
        "recorded_cached": total(requests["recorded_cached"]),
        "unrecorded": total(requests["unrecorded"]),
        "billed_requests": sum(usd is not None for usd in requests["bill"]),
        "output_counted": sum(requests["output_counted"]),
        "bill": total(requests["bill"]),
        "cost_model_of_billed": total(_where_billed(requests, requests["cost_model"])),
        "priced_requests": sum(name != "" for name in requests["priced_as"]),
        "cliffs": sum(1 for lost in requests["lost_prefix"] if lost),
        "lost_prefix": total(requests["lost_prefix"]),
        "lost_cost": total(requests["lost_cost"]),
    }
    return single(row)


def _audit_columns(transcript: Transcript, layout: Layout, identity: Account) -> Columns:
    found = audit(transcript, identity.prompt.tolist(), layout.boundary.tolist(), transcript.read)
    return single(
        {
            "audit": found.verdict,
            "doubtful": found.why,
            "text_read": found.read,
            "answered_calls": found.answered,
            "growth": found.growth,
            "count_over_bill": found.count,
        }
    )


def _where_billed(requests: Columns, values: list[Any]) -> list[Any]:
    return [value for value, usd in zip(values, requests["bill"], strict=True) if usd is not None]


def single(row: dict[str, Any]) -> Columns:
    """A row as columns of one value."""
    return {name: [value] for name, value in row.items()}


def total(values: list[Any]) -> int | None:
    """The sum of what is known; `None` if nothing is."""
    known = [v for v in values if v is not None]
    return sum(known) if known else None


def whole_total(values: list[Any]) -> Any:
    """The sum; `None` if any part of it is not known."""
    return None if any(v is None for v in values) else sum(values)


def _totals(own: Columns, rendered: Columns, results: Columns, content_tokens: int) -> Columns:
    """One policy's row of the transcript table, out of its other rows."""
    left = range(len(own["prompt_tokens"]), 0, -1)
    looser = (bool(c) and not changed for c, changed in zip(results["clipped"], rendered["changed"], strict=True))
    grown = (r > v for r, v in zip(rendered["rendered_tokens"], results["value_tokens"], strict=True))
    row = {
        "input_tokens": sum(own["prompt_tokens"]),
        "content_tokens": content_tokens,
        "peak_prompt": max(own["prompt_tokens"], default=0),
        "overflow_requests": sum(own["overflow"]),
        "cached_warm": sum(own["cached_warm"]),
        "cached_recorded": whole_total(own["cached_recorded"]),
        "removed_by_left": sum(n * k for n, k in zip(own["removed_tokens"], left, strict=True)),
        "resent_tokens": sum(own["resent_tokens"]),
        "resent_price": whole_total(own["resent_price"]),
        "cost_no_cache": whole_total(own["cost_no_cache"]),
        "cost_warm": whole_total(own["cost_warm"]),
        "cost_recorded": whole_total(own["cost_recorded"]),
        "rendered_bytes": sum(rendered["rendered_bytes"]),
        "rendered_tokens": sum(rendered["rendered_tokens"]),
        "elided_bytes": sum(rendered["elided_bytes"]),
        "unreachable_bytes": sum(rendered["unreachable_bytes"]),
        "unreachable_unknown_bytes": sum(rendered["unreachable_unknown_bytes"]),
        "changed_results": sum(rendered["changed"]),
        "grown_results": sum(grown),
        "not_identified_results": sum(looser),
    }
    return single(row)


def _content_tokens(layout: Layout, accounts: list[Account]) -> list[int]:
    """Per policy, the prompt tokens of all requests without framing and tool definitions."""
    framing = int(prompt_sums(layout, layout.framing[None, :])[0].sum())
    return [int(a.prompt.sum()) - framing for a in accounts]


def _rendering_columns(layout: Layout, account: Account, tools: Toolset) -> Columns:
    views = [account.views[i] for i in layout.own_results]
    results = [r for i in layout.own_results if (r := layout.transcript.messages[i].result) is not None]
    elided = [elided_bytes(r, v) for r, v in zip(results, views, strict=True)]
    hidden = [hidden_bytes(tools, v, r.value, n) for r, v, n in zip(results, views, elided, strict=True)]
    return {
        "rendered_bytes": [utf8_length(v.text) for v in views],
        "rendered_tokens": [account.tokens[i] - int(layout.framing[i]) for i in layout.own_results],
        "elided_bytes": elided,
        "unreachable_bytes": [h.unreachable for h in hidden],
        "unreachable_unknown_bytes": [h.unknown for h in hidden],
        "reach": [v.reach if n else "" for v, n in zip(views, elided, strict=True)],
        "changed": [v.text != r.content for v, r in zip(views, results, strict=True)],
        "rewritten": [account.rewritten.get(i, -1) + 1 or None for i in layout.own_results],
    }


def joined_bytes(result: ToolResult) -> int:
    """What the file that the recorder kept beside the transcript adds to what stood in the prompt."""
    return max(0, utf8_length(result.value) - utf8_length(result.content)) if result.whole is not None else 0


def elided_bytes(result: ToolResult, view: Rendering) -> int:
    """Of what stood in the prompt as recorded, the bytes that a rendering leaves out.

    Where only a preview stood there and a joined file has the rest, that is by how much the rendering is shorter.
    """
    if view.text == result.content:
        return 0
    recorded = utf8_length(result.content)
    if result.whole is not None:
        return max(0, recorded - utf8_length(view.text))
    return min(view.elided_bytes, recorded)


def utf8_length(text: str) -> int:
    """Bytes of `utf8(text)`, without making them where there is no need to."""
    return len(text) if text.isascii() else len(utf8(text))


def utf8(text: str) -> bytes:
    """UTF-8 bytes, a lone surrogate as the three bytes that a replacement character has as well."""
    return text.encode("utf-8", "surrogatepass")
