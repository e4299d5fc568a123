"""Products of unequal numbers of rows, as experts have them, in one launch."""

from __future__ import annotations

from typing import Any

import torch

from .._runtime import runtime
from ._checks import HALVES, check_memory, check_multiple, check_no_gradient, check_shape, check_types
from ._kernels import device_name, shipped
from ._operator import Operator


def _fake(x: Any, weight: Any, ends: Any) -> Any:
    check_types("moe", HALVES, x=x, weight=weight)
    check_types("moe", (torch.int32,), ends=ends)
    check_memory("moe", x=x, weight=weight, ends=ends)
    if x.dim() != 2 or weight.dim() != 3:
        raise ValueError(f"moe: 'x' has {x.dim()} dimensions and 'weight' {weight.dim()}, not 2 and 3")
    experts, outputs, inputs = weight.shape
    check_shape("moe", "x", x, (x.shape[0], inputs), "'weight' asks for")
    check_shape("moe", "ends", ends, (experts,), "'weight' asks for")
    check_multiple("moe", "the number of inputs", inputs, 8)
    check_multiple("moe", "the number of outputs", outputs, 8)
    return x.new_empty((x.shape[0], outputs))


def _run(x: Any, weight: Any, ends: Any) -> Any:
    """Sizes and addresses of the products are computed where the kernel reads them."""
    y = _fake(x, weight, ends)
    experts, outputs, inputs = weight.shape
    if y.numel() == 0:
        return y
    starts = torch.cat((ends.new_zeros(1), ends[:-1]))
    sizes = torch.stack((ends - starts, torch.full_like(ends, outputs), torch.full_like(ends, inputs)), 1)
    of_x, of_y = (starts.to(torch.int64) * (2 * each.shape[1]) + each.data_ptr() for each in (x, y))
    of_weight = torch.arange(experts, device=x.device) * (2 * outputs * inputs) + weight.data_ptr()
    programs = runtime(device_name(x.device)).info.multiprocessors
    shipped("gemm/grouped_pointers", x.dtype)(x.device, of_x, of_weight, of_y, sizes, experts, x, weight, y, grid=programs)
    return y


_moe = Operator("tawa::moe(Tensor x, Tensor weight, Tensor ends) -> Tensor", _run, _fake)


def moe(x: Any, weight: Any, ends: Any) -> Any:
    """Of each expert its rows of x times its weights, in one launch: y[b:e] = x[b:e] weight[i]^T, where e is ends[i] and b ends[i - 1].

    x [rows, inputs], sorted by experts; weight [experts, outputs, inputs]: both f16 or both bf16; ends [experts], int32: where the
    rows of each expert end; an expert may have none, and rows past the last end are not written. All contiguous, numbers of inputs
    and outputs multiples of 8. No derivatives.
    """
    check_no_gradient("moe", x=x, weight=weight)
    return _moe(x, weight, ends)
