"""Train the tiny Needle model from random weights on synthetic turns, and write it as a `.cact` file.

    python train.py OUT_FOLDER [--steps 6000] [--seed 1]

Needs `pip install "cactus-needle[train]"` (JAX, Optax, SentencePiece); no other machine, no download, no data.
The last part of the run trains under the numbers of the exported file: 4-bit weights, 8-bit activations.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import network
import numpy as np
import optax
from generate import Generator
from jax.flatten_util import ravel_pytree
from needle.model.architecture import SimpleAttentionNetwork, TransformerConfig, effective_kv_window
from needle.model.export import write_export
from needle.model.quantize import configure_deploy, cq_ste_params
from text import Tokenizer, train_tokenizer

Array = jax.Array
Params = dict[str, Any]
LENGTH = 128
POOL = 400
DECAY = 0.3
SHOWN = ((2, 3, 4, 5, 6, 7, 8, 12), (4, 4, 4, 4, 4, 4, 4, 1))


def initial(cfg: TransformerConfig, seed: int) -> Params:
    """Random weights from the reference network, checked to give the same logits in ours."""
    reference = SimpleAttentionNetwork(cfg)
    boxed = reference.init(jax.random.PRNGKey(seed), jnp.zeros((1, 8), jnp.int32))["params"]
    params: Params = jax.tree.map(lambda leaf: leaf.value if hasattr(leaf, "value") else leaf, boxed,
                                  is_leaf=lambda leaf: hasattr(leaf, "value"))  # fmt: skip
    tokens = jax.random.randint(jax.random.PRNGKey(seed + 1), (2, 40), 4, cfg.vocab_size)
    shaken = jax.tree.map(lambda leaf: leaf + 0.05 * jax.random.normal(jax.random.PRNGKey(2), leaf.shape), params)
    apart = jnp.abs(
        reference.apply({"params": shaken}, tokens) - network.forward(shaken, tokens, jnp.ones_like(tokens), cfg)
    ).max()
    if apart > 1e-3:
        raise SystemExit(f"network.forward is {apart} away from cactus-needle's network: check its version")
    return params


def packed(rows: list[tuple[list[int], int]]) -> np.ndarray:
    """Whole examples side by side, best fit first: [rows, 3, LENGTH] of tokens, segment ids, and what is learnt."""
    bins: list[list[tuple[list[int], int]]] = []
    room: list[int] = []
    for row in sorted(rows, key=lambda row: -len(row[0])):
        fitting = [at for at, left in enumerate(room) if left >= len(row[0])]
        if not fitting:
            bins.append([])
            room.append(LENGTH)
        at = min(fitting, key=room.__getitem__) if fitting else len(bins) - 1
        bins[at].append(row)
        room[at] -= len(row[0])
    out = np.zeros((len(bins), 3, LENGTH), np.int32)
    for at, examples in enumerate(bins):
        begin = 0
        for segment, (ids, start) in enumerate(examples, 1):
            end = begin + len(ids)
            out[at, 0, begin:end] = ids
            out[at, 1, begin:end] = segment
            out[at, 2, begin + start : end] = 1
            begin = end
    return out


def batches(seed: int, tokenizer: Tokenizer, size: int, skip: int) -> Iterator[np.ndarray]:
    """Endless batches of `size` packed rows, the first `skip` left out.

    Every pool of examples is drawn from a seed of its own, so that a resumed run sees the data it would have seen.
    """
    for pool in itertools.count():
        source = Generator(seed * 1_000_003 + pool)
        rows = [tokenizer.example(source.mixed(source.rng.choices(*SHOWN)[0])) for _ in range(POOL)]
        found = packed([row for row in rows if len(row[0]) <= LENGTH])
        found = found[np.random.default_rng(pool).permutation(len(found))]
        for at in range(0, len(found) - size + 1, size):
            if skip:
                skip -= 1
            else:
                yield found[at : at + size]


def export(params: Params, cfg: TransformerConfig, tokenizer: Tokenizer, path: Path) -> None:
    arrays = jax.tree.map(np.asarray, params)
    write_export(arrays, cfg, str(path), tokenizer=tokenizer.blob(), kv_window=effective_kv_window(cfg))


def orthogonal(update: Array) -> Array:
    """The nearest orthogonal matrices to [..., m, n], by five Newton-Schulz steps (Jordan et al. 2024, Muon).

    Scaled to the root mean square that Adam's updates have, so that both share a rate (arXiv:2502.16982).
    """
    x = update / (jnp.linalg.norm(update, axis=(-2, -1), keepdims=True) + 1e-12)
    for _ in range(5):
        square = x @ jnp.swapaxes(x, -1, -2)
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x * (0.2 * max(update.shape[-2:]) ** 0.5)


def with_orthogonal_kernels(update: Params, momentum: Params) -> Params:
    """Adam's update, but for the kernels of the projections the orthogonalized momentum."""

    def choose(path: tuple[Any, ...], adam: Array, mean: Array) -> Array:
        return orthogonal(mean) if str(path[-1].key) == "kernel" else adam

    return jax.tree_util.tree_map_with_path(choose, update, momentum)


