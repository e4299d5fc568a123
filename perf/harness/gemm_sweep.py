#!/usr/bin/env python3
"""The best configuration of a GEMM kernel by sweep, beside tuned cuBLASLt, for a list of problems (perf/README.md, "Method").

Every configuration is compiled once, for any size. A problem may name the configurations to try for it, in indented lines of its
own. Per problem all of them and all algorithms that cuBLASLt's heuristic returns run and are
timed briefly from CUDA graphs; the FINALISTS fastest of either side and the first configuration of the list (what a user without
a sweep would get) are then timed in turns. The best of each side in each regime count. Results are checked before and after. Beside FP8 sums in f32
(PROMOTE in all configurations) stands cuBLASLt without fast accumulation.

With --search no list is tried: per problem, what a search with its defaults chose from --kernel stands beside cuBLASLt, and "first" is what
the model alone chooses (policy "predicted").

With --jobs, several problems are searched at once, each in a process of its own with its share of threads: they compile beside each other, while one runs
kernels. Their search times are longer than those of a search alone.

--element bf16 replaces f16 in the kernel's text. --epilogue computes gelu(A B^T + bias), by a kernel that has the settings BIAS and ACTIVATION
(gemm/linear.mlir), beside cuBLASLt with that epilogue. --outer names the operands that lie in memory as [K,M] and [K,N], "a", "b" or "ab", for a
kernel that has the settings A_OUTER and B_OUTER (likewise): "b" is the gradient of a layer's input, "ab" of its weights. --multiple leaves out problems whose N or K is not one of it. --grid is for texts without a directive, over M, N, K with ceildiv.

usage: gemm_sweep.py [--kernel FILE] [--config C]... [--configs FILE] [--problems FILE] [--multiple N] [--limit N]
                     [--element TYPE] [--epilogue] [--outer NAMES] [--grid EXPRESSION] [--search [--jobs N]] [--seconds N] [--brief] [--steady] [--json FILE]
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import cublaslt
import gemm_bench
import prepared
import tawa
import timing

FINALISTS = 4
PEER = "cublaslt"
QUICK_REPLAYS = 3
QUICK_IDLE_SECONDS = 0.1
BRIEF = 3, 0.1  # groups of a burst, seconds of a gap
DEFAULT_KERNEL = os.path.join(gemm_bench.HERE, "..", "..", "tests", "kernels", "gemm_param.mlir")
DEFAULT_PROBLEMS = os.path.join(gemm_bench.HERE, "..", "problems", "models.txt")
EPILOGUE = "BIAS=1 ACTIVATION=3"
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


def on_current_stream(torch, launch):
    """Launches take the stream; timing calls them without."""
    return lambda: launch(torch.cuda.current_stream().cuda_stream)


class Text:
    """A kernel's text, what its arguments are, the settings that its configurations begin with, and its grid if it does not say that itself."""

    def __init__(self, file, element=None, has_epilogue=False, outer="", grid=""):
        self.file, self.has_epilogue, self.outer, self.grid = file, has_epilogue, outer, grid
        self.settings = " ".join([EPILOGUE] * has_epilogue + [f"{name.upper()}_OUTER=1" for name in outer])
        with open(file, "rb") as stream:
            self.text = stream.read()
        if element:
            self.text = self.text.replace(b"f16", element.encode())
        self.dtypes = gemm_bench.element_types(self.text, file)
        self.arguments = []
        for each in tawa.signature(self.text, file).arguments:
            self.arguments.append(tawa.tensor(each.dtype, (None, None)) if each.kind == "tensor" else tawa.scalar(each.dtype))


def text_of(options):
    return Text(options.kernel, options.element, options.epilogue, options.outer, options.grid)


def compile_all(runtime, text, configs, arguments=None, grid=(0, 0, 0)):
    """{config: (text, kernel)} and {config: why not}; sizes are left to the launch. With `arguments` they are known, and what spills counts too."""
    kernels, failures = {}, {}
    for config in dict.fromkeys(configs):
        try:
            kernel = prepared.Kernel(runtime, text.text, text.file, arguments or text.arguments, config, grid)
        except tawa.Error as failure:
            failures[config] = str(failure)
            continue
        info = kernel.info()
        if info["spill_bytes"] and not arguments:
            failures[config] = f"spills {info['spill_bytes']} bytes"
            kernel.close()
        else:
            kernels[config] = text, kernel
    return kernels, failures


def make_problem(torch, sizes, text):
    return gemm_bench.Problem(torch, sizes, text.dtypes, has_epilogue=text.has_epilogue, outer=text.outer)


