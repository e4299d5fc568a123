"""The kernels of one text: which of them is launched, and the searches that decide it."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from typing import Any, Callable, Iterator, Sequence

import torch

from .. import _runtime
from .._kernel import Kernel
from .._launch import key_of
from .._tensors import Arg

_EXCHANGES = hasattr(torch.Tensor, "__dlpack_c_exchange_api__")
_current_device = getattr(torch._C, "_cuda_getDevice", None) or (lambda: torch.cuda.current_device())  # pylint: disable=protected-access
_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "kernels")


class _Search:
    """A block of tuning(): its options, and what was searched in it."""

    def __init__(self, options: dict[str, Any]):
        self.options = options
        self.done: set[Any] = set()


_search: _Search | None = None  # of all threads: derivatives run on threads of PyTorch's


@contextlib.contextmanager
def tuning(**options: Any) -> Iterator[None]:
    """Within it an operator that is called, in a derivative or a compiled model too, first searches the fastest configuration for
    its shapes, once for each. Later calls, of other processes too, take what was found. options: those of tawa.tune()."""
    global _search  # pylint: disable=global-statement
    before, _search = _search, _Search(options)
    try:
        yield
    finally:
        _search = before


def device_name(device: torch.device) -> str:
    """What tawa calls a device of PyTorch's."""
    if device.type == "cpu":
        return "emulator"
    return f"cuda:{device.index if device.index is not None else torch.cuda.current_device()}"


def _facts(given: Any) -> Any:
    """What the choice of a configuration may depend on."""
    if isinstance(given, torch.Tensor):
        return given.dtype, given.shape, given.stride()
    if isinstance(given, Arg):
        return "constant", given.value
    return given if isinstance(given, int) else None


_TMA_BYTES = 16  # that rows are a multiple of; kernels for others differ


def _decides_code(given: Any) -> bool:
    """Whether a kernel without promises is another one than for this argument."""
    if isinstance(given, torch.Tensor):
        return any(stride * given.element_size() % _TMA_BYTES for stride in given.stride()[:-1])
    return isinstance(given, Arg)


_MOST_PLANS = 4096


def refuse_subclasses(name: str, inputs: Sequence[Any]) -> None:
    for each in inputs:
        if isinstance(each, torch.Tensor) and type(each) not in (torch.Tensor, torch.nn.Parameter):
            raise TypeError(f"{name} takes no {type(each).__qualname__}: a subclass may hold no data of its own")


class Planned:
    """The function that plan(*inputs) returns, called with them. Inputs of the same types, shapes, strides and devices, and numbers and
    strings that are equal, are planned once: what plan() checks, chooses and compiles is not what every call waits for."""

    def __init__(self, name: str, plan: Callable[..., Callable[..., Any]]):
        self._name, self._plan = name, plan
        self._made: dict[Any, Callable[..., Any]] = {}

    @staticmethod
    def _key(inputs: Sequence[Any]) -> Any:
        return key_of(tuple(inputs)) or tuple(
            [(type(each), each.dtype, each.shape, each.stride(), each.device) if isinstance(each, torch.Tensor) else each for each in inputs])

    def known(self, inputs: Sequence[Any]) -> Callable[..., Any] | None:
        """The function for such inputs; None where they are still to be planned, or searched for, or stand for their negatives."""
        if _search is not None or any([isinstance(each, torch.Tensor) and each.is_neg() for each in inputs]):
            return None
        return self._made.get(self._key(inputs))

    def __call__(self, *inputs: Any) -> Any:
        key = self._key(inputs)
        launch = self._made.get(key)
        if launch is None or _search is not None:
            refuse_subclasses(self._name, inputs)
            if len(self._made) >= _MOST_PLANS:
                self._made.clear()
            launch = self._made[key] = self._plan(*inputs)
        return launch(*inputs)


def _described(given: Any) -> Any:
    """What is said of an argument to compile: of a number on the device nothing, since reading it would wait."""
    return None if isinstance(given, torch.Tensor) and given.dim() == 0 else given


def _readable(given: Sequence[Any]) -> Sequence[Any]:
    """Where PyTorch has no exchange API, its __dlpack__() refuses what autograd watches."""
    return given if _EXCHANGES else [each.detach() if isinstance(each, torch.Tensor) else each for each in given]


