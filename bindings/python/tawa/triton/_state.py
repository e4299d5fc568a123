"""Whether kernels are taken, and by what policy: one object for the process."""

from __future__ import annotations

import contextlib
import threading
import weakref
from typing import Any, Callable, Iterator

from .. import build_info
from ._policy import name_of


class Gate:
    """Lets the launches of one kernel go to Tawa while it is open; shut for good after `is_dead`."""

    __slots__ = ("open", "is_dead", "__weakref__")

    def __init__(self) -> None:
        self.open, self.is_dead = True, False


class State:
    def __init__(self) -> None:
        self.on = False
        self.policy: str | Callable[[Any], str | None] = "unspilled"
        #: Stands in the keys of Triton's and Inductor's caches, so that none of their entries serves both ways.
        self.tag = ""
        #: In a compile worker: the hardware description that kernels are compiled for, into the cache; "": they are loaded.
        self.target = ""
        #: There, the device on which the parent is going to load them.
        self.device = 0
        self.switching = threading.RLock()
        self._gates: weakref.WeakSet[Gate] = weakref.WeakSet()
        self._changing = threading.RLock()
        self._thread = threading.local()

    def turn_on(self, policy: str | Callable[[Any], str | None]) -> None:
        with self._changing:
            self.policy, self.tag, self.on = policy, f"tawa-{build_info()['id']}-{name_of(policy)}", True
            for gate in self._gates:
                gate.open = not gate.is_dead

    def turn_off(self) -> None:
        with self._changing:
            self.on = False
            for gate in self._gates:
                gate.open = False

    def gate(self) -> Gate:
        made = Gate()
        with self._changing:
            made.open = self.on
            self._gates.add(made)
        return made

    @contextlib.contextmanager
    def considering(self, wanted: bool, grid: tuple[int, ...] = ()) -> Iterator[None]:
        """What this thread compiles in the meantime is offered to Tawa, or is not. Without this, nothing is: whoever calls
        triton.compile() for a binary that another launcher takes gets Triton's. grid: programs that a launch will have, about,
        where that is known."""
        before = getattr(self._thread, "is_considering", False), self.grid
        self._thread.is_considering, self._thread.grid = wanted, grid
        try:
            yield
        finally:
            self._thread.is_considering, self._thread.grid = before

    @property
    def grid(self) -> tuple[int, ...]:
        return getattr(self._thread, "grid", ())

    @property
    def is_considering(self) -> bool:
        return self.on and getattr(self._thread, "is_considering", False)


state = State()
