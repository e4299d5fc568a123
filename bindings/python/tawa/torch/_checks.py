"""What operators say of tensors that do not fit. Only facts are looked at, never data: fake tensors are checked too."""

from __future__ import annotations

from typing import Any

import torch

from ._operator import needs_gradient

HALVES = (torch.float16, torch.bfloat16)


def spelled(dtype: Any) -> str:
    return str(dtype).replace("torch.", "")


def check_types(call: str, dtypes: tuple[Any, ...], **tensors: Any) -> None:
    """All are of one of these types, and of the first one's."""
    first = next(iter(tensors))
    for name, each in tensors.items():
        if each.dtype not in dtypes:
            raise TypeError(f"{call}: '{name}' is {spelled(each.dtype)}: convert it, .to(torch.{spelled(dtypes[0])})")
        if each.dtype != tensors[first].dtype:
            of_first = spelled(tensors[first].dtype)
            raise TypeError(f"{call}: '{name}' is {spelled(each.dtype)} and '{first}' {of_first}: convert one, .to(torch.{of_first})")


def check_no_gradient(call: str, **tensors: Any) -> None:
    if not needs_gradient(*tensors.values()):
        return
    for name, each in tensors.items():
        if needs_gradient(each):
            raise ValueError(f"{call}: '{name}' requires a gradient, and there is no derivative: .detach() it, or call it under torch.no_grad()")


def check_memory(call: str, **tensors: Any) -> None:
    """All are contiguous, on the first one's device, where PyTorch has GPUs and the CPU."""
    first = next(iter(tensors))
    for name, each in tensors.items():
        if each.device.type not in ("cpu", "cuda", "meta"):
            raise ValueError(f"{call}: '{name}' is on {each.device}: there are kernels for 'cuda' and, emulated, 'cpu'")
        if each.device != tensors[first].device:
            raise ValueError(f"{call}: '{name}' is on {each.device} and '{first}' on {tensors[first].device}: move one, .to(device)")
        if not each.is_contiguous():
            raise ValueError(f"{call}: '{name}' of shape {tuple(each.shape)} has strides {tuple(each.stride())}: make it contiguous, "
                             ".contiguous()")


def check_shape(call: str, name: str, tensor: Any, wanted: tuple[Any, ...], why: str) -> None:
    if tuple(tensor.shape) != wanted:
        raise ValueError(f"{call}: '{name}' is of shape {tuple(tensor.shape)}, not {wanted}, which {why}")


def check_multiple(call: str, what: str, size: Any, of: int) -> None:
    """TMA's strides are multiples of 16 bytes."""
    if size == 0 or size % of != 0:
        raise ValueError(f"{call}: {what} is {size}, no multiple of {of}: pad it with zeros, torch.nn.functional.pad()")
