"""Operators of PyTorch from kernels, which torch.compile and CUDA graphs know, with derivatives where they are given.

    scale = tawa.torch.operator(
        "mylib::scale(Tensor x, float by) -> Tensor", text,
        outputs=lambda x, by: torch.empty_like(x),
        arguments=lambda y, x, by: (x, y, x.numel(), by))
    y = scale(x, 2.0)

Needs PyTorch 1.13, torch.compile 2.4. An operator is defined once per process.
"""

from __future__ import annotations

import threading
from typing import Any, Callable, Sequence

import torch

from . import _runtime
from ._kernel import Kernel

_EXCHANGES = hasattr(torch.Tensor, "__dlpack_c_exchange_api__")
_libraries: dict[str, Any] = {}  # they undo their definitions when they go


def _library(namespace: str) -> Any:
    if namespace not in _libraries:
        kind = "FRAGMENT" if hasattr(torch.library, "register_fake") else "DEF"  # the latter once per namespace
        _libraries[namespace] = torch.library.Library(namespace, kind)
    return _libraries[namespace]


def _tuple(outputs: Any) -> tuple[Any, ...]:
    return tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,)


class Operator:
    """An operator of PyTorch that launches a kernel: a function of the schema's parameters. Made by operator()."""

    def __init__(self, schema: str, text: Any, outputs: Callable[..., Any], arguments: Callable[..., Sequence[Any]], grid: Any,
                 backward: Callable[..., Any] | None, options: dict[str, Any]):
        self.name, _, parameters = schema.partition("(")
        self._text, self._outputs, self._arguments, self._grid, self._options = text, outputs, arguments, grid, options
        self._kernels: dict[Any, Kernel] = {}  # by device, and by the name of ours
        self._making = threading.Lock()
        namespace, _, name = self.name.partition("::")
        library = _library(namespace)
        tag = getattr(torch.Tag, "needs_fixed_stride_order", None) if hasattr(torch, "Tag") else None
        library.define(f"{name}({parameters}", **({"tags": (tag,)} if tag is not None else {}))
        for key in ("CPU", "CUDA"):
            library.impl(name, self._run, key)
        if hasattr(torch.library, "register_fake"):
            torch.library.register_fake(self.name, outputs, lib=library)
        #: torch.ops.namespace.name, which knows of no derivative.
        self.op = getattr(getattr(torch.ops, namespace), name).default
        self._differentiable = _differentiable(self.op, backward) if backward else None

    def __call__(self, *inputs: Any) -> Any:
        if self._differentiable and torch.is_grad_enabled() and any(getattr(each, "requires_grad", False) for each in inputs):
            return self._differentiable(*inputs)
        return self.op(*inputs)

    def kernel(self, device: Any) -> Kernel:
        """The kernel on a device of PyTorch, compiled at first need; call it ahead of the capture of a CUDA graph."""
        if device in self._kernels:
            return self._kernels[device]
        device = torch.device(device)
        number = device.index if device.index is not None else torch.cuda.current_device() if device.type == "cuda" else 0
        name = "emulator" if device.type == "cpu" else f"cuda:{number}"
        with self._making:
            if name not in self._kernels:
                self._kernels[name] = _runtime.runtime(name).compile(self._text, **self._options)
            if device.index is not None or device.type == "cpu":  # else it depends on the current one
                self._kernels[device] = self._kernels[name]
            return self._kernels[name]

    def _run(self, *inputs: Any) -> Any:
        """What PyTorch calls with the tensors of a CPU or a GPU."""
        tensors = [each for each in inputs if isinstance(each, torch.Tensor)]
        for each in tensors:
            if type(each) not in (torch.Tensor, torch.nn.Parameter):
                raise TypeError(f"{self.name} takes no {type(each).__qualname__}: a subclass may hold no data of its own")
        outputs = self._outputs(*inputs)
        written = _tuple(outputs)
        kernel = self.kernel((tensors or written)[0].device)
        given = self._arguments(*written, *inputs)
        if not _EXCHANGES:  # __dlpack__() refuses what autograd watches
            given = [each.detach() if isinstance(each, torch.Tensor) else each for each in given]
        grid = self._grid(*written, *inputs) if callable(self._grid) else self._grid
        if kernel.runtime.name == "emulator" or torch.cuda.current_device() == kernel.runtime.place[1]:
            kernel(*given, grid=grid)
        else:
            with torch.cuda.device(kernel.runtime.place[1]):
                kernel(*given, grid=grid)
        return outputs


def _differentiable(call: Callable[..., Any], backward: Callable[..., Any]) -> Callable[..., Any]:
    """The call with a derivative; backward: see operator()."""

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Any, **_: Any) -> Any:  # pylint: disable=arguments-differ
            outputs = call(*inputs)
            values = (*inputs, *_tuple(outputs))
            ctx.number_of_inputs = len(inputs)
            ctx.others = [None if isinstance(each, torch.Tensor) else each for each in values]
            ctx.is_tensor = [isinstance(each, torch.Tensor) for each in values]
            ctx.save_for_backward(*(each for each in values if isinstance(each, torch.Tensor)))
            return outputs

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:  # pylint: disable=arguments-differ
            saved = iter(ctx.saved_tensors)
            values = [next(saved) if is_tensor else other for is_tensor, other in zip(ctx.is_tensor, ctx.others)]
            first_output = ctx.number_of_inputs
            return backward(gradients, tuple(values[:first_output]), tuple(values[first_output:]))

    return Function.apply


def operator(schema: str, text: Any, *, outputs: Callable[..., Any], arguments: Callable[..., Sequence[Any]], grid: Any = None,
             backward: Callable[..., Any] | None = None, config: str | None = None, policy: str | None = None) -> Operator:
    """Defines an operator, for tensors of a GPU and, on the emulator, of the CPU.

    schema: "namespace::name(Tensor x, float by) -> Tensor", of a function that returns fresh tensors. text: the kernel, or the
    path of a file with it; it is compiled at the first call on a device, for all shapes.
    outputs(*inputs): fresh tensors of the shapes, types and strides that are returned, uninitialized; it is also what
    torch.compile reasons with, and must not look at data. arguments(*outputs, *inputs): what the kernel takes, in the order of
    its text. grid: CTAs, or a function like `arguments`; None: from the text.
    backward(gradients, inputs, outputs): a gradient for each input, None where there is none, made by operators; it is given
    tuples, and used where the result of this function is called, not of torch.ops.
    """
    return Operator(schema, text, outputs, arguments, grid, backward, {"config": config, "policy": policy})
