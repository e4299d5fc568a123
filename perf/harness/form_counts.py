#!/usr/bin/env python3
"""In which form kernels with a dot are compiled, and why not in another; needs no GPU.

  split      several roles
  slots      one role that loads tiles ahead, through the slots of an aref
  registers  one role whose loads are one iteration ahead in registers, and nothing more
  direct     one role that loads what an iteration needs when it needs it
  no loop    no loop has both a dot and a load

usage: form_counts.py [--tawa-opt PROGRAM] [--config CONFIG] [--output FILE] FILE...

Files without a dot are passed over. Prints a line for each kernel, those that gain nothing first, then the counts and reasons.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FORMS = ("direct", "registers", "no loop", "slots", "split")


def statistics(text, name):
    """What one pass counted."""
    lines = iter(text.splitlines())
    counted = {}
    for line in lines:
        if line.strip() == name:
            break
    for line in lines:
        found = re.match(r" +(\d+) (num-[\w-]+):", line)
        if not found and not line.startswith("  "):
            break
        if found:
            counted[found[2]] = int(found[1])
    return counted


def form_of(compiled, counted):
    if compiled.count("tawa.warp_group ") > 1:
        return "split"
    for name, form in (("num-pipelined", "slots"), ("num-carried", "registers"), ("num-direct", "direct")):
        if counted.get(name):
            return form
    return "no loop"


def look_at(path, options):
    pipeline = "--tawa-pipeline=compile-to=pipelined" + (f" config='{options.config}'" if options.config else "")
    done = subprocess.run([options.tawa_opt, path, pipeline, "--mlir-pass-statistics"], capture_output=True, text=True, check=False)
    if done.returncode:
        return {"file": path, "form": "refused", "reason": done.stderr.strip().splitlines()[0]}
    declined = re.search(r'tawa\.declined = "([^"]*)"', done.stdout)
    counted = statistics(done.stderr, "tawa-pipeline-loads")
    return {"file": path, "form": form_of(done.stdout, counted), "reason": declined[1] if declined else "", "loads": counted}


def make_parser(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tawa-opt", default=os.path.join(ROOT, "build", "dev", "compiler", "tools", "tawa-opt", "tawa-opt"))
    parser.add_argument("--output")
    parser.add_argument("files", nargs="+")
    return parser


def look_at_dots(options, look):
    """look(path) of the files that have a dot, also written to --output."""
    found = []
    for path in options.files:
        with open(path, encoding="utf-8") as stream:
            if "tt.dot" in stream.read():
                found.append(look(path))
    if options.output:
        with open(options.output, "w", encoding="utf-8") as stream:
            json.dump(found, stream, indent=1)
    return found


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--config", default="")
    options = parser.parse_args()
    found = look_at_dots(options, lambda path: look_at(path, options))
    for each in sorted(found, key=lambda each: (FORMS + ("refused",)).index(each["form"])):
        if each["form"] != "split":
            print(f"{each['form']:9} {os.path.basename(each['file'])[:50]:50} {each['reason']}")
    forms = collections.Counter(each["form"] for each in found)
    print(", ".join(f"{forms[form]} {form}" for form in (*reversed(FORMS), "refused") if forms[form]), f"of {len(found)}")
    for reason, count in collections.Counter(each["reason"] for each in found if each["form"] != "split").most_common():
        print(f"{count:4} {reason}")
    return 1 if forms["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
