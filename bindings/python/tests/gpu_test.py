"""The package on a GPU, with PyTorch's tensors: streams, CUDA graphs, bindings, devices, other protocols. Ends with 77, which
stands for skipped, where there is no PyTorch or no Hopper GPU.

usage: gpu_test.py [unittest arguments]
"""

import sys
import unittest

import tawa
from package_test import COPY, SCALE
from tawa import _launch


def find_torch():
    """PyTorch, where it and the library find a GPU."""
    try:
        import torch

        tawa.Runtime("cuda", cache_dir="")
    except (ImportError, tawa.NoDevice):
        return None
    return torch if torch.cuda.is_available() else None


torch = find_torch()


class GpuTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runtime = tawa.Runtime("cuda:0", cache_dir="")
        cls.kernel = cls.runtime.compile(SCALE)

    def setUp(self):
        self.x, self.y = torch.arange(1000, device="cuda", dtype=torch.float32), torch.zeros(1000, device="cuda")

    def is_scaled(self, by, y=None):
        torch.cuda.synchronize()
        return torch.equal(self.y if y is None else y, self.x * by)

    def test_tensors(self):
        self.kernel(self.x, self.y, 1000, 2.0)
        self.assertTrue(self.is_scaled(2))
        self.kernel(self.x, self.y, 1000, torch.tensor(3.0), grid=(32,))
        self.assertTrue(self.is_scaled(3))
        kernel = tawa.compile(SCALE, self.x, self.y, 1000, 2.0)
        self.assertEqual(kernel.runtime.name, "cuda:0")
        kernel(self.x, self.y, 1000, 4.0)
        self.assertTrue(self.is_scaled(4))
        with self.assertRaisesRegex(tawa.ShapeMismatch, "dimension 0 is 500"):
            kernel(self.x[:500], self.y, 500, 4.0)

    def test_types_and_views(self):
        for dtype, name in ((torch.bfloat16, "bf16"), (torch.float16, "f16"), (torch.float8_e4m3fn, "f8E4M3FN"), (torch.uint8, "i8"),
                            (torch.float8_e5m2, "f8E5M2"), (torch.int64, "i64"), (torch.uint16, "i16")):
            with self.subTest(dtype=name):
                x = torch.arange(64, device="cuda").to(torch.float32).to(dtype)[32:]
                y = torch.zeros(64, device="cuda").to(dtype)[:32]
                self.runtime.compile(COPY.replace("TYPE", name), x, y, 0)(x, y, 1)
                self.assertTrue(torch.equal(x.view(torch.uint8), y.view(torch.uint8)))

    def test_the_stream_is_pytorchs(self):
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            torch.cuda._sleep(200_000_000)  # some 100 ms of that stream
            self.kernel(self.x, self.y, 1000, 2.0)
            self.assertFalse(side.query())
        self.assertTrue(self.is_scaled(2))
        torch.cuda._sleep(200_000_000)
        self.kernel(self.x, self.y, 1000, 3.0, stream=side)
        side.synchronize()
        self.assertFalse(torch.cuda.current_stream().query())
        self.assertTrue(self.is_scaled(3))

    def test_graphs(self):
        kernel = self.runtime.compile(SCALE)
        binding = kernel.bind(self.x, self.y, 1000, 5.0)
        other, graph = torch.zeros_like(self.y), torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            kernel(self.x, other, 1000, 6.0)  # never launched before
            binding()
        torch.cuda.synchronize()
        self.assertEqual(float(other.sum() + self.y.sum()), 0)
        self.x += 1
        graph.replay()
        self.assertTrue(self.is_scaled(5) and self.is_scaled(6, other))

    def test_bindings(self):
        binding = self.kernel.bind(self.x, self.y, 1000, 2.0)
        binding()
        self.assertTrue(self.is_scaled(2))
        other = torch.zeros_like(self.y)
        binding(self.x.data_ptr(), other.data_ptr(), stream=torch.cuda.current_stream())
        self.assertTrue(self.is_scaled(2, other))

    def test_bindings_of_shapes_take_the_current_stream(self):
        other, side = torch.zeros_like(self.y), torch.cuda.Stream()
        binding = self.kernel.bind_shapes(self.x, self.y, 1000, 4.0)
        self.assertEqual(float(other.sum()), 0)  # loads that kernel, which may wait for all streams
        with torch.cuda.stream(side):
            torch.cuda._sleep(200_000_000)
            binding(self.x.data_ptr(), other.data_ptr())
        self.assertEqual(float(other.sum()), 0)
        side.synchronize()
        self.assertTrue(self.is_scaled(4, other))

    def test_other_devices_are_refused(self):
        with self.assertRaisesRegex(ValueError, "argument 'y': is on the CPU, the kernel runs on cuda:0"):
            self.kernel(self.x, self.y.cpu(), 1000, 2.0)
        with self.assertRaisesRegex(ValueError, "argument 'x': is on cuda:0, the kernel runs on the emulator"):
            tawa.Runtime("emulator", cache_dir="").compile(SCALE)(self.x, self.y, 1000, 2.0)

    def test_protocols_of_python(self):
        class DLPack:
            def __init__(self, data):
                self.data = data

            def __dlpack__(self, stream=None):
                self.asked = stream
                return self.data.__dlpack__(stream=stream)

            def __dlpack_device__(self):
                return self.data.__dlpack_device__()

        class Interface:
            def __init__(self, data):
                self.__cuda_array_interface__ = data.__cuda_array_interface__

        y = DLPack(self.y)
        self.kernel(Interface(self.x), y, 1000, 2.0)
        self.assertTrue(self.is_scaled(2))
        self.assertEqual(y.asked, 1)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        self.kernel(Interface(self.x), y, 1000, 3.0, stream=side)
        self.assertEqual(y.asked, side.cuda_stream)
        self.assertTrue(self.is_scaled(3))

    def test_memory_without_a_library(self):
        x, y = self.runtime.empty(1000, "f32"), self.runtime.empty(1000, "f32").fill(0)
        x.copy_in(self.x.cpu().numpy())
        self.kernel(x, y, 1000, 2.0)
        self.runtime.synchronize()
        self.assertTrue((y.copy_out(self.y.cpu().numpy()) == self.x.cpu().numpy() * 2).all())
        self.assertGreater(self.kernel.time(x, y, 1000, 2.0), 0)
        self.assertTrue(self.runtime.works)

    def test_arrays_of_jax(self):
        try:
            import jax.numpy as jnp
        except ImportError:
            self.skipTest("no JAX")
        import jax

        if jax.default_backend() == "cpu":
            self.skipTest("JAX has no GPU")
        x = jnp.arange(1000, dtype=jnp.float32)
        self.kernel(x, self.y, 1000, 2.0)
        self.assertTrue(self.is_scaled(2))

    def test_how_pytorch_is_read(self):
        has_exchange = hasattr(torch.Tensor, "__dlpack_c_exchange_api__")
        print(f"PyTorch {torch.__version__}, DLPack's C exchange API: {has_exchange}", file=sys.stderr)
        made, kind, number = _launch.read_tensor(self.x, 0)
        self.assertEqual((kind, number, tawa.Arg.from_buffer_copy(made).data), (2, 0, self.x.data_ptr()))
        if has_exchange:  # then without a Python call, and so whatever autograd thinks of it
            _launch.read_tensor(self.x.clone().requires_grad_(), 0)


if __name__ == "__main__":
    if torch is None:
        print("no PyTorch or no Hopper GPU: skipped")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
