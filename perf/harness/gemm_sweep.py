#!/usr/bin/env python3
"""The best configuration of a GEMM kernel by sweep, beside tuned cuBLASLt, for a list of problems (perf/README.md, "Method").

Every configuration is compiled once, for any size. One may name the kernel it is for ("few_rows.mlir;BLOCK_M=16", a file beside
--kernel or in its folder gemm); those of other element types than --kernel are left out. A problem may name the configurations to
try for it, in indented lines of its own. Per problem all of them run and are timed briefly from CUDA graphs; the FINALISTS
fastest, the first configuration of the list (what a user without a sweep would get) and tuned cuBLASLt are then timed in turns,
from graphs too, so that the host's launch cost weighs on nobody. Results are checked before and after. Beside FP8 sums in f32
(PROMOTE in all configurations) stands cuBLASLt without fast accumulation.

usage: gemm_sweep.py --library libtawa.so [--kernel FILE] [--config C]... [--configs FILE] [--problems FILE]
                     [--sustained] [--json FILE]
"""

import argparse
import json
import math
import os
import statistics
import sys
import time

import cublaslt
import gemm_bench
import tawa
import timing

FINALISTS = 4
GRAPH_SECONDS = 0.004
QUICK_REPLAYS = 3
QUICK_IDLE_SECONDS = 0.1
DEFAULT_KERNEL = os.path.join(gemm_bench.HERE, "..", "..", "tests", "kernels", "gemm_param.mlir")
DEFAULT_PROBLEMS = os.path.join(gemm_bench.HERE, "..", "problems", "models.txt")
DEFAULT_CONFIGS = os.path.join(gemm_bench.HERE, "..", "problems", "gemm_configs.txt")


def read_lines(path):
    with open(path, encoding="utf-8") as stream:
        lines = (line.split("#")[0].rstrip() for line in stream)
        return [line for line in lines if line]


def read_problems(path):
    """[(name, (M, N, K), the configurations that it names)]."""
    problems = []
    for line in read_lines(path):
        if line[0].isspace():
            problems[-1][2].append(line.strip())
        else:
            name, m, n, k = line.split()
            problems.append((name, (int(m), int(n), int(k)), []))
    return problems


class Graph:
    """Many launches as one graph; called, it replays them."""

    def __init__(self, torch, launch):
        torch.cuda.synchronize()
        each = timing.estimate(torch, launch)
        self.count = max(1, min(500, int(GRAPH_SECONDS / each)))
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for _ in range(self.count):
                launch(torch.cuda.current_stream().cuda_stream)

    def __call__(self):
        self.graph.replay()


def on_current_stream(torch, launch):
    """Launches take the stream; the clockwork calls without."""
    return lambda stream=None: launch(stream if stream is not None else torch.cuda.current_stream().cuda_stream)


def find_kernel(default, config):
    """The file that a configuration is for, and the rest of it."""
    name, _, rest = config.rpartition(";")
    if not name:
        return default, config
    folder = os.path.dirname(os.path.abspath(default))
    beside, below = os.path.join(folder, name), os.path.join(folder, "gemm", name)
    return (beside if os.path.exists(beside) else below), rest


class Text:
    """A kernel's text and what its arguments are."""

    def __init__(self, library, file):
        self.file = file
        with open(file, "rb") as stream:
            self.text = stream.read()
        self.dtypes = gemm_bench.element_types(library, self.text, file)
        self.arguments = []
        for _, kind, dtype in tawa.read_arguments(library, self.text, file):
            self.arguments.append(tawa.unknown_matrix(dtype) if kind == tawa.ARG_TENSOR else tawa.scalar(dtype, 0))


def compile_all(library, runtime, default, configs):
    """{config: (text, kernel)} and {config: why not}; sizes are left to the launch."""
    texts, kernels, failures = {default: Text(library, default)}, {}, {}
    for config in dict.fromkeys(configs):
        file, settings = find_kernel(default, config)
        text = texts.get(file) or texts.setdefault(file, Text(library, file))
        if text.dtypes != texts[default].dtypes:
            continue
        try:
            kernel = tawa.Kernel(runtime, text.text, file, text.arguments, settings)
        except tawa.TawaError as failure:
            failures[config] = str(failure)
            continue
        info = kernel.info()
        if info["spill_bytes"]:
            failures[config] = f"spills {info['spill_bytes']} bytes"
            kernel.close()
        else:
            kernels[config] = text, kernel
    return kernels, failures


def quick(graph, torch):
    """Seconds of one launch: enough to tell which configurations are worth more time. Without the idle gap, the first one
    tried would run at a higher clock than those after it."""
    graph()
    torch.cuda.synchronize()
    time.sleep(QUICK_IDLE_SECONDS)
    return statistics.median(timing.elapsed(torch, graph, 1) for _ in range(QUICK_REPLAYS)) / graph.count


