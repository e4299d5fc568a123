#!/usr/bin/env python3
"""Attention forward: Tawa, cuDNN (through PyTorch) and Triton on the same text, in turns; table and JSON.

    attention_bench.py --library libtawa.so [--config "D=2 persistent=1"]... [--lengths 1024,2048] [--kinds full,causal]

The kernels are tests/kernels/attn_full.mlir and attn_causal.mlir: FP16, head dim 128, [B*H*L, 128] row by row. Results are
compared with a float64 product and softmax over sampled rows, the log-sum-exp too, in the same run. TFLOP/s count 4 B H L L D,
half of it where causal. perf/README.md has the method.
"""

import argparse
import json
import math
import os
import shutil
import sys
import tempfile

import tawa
import timing

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "tests", "kernels")
HEAD_DIM, TILE = 128, 128
SAMPLED_ROWS, SAMPLED_HEADS = 64, 4
TOLERANCE, LSE_TOLERANCE = 1e-3, 1e-3


class Problem:
    """Data of one size. Tensors are [batch, heads, length, dim], each head's rows behind one another."""

    def __init__(self, torch, batch, heads, length, causal, seed=1):
        self.torch, self.causal, self.length, self.heads = torch, causal, length, batch * heads
        generator = torch.Generator(device="cuda").manual_seed(seed)
        shape = (batch, heads, length, HEAD_DIM)
        self.q, self.k, self.v = (
            torch.randn(shape, device="cuda", dtype=torch.float32, generator=generator).half() for _ in range(3)
        )
        self.scale = 1 / math.sqrt(HEAD_DIM)
        self.flop = 4.0 * batch * heads * length * length * HEAD_DIM / (2 if causal else 1)
        self.output = torch.empty_like(self.q)
        self.lse = torch.empty(self.heads * length, device="cuda", dtype=torch.float32)
        self._sample(generator)

    def _sample(self, generator):
        """Reference rows of a few heads, in float64."""
        torch = self.torch
        self.picked = torch.randperm(self.heads, device="cuda", generator=generator)[:SAMPLED_HEADS]
        self.rows = torch.randperm(self.length, device="cuda", generator=generator)[:SAMPLED_ROWS]
        q, k, v = (x.flatten(0, 1)[self.picked].double() for x in (self.q, self.k, self.v))
        scores = q[:, self.rows] @ k.transpose(1, 2) * self.scale
        if self.causal:
            later = torch.arange(self.length, device="cuda")[None, :] > self.rows[:, None]
            scores.masked_fill_(later, float("-inf"))
        self.reference = scores.softmax(-1) @ v
        self.reference_lse = scores.logsumexp(-1) / math.log(2.0)  # the kernels store it to base 2

    def errors(self, launch):
        """Relative error of the output and the largest of the log-sum-exp, into poisoned memory; NaN where one was not written."""
        torch = self.torch
        self.output.fill_(float("nan"))
        self.lse.fill_(float("nan"))
        launch()
        torch.cuda.synchronize()
        if not bool(torch.isfinite(self.output).all()):
            return float("nan"), float("nan")
        got = self.output.flatten(0, 1)[self.picked][:, self.rows].double()
        lse = self.lse.view(self.heads, self.length)[self.picked][:, self.rows].double()
        return (
            ((got - self.reference).norm() / self.reference.norm()).item(),
            (lse - self.reference_lse).abs().max().item(),
        )


def tawa_arguments(problem):
    rows = problem.heads * problem.length
    matrices = [tawa.tensor("f16", x.data_ptr(), (rows, HEAD_DIM)) for x in (problem.q, problem.k, problem.v, problem.output)]
    return [
        *matrices,
        tawa.tensor("f32", problem.lse.data_ptr(), (rows,)),
        tawa.scalar("f32", problem.scale),
        tawa.scalar("i32", problem.length),
        tawa.scalar("i32", rows),
    ]


