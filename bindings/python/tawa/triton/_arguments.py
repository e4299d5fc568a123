"""From the arguments of Triton's launchers to those of Tawa: what is where, and the function that a launch goes through."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Iterable, Mapping, Sequence

from .._tensors import Arg, pointer, scalar, tensor

FLOATS = ("f8e4m3", "f8e5m2", "f16", "bf16", "f32", "f64")


class Unfit(Exception):
    """These arguments are none for Tawa; says why."""


@dataclasses.dataclass(frozen=True)
class Slot:
    """One argument of the kernel. path: where it stands among the launcher's arguments: its number, then places in tuples."""

    path: tuple[int, ...]
    kind: str  # "pointer", "descriptor", "integer", "float"
    dtype: str
    rank: int = 0

    @property
    def expression(self) -> str:
        return f"a{self.path[0]}" + "".join(f"[{place}]" for place in self.path[1:])

    def take(self, args: Sequence[Any]) -> Any:
        value = args[self.path[0]]
        for place in self.path[1:]:
            value = value[place]
        return value


def leaves(types: Iterable[Any], path: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], str]]:
    """(path, type) of everything in a signature that reaches the kernel: tuples are taken apart, constants left out."""
    found = []
    for place, kind in enumerate(types):
        if isinstance(kind, (tuple, list)):
            found += leaves(kind, (*path, place))
        elif kind != "constexpr":
            found.append(((*path, place), str(kind)))
    return found


def _kind(known: Any) -> str:
    if known.kind == "tensor":
        return "descriptor" if known.rank else "pointer"
    return "float" if known.dtype in FLOATS else "integer"


def _wanted(kind: str) -> tuple[str, ...]:
    if kind.startswith("*"):
        return ("pointer",)
    if kind.startswith("tensordesc"):
        return ("descriptor",)
    return ("integer", "float")


def slots_of(signature: Mapping[Any, Any], parameters: Sequence[Any]) -> list[Slot]:
    """The slots of a kernel from Triton's signature and what Tawa read from the text."""
    given = leaves(signature.values())
    if len(given) != len(parameters):
        raise Unfit(f"Triton passes {len(given)} arguments, the text takes {len(parameters)}")
    slots = []
    for (path, kind), known in zip(given, parameters):
        if _kind(known) not in _wanted(kind):
            raise Unfit(f"argument '{known.name}' is a {kind} to Triton, in the text a {_kind(known)} of {known.dtype}")
        slots.append(Slot(path, _kind(known), known.dtype, known.rank))
    return slots


# ---- one launch, argument by argument ---------------------------------------------------------------------------------


def address_of(value: Any) -> int:
    if isinstance(value, int):
        return value
    if value is None:
        return 0
    address = value.data_ptr()
    is_host = not getattr(value, "is_cuda", True)
    if address and is_host and not value.is_pinned():
        raise Unfit("a tensor is not on the GPU")
    return address


def _descriptor(slot: Slot, value: Any) -> tuple[tuple[Any, ...], Arg]:
    if getattr(value, "padding", "zero") != "zero" or getattr(value, "round_f32_to_tf32", False):
        raise Unfit("a descriptor fills with NaN or rounds to TF32")
    shape, strides = tuple(map(int, value.shape)), tuple(map(int, value.strides))
    return (shape, strides, "zero"), tensor(slot.dtype, shape, address_of(value.base), strides=strides)


def read(slots: Sequence[Slot], args: Sequence[Any]) -> tuple[tuple[Any, ...], list[Arg]]:
    """(what two launches must share beside the grid to share a binding, arguments for Tawa)."""
    key: list[Any] = []
    made: list[Arg] = []
    for slot in slots:
        value = slot.take(args)
        if slot.kind == "pointer":
            made.append(pointer(slot.dtype, address_of(value)))
        elif slot.kind == "descriptor":
            part, arg = _descriptor(slot, value)
            key += part
            made.append(arg)
        else:
            made.append(scalar(slot.dtype, float(value) if slot.kind == "float" else int(value)))
            key += (value, math.copysign(1.0, value)) if slot.kind == "float" else (value,)
    return tuple(key), made


# ---- the function that a launch goes through ----------------------------------------------------------------------------

HEAD = "grid_0, grid_1, grid_2, stream, function, packed, metadata, enter, leave"


def _keys(slot: Slot) -> list[str]:
    """As read() makes them."""
    at = slot.expression
    if slot.kind == "descriptor":
        return [f"tuple({at}.shape)", f"tuple({at}.strides)", f'getattr({at}, "padding", "zero")']
    return [at, f"copysign(1.0, {at})"] if slot.kind == "float" else [at] if slot.kind == "integer" else []


def source(slots: Sequence[Slot], count: int) -> str:
    """Of a function with the parameters of Triton's launchers and `count` arguments: it launches by a binding where one fits;
    all else is left to slow()."""
    names = [f"a{i}" for i in range(count)]
    ends = {"pointer": "", "descriptor": ".base"}
    bases = [slot.expression + ends[slot.kind] for slot in slots if slot.kind in ends]
    conditions = ["gate.open", "(enter is None or not enter.calls)", "(leave is None or not leave.calls)"]
    conditions += [f"{base}.is_cuda" for base in bases]
    key = ", ".join(["grid_0", "grid_1", "grid_2", *(key for slot in slots for key in _keys(slot))])
    addresses = "".join(f"{base}.data_ptr(), " for base in bases)
    return f"""def launch({", ".join([HEAD, *names])}):
    try:
        if {" and ".join(conditions)}:
            binding = bindings.get(({key}))
            if binding is not None:
                return binding({addresses}stream=stream)
    except failures:
        pass
    return slow({HEAD}, ({"".join(f"{name}, " for name in names)}))
"""


def function_of(slots: Sequence[Slot], count: int, **names: Any) -> Callable[..., None]:
    """The function, with gate, bindings, failures and slow as given."""
    scope = dict(names, copysign=math.copysign)
    exec(compile(source(slots, count), "<tawa.triton launch>", "exec"), scope)  # pylint: disable=exec-used
    return scope["launch"]
