#!/usr/bin/env python3
"""Compares the example in the description of every pass with the lit test that it names.

    Example (tests/lit/layouts/promote-operands-to-registers.mlir):
    ```mlir
    %q = tawa.get %once[%c0] ..        lines of the test's input
    // becomes
    %a = tawa.from_shared %q           what the test checks of the output, or the diagnostics it expects
    ```

Both parts are lines of one case of that test, in its order; " .." at the end of a line stands for the rest of it. Of what
FileCheck matches, `%[[NAME:.*]]` reads `%name` and a pattern `..`. A pass without an example is an error.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PASS = re.compile(r'^def (\w+) : Pass<"([\w-]+)".*?^}', re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^ *Example \(([\w./-]+)\):\n *```mlir\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
BECOMES = "// becomes"


def readable(check):
    """What a line of FileCheck matches, as a person reads it."""
    check = check.replace("{{\\[}}", "[")
    check = re.sub(r"%?\[\[(\w+)(?::.*?)?\]\]", lambda match: "%" + match.group(1).lower(), check)
    return re.sub(r"\{\{.*?\}\}", "..", check)


def parts_of(case):
    """The lines of the input, and those that are expected."""
    given, expected = [], []
    for line in map(str.strip, case.splitlines()):
        check = re.match(r"// [A-Z][A-Z0-9_]*(?:-(?:NEXT|SAME|DAG|LABEL|NOT|COUNT-\d+))?: *(.*)", line)
        diagnostic = re.match(r"// expected-(error|remark|warning|note) *(?:@[+\w-]+)? *\{\{(.*)\}\}", line)
        if check:
            expected.append(readable(check.group(1)))
        elif diagnostic:
            expected.append(f"{diagnostic.group(1)}: {diagnostic.group(2)}")
        elif line and not line.startswith("//"):
            given.append(line)
    return given, expected


def matches(wanted, line):
    return line.startswith(wanted[:-3]) if wanted.endswith(" ..") else line == wanted


def first_missing(wanted, lines):
    """The first line that does not follow, in order, among `lines`; None where all do."""
    rest = iter(lines)
    return next((want for want in wanted if not any(matches(want, line) for line in rest)), None)


def fault_of(example):
    name, text = example.groups()
    if not (ROOT / name).is_file():
        return f"{name} does not exist"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if BECOMES not in lines:
        return f"the example has no line '{BECOMES}'"
    at = lines.index(BECOMES)
    faults = []
    for case in re.split(r"^ *// -----$", (ROOT / name).read_text(), flags=re.MULTILINE):
        given, expected = parts_of(case)
        missing = first_missing(lines[:at], given) or first_missing(lines[at + 1:], expected)
        if not missing:
            return None
        faults.append((lines.index(missing), missing))
    return f"{name} has no case with this line, after those before it: {max(faults)[1]}"


def main():
    faults, count = [], 0
    for table in sorted((ROOT / "compiler").rglob("*Passes.td")):
        for found in PASS.finditer(table.read_text()):
            count += 1
            example = EXAMPLE.search(found.group(0))
            fault = fault_of(example) if example else "its description has no example: see tests/lit/check_examples.py"
            if fault:
                faults.append(f"{table.relative_to(ROOT)}: {found.group(1)}: {fault}")
    print("\n".join(faults) or f"{count} passes, each with the example of a test")
    return bool(faults) or count == 0


if __name__ == "__main__":
    sys.exit(main())
