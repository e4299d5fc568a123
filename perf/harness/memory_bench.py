#!/usr/bin/env python3
"""Memory-bound tile kernels: Tawa beside Triton on the same text, on one Hopper GPU (perf/README.md, "Method").

Each contender compiles the text of tile_kernels.py once per number of warps; the best of them counts for each, and the
one that is its default is shown too. Launches are replayed from a CUDA graph, so that what is timed is the kernel and not
the interpreter that launches it. Outputs are poisoned before and compared with a float64 reference after. The bandwidth
of a device-to-device copy of the larger size is measured in the same run.

usage: memory_bench.py [--size N]... [--kernel NAME]... [--json FILE]
"""

import argparse
import json
import os
import statistics
import sys
import tempfile

import prepared
import tawa
import tile_kernels
import timing

WARPS = (4, 8, 16)
TRITON_DEFAULT = 4


class Data:
    """Inputs of a case, random normal, and its reference."""

    def __init__(self, torch, case):
        kinds = {"f16": torch.float16, "f32": torch.float32}
        generator = torch.Generator(device="cuda").manual_seed(1)
        make = lambda dtype, shape: torch.randn(shape, device="cuda", generator=generator).to(kinds[dtype])
        self.torch, self.case = torch, case
        self.inputs = [make(dtype, shape) for dtype, shape in case.inputs]
        self.output = torch.empty(case.output[1], device="cuda", dtype=kinds[case.output[0]])
        self.reference = case.reference(*self.inputs)

    def error_of(self, launch):
        """Largest error relative to the largest value of the reference's row; NaN where nothing was written."""
        self.output.fill_(float("nan"))
        launch()
        self.torch.cuda.synchronize()
        difference = (self.output.double() - self.reference).abs().amax(-1)
        return (difference / self.reference.abs().amax(-1)).max().item()

    def dtypes(self):
        return [dtype for dtype, _ in self.case.inputs] + [self.case.output[0]]


def tawa_launch(torch, runtime, case, data, warps):
    tensors = [*data.inputs, data.output]
    args = [tawa.tensor(dtype, each.shape, each.data_ptr()) for dtype, each in zip(data.dtypes(), tensors)]
    args += [tawa.scalar(dtype, value) for dtype, value in case.scalars]
    kernel = prepared.Kernel(runtime, case.text.encode(), case.name, args, f"warps={warps}", case.grid)
    return kernel, lambda: kernel.launch(torch.cuda.current_stream().cuda_stream)


def triton_launch(triton, path, case, data, warps):
    kernel = triton.compile(path, options={"num_warps": warps})
    arguments = [*data.inputs, data.output, *(value for _, value in case.scalars)]
    bound = kernel[case.grid]
    return kernel, lambda: bound(*arguments)


def contenders_of(torch, triton, runtime, case, data):
    """{name: launch}, and what could not be compiled."""
    found, failures, about = {}, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"{case.name}.ttir")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(case.text)
        for warps in (0, *WARPS):
            try:
                kernel, launch = tawa_launch(torch, runtime, case, data, warps)
                found[f"tawa/{warps}"], about[f"tawa/{warps}"] = launch, kernel.info()
            except tawa.Error as failure:
                failures[f"tawa/{warps}"] = str(failure)
        for warps in WARPS:
            try:
                kernel, found[f"triton/{warps}"] = triton_launch(triton, path, case, data, warps)
                about[f"triton/{warps}"] = {"registers": kernel.n_regs, "spills": kernel.n_spills}
            except Exception as failure:  # pylint: disable=broad-except  # whatever the peer raises is its result
                failures[f"triton/{warps}"] = repr(failure)
    return found, failures, about


def run_case(torch, triton, runtime, case):
    data = Data(torch, case)
    launches, failures, about = contenders_of(torch, triton, runtime, case, data)
    errors = {name: data.error_of(launch) for name, launch in launches.items()}
    replays = {name: timing.Graph(torch, launch) for name, launch in launches.items()}
    times = timing.compare(torch, replays)
    seconds = {name: times[name][timing.BURST]["median"] for name in times}
    after = {name: data.error_of(launch) for name, launch in launches.items()}
    return {
        "kernel": case.name,
        "shape": list(case.output[1]),
        "bytes": case.bytes,
        "tolerance": case.tolerance,
        "seconds": seconds,
        "times": times,
        "errors": errors,
        "errors_after": after,
        "failures": failures,
        "about": about,
    }


