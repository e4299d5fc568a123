"""Runs the examples of a page, one after the other, as a reader would: those marked ```python. Those that need a GPU
or another library are marked ```py, and are only parsed.

usage: readme_test.py PAGE
"""

import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    blocks = re.findall(r"^```(python|py)\n(.*?)^```$", text, flags=re.S | re.M)
    assert any(kind == "python" for kind, _ in blocks), "no examples"
    names = {}
    for number, (kind, block) in enumerate(blocks):
        line = text[: text.index(block)].count("\n")
        code = compile("\n" * line + block, sys.argv[1], "exec")
        if kind == "python":
            exec(code, names)  # pylint: disable=exec-used
    print(f"{sum(kind == 'python' for kind, _ in blocks)} examples ran, {len(blocks)} parsed")


if __name__ == "__main__":
    main()
