"""Products of unequal numbers of rows, as experts have them, in one launch."""

from __future__ import annotations

from typing import Any

import torch

from .._runtime import runtime
from ._checks import HALVES, check_memory, check_multiple, check_shape, check_types
from ._kernels import Planned, device_name, shipped
from ._operator import Operator


def _is_outer(weight: Any) -> bool:
    """Whether weights lie as [experts, inputs, outputs]."""
    return weight.dim() == 3 and not weight.is_contiguous() and weight.transpose(1, 2).is_contiguous()


def _fake(x: Any, weight: Any, ends: Any) -> Any:
    check_types("moe", HALVES, x=x, weight=weight)
    check_types("moe", (torch.int32,), ends=ends)
    check_memory("moe", x=x, weight=weight.transpose(1, 2) if _is_outer(weight) else weight, ends=ends)
    if x.dim() != 2 or weight.dim() != 3:
        raise ValueError(f"moe: 'x' has {x.dim()} dimensions and 'weight' {weight.dim()}, not 2 and 3")
    experts, outputs, inputs = weight.shape
    check_shape("moe", "x", x, (x.shape[0], inputs), "'weight' asks for")
    check_shape("moe", "ends", ends, (experts,), "'weight' asks for")
    check_multiple("moe", "the number of inputs", inputs, 8)
    check_multiple("moe", "the number of outputs", outputs, 8)
    return x.new_empty((x.shape[0], outputs))


def _programs(x: Any) -> int:
    return runtime(device_name(x.device)).info.multiprocessors


def _rows_of_tile(rows: int, experts: int) -> int:
    """By how many rows an expert has on average: all that is known before the kernel reads `ends` (perf/README.md, "Experts")."""
    mean = rows / experts
    return 16 if mean <= 8 else 64 if mean <= 64 else 128


def _product_plan(empty: Any) -> Any:
    """Of the product of each expert; empty(x, shape): a result in which rows past the last end stay as they are."""

    def plan(x: Any, weight: Any, ends: Any) -> Any:
        y = _fake(x, weight, ends)
        (experts, outputs, inputs), shape, outer = weight.shape, y.shape, _is_outer(weight)
        if y.numel() == 0 or experts == 0:
            return lambda x, weight, ends: empty(x, shape)
        settings = f"BLOCK_M={_rows_of_tile(x.shape[0], experts)} W_OUTER={int(outer)}"
        memory = weight.transpose(1, 2) if outer else weight
        launch = shipped("gemm/grouped_rows", x.dtype, settings).launcher(x.device, (x, memory, y, ends, experts, outputs, inputs), _programs(x))

        def run(x: Any, weight: Any, ends: Any) -> Any:
            y = empty(x, shape)
            launch(x, weight, y, ends)
            return y

        return run

    return plan


# ---- derivatives --------------------------------------------------------------------------------------------------------------


def _sums_fake(a: Any, b: Any, ends: Any) -> Any:
    check_types("moe_weight_gradient", HALVES, a=a, b=b)
    check_types("moe_weight_gradient", (torch.int32,), ends=ends)
    check_memory("moe_weight_gradient", a=a, b=b, ends=ends)
    check_shape("moe_weight_gradient", "b", b, (a.shape[0], b.shape[1]), "'a' asks for")
    for name, each in (("a", a), ("b", b)):
        check_multiple("moe_weight_gradient", f"the number of columns of '{name}'", each.shape[1], 8)
    return a.new_empty((ends.shape[0], a.shape[1], b.shape[1]))


def _sums_plan(a: Any, b: Any, ends: Any) -> Any:
    """Of each expert a^T b, of its rows."""
    c = _sums_fake(a, b, ends)
    (experts, rows, columns), shape = c.shape, c.shape
    if c.numel() == 0 or a.shape[0] == 0:
        return lambda a, b, ends: a.new_zeros(*shape)
    launch = shipped("gemm/grouped_sums", a.dtype).launcher(a.device, (a, b, c, ends, experts, rows, columns, a.shape[0]), _programs(a))

    def run(a: Any, b: Any, ends: Any) -> Any:
        c = a.new_empty(shape)
        launch(a, b, c, ends)
        return c

    return run


_of_x = Operator("tawa::moe_input_gradient(Tensor g, Tensor weight, Tensor ends) -> Tensor",
                 Planned("tawa::moe_input_gradient", _product_plan(lambda x, shape: x.new_zeros(*shape))), _fake)
_of_weight = Operator("tawa::moe_weight_gradient(Tensor a, Tensor b, Tensor ends) -> Tensor", Planned("tawa::moe_weight_gradient", _sums_plan), _sums_fake)


def _backward(gradients: Any, inputs: Any, _: Any) -> Any:
    """Rows of x past the last end have a derivative of zero; that of weights lies as these do."""
    (x, weight, ends), g = inputs, gradients[0].contiguous()
    of_x = of_weight = None
    if x.requires_grad:
        of_x = _of_x(g, weight.transpose(1, 2), ends)
    if weight.requires_grad:
        of_weight = _of_weight(x, g, ends).transpose(1, 2) if _is_outer(weight) else _of_weight(g, x, ends)
    return of_x, of_weight, None


_moe = Operator("tawa::moe(Tensor x, Tensor weight, Tensor ends) -> Tensor", Planned("tawa::moe", _product_plan(lambda x, shape: x.new_empty(shape))), _fake,
                _backward)


def moe(x: Any, weight: Any, ends: Any) -> Any:
    """Of each expert its rows of x times its weights, in one launch: y[b:e] = x[b:e] weight[i]^T, where e is ends[i] and b ends[i - 1].

    x [rows, inputs], sorted by experts; weight [experts, outputs, inputs], or the transpose(1, 2) of [experts, inputs, outputs]: both f16
    or both bf16; ends [experts], int32: where the rows of each expert end, none before the one ahead or past those of x, which would be
    taken as that. An expert may have no rows, and rows past the last end are not written. All contiguous, numbers of inputs and outputs
    multiples of 8. Each derivative is one launch, before which that of x is filled with zeros; what the gradient has in rows past the last end does not count.
    """
    return _moe(x, weight, ends)