def copy_bandwidth(torch, size):
    source = torch.randn(size, size, device="cuda")
    target = torch.empty_like(source)
    seconds = statistics.median(
        timing.burst_group(torch, lambda: target.copy_(source), 1e-4) for _ in range(timing.BURST_GROUPS)
    )
    return 2 * source.numel() * 4 / seconds


def best(row, who, regime=timing.BURST):
    """The fastest of the numbers of warps, which are the same for both."""
    own = {f"{who}/{warps}": row["times"][f"{who}/{warps}"][regime]["median"] for warps in WARPS if f"{who}/{warps}" in row["times"]}
    return min(own.items(), key=lambda item: item[1]) if own else (None, float("nan"))


def ratio(row, regime):
    return best(row, "triton", regime)[1] / best(row, "tawa", regime)[1]


def is_right(row):
    wrong = lambda error: not error <= row["tolerance"]  # NaN is wrong
    names = [name for name in row["errors"] if name.startswith("tawa/")]
    return names and not any(wrong(row[when][name]) for when in ("errors", "errors_after") for name in names)


def print_table(rows, copy):
    print(f"copy {copy / 1e9:.0f} GB/s")
    print(f"{'kernel':18} {'shape':>11} {'tawa us':>8} {'warps':>5} {'auto us':>8} {'triton us':>9} {'warps':>5} "
          f"{'default':>8} {'burst':>6} {'warm':>6} {'cold':>6} {'GB/s':>6} {'of copy':>7} {'error':>8}")
    for row in rows:
        (own, seconds), (peer, peer_seconds) = best(row, "tawa"), best(row, "triton")
        if own is None:
            print(f"{row['kernel']:18} FAILED {next(iter(row['failures'].values()))[:150]}")
            continue
        rate = row["bytes"] / seconds
        auto = row["seconds"].get("tawa/0", float("nan"))
        default = row["seconds"].get(f"triton/{TRITON_DEFAULT}", float("nan"))
        print(f"{row['kernel']:18} {'x'.join(map(str, row['shape'])):>11} {seconds * 1e6:8.2f} {own[5:]:>5} "
              f"{auto * 1e6:8.2f} {peer_seconds * 1e6:9.2f} {(peer or 'triton/-')[7:]:>5} {default * 1e6:8.2f} "
              f"{ratio(row, timing.BURST):6.3f} {ratio(row, timing.WARM):6.3f} {ratio(row, timing.COLD):6.3f} {rate / 1e9:6.0f} {rate / copy:7.3f} {row['errors'][own]:8.1e}"
              + ("" if is_right(row) else "  WRONG RESULT"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", action="append", type=int, help="rows and columns (default: 1024 and 8192)")
    parser.add_argument("--kernel", action="append", help="only these")
    default_json = os.path.join(os.environ.get("OUT", "."), "memory_bench.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    import torch
    import triton

    torch.zeros(1, device="cuda")  # makes the primary context current on this thread
    runtime = prepared.runtime(f"cuda:{torch.cuda.current_device()}")
    sizes = options.size or [1024, 8192]
    copy = copy_bandwidth(torch, max(sizes))
    rows = []
    for size in sizes:
        for make in tile_kernels.ALL:
            if not options.kernel or make.__name__ in options.kernel:
                rows.append(run_case(torch, triton, runtime, make(size, size)))
                torch.cuda.empty_cache()
    machine = {"torch": torch.__version__, "triton": triton.__version__, "gpu": torch.cuda.get_device_name()}
    with open(options.json, "w", encoding="utf-8") as stream:
        json.dump({"machine": machine, "copy_bytes_per_second": copy, "rows": rows}, stream, indent=1)
    print(", ".join(f"{key}: {value}" for key, value in machine.items()))
    print_table(rows, copy)
    for row in rows:
        for name, failure in row["failures"].items():
            print(f"{row['kernel']} {row['shape']} {name}: {failure}", file=sys.stderr)
    sys.exit(0 if all(is_right(row) for row in rows) else 1)


if __name__ == "__main__":
    main()
