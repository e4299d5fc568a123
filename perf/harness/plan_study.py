#!/usr/bin/env python3
"""The planner's choices over many problems, measured on the simulator: tables, JSON and SVG plots.

Runs tawa-plan-study (perf/PlanStudy.cpp), one study after the other, or reads what it wrote, and compares the planner's
plans with fixed dataflows as TileLoom, section 4, does: speed-ups by shape, model error, regret of the best k.

usage: plan_study.py [--program tawa-plan-study --kernels tests/kernels] [--studies gemms,..] [--seconds S]
                     [--read LINES.jsonl ...] [--out FOLDER] [--date DATE]
"""

import argparse
import collections
import datetime
import json
import math
import os
import subprocess

STUDIES = ["gemms", "exhaust", "drawn", "irregular", "attention", "ablation", "time"]
KEEP = 5  # plans that the planner simulates
COLOURS = ["#4878a8", "#d08848", "#5a9a5a", "#a03030"]
TEMPLATES = ["1d", "1d-smaller", "2d"]


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def cycles(plans, k):
    """Of the fastest of the model's best k."""
    return min(plan["cycles"] for plan in plans[:k])


def error(plan):
    return plan["estimate"] / plan["cycles"] - 1


def run_study(options, study):
    """The lines of a study."""
    command = [options.program, study, options.kernels]
    if options.seconds:
        command += ["--seconds", str(options.seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def size_of(row):
    return tuple(row[name] for name in ("M", "N", "K", "heads", "keys") if name in row)


def by_problem(rows):
    """{(machine, sizes): {template: row}} of what was measured."""
    problems = collections.defaultdict(dict)
    for row in rows:
        if "plans" in row:
            problems[row["machine"], size_of(row)][row["template"]] = row
    return problems


def spread(values):
    """Mean of the absolute values, their geometric mean as a factor, and the worst."""
    factors = [max(1 + value, 1 / (1 + value)) for value in values]
    return {"mean": sum(map(abs, values)) / len(values), "geometric": geometric_mean(factors) - 1, "count": len(values),
            "median": sorted(map(abs, values))[len(values) // 2], "worst": max(factors) - 1}


def sweep():
    """The products of the study "gemms"."""
    sides = [2 ** power for power in range(8, 15)]
    return [(m, n, k) for k in sides[:5] for m in sides for n in sides if n <= m]


def gemm_summary(rows):
    """By machine: speed-ups over the templates and over the choice by shape, error of the model, gain of the best k."""
    problems, summary = by_problem(rows), {}
    for machine in sorted({machine for machine, _ in problems}):
        mine = {size: found for (on, size), found in problems.items() if on == machine and len(found) > len(TEMPLATES)}
        ratios = {template: {size: cycles(found[template]["plans"], KEEP) / cycles(found["any"]["plans"], KEEP)
                             for size, found in mine.items()} for template in TEMPLATES}
        ratios["vendor"] = {size: ratios[found["any"]["by_shape"]][size] for size, found in mine.items()}
        # A library has one block size for a shape: the model's first instead of the best of five.
        first = {template: geometric_mean(found[template]["plans"][0]["cycles"] / cycles(found["any"]["plans"], KEEP)
                                          for found in mine.values()) for template in TEMPLATES}
        summary[machine] = {
            "problems": len(mine),
            "left out": [size for size in sweep() if size not in mine],
            "speedup": {name: geometric_mean(each.values()) for name, each in ratios.items()},
            "speedup over the model's first of the template": first,
            "better than the choice by shape": sum(ratio > 1 for ratio in ratios["vendor"].values()),
            "within 10 % of it": sum(0.9 <= ratio <= 1.1 for ratio in ratios["vendor"].values()),
            "speedup over the better template": geometric_mean(min(ratios[name][size] for name in TEMPLATES) for size in mine),
            "worst": {name: min((ratio, size) for size, ratio in each.items()) for name, each in ratios.items()},
            "largest": {name: max((ratio, size) for size, ratio in each.items()) for name, each in ratios.items()},
            "error": spread([error(found["any"]["plans"][0]) for found in mine.values()]),
            "error of all plans": spread([error(plan) for found in mine.values() for row in found.values()
                                          for plan in row["plans"]]),
            "worst errors": sorted(((error(plan), size, row["template"], plan["bound"]) for size, found in mine.items()
                                    for row in found.values() for plan in row["plans"]), key=lambda e: -abs(e[0]))[:8],
            "gain over k = 1": {k: geometric_mean(cycles(found["any"]["plans"], 1) / cycles(found["any"]["plans"], k)
                                                  for found in mine.values()) - 1 for k in range(1, 11)},
        }
    return summary


def reversals(rows, one="wormhole_4x8", other="wormhole_8x8", margin=1.03):
    """Products where 1D is faster on one machine and 2D on the other, each by the margin; largest difference first."""
    problems, found = by_problem(rows), []
    for size in {size for _, size in problems}:
        ratio = {}
        for machine in (one, other):
            row = problems.get((machine, size), {})
            if len(row) > len(TEMPLATES):
                best_1d = min(cycles(row[name]["plans"], KEEP) for name in TEMPLATES if name.startswith("1d"))
                ratio[machine] = cycles(row["2d"]["plans"], KEEP) / best_1d
        if len(ratio) == 2 and (min(ratio.values()) < 1 / margin and max(ratio.values()) > margin):
            plans = {machine: min(problems[machine, size]["any"]["plans"][:KEEP], key=lambda plan: plan["cycles"])["plan"]
                     for machine in ratio}
            found.append({"size": size, "2d cycles over 1d": ratio, "planner": plans})
    return sorted(found, key=lambda each: -max(each["2d cycles over 1d"].values()) / min(each["2d cycles over 1d"].values()))


def exhaust_summary(rows):
    """Regret of the best k against the fastest of all plans, by problem."""
    all_plans, best, regret = {}, {}, {}
    for row in rows:
        if "plans" not in row:
            continue
        key = (row["machine"], size_of(row))
        (best if key in all_plans else all_plans)[key] = row
    for key in best:
        fastest = cycles(all_plans[key]["plans"], None)
        regret[key] = [cycles(best[key]["plans"], k) / fastest - 1 for k in range(1, 11)]
    if not regret:
        return {}
    means = {k + 1: geometric_mean(1 + each[k] for each in regret.values()) - 1 for k in range(10)}
    return {"problems": len(regret), "plans": sum(len(all_plans[key]["plans"]) for key in regret), "mean regret": means,
            "worst at 5": sorted(((each[4], key) for key, each in regret.items()), reverse=True)[:8],
            "within 2 % at 5": sum(each[4] <= 0.02 for each in regret.values()),
            "error of all plans": spread([error(plan) for key in regret for plan in all_plans[key]["plans"]])}


def template_times(rows):
    """{problem: {template: cycles}} with the model's estimate of the fastest."""
    times = {}
    for (machine, size), found in by_problem(rows).items():
        times[f"{machine} {'x'.join(map(str, size))}"] = {
            name: {"cycles": cycles(row["plans"], None), "first error": error(row["plans"][0]), "bound": row["plans"][0]["bound"],
                   "read": min(row["plans"], key=lambda plan: plan["cycles"])["read"],
                   "plan": min(row["plans"], key=lambda plan: plan["cycles"])["plan"]} for name, row in found.items()}
    return times


def table(head, lines):
    """Markdown."""
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def scatter(title, series, labels, line=None):
    """SVG: points of [(x, y)] per series on logarithmic axes; `line`: "equal" draws y = x, a number y = number."""
    points = [point for each in series for point in each]
    width, height, left, bottom = 640, 400, 60, 40
    low, high = ([math.log10(pick(point[axis] for point in points)) for axis in (0, 1)] for pick in (min, max))
    if line == "equal":
        low, high = [min(low)] * 2, [max(high)] * 2
    room = [max(high[axis] - low[axis], 0.1) for axis in (0, 1)]

    def place(x, y):
        return (left + (math.log10(x) - low[0]) / room[0] * (width - left - 20),
                height - bottom - (math.log10(y) - low[1]) / room[1] * (height - bottom - 50))

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
             '<rect width="100%" height="100%" fill="white"/>', f'<text x="{left}" y="16" font-size="13">{title}</text>']
    if line:
        ends = [10 ** low[0], 10 ** high[0]]
        (x1, y1), (x2, y2) = (place(x, x if line == "equal" else line) for x in ends)
        parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#888" stroke-dasharray="4"/>')
    for axis in (0, 1):
        for part in range(5):
            value = 10 ** (low[axis] + room[axis] * part / 4)
            x, y = place(*((value, 10 ** low[1]) if axis == 0 else (10 ** low[0], value)))
            text = f'x="{x:.1f}" y="{y + 14:.1f}" text-anchor="middle"' if axis == 0 else f'x="{x - 4:.1f}" y="{y + 4:.1f}" text-anchor="end"'
            parts.append(f"<text {text}>{value:.3g}</text>")
    for number, (each, label) in enumerate(zip(series, labels)):
        colour = COLOURS[number % len(COLOURS)]
        parts += ['<circle cx="{:.1f}" cy="{:.1f}" r="2.5" fill="{}" fill-opacity="0.7"/>'.format(*place(x, y), colour) for x, y in each]
        parts.append(f'<rect x="{left + 140 * number}" y="24" width="10" height="10" fill="{colour}"/>'
                     f'<text x="{left + 14 + 140 * number}" y="33">{label}</text>')
    return "\n".join(parts + ["</svg>", ""])


def gemm_plots(rows):
    """Names and SVGs: speed-ups over work, estimate over measurement."""
    problems, machines = by_problem(rows), sorted({row["machine"] for row in rows if "machine" in row})
    plots = {}
    for machine in machines:
        series = [[(math.prod(size), cycles(found[name]["plans"], KEEP) / cycles(found["any"]["plans"], KEEP))
                   for (on, size), found in sorted(problems.items()) if on == machine and name in found] for name in TEMPLATES]
        plots["plan-gemms-" + machine] = scatter(f"{machine}: cycles of templates over the planner's, by M N K", series, TEMPLATES, 1)
    series = [[(found["any"]["plans"][0]["cycles"], found["any"]["plans"][0]["estimate"]) for (on, _), found in problems.items()
               if on == machine] for machine in machines]
    plots["plan-error"] = scatter("Estimated cycles over simulated, the model's first plan", series, machines, "equal")
    return plots


def times_plot(title, times):
    """SVG: a bar for each problem and template, its cycles over the planner's."""
    bars = [(problem, name, part["cycles"] / each["any"]["cycles"]) for problem, each in times.items() if "any" in each
            for name, part in each.items() if name != "any"]
    names = sorted({name for _, name, _ in bars})
    left, width, scale = 260, 700, 400 / max(ratio for *_, ratio in bars)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{40 + 16 * len(bars)}" font-family="sans-serif" '
             'font-size="11">', '<rect width="100%" height="100%" fill="white"/>', f'<text x="8" y="16" font-size="13">{title}</text>']
    for row, (problem, name, ratio) in enumerate(bars):
        y = 30 + 16 * row
        parts.append(f'<text x="8" y="{y + 10}">{problem} {name}</text><rect x="{left}" y="{y}" width="{ratio * scale:.1f}" height="12" '
                     f'fill="{COLOURS[names.index(name) % len(COLOURS)]}"/><text x="{left + 4 + ratio * scale:.1f}" y="{y + 10}">{ratio:.2f}</text>')
    parts.append(f'<line x1="{left + scale:.1f}" x2="{left + scale:.1f}" y1="26" y2="{30 + 16 * len(bars)}" stroke="#888" stroke-dasharray="4"/>')
    return "\n".join(parts + ["</svg>", ""])


def print_gemms(summary):
    head = ["machine", "problems", *TEMPLATES, "by shape", "error, mean", "worst", "k=2", "k=5", "k=10"]
    lines = [[machine, each["problems"], *(f"{each['speedup'][name]:.3f}" for name in [*TEMPLATES, "vendor"]),
              f"{each['error']['mean']:.1%}", f"{each['error']['worst']:.1%}",
              *(f"{each['gain over k = 1'][k]:.2%}" for k in (2, 5, 10))] for machine, each in summary.items()]
    print(table(head, lines))


def print_times(times):
    print(table(["problem", "template", "cycles", "over the planner", "bound", "read"],
                [[problem, name, f"{part['cycles']:.0f}", f"{part['cycles'] / each['any']['cycles']:.3f}", part["bound"], part["read"]]
                 for problem, each in times.items() for name, part in each.items()]))


def report(study, rows):
    """Result and plots of one study; prints its tables."""
    print(f"\n## {study}\n")
    if study == "gemms":
        result = {"machines": gemm_summary(rows), "reversals": reversals(rows)}
        print_gemms(result["machines"])
        print(f"\nreversals: {len(result['reversals'])}", *result["reversals"][:1])
        return result, gemm_plots(rows)
    if study in ("exhaust", "drawn"):
        result = exhaust_summary(rows)
        print(json.dumps(result, indent=1))
        return result, {}
    if study == "time":
        result = [{name: value for name, value in row.items() if name != "plans"} for row in rows]
        print(*result, sep="\n")
        return result, {}
    result = template_times(rows)
    print_times(result)
    return result, {"plan-" + study: times_plot(f"{study}: cycles over the planner's", result)} if result else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/dev/perf/tawa-plan-study")
    parser.add_argument("--kernels", default="tests/kernels")
    parser.add_argument("--studies", default=",".join(STUDIES))
    parser.add_argument("--seconds", type=float, help="of each study; what does not fit is left out and counted")
    parser.add_argument("--read", nargs="*", help="lines that the program wrote, instead of running it")
    parser.add_argument("--out", default=os.environ.get("OUT", "."), help="folder for JSON and SVG (default: %(default)s)")
    parser.add_argument("--date", default=datetime.date.today().isoformat())
    options = parser.parse_args()
    lines = collections.defaultdict(list)
    for path in options.read or []:
        with open(path, encoding="utf-8") as stream:
            for row in map(json.loads, stream):
                lines[row["study"]].append(row)
    for study in options.studies.split(","):
        rows = lines.get(study) or ([] if options.read else run_study(options, study))
        if not rows:
            continue
        result, plots = report(study, rows)
        skipped = [size_of(row) for row in rows if row.get("skipped")]
        print(f"\nleft out: {len(skipped)}")
        with open(os.path.join(options.out, f"{options.date}-plan-{study}.json"), "w", encoding="utf-8") as stream:
            json.dump({"result": result, "left out": skipped}, stream, indent=1)
        for name, svg in plots.items():
            with open(os.path.join(options.out, f"{options.date}-{name}.svg"), "w", encoding="utf-8") as stream:
                stream.write(svg)


if __name__ == "__main__":
    main()
