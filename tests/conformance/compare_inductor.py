#!/usr/bin/env python3
"""Kernels that PyTorch's Inductor makes for Triton, run again by Tawa, for a machine with a GPU, PyTorch and Triton.

Compiles the programs of framework_programs.py with torch.compile. Every text that Triton launches for them is compiled and
launched by Tawa too, on copies of the same arguments, and every byte that Triton's launch may have written is compared.

usage: compare_inductor.py [--keep FOLDER] [--variants N] [--seconds N] [PROGRAM...]

--keep writes each text once, with a `// run:` line as of tests/kernels/framework and how Triton compiled it. Inductor tries many tiles for
one kernel: --variants of them are looked at. A program ends after --seconds. Exits with 1 where a kernel differs, is
refused or fails; what the programs themselves fail with is shown and is no failure.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "perf", "harness")]

PROCESSES = 14
ONE = "--one"
LARGEST_COPY = 1 << 32


class Arguments:
    """Of Triton's launchers, in the words of a `// run:` line (TileProgram.h)."""

    def __init__(self, torch):
        self.torch = torch

    def region(self, value):
        """All memory from a tensor's first element on, flat."""
        tensor = value.base if hasattr(value, "base") and not isinstance(value, self.torch.Tensor) else value
        count = tensor.untyped_storage().nbytes() // tensor.element_size() - tensor.storage_offset()
        return self.torch.as_strided(tensor.detach(), (count,), (1,), tensor.storage_offset())

    def dtype(self, tensor):
        torch = self.torch
        names = {torch.bool: "i1", torch.int8: "i8", torch.uint8: "i8", torch.int16: "i16", torch.int32: "i32", torch.uint32: "i32",
                 torch.int64: "i64", torch.uint64: "i64", torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32",
                 torch.float64: "f64", torch.float8_e4m3fn: "f8e4m3", torch.float8_e5m2: "f8e5m2"}
        return names[tensor.dtype]

    def scalar_type(self, kind):
        return {"fp32": "f32", "fp64": "f64", "u1": "i1"}.get(kind, kind.replace("u", "i"))

    def run_line(self, grid, passed, tensors):
        words = []
        for (_, kind, value), region in zip(passed, tensors):
            if region is None:
                words.append(f"{self.scalar_type(kind)}:{value}")
                continue
            word = f"{self.dtype(region)}[{region.numel()}]"
            if not region.is_floating_point() and region.numel():
                numbers = region.long()
                word += f"={numbers.min().item()}..{numbers.max().item() + 1}"
            words.append(word)
        return f"// run: grid={','.join(map(str, grid))} args={' '.join(words)}"


class Recorder(Arguments):
    """Stands between Triton's launcher and the GPU; keeps one result for each text."""

    def __init__(self, torch, report, variants):
        import prepared
        import tawa

        super().__init__(torch)
        self.tawa, self.prepared, self.report, self.most = tawa, prepared, report, variants
        self.runtime = prepared.runtime(f"cuda:{torch.cuda.current_device()}")
        self.texts, self.options, self.seen, self.variants = {}, {}, set(), collections.Counter()
        self.paused = False

    def install(self):
        from triton.backends.nvidia.driver import CudaLauncher
        from triton.compiler.compiler import CompiledKernel

        made, begun, called = CompiledKernel.__init__, CudaLauncher.__init__, CudaLauncher.__call__

        def compiled_init(kernel, src, metadata_group, hash):  # pylint: disable=redefined-builtin
            made(kernel, src, metadata_group, hash)
            self.texts[kernel.metadata.hash] = kernel.asm["ttir"]

        def launcher_init(launcher, src, metadata):
            begun(launcher, src, metadata)
            launcher.tawa = (metadata.hash, metadata.name, dict(src.signature))
            self.options[metadata.hash] = f"num_warps={metadata.num_warps} num_stages={metadata.num_stages}"

        def launcher_call(launcher, x, y, z, stream, function, *args):
            return self.launch(launcher.tawa, (x, y, z), stream, args, lambda: called(launcher, x, y, z, stream, function, *args))

        CompiledKernel.__init__, CudaLauncher.__init__, CudaLauncher.__call__ = compiled_init, launcher_init, launcher_call

    def launch(self, known, grid, stream, args, original):
        key, name, signature = known
        if self.paused or key in self.seen or self.variants[name] >= self.most or 0 in grid or self.torch.cuda.is_current_stream_capturing():
            return original()
        self.seen.add(key)
        self.variants[name] += 1
        result = {"name": name, "key": key, "grid": grid}
        self.paused = True
        try:
            self.compare(result, signature, grid, args, original)
        except Exception as failure:  # pylint: disable=broad-except  # whatever is raised is the result of one kernel
            if "text" not in result:
                original()
            result.setdefault("verdict", "FAILED")
            result["detail"] = f"{type(failure).__name__}: {failure}"
        self.report(result)
        self.paused = False

    def compare(self, result, signature, grid, args, original):
        torch = self.torch
        passed = [(name, kind, value) for (name, kind), value in zip(signature.items(), args[len(args) - len(signature):])
                  if kind != "constexpr"]
        result["signature"] = [(name, str(kind)) for name, kind, _ in passed]
        tensors = [self.region(value) if hasattr(value, "data_ptr") or hasattr(value, "base") else None for _, _, value in passed]
        if sum(region.numel() * region.element_size() for region in tensors if region is not None) > LARGEST_COPY:
            result.update(verdict="skipped", detail="more memory than is copied")
            return original()
        torch.cuda.synchronize()
        copies = self.copies(tensors)
        original()
        torch.cuda.synchronize()
        text = self.texts[result["key"]]
        result["text"] = text
        result["run"] = self.run_line(grid, passed, tensors) + "\n// " + self.options[result["key"]]
        arguments = [self.argument(kind, value, region, copy) for (_, kind, value), region, copy in zip(passed, tensors, copies)]
        begun = time.perf_counter()
        try:
            kernel = self.prepared.Kernel(self.runtime, text.encode(), result["name"], arguments, "", grid)
        except self.tawa.Error as refusal:
            result.update(verdict="REFUSED", detail=str(refusal))
            return None
        result["compile_ms"] = 1e3 * (time.perf_counter() - begun)
        kernel.launch(torch.cuda.current_stream().cuda_stream)
        torch.cuda.synchronize()
        self.judge(result, passed, tensors, copies)
        return None

    def copies(self, tensors):
        """The same places of copies of the storages; one copy of a storage that several tensors share."""
        made = {}
        for region in tensors:
            if region is not None and region.untyped_storage().data_ptr() not in made:
                made[region.untyped_storage().data_ptr()] = region.untyped_storage().clone()
        return [None if region is None else
                self.torch.empty(0, dtype=region.dtype, device="cuda").set_(
                    made[region.untyped_storage().data_ptr()], region.storage_offset(), region.shape, region.stride())
                for region in tensors]

    def argument(self, kind, value, region, copy):
        if region is None:
            return self.tawa.scalar(self.scalar_type(kind), value)
        shape = list(value.shape) if hasattr(value, "base") and not isinstance(value, self.torch.Tensor) else [copy.numel()]
        return self.tawa.tensor(self.dtype(region), shape, copy.data_ptr())

    def judge(self, result, passed, tensors, copies):
        from compare_triton import TOLERANCE, difference

        worst = 0.0
        for (name, _, _), right, ours in zip(passed, tensors, copies):
            # A workspace holds partial sums and counters of arrivals, in bytes.
            if right is None or name.startswith("ws_ptr"):
                continue
            dtype = self.dtype(right)
            if dtype == "i1":
                right, ours = right.view(self.torch.int8), ours.view(self.torch.int8)
            gap = difference(self.torch, dtype, ours, right)
            if gap > TOLERANCE.get(dtype, 0.0):
                result.update(verdict="DIFFERS", detail=f"{name} ({dtype}) by {gap:.2e}")
                return
            worst = max(worst, gap)
        result.update(verdict="equal" if worst == 0 else "close", detail=f"{worst:.1e}")


