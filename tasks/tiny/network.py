"""The Needle architecture with one residual lane, in PyTorch, which trains it on a CPU some twice as fast as JAX.

Parameters have the tree and the meaning of `needle.model.architecture.SimpleAttentionNetwork`, which is the
reference: `train.py` refuses to start when the two disagree on random tokens. Only the arithmetic is arranged
otherwise: independent examples are packed into a row, engram tables are read only where they feed a layer, and
logits are computed only where something is learnt.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from needle.model.architecture import _ENGRAM_PRIME, _ENGRAM_SEED, TransformerConfig
from torch import Tensor
from torch.nn import functional

Params = dict[str, Any]

PERMUTATION_SEEDS = (11, 13)
TAP_STRIDE = 3
EPSILON = 1e-6
WORD = 0xFFFFFFFF


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


def _norm(x: Tensor, scale: Tensor | None = None) -> Tensor:
    return functional.rms_norm(x, x.shape[-1:], None if scale is None else 1 + scale, EPSILON)


class Segments:
    """Where the independent examples packed into a row are: `ids` [batch, time], zero for padding.

    Shifts and attention never cross from one example into the next.
    """

    def __init__(self, ids: Tensor) -> None:
        time = ids.shape[1]
        visible = (ids[:, :, None] == ids[:, None, :]) & torch.ones(time, time, dtype=torch.bool).tril()
        self.bias = torch.zeros(visible.shape).masked_fill(~visible, -1e30)[:, None]
        self.within = {by: self._within(ids, by) for by in (1, 2, 3, 6, 9)}

    def _within(self, ids: Tensor, by: int) -> Tensor:
        """1 where the position `by` earlier belongs to the same example, [batch, time, 1]."""
        return functional.pad(ids[:, by:] == ids[:, :-by], (by, 0))[..., None].float()

    def taps(self, x: Tensor, taps: Tensor, stride: int = 1) -> Tensor:
        """Causal convolution of each channel."""
        out = taps[0] * x
        for j in range(1, taps.shape[0]):
            by = j * stride
            out = out + functional.pad(x[:, :-by], (0, 0, by, 0)) * self.within[by] * taps[j]
        return out


def _angles(time: int, dim: int, theta: float) -> tuple[Tensor, Tensor]:
    rate = theta ** (-torch.arange(dim // 2, dtype=torch.float32) * 2 / dim)
    angle = torch.arange(time, dtype=torch.float32)[:, None] * rate
    return torch.cos(angle)[:, None], torch.sin(angle)[:, None]


def _rotate(x: Tensor, theta: float) -> Tensor:
    """Rotary positions on [batch, time, head, dim], halves paired."""
    cos, sin = _angles(x.shape[1], x.shape[-1], theta)
    left, right = x.chunk(2, dim=-1)
    return torch.cat([left * cos - right * sin, right * cos + left * sin], dim=-1)


def engram_ids(tokens: Tensor, order: int, at: int, slots: int) -> Tensor:
    """The slot of each suffix of `order` tokens, [batch, time]; 32-bit arithmetic kept in 64 bits."""
    seed = _ENGRAM_SEED * (at + 1) & WORD
    hashed = torch.full_like(tokens, seed)
    for j in range(order):
        hashed = (hashed ^ functional.pad(tokens, (j, 0))[:, : tokens.shape[1]]) * _ENGRAM_PRIME & WORD
    return (hashed ^ (hashed >> 15)) % slots


def _engram(p: Params, tokens: Tensor, segments: Segments, cfg: TransformerConfig) -> tuple[Tensor, Tensor]:
    """Keys and values that hashed two- and three-token suffixes contribute, [batch, time, width] each."""
    found = [
        functional.embedding(engram_ids(tokens, order, at, cfg.engram_slots), p["embedding"][at])
        * segments.within[order - 1]
        for at, order in enumerate(cfg.engram_orders)
    ]
    e = torch.cat(found, dim=-1)
    return e @ p["key_proj"]["kernel"], segments.taps(e @ p["value_proj"]["kernel"], p["taps"], TAP_STRIDE)


def _attention(p: Params, x: Tensor, segments: Segments, cfg: TransformerConfig) -> Tensor:
    batch, time, _ = x.shape
    size, heads, groups = cfg.qk_head_dim, cfg.num_heads, cfg.num_kv_heads
    joined = x @ torch.cat([p[f"{name}_proj"]["kernel"] for name in ("q", "k", "v", "gate")], dim=1)
    inputs, gate = joined.split([(heads + 2 * groups) * size, heads * size], dim=-1)
    inputs = segments.taps(inputs, torch.cat([p[f"{name}_taps"] for name in ("q", "k", "v")], dim=1))
    inputs = inputs.reshape(batch, time, heads + 2 * groups, size)
    scale = torch.cat([p["q_norm"]["scale"].expand(heads, size), p["k_norm"]["scale"].expand(groups, size)])
    rotated = _rotate(_norm(inputs[:, :, : heads + groups]) * (1 + scale), cfg.rope_theta)
    q = rotated[:, :, :heads].transpose(1, 2)
    k, v = (part.repeat_interleave(heads // groups, dim=2).transpose(1, 2)
            for part in (rotated[:, :, heads:], inputs[:, :, heads + groups :]))  # fmt: skip
    out = functional.scaled_dot_product_attention(q, k, v, attn_mask=segments.bias, scale=size**-0.5)
    return (out.transpose(1, 2).reshape(batch, time, -1) * torch.sigmoid(gate)) @ p["out_proj"]["kernel"]


def _order(size: int, seed: int) -> Tensor:
    """The architecture's fixed order of the channels."""
    return torch.from_numpy(np.random.RandomState(seed).permutation(size))


