"""Triton's own form of a kernel that Tawa has taken, made from its Triton IR when it is needed after all."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import triton
from triton.compiler.compiler import AsmDict

from ._state import state
from ._workshop import workshop

#: Options of Triton's later stages; those of the first are in the text.
OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg", "ptx_version", "ptx_options", "enable_fp_fusion", "enable_reflect_ftz",
           "extern_libs", "debug", "sanitize_overflow", "arch")
#: Forms that Triton's stages would have left.
LATER = ("ttgir", "llir", "ptx", "cubin", "sass")


class Recipe:
    """All that Triton needs to go on from the IR. Can be pickled."""

    def __init__(self, text: str, metadata: Any):
        known = metadata._asdict()
        self.text, self.name, self.target = text, metadata.name, metadata.target
        self.options = {name: known[name] for name in OPTIONS if known.get(name) is not None}
        self.options["launch_pdl"] = metadata.tawa["launch_pdl"]
        #: Where a kernel that a compile worker made is going to be loaded.
        self.device = metadata.tawa.get("device")
        self.grid = metadata.tawa.get("grid", ())

    def compile(self, src: Any) -> Any:
        """A CompiledKernel, not loaded yet, with the arguments of `src`."""
        with tempfile.TemporaryDirectory() as folder, state.considering(False):
            path = os.path.join(folder, "kernel.ttir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.text)
            made = triton.compile(path, target=self.target, options=self.options)
        made.src = src
        return made


class Assembly(AsmDict):
    """The forms of a kernel that Tawa has taken: its Triton IR; Triton's later forms are compiled when asked for."""

    def __init__(self, forms: dict[str, Any], recipe: Recipe):
        super().__init__({name: form for name, form in forms.items() if name not in LATER})
        self.recipe = recipe

    def __missing__(self, name: str) -> Any:
        if name not in LATER:
            raise KeyError(f"Unknown key: '{name}'")
        made = self.recipe.compile(None)
        for form in LATER[:-1]:
            self[form] = made.asm[form]
        return self[name] if name != "sass" else super().__missing__(name)

    def __reduce__(self) -> Any:
        return _arrive, (dict(self), self.recipe)


def _arrive(forms: dict[str, Any], recipe: Recipe) -> Assembly:
    """In the parent of the compile worker: Tawa begins to load the kernel while others are still on their way."""
    if state.on and not state.target and recipe.device is not None:
        workshop.begin(recipe.text, recipe.name, recipe.device, recipe.grid)
    return Assembly(forms, recipe)
