#!/usr/bin/env python3
"""GEMM throughput of Tawa beside tuned cuBLASLt and torch.matmul, on one Hopper GPU (perf/README.md, "Method").

C[M,N] = A[M,K] B[N,K]^T, all row-major, random normal data (8-bit integers: uniform). The types are those of the kernel's
first three tensors: f16, bf16, f32 (as tf32), FP8, int8. Of FP8, cuBLASLt stands there twice, with and without fast
accumulation. Every contender's output is poisoned before and compared with a float64 product after; all are timed in
turns in this one process.

usage: gemm_bench.py [--case 'FILE;CONFIG;M,N,K;GRID']... [--sizes M,N,K]... [--json FILE]

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
import prepared
import tawa
import timing

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT_SIZES = [f"8192,8192,{k}" for k in (256, 512, 1024, 2048, 4096, 8192, 16384)]
# Relative errors beyond these are wrong, by the type of A. Rounding a float32 sum to f16 costs 2e-4, to bf16 1.7e-3; a product
# of operands cut to tf32 3e-4; FP8 sums inside of the tensor cores up to 3e-3 at K = 16384; integers are exact.
ERROR_LIMITS = {"f16": 5e-4, "bf16": 4e-3, "f32": 1e-3, "f8e4m3": 6e-3, "f8e5m2": 6e-3, "i8": 0.0}
INTEGER_POISON = 0x5A5A5A5A
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


def name_in_project(file):
    """What a table calls a kernel: results are kept, and the machine's folders mean nothing to their readers."""
    root = os.path.realpath(os.path.join(HERE, "..", ".."))
    relative = os.path.relpath(os.path.realpath(file), root)
    return os.path.basename(file) if relative.startswith("..") else relative


