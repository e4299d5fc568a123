"""Triton's compiler and kernels: the stage after the IR asks Tawa, and what it takes is launched by Tawa."""

from __future__ import annotations

import functools
import re
import threading
import time
from typing import Any, Callable

from triton import knobs
from triton.backends.nvidia.compiler import CUDABackend
from triton.compiler.compiler import CompiledKernel
from triton.runtime.driver import driver
from triton.runtime.jit import JITFunction

from ._arguments import slots_of
from ._launch import Launch, reason_of
from ._patches import Patches
from ._policy import decide
from ._report import rows
from ._state import state
from ._stock import Assembly, Recipe
from ._workshop import workshop

compiler, kernels = Patches(), Patches()
ENTRY = re.compile(r"tt\.func public @\"?([^\s\"(]+)")
#: What stands in Triton's cache in the place of the forms that it did not make.
STUB = "This kernel runs on Tawa (tawa.triton).\n"


def install() -> None:
    if not kernels:
        kernels.replace(CompiledKernel, "__init__", _init)
        kernels.replace(CompiledKernel, "_init_handles", _init_handles)
    if not compiler:
        compiler.replace(CUDABackend, "hash", _hash)
        compiler.replace(CUDABackend, "add_stages", _add_stages)
        compiler.replace(JITFunction, "_do_compile", _do_compile)


def remove() -> None:
    """What concerns compiled kernels stays: those that were taken must still be loaded, then by Triton."""
    compiler.undo()


# ---- compiling --------------------------------------------------------------------------------------------------------


def _do_compile(original: Callable[..., Any]) -> Callable[..., Any]:
    def do_compile(function: Any, *args: Any, **options: Any) -> Any:
        with state.considering(True):
            return original(function, *args, **options)

    return do_compile


def _hash(original: Callable[..., str]) -> Callable[..., str]:
    """Stands in Triton's cache key."""

    def hash_with_tag(backend: Any) -> str:
        return original(backend) + (f"-{state.tag}" if state.is_considering else "")

    return hash_with_tag


def _add_stages(original: Callable[..., None]) -> Callable[..., None]:
    def add_stages(backend: Any, stages: dict[str, Any], options: Any, *language: Any) -> None:
        original(backend, stages, options, *language)
        if state.is_considering:
            _offer(backend, stages, options)

    return add_stages


def _offer(backend: Any, stages: dict[str, Any], options: Any) -> None:
    """The first stage after the IR asks Tawa. Where Tawa takes the kernel, this and all later ones leave stubs."""
    why = objection(backend.target.arch, options, "ttir" in stages, knobs)
    later = list(stages)[list(stages).index("ttgir"):]

    def ask(module: Any, metadata: dict[str, Any]) -> None:
        verdict = {"taken": False, "why": why, "tawa_ms": 0.0, "triton_ms": 0.0} if why else consult(str(module))
        metadata["tawa"] = verdict
        if verdict["taken"]:
            verdict["launch_pdl"] = metadata.get("launch_pdl", False)
            complete(metadata, str(module))
        elif not state.target:
            _refuse(str(module), verdict)

    def wrap(name: str, stage: Callable[..., Any]) -> Callable[..., Any]:
        def run(module: Any, metadata: dict[str, Any]) -> Any:
            if name == "ttgir":
                ask(module, metadata)
            if metadata["tawa"]["taken"]:
                return STUB.encode() if name == later[-1] else STUB
            begun = time.perf_counter()
            made = stage(module, metadata)
            metadata["tawa"]["triton_ms"] += 1e3 * (time.perf_counter() - begun)
            return made

        return run

    for name in later:
        stages[name] = wrap(name, stages[name])


def objection(arch: int, options: Any, has_ir: bool, settings: Any) -> str:
    """Why a kernel is not offered to Tawa, for reasons that are not in its text; ""."""
    if not has_ir:
        return "written in Gluon"
    if arch != 90:
        return f"compiled for sm_{arch}"
    if getattr(options, "launch_cooperative_grid", False):
        return "its CTAs wait for each other (launch_cooperative_grid)"
    if not getattr(options, "enable_fp_fusion", True):
        return "products and sums must not be fused (enable_fp_fusion)"
    if getattr(options, "ir_override", None):
        return "its IR comes from a file (ir_override)"
    if getattr(options, "instrumentation_mode", ""):
        return "Triton is to instrument it (instrumentation_mode)"
    compilation = settings.compilation
    if any(getattr(compilation, name, False) for name in ("override", "dump_ir", "use_ir_loc", "store_binary_only", "enable_asan")):
        return "Triton's stages are to be dumped or replaced"
    if getattr(settings.runtime, "add_stages_inspection_hook", None) is not None:
        return "another hook changes Triton's stages"
    return ""


def consult(text: str) -> dict[str, Any]:
    """Tawa's verdict on a text; goes into the metadata, which is JSON."""
    grid = state.grid
    verdict: dict[str, Any] = {"taken": False, "why": "", "tawa_ms": 0.0, "triton_ms": 0.0, "grid": grid}
    begun = time.perf_counter()
    try:
        if state.target:
            workshop.compile_to_cache(text, _entry(text), grid)
            verdict["device"] = state.device
        else:
            kernel = workshop.compile(text, _entry(text), driver.active.get_current_device(), grid)
            verdict["why"] = decide(kernel, text, state.policy)
    except Exception as failure:  # pylint: disable=broad-except  # whatever it is, Triton goes on
        verdict["why"] = reason_of(failure)
    verdict["taken"] = not verdict["why"]
    verdict["tawa_ms"] = 1e3 * (time.perf_counter() - begun)
    return verdict


