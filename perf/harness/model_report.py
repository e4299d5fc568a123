#!/usr/bin/env python3
"""The performance model against measurements: asks `tawa tune --predict` for every problem and configuration of result files.

Per problem: prediction error, rank correlation, and the regret of the model's first choice and of its first k: time of the
best of them over the best that was measured. A result file has quick times of all configurations, taken without idle gaps,
so that long kernels throttle one another, and careful ones of the finalists. Where there is a careful time it counts; quick
ones are scaled by the finalists' median ratio of the two. Configurations with `raster` are left out: in these files it still divided
seven times per tile, in the loop.

usage: model_report.py --tawa build/dev/bindings/cli/tawa [--json FILE] [RESULTS.json ...]
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = [os.path.join(HERE, "..", "results", f"2026-11-22-{name}.json") for name in ("square-schedules", "models", "persistent")]
KERNEL = os.path.join(HERE, "..", "..", "tests", "kernels", "gemm_param.mlir")
TOP = (1, 3, 5, 8, 12)


def measured(row):
    """{configuration: seconds}."""
    quick, careful = {c: t for c, t in row["quick_seconds"].items() if "raster" not in c}, row["seconds"]
    first = next(iter(quick))  # measured with a cool card
    both = [careful[c] / quick[c] for c in careful if c in quick and c != first]
    scale = statistics.median(both) if both else 1.0
    return {config: careful.get(config, seconds * scale) for config, seconds in quick.items()}


def predicted(options, sizes, configs):
    """{configuration: seconds}, and seconds that the program took."""
    m, n, k = sizes
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(configs))
        file.flush()
        command = [options.tawa, "tune", options.kernel, "--predict", "--warm", "--json", "--hardware", options.hardware]
        command += ["--device", "emulator", "--configs", file.name]
        for name, value in (("a", f"f16[{m},{k}]"), ("b", f"f16[{n},{k}]"), ("c", f"f16[{m},{n}]"), ("M", m), ("N", n), ("K", k)):
            command += ["--arg", f"{name}={value}"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    times = {settings(row["config"]): row.get("predicted_us", math.nan) / 1e6 for row in answer["rows"]}
    return {config: times[settings(complete(config))] for config in configs}


DEFAULTS = {"BLOCK_M": "64", "BLOCK_N": "64", "BLOCK_K": "64", "GROUP": "8", "D": "4", "P": "1", "consumers": "2",
            "epilogue": "2", "warps": "0", "persistent": "0", "schedule": "cooperative", "raster": "0", "cluster": "1"}


def complete(config):
    return " ".join(f"{key}={value}" for key, value in (DEFAULTS | dict(word.split("=") for word in config.split())).items())


def settings(config):
    words = dict(word.split("=") for word in config.split())
    return tuple(sorted((key, words[key]) for key in DEFAULTS))


def rank_correlation(times, guesses):
    """Spearman's, without ties."""
    def ranks(values):
        order = sorted(range(len(values)), key=values.__getitem__)
        return {index: rank for rank, index in enumerate(order)}
    a, b, n = ranks(times), ranks(guesses), len(times)
    return 1 - 6 * sum((a[i] - b[i]) ** 2 for i in range(n)) / (n * (n * n - 1)) if n > 1 else 1.0


def judge(options, file, row):
    times = measured(row)
    guesses = predicted(options, row["sizes"], list(times))
    judged = [config for config in times if not math.isnan(guesses[config])]
    order = sorted(judged, key=guesses.get)
    best = min(times.values())
    errors = [abs(guesses[config] / times[config] - 1) for config in judged]
    return {
        "file": os.path.basename(file),
        "name": row["name"],
        "sizes": row["sizes"],
        "configurations": len(times),
        "refused": len(times) - len(judged),
        "error": statistics.fmean(errors),
        "correlation": rank_correlation([times[c] for c in judged], [guesses[c] for c in judged]),
        "regret": {str(k): min(times[config] for config in order[:k]) / best for k in TOP},
        "chosen": order[0],
        "best": min(times, key=times.get),
    }


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def print_table(rows):
    print(f"{'problems':30} {'count':>5} {'error':>7} {'rank':>6} " + " ".join(f"top-{k:<4}" for k in TOP) + "  worst top-1")
    groups = {}
    for row in rows:
        groups.setdefault(row["file"], []).append(row)
    for name, members in [*groups.items(), ("all", rows)]:
        regrets = " ".join(f"{geomean([row['regret'][str(k)] for row in members]):8.4f}" for k in TOP)
        print(f"{name[:30]:30} {len(members):5} {statistics.fmean(r['error'] for r in members):7.1%} "
              f"{statistics.fmean(r['correlation'] for r in members):6.2f} {regrets}  {max(r['regret']['1'] for r in members):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tawa", required=True, help="the tawa program")
    parser.add_argument("--kernel", default=KERNEL)
    parser.add_argument("--hardware", default="h200")
    parser.add_argument("--json", help="where the rows go")
    parser.add_argument("--verbose", action="store_true", help="name problems whose first choice loses more than 4 %%")
    parser.add_argument("results", nargs="*", default=RESULTS)
    options = parser.parse_args()
    rows = []
    for file in options.results:
        with open(file, encoding="utf-8") as stream:
            rows += [judge(options, file, row) for row in json.load(stream)["rows"] if "failure" not in row]
    print_table(rows)
    if options.verbose:
        for row in rows:
            if row["regret"]["1"] > 1.04:
                print(f"{row['name']} {row['sizes']}: chose {row['chosen']}, best {row['best']}, {row['regret']['1']:.3f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump(rows, stream, indent=1)


if __name__ == "__main__":
    sys.exit(main())
