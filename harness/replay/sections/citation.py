"""How to cite a replay."""

from __future__ import annotations

from harness.replay.sections.bill import prices_words
from harness.report.citation import Citation, cite
from harness.runs.run import Run


def cite_replay(run: Run) -> Citation:
    m = run.manifest
    tokens, cache = m["tokens"], m["cache"]
    count, digest = m["corpus"]["transcripts"], m["corpus"]["sha256"]
    facts = {
        "corpus": f"{count} transcripts, sha256 {digest}",
        "tokens": f"profile {tokens['profile']} on {tokens['encoding']}, tiktoken {tokens['tiktoken']}, vocabulary "
        f"sha256 {tokens['vocabulary_sha256']}; {tokens['source']}; tool definitions {tokens['tool_definitions']}",
        "cache": "; ".join(
            f"profile {c['name']}, as of {c['as_of']}, grade {c['grade']}: {c['source']}"
            for c in cache.get("profiles", {"": cache}).values()
        ),
    }
    if prices := m.get("prices"):
        facts["prices"] = f"{prices_words(m)}: {prices['source']}"
    title = f"Context policies replayed over {count} transcripts"
    return cite(run, title, facts, f"corpus sha256 {digest[:16]}")
