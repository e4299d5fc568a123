"""Which of the kernels that Tawa can compile run on it."""

from __future__ import annotations

from typing import Any, Callable

POLICIES = ("compiled", "unspilled", "roles")
#: Bytes per thread in local memory that "unspilled" allows for: 16 registers, from where Inductor does not even time a kernel.
SPILL_LIMIT = 64


def decide(kernel: Any, text: str, policy: str | Callable[[Any], str | None]) -> str:
    """Why a compiled kernel is to run as Triton compiles it; "": it runs on Tawa. The one place of this decision.

    kernel: a tawa.Kernel, whose facts count (spill_bytes, declined, ...); text: the Triton IR that it was made from.
    """
    if callable(policy):
        return policy(kernel) or ""
    if policy == "compiled":
        return ""
    if kernel.spill_bytes > SPILL_LIMIT:
        return f"policy: spills {kernel.spill_bytes} bytes per thread"
    if policy == "roles" and kernel.declined and "tt.dot" in text:
        return f"policy: its products are not split into roles: {kernel.declined}"
    return ""


def name_of(policy: str | Callable[[Any], str | None]) -> str:
    """What stands for the policy in keys of caches."""
    if isinstance(policy, str):
        return policy
    return f"{getattr(policy, '__module__', '')}.{getattr(policy, '__qualname__', repr(policy))}"