def search(torch, runtime, text, sizes, lock, threads):
    """(what the search found, {configuration that it tried: [us measured, us predicted]}, {outcome: candidates tried} and the reasons of those
    that failed, kernels and failures as of compile_all(), {stage of the search: seconds})"""
    with timing.device_alone(lock):
        problem = make_problem(torch, sizes, text)
        output = problem.output()
        torch.cuda.synchronize()
    arguments = gemm_bench.tawa_arguments(text.text, text.file, problem, output)
    named, grid = {"name": text.file, "config": text.settings or None}, gemm_bench.grid_of(text.grid, sizes)
    launched = {"grid": grid} if any(grid) else {}
    first = runtime.compile(text.text, *arguments, **named, policy="predicted", tune=launched or None).config
    clock = timing.StageClock("rank")
    found = runtime.tune(text.text, *arguments, **named, **launched, threads=threads, progress=lambda step: clock.enter(step.stage))
    stages = clock.end()
    rows = found.tried()
    tried = {row.config: [row.median_us, row.predicted_us] for row in rows if row.outcome == "measured"}
    outcomes = dict(collections.Counter(row.outcome for row in rows))
    outcomes["reasons"] = {row.config: row.reason for row in rows if row.outcome == "failed"}
    return found.best, tried, outcomes, *compile_all(runtime, text, [first, found.best], arguments, grid), stages


def search_and_compare(torch, lt, runtime, name, sizes, options):
    best, tried, outcomes, kernels, refused, stages = search(torch, runtime, text_of(options), sizes, options.lock, options.threads)
    if refused:
        raise RuntimeError("; ".join(f"{config}: {why}" for config, why in refused.items()))
    seconds = sum(spent for stage, spent in stages.items() if stage != "wait")
    with timing.device_alone(options.lock):
        row = sweep(torch, lt, kernels, name, sizes, options.steady)
    return row | {"searched": best, "tried": tried, "outcomes": outcomes, "search_seconds": seconds, "search_stages": stages}


def quick(torch, graph):
    """Seconds of one launch: enough to tell which are worth more time. Without the idle gap, the first one tried would run at
    a higher clock than those after it."""
    graph()
    torch.cuda.synchronize()
    time.sleep(QUICK_IDLE_SECONDS)
    return statistics.median(timing.elapsed(torch, graph, 1) for _ in range(QUICK_REPLAYS))


def error_limit(dtype, peer_errors):
    """Sums of wgmma in FP8 lose more the more they add: what the peer's algorithms of the same contract lose is right too."""
    limit = gemm_bench.ERROR_LIMITS[dtype]
    usual = [error for error in peer_errors if error < 4 * limit]  # an algorithm that is wrong excuses nothing
    return max(limit, 1.1 * max(usual, default=0)) if dtype.startswith("f8") else limit


def try_all(torch, kernels, problem, output, limit):
    """Launches of those that are right, the errors of all, and why the others take no part."""
    launches, errors, failures = {}, {}, {}
    for config, (text, kernel) in kernels.items():
        try:
            arguments = gemm_bench.tawa_arguments(text.text, text.file, problem, output)
            bound = on_current_stream(torch, kernel.bound(arguments))
            errors[config] = problem.error_of(bound, output)
            if errors[config] <= limit:
                launches[config] = bound
            else:
                failures[config] = f"wrong result: relative error {errors[config]:.2e}"
        except tawa.Error as failure:
            failures[config] = str(failure)
    return launches, errors, failures


def choose_finalists(torch, launches, always=None):
    """Graphs of the FINALISTS fastest and of the one that always takes part, and the quick seconds of all."""
    graphs = {name: timing.Graph(torch, launch) for name, launch in launches.items()}
    seconds = {name: quick(torch, graph) for name, graph in graphs.items()}
    chosen = sorted(seconds, key=seconds.get)[:FINALISTS]
    chosen += [always] if always in seconds and always not in chosen else []
    return {name: graphs[name] for name in chosen}, seconds


def algorithms_of(torch, lt, problem, output, promoted):
    """Launches of what cuBLASLt's heuristic returns, by name; of torch.mm, which has cuBLAS's older kernels too, where it returns nothing."""
    try:
        gemm = cublaslt.Gemm(lt, problem.a, problem.b, output, fast_accumulation=not promoted, bias=problem.bias, outer=problem.outer)
    except cublaslt.NoAlgorithm:
        if not problem.torch_launch(output):
            raise
        return {f"{PEER}:torch.mm": problem.torch_launch(output)}
    return {
        f"{PEER}:{index}": on_current_stream(torch, lambda stream, one=one: gemm.launch(stream, one))
        for index, one in enumerate(gemm.candidates)
    }


def best_of(times, regime, side):
    """The fastest of a side in a regime: name and seconds."""
    medians = {name: each[regime]["median"] for name, each in times.items() if side(name)}
    name = min(medians, key=medians.get)
    return name, medians[name]


def is_peer(name):
    return name.startswith(PEER + ":")


