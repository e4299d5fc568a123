#!/usr/bin/env python3
"""Fails where the code states a number of some GPU. Such numbers stand in hardware descriptions (runtime/hardware/gpus) and reach the
code as a Target (runtime/artifact/Target.h): passes ask moduleTarget(), everything else has a Target or a HardwareDescription.

usage: hardware_numbers.py ROOT
"""

import pathlib
import re
import sys

FOLDERS = ("compiler", "runtime", "capi", "bindings", "perf")
SUFFIXES = {".cpp", ".h", ".td", ".def", ".in"}

#: The target's own files.
HOMES = ("runtime/artifact/Target.h", "runtime/artifact/Target.cpp", "runtime/artifact/Architecture.", "runtime/hardware/")

KIBIBYTES = r"\s*(?:\*\s*1024|<<\s*10)\b"
NUMBERS = {
    "shared memory of a CTA": rf"\b(?:232448|0x38[cC]00|227{KIBIBYTES})",
    "shared memory of a multiprocessor": rf"\b(?:233472|228{KIBIBYTES})",
    "registers of a multiprocessor": r"\b(?:65536|0x10000|64\s*\*\s*1024)\b",
    "registers of a thread": r"\b255\b(?!\.)",
    "multiprocessors": r"\b132\b",
    "threads of a multiprocessor, or operations of its tensor cores per clock": r"\b(?:2048|2\s*\*\s*1024)\b",
    "L2": r"\b(?:52428800|50\s*(?:\*|<<))|\b50 ?Mi?B\b",
    "clocks that a load takes": r"\b2500\b",
    "architecture": r"\bsm_\d+a?\b",
    "a constant that Target has": r"\bk(?:RegistersPerS[mM]|Max(?:imum)?SharedBytes|SharedBytes|MaxRegistersPerThread)\b",
}

#: File, what the line contains, and why the number is none of a GPU.
ALLOWED = [
    ("compiler/analysis/SharedBudget.cpp", "kMostAtOnce = 65536", "a choice: bytes that are moved at once"),
    ("compiler/target/hopper/TawaToSM90/Conversions.cpp", "kMaxRoundBytes = 65536", "a choice: bytes of one round"),
    ("runtime/artifact/RingSlots.h", "kSmallBuffers = 2048", "a choice: bytes left for barriers and the like"),
    ("capi/TuneWorker.cpp", "char bytes[65536]", "a buffer to read into"),
    ("perf/PlanProblems.cpp", "", "sizes of problems"),
    ("perf/PlanStudy.cpp", "", "sizes of problems"),
    ("compiler/roles/DistributePasses.td", "16 from 65536", "elements of a tile, as OneRoleWarps.h has them"),
    ("compiler/roles/Tawa/Dialect.td", "module attributes {tawa.target = ", "the example of the attribute"),
]

COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def without_comments(text):
    """Comments as blanks, so that lines keep their numbers; string literals stay."""
    return COMMENT_OR_TEXT.sub(lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\n]", " ", m[0]), text)


def is_allowed(path, line):
    return any(path == file and part in line for file, part, _ in ALLOWED)


def findings(root):
    """(path, line number, line, what the number is)."""
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix not in SUFFIXES or path.startswith(HOMES):
                continue
            for number, line in enumerate(without_comments(file.read_text(encoding="utf-8")).splitlines(), 1):
                for what, pattern in NUMBERS.items():
                    if re.search(pattern, line) and not is_allowed(path, line):
                        yield path, number, line.strip(), what


def unused(root):
    """Entries of ALLOWED that allow nothing any more."""
    for file, part, _ in ALLOWED:
        source = root / file
        if not source.is_file() or part not in source.read_text(encoding="utf-8"):
            yield f"{file}: the list of what is allowed names '{part}', which is not there"


def main():
    root = pathlib.Path(sys.argv[1])
    faults = [f"{path}:{number}: {what}: {line}" for path, number, line, what in findings(root)] + list(unused(root))
    print("\n".join(faults))
    if faults:
        print(f"{len(faults)} numbers of a GPU outside of the target's files; ask the Target for them (docs/extending.md, 'Add a GPU')")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
