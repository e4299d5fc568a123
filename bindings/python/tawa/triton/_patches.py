"""Attributes of other packages' classes and modules that are replaced, and put back."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import warnings
from typing import Any, Callable


class Patches:
    """What has been replaced, and what was there before."""

    def __init__(self) -> None:
        self._done: list[tuple[Any, str, Any]] = []

    def __bool__(self) -> bool:
        return bool(self._done)

    def replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """owner.name becomes make(what it was)."""
        before = getattr(owner, name)
        setattr(owner, name, make(before))
        self._done.append((owner, name, before))

    def undo(self) -> None:
        while self._done:
            owner, name, before = self._done.pop()
            setattr(owner, name, before)


class _Loader(importlib.abc.Loader):
    """The module's own loader, and then something else."""

    def __init__(self, loader: Any, after: Callable[[Any], None]):
        self._loader, self._after = loader, after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: Any) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        self._loader.exec_module(module)
        module.__spec__.loader = module.__loader__ = self._loader
        self._after(module)


class AfterImport(importlib.abc.MetaPathFinder):
    """Calls functions with modules once they are imported, by their names; at once where they are. A module that lacks what is
    to be replaced is left as it is, with a warning: an import never fails for it."""

    def __init__(self, actions: dict[str, Callable[[Any], None]]):
        self._actions = actions

    def install(self) -> None:
        for name in self._actions:
            if name in sys.modules:
                self._act(sys.modules[name])
        sys.meta_path.insert(0, self)

    def _act(self, module: Any) -> None:
        try:
            self._actions[module.__name__](module)
        except AttributeError as failure:
            warnings.warn(f"tawa.triton was made for another version of {module.__name__}: {failure}", stacklevel=2)

    def remove(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name not in self._actions:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find and finder is not self else None
            if spec is not None and spec.loader is not None:
                spec.loader = _Loader(spec.loader, self._act)
                return spec
        return None
