"""Kernels in JAX programs: under jit, vmap, shard_map and custom_vjp, on a GPU and, for arrays of the CPU, on the emulator.

    y = tawa.jax.call(text, x, tawa.jax.OUT, x.size, 2.0, out=jax.ShapeDtypeStruct(x.shape, x.dtype))

XLA calls a handler in C (xla.c), which compiles the kernel before the program first runs on a device, for exactly these
shapes, and then only launches: no Python, no host callback, and XLA may capture the launch in a command buffer. The call
is described by attributes that are text, so exported programs and XLA's caches work in other processes that import this
module. A kernel that was compiled stays until the process ends.
"""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import hashlib
import os
import pathlib
import re
import struct
import threading
from typing import Any, Sequence

import jax

from . import _abi, _launch, build_info
from ._kernel import Parameter
from ._runtime import POLICIES, Signature, Source
from ._tensors import Arg, dtype_number, scalar

TARGET = "tawa_launch"  # of XLA
VMAPS = ("launches", "sequential")
_OPERAND, _RESULT, _NUMBER, _CONSTANT = range(4)  # source_t of xla_site.h
_DTYPES = {"bool": "i1", "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2", "bfloat16": "bf16"}
_DTYPES |= {f"{name}{bits}": f"{name[0]}{bits}" for name in ("float", "int", "uint") for bits in (8, 16, 32, 64)}


class _Out:
    def __repr__(self) -> str:
        return "tawa.jax.OUT"


#: Stands where the kernel takes a tensor that it only writes: the next of `out`.
OUT = _Out()


@dataclasses.dataclass(frozen=True)
class InOut:
    """A tensor that the kernel reads and writes; made by inout()."""

    array: Any


def inout(array: Any) -> InOut:
    """Stands where the kernel takes a tensor that it reads and writes. The result has the array's shape and type, and its
    buffer where JAX can give that away (a temporary, or an argument that is donated); else JAX copies the array first."""
    return InOut(array)


# ---- the call ------------------------------------------------------------------------------------------------------------


def call(text: str | bytes | os.PathLike, *args: Any, out: Any = None, grid: int | Sequence[int] | None = None,
         config: str | None = None, policy: str | None = None, name: str | None = None, vmap: str = "launches") -> Any:
    """Launches a kernel as part of a JAX program, and gives its results.

    text: the kernel, or the path of a file with it. args: what it takes, in the order of its text: arrays, numbers, OUT and
    inout(array). Numbers must be known when the program is traced; tawa.constant() is compiled in.
    out: a ShapeDtypeStruct for each OUT, or one by itself. The kernel must write all of a result, which holds anything before.
    Results come in the order of the kernel's arguments: one array, or a tuple where there are several or `out` is a sequence.
    grid: CTAs; None: from the text. config, policy, name: those of tawa.compile().
    vmap: what jax.vmap makes of the call. "launches": one launch for each element of the batch, on the element's part of the
    arrays, which are copied for no launch; "sequential": JAX's own loop, for kernels that take tensors by TMA where an
    element's size is no multiple of 16 bytes.

    There is no derivative: wrap the call in jax.custom_vjp. Arrays that are split over devices are refused: call it within
    jax.shard_map, where each device has its part.
    """
    source = Source(text, name)
    described = _Described(_signature(source.bytes, source.name), args, _sequence(out))
    attributes = {"arguments": described.attribute, "build": str(_build()), "grid": _grid(grid), "name": source.name,
                  "policy": str(_index(policy or "default", POLICIES, "policy")), "text": source.text}
    attributes |= {} if config is None else {"config": config}
    attributes["key"] = hashlib.sha256(repr(sorted(attributes.items())).encode()).hexdigest()
    _index(vmap, VMAPS, "way of vmap")
    method = "sequential" if vmap == "sequential" else "broadcast_all" if described.aliases else "expand_dims"
    register()
    launch = jax.ffi.ffi_call(TARGET, described.results, vmap_method=method, input_output_aliases=described.aliases or None)
    results = tuple(launch(*described.operands, **attributes))
    return results[0] if len(results) == 1 and not isinstance(out, (tuple, list)) else results


def _sequence(out: Any) -> list[Any]:
    return [] if out is None else list(out) if isinstance(out, (tuple, list)) else [out]


def _index(value: str, choices: Sequence[str], what: str) -> int:
    if value not in choices:
        raise ValueError(f"'{value}' is no {what}; there are {', '.join(choices)}")
    return choices.index(value)


def _grid(grid: int | Sequence[int] | None) -> str:
    axes = () if grid is None else (grid,) if isinstance(grid, int) else tuple(grid)
    if len(axes) > 3 or any(not isinstance(each, int) or not 0 <= each < 1 << 32 for each in axes):
        raise ValueError(f"grid: up to three numbers of CTAs that are known when the program is traced, not {grid!r}")
    return " ".join(map(str, (*axes, 0, 0, 0)[:3]))


@functools.lru_cache(maxsize=256)
def _signature(text: bytes, name: str) -> Signature:
    return Source(text, name).signature()


@functools.cache
def _build() -> str:
    """XLA's caches must not outlive the build that compiled their kernels."""
    return build_info()["id"]


# ---- its description for the handler -------------------------------------------------------------------------------------


