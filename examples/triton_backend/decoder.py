#!/usr/bin/env python3
"""A decoder's layers under torch.compile, and a kernel of the user's own, on Tawa's Triton back end.

usage: decoder.py; needs a Hopper GPU, PyTorch 2.11 and Triton 3.6. TAWA_TRITON=off: the same on Triton.
"""

import os
import time

import torch
import torch.nn.functional as F
import triton
import triton.language as tl
from torch import nn

import tawa.triton

tawa.triton.enable()  # the one line


@triton.jit
def gated_kernel(both, out, inner, BLOCK: tl.constexpr):
    """silu(gate) * up, for one row of (gate, up)."""
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    gate = tl.load(both + row * 2 * inner + at, mask=at < inner).to(tl.float32)
    up = tl.load(both + row * 2 * inner + inner + at, mask=at < inner).to(tl.float32)
    tl.store(out + row * inner + at, (gate * tl.sigmoid(gate) * up).to(out.dtype.element_ty), mask=at < inner)


def gated(both):
    inner = both.shape[-1] // 2
    out = torch.empty(*both.shape[:-1], inner, device=both.device, dtype=both.dtype)
    gated_kernel[(out.numel() // inner,)](both, out, inner, BLOCK=triton.next_power_of_2(inner))
    return out


class Layer(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads, self.norms = heads, nn.ModuleList([nn.RMSNorm(width), nn.RMSNorm(width)])
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.both, self.down = nn.Linear(width, 2 * inner, bias=False), nn.Linear(inner, width, bias=False)

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(self.norms[0](x)).chunk(3, -1))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
        return x + self.down(gated(self.both(self.norms[1](x))))


def main():
    torch.manual_seed(0)
    model = nn.Sequential(*(Layer(1024, 16, 2816) for _ in range(4))).cuda().bfloat16().eval()
    x = torch.randn(2, 512, 1024, device="cuda", dtype=torch.bfloat16)
    with torch.no_grad():
        expected = model(x)
        for mode in (None, "reduce-overhead"):
            torch._dynamo.reset()
            compiled = torch.compile(model, mode=mode)
            begun = time.perf_counter()
            found = compiled(x).clone()
            torch.cuda.synchronize()
            first, difference = time.perf_counter() - begun, (found - expected).abs().max().item()
            print(f"mode {mode}: first call {first:.1f} s, largest difference {difference:.3g}, "
                  f"{milliseconds(lambda: compiled(x)):.3f} ms a call")  # pylint: disable=cell-var-from-loop
    print(tawa.triton.report())


def milliseconds(call, calls=50):
    for _ in range(10):
        call()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(calls):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / calls


if __name__ == "__main__":
    print("TAWA_TRITON =", os.environ.get("TAWA_TRITON", "(not set)"))
    main()
