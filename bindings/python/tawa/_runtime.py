"""Runtimes: a device, what is compiled for it, and the caches in between."""

from __future__ import annotations

import ctypes
import dataclasses
import os
import threading
from ctypes import byref, c_char_p, c_size_t, c_uint32, c_void_p
from typing import Any, Sequence

from . import _abi
from ._kernel import STAGES, EmulatorKernel, Kernel, Parameter
from ._library import c, call, encode, fact, make, strings, text_of
from ._memory import Memory, Reachable
from ._search import TuneOptions, TuneResult, result_of
from ._tensors import CPU, CUDA, Arg, dtype_number, read, scalar, tensor
from .errors import Cancelled

POLICIES = ("default", "never", "cached", "background", "blocking", "predicted")
LOG_LEVELS = ("default", "error", "warning", "info", "debug")


def _choice(value: str | None, choices: Sequence[str], what: str) -> int:
    if value is None:
        return 0
    if value not in choices:
        raise ValueError(f"'{value}' is no {what}; there are {', '.join(choices)}")
    return choices.index(value)


# ---- a kernel's text ----------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class TextParameter:
    """A `tawa.param` or `tawa.setting` of a kernel's text; the first of the values is the default."""

    name: str
    values: tuple[int, ...]
    is_setting: bool


@dataclasses.dataclass(frozen=True)
class Signature:
    """What a kernel's text asks for. grid: its `tawa.grid`; "": launches must give the grid."""

    entry: str
    grid: str
    arguments: tuple[Parameter, ...]
    parameters: tuple[TextParameter, ...]


class Source:
    """A kernel's text with the name that diagnostics call it by."""

    def __init__(self, text: str | bytes | os.PathLike, name: str | None = None):
        if isinstance(text, os.PathLike):
            name = name or os.fspath(text)
            with open(text, "rb") as file:
                text = file.read()
        self.bytes = text.encode() if isinstance(text, str) else text
        self.name = name or "<kernel>"

    @property
    def text(self) -> str:
        return self.bytes.decode("utf-8", "replace")

    def signature(self) -> Signature:
        handle = make("tawa_signature_read", self.bytes, len(self.bytes), self.name.encode(), text=self.text)
        try:
            arguments = [fact(c.tawa_signature_argument, _abi.tawa_arg_info, handle, i)
                         for i in range(c.tawa_signature_argument_count(handle))]
            parameters = [self._parameter(handle, i) for i in range(c.tawa_signature_parameter_count(handle))]
            return Signature(c.tawa_signature_entry(handle).decode(), c.tawa_signature_grid(handle).decode(),
                             tuple(map(Parameter.of, arguments)), tuple(parameters))
        finally:
            c.tawa_signature_release(handle)

    @staticmethod
    def _parameter(handle: c_void_p, index: int) -> TextParameter:
        known = fact(c.tawa_signature_parameter, _abi.tawa_parameter_info, handle, index)
        return TextParameter(known["name"], tuple(known["values"][: known["num_values"]]), bool(known["is_setting"]))


def argument(value: Any, known: Parameter) -> Arg:
    """What the library takes for one argument; addresses are kept."""
    if isinstance(value, Arg):
        return value
    if known.kind != "tensor":
        return scalar(known.dtype, value or 0)
    if value is None:
        return tensor(known.dtype, [None] * known.rank)
    if isinstance(value, (tuple, list)):
        return tensor(known.dtype, value)
    try:
        return read(value, dtype_number(known.dtype))[0]
    except (TypeError, ValueError, BufferError) as failure:
        raise type(failure)(f"argument '{known.name}': {failure}") from None


def _to_compile(value: Any, known: Parameter) -> Arg:
    """The same without the address, which is not promised."""
    made = Arg.from_buffer_copy(argument(value, known))
    made.data = None
    return made


class Request:
    """A compile request, and all that it points to."""

    def __init__(self, source: Source, args: Sequence[Any], config: str | None, policy: str | None, tune: Any = None,
                 keeps_addresses: bool = False):
        wanted = source.signature().arguments
        given = args or [None] * len(wanted)
        if len(given) != len(wanted):
            raise TypeError(f"the kernel takes {len(wanted)} arguments, {len(given)} were described")
        self._args = (_abi.tawa_arg * len(wanted))(*map(argument if keeps_addresses else _to_compile, given, wanted))
        self._tune = tune
        self.source = source
        self.raw = _abi.tawa_compile_request(
            text=source.bytes, text_len=len(source.bytes), name=source.name.encode(), num_args=len(wanted),
            args=ctypes.cast(self._args, ctypes.POINTER(_abi.tawa_arg)), config=encode(config),
            policy=_choice(policy, POLICIES, "policy"), tune=ctypes.cast(byref(tune), c_void_p) if tune else None)

    @property
    def ref(self) -> Any:
        return byref(self.raw)


