"""A stand-in for the parts of PyTorch that tawa.torch and its tests build on, for machines without PyTorch: tensors of the CPU over
NumPy, their derivatives, torch.library and torch.nn.functional. Numbers are computed in float64 and rounded to the tensor's type.

It is a PyTorch 1.13, or, after install(is_new=True), one whose operators have fake implementations and derivatives.
"""

import contextlib
import os
import sys
import types

import numpy as np

import tawa


class DType:
    def __init__(self, name, storage, tawa_name):
        self.name, self.storage, self.tawa_name = name, np.dtype(storage), tawa_name

    def __repr__(self):
        return f"torch.{self.name}"

    def wide(self, stored):
        if self.name == "bfloat16":
            return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
        return stored.astype(np.float64) if self.storage.kind == "f" else stored

    def narrow(self, values):
        if self.name != "bfloat16":
            return np.asarray(values).astype(self.storage)
        bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


DTYPES = {each.name: each for each in (
    DType("float16", "f2", "f16"), DType("bfloat16", "u2", "bf16"), DType("float32", "f4", "f32"), DType("float64", "f8", "f64"),
    DType("uint8", "u1", "i8"), DType("int32", "i4", "i32"), DType("int64", "i8", "i64"), DType("bool", "?", "i1"))}
globals().update({name: each for name, each in DTYPES.items() if name != "bool"})
_OF_NUMPY = {each.storage: each for each in DTYPES.values() if each.name != "bfloat16"}
_grad = [True]
_random = np.random.default_rng(0)


class device(types.SimpleNamespace):
    def __init__(self, kind):
        super().__init__(type=str(kind), index=None)

    def __str__(self):
        return self.type

    def __hash__(self):
        return hash(self.type)


