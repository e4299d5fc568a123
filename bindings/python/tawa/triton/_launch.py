"""One kernel of Triton's on Tawa: what launches it, and Triton's own form for launches that Tawa refuses."""

from __future__ import annotations

import threading
from typing import Any, Callable, Sequence

from ..errors import Error
from ._arguments import Slot, Unfit, function_of, read
from ._report import Row, rows
from ._state import state

BINDINGS, SEEN = 256, 4096
#: Launches that fail before the kernel is left to Triton for good.
PATIENCE = 8


def reason_of(failure: BaseException) -> str:
    """One line."""
    text = f"{failure.status}: {failure.message}" if isinstance(failure, Error) else str(failure)
    lines = text.strip().splitlines() or [""]
    return lines[0] if isinstance(failure, (Error, Unfit)) else f"{type(failure).__name__}: {lines[0]}"


class Launch:
    """`function` has the parameters of Triton's launchers. A launch with a grid and numbers that were seen before goes through a
    binding, with little Python; Tawa's refusals are made good by Triton's form, which is compiled when it is first needed."""

    def __init__(self, kernel: Any, slots: Sequence[Slot], count: int, make_stock: Callable[[], Any], row: Row):
        """count: of Triton's arguments, constants included."""
        self.kernel, self.slots, self.row = kernel, slots, row
        self._make_stock, self._stock, self._making = make_stock, None, threading.Lock()
        self.gate = state.gate()
        self._bindings: dict[Any, Any] = {}
        self._seen: set[Any] = set()
        self._failures = 0
        self.function = function_of(slots, count, gate=self.gate, bindings=self._bindings,
                                    failures=(AttributeError, TypeError, Error), slow=self._slow)

    def _slow(self, grid_0: int, grid_1: int, grid_2: int, stream: int, function: Any, packed: Any, metadata: Any,  # pylint: disable=unused-argument
              enter: Any, leave: Any, args: Sequence[Any]) -> None:
        """A launch without a binding."""
        grid = (int(grid_0), int(grid_1), int(grid_2))
        if not self.gate.open:
            return self._by_triton(grid, stream, metadata, enter, leave, args)
        if enter is not None:
            enter(metadata)
        if not self._by_tawa(grid, stream, args):
            self._by_triton(grid, stream, metadata, None, None, args)
        if leave is not None:
            leave(metadata)
        return None

    def _by_tawa(self, grid: tuple[int, int, int], stream: int, args: Sequence[Any]) -> bool:
        if 0 in grid:
            return True
        try:
            key, made = read(self.slots, args)
            self._launch((*grid, *key), made, grid, stream)
            return True
        except Exception as failure:  # pylint: disable=broad-except  # whatever it is, the launch is made
            rows.refuse_launch(self.row, reason_of(failure))
            self._failures += 1
            if self._failures >= PATIENCE:
                self.gate.is_dead, self.gate.open = True, False
            return False

    def _launch(self, key: Any, made: list[Any], grid: tuple[int, int, int], stream: int) -> None:
        """What comes twice gets a binding: numbers may change from launch to launch."""
        if key not in self._seen:
            if len(self._seen) >= SEEN:
                self._seen.clear()
            self._seen.add(key)
            self.kernel(*made, grid=grid, stream=stream)
            return
        binding = self.kernel.bind(*made, grid=grid)
        binding(stream=stream)
        if len(self._bindings) >= BINDINGS:
            self._bindings.clear()
        self._bindings[key] = binding

    def stock(self) -> Any:
        """Triton's form of the kernel: a CompiledKernel, loaded."""
        with self._making:
            if self._stock is None:
                self._stock = self._make_stock()
            return self._stock

    def _by_triton(self, grid: tuple[int, int, int], stream: int, metadata: Any, enter: Any, leave: Any,
                   args: Sequence[Any]) -> None:
        stock = self._stock or self.stock()
        stock.run(*grid, stream, stock.function, stock.packed_metadata, metadata, enter, leave, *args)
