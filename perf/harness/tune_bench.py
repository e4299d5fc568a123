#!/usr/bin/env python3
"""The tuner on a GPU: how long a search takes, what it finds, and how far the model's first choice and the chosen configuration
are from the best of many that were all measured.

Everything runs through tawa_tune(). Per shape: a search with its defaults; with --sweep, then, the same function over a list of
configurations instead of the model's choice: all combinations of SWEEP that the rules allow, and what the search tried.

usage: tune_bench.py --library libtawa.so [--kernel FILE] [--json FILE] [--sweep N] [--limit SECONDS] NAME:M,N,K ...
"""

import argparse
import ctypes as c
import itertools
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL = os.path.join(HERE, "..", "..", "tests", "kernels", "gemm_param.mlir")
SWEEP = {
    "BLOCK_M": (64, 128, 256), "BLOCK_N": (64, 128, 256), "BLOCK_K": (64, 128), "GROUP": (8,), "D": (2, 3, 4, 6, 8), "P": (1, 2),
    "consumers": (1, 2), "persistent": (0, 1), "schedule": ("cooperative", "pingpong"), "cluster": (1, 2),
}
MATRIX, SCALAR, F16, I32 = 0, 1, 7, 3


class Arg(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("kind", c.c_int), ("dtype", c.c_int),
                ("rank", c.c_uint32), ("alignment", c.c_uint32), ("data", c.c_void_p), ("integer", c.c_int64), ("number", c.c_double),
                ("shape", c.c_int64 * 8), ("strides", c.c_int64 * 8)]


class Request(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("text", c.c_char_p), ("text_len", c.c_size_t),
                ("name", c.c_char_p), ("args", c.POINTER(Arg)), ("num_args", c.c_uint32), ("reserved2", c.c_uint32), ("config", c.c_char_p)]


class Options(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("hardware", c.c_char_p),
                ("configs", c.c_char_p), ("worker", c.c_char_p), ("isolation", c.c_int), ("predict_only", c.c_uint32), ("top", c.c_uint32),
                ("threads", c.c_uint32), ("seed", c.c_uint64), ("budget_seconds", c.c_double), ("candidate_seconds", c.c_double),
                ("warm", c.c_uint32), ("grid", c.c_uint32 * 3), ("progress", c.c_void_p), ("progress_user", c.c_void_p)]


class Row(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("next", c.c_void_p), ("config", c.c_char_p), ("outcome", c.c_int),
                ("samples", c.c_uint32), ("rule", c.c_char_p), ("reason", c.c_char_p), ("bound", c.c_char_p), ("predicted_us", c.c_double),
                ("median_us", c.c_double), ("best_us", c.c_double), ("spread_us", c.c_double)]


OUTCOMES = ("predicted", "measured", "verified", "failed", "refused")


def sized(structure, **values):
    made = structure(**values)
    made.struct_size = c.sizeof(structure)
    return made


class Tuner:
    def __init__(self, library, kernel, worker):
        self.lib = c.CDLL(library)
        for name in ("tawa_runtime_create", "tawa_tune", "tawa_tune_result_row"):
            getattr(self.lib, name).restype = c.c_int
        self.lib.tawa_tune_result_best.restype = c.c_char_p
        self.lib.tawa_error_message.restype = c.c_char_p
        for name in ("tawa_tune_result_best", "tawa_tune_result_count", "tawa_tune_result_release", "tawa_error_message"):
            getattr(self.lib, name).argtypes = [c.c_void_p]
        self.lib.tawa_tune_result_row.argtypes = [c.c_void_p, c.c_uint32, c.POINTER(Row)]
        with open(kernel, "rb") as stream:
            self.text = stream.read()
        self.kernel, self.worker = kernel.encode(), worker.encode() if worker else None
        self.runtime, error = c.c_void_p(), c.c_void_p()
        if self.lib.tawa_runtime_create(None, c.byref(self.runtime), c.byref(error)):
            sys.exit("tune_bench: " + self.lib.tawa_error_message(error).decode())

    def tune(self, sizes, configs=None, **options):
        m, n, k = sizes
        matrices = [sized(Arg, kind=MATRIX, dtype=F16, rank=2, shape=(c.c_int64 * 8)(*shape)) for shape in ((m, k), (n, k), (m, n))]
        args = (Arg * 6)(*matrices, *(sized(Arg, kind=SCALAR, dtype=I32, integer=value) for value in sizes))
        request = sized(Request, text=self.text, text_len=len(self.text), name=self.kernel, args=args, num_args=6)
        given = sized(Options, configs="\n".join(configs).encode() if configs else None, worker=self.worker, seed=1, **options)
        result, error = c.c_void_p(), c.c_void_p()
        start = time.monotonic()
        status = self.lib.tawa_tune(self.runtime, c.byref(request), c.byref(given), c.byref(result), c.byref(error))
        seconds = time.monotonic() - start
        if status:
            return {"seconds": seconds, "failure": self.lib.tawa_error_message(error).decode(), "best": "", "rows": []}
        rows = []
        for index in range(self.lib.tawa_tune_result_count(result)):
            row = sized(Row)
            self.lib.tawa_tune_result_row(result, index, c.byref(row))
            rows.append({"config": row.config.decode(), "outcome": OUTCOMES[row.outcome], "reason": row.reason.decode(),
                         "predicted_us": row.predicted_us, "median_us": row.median_us, "best_us": row.best_us, "spread_us": row.spread_us})
        best = self.lib.tawa_tune_result_best(result).decode()
        self.lib.tawa_tune_result_release(result)
        return {"seconds": seconds, "best": best, "rows": rows}


