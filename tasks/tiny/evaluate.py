"""Measure a `.cact` file with needle-rs on the held-out sets, and write figures.json.

    python -m tasks.tiny.evaluate MODEL.cact [--figures figures.json] [--show 3]

Exact: the calls equal the expected ones as a multiset, names and every argument, case and type included.
Refused: the payload is an empty list. Speeds are this machine's, at the moment of the run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import platform
import statistics
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

from needle_rs import V3Engine

HERE = Path(__file__).parent
REFUSALS = ("off_topic", "absent_tool", "missing_argument", "negated")
MAX_NEW_TOKENS = 128


def interval(right: int, count: int) -> list[float]:
    """Wilson's 95 % interval of a rate."""
    z, rate = 1.96, right / count
    middle, half = rate + z * z / (2 * count), z * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    return [round((middle - half) / (1 + z * z / count), 4), round((middle + half) / (1 + z * z / count), 4)]


def calls(payload: str | None) -> list[str] | None:
    """The calls of a payload as sortable text, or None where it is no list of calls."""
    try:
        found = json.loads(payload or "null")
    except json.JSONDecodeError:
        return None
    return sorted(json.dumps(call, sort_keys=True) for call in found) if isinstance(found, list) else None


def compact(tools: list[dict[str, Any]]) -> str:
    return json.dumps(tools, separators=(",", ":"), ensure_ascii=False)


def generate(engine: V3Engine, turn: dict[str, Any], budget: int) -> dict[str, Any]:
    answer: dict[str, Any] = engine.generate(turn["query"], compact(turn["tools"]), max_new_tokens=budget)
    return answer


def rank_auc(scores: list[tuple[float, bool]]) -> float:
    """The chance that a right answer scores above a wrong one, ties counted as half."""
    right = [score for score, was_right in scores if was_right]
    wrong = [score for score, was_right in scores if not was_right]
    above = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
    return above / (len(right) * len(wrong))


def confidence(engine: V3Engine, turn: dict[str, Any], text: str) -> float:
    found = engine.confidence_for(turn["query"], compact(turn["tools"]), text)
    return math.nan if found is None else float(found)


def measure(
    engine: V3Engine, turns: list[dict[str, Any]], show: int
) -> tuple[dict[str, Any], list[float], list[tuple[float, bool]]]:
    """Counts, rate and interval of one set, `outcomes` with 1 for every right turn; seconds, and confidences with
    whether the answer was right."""
    counted: Counter[str] = Counter()
    outcomes, seconds, scores = "", [], []
    for turn in turns:
        began = time.perf_counter()
        answer = generate(engine, turn, MAX_NEW_TOKENS)
        seconds.append(time.perf_counter() - began)
        payload = answer["tool_call"]
        got, wanted = calls(payload), calls(json.dumps(turn["answers"]))
        outcomes += str(int(got == wanted))
        scores.append((confidence(engine, turn, answer["text"]), got == wanted))
        counted["unparsed"] += got is None
        counted["refused"] += got == []
        counted["same_tools"] += got is not None and names(got) == names(wanted or [])
        if got != wanted and show > 0:
            show -= 1
            print(f"  {turn['query']}\n    wanted {wanted}\n    got    {payload}")
    total, exact = len(turns), outcomes.count("1")
    figures = {
        "turns": total,
        "exact": exact,
        **{key: counted[key] for key in ("refused", "same_tools", "unparsed")},
        "rate": round(exact / total, 4),
        "interval": interval(exact, total),
        "outcomes": outcomes,
    }
    return figures, seconds, scores


def names(found: list[str]) -> list[str]:
    return sorted(str(json.loads(call).get("name")) for call in found)


def speed(engine: V3Engine, turns: list[dict[str, Any]]) -> dict[str, Any]:
    """Prefill from runs of one new token, decode from what longer runs take beyond that: sums over sums."""
    prompt, new, first, rest = 0, 0, 0.0, 0.0
    for turn in turns:
        began = time.perf_counter()
        short = generate(engine, turn, 1)
        middle = time.perf_counter()
        whole = generate(engine, turn, MAX_NEW_TOKENS)
        ended = time.perf_counter()
        prompt += whole["positions"] - len(whole["token_ids"])
        new += len(whole["token_ids"]) - len(short["token_ids"])
        first += middle - began
        rest += (ended - middle) - (middle - began)
    return {"turns": len(turns), "prompt_tokens": prompt, "prefill_per_second": round(prompt / first),
            "new_tokens": new, "decode_per_second": round(new / rest)}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--figures", type=Path)
    parser.add_argument("--show", type=int, default=0, help="print so many wrong turns of each set")
    args = parser.parse_args()
    began = time.perf_counter()
    engine = V3Engine.load(str(args.model))
    loaded = time.perf_counter() - began
    sets, seconds, sample, scores = {}, [], [], []
    for path in sorted((HERE / "heldout").glob("*.jsonl")):
        turns = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        sets[path.stem], taken, scored = measure(engine, turns, args.show)
        seconds += taken
        scores += scored
        sample += turns[:20]
        shown = {key: value for key, value in sets[path.stem].items() if key != "outcomes"}
        print(f"{path.stem:<18}{shown}", flush=True)
    raw = args.model.read_bytes()
    figures = {
        "model": {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)},
        "runtime": {"needle-rs": version("needle-rs"), "machine": platform.machine(), "max_new_tokens": MAX_NEW_TOKENS},
        "held_out": sets,
        "refusals": {
            "turns": sum(sets[name]["turns"] for name in REFUSALS),
            "refused": sum(sets[name]["refused"] for name in REFUSALS),
        },
        "confidence": {"turns": len(scores), "auc": round(rank_auc(scores), 4)} if engine.has_confidence() else None,
        "speed": {
            "load_ms": round(loaded * 1000, 1),
            "turn_ms_median": round(statistics.median(seconds) * 1000, 1),
            "turn_ms_p95": round(statistics.quantiles(seconds, n=20)[-1] * 1000, 1),
            **speed(engine, sample),
        },
    }
    print(json.dumps(figures["speed"]))
    if args.figures:
        args.figures.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
