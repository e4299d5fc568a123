#!/usr/bin/env python3
"""Which part of Triton's language compiles and runs right: texts of every operation with every type, written by the files beside
this one, through the compiler, on the emulator, and against the reference evaluator.

usage: survey.py PROGRAM [--every N] [--only WORDS] [--page FILE] [--write FOLDER] [--device NAME] [--assemble]
PROGRAM: tawa-language-survey. --every N: each N-th text of a feature. --only: those whose feature or name contains the words. --page:
writes docs/language.md. --write: writes the texts. --device: where they run, the emulator or "cuda:0". --assemble: by ptxas, too. Ends with an error where a result is wrong, where the emulator stops a kernel, where
the evaluator cannot tell, and where a text is refused that is not beyond the language.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

import control
import elementwise
import extents
import memory
import products
import shapes


# Outcomes of features of which not all is "right".
EXPECTED = {"beyond the language": ("refused",), "inline PTX": ("compiled", "right")}


def cases(every, only):
    """(feature, name, text) of everything, or of a sample."""
    for part in (elementwise, shapes, products, extents, memory, control):
        for feature, make in part.FEATURES.items():
            for number, (name, text) in enumerate(make()):
                if number % every == 0 and only in f"{feature}: {name}":
                    yield feature, name, str(text)


def run(command, found):
    """(outcome, reason) of each."""
    given = "".join(f"// case: {number}\n{text}" for number, (_, _, text) in enumerate(found))
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed: {done.stderr[-2000:]}")
    lines = [line.split("\t") for line in done.stdout.splitlines() if line.startswith("case: ")]
    assert [line[0] for line in lines] == [f"case: {number}" for number in range(len(found))], "a line for each text"
    return [(line[1], line[2]) for line in lines]


def table(found, outcomes):
    """Markdown: a row for each feature."""
    rows = collections.defaultdict(list)
    for (feature, _, _), (outcome, _) in zip(found, outcomes):
        rows[feature].append(outcome)
    lines = ["| feature | texts | compile for a GPU | right on the emulator |", "|---|---|---|---|"]
    for feature, each in (*rows.items(), ("all", [outcome for outcome, _ in outcomes])):
        lines.append(f"| {feature} | {len(each)} | {len(each) - each.count('refused')} | {each.count('right')} |")
    return "\n".join(lines) + "\n"


def others(found, outcomes):
    """Markdown: what is not right on the emulator, by name and reason."""
    lines = ["| text | outcome | reason |", "|---|---|---|"]
    for (feature, name, _), (outcome, reason) in zip(found, outcomes):
        if outcome != "right":
            short = re.sub(r"^TAWA_E_\w+: \d+:\d+:\d+: error: ", "", reason).replace("|", "\\|")
            lines.append(f"| {feature}: {name} | {outcome} | {short} |")
    return "\n".join(lines) + "\n"


PAGE = """# How much of Triton's language compiles

Written by `tests/conformance/language/survey.py PROGRAM --page docs/language.md`; the program is `tawa-language-survey` of a build. The
folder of the script writes a text for each operation of the language with each type, and for many shapes and orders; each is compiled for
a GPU, compiled for the emulator, run there, and compared with the reference evaluator (`compiler/reference/README.md`). With `--assemble`
ptxas reads what compiles; ptxas 13.0 takes all of it. None of it was run on a GPU. The test `language-survey` repeats a part of it.

{table}
What is not "right":

{others}
refused: by the compiler, which is what documents promise for "beyond the language". compiled: inline PTX is code for a GPU, which neither the
emulator nor the evaluator reads.
"""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--device", default="emulator")
    parser.add_argument("--assemble", action="store_true")
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    found = list(cases(options.every, options.only))
    if options.write:
        options.write.mkdir(parents=True, exist_ok=True)
        for feature, name, text in found:
            (options.write / (re.sub(r"[^a-zA-Z0-9]+", "_", f"{feature} {name}") + ".mlir")).write_text(f"// {feature}: {name}\n{text}", encoding="utf-8")
    outcomes = run([options.program, options.device, *["assemble"] * options.assemble], found)
    print(table(found, outcomes), end="")
    if options.page:
        options.page.write_text(PAGE.format(table=table(found, outcomes), others=others(found, outcomes)), encoding="utf-8")
    bad = [f"{feature}: {name}: {outcome}: {reason}" for (feature, name, _), (outcome, reason) in zip(found, outcomes) if outcome not in EXPECTED.get(feature, ("right",))]
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
