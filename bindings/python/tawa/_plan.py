"""Plans for spatial machines: what the planner found, as objects."""

from __future__ import annotations

import ctypes
import dataclasses
import json
from ctypes import byref
from typing import Any, Sequence

from . import _abi
from ._kernel import Parameter, grid_of
from ._library import encode, text_of
from ._runtime import Source, argument
from ._tensors import Arg


@dataclasses.dataclass(frozen=True)
class PlanLoad:
    """How the tiles of one load reach the cores, which are numbered in row-major order of the machine's array. movement: in
    words. level: loops around its issue; tiles: fetched at once and kept; slots: buffers of so many tiles; bytes: of all of
    them. readers: cores that read global memory; sends: pairs of cores, from the first of which the second gets the tiles."""

    tensor: str
    movement: str
    level: int
    tiles: int
    slots: int
    bytes: int
    readers: tuple[int, ...]
    sends: tuple[tuple[int, int], ...]


@dataclasses.dataclass(frozen=True)
class Plan:
    """One way to run a kernel on a machine. text: the loop nest of a core with its loads and stores; summary: the same in one
    line. tile: the block shape, by tile parameter; program: the kernel as a tile program. Cycles are those of the machine's
    clock: `cycles` and `microseconds` by the model, of which computing, loading and storing alone would take the next three;
    simulated_cycles: None where it was not simulated. bound: the resource that limits it. footprint: bytes of each local
    memory."""

    summary: str
    text: str
    tile: dict[str, int]
    program: str
    footprint: int
    bound: str
    cycles: float
    microseconds: float
    compute_cycles: float
    load_cycles: float
    store_cycles: float
    simulated_cycles: float | None
    loads: tuple[PlanLoad, ...]


@dataclasses.dataclass(frozen=True)
class PlanResult:
    """plans: best estimate first. best: the fastest simulated one, else the first. refused: block shapes that have no tile
    program, with the reason. from_cache: an earlier call made the plans; seconds: that this call took. facts: all that the
    library says, the simulation of the best plan included (tawa_plan() in include/tawa/plan.h lists the members)."""

    best: Plan
    plans: tuple[Plan, ...]
    refused: tuple[tuple[dict[str, int], str], ...]
    from_cache: bool
    seconds: float
    facts: dict[str, Any]


def _load(facts: dict[str, Any]) -> PlanLoad:
    pairs = tuple((source, target) for source, target in facts["sends"])
    known: dict[str, Any] = facts | {"readers": tuple(facts["readers"]), "sends": pairs}
    return PlanLoad(**known)


def _plan(facts: dict[str, Any], found: dict[str, Any]) -> Plan:
    program, estimate = found["programs"][facts["program"]], facts["estimate"]
    return Plan(summary=facts["summary"], text=facts["nest"], tile=program["tile"], program=program["text"],
                footprint=facts["footprint"], bound=estimate["bound"], cycles=estimate["cycles"],
                microseconds=estimate["cycles"] / found["machine"]["clock"] * 1e6, compute_cycles=estimate["compute"],
                load_cycles=estimate["load"], store_cycles=estimate["store"],
                simulated_cycles=facts["simulated"]["cycles"] if "simulated" in facts else None,
                loads=tuple(map(_load, facts["loads"])))


def _result(found: dict[str, Any]) -> PlanResult:
    plans = tuple(_plan(each, found) for each in found["plans"])
    refused = tuple((each["tile"], each["reason"]) for each in found["refused"])
    answer = found["answer"]
    return PlanResult(plans[found["chosen"]], plans, refused, bool(answer["from_cache"]), answer["seconds"], found)


def _fact(value: Any, known: Parameter) -> Arg:
    if value is None:
        what = "shape" if known.kind == "tensor" else "value"
        raise TypeError(f"argument '{known.name}': plans are made for known sizes; give its {what}")
    return argument(value, known)


def make_plan(source: Source, args: Sequence[Any], machine: str, config: str | None, grid: Any, top: int,
              simulate: bool) -> PlanResult:
    wanted = source.signature().arguments
    if len(args) != len(wanted):
        raise TypeError(f"the kernel takes {len(wanted)} arguments, {len(args)} were described")
    given = (_abi.tawa_arg * len(wanted))(*map(_fact, args, wanted))
    request = _abi.tawa_plan_request(
        text=source.bytes, text_len=len(source.bytes), name=source.name.encode(), num_args=len(wanted),
        args=ctypes.cast(given, ctypes.POINTER(_abi.tawa_arg)), top=top, machine=encode(machine), config=encode(config),
        grid=grid_of(grid), is_simulated=int(simulate))
    return _result(json.loads(text_of("tawa_plan", byref(request), text=source.text)))


def plan_machines() -> list[str]:
    """The spatial machines that the library describes, for plan()."""
    return text_of("tawa_plan_machines").split()
