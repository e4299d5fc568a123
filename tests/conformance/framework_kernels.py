#!/usr/bin/env python3
"""Steps and kernels of the models of framework_nets.py on Tawa's back end for Triton beside Triton's own, in one process, in turns. For a
machine with a GPU, PyTorch 2.11 and Triton 3.6.

Every kernel that a step launches on Tawa is launched again, on the same arguments, by Tawa and by Triton, which compiles the same
text with the warps and stages that it was chosen with; both as CUDA graphs, with warm caches. Models are compiled side by side (--jobs)
and timed one by one, when no other is being compiled.

usage: framework_kernels.py [--output FILE] [--keep FOLDER] [--jobs N] [MODEL...]

Prints, for each model, milliseconds of a step and the kernels, those that cost most beside Triton first. --keep writes the texts of the
ten worst of all models with a `// run:` line, as text_bench.py reads them.
"""

import argparse
import collections
import concurrent.futures
import fcntl
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "perf", "harness")]

from framework_nets import MODELS, on_the_gpu, step_of  # pylint: disable=wrong-import-position

ONE = "--one"
SECONDS = 400
TURNS, STEPS = 10, 5
WORST = 10


class Recorded:
    """The launches of Tawa's kernels while `is_on`: kernel and arguments, and how often each came. `tables` has copies of their
    whole numbers, on which the length of loops may depend: buffers have other contents when the step has ended."""

    def __init__(self):
        self.is_on, self.launches, self.counts, self.tables = False, {}, collections.Counter(), {}

    def install(self, torch):
        from tawa.triton import _pipeline

        def is_table(value):
            return isinstance(value, torch.Tensor) and not (value.is_floating_point() or value.is_complex())

        recorded, base = self, _pipeline.Launch

        class Launch(base):
            def __init__(self, *args):
                super().__init__(*args)
                inner = self.function

                def function(*launch):
                    if recorded.is_on:
                        key = id(self), launch[:3]
                        recorded.launches[key] = self, launch
                        recorded.counts[key] += 1
                        recorded.tables[key] = [(value, value.clone()) for value in launch[9:] if is_table(value)]
                    return inner(*launch)

                self.function = function

        _pipeline.Launch = Launch


def in_turns(torch, contenders, turns):
    """Medians of milliseconds of one call of each, A B B A."""
    found = {name: [] for name in contenders}
    for turn in range(turns):
        for name in list(contenders) if turn % 2 == 0 else reversed(list(contenders)):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            contenders[name]()
            end.record()
            end.synchronize()
            found[name].append(begin.elapsed_time(end))
    return {name: statistics.median(times) for name, times in found.items()}


def repeated(call, count):
    def calls():
        for _ in range(count):
            call()

    return calls


def kernel_times(torch, launch, arguments):
    """(microseconds on Tawa, on Triton) of one launch."""
    import timing

    head, given = arguments[:3], arguments[9:]
    stream = lambda: torch.cuda.current_stream().cuda_stream
    stock = launch.stock()
    contenders = {"tawa": lambda: launch.function(*head, stream(), None, None, None, None, None, *given),
                  "triton": lambda: stock.run(*head, stream(), stock.function, stock.packed_metadata, None, None, None, *given)}
    graphs = {name: timing.Graph(torch, call) for name, call in contenders.items()}
    counts = {name: graph.count for name, graph in graphs.items()}
    times = in_turns(torch, graphs, TURNS)
    return tuple(1e3 * times[name] / counts[name] for name in contenders)


def text_of(torch, launch, arguments):
    """The kernel's text with its launch and Triton's options."""
    from compare_inductor import Arguments

    words = Arguments(torch)
    values = [slot.take(arguments[9:]) for slot in launch.slots]
    passed = [("", slot.dtype, value) for slot, value in zip(launch.slots, values)]
    regions = [words.region(value) if slot.kind in ("pointer", "descriptor") else None for slot, value in zip(launch.slots, values)]
    stock = launch.stock().metadata
    return (words.run_line(arguments[:3], passed, regions) + f"\n// num_warps={stock.num_warps} num_stages={stock.num_stages}\n"
            + launch.kernel._text)


def steps_beside(torch, name, recorded):
    """{side: function that executes some steps}; one step's launches on Tawa are recorded."""
    import tawa.triton

    net, inputs, options, is_training = on_the_gpu(torch, name)
    ours = step_of(torch, torch.compile(net, **options), is_training)
    for _ in range(3):
        ours(*inputs)
    torch.cuda.synchronize()
    recorded.is_on = True
    ours(*inputs)
    recorded.is_on = False
    tawa.triton.disable()
    os.environ["TORCHINDUCTOR_CACHE_DIR"] += "-triton"  # else the same modules serve both
    options["options"] = options.get("options", {}) | {"trace.enabled": False}  # the default; PyTorch compiles once for equal options
    theirs = step_of(torch, torch.compile(net, **options), is_training)
    for _ in range(3):
        theirs(*inputs)
    tawa.triton.enable()
    contenders = {"tawa": repeated(lambda: ours(*inputs), STEPS), "triton": repeated(lambda: theirs(*inputs), STEPS)}
    for call in contenders.values():
        call()
    return contenders


