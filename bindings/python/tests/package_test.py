"""The package on the emulator: arguments of every kind, errors, searches, caches, threads and fork.

usage: package_test.py [unittest arguments]; the package must be importable
"""

import array
import gc
import os
import pathlib
import sys
import tempfile
import threading
import unittest

import tawa
from tawa import _abi, _tensors

try:
    import numpy as np
except ImportError:
    np = None

SCALE = (pathlib.Path(__file__).resolve().parents[3] / "tests" / "kernels" / "scale.mlir").read_text()
# One element of each type, written back as it came.
COPY = """// tawa.grid 1
module {
  tt.func public @copy(%x: !tt.ptr<TYPE>, %y: !tt.ptr<TYPE>, %add: i64) {
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %xs = tt.splat %x : !tt.ptr<TYPE> -> tensor<32x!tt.ptr<TYPE>>
    %ys = tt.splat %y : !tt.ptr<TYPE> -> tensor<32x!tt.ptr<TYPE>>
    %from = tt.addptr %xs, %range : tensor<32x!tt.ptr<TYPE>>, tensor<32xi32>
    %to = tt.addptr %ys, %range : tensor<32x!tt.ptr<TYPE>>, tensor<32xi32>
    %value = tt.load %from : tensor<32x!tt.ptr<TYPE>>
    tt.store %to, %value : tensor<32x!tt.ptr<TYPE>>
    tt.return
  }
}
"""
KERNELS = pathlib.Path(__file__).parents[3] / "tests" / "kernels"


def floats(values):
    return array.array("f", values)


class OnEmulator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runtime = tawa.Runtime("emulator", cache_dir="")
        cls.kernel = cls.runtime.compile(SCALE)


