#!/usr/bin/env python3
"""Runs tawa_differential_test over many seeds on all cores and sums up what it found.

One process a seed and device. A program that crashes or hangs costs itself and its time limit, and is listed with seed and
index like a wrong one; seeds for which the budget leaves no time are not begun, and those it cuts short count only what they
reported.

  random_programs.py build/dev/tests/conformance/tawa_differential_test --seeds 1000:1100 --count 200
  random_programs.py PROGRAM --devices emulator,cuda --jobs 16 --budget 480 --summary found.json --keep found/
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

KINDS = {"r": "right", "w": "wrong", "c": "refused", "l": "stopped", "i": "invalid", "d": "died"}
FAILURE = re.compile(r"^seed (\d+) index (\d+): (\w) (.*)$", re.MULTILINE)
TOTAL = re.compile(r"^seed \d+, programs \d+ to \d+: (.*?)(\d+) elements equal, (\d+) close, (\d+) undefined$", re.MULTILINE)


def parse_seeds(text):
    first, _, end = text.partition(":")
    return range(int(first), int(end) if end else int(first) + 1)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="tawa_differential_test")
    parser.add_argument("--devices", default="emulator", help="of emulator, sm_90a and cuda; commas between them")
    parser.add_argument("--seeds", type=parse_seeds, default=range(1, 2), help="FIRST:END, END not included")
    parser.add_argument("--count", type=int, default=200, help="programs of each seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=60, help="limit of one program")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds in all")
    parser.add_argument("--keep", help="folder for failing texts")
    parser.add_argument("--summary", help="JSON file")
    return parser.parse_args()


def run_seed(arguments, device, seed, end):
    """The result of one process; None where no time was left to begin it."""
    left = end - time.monotonic()
    if left <= 0:
        return None
    environment = os.environ | {
        "TAWA_TEST_SEED": str(seed),
        "TAWA_TEST_COUNT": str(arguments.count),
        "TAWA_TEST_SECONDS": str(arguments.seconds),
        "TAWA_TEST_REDUCE": "0",
    }
    if arguments.keep:
        environment["TAWA_TEST_KEEP"] = arguments.keep
    process = subprocess.Popen([arguments.program, f"--gtest_filter=Devices/*/{device}"], env=environment, text=True,
                               errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        text, _ = process.communicate(timeout=None if left == float("inf") else left)
        cut = False
    except subprocess.TimeoutExpired:
        process.kill()
        text, _ = process.communicate()
        cut = True
    return summarize(text, device, seed, cut)


def summarize(text, device, seed, cut):
    failures = [{"device": device, "seed": int(s), "index": int(i), "kind": KINDS.get(k, k), "detail": detail[:400]}
                for s, i, k, detail in FAILURE.findall(text)]
    result = {"device": device, "seed": seed, "counts": {}, "elements": [0, 0, 0], "failures": failures, "cut": cut}
    if total := TOTAL.search(text):
        result["counts"] = {KINDS[kind]: int(number) for kind, number in re.findall(r"(\w) (\d+),", total[1])}
        result["elements"] = [int(number) for number in total.groups()[1:]]
    elif "SKIPPED" in text:
        result["skipped"] = True
    elif not cut:
        failures.append({"device": device, "seed": seed, "index": None, "kind": "died", "detail": text[-400:]})
    return result


def add(sums, result):
    device = sums.setdefault(result["device"], {"programs": 0, "seeds": [], "cut seeds": [], "failures": [],
                                                "elements equal": 0, "elements close": 0, "elements undefined": 0})
    if result.get("skipped"):
        device["skipped"] = True
        return
    device["cut seeds" if result["cut"] else "seeds"].append(result["seed"])
    for kind, number in result["counts"].items():
        device[kind] = device.get(kind, 0) + number
        device["programs"] += number
    for name, number in zip(("equal", "close", "undefined"), result["elements"]):
        device["elements " + name] += number
    device["failures"] += result["failures"]


def main():
    arguments = read_arguments()
    if arguments.keep:
        os.makedirs(arguments.keep, exist_ok=True)
    begin = time.monotonic()
    end = begin + arguments.budget
    sums = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = [pool.submit(run_seed, arguments, device, seed, end)
                for seed in arguments.seeds for device in arguments.devices.split(",")]
        for run in concurrent.futures.as_completed(runs):
            if result := run.result():
                add(sums, result)
                for failure in result["failures"]:
                    print("{device} seed {seed} index {index}: {kind}: {detail}".format(**failure), flush=True)
    for device in sums.values():
        device["seeds"].sort()
    summary = {"count per seed": arguments.count, "seconds": round(time.monotonic() - begin, 1), "devices": sums}
    if arguments.summary:
        with open(arguments.summary, "w", encoding="utf-8") as file:
            json.dump(summary, file, indent=1)
    for device, found in sums.items():
        print(f"{device}: {found['programs']} programs of {len(found['seeds'])} seeds, "
              f"{found.get('right', 0)} right, {len(found['failures'])} failures")
    sys.exit(any(found["failures"] for found in sums.values()))


if __name__ == "__main__":
    main()
