"""The Needle architecture with one residual lane, as plain JAX that trains fast on a CPU.

Parameters have the tree and the meaning of `needle.model.architecture.SimpleAttentionNetwork`, which is
the reference: `train.py` refuses to start when the two disagree on random tokens. Only the arithmetic is
arranged otherwise: on a CPU the gradients of gathers (permutations, table look-ups) and of small Kronecker
factors dominate, and matrix products do the same work 3 to 5 times faster.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from needle.model.architecture import TransformerConfig, engram_indices

Array = jax.Array
Params = dict[str, Any]

PERMUTATION_SEEDS = (11, 13)
TAP_STRIDE = 3
EPSILON = 1e-6


def config(vocab_size: int, layers: int, width: int, heads: int, slots: int) -> TransformerConfig:
    """One residual lane, every layer global, engram tables in layers 1 and 3."""
    return TransformerConfig(
        vocab_size=vocab_size,
        d_model=width,
        num_heads=heads,
        num_kv_heads=2,
        num_layers=layers,
        qk_head_dim=32,
        v_head_dim=32,
        max_seq_len=2048,
        engram_slots=slots,
        engram_layers=(1, 3),
        global_layers=tuple(range(layers)),
        sliding_window=1024,
        mhc_lanes=1,
        dtype="float32",
        flash=False,
        remat=False,
        kv_bits=8,
    )


def _unit(x: Array) -> Array:
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + EPSILON)


def _norm(x: Array, scale: Array) -> Array:
    return (1 + scale) * _unit(x)


class Segments:
    """Where the independent examples packed into a row are: `ids` [batch, time], zero for padding.

    Shifts and attention never cross from one example into the next.
    """

    def __init__(self, ids: Array) -> None:
        time = ids.shape[1]
        causal = jnp.tril(jnp.ones((time, time), bool))
        self.visible = (ids[:, :, None] == ids[:, None, :]) & causal
        self.within = {by: self.visible_at(by) for by in (1, 2, 3, 6, 9)}

    def visible_at(self, by: int) -> Array:
        """1 where the position `by` earlier belongs to the same example, [batch, time, 1]."""
        diagonal = jnp.diagonal(self.visible, offset=-by, axis1=1, axis2=2)
        return jnp.pad(diagonal, ((0, 0), (by, 0)))[..., None].astype(jnp.float32)

    def shift(self, x: Array, by: int) -> Array:
        return jnp.pad(x, ((0, 0), (by, 0), (0, 0)))[:, : x.shape[1]] * self.within[by]

    def taps(self, x: Array, taps: Array, stride: int = 1) -> Array:
        """Causal convolution of each channel."""
        return sum((taps[j] * self.shift(x, j * stride) for j in range(1, taps.shape[0])), taps[0] * x)


def _rotate(x: Array, theta: float) -> Array:
    """Rotary positions on [batch, time, head, dim], halves paired."""
    half = x.shape[-1] // 2
    rate = theta ** (-jnp.arange(half, dtype=jnp.float32) * 2 / x.shape[-1])
    angle = jnp.arange(x.shape[1], dtype=jnp.float32)[:, None] * rate
    cos, sin = jnp.cos(angle)[:, None], jnp.sin(angle)[:, None]
    left, right = x[..., :half], x[..., half:]
    return jnp.concatenate([left * cos - right * sin, right * cos + left * sin], axis=-1)


def _look_up(table: Array, ids: Array) -> Array:
    return jax.nn.one_hot(ids, table.shape[0], dtype=table.dtype) @ table


def _engram(p: Params, tokens: Array, segments: Segments, cfg: TransformerConfig) -> tuple[Array, Array]:
    """Keys and values that hashed two- and three-token suffixes contribute, [batch, time, width] each."""
    orders = tuple(cfg.engram_orders)
    ids = engram_indices(tokens, orders, 1, cfg.engram_slots)
    found = [_look_up(p["embedding"][i], ids[..., i]) * segments.within[order - 1] for i, order in enumerate(orders)]
    e = jnp.concatenate(found, axis=-1)
    return e @ p["key_proj"]["kernel"], segments.taps(e @ p["value_proj"]["kernel"], p["taps"], TAP_STRIDE)


def _attention(p: Params, x: Array, segments: Segments, cfg: TransformerConfig) -> Array:
    batch, time, _ = x.shape
    size, heads, groups = cfg.qk_head_dim, cfg.num_heads, cfg.num_kv_heads
    joined = x @ jnp.concatenate([p[f"{name}_proj"]["kernel"] for name in ("q", "k", "v", "gate")], axis=1)
    inputs, gate = jnp.split(joined, [(heads + 2 * groups) * size], axis=-1)
    inputs = segments.taps(inputs, jnp.concatenate([p[f"{name}_taps"] for name in ("q", "k", "v")], axis=1))
    inputs = inputs.reshape(batch, time, heads + 2 * groups, size)
    scale = jnp.concatenate([jnp.tile(p["q_norm"]["scale"], (heads, 1)), jnp.tile(p["k_norm"]["scale"], (groups, 1))])
    rotated = _rotate(_norm(inputs[:, :, : heads + groups], scale), cfg.rope_theta)
    q, k, v = rotated[:, :, :heads], rotated[:, :, heads:], inputs[:, :, heads + groups :]
    q = q.reshape(batch, time, groups, heads // groups, size) * size**-0.5
    score = jnp.einsum("btgph,bsgh->bgpts", q, k)
    score = jnp.where(segments.visible[:, None, None], score, -1e30)
    out = jnp.einsum("bgpts,bsgh->btgph", jax.nn.softmax(score, axis=-1), v).reshape(batch, time, -1)
    return (out * jax.nn.sigmoid(gate)) @ p["out_proj"]["kernel"]


def _permutation(size: int, seed: int) -> np.ndarray[Any, Any]:
    """The matrix P with (z @ P)[i] = z[order[i]] for the architecture's fixed orders."""
    order = np.random.RandomState(seed).permutation(size)
    return np.eye(size, dtype=np.float32)[:, order]