class LaunchTest(OnEmulator):
    def test_buffers_are_read_and_written(self):
        x, y = floats(range(100)), floats([0] * 100)
        self.kernel(x, y, 100, 2.5)
        self.assertEqual(list(y), [2.5 * i for i in range(100)])
        self.kernel(y, y, 100, 2)  # the same memory twice
        self.assertEqual(list(y), [5.0 * i for i in range(100)])

    def test_grid_limits_what_is_written(self):
        x, y = floats([1] * 100), floats([0] * 100)
        for grid in (1, (1,), [1, 1, 1]):
            self.kernel(x, y, 100, 3.0, grid=grid)
            self.assertEqual(sum(y), 3 * 32)
        with self.assertRaisesRegex(ValueError, "one to three"):
            self.kernel(x, y, 100, 3.0, grid=(1, 1, 1, 1))
        with self.assertRaises(OverflowError):
            self.kernel(x, y, 100, 3.0, grid=-1)

    def test_parts_of_one_buffer(self):
        data = memoryview(floats([1] * 64 + [0] * 64))
        self.kernel(data[:64], data[64:], 64, 4.0)
        self.assertEqual(data.tolist(), [1] * 64 + [4] * 64)

    def test_memory_of_the_device(self):
        x, y = self.runtime.empty(64, "f32").copy_in(floats([1] * 64)), self.runtime.empty((8, 8), "f32").fill(0)
        self.kernel(x, y, 64, 7.0)
        self.assertEqual(list(y.copy_out(floats([0] * 64))), [7.0] * 64)
        with self.assertRaisesRegex(ValueError, "4 bytes for a tensor of 256"):
            x.copy_in(b"1234")

    def test_explicit_arguments(self):
        x, y = self.runtime.empty(64, "f32").copy_in(floats([1] * 64)), self.runtime.empty(64, "f32")
        self.kernel(tawa.tensor("f32", (64,), x.address), tawa.pointer("f32", y.address), tawa.scalar("i32", 64), 2.0)
        self.assertEqual(list(y.copy_out(floats([0] * 64))), [2.0] * 64)

    def test_what_is_no_argument(self):
        x = floats([1] * 32)
        for wrong, words in (("text", "argument 'y': is a str"), (3, "argument 'y': is a int"), (b"1234", "argument 'y'")):
            with self.assertRaisesRegex((TypeError, BufferError), words):
                self.kernel(x, wrong, 32, 1.0)
        with self.assertRaisesRegex(TypeError, "argument 'n'"):
            self.kernel(x, x, 1.5, 1.0)
        with self.assertRaisesRegex(TypeError, "takes 4 arguments, 3 were given"):
            self.kernel(x, x, 32)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'grit'"):
            self.kernel(x, x, 32, 1.0, grit=1)
        with self.assertRaisesRegex(tawa.ShapeMismatch, "argument 'x': has type f64"):
            self.kernel(array.array("d", [1]), x, 32, 1.0)

    def test_bad_accesses_are_named(self):
        with self.assertRaisesRegex(tawa.EmulatorFault, "argument 'y'|y"):
            self.kernel(floats([1] * 64), floats([0] * 32), 64, 1.0)
        self.test_buffers_are_read_and_written()

    def test_threads_share_tensors(self):
        x, results, failures = floats([1] * 4096), [floats([0] * 4096) for _ in range(4)], []

        def run(y, by):
            try:
                for _ in range(5):
                    self.kernel(x, y, 4096, by)
                    self.kernel(memoryview(x)[: 64 * (int(by) + 1)], y, 64, by)  # overlaps what others use
            except BaseException as failure:  # pylint: disable=broad-except
                failures.append(failure)

        threads = [threading.Thread(target=run, args=(y, float(i))) for i, y in enumerate(results)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        self.assertEqual(failures, [])
        self.assertEqual([set(y) for y in results], [{float(i)} for i in range(4)])
        self.assertEqual(self.runtime.reachable._blocks, {})

    def test_memory_that_overlaps_is_waited_for(self):
        reachable, data = tawa.Runtime("emulator", cache_dir="").reachable, memoryview(floats([0] * 96))
        with reachable.during([data[:64], data[32:]]):  # one block
            self.assertEqual([end - first for first, (end, _) in reachable._blocks.items()], [4 * 96])
        inside, waits = threading.Event(), threading.Event()

        def want_all():
            waits.set()
            with reachable.during([data]):
                inside.set()

        thread = threading.Thread(target=want_all)
        with reachable.during([data[32:64]]):
            thread.start()
            waits.wait(10)
            self.assertFalse(inside.wait(0.2))
        self.assertTrue(inside.wait(10))
        thread.join(10)
        self.assertEqual(reachable._blocks, {})

    def test_bindings(self):
        x, y = floats([1] * 64), floats([0] * 64)
        binding = self.kernel.bind(x, y, 64, 3.0)
        binding()
        self.assertEqual(set(y), {3.0})
        other = self.runtime.empty(64, "f32")
        source = self.runtime.empty(64, "f32").copy_in(floats([2] * 64))
        binding(source.address, other.address)
        self.assertEqual(set(other.copy_out(floats([0] * 64))), {6.0})
        with self.assertRaisesRegex(tawa.InvalidArgument, "1 addresses for 2 tensors"):
            binding(source.address)
        with self.assertRaises(tawa.ShapeMismatch):
            self.kernel.bind(array.array("d", [1]), y, 64, 3.0)
        self.assertGreater(binding.handle, 0)

    def test_bindings_of_shapes(self):
        x, y = self.runtime.empty(64, "f32").copy_in(floats([2] * 64)), self.runtime.empty(64, "f32")
        binding = self.kernel.bind_shapes(floats([0] * 64), floats([0] * 64), 64, 3.0)
        binding(x.address, y.address)
        self.assertEqual(set(y.copy_out(floats([0] * 64))), {6.0})
        with self.assertRaisesRegex(TypeError, "bound with shapes only: give the addresses of the tensors"):
            binding()
        with self.assertRaisesRegex(tawa.InvalidArgument, "1 addresses for 2 tensors"):
            binding(x.address)
        kept = array.array("f", [1] * 64)
        before = sys.getrefcount(kept)
        keepers = [self.kernel.bind_shapes(kept, floats([0] * 64), 64, 3.0)]
        self.assertEqual(sys.getrefcount(kept), before)
        keepers.append(self.kernel.bind(kept, floats([0] * 64), 64, 3.0))
        self.assertGreater(sys.getrefcount(kept), before)

    def test_a_kernel_outlives_the_name_of_its_runtime(self):
        kernel = tawa.Runtime("emulator", cache_dir="").compile(SCALE)
        gc.collect()
        y = floats([0] * 32)
        kernel(floats([1] * 32), y, 32, 2.0)
        self.assertEqual(set(y), {2.0})


class TypesTest(OnEmulator):
    def copy_of(self, dtype, data, other):
        kernel = self.runtime.compile(COPY.replace("TYPE", dtype), None, None, 0)
        kernel(data, other, 1)
        return other

    def test_integers_of_every_width_and_sign(self):
        for code, dtype in (("b", "i8"), ("B", "i8"), ("h", "i16"), ("H", "i16"), ("i", "i32"), ("L", "i64"), ("q", "i64")):
            with self.subTest(code=code):
                data = array.array(code, range(32))
                self.assertEqual(self.copy_of(dtype, data, array.array(code, [0] * 32)), data)

    def test_types_that_arrays_lack_travel_as_integers(self):
        for code, dtype in (("H", "bf16"), ("B", "f8E4M3FN"), ("B", "f8E5M2")):
            with self.subTest(dtype=dtype):
                data = array.array(code, range(32))
                self.assertEqual(self.copy_of(dtype, data, array.array(code, [0] * 32)), data)

    def test_numbers_of_either_range(self):
        kernel = self.runtime.compile(COPY.replace("TYPE", "f32"), None, None, 0)
        x, y = floats([1] * 32), floats([0] * 32)
        for number in (-(1 << 63), (1 << 64) - 1, True):
            kernel(x, y, number)
        with self.assertRaises(OverflowError):
            kernel(x, y, 1 << 64)
        with self.assertRaises(tawa.InvalidArgument):
            self.kernel(x, y, 1 << 32, 1.0)

    def test_layout_of_the_argument(self):
        made = tawa.tensor("u16", (None, 4), strides=(8, 1), alignment=16, buckets=(0,))
        self.assertEqual((made.dtype, made.rank, made.shape[0], made.shape[1]), (_abi.I16, 2, _abi.UNKNOWN, 4))
        self.assertEqual((made.strides[0], made.alignment, made.buckets), (8, 16, 1))
        self.assertEqual(tawa.tensor("f16", (4, 8), 64, strides=(8, 1)).extent(), (64, 64))
        self.assertEqual(tawa.tensor("f16", (4, 8), 64, strides=(-8, 1)).extent(), (64 - 48, 64))
        self.assertEqual(tawa.tensor("f32", (2, 3), 64).extent(), (64, 24))
        for wrong in (("f99", (1,)), ("f32", (1,) * 9)):
            with self.assertRaises(ValueError):
                tawa.tensor(*wrong)
        with self.assertRaisesRegex(ValueError, "1 strides for 2 dimensions"):
            tawa.tensor("f32", (1, 2), strides=(1,))


@unittest.skipIf(np is None, "no NumPy")
class NumPyTest(OnEmulator):
    def test_gemm_of_described_matrices(self):
        rng = np.random.default_rng(1)
        a, b = (rng.integers(-4, 5, (128, 128)).astype(np.float16) for _ in range(2))
        c = np.full((128, 128), np.nan, np.float16)
        kernel = self.runtime.compile(KERNELS / "gemm_tma_128.mlir", a, b, c, 128, 128, 128)
        kernel(a, b, c, 128, 128, 128, grid=1)
        self.assertTrue(np.array_equal(c, (a.astype(np.float32) @ b.astype(np.float32).T).astype(np.float16)))
        with self.assertRaisesRegex(tawa.ShapeMismatch, "argument 'a|dimension"):
            kernel(a[:64], b, c, 128, 128, 128, grid=1)

    def test_strided_and_reversed_arrays(self):
        described = tawa._tensors.read(np.zeros((4, 6), np.float32)[:, ::2], _abi.F32)[0]
        self.assertEqual((list(described.shape[:2]), list(described.strides[:2])), ([4, 3], [6, 2]))
        turned = np.arange(6, dtype=np.float32)[::-1]
        described = tawa._tensors.read(turned, _abi.F32)[0]
        self.assertEqual(described.strides[0], -1)
        self.assertEqual(described.extent(), (turned.ctypes.data - 20, 24))

    def test_what_numpy_says_and_tawa_cannot(self):
        y = np.zeros(32, np.float32)
        with self.assertRaisesRegex(ValueError, "argument 'x': .*read-only"):
            self.kernel(np.broadcast_to(np.float32(1), (32,)), y, 32, 1.0)
        for wrong in (np.zeros(32, np.complex64), np.zeros(32, ">f4"), np.zeros(32, "S4"), np.zeros((1,) * 9, np.float32)):
            with self.assertRaisesRegex((TypeError, ValueError), "argument 'x'"):
                self.kernel(wrong, y, 32, 1.0)

    def test_numbers_of_numpy(self):
        x, y = np.ones(32, np.float32), np.zeros(32, np.float32)
        self.kernel(x, y, np.int64(32), np.float32(0.5))
        self.assertEqual(set(y), {0.5})

    def test_dlpack_without_a_buffer(self):
        class Exporter:  # what other libraries' tensors are
            def __init__(self, data):
                self.data = data

            def __dlpack__(self, stream=None):
                self.asked = stream
                return self.data.__dlpack__()

            def __dlpack_device__(self):
                return self.data.__dlpack_device__()

        x, y = Exporter(np.ones((32,), np.float32)), Exporter(np.zeros(32, np.float32))
        self.kernel(x, y, 32, 4.0)
        self.assertEqual(set(y.data), {4.0})
        self.assertIsNone(y.asked)
        self.assertEqual(tawa.compile(SCALE, x, y, 32, 1.0).runtime.name, "emulator")  # where the tensors are

    def test_empty_arrays(self):
        self.kernel(np.zeros(0, np.float32), np.zeros(0, np.float32), 0, 1.0)


class DevicesTest(OnEmulator):
    def test_tensors_of_another_device(self):
        class OnGpu:
            __cuda_array_interface__ = {"shape": (32,), "typestr": "<f4", "data": (4096, False), "version": 3}

        with self.assertRaisesRegex(ValueError, "argument 'x': is on cuda:0, the kernel runs on the emulator"):
            self.kernel(OnGpu(), floats([0] * 32), 32, 1.0)

    def test_cuda_array_interface(self):
        made = _tensors._of_cuda_array({"shape": (4, 8), "typestr": "<f2", "data": (4096, False), "strides": (32, 2)})
        self.assertEqual((made.dtype, list(made.shape[:2]), list(made.strides[:2]), made.data), (_abi.F16, [4, 8], [16, 1], 4096))
        for wrong in ({"typestr": ">f4"}, {"typestr": "<c8"}, {"typestr": "<f4", "strides": (0,)}):
            with self.assertRaises(TypeError):
                _tensors._of_cuda_array({"shape": (4,), "data": (4096, False), **wrong})

    def test_streams_of_other_libraries(self):
        class Torch:
            cuda_stream = 11

        class Protocol:
            def __cuda_stream__(self):
                return 0, 12

        class CuPy:
            ptr = 13

        self.assertEqual([_tensors.stream_handle(each) for each in (10, Torch(), Protocol(), CuPy())], [10, 11, 12, 13])
        with self.assertRaises(TypeError):
            _tensors.stream_handle("stream")


class ErrorsTest(OnEmulator):
    def test_diagnostics_come_with_their_line(self):
        wrong = SCALE.replace("arith.muli %program, %size", "arith.muli %program, %nothing")
        with self.assertRaises(tawa.InvalidIR) as caught:
            self.runtime.compile(wrong, name="scale.mlir")
        failure = caught.exception
        self.assertEqual((failure.status, failure.diagnostics[0].line), ("INVALID_IR", 8))
        lines = str(failure).splitlines()
        place = next(i for i, line in enumerate(lines) if "scale.mlir:8:" in line)
        self.assertEqual((lines[0].split(":")[0], str(failure).count("scale.mlir:8:")), ("INVALID_IR", 1))
        self.assertEqual(lines[place + 1], "    %begin = arith.muli %program, %nothing : i32")
        self.assertEqual(lines[place + 2].index("^"), failure.diagnostics[0].column - 1)

    def test_codes_are_classes(self):
        with self.assertRaises(tawa.InvalidArgument) as caught:
            tawa.Runtime("toaster")
        self.assertIsInstance(caught.exception, ValueError)
        with self.assertRaises(tawa.CacheMiss):
            tawa.Runtime("emulator", cache_dir="", frozen=True).compile(SCALE)
        with self.assertRaises(tawa.Unsupported):
            self.kernel.time(self.runtime.empty(32, "f32"), self.runtime.empty(32, "f32"), 32, 1.0)
        with self.assertRaises(tawa.CacheError):
            tawa.Cache("/nowhere/at/all")
        with self.assertRaisesRegex(ValueError, "'sometimes' is no policy"):
            self.runtime.compile(SCALE, policy="sometimes")

    def test_a_failed_object_can_go(self):
        for make in (lambda: tawa.Runtime("toaster"), lambda: tawa.Cache("/nowhere"), lambda: self.runtime.compile("")):
            with self.assertRaises(tawa.Error):
                make()
        gc.collect()


class CompileTest(OnEmulator):
    def test_facts_of_a_kernel(self):
        kernel = self.runtime.compile(SCALE, (100,), (100,), 100, tawa.constant("f32", 2), config="BLOCK=64 warps=4", name="s")
        self.assertIn("BLOCK=64", kernel.config)
        self.assertEqual((kernel.entry, kernel.chosen_by, kernel.threads, kernel.cluster), ("scale", "request", 128, (1, 1, 1)))
        self.assertEqual([each.name for each in kernel.parameters], ["x", "y", "n", "by"])
        self.assertEqual((kernel.parameters[0].kind, kernel.parameters[3].kind), ("tensor", "constant"))
        self.assertEqual(kernel.roles[0].warps, 4)
        self.assertGreater(kernel.phases["link"], 0)
        self.assertEqual(kernel.artifact()[1:4], b"ELF")
        self.assertIn("128 threads", kernel.explain())
        self.assertIn("scale(x, y, n, by) on emulator", repr(kernel))
        kernel.load()
        self.assertIsNone(kernel.search)

    def test_what_is_said_every_launch_must_match(self):
        kernel = self.runtime.compile(SCALE, (64,), (None,), 100, tawa.constant("f32", 2))
        y = floats([0] * 128)
        kernel(floats([1] * 64), y, 64, 2.0)
        with self.assertRaisesRegex(tawa.ShapeMismatch, "dimension 0 is 32"):
            kernel(floats([1] * 32), y, 32, 2.0)
        with self.assertRaisesRegex(tawa.InvalidArgument, "compiled in"):
            kernel(floats([1] * 64), y, 64, 3.0)

    def test_signatures(self):
        read = tawa.signature(SCALE)
        self.assertEqual((read.entry, read.grid), ("scale", "ceildiv(n, BLOCK)"))
        self.assertEqual(read.parameters[0], tawa.TextParameter("BLOCK", (32, 64), False))
        self.assertEqual([each.dtype for each in read.arguments], ["f32", "f32", "i32", "f32"])

    def test_stages(self):
        self.assertIn(b".entry scale", self.runtime.emit("ptx", SCALE))
        with self.assertRaises(ValueError):
            self.runtime.emit("pdf", SCALE)

    def test_jobs(self):
        job = self.runtime.compile_async(SCALE)
        kernel = job.result(60)
        self.assertTrue(job.done())
        y = floats([0] * 32)
        kernel(floats([1] * 32), y, 32, 2.0)
        self.assertEqual(set(y), {2.0})
        with self.assertRaisesRegex(tawa.Error, "BLOCK"):
            self.runtime.compile_async(SCALE, config="BLOCK=33").result()
        cancelled = self.runtime.compile_async(SCALE.replace("scale", "other"))
        cancelled.cancel()
        with self.assertRaises(tawa.Cancelled):
            cancelled.result()

    def test_module_functions(self):
        self.assertIn("config", tawa.explain.__doc__)
        self.assertIn("BLOCK=32", tawa.explain(SCALE, device="emulator"))
        self.assertIn("D", [key["name"] for key in tawa.config_keys()])
        self.assertEqual(len(tawa.build_info()["id"]), 40)
        self.assertIn("TAWA_DEVICE", tawa.environment_help())
        self.assertIn("h200", tawa.hardware_names())
        self.assertIn("=", self.runtime.hardware("h200"))
        self.assertTrue(self.runtime.works)
        self.runtime.synchronize()


class TuneTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.runtime = tawa.Runtime("emulator", cache_dir=folder.name)
        self.args = ((256,), (256,), 256, 2.0)

    def test_what_is_found_is_taken(self):
        steps = []
        found = self.runtime.tune(SCALE, *self.args, configs=["BLOCK=64 warps=4"], progress=steps.append)
        self.assertIn("BLOCK=64", found.best)
        self.assertEqual([row.outcome for row in found.tried()], ["verified"])
        self.assertIn("verify", {step.stage for step in steps})
        kernel = self.runtime.compile(SCALE, *self.args)
        self.assertEqual((kernel.chosen_by, kernel.config), ("verified", found.best))
        self.assertIn("BLOCK=32", self.runtime.compile(SCALE, *self.args, config="").config)
        self.assertIn("BLOCK=32", self.runtime.compile(SCALE, *self.args, policy="never").config)

    def test_compiles_may_search_first(self):
        kernel = self.runtime.compile(SCALE, *self.args, policy="blocking", tune={"configs": ["BLOCK=64 warps=2"]})
        self.assertEqual(kernel.chosen_by, "verified")
        self.assertIn("BLOCK=64", kernel.config)
        with self.assertRaisesRegex(ValueError, "progress"):
            self.runtime.compile(SCALE, *self.args, policy="background", tune={"progress": print})

    def test_a_search_in_the_background(self):
        kernel = self.runtime.compile(SCALE, *self.args, policy="background", tune={"configs": ["BLOCK=64 warps=2"]})
        self.assertIn("BLOCK=64", kernel.search.result(120).config)

    def test_the_model_ranks(self):
        found = tawa.tune(SCALE, *self.args, predict_only=True, hardware="h200", device="emulator")
        self.assertGreater(found.rows[0].predicted_us, 0)

    def test_rows_are_a_sequence(self):
        found = tawa.tune(SCALE, *self.args, predict_only=True, hardware="h200", device="emulator")
        rows = list(found.rows)
        self.assertEqual(len(rows), len(found.rows))
        self.assertEqual((found.rows[-1], found.rows[1:3]), (rows[-1], tuple(rows[1:3])))
        self.assertRaises(IndexError, lambda: found.rows[len(rows)])
        self.assertEqual(found.tried(), ())
        rows = tawa.tune(SCALE, *self.args, predict_only=True, hardware="h200", device="emulator").rows
        self.assertEqual(rows[0], found.rows[0])  # the result they belong to is gone

    def test_progress_may_stop_and_may_fail(self):
        with self.assertRaises(tawa.Cancelled):
            self.runtime.tune(SCALE, *self.args, in_process=True, progress=lambda step: False)
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            self.runtime.tune(SCALE, *self.args, in_process=True, progress=lambda step: 1 / 0)

    def test_caches(self):
        self.assertIn("kernel", self.runtime.explain_miss(SCALE, *self.args))
        self.assertFalse(self.runtime.compile_to_cache(SCALE, *self.args))
        self.assertTrue(self.runtime.compile_to_cache(SCALE, *self.args))
        self.assertEqual(self.runtime.cache_counters()["compiles"], 1)
        self.assertTrue(self.runtime.compile(SCALE, *self.args).from_cache)
        with tawa.Cache(self.folder, writable=True) as cache:
            self.assertIn("compile", {entry.kind for entry in cache.entries()})
            self.assertEqual(cache.verify(), 0)
            sealed = self.folder + "/sealed.tawa"
            self.assertGreater(cache.export(sealed, seal=True), 0)
            self.assertGreater(cache.prune(0), 0)
        frozen = tawa.Runtime("emulator", cache_dir="", cache_readonly=[sealed], frozen=True)
        self.assertTrue(frozen.compile(SCALE, *self.args).from_cache)


class ProcessTest(unittest.TestCase):
    def test_a_child_makes_its_own_runtime(self):
        kernel = tawa.compile(SCALE, device="emulator")
        child = os.fork()
        if child == 0:
            y = floats([0] * 32)
            try:
                tawa.compile(SCALE, device="emulator")(floats([1] * 32), y, 32, 2.0)
                try:
                    kernel(y, y, 32, 2.0)
                    os._exit(1)
                except tawa.Error as failure:
                    os._exit(0 if failure.status == "FORKED" and set(y) == {2.0} else 2)
            finally:
                os._exit(3)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_runtimes_are_made_once(self):
        self.assertIs(tawa.runtime("emulator"), tawa.runtime("emulator"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
