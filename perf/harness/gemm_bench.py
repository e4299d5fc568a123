#!/usr/bin/env python3
"""GEMM throughput of Tawa beside tuned cuBLASLt and torch.matmul, on one Hopper GPU (perf/README.md, "Method").

C[M,N] = A[M,K] B[N,K]^T, all row-major, f16 or bf16 with f32 accumulation, random normal data. Every contender's output
is poisoned before and compared with a float64 product after; all are timed in turns in this one process.

usage: gemm_bench.py --library libtawa.so [--case 'FILE;CONFIG;M,N,K;GRID']... [--sizes M,N,K]... [--json FILE]

A case may stop early: 'FILE' takes the default configuration, every size of --sizes, and the text's own tawa.grid.
GRID is an expression over M, N, K with ceildiv, for texts that have no such directive.
"""

import argparse
import json
import os
import subprocess
import sys
import time

import cublaslt
import tawa
import timing

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT_SIZES = [f"8192,8192,{k}" for k in (256, 512, 1024, 2048, 4096, 8192, 16384)]
# Relative errors beyond these are wrong: rounding a float32 sum to f16 costs 2e-4, to bf16 1.7e-3.
ERROR_LIMITS = {"f16": 5e-4, "bf16": 4e-3}
DEFAULT_CASE = os.path.join(HERE, "..", "..", "tests", "kernels", "gemm_param.mlir") + ";BLOCK_M=128 BLOCK_N=256"


def parse_sizes(text):
    sizes = tuple(int(part) for part in text.split(","))
    if len(sizes) != 3 or min(sizes) < 1:
        raise argparse.ArgumentTypeError(f"wants M,N,K, got {text}")
    return sizes


def parse_cases(texts, sizes):
    """[(file, config, (M, N, K), grid expression)]."""
    cases = []
    for text in texts:
        file, config, own, grid = (text.split(";") + ["", "", ""])[:4]
        for each in [parse_sizes(own)] if own.strip() else sizes:
            cases.append((os.path.normpath(file.strip()), config.strip(), each, grid.strip()))
    return cases


