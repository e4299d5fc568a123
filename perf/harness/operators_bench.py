#!/usr/bin/env python3
"""Operators of tawa.torch as a program calls them, beside PyTorch's own, in turns (perf/README.md, "Operators"). bf16, no search.

Problems are drawn; this was written down before any was measured. `linear`: a layer of a published model (perf/problems/draw.py), 1 to
16384 rows, log-uniform, with bias, half of them with a GELU. `attention`: heads of 64 or 128 elements, 8 to 64 of them, keys shared by
1, 4 or 8 (half of them by 1), 64 to 8192 rows, half of them causal; one in four decodes 1 to 16 rows with 256 to 16384 keys. `fp8_linear`: as
linear, scales for all or for each row and column. `w4a16_linear`: as linear, 1 to 512 rows, 128 inputs to a scale. `training`: linear and
attention with their derivatives, from 64 rows on. Experts have a program of their own, experts_bench.py.

Peers: F.linear and F.gelu, F.scaled_dot_product_attention, torch._scaled_mm, torch._weight_int4pack_mm. Results are compared with the
peer's but for the last, whose numbers mean something else. "host": us that a call takes whoever calls it, while the GPU waits. With
--graphs bursts are of CUDA graphs of calls, so that the kernels count alone.

usage: operators_bench.py [--seed N] [--count N] [--only NAME...] [--graphs] [--json FILE]
"""

import argparse
import json
import math
import os
import random
import sys
import time

import gemm_bench
import prepared  # pylint: disable=unused-import  # finds tawa
import timing

sys.path.append(os.path.join(gemm_bench.HERE, "..", "problems"))
import draw  # pylint: disable=wrong-import-position

ERROR_LIMIT = 1e-2  # between two results of 16 bits
LARGEST_ROWS, FEWEST_TRAINED = 16384, 64


def log_uniform(generator, least, most):
    return round(math.exp(generator.uniform(math.log(least), math.log(most))))