def sweep_configs():
    for values in itertools.product(*SWEEP.values()):
        yield " ".join(f"{key}={value}" for key, value in zip(SWEEP, values))


def legal(tuner, sizes):
    """Configurations of the sweep that no rule refuses, the best predicted first; P never exceeds D in it."""
    listed = list(sweep_configs())
    rows = tuner.tune(sizes, listed, predict_only=1)["rows"]
    return [row["config"] for row in rows if row["outcome"] == "predicted"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--kernel", default=KERNEL)
    parser.add_argument("--worker", help="program for candidates; default: the library's")
    parser.add_argument("--sweep", type=int, default=0, help="measure so many configurations of the space, evenly spread over the ranking")
    parser.add_argument("--limit", type=float, default=1e9, help="seconds after which no further shape is begun")
    parser.add_argument("--json", default=os.path.join(os.environ.get("OUT", "."), "tune_bench.json"))
    parser.add_argument("shapes", nargs="+", help="NAME:M,N,K")
    options = parser.parse_args()
    tuner, results, start = Tuner(options.library, options.kernel, options.worker), [], time.monotonic()
    for shape in options.shapes:
        if time.monotonic() - start > options.limit:
            break
        name, numbers = shape.split(":")
        sizes = tuple(map(int, numbers.split(",")))
        found = tuner.tune(sizes)
        tried = [row for row in found["rows"] if row["outcome"] not in ("predicted", "refused")]
        measured = [row for row in tried if row["outcome"] == "measured"]
        result = {"name": name, "sizes": sizes, "seconds": found["seconds"], "best": found["best"], "tried": tried,
                  "failure": found.get("failure", "")}
        if measured:
            first = min(measured, key=lambda row: row["predicted_us"] or 1e9)
            best = next(row for row in measured if row["config"] == found["best"])
            result |= {"best_us": best["median_us"], "first_us": first["median_us"], "first": first["config"]}
        if options.sweep and measured:
            space = legal(tuner, sizes)
            step = max(1, len(space) // options.sweep)
            chosen = list(dict.fromkeys([found["best"], first["config"], *space[:options.sweep // 4], *space[::step]]))
            swept = tuner.tune(sizes, chosen, budget_seconds=600.0)
            rows = [row for row in swept["rows"] if row["outcome"] == "measured"]
            result |= {"legal": len(space), "sweep_seconds": swept["seconds"], "sweep": swept["rows"], "sweep_failure": swept.get("failure", "")}
            if rows:
                fastest = min(rows, key=lambda row: row["median_us"])
                again = {row["config"]: row["median_us"] for row in rows}
                result |= {"fastest": fastest["config"], "fastest_us": fastest["median_us"],
                           "chosen_ratio": again.get(found["best"], 0) / fastest["median_us"],
                           "first_ratio": again.get(first["config"], 0) / fastest["median_us"]}
        results.append(result)
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump(results, stream, indent=1)
        teraflops = 2e-6 * sizes[0] * sizes[1] * sizes[2] / result["best_us"] if measured else 0
        print(f"{name:16} {numbers:>18} {found['seconds']:6.1f} s {result.get('best_us', 0):9.2f} us {teraflops:6.0f} TFLOP/s"
              f"  first {result.get('first_us', 0) / max(result.get('best_us', 1), 1e-9):6.3f}"
              + (f"  sweep of {len(chosen)}: {result.get('sweep_seconds', 0):5.1f} s, chosen {result.get('chosen_ratio', 0):.3f}, first {result.get('first_ratio', 0):.3f}" if options.sweep and measured else "")
              + ("  " + result["failure"] if result["failure"] else ""), flush=True)
        print("    " + found["best"], flush=True)


if __name__ == "__main__":
    main()
