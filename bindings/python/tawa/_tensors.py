"""Arguments: explicit ones, and those made of other libraries' tensors."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Sequence

from . import _abi, _launch
from .errors import raise_launch

DTYPES = ("i1", "i8", "i16", "i32", "i64", "f8e4m3", "f8e5m2", "f16", "bf16", "f32", "f64")
_NUMBERS = {name: number for number, name in enumerate(DTYPES)} | {f"u{bits}": i for i, bits in ((1, 8), (2, 16), (3, 32), (4, 64))}
_BYTES = (1, 1, 2, 4, 8, 1, 1, 2, 2, 4, 8)
CPU, CUDA = 1, 2  # as DLPack counts devices


def dtype_number(dtype: str) -> int:
    if dtype not in _NUMBERS:
        raise ValueError(f"'{dtype}' is no element type; there are {', '.join(_NUMBERS)}")
    return _NUMBERS[dtype]


class Arg(_abi.tawa_arg):
    """One argument of a kernel, as the library takes it: made by tensor(), pointer(), scalar() or constant()."""

    def __repr__(self) -> str:
        kind = ("tensor", "scalar", "constant")[self.kind]
        what = (list(self.shape[: self.rank]), hex(self.data or 0)) if self.kind == _abi.ARG_TENSOR else self.value
        return f"tawa.{kind}({DTYPES[self.dtype]}, {what})"

    @property
    def value(self) -> int | float:
        return self.integer if self.dtype < _abi.F8E4M3 else self.number

    def extent(self) -> tuple[int, int]:
        """Lowest address and number of bytes of a tensor."""
        shape, strides = self.shape[: self.rank], self.strides[: self.rank]
        if 0 in shape or not self.data:
            return self.data or 0, 0
        if not any(strides):
            return self.data, math.prod(shape) * _BYTES[self.dtype]
        steps = [(size - 1) * stride for size, stride in zip(shape, strides)]
        first, last = sum(min(step, 0) for step in steps), sum(max(step, 0) for step in steps)
        return self.data + first * _BYTES[self.dtype], (last - first + 1) * _BYTES[self.dtype]


def tensor(dtype: str, shape: Sequence[int | None], address: int = 0, *, strides: Sequence[int | None] | None = None,
           alignment: int = 0, buckets: Sequence[int] = ()) -> Arg:
    """A tensor by its facts.

    shape: dimensions, outermost first; strides: in elements, contiguous where left out. To compile, None is a dimension
    or stride that only the launch tells, and `alignment` promises that the address is a multiple of so many bytes;
    `buckets` names dimensions for which what was tuned for a size near by will do.
    address: on the device; 0 to compile.
    """
    made = Arg(kind=_abi.ARG_TENSOR, dtype=dtype_number(dtype), rank=len(shape), alignment=alignment, data=address or None)
    if len(shape) > _abi.MAX_RANK:
        raise ValueError(f"{len(shape)} dimensions, at most {_abi.MAX_RANK} are taken")
    if strides is not None and len(strides) != len(shape):
        raise ValueError(f"{len(strides)} strides for {len(shape)} dimensions")
    for i, size in enumerate(shape):
        made.shape[i] = _abi.UNKNOWN if size is None else size
    for i, stride in enumerate(strides or ()):
        made.strides[i] = _abi.UNKNOWN if stride is None else stride
    made.buckets = sum(1 << i for i in buckets)
    return made


def pointer(dtype: str, address: int = 0, *, alignment: int = 0) -> Arg:
    """A bare pointer: nothing is said of a shape."""
    return tensor(dtype, (), address, alignment=alignment)


def scalar(dtype: str, value: int | float = 0, *, divisor: int = 0, bucket: bool = False) -> Arg:
    """A number that each launch may change. To compile: `divisor` is promised to divide it."""
    number = dtype_number(dtype)
    made = Arg(kind=_abi.ARG_SCALAR, dtype=number, alignment=divisor, buckets=int(bucket))
    if number >= _abi.F8E4M3:
        made.number = value
    else:
        made.integer = value if value < 1 << 63 else value - (1 << 64)
    return made


def constant(dtype: str, value: int | float) -> Arg:
    """A number that is compiled in; launches must repeat it."""
    made = scalar(dtype, value)
    made.kind = _abi.ARG_CONSTANT
    return made


# ---- tensors of other libraries -----------------------------------------------------------------------------------------

_TYPESTRINGS = {"b1": "i1", "i1": "i8", "i2": "i16", "i4": "i32", "i8": "i64", "u1": "u8", "u2": "u16", "u4": "u32", "u8": "u64",
                "f2": "f16", "f4": "f32", "f8": "f64"}


def _of_cuda_array(interface: dict[str, Any]) -> Arg:
    """A tensor from __cuda_array_interface__, whose strides are bytes."""
    kind = interface["typestr"]
    if kind[0] == ">" or kind[1:] not in _TYPESTRINGS:
        raise TypeError(f"has elements of type '{kind}'")
    size = int(kind[2:])
    strides = interface.get("strides")
    if strides is not None:
        strides = [stride // size for stride in strides]
    shape = tuple(interface["shape"]) or (1,)
    if strides is not None and not any(strides) and max(shape) > 1:
        raise TypeError("repeats one element by strides of 0")
    return tensor(_TYPESTRINGS[kind[1:]], shape, interface["data"][0], strides=strides)


def _device_of(obj: Any) -> int:
    device = getattr(obj, "device", 0)
    return int(getattr(device, "id", 0) if not isinstance(device, int) else device)


def _current_stream(obj: Any, device: int) -> int:
    """The current stream of the framework that a tensor comes from; 0: the default one."""
    module = type(obj).__module__.partition(".")[0]
    if module == "torch":
        import torch

        return torch.cuda.current_stream(device).cuda_stream
    if module == "cupy":
        import cupy

        return cupy.cuda.get_current_stream().ptr
    return 0


def describe(obj: Any, stream: Any = None) -> tuple[Arg, int, int, int | None, Any]:
    """(argument, type and number of the device as DLPack has them, stream, what must live) of a tensor by the protocols of
    Python. The stream is the one to launch on: the caller's, else the framework's."""
    own = getattr(obj, "__tawa_arg__", None)
    if own is not None:
        made, device_type, device_id = own()
        return made, device_type, device_id, None, obj
    export = getattr(obj, "__dlpack__", None)
    if export is not None:
        device_type, device_id = obj.__dlpack_device__()
        if device_type != CUDA:
            capsule, launched_on = export(), None
        else:
            launched_on = _current_stream(obj, device_id) if stream is None else stream_handle(stream)
            capsule = export(stream=launched_on or 1)  # 1: the default stream, in the protocol's numbers
        taken, device_type, device_id = _launch.take_capsule(capsule)
        return Arg.from_buffer_copy(taken), device_type, device_id, launched_on, capsule
    interface = getattr(obj, "__cuda_array_interface__", None)
    if interface is not None:
        device = _device_of(obj)
        launched_on = _current_stream(obj, device) if stream is None else stream_handle(stream)
        return _of_cuda_array(interface), CUDA, device, launched_on, interface
    raise TypeError(f"is a {type(obj).__qualname__}, not a tensor: takes objects with DLPack, __cuda_array_interface__ or, on the "
                    "emulator, the buffer protocol, and tawa.tensor()")


def stream_handle(stream: Any) -> int:
    """The CUstream of PyTorch's, CuPy's or any object with __cuda_stream__."""
    if isinstance(stream, int):
        return stream
    if hasattr(stream, "__cuda_stream__"):
        protocol = stream.__cuda_stream__
        return int((protocol() if callable(protocol) else protocol)[1])
    for name in ("cuda_stream", "ptr", "handle"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    raise TypeError(f"{type(stream).__qualname__} is no CUDA stream")


def read(obj: Any, dtype: int) -> tuple[Arg, int, int]:
    """(argument, type and number of the device) of a tensor of any library."""
    made, device_type, device_id = _launch.read_tensor(obj, dtype)
    return Arg.from_buffer_copy(made), device_type, device_id


_launch.setup(Arg, describe, raise_launch, stream_handle)
assert ctypes.sizeof(Arg) == ctypes.sizeof(_abi.tawa_arg)
