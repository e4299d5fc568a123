#!/usr/bin/env python3
"""What a launch costs the host, from C and from Python, each a loop of launches that never fills the queue.

On a GPU the tensors are PyTorch's, and what PyTorch, Triton and operators of tawa.torch take for the same product stands beside it. On the emulator, where a launch runs the kernel, the kernel is given nothing to do: a grid
of no CTAs, so that checking and packing of arguments is all that is left of a launch.

usage: launch_bench.py --loop tawa-launch-loop.so [--device cuda:0|emulator] [--json FILE]
"""

import argparse
import array
import ctypes
import json
import os
import statistics
import sys
import time

import prepared
import tawa
from tawa import _abi, _library, _tensors

HERE = os.path.dirname(os.path.abspath(__file__))
GEMM = os.path.join(HERE, "..", "..", "tests", "kernels", "gemm_tma_128.mlir")
SCALE = os.path.join(HERE, "..", "..", "tests", "kernels", "scale.mlir")
VECTOR = "vector"
LAUNCHES, REPEATS = 400, 15  # fewer than the driver queues before it makes the caller wait


def loops(path):
    """The C loops, with their types."""
    library = ctypes.CDLL(path)
    void, count = ctypes.c_void_p, ctypes.c_uint32
    parameters = {"loop_launch": [void, void, count, void, count], "loop_binding": [void, void, count],
                  "loop_moving": [void, void, void, count, void, count], "loop_driver": [void, void, void, count]}
    for name, types in parameters.items():
        getattr(library, name).restype, getattr(library, name).argtypes = ctypes.c_double, types
    return library


def python_loop(launch):
    begin = time.perf_counter_ns()
    for _ in range(LAUNCHES):
        launch()
    return (time.perf_counter_ns() - begin) / LAUNCHES


def ctypes_launch(kernel, args, stream):
    """The same call by ctypes, with arguments that were filled ahead: what a binding without an extension pays at least."""
    held = (_abi.tawa_arg * len(args))(*args)
    call, handle, count = _library.c.tawa_launch, kernel.handle, len(args)
    return lambda: call(handle, held, count, stream, None)


def c_figures(c_loops, kernel, raw, stream, driver):
    """{name: function that gives nanoseconds per launch} of C."""
    held = (_abi.tawa_arg * len(raw))(*raw)
    binding = kernel.bind(*raw)
    addresses = [each.data for each in raw if each.kind == _abi.ARG_TENSOR]
    one = (ctypes.c_void_p * len(addresses))(*addresses)
    other = (ctypes.c_void_p * len(addresses))(*addresses[::-1])
    figures = {
        "tawa_launch": lambda: c_loops.loop_launch(kernel.handle, held, len(raw), stream, LAUNCHES),
        "tawa_binding_launch": lambda: c_loops.loop_binding(binding.handle, stream, LAUNCHES),
        "tawa_binding_launch, moving": lambda: c_loops.loop_moving(binding.handle, one, other, len(addresses), stream, LAUNCHES),
    }
    if driver:
        plan = _abi.tawa_launch_plan()
        _library.call("tawa_binding_plan", binding.handle, None, 0, ctypes.byref(plan))
        figures["cuLaunchKernelEx"] = lambda: c_loops.loop_driver(driver, ctypes.byref(plan), stream, LAUNCHES)
    return figures


def python_figures(kernel, args, raw, stream):
    binding = kernel.bind(*args)
    launch = tawa._launch.Launcher.__call__  # also on the emulator, where Kernel makes memory known first
    on_gpu = kernel.runtime.name != "emulator"
    figures = {
        "python kernel(*tensors)": lambda: python_loop(lambda: launch(kernel, *args)),
        "python kernel(*tensors, stream=)": lambda: python_loop(lambda: launch(kernel, *args, stream=stream)),
        "python kernel(*tawa.tensor)": lambda: python_loop(lambda: launch(kernel, *raw)),
        "ctypes, arguments filled ahead": lambda: python_loop(ctypes_launch(kernel, raw, stream)),
    }
    if on_gpu:
        figures["python kernel(*tensors) itself"] = lambda: python_loop(lambda: kernel(*args))
        figures["python binding()"] = lambda: python_loop(binding)
        figures["python binding(stream=)"] = lambda: python_loop(lambda: binding(stream=stream))
    return figures