def compare_bests(times, default):
    """For each regime: the best of both sides, their seconds, and the ratio."""
    found = {}
    for regime in next(iter(times.values())):
        own, seconds = best_of(times, regime, lambda name: not is_peer(name))
        peer, peer_seconds = best_of(times, regime, is_peer)
        first = times[default][regime]["median"] if default in times else math.nan
        found[regime] = {"best": own, "seconds": seconds, PEER: peer, "peer_seconds": peer_seconds,
                         "ratio": peer_seconds / seconds, "default_ratio": peer_seconds / first}
    return found


def sweep(torch, lt, kernels, name, sizes, steady):
    text = next(iter(kernels.values()))[0]
    problem, dtypes = make_problem(torch, sizes, text), text.dtypes
    output, peer_output = problem.output(), problem.output()
    promoted = dtypes[0].startswith("f8") and all(gemm_bench.promotes(config) for config in kernels)
    default = next(iter(kernels))
    algorithms = algorithms_of(torch, lt, problem, peer_output, promoted)
    limit = error_limit(dtypes[0], [problem.error_of(launch, peer_output) for launch in algorithms.values()])
    launches, errors, failures = try_all(torch, kernels, problem, output, limit)
    finalists, quick_seconds = choose_finalists(torch, launches, default)
    peers, peer_quick_seconds = choose_finalists(torch, algorithms)
    times = timing.compare(torch, finalists | peers, steady)
    regimes = compare_bests(times, default)
    chosen = {each["best"] for each in regimes.values()}
    after = [problem.error_of(launches[config], output) for config in chosen]
    after += [problem.error_of(algorithms[each[PEER]], peer_output) for each in regimes.values()]
    return {
        "name": name,
        "sizes": sizes,
        "dtype": dtypes[0],
        "promoted": promoted,
        "flop": problem.flop,
        "regimes": regimes,
        "seconds": {name: each[timing.BURST]["median"] for name, each in times.items() if not is_peer(name)},
        "times": times,
        "quick_seconds": quick_seconds,
        "peer_quick_seconds": peer_quick_seconds,
        "error": max(errors[config] for config in chosen),
        "error_limit": limit,
        "right": all(error <= limit for error in after),
        "failures": failures,
    }


def mean_ratio(rows, regime=timing.BURST):
    ratios = [row["regimes"][regime]["ratio"] for row in rows if "regimes" in row]
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else math.nan


def print_row(row):
    sizes = ",".join(map(str, row["sizes"]))
    if "failure" in row:
        print(f"{row['name']:28} {sizes:>17} FAILED: {row['failure'].splitlines()[0]}")
        return
    burst = row["regimes"][timing.BURST]
    ratio = lambda regime: row["regimes"].get(regime, {}).get("ratio", math.nan)
    print(f"{row['name']:28} {sizes:>17} {row['flop'] / burst['seconds'] / 1e12:7.1f} {row['flop'] / burst['peer_seconds'] / 1e12:8.1f} "
          f"{burst['ratio']:6.3f} {burst['default_ratio']:6.3f} {ratio(timing.WARM):6.3f} {ratio(timing.COLD):6.3f} "
          f"{ratio(timing.STEADY):6.3f} {row['error']:8.1e}  {burst['best']}" + ("" if row["right"] else "  WRONG RESULT"))


def print_table(rows):
    print(f"{'problem':28} {'M,N,K':>17} {'tawa':>7} {'cuBLASLt':>8} {'burst':>6} {'first':>6} {'warm':>6} {'cold':>6} {'steady':>6} "
          f"{'error':>8}  best configuration")
    for row in rows:
        print_row(row)
    ratios = [row["regimes"][timing.BURST]["ratio"] for row in rows if "regimes" in row]
    if ratios:
        print(f"geometric mean of {len(ratios)}: {mean_ratio(rows):.3f}; at or above 1: {sum(ratio >= 1 for ratio in ratios)}")


def tried_by(runtime, problems, options):
    """(the kernels for what a problem names, {configuration: why not})"""
    named = [config for _, _, configs in problems for config in configs]
    text, configs = text_of(options), options.config or (named if all(configs for _, _, configs in problems) else read_lines(options.configs) + named)
    kernels, refused = compile_all(runtime, text, configs)
    for config, why in refused.items():
        print(f"not measured: {config}: {why.splitlines()[0]}", file=sys.stderr)
    if not kernels:
        sys.exit("gemm_sweep: no configuration compiled")
    return lambda own: {config: kernels[config] for config in options.config or own or configs if config in kernels}, refused


