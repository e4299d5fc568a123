"""Many processes on one cache.

  cold   COUNT processes request one kernel that is not built yet, at once: at most 2 builds, no failure.
  kills  workers ask for kernels that write their own number while COUNT of them are killed at random moments: no process
         sees a wrong kernel or an error, the file stays sound, and no row is bad.

The default counts suit a test; `cold --count 64` and `kills --count 500` are the ones to report.
"""

import argparse
import collections
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

FILE = "tawa-1.sqlite"


def fail(message):
    print(f"FAILED: {message}")
    sys.exit(1)


def start(worker, folder, *arguments):
    return subprocess.Popen([worker, folder, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def check_file(worker, folder):
    """SQLite's own check, through a connection of Python's, and the checksum of every row."""
    connection = sqlite3.connect(os.path.join(folder, FILE), timeout=30)
    answer = connection.execute("PRAGMA integrity_check").fetchone()[0]
    rows = connection.execute("SELECT count(*) FROM row").fetchone()[0]
    connection.close()
    if answer != "ok":
        fail(f"integrity_check: {answer}")
    verdict = start(worker, folder, "verify", 0).communicate()[0]
    if verdict != "bad 0 TAWA_OK\n":
        fail(f"verify: {verdict}")
    return rows


def cold(worker, folder, count):
    processes = [start(worker, folder, "one", 7) for _ in range(count)]
    time.sleep(0.2 + count / 50)  # all have loaded the library and wait
    begin = time.monotonic()
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    outputs = [process.communicate()[0] for process in processes]
    seconds = time.monotonic() - begin
    built = sum("built 7" in text for text in outputs)
    taken = sum("taken 7" in text for text in outputs)
    if any(process.returncode for process in processes) or built + taken != count:
        fail("\n".join(text for text in outputs if "7" not in text or "WRONG" in text))
    noise = [text for text in outputs if len(text.splitlines()) != 1]
    if noise:
        fail(f"unexpected output: {noise[0]}")
    print(f"{count} processes, {built} built, {taken} taken, {seconds:.2f} s until the last had it")
    if not 1 <= built <= 2:
        fail(f"{built} builds")


def kills(worker, folder, count, seed, workers=4, rounds=60):
    """Workers end by themselves after their rounds, or are killed before."""
    chance = random.Random(seed)
    alive, killed, started, lines = {}, 0, 0, collections.Counter()

    def take_output(process):
        for line in process.stdout.read().splitlines():
            word = line.split()[0]
            lines[word] += 1
            if word not in ("built", "taken"):
                fail(f"a worker says: {line}")

    def spawn():
        nonlocal started
        started += 1
        process = start(worker, folder, "many", seed + started, rounds)
        alive[process] = time.monotonic() + chance.uniform(0.02, 1.2)

    while killed < count:
        while len(alive) < workers:
            spawn()
        time.sleep(0.002)
        for process, death in list(alive.items()):
            if process.poll() is None and time.monotonic() < death:
                continue
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += 1
            elif process.returncode:
                fail(f"a worker ends with {process.returncode}: {process.stdout.read()}")
            take_output(process)
            del alive[process]
    for process in list(alive):
        text = process.communicate()[0]
        if process.returncode or "WRONG" in text:
            fail(text)
    rows = check_file(worker, folder)
    survivor = start(worker, folder, "many", seed, 4 * rounds)  # meets the rows of all the others
    text = survivor.communicate()[0]
    if survivor.returncode or any(line.split()[0] not in ("built", "taken") for line in text.splitlines()):
        fail(f"the survivor says: {text[-2000:]}")
    print(f"{killed} killed of {started}, {lines['built']} built and {lines['taken']} taken before that, "
          f"{rows} rows left, survivor: {text.count('built')} built, {text.count('taken')} taken")
    if not lines["taken"] or not lines["built"]:
        fail("nothing was shared")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker")
    parser.add_argument("case", choices=["cold", "kills"])
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tawa-storm-") as folder:
        cache = os.path.join(folder, "cache")
        if options.case == "cold":
            cold(options.worker, cache, options.count)
        else:
            kills(options.worker, cache, options.count, options.seed)


if __name__ == "__main__":
    main()
