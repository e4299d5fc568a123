"""The Triton back end on a GPU, with Triton 3.6 and PyTorch 2.11: kernels of every kind against PyTorch and Triton itself, Inductor with
and without workers, CUDA graphs, fallbacks, the report. Ends with 77, which stands for skipped, where one of them is missing.

usage: triton_test.py [unittest arguments]; the classes are Kernels, Fallbacks, Switches, Compiled, Workers, Costs
"""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import tawa
import tawa.triton

try:
    import torch
    import triton
    import triton.language as tl
    from triton.tools.tensor_descriptor import TensorDescriptor
except ImportError:
    triton = None


def is_ready():
    try:
        return triton is not None and triton.__version__.startswith(tawa.triton.TRITON) and bool(tawa.runtime("cuda:0"))
    except tawa.NoDevice:
        return False


def jit(function):
    return triton.jit(function) if triton else function


def autotune(**options):
    return triton.autotune(**options) if triton else lambda function: function


# ---- kernels ----------------------------------------------------------------------------------------------------------


@jit
def add_kernel(x, y, out, n, BLOCK: "tl.constexpr"):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@jit
def softmax_kernel(out, x, stride, columns, BLOCK: "tl.constexpr"):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, values / tl.sum(values, axis=0), mask=at < columns)


@jit
def matmul_body(a, b, c, M, N, K, stride_am, stride_bk, stride_cm, BM: "tl.constexpr", BN: "tl.constexpr", BK: "tl.constexpr"):
    rows = (tl.program_id(0) * BM + tl.arange(0, BM)) % M
    columns = (tl.program_id(1) * BN + tl.arange(0, BN)) % N
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = tl.load(a + rows[:, None] * stride_am + (k * BK + inner)[None, :], mask=(k * BK + inner)[None, :] < K, other=0.0)
        right = tl.load(b + (k * BK + inner)[:, None] * stride_bk + columns[None, :], mask=(k * BK + inner)[:, None] < K, other=0.0)
        total = tl.dot(left, right, total)
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    tl.store(c + rows[:, None] * stride_cm + columns[None, :], total.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))


@jit
def matmul_kernel(a, b, c, M, N, K, stride_am, stride_bk, stride_cm, BM: "tl.constexpr", BN: "tl.constexpr", BK: "tl.constexpr"):
    matmul_body(a, b, c, M, N, K, stride_am, stride_bk, stride_cm, BM, BN, BK)


def configs():
    return [triton.Config({"BM": m, "BN": n, "BK": 64}, num_warps=warps, num_stages=stages)
            for m, n, warps, stages in ((64, 64, 4, 3), (64, 64, 8, 4), (128, 128, 8, 3), (128, 64, 4, 4))] if triton else []


@autotune(configs=configs(), key=["M", "N", "K"])
@jit
def tuned_matmul_kernel(a, b, c, M, N, K, stride_am, stride_bk, stride_cm, BM: "tl.constexpr", BN: "tl.constexpr", BK: "tl.constexpr"):
    matmul_body(a, b, c, M, N, K, stride_am, stride_bk, stride_cm, BM, BN, BK)


@jit
def descriptor_matmul_kernel(a, b, c, K, BM: "tl.constexpr", BN: "tl.constexpr", BK: "tl.constexpr"):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(a.load([m, k]), b.load([n, k]).T, total)
    c.store([m, n], total.to(tl.float16))


@jit
def made_descriptor_kernel(x, y, M, N, BLOCK: "tl.constexpr"):
    source = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BLOCK, BLOCK])
    target = tl.make_tensor_descriptor(y, shape=[M, N], strides=[N, 1], block_shape=[BLOCK, BLOCK])
    at = [tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK]
    target.store(at, source.load(at) * 2)


@jit
def histogram_kernel(x, counts, n, BLOCK: "tl.constexpr"):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(counts + tl.load(x + at, mask=at < n, other=0), 1, mask=at < n)


