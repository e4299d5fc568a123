"""Products with operands of 8 and of 4 bits."""

from __future__ import annotations

from typing import Any

import torch

from .._tensors import constant
from ._checks import HALVES, check_memory, check_multiple, check_no_gradient, check_shape, check_types
from ._kernels import Planned, shipped
from ._operator import Operator

_E4M3 = tuple(getattr(torch, name) for name in ("float8_e4m3fn", "uint8") if hasattr(torch, name))  # the bits, before PyTorch 2.1


# ---- fp8 ----------------------------------------------------------------------------------------------------------------------


def _fp8_fake(x: Any, weight: Any, x_scale: Any, weight_scale: Any, bias: Any, bf16: bool) -> Any:
    element = torch.bfloat16 if bf16 else torch.float16
    check_types("fp8_linear", _E4M3, x=x, weight=weight)
    check_types("fp8_linear", (torch.float32,), x_scale=x_scale, weight_scale=weight_scale)
    check_memory("fp8_linear", x=x, weight=weight, x_scale=x_scale, weight_scale=weight_scale, **({} if bias is None else {"bias": bias}))
    if weight.dim() != 2 or x.dim() == 0:
        raise ValueError(f"fp8_linear: 'weight' has {weight.dim()} dimensions and 'x' {x.dim()}, not 2 and at least 1")
    outputs, inputs = weight.shape
    check_shape("fp8_linear", "x", x, (*x.shape[:-1], inputs), "'weight' asks for")
    for name, each, count in (("x_scale", x_scale, x.numel() // max(inputs, 1)), ("weight_scale", weight_scale, outputs)):
        if each.numel() not in (1, count):
            raise ValueError(f"fp8_linear: '{name}' has {each.numel()} elements: give one, or {count}, one for each row")
    if bias is not None:
        check_types("fp8_linear", (element,), bias=bias)
        check_shape("fp8_linear", "bias", bias, (outputs,), "'weight' asks for")
    check_multiple("fp8_linear", "the number of inputs", inputs, 16)
    check_multiple("fp8_linear", "the number of outputs", outputs, 8)
    return x.new_empty((*x.shape[:-1], outputs), dtype=element)


def _fp8_plan(x: Any, weight: Any, x_scale: Any, weight_scale: Any, bias: Any, bf16: bool) -> Any:
    y = _fp8_fake(x, weight, x_scale, weight_scale, bias, bf16)
    (outputs, inputs), shape, dtype = weight.shape, y.shape, y.dtype
    rows = x.numel() // inputs
    if y.numel() == 0:
        return lambda x, *_: x.new_empty(shape, dtype=dtype)
    settings = f"ROW_SCALES={int(x_scale.numel() > 1)} COLUMN_SCALES={int(weight_scale.numel() > 1)} BIAS={int(bias is not None)}"

    flat = y.reshape(rows, outputs)
    given = (x.reshape(rows, inputs), weight, flat, x_scale.reshape(-1), weight_scale.reshape(-1), flat[0] if bias is None else bias)
    launch = shipped("gemm/fp8_scaled", dtype, settings).launcher(x.device, (*given, rows, outputs, inputs))

    def run(x: Any, weight: Any, x_scale: Any, weight_scale: Any, bias: Any, _: Any) -> Any:
        y = x.new_empty(shape, dtype=dtype)
        launch(x, weight, y, x_scale, weight_scale, y if bias is None else bias)
        return y

    return run


_fp8 = Operator("tawa::fp8_linear(Tensor x, Tensor weight, Tensor x_scale, Tensor weight_scale, Tensor? bias, bool bf16) -> Tensor",
                Planned("tawa::fp8_linear", _fp8_plan), _fp8_fake)


def fp8_linear(x: Any, weight: Any, x_scale: Any, weight_scale: Any, bias: Any = None, dtype: Any = torch.bfloat16) -> Any:
    """(x_scale x) (weight_scale weight)^T + bias in f16 or bf16, of operands in e4m3, in one kernel.

    x [..., inputs], weight [outputs, inputs]: float8_e4m3fn (or uint8, which stands for its bits), contiguous, the number of inputs
    a multiple of 16, that of outputs of 8. x_scale: f32, of one element or one for each row of x; weight_scale: of one or one for
    each output. dtype: of the result, and of the bias. No derivatives.
    """
    if dtype not in HALVES:
        raise TypeError(f"fp8_linear: the result cannot be {dtype}: give torch.float16 or torch.bfloat16, and convert it")
    check_no_gradient("fp8_linear", x=x, weight=weight, x_scale=x_scale, weight_scale=weight_scale, bias=bias)
    return _fp8(x, weight, x_scale, weight_scale, bias, dtype == torch.bfloat16)


# ---- weights of 4 bits --------------------------------------------------------------------------------------------------------


def _w4a16_fake(x: Any, weight: Any, scales: Any) -> Any:
    check_types("w4a16_linear", HALVES, x=x, scales=scales)
    check_types("w4a16_linear", (torch.int32,), weight=weight)
    check_memory("w4a16_linear", x=x, weight=weight, scales=scales)
    if weight.dim() != 2 or scales.dim() != 2 or x.dim() == 0:
        raise ValueError(f"w4a16_linear: 'weight' has {weight.dim()} dimensions, 'scales' {scales.dim()} and 'x' {x.dim()}, not 2, 2 and "
                         "at least 1")
    inputs, outputs = weight.shape[0], 8 * weight.shape[1]
    check_shape("w4a16_linear", "x", x, (*x.shape[:-1], inputs), "'weight' asks for")
    check_shape("w4a16_linear", "scales", scales, (scales.shape[0], outputs), "'weight' asks for")
    check_multiple("w4a16_linear", "the number of outputs", outputs, 16)
    if scales.shape[0] == 0 or inputs % scales.shape[0] != 0:
        raise ValueError(f"w4a16_linear: {inputs} inputs do not divide among the {scales.shape[0]} rows of 'scales'")
    check_multiple("w4a16_linear", "the number of inputs that share a row of 'scales'", inputs // scales.shape[0], 32)
    return x.new_empty((*x.shape[:-1], outputs))


def _inputs_of_step(rows: int, group: int) -> int:
    """All of one row of scales. Long steps are faster for few rows (perf/README.md, "Operators of tawa.torch"), by the model not for many."""
    return next(step for step in ((128, 64, 32) if rows <= 64 else (64, 32)) if group % step == 0)


def _w4a16_plan(x: Any, weight: Any, scales: Any) -> Any:
    y = _w4a16_fake(x, weight, scales)
    inputs, outputs, shape = weight.shape[0], 8 * weight.shape[1], y.shape
    rows, group = x.numel() // inputs, inputs // scales.shape[0]
    if y.numel() == 0:
        return lambda x, *_: x.new_empty(shape)
    sizes = (rows, outputs, inputs, constant("i32", group))  # so that no iteration divides by it
    settings = f"BLOCK_K={_inputs_of_step(rows, group)}"
    launch = shipped("gemm/w4a16", x.dtype, settings).launcher(x.device, (x.reshape(rows, inputs), weight, scales, y.reshape(rows, outputs), *sizes))

    def run(x: Any, weight: Any, scales: Any) -> Any:
        y = x.new_empty(shape)
        launch(x, weight, scales, y)
        return y

    return run


_w4a16 = Operator("tawa::w4a16_linear(Tensor x, Tensor weight, Tensor scales) -> Tensor", Planned("tawa::w4a16_linear", _w4a16_plan), _w4a16_fake)


def w4a16_linear(x: Any, weight: Any, scales: Any) -> Any:
    """x w, where w is (code - 8) * scale of weights in codes of 4 bits.

    x [..., inputs] f16 or bf16; weight [inputs, outputs / 8] int32: eight codes in a number, that of the lowest output in the lowest
    bits; scales [groups, outputs] of x's type: of inputs / groups inputs each, a multiple of 32. Contiguous, the number of outputs a
    multiple of 16. No derivatives.
    """
    check_no_gradient("w4a16_linear", x=x, weight=weight, scales=scales)
    return _w4a16(x, weight, scales)