def grid_of(expression, sizes):
    """(0,0,0) leaves it to the text's directive."""
    if not expression:
        return (0, 0, 0)
    names = dict(zip("MNK", sizes), ceildiv=lambda a, b: -(-a // b), __builtins__={})
    value = eval(expression, names)  # pylint: disable=eval-used  # typed by whoever runs the benchmark
    return tuple(value) if isinstance(value, tuple) else (value, 1, 1)


class Problem:
    """Data of one size and its reference."""

    def __init__(self, torch, sizes, dtype, seed=1):
        self.torch, self.sizes = torch, sizes
        m, n, k = sizes
        generator = torch.Generator(device="cuda").manual_seed(seed)
        kind = {"f16": torch.float16, "bf16": torch.bfloat16}[dtype]
        self.a = torch.randn(m, k, device="cuda", dtype=torch.float32, generator=generator).to(kind)
        self.b = torch.randn(n, k, device="cuda", dtype=torch.float32, generator=generator).to(kind)
        self.reference = self.a.double() @ self.b.double().t()
        self.norm = self.reference.norm().item()
        self.flop = 2.0 * m * n * k

    def output(self):
        return self.torch.empty(self.sizes[:2], device="cuda", dtype=self.a.dtype)

    def error_of(self, launch, output):
        """Relative error of one launch into a poisoned output; NaN when an entry was not written."""
        output.fill_(float("nan"))
        launch()
        self.torch.cuda.synchronize()
        return ((output.double() - self.reference).norm() / self.norm).item()


def tawa_arguments(library, text, name, problem, output):
    """The kernel's arguments in its own order: tensors are A, B, C as they come; scalars go by their names M, N, K."""
    tensors = iter((problem.a, problem.b, output))
    values = dict(zip("MNK", problem.sizes))
    args = []
    for arg_name, kind, dtype in tawa.read_arguments(library, text, name):
        if kind == tawa.ARG_TENSOR:
            data = next(tensors)
            args.append(tawa.tensor(dtype, data.data_ptr(), data.shape))
        else:
            args.append(tawa.scalar(dtype, values[arg_name]))
    return args


def element_type(library, text, name):
    return next(dtype for _, kind, dtype in tawa.read_arguments(library, text, name) if kind == tawa.ARG_TENSOR)


def run_case(torch, library, runtime, lt, case, problems, sustained):
    """Compiles, checks and times one case; returns its row."""
    file, config, sizes, grid = case
    with open(file, "rb") as stream:
        text = stream.read()
    dtype = element_type(library, text, file)
    key = (sizes, dtype)
    if key not in problems:
        problems.clear()  # one size's data at a time: the references are large
        problems[key] = Problem(torch, sizes, dtype)
    problem = problems[key]
    stream = torch.cuda.current_stream().cuda_stream
    outputs = {name: problem.output() for name in ("tawa", "cublaslt", "torch")}

    begin = time.perf_counter()
    args = tawa_arguments(library, text, file, problem, outputs["tawa"])
    kernel = tawa.Kernel(runtime, text, file, args, config, grid_of(grid, sizes))
    compile_ms = (time.perf_counter() - begin) * 1e3
    gemm = cublaslt.Gemm(lt, problem.a, problem.b, outputs["cublaslt"])
    b_transposed = problem.b.t()
    launches = {
        "tawa": lambda: kernel.launch(stream),
        "cublaslt": lambda: gemm.launch(stream),
        "torch": lambda: torch.mm(problem.a, b_transposed, out=outputs["torch"]),
    }
    algorithm_times = gemm.tune(stream, lambda launch: timing.quick_burst(torch, launch))
    errors = {name: problem.error_of(launch, outputs[name]) for name, launch in launches.items()}
    times = timing.interleaved(torch, launches, sustained)
    # Once more after all the timing: a kernel that breaks under load must not get a figure.
    errors["tawa_after"] = problem.error_of(launches["tawa"], outputs["tawa"])
    row = {
        "file": file,
        "config": kernel.info()["config"],
        "sizes": sizes,
        "dtype": dtype,
        "compile_ms": compile_ms,
        "kernel": kernel.info(),
        "errors": errors,
        "times": times,
        "teraflops": {
            name: {
                regime: problem.flop / summary["median"] / 1e12 for regime, summary in regimes.items() if summary
            }
            for name, regimes in times.items()
        },
        "cublaslt_candidates_teraflops": [problem.flop / seconds / 1e12 for seconds in algorithm_times],
    }
    kernel.close()
    gemm.close()
    return row


def is_right(row):
    """NaN compares false."""
    limit = ERROR_LIMITS[row["dtype"]]
    return all(row["errors"][name] <= limit for name in ("tawa", "tawa_after", "cublaslt"))


def print_table(rows):
    print(f"{'file':24} {'M,N,K':>17} {'regime':>9} {'tawa':>7} {'cuBLASLt':>8} {'torch':>7} {'ratio':>6} "
          f"{'spread':>13} {'rel.error':>9}  configuration")
    for row in rows:
        name, sizes = os.path.basename(row["file"]), ",".join(str(extent) for extent in row["sizes"])
        if "failure" in row:
            print(f"{name:24} {sizes:>17} FAILED: {row['failure'].splitlines()[0]}")
            continue
        flop = 2.0 * row["sizes"][0] * row["sizes"][1] * row["sizes"][2]
        for regime in row["teraflops"]["tawa"]:
            figures = {name: row["teraflops"][name][regime] for name in row["teraflops"]}
            summary = row["times"]["tawa"][regime]
            spread = f"{flop / summary['max'] / 1e12:.0f}..{flop / summary['min'] / 1e12:.0f}"
            print(f"{name:24} {sizes:>17} {regime:>9} {figures['tawa']:7.1f} {figures['cublaslt']:8.1f} "
                  f"{figures['torch']:7.1f} {figures['tawa'] / figures['cublaslt']:6.3f} {spread:>13} "
                  f"{row['errors']['tawa']:9.2e}  {row['config']}")
        resources = row["kernel"]
        print(f"{'':24} {'':>17} {resources['registers']} registers, {resources['spill_bytes']} bytes spilled, "
              f"{resources['shared_bytes']} shared, compiled in {row['compile_ms']:.0f} ms"
              + ("" if is_right(row) else "  WRONG RESULT"))


def machine(torch, library, lt):
    query = ["nvidia-smi", "--query-gpu=name,driver_version,power.limit,clocks.max.sm", "--format=csv,noheader"]
    try:
        described = subprocess.run(query, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        described = torch.cuda.get_device_name()
    commit = os.path.join(HERE, "..", "COMMIT")  # written by pack.sh
    if os.path.exists(commit):
        with open(commit, encoding="utf-8") as stream:
            revision = stream.read().strip()
    else:
        git = subprocess.run(["git", "-C", HERE, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
        revision = git.stdout.strip() or "unknown"
    return {
        "gpu": described,
        "torch": torch.__version__,
        "cublaslt": f"{lt.version} ({lt.path})",
        "tawa": library.c.tawa_version().decode(),
        "commit": revision,
        "time": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="libtawa.so")
    parser.add_argument("--case", action="append", help="FILE[;CONFIG[;M,N,K[;GRID]]]")
    parser.add_argument("--sizes", action="append", type=parse_sizes, help="M,N,K for cases that name none")
    parser.add_argument("--no-sustained", action="store_true", help="burst only: a quarter of the time")
    default_json = os.path.join(os.environ.get("OUT", "."), "gemm_bench.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    import torch

    if not torch.cuda.is_available():
        sys.exit("gemm_bench: PyTorch sees no CUDA device")
    torch.cuda.init()
    torch.zeros(1, device="cuda")  # makes the primary context current on this thread
    library = tawa.Library(options.library)
    runtime = tawa.Runtime(library, f"cuda:{torch.cuda.current_device()}")
    lt = cublaslt.CublasLt()
    sizes = options.sizes or [parse_sizes(text) for text in DEFAULT_SIZES]
    rows, problems = [], {}
    for case in parse_cases(options.case or [DEFAULT_CASE], sizes):
        try:
            rows.append(run_case(torch, library, runtime, lt, case, problems, not options.no_sustained))
        except (tawa.TawaError, OSError, KeyError) as failure:
            rows.append({"file": case[0], "config": case[1], "sizes": case[2], "failure": str(failure) or repr(failure)})
    about = machine(torch, library, lt)
    with open(options.json, "w", encoding="utf-8") as stream:
        json.dump({"machine": about, "rows": rows}, stream, indent=1)
    print(", ".join(f"{key}: {value}" for key, value in about.items()))
    print_table(rows)
    for row in rows:
        if "failure" in row:
            print(f"{row['file']} {row['sizes']} {row['config']}:\n{row['failure']}", file=sys.stderr)
    sys.exit(0 if all("failure" not in row and is_right(row) for row in rows) else 1)


if __name__ == "__main__":
    main()
