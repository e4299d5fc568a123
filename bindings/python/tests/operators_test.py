"""The ready operators of tawa.torch against NumPy in double precision: on the CPU by the emulator, with PyTorch or a stand-in for it;
and with a GPU and PyTorch 2 against PyTorch's own, under torch.compile and in CUDA graphs.

usage: operators_test.py [unittest arguments]
"""

import math
import os
import sys
import tempfile
import unittest
import unittest.mock

import numpy as np

import torch_standin

CACHE = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
os.environ.update(TAWA_CACHE="on", TAWA_CACHE_DIR=CACHE.name)
import tawa  # pylint: disable=wrong-import-position

torch = torch_standin.torch_or_standin()
import tawa.torch as ops  # pylint: disable=wrong-import-position
from tawa.torch import _attention, _kernels, _linear, _moe, _operator, _quantized  # pylint: disable=wrong-import-position

IS_NEW = hasattr(torch.library, "register_fake")
IS_STANDIN = "stand-in" in torch.__version__
HALVES = (torch.float16, torch.bfloat16)


def has_gpu():
    try:
        return torch.cuda.is_available() and bool(tawa.runtime("cuda:0"))
    except tawa.NoDevice:
        return False


def wide(x):
    """A tensor's numbers in double precision."""
    return x.detach().double().cpu().numpy()


def erf(x):
    return np.vectorize(math.erf)(x)


ACTIVATIONS = {"none": lambda x: x, "relu": lambda x: np.maximum(x, 0), "gelu": lambda x: x * (1 + erf(x / math.sqrt(2))) / 2,
               "gelu_tanh": lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))), "silu": lambda x: x / (1 + np.exp(-x))}