# ---- runtimes -----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class DeviceInfo:
    """A device. memory_bytes: of the GPU, 0 on the emulator; shared_bytes_per_block: the most a kernel may ask for;
    driver_version: 1000 * major + 10 * minor of CUDA."""

    name: str
    description: str
    kind: int
    compute_major: int
    compute_minor: int
    multiprocessors: int
    driver_version: int
    shared_bytes_per_block: int
    memory_bytes: int


class Runtime:
    """A device with what is compiled for it.

    device: "cuda:N", "cuda", "emulator" or "auto"; the other options are those of tawa_runtime_options_t, None or 0: what
    the TAWA_* environment variables say. cache_dir "": no cache. policy: "never", "cached", "background", "blocking",
    "predicted". cuda_context: a CUcontext; 0: the one current on the thread, else the primary one, as PyTorch and JAX use.
    Any thread may use it. A child of os.fork() must make its own.
    """

    def __init__(self, device: str | None = None, *, cache_dir: str | os.PathLike | None = None,
                 cache_readonly: Sequence[str | os.PathLike] | None = None, cache_max_bytes: int = 0, frozen: bool | None = None,
                 policy: str | None = None, dump_dir: str | os.PathLike | None = None, log_level: str | None = None,
                 cuda_context: int = 0):
        self.handle: c_void_p | None = None
        folders = strings(cache_readonly or ())
        options = _abi.tawa_runtime_options(
            device=encode(device), dump_dir=encode(dump_dir), cuda_context=cuda_context or None, cache_dir=encode(cache_dir),
            cache_readonly=ctypes.cast(folders, ctypes.POINTER(c_char_p)) if cache_readonly is not None else None,
            num_cache_readonly=len(folders), frozen=0 if frozen is None else 1 if frozen else 2, cache_max_bytes=cache_max_bytes,
            policy=_choice(policy, POLICIES, "policy"), log_level=_choice(log_level, LOG_LEVELS, "level"))
        self.handle = make("tawa_runtime_create", byref(options))
        self.info = DeviceInfo(**fact(c.tawa_runtime_device_info, _abi.tawa_device_info, self.handle))
        self.name = self.info.name
        #: Type and number of the device as DLPack has them.
        self.place: tuple[int, int] = (CPU, 0) if self.info.kind == _abi.DEVICE_EMULATOR else (CUDA, int(self.name.partition(":")[2]))
        self.reachable = Reachable(self.handle)

    def __del__(self) -> None:
        if getattr(self, "handle", None) and c is not None:
            c.tawa_runtime_release(self.handle)

    def __repr__(self) -> str:
        return f"<tawa.Runtime {self.name}: {self.info.description}>"

    # ---- compiling

    def compile(self, text: str | bytes | os.PathLike, *args: Any, config: str | None = None, policy: str | None = None,
                name: str | None = None, tune: dict[str, Any] | None = None) -> Kernel:
        """See tawa.compile(). tune: options of tune() for policies that search, but for `progress`: a search in the background
        goes on after the call."""
        if tune and "progress" in tune:
            raise ValueError("progress is for tune(); a search in the background goes on after this call")
        options = TuneOptions(**tune) if tune else None
        request = Request(Source(text, name), args, config, policy, options.raw if options else None)
        return self._kernel(make("tawa_compile", self.handle, request.ref, text=request.source.text), request.source.text)

    def _kernel(self, handle: c_void_p, text: str) -> Kernel:
        return (EmulatorKernel if self.place[0] == CPU else Kernel)(self, handle, text)

    def compile_async(self, text: str | bytes | os.PathLike, *args: Any, config: str | None = None, policy: str | None = None,
                      name: str | None = None) -> "Job":
        """The same on a thread of the library."""
        request = Request(Source(text, name), args, config, policy)
        return Job(self, make("tawa_compile_async", self.handle, request.ref, text=request.source.text), request.source.text)

    def compile_to_cache(self, text: str | bytes | os.PathLike, *args: Any, target: str | None = None, config: str | None = None,
                         policy: str | None = None, name: str | None = None, tune: dict[str, Any] | None = None) -> bool:
        """Compiles into the cache for a target ("h200", "emulator"; None: this device) without loading: needs no GPU. True
        where the cache had it already. tune: as for compile()."""
        options = TuneOptions(**tune) if tune else None
        request, was_there = Request(Source(text, name), args, config, policy, options.raw if options else None), c_uint32()
        call("tawa_compile_to_cache", self.handle, request.ref, encode(target), byref(was_there), text=request.source.text)
        return bool(was_there.value)

    def emit(self, stage: str, text: str | bytes | os.PathLike, *args: Any, config: str | None = None,
             name: str | None = None) -> bytes:
        """A form that the kernel passes through on its way to a GPU: "ttir", "tawa", "sm90", "llvm", "ptx", "cubin", or, for
        the emulator, "host_object". Needs no GPU."""
        number = _choice(stage, STAGES, "stage")
        request, data, size = Request(Source(text, name), args, config, None), c_void_p(), c_size_t()
        call("tawa_emit", self.handle, request.ref, number, byref(data), byref(size), text=request.source.text)
        made = ctypes.string_at(data.value or 0, size.value)
        c.tawa_free(data)
        return made

    def tune(self, text: str | bytes | os.PathLike, *args: Any, config: str | None = None, name: str | None = None,
             **options: Any) -> TuneResult:
        """See tawa.tune()."""
        chosen = TuneOptions(**options)
        request = Request(Source(text, name), args, config, None, keeps_addresses=True)
        try:
            handle = make("tawa_tune", self.handle, request.ref, byref(chosen.raw), text=request.source.text)
        except Cancelled:
            if chosen.failure is not None:
                raise chosen.failure from None
            raise
        return result_of(handle)

    def explain_miss(self, text: str | bytes | os.PathLike, *args: Any, config: str | None = None, policy: str | None = None,
                     name: str | None = None) -> str:
        """Why the caches have no such kernel, or no configuration for it; "" where they have both."""
        request = Request(Source(text, name), args, config, policy)
        return text_of("tawa_cache_explain", self.handle, request.ref, text=request.source.text)

    # ---- the device

    def empty(self, shape: Sequence[int] | int, dtype: str) -> Memory:
        """Uninitialized memory of the device as a tensor."""
        return Memory(self, (shape,) if isinstance(shape, int) else shape, dtype)

    def synchronize(self, stream: int | None = None) -> None:
        """Waits for a stream, and raises what an earlier launch did wrong."""
        call("tawa_synchronize", self.handle, stream)

    @property
    def works(self) -> bool:
        """False once a fault has broken the CUDA context: then nothing runs in this process's context any more."""
        return c.tawa_runtime_check(self.handle, None) == _abi.OK

    def cache_counters(self) -> dict[str, int]:
        """hits, misses, writes, faults; compiles and trials that the caches could not spare."""
        return fact(c.tawa_runtime_cache_counters, _abi.tawa_cache_counters, self.handle)

    def hardware(self, name: str | None = None) -> str:
        """The hardware description of this device, or of another: lines of `key = value unit`."""
        return text_of("tawa_hardware_describe", self.handle, encode(name))


