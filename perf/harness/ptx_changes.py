#!/usr/bin/env python3
"""Which kernels' PTX a change of the compiler changes: every text under tests/kernels in several configurations.

`record` writes a fingerprint of each kernel and configuration as one build compiles it, `check` compares another build with that.
Labels, comments and the names of virtual registers do not count; a kernel that is refused has its status as fingerprint. With
--keep FOLDER the texts are kept, so that two folders can be compared by diff.

usage: ptx_changes.py record FILE --tawa PROGRAM [--keep FOLDER] [KERNEL...]
       ptx_changes.py check FILE --tawa PROGRAM [--keep FOLDER] [KERNEL...]
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.normpath(os.path.join(HERE, "..", "..", "tests", "kernels"))
CONFIGS = ("", "persistent=1", "persistent=1 schedule=pingpong", "persistent=1 stream=1", "split=2", "cluster=4 raster=2",
           "D=2 consumers=1", "consumers=0")
RUN_LINE = re.compile(r"^// run:.*$", re.MULTILINE)
RUN_CONFIG = re.compile(r'config="([^"]*)"')


def own_config(kernel):
    """What the text's first run line asks for, which some texts need to compile at all."""
    with open(kernel, encoding="utf-8") as stream:
        line = RUN_LINE.search(stream.read())
    found = RUN_CONFIG.search(line[0]) if line else None
    return found[1] if found else ""


def merged(own, config):
    """`config` over the text's own: later keys win."""
    keys = dict(word.split("=", 1) for word in (own + " " + config).split())
    return " ".join(f"{key}={value}" for key, value in keys.items())


def normalized(ptx):
    """Without comments, with labels and virtual registers numbered in the order of their appearance."""
    ptx = re.sub(r"//.*", "", ptx)
    numbers = {}
    rename = lambda match: f"{match[1]}#{numbers.setdefault(match[0], len(numbers))}"
    ptx = re.sub(r"(\$L_\w+?|%[a-z]+)\d+\b", rename, ptx)
    return "\n".join(line.strip() for line in ptx.splitlines() if line.strip())


def fingerprint(program, kernel, config, keep):
    command = [program, "compile", kernel, "--emit=ptx", "--config", merged(own_config(kernel), config)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"TAWA_CACHE": "off"}, check=False)
    if done.returncode:
        return f"refused with {done.returncode}"
    text = normalized(done.stdout)
    if keep:
        name = os.path.relpath(kernel, KERNELS).replace(os.sep, "__") + "__" + config.replace(" ", "_") + ".ptx"
        with open(os.path.join(keep, name), "w", encoding="utf-8") as stream:
            stream.write(text)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def all_kernels():
    found = [os.path.join(folder, name) for folder, _, names in os.walk(KERNELS) for name in names if name.endswith(".mlir")]
    return sorted(found)


def fingerprints(options):
    """{"kernel | configuration": fingerprint}."""
    points = [(kernel, config) for kernel in options.kernels or all_kernels() for config in CONFIGS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        marks = pool.map(lambda point: fingerprint(options.tawa, *point, options.keep), points)
        return {f"{os.path.relpath(kernel, KERNELS)} | {config}": mark for (kernel, config), mark in zip(points, marks)}


def check(recorded, found):
    changed = [point for point in found if point in recorded and recorded[point] != found[point]]
    for point in changed:
        print(f"{point}: {recorded[point]} before, {found[point]} now")
    new = sum(point not in recorded for point in found)
    print(f"{len(found) - len(changed) - new} the same, {len(changed)} changed, {new} not recorded")
    return not changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("record", "check"))
    parser.add_argument("file")
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--tawa", required=True, help="the program")
    parser.add_argument("--keep", help="folder for the normalized texts")
    options = parser.parse_intermixed_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    found = fingerprints(options)
    if options.action == "record":
        with open(options.file, "w", encoding="utf-8") as stream:
            json.dump(found, stream, indent=0)
        print(f"{len(found)} recorded")
        return
    with open(options.file, encoding="utf-8") as stream:
        sys.exit(0 if check(json.load(stream), found) else 1)


if __name__ == "__main__":
    main()
