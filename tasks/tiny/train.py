"""Train the tiny Needle model from random weights on synthetic turns, and write it as a `.cact` file.

    python -m tasks.tiny.train OUT_FOLDER [--steps 8000] [--seed 1] [--workers 2]

Needs `pip install "cactus-needle[train]" torch` (the CPU build is enough); no other machine, no download, no data.
Each worker is a process with one thread and examples of its own; gradients are averaged. The last part of the run
trains under the numbers of the exported file: weights of 4 bits.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import torch
from needle.model import quantize
from needle.model.architecture import SimpleAttentionNetwork, TransformerConfig, effective_kv_window
from needle.model.export import write_export
from torch import Tensor, distributed, multiprocessing

from tasks.tiny import network
from tasks.tiny.generate import Generator
from tasks.tiny.text import VERDICTS, Tokenizer, train_tokenizer

Params = dict[str, Any]
LENGTH = 128
POOL = 300
DECAY = 0.3
GROUP = 128
WEIGHT_BITS = 4
SHOWN = ((2, 3, 4, 5, 6, 7, 8, 12), (4, 4, 4, 4, 4, 4, 4, 1))
# The verdict decides about the whole answer, but is one token of seventeen. It counts more from this step on.
VERDICT_WEIGHT, WEIGHTED_FROM = 6.0, 600
MOMENTUM, SECOND, EPSILON = 0.9, 0.98, 1e-8


def initial(cfg: TransformerConfig, seed: int) -> Params:
    """Random weights from the reference network."""
    boxed = jax.jit(SimpleAttentionNetwork(cfg).init)(jax.random.PRNGKey(seed), jnp.zeros((1, 8), jnp.int32))
    params: Params = jax.tree.map(
        lambda leaf: torch.tensor(np.asarray(leaf.value if hasattr(leaf, "value") else leaf)),
        boxed["params"],
        is_leaf=lambda leaf: hasattr(leaf, "value"),
    )
    return params


def check(params: Params, cfg: TransformerConfig, seed: int) -> None:
    """Stop where network or rounding give other numbers than the reference for the same weights and tokens."""
    torch.manual_seed(seed)
    tokens = torch.randint(4, cfg.vocab_size, (2, 40))
    shaken = jax.tree.map(lambda leaf: leaf + 0.05 * torch.randn(leaf.shape), params)
    reference = jax.tree.map(lambda leaf: jnp.asarray(leaf.numpy()), shaken)
    theirs = jax.jit(SimpleAttentionNetwork(cfg).apply)({"params": reference}, jnp.asarray(tokens.numpy(), jnp.int32))
    ours = network.logits(shaken, network.cells(shaken, tokens, torch.ones_like(tokens), cfg)[-1])
    apart = np.abs(np.asarray(theirs) - ours.numpy()).max()
    row = torch.randn(50, GROUP)
    rounded = np.asarray(quantize.cq_quantize(jnp.asarray(row.numpy()), WEIGHT_BITS, GROUP))
    apart = max(apart, np.abs(rounded - Rounding()(row).numpy()).max())
    if apart > 1e-3:
        raise SystemExit(f"network.py or its rounding is {apart} away from cactus-needle's: check its version")


class Rounding:
    """Rows of 128 weights as the file will hold them, 4 bits each (`needle.model.quantize.cq_quantize`)."""

    def __init__(self) -> None:
        self.codebook = torch.from_numpy(np.asarray(quantize._cq_codebook_np(WEIGHT_BITS, GROUP), np.float32))
        self.turn = torch.from_numpy(np.asarray(quantize._cq_hadamard_np(GROUP), np.float32))
        self.between = (self.codebook[1:] + self.codebook[:-1]) / 2

    @torch.no_grad()
    def __call__(self, rows: Tensor) -> Tensor:
        turned = rows @ self.turn
        norm = turned.norm(dim=-1, keepdim=True)
        nearest = self.codebook[torch.bucketize(turned / norm.clamp_min(1e-12), self.between)]
        rounded: Tensor = (nearest * norm.half().float()) @ self.turn
        return rounded

    def tree(self, params: Params) -> Params:
        """The weights of a tree, rounded where the file rounds; gradients pass straight through."""

        def leaf(path: tuple[Any, ...], weights: Tensor) -> Tensor:
            name = str(path[-1].key)
            if weights.ndim < 2 or not (name in ("kernel", "embedding") or name.startswith("mhc_phi")):
                return weights
            rows = weights.detach() if name == "embedding" else weights.detach().transpose(-1, -2)
            size = rows.shape[-1]
            padded = torch.nn.functional.pad(rows, (0, -size % GROUP))
            found = self(padded.reshape(-1, GROUP)).reshape(padded.shape)[..., :size]
            return weights + ((found if name == "embedding" else found.transpose(-1, -2)) - weights.detach())

        rounded: Params = jax.tree_util.tree_map_with_path(leaf, params)
        return rounded


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


def batches(seed: int, worker: int, workers: int, tokenizer: Tokenizer, size: int, skip: int) -> Iterator[np.ndarray]:
    """A worker's endless batches of `size` packed rows, the first `skip` left out.

    Every pool of examples is drawn from a seed of its own, so that a resumed run sees the data it would have seen.
    """
    for pool in itertools.count(worker, workers):
        source = Generator(seed * 1_000_003 + pool)
        turns = [turn for _ in range(POOL) for turn in source.mixed(source.rng.choices(*SHOWN)[0])]
        found = packed([row for row in map(tokenizer.example, turns) if len(row[0]) <= LENGTH])
        found = found[np.random.default_rng(pool).permutation(len(found))]
        for at in range(0, len(found) - size + 1, size):
            if skip:
                skip -= 1
            else:
                yield found[at : at + size]


def export(params: Params, cfg: TransformerConfig, tokenizer: Tokenizer, path: Path) -> None:
    arrays = jax.tree.map(lambda leaf: leaf.detach().numpy(), params)
    write_export(arrays, cfg, str(path), tokenizer=tokenizer.blob(), kv_window=effective_kv_window(cfg))


def orthogonalized(update: Tensor) -> Tensor:
    """The nearest orthogonal matrices to [..., m, n], by five Newton-Schulz steps (Jordan et al. 2024, Muon).

    Scaled to the size that Adam's updates have, times two, so that both share a rate (arXiv:2502.16982).
    """
    x = update / (update.norm(dim=(-2, -1), keepdim=True) + 1e-12)
    for _ in range(5):
        square = x @ x.transpose(-1, -2)
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x * (0.4 * max(update.shape[-2:]) ** 0.5)


class Optimizer:
    """Adam on the clipped gradient, but for the kernels of the projections the orthogonalized momentum."""

    def __init__(self, leaves: list[Tensor], kernels: list[bool]) -> None:
        self.leaves, self.kernels, self.done = leaves, kernels, 0
        self.mean = [torch.zeros_like(leaf) for leaf in leaves]
        self.square = [torch.zeros_like(leaf) for leaf in leaves]

    @torch.no_grad()
    def step(self, flat: Tensor, rate: float) -> None:
        self.done += 1
        flat = flat * (1 / flat.norm()).clamp(max=1.0)
        gradients = flat.split([leaf.numel() for leaf in self.leaves])
        parts = zip(self.leaves, gradients, self.mean, self.square, self.kernels, strict=True)
        for leaf, gradient, mean, square, kernel in parts:
            gradient = gradient.view_as(leaf)
            mean.lerp_(gradient, 1 - MOMENTUM)
            square.lerp_(gradient * gradient, 1 - SECOND)
            if kernel:
                update = orthogonalized(mean)
            else:
                root = (square / (1 - SECOND**self.done)).sqrt_().add_(EPSILON)
                update = mean / (1 - MOMENTUM**self.done) / root
            leaf.sub_(rate * (update + 0.01 * leaf))


def rate(step: int, peak: float, steps: int) -> float:
    """Warm up for 100 steps, stay, and fall to a fiftieth over the last DECAY of the run."""
    left = min(max((steps - step) / (steps * DECAY), 0.0), 1.0)
    return peak * min(step / 100, 1.0) * (0.02 + 0.98 * left)


def record(folder: Path, args: argparse.Namespace) -> None:
    """run.json: what has to be known to run this again."""
    arguments = {key: value for key, value in vars(args).items() if key not in ("folder", "resume")}
    names = ("cactus-needle", "torch", "jax", "sentencepiece", "numpy")
    versions = {name: version(name) for name in names}
    (folder / "run.json").write_text(json.dumps({"arguments": arguments, "versions": versions}), encoding="utf-8")


def work(worker: int, args: argparse.Namespace) -> None:
    """One of the workers, from the first step to the last; the first also writes."""
    torch.set_num_threads(1)
    address = f"file://{(args.folder / 'meeting').resolve()}"
    distributed.init_process_group("gloo", init_method=address, rank=worker, world_size=args.workers)
    tokenizer = Tokenizer(args.folder / "tokenizer.model")
    cfg = network.config(tokenizer.size, args.layers, args.width, args.width // 32, args.slots)
    params = initial(cfg, args.seed)
    if worker == 0 and not args.resume:
        check(params, cfg, args.seed)
    found, shape = jax.tree_util.tree_flatten_with_path(params)
    leaves = [leaf.requires_grad_() for _, leaf in found]
    optimizer = Optimizer(leaves, [str(path[-1].key) == "kernel" for path, _ in found])
    if args.resume:
        saved = torch.load(args.resume)
        optimizer.done, optimizer.mean, optimizer.square = saved["step"], saved["mean"], saved["square"]
        with torch.no_grad():
            for leaf, value in zip(leaves, saved["leaves"], strict=True):
                leaf.copy_(value)
    params, rounding = jax.tree_util.tree_unflatten(shape, leaves), Rounding()
    worth = torch.ones(tokenizer.size)
    worth[[ids for verdict in VERDICTS.values() for ids in tokenizer.encode(verdict)]] = VERDICT_WEIGHT
    stream = batches(args.seed, worker, args.workers, tokenizer, args.batch, optimizer.done)
    began, losses = time.perf_counter(), []
    for at in range(optimizer.done + 1, args.steps + 1):
        batch = torch.from_numpy(next(stream)).long()
        tokens, segments, learnt = batch[:, 0], batch[:, 1], batch[:, 2, 1:].bool()
        weights = rounding.tree(params) if at > args.steps * (1 - DECAY) else params
        last = network.cells(weights, tokens[:, :-1], segments[:, :-1], cfg)[-1][learnt]
        loss = torch.nn.functional.cross_entropy(
            network.logits(weights, last), tokens[:, 1:][learnt], worth if at > WEIGHTED_FROM else None
        )
        gradients = torch.autograd.grad(loss, leaves, allow_unused=True, materialize_grads=True)
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        distributed.all_reduce(flat)
        optimizer.step(flat / args.workers, rate(at, args.rate, args.steps))
        losses.append(loss.item())
        if worker:
            continue
        if at % 50 == 0:
            seconds = round(time.perf_counter() - began)
            entry = {"step": at, "loss": round(float(np.mean(losses)), 5), "seconds": seconds}
            losses = []
            with open(args.folder / "log.jsonl", "a", encoding="utf-8") as log:
                log.write(json.dumps(entry) + "\n")
        if at % 100 == 0 or at == args.steps:
            export(params, cfg, tokenizer, args.folder / "tiny.cact")
            state = {"step": at, "leaves": leaves, "mean": optimizer.mean, "square": optimizer.square}
            torch.save(state, args.folder / "state.new")
            os.replace(args.folder / "state.new", args.folder / "state.pt")
    distributed.destroy_process_group()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=8, help="packed rows of each worker")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--slots", type=int, default=256)
    parser.add_argument("--vocabulary", type=int, default=1024)
    parser.add_argument("--resume", type=Path, help="a state.pt of this recipe, made with the same arguments but steps")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    (args.folder / "meeting").unlink(missing_ok=True)
    if not args.resume:
        source = Generator(args.seed)
        train_tokenizer([turn for _ in range(6000) for turn in source.mixed(4)], args.folder, args.vocabulary)
    record(args.folder, args)
    multiprocessing.spawn(work, (args,), nprocs=args.workers)


if __name__ == "__main__":
    main()
