#!/usr/bin/env python3
"""The tuner on a GPU: how long a search takes, what it finds, how far the model's first choice and the chosen configuration
are from the best of many that were all measured, and what a second process still has to do.

Everything runs through tawa_tune(), in a cache of its own. Per shape: a search with its defaults, of `few_rows.mlir` as well
where there are few rows; with --sweep, then, the same function over a list instead of the model's choice: the first of the
model's ranking, as many evenly spread over the rest of all legal points, and what the search tried. The least of eighty medians is
too low by their noise, which is no loss of the search: so the chosen one, the model's first and the sweep's fastest three then
run in turns, twice, and the ratios are of those medians. With --second new processes compile the kernel as any program would, and
say what that took and what was compiled or measured for it: one with the driver's own cache, which the process before it filled,
and one without. Their time is the context's, the driver's (link and load) and the rest, which is ours.

A shape is M,N,K of a product in f16, or `fwd` or `fwd_causal` and heads, length and head dim of attention forward.

usage: tune_bench.py --library libtawa.so [--json FILE] [--sweep N] [--second] [--limit SECONDS] [--problems FILE] [NAME:SHAPE ...]
"""

import argparse
import ctypes as c
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "tests", "kernels")
KERNEL, FEW_ROWS = os.path.join(KERNELS, "gemm_param.mlir"), os.path.join(KERNELS, "gemm", "few_rows.mlir")
MOST_FEW_ROWS = 64
MATRIX, SCALAR, F16, F32, I32 = 0, 1, 7, 9, 3


class Arg(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("kind", c.c_int), ("dtype", c.c_int),
                ("rank", c.c_uint32), ("alignment", c.c_uint32), ("data", c.c_void_p), ("integer", c.c_int64), ("number", c.c_double),
                ("shape", c.c_int64 * 8), ("strides", c.c_int64 * 8), ("buckets", c.c_uint32), ("reserved2", c.c_uint32)]


class Request(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("text", c.c_char_p), ("text_len", c.c_size_t),
                ("name", c.c_char_p), ("args", c.POINTER(Arg)), ("num_args", c.c_uint32), ("reserved2", c.c_uint32), ("config", c.c_char_p)]


class Options(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("hardware", c.c_char_p),
                ("configs", c.c_char_p), ("worker", c.c_char_p), ("isolation", c.c_int), ("predict_only", c.c_uint32), ("top", c.c_uint32),
                ("threads", c.c_uint32), ("seed", c.c_uint64), ("budget_seconds", c.c_double), ("candidate_seconds", c.c_double),
                ("warm", c.c_uint32), ("grid", c.c_uint32 * 3), ("progress", c.c_void_p), ("progress_user", c.c_void_p),
                ("again", c.c_uint32), ("reserved2", c.c_uint32)]


class Row(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("config", c.c_char_p), ("outcome", c.c_int),
                ("samples", c.c_uint32), ("rule", c.c_char_p), ("reason", c.c_char_p), ("bound", c.c_char_p), ("predicted_us", c.c_double),
                ("median_us", c.c_double), ("best_us", c.c_double), ("spread_us", c.c_double), ("from_cache", c.c_uint32),
                ("reserved2", c.c_uint32)]


class Counters(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("hits", c.c_uint64), ("misses", c.c_uint64),
                ("writes", c.c_uint64), ("faults", c.c_uint64), ("compiles", c.c_uint64), ("trials", c.c_uint64)]


class Phase(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("name", c.c_char_p), ("milliseconds", c.c_double)]


class Progress(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("stage", c.c_char_p)]


PROGRESS = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(Progress))
OUTCOMES = ("predicted", "measured", "verified", "failed", "refused")


def sized(structure, **values):
    made = structure(**values)
    made.struct_size = c.sizeof(structure)
    return made


def tensor(dtype, *shape):
    return sized(Arg, kind=MATRIX, dtype=dtype, rank=len(shape), shape=(c.c_int64 * 8)(*shape))


def integer(value):
    return sized(Arg, kind=SCALAR, dtype=I32, integer=value)


def is_attention(sizes):
    return isinstance(sizes[0], str)


def product_args(sizes):
    m, n, k = sizes
    return [tensor(F16, m, k), tensor(F16, n, k), tensor(F16, m, n), *map(integer, sizes)]


def attention_args(sizes):
    _, heads, length, dim = sizes
    rows = [tensor(F16, heads * length, dim) for _ in range(4)]
    return [*rows, tensor(F32, heads * length), sized(Arg, kind=SCALAR, dtype=F32, number=dim ** -0.5), integer(length), integer(heads)]


