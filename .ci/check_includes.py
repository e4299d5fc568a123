#!/usr/bin/env python3
"""Compiles headers alone, and sources without the precompiled header, as far as the syntax: each includes what it uses.

Every header is compiled by itself with the precompiled header of its folder's sources, which has nothing of ours. MLIR's
own headers take seconds to parse, so that without it only files that changed are compiled, and one header in TURNS: the
number of commits says which, so that a commit always checks the same ones. Of these, none is begun after --seconds.

Flags are those of compile_commands.json, where a header takes the ones of the nearest source. Headers of C stay C.
"""
import argparse
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys
import time

FOLDERS = ["include", "compiler", "runtime", "capi"]
ROOT = pathlib.Path(__file__).resolve().parent.parent
TURNS = 16
GIT = ["git", "-c", f"safe.directory={ROOT}"]


def flags_of(entry):
    """The compiler and its flags without the output, with and without the precompiled header."""
    return strip(entry, keeps_pch=True), strip(entry, keeps_pch=False)


def strip(entry, keeps_pch):
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if "clang" in word or "++" in word or word.endswith("cc")):]
    kept, skip = [], 0
    for index, word in enumerate(words):
        if skip:
            skip -= 1
        elif not keeps_pch and word == "-Xclang" and words[index + 1] in ("-include-pch", "-include"):
            skip = 3
        elif word in ("-o", "-c", "-MF", "-MT"):
            skip = 1
        elif word not in ("-MD", "-Winvalid-pch"):
            kept.append(word)
    return kept


def commands(build):
    """Both kinds of flags by source file, relative to the root."""
    entries = json.loads((build / "compile_commands.json").read_text())
    paths = {pathlib.Path(entry["file"]): entry for entry in entries}
    return {path.relative_to(ROOT): flags_of(entry) for path, entry in paths.items() if path.is_relative_to(ROOT)}


def nearest(header, known):
    """The flags of a source in the header's folder, else of the one that shares most of its path."""
    def shared(path):
        return sum(1 for _ in zip_prefix(path.parts, header.parts))
    candidates = [path for path in known if path.suffix == ".cpp" and "build" not in path.parts]
    return known[max(candidates, key=lambda path: (path.parent == header.parent, shared(path), str(path)))]


def zip_prefix(left, right):
    for a, b in zip(left, right):
        if a != b:
            return
        yield a


def check(job):
    path, flags = job
    if path.suffix == ".h" and path.parts[0] == "include":
        command = [flags[0].replace("clang++", "clang"), "-x", "c-header", "-std=c99", "-pedantic", "-Wall", "-Werror",
                   f"-I{ROOT}/include"]
    elif path.suffix in (".h", ".hpp"):
        command = [*flags, f"-I{ROOT}/include", "-x", "c++-header", "-Wno-pragma-once-outside-header",
                   "-Wno-unused-const-variable", "-Wno-unused-function"]
    else:
        command = flags
    done = subprocess.run([*command, "-fsyntax-only", str(ROOT / path)], capture_output=True, text=True)
    return path, done.returncode, done.stderr


def run(jobs, workers, deadline):
    """How many of the jobs failed; none is begun after the deadline."""
    def timely(job):
        return check(job) if deadline is None or time.monotonic() < deadline else None

    failures = skipped = 0
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for result in pool.map(timely, jobs):
            if result is None:
                skipped += 1
            elif result[1] != 0:
                failures += 1
                print(f"{result[0]} does not compile by itself:\n{result[2]}", file=sys.stderr)
    if skipped:
        print(f"no time was left for {skipped} files")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=240, help="time for what is compiled without it")
    parser.add_argument("changed", nargs="*", type=pathlib.Path, help="sources and headers that changed")
    arguments = parser.parse_args()
    known = commands(arguments.build)
    listed = subprocess.run([*GIT, "ls-files", "--cached", "--others", "--exclude-standard", "*.h", "*.hpp"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout.splitlines()
    headers = [path for path in map(pathlib.Path, listed) if path.parts[0] in FOLDERS and (ROOT / path).exists()]
    commits = int(subprocess.run([*GIT, "rev-list", "--count", "HEAD"], cwd=ROOT, capture_output=True, text=True,
                                 check=True).stdout)
    fast = [(path, nearest(path, known)[0]) for path in headers]
    alone = [(path, nearest(path, known)[1]) for index, path in enumerate(headers)
             if path in arguments.changed or index % TURNS == commits % TURNS]
    alone += [(path, known[path][1]) for path in arguments.changed if path in known]
    failures = run(fast, arguments.j, None) + run(alone, arguments.j, time.monotonic() + arguments.seconds)
    print(f"{len(fast)} headers compiled by themselves, {len(alone)} files without the precompiled header, "
          f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
