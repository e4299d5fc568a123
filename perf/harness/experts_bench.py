#!/usr/bin/env python3
"""Products of a mixture's experts, bf16: Tawa beside PyTorch's grouped product (perf/README.md, "Experts").

y[b:e] = x[b:e] weight[g]^T, where e = ends[g] and b = ends[g - 1] are on the device (`gemm/grouped_rows.mlir`). Layers are those of published models, all equally
likely; the number of tokens is log-uniform from 1 to 8192. A layer's experts are chosen with weights exp(z), z standard normal, each
token's without repetition, so that with few tokens many experts have no rows and some have many times the mean. This was written down
before anything was measured.

Contenders: `torch._grouped_mm`, the operator `tawa.torch.moe` as it is called, and Tawa's kernel in each configuration asked for, of
which the best by quick bursts counts. Outputs are poisoned before and compared in full. With --outer weights lie as [experts, K, N].
With --gradient the gradient of the weights is computed instead: for each expert g[b:e]^T x[b:e] (`gemm/grouped_sums.mlir`).

usage: experts_bench.py [--seed N] [--count N] [--least-tokens N] [--outer | --gradient] [--config TEXT]... [--json FILE]
"""

import argparse
import concurrent.futures
import json
import math
import os
import random
import sys

import gemm_bench
import prepared
import tawa
import timing

TEXTS = os.path.join(gemm_bench.HERE, "..", "..", "tests", "kernels", "gemm")
#: (model, experts, experts of a token, hidden, inner width)
MODELS = (
    ("mixtral-8x7b", 8, 2, 4096, 14336), ("mixtral-8x22b", 8, 2, 6144, 16384), ("deepseek-v3", 256, 8, 7168, 2048), ("deepseek-v2-lite", 64, 6, 2048, 1408),
    ("qwen3-30b-a3b", 128, 8, 2048, 768), ("qwen3-235b-a22b", 128, 8, 4096, 1536), ("llama4-scout", 16, 1, 5120, 8192), ("gpt-oss-120b", 128, 4, 2880, 2880),
    ("olmoe", 64, 8, 2048, 1024), ("phi3.5-moe", 16, 2, 4096, 6400), ("dbrx", 16, 4, 6144, 10752), ("granite-3b-moe", 40, 8, 1536, 512),
)
MOST_TOKENS = 8192
ERROR_LIMIT = 4e-3  # of bf16 results


def layers():
    for model, experts, per_token, hidden, inner in MODELS:
        yield f"{model}.up", experts, per_token, 2 * inner, hidden
        yield f"{model}.down", experts, per_token, hidden, inner


def draw(generator, least):
    """(name, tokens, rows of each expert, N, K)"""
    name, experts, per_token, n, k = generator.choice(list(layers()))
    tokens = round(math.exp(generator.uniform(math.log(least), math.log(MOST_TOKENS))))
    popular = [generator.gauss(0, 1) for _ in range(experts)]
    rows = [0] * experts
    for _ in range(tokens):  # the largest of these sums are a sample without repetition, by weights exp(popular)
        keys = [each - math.log(-math.log(generator.random())) for each in popular]
        for expert in sorted(range(experts), key=keys.__getitem__)[-per_token:]:
            rows[expert] += 1
    return name, tokens, rows, n, k


def known(element, tensor):
    return tawa.tensor(element, tensor.shape, tensor.data_ptr())


class Case:
    """The product of each expert's rows and weights."""

    text = os.path.join(TEXTS, "grouped_rows.mlir")

    def __init__(self, torch, outer, name, tokens, rows, n, k):
        generator = torch.Generator(device="cuda").manual_seed(1)
        make = lambda *shape: torch.randn(shape, device="cuda", generator=generator, dtype=torch.bfloat16)
        self.torch, self.name, self.tokens, self.rows, self.n, self.k = torch, name, tokens, rows, n, k
        self.x, self.outer, self.settings = make(sum(rows), k), outer, f"W_OUTER={int(outer)}"
        self.ends = torch.tensor(rows, device="cuda").cumsum(0).to(torch.int32)
        self.flop = 2.0 * sum(rows) * n * k
        self.bytes = 2 * (sum(rows) * (n + k) + sum(1 for each in rows if each) * n * k)
        self.make(make)

    def make(self, make):
        groups = len(self.rows)
        self.weight = make(groups, self.k, self.n).transpose(1, 2) if self.outer else make(groups, self.n, self.k)
        self.output = make(sum(self.rows), self.n)

    def parts(self):
        """Of each expert what is written, and what should be."""
        start = 0
        for weight, count in zip(self.weight, self.rows):
            yield slice(start, start + count), self.x[start:start + count].float() @ weight.float().t()
            start += count

    def is_right(self, launch):
        """Of a launch that writes self.output or returns its result."""
        self.output.fill_(float("nan"))
        result = launch()
        self.torch.cuda.synchronize()
        result, wrong, all_of_it = result if isinstance(result, self.torch.Tensor) else self.output, 0.0, 0.0
        for where, wanted in self.parts():
            wrong += float((result[where].float() - wanted).square().sum())
            all_of_it += float(wanted.square().sum())
        return wrong <= ERROR_LIMIT**2 * all_of_it

    def of_torch(self):
        return self.torch._grouped_mm(self.x, self.weight.transpose(1, 2), offs=self.ends)  # pylint: disable=protected-access

    def of_operator(self):
        return tawa.torch.moe(self.x, self.weight, self.ends)

    def arguments(self):
        weight = self.weight.transpose(1, 2) if self.outer else self.weight
        return [*(known("bf16", each) for each in (self.x, weight, self.output)), known("i32", self.ends),
                *(tawa.scalar("i32", each) for each in (len(self.rows), self.n, self.k))]


