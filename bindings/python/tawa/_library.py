"""The shared library: where it is found, its functions, and its errors as exceptions."""

from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import byref, c_char_p, c_void_p
from typing import Any, Iterable

from . import _abi
from .errors import Diagnostic, make_error


def _load() -> ctypes.CDLL:
    """TAWA_LIBRARY, else the library beside this file, else what the loader finds."""
    beside = pathlib.Path(__file__).with_name("libtawa.so.0")
    path = os.environ.get("TAWA_LIBRARY") or (str(beside) if beside.exists() else beside.name)
    library = ctypes.CDLL(path)
    for name, (result, parameters) in _abi.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, parameters
    if library.tawa_abi_version() != _abi.ABI_VERSION:
        raise ImportError(f"{path} has ABI {library.tawa_abi_version()}, this package was made for {_abi.ABI_VERSION}")
    return library


c = _load()


def facts(struct: _abi.Struct) -> dict[str, Any]:
    """The fields of a struct that say something, with text as str and arrays as tuples."""
    found = {}
    for name, _ in struct._fields_[3:]:
        if name.startswith("reserved"):
            continue
        value = getattr(struct, name)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        elif isinstance(value, ctypes.Array):
            value = tuple(value)
        found[name] = value
    return found


def fact(function: Any, struct: type[_abi.Struct], *which: Any) -> dict[str, Any]:
    """What `function(*which, &struct)` fills in."""
    made = struct()
    check(function(*which, byref(made)))
    return facts(made)


def take_text(address: int | None) -> str:
    """A copy of text that the library hands out for the caller to free."""
    text = ctypes.string_at(address).decode("utf-8", "replace") if address else ""
    c.tawa_free(address)
    return text


def _diagnostics(error: c_void_p) -> list[Diagnostic]:
    found = []
    for index in range(c.tawa_error_diagnostic_count(error)):
        known = fact(c.tawa_error_diagnostic, _abi.tawa_diagnostic, error, index)
        found.append(Diagnostic(**known))
    return found


def check(status: int, error: c_void_p | None = None, text: str = "") -> None:
    """Raises for a failed call and frees its error object. `text`: the kernel's, for the lines of diagnostics."""
    if status == _abi.OK:
        return
    message, diagnostics = "", []
    if error:
        message = c.tawa_error_message(error).decode("utf-8", "replace")
        diagnostics = _diagnostics(error)
        c.tawa_error_release(error)
    raise make_error(status, message, diagnostics, text)


def call(name: str, *arguments: Any, text: str = "") -> None:
    """A function of the library that takes an error object last."""
    error = c_void_p()
    check(getattr(c, name)(*arguments, byref(error)), error, text)


def make(name: str, *arguments: Any, text: str = "") -> c_void_p:
    """The same for one that makes a handle, its last parameter before the error object."""
    handle = c_void_p()
    call(name, *arguments, byref(handle), text=text)
    return handle


def text_of(name: str, *arguments: Any, text: str = "") -> str:
    """The same for one that hands out text."""
    return take_text(make(name, *arguments, text=text).value)


def encode(text: str | os.PathLike | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def strings(texts: Iterable[str | os.PathLike]) -> Any:
    """An array of C strings."""
    encoded = [os.fsencode(text) for text in texts]
    return (c_char_p * len(encoded))(*encoded)
