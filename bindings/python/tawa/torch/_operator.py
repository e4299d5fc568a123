"""Operators: how PyTorch is told of them."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import torch

from ._kernels import Kernels, Planned, refuse_subclasses

try:  # what may stand between a call and its computation
    from torch._C import _get_tracing_state, _len_torch_dispatch_stack, _len_torch_function_stack
    from torch._C._autograd import _profiler_enabled
    from torch._C._functorch import peek_interpreter_stack
    from torch.autograd import forward_ad
    from torch.compiler import is_compiling

    _NO_DUAL_LEVEL = forward_ad._current_level  # pylint: disable=protected-access
except (ImportError, AttributeError):
    _KNOWS_EAGER = False
else:
    _KNOWS_EAGER = True

_libraries: dict[str, Any] = {}  # they undo their definitions when they go
_IS_NEW = hasattr(torch.library, "register_autograd")  # and so register_fake


def _library(namespace: str) -> Any:
    if namespace not in _libraries:
        kind = "FRAGMENT" if _IS_NEW else "DEF"  # the latter once per namespace
        _libraries[namespace] = torch.library.Library(namespace, kind)
    return _libraries[namespace]


def _tags() -> dict[str, Any]:
    """What keeps Inductor from other strides than those that the operator was shown."""
    for name in ("needs_exact_strides", "needs_fixed_stride_order"):  # from PyTorch 2.7 on, and before
        if hasattr(torch, "Tag") and hasattr(torch.Tag, name):
            return {"tags": (getattr(torch.Tag, name),)}
    return {}


def as_tuple(values: Any) -> tuple[Any, ...]:
    return tuple(values) if isinstance(values, (tuple, list)) else (values,)


def _is_eager() -> bool:
    """Whether calls are computed at once, and not traced, compiled, profiled, or wrapped by a mode or a transform."""
    return not (is_compiling() or _len_torch_dispatch_stack() or _len_torch_function_stack() or peek_interpreter_stack() is not None or
                forward_ad._current_level != _NO_DUAL_LEVEL or _get_tracing_state() is not None or _profiler_enabled())  # pylint: disable=protected-access


class Operator:
    """An operator of PyTorch: a function of the schema's parameters. Made by operator().

    run(*inputs) computes fresh tensors, fake(*inputs) gives such tensors without their data; backward: see operator(), but that it is
    given no outputs unless `saves_outputs`, which keeps their memory until then. Planned runs look at types themselves. What one of
    them has planned for, PyTorch's dispatcher has seen: where nothing can make a difference, it is called without it, in a fraction of
    the time.
    """

    def __init__(self, schema: str, run: Callable[..., Any], fake: Callable[..., Any], backward: Callable[..., Any] | None = None,
                 saves_outputs: bool = False):
        self.name, _, parameters = schema.partition("(")
        self._run = run
        namespace, _, name = self.name.partition("::")
        library = _library(namespace)
        library.define(f"{name}({parameters}", **_tags())
        for key in ("CPU", "CUDA"):
            library.impl(name, run.__call__ if isinstance(run, Planned) else self._checked, key)
        #: torch.ops.namespace.name; before PyTorch 2.4 it knows of no derivative.
        self.op = getattr(getattr(torch.ops, namespace), name).default
        self._planned = run if isinstance(run, Planned) and _IS_NEW and _KNOWS_EAGER else None
        save = _saver(saves_outputs)
        self._differentiable = _function(backward, save, fills=not self._planned) if backward and (self._planned or not _IS_NEW) else None
        if _IS_NEW:
            torch.library.register_fake(self.name, fake, lib=library)
            if backward:
                torch.library.register_autograd(self.name, _with_gradients(backward), setup_context=save, lib=library)

    def __call__(self, *inputs: Any) -> Any:
        launch = self._planned.known(inputs) if self._planned and _is_eager() else None
        call = launch or self.op
        if not needs_gradient(*inputs):
            return call(*inputs)
        if (launch or not _IS_NEW) and self._differentiable:  # in this order: compilers that trace it cannot ask the function
            return self._differentiable(call, *inputs)
        return self.op(*inputs)

    def _checked(self, *inputs: Any) -> Any:
        """What PyTorch calls with the tensors of a CPU or a GPU."""
        refuse_subclasses(self.name, inputs)
        return self._run(*inputs)


def needs_gradient(*inputs: Any) -> bool:
    return torch.is_grad_enabled() and any([getattr(each, "requires_grad", False) for each in inputs])


def _saver(saves_outputs: bool) -> Callable[..., None]:
    def save(ctx: Any, inputs: Sequence[Any], output: Any) -> None:
        """For _with_gradients()."""
        values = (*inputs, *as_tuple(output)) if saves_outputs else inputs
        ctx.number_of_inputs = len(inputs)
        ctx.others = [None if isinstance(each, torch.Tensor) else each for each in values]
        ctx.save_for_backward(*(each if isinstance(each, torch.Tensor) else None for each in values))

    return save


def _with_gradients(backward: Callable[..., Any]) -> Callable[..., Any]:
    def gradients_of(ctx: Any, *gradients: Any) -> Any:
        values = [other if saved is None else saved for saved, other in zip(ctx.saved_tensors, ctx.others)]
        return as_tuple(backward(gradients, tuple(values[: ctx.number_of_inputs]), tuple(values[ctx.number_of_inputs :])))

    return gradients_of


def _function(backward: Callable[..., Any], save: Callable[..., None], fills: bool) -> Callable[..., Any]:
    """Of a call and its inputs: the call with a derivative, which PyTorch's dispatcher need not know of. Where a result has no gradient,
    zeros stand for it if `fills`, else None."""
    gradients_of = _with_gradients(backward)

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, call: Callable[..., Any], *inputs: Any, **_: Any) -> Any:  # pylint: disable=arguments-differ
            outputs = call(*inputs)
            save(ctx, inputs, outputs)
            ctx.set_materialize_grads(fills)
            return outputs

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:  # pylint: disable=arguments-differ
            return (None, *gradients_of(ctx, *gradients))

    return Function.apply


def operator(schema: str, text: Any, *, outputs: Callable[..., Any], arguments: Callable[..., Sequence[Any]], grid: Any = None,
             backward: Callable[..., Any] | None = None, config: str | None = None, policy: str | None = None) -> Operator:
    """Defines an operator, for tensors of a GPU and, on the emulator, of the CPU.

    schema: "namespace::name(Tensor x, float by) -> Tensor", of a function that returns fresh tensors. text: the kernel, or the
    path of a file with it; it is compiled when first called, ahead of the capture of a CUDA graph.
    outputs(*inputs): fresh tensors of the shapes, types and strides that are returned, uninitialized; it is also what
    torch.compile reasons with, and must not look at data. arguments(*outputs, *inputs): what the kernel takes, in the order of
    its text. grid: CTAs, or a function like `arguments`; None: from the text.
    backward(gradients, inputs, outputs): a gradient for each input, None where there is none, made by operators; it is given
    tuples. Before PyTorch 2.4 it is used where the result of this function is called, not of torch.ops.
    config, policy: see tawa.compile().
    """
    kernels = Kernels(text, config, policy)

    def run(*inputs: Any) -> Any:
        made = outputs(*inputs)
        written = as_tuple(made)
        device = next(each for each in (*inputs, *written) if isinstance(each, torch.Tensor)).device
        kernels(device, *arguments(*written, *inputs), grid=grid(*written, *inputs) if callable(grid) else grid)
        return made

    return Operator(schema, run, outputs, backward, saves_outputs=True)
