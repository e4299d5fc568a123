#!/usr/bin/env python3
"""Fits rates of a hardware description to measurements. The model's formulas are the library's: tawa-model-times evaluates them.

Reads result files as model_report.py does (gemm_sweep.py and attention_bench.py write them), starts from the description that is
given and changes the rates that are named, one after the other: each is scaled up and down by a step, the better value is kept,
and the step is halved once no rate moves any more. Every rate stays within --bound of what it began with, since measurements of
a few kinds of kernels do not tell all rates apart. The error is the mean of |predicted / measured - 1| over problems, as
model_report.py counts it. Limits of the hardware (shared memory, registers, ...) come from its manual and are not fitted.

usage: fit_rates.py --model build/dev/perf/tawa-model-times --tawa build/dev/bindings/cli/tawa [--hardware my_gpu.hw]
                    [--rates launch_latency,memory_rate,...] [-o fitted.hw] [RESULTS.json ...]
"""

import argparse
import itertools
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

import model_report

#: Rates and latencies that the model reads, in the order in which they are tried.
RATES = ("memory_rate", "l2_rate", "port_rate", "shared_rate", "store_rate", "tensor_usable", "power_tensor_16bit", "power_shared", "power_l2",
         "power_memory", "launch_latency", "cta_latency", "load_latency", "load_overhead", "absent_row", "dot_gap", "dot_gap_more",
         "store_latency", "handover", "cluster_sync", "port_rate_broken")
LINE = re.compile(r"^(\w+)(\s*=\s*)([0-9.eE+-]+)(.*)$")


