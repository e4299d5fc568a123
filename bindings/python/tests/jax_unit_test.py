"""tawa.jax without JAX: with a stand-in for JAX and for XLA's side of its C ABI, on the emulator.

usage: jax_unit_test.py [unittest arguments]; the package must be importable
"""

import ast
import math
import pathlib
import subprocess
import sys
import threading
import types
import unittest

import jax_standin as standin

jax = standin.install()

import tawa  # pylint: disable=wrong-import-position
import tawa.jax  # pylint: disable=wrong-import-position
from tawa.jax import OUT, inout  # pylint: disable=wrong-import-position

# z = x * by + y for n elements; with `twice`, y is also doubled
TEXT = """// tawa.grid ceildiv(n, 32)
module {
  tt.func public @combine(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>, %n: i32, %by: f32) {
    %size = arith.constant 32 : i32
    %program = tt.get_program_id x : i32
    %begin = arith.muli %program, %size : i32
    %first = tt.splat %begin : i32 -> tensor<32xi32>
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %at = arith.addi %first, %range : tensor<32xi32>
    %end = tt.splat %n : i32 -> tensor<32xi32>
    %mask = arith.cmpi slt, %at, %end : tensor<32xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %zs = tt.splat %z : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %py = tt.addptr %ys, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %pz = tt.addptr %zs, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %vx = tt.load %px, %mask : tensor<32x!tt.ptr<f32>>
    %vy = tt.load %py, %mask : tensor<32x!tt.ptr<f32>>
    %factor = tt.splat %by : f32 -> tensor<32xf32>
    %product = arith.mulf %vx, %factor : tensor<32xf32>
    %sum = arith.addf %product, %vy : tensor<32xf32>
    tt.store %pz, %sum, %mask : tensor<32x!tt.ptr<f32>>
    tt.return
  }
}
"""
# out[i] = number, of the type that stands for TYPE
FILL = """// tawa.grid 1
module {
  tt.func public @fill(%out: !tt.ptr<TYPE>, %number: TYPE) {
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %outs = tt.splat %out : !tt.ptr<TYPE> -> tensor<32x!tt.ptr<TYPE>>
    %to = tt.addptr %outs, %range : tensor<32x!tt.ptr<TYPE>>, tensor<32xi32>
    %value = tt.splat %number : TYPE -> tensor<32xTYPE>
    tt.store %to, %value : tensor<32x!tt.ptr<TYPE>>
    tt.return
  }
}
"""


def floats(*shape, first=0):
    size = 1
    for each in shape:
        size *= each
    return jax.Array(shape, "float32", [float(first + i) for i in range(size)])


def combine(x, y, by=2.0, **options):
    return tawa.jax.call(TEXT, x, y, OUT, x.shape[-1], by, out=jax.ShapeDtypeStruct(x.shape, x.dtype), **options)


def handler(platform="cpu", stage="execute"):
    return standin.TARGETS[tawa.jax.TARGET, platform][stage]


def frame_of(stage=standin.EXECUTE, **changes):
    """A call of combine() as tawa.jax describes it, with other attributes where they are given."""
    x = floats(40)
    result = combine(x, x)
    attributes = {key: value for key, value in standin.CALLS[-1].items() if key not in ("target", "vmap_method", "aliases")}
    return standin.Call([x, x], [result], attributes | changes, stage)


class Registration(unittest.TestCase):
    def setUp(self):
        tawa.jax._capsules.clear()
        self.addCleanup(tawa.jax.register)
        self.addCleanup(tawa.jax._capsules.clear)
        self.addCleanup(standin.set_version, 0, 3)

    def test_both_platforms_have_their_stages(self):
        tawa.jax.register()
        self.assertEqual(set(standin.TARGETS[tawa.jax.TARGET, "CUDA"]), {"initialize", "execute"})
        self.assertEqual(set(standin.TARGETS[tawa.jax.TARGET, "cpu"]), {"execute"})

    def test_metadata(self):
        for minor, told in ((1, 1), (2, 2), (3, 3), (9, 3)):
            standin.set_version(0, minor)
            tawa.jax._capsules.clear()
            tawa.jax.register()
            for platform in ("CUDA", "cpu"):
                metadata = standin.metadata_of(handler(platform))
                self.assertEqual((metadata.version.major, metadata.version.minor, metadata.traits), (0, told, 1))
                self.assertEqual(metadata.state_type, 0)
        self.assertEqual(standin.metadata_of(handler(), 36).state_type, 77)  # lies beyond the struct of API 0.1

    def test_other_versions_are_refused(self):
        for version in ((1, 0), (0, 0)):
            standin.set_version(*version)
            with self.assertRaisesRegex(ImportError, rf"version {version[0]}\.{version[1]} of XLA's FFI"):
                tawa.jax.register()


