#!/usr/bin/env python3
"""The performance model against measurements: asks `tawa tune --predict` for every problem and configuration of result files.

Per problem: prediction error, rank correlation, and the regret of the model's first choice and of its first k: time of the
best of them over the best that was measured. A result file has quick times of all configurations, taken without idle gaps,
so that long kernels throttle one another, and careful ones of the finalists. Where there is a careful time it counts; quick
ones are scaled by the finalists' median ratio of the two. Configurations with a `raster` other than 0 are left out: in these files it still divided
seven times per tile, in the loop. Result files of attention forward (attention_bench.py) have one careful time of each configuration.

Configurations that differ in nothing but `cluster` (1 or 2) are compared below the table: how often the model prefers the faster
one, and what it would lose to propose a cluster wherever neighbours load a tile in common, which they do in all of these.

With --tried the times are those that a search measured of its candidates (`tried` of a row), half of them with an empty L2.

With --plot, every configuration is a point of an SVG: predicted beside measured time.

usage: model_report.py --tawa build/dev/bindings/cli/tawa [--tried] [--json FILE] [--plot FILE] [RESULTS.json ...]
"""

import argparse
import collections
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = [os.path.join(HERE, "..", "results", f"2026-11-{name}.json") for name in
           ("22-square-schedules", "22-models", "22-persistent", "22-square-overlapped", "22-models-overlapped", "22-attention",
            "22-attention-causal")]
KERNELS = os.path.join(HERE, "..", "..", "tests", "kernels")
KERNEL = os.path.join(KERNELS, "gemm_param.mlir")
ATTENTION, HEADS = {"full": "fwd.mlir", "causal": "fwd_causal.mlir"}, 4 * 32
TOP = (1, 3, 5, 8, 12)


def measured(row):
    """{configuration: seconds}."""
    if "kind" in row:
        flop = 4.0 * HEADS * row["length"] ** 2 * row.get("head_dim", 128) / (2 if row["kind"] == "causal" else 1)
        return {name[5:]: flop / each["burst"] / 1e12 for name, each in row["tflops"].items() if name.startswith("tawa ")}
    quick, careful = {c: t for c, t in row["quick_seconds"].items() if not re.search(r"\braster=(?!0\b)", c)}, row["seconds"]
    first = next(iter(quick))  # measured with a cool card
    both = [careful[c] / quick[c] for c in careful if c in quick and c != first]
    scale = statistics.median(both) if both else 1.0
    return {config: careful.get(config, seconds * scale) for config, seconds in quick.items()}


def split_name(config):
    """Result files name the kernel before the configuration where it is not the usual one."""
    kernel, _, rest = config.rpartition(";")
    return os.path.join(KERNELS, "gemm", kernel) if kernel else None, rest


def predicted(options, sizes, configs):
    """{configuration: seconds}."""
    times = {}
    if isinstance(sizes[0], str):
        return predicted_of(options, os.path.join(KERNELS, "attention", ATTENTION[sizes[0]]), sizes, configs)
    for kernel in {split_name(config)[0] for config in configs}:
        times |= predicted_of(options, kernel or options.kernel, sizes, [c for c in configs if split_name(c)[0] == kernel])
    return times


def product_arguments(sizes, kernel=KERNEL):
    """Under the names that the kernel gives its tensors, which come in this order in all."""
    m, n, k = sizes
    with open(kernel, encoding="utf-8") as file:
        a, b, c = re.findall(r"%(\w+): !tt\.(?:ptr|tensordesc)<", file.read())[:3]
    return {a: f"f16[{m},{k}]", b: f"f16[{n},{k}]", c: f"f16[{m},{n}]", "M": m, "N": n, "K": k}, None


def attention_arguments(kind, dim, length):
    """By name, as our own text and that which Triton printed have them, and the grid."""
    rows = HEADS * length
    tensors = {name: f"f16[{rows},{dim}]" for name in ("q", "k", "v", "o")}
    scalars = {"lse": f"f32[{rows}]", "scale": dim ** -0.5, "L": length, "HEADS": HEADS}
    return tensors | scalars, f"{length // 128},{HEADS}"