def sweep(torch, library, lt, kernels, name, sizes, sustained):
    dtypes = next(iter(kernels.values()))[0].dtypes
    problem = gemm_bench.Problem(torch, sizes, dtypes)
    output, peer_output = problem.output(), problem.output()
    limit = gemm_bench.ERROR_LIMITS[dtypes[0]]
    promoted = dtypes[0].startswith("f8") and all(gemm_bench.promotes(config) for config in kernels)
    seconds, errors, failures = {}, {}, {}
    launches = {}
    for config, (text, kernel) in kernels.items():
        try:
            arguments = gemm_bench.tawa_arguments(library, text.text, text.file, problem, output)
            bound = on_current_stream(torch, kernel.bound(arguments))
            errors[config] = problem.error_of(bound, output)
            if not errors[config] <= limit:
                failures[config] = f"wrong result: relative error {errors[config]:.2e}"
                continue
            launches[config] = bound
            seconds[config] = quick(Graph(torch, bound), torch)
        except tawa.TawaError as failure:
            failures[config] = str(failure)
    gemm = cublaslt.Gemm(lt, problem.a, problem.b, peer_output, fast_accumulation=not promoted)
    tuned = [
        quick(Graph(torch, on_current_stream(torch, lambda stream, one=one: gemm.launch(stream, one))), torch)
        for one in gemm.candidates
    ]
    gemm.chosen = gemm.candidates[tuned.index(min(tuned))]
    peer = on_current_stream(torch, gemm.launch)
    errors["cublaslt"] = problem.error_of(peer, peer_output)
    finalists = sorted(seconds, key=seconds.get)[:FINALISTS]
    default = next(iter(kernels))
    if default in seconds and default not in finalists:
        finalists.append(default)
    graphs = {config: Graph(torch, launches[config]) for config in finalists}
    graphs["cublaslt"] = Graph(torch, peer)
    times = timing.interleaved(torch, graphs, sustained=sustained)
    final = {who: times[who]["burst"]["median"] / graphs[who].count for who in times}
    steady = {who: times[who]["sustained"]["median"] / graphs[who].count for who in times} if sustained else {}
    best = min(finalists, key=final.get)
    best_steady = min(finalists, key=steady.get) if sustained else ""
    errors["after"] = problem.error_of(launches[best], output)
    gemm.close()
    return {
        "name": name,
        "sizes": sizes,
        "dtype": dtypes[0],
        "promoted": promoted,
        "best": best,
        "seconds": final,
        "teraflops": {who: problem.flop / value / 1e12 for who, value in final.items()},
        "ratio": final["cublaslt"] / final[best],
        "default_ratio": final["cublaslt"] / final[default] if default in final else math.nan,
        "sustained_seconds": steady,
        "sustained_best": best_steady,
        "sustained_ratio": steady["cublaslt"] / steady[best_steady] if sustained else None,
        "quick_seconds": seconds,
        "cublaslt_candidates": tuned,
        "error": errors[best],
        "right": errors[best] <= limit and errors["after"] <= limit and errors["cublaslt"] <= limit,
        "failures": failures,
    }


def mean_ratio(rows):
    ratios = [row["ratio"] for row in rows if "ratio" in row]
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else math.nan


def print_table(rows):
    print(f"{'problem':28} {'M,N,K':>17} {'tawa':>7} {'cuBLASLt':>8} {'ratio':>6} {'first':>6} {'steady':>6} {'error':>8}  best configuration")
    for row in rows:
        sizes = ",".join(map(str, row["sizes"]))
        if "failure" in row:
            print(f"{row['name']:28} {sizes:>17} FAILED: {row['failure'].splitlines()[0]}")
            continue
        print(f"{row['name']:28} {sizes:>17} {row['teraflops'][row['best']]:7.1f} {row['teraflops']['cublaslt']:8.1f} "
              f"{row['ratio']:6.3f} {row['default_ratio']:6.3f} {row['sustained_ratio'] or math.nan:6.3f} {row['error']:8.1e}  {row['best']}"
              + ("" if row["right"] else "  WRONG RESULT"))
    ratios = [row["ratio"] for row in rows if "ratio" in row]
    if ratios:
        print(f"geometric mean of {len(ratios)}: {mean_ratio(rows):.3f}; at or above 1: {sum(ratio >= 1 for ratio in ratios)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="libtawa.so")
    parser.add_argument("--kernel", default=DEFAULT_KERNEL)
    parser.add_argument("--config", action="append", help="a configuration to try; the first is the default")
    parser.add_argument("--configs", default=DEFAULT_CONFIGS, help="file of configurations, one a line")
    parser.add_argument("--problems", default=DEFAULT_PROBLEMS)
    parser.add_argument("--sustained", action="store_true", help="time the finalists back to back, too")
    parser.add_argument("--limit", type=int, help="only so many problems")
    default_json = os.path.join(os.environ.get("OUT", "."), "gemm_sweep.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    import torch

    torch.zeros(1, device="cuda")  # makes the primary context current on this thread
    library = tawa.Library(options.library)
    runtime = tawa.Runtime(library, f"cuda:{torch.cuda.current_device()}")
    lt = cublaslt.CublasLt()
    problems = read_problems(options.problems)[: options.limit]
    named = [config for _, _, configs in problems for config in configs]
    configs = options.config or (named if all(configs for _, _, configs in problems) else read_lines(options.configs) + named)
    kernels, refused = compile_all(library, runtime, options.kernel, configs)
    for config, why in refused.items():
        print(f"not measured: {config}: {why.splitlines()[0]}", file=sys.stderr)
    if not kernels:
        sys.exit("gemm_sweep: no configuration compiled")
    rows = []
    for name, sizes, own in problems:
        tried = {config: kernels[config] for config in options.config or own or configs if config in kernels}
        try:
            rows.append(sweep(torch, library, lt, tried, name, sizes, options.sustained))
        except (tawa.TawaError, RuntimeError) as failure:
            rows.append({"name": name, "sizes": sizes, "failure": str(failure) or repr(failure)})
        torch.cuda.empty_cache()
        with open(options.json, "w", encoding="utf-8") as stream:
            machine = gemm_bench.machine(torch, library, lt)
            json.dump({"machine": machine, "refused": refused, "geometric_mean": mean_ratio(rows), "rows": rows}, stream, indent=1)
    print_table(rows)
    sys.exit(0 if all("failure" not in row and row["right"] for row in rows) else 1)


if __name__ == "__main__":
    main()
