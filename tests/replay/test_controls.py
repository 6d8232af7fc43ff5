"""The controls of a run: on every corpus, and not identified where there is nothing to compare with."""

from __future__ import annotations

import json
from pathlib import Path

from harness.api import replay


def write(path: Path, name: str, code: str) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    use = {"id": "d", "type": "function", "function": {"name": "use", "arguments": json.dumps({"code": code})}}
    text = "\n".join(f"{name} line {n} holds nothing" for n in range(40)) + f"\nthe code is {code}\n"
    messages = [
        {"role": "user", "content": f"Find the code of {name}."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": text},
        {"role": "assistant", "content": None, "tool_calls": [use]},
        {"role": "tool", "tool_call_id": "d", "content": "ok"},
        {"role": "assistant", "content": "Done."},
    ]
    path.write_text(json.dumps({"messages": messages}), encoding="utf-8")


def test_controls_of_policies_hold_and_evidence_is_as_planted(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for n in range(10):
        write(corpus / f"run-{n}.json", f"plant_{n}x", f"qz-{n}17{n}-k")
    run = replay([corpus], policies=["head:bytes=200", "tail:bytes=200", "car"], results=tmp_path / "results")
    controls = run.manifest["controls"]
    assert {c["policy"] for c in controls["no_minimum_equals_identity"]} >= {"head:bytes=200", "car"}
    assert all(c["different"] == 0 and c["results"] == 20 for c in controls["no_minimum_equals_identity"])
    assert all(c["rising"] == 0 for c in controls["elided_never_rises_with_the_budget"])
    sums = run.transcripts.groupby("policy", observed=True)[["borne", "visible", "held", "lost"]].sum()
    assert sums.loc["identity"].tolist() == [10, 10, 0, 0]
    assert sums.loc["head:bytes=200"].tolist() == [10, 0, 0, 10]
    assert sums.loc["tail:bytes=200"].tolist() == [10, 10, 0, 0]
    assert sums.loc["car", "visible"] == 10


def test_false_matches_are_measured_between_unrelated_runs(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    for n in range(10):
        (corpus / f"repo-{n}").mkdir(parents=True)
        write(corpus / f"repo-{n}" / "run.json", f"plant_{n}x", f"qz-{n}17{n}-k" if n else "qz-9179-k")
    run = replay([corpus], policies=["identity"], results=tmp_path / "results")
    found = run.manifest["controls"]["false_match"]["openai-chat"]
    if found["transcripts"]:
        assert found["own"] >= 9
        assert 0 <= found["share"] <= 0.3
    alone = tmp_path / "alone"
    alone.mkdir()
    write(alone / "run.json", "plant_1x", "qz-1171-k")
    single = replay([alone], policies=["identity"], results=tmp_path / "results").manifest["controls"]
    assert single["false_match"]["openai-chat"]["share"] is None
