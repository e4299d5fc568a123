#!/usr/bin/env python3
"""Attention forward: Tawa, cuDNN (through PyTorch) and Triton on the same text, in turns; table and JSON.

    attention_bench.py --library libtawa.so [--config "D=2 persistent=1"]... [--lengths 1024,2048] [--kinds full,causal]
                       [--head-dims 64,128,256]

FP16, tensors [B*H*L, D] row by row. The kernels are tests/kernels/attn_full.mlir and attn_causal.mlir, as Triton printed them,
and for other head dims than 128 tests/kernels/attention/fwd.mlir and fwd_causal.mlir; Triton compiles the same text. Results are
compared with a float64 product and softmax over sampled rows, the log-sum-exp too, in the same run. TFLOP/s count 4 B H L L D,
half of it where causal. perf/README.md has the method.
"""

import argparse
import dataclasses
import json
import math
import os
import re
import sys
import tempfile
import traceback

import tawa
import timing

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "tests", "kernels")
PRINTED_HEAD_DIM, TILE = 128, 128
TRITON_OPTIONS = [{"num_warps": 8, "num_stages": 2}, {"num_warps": 8, "num_stages": 3}, {"num_warps": 4, "num_stages": 2}]
SAMPLED_ROWS, SAMPLED_HEADS = 64, 4
TOLERANCE, LSE_TOLERANCE = 1e-3, 1e-3


class Problem:
    """Data of one size. Tensors are [batch, heads, length, dim], each head's rows behind one another."""

    def __init__(self, torch, batch, heads, length, head_dim, causal, seed=1):
        self.torch, self.causal, self.length, self.heads, self.head_dim = torch, causal, length, batch * heads, head_dim
        generator = torch.Generator(device="cuda").manual_seed(seed)
        shape = (batch, heads, length, head_dim)
        self.q, self.k, self.v = (
            torch.randn(shape, device="cuda", dtype=torch.float32, generator=generator).half() for _ in range(3)
        )
        self.scale = 1 / math.sqrt(head_dim)
        self.flop = 4.0 * batch * heads * length * length * head_dim / (2 if causal else 1)
        self.output = torch.empty_like(self.q)
        self.lse = torch.empty(self.heads * length, device="cuda", dtype=torch.float32)
        self._pick(generator)
        self._sample()

    def _pick(self, generator):
        """The heads and rows that are compared."""
        torch = self.torch
        self.picked = torch.randperm(self.heads, device="cuda", generator=generator)[:SAMPLED_HEADS]
        self.rows = torch.randperm(self.length, device="cuda", generator=generator)[:SAMPLED_ROWS]

    def _sample(self):
        """Reference rows of the picked heads, in float64."""
        torch = self.torch
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


class Text:
    """A kernel's text; its last scalar is the rows of all heads where Triton printed it, the heads where it is our own."""

    def __init__(self, kind, head_dim):
        self.is_printed = head_dim == PRINTED_HEAD_DIM
        name = f"attn_{kind}" if self.is_printed else "attention/fwd" + ("_causal" if kind == "causal" else "")
        self.path = os.path.join(KERNELS, name + ".mlir")
        self.setting = "" if self.is_printed else f"HEAD_DIM={head_dim} "
        with open(self.path, encoding="utf-8") as stream:
            self.text = stream.read()

    def arguments(self, problem):
        """All of them, as Tawa takes them."""
        shape = (problem.heads * problem.length, problem.head_dim)
        matrices = [tawa.tensor("f16", x.data_ptr(), shape) for x in (problem.q, problem.k, problem.v, problem.output)]
        scalars = [tawa.scalar(kind, value) for kind, value in zip(("f32", "i32", "i32"), self.scalars(problem))]
        return [*matrices, tawa.tensor("f32", problem.lse.data_ptr(), shape[:1]), *scalars]

    def scalars(self, problem):
        last = problem.heads * problem.length if self.is_printed else problem.heads
        return [problem.scale, problem.length, last]

    def parameters(self, config):
        """Values of the tile parameters: what the configuration says, or the first that the text lists."""
        listed = re.findall(r"^// tawa\.param (\w+) = (\d+)", self.text, re.MULTILINE)
        return {**dict(listed), **dict(re.findall(r"(\w+)=(\d+)", self.setting + config))}

    def tile(self, config):
        """Rows of Q and of K in a tile."""
        parameters = self.parameters(config)
        return tuple(int(parameters.get(name, TILE)) for name in ("BLOCK_M", "BLOCK_N"))

    def filled(self, config):
        """The text without parameters, as Triton reads it."""
        values = self.parameters(config)
        return re.sub(r"\$\{(\w+)\}", lambda found: values[found.group(1)], self.text)


@dataclasses.dataclass
class Suite:
    """Kernels with the same arguments, their data, and what is asked of their results."""

    problem: type = Problem
    text: type = Text
    tolerance: float = TOLERANCE
    lse_tolerance: float = LSE_TOLERANCE