class Gradient(Case):
    """That of the weights."""

    text = os.path.join(TEXTS, "grouped_sums.mlir")

    def make(self, make):
        self.settings, self.g = "", make(sum(self.rows), self.n)
        self.output = self.torch.empty(len(self.rows), self.n, self.k, device="cuda", dtype=self.torch.bfloat16)
        self.bytes = 2 * (sum(self.rows) * (self.n + self.k) + len(self.rows) * self.n * self.k)

    def parts(self):
        start = 0
        for group, count in enumerate(self.rows):
            yield group, self.g[start:start + count].float().t() @ self.x[start:start + count].float()
            start += count

    def of_torch(self):
        return self.torch._grouped_mm(self.g.t(), self.x, offs=self.ends)  # pylint: disable=protected-access

    def of_operator(self):
        return self.torch.ops.tawa.moe_weight_gradient(self.g, self.x, self.ends)

    def arguments(self):
        return [*(known("bf16", each) for each in (self.g, self.x, self.output)), known("i32", self.ends),
                *(tawa.scalar("i32", each) for each in (len(self.rows), self.n, self.k, sum(self.rows)))]


def launches_of(case, runtime, configs, programs):
    """{configuration: launch}, of those that compile."""
    with open(case.text, "rb") as stream:
        text = stream.read().replace(b"f16", b"bf16")

    def compiled(config):
        try:
            return prepared.Kernel(runtime, text, case.text, case.arguments(), f"{config} {case.settings}".strip(), (programs, 1, 1))
        except tawa.Error as failure:
            return failure

    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        found = dict(zip(configs, pool.map(compiled, configs)))
    launches = {}
    for config, kernel in found.items():
        if isinstance(kernel, tawa.Error):
            print(f"{config}: {str(kernel).splitlines()[0]}", file=sys.stderr)
        else:
            launches[config] = lambda kernel=kernel: kernel.launch(case.torch.cuda.current_stream().cuda_stream)
    return launches


def measure(torch, case, runtime, configs, programs):
    launches = launches_of(case, runtime, configs, programs)
    wrong = [name for name, launch in launches.items() if not case.is_right(launch)]
    tried = {name: timing.quick_burst(torch, launch, idle=0.02) for name, launch in launches.items() if name not in wrong}
    contenders = {"torch": case.of_torch, "moe": case.of_operator}
    best = min(tried, key=tried.get, default=None)
    if best:
        contenders["tawa"] = launches[best]
    wrong += [name for name, launch in contenders.items() if not case.is_right(launch)]
    times = timing.compare(torch, contenders)
    of = lambda who, regime: times[who][regime]["median"]
    seconds = of("torch", timing.BURST)
    ratios = {who: [of("torch", regime) / of(who, regime) for regime in (timing.BURST, timing.WARM, timing.COLD)] for who in contenders if who != "torch"}
    print(f"{case.name:22} {case.tokens:5} tokens, {sum(1 for each in case.rows if each):3} of {len(case.rows):3}, most {max(case.rows):5}  {seconds * 1e6:8.1f} us "
          f"{case.flop / seconds / 1e12:6.1f} TFLOP/s {case.bytes / seconds / 1e12:5.2f} TB/s  "
          + "  ".join(f"{who} " + " ".join(f"{each:.3f}" for each in found) for who, found in ratios.items()) + f"  {best}" + (f"  WRONG {wrong}" if wrong else ""), flush=True)
    return {"name": case.name, "tokens": case.tokens, "rows": case.rows, "n": case.n, "k": case.k, "best": best, "tried": tried, "ratios": ratios, "times": times, "wrong": wrong}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--config", action="append", default=[], help="a configuration to try, any number of times")
    parser.add_argument("--least-tokens", type=int, default=1)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--outer", action="store_true", help="weights of [experts, K, N]")
    form.add_argument("--gradient", action="store_true", help="of the weights")
    default_json = os.path.join(os.environ.get("OUT", "."), "experts_bench.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    import torch
    import tawa.torch

    torch.zeros(1, device="cuda")
    runtime = prepared.runtime(f"cuda:{torch.cuda.current_device()}")
    programs = torch.cuda.get_device_properties(0).multi_processor_count
    generator = random.Random(options.seed)
    rows, about = [], gemm_bench.machine(torch)
    for _ in range(options.count):
        case = (Gradient if options.gradient else Case)(torch, options.outer, *draw(generator, options.least_tokens))
        rows.append(measure(torch, case, runtime, options.config, programs))
        del case
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump({"machine": about, "seed": options.seed, "rows": rows}, stream)
    for who in ("moe", "tawa"):
        logs = [[math.log(each) for each in row["ratios"][who]] for row in rows if who in row["ratios"]]
        if logs:
            print(f"{who}: geometric means of {len(logs)}, burst, L2 warm and cold: " + " ".join(f"{math.exp(sum(each) / len(logs)):.3f}" for each in zip(*logs)))
    sys.exit(0 if not any(row["wrong"] for row in rows) else 1)


if __name__ == "__main__":
    main()
