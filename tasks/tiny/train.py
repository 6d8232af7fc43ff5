"""Train the tiny Needle model from random weights on synthetic turns, and write it as a `.cact` file.

    python -m tasks.tiny.train OUT_FOLDER [--steps 6000] [--seed 1]

Needs `pip install "cactus-needle[train]"` (JAX, Optax, SentencePiece); no other machine, no download, no data.
The last part of the run trains under the numbers of the exported file: weights of 4 bits.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import pickle
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.flatten_util import ravel_pytree
from needle.model.architecture import SimpleAttentionNetwork, TransformerConfig, effective_kv_window
from needle.model.export import write_export
from needle.model.quantize import cq_quantize

from tasks.tiny import network
from tasks.tiny.generate import Generator
from tasks.tiny.text import Tokenizer, train_tokenizer

Array = jax.Array
Params = dict[str, Any]
LENGTH = 128
POOL = 400
DECAY = 0.3
GROUP = 128
WEIGHT_BITS = 4
SHOWN = ((2, 3, 4, 5, 6, 7, 8, 12), (4, 4, 4, 4, 4, 4, 4, 1))


def initial(cfg: TransformerConfig, seed: int) -> Params:
    """Random weights from the reference network."""
    boxed = jax.jit(SimpleAttentionNetwork(cfg).init)(jax.random.PRNGKey(seed), jnp.zeros((1, 8), jnp.int32))
    params: Params = jax.tree.map(
        lambda leaf: leaf.value if hasattr(leaf, "value") else leaf,
        boxed["params"],
        is_leaf=lambda leaf: hasattr(leaf, "value"),
    )
    return params


def check(params: Params, cfg: TransformerConfig, seed: int) -> None:
    """Stop where our network and the reference give different logits for the same weights and tokens."""
    tokens = jax.random.randint(jax.random.PRNGKey(seed + 1), (2, 40), 4, cfg.vocab_size)
    shaken = jax.tree.map(lambda leaf: leaf + 0.05 * jax.random.normal(jax.random.PRNGKey(2), leaf.shape), params)
    theirs = jax.jit(SimpleAttentionNetwork(cfg).apply)({"params": shaken}, tokens)
    ours = jax.jit(lambda weights: network.forward(weights, tokens, jnp.ones_like(tokens), cfg))(shaken)
    apart = jnp.abs(theirs - ours).max()
    if apart > 1e-3:
        raise SystemExit(f"network.forward is {apart} away from cactus-needle's network: check its version")


def as_exported(params: Params) -> Params:
    """The weights as the file will hold them, 4 bits in groups of 128; gradients pass straight through.

    needle-rs computes with these in floating point, so that nothing else needs imitating. All groups are rounded
    in one call: one call a tensor says the same and takes minutes to compile.
    """
    leaves, shape = jax.tree_util.tree_flatten_with_path(params)
    rows: dict[int, Array] = {}
    for at, (path, leaf) in enumerate(leaves):
        name = str(path[-1].key)
        if leaf.ndim >= 2 and (name in ("kernel", "embedding") or name.startswith("mhc_phi")):
            turned = leaf if name == "embedding" else jnp.swapaxes(leaf, -1, -2)
            pad = -turned.shape[-1] % GROUP
            rows[at] = jnp.pad(turned, [(0, 0)] * (leaf.ndim - 1) + [(0, pad)])
    joined = jnp.concatenate([row.reshape(-1, GROUP) for row in rows.values()])
    joined += jax.lax.stop_gradient(cq_quantize(joined, WEIGHT_BITS, GROUP) - joined)
    out = [leaf for _, leaf in leaves]
    begin = 0
    for at, row in rows.items():
        end = begin + row.size // GROUP
        path, leaf = leaves[at]
        turned = str(path[-1].key) != "embedding"
        whole = joined[begin:end].reshape(row.shape)[..., : leaf.shape[-2 if turned else -1]]
        out[at] = jnp.swapaxes(whole, -1, -2) if turned else whole
        begin = end
    return jax.tree_util.tree_unflatten(shape, out)


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


def orthogonalized(update: Array) -> Array:
    """The nearest orthogonal matrices to [..., m, n], by five Newton-Schulz steps (Jordan et al. 2024, Muon).

    Scaled to the size that Adam's updates have, times two, so that both share a rate (arXiv:2502.16982).
    """
    x = update / (jnp.linalg.norm(update, axis=(-2, -1), keepdims=True) + 1e-12)
    for _ in range(5):
        square = x @ jnp.swapaxes(x, -1, -2)
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x * (0.4 * max(update.shape[-2:]) ** 0.5)


def with_orthogonal_kernels(update: Params, momentum: Params) -> Params:
    """Adam's update, but for the kernels of the projections the orthogonalized momentum."""

    def choose(path: tuple[Any, ...], adam: Array, mean: Array) -> Array:
        return orthogonalized(mean) if str(path[-1].key) == "kernel" else adam

    return jax.tree_util.tree_map_with_path(choose, update, momentum)


def rate(step: Array, peak: float, steps: int) -> Array:
    """Warm up for 100 steps, stay, and fall to a fiftieth over the last DECAY of the run."""
    left = jnp.clip((steps - step) / (steps * DECAY), 0.0, 1.0)
    return peak * jnp.minimum(step / 100, 1.0) * (0.02 + 0.98 * left)


def record(folder: Path, args: argparse.Namespace) -> None:
    """run.json: what has to be known to run this again."""
    arguments = {key: value for key, value in vars(args).items() if key not in ("folder", "resume")}
    versions = {name: version(name) for name in ("cactus-needle", "jax", "optax", "sentencepiece", "numpy")}
    (folder / "run.json").write_text(json.dumps({"arguments": arguments, "versions": versions}), encoding="utf-8")


def train(folder: Path, args: argparse.Namespace) -> None:
    source = Generator(args.seed)
    tokenizer = train_tokenizer([source.mixed(4) for _ in range(6000)], folder, args.vocabulary)
    cfg = network.config(tokenizer.size, args.layers, args.width, args.width // 32, args.slots)
    params = initial(cfg, args.seed)
    flat, restore = ravel_pytree(params)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam(b2=0.98))
    state, done = optimizer.init(flat), 0
    if args.resume:
        done, flat, state = pickle.loads(args.resume.read_bytes())
    else:
        check(params, cfg, args.seed)

    def loss(weights: Array, batch: Array, quantized: bool) -> Array:
        tokens, segments, learnt = batch[:, 0], batch[:, 1], batch[:, 2]
        params = as_exported(restore(weights)) if quantized else restore(weights)
        logits = network.forward(params, tokens[:, :-1], segments[:, :-1], cfg)
        each = optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:])
        return (each * learnt[:, 1:]).sum() / learnt.sum()

    def step(weights: Array, state: Any, batch: Array, lr: Array, quantized: bool) -> Any:
        value, gradient = jax.value_and_grad(loss)(weights, batch, quantized)
        update, state = optimizer.update(gradient, state)
        update, _ = ravel_pytree(with_orthogonal_kernels(restore(update), restore(state[1].mu)))
        return weights - lr * (update + 0.01 * weights), state, value

    compiled = jax.jit(step, static_argnames="quantized")
    record(folder, args)
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