def tawa_kernel(torch, runtime, path, problem, config):
    with open(path, "rb") as stream:
        text = stream.read()
    grid = (problem.length // TILE, problem.heads, 1)
    kernel = tawa.Kernel(runtime, text, os.path.basename(path), tawa_arguments(problem), config, grid)
    return kernel, lambda: kernel.launch(torch.cuda.current_stream().cuda_stream)


def cudnn_launch(torch, problem):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def launch():
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            torch.nn.functional.scaled_dot_product_attention(
                problem.q, problem.k, problem.v, is_causal=problem.causal, scale=problem.scale
            )

    return launch


def triton_launch(triton, path, problem):
    from triton.tools.tensor_descriptor import TensorDescriptor

    with tempfile.TemporaryDirectory() as folder:  # Triton goes by the suffix
        copy = shutil.copy(path, os.path.join(folder, "attention.ttir"))
        kernel = triton.compile(copy, options={"num_warps": 8})
    rows = problem.heads * problem.length
    described = [
        TensorDescriptor(x.view(rows, HEAD_DIM), [rows, HEAD_DIM], [HEAD_DIM, 1], [TILE, HEAD_DIM])
        for x in (problem.q, problem.k, problem.v, problem.output)
    ]
    bound = kernel[(problem.length // TILE, problem.heads, 1)]
    arguments = [*described, problem.lse, problem.scale, problem.length, rows]
    return lambda: bound(*arguments)


def contenders_of(torch, runtime, path, problem, configs):
    """{name: launch} of those that compile and run, what is known of each, and why the others do not."""
    found, about, failures = {}, {}, {}

    def attempt(name, make):
        try:
            launch = make()
            launch()
            torch.cuda.synchronize()
            found[name] = launch
        except Exception as failure:  # a contender that does not run is a row of its own
            failures[name] = repr(failure)[:400]

    def tawa_contender(config):
        kernel, launch = tawa_kernel(torch, runtime, path, problem, config)
        info = kernel.info()
        about["tawa " + config] = {key: info[key] for key in ("registers", "spill_bytes", "shared_bytes", "config", "phases")}
        if "C75" in (info["jit_log"] or ""):
            raise RuntimeError("ptxas serializes: " + info["jit_log"])
        launch.kernel = kernel
        return launch

    for config in configs:
        attempt("tawa " + config, lambda: tawa_contender(config))
    attempt("cudnn", lambda: cudnn_launch(torch, problem))
    try:
        import triton
    except ImportError as failure:
        failures["triton"] = repr(failure)
    else:
        attempt("triton", lambda: triton_launch(triton, path, problem))
    return found, about, failures


def run_case(torch, runtime, kind, length, options):
    path = os.path.join(KERNELS, f"attn_{kind}.mlir")
    problem = Problem(torch, options.batch, options.heads, length, kind == "causal")
    launches, about, failures = contenders_of(torch, runtime, path, problem, options.config)
    own = [name for name in launches if name != "cudnn"]
    errors = {name: problem.errors(launches[name]) for name in own}
    times = timing.interleaved(torch, launches, sustained=not options.no_sustained)
    for name in own:
        errors[name] += problem.errors(launches[name])
    rates = {
        name: {regime: problem.flop / each[regime]["median"] / 1e12 for regime in each if each[regime]}
        for name, each in times.items()
    }
    row = {"kind": kind, "length": length, "tflops": rates, "errors": errors, "about": about, "failures": failures, "times": times}
    for name in launches:
        if hasattr(launches[name], "kernel"):
            launches[name].kernel.close()
    return row


def is_right(row):
    def good(errors):
        return all(e <= TOLERANCE for e in errors[0::2]) and all(e <= LSE_TOLERANCE for e in errors[1::2])

    return all(good(errors) for name, errors in row["errors"].items() if name.startswith("tawa"))


def print_row(row):
    peer = row["tflops"].get("cudnn")
    print(f"{row['kind']} L={row['length']}{'' if is_right(row) else '  WRONG'}")
    for name, rates in row["tflops"].items():
        cells = []
        for regime, rate in rates.items():
            ratio = f" = {rate / peer[regime]:.3f} cuDNN" if peer else ""
            cells.append(f"{regime} {rate:6.1f}{ratio}")
        errors = row["errors"].get(name)
        print(f"  {name:44} {'; '.join(cells)}" + (f"; error {max(errors[0::2]):.2e}" if errors else ""))
    for name, why in row["failures"].items():
        print(f"  {name:44} does not run: {why}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="libtawa.so")
    parser.add_argument("--config", action="append", help="a configuration of Tawa; several may be given")
    parser.add_argument("--lengths", default="1024,2048,4096,8192")
    parser.add_argument("--kinds", default="full,causal")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--no-sustained", action="store_true", help="burst only")
    default_json = os.path.join(os.environ.get("OUT", "."), "attention_bench.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    options.config = options.config or ["D=2", "D=2 persistent=1"]
    import torch

    if not torch.cuda.is_available():
        sys.exit("attention_bench: PyTorch sees no CUDA device")
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    runtime = tawa.Runtime(tawa.Library(options.library), "cuda:0")
    rows = []
    for kind in options.kinds.split(","):
        for length in map(int, options.lengths.split(",")):
            rows.append(run_case(torch, runtime, kind, length, options))
            print_row(rows[-1])
    with open(options.json, "w", encoding="utf-8") as stream:
        json.dump({"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "rows": rows}, stream, indent=1)
    sys.exit(0 if all(map(is_right, rows)) else 1)


if __name__ == "__main__":
    main()
