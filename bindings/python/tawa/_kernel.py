"""Compiled kernels: launching them, and what became of them."""

from __future__ import annotations

import ctypes
import dataclasses
from ctypes import byref, c_double, c_size_t, c_uint32, c_void_p
from typing import TYPE_CHECKING, Any, Sequence

from . import _abi, _launch
from ._library import c, call, fact, make
from ._tensors import CPU, DTYPES, stream_handle
from .errors import Diagnostic

if TYPE_CHECKING:
    from ._runtime import Job, Runtime

KINDS = ("tensor", "scalar", "constant")
STAGES = ("ttir", "tawa", "sm90", "llvm", "ptx", "cubin", "host_object")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """An argument that a kernel takes. rank: of a tensor; 0: a bare pointer. alignment: bytes, or divisor of a number."""

    name: str
    kind: str
    dtype: str
    rank: int
    alignment: int

    @classmethod
    def of(cls, known: dict[str, Any]) -> "Parameter":
        known["kind"], known["dtype"] = KINDS[known["kind"]], DTYPES[known["dtype"]]
        return cls(**known)


@dataclasses.dataclass(frozen=True)
class Role:
    """A warp-specialized role. registers: per thread while it runs."""

    name: str
    warps: int
    registers: int


@dataclasses.dataclass(frozen=True)
class Ring:
    """A ring of slots in shared memory between two roles. payload: printed types of what a slot holds."""

    payload: str
    slot_bytes: int
    depth: int