class Maker:
    """Problems of each operator: (what it is, tawa's call, the peer's call, what to compare)."""

    def __init__(self, torch, ops, generator):
        self.torch, self.ops, self.generator = torch, ops, generator
        self.functional = torch.nn.functional

    def normal(self, *shape, grad=False):
        return self.torch.randn(shape, device="cuda", dtype=self.torch.bfloat16).requires_grad_(grad)

    def layer(self, least, most):
        name, n, k = self.generator.choice(list(draw.layers()))
        return name, log_uniform(self.generator, least, most), n, k

    def linear(self, train=False):
        name, m, n, k = self.layer(FEWEST_TRAINED if train else 1, LARGEST_ROWS)
        activation = "none" if train else self.generator.choice(("none", "gelu"))
        x, weight, bias = self.normal(m, k, grad=train), (self.normal(n, k) / math.sqrt(k)).detach().requires_grad_(train), self.normal(n, grad=train)
        act = self.functional.gelu if activation == "gelu" else lambda y: y
        mine, peer = lambda: self.ops.linear(x, weight, bias, activation), lambda: act(self.functional.linear(x, weight, bias))
        return (f"{name} {m} x {n} x {k} {activation}", *self.with_gradients(mine, peer, self.normal(m, n), (x, weight, bias), train))

    def attention(self, train=False):
        width, heads = self.generator.choice((64, 128)), 2 ** self.generator.randint(3, 6)
        shared = self.generator.choice((1, 1, 4, 8))
        queries = log_uniform(self.generator, 64, 8192) // 4 * 4
        keys, causal = queries, self.generator.random() < 0.5
        if not train and self.generator.random() < 0.25:
            queries, keys, causal = log_uniform(self.generator, 1, 16), log_uniform(self.generator, 256, 16384), False
        batch = max(1, log_uniform(self.generator, 1, 64) * 256 // max(queries, keys))
        of = lambda count, rows: self.normal(batch, count, rows, width, grad=train)
        q, k, v = of(heads, queries), of(heads // shared, keys), of(heads // shared, keys)
        mine = lambda: self.ops.attention(q, k, v, causal=causal)
        peer = lambda: self.functional.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=shared > 1)
        name = f"{batch} x {heads}/{heads // shared} heads of {width}, {queries} x {keys}{' causal' if causal else ''}"
        return (name, *self.with_gradients(mine, peer, self.normal(batch, heads, queries, width), (q, k, v), train))

    def with_gradients(self, mine, peer, g, leaves, train):
        if not train:
            return mine, peer, lambda result: result

        def step(call):
            for each in leaves:
                each.grad = None
            call().backward(g)
            return [each.grad for each in leaves]

        return lambda: step(mine), lambda: step(peer), lambda result: self.torch.cat([each.flatten() / each.float().norm() for each in result])

    def training(self):
        kind = self.generator.choice((self.linear, self.attention))
        name, *rest = kind(train=True)
        return (f"{kind.__name__} {name}", *rest)

    def fp8_linear(self):
        torch = self.torch
        name, m, n, k = self.layer(1, LARGEST_ROWS)
        by_row = self.generator.random() < 0.5
        x, weight = (self.normal(rows, k).to(torch.float8_e4m3fn) for rows in (m, n))
        scale = lambda count: torch.rand(count, 1, device="cuda") / math.sqrt(k) + 1 / math.sqrt(k)
        a, b = (scale(m), scale(n)) if by_row else (scale(1).reshape(()), scale(1).reshape(()))
        mine = lambda: self.ops.fp8_linear(x, weight, a.reshape(-1), b.reshape(-1))
        peer = lambda: torch._scaled_mm(x, weight.t(), a, b.t() if by_row else b, out_dtype=torch.bfloat16, use_fast_accum=True)  # pylint: disable=protected-access
        return f"{name} {m} x {n} x {k} {'rows' if by_row else 'all'}", mine, peer, lambda result: result

    def w4a16_linear(self):
        torch = self.torch
        name, m, n, k = self.layer(1, 512)
        n, k = n // 128 * 128, k // 128 * 128
        x, words = self.normal(m, k), torch.randint(-(1 << 31), 1 << 31, (k, n // 8), device="cuda", dtype=torch.int32)
        scales = self.normal(k // 128, n)
        packed = torch._convert_weight_to_int4pack(torch.randint(0, 255, (n, k // 2), device="cuda", dtype=torch.uint8), 8)  # pylint: disable=protected-access
        zeros = torch.stack((scales, scales), 2)
        mine = lambda: self.ops.w4a16_linear(x, words, scales)
        peer = lambda: torch._weight_int4pack_mm(x, packed, 128, zeros)  # pylint: disable=protected-access
        return f"{name} {m} x {n} x {k}", mine, peer, None


def host_time(torch, call):
    """Seconds of one call, of few enough that they fit the queue of a device that is kept busy."""
    call()
    torch.cuda.synchronize()
    torch.cuda._sleep(40_000_000)  # pylint: disable=protected-access
    start = time.perf_counter()
    for _ in range(50):
        call()
    seconds = (time.perf_counter() - start) / 50
    torch.cuda.synchronize()
    return seconds


def measure(torch, operator, problem, in_graphs):
    name, mine, peer, compared = problem
    error = 0.0
    if compared:
        ours, theirs = compared(mine()).float(), compared(peer()).float()
        error = float((ours - theirs).norm() / theirs.norm())
        del ours, theirs
    contenders = {"tawa": mine, "torch": peer}
    times = timing.compare(torch, {who: timing.Graph(torch, call) for who, call in contenders.items()} if in_graphs else contenders)
    of = lambda who, regime: times[who][regime]["median"]
    ratios = [of("torch", regime) / of("tawa", regime) for regime in (timing.BURST, timing.WARM, timing.COLD)]
    host = {who: host_time(torch, call) * 1e6 for who, call in contenders.items()}
    print(f"{operator:12} {name:52} {of('torch', timing.BURST) * 1e6:9.1f} us  burst {ratios[0]:.3f}  isolated {ratios[1]:.3f} {ratios[2]:.3f}  "
          f"host {host['tawa']:.1f} and {host['torch']:.1f} us  error {error:.1e}{'' if error <= ERROR_LIMIT else '  WRONG'}", flush=True)
    return {"operator": operator, "name": name, "ratios": ratios, "host_us": host, "error": error, "times": times}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    operators = ("linear", "attention", "fp8_linear", "w4a16_linear", "training")
    parser.add_argument("--seed", type=int, default=20261204)
    parser.add_argument("--count", type=int, default=10, help="problems of each operator")
    parser.add_argument("--only", nargs="*", default=operators, choices=operators)
    parser.add_argument("--graphs", action="store_true", help="bursts of CUDA graphs of calls")
    default_json = os.path.join(os.environ.get("OUT", "."), "operators_bench.json")
    parser.add_argument("--json", default=default_json, help="where the full numbers go (default: %(default)s)")
    options = parser.parse_args()
    import torch
    import tawa.torch

    torch.manual_seed(1)
    rows, about = [], gemm_bench.machine(torch)
    for operator in options.only:
        maker = Maker(torch, tawa.torch, random.Random(f"{options.seed} {operator}"))
        for _ in range(options.count):
            problem = getattr(maker, operator)()
            try:
                rows.append(measure(torch, operator, problem, options.graphs))
            except Exception as failure:  # pylint: disable=broad-exception-caught  # one problem that fails leaves the others
                print(f"{operator:12} {problem[0]:52} FAILED {type(failure).__name__}: {str(failure).splitlines()[0]}", flush=True)
                rows.append({"operator": operator, "name": problem[0], "failure": str(failure)})
            del problem
            torch.cuda.empty_cache()
            with open(options.json, "w", encoding="utf-8") as stream:
                json.dump({"machine": about, "seed": options.seed, "graphs": options.graphs, "rows": rows}, stream)
        logs = [[math.log(each) for each in row["ratios"]] for row in rows if row["operator"] == operator and "ratios" in row]
        if logs:
            print(f"{operator}: geometric means of {len(logs)}: " + " ".join(f"{math.exp(sum(each) / len(logs)):.3f}" for each in zip(*logs)), flush=True)
    sys.exit(0 if all(row.get("error", 1) <= ERROR_LIMIT for row in rows) else 1)


if __name__ == "__main__":
    main()