def _mixer(p: Params, x: Tensor) -> Tensor:
    width = x.shape[-1]
    first, second, third = (torch.kron(p[f"w{i}a"], p[f"w{i}b"]) for i in (1, 2, 3))
    first = (p["d1"][:, None] * first)[:, _order(width, PERMUTATION_SEEDS[0])]
    second = second[:, _order(width, PERMUTATION_SEEDS[1])]
    gate = p["d2"] + torch.softmax(x @ p["cond_v"], dim=-1) @ (p["cond_u"] * p["d2"])
    z = functional.silu(gate * (x @ first) + p["b2"]) @ second
    return z @ (p["d3"][:, None] * third * p["d4"])


def _block(
    p: Params, x: Tensor, engram: tuple[Tensor, Tensor] | None, segments: Segments, cfg: TransformerConfig
) -> Tensor:
    """One layer; `engram` where a table feeds it."""
    if engram:
        key, value = engram
        weight = torch.sigmoid((_norm(x) * _norm(key)).sum(-1, keepdim=True) / cfg.d_model**0.5)
        x = x + weight * value
    attended = _attention(p["self_attn"], _norm(x, p["ZCRMSNorm_0"]["scale"]), segments, cfg)
    x = x + torch.sigmoid(p["attn_gate"]) * _norm(attended, p["post_attn_norm"]["scale"])
    return x + _mixer(p["hadamard_mlp"], _norm(x, p["pre_hada_norm"]["scale"]))


def _layers(stacked: Params, count: int) -> list[Params]:
    """A tree of [layers, ...] as a tree for each layer."""
    found: list[Params] = [{} for _ in range(count)]
    for name, leaf in stacked.items():
        parts = _layers(leaf, count) if isinstance(leaf, dict) else leaf.unbind(0)
        for layer, part in zip(found, parts, strict=True):
            layer[name] = part
    return found


def cells(params: Params, tokens: Tensor, segment_ids: Tensor, cfg: TransformerConfig) -> list[Tensor]:
    """The stream before the first layer and after each, [batch, time, width], for int64 tokens [batch, time]."""
    segments = Segments(segment_ids)
    stack = params["stack"]
    lanes = _layers({k: stack[f"mhc_{k}"] for k in ("a_pre", "phi_pre", "b_pre", "a_post", "phi_post", "b_post")},
                    cfg.num_layers)  # fmt: skip
    x = functional.embedding(tokens, params["embedding"]["embedding"]) * cfg.d_model**0.5
    found = [x]
    for at, (block, lane) in enumerate(zip(_layers(stack["layers"]["block"], cfg.num_layers), lanes, strict=True)):
        site = cfg.engram_layers.index(at) if at in cfg.engram_layers else None
        engram = None if site is None else _engram(params[f"engrams_{site}"], tokens, segments, cfg)
        unit = _norm(x)
        before = torch.sigmoid(lane["a_pre"] * (unit @ lane["phi_pre"]) + lane["b_pre"] + 4)
        after = 2 * torch.sigmoid(lane["a_post"] * (unit @ lane["phi_post"]) + lane["b_post"])
        inner = before * x
        x = x + after * (_block(block, inner, engram, segments, cfg) - inner)
        found.append(x)
    return found


def logits(params: Params, x: Tensor) -> Tensor:
    """Logits [..., vocab] from the last stream."""
    return _norm(x, params["stack"]["final_norm"]["scale"]) @ params["embedding"]["embedding"].T