def tawa_kernel(torch, runtime, text, problem, config):
    grid = (problem.length // text.tile(config)[0], problem.heads, 1)
    name = os.path.basename(text.path)
    kernel = tawa.Kernel(runtime, text.text.encode(), name, text.arguments(problem), text.setting + config, grid)
    return kernel, lambda: kernel.launch(torch.cuda.current_stream().cuda_stream)


def cudnn_launch(torch, problem):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def launch():
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            torch.nn.functional.scaled_dot_product_attention(
                problem.q, problem.k, problem.v, is_causal=problem.causal, scale=problem.scale
            )

    return launch


def triton_launch(triton, text, problem, config, options):
    """Triton's own compiler on the text. What it takes from a text does not say which arguments are descriptors, so the
    signature that its launcher goes by is given here."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    with tempfile.TemporaryDirectory() as folder:  # Triton goes by the suffix
        path = os.path.join(folder, "attention.ttir")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text.filled(config))
        kernel = triton.compile(path, options=options)
    rows, (block_m, block_n), width = problem.heads * problem.length, text.tile(config), problem.head_dim
    tensors = [(problem.q, block_m), (problem.k, block_n), (problem.v, block_n), (problem.output, block_m)]
    described = [TensorDescriptor(x.view(rows, width), [rows, width], [width, 1], [block, width]) for x, block in tensors]
    types = [f"tensordesc<fp16[{block}, {width}]>" for _, block in tensors] + ["*fp32", "fp32", "i32", "i32"]
    kernel.src.signature = dict(enumerate(types))
    bound = kernel[(problem.length // block_m, problem.heads, 1)]
    arguments = [*described, problem.lse, *text.scalars(problem)]
    return lambda: bound(*arguments)


def contenders_of(torch, runtime, text, problem, configs, peers):
    """{name: launch} of those that compile and run, what is known of each, and why the others do not."""
    found, about, failures = {}, {}, {}

    def attempt(name, make):
        try:
            launch = make()
            launch()
            torch.cuda.synchronize()
            found[name] = launch
        except Exception as failure:  # a contender that does not run is a row of its own
            failures[name] = f"{failure!r} {traceback.format_exc(limit=-2)}"[:700]

    def tawa_contender(config):
        kernel, launch = tawa_kernel(torch, runtime, text, problem, config)
        info = kernel.info()
        about["tawa " + config] = {key: info[key] for key in ("registers", "spill_bytes", "shared_bytes", "config", "phases")}
        if "C75" in (info["jit_log"] or ""):
            raise RuntimeError("ptxas serializes: " + info["jit_log"])
        launch.kernel = kernel
        return launch

    for config in configs:
        attempt("tawa " + config, lambda: tawa_contender(config))
    if "cudnn" in peers:
        attempt("cudnn", lambda: cudnn_launch(torch, problem))
    if "triton" in peers:
        import triton

        for choice in TRITON_OPTIONS:
            name = "triton " + " ".join(f"{key}={value}" for key, value in choice.items())
            attempt(name, lambda: triton_launch(triton, text, problem, configs[0], choice))
    return found, about, failures


def run_case(torch, runtime, suite, kind, head_dim, length, options):
    text = suite.text(kind, head_dim)
    problem = suite.problem(torch, options.batch, options.heads, length, head_dim, kind == "causal")
    launches, about, failures = contenders_of(torch, runtime, text, problem, options.config, options.peers.split(","))
    own = [name for name in launches if name != "cudnn"]
    errors = {name: problem.errors(launches[name]) for name in own}
    times = timing.interleaved(torch, launches, sustained=not options.no_sustained)
    for name in own:
        errors[name] += problem.errors(launches[name])
    rates = {
        name: {regime: problem.flop / each[regime]["median"] / 1e12 for regime in each if each[regime]}
        for name, each in times.items()
    }
    row = {"kind": kind, "head_dim": head_dim, "length": length, "tflops": rates, "errors": errors, "about": about, "failures": failures}
    row["times"] = times
    for name in launches:
        if hasattr(launches[name], "kernel"):
            launches[name].kernel.close()
    return row


def is_right(suite, row):
    def good(errors):
        return all(e <= suite.tolerance for e in errors[0::2]) and all(e <= suite.lse_tolerance for e in errors[1::2])

    return all(good(errors) for name, errors in row["errors"].items() if name.startswith("tawa"))


def print_row(suite, row):
    peer = row["tflops"].get("cudnn")
    print(f"{row['kind']} head dim {row['head_dim']} L={row['length']}{'' if is_right(suite, row) else '  WRONG'}")
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


def parse_options(description, peers):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="libtawa.so")
    parser.add_argument("--config", action="append", help="a configuration of Tawa; several may be given")
    parser.add_argument("--lengths", default="1024,2048,4096,8192")
    parser.add_argument("--kinds", default="full,causal")
    parser.add_argument("--head-dims", default=str(PRINTED_HEAD_DIM))
    parser.add_argument("--peers", default=peers)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--no-sustained", action="store_true", help="burst only")
    program = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    default_json = os.path.join(os.environ.get("OUT", "."), program + ".json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    options.config = options.config or ["D=2", "D=2 persistent=1"]
    return options


def run(suite, options):
    """Measures and prints every case; the exit status."""
    import torch

    if not torch.cuda.is_available():
        sys.exit("PyTorch sees no CUDA device")
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    runtime = tawa.Runtime(tawa.Library(options.library), "cuda:0")
    rows = []
    for kind in options.kinds.split(","):
        for head_dim in map(int, options.head_dims.split(",")):
            for length in map(int, options.lengths.split(",")):
                rows.append(run_case(torch, runtime, suite, kind, head_dim, length, options))
                print_row(suite, rows[-1])
    with open(options.json, "w", encoding="utf-8") as stream:
        json.dump({"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "rows": rows}, stream, indent=1)
    return 0 if all(is_right(suite, row) for row in rows) else 1


def main():
    sys.exit(run(Suite(), parse_options(__doc__, peers="cudnn,triton")))


if __name__ == "__main__":
    main()
