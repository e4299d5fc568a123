"""Kernels in Triton's language printed as Triton IR for text_bench.py, with the `// run:` line that has their launch.

A kernel to print is (name, kernel, grid, arguments, constants, warps, stages); its arguments are those of a run line.
"""

import os
import sys

import torch

TYPES = {"f32": torch.float32, "i32": torch.int32, "i64": torch.int64, "bf16": torch.bfloat16, "f16": torch.float16, "f8e4m3": torch.float8_e4m3fn,
         "i8": torch.int8}


def words(dtype, *shape, values=""):
    """An argument of a run line; `values` is what it is filled with."""
    return f"{dtype}[{','.join(map(str, shape))}]" + (f"={values}" if values else "")


def shape_of(argument):
    """(name of the type, extents); no extents are a number's."""
    dtype, bracket, rest = argument.partition("[")
    return dtype, [int(extent) for extent in rest.partition("]")[0].split(",")] if bracket else None


def bytes_of(arguments):
    """What a kernel moves that reads or writes each tensor once."""
    total = 0
    for dtype, extents in map(shape_of, arguments):
        if extents:
            count = TYPES[dtype].itemsize
            for extent in extents:
                count *= extent
            total += count
    return total


def value_of(argument):
    """What Triton specializes for: a tensor, or a number."""
    dtype, extents = shape_of(argument)
    if extents:
        return torch.empty(extents, dtype=TYPES[dtype], device="cuda")
    name, _, number = argument.partition(":")
    return float(number) if name[0] == "f" else int(number)


def text_of(kernel, grid, arguments, constants, warps, stages):
    made = kernel.warmup(*map(value_of, arguments), **constants, grid=grid, num_warps=warps, num_stages=stages)
    return (f"// run: grid={','.join(map(str, grid))} args={' '.join(arguments)}\n"
            f"// num_warps={warps} num_stages={stages} bytes={bytes_of(arguments)}\n{made.asm['ttir']}")


def write(folder, kernels):
    """Writes a text for each kernel that Triton prints; why it does not print others goes to stderr."""
    os.makedirs(folder, exist_ok=True)
    for name, *rest in kernels:
        try:
            text = text_of(*rest)
        except Exception as failure:  # pylint: disable=broad-except  # one text less
            print(f"{name}: {str(failure).splitlines()[0]}", file=sys.stderr)
            continue
        with open(os.path.join(folder, name + ".mlir"), "w", encoding="utf-8") as stream:
            stream.write(text)
