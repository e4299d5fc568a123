#!/usr/bin/env python3
"""Everything that the Python package's tests and examples do on a GPU with PyTorch, Triton and JAX, each file or class in a process of its
own; prints what ran. What takes times comes last and alone.

usage: on_gpu.py [--jobs N] [--logs FOLDER] [--survey PROGRAM] [WORDS...]

WORDS: only what has one of them in its name. PROGRAM: tawa-language-survey, for the texts of docs/language.md on the GPU. The package is
found by PYTHONPATH. Ends with 1 where something fails; what has nothing to run on says "skipped".
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SECONDS, SKIPPED = 600, 77
ON_CPU = {"JAX_PLATFORMS": "cpu"}
#: Name: (arguments of the interpreter, more of the environment).
SIDE_BY_SIDE = {
    "package": ([HERE / "gpu_test.py"], {}), "torch": ([HERE / "torch_test.py"], {}), "operators": ([HERE / "operators_test.py"], {}),
    "triton kernels": ([HERE / "triton_test.py", "Kernels", "Fallbacks"], {}), "triton switches": ([HERE / "triton_test.py", "Switches"], {}),
    "inductor": ([HERE / "triton_test.py", "Compiled"], {}), "inductor workers": ([HERE / "triton_test.py", "Workers"], {}),
    "jax": ([HERE / "jax_test.py"], {}), "jax on the emulator": ([HERE / "jax_test.py"], ON_CPU), "frameworks": ([HERE / "frameworks_test.py"], {}),
}
ALONE = {
    "launch costs": ([HERE / "triton_test.py", "Costs"], {}), "example transformer_block": ([ROOT / "examples/transformer_block/block.py"], {}),
    "example jax_training": ([ROOT / "examples/jax_training/train.py"], {}),
    "example triton_backend": ([ROOT / "examples/triton_backend/decoder.py"], {}),
}


def counts(text):
    """(tests that ran, skipped, failed) by the last lines of unittest."""
    ran = re.search(r"^Ran (\d+) test", text, re.MULTILINE)
    number = lambda word: sum(map(int, re.findall(rf"\b{word}=(\d+)", text[ran.start():]))) if ran else 0
    skipped = number("skipped")
    return int(ran[1]) - skipped if ran else 0, skipped, number("failures") + number("errors")


def outcome(status, text):
    absent = re.search(r"No module named '(torch|triton|jax)'", text)
    if status == SKIPPED or (status and absent):
        return "skipped", absent[0] if absent else ""
    ran, skipped, failed = counts(text)
    verdict = "ran" if status == 0 else "FAILED"
    if status == 0 and skipped and not ran:
        verdict = "skipped"
    told = f"{ran} ran, {skipped} skipped, {failed} failed" if ran or skipped or failed else (text.strip().splitlines() or [""])[-1]
    return verdict, told


def run(name, arguments, environment, logs):
    begun = time.monotonic()
    try:
        done = subprocess.run([sys.executable, "-B", *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS, check=False,
                              cwd=ROOT, env=os.environ | environment)
        status, text = done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        status, text = 1, f"did not end in {SECONDS} s"
    pathlib.Path(logs, name.replace(" ", "-") + ".log").write_text(text, encoding="utf-8")
    verdict, told = outcome(status, text)
    print(f"{verdict:8} {time.monotonic() - begun:6.0f} s  {name:26} {told[:120]}", flush=True)
    return verdict != "FAILED"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--logs", help="a folder for the whole outputs (default: a temporary one)")
    parser.add_argument("--survey", metavar="PROGRAM")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    together = dict(SIDE_BY_SIDE)
    if options.survey:
        together["survey"] = ([ROOT / "tests/conformance/language/survey.py", options.survey, "--device", "cuda:0"], {})
    chosen = lambda runs: {name: each for name, each in runs.items() if not options.words or any(word in name for word in options.words)}
    logs = options.logs or tempfile.mkdtemp()
    os.makedirs(logs, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        good = list(pool.map(lambda item: run(item[0], *item[1], logs), chosen(together).items()))
    good += [run(name, *each, logs) for name, each in chosen(ALONE).items()]
    print(f"{sum(good)} of {len(good)} without a failure; outputs are in {logs}")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