class Calls(unittest.TestCase):
    def test_result_is_right(self):
        for size in (1, 32, 33, 100):
            x, y = floats(size), floats(size, first=7)
            z = combine(x, y, 3)
            self.assertEqual(list(z.data), [3 * a + b for a, b in zip(x.data, y.data)])

    def test_result_may_share_an_operand(self):
        x, y = floats(40), floats(40, first=1)
        z = tawa.jax.call(TEXT, x, y, inout(y), 40, 2.0)
        self.assertEqual(list(z.data), [2 * a + b for a, b in zip(x.data, y.data)])
        self.assertEqual(standin.CALLS[-1]["aliases"], {2: 0})
        part = tawa.jax.call(TEXT, x, y, inout(floats(40, first=100)), 32, 2.0)  # the rest is what was there before
        self.assertEqual(list(part.data)[32:], [float(132 + i) for i in range(8)])

    def test_results_come_in_the_order_of_arguments(self):
        shape = jax.ShapeDtypeStruct((40,), "float32")
        self.assertIsInstance(tawa.jax.call(TEXT, floats(40), floats(40), OUT, 40, 2.0, out=[shape]), tuple)
        both = tawa.jax.call(TEXT, floats(40, first=1), inout(floats(40)), OUT, 40, 1.0, out=shape)
        self.assertEqual([list(each.data)[:2] for each in both], [[0, 1], [1, 3]])

    def test_numbers_keep_their_bits(self):
        for dtype, name, values in (("i8", "int8", (-128, 127)), ("i16", "int16", (-5,)), ("i32", "int32", (-1, 1 << 30)),
                                    ("i64", "int64", (-(1 << 63), (1 << 62) + 1)), ("f32", "float32", (0.1, -0.0, 2)),
                                    ("f64", "float64", (0.1, 1e300))):
            for value in values:
                for given in (value, tawa.constant(dtype, value)):
                    made = tawa.jax.call(FILL.replace("TYPE", dtype), OUT, given, out=jax.ShapeDtypeStruct((32,), name))
                    self.assertEqual(list(made.data), list(jax.Array((32,), name, [value] * 32).data), (dtype, given))

    def test_grid_and_configuration(self):
        text = TEXT.replace("// tawa.grid ceildiv(n, 32)\n", "")
        z = tawa.jax.call(text, floats(64, first=1), floats(64), inout(floats(64, first=500)), 64, 0.0, grid=1, config="warps=1")
        self.assertEqual((z.data[31], z.data[32]), (31, 532))
        with self.assertRaisesRegex(standin.JaxRuntimeError, "BLOCK"):
            combine(floats(32), floats(32), config="BLOCK=3")

    def test_calls_that_differ_in_one_thing_do_not_meet(self):
        x = floats(40, first=1)
        self.assertEqual([combine(x, x, by).data[0] for by in (1.0, 2.0, 1.0)], [2, 3, 2])
        self.assertEqual(combine(floats(41), floats(41)).shape, (41,))
        self.assertEqual(len({each["key"] for each in standin.CALLS[-4:]}), 3)

    def test_text_from_a_file(self):
        with self.assertRaisesRegex(FileNotFoundError, "nowhere.mlir"):
            tawa.jax.call(pathlib.Path("nowhere.mlir"))

    def test_threads_compile_once_and_agree(self):
        results, x = [], floats(77)
        threads = [threading.Thread(target=lambda: results.extend(combine(x, x, 5.0).data[76] for _ in range(5))) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(results, [6 * 76.0] * 20)


class Example(unittest.TestCase):
    """The kernels of examples/jax_training, which itself needs JAX."""

    def test_activation_and_its_derivative(self):
        source = pathlib.Path(__file__).resolve().parents[3] / "examples" / "jax_training" / "train.py"
        tree = ast.parse(source.read_text(encoding="utf-8"))
        texts = {}
        exec(compile(ast.Module([each for each in tree.body if isinstance(each, ast.Assign)], []), source, "exec"), texts)  # pylint: disable=exec-used
        x = jax.Array((300,), "float32", [i / 50 - 3 for i in range(300)])
        g = jax.Array((300,), "float32", [1.5] * 300)
        shape = jax.ShapeDtypeStruct((300,), "float32")
        forward, backward = (tawa.jax.call(texts[name], x, g, OUT, 300, out=shape) for name in ("FORWARD", "BACKWARD"))
        for at, value, slope in zip(x.data, forward.data, backward.data):
            sigmoid = 1 / (1 + math.exp(-1.702 * at))
            self.assertAlmostEqual(value, at * sigmoid, places=5)
            self.assertAlmostEqual(slope, 1.5 * (sigmoid + 1.702 * at * sigmoid * (1 - sigmoid)), places=5)


class Vmap(unittest.TestCase):
    def test_axes_of_operands_and_of_none(self):
        x, y = floats(3, 40), floats(40, first=5)
        z = jax.vmap(combine, in_axes=(0, None))(x, y)
        self.assertEqual(z.shape, (3, 40))
        self.assertEqual(list(z.data), [2 * a + y.data[i % 40] for i, a in enumerate(x.data)])
        self.assertEqual(standin.CALLS[-1]["vmap_method"], "expand_dims")

    def test_two_levels(self):
        x, y = floats(2, 33), floats(3, 33, first=9)
        z = jax.vmap(lambda row: jax.vmap(lambda other: combine(row, other))(y))(x)
        self.assertEqual(z.shape, (2, 3, 33))
        wanted = [2 * x.data[i * 33 + k] + y.data[j * 33 + k] for i in range(2) for j in range(3) for k in range(33)]
        self.assertEqual(list(z.data), wanted)

    def test_shared_results_have_an_element_each(self):
        x, y = floats(40), floats(4, 40, first=3)
        z = jax.vmap(lambda row: tawa.jax.call(TEXT, x, row, inout(x), 40, 1.0))(y)
        self.assertEqual(list(z.data), [x.data[i % 40] + b for i, b in enumerate(y.data)])
        self.assertEqual(standin.CALLS[-1]["vmap_method"], "broadcast_all")

    def test_an_empty_batch(self):
        self.assertEqual(jax.vmap(combine)(floats(0, 40), floats(0, 40)).shape, (0, 40))

    def test_the_loop_of_jax_can_be_asked_for(self):
        combine(floats(8), floats(8), vmap="sequential")
        self.assertEqual(standin.CALLS[-1]["vmap_method"], "sequential")
        with self.assertRaisesRegex(ValueError, "'both' is no way of vmap"):
            combine(floats(8), floats(8), vmap="both")


class Refusals(unittest.TestCase):
    def refused(self, kind, words, *args, out=(), **options):
        with self.assertRaisesRegex(kind, words):
            tawa.jax.call(TEXT, *args, out=out, **options)

    def test_wrong_arguments(self):
        x, shape = floats(8), jax.ShapeDtypeStruct((8,), "float32")
        self.refused(TypeError, "combine takes 5 arguments, 2 were given", x, x)
        self.refused(TypeError, "1 arguments are tawa.jax.OUT, 2 shapes", x, x, OUT, 8, 2.0, out=[shape, shape])
        self.refused(TypeError, "has no result", x, x, x, 8, 2.0)
        self.refused(TypeError, "'x' is 3, the kernel takes an array", 3, x, OUT, 8, 2.0, out=shape)
        self.refused(TypeError, "'n' is no number", x, x, OUT, x, 2.0, out=shape)
        self.refused(TypeError, "'n' is 1.5", x, x, OUT, 1.5, 2.0, out=shape)
        self.refused(TypeError, "'by' must be a number that is known when", x, x, OUT, 8, standin.Tracer((), "float32"), out=shape)
        half = jax.Array((8,), "float16")
        self.refused(TypeError, "'x' has elements of float16, the kernel takes f32", half, x, OUT, 8, 2.0, out=shape)
        self.refused(TypeError, "'z' has elements of complex64", x, x, OUT, 8, 2.0, out=jax.ShapeDtypeStruct((8,), "complex64"))
        self.refused(TypeError, "not known when the program is traced", x, x, OUT, 8, 2.0, out=jax.ShapeDtypeStruct(("n",), "float32"))
        self.refused(ValueError, "9 dimensions", floats(*[1] * 9), x, OUT, 8, 2.0, out=shape)
        self.refused(ValueError, "grid", x, x, OUT, 8, 2.0, out=shape, grid=(1, 2, 3, 4))
        self.refused(ValueError, "'fast' is no policy", x, x, OUT, 8, 2.0, out=shape, policy="fast")

    def test_text_that_does_not_parse_is_refused_when_traced(self):
        with self.assertRaisesRegex(tawa.InvalidIR, "wrong.mlir:1"):
            tawa.jax.call("no kernel", OUT, name="wrong.mlir")

    def test_arrays_split_over_devices(self):
        split, traced = floats(8), standin.Tracer((8,), "float32")
        split.sharding = types.SimpleNamespace(device_set={1, 2}, is_fully_replicated=False)
        traced.aval = types.SimpleNamespace(sharding=types.SimpleNamespace(spec=(None, "devices")))
        for each in (split, traced):
            self.refused(ValueError, "'x' is split over devices: call the kernel within jax.shard_map", each, floats(8), OUT, 8, 2.0,
                         out=jax.ShapeDtypeStruct((8,), "float32"))
        split.sharding.is_fully_replicated = True
        self.assertEqual(combine(split, split).data[1], 3)


class Handler(unittest.TestCase):
    """XLA's side: what frames of other stages, or that do not fit, get."""

    def fails(self, call, code, words):
        with self.assertRaises(standin.JaxRuntimeError) as caught:
            call.run(handler())
        self.assertEqual(caught.exception.args[0], code)
        self.assertRegex(caught.exception.args[1], words)

    def test_stages(self):
        for stage in (standin.INSTANTIATE, standin.PREPARE):
            call = frame_of(stage, key="0" * 64, text="no kernel")
            call.run(handler())  # neither buffers nor attributes are looked at
        frame_of(standin.INITIALIZE).run(handler())
        self.fails(frame_of(standin.INITIALIZE, key="1" * 64, text="no kernel"), 3, "INVALID_IR")
        self.fails(frame_of(7), 12, "stage 7")

    def test_initialize_compiles_and_does_not_launch(self):
        call = frame_of(standin.INITIALIZE, key="2" * 64)
        data = (standin.ctypes.c_float * 40).from_address(call.buffers[1][0].data)
        data[0] = -5
        call.run(handler())
        self.assertEqual(data[0], -5)
        call.frame.stage = standin.EXECUTE
        call.run(handler())
        self.assertEqual(data[1], 3)

    def test_attributes_that_do_not_fit(self):
        self.fails(frame_of(key="short"), 3, "attribute 'key'")
        self.fails(frame_of(key="3" * 64, arguments="5 0 9"), 3, "attribute 'arguments'")
        self.fails(frame_of(key="4" * 64, arguments="65"), 3, "attribute 'arguments'")
        self.fails(frame_of(key="5" * 64, grid="1 x 1"), 3, "attribute 'grid'")
        frame_of(key="5" * 64).run(handler())  # what failed once can be made later

    def test_buffers_that_do_not_fit(self):
        for change in ({"dtype": 12}, {"rank": 0}, {"struct_size": 40}):
            call = frame_of()
            for name, value in change.items():
                setattr(call.buffers[0][0], name, value)
            self.fails(call, 3, "argument 1 of the kernel")
        call = frame_of()
        call.buffers[0][1].dims[0] = 39
        self.fails(call, 3, "argument 2 of the kernel")
        call = frame_of()
        call.frame.results.size = 0
        self.fails(call, 3, "no result")
        call = frame_of()
        call.frame.arguments.struct_size = 16
        self.fails(call, 12, "older XLA")

    def test_what_the_emulator_stops(self):
        x = floats(40)
        with self.assertRaises(standin.JaxRuntimeError) as caught:
            tawa.jax.call(TEXT, x, x, OUT, 41, 2.0, out=jax.ShapeDtypeStruct((40,), "float32"))
        self.assertEqual(caught.exception.args[0], 13)
        self.assertRegex(caught.exception.args[1], "TAWA_E_EMULATOR")

    def test_a_compiler_s_error_is_told(self):
        text = TEXT.replace("arith.addf %product, %vy : tensor<32xf32>", "arith.addf %product, %nothing : tensor<32xf32>")
        self.fails(frame_of(key="6" * 64, text=text, name="combine.mlir"), 3, r"combine.mlir:\d+")

    def test_an_interface_without_errors_ends_the_process(self):
        program = ("import jax_standin as s, jax_unit_test as t\ncall = t.frame_of()\ncall.api.struct_size = 48\n"
                   "call.run(t.handler())\n")
        done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=False,
                              cwd=__file__.rpartition("/")[0] or ".")
        self.assertEqual(done.returncode, -6)
        self.assertIn("lacks functions to report an error", done.stderr)

    def test_the_handler_for_cuda_needs_a_stream(self):
        call = frame_of()
        with self.assertRaisesRegex(standin.JaxRuntimeError, "XLA has no stream for the call"):
            call.run(handler("CUDA"))
        self.assertEqual(standin.DESTROYED, [len(standin.ERRORS) - 1])  # XLA's error was the handler's to destroy


if __name__ == "__main__":
    unittest.main()