def _mixer(p: Params, x: Array) -> Array:
    width = x.shape[-1]
    mix = [jnp.kron(p[f"w{i}a"], p[f"w{i}b"]) for i in (1, 2, 3)]
    gate = 1 + jax.nn.softmax(x @ p["cond_v"], axis=-1) @ p["cond_u"]
    z = (p["d1"] * x) @ (mix[0] @ _permutation(width, PERMUTATION_SEEDS[0]))
    z = jax.nn.silu(p["d2"] * gate * z + p["b2"]) @ (mix[1] @ _permutation(width, PERMUTATION_SEEDS[1]))
    return p["d4"] * ((p["d3"] * z) @ mix[2])


def _block(
    p: Params,
    x: Array,
    engram: tuple[Array, Array],
    here: Array,
    segments: Segments,
    cfg: TransformerConfig,
) -> Array:
    """One layer; `here` [sites] is 1 where an engram table feeds this layer."""
    key, value = engram
    weight = jax.nn.sigmoid(jnp.sum(_unit(x) * _unit(key), axis=-1, keepdims=True) / np.sqrt(cfg.d_model))
    x = x + jnp.einsum("s,sbtd->btd", here, weight * value)
    attended = _attention(p["self_attn"], _norm(x, p["ZCRMSNorm_0"]["scale"]), segments, cfg)
    x = x + jax.nn.sigmoid(p["attn_gate"]) * _norm(attended, p["post_attn_norm"]["scale"])
    return x + _mixer(p["hadamard_mlp"], _norm(x, p["pre_hada_norm"]["scale"]))


def cells(params: Params, tokens: Array, segment_ids: Array, cfg: TransformerConfig) -> Array:
    """The stream before the first layer and after each, [layers + 1, batch, time, width]."""
    segments = Segments(segment_ids)
    stack = params["stack"]
    pairs = [_engram(params[f"engrams_{i}"], tokens, segments, cfg) for i in range(len(cfg.engram_layers))]
    engram = (jnp.stack([key for key, _ in pairs]), jnp.stack([value for _, value in pairs]))
    here = np.array([[layer == site for site in cfg.engram_layers] for layer in range(cfg.num_layers)], np.float32)
    lanes = {name: stack[f"mhc_{name}"] for name in ("a_pre", "phi_pre", "b_pre", "a_post", "phi_post", "b_post")}

    def layer(x: Array, at: tuple[Params, Params, Array]) -> tuple[Array, Array]:
        block, lane, sites = at
        unit = _unit(x)
        before = jax.nn.sigmoid(lane["a_pre"] * (unit @ lane["phi_pre"]) + lane["b_pre"] + 4)
        after = 2 * jax.nn.sigmoid(lane["a_post"] * (unit @ lane["phi_post"]) + lane["b_post"])
        inner = before * x
        x = x + after * (_block(block, inner, engram, sites, segments, cfg) - inner)
        return x, x

    first = _look_up(params["embedding"]["embedding"], tokens) * np.sqrt(cfg.d_model)
    _, later = jax.lax.scan(layer, first, (stack["layers"]["block"], lanes, jnp.asarray(here)))
    return jnp.concatenate([first[None], later])


def forward(params: Params, tokens: Array, segment_ids: Array, cfg: TransformerConfig) -> Array:
    """Logits [batch, time, vocab] for int32 tokens and segments [batch, time]."""
    last = _norm(cells(params, tokens, segment_ids, cfg)[-1], params["stack"]["final_norm"]["scale"])
    return last @ params["embedding"]["embedding"].T
