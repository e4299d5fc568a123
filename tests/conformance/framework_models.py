#!/usr/bin/env python3
"""The models of framework_nets.py under torch.compile: as PyTorch and Triton run them, and on Tawa's back end for Triton
(tawa.triton). For a machine with a GPU, PyTorch 2.11 and Triton 3.6.

Every run is a process of its own with caches of its own: cold, with only Tawa's cache from the cold run, and with all caches from
it. Compared are outputs, or for training steps losses and weights; times are of the first step, compiling included, and of later
ones.

usage: framework_models.py [--output FILE] [--jobs N] [MODEL...]

Prints one table and the reasons of what fell back. Exits with 1 where a run fails, results differ or nothing was taken. Runs
side by side (--jobs) disturb each other's times. framework_kernels.py times the same models kernel by kernel.
"""

import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from framework_nets import MODELS, on_the_gpu, step_of

ONE = "--one"
SECONDS = 240
STEPS, REPEATS = 3, 30
TOLERANCE = 2e-2
#: Run: (on Tawa, the run whose caches it inherits, which of them).
RUNS = {"stock cold": (False, None, ()), "stock warm": (False, "stock cold", ("inductor", "triton")), "tawa cold": (True, None, ()),
        "tawa cached": (True, "tawa cold", ("tawa",)), "tawa warm": (True, "tawa cold", ("inductor", "triton", "tawa"))}


# ---- one run ------------------------------------------------------------------------------------------------------------


def results_of(torch, net, outputs, is_training):
    """What is compared: the last output, or losses and the beginning of each weight."""
    if not is_training:
        return [outputs[-1].float().cpu()]
    return [torch.stack(outputs).cpu(), torch.cat([weight.detach().float().flatten()[:1000] for weight in net.parameters()]).cpu()]


def run_one(name, on_tawa, result):
    begun = time.perf_counter()
    import torch

    if on_tawa:
        import tawa.triton

        assert tawa.triton.enable()
    net, inputs, options, is_training = on_the_gpu(torch, name)
    ready = time.perf_counter()
    torch.cuda.synchronize()
    step = step_of(torch, torch.compile(net, **options), is_training)
    outputs = []
    for _ in range(STEPS):
        outputs.append(step(*inputs).clone())
        torch.cuda.synchronize()
        if len(outputs) == 1:
            first = time.perf_counter() - ready
    torch.save(results_of(torch, net, outputs, is_training), result + ".pt")
    found = {"first_s": first, "begin_s": ready - begun, "step_ms": step_times(torch, lambda: step(*inputs))}
    if on_tawa:
        found["report"] = tawa.triton.report().as_dict()
    with open(result, "w", encoding="utf-8") as file:
        json.dump(found, file)


def step_times(torch, step):
    """Median milliseconds of a step, on the GPU's clock."""
    for _ in range(5):
        step()
    times = []
    for _ in range(REPEATS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        step()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


# ---- all runs -----------------------------------------------------------------------------------------------------------


def run_apart(name, run, folder):
    """A run in a process of its own: what it found, or {"failure": why}."""
    on_tawa, ancestor, inherited = RUNS[run]
    place = os.path.join(folder, name, run.replace(" ", "_"))
    os.makedirs(place, exist_ok=True)
    old = os.path.join(folder, name, (ancestor or run).replace(" ", "_"))
    caches = {kind: os.path.join(old if kind in inherited else place, kind) for kind in ("inductor", "triton", "tawa")}
    environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": caches["inductor"], "TRITON_CACHE_DIR": caches["triton"],
                                "TAWA_CACHE_DIR": os.path.abspath(caches["tawa"]), "TAWA_CACHE": "on"}
    result = os.path.join(place, "result.json")
    command = [sys.executable, os.path.abspath(__file__), ONE, name, "--result", result, *(["--tawa"] if on_tawa else [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, env=environment)
    except subprocess.TimeoutExpired:
        return {"failure": f"did not end in {SECONDS} s"}
    if done.returncode:
        return {"failure": f"status {done.returncode}: {done.stderr.strip()[-1500:]}"}
    with open(result, encoding="utf-8") as file:
        return json.load(file) | {"result": result + ".pt"}


def difference(left, right):
    """Largest distance of two runs' results, by the largest number."""
    import torch

    gaps = []
    for ours, theirs in zip(torch.load(left), torch.load(right)):
        gaps.append(((ours - theirs).abs().max() / theirs.abs().max().clamp(min=1e-6)).item())
    return max(gaps)


def run_model(name, folder, runs):
    found = {run: run_apart(name, run, folder) for run in runs}
    failures = {run: each["failure"] for run, each in found.items() if "failure" in each}
    if not failures:
        for run in runs:
            if RUNS[run][0]:
                found[run]["difference"] = difference(found[run]["result"], found["stock cold"]["result"])
    for each in found.values():
        each.pop("result", None)
    return {"model": name, "runs": found, "failures": failures}


def line_of(each):
    if each["failures"]:
        whys = "; ".join(f"{run}: {why.splitlines()[-1]}" for run, why in each["failures"].items())
        return f"{each['model']:22} FAILED {whys}"
    runs, report = each["runs"], each["runs"]["tawa cold"]["report"]
    gap = max(run.get("difference", 0.0) for run in runs.values())
    steps = [[run["step_ms"] for run in runs.values() if ("report" in run) == on_tawa][-1] for on_tawa in (False, True)]
    firsts = " ".join(f"{runs[run]['first_s']:11.1f}" if run in runs else f"{'-':>11}" for run in RUNS)
    return (f"{each['model']:22} {report['taken']:5} {report['fallen_back']:6} {gap:10.1e} {firsts} {steps[0]:9.3f} "
            f"{steps[1]:9.3f} {steps[0] / steps[1]:6.3f}")


def is_right(each):
    if each["failures"]:
        return False
    ours = [run for run in each["runs"].values() if "report" in run]
    return all(run["difference"] <= TOLERANCE and run["report"]["taken"] for run in ours)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", help="JSON with everything")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--runs", default=",".join(RUNS), help="some of them, the cold ones among them; default: %(default)s")
    parser.add_argument(ONE, dest="one", help=argparse.SUPPRESS)
    parser.add_argument("--result", help=argparse.SUPPRESS)
    parser.add_argument("--tawa", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="*", help=", ".join(MODELS))
    options = parser.parse_args()
    if options.one:
        run_one(options.one, options.tawa, options.result)
        return 0
    all_found = []
    print(f"{'':22} kernels on           seconds to the end of the first step" + " " * 25 + "ms of a later step")
    runs = " ".join(f"{run:>11}" for run in RUNS)
    print(f"{'model':22} {'Tawa':>5} {'Triton':>6} {'difference':>10} {runs} {'stock':>9} {'Tawa':>9} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda name: run_model(name, folder, options.runs.split(",")), options.models or list(MODELS)):
            all_found.append(found)
            print(line_of(found), flush=True)
            if options.output:
                with open(options.output, "w", encoding="utf-8") as file:
                    json.dump(all_found, file, indent=1)
    reasons = {}
    for found in all_found:
        for why, count in found["runs"]["tawa cold"].get("report", {}).get("reasons", {}).items():
            reasons[why] = reasons.get(why, 0) + count
    for why, count in sorted(reasons.items(), key=lambda pair: -pair[1]):
        print(f"{count} on Triton: {why}")
    return 0 if all(map(is_right, all_found)) else 1


if __name__ == "__main__":
    sys.exit(main())
