#!/usr/bin/env python3
"""Figures 11 and 12 of the paper, measured here: tables, JSON and SVG plots.

Figure 11: throughput of GEMM over ring depth D and MMA depth P, one CTA per tile and persistent.
Figure 12: what each step adds, from the plain kernel (one role, no producer) to everything, for GEMM and for attention
(forward, full, head dim 128).
Configurations that do not compile, or that ptxas spills, are listed with the reason instead of a figure. Method:
perf/README.md; every result is checked.

usage: paper_figures.py [--figures 11,12,12-attention] [--sizes M,N,K] [--length L] [--out FOLDER]
"""

import argparse
import dataclasses
import json
import os
import sys
from typing import Callable

import attention_bench
import cublaslt
import gemm_bench
import gemm_sweep
import prepared
import tawa
import timing

TILE = "BLOCK_M=128 BLOCK_N=256"
DEPTHS = [(d, p) for d in range(1, 5) for p in range(1, d + 1)]
STEPS = [
    ("plain: one role", "BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 consumers=0 D=1"),
    ("+ warp specialization", "BLOCK_M=128 BLOCK_N=128 D=2 consumers=1"),
    ("+ cooperative groups, large tile", f"{TILE} D=2"),
    ("+ persistent", f"{TILE} D=2 persistent=1"),
    ("+ better D", f"{TILE} D=4 persistent=1"),
]
ATTENTION_STEPS = [
    ("plain: one role", "BLOCK_M=64 BLOCK_N=32 consumers=0 D=1 warps=8"),
    ("+ warp specialization", "BLOCK_M=64 BLOCK_N=128 D=1 coarse=0 consumers=1"),
    ("+ cooperative groups", "BLOCK_M=128 BLOCK_N=128 D=1 coarse=0"),
    ("+ coarse pipeline", "BLOCK_M=128 BLOCK_N=128 D=1"),
    ("+ better D", "BLOCK_M=128 BLOCK_N=128 D=2"),
    ("+ persistent", "BLOCK_M=128 BLOCK_N=128 D=2 persistent=1"),
    ("ping-pong for cooperative", "BLOCK_M=64 BLOCK_N=128 D=2 persistent=1 schedule=pingpong"),
]
BARS = ["#4878a8", "#d08848"]
CHARACTER_WIDTH = 6


def measure(torch, runtime, lt, options, configs):
    """{config: TFLOP/s}, {config: why not}, TFLOP/s of tuned cuBLASLt; contenders in turns, a few at a time."""
    text = gemm_sweep.Text(options.kernel)
    kernels, refused = gemm_sweep.compile_all(runtime, text, configs)
    problem = gemm_sweep.make_problem(torch, options.sizes, text)
    output, peer_output = problem.output(), problem.output()
    arguments = gemm_bench.tawa_arguments(text.text, text.file, problem, output)
    contenders = {}
    for config, (_, kernel) in kernels.items():
        bound = gemm_sweep.on_current_stream(torch, kernel.bound(arguments))
        error = problem.error_of(bound, output)
        if error <= gemm_bench.ERROR_LIMITS[text.dtypes[0]]:
            contenders[config] = bound
        else:
            refused[config] = f"wrong result: relative error {error:.2e}"
    gemm = cublaslt.Gemm(lt, problem.a, problem.b, peer_output)
    gemm.tune(torch.cuda.current_stream().cuda_stream, lambda launch: timing.quick_burst(torch, launch))
    contenders["cublaslt"] = gemm_sweep.on_current_stream(torch, gemm.launch)
    times = timing.compare(torch, contenders)
    figures = {who: problem.flop / times[who][timing.BURST]["median"] / 1e12 for who in contenders}
    return figures, refused, figures.pop("cublaslt")


class TiledText(attention_bench.Text):
    """Our own text with tile parameters for every head dim."""

    printed_head_dim = None


def measure_attention(torch, runtime, _lt, options, configs):
    """As measure(), of attention and cuDNN."""
    case = argparse.Namespace(config=configs, peers="cudnn", batch=4, heads=32, best=0, steady=False)
    suite = attention_bench.Suite(text=TiledText)
    row = attention_bench.run_case(torch, runtime, suite, "full", 128, options.length, case)
    refused = {name.removeprefix("tawa "): why for name, why in row["failures"].items()}
    figures = {name.removeprefix("tawa "): rates["burst"] for name, rates in row["tflops"].items()}
    peer = figures.pop("cudnn")
    for name, about in row["about"].items():
        config, errors = name.removeprefix("tawa "), row["errors"][name]
        if not attention_bench.are_small(suite, errors):
            refused[config] = f"wrong result: errors {errors}"
        elif about["spill_bytes"]:
            refused[config] = f"spills {about['spill_bytes']} bytes ({figures[config]:.1f} TFLOP/s)"
    return {config: value for config, value in figures.items() if config not in refused}, refused, peer


