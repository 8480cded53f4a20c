"""The layers of a BERT body computed in bf16 throughout: a sixth faster to train on a CPU than under autocast.

Autocast takes the softmax, the norms and the residual stream back to fp32, and on a CPU the copies between the two cost more
than what is computed there. The weights stay fp32; their gradients too. Leaves out: dropout (0 in this project) and the
embeddings. Imports torch.
"""

from __future__ import annotations

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


def attended(states: Any, mask: Any, heads: int, attention: Any) -> Any:
    """Self-attention [batch, length, hidden] of one layer; queries, keys and values in one product."""
    rows, length, hidden = states.shape
    one = attention.self
    scale = float((hidden // heads) ** -0.5)
    weight = torch.cat((one.query.weight * scale, one.key.weight, one.value.weight))
    bias = torch.cat((one.query.bias * scale, one.key.bias, one.value.bias))
    joined = functional.linear(states, low(weight), low(bias)).view(rows, length, 3, heads, hidden // heads)
    query, key, value = joined.permute(2, 0, 3, 1, 4)
    shares = torch.softmax(query @ key.transpose(-1, -2) + mask, dim=-1)
    mixed = (shares @ value).transpose(1, 2).reshape(rows, length, hidden)
    return functional.linear(mixed, low(attention.output.dense.weight), low(attention.output.dense.bias))


def layered(body: Any, embedded: Any, attention_mask: Any) -> Any:
    """The last states [batch, length, hidden] as fp32, of a `BertModel` and what its embeddings gave.

    As the body's own forward does it, to about two digits: every sum and norm is rounded to the 8 bits of bf16.
    """
    with torch.autocast(embedded.device.type, enabled=False):
        mask = low((1.0 - attention_mask.float()) * LOWEST)[:, None, None, :]
        states = low(embedded)
        for layer in body.encoder.layer:
            near = attended(states, mask, body.config.num_attention_heads, layer.attention)
            states = normed(states + near, layer.attention.output.LayerNorm)
            inner, outer = layer.intermediate.dense, layer.output.dense
            wide = functional.gelu(functional.linear(states, low(inner.weight), low(inner.bias)))
            far = functional.linear(wide, low(outer.weight), low(outer.bias))
            states = normed(states + far, layer.output.LayerNorm)
        return states.float()
