#!/usr/bin/env python3
"""Batched and grouped GEMM, f16: Tawa beside PyTorch and Triton, in turns on one Hopper GPU (perf/README.md, "Method").

Batched: 8 products with M = N = K; grouped: products with one N and K and different M in one kernel, the shapes of the
paper's section V.C, once with a table of which tile is of which group ("tawa"), once with tables of the groups' addresses
and sizes on the device ("tawa by address"), of which the kernel describes each tensor to TMA itself. Of each contender the best of a few configurations counts, chosen by short bursts. Outputs are
poisoned before and compared in full after.

usage: batched_bench.py [--grouped-only] [--json FILE]
"""

import argparse
import json
import os
import sys

import gemm_bench
import prepared
import tawa
import timing
import triton_gemms

KERNELS = os.path.join(gemm_bench.HERE, "..", "..", "tests", "kernels")
BATCHES = 8
BATCHED_SIZES = (1024, 2048, 4096, 8192)
GROUPED_ROWS = {4: 7680, 8: 18432, 16: 36864}
GROUPED_NK = 4096
ROW_TILE = 128
CONFIGS = ["D=4 persistent=1", "D=3 persistent=1 epilogue=4", "D=4", "D=4 persistent=1 cluster=2", "D=4 P=2 persistent=1"]
CONFIGS_OF_COLUMNS = ["D=4 P=2 persistent=1", "D=5 P=2 persistent=1 epilogue=1", "D=4 persistent=1"]  # tiles of 192 columns
CONFIGS_BY_ADDRESS = ["D=4", "D=3 epilogue=4", "D=4 P=2"]  # its programs walk the tiles themselves
ERROR_LIMIT = 5e-4


