#!/usr/bin/env python3
"""Tawa beside Triton on the same text and arguments, for a machine with a GPU, PyTorch and Triton.

Every file is a kernel in Triton IR with a `// run:` line (tests/conformance/TileProgram.h); a line with `num_warps=` and `num_stages=`
says how Triton is to compile it. Contenders are Triton and one kernel of Tawa for each --config ("" is what
a request without one gets). Results are compared in the same process before anything is timed; times are bursts in CUDA graphs and
isolated launches, in turns (perf/harness/timing.py). Each file runs in a process of its own; with --jobs, several compile while one
of them has the GPU. --isolated leaves the bursts out. With --best, Triton also compiles it with the other warps and stages of PEER_OPTIONS, and its
fastest counts in each regime. Beside a text that says `bytes=` stands a copy that moves as many.

usage: text_bench.py [--config CONFIG]... [--output FILE] [--jobs N] [--isolated] [--best] [--portable] [--search SECONDS] FILE...

Prints Triton's time over Tawa's, the slowest first; larger is better for Tawa.
"""

import argparse
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "tests", "conformance")]

import timing  # pylint: disable=wrong-import-position

SECONDS = 400
ONE = "--one"
PEER, OTHERS, DEFAULT, SEARCHED, COPY = "triton", "triton others", "default", "searched", "copy"
PEER_OPTIONS = (4, 2), (4, 3), (4, 4), (8, 2), (8, 3)  # warps and stages
FACTS = ("config", "threads", "registers", "spill_bytes", "shared_bytes", "declined")


def triton_options(text):
    """As the text's authors launch it."""
    found = re.search(r"num_warps=(\d+)(?: num_stages=(\d+))?", text)
    if not found:
        return {}
    return {"num_warps": int(found[1]), **({"num_stages": int(found[2])} if found[2] else {})}


def triton_kernel(triton, path, options, portable):
    """What Triton makes of a text for this GPU, or of its PTX for sm_80."""
    if not portable:
        return triton.compile(path, options=options)
    from triton.backends.compiler import GPUTarget

    kernel = triton.compile(path, target=GPUTarget("cuda", 80, 32), options=options)
    ptxas = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin", "ptxas")
    code, binary = path + ".ptx", path + ".cubin"
    with open(code, "w", encoding="utf-8") as stream:
        stream.write(kernel.asm["ptx"])
    subprocess.run([ptxas, "-arch=sm_90", code, "-o", binary], check=True, capture_output=True)
    with open(binary, "rb") as stream:
        kernel.kernel = stream.read()
    return kernel


def triton_launch(torch, text, arguments, grid, portable, compile_options):
    import triton

    # For descriptors that a kernel makes itself.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, device="cuda", dtype=torch.int8))
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "kernel.ttir")
        with open(copy, "w", encoding="utf-8") as stream:
            stream.write(text)
        kernel = triton_kernel(triton, copy, compile_options, portable)
    values = [value for _, value, _ in arguments]
    return lambda: kernel[grid](*values)


def triton_launches(torch, text, arguments, others, grid, options):
    """By name: as the text's authors compile it, and with --best as it fits otherwise, on `others`: results may grow with each launch."""
    own = triton_options(text)
    found = {PEER: triton_launch(torch, text, arguments, grid, options.portable, own)}
    for warps, stages in PEER_OPTIONS if options.best else ():
        other = {"num_warps": warps, "num_stages": stages}
        if other == own:
            continue
        try:
            launch = triton_launch(torch, text, others, grid, options.portable, other)
            launch()
            found[f"{PEER} {warps},{stages}"] = launch
        except Exception as failure:  # pylint: disable=broad-except  # out of shared memory
            print(f"{PEER} {warps},{stages}: {str(failure).splitlines()[0]}", file=sys.stderr)
    return found


