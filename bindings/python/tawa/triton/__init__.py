"""Triton's kernels on Tawa: unmodified @triton.jit kernels, @triton.autotune, and torch.compile with its own kernels.

    import tawa.triton
    tawa.triton.enable()
    ...
    print(tawa.triton.report())

Triton's compiler is entered after its first stage: Tawa takes the Triton IR, Triton's later stages (ptxas included) do not run, and
the launcher of the compiled kernel is replaced, since Tawa's kernels have parameters of their own (tensor maps) that Triton's
launchers do not know. This saves Triton's compile time and holds in Inductor's compile workers, where kernels are compiled into
Tawa's cache; only kernels that Tawa refuses, or that the policy leaves, go through Triton's own stages, one by one.

Needs Triton 3.6. TAWA_TRITON=off makes enable() do nothing.
"""

from __future__ import annotations

import os
from typing import Any, Callable

from ._policy import POLICIES, SPILL_LIMIT, decide
from ._report import Report, Row, rows
from ._state import state

__all__ = ["POLICIES", "Report", "Row", "SPILL_LIMIT", "decide", "disable", "enable", "enabled", "report"]
TRITON = "3.6"


def _check_triton() -> None:
    try:
        import triton
    except ImportError as failure:
        raise ImportError(f"tawa.triton needs Triton {TRITON}, which is not installed: {failure}") from failure
    version = getattr(triton, "__version__", "unknown")
    if version.split(".")[:2] != TRITON.split("."):
        raise ImportError(f"tawa.triton needs Triton {TRITON}, version {version} is installed")


def enable(policy: str | Callable[[Any], str | None] = "unspilled") -> bool:
    """Kernels that Triton compiles from now on run on Tawa, in every thread of this process and in Inductor's workers.

    policy: which of the kernels that Tawa can compile: "compiled" (all), "unspilled" (those that spill at most SPILL_LIMIT bytes
    per thread), "roles" (of these, kernels with products only where they are split into roles); or a function of a tawa.Kernel
    that says why Triton's own form is to run, or nothing. Kernels that Triton compiled before stay as they are. False, and nothing
    is changed, where TAWA_TRITON is off. Call it again to change the policy for kernels compiled later.
    """
    if os.environ.get("TAWA_TRITON", "").lower() in ("off", "no", "false", "0"):
        return False
    if not callable(policy) and policy not in POLICIES:
        raise ValueError(f"'{policy}' is no policy; there are {', '.join(POLICIES)}")
    _check_triton()
    from . import _inductor, _pipeline

    with state.switching:
        state.turn_on(policy)
        _pipeline.install()
        _inductor.remove()  # where the policy changes, so do keys
        _inductor.install()
    return True


def disable() -> None:
    """From the next launch on, all kernels run as Triton compiles them, those that Tawa has taken included."""
    if not state.on:
        return
    from . import _inductor, _pipeline

    with state.switching:
        state.turn_off()
        _inductor.remove()
        _pipeline.remove()


def enabled() -> bool:
    return state.on


def report() -> Report:
    """The kernels that this process has loaded since it began: which run on Tawa, which on Triton and why, and times."""
    return rows.snapshot()
