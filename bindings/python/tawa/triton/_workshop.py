"""Tawa's side of a compile: kernels by text and device, once each."""

from __future__ import annotations

import collections
import concurrent.futures
import functools
import os
import threading
from typing import Any, Sequence, TypeAlias

from .. import _runtime, cache
from ._state import state

KEPT = 512
DEVICE = "cuda:{}"
Promise: TypeAlias = "concurrent.futures.Future[Any]"
Grid: TypeAlias = "Sequence[int]"  # empty: not known


def _tuned_for(grid: Grid) -> dict[str, Any] | None:
    return {"grid": tuple(grid)} if grid else None


class Workshop:
    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Kernels, threads and locks, which a child of fork() does not share."""
        self._made: collections.OrderedDict[tuple[str, int], Promise] = collections.OrderedDict()
        self._changing = threading.Lock()
        self._offline: Any = None
        self._threads: concurrent.futures.ThreadPoolExecutor | None = None

    def compile(self, text: str, name: str, device: int, grid: Grid = ()) -> Any:
        """The kernel, loaded in the current context of that device; made for launches of about that grid, where one is known. Refusals
        are remembered too."""
        made, is_new = self._promise(text, device)
        if is_new:
            self._keep_promise(made, text, name, device, grid)
        return made.result()

    def begin(self, text: str, name: str, device: int, grid: Grid = ()) -> None:
        """The same on another thread: compile() waits for it."""
        made, is_new = self._promise(text, device)
        if is_new:
            self._pool().submit(self._keep_promise, made, text, name, device, grid)

    def _promise(self, text: str, device: int) -> tuple[Promise, bool]:
        with self._changing:
            known = self._made.get((text, device))
            if known is not None:
                return known, False
            made = self._made[text, device] = concurrent.futures.Future()
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
            return made, True

    def _keep_promise(self, made: Promise, text: str, name: str, device: int, grid: Grid) -> None:
        try:
            made.set_result(_runtime.runtime(DEVICE.format(device)).compile(text, name=name, tune=_tuned_for(grid)))
        except BaseException as failure:  # pylint: disable=broad-except  # raised by result()
            if not isinstance(failure, Exception):  # an interrupt says nothing of the kernel
                with self._changing:
                    self._made.pop((text, device), None)
            made.set_exception(failure)

    def _pool(self) -> concurrent.futures.ThreadPoolExecutor:
        with self._changing:
            if self._threads is None:
                self._threads = concurrent.futures.ThreadPoolExecutor(min(8, os.cpu_count() or 1), "tawa-triton")
            return self._threads

    def compile_to_cache(self, text: str, name: str, grid: Grid = ()) -> None:
        """Without a GPU, for `state.target`; nothing where there is no cache, since that would serve no other process."""
        if not cache.folder():
            return
        with self._changing:
            if self._offline is None:
                self._offline = _runtime.Runtime("emulator")
        self._offline.compile_to_cache(text, target=state.target, name=name, tune=_tuned_for(grid))


workshop = Workshop()
os.register_at_fork(after_in_child=workshop.forget)


@functools.lru_cache
def hardware_of(device: int) -> str:
    """The name of a GPU's hardware description."""
    lines = _runtime.runtime(DEVICE.format(device)).hardware().splitlines()
    pairs = (line.partition("=") for line in lines)
    return next(value.strip() for key, _, value in pairs if key.strip() == "name")