class _Described:
    """The arguments of one call: operands and results for XLA, and the attribute that the handler reads."""

    def __init__(self, signature: Signature, args: Sequence[Any], out: list[Any]):
        wanted = signature.arguments
        if len(args) != len(wanted):
            raise TypeError(f"{signature.entry} takes {len(wanted)} arguments, {len(args)} were given")
        given = sum(value is OUT for value in args)
        if given != len(out):
            raise TypeError(f"{given} arguments are tawa.jax.OUT, {len(out)} shapes are in `out`")
        self.operands: list[Any] = []
        self.results: list[Any] = []
        self.aliases: dict[int, int] = {}
        self._out = iter(out)
        places = [self._tensor(value, known) if known.kind == "tensor" else self._number(value, known)
                  for value, known in zip(args, wanted)]
        if not self.results:
            raise TypeError(f"{signature.entry} has no result: mark what it writes by tawa.jax.OUT or tawa.jax.inout()")
        self.attribute = " ".join([str(len(places)), *places])

    def _tensor(self, value: Any, known: Parameter) -> str:
        alias = -1
        if value is OUT or isinstance(value, InOut):
            source, index = _RESULT, len(self.results)
            if isinstance(value, InOut):
                alias = self._operand(value.array, known)
                self.aliases[alias] = index
                value = jax.ShapeDtypeStruct(self.operands[alias].shape, self.operands[alias].dtype)
            else:
                value = next(self._out)
            self.results.append(value)
        else:
            source, index = _OPERAND, self._operand(value, known)
            value = self.operands[index]
        return self._place(source, known, value, index, alias)

    def _operand(self, value: Any, known: Parameter) -> int:
        if isinstance(value, (bool, int, float)) or value is None:
            raise TypeError(f"argument '{known.name}' is {value!r}, the kernel takes an array there")
        array = jax.numpy.asarray(value)
        if _is_split(array):
            raise ValueError(f"argument '{known.name}' is split over devices: call the kernel within jax.shard_map, where each device "
                             "has its part, or gather it first")
        self.operands.append(array)
        return len(self.operands) - 1

    @staticmethod
    def _place(source: int, known: Parameter, value: Any, index: int, alias: int) -> str:
        dtype = _DTYPES.get(getattr(value.dtype, "name", str(value.dtype)))
        if dtype is None or dtype_number(dtype) != dtype_number(known.dtype):
            raise TypeError(f"argument '{known.name}' has elements of {value.dtype}, the kernel takes {known.dtype}")
        if any(not isinstance(size, int) for size in value.shape):
            raise TypeError(f"argument '{known.name}' has dimensions that are not known when the program is traced: {value.shape}")
        if len(value.shape) > _abi.MAX_RANK or (known.rank and len(value.shape) != known.rank):
            raise ValueError(f"argument '{known.name}' has {len(value.shape)} dimensions, the kernel takes {known.rank or 'at most 8'}")
        return " ".join(map(str, (source, dtype_number(dtype), index, alias, 0, len(value.shape), *value.shape)))

    @staticmethod
    def _number(value: Any, known: Parameter) -> str:
        if isinstance(value, jax.core.Tracer):
            raise TypeError(f"argument '{known.name}' must be a number that is known when the program is traced (static_argnums); "
                            "what is computed by the program can only be an array")
        if not isinstance(value, Arg):
            if value is OUT or isinstance(value, InOut) or getattr(value, "shape", ()) != ():
                raise TypeError(f"argument '{known.name}' is no number, which the kernel takes there")
            is_real = known.dtype[0] not in "iu"
            value = scalar(known.dtype, float(value) if is_real else _whole(value, known))
        real = struct.unpack("<q", struct.pack("<d", value.number))[0]
        bits = value.integer if value.dtype < _abi.F8E4M3 else real
        return f"{_CONSTANT if value.kind == _abi.ARG_CONSTANT else _NUMBER} {value.dtype} 0 -1 {bits} 0"


def _whole(value: Any, known: Parameter) -> int:
    if int(value) != value:
        raise TypeError(f"argument '{known.name}' is {value!r}, the kernel takes an integer")
    return int(value)


def _is_split(array: Any) -> bool:
    """A traced array tells only where its mesh has axes of JAX's explicit kind; XLA gathers others ahead of the call."""
    if isinstance(array, jax.core.Tracer):
        spec = getattr(getattr(getattr(array, "aval", None), "sharding", None), "spec", None)
        return any(part is not None for part in spec or ())
    sharding = getattr(array, "sharding", None)
    return sharding is not None and len(sharding.device_set) > 1 and not sharding.is_fully_replicated


# ---- registration --------------------------------------------------------------------------------------------------------

_HANDLER = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_registering = threading.Lock()
_capsules: list[Any] = []  # what XLA was given


def _api_version() -> tuple[int, int]:
    """Of the interface that the installed jaxlib has, which its header tells."""
    header = pathlib.Path(jax.ffi.include_dir(), "xla", "ffi", "api", "c_api.h").read_text(encoding="utf-8")
    found = [re.search(rf"^#define XLA_FFI_API_{part} (\d+)$", header, flags=re.M) for part in ("MAJOR", "MINOR")]
    if found[0] is None or found[1] is None:
        raise ImportError("the header of the installed jaxlib does not tell the version of its FFI")
    return int(found[0][1]), int(found[1][1])


def register() -> None:
    """Makes the handlers known to XLA, once per process. call() does it; a process that only runs exported programs must."""
    with _registering:
        if _capsules:
            return
        major, minor = _api_version()
        if major != 0 or minor < 1:
            raise ImportError(f"the installed jaxlib has version {major}.{minor} of XLA's FFI, tawa.jax knows 0.1 and later 0.x")
        cuda, emulator = [jax.ffi.pycapsule(_HANDLER(address)) for address in _launch.xla_handlers(minor)]
        jax.ffi.register_ffi_target(TARGET, {"initialize": cuda, "execute": cuda}, platform="CUDA", api_version=1)
        jax.ffi.register_ffi_target(TARGET, emulator, platform="cpu", api_version=1)
        _capsules.extend((cuda, emulator))