def settings_of(sizes):
    """What of the text's settings the problem says; all else is open."""
    return f"HEAD_DIM={sizes[3]}".encode() if is_attention(sizes) else None


def flop_of(sizes):
    if not is_attention(sizes):
        return 2.0 * sizes[0] * sizes[1] * sizes[2]
    kind, heads, length, dim = sizes
    return 4.0 * heads * length * length * dim / (2 if kind == "fwd_causal" else 1)


def kernels_for(sizes):
    if is_attention(sizes):
        return [os.path.join(KERNELS, "attention", sizes[0] + ".mlir")]
    return [KERNEL, FEW_ROWS] if sizes[0] <= MOST_FEW_ROWS else [KERNEL]


def read_shape(text):
    return tuple(int(word) if word.isdigit() else word for word in text.split(","))


class StageClock:
    """Seconds that a search spends in each of its stages, from what it reports; what comes before the first is the ranking."""

    def __init__(self):
        self.seconds, self.stage, self.since = {}, "rank", time.monotonic()
        self.callback = PROGRESS(lambda _, progress: self.enter(progress.contents.stage.decode()))

    def enter(self, stage):
        now = time.monotonic()
        self.seconds[self.stage] = self.seconds.get(self.stage, 0) + now - self.since
        self.stage, self.since = stage, now
        return 0