def copy_launch(torch, text):
    """{name: a copy that moves as many bytes as the kernel has to}"""
    found = re.search(r"^//.* bytes=(\d+)", text, re.MULTILINE)
    if not found:
        return {}
    source = torch.zeros(int(found[1]) // 2, device="cuda", dtype=torch.int8)
    target = torch.empty_like(source)
    return {COPY: lambda: target.copy_(source)}


def passed_to_tawa(torch, arguments):
    import tawa

    return [tawa.tensor(dtype, value.shape, value.data_ptr()) if isinstance(value, torch.Tensor) else tawa.scalar(dtype, value)
            for dtype, value, _ in arguments]


def tawa_launch(torch, path, text, arguments, grid, config):
    """(launch, facts)"""
    import prepared

    runtime = prepared.runtime(f"cuda:{torch.cuda.current_device()}")
    kernel = prepared.Kernel(runtime, text.encode(), path, passed_to_tawa(torch, arguments), config, grid)
    return lambda: kernel.launch(torch.cuda.current_stream().cuda_stream), kernel.info()


def search(torch, path, text, arguments, grid, options):
    """The configuration that a search chooses."""
    import tawa

    with timing.device_alone(options.lock), tempfile.TemporaryDirectory() as folder:
        runtime = tawa.Runtime(f"cuda:{torch.cuda.current_device()}", cache_dir=folder)
        return runtime.tune(text.encode(), *passed_to_tawa(torch, arguments), name=path, grid=grid, budget_seconds=options.search).best


def worst_difference(torch, ours, theirs):
    import compare_triton

    gaps = [compare_triton.difference(torch, dtype, left, right)
            for (dtype, left, _), (_, right, _) in zip(ours, theirs) if isinstance(left, torch.Tensor)]
    return max(gaps, default=0.0)


def compile_all(torch, path, texts, grid, configs, options):
    """({name: launch}, {name: arguments}, {name: facts}, {name: why there is none})"""
    import compare_triton

    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    configs = {config or DEFAULT: config for config in configs} | ({SEARCHED: None} if options.search else {})
    with timing.device_alone(options.lock):
        names = (PEER, *([OTHERS] if options.best else []), *configs)
        arguments = {name: compare_triton.make_arguments(torch, texts, seed=1) for name in names}
        torch.cuda.synchronize()
    launches, facts, failures = triton_launches(torch, text, arguments[PEER], arguments.get(OTHERS), grid, options), {}, {}
    for name, config in configs.items():
        try:
            if name == SEARCHED:
                config = search(torch, path, text, arguments[name], grid, options)
            launches[name], facts[name] = tawa_launch(torch, path, text, arguments[name], grid, config)
        except Exception as failure:  # pylint: disable=broad-except  # one configuration less
            failures[name] = str(failure)
    launches |= copy_launch(torch, text)
    return launches, arguments, facts, failures


def measure(path, options):
    """What one file's contenders take, in seconds, with the difference of their first results."""
    import compare_triton
    import torch

    with open(path, encoding="utf-8") as stream:
        grid, own, texts = compare_triton.read_run_line(stream.read())
    # The arguments stay: launches hold addresses only.
    launches, arguments, facts, failures = compile_all(torch, path, texts, grid, options.config or [own], options)
    found = {"differences": {}, "failures": failures}
    with timing.device_alone(options.lock):
        for launch in launches.values():
            launch()
        torch.cuda.synchronize()
        for name in facts:
            found["differences"][name] = worst_difference(torch, arguments[name], arguments[PEER])
        contenders = launches if options.isolated else {name: timing.Graph(torch, launch) for name, launch in launches.items()}
        times = timing.compare(torch, contenders, burst=not options.isolated)
    found["facts"] = {name: {key: each[key] for key in FACTS} for name, each in facts.items()}
    found["seconds"] = {name: {regime: summary["median"] for regime, summary in each.items()} for name, each in times.items()}
    return found


def measure_apart(path, options, lock):
    flags = ["--lock", lock, *(f"--{name}" for name in ("isolated", "portable", "best") if getattr(options, name))]
    flags += ["--search", str(options.search)] if options.search else []
    command = [sys.executable, os.path.abspath(__file__), ONE, *flags, *(f"--config={config}" for config in options.config or []), path]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False,
                              env=os.environ | ({"TAWA_TARGET": "portable"} if options.portable else {}))
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
        times = found["seconds"]
        peer = {regime: min(each[regime] for name, each in times.items() if name.startswith(PEER)) for regime in times[PEER]}
        for name, each in times.items():
            if not name.startswith((PEER, COPY)):
                ratios = {regime: peer[regime] / seconds for regime, seconds in each.items()}
                yield min(ratios.values()), path, name, ratios, peer, found


def measure_files(options):
    results = {}
    with tempfile.NamedTemporaryFile() as lock, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        started = {pool.submit(measure_apart, path, options, lock.name): path for path in options.files}
        for done in concurrent.futures.as_completed(started):
            path = started[done]
            results[path] = done.result()
            if options.output:
                with open(options.output, "w", encoding="utf-8") as stream:
                    json.dump(results, stream, indent=1)
            print(os.path.basename(path), results[path].get("error", "measured"), file=sys.stderr, flush=True)
    return results


def show(results):
    means = {}
    for worst, path, name, ratios, peer, found in sorted(rows(results), key=lambda row: row[:3]):
        means.setdefault(name, []).append(math.log(worst))
        shown = " ".join(f"{regime} {ratio:.3f}" for regime, ratio in ratios.items())
        first = next(iter(peer))
        moved = found["seconds"].get(COPY)
        shown += f"  of a copy {max(moved[regime] / found['seconds'][name][regime] for regime in moved):.3f}" if moved else ""
        print(f"{os.path.basename(path)[:60]:60} {name:20} {PEER} {peer[first] * 1e6:8.1f} us  {shown}  difference {found['differences'][name]:.1e}")
    for path, found in results.items():
        if "error" in found or found.get("failures"):
            print(f"{os.path.basename(path)[:60]:60} {found.get('error') or found['failures']}")
    for name, logs in means.items():
        print(f"{name}: geometric mean {math.exp(sum(logs) / len(logs)):.3f} of {len(logs)} files, each in its worst regime")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", action="append")
    parser.add_argument("--output")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--isolated", action="store_true")
    parser.add_argument("--best", action="store_true")
    parser.add_argument("--portable", action="store_true")
    parser.add_argument("--search", type=float, default=0, metavar="SECONDS")
    parser.add_argument(ONE, dest="one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--lock", help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.files[0], options)))
        return
    show(measure_files(options))


if __name__ == "__main__":
    main()
