#!/usr/bin/env python3
"""Attention backward: Tawa and cuDNN (through PyTorch) in turns; table and JSON.

    attention_backward_bench.py [--config "D=2"]... [--plans fused,separate] [--lengths 1024,2048]

FP16, head dims 128 and 64, kernels of tests/kernels/attention. Two plans: `fused` is backward_delta, which clears dQ's sums too, backward
and backward_finish; `separate` is backward_delta, backward_keys and backward_queries, whose results repeat to the bit. All steps are in
the time. dQ, dK and dV of a few heads are compared with float64 in the same run. TFLOP/s count 10 B H L L D, half of it where
causal. perf/README.md has the method.
"""

import argparse
import json
import math
import os
import sys

import prepared
import tawa
from contenders import Contenders, print_figures, rates

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "tests", "kernels", "attention")
CHECKED_HEADS = 2
TOLERANCE = 1.5e-3


class Problem:
    """Data of one size. Tensors are [batch, heads, length, dim]; the forward pass is PyTorch's, its log-sum-exp in float32."""

    def __init__(self, torch, batch, heads, length, head_dim, causal, seed=1):
        self.torch, self.causal, self.length, self.heads, self.head_dim = torch, causal, length, batch * heads, head_dim
        generator = torch.Generator(device="cuda").manual_seed(seed)
        shape = (batch, heads, length, head_dim)
        self.q, self.k, self.v, self.d_output = (
            torch.randn(shape, device="cuda", dtype=torch.float32, generator=generator).half() for _ in range(4)
        )
        self.scale = 1 / math.sqrt(head_dim)
        self.flop = 10.0 * batch * heads * length * length * head_dim / (2 if causal else 1)
        self.output = torch.nn.functional.scaled_dot_product_attention(self.q, self.k, self.v, is_causal=causal, scale=self.scale)
        self.lse = torch.stack([self._lse_of(head) for head in range(self.heads)])
        self.delta = torch.empty_like(self.lse)
        self.sums = torch.empty(shape, device="cuda", dtype=torch.float32)
        self.gradients = {name: torch.empty_like(self.q) for name in ("dq", "dk", "dv")}
        self.picked = list(range(0, self.heads, max(1, self.heads // CHECKED_HEADS)))[:CHECKED_HEADS]
        self.reference = {head: self._reference(head) for head in self.picked}

    def _head(self, tensor, head, dtype):
        return tensor.flatten(0, 1)[head].to(dtype)

    def _scores(self, head, dtype):
        torch = self.torch
        scores = self._head(self.q, head, dtype) @ self._head(self.k, head, dtype).T * self.scale
        if self.causal:
            scores.masked_fill_(torch.ones_like(scores, dtype=torch.bool).triu_(1), float("-inf"))
        return scores

    def _lse_of(self, head):
        """To base 2, as the kernels have it."""
        return self._scores(head, self.torch.float32).logsumexp(-1) / math.log(2.0)

    def _reference(self, head):
        """dQ, dK and dV of one head in float64."""
        double = self.torch.float64
        weights = self._scores(head, double).softmax(-1)
        q, k, v, d_output = (self._head(x, head, double) for x in (self.q, self.k, self.v, self.d_output))
        delta = (d_output * (weights @ v)).sum(-1, keepdim=True)
        d_scores = weights * (d_output @ v.T - delta)
        return {"dq": d_scores @ k * self.scale, "dk": d_scores.T @ q * self.scale, "dv": weights.T @ d_output}

    def error(self, launch):
        """The largest relative error of a gradient, into poisoned memory; NaN where one was not written."""
        for tensor in (*self.gradients.values(), self.sums, self.delta):
            tensor.fill_(float("nan"))
        launch()
        self.torch.cuda.synchronize()
        if not all(bool(self.torch.isfinite(x).all()) for x in self.gradients.values()):
            return float("nan")

        def distance(name, head):
            right = self.reference[head][name]
            return ((self._head(self.gradients[name], head, right.dtype) - right).norm() / right.norm()).item()

        return max(distance(name, head) for name in self.gradients for head in self.picked)


class Plan:
    """Kernels launched one after the other."""

    def __init__(self, torch, runtime, problem, name, config):
        self.torch, self.runtime, self.problem, self.kernels = torch, runtime, problem, []
        shape, rows = (problem.heads, problem.length, problem.head_dim), (problem.heads, problem.length)
        half = lambda tensor: tawa.tensor("f16", shape, tensor.data_ptr())
        statistic = lambda tensor: tawa.tensor("f32", rows, tensor.data_ptr())
        sizes = [tawa.scalar("f32", problem.scale), tawa.scalar("i32", problem.length), tawa.scalar("i32", problem.length)]
        inputs = [half(x) for x in (problem.q, problem.k, problem.v, problem.d_output)]
        dq, dk, dv = (half(problem.gradients[name]) for name in ("dq", "dk", "dv"))
        statistics = [statistic(problem.lse), statistic(problem.delta)]
        whole = config + f" HEAD_DIM={problem.head_dim} CAUSAL={int(problem.causal)}"
        all_rows, sums = problem.heads * problem.length, tawa.tensor("f32", shape, problem.sums.data_ptr())
        delta = [half(problem.output), inputs[3], statistics[1], sums, tawa.scalar("i32", all_rows)]
        self._add("backward_delta", delta, f"HEAD_DIM={problem.head_dim} CLEAR={int(name == 'fused')}", None, (all_rows // 32, 1, 1))
        if name == "fused":
            self._add("backward", [*inputs, sums, dk, dv, *statistics, *sizes], whole, 128)
            count = problem.heads * problem.length * problem.head_dim
            flat = [tawa.tensor("f32", (count,), problem.sums.data_ptr()), tawa.tensor("f16", (count,), problem.gradients["dq"].data_ptr())]
            self._add("backward_finish", [*flat, sizes[0], tawa.scalar("i32", count)], "BLOCK=4096", None, (count // 4096, 1, 1))
        else:
            self._add("backward_keys", [*inputs, dk, dv, *statistics, *sizes], whole, 128)
            self._add("backward_queries", [*inputs, dq, *statistics, *sizes], whole, 128)

    def _add(self, name, arguments, config, block, grid=None):
        with open(os.path.join(KERNELS, name + ".mlir"), "rb") as stream:
            text = stream.read()
        grid = grid or (self.problem.length // block, self.problem.heads, 1)
        self.kernels.append(prepared.Kernel(self.runtime, text, name + ".mlir", arguments, config, grid))

    def about(self):
        facts = ("registers", "spill_bytes", "shared_bytes", "config")
        return [{key: kernel.info()[key] for key in facts} for kernel in self.kernels]

    def __call__(self):
        stream = self.torch.cuda.current_stream().cuda_stream
        for kernel in self.kernels:
            kernel.launch(stream)

    def close(self):
        for kernel in self.kernels:
            kernel.close()


def cudnn_launch(torch, problem):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    inputs = [x.detach().clone().requires_grad_() for x in (problem.q, problem.k, problem.v)]
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        output = torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=problem.causal, scale=problem.scale)
    return lambda: torch.autograd.grad(output, inputs, problem.d_output, retain_graph=True)


def run_case(torch, runtime, causal, length, options):
    problem = Problem(torch, options.batch, options.heads, length, options.head_dim, causal)
    contenders = Contenders(torch)
    for plan in options.plans.split(","):
        for config in options.config:
            contenders.add(f"{plan} {config}", lambda: Plan(torch, runtime, problem, plan, config))
    contenders.add("cudnn", lambda: cudnn_launch(torch, problem))
    own = [name for name in contenders.launches if name != "cudnn"]
    row = {"causal": causal, "length": length, "about": contenders.about(), "failures": contenders.failures}
    row["errors"] = {name: [problem.error(contenders.launches[name])] for name in own}
    row["times"] = contenders.times(options.steady)
    for name in own:
        row["errors"][name].append(problem.error(contenders.launches[name]))
    row["tflops"] = rates(row["times"], problem.flop)
    contenders.close()
    return row


def is_right(row):
    return all(error <= TOLERANCE for errors in row["errors"].values() for error in errors)


def print_row(row):
    print(f"{'causal' if row['causal'] else 'full'} L={row['length']}{'' if is_right(row) else '  WRONG'}")
    print_figures(row["tflops"], row["errors"], row["failures"], "cudnn")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", action="append", help="a configuration of the large kernels; several may be given")
    parser.add_argument("--plans", default="fused,separate")
    parser.add_argument("--lengths", default="1024,2048,4096,8192")
    parser.add_argument("--kinds", default="full,causal")
    parser.add_argument("--head-dim", type=int, default=128, choices=(64, 128))
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--steady", action="store_true", help="time all contenders back to back, too")
    default_json = os.path.join(os.environ.get("OUT", "."), "attention_backward_bench.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    options.config = options.config or ["D=2"]
    import torch

    if not torch.cuda.is_available():
        sys.exit("attention_backward_bench: PyTorch sees no CUDA device")
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    runtime = prepared.runtime("cuda:0")
    rows = []
    for kind in options.kinds.split(","):
        for length in map(int, options.lengths.split(",")):
            rows.append(run_case(torch, runtime, kind == "causal", length, options))
            print_row(rows[-1])
    with open(options.json, "w", encoding="utf-8") as stream:
        json.dump({"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "rows": rows}, stream, indent=1)
    sys.exit(0 if all(map(is_right, rows)) else 1)


if __name__ == "__main__":
    main()
