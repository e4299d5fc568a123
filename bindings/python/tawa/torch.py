"""Operators of PyTorch from kernels: torch.ops.mylib.scale, which torch.compile, CUDA graphs and autograd know.

    scale = tawa.torch.operator(
        "mylib::scale(Tensor x, float by) -> Tensor", text,
        outputs=lambda x, by: torch.empty_like(x),
        arguments=lambda y, x, by: (x, y, x.numel(), by))
    y = scale(x, 2.0)

Needs PyTorch 1.13; what names another version below is an error with older ones.
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
                 options: dict[str, Any]):
        self.name, _, parameters = schema.partition("(")
        self._text, self._outputs, self._arguments, self._grid, self._options = text, outputs, arguments, grid, options
        self._kernels: dict[str, Kernel] = {}
        self._making = threading.Lock()
        namespace, _, name = self.name.partition("::")
        library = _library(namespace)
        tag = getattr(torch.Tag, "needs_fixed_stride_order", None) if hasattr(torch, "Tag") else None
        library.define(f"{name}({parameters}", **({"tags": (tag,)} if tag is not None else {}))
        for key in ("CPU", "CUDA"):
            library.impl(name, self._run, key)
        if hasattr(torch.library, "register_fake"):
            torch.library.register_fake(self.name, outputs, lib=library)
        self._call = getattr(getattr(torch.ops, namespace), name).default

    def __call__(self, *inputs: Any) -> Any:
        return self._call(*inputs)

    def kernel(self, device: Any) -> Kernel:
        """The kernel on a device of PyTorch, compiled at first need; call it ahead of the capture of a CUDA graph."""
        device = torch.device(device)
        number = device.index if device.index is not None else torch.cuda.current_device() if device.type == "cuda" else 0
        name = "emulator" if device.type == "cpu" else f"cuda:{number}"
        with self._making:
            if name not in self._kernels:
                self._kernels[name] = _runtime.runtime(name).compile(self._text, **self._options)
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

    def register_backward(self, backward: Callable[..., Any]) -> None:
        """backward(gradients, inputs, outputs) gives a gradient for each input, None where there is none; gradients and
        outputs are tuples. It may only use operators. Needs PyTorch 2.4."""

        def save(context: Any, inputs: Sequence[Any], output: Any) -> None:
            values = (*inputs, *_tuple(output))
            context.number_of_inputs = len(inputs)
            context.others = [None if isinstance(each, torch.Tensor) else each for each in values]
            context.is_tensor = [isinstance(each, torch.Tensor) for each in values]
            context.save_for_backward(*(each for each in values if isinstance(each, torch.Tensor)))

        def differentiate(context: Any, *gradients: Any) -> Any:
            saved = iter(context.saved_tensors)
            values = [next(saved) if is_tensor else other for is_tensor, other in zip(context.is_tensor, context.others)]
            inputs = tuple(values[: context.number_of_inputs])
            return backward(gradients, inputs, tuple(values[context.number_of_inputs :]))

        if not hasattr(torch.library, "register_autograd"):
            raise RuntimeError(f"a derivative needs PyTorch 2.4; this is {torch.__version__}")
        namespace = self.name.partition("::")[0]
        torch.library.register_autograd(self.name, differentiate, setup_context=save, lib=_library(namespace))


def operator(schema: str, text: Any, *, outputs: Callable[..., Any], arguments: Callable[..., Sequence[Any]], grid: Any = None,
             backward: Callable[..., Any] | None = None, config: str | None = None, policy: str | None = None) -> Operator:
    """Defines an operator, for tensors of a GPU and, on the emulator, of the CPU.

    schema: "namespace::name(Tensor x, float by) -> Tensor", of a function that returns fresh tensors. text: the kernel, or the
    path of a file with it; it is compiled at the first call on a device, for all shapes.
    outputs(*inputs): fresh tensors of the shapes, types and strides that are returned, uninitialized; it is also what
    torch.compile reasons with, and must not look at data. arguments(*outputs, *inputs): what the kernel takes, in the order of
    its text. grid: CTAs, or a function like `arguments`; None: from the text. backward: Operator.register_backward().
    """
    made = Operator(schema, text, outputs, arguments, grid, {"config": config, "policy": policy})
    if backward:
        made.register_backward(backward)
    return made