def framework_figures(x, y, n, by):
    """The same product by PyTorch's operator, by one of tawa.torch and by Triton's own launcher."""
    import tawa.torch
    import torch
    import triton_scale

    with open(SCALE, encoding="utf-8") as file:
        operator = tawa.torch.operator("launch_bench::scale(Tensor x, float by) -> Tensor", file.read(), outputs=lambda x, by: torch.empty_like(x),
                                       arguments=lambda out, x, by: (x, out, x.numel(), by), config="BLOCK=64")
    jitted = triton_scale.scale[(n // triton_scale.BLOCK,)]
    return {
        "torch.mul(out=)": lambda: python_loop(lambda: torch.mul(x, by, out=y)),
        "torch.mul": lambda: python_loop(lambda: torch.mul(x, by)),
        "operator of tawa.torch": lambda: python_loop(lambda: operator(x, by)),
        "triton kernel[grid](...)": lambda: python_loop(lambda: jitted(x, y, n, by, BLOCK=triton_scale.BLOCK)),
    }


def measure(figures, wait):
    """Median and least of nanoseconds per launch; the ways take turns."""
    samples = {name: [] for name in figures}
    for _ in range(REPEATS):
        for name, figure in figures.items():
            samples[name].append(figure())
            wait()
    return {name: {"median": statistics.median(each), "least": min(each)} for name, each in samples.items()}


def cases(device):
    """(name, kernel, arguments)"""
    runtime = prepared.runtime(device)
    with open(SCALE, encoding="utf-8") as file:
        scale = runtime.compile(file.read(), config="BLOCK=64")
    if device == "emulator":
        x, y = array.array("f", [0] * 1024), array.array("f", [0] * 1024)
        yield VECTOR, scale, (x, y, 0, 2.0)
        return
    import torch

    x, y = torch.ones(1024, device=device), torch.zeros(1024, device=device)
    yield VECTOR, scale, (x, y, 1024, 2.0)
    a, b, c = (torch.ones(128, 128, dtype=torch.float16, device=device) for _ in range(3))
    with open(GEMM, encoding="utf-8") as file:
        text = "// tawa.grid 1\n" + file.read()
    yield "gemm, three tensor maps", runtime.compile(text, a, b, c, 128, 128, 128), (a, b, c, 128, 128, 128)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loop", required=True, help="tawa-launch-loop.so")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--json", help="file for the figures")
    options = parser.parse_args()
    c_loops, found = loops(options.loop), {}
    on_gpu = options.device != "emulator"
    driver = ctypes.cast(ctypes.CDLL("libcuda.so.1").cuLaunchKernelEx, ctypes.c_void_p) if on_gpu else None
    for name, kernel, args in cases(options.device):
        raw = [each if isinstance(each, tawa.Arg) else _tensors.read(each, _tensors.dtype_number(known.dtype))[0] if known.kind == "tensor"
               else tawa.scalar(known.dtype, each) for each, known in zip(args, kernel.parameters)]
        stream = None
        if on_gpu:
            import torch

            stream = torch.cuda.current_stream().cuda_stream
        figures = {**c_figures(c_loops, kernel, raw, stream, driver), **python_figures(kernel, args, raw, stream or 0)}
        if on_gpu and name == VECTOR:
            figures |= framework_figures(*args)
        found[name] = measure(figures, kernel.runtime.synchronize)
        for way, figure in found[name].items():
            print(f"{name:24} {way:34} {figure['median']:8.0f} ns  (least {figure['least']:.0f})")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
