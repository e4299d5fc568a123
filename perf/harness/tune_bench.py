#!/usr/bin/env python3
"""The tuner on a GPU: how long a search takes, what it finds, how far the model's first choice and the chosen configuration
are from the best of many that were all measured, and what a second process still has to do.

Everything runs through tawa_tune(), in a cache of its own. Per shape: a search with its defaults; with --sweep N, then, one that tries N
candidates, in the order in which a search takes them (`order`), and SPREAD more, evenly spread over all legal points. The least of eighty medians is
too low by their noise, which is no loss of the search: so the chosen one, the model's first and the sweep's fastest three then
run in turns, twice, and the ratios are of those medians. With --second new processes compile the kernel as any program would, and
say what that took and what was compiled or measured for it: one with the driver's own cache, which the process before it filled,
and one without. Their time is the context's, the driver's (link and load) and the rest, which is ours.

A shape is M,N,K of a product in f16, or `fwd` or `fwd_causal` and heads, length and head dim of attention forward.

usage: tune_bench.py [--json FILE] [--sweep N] [--second] [--limit SECONDS] [--problems FILE] [NAME:SHAPE ...]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import prepared  # pylint: disable=unused-import  # finds the package
import tawa
import timing

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "tests", "kernels")
KERNEL = os.path.join(KERNELS, "gemm_param.mlir")


def is_attention(sizes):
    return isinstance(sizes[0], str)


def product_args(sizes):
    m, n, k = sizes
    return [tawa.tensor("f16", (m, k)), tawa.tensor("f16", (n, k)), tawa.tensor("f16", (m, n)), *sizes]


def attention_args(sizes):
    _, heads, length, dim = sizes
    rows = [tawa.tensor("f16", (heads * length, dim)) for _ in range(4)]
    return [*rows, tawa.tensor("f32", (heads * length,)), dim ** -0.5, length, heads]


def settings_of(sizes):
    """What of the text's settings the problem says; all else is open."""
    return f"HEAD_DIM={sizes[3]}" if is_attention(sizes) else None


def flop_of(sizes):
    if not is_attention(sizes):
        return 2.0 * sizes[0] * sizes[1] * sizes[2]
    kind, heads, length, dim = sizes
    return 4.0 * heads * length * length * dim / (2 if kind == "fwd_causal" else 1)


def kernel_for(sizes):
    return os.path.join(KERNELS, "attention", sizes[0] + ".mlir") if is_attention(sizes) else KERNEL


def read_shape(text):
    return tuple(int(word) if word.isdigit() else word for word in text.split(","))


class Tuner:
    def __init__(self, worker):
        self.runtime, self.worker = tawa.Runtime(), worker

    @staticmethod
    def request(kernel, sizes):
        """What compile() and tune() take: the file, the arguments, and the settings."""
        args = attention_args(sizes) if is_attention(sizes) else product_args(sizes)
        return (pathlib.Path(kernel), *args), {"config": settings_of(sizes)}

    def compile(self, kernel, sizes):
        """Milliseconds from the call to a kernel that can be launched, its phases, and what was compiled and measured for it."""
        given, named = self.request(kernel, sizes)
        start = time.monotonic()
        made = self.runtime.compile(*given, **named)
        total, phases, counters = 1e3 * (time.monotonic() - start), made.phases, self.runtime.cache_counters()
        context, driver = phases["context"], phases["link"] + phases["load"]
        return {"milliseconds": total, "context": context, "driver": driver, "rest": total - context - driver,
                "phases": phases, "compiles": counters["compiles"], "trials": counters["trials"]}

    def tune(self, kernel, sizes, configs=None, seed=1, **options):
        given, named = self.request(kernel, sizes)
        clock, order = timing.StageClock("rank"), {}

        def progress(step):
            clock.enter(step.stage)
            if step.stage == "verify" and step.config:
                order[step.config] = None

        try:
            found = self.runtime.tune(*given, **named, configs=configs, worker=self.worker, seed=seed, progress=progress, **options)
        except tawa.Error as failure:
            stages = clock.end()
            return {"seconds": sum(stages.values()), "stages": stages, "failure": failure.message, "best": "", "rows": []}
        stages = clock.end()
        keys = ("config", "outcome", "reason", "predicted_us", "median_us", "best_us", "spread_us")
        rows = [{key: getattr(row, key) for key in keys} for row in found.rows]
        return {"seconds": sum(stages.values()), "stages": stages, "best": found.best, "rows": rows, "order": list(order)}


