"""Products of f16 and bf16: a linear layer with its epilogue, and its derivatives, all of one text."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from ._checks import HALVES, check_memory, check_multiple, check_shape, check_types
from ._kernels import Planned, shipped
from ._operator import Operator, needs_gradient

_ACTIVATIONS = {"none": None, "relu": F.relu, "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "silu": F.silu}


def _launcher(a: Any, b: Any, c: Any, bias: Any, sizes: tuple[Any, Any, Any], settings: str) -> Any:
    """A function of a, b, c and bias: c[M,N] = a b + bias, of which some may be empty; sizes: M, N, K."""
    if c.numel() == 0:
        return lambda a, b, c, bias: None
    if sizes[2] == 0:
        return lambda a, b, c, bias: c.zero_()
    launch = shipped("gemm/linear", c.dtype, settings).launcher(c.device, (a, b, c, c[0] if bias is None else bias, *sizes))
    return lambda a, b, c, bias: launch(a, b, c, c if bias is None else bias)


# ---- products in any order ----------------------------------------------------------------------------------------------------


def _sizes(a: Any, b: Any, a_outer: bool, b_outer: bool) -> tuple[Any, Any, Any]:
    return a.shape[1 if a_outer else 0], b.shape[1 if b_outer else 0], a.shape[0 if a_outer else 1]


def _product_fake(a: Any, b: Any, a_outer: bool, b_outer: bool) -> Any:
    check_types("product", HALVES, a=a, b=b)
    check_memory("product", a=a, b=b)
    m, n, k = _sizes(a, b, a_outer, b_outer)
    check_shape("product", "b", b, (k, n) if b_outer else (n, k), "the shape of 'a' asks for")
    for name, size in (("a", a.shape[1]), ("b", b.shape[1]), ("the result", n)):
        check_multiple("product", f"the number of columns of {name}", size, 8)
    return a.new_empty((m, n))


def _product_plan(a: Any, b: Any, a_outer: bool, b_outer: bool) -> Any:
    c = _product_fake(a, b, a_outer, b_outer)
    shape = c.shape
    launch = _launcher(a, b, c, None, _sizes(a, b, a_outer, b_outer), f"A_OUTER={int(a_outer)} B_OUTER={int(b_outer)}")

    def run(a: Any, b: Any, *_: Any) -> Any:
        c = a.new_empty(shape)
        launch(a, b, c, None)
        return c

    return run


def _product_backward(gradients: Any, inputs: Any, _: Any) -> Any:
    """With op(a) [M,K] and op(b) [K,N]: the derivative of op(a) is g op(b)^T, that of op(b) op(a)^T g; each in its operand's order."""
    (a, b, a_outer, b_outer), g = inputs, gradients[0].contiguous()
    of_a = of_b = None
    if a.requires_grad:
        of_a = _product(b, g, not b_outer, False) if a_outer else _product(g, b, False, not b_outer)
    if b.requires_grad:
        of_b = _product(a, g, not a_outer, True) if b_outer else _product(g, a, True, not a_outer)
    return of_a, of_b, None, None


_product = Operator("tawa::product(Tensor a, Tensor b, bool a_outer, bool b_outer) -> Tensor", Planned("tawa::product", _product_plan), _product_fake,
                    _product_backward)


# ---- linear -------------------------------------------------------------------------------------------------------------------


def _linear_fake(x: Any, weight: Any, bias: Any, activation: str) -> Any:
    if activation not in _ACTIVATIONS:
        raise ValueError(f"linear: activation '{activation}': there are {', '.join(_ACTIVATIONS)}")
    tensors = {"x": x, "weight": weight} | ({} if bias is None else {"bias": bias})
    check_types("linear", HALVES, **tensors)
    check_memory("linear", **tensors)
    if weight.dim() != 2 or x.dim() == 0:
        raise ValueError(f"linear: 'weight' has {weight.dim()} dimensions and 'x' {x.dim()}, not 2 and at least 1")
    outputs, inputs = weight.shape
    check_shape("linear", "x", x, (*x.shape[:-1], inputs), "'weight' asks for")
    if bias is not None:
        check_shape("linear", "bias", bias, (outputs,), "'weight' asks for")
    check_multiple("linear", "the number of inputs", inputs, 8)
    check_multiple("linear", "the number of outputs", outputs, 8)
    return x.new_empty((*x.shape[:-1], outputs))


def _linear_plan(x: Any, weight: Any, bias: Any, activation: str) -> Any:
    y = _linear_fake(x, weight, bias, activation)
    (outputs, inputs), settings = weight.shape, f"BIAS={int(bias is not None)} ACTIVATION={list(_ACTIVATIONS).index(activation)}"
    rows, shape = x.numel() // inputs, y.shape
    launch = _launcher(x.reshape(rows, inputs), weight, y.reshape(rows, outputs), bias, (rows, outputs, inputs), settings)

    def run(x: Any, weight: Any, bias: Any, _: Any) -> Any:
        y = x.new_empty(shape)
        launch(x, weight, y, bias)
        return y

    return run


def _linear_backward(gradients: Any, inputs: Any, _: Any) -> Any:
    x, weight, bias, activation = inputs
    if activation != "none":
        raise ValueError(f"torch.ops.tawa.linear: no derivative knows of '{activation}': call tawa.torch.linear()")
    flat = gradients[0].reshape(-1, weight.shape[0]).contiguous()
    of_x = _product(flat, weight, False, True).reshape(x.shape) if x.requires_grad else None
    of_weight = _product(flat, x.reshape(-1, weight.shape[1]), True, True) if weight.requires_grad else None
    of_bias = flat.sum(0) if bias is not None and bias.requires_grad else None
    return of_x, of_weight, of_bias, None


_linear = Operator("tawa::linear(Tensor x, Tensor weight, Tensor? bias, str activation) -> Tensor", Planned("tawa::linear", _linear_plan), _linear_fake,
                   _linear_backward)


def linear(x: Any, weight: Any, bias: Any = None, activation: str = "none") -> Any:
    """activation(x weight^T + bias) as torch.nn.functional.linear() computes it, in one kernel, sums in f32.

    x [..., inputs], weight [outputs, inputs], bias [outputs]: all f16 or all bf16, contiguous, numbers of inputs and outputs
    multiples of 8. activation: "none", "relu", "gelu", "gelu_tanh", "silu". Derivatives are products of the same kernel; where they
    are needed, an activation is PyTorch's own.
    """
    unfused = _ACTIVATIONS.get(activation)
    if unfused is not None and needs_gradient(x, weight, bias):
        return unfused(_linear(x, weight, bias, "none"))
    return _linear(x, weight, bias, activation)