def predicted_of(options, kernel, sizes, configs):
    arguments, grid = attention_arguments(*sizes) if isinstance(sizes[0], str) else product_arguments(sizes, kernel)
    fixed = f"HEAD_DIM={sizes[1]} " if isinstance(sizes[0], str) else ""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(fixed + split_name(config)[1] for config in configs))
        file.flush()
        command = [options.tawa, "tune", kernel, "--predict", "--json", "--all", "--hardware", options.hardware]
        command += ["--device", "emulator", "--configs", file.name] + ([] if options.cold else ["--warm"])
        command += ["--grid", grid] if grid else []
        command += ["--config", fixed] if fixed else []
        for name, value in arguments.items():
            command += ["--arg", f"{name}={value}"]
        environment = os.environ | {"TAWA_CACHE": "off"}  # no rows of earlier searches
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout)
    defaults = key_defaults() | first_values(kernel)
    times = {settings(row["config"], defaults): row.get("predicted_us", math.nan) / 1e6 for row in answer["rows"]}
    return {config: times[settings(fixed + split_name(config)[1], defaults)] for config in configs}


def key_defaults():
    """Of the fixed keys, from the table that the library is built with."""
    table = pathlib.Path(__file__).resolve().parents[2] / "runtime/artifact/KernelConfig.def"
    rows = re.findall(r'^TAWA_CONFIG_KEY\(\w+, "(\w+)", (\w+),', table.read_text(encoding="utf-8"), re.MULTILINE)
    return {key: default.lower() for key, default in rows}  # Cooperative is written cooperative


def first_values(kernel):
    """Of the tile parameters: what a configuration that leaves them out takes."""
    with open(kernel, encoding="utf-8") as file:
        return dict(re.findall(r"^// tawa\.(?:param|setting) (\w+) = (\d+)", file.read(), re.MULTILINE))


def settings(config, defaults):
    return tuple(sorted((defaults | dict(word.split("=") for word in config.split())).items()))


def rank_correlation(times, guesses):
    """Spearman's, without ties."""
    def ranks(values):
        order = sorted(range(len(values)), key=values.__getitem__)
        return {index: rank for rank, index in enumerate(order)}
    a, b, n = ranks(times), ranks(guesses), len(times)
    return 1 - 6 * sum((a[i] - b[i]) ** 2 for i in range(n)) / (n * (n * n - 1)) if n > 1 else 1.0


def judge(options, file, row):
    times = {config: each[0] / 1e6 for config, each in row["tried"].items()} if options.tried else measured(row)
    sizes = (row["kind"], row.get("head_dim", 128), row["length"]) if "kind" in row else row["sizes"]
    guesses = predicted(options, sizes, list(times))
    judged = [config for config in times if not math.isnan(guesses[config])]
    order = sorted(judged, key=guesses.get)
    best = min(times.values())
    errors = [abs(guesses[config] / times[config] - 1) for config in judged]
    return {
        "points": [(times[config], guesses[config]) for config in judged],
        "clusters": cluster_pairs({config: (times[config], guesses[config]) for config in judged}),
        "file": os.path.basename(file),
        "name": row.get("name", "attention"),
        "sizes": sizes,
        "configurations": len(times),
        "refused": len(times) - len(judged),
        "error": statistics.fmean(errors),
        "correlation": rank_correlation([times[c] for c in judged], [guesses[c] for c in judged]),
        "regret": {str(k): min(times[config] for config in order[:k]) / best for k in TOP},
        "chosen": order[0],
        "best": min(times, key=times.get),
    }


def cluster_pairs(both):
    """[(measured gain of cluster=2 over none, predicted gain)] of configurations that differ in nothing else."""
    pairs = collections.defaultdict(dict)
    for config, times in both.items():
        size = re.search(r" ?\bcluster=(\d+)", config)
        pairs[config.replace(size[0], "") if size else config][int(size[1]) if size else 1] = times
    return [tuple(alone / paired for alone, paired in zip(each[1], each[2])) for each in pairs.values() if {1, 2} <= each.keys()]


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, list(values))))


def print_table(rows):
    print(f"{'problems':30} {'count':>5} {'error':>7} {'rank':>6} " + " ".join(f"top-{k:<4}" for k in TOP) + "  worst top-1")
    groups = {}
    for row in rows:
        groups.setdefault(row["file"], []).append(row)
    for name, members in [*groups.items(), ("all", rows)]:
        regrets = " ".join(f"{geomean([row['regret'][str(k)] for row in members]):8.4f}" for k in TOP)
        print(f"{name[:30]:30} {len(members):5} {statistics.fmean(r['error'] for r in members):7.1%} "
              f"{statistics.fmean(r['correlation'] for r in members):6.2f} {regrets}  {max(r['regret']['1'] for r in members):.3f}")