def rate(step: Array, peak: float, steps: int) -> Array:
    """Warm up for 100 steps, stay, and fall to a fiftieth over the last DECAY of the run."""
    left = jnp.clip((steps - step) / (steps * DECAY), 0.0, 1.0)
    return peak * jnp.minimum(step / 100, 1.0) * (0.02 + 0.98 * left)


def train(folder: Path, args: argparse.Namespace) -> None:
    source = Generator(args.seed)
    tokenizer = train_tokenizer([source.mixed(4) for _ in range(6000)], folder, args.vocabulary)
    cfg = network.config(tokenizer.size, args.layers, args.width, args.width // 32, args.slots)
    flat, restore = ravel_pytree(initial(cfg, args.seed))
    configure_deploy(8, 8)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam(b2=0.98))
    state, done = optimizer.init(flat), 0
    if args.resume:
        done, flat, state = pickle.loads(args.resume.read_bytes())

    def loss(weights: Array, batch: Array, quantized: bool) -> Array:
        tokens, segments, learnt = batch[:, 0], batch[:, 1], batch[:, 2]
        params = cq_ste_params(restore(weights), 4) if quantized else restore(weights)
        logits = network.forward(params, tokens[:, :-1], segments[:, :-1], cfg, quantized)
        each = optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:])
        return (each * learnt[:, 1:]).sum() / learnt.sum()

    def step(weights: Array, state: Any, batch: Array, lr: Array, quantized: bool) -> Any:
        value, gradient = jax.value_and_grad(loss)(weights, batch, quantized)
        update, state = optimizer.update(gradient, state)
        update, _ = ravel_pytree(with_orthogonal_kernels(restore(update), restore(state[1].mu)))
        return weights - lr * (update + 0.01 * weights), state, value

    compiled = jax.jit(step, static_argnames="quantized")
    stream = batches(args.seed, tokenizer, args.batch, done)
    began, losses = time.perf_counter(), []
    for at in range(done + 1, args.steps + 1):
        exact = at > args.steps * (1 - DECAY)
        lr = rate(jnp.float32(at), args.rate, args.steps)
        flat, state, value = compiled(flat, state, next(stream), lr, quantized=exact)
        losses.append(value)
        if at % 50 == 0:
            entry = {
                "step": at,
                "loss": round(float(np.mean(losses)), 5),
                "seconds": round(time.perf_counter() - began),
            }
            losses = []
            with open(folder / "log.jsonl", "a", encoding="utf-8") as log:
                log.write(json.dumps(entry) + "\n")
        if at % 100 == 0 or at == args.steps:
            export(restore(flat), cfg, tokenizer, folder / "tiny.cact")
            saved = (at, np.asarray(flat), jax.tree.map(np.asarray, state))
            (folder / "state.pickle").write_bytes(pickle.dumps(saved))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=12, help="packed rows")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--slots", type=int, default=256)
    parser.add_argument("--vocabulary", type=int, default=768)
    parser.add_argument("--resume", type=Path, help="a state.pickle of this recipe")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    train(args.folder, args)


if __name__ == "__main__":
    main()
