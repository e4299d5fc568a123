#!/usr/bin/env python3
"""Attention forward: Tawa, cuDNN (through PyTorch) and Triton on the same text, in turns; table and JSON.

    attention_bench.py [--config "D=2 persistent=1"]... [--lengths 1024,2048] [--kinds full,causal]
                       [--head-dims 64,128,256] [--steady] [--best 1]

FP16, tensors [B*H*L, D] row by row. The kernels are tests/kernels/attn_full.mlir and attn_causal.mlir, as Triton printed them,
and for other head dims than 128 tests/kernels/attention/fwd.mlir and fwd_causal.mlir; Triton compiles the same text, with several
numbers of warps and stages, and with several tiles where they are parameters. Results are compared with a float64 product and
softmax over sampled rows, the log-sum-exp too, in the same run. TFLOP/s count 4 B H L L D,
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

import prepared
import tawa
from contenders import Contenders, print_figures, rates

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "tests", "kernels")
TILE = 128
# Of each head dim that the text has as a parameter; Tawa takes the first where a configuration names none.
TILES = {64: ["BLOCK_N=128", "BLOCK_N=64"], 128: ["BLOCK_N=128", "BLOCK_N=64"], 256: ["BLOCK_N=64", "BLOCK_N=32"]}
TRITON_WARPS_AND_STAGES = [(8, 2), (8, 3), (4, 2), (4, 3)]
REGISTERS_PER_THREAD = 255
SAMPLED_ROWS, SAMPLED_HEADS = 64, 4
TOLERANCE, LSE_TOLERANCE = 1e-3, 1e-3


class Problem:
    """Data of one size. Tensors are [batch, heads, length, dim], each head's rows contiguous."""

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

    printed_head_dim = 128

    def __init__(self, kind, head_dim):
        self.is_printed = head_dim == self.printed_head_dim
        name = f"attn_{kind}" if self.is_printed else "attention/fwd" + ("_causal" if kind == "causal" else "")
        self.path = os.path.join(KERNELS, name + ".mlir")
        self.setting = "" if self.is_printed else f"HEAD_DIM={head_dim}"
        self.tiles = [""] if self.is_printed else TILES[head_dim]
        with open(self.path, encoding="utf-8") as stream:
            self.text = stream.read()

    def arguments(self, problem):
        """All of them, as Tawa takes them."""
        shape = (problem.heads * problem.length, problem.head_dim)
        matrices = [tawa.tensor("f16", shape, x.data_ptr()) for x in (problem.q, problem.k, problem.v, problem.output)]
        scalars = [tawa.scalar(kind, value) for kind, value in zip(("f32", "i32", "i32"), self.scalars(problem))]
        return [*matrices, tawa.tensor("f32", shape[:1], problem.lse.data_ptr()), *scalars]

    def scalars(self, problem):
        last = problem.heads * problem.length if self.is_printed else problem.heads
        return [problem.scale, problem.length, last]

    def whole(self, config):
        """A configuration with the head dim, and with the first tile where it names none."""
        return " ".join([self.setting, "" if "BLOCK_" in config else self.tiles[0], config])

    def parameters(self, config):
        """Values of the tile parameters: what the configuration says, or the first that the text lists."""
        listed = re.findall(r"^// tawa\.(?:param|setting) (\w+) = (\d+)", self.text, re.MULTILINE)
        return {**dict(listed), **dict(re.findall(r"(\w+)=(\d+)", self.whole(config)))}

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