def print_clusters(rows):
    pairs = [pair for row in rows for pair in row["clusters"]]
    if not pairs:
        return
    faster = [max(gain, 1) for gain, _ in pairs]
    chosen = [gain if guess > 1 else 1 for gain, guess in pairs]
    print(f"\nclusters of 2 in {len(pairs)} pairs: {geomean(gain for gain, _ in pairs):.4f} of the speed without, faster in "
          f"{sum(gain > 1 for gain, _ in pairs)}; the model takes them in {sum(guess > 1 for _, guess in pairs)}\n"
          f"loss to the faster of each pair: the model {geomean(best / own for best, own in zip(faster, chosen)):.4f}, "
          f"always a cluster {geomean(best / gain for best, (gain, _) in zip(faster, pairs)):.4f}")


COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8d6a9f", "#e09f3e", "#2a9d8f", "#7f5539", "#d1495b")


def draw(rows):
    """An SVG with one point per configuration, both axes logarithmic, and lines at 17 % either side of the diagonal."""
    size, margin = 560, 60
    points = [(row["file"], *point) for row in rows for point in row["points"]]
    low = math.floor(math.log10(min(min(t, g) for _, t, g in points)) * 2) / 2
    high = math.ceil(math.log10(max(max(t, g) for _, t, g in points)) * 2) / 2

    def place(seconds):
        return margin + (math.log10(seconds) - low) / (high - low) * size

    def line(x1, y1, x2, y2, style):
        return f'<line x1="{x1:.1f}" y1="{margin * 2 + size - y1:.1f}" x2="{x2:.1f}" y2="{margin * 2 + size - y2:.1f}" {style}/>'

    end = margin + size
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{size + 2 * margin}" height="{size + 2 * margin}" '
             'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for exponent in range(math.ceil(low), math.floor(high) + 1):
        at = place(10.0 ** exponent)
        parts += [line(at, margin, at, end, 'stroke="#ddd"'), line(margin, at, end, at, 'stroke="#ddd"')]
        label = f"{10.0 ** (exponent + 6):g} us"
        parts.append(f'<text x="{at:.1f}" y="{end + 18}" text-anchor="middle">{label}</text>')
        parts.append(f'<text x="{margin - 6}" y="{2 * margin + size - at + 4:.1f}" text-anchor="end">{label}</text>')
    for shift, style in ((0, 'stroke="#333"'), (math.log10(1.17), 'stroke="#999" stroke-dasharray="4"'),
                         (-math.log10(1.17), 'stroke="#999" stroke-dasharray="4"')):
        offset = shift / (high - low) * size
        parts.append(line(margin + max(-offset, 0), margin + max(offset, 0), end - max(offset, 0), end - max(-offset, 0), style))
    files = list(dict.fromkeys(name for name, _, _ in points))
    for name, measured_at, predicted_at in points:
        colour = COLOURS[files.index(name) % len(COLOURS)]
        parts.append(f'<circle cx="{place(measured_at):.1f}" cy="{2 * margin + size - place(predicted_at):.1f}" r="2" '
                     f'fill="{colour}" fill-opacity="0.6"/>')
    for index, name in enumerate(files):
        parts.append(f'<text x="{margin + 12}" y="{margin + 18 + 16 * index}" fill="{COLOURS[index % len(COLOURS)]}">{name}</text>')
    parts.append(f'<text x="{margin + size / 2}" y="{end + 40}" text-anchor="middle">measured (dashed: 17 % either side)</text>')
    parts.append(f'<text x="16" y="{margin + size / 2}" text-anchor="middle" transform="rotate(-90 16 {margin + size / 2})">predicted</text>')
    return "\n".join([*parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tawa", required=True, help="the tawa program")
    parser.add_argument("--kernel", default=KERNEL)
    parser.add_argument("--hardware", default="h200")
    parser.add_argument("--json", help="where the rows go")
    parser.add_argument("--plot", help="where an SVG of predicted beside measured times goes")
    parser.add_argument("--cold", action="store_true", help="L2 was emptied before each launch")
    parser.add_argument("--tried", action="store_true", help="what searches measured")
    parser.add_argument("--verbose", action="store_true", help="name problems whose first choice loses more than 4 %%")
    parser.add_argument("results", nargs="*", default=RESULTS)
    options = parser.parse_args()
    options.cold |= options.tried
    rows = []
    for file in options.results:
        with open(file, encoding="utf-8") as stream:
            rows += [judge(options, file, row) for row in json.load(stream)["rows"] if "failure" not in row]
    print_table(rows)
    print_clusters(rows)
    if options.verbose:
        for row in rows:
            if row["regret"]["1"] > 1.04:
                print(f"{row['name']} {row['sizes']}: chose {row['chosen']}, best {row['best']}, {row['regret']['1']:.3f}")
    if options.plot:
        with open(options.plot, "w", encoding="utf-8") as stream:
            stream.write(draw(rows))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump(rows, stream, indent=1)


if __name__ == "__main__":
    sys.exit(main())
