#!/usr/bin/env python3
"""Which tile sizes of kernels with a dot the compiler can change (tawa-retile), and why not others; needs no GPU.

usage: tile_sizes.py [--tawa-opt PROGRAM] [--output FILE] FILE...

Files without a dot are passed over; parameters of a text have their first values. Prints a line for each size that stays, then how
many kernels can change which sizes, and the reasons by count.
"""

import collections
import os
import re
import subprocess
import sys

from form_counts import look_at_dots, make_parser

PASSES = ("--tawa-fold-carried-counters", "--canonicalize", "--cse", "--tawa-unshare-tiles", "--tawa-print-tiling")
REMARK = re.compile(r"remark: BLOCK_([MNK])=(\d+) (can be changed|cannot be changed: (.*))")


def look_at(path, program):
    command = [program, path, "--tawa-pipeline=compile-to=specialized", *PASSES, "-o", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"file": path, "refused": done.stderr.strip().splitlines()[0], "sizes": {}}
    sizes = {found[1]: {"size": int(found[2]), "reason": found[4] or ""} for found in map(REMARK.search, done.stderr.splitlines()) if found}
    return {"file": path, "sizes": sizes}


def changeable(kernel):
    return "".join(name for name in "MNK" if name in kernel["sizes"] and not kernel["sizes"][name]["reason"])


def main():
    options = make_parser(__doc__).parse_args()
    found = look_at_dots(options, lambda path: look_at(path, options.tawa_opt))
    reasons = collections.Counter()
    for kernel in found:
        for name, size in kernel["sizes"].items():
            if size["reason"]:
                reasons[size["reason"]] += 1
                print(f"{os.path.basename(kernel['file'])[:40]:40} {name}={size['size']:<4} {size['reason']}")
    counts = collections.Counter(changeable(kernel) or "none" for kernel in found)
    print(", ".join(f"{count} {sizes}" for sizes, count in counts.most_common()), f"of {len(found)}")
    for reason, count in reasons.most_common():
        print(f"{count:4} {reason}")
    refused = [kernel for kernel in found if "refused" in kernel]
    for kernel in refused:
        print(f"refused: {kernel['refused']}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
