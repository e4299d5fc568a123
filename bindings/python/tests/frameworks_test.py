"""PyTorch, Triton, JAX and libtawa.so in one process, loaded in both orders, each order in a process of its own: 100 compiles, one
framework after the other in turn, every result checked. LLVM is in most of these libraries, and must not meet another's. Ends with
77, which stands for skipped, where a framework or a Hopper GPU is missing.

usage: frameworks_test.py [--present] [COMPILES]; --present: with the frameworks that are there, on the emulator where no GPU is
"""

import array
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ALL = ("torch", "triton", "jax", "tawa")
SIZE = 1000
SCALE = (Path(__file__).resolve().parents[3] / "tests" / "kernels" / "scale.mlir").read_text()
TRITON = """import triton
import triton.language as tl


@triton.jit
def scale(x, y, n, BY: tl.constexpr):
    at = tl.program_id(0) * 128 + tl.arange(0, 128)
    tl.store(y + at, tl.load(x + at, mask=at < n) * BY, mask=at < n)
"""


# Each makes a function that compiles "multiply by `number`" anew, runs it, and gives the products of 0 to SIZE - 1.


def with_torch():
    import torch

    x = torch.arange(SIZE, dtype=torch.float32, device="cuda")

    def run(number):
        torch.compiler.reset()  # else one function compiles a few times only
        return torch.compile(lambda x: x * float(number), dynamic=False)(x).tolist()

    return run


def with_triton():
    import torch

    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:  # Triton reads the source of its kernels
        file.write(TRITON)
        file.flush()
        spec = importlib.util.spec_from_file_location("scale_in_triton", file.name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    x = torch.arange(SIZE, dtype=torch.float32, device="cuda")

    def run(number):
        y = torch.zeros_like(x)
        module.scale[(-(-SIZE // 128),)](x, y, SIZE, BY=float(number))
        return y.tolist()

    return run


def with_jax():
    import jax
    import jax.numpy as jnp

    x = jnp.arange(SIZE, dtype=jnp.float32)
    return lambda number: jax.jit(lambda x: x * float(number))(x).tolist()


def with_tawa():
    import tawa

    runtime = tawa.runtime()
    x, y = (runtime.empty(SIZE, "f32") for _ in range(2))
    x.copy_in(array.array("f", range(SIZE)))

    def run(number):
        result = array.array("f", [0.0] * SIZE)
        runtime.compile(SCALE.replace("@scale", f"@scale_{number}"))(x, y.fill(0), SIZE, float(number))
        runtime.synchronize()
        y.copy_out(result)
        return list(result)

    return run


def child(names, compiles):
    """Loads the frameworks in this order, then compiles."""
    turns = [(name, globals()[f"with_{name}"]()) for name in names]
    for number in range(compiles):
        name, run = turns[number % len(turns)]
        got = run(number + 2)
        assert got == [float((number + 2) * i) for i in range(SIZE)], f"compile {number} by {name} gives {got[:4]}..."
    with open("/proc/self/maps", encoding="utf-8") as maps:
        assert "libtawa.so" in maps.read(), "libtawa.so is not in this process"
    print(f"{compiles} compiles by {', '.join(names)}: all right", flush=True)


def is_there(name):
    if importlib.util.find_spec(name) is None:
        return False
    if name in ("torch", "triton"):
        import torch

        return torch.cuda.is_available()
    return True


def has_gpu():
    import tawa

    try:
        return tawa.Runtime("cuda", cache_dir="").info.kind == 0
    except tawa.NoDevice:
        return False


def missing():
    """Asked in a process of its own, so that the two that are tested load nothing ahead of time."""
    return [name for name in ALL if not is_there(name)] + ([] if has_gpu() else ["a Hopper GPU"])


def main():
    arguments = [each for each in sys.argv[1:] if each != "--present"]
    if arguments[:1] == ["--missing"]:
        print(*missing(), sep=",")
        return 0
    if arguments[:1] == ["--child"]:
        child(arguments[2:], int(arguments[1]))
        return 0
    this = [sys.executable, "-B", __file__]
    absent = [each for each in subprocess.run([*this, "--missing"], capture_output=True, text=True, check=True).stdout.strip().split(",") if each]
    if absent and "--present" not in sys.argv:
        print("skipped: missing are", ", ".join(absent))
        return 77
    names = [name for name in ALL if name not in absent]
    with tempfile.TemporaryDirectory() as folder:  # nothing comes from an earlier run's caches
        caches = {"TRITON_CACHE_DIR": f"{folder}/triton", "TORCHINDUCTOR_CACHE_DIR": f"{folder}/inductor", "TAWA_CACHE": "off",
                  "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
        for order in (names, names[::-1]):
            done = subprocess.run([*this, "--child", arguments[0] if arguments else "100", *order], env=os.environ | caches, check=False)
            if done.returncode:
                print(f"loaded in the order {', '.join(order)}, the process ended with {done.returncode}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
