"""Attention of f16 and bf16, forward and backward."""

from __future__ import annotations

import math
from typing import Any

import torch

from ._checks import HALVES, check_memory, check_multiple, check_shape, check_types
from ._kernels import Planned, shipped
from ._operator import Operator, needs_gradient

_WHOLE = 128  # rows of the tiles of the texts for whole tiles


def _check(call: str, q: Any, k: Any, v: Any, scale: Any) -> None:
    check_types(call, HALVES, q=q, k=k, v=v)
    check_memory(call, q=q, k=k, v=v)
    if q.dim() != 4 or k.dim() != 4:
        raise ValueError(f"{call}: 'q' has {q.dim()} dimensions and 'k' {k.dim()}, not 4: [batch, heads, rows, head dim]")
    check_shape(call, "k", k, (q.shape[0], k.shape[1], k.shape[2], q.shape[3]), "'q' asks for")
    check_shape(call, "v", v, tuple(k.shape), "'k' asks for")
    if k.shape[1] == 0 or q.shape[1] % k.shape[1] != 0:
        raise ValueError(f"{call}: {q.shape[1]} heads of 'q' cannot share {k.shape[1]} heads of 'k' and 'v': repeat these, "
                         ".repeat_interleave()")
    if k.shape[2] == 0:
        raise ValueError(f"{call}: there are no keys")
    if q.shape[3] not in (64, 128) and not (q.shape[3] == 256 and _is_whole(q, k)):
        raise ValueError(f"{call}: heads have {q.shape[3]} elements: there are kernels for 64, 128 and, with as many keys as queries, a "
                         f"multiple of {_WHOLE}, and as many heads, 256; pad them with zeros and give 'scale'")
    if not scale > 0:
        raise ValueError(f"{call}: 'scale' is {scale}, not positive: change the sign of 'q'")


def _is_whole(q: Any, k: Any) -> bool:
    """All tiles are full, and heads of K are those of Q."""
    return bool(q.shape[1:3] == k.shape[1:3] and q.shape[2] % _WHOLE == 0)


# ---- forward ------------------------------------------------------------------------------------------------------------------


def _forward_fake(q: Any, k: Any, v: Any, causal: bool, scale: float) -> Any:
    _check("attention", q, k, v, scale)
    return q.new_empty(q.shape), q.new_empty(q.shape[:3], dtype=torch.float32)