def attend(q, k, v, causal, scale):
    """Output and weights of attention; heads of k and v are repeated."""
    k, v = (each.repeat(q.shape[1] // k.shape[1], 1) for each in (k, v))
    scores = np.einsum("bhld,bhsd->bhls", q, k) * scale
    if causal:
        scores = np.where(np.arange(k.shape[2]) <= np.arange(q.shape[2])[:, None], scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return weights @ v, weights, k, v


def e4m3(bits):
    """The numbers that bytes stand for."""
    sign, exponent, fraction = bits >> 7, bits >> 3 & 15, bits & 7
    size = np.where(exponent == 0, fraction / 8 * 2.0**-6, (1 + fraction / 8) * 2.0 ** (exponent.astype(int) - 7))
    return np.where(sign, -size, size)


class OperatorTest(unittest.TestCase):
    device = "cpu"

    def setUp(self):
        self.random = np.random.default_rng(7)

    def put(self, values):
        made = torch.from_numpy(np.ascontiguousarray(values))
        return made if self.device == "cpu" else made.to(self.device)

    def normal(self, *shape, dtype=torch.float16, grad=False):
        return self.put(self.random.standard_normal(shape).astype(np.float32)).to(dtype).requires_grad_(grad)

    def near(self, found, wanted, dtype):
        """Within some units in the last place of the largest number."""
        found = wide(found)
        self.assertEqual(found.shape, wanted.shape)
        limit = (2e-3 if dtype == torch.float16 else 1.6e-2) * max(1.0, float(np.abs(wanted).max(initial=0)))
        self.assertLess(float(np.abs(found - wanted).max(initial=0)), limit)

    def refused(self, kind, words, function, *inputs, **options):
        with self.assertRaisesRegex(kind, words):
            function(*inputs, **options)


class Linear(OperatorTest):
    def test_values(self):
        for dtype, has_bias, activation in ((torch.float16, False, "none"), (torch.bfloat16, False, "gelu"), (torch.float16, True, "gelu_tanh"),
                                            (torch.bfloat16, True, "silu"), (torch.float16, True, "relu"), (torch.float16, True, "gelu")):
            with self.subTest(dtype=dtype, activation=activation, bias=has_bias):
                x, weight, bias = (self.normal(*shape, dtype=dtype) for shape in ((3, 24, 88), (136, 88), (136,)))
                y = ops.linear(x, weight, bias if has_bias else None, activation)
                self.assertEqual((y.dtype, tuple(y.shape)), (dtype, (3, 24, 136)))
                self.near(y, ACTIVATIONS[activation](wide(x) @ wide(weight).T + (wide(bias) if has_bias else 0)), dtype)

    def test_shapes(self):
        weight = self.normal(16, 8)
        for shape in ((8,), (1, 8), (2, 1, 130, 8), (0, 8)):
            x = self.normal(*shape)
            self.near(ops.linear(x, weight), wide(x) @ wide(weight).T, torch.float16)

    def test_derivatives(self):
        for dtype, activation in ((torch.float16, "none"), (torch.bfloat16, "relu"), (torch.bfloat16, "silu")):
            with self.subTest(dtype=dtype, activation=activation):
                x, weight = self.normal(2, 40, 72, dtype=dtype, grad=True), self.normal(88, 72, dtype=dtype, grad=True)
                bias, g = self.normal(88, dtype=dtype, grad=True), self.normal(2, 40, 88, dtype=dtype)
                y = ops.linear(x, weight, bias, activation)
                y.backward(g)
                before = wide(x) @ wide(weight).T + wide(bias)
                step = 1e-5
                slope = (ACTIVATIONS[activation](before + step) - ACTIVATIONS[activation](before - step)) / (2 * step)
                flat, rows = (wide(g) * slope).reshape(-1, 88), wide(x).reshape(-1, 72)
                for found, wanted in ((y, ACTIVATIONS[activation](before)), (x.grad, (flat @ wide(weight)).reshape(2, 40, 72)),
                                      (weight.grad, flat.T @ rows), (bias.grad, flat.sum(0))):
                    self.near(found, wanted, dtype)

    def test_only_wanted_derivatives_are_computed(self):
        x, weight = self.normal(16, 24), self.normal(40, 24, grad=True)
        with unittest.mock.patch.object(_linear, "_product", wraps=_linear._product) as product:
            ops.linear(x, weight).backward(self.normal(16, 40))
        self.assertTrue(x.grad is None and weight.grad is not None)
        self.assertEqual(product.call_count, 1)

    def test_the_bare_operator_has_no_derivative_of_an_activation(self):
        y = _linear._linear(self.normal(16, 24, grad=True), self.normal(40, 24), None, "relu")
        self.refused(ValueError, r"no derivative knows of 'relu': call tawa\.torch\.linear\(\)", y.backward, self.normal(16, 40))

    def test_derivatives_without_rows(self):
        x, weight = self.normal(0, 24, grad=True), self.normal(40, 24, grad=True)
        ops.linear(x, weight).backward(self.normal(0, 40))
        self.assertFalse(weight.grad.any())

    def test_products_in_every_order_and_their_derivatives(self):
        m, n, k = 24, 40, 56
        for a_outer in (False, True):
            for b_outer in (False, True):
                a = self.normal(*((k, m) if a_outer else (m, k)), grad=True)
                b = self.normal(*((k, n) if b_outer else (n, k)), grad=True)
                g = self.normal(m, n)
                c = _linear._product(a, b, a_outer, b_outer)
                c.backward(g)
                left, right, by = wide(a).T if a_outer else wide(a), wide(b) if b_outer else wide(b).T, wide(g)
                of_a, of_b = by @ right.T, left.T @ by
                for found, wanted in ((c, left @ right), (a.grad, of_a.T if a_outer else of_a), (b.grad, of_b if b_outer else of_b.T)):
                    self.near(found, wanted, torch.float16)

    def test_what_does_not_fit(self):
        x, weight = self.normal(4, 16), self.normal(24, 16)
        self.refused(TypeError, r"'x' is float32: convert it, \.to\(torch\.float16\)", ops.linear, x.to(torch.float32), weight)
        self.refused(TypeError, r"'weight' is bfloat16 and 'x' float16", ops.linear, x, weight.to(torch.bfloat16))
        self.refused(ValueError, r"'x' is of shape \(4, 8\), not \(4, 16\)", ops.linear, self.normal(4, 8), weight)
        self.refused(ValueError, r"'bias' is of shape \(16,\), not \(24,\)", ops.linear, x, weight, self.normal(16))
        self.refused(ValueError, r"'weight' of shape \(24, 16\) has strides \(1, 24\): .*\.contiguous\(\)", ops.linear, x,
                     self.normal(16, 24).transpose(0, 1))
        self.refused(ValueError, r"number of inputs is 12, no multiple of 8: pad it", ops.linear, self.normal(4, 12), self.normal(24, 12))
        self.refused(ValueError, r"number of outputs is 20, no multiple of 8: pad it", ops.linear, x, self.normal(20, 16))
        self.refused(ValueError, r"activation 'tanh': there are none, relu", ops.linear, x, weight, None, "tanh")
        self.refused(ValueError, r"'weight' has 1 dimensions", ops.linear, x, self.normal(16))


class Attention(OperatorTest):
    #: batch, heads, heads of k and v, queries, keys, head dim, causal
    SHAPES = ((2, 1, 1, 128, 128, 64, False), (1, 2, 2, 128, 128, 128, True), (1, 2, 1, 100, 100, 64, True), (1, 1, 1, 72, 200, 64, True),
              (2, 2, 1, 60, 130, 128, False), (1, 1, 1, 128, 128, 256, False))

    def tensors(self, shape, dtype, grad=False):
        batch, heads, kv_heads, queries, keys, width, _ = shape
        return [self.normal(batch, h, rows, width, dtype=dtype, grad=grad) for h, rows in ((heads, queries), (kv_heads, keys), (kv_heads, keys))]

    def test_values(self):
        for i, shape in enumerate(self.SHAPES):
            dtype = HALVES[i % 2]
            with self.subTest(shape=shape, dtype=dtype):
                q, k, v = self.tensors(shape, dtype)
                wanted, *_ = attend(wide(q), wide(k), wide(v), shape[-1], shape[-2] ** -0.5)
                self.near(ops.attention(q, k, v, causal=shape[-1]), wanted, dtype)

    def test_scale_and_no_queries(self):
        q, k, v = self.tensors(self.SHAPES[2], torch.float16)
        self.near(ops.attention(q, k, v, scale=0.5), attend(wide(q), wide(k), wide(v), False, 0.5)[0], torch.float16)
        self.assertEqual(tuple(ops.attention(self.normal(1, 2, 0, 64), k, v).shape), (1, 2, 0, 64))

    def test_derivatives(self):
        for i, shape in enumerate(((2, 1, 1, 128, 128, 64, False), (1, 2, 2, 100, 100, 64, True), (1, 4, 2, 72, 72, 128, True),
                                   (1, 2, 1, 60, 136, 64, False))):
            dtype = HALVES[i % 2]
            with self.subTest(shape=shape, dtype=dtype):
                q, k, v = self.tensors(shape, dtype, grad=True)
                g, scale = self.normal(*q.shape, dtype=dtype), shape[-2] ** -0.5
                ops.attention(q, k, v, causal=shape[-1]).backward(g)
                by, (out, weights, keys, values) = wide(g), attend(wide(q), wide(k), wide(v), shape[-1], scale)
                slopes = weights * (by @ values.swapaxes(2, 3) - (by * out).sum(-1, keepdims=True)) * scale
                of_heads = lambda x, like=k: x.reshape(*like.shape[:2], -1, *like.shape[2:]).sum(2)
                self.near(q.grad, slopes @ keys, dtype)
                self.near(k.grad, of_heads(slopes.swapaxes(2, 3) @ wide(q)), dtype)
                self.near(v.grad, of_heads(weights.swapaxes(2, 3) @ by), dtype)

    def test_what_does_not_fit(self):
        q, k, v = self.tensors(self.SHAPES[2], torch.float16)
        self.refused(TypeError, r"'v' is bfloat16 and 'q' float16", ops.attention, q, k, v.to(torch.bfloat16))
        self.refused(ValueError, r"'q' of shape \(1, 4, 2, 64\) has strides .*\.contiguous\(\)", ops.attention,
                     self.normal(1, 2, 4, 64).transpose(1, 2), k, v)
        self.refused(ValueError, r"3 heads of 'q' cannot share 2 heads of 'k' and 'v': repeat these", ops.attention, self.normal(1, 3, 4, 64),
                     self.normal(1, 2, 4, 64), self.normal(1, 2, 4, 64))
        self.refused(ValueError, r"heads have 32 elements: there are kernels for 64, 128", ops.attention, *[self.normal(1, 1, 4, 32)] * 3)
        self.refused(ValueError, r"'v' is of shape \(1, 1, 4, 64\), not \(1, 1, 100, 64\)", ops.attention, q, k, self.normal(1, 1, 4, 64))
        self.refused(ValueError, r"'q' has 3 dimensions and 'k' 4, not 4: \[batch, heads", ops.attention, self.normal(2, 4, 64), k, v)
        self.refused(ValueError, r"'scale' is -1.0, not positive", ops.attention, q, k, v, scale=-1.0)
        q.requires_grad_(True)
        self.refused(ValueError, r"100 queries and 72 keys: .* torch\.no_grad\(\)", ops.attention, q, *[self.normal(1, 1, 72, 64)] * 2, causal=True)
        self.refused(ValueError, r"number of queries .* is 102, no multiple of 4", ops.attention, self.normal(1, 1, 102, 64, grad=True), k, v)
        self.refused(ValueError, r"derivatives for 64 and 128", ops.attention, *[self.normal(1, 1, 128, 256, grad=True)] * 3)


class Quantized(OperatorTest):
    def codes(self, *shape):
        """Bytes of e4m3 below 2."""
        made = self.random.integers(0, 256, shape).astype(np.uint8) & 0xBF
        return self.put(made)

    def test_fp8(self):
        for rows, columns, has_bias, dtype in ((1, 1, False, torch.float16), (72, 136, True, torch.float16), (72, 1, True, torch.bfloat16)):
            x, weight = self.codes(2, 36, 96), self.codes(136, 96)
            scales = [self.put(self.random.random(count).astype(np.float32)) for count in (rows, columns)]
            bias = self.normal(136, dtype=dtype) if has_bias else None
            y = ops.fp8_linear(x, weight, *scales, bias, dtype)
            wanted = e4m3(x.cpu().numpy()).reshape(72, 96) * wide(scales[0]).reshape(-1, 1) @ (e4m3(weight.cpu().numpy()) * wide(scales[1]).reshape(-1, 1)).T
            self.near(y, (wanted + (wide(bias) if has_bias else 0)).reshape(2, 36, 136), dtype)

    def test_what_does_not_fit_fp8(self):
        x, weight, one = self.codes(4, 32), self.codes(24, 32), self.put(np.ones(1, np.float32))
        self.refused(TypeError, "'x' is float16: convert it", ops.fp8_linear, self.normal(4, 32), weight, one, one)
        self.refused(ValueError, "'bias' requires a gradient", ops.fp8_linear, x, weight, one, one, self.normal(24, dtype=torch.bfloat16, grad=True))
        self.refused(ValueError, r"'x_scale' has 3 elements: give one, or 4", ops.fp8_linear, x, weight, self.put(np.ones(3, np.float32)), one)
        self.refused(ValueError, r"inputs is 24, no multiple of 16", ops.fp8_linear, self.codes(4, 24), self.codes(24, 24), one, one)
        self.refused(TypeError, r"'bias' is float16: convert it, \.to\(torch\.bfloat16\)", ops.fp8_linear, x, weight, one, one, self.normal(24))
        self.refused(TypeError, r"cannot be torch.float32: give torch.float16", ops.fp8_linear, x, weight, one, one, None, torch.float32)

    def test_w4a16(self):
        for dtype in HALVES:
            for rows, inputs, outputs, groups in ((40, 128, 144, 2), (1, 64, 16, 1)):
                codes = self.random.integers(0, 16, (inputs, outputs)).astype(np.uint32)
                packed = sum(codes[:, i::8] << (4 * i) for i in range(8)).view(np.int32)
                x = self.normal(rows, inputs, dtype=dtype)
                scales = (self.normal(groups, outputs, dtype=torch.float32) * 0.1).to(dtype)
                weights = (codes.astype(int) - 8) * wide(scales).repeat(inputs // groups, 0)
                self.near(ops.w4a16_linear(x, self.put(packed), scales), wide(x) @ weights, dtype)

    def test_what_does_not_fit_w4a16(self):
        x, weight, scales = self.normal(4, 64), self.put(np.zeros((64, 2), np.int32)), self.normal(2, 16)
        self.refused(ValueError, r"'x' is of shape \(4, 32\), not \(4, 64\)", ops.w4a16_linear, self.normal(4, 32), weight, scales)
        self.refused(ValueError, "share a row of 'scales' is 16, no multiple of 32", ops.w4a16_linear, x, weight, self.normal(4, 16))
        self.refused(ValueError, "64 inputs do not divide among the 3 rows", ops.w4a16_linear, x, weight, self.normal(3, 16))
        self.refused(ValueError, r"'x' requires a gradient, and there is no derivative: \.detach\(\) it", ops.w4a16_linear, self.normal(4, 64, grad=True), weight,
                     scales)
        self.refused(TypeError, "'weight' is int64: convert it", ops.w4a16_linear, x, weight.to(torch.int64), scales)


class Experts(OperatorTest):
    def test_values(self):
        for dtype in HALVES:
            for ends in ((5, 5, 70, 200), (0, 0, 0, 200), (200, 200, 200, 200), (1, 1, 7, 20), (100, 300, 390, 700)):
                x, weight = self.normal(ends[-1], 48, dtype=dtype), self.normal(4, 72, 48, dtype=dtype)
                y = ops.moe(x, weight, self.put(np.array(ends, np.int32)))
                starts = (0, *ends[:-1])
                wanted = np.concatenate([wide(x)[begin:end] @ wide(weight)[i].T for i, (begin, end) in enumerate(zip(starts, ends))])
                self.near(y, wanted, dtype)
                lying = weight.transpose(1, 2).contiguous().transpose(1, 2)  # the same numbers, as [experts, inputs, outputs]
                self.near(ops.moe(x, lying, self.put(np.array(ends, np.int32))), wanted, dtype)

    def test_derivatives(self):
        for dtype in HALVES:
            for ends in ((5, 5, 70, 200), (0, 0, 0, 0), (1, 1, 7, 20), (100, 130, 130, 390)):
                for lies in (False, True):  # weights as [experts, inputs, outputs]
                    x, rows = self.normal(ends[-1] + 3, 48, dtype=dtype, grad=True), ends[-1] + 3
                    stored = self.normal(4, 48, 72, dtype=dtype, grad=True) if lies else self.normal(4, 72, 48, dtype=dtype, grad=True)
                    weight, g = stored.transpose(1, 2) if lies else stored, self.normal(rows, 72, dtype=dtype)
                    ops.moe(x, weight, self.put(np.array(ends, np.int32))).backward(g)
                    of_x, of_weight = np.zeros((rows, 48)), np.zeros((4, 72, 48))
                    for i, (begin, end) in enumerate(zip((0, *ends[:-1]), ends)):
                        of_x[begin:end] = wide(g)[begin:end] @ wide(weight)[i]
                        of_weight[i] = wide(g)[begin:end].T @ wide(x)[begin:end]
                    self.near(x.grad, of_x, dtype)
                    self.near(stored.grad.transpose(1, 2) if lies else stored.grad, of_weight, dtype)

    def test_what_does_not_fit(self):
        x, weight, ends = self.normal(16, 48), self.normal(4, 72, 48), self.put(np.zeros(4, np.int32))
        self.refused(TypeError, r"'ends' is int64: convert it, \.to\(torch\.int32\)", ops.moe, x, weight, ends.to(torch.int64))
        self.refused(ValueError, r"'x' is of shape \(16, 40\), not \(16, 48\)", ops.moe, self.normal(16, 40), weight, ends)
        self.refused(ValueError, r"'ends' is of shape \(4,\), not \(3,\)", ops.moe, x, self.normal(3, 72, 48), ends)


class Memory(OperatorTest):
    def test_outputs_are_saved_where_a_derivative_reads_them(self):
        saved = []

        class Context:
            def save_for_backward(self, *tensors):
                saved.append([each is not None for each in tensors])

        for saves in (False, True):
            _operator._saver(saves)(Context(), (self.normal(2, 8), 3), (self.normal(2, 8), self.normal(2)))
        self.assertEqual(saved, [[True, False], [True, False, True, True]])


class Plans(OperatorTest):
    def test_one_is_made_for_each_set_of_facts(self):
        made = []

        def plan(x, factor):
            made.append((x.shape, factor))
            return lambda x, factor: (made[-1], x.shape)

        run = _kernels.Planned("tawa::test", plan)
        one, other = self.normal(2, 8), self.normal(4, 8)
        for x, factor in ((one, 1), (self.normal(2, 8), 1), (other, 1), (one, 2), (one, 1), (one.to(torch.bfloat16), 1)):
            run(x, factor)
        self.assertEqual([factor for _, factor in made], [1, 1, 2, 1])

    @unittest.skipUnless(IS_NEW, "before PyTorch 2.4 operators are called as functions")
    def test_what_is_planned_is_called_without_the_dispatcher(self):
        x, weight = self.normal(24, 16, grad=True), self.normal(8, 16, grad=True)
        wanted, g = wide(x) @ wide(weight).T, self.normal(24, 8)

        def gradients():
            x.grad = weight.grad = None
            ops.linear(x, weight).backward(g)
            return x.grad, weight.grad

        with unittest.mock.patch.object(_linear._linear, "op", unittest.mock.Mock(wraps=_linear._linear.op)) as dispatched:
            for calls in (1, 1):  # the first time only
                self.near(ops.linear(x.detach(), weight.detach()), wanted, torch.float16)
                for found, of in zip(gradients(), (wide(g) @ wide(weight), wide(g).T @ wide(x))):
                    self.near(found, of, torch.float16)
                self.assertEqual(dispatched.call_count, calls)
            with unittest.mock.patch.object(_operator, "is_compiling", lambda: True):
                ops.linear(x, weight)
            self.assertEqual(dispatched.call_count, 2)
            with unittest.mock.patch.object(type(x), "is_neg", lambda _: True):
                ops.linear(x, weight)
            self.assertEqual(dispatched.call_count, 3)

    @unittest.skipUnless(IS_STANDIN, "PyTorch makes no subclass of what it does not know")
    def test_subclasses_are_refused(self):
        class Sparse(torch.Tensor):
            pass

        x = self.normal(16, 48)
        x.__class__ = Sparse
        self.refused(TypeError, "tawa::linear takes no .*Sparse", _linear._linear.op, x, self.normal(24, 48), None, "none")


class Tuning(OperatorTest):
    """On the emulator candidates are verified, not timed."""

    def test_a_search_is_profited_from(self):
        x, weight = self.normal(40, 24), self.normal(56, 24)
        kernels, sizes = _kernels.shipped("gemm/linear", torch.float16, "BIAS=0 ACTIVATION=0"), (40, 56, 24)
        y = ops.linear(x, weight)
        given = (x, weight, y, y[0], *sizes)
        chosen = kernels.kernel(x.device, given)
        steps = []
        config = "BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 consumers=1"
        options = {"configs": [f"BIAS=0 ACTIVATION=0 {config}"], "progress": lambda step: steps.append(step.stage), "in_process": True}
        with ops.tuning(**options):
            for _ in range(2):
                self.near(ops.linear(x, weight), wide(x) @ wide(weight).T, torch.float16)
            searched = len(steps)
            ops.linear(x[:8], weight)
        self.assertGreater(len(steps), searched)  # other shapes, another search
        found = kernels.kernel(x.device, given)
        self.assertIn("BLOCK_N=128", found.config)
        self.assertNotIn("BLOCK_N=128", chosen.config)
        again = _kernels.Kernels(kernels._text, kernels._config)  # as another process would
        self.assertEqual(again.kernel(x.device, given).config, found.config)


@unittest.skipUnless(IS_STANDIN and IS_NEW, "for PyTorch's own test of fake implementations see OnGpu")
class Fakes(OperatorTest):
    def test_they_have_the_facts_of_results(self):
        half, one = self.normal, self.put(np.ones(1, np.float32))
        q, lse = half(1, 2, 8, 64), self.put(np.zeros((1, 2, 8), np.float32))
        words = self.put(np.zeros((64, 2), np.int32))
        for operator, inputs in ((_linear._product, (half(8, 16), half(24, 16), False, False)), (_linear._linear, (half(2, 3, 16), half(24, 16), None, "relu")),
                                 (_attention._forward, (q, q, q, True, 0.5)), (_attention._backward, (q, q, q, q, q, lse, True, 0.5)),
                                 (_quantized._fp8, (self.put(np.zeros((4, 16), np.uint8)), self.put(np.zeros((8, 16), np.uint8)), one, one, None, True)),
                                 (_quantized._w4a16, (half(4, 64), words, half(2, 16))), (_moe._moe, (half(4, 8), half(2, 8, 8), self.put(np.array([2, 4], np.int32)))),
                                 (_moe._of_weight, (half(4, 8), half(4, 16), self.put(np.array([2, 4], np.int32))))):
            facts = [[(each.shape, each.dtype, each.stride()) for each in (made if isinstance(made, tuple) else (made,))]
                     for made in (operator.op(*inputs), operator.op.fake(*inputs))]
            self.assertEqual(*facts)


@unittest.skipUnless(IS_NEW and has_gpu(), "no GPU, or a PyTorch before 2.4")
class OnGpu(OperatorTest):
    """What only PyTorch 2 and a GPU have; OnGpu... below repeat the tests above there."""

    device = "cuda"

    def inputs(self):
        """Of each operator that PyTorch knows: what opcheck() calls it with."""
        half, put = self.normal, self.put
        q, k, v = half(2, 4, 128, 64, grad=True), half(2, 2, 128, 64, grad=True), half(2, 2, 128, 64, grad=True)
        codes = lambda *shape: put(self.random.integers(0, 0x7F, shape).astype(np.uint8))
        one, words = put(np.ones(1, np.float32)), put(self.random.integers(-(1 << 31), 1 << 31, (64, 2)).astype(np.int32))
        return ((_linear._product, (half(24, 40, grad=True), half(40, 56, grad=True), False, True)),
                (_linear._linear, (half(2, 24, 40, grad=True), half(56, 40, grad=True), half(56, grad=True), "none")),
                (_linear._linear, (half(2, 24, 40), half(56, 40), None, "gelu")), (_attention._forward, (q, k, v, True, 0.125)),
                (_quantized._fp8, (codes(24, 32), codes(40, 32), one, one, None, True)), (_quantized._w4a16, (half(24, 64), words, half(2, 16))),
                (_moe._moe, (half(100, 48, grad=True), half(4, 72, 48, grad=True), put(np.array([5, 5, 70, 100], np.int32)))),
                (_moe._of_weight, (half(100, 48), half(100, 72), put(np.array([5, 5, 70, 100], np.int32)))))

    def test_what_pytorch_asks_of_operators(self):
        for operator, inputs in self.inputs():
            with self.subTest(operator=operator.name):
                torch.library.opcheck(operator.op, inputs)

    def test_compiled_whole(self):
        """Forward and backward, with sizes that change."""
        weight, bias = self.normal(64, 128, grad=True), self.normal(64, grad=True)

        def function(x, heads):
            y = ops.linear(x, weight, bias, "gelu")
            return ops.attention(heads, heads * 0.5, heads, causal=True).sum() + (y * 2).sum()

        for mode in (None, "reduce-overhead"):
            torch._dynamo.reset()
            compiled = torch.compile(function, fullgraph=True, mode=mode)
            for rows in (32, 48, 48, 48):
                x, heads = self.normal(rows, 128, grad=True), self.normal(1, 2, rows, 64, grad=True)
                results = []
                for each in (function, compiled):
                    each(x, heads).backward()
                    results.append([tensor.grad.clone() for tensor in (x, heads, weight, bias)])
                    for tensor in (x, heads, weight, bias):
                        tensor.grad = None
                for expected, found in zip(*results):
                    torch.testing.assert_close(found, expected, rtol=2e-2, atol=2e-2)

    def test_inference_compiled_whole(self):
        for operator, inputs in self.inputs():
            with torch.no_grad(), self.subTest(operator=operator.name):
                torch._dynamo.reset()
                inputs = tuple(each.detach() if isinstance(each, torch.Tensor) else each for each in inputs)
                found = torch.compile(lambda *given, call=operator: call(*given), fullgraph=True)(*inputs)
                torch.testing.assert_close(found, operator(*inputs), rtol=1e-2, atol=1e-2, equal_nan=True)

    def test_graphs(self):
        """Captured once, replayed on other data; nothing waits in between."""
        x, q, ends = self.normal(64, 128), self.normal(1, 2, 128, 64), self.put(np.array([10, 64], np.int32))
        weight, experts = self.normal(64, 128), self.normal(2, 64, 128)
        function = lambda: (ops.linear(x, weight, activation="silu"), ops.attention(q, q, q, causal=True), ops.moe(x, experts, ends))
        function()  # compiles and loads
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            captured = function()
        x.mul_(0.5)
        q.mul_(0.5)
        ends.copy_(self.put(np.array([40, 64], np.int32)))
        graph.replay()
        for found, expected in zip(captured, function()):
            self.assertTrue(torch.equal(found, expected))

    def test_training_step_in_a_graph(self):
        x, weight, q = self.normal(64, 128), self.normal(64, 128, grad=True), self.normal(1, 2, 128, 64, grad=True)

        def step():
            return torch.autograd.grad(ops.linear(x, weight).sum() + ops.attention(q, q, q).sum(), (weight, q))

        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            step()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            captured = step()
        x.add_(1)
        graph.replay()
        for found, expected in zip(captured, step()):
            torch.testing.assert_close(found, expected, rtol=1e-2, atol=1e-2)  # dQ is added up in no fixed order

    def test_tools_of_pytorch_see_calls_that_are_planned(self):
        from torch._subclasses.fake_tensor import FakeTensorMode
        from torch.fx.experimental.proxy_tensor import make_fx

        x, weight = self.normal(64, 128), self.normal(64, 128)
        expected = ops.linear(x, weight)
        self.assertTrue(torch.equal(ops.linear(x, weight), expected))
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
            ops.linear(x, weight)
        self.assertIn("tawa::linear", [event.key for event in profile.key_averages()])
        self.assertIn("tawa.linear", str(make_fx(lambda *given: ops.linear(*given))(x, weight).code))
        with FakeTensorMode() as mode:
            self.assertEqual(ops.linear(mode.from_tensor(x), mode.from_tensor(weight)).shape, expected.shape)

    def test_tensors_of_float8(self):
        x, weight = (self.put(self.random.integers(0, 0x3F, (64, 64)).astype(np.uint8)) for _ in range(2))
        one = self.put(np.ones(1, np.float32))
        found, expected = (ops.fp8_linear(*(each.view(dtype) for each in (x, weight)), one, one) for dtype in (torch.float8_e4m3fn, torch.uint8))
        self.assertTrue(torch.equal(found, expected))

    def test_they_run_on_the_current_stream(self):
        x, weight, side = self.normal(64, 128), self.normal(64, 128), torch.cuda.Stream()
        expected = ops.linear(x, weight)
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            torch.cuda._sleep(200_000_000)  # some 100 ms of that stream
            y = ops.linear(x, weight)
            self.assertFalse(side.query())
        side.synchronize()
        self.assertTrue(torch.equal(y, expected))

    def test_against_pytorch(self):
        import torch.nn.functional as F

        for dtype in HALVES:
            x, weight, bias = (self.normal(*shape, dtype=dtype, grad=True) for shape in ((512, 1024), (768, 1024), (768,)))
            q, k, v = (self.normal(2, 4, 512, 128, dtype=dtype, grad=True) for _ in range(3))
            for ours, theirs, tensors in ((lambda: ops.linear(x, weight, bias), lambda: F.linear(x, weight, bias), (x, weight, bias)),
                                          (lambda: ops.attention(q, k, v, True), lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True), (q, k, v))):
                g = torch.randn_like(theirs())
                for found, expected in zip(*((each(), *torch.autograd.grad(each(), tensors, g)) for each in (ours, theirs))):
                    scale = float(expected.abs().max())
                    torch.testing.assert_close(found, expected, rtol=0, atol=scale * (4e-3 if dtype == torch.float16 else 3e-2))


for _case in (Linear, Attention, Quantized, Experts):  # the same with a GPU
    _name = f"OnGpu{_case.__name__}"
    globals()[_name] = unittest.skipUnless(IS_NEW and has_gpu(), "no GPU, or a PyTorch before 2.4")(type(_name, (_case,), {"device": "cuda"}))


if __name__ == "__main__":
    print(f"PyTorch {torch.__version__}", file=sys.stderr)
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