class Job:
    """A compile that goes on on a thread of the library."""

    def __init__(self, runtime: Runtime, handle: c_void_p, text: str):
        self._runtime, self._handle, self._text = runtime, handle, text

    def __del__(self) -> None:
        if c is not None:
            c.tawa_job_release(self._handle)

    def done(self) -> bool:
        return c.tawa_job_poll(self._handle) != _abi.E_BUSY

    def result(self, timeout: float | None = None) -> Kernel:
        """The kernel; waits so many seconds at most (TimeoutError), None: without end."""
        nanoseconds = (1 << 64) - 1 if timeout is None else int(timeout * 1e9)
        kernel = make("tawa_job_wait", self._handle, nanoseconds, text=self._text)
        return self._runtime._kernel(kernel, self._text)

    def cancel(self) -> None:
        c.tawa_job_cancel(self._handle)


# ---- runtimes that are made as needed -----------------------------------------------------------------------------------

_runtimes: dict[str | None, Runtime] = {}
_making = threading.Lock()


def runtime(device: str | None = None) -> Runtime:
    """The runtime of a device that tawa.compile() uses, made at first need and once per process."""
    with _making:
        if device not in _runtimes:
            _runtimes[device] = Runtime(device)
        return _runtimes[device]


def _forget_runtimes() -> None:
    """In a child of fork(), where those of the parent serve no more."""
    global _making  # pylint: disable=global-statement
    _making = threading.Lock()
    _runtimes.clear()


os.register_at_fork(after_in_child=_forget_runtimes)


def device_of(args: Sequence[Any]) -> str | None:
    """The device on which the first tensor among the arguments is; None: there is none."""
    for each in args:
        if isinstance(each, (Arg, int, float, tuple, list, type(None))):
            continue
        if not (hasattr(each, "__dlpack_device__") or hasattr(each, "__cuda_array_interface__") or hasattr(each, "__tawa_arg__")):
            continue
        _, device_type, number = read(each, 0)
        return "emulator" if device_type == CPU else f"cuda:{number}"
    return None
