"""What the measuring programs need beyond the Python package `tawa`: the place where this tree, or one that pack.sh made, has
it, and kernels with their arguments, ready to be launched many times. Import it before `tawa`.
"""

import os
import sys

_ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
for _folder in ("python", os.path.join("build", "dev", "bindings", "python")):  # what PYTHONPATH names comes first
    if os.path.isdir(os.path.join(_ROOT, _folder, "tawa")):
        sys.path.append(os.path.join(_ROOT, _folder))

import tawa  # pylint: disable=wrong-import-position


class Kernel:
    """A compiled kernel with its arguments. `launch(stream)` enqueues it on a stream, given as the raw handle."""

    FACTS = ("entry", "config", "content_hash", "jit_log", "threads", "shared_bytes", "registers", "spill_bytes", "local_bytes",
             "cluster", "ring_depth", "mma_depth", "consumer_groups", "ptx_version", "declined", "phases")

    def __init__(self, runtime, text, name, args, config="", grid=(0, 0, 0)):
        tune = {"grid": grid} if any(grid) else None  # by which a configuration is chosen where none is given
        self.compiled = runtime.compile(text, *args, name=name, config=config or None, tune=tune)
        self.args, self.grid, self._launch = args, grid if any(grid) else None, None

    def launch(self, stream):
        if self._launch is None:
            self._launch = self.bound(self.args)
        self._launch(stream)

    def bound(self, args):
        """A function that enqueues one launch with these arguments on a stream."""
        binding = self.compiled.bind(*args, grid=self.grid)
        return lambda stream: binding(stream=stream)

    def info(self):
        return {name: getattr(self.compiled, name) for name in self.FACTS}

    def close(self):
        self.compiled = self._launch = None


def runtime(device):
    """What is measured is compiled: no cache. On a GPU it works in the context current on this thread, which is PyTorch's."""
    return tawa.Runtime(device, cache_dir="")
