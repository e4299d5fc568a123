"""Failures of the library as exceptions."""

from __future__ import annotations

import dataclasses

from . import _abi

SEVERITIES = ("error", "warning", "remark", "note")


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One finding of the compiler about a kernel's text. Lines and columns count from 1; 0: not known."""

    severity: int
    line: int
    column: int
    file: str
    op: str
    message: str

    def render(self, text: str = "") -> str:
        """file:line:column: severity: reason; and, of the kernel's text, that line with a mark."""
        place = ":".join([self.file or "<kernel>", *(str(number) for number in (self.line, self.column) if number)])
        lines = [f"{place}: {SEVERITIES[self.severity]}: " + (f"'{self.op}' " if self.op else "") + self.message]
        source = text.splitlines()[self.line - 1 : self.line] if self.line else []
        if source:
            lines.append(source[0])
            lines.append(" " * (max(self.column, 1) - 1) + "^")
        return "\n".join(lines)


class Error(Exception):
    """A call of the library failed.

    `status` is the name of its code ("INVALID_IR"), `message` says what failed and what to try, `diagnostics` are the
    compiler's findings about the kernel's text. str() shows all of it, with the lines of the text concerned.
    """

    def __init__(self, status: str, message: str, diagnostics: list[Diagnostic] | None = None, text: str = ""):
        super().__init__(status, message)
        self.status, self.message, self.diagnostics, self.text = status, message, diagnostics or [], text

    def __str__(self) -> str:
        lines = [f"{self.status}: {self.message}"]
        for diagnostic in self.diagnostics:
            finding, *source = diagnostic.render(self.text).split("\n")
            lines += source if finding in self.message else [finding, *source]  # the message often is the first one
        return "\n".join(lines)


class InvalidArgument(Error, ValueError):
    """The call itself is wrong."""


class InvalidIR(Error):
    """The kernel's text does not parse or verify."""


class Unsupported(Error):
    """Right, but not something that this version compiles or runs."""


class CompileFailed(Error):
    """The compiler gave up, or the driver refused what it made."""


class CudaError(Error):
    """A call of the CUDA driver failed. If `Runtime.works` is False from then on, no retry in this process can help."""


class NoDevice(Error):
    """No driver, no such device, or not one that this needs."""


class ShapeMismatch(Error, ValueError):
    """A tensor does not fit what the kernel was compiled for."""


class CacheMiss(Error, LookupError):
    """The runtime is frozen and its caches have no such kernel."""


class CaptureUnsafe(Error):
    """The launch would have to load code while its stream is being captured: `Kernel.load()` ahead."""


class CacheError(Error, OSError):
    """A cache cannot be read or written."""


class Timeout(Error, TimeoutError):
    """Took longer than allowed."""


class Cancelled(Error):
    """A job or search was stopped."""


class OutOfMemory(Error, MemoryError):
    """Of the host or of the device."""


class EmulatorFault(Error):
    """The emulated multiprocessor stopped the kernel: deadlock, race, bad access, endless loop."""


_CLASSES = {
    _abi.E_INVALID_ARGUMENT: InvalidArgument,
    _abi.E_INVALID_IR: InvalidIR,
    _abi.E_UNSUPPORTED: Unsupported,
    _abi.E_COMPILE_FAILED: CompileFailed,
    _abi.E_PTX_REJECTED: CompileFailed,
    _abi.E_CUDA: CudaError,
    _abi.E_NO_DEVICE: NoDevice,
    _abi.E_SHAPE_MISMATCH: ShapeMismatch,
    _abi.E_CACHE_MISS: CacheMiss,
    _abi.E_CAPTURE_UNSAFE: CaptureUnsafe,
    _abi.E_CACHE_IO: CacheError,
    _abi.E_CACHE_CORRUPT: CacheError,
    _abi.E_TIMEOUT: Timeout,
    _abi.E_CANCELLED: Cancelled,
    _abi.E_OUT_OF_MEMORY: OutOfMemory,
    _abi.E_EMULATOR: EmulatorFault,
}
_NAMES = {value: name[2:] for name, value in vars(_abi).items() if name.startswith("E_")}


def make_error(status: int, message: str, diagnostics: list[Diagnostic] | None = None, text: str = "") -> Error:
    return _CLASSES.get(status, Error)(_NAMES.get(status, str(status)), message, diagnostics, text)


def raise_launch(status: int, message: str) -> None:
    raise make_error(status, message)
