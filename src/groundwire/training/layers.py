"""The layers of a body computed in bf16 throughout: a sixth faster to train on a CPU than under autocast.

On a CPU attention is spelled out (the backward pass of the fused one costs three times as much there), on CUDA it is fused.
Autocast takes the softmax, the norms and the residual stream back to fp32, and on a CPU the copies between the two cost more
than what is computed there. The weights stay fp32; their gradients too. Leaves out: dropout (0 in this project) and the
embeddings. Imports torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

LOWEST = -1e4
"""Stands for minus infinity under a maximum or before a softmax; within fp16 and bf16."""


def low(parameter: Any) -> Any:
    """A parameter as bf16; its gradient comes back as fp32."""
    return parameter.to(torch.bfloat16)


def normed(states: Any, norm: Any) -> Any:
    """Layer normalisation with a body's own norm."""
    return functional.layer_norm(states, norm.normalized_shape, low(norm.weight), low(norm.bias), norm.eps)


@dataclass(frozen=True, slots=True)
class Block:
    """The parts of one layer by what they do; every family of bodies keeps them elsewhere."""

    query: Any
    key: Any
    value: Any
    joined: Any
    near: Any
    inner: Any
    outer: Any
    far: Any


def bert_blocks(body: Any) -> list[Block]:
    """The layers of a `BertModel`."""
    return [_bert_block(layer, layer.attention.self) for layer in body.encoder.layer]


def _bert_block(layer: Any, own: Any) -> Block:
    near = layer.attention.output
    inner, outer = layer.intermediate.dense, layer.output
    return Block(own.query, own.key, own.value, near.dense, near.LayerNorm, inner, outer.dense, outer.LayerNorm)


def mpnet_blocks(body: Any) -> list[Block]:
    """The layers of an `MPNetModel`."""
    return [_mpnet_block(layer, layer.attention.attn) for layer in body.encoder.layer]


def _mpnet_block(layer: Any, own: Any) -> Block:
    inner, outer = layer.intermediate.dense, layer.output
    return Block(own.q, own.k, own.v, own.o, layer.attention.LayerNorm, inner, outer.dense, outer.LayerNorm)


def attended(states: Any, bias: Any, heads: int, block: Block) -> Any:
    """Self-attention [batch, length, hidden] of one layer; queries, keys and values in one product."""
    rows, length, hidden = states.shape
    scale = float((hidden // heads) ** -0.5)
    weight = torch.cat((block.query.weight * scale, block.key.weight, block.value.weight))
    offset = torch.cat((block.query.bias * scale, block.key.bias, block.value.bias))
    joined = functional.linear(states, low(weight), low(offset)).view(rows, length, 3, heads, hidden // heads)
    query, key, value = joined.permute(2, 0, 3, 1, 4)
    if states.is_cuda:
        found = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias, scale=1.0)
    else:
        found = torch.softmax(query @ key.transpose(-1, -2) + bias, dim=-1) @ value
    mixed = found.transpose(1, 2).reshape(rows, length, hidden)
    return functional.linear(mixed, low(block.joined.weight), low(block.joined.bias))


def layered(blocks: Sequence[Block], heads: int, embedded: Any, attention_mask: Any, positions: Any = None) -> Any:
    """The last states [batch, length, hidden] as fp32, of a body's layers and what its embeddings gave.

    As the body's own forward does it, to about two digits: every sum and norm is rounded to the 8 bits of bf16. `positions`
    [1, heads, length, length] is added to the scores of attention by bodies that know distances so.
    """
    with torch.autocast(embedded.device.type, enabled=False):
        bias = low((1.0 - attention_mask.float()) * LOWEST)[:, None, None, :]
        bias = bias if positions is None else bias + low(positions)
        if bias.is_cuda:  # fused attention wants it whole
            bias = bias.expand(-1, heads, bias.shape[-1], -1).contiguous()
        states = low(embedded)
        for block in blocks:
            states = normed(states + attended(states, bias, heads, block), block.near)
            wide = functional.gelu(functional.linear(states, low(block.inner.weight), low(block.inner.bias)))
            far = functional.linear(wide, low(block.outer.weight), low(block.outer.bias))
            states = normed(states + far, block.far)
        return states.float()