def run_program(options):
    """Writes one line of JSON for each kernel and each failure."""
    import torch
    import torch._dynamo

    from framework_programs import PROGRAMS

    torch._dynamo.config.recompile_limit = 10000
    torch._inductor.config.use_static_cuda_launcher = False
    torch._inductor.config.compile_threads = 1
    def report(line):
        with open(options.result, "a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")

    Recorder(torch, report, options.variants).install()

    def run(function, *arguments, backward=False, **how):
        torch._dynamo.reset()
        try:
            found = torch.compile(function, **how)(*arguments)
            first = found[0] if isinstance(found, (tuple, list)) else found
            if backward and isinstance(first, torch.Tensor) and first.requires_grad:
                first.backward(torch.randn_like(first))
        except Exception as failure:  # pylint: disable=broad-except  # the program's own trouble
            report({"failure": f"{type(failure).__name__}: {str(failure)[:300]}"})

    torch.manual_seed(1)
    PROGRAMS[options.one](run)


def run_apart(name, options, folder):
    """run_program() in a process of its own: a kernel that spoils the context costs one program."""
    result = os.path.join(folder, name + ".json")
    command = [sys.executable, os.path.abspath(__file__), ONE, name, "--result", result, "--variants", str(options.variants)]
    environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": os.path.join(folder, name), "TRITON_CACHE_DIR": os.path.join(folder, name, "triton")}
    found = []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds, check=False, env=environment)
        if done.returncode:
            found.append({"failure": f"status {done.returncode}: " + " ".join(done.stderr.strip().splitlines()[-3:])})
    except subprocess.TimeoutExpired:
        found.append({"failure": f"did not end in {options.seconds} s"})
    if os.path.exists(result):
        with open(result, encoding="utf-8") as stream:
            found += [json.loads(line) for line in stream]
    return found


def keep(folder, kernel):
    os.makedirs(folder, exist_ok=True)
    name = f"{kernel['name'][:60]}_{hashlib.sha256(kernel['text'].encode()).hexdigest()[:8]}.mlir"
    with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
        stream.write(kernel["run"] + "\n" + kernel["text"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", help="folder for the texts")
    parser.add_argument("--variants", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=150)
    parser.add_argument("--result", help=argparse.SUPPRESS)
    parser.add_argument(ONE, dest="one", help=argparse.SUPPRESS)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    if options.one:
        run_program(options)
        return 0
    from framework_programs import PROGRAMS

    counts, times = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        names = options.programs or list(PROGRAMS)
        for name, found in zip(names, pool.map(lambda name: run_apart(name, options, folder), names)):
            for kernel in found:
                if "failure" in kernel:
                    print(f"program  {name}: {kernel['failure'][:300]}", flush=True)
                    continue
                verdict = kernel.get("verdict", "FAILED")
                counts[verdict] += 1
                times += [kernel["compile_ms"]] if "compile_ms" in kernel else []
                if options.keep and "text" in kernel:
                    keep(options.keep, kernel)
                if verdict not in ("equal", "close"):
                    print(f"{verdict:8} {name}/{kernel['name']} {kernel.get('detail', '')[:400]}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    if times:
        times.sort()
        print(f"Tawa's compile: median {times[len(times) // 2]:.0f} ms, longest {times[-1]:.0f} ms")
    return 1 if counts["DIFFERS"] or counts["FAILED"] or counts["REFUSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