def grid_of(expression, sizes):
    """(0,0,0) leaves it to the text's directive."""
    if not expression:
        return (0, 0, 0)
    names = dict(zip("MNK", sizes), ceildiv=lambda a, b: -(-a // b), __builtins__={})
    value = eval(expression, names)  # pylint: disable=eval-used  # typed by whoever runs the benchmark
    return tuple(value) if isinstance(value, tuple) else (value, 1, 1)


def torch_type(torch, dtype):
    return {
        "f16": torch.float16,
        "bf16": torch.bfloat16,
        "f32": torch.float32,
        "f8e4m3": torch.float8_e4m3fn,
        "f8e5m2": torch.float8_e5m2,
        "i8": torch.int8,
        "i32": torch.int32,
    }[dtype]


class Problem:
    """Data of one size and its reference. `dtypes`: of A, B and C, or one for all. With `has_epilogue`, what is computed is gelu(A B^T + bias), GELU
    by its tanh form. `outer`: as of cublaslt.Gemm."""

    def __init__(self, torch, sizes, dtypes, seed=1, has_epilogue=False, outer=""):
        self.torch, self.sizes = torch, sizes
        self.dtypes = (dtypes,) * 3 if isinstance(dtypes, str) else tuple(dtypes)
        m, n, k = sizes
        generator = torch.Generator(device="cuda").manual_seed(seed)
        self.outer = outer
        self.a = self._random((k, m) if "a" in outer else (m, k), self.dtypes[0], generator)
        self.b = self._random((k, n) if "b" in outer else (n, k), self.dtypes[1], generator)
        self.factors = self.a.t() if "a" in outer else self.a, self.b if "b" in outer else self.b.t()
        self.reference = self.factors[0].double() @ self.factors[1].double()
        self.bias = None
        if has_epilogue:
            self.bias = self._random((n,), self.dtypes[2], generator)
            self.reference = torch.nn.functional.gelu(self.reference + self.bias.double(), approximate="tanh")
        self.norm = self.reference.norm().item()
        self.flop = 2.0 * m * n * k

    def _random(self, shape, dtype, generator):
        torch = self.torch
        if dtype == "i8":
            return torch.randint(-128, 128, shape, device="cuda", dtype=torch.int8, generator=generator)
        data = torch.randn(shape, device="cuda", dtype=torch.float32, generator=generator)
        return data.to(torch_type(torch, dtype))

    def output(self):
        return self.torch.empty(self.sizes[:2], device="cuda", dtype=torch_type(self.torch, self.dtypes[2]))

    def error_of(self, launch, output):
        """Relative error of one launch into a poisoned output; NaN, or very large, when an entry was not written."""
        output.fill_(float("nan") if output.dtype.is_floating_point else INTEGER_POISON)
        launch()
        self.torch.cuda.synchronize()
        return ((output.double() - self.reference).norm() / self.norm).item()

    def torch_launch(self, output):
        """The product by PyTorch's own means; nothing where it has none for these types, or not in one kernel."""
        torch, (a_type, _, c_type) = self.torch, self.dtypes
        if self.bias is not None:
            return None
        if a_type == c_type:
            torch.backends.cuda.matmul.allow_tf32 = True
            return lambda: torch.mm(*self.factors, out=output)
        if a_type == "i8" and c_type == "i32":
            return lambda: torch._int_mm(*self.factors, out=output)
        return None


def tawa_arguments(text, name, problem, output):
    """The kernel's arguments in its own order: tensors are A, B, C and the bias as they come; scalars go by their names: M, N, K, and sa,
    sb, sc, the distances of rows."""
    tensors = iter((problem.a, problem.b, output, problem.a if problem.bias is None else problem.bias))  # without one, none is read
    values = dict(zip("MNK", problem.sizes))
    values.update(sa=values["K"], sb=values["K"], sc=values["N"])
    args = []
    for each in tawa.signature(text, name).arguments:
        if each.kind == "tensor":
            data = next(tensors)
            args.append(tawa.tensor(each.dtype, data.shape, data.data_ptr()))
        else:
            args.append(tawa.scalar(each.dtype, values[each.name]))
    return args


def element_types(text, name):
    """Of A, B and C."""
    return [each.dtype for each in tawa.signature(text, name).arguments if each.kind == "tensor"][:3]


def promotes(config):
    """Whether a configuration asks for FP8 sums in f32; cuBLASLt does that without fast accumulation."""
    words = dict(word.split("=") for word in config.replace(",", " ").split())
    return int(words.get("PROMOTE", 1 << 30)) < 1 << 30


def run_case(torch, runtime, lt, case, problems, steady):
    """Compiles, checks and times one case; returns its row."""
    file, config, sizes, grid = case
    with open(file, "rb") as stream:
        text = stream.read()
    dtypes = element_types(text, file)
    key = (sizes, *dtypes)
    if key not in problems:
        problems.clear()  # one size's data at a time: the references are large
        problems[key] = Problem(torch, sizes, dtypes)
    problem = problems[key]
    stream = torch.cuda.current_stream().cuda_stream
    contenders = ("tawa", "cublaslt", "cublaslt_exact", "torch")
    outputs = {name: problem.output() for name in contenders}

    begin = time.perf_counter()
    args = tawa_arguments(text, file, problem, outputs["tawa"])
    kernel = prepared.Kernel(runtime, text, file, args, config, grid_of(grid, sizes))
    compile_ms = (time.perf_counter() - begin) * 1e3
    gemms = {"cublaslt": cublaslt.Gemm(lt, problem.a, problem.b, outputs["cublaslt"])}
    if dtypes[0].startswith("f8"):
        exact = cublaslt.Gemm(lt, problem.a, problem.b, outputs["cublaslt_exact"], fast_accumulation=False)
        gemms["cublaslt_exact"] = exact
    launches = {"tawa": lambda: kernel.launch(stream)}
    algorithm_times = {}
    for name, gemm in gemms.items():
        launches[name] = lambda gemm=gemm: gemm.launch(stream)
        algorithm_times[name] = gemm.tune(stream, lambda launch: timing.quick_burst(torch, launch))
    if torch_launch := problem.torch_launch(outputs["torch"]):
        launches["torch"] = torch_launch
    errors = {name: problem.error_of(launch, outputs[name]) for name, launch in launches.items()}
    times = timing.compare(torch, launches, steady)
    # Once more after all the timing: a kernel that breaks under load must not get a figure.
    errors["tawa_after"] = problem.error_of(launches["tawa"], outputs["tawa"])
    row = {
        "file": name_in_project(file),
        "config": kernel.info()["config"],
        "sizes": sizes,
        "dtype": dtypes[0],
        "dtypes": dtypes,
        "peer": "cublaslt_exact" if "cublaslt_exact" in gemms and promotes(config) else "cublaslt",
        "compile_ms": compile_ms,
        "kernel": kernel.info(),
        "errors": errors,
        "times": times,
        "teraflops": {
            name: {
                regime: problem.flop / summary["median"] / 1e12 for regime, summary in regimes.items()
            }
            for name, regimes in times.items()
        },
        "candidates_teraflops": {
            name: [problem.flop / seconds / 1e12 for seconds in found] for name, found in algorithm_times.items()
        },
    }
    kernel.close()
    for gemm in gemms.values():
        gemm.close()
    return row


def is_right(row):
    """NaN compares false."""
    limit = ERROR_LIMITS[row["dtype"]]
    return all(row["errors"][name] <= limit for name in ("tawa", "tawa_after", row["peer"]))


def print_table(rows):
    print(f"{'file':24} {'M,N,K':>17} {'regime':>13} {'tawa':>7} {'cuBLASLt':>8} {'torch':>7} {'ratio':>6} "
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
            peer = figures[row["peer"]]
            print(f"{name:24} {sizes:>17} {regime:>13} {figures['tawa']:7.1f} {peer:8.1f} "
                  f"{figures.get('torch', float('nan')):7.1f} {figures['tawa'] / peer:6.3f} {spread:>13} "
                  f"{row['errors']['tawa']:9.2e}  {row['config']}")
        resources = row["kernel"]
        print(f"{'':24} {'':>17} {resources['registers']} registers, {resources['spill_bytes']} bytes spilled, "
              f"{resources['shared_bytes']} shared, compiled in {row['compile_ms']:.0f} ms"
              + ("" if is_right(row) else "  WRONG RESULT"))


def machine(torch, lt=None):
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
        **({"cublaslt": f"{lt.version} ({os.path.basename(lt.path)})"} if lt else {}),
        "tawa": tawa.__version__,
        "commit": revision,
        "time": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", action="append", help="FILE[;CONFIG[;M,N,K[;GRID]]]")
    parser.add_argument("--sizes", action="append", type=parse_sizes, help="M,N,K for cases that name none")
    parser.add_argument("--no-steady", action="store_true", help="leave the steady runs out: a quarter of the time")
    default_json = os.path.join(os.environ.get("OUT", "."), "gemm_bench.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    import torch

    if not torch.cuda.is_available():
        sys.exit("gemm_bench: PyTorch sees no CUDA device")
    torch.cuda.init()
    torch.zeros(1, device="cuda")  # makes the primary context current on this thread
    runtime = prepared.runtime(f"cuda:{torch.cuda.current_device()}")
    lt = cublaslt.CublasLt()
    sizes = options.sizes or [parse_sizes(text) for text in DEFAULT_SIZES]
    rows, problems = [], {}
    for case in parse_cases(options.case or [DEFAULT_CASE], sizes):
        try:
            rows.append(run_case(torch, runtime, lt, case, problems, not options.no_steady))
        except (tawa.Error, OSError, KeyError) as failure:
            rows.append({"file": name_in_project(case[0]), "config": case[1], "sizes": case[2], "failure": str(failure) or repr(failure)})
    about = machine(torch, lt)
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