@jit
def collatz_kernel(x, steps, n):
    at = tl.program_id(0)
    value = tl.load(x + at)
    count = 0
    while value > 1:
        value = tl.where(value % 2 == 0, value // 2, 3 * value + 1)
        count += 1
    tl.store(steps + at, count)


@jit
def scalars_kernel(out, number, long, unsigned, pair):
    tl.store(out, 1.0 / number)
    tl.store(out + 1, long.to(tl.float32))
    tl.store(out + 2, (unsigned >> 31).to(tl.float32))
    tl.store(out + 3, pair[0] + tl.load(pair[1]))


@jit
def flag_kernel(out, flag):
    tl.store(out, tl.where(flag, 1.0, 2.0))


@jit
def smid_kernel(out):
    """Reads a special register, which Tawa refuses."""
    number = tl.inline_asm_elementwise("mov.u32 $0, %smid;", "=r", [], dtype=tl.int32, is_pure=False, pack=1)
    tl.store(out + tl.program_id(0), number * 0 + 7)


@jit
def scale_kernel(x, out, n, by, BLOCK: "tl.constexpr"):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * by, mask=at < n)


def rand(*shape, dtype=None):
    return torch.randn(shape, device="cuda").to(dtype or torch.float32)


def descriptors_of(*pairs):
    return [TensorDescriptor.from_tensor(tensor, block) for tensor, block in pairs]


def row_of(name):
    """The newest row of a kernel."""
    return [row for row in tawa.triton.report().rows if row.name == name][-1]


