"""Runs examples/transformer_block on the emulator, with PyTorch or a stand-in for it.

usage: example_test.py
"""

import contextlib
import io
import pathlib
import re
import runpy
import sys

import torch_standin

torch_standin.torch_or_standin()


def main():
    program = pathlib.Path(__file__).resolve().parents[3] / "examples" / "transformer_block" / "block.py"
    sys.argv, printed = [str(program)], io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(program), run_name="__main__")
    print(printed.getvalue(), end="")
    assert re.search(r"cpu: 1 x 32 rows of 128, 2 heads\nlargest difference to single precision: 0\.0\d\d\nlosses: ", printed.getvalue())


if __name__ == "__main__":
    main()
