#!/usr/bin/env python3
"""Tawa's results beside Triton's on the same text, for a machine with a GPU, PyTorch and Triton.

Every file is a kernel in Triton IR with a `// run:` line (tests/conformance/TileProgram.h). Both compilers get the text and
equal copies of the same random data; afterwards every tensor is compared, those only read included. Files run in
processes of their own, so that a crash of either compiler costs one row.

usage: compare_triton.py FILE...
       TAWA_TEST_SEED=1 TAWA_TEST_CASE=I tawa_differential_test prints random programs that can be given to it

Exits with 1 where results differ. What Triton does not compile, or what its launcher cannot pass (descriptors that are
parameters, tensors of addresses), is shown and is no failure.
"""

import argparse
import concurrent.futures
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "perf", "harness"))

PROCESSES = 8
SECONDS = 120
ONE = "--one"
WARPS = 4
# Largest difference relative to the largest value of a tensor: both sum in orders of their own, and round once more
# where a value passes through the narrow type.
TOLERANCE = {"f8e4m3": 0.13, "f8e5m2": 0.26, "bf16": 1.6e-2, "f16": 2e-3, "f32": 2e-3, "f64": 1e-12}


class Skipped(Exception):
    """The pair cannot be compared; the message says why."""


def read_run_line(text):
    """(grid, config, argument texts)."""
    found = re.search(r"^// run: (.*)$", text, re.MULTILINE)
    if not found:
        raise Skipped("no run line")
    fields = shlex.split(found.group(1))
    options = dict(field.split("=", 1) for field in fields if field.startswith(("grid=", "config=", "args=")))
    first = next(i for i, field in enumerate(fields) if field.startswith("args="))
    arguments = [fields[first][len("args="):], *fields[first + 1:]]
    grid = tuple(int(count) for count in options["grid"].split(","))
    return (grid + (1, 1))[:3], options.get("config", ""), arguments


def torch_type(torch, name):
    return {"i1": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
            "f8e4m3": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2, "f16": torch.float16, "bf16": torch.bfloat16,
            "f32": torch.float32, "f64": torch.float64}[name]


def fill(torch, name, shape, filling, generator):
    """Data as the run line asks for: normal, uniform in A..B, constant, or each number below the count once."""
    is_float = name[0] == "f" or name == "bf16"
    if filling == "special":
        raise Skipped("infinities and NaNs are compared by the suite, not here")
    if filling == "permutation":
        drawn = torch.randperm(math.prod(shape), generator=generator, device="cuda").view(shape)
    elif not filling:
        drawn = (torch.randn(shape, generator=generator, device="cuda", dtype=torch.float64) if is_float
                 else torch.randint(-8, 8, shape, generator=generator, device="cuda"))
    else:
        low, _, high = filling.partition("..")
        low, high = float(low), float(high or low)
        if is_float or low == high:
            unit = torch.rand(shape, generator=generator, device="cuda", dtype=torch.float64)
            drawn = low + (high - low) * unit
        else:
            drawn = torch.randint(int(low), int(high), shape, generator=generator, device="cuda")
    return drawn.to(torch_type(torch, name))


def make_arguments(torch, texts, seed):
    """[(dtype, tensor or number, is constant)]."""
    generator = torch.Generator(device="cuda").manual_seed(seed)
    made = []
    for text in texts:
        tensor = re.fullmatch(r"(\w+)\[([\d,]*)\](?:=(.*))?", text)
        if tensor and tensor.group(1) == "ptr":
            raise Skipped("tensors of addresses")
        if tensor:
            shape = [int(extent) for extent in tensor.group(2).split(",") if extent]
            made.append((tensor.group(1), fill(torch, tensor.group(1), shape, tensor.group(3), generator), False))
            continue
        name, *rest = text.split(":")
        number = float(rest[-1]) if name[0] == "f" or name == "bf16" else int(rest[-1])
        made.append((name, number, rest[0] == "const"))
    return made