def _entry(text: str) -> str:
    found = ENTRY.search(text)
    return found[1] if found else "kernel"


def complete(metadata: dict[str, Any], text: str) -> None:
    """What Triton's later stages would have said. launch_pdl keeps Inductor's static launcher away, which would start Triton's
    binary; what was asked for is in the verdict."""
    known = {"name": _entry(text), "shared": 0, "tmem_size": 0, "global_scratch_size": 0, "global_scratch_align": 1,
             "profile_scratch_size": 0, "profile_scratch_align": 1, "tensordesc_meta": None, "cluster_dims": (1, 1, 1)}
    for key, value in known.items():
        metadata.setdefault(key, value)
    metadata["launch_pdl"] = True


# ---- compiled kernels -------------------------------------------------------------------------------------------------

def _verdict(kernel: Any) -> dict[str, Any] | None:
    return getattr(kernel.metadata, "tawa", None)


def _init(original: Callable[..., None]) -> Callable[..., None]:
    def init(kernel: Any, *args: Any, **options: Any) -> None:
        original(kernel, *args, **options)
        verdict = _verdict(kernel)
        if verdict and verdict["taken"]:
            kernel.asm = Assembly(kernel.asm, Recipe(kernel.asm["ttir"], kernel.metadata))

    return init


def _init_handles(original: Callable[..., None]) -> Callable[..., None]:
    def init_handles(kernel: Any) -> None:
        if kernel.module is not None or "_tawa" in kernel.__dict__:
            return
        verdict = _verdict(kernel)
        if verdict is None:
            original(kernel)
        elif verdict["taken"]:
            with kernel.__dict__.setdefault("_tawa_loading", threading.RLock()):
                if "_tawa" not in kernel.__dict__:
                    _load(kernel, verdict)
        else:
            begun = time.perf_counter()
            original(kernel)
            if not rows.has_refused(kernel.asm.get("ttir", ""), _device()):
                _note(kernel, verdict, verdict["why"], begun)

    return init_handles


def _device() -> str:
    return f"cuda:{driver.active.get_current_device()}"


def _refuse(text: str, verdict: dict[str, Any]) -> None:
    """Said now: Inductor's static launcher starts such a kernel without _init_handles()."""
    try:
        device = _device()
    except Exception:  # pylint: disable=broad-except  # a process without a GPU, which loads nothing
        return
    rows.refuse(_entry(text), text, device, verdict["why"], verdict["tawa_ms"])


def _note(kernel: Any, verdict: dict[str, Any], why: str, begun: float, **known: Any) -> Any:
    text = kernel.asm["ttir"] if "ttir" in kernel.asm else kernel.hash
    return rows.add(kernel.name, text, _device(), not why, why=why, tawa_ms=verdict["tawa_ms"], triton_ms=verdict["triton_ms"],
                    load_ms=1e3 * (time.perf_counter() - begun), **known)


def _load(kernel: Any, verdict: dict[str, Any]) -> None:
    """A kernel that Tawa took when it was compiled, perhaps in another process, becomes ready to be launched."""
    text, begun = kernel.asm["ttir"], time.perf_counter()
    try:
        if not state.on:
            raise RuntimeError("switched off before it was loaded")
        made = workshop.compile(text, kernel.name, driver.active.get_current_device(), verdict.get("grid", ()))
        why = decide(made, text, state.policy)
        if not why:
            _adopt(kernel, verdict, made, text, begun)
    except Exception as failure:  # pylint: disable=broad-except  # whatever it is, Triton's form serves
        why = reason_of(failure)
    if why:
        _fall_back(kernel, verdict, why, begun)


def _adopt(kernel: Any, verdict: dict[str, Any], made: Any, text: str, begun: float) -> None:
    facts = {name: getattr(made, name) for name in ("config", "threads", "registers", "spill_bytes", "shared_bytes", "declined")}
    recipe = kernel.asm.recipe if isinstance(kernel.asm, Assembly) else Recipe(text, kernel.metadata)
    src = kernel.src
    slots = slots_of(src.signature, made.parameters)
    row = _note(kernel, verdict, "", begun, from_cache=made.from_cache, facts=facts)
    launch = Launch(made, slots, len(src.signature), lambda: recipe.compile(src), row)
    kernel._run = launch.function
    kernel.n_regs, kernel.n_spills, kernel.n_max_threads = made.registers, made.spill_bytes // 4, 1024
    kernel.metadata = kernel.metadata._replace(shared=made.shared_bytes)
    kernel.launch_metadata = functools.partial(_launch_metadata, kernel)
    kernel.__dict__["_tawa"] = launch


def _launch_metadata(kernel: Any, *launch: Any) -> Any:
    """What hooks are told, which is worked out for each launch: not where there are none."""
    hooks = knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook
    if any(getattr(hook, "calls", hook) for hook in hooks):
        return CompiledKernel.launch_metadata(kernel, *launch)
    return None


def _fall_back(kernel: Any, verdict: dict[str, Any], why: str, begun: float) -> None:
    recipe = kernel.asm.recipe if isinstance(kernel.asm, Assembly) else Recipe(kernel.asm["ttir"], kernel.metadata)
    stock = recipe.compile(kernel.src)
    stock._init_handles()
    for name in ("_run", "function", "packed_metadata", "n_regs", "n_spills", "n_max_threads", "metadata"):
        setattr(kernel, name, getattr(stock, name))
    kernel.__dict__["_tawa"] = stock
    _note(kernel, verdict, why, begun)
