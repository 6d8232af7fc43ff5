"""Runs whose frames are made directly, as large as wanted: for what a report does with many transcripts, and with
columns that not every run has."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from harness.replay.kind import REPLAY
from harness.runs.kind import Kind
from harness.runs.run import Run

POLICIES = ("identity", "head:bytes=2000", "middle:bytes=4000", "tail:bytes=4000", "mini_swe", "codex", "car")
HISTORY = ("clear:keep=3",)
FORMATS = ("claude-code", "codex", "openai-chat", "openhands", "swe-agent", "tau-bench")
TOOLS = ("bash", "read_file", "search", "fetch")


class MadeRun:
    """What a report uses of a run."""

    def __init__(
        self, manifest: dict[str, Any], requests: pd.DataFrame, results: pd.DataFrame, transcripts: pd.DataFrame
    ) -> None:
        self.directory = Path("20260102T030405Z-0123abcd")
        self.manifest, self.requests, self.results, self.transcripts = manifest, requests, results, transcripts

    @property
    def id(self) -> str:
        return self.directory.name

    @property
    def kind(self) -> Kind[Any]:
        return REPLAY

    def table(self, name: str) -> pd.DataFrame:
        frame: pd.DataFrame = getattr(self, name)
        return frame

    def command(self) -> str:
        return "harness replay made"

    @property
    def policies(self) -> list[str]:
        return [p["label"] for p in self.manifest["policies"]]


def make_run(
    transcripts: int, requests: int = 8, extra_policies: int = 0, evidence: bool = False, prices: bool = False
) -> Run:
    """A run in which each request but the first adds one result; seeded, so always the same."""
    rng = np.random.default_rng(7)
    policies = [*POLICIES, *HISTORY, *(f"head:bytes={100 * n}" for n in range(1, extra_policies + 1))]
    kept = np.linspace(1, 0.3, len(policies))
    ids = [f"task-{n % max(1, transcripts // 5)}/run-{n}.jsonl" for n in range(transcripts)]
    t, p, k = transcripts, len(policies), requests
    value = rng.lognormal(7, 1.2, (t, k - 1)).astype(np.int64) + 1
    rendered = np.maximum(1, (value[:, None, :] * kept[None, :, None])).astype(np.int64)
    rendered[:, :, ::3] = value[:, None, ::3]
    tokens = rendered // 4 + 1
    prompt = 200 + np.concatenate([np.zeros((t, p, 1), np.int64), tokens.cumsum(axis=2)], axis=2)
    cached = prompt // 2
    frames = {
        "requests": _frame(ids, policies, k)
        | {
            "request": np.tile(np.arange(1, k + 1), t * p),
            "message": np.tile(np.arange(1, 2 * k, 2), t * p),
            "cuts": np.zeros(t * p * k, np.int64),
            "output_tokens": np.full(t * p * k, 30),
            "recorded_input": pd.array([pd.NA] * (t * p * k), dtype="Int64"),
            "prompt_tokens": prompt.ravel(),
            "cached_warm": cached.ravel(),
        },
        "results": _frame(ids, policies, k - 1)
        | {
            "message": np.tile(np.arange(2, 2 * k - 1, 2), t * p),
            "tool": pd.Categorical.from_codes(np.tile(np.arange(k - 1) % len(TOOLS), t * p), list(TOOLS)),
            "content": pd.Categorical.from_codes(np.tile(np.arange(k - 1) % 2, t * p), ["text", "json"]),
            "clipped": pd.Categorical.from_codes(np.zeros(t * p * (k - 1), np.int64), [""]),
            "value_bytes": np.repeat(value[:, None, :], p, axis=1).ravel(),
            "rendered_bytes": rendered.ravel(),
            "rendered_tokens": tokens.ravel(),
            "elided_bytes": (value[:, None, :] - rendered).ravel(),
            "reach": pd.Categorical.from_codes(((value[:, None, :] - rendered) > 0).ravel().astype(int), ["", "rerun"]),
            "rewritten": pd.array([pd.NA] * (t * p * (k - 1)), dtype="Int32"),
        },
    }
    whole = _frame(ids, policies, 1) | _transcript_columns(t, p, k, value, rendered, prompt, cached)
    if evidence:
        shares = np.linspace(1, 0.2, p)
        borne = rng.poisson(1.0, (t, 1, k)) * np.ones((1, p, 1), np.int64)
        visible = rng.binomial(borne, shares[None, :, None])
        states = {
            "borne": borne,
            "visible": visible,
            "reachable": (borne - visible) // 2,
            "reachable_unknown": np.zeros_like(borne),
            "held": np.zeros_like(borne),
            "held_guessed": np.zeros_like(borne),
            "lost": borne - visible - (borne - visible) // 2,
            "borne_runs": np.zeros_like(borne),
            "runs_visible": np.zeros_like(borne),
        }
        frames["requests"] |= {name: values.ravel() for name, values in states.items()}
        whole |= {name: values.sum(axis=2).ravel() for name, values in states.items()}
        whole |= {
            "bearing_requests": (borne > 0).sum(axis=2).ravel(),
            "at_risk_requests": (visible < borne).sum(axis=2).ravel(),
        }
    if prices:
        whole |= {
            "cost_no_cache": (prompt.sum(axis=2) * 2e-6).ravel(),
            "cost_warm": ((prompt - cached).sum(axis=2) * 2e-6 + cached.sum(axis=2) * 2e-7).ravel(),
            "cost_recorded": pd.array([pd.NA] * (t * p), dtype="Float64"),
        }
    manifest = make_manifest(policies, transcripts)
    made = {name: pd.DataFrame(columns) for name, columns in frames.items()}
    return cast(Run, MadeRun(manifest, made["requests"], made["results"], pd.DataFrame(whole)))


def _frame(ids: list[str], policies: list[str], rows: int) -> dict[str, Any]:
    t, p = len(ids), len(policies)
    return {
        "transcript": pd.Categorical.from_codes(np.repeat(np.arange(t), p * rows), ids),
        "policy": pd.Categorical.from_codes(np.tile(np.repeat(np.arange(p), rows), t), policies, ordered=True),
    }


def _transcript_columns(t: int, p: int, k: int, value: Any, rendered: Any, prompt: Any, cached: Any) -> dict[str, Any]:
    def constant(number: int) -> Any:
        return np.full(t * p, number)

    formats = np.arange(t) % len(FORMATS)
    clusters = [f"task-{n % max(1, t // 5)}" for n in range(t)]
    return {
        "source": pd.Categorical(np.repeat([f"part-{n % 9}.jsonl" for n in range(t)], p)),
        "format": pd.Categorical.from_codes(np.repeat(formats, p), list(FORMATS)),
        "cluster": pd.Categorical(np.repeat(clusters, p)),
        "model": pd.Categorical(["a-model"] * (t * p)),
        "requests": constant(k),
        "tool_calls": constant(k - 1),
        "results": constant(k - 1),
        "result_bytes": np.repeat(value.sum(axis=1), p),
        "recorded_requests": constant(0),
        "recorded_input": pd.array([pd.NA] * (t * p), dtype="Int64"),
        "unrecorded": pd.array([pd.NA] * (t * p), dtype="Int64"),
        **{
            name: constant(0)
            for name in ("clipped_results", "clipped_bytes", "images", "encrypted", "cuts", "problems")
        },
        "input_tokens": prompt.sum(axis=2).ravel(),
        "peak_prompt": prompt.max(axis=2).ravel(),
        "overflow_requests": constant(0),
        "cached_warm": cached.sum(axis=2).ravel(),
        "cached_recorded": pd.array([pd.NA] * (t * p), dtype="Int64"),
        "elided_bytes": (value[:, None, :] - rendered).sum(axis=2).ravel(),
        "unreachable_bytes": constant(0),
        "changed_results": (value[:, None, :] != rendered).sum(axis=2).ravel(),
        "grown_results": constant(0),
        "not_identified_results": constant(0),
    }


def make_manifest(policies: list[str], transcripts: int) -> dict[str, Any]:
    """What a report reads of a manifest."""
    digest = "0123456789abcdef" * 4
    return {
        "command": "replay",
        "settings": {"paths": ["recordings"], "policies": policies, "tokens": "a", "cache": "b", "window": 1},
        "policies": [
            {
                "label": label,
                "stage": "history" if label in HISTORY else "admission",
                "settings": {"limit": int(label.partition("=")[2]), "unit": "bytes"} if "bytes" in label else {},
            }
            for label in policies
        ],
        "tokens": {
            "profile": "a",
            "encoding": "o200k_base",
            "tiktoken": "0",
            "vocabulary_sha256": digest,
            "source": "made up",
            "tool_definitions": "not counted",
        },
        "cache": {"name": "b", "as_of": "2026-01", "grade": "S", "source": "made up"},
        "prices": {"name": "a-model", "provider": "made up", "as_of": "2026-01", "source": "made up"},
        "corpus": {"transcripts": transcripts, "sha256": digest},
        "skipped": [],
        "problems": [],
        "environment": {
            "harness": "0",
            "code": digest,
            "git": {"commit": None, "dirty": None},
            "python": "3",
            "packages": {},
            "machine": {"system": "a", "release": "1", "processor": "p", "model": "", "cpus": 2},
        },
        "finished": 1767323045.0,
    }