class Kernel(_launch.Launcher):
    """A kernel that is compiled and loaded. Calling it launches it.

    kernel(*args, grid=None, stream=None): one argument per tensor or number of the kernel's text, in its order. Tensors are
    those of PyTorch, CuPy, JAX or any library with DLPack or __cuda_array_interface__; on the emulator also NumPy arrays
    and other buffers, which must be writable. bf16 and 8-bit floats that a library lacks are taken as integers of that
    width. grid: CTAs, a number or up to three; None: from the text. stream: a CUstream as a number, or an object of
    PyTorch or CuPy; None: the current stream of the library that the tensors come from, else the default stream.

    Asynchronous on a GPU; on the emulator the kernel has run when the call returns. Any thread may launch. The facts of
    the kernel are attributes: config (complete), chosen_by ("request", "default", "measured", "verified", "predicted"),
    entry, content_hash, grid_expression, threads and cluster (per CTA, CTAs), shared_bytes, registers, spill_bytes and
    local_bytes (per thread), ring_depth, mma_depth, consumer_groups, ptx_version, declined (why it was not split into
    roles), from_cache.
    """

    entry: str
    config: str
    content_hash: str
    grid_expression: str
    jit_log: str
    threads: int
    shared_bytes: int
    registers: int
    spill_bytes: int
    local_bytes: int
    cluster: tuple[int, int, int]
    ring_depth: int
    mma_depth: int
    consumer_groups: int
    ptx_version: int
    declined: str
    from_cache: bool
    chosen_by: str

    def __init__(self, runtime: "Runtime", handle: c_void_p, text: str = ""):
        """Takes over the reference to the kernel."""
        known = fact(c.tawa_kernel_info, _abi.tawa_kernel_info, handle)
        infos = [fact(c.tawa_kernel_argument, _abi.tawa_arg_info, handle, i) for i in range(known.pop("num_args"))]
        device_type, device_id = runtime.place
        super().__init__(handle.value or 0, device_type, device_id, tuple(info["name"] for info in infos),
                         bytes(info["kind"] for info in infos), bytes(info["dtype"] for info in infos))
        c.tawa_kernel_release(handle)  # the Launcher has one of its own
        self.runtime, self.handle, self._text = runtime, handle, text
        #: What it takes, in order.
        self.parameters = tuple(Parameter.of(info) for info in infos)
        self._counts = {name: known.pop(name) for name in list(known) if name.startswith("num_")}
        self.__dict__.update(known, from_cache=bool(known["from_cache"]))

    def _each(self, count: str, function: Any, struct: type[_abi.Struct]) -> list[dict[str, Any]]:
        return [fact(function, struct, self.handle, index) for index in range(self._counts[count])]

    @property
    def roles(self) -> list[Role]:
        return [Role(**known) for known in self._each("num_roles", c.tawa_kernel_role, _abi.tawa_role_info)]

    @property
    def rings(self) -> list[Ring]:
        return [Ring(**known) for known in self._each("num_rings", c.tawa_kernel_ring, _abi.tawa_ring_info)]

    @property
    def phases(self) -> dict[str, float]:
        """Milliseconds of each phase, from the choice of a configuration to loading."""
        known = self._each("num_phases", c.tawa_kernel_phase, _abi.tawa_phase_info)
        return {phase["name"]: phase["milliseconds"] for phase in known}

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Warnings and remarks of the compiler."""
        known = self._each("num_diagnostics", c.tawa_kernel_diagnostic, _abi.tawa_diagnostic)
        return [Diagnostic(**each) for each in known]

    def artifact(self) -> bytes:
        """What was compiled: PTX on a GPU, an ELF object on the emulator."""
        stage = STAGES.index("host_object" if self.runtime.place[0] == CPU else "ptx")
        data, size = c_void_p(), c_size_t()
        call("tawa_kernel_artifact", self.handle, stage, byref(data), byref(size))
        return ctypes.string_at(data.value or 0, size.value)

    def load(self, context: int | None = None) -> None:
        """Loads it in a CUcontext, or in that in which a launch of this thread would work: ahead of stream capture."""
        call("tawa_kernel_load", self.handle, context)

    @property
    def search(self) -> "Job | None":
        """The search that policy "background" began: its result() is this kernel in the configuration found."""
        from ._runtime import Job

        job = make("tawa_kernel_search", self.handle)
        return Job(self.runtime, job, self._text) if job else None

    def time(self, *args: Any, grid: Any = None, stream: Any = None, warmup: int = 3, launches: int = 20) -> float:
        """Milliseconds that one launch takes on the GPU, of many back to back. Waits. Unsupported on the emulator."""
        taken, milliseconds = self._read(args), c_double()
        options = _abi.tawa_launch_options(grid=grid_of(grid))
        handle = None if stream is None else stream_handle(stream)
        call("tawa_launch_timed", self.handle, taken, len(args), handle, byref(options), warmup, launches, byref(milliseconds))
        return milliseconds.value / launches

    def _read(self, args: Sequence[Any]) -> Any:
        """The arguments as an array of structs."""
        from ._runtime import argument

        if len(args) != len(self.parameters):
            raise TypeError(f"the kernel takes {len(self.parameters)} arguments, {len(args)} were given")
        return (_abi.tawa_arg * len(args))(*(argument(each, known) for each, known in zip(args, self.parameters)))

    def explain(self) -> str:
        """What the compiler decided, for people."""
        lines = [f"{self.entry}: {self.config} (by {self.chosen_by}{', from the cache' if self.from_cache else ''})"]
        lines += [f"role {role.name}: {role.warps} warps, {role.registers} registers per thread" for role in self.roles]
        lines += [f"ring of {ring.depth} slots of {ring.slot_bytes} bytes: {ring.payload}" for ring in self.rings]
        lines.append(f"{self.threads} threads, {self.shared_bytes} bytes of shared memory, {self.registers} registers at entry, "
                     f"{self.spill_bytes} bytes spilled")
        lines += [f"not split into roles: {self.declined}"] if self.declined else []
        lines += [diagnostic.render(self._text) for diagnostic in self.diagnostics]
        lines.append(", ".join(f"{name} {milliseconds:.1f} ms" for name, milliseconds in self.phases.items()))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<tawa.Kernel {self.entry}({', '.join(each.name for each in self.parameters)}) on {self.runtime.name}>"


class EmulatorKernel(Kernel):
    """The same on the emulator, which is told of the memory that a launch may reach."""

    def _tensors(self, args: Sequence[Any]) -> list[Any]:
        return [each for each, known in zip(args, self.parameters) if known.kind == "tensor"]

    def __call__(self, *args: Any, grid: Any = None, stream: Any = None) -> None:
        with self.runtime.reachable.during(self._named(args)):
            super().__call__(*args, grid=grid)

    def _named(self, args: Sequence[Any]) -> list[Any]:
        """The tensors, where all can be read; else the launch is left to say which cannot."""
        from ._memory import extents_of

        try:
            extents_of(self._tensors(args))
        except (TypeError, ValueError, BufferError):
            return []
        return self._tensors(args)

    def bind(self, *args: Any, grid: Any = None) -> "EmulatorBinding":
        return EmulatorBinding(self, super().bind(*args, grid=grid), self._tensors(args))

    def bind_shapes(self, *args: Any, grid: Any = None) -> "EmulatorBinding":
        return EmulatorBinding(self, super().bind_shapes(*args, grid=grid), [])


class EmulatorBinding:
    """A Binding on the emulator. Addresses that a call gives must be those of tawa memory."""

    def __init__(self, kernel: EmulatorKernel, binding: Any, tensors: list[Any]):
        self._kernel, self._binding, self._tensors = kernel, binding, tensors

    def __call__(self, *addresses: int, stream: Any = None) -> None:
        with self._kernel.runtime.reachable.during(() if addresses else self._tensors):
            self._binding(*addresses)

    @property
    def handle(self) -> int:
        return self._binding.handle


def grid_of(grid: Any) -> Any:
    axes = () if grid is None else (grid,) if isinstance(grid, int) else tuple(grid)
    return (c_uint32 * 3)(*axes)