def _forward_plan(q: Any, k: Any, v: Any, causal: bool, scale: float) -> Any:
    """Of the output, and of each row the logarithm to base 2 of the sum of exponentials."""
    out, lse = _forward_fake(q, k, v, causal, scale)
    (batch, heads, queries, width), keys, shape = q.shape, k.shape[2], q.shape
    empty = lambda q: (q.new_empty(shape), q.new_empty(shape[:3], dtype=torch.float32))
    if out.numel() == 0:
        return lambda q, *_: empty(q)
    of_q: tuple[int, ...]
    of_k: tuple[int, ...]
    of_lse: tuple[int, ...]
    sizes: tuple[Any, ...]
    if _is_whole(q, k):
        text, settings = ("attention/fwd_causal" if causal else "attention/fwd"), f"HEAD_DIM={width}"
        of_q = of_k = (batch * heads * queries, width)
        of_lse, sizes = (batch * heads * queries,), (scale, queries, batch * heads)
    else:
        text, settings = "attention/grouped_query", f"HEAD_DIM={width} CAUSAL={int(causal)}"
        of_q, of_k, of_lse = (batch * heads, queries, width), (batch * k.shape[1], keys, width), (batch * heads, queries)
        sizes = (scale, heads // k.shape[1], queries, keys)
    given = q.reshape(of_q), k.reshape(of_k), v.reshape(of_k), out.reshape(of_q), lse.reshape(of_lse), *sizes
    launch = shipped(text, q.dtype, settings).launcher(q.device, given)

    def run(q: Any, k: Any, v: Any, *_: Any) -> Any:
        out, lse = empty(q)
        launch(q, k, v, out, lse)
        return out, lse

    return run


# ---- backward -----------------------------------------------------------------------------------------------------------------


def _check_backward(call: str, q: Any, k: Any, causal: bool) -> None:
    if q.shape[3] not in (64, 128):
        raise ValueError(f"{call}: heads have {q.shape[3]} elements: there are derivatives for 64 and 128; call it under torch.no_grad()")
    if causal and q.shape[2] != k.shape[2]:
        raise ValueError(f"{call}: {q.shape[2]} queries and {k.shape[2]} keys: there are causal derivatives for as many of both; call it "
                         "under torch.no_grad()")
    check_multiple(call, "the number of queries (of a call with derivatives)", q.shape[2], 4)


def _backward_fake(g: Any, q: Any, k: Any, v: Any, out: Any, lse: Any, causal: bool, scale: float) -> Any:
    return q.new_empty(q.shape), k.new_empty(k.shape), v.new_empty(v.shape)


def _backward_plan(g: Any, q: Any, k: Any, v: Any, out: Any, lse: Any, causal: bool, scale: float) -> Any:
    check_memory("attention_backward", q=q, g=g, k=k, v=v, out=out, lse=lse)
    (batch, heads, queries, width), keys = q.shape, k.shape[2]
    if q.numel() == 0:
        return lambda g, *inputs: tuple(each.zero_() for each in _backward_fake(g, *inputs))

    rows, elements = batch * heads * queries, batch * heads * queries * width
    of_q, of_k, of_lse = (batch * heads, queries, width), (batch * heads, keys, width), (batch * heads, queries)

    def fresh(q: Any, k: Any, v: Any) -> Any:
        """The gradients, that of q in f32 before it is scaled, and of each row the sum of g out."""
        return q.new_empty(q.shape), k.new_empty(k.shape), v.new_empty(v.shape), q.new_empty(of_q, dtype=torch.float32), q.new_empty(of_lse, dtype=torch.float32)

    def launcher(text: str, settings: str | None, *given: Any) -> Any:
        return shipped(text, q.dtype, settings).launcher(q.device, given)

    dq, dk, dv, sums, delta = fresh(q, k, v)
    flat = sums.reshape(elements)
    prepare = launcher("attention/backward_delta", f"HEAD_DIM={width} CLEAR=1", out.reshape(elements), g.reshape(elements), delta.reshape(rows), flat, rows)
    differentiate = launcher("attention/backward", f"HEAD_DIM={width} CAUSAL={int(causal)}", q.reshape(of_q), k.reshape(of_k), v.reshape(of_k),
                             g.reshape(of_q), sums, dk.reshape(of_k), dv.reshape(of_k), lse.reshape(of_lse), delta, scale, queries, keys)
    finish = launcher("attention/backward_finish", None, flat, dq.reshape(elements), scale, elements)

    def run(g: Any, q: Any, k: Any, v: Any, out: Any, lse: Any, *_: Any) -> Any:
        dq, dk, dv, sums, delta = fresh(q, k, v)
        prepare(out, g, delta, sums)
        differentiate(q, k, v, g, sums, dk, dv, lse, delta)
        finish(sums, dq)
        return dq, dk, dv

    return run


_backward = Operator("tawa::attention_backward(Tensor g, Tensor q, Tensor k, Tensor v, Tensor out, Tensor lse, bool causal, float scale)"
                     " -> (Tensor, Tensor, Tensor)", Planned("tawa::attention_backward", _backward_plan), _backward_fake)


def _gradients(gradients: Any, inputs: Any, outputs: Any) -> Any:
    """Heads of K and V that are shared are repeated, and their derivatives added up."""
    q, k, v, causal, scale = inputs
    group, shared = q.shape[1] // k.shape[1], (k.shape[0], k.shape[1], q.shape[1] // k.shape[1], *k.shape[2:])
    if group > 1:
        k, v = (each.repeat_interleave(group, 1) for each in (k, v))
    dq, dk, dv = _backward(gradients[0].contiguous(), q, k, v, *outputs, causal, scale)
    if group > 1:
        dk, dv = (each.reshape(shared).sum(2) for each in (dk, dv))
    return dq, dk, dv, None, None


_forward = Operator("tawa::attention(Tensor q, Tensor k, Tensor v, bool causal, float scale) -> (Tensor, Tensor)", Planned("tawa::attention", _forward_plan),
                    _forward_fake, _gradients, saves_outputs=True)


def attention(q: Any, k: Any, v: Any, causal: bool = False, scale: float | None = None) -> Any:
    """softmax(scale q k^T) v, by heads, as torch.nn.functional.scaled_dot_product_attention() computes it, sums in f32.

    q [batch, heads, queries, head dim], k and v [batch, heads or a divisor, keys, head dim]: all f16 or all bf16, contiguous; head
    dim 64 or 128 (256 without derivatives). causal: row i sees the keys 0 to i. scale: 1 / sqrt(head dim) where it is None.
    With derivatives the number of queries is a multiple of 4.
    """
    if needs_gradient(q, k, v):
        _check_backward("attention", q, k, causal)
    return _forward(q, k, v, causal, 1 / math.sqrt(q.shape[-1]) if scale is None else scale)[0]
