"""Memory on a runtime's device, and host memory that kernels on the emulator may reach."""

from __future__ import annotations

import contextlib
import threading
from ctypes import byref, c_void_p
from typing import Any, Iterator, Sequence

from . import _launch
from ._library import c, call
from ._tensors import Arg, read, tensor


class Memory:
    """A tensor on a runtime's device, contiguous; freed with the object. An argument for compile() and launches.

    shape: dimensions, outermost first; dtype: "f16", "bf16", "f8e4m3", ...
    """

    def __init__(self, runtime: Any, shape: Sequence[int], dtype: str):
        self.shape, self.dtype = tuple(shape), dtype
        address = c_void_p()
        self._nbytes = tensor(dtype, self.shape or (1,), 1).extent()[1]
        call("tawa_memory_allocate", runtime.handle, max(self._nbytes, 1), byref(address))
        self._runtime, self.address = runtime, address.value or 0

    def __del__(self) -> None:
        if getattr(self, "address", None) and self._runtime.handle:
            c.tawa_memory_free(self._runtime.handle, self.address, None)

    @property
    def nbytes(self) -> int:
        return self._nbytes

    def __tawa_arg__(self) -> tuple[Arg, int, int]:
        """The protocol of _tensors.describe()."""
        device_type, device_id = self._runtime.place
        return tensor(self.dtype, self.shape or (1,), self.address), device_type, device_id

    def copy_in(self, source: Any) -> "Memory":
        """From a buffer of as many bytes (NumPy array, bytes). Blocks. Gives itself."""
        self._check_size(source)
        call("tawa_memory_copy_in", self._runtime.handle, self.address, _launch.address_of(source, False), self.nbytes)
        return self

    def copy_out(self, target: Any = None) -> Any:
        """Into a writable buffer of as many bytes; without one, into a bytearray. Blocks. Gives the target."""
        target = bytearray(self.nbytes) if target is None else target
        self._check_size(target)
        call("tawa_memory_copy_out", self._runtime.handle, _launch.address_of(target, True), self.address, self.nbytes)
        return target

    def fill(self, byte: int) -> "Memory":
        call("tawa_memory_fill", self._runtime.handle, self.address, byte, self.nbytes)
        return self


    def _check_size(self, buffer: Any) -> None:
        size = memoryview(buffer).nbytes
        if size != self.nbytes:
            raise ValueError(f"{size} bytes for a tensor of {self.nbytes}")


class Reachable:
    """Host memory that the emulator was told of, counted: calls that run at the same time may share tensors."""

    def __init__(self, handle: c_void_p):
        c.tawa_runtime_retain(handle)  # not the Runtime, which holds this
        self._handle = handle
        self._blocks: dict[int, list[int]] = {}  # first address: [end, calls that use it]
        self._changed = threading.Condition()

    def __del__(self) -> None:
        if c is not None:
            c.tawa_runtime_release(self._handle)

    @contextlib.contextmanager
    def during(self, objects: Sequence[Any]) -> Iterator[None]:
        """The memory of these tensors is within reach; that of the runtime itself is so anyway."""
        held = self._acquire(_merged(extents_of(objects)))
        try:
            yield
        finally:
            self._release(held)

    def _acquire(self, wanted: list[tuple[int, int]]) -> list[int]:
        with self._changed:
            # A block that another call uses and that only overlaps ours cannot grow: wait until it is gone.
            self._changed.wait_for(lambda: not any(self._is_in_the_way(*each) for each in wanted))
            held = []
            try:
                for first, end in wanted:
                    held.append(self._hold(first, end))
            except BaseException:
                self._drop(held)
                raise
            return held

    def _around(self, first: int, end: int) -> int | None:
        return next((begin for begin, (last, _) in self._blocks.items() if begin <= first and end <= last), None)

    def _is_in_the_way(self, first: int, end: int) -> bool:
        overlaps = any(begin < end and first < last for begin, (last, _) in self._blocks.items())
        return overlaps and self._around(first, end) is None

    def _hold(self, first: int, end: int) -> int:
        block = self._around(first, end)
        if block is None:
            call("tawa_memory_register", self._handle, first, end - first)
            self._blocks[first] = [end, 0]
            block = first
        self._blocks[block][1] += 1
        return block

    def _drop(self, held: list[int]) -> None:
        for block in held:
            self._blocks[block][1] -= 1
            if self._blocks[block][1] == 0:
                del self._blocks[block]
                call("tawa_memory_unregister", self._handle, block)

    def _release(self, held: list[int]) -> None:
        with self._changed:
            self._drop(held)
            self._changed.notify_all()


def extents_of(tensors: Sequence[Any]) -> list[tuple[int, int]]:
    """(first address, end) of tensors of other libraries."""
    found = []
    for each in tensors:
        if isinstance(each, (Arg, Memory)):
            continue
        first, size = read(each, 0)[0].extent()
        if size:
            found.append((first, first + size))
    return found


def _merged(extents: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that overlap, as one."""
    merged: list[tuple[int, int]] = []
    for first, end in sorted(extents):
        if merged and first < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((first, end))
    return merged