_HERE = contextlib.nullcontext()


def _on(device: torch.device, number: int) -> Any:
    """Within it the device, a GPU of that number or else the CPU, is PyTorch's current one."""
    return _HERE if device.type == "cpu" or _current_device() == number else torch.cuda.device(number)


def _emulated(kernel: Kernel, given: Sequence[Any], grid: Any) -> Callable[..., None]:
    """The launch, of views in the shapes of the tensors given here, which it does not keep."""
    views = [(each.shape, each.stride()) if isinstance(each, torch.Tensor) else None for each in given]
    numbers = [None if view else each for view, each in zip(views, given)]

    def launch(*tensors: Any) -> None:
        left = iter(tensors)
        kernel(*_readable([next(left).as_strided(*view) if view else number for view, number in zip(views, numbers)]), grid=grid)

    return launch


class Kernels:
    """A text, compiled as needed: a call launches the kernel for its arguments.

    The configuration is chosen for the shapes of each call, from the cache or by the model; the code does not depend on them, so
    shapes with the same configuration share a kernel.
    """

    def __init__(self, text: Any, config: str | None = None, policy: str | None = None):
        self._text, self._config, self._policy = text, config, policy
        self._chosen: dict[Any, Kernel] = {}  # by device and facts of the arguments
        self._made: dict[tuple[str, str], Kernel] = {}  # by device and configuration
        self._making = threading.Lock()

    def __call__(self, device: torch.device, *given: Any, grid: Any = None) -> None:
        """Launches on PyTorch's current stream of the device."""
        kernel = self.kernel(device, given, grid)
        with _on(device, kernel.runtime.place[1]):
            kernel(*_readable(given), grid=grid)

    def launcher(self, device: torch.device, given: Sequence[Any], grid: Any = None) -> Callable[..., None]:
        """The launch of the kernel for such arguments, on PyTorch's current stream of the device: a function of its tensors, each with
        the memory of the one given here. Numbers, and what is given as tawa.constant(), are those given here."""
        kernel = self.kernel(device, given, grid)
        numbers = [each.value if isinstance(each, Arg) else each for each in given]
        if device.type == "cpu":
            return _emulated(kernel, numbers, grid)
        number = kernel.runtime.place[1]
        with _on(device, number):
            binding = kernel.bind_shapes(*_readable(numbers), grid=grid)

        def launch(*tensors: Any) -> None:
            addresses = [each.data_ptr() for each in tensors]
            if _EXCHANGES and _current_device() == number:  # the exchange API knows the stream
                binding(*addresses)
            else:
                with _on(device, number):
                    binding(*addresses, stream=torch.cuda.current_stream(device))

        return launch

    def kernel(self, device: torch.device, given: Sequence[Any], grid: Any = None) -> Kernel:
        """The kernel for these arguments, compiled at first need."""
        problem = (device_name(device), *map(_facts, given))
        kernel = self._chosen.get(problem)
        if kernel is not None and (_search is None or (id(self), problem) in _search.done):
            return kernel
        with self._making:
            return self._choose(problem, [_described(each) for each in given], grid)

    def _choose(self, problem: Any, described: list[Any], grid: Any) -> Kernel:
        runtime, config = _runtime.runtime(problem[0]), self._config
        if _search is not None:
            config = runtime.tune(self._text, *described, config=config, grid=grid, **_search.options).best
            _search.done.add((id(self), problem))
        found = runtime.compile(self._text, *described, config=config, policy=self._policy)
        if any(map(_decides_code, described)):
            self._chosen[problem] = found
            return found
        place = (runtime.name, found.config)
        if place not in self._made:  # the same code, without the promise of these shapes
            self._made[place] = runtime.compile(self._text, config=found.config)
        self._chosen[problem] = self._made[place]
        return self._made[place]


@functools.lru_cache(None)
def shipped(name: str, element: torch.dtype = torch.float16, config: str | None = None) -> Kernels:
    """Those of a text of this package. Texts are written for f16 and hold for bf16. config: its settings."""
    path = os.path.join(_FOLDER, f"{name}.mlir")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return Kernels(text.replace("f16", "bf16") if element == torch.bfloat16 else text, config, policy="predicted")