def measure_all(torch, lt, runtime, problems, options):
    """A row for each problem; all rows are written after each."""
    tried, refused = (None, {}) if options.search else tried_by(runtime, problems, options)
    rows, begun = [], time.monotonic()
    for name, sizes, own in problems:
        if time.monotonic() - begun > options.seconds:
            break
        try:
            if options.search:
                rows.append(search_and_compare(torch, lt, runtime, name, sizes, options))
            else:
                rows.append(sweep(torch, lt, tried(own), name, sizes, options.steady))
        except (tawa.Error, RuntimeError) as failure:
            rows.append({"name": name, "sizes": sizes, "failure": str(failure) or repr(failure)})
        torch.cuda.empty_cache()
        write(options.json, gemm_bench.machine(torch, lt), refused, rows)
    return rows


def write(path, machine, refused, rows):
    with open(path, "w", encoding="utf-8") as stream:
        json.dump({"machine": machine, "refused": refused, "geometric_mean": mean_ratio(rows), "rows": rows}, stream, indent=1)


def search_apart(options, number, problem, folder, begun):
    """What the process of one problem wrote; None where no time is left to begin it."""
    name, sizes, _ = problem
    if time.monotonic() - begun > options.seconds:
        return None
    output = os.path.join(folder, f"{number}.json")
    threads = max(2, (os.cpu_count() or 1) // options.jobs)
    command = [sys.executable, os.path.abspath(__file__), "--search", "--kernel", options.kernel, "--problems", options.problems, "--cache", folder,
               "--only", str(number), "--json", output, "--threads", str(threads), "--multiple", str(options.multiple), "--grid", options.grid,
               *(f"--{flag}" for flag in ("brief", "steady", "epilogue") if getattr(options, flag)),
               *(part for name in ("element", "outer") if getattr(options, name) for part in (f"--{name}", getattr(options, name)))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not os.path.exists(output):
        why = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        return {"machine": {}, "rows": [{"name": name, "sizes": sizes, "failure": why}]}
    with open(output, encoding="utf-8") as stream:
        return json.load(stream)


def search_all(options, problems):
    """As measure_all(), each problem in a process of its own, so many at once as asked for."""
    rows, begun = {}, time.monotonic()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        started = {pool.submit(search_apart, options, number, problem, folder, begun): number for number, problem in enumerate(problems)}
        for done in concurrent.futures.as_completed(started):
            if found := done.result():
                rows[started[done]] = found["rows"][0]
                write(options.json, found["machine"], {}, [rows[number] for number in sorted(rows)])
    return [rows[number] for number in sorted(rows)]


def measure_here(options, problems):
    import torch

    torch.zeros(1, device="cuda")  # makes the primary context current on this thread
    if options.brief:
        timing.BURST_GROUPS, timing.IDLE_SECONDS = BRIEF
    lt, device = cublaslt.CublasLt(), f"cuda:{torch.cuda.current_device()}"
    with tempfile.TemporaryDirectory() as folder:
        runtime = tawa.Runtime(device, cache_dir=options.cache or folder) if options.search else prepared.runtime(device)
        options.lock = os.path.join(options.cache, f"{device}.lock") if options.cache else None
        return measure_all(torch, lt, runtime, problems, options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", default=DEFAULT_KERNEL)
    parser.add_argument("--config", action="append", help="a configuration to try; the first is the default")
    parser.add_argument("--configs", default=DEFAULT_CONFIGS, help="file of configurations, one a line")
    parser.add_argument("--problems", default=DEFAULT_PROBLEMS)
    parser.add_argument("--search", action="store_true", help="try what a search finds")
    parser.add_argument("--jobs", type=int, default=1, help="searches at once (default: %(default)s)")
    parser.add_argument("--cache", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=0, help="of a search (default: all)")
    parser.add_argument("--only", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which no further problem is begun")
    parser.add_argument("--brief", action="store_true", help="bursts of three groups after gaps of 100 ms")
    parser.add_argument("--steady", action="store_true", help="time the finalists back to back, too")
    parser.add_argument("--limit", type=int, help="only so many problems")
    parser.add_argument("--multiple", type=int, default=1, help="only problems whose N and K are multiples of it")
    parser.add_argument("--grid", default="", help="expression over M, N, K")
    parser.add_argument("--element", help="in place of f16 in the text")
    parser.add_argument("--epilogue", action="store_true", help="with a bias and GELU")
    parser.add_argument("--outer", default="", choices=("", "a", "b", "ab"), help="operands whose dimension K is the outer one in memory")
    default_json = os.path.join(os.environ.get("OUT", "."), "gemm_sweep.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    problems = [each for each in read_problems(options.problems) if not any(size % options.multiple for size in each[1][1:])][: options.limit]
    if options.only is not None:
        problems = problems[options.only : options.only + 1]
    rows = search_all(options, problems) if options.search and options.jobs > 1 else measure_here(options, problems)
    print_table(rows)
    sys.exit(0 if all("failure" not in row and row["right"] for row in rows) else 1)


if __name__ == "__main__":
    main()