def measure(name, result, turn):
    """`turn`: an open file, locked by all processes that compile, or by the one that measures."""
    fcntl.flock(turn, fcntl.LOCK_SH)
    import torch

    import tawa.triton

    recorded = Recorded()
    assert tawa.triton.enable()
    recorded.install(torch)
    contenders = steps_beside(torch, name, recorded)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda pair: pair[0].stock(), recorded.launches.values()))
    torch.cuda.synchronize()
    fcntl.flock(turn, fcntl.LOCK_EX)  # once no process compiles or measures
    steps = {side: milliseconds / STEPS for side, milliseconds in in_turns(torch, contenders, TURNS).items()}
    kernels = []
    for key, (launch, arguments) in recorded.launches.items():
        row = {"name": launch.row.name, "grid": key[1], "launches": recorded.counts[key], **launch.row.facts}
        for buffer, copy in recorded.tables[key]:
            buffer.copy_(copy)
        try:
            row["tawa_us"], row["triton_us"] = kernel_times(torch, launch, arguments)
            row["text"] = text_of(torch, launch, arguments)
        except Exception as failure:  # pylint: disable=broad-except  # one kernel less
            row["failure"] = f"{type(failure).__name__}: {failure}"
        kernels.append(row)
    with open(result, "w", encoding="utf-8") as file:
        json.dump({"model": name, "steps": steps, "kernels": kernels, "fallen_back": tawa.triton.report().reasons()}, file)


def measure_apart(name, folder):
    result = os.path.join(folder, name + ".json")
    caches = {"TORCHINDUCTOR_CACHE_DIR": os.path.join(folder, name), "TRITON_CACHE_DIR": os.path.join(folder, "triton"),
              "TAWA_CACHE_DIR": os.path.join(folder, "tawa"), "TAWA_CACHE": "on"}
    command = [sys.executable, os.path.abspath(__file__), ONE, name, "--result", result]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, env=os.environ | caches)
    except subprocess.TimeoutExpired:
        return {"model": name, "failure": f"did not end in {SECONDS} s"}
    if done.returncode:
        return {"model": name, "failure": f"status {done.returncode}: {done.stderr.strip()[-1500:]}"}
    with open(result, encoding="utf-8") as file:
        return json.load(file)


def lost(row):
    """Microseconds of a step that a kernel costs more than Triton's."""
    return (row["tawa_us"] - row["triton_us"]) * row["launches"] if "tawa_us" in row else 0.0


def show(found):
    if "failure" in found:
        print(f"{found['model']}: {found['failure']}", flush=True)
        return
    steps, kernels = found["steps"], found["kernels"]
    sums = [sum(row.get(side, 0.0) * row["launches"] for row in kernels) for side in ("tawa_us", "triton_us")]
    print(f"{found['model']}: a step {steps['tawa']:.3f} ms on Tawa, {steps['triton']:.3f} on Triton ({steps['triton'] / steps['tawa']:.3f}); its "
          f"kernels {sums[0]:.0f} us and {sums[1]:.0f} us ({sums[1] / max(sums[0], 1e-9):.3f}); fallen back: {found['fallen_back']}")
    for row in sorted(kernels, key=lost, reverse=True):
        times = row.get("failure") or f"{row['tawa_us']:8.2f} {row['triton_us']:8.2f} us {row['triton_us'] / row['tawa_us']:6.3f}"
        print(f"  {row['name'][:60]:60} {row['launches']:3} x {times}  {row['config'] if 'config' in row else ''}")
    sys.stdout.flush()


def keep(folder, rows):
    os.makedirs(folder, exist_ok=True)
    for file in os.listdir(folder):
        os.unlink(os.path.join(folder, file))
    for row in sorted((row for row in rows if "text" in row), key=lambda row: row["triton_us"] / row["tawa_us"])[:WORST]:
        name = f"{row['name'][:60]}_{hashlib.sha256(row['text'].encode()).hexdigest()[:8]}.mlir"
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(row["text"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", help="JSON with everything")
    parser.add_argument("--keep", help="folder for the texts of the ten worst kernels")
    parser.add_argument("--jobs", type=int, default=1, help="models that are compiled at once")
    parser.add_argument(ONE, dest="one", help=argparse.SUPPRESS)
    parser.add_argument("--result", help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="*", help=", ".join(MODELS))
    options = parser.parse_args()
    if options.one:
        with open(os.path.join(os.path.dirname(options.result), "turn"), "a", encoding="utf-8") as turn:
            measure(options.one, options.result, turn)
        return
    everything = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda name: measure_apart(name, folder), options.models or list(MODELS)):
            everything.append(found)
            show(found)
            if options.keep:
                keep(options.keep, [row for found in everything for row in found.get("kernels", [])])
            if options.output:
                with open(options.output, "w", encoding="utf-8") as file:
                    json.dump(everything, file, indent=1)


if __name__ == "__main__":
    main()