def bar_chart(title, groups, series, peer_name, peer):
    """SVG: `groups` of bars [(label, [value or None per series])], a line at the peer's value."""
    label_length = CHARACTER_WIDTH * max(len(label) for label, _ in groups)  # they run down to the right, at 30 degrees
    left, bottom = 50, 24 + label_length // 2
    width, height = 34 + 56 * len(groups) + label_length * 7 // 8, 250 + bottom
    top = 1.1 * max([peer] + [value for _, values in groups for value in values if value])
    scale = (height - bottom - 30) / top

    def y(value):
        return height - bottom - value * scale

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
             '<rect width="100%" height="100%" fill="white"/>', f'<text x="{left}" y="16" font-size="13">{title}</text>']
    for tick in range(0, int(top), 200):
        parts.append(f'<line x1="{left}" x2="{width}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>'
                     f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>')
    for index, (label, values) in enumerate(groups):
        x = left + 8 + 56 * index
        each = 44 / len(series)
        for number, value in enumerate(values):
            if value:
                parts.append(f'<rect x="{x + each * number:.1f}" y="{y(value):.1f}" width="{each - 2:.1f}" '
                             f'height="{value * scale:.1f}" fill="{BARS[number]}"/>')
        parts.append(f'<text transform="translate({x + 20},{height - bottom + 12}) rotate(30)">{label}</text>')
    parts.append(f'<line x1="{left}" x2="{width}" y1="{y(peer):.1f}" y2="{y(peer):.1f}" stroke="#a03030" stroke-dasharray="4"/>'
                 f'<text x="{width - 4}" y="{y(peer) - 4:.1f}" text-anchor="end" fill="#a03030">{peer_name} {peer:.0f}</text>')
    for number, name in enumerate(series):
        parts.append(f'<rect x="{left + 130 * number}" y="22" width="10" height="10" fill="{BARS[number]}"/>'
                     f'<text x="{left + 14 + 130 * number}" y="31">{name}</text>')
    return "\n".join(parts + ["</svg>", ""])


def depths_figure(figures, refused, peer):
    """Table and groups of bars of figure 11."""
    print(f"D x P, TFLOP/s (tuned cuBLASLt {peer:.0f}); persistent in the second column")
    groups = []
    for d, p in DEPTHS:
        pair = [figures.get(f"{TILE} D={d} P={p} persistent={walk}") for walk in (0, 1)]
        groups.append((f"D={d} P={p}", pair))
        print(f"D={d} P={p}  " + "  ".join(f"{value:7.1f}" if value else "      -" for value in pair))
    for config, why in refused.items():
        print(f"not measured: {config}: {why.splitlines()[0]}")
    return groups


def steps_figure(steps):
    """What makes table and bars of figure 12 with these steps."""

    def draw(figures, refused, peer):
        print(f"step by step, TFLOP/s (peer {peer:.0f})")
        for name, config in steps:
            value = figures.get(config)
            print(f"{name:34} {value:7.1f}  {value / peer:.3f}  {config}" if value else f"{name:34} {refused.get(config)}")
        return [(name, [figures.get(config)]) for name, config in steps]

    return draw


@dataclasses.dataclass
class Figure:
    """One plot: its contenders, and how it is drawn."""

    title: str
    configs: list
    measure: Callable
    draw: Callable
    series: list
    peer: str


def figures_of(options):
    size = "x".join(map(str, options.sizes))
    gemm, attention = f"GEMM f16 {size}, burst TFLOP/s", f"attention f16 L={options.length}, burst TFLOP/s"
    depths = [f"{TILE} D={d} P={p} persistent={walk}" for d, p in DEPTHS for walk in (0, 1)]
    steps, attention_steps = ([config for _, config in each] for each in (STEPS, ATTENTION_STEPS))
    return {
        "11": Figure(gemm, depths, measure, depths_figure, ["one CTA per tile", "persistent"], "cuBLASLt"),
        "12": Figure(gemm, steps, measure, steps_figure(STEPS), ["Tawa"], "cuBLASLt"),
        "12-attention": Figure(attention, attention_steps, measure_attention, steps_figure(ATTENTION_STEPS), ["Tawa"], "cuDNN"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", default=gemm_sweep.DEFAULT_KERNEL)
    parser.add_argument("--sizes", type=gemm_bench.parse_sizes, default=(8192, 8192, 16384))
    parser.add_argument("--length", type=int, default=16384, help="of attention's sequences (default: %(default)s)")
    parser.add_argument("--figures", default="11,12,12-attention")
    parser.add_argument("--out", default=os.environ.get("OUT", "."), help="folder for JSON and SVG (default: %(default)s)")
    options = parser.parse_args()
    import torch

    torch.zeros(1, device="cuda")
    runtime = prepared.runtime(f"cuda:{torch.cuda.current_device()}")
    lt = cublaslt.CublasLt()
    results = {"machine": gemm_bench.machine(torch, lt), "sizes": options.sizes, "length": options.length}
    wrong = False
    for name in options.figures.split(","):
        figure = figures_of(options)[name]
        values, refused, peer = figure.measure(torch, runtime, lt, options, figure.configs)
        results["figure" + name] = {"teraflops": values, "refused": refused, figure.peer.lower(): peer}
        wrong = wrong or any("wrong result" in why for why in refused.values())
        groups = figure.draw(values, refused, peer)
        with open(os.path.join(options.out, f"figure{name}.svg"), "w", encoding="utf-8") as stream:
            stream.write(bar_chart(figure.title, groups, figure.series, figure.peer, peer))
    with open(os.path.join(options.out, "paper_figures.json"), "w", encoding="utf-8") as stream:
        json.dump(results, stream, indent=1)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
