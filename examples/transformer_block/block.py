#!/usr/bin/env python3
"""A transformer block in PyTorch whose products and attention are operators of tawa.torch, and some steps of its training.

usage: block.py [--tune]; on a Hopper GPU with PyTorch 2.4 or later, else tiny, on the CPU, where the emulator runs the kernels.
--tune: search the fastest configurations first, for some minutes; later runs find them in the cache.
"""

import math
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

from tawa.torch import attention, linear, tuning


class Block(nn.Module):
    """Causal attention, then two layers with silu in between; each after a normalization and beside a way around it."""

    def __init__(self, width, heads, device):
        super().__init__()

        def weight(outputs, inputs):
            return nn.Parameter(torch.randn(outputs, inputs, device=device, dtype=torch.bfloat16) * (1 / math.sqrt(inputs)))

        self.heads = heads
        self.qkv, self.out = weight(3 * width, width), weight(width, width)
        self.up, self.down = weight(4 * width, width), weight(width, 4 * width)
        self.bias = nn.Parameter(torch.zeros(4 * width, device=device, dtype=torch.bfloat16))

    def forward(self, x):
        q, k, v = self.split(linear(norm(x), self.qkv))
        mixed = attention(q, k, v, causal=True)
        x = x + linear(mixed.transpose(1, 2).reshape(*x.shape), self.out)
        return x + linear(linear(norm(x), self.up, self.bias, "silu"), self.down)

    def split(self, qkv):
        """[batch, rows, 3 * width] to three of [batch, heads, rows, head dim], contiguous as the operators want them."""
        batch, rows, _ = qkv.shape
        parts = qkv.reshape(batch, rows, 3, self.heads, -1).permute(2, 0, 3, 1, 4).contiguous()
        return parts[0], parts[1], parts[2]


def norm(x):
    return F.layer_norm(x, x.shape[-1:])


def plain(block, x):
    """The same in PyTorch's own operations and single precision."""
    qkv, out, up, down, bias = (each.detach().float() for each in (block.qkv, block.out, block.up, block.down, block.bias))
    q, k, v = block.split(norm(x) @ qkv.transpose(0, 1))
    hidden = torch.triu(torch.full((x.shape[1], x.shape[1]), -math.inf, device=x.device), 1)
    weights = torch.softmax(q @ k.transpose(2, 3) * (1 / math.sqrt(q.shape[-1])) + hidden, -1)
    x = x + (weights @ v).transpose(1, 2).reshape(*x.shape) @ out.transpose(0, 1)
    return x + F.silu(norm(x) @ up.transpose(0, 1) + bias) @ down.transpose(0, 1)


def train(block, x, target, steps):
    """Losses of some steps of gradient descent, each a tenth of a weight's length."""
    losses = []
    for _ in range(steps):
        loss = ((block(x).float() - target) ** 2).mean()
        loss.backward()
        losses.append(float(loss))
        with torch.no_grad():
            for each in block.parameters():
                each.add_(each.grad, alpha=-0.1 * float(each.norm() / each.grad.norm()))
                each.grad = None
    return losses


def milliseconds(call, calls=20):
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    begun = time.perf_counter()
    for _ in range(calls):
        call()
    torch.cuda.synchronize()
    return 1e3 * (time.perf_counter() - begun) / calls


def compare_times(block, x):
    """Forward and backward, as PyTorch calls the operators one by one, and under torch.compile."""
    compiled = torch.compile(block, fullgraph=True)
    for name, function in (("eager", block), ("torch.compile, one graph", compiled)):
        print(f"{name}: {milliseconds(lambda: function(x).sum().backward()):.3f} ms a step")  # pylint: disable=cell-var-from-loop


def main():
    torch.manual_seed(1)
    has_gpu = torch.cuda.is_available()
    batch, rows, width, heads = (4, 1024, 1024, 8) if has_gpu else (1, 32, 128, 2)
    device = "cuda" if has_gpu else "cpu"
    block = Block(width, heads, device)
    x = torch.randn(batch, rows, width, device=device, dtype=torch.bfloat16)
    target = torch.randn(batch, rows, width, device=device)
    print(f"PyTorch {torch.__version__}, {device}: {batch} x {rows} rows of {width}, {heads} heads")
    if "--tune" in sys.argv[1:]:
        with tuning(budget_seconds=30):
            block(x).sum().backward()
    with torch.no_grad():
        difference = float((block(x).float() - plain(block, x.float())).abs().max())
    print(f"largest difference to single precision: {difference:.3f}")
    losses = train(block, x, target, 4)
    print("losses:", ", ".join(f"{each:.3f}" for each in losses))
    if has_gpu:
        compare_times(block, x)
    assert difference < 0.1 and losses[-1] < losses[0]


if __name__ == "__main__":
    main()
