"""Give a trained model a confidence: the chance that a whole answer is right, by a small head on frozen weights.

    python -m tasks.tiny.confidence RUN_FOLDER            reads state.pt, writes tiny.cact anew

The head learns from answers that the model really gave, in needle-rs, to training turns of which some had a word
dropped, doubled or replaced, and from right answers spoilt on purpose; held-out turns are never used.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import optax
import torch
from needle.model.architecture import probe_pool
from needle.model.tokenizer import BOS_ID
from needle_rs import V3Engine

from tasks.tiny import network
from tasks.tiny.evaluate import calls, generate
from tasks.tiny.generate import NAMES, Generator
from tasks.tiny.text import Tokenizer, render
from tasks.tiny.train import Rounding, export, initial
from tasks.tiny.values import invented

Array = jax.Array
PROBES, QUERIES, LENGTH = 4, 4, 144
SEED = 77


def disturbed(query: str, rng: random.Random) -> str:
    """The query with one word dropped, doubled or replaced by an invented one."""
    words = query.split(" ")
    at = rng.randrange(len(words))
    words[at : at + 1] = rng.choice(([], [words[at]] * 2, [invented(rng)]))
    return " ".join(words) or query


def spoilt(answers: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """Another answer: a call less, another tool, or an argument changed."""
    out = json.loads(json.dumps(answers))
    if not out:
        return [{"name": rng.choice(NAMES), "arguments": {"text": invented(rng)}}]
    call = rng.choice(out)
    kind = rng.random()
    if kind < 0.3:
        out.remove(call)
    elif kind < 0.5:
        call["name"] = rng.choice([name for name in NAMES if name != call["name"]])
    else:
        key = rng.choice(list(call["arguments"]))
        value = call["arguments"][key]
        call["arguments"][key] = (
            not value if isinstance(value, bool) else value + rng.randint(1, 9) if isinstance(value, int)
            else value[: len(value) // 2] or "x" if rng.random() < 0.6 else invented(rng)
        )  # fmt: skip
    return list(out)


def judged(engine: V3Engine, count: int) -> list[tuple[str, str, bool]]:
    """(prompt, answer, right) for `count` turns."""
    source = Generator(SEED)
    rng = source.rng
    out = []
    for _ in range(count):
        turn = source.mixed(8)[0]
        if rng.random() < 0.3:
            wrong = spoilt(turn["answers"], rng)
            kind = "call" if wrong else rng.choice(("off_topic", "absent_tool", "missing_argument", "negated"))
            shown = {
                **turn,
                "answers": wrong,
                "wanted": [call["name"] for call in wrong] or turn["wanted"],
                "kind": kind,
            }
            out.append((*render(shown), False))
            continue
        if rng.random() < 0.6:
            turn["query"] = disturbed(turn["query"], rng)
        found = generate(engine, turn, 128)
        right = calls(found["tool_call"]) == calls(json.dumps(turn["answers"]))
        out.append((render(turn)[0], found["text"], right))
    return out


def fresh_head(layers: int, width: int) -> dict[str, Any]:
    keys = jax.random.split(jax.random.PRNGKey(SEED), 3)
    return {
        "probes": 0.5 * jax.random.normal(keys[0], (layers + 1, PROBES, width)),
        "gain": jnp.ones((layers + 1, PROBES)),
        "query": 0.5 * jax.random.normal(keys[1], (QUERIES, width)),
        "row_bias": jnp.zeros((QUERIES, layers + 1, PROBES)),
        "proj": {"kernel": 0.02 * jax.random.normal(keys[2], (QUERIES * width, 1)), "bias": jnp.zeros(1)},
    }


def score(head: dict[str, Any], seen: Array, keep: Array) -> Array:
    """The head's logit for cells [batch, time, layers + 1, width] of which `keep` [batch, time] are text."""
    pooled = probe_pool(seen, keep, head["probes"], head["gain"], head["query"], head["row_bias"], None, jnp.float32)
    return (pooled @ head["proj"]["kernel"] + head["proj"]["bias"])[:, 0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", type=int, default=800)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    settings = json.loads((args.folder / "run.json").read_text(encoding="utf-8"))["arguments"]
    tokenizer = Tokenizer(args.folder / "tokenizer.model")
    cfg = network.config(
        tokenizer.size, settings["layers"], settings["width"], settings["width"] // 32, settings["slots"]
    )
    found, shape = jax.tree.flatten(initial(cfg, settings["seed"]))
    saved = torch.load(args.folder / "state.pt")["leaves"]
    assert [leaf.shape for leaf in saved] == [leaf.shape for leaf in found]
    params = jax.tree.unflatten(shape, [leaf.detach() for leaf in saved])
    frozen = Rounding().tree(params)

    @torch.no_grad()
    def look(tokens: np.ndarray, keep: np.ndarray) -> np.ndarray:
        seen = network.cells(frozen, torch.from_numpy(tokens).long(), torch.from_numpy(keep), cfg)
        return torch.stack(seen, dim=2).half().numpy()

    examples = judged(V3Engine.load(str(args.folder / "tiny.cact")), args.turns)
    tokens = np.zeros((len(examples), LENGTH), np.int32)
    for at, (prompt, answer, _) in enumerate(examples):
        ids = [BOS_ID, *tokenizer.encode(prompt), *tokenizer.encode(answer)][:LENGTH]
        tokens[at, : len(ids)] = ids
    right = np.array([label for _, _, label in examples], np.float32)
    keep = (tokens > 0).astype(np.int32)
    size = 32
    usable = len(examples) // size * size
    seen = [look(tokens[at : at + size], keep[at : at + size]) for at in range(0, usable, size)]
    print(f"{len(examples)} answers, {right.mean():.3f} right")

    def loss(head: dict[str, Any], x: Array, kept: Array, label: Array) -> Array:
        return optax.sigmoid_binary_cross_entropy(score(head, x, kept), label).mean()

    optimizer = optax.adamw(3e-3, weight_decay=0.01)

    @jax.jit
    def step(head: dict[str, Any], state: Any, x: Array, kept: Array, label: Array) -> Any:
        value, gradient = jax.value_and_grad(loss)(head, x.astype(jnp.float32), kept.astype(jnp.float32), label)
        update, state = optimizer.update(gradient, state, head)
        return optax.apply_updates(head, update), state, value

    head = fresh_head(cfg.num_layers, cfg.d_model)
    state = optimizer.init(head)
    order = random.Random(SEED)
    for epoch in range(args.epochs):
        losses = []
        for block in order.sample(range(len(seen)), len(seen)):
            part = slice(block * size, block * size + size)
            head, state, value = step(head, state, seen[block], keep[part], right[part])
            losses.append(float(value))
        print(f"epoch {epoch + 1} loss {np.mean(losses):.4f}", flush=True)
    head = jax.tree.map(lambda leaf: torch.tensor(np.asarray(leaf)), head)
    export({**params, "confidence_head": head}, cfg, tokenizer, args.folder / "tiny.cact")


if __name__ == "__main__":
    main()