def search(tuner, kernel, sizes):
    found = tuner.tune(kernel, sizes)
    tried = [row for row in found["rows"] if row["outcome"] not in ("predicted", "refused")]
    measured = [row for row in tried if row["outcome"] == "measured"]
    result = {"kernel": os.path.basename(kernel), "seconds": found["seconds"], "stages": found["stages"], "best": found["best"], "tried": tried,
              "failure": found.get("failure", "")}
    if measured:
        first = min(measured, key=lambda row: row["predicted_us"] or 1e9)
        best = next(row for row in measured if row["config"] == found["best"])
        result |= {"best_us": best["median_us"], "first_us": first["median_us"], "first": first["config"]}
    return result


def sweep(tuner, kernel, sizes, result, count):
    """Measures `count` in a search's own order, beside what the search tried and SPREAD of all legal ones."""
    wide = tuner.tune(kernel, sizes, top=count, budget_seconds=600.0, again=True)
    legal = [row["config"] for row in wide["rows"] if row["outcome"] == "predicted"]
    rest = tuner.tune(kernel, sizes, legal[::max(1, len(legal) // SPREAD)], budget_seconds=600.0)["rows"] if legal else []
    measured = [row for row in [*result["tried"], *wide["rows"], *rest] if row["outcome"] == "measured"]
    times = {row["config"]: row["median_us"] for row in measured}
    result |= {"legal": len(legal) + len(times), "swept": len(times), "sweep_seconds": wide["seconds"], "sweep_failure": wide.get("failure", ""),
               "order": wide["order"], "sweep": measured}
    if times:
        result |= run_off(tuner, kernel, sizes, result, sorted(times, key=times.get)[:SWEEP_FINALISTS])


SWEEP_FINALISTS, RUN_OFFS, SPREAD = 3, 2, 12


def run_off(tuner, kernel, sizes, result, fastest):
    """The finalists of search and sweep in turns: medians of their own, which no minimum was taken of before."""
    contenders = list(dict.fromkeys([result["best"], result["first"], *fastest]))
    rounds = [tuner.tune(kernel, sizes, contenders, seed=seed, again=True)["rows"] for seed in range(2, 2 + RUN_OFFS)]
    medians = [{row["config"]: row["median_us"] for row in rows if row["outcome"] == "measured"} for rows in rounds]
    times = {config: statistics.fmean(each[config] for each in medians) for config in contenders if all(config in each for each in medians)}
    best = min(times, key=times.get)
    noise = max(abs(medians[0][config] / medians[0][best] / (medians[-1][config] / medians[-1][best]) - 1) for config in times)
    return {"finals": medians, "finals_noise": noise, "fastest": best, "fastest_us": times[best],
            "chosen_ratio": times.get(result["best"], 0) / times[best], "first_ratio": times.get(result["first"], 0) / times[best]}


def compile_in_process(options, kernel, sizes, **driver):
    """In a process of its own, as the library keeps what it loaded."""
    command = [sys.executable, os.path.abspath(__file__), "--compile", kernel, "x:" + ",".join(map(str, sizes))]
    answer = subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | driver)
    return json.loads(answer.stdout) if answer.returncode == 0 else {"failure": answer.stderr.strip().splitlines()[-1]}


def second_process(options, kernel, sizes):
    with tempfile.TemporaryDirectory() as folder:
        allowed = {"CUDA_CACHE_DISABLE": "0", "CUDA_CACHE_PATH": folder}
        compile_in_process(options, kernel, sizes, **allowed)
        return {"cached": compile_in_process(options, kernel, sizes, **allowed),
                "uncached": compile_in_process(options, kernel, sizes, CUDA_CACHE_DISABLE="1")}


def describe_second(second):
    if "failure" in second:
        return "failed: " + second["failure"]
    store = second["phases"]["choose"] + second["phases"].get("cache", 0)
    return (f"{second['milliseconds']:.2f} ms = context {second['context']:.2f} + driver {second['driver']:.2f} + rest {second['rest']:.2f} "
            f"(store and key {store:.2f}), compiles {second['compiles']}, trials {second['trials']}")


def report(name, result):
    time_us, shape = result.get("best_us", 0), ",".join(map(str, result["sizes"]))
    line = f"{name:26} {shape:24} {result['seconds']:6.1f} s {time_us:9.2f} us {1e-6 * flop_of(result['sizes']) / time_us if time_us else 0:6.0f} TFLOP/s"
    line += f"  first {result.get('first_us', 0) / max(time_us, 1e-9):6.3f}"
    if "swept" in result:
        line += f"  sweep of {result['swept']}: {result['sweep_seconds']:5.1f} s, chosen {result.get('chosen_ratio', 0):.3f}, first {result.get('first_ratio', 0):.3f} +- {result.get('finals_noise', 0):.3f}"
    for cache, second in result.get("second", {}).items():
        line += f"  second, driver's cache {'on' if cache == 'cached' else 'off'}: {describe_second(second)}"
    print(line + ("  " + result["failure"] if result["failure"] else ""), flush=True)
    print(f"    {result['kernel']} {result['best']}", flush=True)


def run_shape(options, tuner, name, sizes):
    kernel = kernel_for(sizes)
    result = search(tuner, kernel, sizes) | {"name": name, "sizes": sizes}
    if options.second:
        result["second"] = second_process(options, kernel, sizes)
    if options.sweep and "best_us" in result:
        sweep(tuner, kernel, sizes, result, options.sweep)
    report(name, result)
    return result


def read_problems(path):
    with open(path, encoding="utf-8") as stream:
        lines = [line.split() for line in stream if line.strip() and not line.startswith("#")]
    return [(f"{name}@{sizes[0]}", tuple(map(int, sizes))) for name, *sizes in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", help="program for candidates; default: the library's")
    parser.add_argument("--sweep", type=int, default=0, help="then a search of so many candidates, and others of the space")
    parser.add_argument("--second", action="store_true", help="compile once more in processes of their own")
    parser.add_argument("--compile", help="kernel: compile it, say what that took, and end")
    parser.add_argument("--limit", type=float, default=1e9, help="seconds after which no further shape is begun")
    parser.add_argument("--json", default=os.path.join(os.environ.get("OUT", "."), "tune_bench.json"))
    parser.add_argument("--problems", help="file of problems, a line NAME M N K each")
    parser.add_argument("shapes", nargs="*", help="NAME:M,N,K or NAME:fwd,HEADS,LENGTH,HEAD_DIM")
    options = parser.parse_args()
    shapes = [(name, read_shape(shape)) for name, shape in (each.split(":") for each in options.shapes)]
    if options.problems:
        shapes += read_problems(options.problems)
    if options.compile:
        print(json.dumps(Tuner(options.worker).compile(options.compile, shapes[0][1])))
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("TAWA_CACHE_DIR", os.path.join(folder, "cache"))
        tuner, results, start = Tuner(options.worker), [], time.monotonic()
        for name, sizes in shapes:
            if time.monotonic() - start > options.limit:
                break
            results.append(run_shape(options, tuner, name, sizes))
            with open(options.json, "w", encoding="utf-8") as stream:
                json.dump(results, stream, indent=1)


if __name__ == "__main__":
    main()
