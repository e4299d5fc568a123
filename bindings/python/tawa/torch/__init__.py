"""Operators of PyTorch from kernels, which torch.compile and CUDA graphs know, with derivatives where they are given.

Ready ones, over the texts that come with the package: linear, attention, fp8_linear, w4a16_linear, moe. And one's own:

    scale = tawa.torch.operator(
        "mylib::scale(Tensor x, float by) -> Tensor", text,
        outputs=lambda x, by: torch.empty_like(x),
        arguments=lambda y, x, by: (x, y, x.numel(), by))
    y = scale(x, 2.0)

Every operator takes the configuration that a search has found for its shapes, else what the performance model prefers:

    with tawa.torch.tuning(budget_seconds=30):
        model(x)                                  # searches, once for each operator and its shapes

Needs PyTorch 1.13, torch.compile 2.4. An operator is defined once per process.
"""

from ._attention import attention
from ._kernels import tuning
from ._linear import linear
from ._moe import moe
from ._operator import Operator, operator
from ._quantized import fp8_linear, w4a16_linear

__all__ = ["Operator", "attention", "fp8_linear", "linear", "moe", "operator", "tuning", "w4a16_linear"]
