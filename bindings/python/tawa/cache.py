"""Caches as people handle them: without a runtime, where a fault is an error."""

from __future__ import annotations

import dataclasses
import os
from ctypes import byref, c_uint64
from typing import Any

from . import _abi
from ._library import c, call, encode, facts, make, text_of

KINDS = ("all", "compile", "tune", "load", "preset", "plan")


@dataclasses.dataclass(frozen=True)
class Entry:
    """One entry. kind: "compile" (a kernel), "tune" (a configuration that was tried), "load" (machine code),
    "preset" (the performance model's choice of a configuration), "plan" (plans for a spatial machine). key: what it
    depends on; fault: why it is bad, "" where it is good; made, used: seconds since 1970."""

    kind: str
    hash: str
    key: str
    summary: str
    fault: str
    bytes: int
    made: int
    used: int


def folder() -> str:
    """The folder of the cache that the environment names; "" where there is to be none."""
    return text_of("tawa_cache_folder")


class Cache:
    """A cache in a folder, or, to read, in a file that export() made; None: the folder that the environment names."""

    def __init__(self, path: str | os.PathLike | None = None, *, writable: bool = False):
        self._handle: Any = None
        self._handle = make("tawa_cache_open", encode(path), int(writable))

    def close(self) -> None:
        if self._handle and c is not None:
            c.tawa_cache_release(self._handle)
        self._handle = None

    __del__ = close

    def __enter__(self) -> "Cache":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def file(self) -> str:
        return c.tawa_cache_file(self._handle).decode()

    def entries(self) -> list[Entry]:
        found: list[Entry] = []

        def visit(_: Any, entry: Any) -> int:
            known = facts(entry.contents)
            known["kind"] = KINDS[known["kind"]]
            found.append(Entry(**known))
            return 0

        call("tawa_cache_visit", self._handle, _abi.tawa_cache_visit_fn(visit), None)
        return found

    def _count(self, function: str, *arguments: Any) -> int:
        number = c_uint64()
        call(function, self._handle, *arguments, byref(number))
        return number.value

    def verify(self, *, repair: bool = False) -> int:
        """How many entries are bad; removes them if asked to."""
        return self._count("tawa_cache_verify", int(repair))

    def prune(self, max_bytes: int, *, unused_since: int = 0) -> int:
        """Removes entries not used since then (seconds since 1970), then the least recently used beyond a size; how many."""
        return self._count("tawa_cache_prune", max_bytes, unused_since)

    def copy_to(self, other: "Cache", kind: str = "all") -> int:
        """Copies good entries; how many."""
        return self._count("tawa_cache_copy", other._handle, KINDS.index(kind))

    def export(self, file: str | os.PathLike, *, kind: str = "all", seal: bool = False) -> int:
        """Copies into a new file, sealed: one that nothing writes to any more, for any file system. How many entries."""
        return self._count("tawa_cache_export", encode(file), KINDS.index(kind), int(seal))
