#!/usr/bin/env python3
"""Tawa beside Triton on the same text and arguments, for a machine with a GPU, PyTorch and Triton.

Every file is a kernel in Triton IR with a `// run:` line (tests/conformance/TileProgram.h); a line with `num_warps=` and `num_stages=`
says how Triton is to compile it. Contenders are Triton and one kernel of Tawa for each --config ("" is what
a request without one gets). Results are compared in the same process before anything is timed; times are bursts in CUDA graphs and
isolated launches, in turns (perf/harness/timing.py). Each file runs in a process of its own.

usage: text_bench.py [--config CONFIG]... [--output FILE] FILE...

Prints Triton's time over Tawa's, the slowest first; larger is better for Tawa.
"""

import argparse
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "tests", "conformance")]

SECONDS = 150
ONE = "--one"
PEER = "triton"


def triton_options(text):
    """As the text's authors launch it."""
    found = re.search(r"num_warps=(\d+)(?: num_stages=(\d+))?", text)
    if not found:
        return {}
    return {"num_warps": int(found[1]), **({"num_stages": int(found[2])} if found[2] else {})}


def triton_launch(torch, path, text, arguments, grid):
    import tempfile

    import triton

    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "kernel.ttir")
        with open(copy, "w", encoding="utf-8") as stream:
            stream.write(text)
        kernel = triton.compile(copy, options=triton_options(text))
    values = [value for _, value, _ in arguments]
    return lambda: kernel[grid](*values)


def tawa_launch(torch, path, text, arguments, grid, config):
    """(launch, facts)."""
    import prepared
    import tawa

    passed = [tawa.tensor(dtype, value.shape, value.data_ptr()) if isinstance(value, torch.Tensor) else tawa.scalar(dtype, value)
              for dtype, value, _ in arguments]
    runtime = prepared.runtime(f"cuda:{torch.cuda.current_device()}")
    kernel = prepared.Kernel(runtime, text.encode(), path, passed, config, grid)
    return lambda: kernel.launch(torch.cuda.current_stream().cuda_stream), kernel.info()


def worst_difference(torch, ours, theirs):
    import compare_triton

    gaps = [compare_triton.difference(torch, dtype, left, right)
            for (dtype, left, _), (_, right, _) in zip(ours, theirs) if isinstance(left, torch.Tensor)]
    return max(gaps, default=0.0)


def measure(path, configs):
    """What one file's contenders take, in seconds, with the difference of their first results."""
    import compare_triton
    import timing
    import torch

    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    grid, own, texts = compare_triton.read_run_line(text)
    theirs = compare_triton.make_arguments(torch, texts, seed=1)
    launches = {PEER: triton_launch(torch, path, text, theirs, grid)}
    launches[PEER]()
    found = {"differences": {}, "facts": {}, "failures": {}}
    kept = []  # launches hold addresses only
    for config in configs or [own]:
        name = config or "default"
        ours = compare_triton.make_arguments(torch, texts, seed=1)
        try:
            launch, facts = tawa_launch(torch, path, text, ours, grid, config)
            launch()
            torch.cuda.synchronize()
        except Exception as failure:  # pylint: disable=broad-except  # one configuration less
            found["failures"][name] = str(failure)
            continue
        found["differences"][name] = worst_difference(torch, ours, theirs)
        found["facts"][name] = {key: facts[key] for key in ("config", "threads", "registers", "spill_bytes", "shared_bytes", "declined")}
        launches[name] = launch
        kept.append(ours)
    graphs = {name: timing.Graph(torch, launch) for name, launch in launches.items()}
    times = timing.compare(torch, graphs)
    found["seconds"] = {name: {regime: summary["median"] for regime, summary in each.items()} for name, each in times.items()}
    return found


def measure_apart(path, options):
    command = [sys.executable, os.path.abspath(__file__), ONE, *(f"--config={config}" for config in options.config or []), path]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return {"error": f"did not end in {SECONDS} s"}
    if done.returncode != 0:
        return {"error": (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def rows(results):
    """(ratio, file, name, regime's ratios, facts), the slowest file first, by its default or only configuration."""
    for path, found in results.items():
        if "seconds" not in found:
            continue
        peer = found["seconds"][PEER]
        for name, each in found["seconds"].items():
            if name != PEER:
                ratios = {regime: peer[regime] / seconds for regime, seconds in each.items()}
                yield min(ratios.values()), path, name, ratios, peer, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", action="append")
    parser.add_argument("--output")
    parser.add_argument(ONE, dest="one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.files[0], options.config)))
        return
    results = {}
    for path in options.files:
        results[path] = measure_apart(path, options)
        if options.output:
            with open(options.output, "w", encoding="utf-8") as stream:
                json.dump(results, stream, indent=1)
        print(os.path.basename(path), results[path].get("error", "measured"), file=sys.stderr, flush=True)
    for _, path, name, ratios, peer, found in sorted(rows(results), key=lambda row: row[:3]):
        shown = " ".join(f"{regime} {ratio:.3f}" for regime, ratio in ratios.items())
        first = next(iter(peer))
        print(f"{os.path.basename(path)[:60]:60} {name:20} {PEER} {peer[first] * 1e6:8.1f} us  {shown}  difference {found['differences'][name]:.1e}")
    for path, found in results.items():
        if "error" in found or found.get("failures"):
            print(f"{os.path.basename(path)[:60]:60} {found.get('error') or found['failures']}")


if __name__ == "__main__":
    main()