class Tuner:
    def __init__(self, library, worker):
        self.lib = c.CDLL(library)
        for name in ("tawa_runtime_create", "tawa_tune", "tawa_tune_result_row"):
            getattr(self.lib, name).restype = c.c_int
        self.lib.tawa_tune_result_best.restype = c.c_char_p
        self.lib.tawa_error_message.restype = c.c_char_p
        for name in ("tawa_tune_result_best", "tawa_tune_result_count", "tawa_tune_result_release", "tawa_error_message"):
            getattr(self.lib, name).argtypes = [c.c_void_p]
        self.lib.tawa_tune_result_row.argtypes = [c.c_void_p, c.c_uint32, c.POINTER(Row)]
        self.lib.tawa_compile.argtypes = [c.c_void_p, c.c_void_p, c.c_void_p, c.c_void_p]
        self.lib.tawa_kernel_phase.argtypes = [c.c_void_p, c.c_uint32, c.c_void_p]
        self.texts, self.worker = {}, worker.encode() if worker else None
        self.runtime, error = c.c_void_p(), c.c_void_p()
        if self.lib.tawa_runtime_create(None, c.byref(self.runtime), c.byref(error)):
            sys.exit("tune_bench: " + self.lib.tawa_error_message(error).decode())

    def request(self, kernel, sizes):
        """Keeps what it points to."""
        if kernel not in self.texts:
            with open(kernel, "rb") as stream:
                self.texts[kernel] = stream.read()
        text, args = self.texts[kernel], attention_args(sizes) if is_attention(sizes) else product_args(sizes)
        self.args = (Arg * len(args))(*args)
        return sized(Request, text=text, text_len=len(text), name=kernel.encode(), args=self.args, num_args=len(args), config=settings_of(sizes))

    def compile(self, kernel, sizes):
        """Milliseconds from the call to a kernel that can be launched, its phases, and what was compiled and measured for it."""
        request, made, error = self.request(kernel, sizes), c.c_void_p(), c.c_void_p()
        start = time.monotonic()
        if self.lib.tawa_compile(self.runtime, c.byref(request), c.byref(made), c.byref(error)):
            sys.exit("tune_bench: " + self.lib.tawa_error_message(error).decode())
        total, phases, counters = 1e3 * (time.monotonic() - start), {}, sized(Counters)
        phase = sized(Phase)
        while self.lib.tawa_kernel_phase(made, len(phases), c.byref(phase)) == 0:
            phases[phase.name.decode()] = phase.milliseconds
        self.lib.tawa_runtime_cache_counters(self.runtime, c.byref(counters))
        context, driver = phases["context"], phases["link"] + phases["load"]
        return {"milliseconds": total, "context": context, "driver": driver, "rest": total - context - driver,
                "phases": phases, "compiles": counters.compiles, "trials": counters.trials}

    def tune(self, kernel, sizes, configs=None, seed=1, **options):
        request, clock, start = self.request(kernel, sizes), StageClock(), time.monotonic()
        given = sized(Options, configs="\n".join(configs).encode() if configs else None, worker=self.worker, seed=seed,
                      progress=c.cast(clock.callback, c.c_void_p), **options)
        result, error = c.c_void_p(), c.c_void_p()
        status = self.lib.tawa_tune(self.runtime, c.byref(request), c.byref(given), c.byref(result), c.byref(error))
        seconds = time.monotonic() - start
        clock.enter("end")
        if status:
            return {"seconds": seconds, "stages": clock.seconds, "failure": self.lib.tawa_error_message(error).decode(), "best": "", "rows": []}
        rows = []
        for index in range(self.lib.tawa_tune_result_count(result)):
            row = sized(Row)
            self.lib.tawa_tune_result_row(result, index, c.byref(row))
            rows.append({"config": row.config.decode(), "outcome": OUTCOMES[row.outcome], "reason": row.reason.decode(),
                         "predicted_us": row.predicted_us, "median_us": row.median_us, "best_us": row.best_us, "spread_us": row.spread_us})
        best = self.lib.tawa_tune_result_best(result).decode()
        self.lib.tawa_tune_result_release(result)
        return {"seconds": seconds, "stages": clock.seconds, "best": best, "rows": rows}


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
    """Measures half of them from the top of the ranking and half spread over the rest, beside what the search tried."""
    ranked = tuner.tune(kernel, sizes, predict_only=1)["rows"]
    legal = [row["config"] for row in sorted((row for row in ranked if row["predicted_us"] > 0), key=lambda row: row["predicted_us"])]
    step = max(1, len(legal) // (count // 2))
    tried = [row["config"] for row in result["tried"] if row["outcome"] == "measured"]
    chosen = list(dict.fromkeys([result["best"], *tried, *legal[:count // 2], *legal[::step]]))
    swept = tuner.tune(kernel, sizes, chosen, budget_seconds=600.0, again=1)
    times = {row["config"]: row["median_us"] for row in swept["rows"] if row["outcome"] == "measured"}
    result |= {"legal": len(legal), "swept": len(times), "sweep_seconds": swept["seconds"], "sweep_failure": swept.get("failure", ""),
               "sweep": [row for row in swept["rows"] if row["outcome"] in ("measured", "failed")]}
    if times:
        result |= run_off(tuner, kernel, sizes, result, sorted(times, key=times.get)[:SWEEP_FINALISTS])


SWEEP_FINALISTS, RUN_OFFS = 3, 2


def run_off(tuner, kernel, sizes, result, fastest):
    """The finalists of search and sweep in turns: medians of their own, which no minimum was taken of before."""
    contenders = list(dict.fromkeys([result["best"], result["first"], *fastest]))
    rounds = [tuner.tune(kernel, sizes, contenders, seed=seed, again=1)["rows"] for seed in range(2, 2 + RUN_OFFS)]
    medians = [{row["config"]: row["median_us"] for row in rows if row["outcome"] == "measured"} for rows in rounds]
    times = {config: statistics.fmean(each[config] for each in medians) for config in contenders if all(config in each for each in medians)}
    best = min(times, key=times.get)
    noise = max(abs(medians[0][config] / medians[0][best] / (medians[-1][config] / medians[-1][best]) - 1) for config in times)
    return {"finals": medians, "finals_noise": noise, "fastest": best, "fastest_us": times[best],
            "chosen_ratio": times.get(result["best"], 0) / times[best], "first_ratio": times.get(result["first"], 0) / times[best]}


def compile_in_process(options, kernel, sizes, **driver):
    """In a process of its own, as the library keeps what it loaded."""
    command = [sys.executable, os.path.abspath(__file__), "--library", options.library, "--compile", kernel, "x:" + ",".join(map(str, sizes))]
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
    results = [(search(tuner, kernel, sizes), kernel) for kernel in kernels_for(sizes)]
    result, kernel = min(results, key=lambda pair: pair[0].get("best_us", 1e9))
    result |= {"name": name, "sizes": sizes, "seconds": sum(each["seconds"] for each, _ in results)}
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
    parser.add_argument("--library", required=True)
    parser.add_argument("--worker", help="program for candidates; default: the library's")
    parser.add_argument("--sweep", type=int, default=0, help="measure about so many configurations of the space")
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
        print(json.dumps(Tuner(options.library, options.worker).compile(options.compile, shapes[0][1])))
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("TAWA_CACHE_DIR", os.path.join(folder, "cache"))
        tuner, results, start = Tuner(options.library, options.worker), [], time.monotonic()
        for name, sizes in shapes:
            if time.monotonic() - start > options.limit:
                break
            results.append(run_shape(options, tuner, name, sizes))
            with open(options.json, "w", encoding="utf-8") as stream:
                json.dump(results, stream, indent=1)


if __name__ == "__main__":
    main()
