"""Operators of PyTorch: on the CPU by the emulator, with any PyTorch from 1.13 on or a stand-in for it; and with a GPU and PyTorch 2
under torch.compile and in CUDA graphs.

usage: torch_test.py [unittest arguments]
"""

import sys
import unittest

import tawa
import torch_standin
from package_test import SCALE

torch = torch_standin.torch_or_standin()
import tawa.torch  # pylint: disable=wrong-import-position
from tawa.torch._kernels import Kernels  # pylint: disable=wrong-import-position

IS_NEW = hasattr(torch.library, "register_fake")


def has_gpu():
    try:
        return torch.cuda.is_available() and bool(tawa.runtime("cuda:0"))
    except tawa.NoDevice:
        return False


def make_scale():
    made = tawa.torch.operator(
        "tawatest::scale(Tensor x, float by) -> Tensor", SCALE,
        outputs=lambda x, by: torch.empty_like(x),
        arguments=lambda y, x, by: (x, y, x.numel(), by),
        backward=lambda gradients, inputs, outputs: (made(gradients[0].contiguous(), inputs[1]), None))
    return made


def make_halves():
    """Two outputs, a grid of its own."""
    return tawa.torch.operator(
        "tawatest::halves(Tensor x) -> (Tensor, Tensor)", SCALE,
        outputs=lambda x: (torch.empty_like(x), torch.zeros_like(x)),
        arguments=lambda y, z, x: (x, y, x.numel(), 0.5),
        grid=lambda y, z, x: (x.numel() + 31) // 32)


class OnCpu(unittest.TestCase):
    device = "cpu"

    def setUp(self):
        self.x = torch.arange(100, dtype=torch.float32, device=self.device)

    def test_calls(self):
        self.assertTrue(torch.equal(scale(self.x, 2.0), self.x * 2))
        self.assertTrue(torch.equal(torch.ops.tawatest.scale(self.x, 3.0), self.x * 3))
        y, z = halves(self.x)
        self.assertTrue(torch.equal(y, self.x / 2) and not z.any())

    def test_errors_of_the_kernel_arrive(self):
        with self.assertRaisesRegex(tawa.InvalidArgument, r"argument 0 \(x\) is f32 in the text, f64 was described"):
            scale(self.x.double(), 2.0)

    def test_subclasses_are_refused(self):
        class Mine(torch.Tensor):
            __torch_function__ = torch._C._disabled_torch_function_impl

        with self.assertRaisesRegex(TypeError, "takes no .*Mine: a subclass"):
            scale(self.x.as_subclass(Mine), 2.0)
        self.assertTrue(torch.equal(scale(torch.nn.Parameter(self.x.clone(), requires_grad=False), 2.0), self.x * 2))

    def test_derivatives(self):
        x = self.x.clone().requires_grad_()
        y = scale(scale(x, 2.0), 3.0)
        y.sum().backward()
        self.assertTrue(torch.equal(x.grad, torch.full_like(x, 6)))
        self.assertTrue(torch.equal(y, self.x * 6))
        with torch.no_grad():
            self.assertFalse(scale(x, 2.0).requires_grad)
        (first,) = torch.autograd.grad((scale(x, 2.0) ** 2).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)  # through the backward's own call
        self.assertTrue(torch.equal(second, torch.full_like(x, 8)))

    def test_kernels_are_made_once(self):
        kernels = Kernels(SCALE)
        made = [kernels.kernel(x.device, (x, x, x.numel(), by)) for x in (self.x, self.x[:50]) for by in (1.0, 2.0)]
        self.assertEqual(len(set(map(id, made))), 1)  # neither size nor number makes another
        self.assertIsNot(Kernels(SCALE, "warps=2").kernel(self.x.device, (self.x, self.x, 100, 1.0)), made[0])


@unittest.skipUnless(IS_NEW and has_gpu(), "no GPU, or a PyTorch before 2.4")
class OnGpu(OnCpu):
    device = "cuda"

    def test_compiled_whole(self):
        function = lambda x: scale(x + 1, 2.0) * 3
        for mode in (None, "reduce-overhead"):
            for size in (100, 200):
                compiled = torch.compile(function, fullgraph=True, mode=mode)
                x = torch.arange(size, dtype=torch.float32, device="cuda")
                for _ in range(3):
                    self.assertTrue(torch.equal(compiled(x), function(x)))

    def test_graphs(self):
        scale(self.x, 4.0)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = scale(self.x, 4.0)
        self.x += 1
        graph.replay()
        self.assertTrue(torch.equal(y, self.x * 4))


if __name__ == "__main__":
    print(f"PyTorch {torch.__version__}", file=sys.stderr)
    scale, halves = make_scale(), make_halves()
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
