"""Products of unequal numbers of rows, as experts have them, in one launch."""

from __future__ import annotations

from typing import Any

import torch

from .._runtime import runtime
from ._checks import HALVES, check_memory, check_multiple, check_no_gradient, check_shape, check_types
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


def _rows_of_tile(rows: int, experts: int) -> int:
    """By how many rows an expert has on average: all that is known before the kernel reads `ends` (perf/README.md, "Experts")."""
    mean = rows / experts
    return 16 if mean <= 8 else 64 if mean <= 64 else 128


def _plan(x: Any, weight: Any, ends: Any) -> Any:
    y = _fake(x, weight, ends)
    (experts, outputs, inputs), shape, outer = weight.shape, y.shape, _is_outer(weight)
    if y.numel() == 0 or experts == 0:
        return lambda x, weight, ends: x.new_empty(shape)
    settings = f"BLOCK_M={_rows_of_tile(x.shape[0], experts)} W_OUTER={int(outer)}"
    sizes, programs = (experts, outputs, inputs), runtime(device_name(x.device)).info.multiprocessors
    memory = weight.transpose(1, 2) if outer else weight
    launch = shipped("gemm/grouped_rows", x.dtype, settings).launcher(x.device, (x, memory, y, ends, *sizes), programs)

    def run(x: Any, weight: Any, ends: Any) -> Any:
        y = x.new_empty(shape)
        launch(x, weight, y, ends)
        return y

    return run


_moe = Operator("tawa::moe(Tensor x, Tensor weight, Tensor ends) -> Tensor", Planned("tawa::moe", _plan), _fake)


def moe(x: Any, weight: Any, ends: Any) -> Any:
    """Of each expert its rows of x times its weights, in one launch: y[b:e] = x[b:e] weight[i]^T, where e is ends[i] and b ends[i - 1].

    x [rows, inputs], sorted by experts; weight [experts, outputs, inputs], or the transpose(1, 2) of [experts, inputs, outputs]: both f16
    or both bf16; ends [experts], int32: where the rows of each expert end, none before the one ahead or past those of x, which would be
    taken as that. An expert may have no rows, and rows past the last end are not written. All contiguous, numbers of inputs and outputs
    multiples of 8. No derivatives.
    """
    check_no_gradient("moe", x=x, weight=weight)
    return _moe(x, weight, ends)
