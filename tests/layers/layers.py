#!/usr/bin/env python3
"""Which room may include which: the layers of the tree, compared with the #include lines of the sources.

usage: layers.py ROOT

Prints FILE:LINE for each include that its room is not allowed, and exits with 1 if there is any. A file belongs to the
room with the longest name that its path begins with; a room may include itself and the rooms inside of it.
"""

import re
import sys
from pathlib import Path

PLAIN = ("runtime/support", "runtime/artifact")  # no MLIR and no device: facts that compiler and runtime share
IR = ("compiler/support", "compiler/frontend/TT", "compiler/roles/Tawa", "compiler/layouts/algebra", "compiler/analysis")

ALLOWED = {
    "include": (),
    # The compiler, in the order of its phases. Nothing but the pipeline includes a target.
    "compiler/support": PLAIN,
    "compiler/layouts/algebra": (),
    "compiler/frontend/text": PLAIN,
    "compiler/frontend/TT": ("compiler/frontend/text", *PLAIN),
    "compiler/roles/Tawa": ("compiler/support", "compiler/layouts/algebra", "runtime/hardware", *PLAIN),
    "compiler/analysis": (*IR, *PLAIN),
    "compiler/frontend": (*IR, *PLAIN),
    "compiler/roles": (*IR, *PLAIN, "compiler/frontend"),
    "compiler/roles/prover": (*IR, *PLAIN),
    "compiler/layouts": (*IR, *PLAIN),
    "compiler/target/hopper": (*IR, *PLAIN, "compiler/frontend/text", "compiler/roles/prover", "runtime/emulator"),
    "compiler/pipeline": ("compiler", "runtime/hardware", *PLAIN),
    "compiler/reference": (*IR, *PLAIN, "compiler/frontend/text", "compiler/pipeline"),
    "compiler/planner": (*IR, *PLAIN, "compiler/frontend/text", "compiler/pipeline", "compiler/reference", "runtime/mesh"),
    "compiler/tools": ("compiler", *PLAIN),
    # The runtime includes nothing of the compiler.
    "runtime/support": (),
    "runtime/artifact": ("runtime/support",),
    "runtime/hardware": ("runtime/device", *PLAIN),
    "runtime/device": ("runtime/emulator", "runtime/hardware", *PLAIN),
    "runtime/emulator": ("runtime/hardware", *PLAIN),
    "runtime/store": PLAIN,
    "runtime/jit": ("runtime/device", *PLAIN),
    "runtime/tuner/model": ("runtime/hardware", "runtime/jit", *PLAIN),
    "runtime/tuner/space": ("runtime/tuner/model", "runtime/device", "runtime/jit", *PLAIN),
    "runtime/tuner/trial": ("runtime/tuner/space", "runtime/device", "runtime/emulator", "runtime/jit", *PLAIN),
    "runtime/mesh": PLAIN,
    # The C API over both.
    "capi/boundary": ("include", "runtime", "compiler/pipeline"),
    "capi/service": ("capi/boundary", "include", "runtime", "compiler/pipeline", "compiler/frontend/text"),
    "capi": ("include", "runtime", "compiler/pipeline", "compiler/planner"),
}
INCLUDE = re.compile(r'^#include "((?:bindings|capi|compiler|include|runtime)/[^"]+)"', re.M)


def room_of(path):
    found = [room for room in ALLOWED if path.startswith(room + "/")]
    return max(found, key=len) if found else None


def is_allowed(source, included):
    """Whether a file of `source` (a room) may include the path."""
    return any(included.startswith(room + "/") for room in (source, *ALLOWED[source]))


def faults(root):
    files = [path for top in sorted({room.split("/")[0] for room in ALLOWED}) for path in sorted((root / top).rglob("*"))]
    for path in files:
        name = str(path.relative_to(root))
        if path.suffix not in (".h", ".cpp") or not (source := room_of(name)):
            continue
        text = path.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            if not is_allowed(source, match[1]):
                yield f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {source} may not include {match[1]}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = list(faults(Path(sys.argv[1])))
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