class Description:
    """A description's text, whose numbers can be replaced; units and all other lines stay."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.values = {m[1]: float(m[3]) for m in map(LINE.match, self.lines) if m}

    def with_values(self, values):
        def replaced(line):
            found = LINE.match(line)
            return f"{found[1]}{found[2]}{values[found[1]]:.6g}{found[4]}" if found and found[1] in values else line
        return "\n".join(map(replaced, self.lines)) + "\n"


class Model:
    """The library's model for a fixed list of problems."""

    def __init__(self, program, problems, folder):
        self.counts = [len(problem["times"]) for problem in problems]
        self.measured = [list(problem["times"].values()) for problem in problems]
        self.file = os.path.join(folder, "candidate.hw")
        launches = os.path.join(folder, "launches.txt")
        with open(launches, "w", encoding="utf-8") as stream:
            for problem in problems:
                stream.write("\n".join(lines_of(problem)) + "\n")
        self.process = subprocess.Popen([program, launches], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def times(self, text):
        """Predictions of every problem for a description; none for one that the library refuses, such as a fraction above 1."""
        with open(self.file, "w", encoding="utf-8") as stream:
            stream.write(text)
        self.process.stdin.write(self.file + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line.startswith("refused:"):
            return None
        answer = list(map(float, line.split()))
        if len(answer) != sum(self.counts):
            sys.exit("tawa-model-times failed; its message is above")
        ends = list(itertools.accumulate(self.counts))
        return [answer[end - count:end] for count, end in zip(self.counts, ends)]

    def error(self, text):
        predictions = self.times(text)
        if predictions is None:
            return math.inf
        errors = [[abs(guess / time - 1) for guess, time in zip(guesses, times) if not math.isnan(guess)]
                  for guesses, times in zip(predictions, self.measured)]
        return statistics.fmean(statistics.fmean(each) for each in errors if each)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def lines_of(problem):
    """One problem as tawa-model-times reads it."""
    yield f"kernel {problem['kernel']}"
    if problem.get("grid"):
        yield "grid " + " ".join([*map(str, problem["grid"]), "1", "1"][:3])
    if problem.get("warm"):
        yield "warm"
    for name, numbers in problem["arguments"].items():
        yield f"argument {name} " + " ".join(map(str, numbers))
    yield from (f"config {config}" for config in problem["times"])


def numbers_of(value):
    """Of `f16[8192,4096]` or a number."""
    shape = re.search(r"\[(.*)\]", value) if isinstance(value, str) else None
    return [int(size) for size in shape[1].split(",")] if shape else [value]


def problems_of(options, row):
    """A row of a result file as problems: one for each kernel that its configurations name."""
    times, is_attention = model_report.measured(row), "kind" in row
    if is_attention:
        sizes = (row["kind"], row.get("head_dim", 128), row["length"])
        arguments, grid = model_report.attention_arguments(*sizes)
        usual = os.path.join(model_report.KERNELS, "attention", model_report.ATTENTION[row["kind"]])
        fixed = f"HEAD_DIM={sizes[1]} "
    else:
        usual, fixed = options.kernel, ""
    by_kernel = {}
    for config, seconds in times.items():
        kernel, settings = model_report.split_name(config)
        by_kernel.setdefault(kernel or usual, {})[fixed + settings] = seconds
    for kernel, each in by_kernel.items():
        if not is_attention:
            arguments, grid = model_report.product_arguments(row["sizes"], kernel)
        yield {"kernel": kernel, "grid": grid and [int(size) for size in grid.split(",")], "warm": not options.cold, "times": each,
               "arguments": {name: numbers_of(value) for name, value in arguments.items()}}


def fit(error, start, rates, bound, step=0.2, least=0.002):
    """Coordinate descent: {rate: value} with the least error, and that error."""
    values = {rate: start[rate] for rate in rates}
    best = error(values)
    while step >= least:
        moved = False
        for rate in rates:
            for factor in (1 + step, 1 / (1 + step)):
                tried = values | {rate: values[rate] * factor}
                if not start[rate] / bound <= tried[rate] <= start[rate] * bound or (found := error(tried)) >= best:
                    continue
                values, best, moved = tried, found, True
                break
        step = step if moved else step / 2
    return values, best


def whole_description(options):
    """The description with all its keys, as the library prints it."""
    command = [options.tawa, "hardware", "--check", options.hardware] if options.hardware.endswith(".hw") else \
        [options.tawa, "hardware", "--name", options.hardware]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_problems(options):
    for file in options.results:
        with open(file, encoding="utf-8") as stream:
            content = json.load(stream)
        if "problems" in content:  # already as lines_of() wants them
            yield from content["problems"]
            continue
        for row in content["rows"]:
            if "failure" not in row:
                yield from problems_of(options, row)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="the program tawa-model-times")
    parser.add_argument("--tawa", required=True, help="the tawa program")
    parser.add_argument("--hardware", default="h200", help="the description to begin with: a name or a .hw file")
    parser.add_argument("--rates", default=",".join(RATES), help="which of its rates are fitted")
    parser.add_argument("--bound", type=float, default=1.5, help="the most that a rate changes, as a factor")
    parser.add_argument("--kernel", default=model_report.KERNEL)
    parser.add_argument("--cold", action="store_true", help="L2 was emptied before each launch")
    parser.add_argument("-o", "--output", help="where the fitted description goes")
    parser.add_argument("results", nargs="*", default=model_report.RESULTS)
    options = parser.parse_args()
    description = Description(whole_description(options))
    rates = [rate for rate in options.rates.split(",") if rate]
    if unknown := [rate for rate in rates if rate not in description.values]:
        parser.error(f"the description has no rate {', '.join(unknown)}")
    with tempfile.TemporaryDirectory() as folder:
        model = Model(options.model, list(read_problems(options)), folder)
        before = model.error(description.with_values({}))
        values, after = fit(lambda tried: model.error(description.with_values(tried)), description.values, rates, options.bound)
        model.close()
    for rate in rates:
        print(f"{rate:20} {description.values[rate]:10.6g} -> {values[rate]:10.6g}")
    print(f"mean error of {sum(model.counts)} launches: {before:.2%} -> {after:.2%}")
    if options.output:
        with open(options.output, "w", encoding="utf-8") as stream:
            stream.write(description.with_values(values))


if __name__ == "__main__":
    sys.exit(main())
