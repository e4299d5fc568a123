#!/usr/bin/env python3
"""Whether the code for a target assembles: every text under tests/kernels in several configurations, for every architecture that
is to run it.

Without ptxas, or with --no-ptxas, the PTX is searched for instructions that the target's architecture does not have. With --all
every point is printed with its registers and spills, otherwise those that fail. A kernel that the compiler refuses is counted.

usage: assemble_targets.py --tawa PROGRAM [--target NAME] [--arch sm_80,sm_86,..] [--no-ptxas] [--all] [KERNEL...]
"""

import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ptx_changes  # pylint: disable=wrong-import-position

#: Of PTX for sm_80: what came later (PTX ISA, "Target ISA Notes" of each instruction).
LATER = re.compile(
    r"^\s*(?:@!?%?\w+\s+)?(wgmma\.\S+|cp\.async\.bulk\S*|cp\.reduce\.async\S*|stmatrix\S*|setmaxnreg\S*|mbarrier\.try_wait\S*|"
    r"mbarrier\.arrive\.expect_tx\S*|st\.async\S*|mapa\S*|barrier\.cluster\S*|griddepcontrol\S*|elect\.sync\S*|fence\.proxy\S*|"
    r"fence\.mbarrier_init\S*|tensormap\S*|cvt\.\S*e[45]m[32]\S*|(?:add|sub|mul)(?:\.rn)?\.bf16\S*|atom\S*\.bf16\S*|red\S*\.bf16\S*|"
    r"\S+\.cluster\S*)", re.MULTILINE)
ARCHITECTURES = "sm_80,sm_86,sm_89,sm_90,sm_100,sm_120"


def find_ptxas():
    return os.environ.get("TAWA_PTXAS") or shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")


def assemble(ptxas, ptx, arch):
    """What ptxas says of registers and spills, or its first error."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.ptx")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(ptx)
        done = subprocess.run([ptxas, f"-arch={arch}", "-v", path, "-o", os.path.join(folder, "kernel.cubin")],
                              capture_output=True, text=True, check=False)
    if done.returncode:
        return None, (done.stderr or done.stdout).strip().splitlines()[0]
    used, spilled = re.search(r"Used (\d+) registers", done.stderr), re.search(r"(\d+) bytes spill stores", done.stderr)
    return f"{used[1]} registers, {spilled[1]} bytes spilled", None


def examine(options, ptxas, kernel, config):
    """(kind, text): "right", "refused" or "wrong"."""
    command = [options.tawa, "compile", kernel, "--emit=ptx", "--target", options.target, "--config",
               ptx_changes.merged(ptx_changes.own_config(kernel), config)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"TAWA_CACHE": "off"}, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        return "refused", (errors or done.stderr.splitlines() or ["?"])[0]
    if later := LATER.search(done.stdout):
        return "wrong", f"'{later[1]}' is of a later architecture"
    sizes = []
    for arch in options.arch.split(",") if ptxas else ():
        size, error = assemble(ptxas, done.stdout, arch)
        if error:
            return "wrong", f"{arch}: {error}"
        sizes.append(f"{arch}: {size}")
    return "right", "; ".join(sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--tawa", required=True, help="the program")
    parser.add_argument("--target", default="portable", help="hardware description whose code is made")
    parser.add_argument("--arch", default=ARCHITECTURES, help="architectures that ptxas assembles it for")
    parser.add_argument("--config", action="append", help="configurations, in place of those of ptx_changes.py")
    parser.add_argument("--no-ptxas", action="store_true")
    parser.add_argument("--all", action="store_true", help="print what is right, too")
    options = parser.parse_intermixed_args()
    ptxas = None if options.no_ptxas else find_ptxas()
    points = [(kernel, config) for kernel in options.kernels or ptx_changes.all_kernels()
              for config in options.config or ptx_changes.CONFIGS]
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (kernel, config), (kind, text) in zip(points, pool.map(lambda point: examine(options, ptxas, *point), points)):
            counts[kind] += 1
            if options.all or kind == "wrong":
                print(f"{kind}: {os.path.relpath(kernel, ptx_changes.KERNELS)} | {config}: {text}")
    how = f"assembled for {options.arch}" if ptxas else "searched for later instructions"
    print(f"{options.target}: {counts['right']} right, {counts['refused']} refused, {counts['wrong']} wrong; {how}")
    sys.exit(1 if counts["wrong"] or not counts["right"] else 0)


if __name__ == "__main__":
    main()
