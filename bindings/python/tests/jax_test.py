"""tawa.jax with JAX 0.11: on a Hopper GPU, or with JAX's CPU back end on the emulator. Ends with 77, which stands for skipped, where
there is no JAX.

usage: jax_test.py [unittest arguments]; JAX_PLATFORMS=cpu: the emulator on a machine with a GPU
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=2"  # of the CPU only
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError:
    jax = None

if jax is not None:
    import tawa
    import tawa.jax
    from tawa.jax import OUT, inout

    IS_GPU = jax.default_backend() == "gpu"

# y = x * x * by; with the output's gradient in the place of `by`, a step of its derivative
SQUARE = """// tawa.grid ceildiv(n, 128)
module {
  tt.func public @square(%x: !tt.ptr<f32>, %g: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32, %by: f32) {
    %size = arith.constant 128 : i32
    %program = tt.get_program_id x : i32
    %begin = arith.muli %program, %size : i32
    %first = tt.splat %begin : i32 -> tensor<128xi32>
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %at = arith.addi %first, %range : tensor<128xi32>
    %end = tt.splat %n : i32 -> tensor<128xi32>
    %mask = arith.cmpi slt, %at, %end : tensor<128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %gs = tt.splat %g : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %pg = tt.addptr %gs, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %py = tt.addptr %ys, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %vx = tt.load %px, %mask : tensor<128x!tt.ptr<f32>>
    %vg = tt.load %pg, %mask : tensor<128x!tt.ptr<f32>>
    %product = arith.mulf %vx, %vg : tensor<128xf32>
    %factor = tt.splat %by : f32 -> tensor<128xf32>
    %value = arith.mulf %product, %factor : tensor<128xf32>
    tt.store %py, %value, %mask : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
"""
GEMM = pathlib.Path(__file__).resolve().parents[3] / "tests" / "kernels" / "gemm_param.mlir"


def product(x, g, by=1.0, **options):
    """x * g * by, element by element."""
    return tawa.jax.call(SQUARE, x, g, OUT, x.size, by, out=jax.ShapeDtypeStruct(x.shape, x.dtype), **options)


def array(*shape, first=0.0):
    return jnp.arange(first, first + np.prod(shape), dtype=jnp.float32).reshape(shape)


class JaxTest(unittest.TestCase):
    def equal(self, got, wanted):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))

    def test_eager_and_jit(self):
        for size in (1, 128, 1000):
            x = array(size, first=1)
            self.equal(product(x, x), x * x)
            self.equal(jax.jit(product)(x, x), x * x)

    def test_two_kernels_in_one_program(self):
        x = array(500)
        run = jax.jit(lambda x: product(product(x, x, 2.0) + 1, x, 0.5) - x)
        self.equal(run(x), (2 * x * x + 1) * x * 0.5 - x)
        self.equal(run(x + 1), (2 * (x + 1) ** 2 + 1) * (x + 1) * 0.5 - (x + 1))

    def test_vmap(self):
        x, g = array(3, 200), array(200, first=5)
        for how in ("launches", "sequential"):
            self.equal(jax.vmap(lambda row: product(row, g, vmap=how))(x), x * g)
        self.equal(jax.jit(jax.vmap(lambda a: jax.vmap(lambda b: product(a, b))(x)))(x), x[:, None] * x[None])
        self.equal(jax.vmap(product, in_axes=(1, None))(x.T, g), x * g)

    def test_derivative_by_a_kernel(self):
        @jax.custom_vjp
        def square(x):
            return product(x, x)

        square.defvjp(lambda x: (square(x), x), lambda x, g: (product(x, g, 2.0),))
        x = array(300)
        self.equal(jax.grad(lambda x: square(x).sum())(x), 2 * x)
        self.equal(jax.jit(jax.vmap(jax.grad(lambda x: square(x).sum())))(array(4, 50)), 2 * array(4, 50))

    def test_without_a_rule_there_is_no_derivative(self):
        with self.assertRaises(Exception):
            jax.grad(lambda x: product(x, x).sum())(array(8))

    def test_shared_buffers(self):
        def add_in_place(x, y):
            return tawa.jax.call(SQUARE, x, x, inout(y), x.size, 1.0)

        x, y = array(256), array(256, first=9)
        kept = np.asarray(y).copy()
        self.equal(jax.jit(add_in_place)(x, y), x * x)
        self.equal(y, kept)  # JAX copies what is not given away
        self.equal(jax.vmap(add_in_place, in_axes=(None, 0))(x, array(2, 256)), jnp.stack([x * x] * 2))
        if IS_GPU:
            address = y.unsafe_buffer_pointer()
            self.assertEqual(jax.jit(add_in_place, donate_argnums=1)(x, y).unsafe_buffer_pointer(), address)

    def test_products_through_tma(self):
        rows, columns, depth = 256, 128, 64
        rng = np.random.default_rng(3)
        a, b = (jnp.asarray(rng.integers(-3, 4, shape), jnp.float16) for shape in ((rows, depth), (columns, depth)))
        run = jax.jit(lambda a, b: tawa.jax.call(GEMM, a, b, OUT, rows, columns, depth, config="BLOCK_M=128 BLOCK_N=128",
                                                 out=jax.ShapeDtypeStruct((rows, columns), jnp.float16)))
        self.equal(run(a, b), (a.astype(jnp.float32) @ b.astype(jnp.float32).T).astype(jnp.float16))
        batch = jnp.stack([a, a + 1])
        self.equal(jax.vmap(run, in_axes=(0, None))(batch, b)[1], run(a + 1, b))

    def test_split_arrays(self):
        if len(jax.devices()) < 2:
            self.skipTest("one device")
        mesh = jax.make_mesh((2,), ("devices",))
        spec = jax.sharding.PartitionSpec("devices")
        x = jax.device_put(array(512), jax.sharding.NamedSharding(mesh, spec))
        with self.assertRaisesRegex(ValueError, "split over devices"):
            product(x, x)
        by_parts = jax.jit(jax.shard_map(product, mesh=mesh, in_specs=(spec, spec), out_specs=spec, check_vma=False))
        self.equal(by_parts(x, x), array(512) ** 2)

    def test_numbers_that_a_program_computes_are_refused(self):
        with self.assertRaisesRegex(TypeError, "'by' must be a number that is known when"):
            jax.jit(product)(array(8), array(8), 2.0)

    def test_errors_carry_tawa_s_text(self):
        with self.assertRaisesRegex(tawa.InvalidIR, "wrong.mlir"):
            tawa.jax.call("no kernel", OUT, name="wrong.mlir")
        with self.assertRaisesRegex(Exception, "tawa: TAWA_E_"):
            jax.block_until_ready(product(array(8), array(8), config="D=99"))

    def test_an_exported_program_runs_in_another_process(self):
        x = array(300)
        check = [jax.export.DisabledSafetyCheck.custom_call(tawa.jax.TARGET)]
        program = jax.export.export(jax.jit(product), disabled_checks=check)(x, x).serialize()
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "program").write_bytes(program)
            code = ("import jax, jax.export, jax.numpy as jnp, sys, tawa.jax\ntawa.jax.register()\n"
                    "x = jnp.arange(300, dtype=jnp.float32)\n"
                    f"run = jax.export.deserialize(open({folder + '/program'!r}, 'rb').read()).call\n"
                    "assert (run(x, x) == x * x).all()\nprint('ran')")
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout.strip(), "ran", done.stderr)

    def test_command_buffers(self):
        if not IS_GPU:
            self.skipTest("no GPU")
        flags = " --xla_gpu_enable_command_buffer=FUSION,CUSTOM_CALL --xla_gpu_graph_min_graph_size=1"
        code = ("import jax, jax_test as t\nx = t.array(1000)\n"
                "run = jax.jit(lambda x: t.product(t.product(x, x), x) + 1)\n"
                "for i in range(5):\n    assert (run(x + i) == (x + i) ** 3 + 1).all(), i\nprint('ran')")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=pathlib.Path(__file__).parent,
                                  env=os.environ | {"XLA_FLAGS": f"{os.environ['XLA_FLAGS']} {flags} --xla_dump_to={folder}"})
            thunks = "".join(file.read_text() for file in pathlib.Path(folder).glob("*lambda*thunk_sequence*"))
        self.assertRegex(thunks, "(?i)command_?buffer")
        self.assertEqual(done.stdout.strip(), "ran", done.stderr)


if __name__ == "__main__":
    if jax is None:
        print("skipped: no JAX")
        sys.exit(77)
    print(f"JAX {jax.__version__} on {jax.devices()[0]}")
    unittest.main()
