#!/usr/bin/env python3
"""FP8 attention forward: Tawa's e4m3 kernels and cuDNN's FP16 attention on the same numbers, in turns; table and JSON.

    attention_fp8_bench.py [--config "D=2 persistent=1"]... [--lengths 1024,2048] [--kinds full,causal]

The kernels are tests/kernels/attention/fwd_fp8.mlir and fwd_fp8_causal.mlir: head dim 128, [B*H*L, 128] row by row, V as the others.
PyTorch has no FP8 attention; cuDNN in FP16 stands beside it, so that runs can be compared through it. Results are compared with a
float64 product and softmax of the same e4m3 numbers over sampled rows. P has the 4 bits of e4m3, so the output is off by some
2.6 percent of its norm; the log-sum-exp is not affected.
"""

import os
import sys

import attention_bench
import prepared
import tawa

OUTPUT_TOLERANCE, LSE_TOLERANCE = 4e-2, 2e-3
Q_SCALE, K_SCALE, V_SCALE = 1.25, 0.8, 0.5


class Fp8Problem(attention_bench.Problem):
    """Normal numbers rounded to e4m3, in FP16 for the peer as well. The scales of Q and K undo each other."""

    def __init__(self, torch, *arguments, **options):
        super().__init__(torch, *arguments, **options)
        self.narrow = [x.to(torch.float8_e4m3fn) for x in (self.q, self.k, self.v)]
        self.q, self.k, self.v = (x.half() for x in self.narrow)
        self._sample()
        self.reference *= V_SCALE


class Fp8Text(attention_bench.Text):
    def __init__(self, kind, head_dim):
        self.path = os.path.join(attention_bench.KERNELS, "attention", "fwd_fp8" + ("_causal" if kind == "causal" else "") + ".mlir")
        self.setting, self.tiles = "", [""]
        with open(self.path, encoding="utf-8") as stream:
            self.text = stream.read()

    def arguments(self, problem):
        shape = (problem.heads * problem.length, problem.head_dim)
        return [
            *(tawa.tensor("f8e4m3", shape, x.data_ptr()) for x in problem.narrow),
            tawa.tensor("f16", shape, problem.output.data_ptr()),
            tawa.tensor("f32", shape[:1], problem.lse.data_ptr()),
            *(tawa.scalar("f32", x) for x in (problem.scale, Q_SCALE, K_SCALE, V_SCALE)),
            tawa.scalar("i32", problem.length),
            tawa.scalar("i32", problem.heads),
        ]


def main():
    suite = attention_bench.Suite(Fp8Problem, Fp8Text, OUTPUT_TOLERANCE, LSE_TOLERANCE)
    sys.exit(attention_bench.run(suite, attention_bench.parse_options(__doc__, peers="cudnn")))


if __name__ == "__main__":
    main()