class Tensor:
    def __init__(self, stored, dtype, function=None):
        self.stored, self.dtype, self.function = stored, dtype, function
        self.device, self.grad, self.is_leaf = device("cpu"), None, function is None
        self.requires_grad = function is not None

    # ---- facts

    shape = property(lambda self: self.stored.shape)

    def dim(self):
        return self.stored.ndim

    def numel(self):
        return self.stored.size

    def is_neg(self):
        return False

    def element_size(self):
        return self.stored.itemsize

    def stride(self, at=None):
        steps = tuple(step // self.stored.itemsize for step in self.stored.strides)
        return steps if at is None else steps[at]

    def is_contiguous(self):
        return self.stored.flags.c_contiguous

    def data_ptr(self):
        return self.stored.ctypes.data

    def __tawa_arg__(self):
        return tawa.tensor(self.dtype.tawa_name, self.shape or (1,), self.data_ptr(), strides=self.stride() or (1,)), 1, 0

    def requires_grad_(self, on=True):
        self.requires_grad = on
        return self

    # ---- others of the same memory, or without derivatives

    def detach(self):
        return Tensor(self.stored, self.dtype)

    def as_strided(self, shape, strides):
        steps = [stride * self.stored.itemsize for stride in strides]
        return Tensor(np.lib.stride_tricks.as_strided(self.stored, shape, steps), self.dtype)

    def as_subclass(self, kind):
        return kind(self.stored, self.dtype)

    def zero_(self):
        self.stored[...] = 0
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.stored

    def add_(self, other, alpha=1):
        self.stored[...] = self.dtype.narrow(self.dtype.wide(self.stored) + alpha * other.dtype.wide(other.stored))
        return self

    def new_empty(self, shape, dtype=None):
        return empty(*shape, dtype=dtype or self.dtype)

    def new_zeros(self, *shape):
        return zeros(*shape, dtype=self.dtype)

    def any(self):
        return bool(self.stored.any())

    def __float__(self):
        return float(self.dtype.wide(self.stored))

    # ---- with derivatives

    def reshape(self, *shape):
        return Reshape.apply(self, shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape)

    def contiguous(self):
        return self if self.is_contiguous() else Map.apply(self, np.ascontiguousarray, lambda g: g)

    def clone(self):
        return Map.apply(self, np.copy, lambda g: g)

    def transpose(self, a, b):
        return Map.apply(self, lambda stored: stored.swapaxes(a, b), lambda g: g.transpose(a, b))

    def permute(self, *order):
        return Map.apply(self, lambda stored: stored.transpose(order), lambda g: g.permute(*np.argsort(order)))

    def __getitem__(self, at):
        def spread(g):
            whole = zeros_like(self)
            whole.stored[at] = g.stored
            return whole

        return Map.apply(self, lambda stored: stored[at], spread)

    def to(self, dtype):
        return Map.apply(self, lambda stored: dtype.narrow(self.dtype.wide(stored)), lambda g: g.to(self.dtype), dtype)

    def double(self):
        return self.to(DTYPES["float64"])

    def float(self):
        return self.to(DTYPES["float32"])

    def repeat_interleave(self, count, at):
        split = (*self.shape[: at + 1], count, *self.shape[at + 1 :])
        return Map.apply(self, lambda stored: stored.repeat(count, at), lambda g: g.reshape(split).sum(at + 1))

    def sum(self, at=None):
        def spread(g):
            whole = np.broadcast_to(g.stored if at is None else np.expand_dims(g.stored, at), self.shape)
            return Tensor(whole, g.dtype)

        return Map.apply(self, lambda stored: self.dtype.narrow(self.dtype.wide(stored).sum(at)), spread)

    def mean(self):
        return self.sum() * (1 / self.numel())

    def norm(self):
        return Tensor(np.linalg.norm(self.dtype.wide(self.stored)), DTYPES["float64"])

    def abs(self):
        return Map.apply(self, np.abs, None)

    def max(self):
        return Map.apply(self, np.max, None)

    def __matmul__(self, other):
        return Binary.apply(self, other, np.matmul, None)

    def __mul__(self, other):
        return Binary.apply(self, other, np.multiply, lambda g, a, b: (g * b, g * a))

    def __add__(self, other):
        return Binary.apply(self, other, np.add, lambda g, a, b: (g, g))

    def __sub__(self, other):
        return Binary.apply(self, other, np.subtract, lambda g, a, b: (g, g * -1))

    def __truediv__(self, other):
        return self * (1 / (float(other) if isinstance(other, Tensor) else other))

    def __pow__(self, power):
        return Binary.apply(self, power, np.power, lambda g, a, b: (g * (a ** (b - 1)) * b, None))

    def backward(self, gradient=None):
        for leaf, found in gradients_of(self, gradient if gradient is not None else full_like(self, 1), False).values():
            if leaf.is_leaf:
                leaf.grad = found if leaf.grad is None else leaf.grad + found


def from_numpy(values):
    return Tensor(np.asarray(values), _OF_NUMPY[np.asarray(values).dtype])


def empty(*shape, dtype=DTYPES["float32"], device=None):  # pylint: disable=unused-argument,redefined-outer-name
    return Tensor(np.full(shape[0] if shape and not isinstance(shape[0], int) else shape, 0x55, dtype.storage), dtype)


def zeros(*shape, **options):
    return empty(*shape, **options).zero_()


def arange(end, dtype=DTYPES["int64"], device=None):  # pylint: disable=unused-argument,redefined-outer-name
    return Tensor(dtype.narrow(np.arange(end)), dtype)


def randn(*shape, dtype=DTYPES["float32"], device=None):  # pylint: disable=unused-argument,redefined-outer-name
    return Tensor(dtype.narrow(_random.standard_normal(shape)), dtype)


def full(shape, value, device=None):  # pylint: disable=unused-argument,redefined-outer-name
    return from_numpy(np.full(shape, value, np.float32))


def triu(x, above):
    return Map.apply(x, lambda stored: np.where(np.tri(*x.shape, above - 1, dtype=bool), 0, stored).astype(stored.dtype), None)


def softmax(x, at):
    def normalized(stored):
        powers = np.exp(stored - stored.max(at, keepdims=True))
        return powers / powers.sum(at, keepdims=True)

    return Map.apply(x, normalized, None)


def manual_seed(seed):
    global _random  # pylint: disable=global-statement
    _random = np.random.default_rng(seed)


def empty_like(x):
    return empty(*x.shape, dtype=x.dtype)


def zeros_like(x):
    return zeros(*x.shape, dtype=x.dtype)


def full_like(x, value):
    return Tensor(x.dtype.narrow(np.full(x.shape, value)), x.dtype)


def cat(parts):
    return Tensor(np.concatenate([each.stored for each in parts]), parts[0].dtype)


def stack(parts, at):
    return Tensor(np.stack([each.stored for each in parts], at), parts[0].dtype)


def equal(a, b):
    return a.dtype is b.dtype and a.shape == b.shape and bool((a.stored == b.stored).all())


# ---- derivatives --------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _gradients(on):
    before, _grad[0] = _grad[0], on
    try:
        yield
    finally:
        _grad[0] = before


def no_grad():
    return _gradients(False)


def is_grad_enabled():
    return _grad[0]


class Function:
    """A step forward, and what its outputs came from."""

    saved_tensors = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def set_materialize_grads(self, on):
        """Zeros take no time here."""

    @classmethod
    def apply(cls, *inputs):
        ctx = cls()
        ctx.inputs = inputs
        with no_grad():
            outputs = cls.forward(ctx, *inputs)
        ctx.outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        if is_grad_enabled() and any(isinstance(each, Tensor) and each.requires_grad for each in inputs):
            for each in ctx.outputs:
                each.function, each.requires_grad, each.is_leaf = ctx, True, False
        return outputs


class Map(Function):
    """Of one tensor, whose derivative is a function of the result's."""

    @staticmethod
    def forward(ctx, x, function, derivative, dtype=None):
        ctx.derivative = derivative
        return Tensor(np.asarray(function(x.stored)), dtype or x.dtype)

    @staticmethod
    def backward(ctx, g):
        return ctx.derivative(g), None, None, None


class Reshape(Function):
    @staticmethod
    def forward(ctx, x, shape):
        ctx.shape = x.shape
        return Tensor(x.stored.reshape(shape), x.dtype)

    @staticmethod
    def backward(ctx, g):
        return g.reshape(ctx.shape), None


class Binary(Function):
    @staticmethod
    def forward(ctx, a, b, function, derivative):
        ctx.derivative = derivative
        other = b.dtype.wide(b.stored) if isinstance(b, Tensor) else b
        return Tensor(a.dtype.narrow(function(a.dtype.wide(a.stored), other)), a.dtype)

    @staticmethod
    def backward(ctx, g):
        return (*ctx.derivative(g, *ctx.inputs[:2]), None, None)


def _steps(root):
    """The steps that made a tensor, later ones first."""
    order, seen = [], set()

    def visit(step):
        if step is None or id(step) in seen:
            return
        seen.add(id(step))
        for each in step.inputs:
            visit(getattr(each, "function", None))
        order.append(step)

    visit(root.function)
    return reversed(order)


def gradients_of(root, gradient, create_graph):
    """By id of each tensor that the root was made of: the tensor and its derivative."""
    found = {id(root): (root, gradient)}
    for step in _steps(root):
        given = [found[id(each)][1] if id(each) in found else zeros_like(each) for each in step.outputs]
        with _gradients(create_graph):
            made = step.backward(step, *given)
        for each, part in zip(step.inputs, made if isinstance(made, tuple) else (made,)):
            if isinstance(each, Tensor) and each.requires_grad:
                assert part is not None and part.shape == each.shape and part.dtype is each.dtype, "a derivative does not fit"
                found[id(each)] = (each, found[id(each)][1] + part if id(each) in found else part)
    return found


def _grad_of(root, x, create_graph=False):
    return (gradients_of(root, full_like(root, 1), create_graph)[id(x)][1],)


def _activation(value, slope):
    def call(x, **_):
        wide = x.dtype.wide(x.stored)
        return Map.apply(x, lambda stored: x.dtype.narrow(value(wide)), lambda g: g * Tensor(slope(wide), DTYPES["float64"]))

    return call


def _layer_norm(x, shape):
    """Of the last dimension, without weights."""
    assert tuple(shape) == x.shape[-1:]
    wide = x.dtype.wide(x.stored)
    scale = 1 / np.sqrt(wide.var(-1, keepdims=True) + 1e-5)
    normal = (wide - wide.mean(-1, keepdims=True)) * scale

    def derivative(g):
        by = g.dtype.wide(g.stored)
        slope = by - by.mean(-1, keepdims=True) - normal * (by * normal).mean(-1, keepdims=True)
        return Tensor(x.dtype.narrow(scale * slope), x.dtype)

    return Map.apply(x, lambda stored: x.dtype.narrow(normal), derivative)


class Module:
    def __call__(self, *inputs):
        return self.forward(*inputs)

    def parameters(self):
        return [each for each in vars(self).values() if isinstance(each, Tensor)]


# ---- torch.library ------------------------------------------------------------------------------------------------------------


class Overload:
    def __init__(self, schema):
        self.schema, self.impls, self.fake, self.derivative = schema, {}, None, None

    def __call__(self, *inputs):
        if self.derivative:
            return self.derivative.apply(*inputs)
        with no_grad():
            return self.impls["CPU"](*inputs)


class Packet:
    def __init__(self, overload):
        self.default = overload

    def __call__(self, *inputs):
        return self.default(*inputs)


class Library:
    def __init__(self, namespace, kind):
        assert kind == ("FRAGMENT" if hasattr(library, "register_fake") else "DEF")
        assert not hasattr(ops, namespace) or kind == "FRAGMENT", "a namespace is defined once"
        self.namespace = types.SimpleNamespace()
        setattr(ops, namespace, self.namespace)

    def define(self, schema, tags=()):  # pylint: disable=unused-argument
        name = schema.partition("(")[0]
        assert not hasattr(self.namespace, name), "an operator is defined once"
        setattr(self.namespace, name, Packet(Overload(schema)))

    def overload(self, name):
        return getattr(self.namespace, name.rpartition("::")[2]).default

    def impl(self, name, function, key):
        self.overload(name).impls[key] = function


def register_fake(name, function, lib):
    lib.overload(name).fake = function


def register_autograd(name, backward, *, setup_context, lib):
    """The derivative belongs to the operator, as torch._library.autograd makes it."""
    overload = lib.overload(name)

    class Generated(Function):
        @staticmethod
        def forward(ctx, *inputs):
            output = overload.impls["CPU"](*inputs)
            setup_context(ctx=ctx, inputs=inputs, output=output)
            return output

        @staticmethod
        def backward(ctx, *gradients):
            found = backward(ctx, *gradients)
            assert isinstance(found, tuple) and len(found) == len(ctx.inputs), "a derivative for each parameter of the schema"
            return found

    overload.derivative = Generated


library, ops = types.SimpleNamespace(Library=Library), types.SimpleNamespace()


def _module(name, **contents):
    made = sys.modules[name] = types.ModuleType(name)
    made.__dict__.update(contents)
    return made


def _computes_eagerly(torch):
    """What says that nothing stands between a call and its computation."""
    torch._C = _module("torch._C", _disabled_torch_function_impl=None, _get_tracing_state=lambda: None,  # pylint: disable=protected-access
                       _len_torch_dispatch_stack=lambda: 0, _len_torch_function_stack=lambda: 0)
    _module("torch._C._autograd", _profiler_enabled=lambda: False)
    _module("torch._C._functorch", peek_interpreter_stack=lambda: None)
    torch.compiler = _module("torch.compiler", is_compiling=lambda: False)
    torch.autograd = _module("torch.autograd", forward_ad=types.SimpleNamespace(_current_level=-1))


def install(is_new=False):
    """Makes `import torch` give this."""
    torch = types.ModuleType("torch")
    torch.__dict__.update({name: value for name, value in globals().items() if not name.startswith("_")})
    torch.Tag = types.SimpleNamespace(**({"needs_fixed_stride_order": 1} if is_new else {}))
    torch._C = types.SimpleNamespace(_disabled_torch_function_impl=None)  # pylint: disable=protected-access
    if is_new:
        library.register_fake, library.register_autograd = register_fake, register_autograd
        _computes_eagerly(torch)
    torch.autograd = types.SimpleNamespace(Function=Function, grad=_grad_of)
    torch.nn = types.ModuleType("torch.nn")
    torch.nn.Parameter = type("Parameter", (Tensor,), {"__init__": lambda self, x, requires_grad=True: (
        Tensor.__init__(self, x.stored, x.dtype), self.requires_grad_(requires_grad)) and None})
    functional = torch.nn.functional = types.ModuleType("torch.nn.functional")
    functional.relu = _activation(lambda x: np.maximum(x, 0), lambda x: (x > 0) * 1.0)
    functional.silu = _activation(lambda x: x / (1 + np.exp(-x)), lambda x: (1 + np.exp(-x) + x * np.exp(-x)) / (1 + np.exp(-x)) ** 2)
    functional.gelu, functional.layer_norm = None, _layer_norm  # the former has no place in the tests
    torch.nn.functional, torch.nn.Module = functional, Module
    torch.cuda = types.SimpleNamespace(is_available=lambda: False)
    torch.__version__ = "2.4 (stand-in)" if is_new else "1.13 (stand-in)"
    sys.modules.update({"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": functional})
    return torch


def torch_or_standin():
    """PyTorch where it is installed. TORCH_STANDIN: "1.13" or "2.4", which is stood in for in any case."""
    wanted = os.environ.get("TORCH_STANDIN")
    if not wanted:
        try:
            import torch

            return torch
        except ImportError:
            wanted = "1.13"
    return install(is_new=wanted == "2.4")