class TawaLaunch:
    """A kernel of Tawa, launched on the current stream."""

    FACTS = ("registers", "spill_bytes", "shared_bytes", "config", "phases")

    def __init__(self, torch, runtime, text, problem, config):
        self.torch = torch
        grid = (problem.length // text.tile(config)[0], problem.heads, 1)
        name = os.path.basename(text.path)
        self.kernel = prepared.Kernel(runtime, text.text.encode(), name, text.arguments(problem), text.whole(config), grid)
        if "C75" in (self.kernel.info()["jit_log"] or ""):
            raise RuntimeError("ptxas serializes: " + self.kernel.info()["jit_log"])

    def __call__(self):
        self.kernel.launch(self.torch.cuda.current_stream().cuda_stream)

    def about(self):
        info = self.kernel.info()
        return {key: info[key] for key in self.FACTS}

    def close(self):
        self.kernel.close()


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


def add_triton(contenders, text, problem):
    """The text with each of its tiles, with each number of warps and stages."""
    import triton

    for tile in text.tiles:
        for warps, stages in TRITON_WARPS_AND_STAGES:
            name = " ".join(f"triton {tile} num_warps={warps} num_stages={stages}".split())
            options = {"num_warps": warps, "num_stages": stages}
            if text.tile(tile)[0] * problem.head_dim >= REGISTERS_PER_THREAD * warps * 32:
                contenders.failures[name] = "the accumulator alone takes all registers"
            else:
                contenders.add(name, lambda: triton_launch(triton, text, problem, tile, options))


def contenders_of(torch, runtime, text, problem, configs, peers):
    contenders = Contenders(torch)
    for config in configs:
        contenders.add("tawa " + config, lambda: TawaLaunch(torch, runtime, text, problem, config))
    if "cudnn" in peers:
        contenders.add("cudnn", lambda: cudnn_launch(torch, problem))
    if "triton" in peers:
        add_triton(contenders, text, problem)
    return contenders


def run_case(torch, runtime, suite, kind, head_dim, length, options):
    text = suite.text(kind, head_dim)
    problem = suite.problem(torch, options.batch, options.heads, length, head_dim, kind == "causal")
    contenders = contenders_of(torch, runtime, text, problem, options.config, options.peers.split(","))
    row = {"kind": kind, "head_dim": head_dim, "length": length, "failures": contenders.failures}
    if options.best:
        row["short_bursts"] = {each: contenders.keep_fastest(each, options.best) for each in ("tawa", "triton")}
    row["about"] = contenders.about()
    checked = [name for name in contenders.launches if name != "cudnn"]
    row["errors"] = {name: problem.errors(contenders.launches[name]) for name in checked}
    row["times"] = contenders.times(options.steady)
    for name in checked:
        row["errors"][name] += problem.errors(contenders.launches[name])
    row["tflops"] = rates(row["times"], problem.flop)
    contenders.close()
    return row


def are_small(suite, errors):
    return all(e <= suite.tolerance for e in errors[0::2]) and all(e <= suite.lse_tolerance for e in errors[1::2])


def is_right(suite, row):
    return all(are_small(suite, errors) for name, errors in row["errors"].items() if name.startswith("tawa"))


def print_row(suite, row):
    print(f"{row['kind']} head dim {row['head_dim']} L={row['length']}{'' if is_right(suite, row) else '  WRONG'}")
    errors = {name: each[0::2] for name, each in row["errors"].items()}
    print_figures(row["tflops"], errors, row["failures"], "cudnn")


def fastest(row, who, regime):
    """The best figure of a family of contenders, or None."""
    return max((each[regime] for name, each in row["tflops"].items() if name.split()[0] == who), default=None)


def table_line(row, regime):
    """The best of all contenders at one point, and Tawa's relative to each peer's."""
    own, *peers = (fastest(row, who, regime) for who in ("tawa", "cudnn", "triton"))
    cells = [f"{peer:.0f} = {own / peer:.3f}" if own and peer else "-" for peer in peers]
    return " | ".join([row["kind"], str(row["head_dim"]), str(row["length"]), regime, f"{own:.0f}" if own else "-", *cells])


def print_table(rows):
    print("| kernel | head dim | L | regime | Tawa | cuDNN | Triton |\n|---|---|---|---|---|---|---|")
    for row in rows:
        for regime in next(iter(row["tflops"].values()), ()):
            print(f"| {table_line(row, regime)} |")


def parse_options(description, peers):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", action="append", help="a configuration of Tawa; several may be given")
    parser.add_argument("--lengths", default="1024,2048,4096,8192")
    parser.add_argument("--kinds", default="full,causal")
    parser.add_argument("--head-dims", default=str(Text.printed_head_dim))
    parser.add_argument("--peers", default=peers)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--steady", action="store_true", help="time all contenders back to back, too")
    parser.add_argument("--best", type=int, default=0, help="so many of Tawa's and of Triton's, picked by short bursts; 0: all")
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
    runtime = prepared.runtime("cuda:0")
    rows = []
    for kind in options.kinds.split(","):
        for head_dim in map(int, options.head_dims.split(",")):
            for length in map(int, options.lengths.split(",")):
                rows.append(run_case(torch, runtime, suite, kind, head_dim, length, options))
                print_row(suite, rows[-1])
    print_table(rows)
    with open(options.json, "w", encoding="utf-8") as stream:
        json.dump({"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "rows": rows}, stream, indent=1)
    return 0 if all(is_right(suite, row) for row in rows) else 1


def main():
    sys.exit(run(Suite(), parse_options(__doc__, peers="cudnn,triton")))


if __name__ == "__main__":
    main()