def run_tawa(torch, path, text, arguments, config, grid):
    import prepared
    import tawa

    runtime = prepared.runtime(f"cuda:{torch.cuda.current_device()}")
    passed = []
    for dtype, value, is_constant in arguments:
        if isinstance(value, torch.Tensor):
            passed.append(tawa.tensor(dtype, value.shape, value.data_ptr()))
        elif is_constant:
            raise Skipped("compiled-in scalars")
        else:
            passed.append(tawa.scalar(dtype, value))
    kernel = prepared.Kernel(runtime, text.encode(), path, passed, config, grid)
    kernel.launch(torch.cuda.current_stream().cuda_stream)
    torch.cuda.synchronize()


def run_triton(torch, text, arguments, grid):
    import triton

    if "!tt.tensordesc" in text.partition(")")[0] or "${" in text:
        raise Skipped("descriptors or tile parameters in the signature")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.ttir")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        try:
            kernel = triton.compile(path, options={"num_warps": WARPS})
        except Exception as failure:  # pylint: disable=broad-except  # whatever the peer raises is its result
            raise Skipped(f"Triton: {str(failure).strip().splitlines()[0] if str(failure) else repr(failure)}") from failure
    kernel[grid](*(value for _, value, _ in arguments))
    torch.cuda.synchronize()


def difference(torch, dtype, left, right):
    """Relative to the largest value; infinite where one is NaN and the other is not."""
    if left.numel() == 0:
        return 0.0
    if not (dtype[0] == "f" or dtype == "bf16"):
        return 0.0 if torch.equal(left, right) else float("inf")
    left, right = left.double(), right.double()
    if not torch.equal(left.isnan(), right.isnan()):
        return float("inf")
    same = (left == right) | left.isnan()
    gap = torch.where(same, 0.0, (left - right).abs()).max().item()
    largest = right[right.isfinite()].abs().max().item() if right.isfinite().any() else 1.0
    return gap / max(largest, 1e-30)


def compare(path, seed):
    """(verdict, detail) of one file."""
    import torch

    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    try:
        grid, config, texts = read_run_line(text)
        ours = make_arguments(torch, texts, seed)
        theirs = make_arguments(torch, texts, seed)
        run_triton(torch, text, theirs, grid)
        run_tawa(torch, path, text, ours, config, grid)
    except Skipped as why:
        return "skipped", str(why)
    worst = 0.0
    for index, ((dtype, left, _), (_, right, _)) in enumerate(zip(ours, theirs)):
        if not isinstance(left, torch.Tensor):
            continue
        gap = difference(torch, dtype, left, right)
        if gap > TOLERANCE.get(dtype, 0.0):
            return "DIFFERS", f"argument {index} ({dtype}) by {gap:.2e}"
        worst = max(worst, gap)
    return "equal" if worst == 0 else "close", f"{worst:.1e}"


def compare_apart(path, options):
    """compare() in a process of its own: a crash, or a kernel that spoils the context, is the result of one file."""
    command = [sys.executable, os.path.abspath(__file__), "--seed", str(options.seed), ONE, path]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "FAILED", f"did not end in {SECONDS} s"
    if done.returncode != 0:
        return "FAILED", (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
    verdict, _, detail = done.stdout.strip().splitlines()[-1].partition("\t")
    return verdict, detail


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(ONE, dest="one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.one:
        print(*compare(options.files[0], options.seed), sep="\t")
        return
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        results = pool.map(lambda path: compare_apart(path, options), options.files)
        for path, (verdict, detail) in zip(options.files, results):
            counts[verdict] = counts.get(verdict, 0) + 1
            print(f"{verdict:8} {os.path.basename(path):44} {detail[:140]}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    sys.exit(1 if counts.get("DIFFERS") or counts.get("FAILED") else 0)


if __name__ == "__main__":
    main()