def group_rows(groups):
    """Unequal numbers of rows, multiples of a tile, that add up to the paper's total."""
    tiles = GROUPED_ROWS[groups] // ROW_TILE
    weights = [1 + index % 4 for index in range(groups)]
    counts = [max(1, tiles * weight // sum(weights)) for weight in weights]
    counts[-1] += tiles - sum(counts)
    return [count * ROW_TILE for count in counts]


class Case:
    """One problem: operands, what the result should be, and how to launch each contender."""

    def __init__(self, torch, name, rows, n, k):
        generator = torch.Generator(device="cuda").manual_seed(1)
        make = lambda *shape: torch.randn(shape, device="cuda", generator=generator).half()
        self.torch, self.name, self.rows, self.n, self.k = torch, name, rows, n, k
        self.a, self.b = make(sum(rows), k), make(len(rows) * n, k)
        self.flop = 2.0 * sum(rows) * n * k
        starts = [sum(rows[:index]) for index in range(len(rows))]
        self.parts = [(self.a[start:start + count], self.b[index * n:(index + 1) * n], slice(start, start + count))
                      for index, (start, count) in enumerate(zip(starts, rows))]
        self.reference = torch.cat([a.float() @ b.float().t() for a, b, _ in self.parts])
        self.output = torch.empty(sum(rows), n, device="cuda", dtype=torch.float16)

    def is_right(self, launch):
        self.output.fill_(float("nan"))
        launch()
        self.torch.cuda.synchronize()
        error = (self.output.float() - self.reference).norm() / self.reference.norm()
        return bool(error <= ERROR_LIMIT)

    def loop_of_products(self):
        for a, b, where in self.parts:
            self.torch.mm(a, b.t(), out=self.output[where])


def tensors_of(case):
    return [tawa.tensor("f16", each.shape, each.data_ptr()) for each in (case.a, case.b, case.output)]


def tawa_launches(case, runtime, file, arguments, grid, configs=CONFIGS):
    """{configuration: launch}"""
    with open(os.path.join(KERNELS, file), "rb") as stream:
        text = stream.read()
    found = {}
    for config in configs:
        try:
            kernel = prepared.Kernel(runtime, text, file, arguments, config, grid)
            found[config] = lambda kernel=kernel: kernel.launch(case.torch.cuda.current_stream().cuda_stream)
        except tawa.Error as failure:
            print(f"tawa {config}: {str(failure).splitlines()[0]}", file=sys.stderr)
    return found


def launches_by_address(case, runtime, ctas):
    """Of the kernel that finds the groups by tables on the device; `case` keeps those alive."""
    long, short = case.torch.int64, case.torch.int32
    table = lambda values, dtype: case.torch.tensor(values, dtype=dtype, device="cuda")
    case.tables = [table([part[index].data_ptr() for part in case.parts], long) for index in (0, 1)]
    case.tables.append(table([case.output[where].data_ptr() for _, _, where in case.parts], long))
    case.tables.append(table([size for a, _, _ in case.parts for size in (a.shape[0], case.n, case.k)], short))
    arguments = [tawa.tensor("i64" if each.dtype == long else "i32", each.shape, each.data_ptr()) for each in case.tables]
    arguments += [tawa.scalar("i32", len(case.parts))] + tensors_of(case)
    return tawa_launches(case, runtime, "gemm/grouped_pointers.mlir", arguments, (ctas, 1, 1), CONFIGS_BY_ADDRESS)


def best_of(torch, case, launches):
    """The fastest of those whose result is right, as (configuration, launch); None if none is."""
    times = {name: timing.quick_burst(torch, launch, idle=0.1) for name, launch in launches.items() if case.is_right(launch)}
    name = min(times, key=times.get, default=None)
    return (name, launches[name]) if name else None


def measure(torch, case, contenders):
    """One row: the best of each in turns."""
    found = {who: best_of(torch, case, launches) for who, launches in contenders.items() if launches}
    best = {who: one for who, one in found.items() if one}
    times = timing.compare(torch, {who: launch for who, (_, launch) in best.items()})
    seconds = {who: times[who][timing.BURST]["median"] for who in best}
    right = len(best) == len(found) and all(case.is_right(launch) for _, launch in best.values())
    row = {"name": case.name, "teraflops": {who: case.flop / value / 1e12 for who, value in seconds.items()},
           "configurations": {who: name for who, (name, _) in best.items()}, "times": times, "right": right}
    figures = "  ".join(f"{who} {value:6.1f}" for who, value in row["teraflops"].items())
    ratios = "  ".join(f"/{who} {seconds[who] / seconds['tawa']:.3f}" for who in best if who != "tawa")
    print(f"{case.name:18} {figures}  {ratios}  {row['configurations']['tawa']}{'' if right else '  WRONG RESULT'}", flush=True)
    return row


def batched_case(torch, runtime, size, ctas):
    case = Case(torch, f"batched {BATCHES} x {size}", [size] * BATCHES, size, size)
    a, b, c = (each.view(BATCHES, size, size) for each in (case.a, case.b, case.output))
    tiles = -(-size // ROW_TILE) * -(-size // 256)
    scalars = [tawa.scalar("i32", size)] * 3
    return measure(torch, case, {
        "tawa": tawa_launches(case, runtime, "gemm_batched.mlir", tensors_of(case) + scalars, (tiles, BATCHES, 1)),
        "torch": {"bmm": lambda: torch.bmm(a, b.transpose(1, 2), out=c)},
        "triton": triton_gemms.launches(triton_gemms.batched, case.a, case.b, case.output,
                                        lambda _: (BATCHES, size, size, size), ctas),
    })


def grouped_case(torch, runtime, groups, ctas):
    rows = group_rows(groups)
    case = Case(torch, f"grouped {groups}", rows, GROUPED_NK, GROUPED_NK)
    group_of = torch.repeat_interleave(torch.arange(groups, dtype=torch.int32, device="cuda"),
                                       torch.tensor([count // ROW_TILE for count in rows], device="cuda"))
    m_tiles = sum(rows) // ROW_TILE
    operands = tensors_of(case) + [tawa.tensor("i32", group_of.shape, group_of.data_ptr())]
    scalars = lambda *values: [tawa.scalar("i32", value) for value in values]
    tiles = lambda columns: (m_tiles * -(-GROUPED_NK // columns), 1, 1)
    launches = tawa_launches(case, runtime, "gemm_grouped.mlir", operands + scalars(m_tiles, GROUPED_NK, GROUPED_NK), tiles(256))
    narrower = tawa_launches(case, runtime, "gemm/grouped_columns.mlir",
                             operands + scalars(sum(rows), GROUPED_NK, GROUPED_NK, groups), tiles(192), CONFIGS_OF_COLUMNS)
    launches.update({f"192 columns, {config}": launch for config, launch in narrower.items()})
    return measure(torch, case, {
        "tawa": launches,
        "tawa by address": launches_by_address(case, runtime, ctas),
        "torch": {"loop of mm": case.loop_of_products},
        "triton": triton_gemms.launches(triton_gemms.grouped, case.a, case.b, case.output,
                                        lambda _: (group_of, m_tiles, GROUPED_NK, GROUPED_NK), ctas),
    })


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grouped-only", action="store_true", help="leave the batched products out")
    default_json = os.path.join(os.environ.get("OUT", "."), "batched_bench.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    import torch

    torch.zeros(1, device="cuda")
    runtime = prepared.runtime(f"cuda:{torch.cuda.current_device()}")
    ctas = torch.cuda.get_device_properties(0).multi_processor_count
    rows = [] if options.grouped_only else [batched_case(torch, runtime, size, ctas) for size in BATCHED_SIZES]
    rows += [grouped_case(torch, runtime, groups, ctas) for groups in GROUPED_ROWS]
    with open(options.json, "w", encoding="utf-8") as stream:
        json.dump({"rows": rows}, stream, indent=1)
    sys.exit(0 if all(row["right"] for row in rows) else 1)


if __name__ == "__main__":
    main()
