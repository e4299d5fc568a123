"""PyTorch's Inductor: which of its compiles are offered to Tawa, its compile workers, and the keys of its caches."""

from __future__ import annotations

import functools
from typing import Any, Callable

from ._patches import AfterImport, Patches
from ._state import state

patches = Patches()


def install() -> None:
    """Modules that are not imported yet are seen to when they are."""
    if not _imports.is_installed:
        _imports.is_installed = True
        _imports.install()


def remove() -> None:
    _imports.is_installed = False
    _imports.remove()
    patches.undo()


def _patch_heuristics(module: Any) -> None:
    patches.replace(module.CachingAutotuner, "_precompile_config", _precompile_config)


def _precompile_config(original: Callable[..., Any]) -> Callable[..., Any]:
    """Kernels whose binaries Inductor keeps for C++ (cpp_wrapper, AOTInductor) stay Triton's."""

    def precompile_config(tuner: Any, *args: Any, **options: Any) -> Any:
        is_offered = tuner.device_props.type == "cuda" and not tuner.inductor_meta.get("store_cubin")
        config = args[0] if args else None
        grid = programs_of(getattr(tuner, "size_hints", None), getattr(config, "kwargs", {}))
        with state.considering(is_offered, grid):
            return original(tuner, *args, **options)

    return precompile_config


def programs_of(hints: dict[str, int] | None, blocks: dict[str, int]) -> tuple[int, ...]:
    """Programs of a launch, about: a hint is a power of two that is not less than the size. Nothing where an axis has none, as in
    templates, or no block."""
    sizes = {axis: hint for axis, hint in (hints or {}).items() if axis in ("x", "y", "z")}
    if "x" not in sizes or any(axis.upper() + "BLOCK" not in blocks for axis in sizes):
        return ()
    return tuple(-(-sizes[axis] // blocks[axis.upper() + "BLOCK"]) if axis in sizes else 1 for axis in "xyz")


def _patch_async_compile(module: Any) -> None:
    patches.replace(module, "_worker_compile_triton", WorkerCompile)
    import torch.compiler.config

    patches.replace(torch.compiler.config, "cache_key_tag", lambda before: f"{before}{state.tag}")


def _patch_hash(module: Any) -> None:
    """Stands in the keys under which the fastest configurations are kept."""
    patches.replace(module, "triton_hash_with_backend", lambda original: lambda: f"{original()}-{state.tag}")


_imports: Any = AfterImport({
    "torch._inductor.runtime.triton_heuristics": _patch_heuristics,
    "torch._inductor.async_compile": _patch_async_compile,
    "torch.utils._triton": _patch_hash,
})
_imports.is_installed = False


# ---- compile workers --------------------------------------------------------------------------------------------------


def settings() -> dict[str, Any] | None:
    """What a worker must know; None: nothing is offered to Tawa there."""
    from triton.runtime.driver import driver

    from ._workshop import hardware_of

    try:
        device = driver.active.get_current_device()
        return {"tag": state.tag, "target": hardware_of(device), "device": device}
    except Exception:  # pylint: disable=broad-except  # then Triton compiles
        return None


class WorkerCompile:
    """In the place of Inductor's function for workers. Pickled, it is worker_compile() with the settings of the moment."""

    def __init__(self, original: Callable[..., Any]):
        self._original = original

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._original(*args, **options)

    def __reduce__(self) -> Any:
        return functools.partial, (worker_compile, settings())


def worker_compile(known: dict[str, Any] | None, *args: Any, **options: Any) -> Any:
    """Runs in a worker, which has no GPU: Tawa compiles into its cache, from where the parent loads."""
    if known is not None:
        _prepare_worker(known)
    try:
        from torch._inductor.runtime.compile_tasks import _worker_compile_triton

        return _worker_compile_triton(*args, **options)
    finally:
        state.on = False


def _prepare_worker(known: dict[str, Any]) -> None:
    try:
        from . import _pipeline

        _pipeline.install()
        install()
        state.policy, state.tag, state.target, state.device = "compiled", known["tag"], known["target"], known["device"]
        state.on = True
    except Exception:  # pylint: disable=broad-except  # then Triton compiles
        state.on = False
