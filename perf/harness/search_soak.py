#!/usr/bin/env python3
"""Many searches on a GPU, and whether a worker died in one of them: `tawa tune` over kernel texts, for shapes drawn from a seed.

A text's `// run:` line says its arguments for one small problem. The sizes in it (144, 272 and 24 in those of tests/kernels/gemm)
are replaced by drawn ones, the same number by the same; a text with other sizes is searched as its line has them. Several
searches run at once, each with a cache of its own, so what they measure says nothing about speed: only how they end counts.

usage: search_soak.py --tawa PROGRAM [--searches N] [--at-once N] [--seed N] [--json FILE] [KERNEL[@M,N,K] ...]
"""

import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "tests", "kernels", "gemm")
SQUARE, WIDE, FEW = 144, 272, 24  # the sizes of run lines
LIMIT_SECONDS = 240
DEATH = re.compile(r"[^\"]*(ended by signal|exited with code|did not answer)[^\"]*")


def draw_sizes(numbers):
    """Between one tile and a few waves of them; every type's rows are multiples of 16 bytes for TMA."""
    many = lambda: 16 * numbers.choice((numbers.randint(4, 32), numbers.randint(33, 256)))
    return {SQUARE: many(), WIDE: many(), FEW: numbers.randint(1, 64)}


def sizes_of(word):
    """The numbers of one argument that are sizes: f16[144,272] or i32:144."""
    inside = re.match(r"\w+\[([\d,]*)\]", word) or re.match(r"i32:(\d+)$", word)
    return [int(number) for number in inside[1].split(",")] if inside else []


def with_sizes(words, sizes):
    known = sizes | {SQUARE * WIDE: sizes[SQUARE] * sizes[WIDE], 1: 1, 2: 2}
    if any(size not in known for word in words for size in sizes_of(word)):
        return words
    exchange = lambda match: str(known[int(match[0])])
    parts = [re.match(r"(\w+(?:\[[\d,]*\]|:\d+$)|)(.*)", word).groups() for word in words]
    return [re.sub(r"(?<=[\[,:])\d+", exchange, head) + rest for head, rest in parts]


def run_line(kernel):
    """Arguments and grid of a text's first run line."""
    with open(kernel, encoding="utf-8") as stream:
        text = stream.read()
    line = re.search(r"^// run: (.*)$", text, re.MULTILINE)[1]
    grid = [] if "// tawa.grid" in text else ["--grid", re.search(r"grid=(\S+)", line)[1]]
    return re.search(r"args=(.*)$", line)[1].split(), grid


def argument_names(program, kernel):
    info = subprocess.run([program, "info", kernel, "--json"], capture_output=True, text=True, check=True)
    return [argument["name"] for argument in json.loads(info.stdout)["arguments"]]


class Soak:
    def __init__(self, program, seed):
        self.program, self.numbers = program, random.Random(seed)

    def command(self, kernel, sizes):
        """The next search of a text; its sizes are drawn where none are given."""
        drawn = draw_sizes(self.numbers)
        if sizes:
            m, n, k = sizes
            words = [f"f16[{m},{k}]", f"f16[{n},{k}]", f"f16[{m},{n}]", f"i32:{m}", f"i32:{n}", f"i32:{k}"]
            grid = []
        else:
            words, grid = run_line(kernel)
            words = with_sizes(words, drawn)
        values = [re.sub(r"^[if]\d+:", "", word).split("=")[0] for word in words]
        named = [f"{name}={value}" for name, value in zip(argument_names(self.program, kernel), values)]
        return [self.program, "tune", kernel, "--json", "--rows", "500", *grid, *(part for each in named for part in ("--arg", each))]


def search(command):
    """How one search ended: the row of a dead worker, or the search's own failure, or neither."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"TAWA_CACHE_DIR": cache}
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=LIMIT_SECONDS, check=False)
            output, code = done.stdout + done.stderr, done.returncode
        except subprocess.TimeoutExpired:
            output, code = f"no end within {LIMIT_SECONDS} s", -1
    death = DEATH.search(output)
    return {"command": command[2:], "seconds": time.monotonic() - begin, "code": code,
            "death": death[0] if death else "", "failure": output[-400:] if code else ""}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tawa", required=True, help="the program")
    parser.add_argument("--searches", type=int, default=40)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1e9, help="seconds after which no search is begun")
    parser.add_argument("--json", help="where all rows go")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL[@M,N,K]", help="default: all of tests/kernels/gemm")
    options = parser.parse_args()
    kernels = options.kernels or sorted(glob.glob(os.path.join(KERNELS, "*.mlir")))
    soak, end = Soak(options.tawa, options.seed), time.monotonic() + options.limit
    commands = []
    for index in range(options.searches):
        kernel, _, sizes = kernels[index % len(kernels)].partition("@")
        commands.append(soak.command(kernel, [int(size) for size in sizes.split(",")] if sizes else None))
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        rows = list(pool.map(lambda command: search(command) if time.monotonic() < end else None, commands))
    rows = [row for row in rows if row]
    for row in rows:
        if row["death"] or row["code"]:
            print(row["code"], row["death"], " ".join(row["command"]), row["failure"].strip().replace("\n", " | "))
    deaths = sum(bool(row["death"]) for row in rows)
    print(f"{len(rows)} searches, {deaths} with a dead worker, {sum(bool(row['code']) for row in rows)} without a result, "
          f"median {sorted(row['seconds'] for row in rows)[len(rows) // 2]:.1f} s")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump(rows, stream, indent=1)
    sys.exit(1 if deaths else 0)


if __name__ == "__main__":
    main()
