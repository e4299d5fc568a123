"""Tawa: kernels as text in Triton's IR, compiled for Hopper GPUs or run on an emulated one.

    kernel = tawa.compile(text, x, y, 1000)       # facts of the arguments: shapes, strides, types
    kernel(x, y, 1000)                            # launches; grid=, stream=

See README.md of bindings/python, and include/tawa/kernel-text.md for what a text may hold.
"""

from __future__ import annotations

import json
import os
from typing import Any

from . import _library
from ._kernel import Kernel, Parameter, Ring, Role
from ._launch import Binding
from ._memory import Memory
from ._plan import Plan, PlanLoad, PlanResult, make_plan as _make_plan, plan_machines
from ._runtime import DeviceInfo, Job, Runtime, Signature, Source, TextParameter, device_of, runtime
from ._search import Progress, TuneResult, TuneRow
from ._tensors import Arg, constant, pointer, scalar, tensor
from .cache import Cache
from .errors import (CacheError, CacheMiss, Cancelled, CaptureUnsafe, CompileFailed, CudaError, Diagnostic, EmulatorFault, Error,
                     InvalidArgument, InvalidIR, NoDevice, OutOfMemory, ShapeMismatch, Timeout, Unsupported)

__version__ = _library.c.tawa_version().decode()


def compile(text: str | bytes | os.PathLike, *args: Any, config: str | None = None,  # pylint: disable=redefined-builtin
            policy: str | None = None, name: str | None = None, device: str | None = None) -> Kernel:
    """Compiles a kernel, or takes it from the cache, and loads it.

    text: the kernel, or the path of a file with it. args: what is known of its arguments, in the order of its text; none:
    nothing but what the text says. For a tensor: a tensor, of which type, shape and strides count; a tuple of dimensions,
    contiguous, None where only the launch tells; tawa.tensor(). For a number: any, which says nothing, or tawa.constant(),
    which is compiled in. What is said here every launch must match.
    config: "BLOCK_M=128 D=4"; None: the policy decides, "": all defaults. policy: "never" (defaults), "cached" (what a search
    found), "predicted", "background" or "blocking"; None: the runtime's. name: of the text in diagnostics.
    device: "cuda:0", "emulator"; None: where the tensors are, else what TAWA_DEVICE says, else the first GPU, else the emulator.
    """
    return runtime(device or device_of(args)).compile(text, *args, config=config, policy=policy, name=name)


def tune(text: str | bytes | os.PathLike, *args: Any, config: str | None = None, name: str | None = None,
         device: str | None = None, **options: Any) -> TuneResult:
    """Searches the fastest configuration for arguments of these shapes, and keeps it: compile() takes it from then on.

    Tensors must have complete shapes. Those of i32 and i64 that are read are copied, as they may be indices; no other data is touched. Options: budget_seconds (60), top (candidates, 12), seed,
    configs (only these, the first the default), hardware (a description's name), predict_only (rank by the model, run
    nothing), in_process (no worker process), threads, candidate_seconds, warm, again, grid, worker, and progress, a function
    that is given a Progress, from a thread of the library, and ends the search with tawa.Cancelled by returning False.
    """
    return runtime(device or device_of(args)).tune(text, *args, config=config, name=name, **options)


def plan(text: str | bytes | os.PathLike, *args: Any, machine: str | os.PathLike, top: int = 5, simulate: bool = False,
         config: str | None = None, grid: Any = None, name: str | None = None) -> PlanResult:
    """Maps a kernel onto the cores of a described spatial machine, by a model; needs no device.

    text, name: as for compile(). args: tensors with their complete shape (a tensor, a tuple, tawa.tensor()), numbers with
    their value. machine: one of plan_machines(), or a file with a `df.machine`: a path with a "/" or one that ends in ".mlir".
    top: so many plans, 1 to 1000. simulate: so many of the best hundred are simulated, and the fastest is the best.
    config: tile parameters that keep one value, "BLOCK_M=128"; of the others all are tried. grid: programs, where the text has no `tawa.grid`.
    Plans are kept in the cache that the environment names; the same problem is planned once.
    """
    return _make_plan(Source(text, name), args, os.fspath(machine), config, grid, top, simulate)


def explain(text: str | bytes | os.PathLike, *args: Any, config: str | None = None, policy: str | None = None,
            name: str | None = None, device: str | None = None) -> str:
    """What the compiler makes of a kernel, for people: configuration, roles, rings, registers, remarks, times."""
    return compile(text, *args, config=config, policy=policy, name=name, device=device).explain()


def signature(text: str | bytes | os.PathLike, name: str | None = None) -> Signature:
    """What a kernel's text asks for: its arguments, parameters and grid. Compiles nothing."""
    return Source(text, name).signature()


def config_keys() -> list[dict[str, Any]]:
    """The keys of a configuration: name, default, meaning, and least and most or choices."""
    return json.loads(_library.c.tawa_config_keys())


def build_info() -> dict[str, Any]:
    """Of the library: versions, compiler, and "id", which two builds share only if they are equal."""
    return json.loads(_library.c.tawa_build_info())


def environment_help() -> str:
    """The TAWA_* variables, one a line."""
    return _library.c.tawa_environment_help().decode()


def hardware_names() -> list[str]:
    """GPUs that the library has a description of."""
    return _library.text_of("tawa_hardware_names").split()
