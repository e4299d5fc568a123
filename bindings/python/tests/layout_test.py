"""Structs and constants of tawa/_abi.py beside those that the C compiler makes of the header.

usage: layout_test.py C_COMPILER INCLUDE_FOLDER
"""

import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile

from tawa import _abi


def expected():
    """What the compiler has to print, line by line, and the expressions that print it."""
    lines, expressions = [], []
    for name, struct in vars(_abi).items():
        if not (isinstance(struct, type) and issubclass(struct, _abi.Struct) and name.startswith("tawa_")):
            continue
        lines.append(f"{name} {ctypes.sizeof(struct)}")
        expressions.append(f"sizeof({name}_t)")
        for field, _ in struct._fields_:
            described = getattr(struct, field)
            lines.append(f"{name}.{field} {described.offset} {described.size}")
            expressions.append(f"offsetof({name}_t, {field})")
            expressions.append(f"sizeof((({name}_t *)0)->{field})")
    for name, value in vars(_abi).items():
        if name.isupper() and isinstance(value, int):
            lines.append(f"{name} {value}")
            expressions.append(f"TAWA_{name}")
    return lines, expressions


def main():
    compiler, include = sys.argv[1:3]
    lines, expressions = expected()
    assert len(lines) > 200, f"only {len(lines)} facts"
    formats = " ".join(line.split()[0] + " %lld" * (len(line.split()) - 1) + "\\n" for line in lines).replace("\\n ", "\\n")
    values = ", ".join(f"(long long)({expression})" for expression in expressions)
    program = f'#include <stdio.h>\n#include <tawa/plan.h>\n#include <tawa/tawa.h>\nint main(void) {{ printf("{formats}", {values}); return 0; }}\n'
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder, "layout.c"), pathlib.Path(folder, "layout")
        source.write_text(program, encoding="utf-8")
        subprocess.run([compiler, "-w", "-I", include, source, "-o", binary], check=True)
        printed = subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()
    wrong = [f"{ours}, the compiler says {theirs}" for ours, theirs in zip(lines, printed) if ours != theirs]
    assert len(printed) == len(lines) and not wrong, wrong
    headers = [(pathlib.Path(include) / "tawa" / name).read_text(encoding="utf-8") for name in ("tawa.h", "plan.h")]
    declared = sum(len(re.findall(r"^TAWA_API ", header, flags=re.M)) for header in headers)
    assert declared == len(_abi.FUNCTIONS), f"{len(_abi.FUNCTIONS)} functions, the headers have {declared}"
    print(f"{len(lines)} facts agree, {declared} functions")


if __name__ == "__main__":
    main()