class OnTawa(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tawa.triton.enable()
        torch.manual_seed(1)

    def assertTaken(self, name):
        row = row_of(name)
        self.assertTrue(row.taken, f"{name}: {row.why}")
        self.assertEqual(row.refused_launches, 0, f"{name}: {row.why}")

    def assertNear(self, ours, right, tolerance=1e-2):
        gap = ((ours.float() - right.float()).abs().max() / right.float().abs().max().clamp(min=1e-6)).item()
        self.assertLessEqual(gap, tolerance)


class Kernels(OnTawa):
    def test_vector_add(self):
        for n in (1000, 1000, 1000, 98432, 16, 1):
            x, y = rand(n), rand(n)
            out = torch.full_like(x, float("nan"))
            for _ in range(3):
                add_kernel[(triton.cdiv(n, 256),)](x, y, out, n, BLOCK=256)
            self.assertTrue(torch.equal(out, x + y), n)
        self.assertTaken("add_kernel")

    def test_types(self):
        for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.uint8, torch.int64):
            x = (rand(500) * 10).to(dtype)
            y = (rand(500) * 10).to(dtype)
            out = torch.zeros_like(x)
            add_kernel[(2,)](x, y, out, 500, BLOCK=256)
            self.assertTrue(torch.equal(out, x + y), dtype)
            self.assertTaken("add_kernel")

    def test_softmax(self):
        x = rand(300, 781)
        out = torch.empty_like(x)
        softmax_kernel[(300,)](out, x, x.stride(0), 781, BLOCK=1024)
        self.assertNear(out, torch.softmax(x, 1), 1e-5)
        self.assertTaken("softmax_kernel")

    def matmul(self, kernel, m, n, k, **options):
        a, b = rand(m, k, dtype=torch.float16), rand(k, n, dtype=torch.float16)
        c = torch.empty(m, n, device="cuda", dtype=torch.float16)
        for _ in range(3):
            kernel[lambda meta: (triton.cdiv(m, meta["BM"]), triton.cdiv(n, meta["BN"]))](
                a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0), **options)
        self.assertNear(c, a @ b)

    def test_matmul(self):
        self.matmul(matmul_kernel, 512, 384, 256, BM=128, BN=128, BK=64)
        self.matmul(matmul_kernel, 333, 200, 130, BM=64, BN=64, BK=32)
        self.assertTaken("matmul_kernel")

    def test_autotuned_matmul(self):
        self.matmul(tuned_matmul_kernel, 512, 512, 512)
        self.assertTaken("tuned_matmul_kernel")
        self.assertTrue(any(row.variants > 1 for row in tawa.triton.report().rows if row.name == "tuned_matmul_kernel"))

    def test_matmul_with_descriptors(self):
        for m in (512, 256, 512):
            a, b = rand(m, 256, dtype=torch.float16), rand(512, 256, dtype=torch.float16)
            c = torch.empty(m, 512, device="cuda", dtype=torch.float16)
            descriptors = descriptors_of((a, [128, 64]), (b, [128, 64]), (c, [128, 128]))
            for _ in range(3):
                descriptor_matmul_kernel[(m // 128, 4)](*descriptors, 256, BM=128, BN=128, BK=64)
            self.assertNear(c, a @ b.T)
        self.assertTaken("descriptor_matmul_kernel")

    def test_descriptors_made_in_the_kernel(self):
        triton.set_allocator(lambda size, align, stream: torch.empty(size, device="cuda", dtype=torch.int8))
        x = rand(128, 256)
        y = torch.zeros_like(x)
        for _ in range(3):
            made_descriptor_kernel[(2, 4)](x, y, 128, 256, BLOCK=64)
        self.assertTrue(torch.equal(y, x * 2))
        self.assertTaken("made_descriptor_kernel")

    def test_atomics(self):
        x = torch.randint(0, 50, (10000,), device="cuda", dtype=torch.int32)
        counts = torch.zeros(50, device="cuda", dtype=torch.int32)
        histogram_kernel[(40,)](x, counts, 10000, BLOCK=256)
        self.assertTrue(torch.equal(counts.long(), torch.bincount(x, minlength=50)))
        self.assertTaken("histogram_kernel")

    def test_while_loop(self):
        x = torch.arange(1, 101, device="cuda", dtype=torch.int32)
        steps = torch.zeros_like(x)
        collatz_kernel[(100,)](x, steps, 100)

        def count(value):
            return 0 if value == 1 else 1 + count(value // 2 if value % 2 == 0 else 3 * value + 1)

        self.assertEqual(steps.tolist(), [count(i) for i in range(1, 101)])
        self.assertTaken("collatz_kernel")

    def test_scalars(self):
        out, one = torch.zeros(4, device="cuda"), torch.tensor([0.5], device="cuda")
        for _ in range(3):
            for number in (0.0, -0.0, 2.0):
                for long in (-3, 1 << 40):
                    scalars_kernel[(1,)](out, number, long, (1 << 31) + 5, (3, one))
                    inverse = 0.5 if number else float("-inf" if str(number)[0] == "-" else "inf")
                    self.assertEqual(out.tolist(), [inverse, float(long), 1.0, 3.5], number)
        self.assertTaken("scalars_kernel")

    def test_flags(self):
        """Right whether Tawa takes an argument of one bit or not."""
        out = torch.zeros(1, device="cuda")
        for flag in (True, False, True, False):
            flag_kernel[(1,)](out, flag)
            self.assertEqual(out.item(), 1.0 if flag else 2.0)
        print(f"a kernel with a bool: {'Tawa' if row_of('flag_kernel').taken else 'Triton, ' + row_of('flag_kernel').why}", file=sys.stderr)

    def test_misaligned_and_expanded(self):
        x = rand(1001)[1:]
        y = torch.tensor([2.0], device="cuda").expand(1000)
        out = torch.empty(1003, device="cuda")[3:]
        for _ in range(3):
            scale_kernel[(4,)](x, out, 1000, 2.0, BLOCK=256)
            scale_kernel[(1,)](y, out, 1, 3.0, BLOCK=256)
        self.assertEqual(out[0].item(), 6.0)
        self.assertTrue(torch.equal(out[1:], x[1:] * 2))
        self.assertTaken("scale_kernel")

    def test_many_numbers(self):
        x, out = rand(512), torch.empty(512, device="cuda")
        for i in range(1000):
            scale_kernel[(2,)](x, out, 512, i + 0.5, BLOCK=256)
        self.assertTrue(torch.equal(out, x * 999.5))

    def test_no_programs(self):
        x, out = rand(8), torch.zeros(8, device="cuda")
        scale_kernel[(0,)](x, out, 8, 2.0, BLOCK=256)
        scale_kernel[(0,)](x, out, 8, 2.0, BLOCK=256)
        self.assertFalse(out.any())

    def test_tensor_of_the_cpu(self):
        with self.assertRaisesRegex(ValueError, "cannot be accessed from Triton"):
            scale_kernel[(1,)](torch.zeros(8), rand(8), 8, 2.0, BLOCK=256)

    def test_pinned_memory(self):
        x, out = torch.ones(64).pin_memory(), torch.zeros(64, device="cuda")
        scale_kernel[(1,)](x, out, 64, 2.0, BLOCK=256)
        self.assertEqual(out.sum().item(), 128)

    def test_facts_of_a_compiled_kernel(self):
        x, out = rand(512), torch.empty(512, device="cuda")
        kernel = scale_kernel.warmup(x, out, 512, 2.0, BLOCK=512, grid=(1,), num_warps=2)
        kernel._init_handles()
        self.assertGreater(kernel.n_regs, 0)
        self.assertEqual((kernel.n_spills, kernel.metadata.num_warps, kernel.metadata.name), (0, 2, "scale_kernel"))
        self.assertIn("tt.func", kernel.asm["ttir"])
        self.assertIn(".entry", kernel.asm["ptx"])  # Triton's own, compiled for the question
        self.assertEqual(kernel.asm["cubin"][:4], b"\x7fELF")
        kernel[(1, 1, 1)](x, out, 512, 2.0, 512)
        self.assertTrue(torch.equal(out, x * 2))

    def test_hooks(self):
        calls = []
        enter, leave = triton.knobs.runtime.launch_enter_hook, triton.knobs.runtime.launch_exit_hook
        on_enter, on_leave = (lambda metadata: calls.append(metadata.get()["name"])), (lambda metadata: calls.append("left"))
        x, out = rand(512), torch.empty(512, device="cuda")
        enter.add(on_enter)
        leave.add(on_leave)
        try:
            for _ in range(3):
                scale_kernel[(2,)](x, out, 512, 4.0, BLOCK=256)
        finally:
            enter.remove(on_enter)
            leave.remove(on_leave)
        self.assertEqual(calls, ["scale_kernel", "left"] * 3)

    def test_graphs(self):
        x, out = rand(512), torch.empty(512, device="cuda")
        scale_kernel[(2,)](x, out, 512, 7.0, BLOCK=256)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(3):
                scale_kernel[(2,)](x, out, 512, 7.0, BLOCK=256)
        x += 1
        out.zero_()
        graph.replay()
        self.assertTrue(torch.equal(out, x * 7))

    def test_streams(self):
        side = torch.cuda.Stream()
        x, out = rand(512), torch.zeros(512, device="cuda")
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            torch.cuda._sleep(100_000_000)
            for _ in range(3):
                scale_kernel[(2,)](x, out, 512, 5.0, BLOCK=256)
            self.assertFalse(side.query())
        side.synchronize()
        self.assertTrue(torch.equal(out, x * 5))

    def test_threads(self):
        failures = []

        def work(number):
            x, out = rand(4096), torch.empty(4096, device="cuda")
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                for i in range(200):
                    scale_kernel[(16,)](x, out, 4096, float(i % 7 + number), BLOCK=256)
                stream.synchronize()
            if not torch.equal(out, x * float(199 % 7 + number)):
                failures.append(number)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        torch.cuda.synchronize()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_clusters(self):
        x, out = rand(2048), torch.empty(2048, device="cuda")
        scale_kernel[(8,)](x, out, 2048, 3.0, BLOCK=256, num_ctas=2)
        self.assertTrue(torch.equal(out, x * 3))


class Fallbacks(OnTawa):
    def test_refused_text(self):
        out = torch.zeros(20, device="cuda", dtype=torch.int32)
        for _ in range(2):
            smid_kernel[(20,)](out)
        self.assertEqual(out.tolist(), [7] * 20)
        row = row_of("smid_kernel")
        self.assertFalse(row.taken)
        self.assertRegex(row.why, "UNSUPPORTED|INVALID_IR")
        self.assertGreater(row.triton_ms, 0)
        self.assertIn(row.why, tawa.triton.report().reasons())
        self.assertIn("smid_kernel", str(tawa.triton.report()))

    def test_cooperative_launch(self):
        x, out = rand(512), torch.empty(512, device="cuda")
        scale_kernel[(2,)](x, out, 512, 2.0, BLOCK=256, launch_cooperative_grid=True)
        self.assertTrue(torch.equal(out, x * 2))
        self.assertIn("launch_cooperative_grid", row_of("scale_kernel").why)

    def test_policy(self):
        tawa.triton.enable(policy=lambda kernel: f"has {kernel.threads} threads")
        try:
            x, out = rand(512), torch.empty(512, device="cuda")
            scale_kernel[(4,)](x, out, 512, 2.0, BLOCK=128, num_warps=2)
            self.assertTrue(torch.equal(out, x * 2))
            self.assertRegex(row_of("scale_kernel").why, r"has \d+ threads")
        finally:
            tawa.triton.enable()

    def test_launch_that_fails(self):
        """A launch that Tawa refuses is made by Triton's form; after some the kernel is Triton's."""
        from tawa.triton import _launch

        x, out = rand(512), torch.empty(512, device="cuda")
        scale_kernel[(1,)](x, out, 512, 2.0, BLOCK=512)
        real = _launch.read
        _launch.read = lambda slots, args: (_ for _ in ()).throw(RuntimeError("no luck"))
        try:
            for i in range(12):
                scale_kernel[(1,)](x, out, 512, 3.0 + i, BLOCK=512)
                self.assertTrue(torch.equal(out, x * (3.0 + i)))
        finally:
            _launch.read = real
        rows = [row for row in tawa.triton.report().taken if row.name == "scale_kernel" and row.why == "RuntimeError: no luck"]
        self.assertEqual([row.refused_launches for row in rows], [_launch.PATIENCE])

    def test_launch_that_fails_with_descriptors(self):
        from tawa.triton import _launch

        a, b = rand(256, 256, dtype=torch.float16), rand(512, 256, dtype=torch.float16)
        c = torch.empty(256, 512, device="cuda", dtype=torch.float16)
        descriptors = descriptors_of((a, [64, 64]), (b, [64, 64]), (c, [64, 64]))
        real = _launch.read
        _launch.read = lambda slots, args: (_ for _ in ()).throw(RuntimeError("no luck"))
        try:
            descriptor_matmul_kernel[(4, 8)](*descriptors, 256, BM=64, BN=64, BK=64)
        finally:
            _launch.read = real
        self.assertNear(c, a @ b.T)
        self.assertEqual(row_of("descriptor_matmul_kernel").refused_launches, 1)

    def test_binaries_for_other_launchers(self):
        """triton.compile() gives Triton's own binary."""
        from triton.compiler.compiler import ASTSource

        source = ASTSource(scale_kernel, {"x": "*fp32", "out": "*fp32", "n": "i32", "by": "fp32", "BLOCK": "constexpr"}, {"BLOCK": 64})
        kernel = triton.compile(source, target=triton.runtime.driver.active.get_current_target())
        self.assertEqual(kernel.asm["cubin"][:4], b"\x7fELF")
        self.assertFalse(hasattr(kernel.metadata, "tawa"))


class Switches(OnTawa):
    def run_apart(self, code, **environment):
        """What a program of its own prints, as JSON."""
        text = textwrap.dedent(code)
        with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
            file.write("import sys\nsys.path.insert(0, " + repr(os.path.dirname(os.path.abspath(__file__))) + ")\n" + text)
        done = subprocess.run([sys.executable, file.name], capture_output=True, text=True, timeout=200, env=os.environ | environment)
        os.unlink(file.name)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return json.loads(done.stdout.strip().splitlines()[-1])

    ONE = """
        import json, torch, tawa.triton, triton_test as t
        on = tawa.triton.enable()
        x, out = torch.ones(512, device="cuda"), torch.empty(512, device="cuda")
        for _ in range(3):
            t.scale_kernel[(2,)](x, out, 512, 2.0, BLOCK=256)
        report = tawa.triton.report()
        print(json.dumps({"on": on, "right": out.sum().item() == 1024, **report.as_dict()}))
    """

    def test_variable(self):
        found = self.run_apart(self.ONE, TAWA_TRITON="off")
        self.assertEqual((found["on"], found["right"], found["rows"]), (False, True, []))

    def test_caches_do_not_mix(self):
        with tempfile.TemporaryDirectory() as folder:
            caches = {"TRITON_CACHE_DIR": os.path.join(folder, "triton"), "TAWA_CACHE_DIR": os.path.join(folder, "tawa"), "TAWA_CACHE": "on"}
            found = [self.run_apart(self.ONE, **caches, TAWA_TRITON=switch) for switch in ("on", "off", "on", "off")]
        self.assertTrue(all(each["right"] for each in found))
        self.assertEqual([each["taken"] for each in found], [1, 0, 1, 0])
        self.assertEqual([row["from_cache"] for each in found for row in each["rows"]], [False, True])

    def test_disable(self):
        x, out = rand(512), torch.empty(512, device="cuda")
        for _ in range(3):
            scale_kernel[(8,)](x, out, 512, 2.0, BLOCK=64)
        self.assertTaken("scale_kernel")
        tawa.triton.disable()
        try:
            self.assertFalse(tawa.triton.enabled())
            out.zero_()
            scale_kernel[(8,)](x, out, 512, 2.0, BLOCK=64)
            self.assertTrue(torch.equal(out, x * 2))
            count = len(tawa.triton.report().rows)
            scale_kernel[(16,)](x, out, 512, 5.0, BLOCK=32)
            self.assertTrue(torch.equal(out, x * 5))
            self.assertEqual(len(tawa.triton.report().rows), count)
        finally:
            tawa.triton.enable()
        scale_kernel[(8,)](x, out, 512, 2.0, BLOCK=64)
        self.assertTrue(torch.equal(out, x * 2))

    def test_two_devices(self):
        if torch.cuda.device_count() < 2:
            self.skipTest("one GPU")
        for number in (1, 0):
            with torch.cuda.device(number):
                x = torch.ones(512, device=f"cuda:{number}")
                out = torch.empty_like(x)
                for _ in range(3):
                    scale_kernel[(2,)](x, out, 512, 2.5, BLOCK=256)
                self.assertEqual(out.sum().item(), 1280)


class Compiled(OnTawa):
    """torch.compile: kernels are compiled in this process."""

    THREADS = 1

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        import torch._dynamo
        import torch._inductor.config

        cls.folder = tempfile.TemporaryDirectory()
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = cls.folder.name
        os.environ.pop("TRITON_CACHE_DIR", None)
        torch._inductor.config.compile_threads = cls.THREADS
        torch._inductor.config.fx_graph_cache = False
        cls.prepare()

    @classmethod
    def prepare(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        print(tawa.triton.report(), file=sys.stderr)
        cls.folder.cleanup()

    def compare(self, function, *args, tolerance=1e-3, calls=3, **options):
        torch._dynamo.reset()
        before = {(row.key, row.device) for row in tawa.triton.report().rows}
        compiled = torch.compile(function, **options)
        for _ in range(calls):
            ours = compiled(*args)
        self.assertNear(ours, function(*args), tolerance)
        new = [row for row in tawa.triton.report().rows if (row.key, row.device) not in before]
        self.assertTrue(new, "no kernel was loaded: they ran past Tawa")
        self.assertEqual([(row.name, row.why) for row in new if not row.taken or row.refused_launches], [])

    def test_pointwise(self):
        self.compare(lambda a, b: torch.relu(a * b + 1) - b.sigmoid(), rand(1000, 333), rand(1000, 333))

    def test_reductions(self):
        x = rand(1000, 3333)
        self.compare(lambda a: a.softmax(-1), x)
        self.compare(lambda a: torch.nn.functional.layer_norm(a, (3333,)), x)
        self.compare(lambda a: a.sum(), x, tolerance=1e-2)
        self.compare(lambda a: (a * 2).sum(0), rand(4096, 77), tolerance=1e-2)

    def test_matmul(self):
        gemm = {"max_autotune": True, "max_autotune_gemm_backends": "TRITON", "autotune_in_subproc": False}
        a, b = rand(512, 256, dtype=torch.float16), rand(256, 384, dtype=torch.float16)
        self.compare(lambda a, b: (a @ b).relu(), a, b, tolerance=1e-2, options=gemm)

    def test_coordinate_descent(self):
        self.compare(lambda a: (a.exp() + 1).sum(-1), rand(512, 2048), options={"coordinate_descent_tuning": True})

    def test_user_kernel(self):
        def function(x):
            out = torch.empty_like(x)
            scale_kernel[(triton.cdiv(x.numel(), 256),)](x + 1, out, x.numel(), 3.0, BLOCK=256)
            return out * 2

        self.compare(function, rand(5000), fullgraph=True)

    def test_reduce_overhead(self):
        self.compare(lambda a: (a.sin() * 2).softmax(-1), rand(64, 512), calls=5, mode="reduce-overhead")

    def test_training_step(self):
        nn = torch.nn
        model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, 10)).cuda()
        x = rand(32, 64)

        def gradient(function):
            model.zero_grad()
            function(x).square().mean().backward()
            return torch.cat([parameter.grad.flatten() for parameter in model.parameters()])

        torch._dynamo.reset()
        compiled = torch.compile(model)
        self.assertNear(gradient(compiled), gradient(model), 1e-3)

    def test_dynamic_shapes(self):
        torch._dynamo.reset()
        compiled = torch.compile(lambda a: a.softmax(-1) + 1, dynamic=True)
        for n in (100, 257, 1031):
            x = rand(n, 2 * n)
            self.assertNear(compiled(x), x.softmax(-1) + 1, 1e-5)

    def test_cpp_wrapper_keeps_tritons_binaries(self):
        torch._dynamo.reset()
        x = rand(1000)
        compiled = torch.compile(lambda a: a.cos() + 3, options={"cpp_wrapper": True})
        self.assertNear(compiled(x), x.cos() + 3, 1e-5)


class Workers(Compiled):
    """The same with kernels compiled in Inductor's worker processes."""

    THREADS = 4

    @classmethod
    def prepare(cls):
        from torch._inductor.async_compile import AsyncCompile

        AsyncCompile.warm_pool()
        end = time.time() + 120
        pool = AsyncCompile.process_pool()
        pool.submit(os.getpid).result(timeout=120)
        while time.time() < end and not AsyncCompile.use_process_pool():
            time.sleep(0.5)
        assert AsyncCompile.use_process_pool(), "no workers"

    test_cpp_wrapper_keeps_tritons_binaries = None

    def test_pointwise(self):
        super().test_pointwise()
        self.assertGreater(torch._dynamo.utils.counters["inductor"]["async_compile_cache_miss"], 0)


def best_of(call, calls=1000, rounds=7):
    """Microseconds on the host per call."""
    best = 1e9
    for _ in range(rounds + 1):
        torch.cuda.synchronize()
        begun = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, time.perf_counter() - begun)
    return 1e6 * best / calls


class Costs(OnTawa):
    """What a launch costs on the host beside Triton's own; printed."""

    def test_launch(self):
        x, out = rand(512), torch.empty(512, device="cuda")
        call = lambda: scale_kernel[(2,)](x, out, 512, 2.0, BLOCK=256)
        taken = best_of(call)
        tawa.triton.disable()
        try:
            gated = best_of(call)
            scale_kernel.device_caches.clear()
            stock = best_of(call)
        finally:
            scale_kernel.device_caches.clear()
            tawa.triton.enable()
        print(f"us per launch: Tawa {taken:.2f}, Triton {stock:.2f}; a taken kernel after disable() {gated:.2f}", file=sys.stderr)

    def test_launch_without_triton_s_binder(self):
        """The launchers alone, as Inductor calls them."""
        x, out = rand(512), torch.empty(512, device="cuda")
        stream = torch.cuda.current_stream().cuda_stream
        costs = {}
        for name in ("Tawa", "Triton"):
            kernel = scale_kernel[(2,)](x, out, 512, 2.0, BLOCK=256)
            given = (2, 1, 1, stream, kernel.function, kernel.packed_metadata, None, None, None, x, out, 512, 2.0, 256)
            costs[name] = best_of(lambda run=kernel.run, given=given: run(*given))
            tawa.triton.disable()
            scale_kernel.device_caches.clear()
        tawa.triton.enable()
        scale_kernel.device_caches.clear()
        print(f"us per launch by the launcher alone: {costs}", file=sys.stderr)

    def test_compiled(self):
        """A kernel of Inductor's; stock with its static launcher. In turns: what the first compile starts in the background costs too."""
        functions = [lambda a: a.sin() + 1, lambda a: a.cos() + 2, lambda a: a.exp() + 3, lambda a: a.tanh() + 4]
        x, costs = rand(512), []
        for number, function in enumerate(functions):
            if number % 2:
                tawa.triton.disable()
            compiled = torch.compile(function)
            compiled(x)
            time.sleep(2)
            costs.append(f"{'Triton' if number % 2 else 'Tawa'} {best_of(lambda compiled=compiled: compiled(x)):.2f}")
            tawa.triton.enable()
        print(f"us per call of a compiled function of one kernel: {', '.join(costs)}", file=sys.stderr)


if __name__ == "__main__":
    if not is_ready():
        print(f"no Triton {tawa.triton.TRITON}, PyTorch or Hopper GPU: skipped")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], verbosity=2)
