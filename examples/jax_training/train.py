#!/usr/bin/env python3
"""A training step in JAX whose activation is a kernel of Tawa, with a second kernel for its derivative.

A network of two layers learns y = sin(3 x) by gradient descent. The activation is gelu in its tanh-free form, x * sigmoid(1.702 x);
forward and backward are texts below. The same step with the activation written in jax.numpy runs beside it.

usage: train.py [STEPS]; needs JAX 0.11 and the package `tawa`; a Hopper GPU, or JAX_PLATFORMS=cpu for the emulator
"""

import sys
import time

import jax
import jax.numpy as jnp

import tawa.jax

# Every program handles 256 elements. %g is the gradient of the output, %y what is written; the forward form ignores %g.
TEXT = """// tawa.grid ceildiv(n, 256)
module {
  tt.func public @NAME(%x: !tt.ptr<f32>, %g: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %size = arith.constant 256 : i32
    %program = tt.get_program_id x : i32
    %begin = arith.muli %program, %size : i32
    %first = tt.splat %begin : i32 -> tensor<256xi32>
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %at = arith.addi %first, %range : tensor<256xi32>
    %end = tt.splat %n : i32 -> tensor<256xi32>
    %mask = arith.cmpi slt, %at, %end : tensor<256xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %gs = tt.splat %g : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %pg = tt.addptr %gs, %at : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %py = tt.addptr %ys, %at : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %vx = tt.load %px, %mask : tensor<256x!tt.ptr<f32>>
    %vg = tt.load %pg, %mask : tensor<256x!tt.ptr<f32>>
    %one = arith.constant dense<1.0> : tensor<256xf32>
    %c = arith.constant dense<-1.702> : tensor<256xf32>
    %k = arith.constant dense<1.702> : tensor<256xf32>
    %t = arith.mulf %vx, %c : tensor<256xf32>
    %e = math.exp %t : tensor<256xf32>
    %d = arith.addf %e, %one : tensor<256xf32>
    %s = arith.divf %one, %d : tensor<256xf32>
    %a = arith.mulf %vx, %s : tensor<256xf32>
BODY
    tt.store %py, %r, %mask : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
"""
FORWARD = TEXT.replace("NAME", "activation").replace("BODY", "    %r = arith.mulf %a, %one : tensor<256xf32>")
# (x s(x))' = s + k x s (1 - s)
BACKWARD = TEXT.replace("NAME", "activation_gradient").replace("BODY", """    %u = arith.subf %one, %s : tensor<256xf32>
    %v = arith.mulf %a, %u : tensor<256xf32>
    %w = arith.mulf %v, %k : tensor<256xf32>
    %z = arith.addf %s, %w : tensor<256xf32>
    %r = arith.mulf %z, %vg : tensor<256xf32>""")


def launch(text, x, g):
    return tawa.jax.call(text, x, g, tawa.jax.OUT, x.size, out=jax.ShapeDtypeStruct(x.shape, x.dtype))


@jax.custom_vjp
def activation(x):
    return launch(FORWARD, x, x)


activation.defvjp(lambda x: (activation(x), x), lambda x, g: (launch(BACKWARD, x, g),))


def reference(x):
    return x * jax.nn.sigmoid(1.702 * x)


def predict(weights, x, function):
    return function(x @ weights["in"] + weights["bias"]) @ weights["out"]


def make_step(function):
    def loss(weights, x, y):
        return jnp.mean((predict(weights, x, function) - y) ** 2)

    @jax.jit
    def step(weights, x, y):
        value, gradient = jax.value_and_grad(loss)(weights, x, y)
        return jax.tree.map(lambda weight, slope: weight - 0.05 * slope, weights, gradient), value

    return step


def train(function, steps):
    first, second = jax.random.split(jax.random.key(1))
    weights = {"in": jax.random.normal(first, (1, 64)), "bias": jnp.zeros(64), "out": jax.random.normal(second, (64, 1)) / 8}
    x = jnp.linspace(-1, 1, 128, dtype=jnp.float32)[:, None]
    step, y, losses = make_step(function), jnp.sin(3 * x), []
    for number in range(steps):
        if number == 1:
            begin = time.perf_counter()
        weights, value = step(weights, x, y)
        losses.append(float(value))
    return losses, (time.perf_counter() - begin) / (steps - 1)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    ours, ours_seconds = train(activation, steps)
    theirs, theirs_seconds = train(reference, steps)
    print(f"JAX {jax.__version__} on {jax.devices()[0]}, {steps} steps")
    print(f"kernels of Tawa: loss {ours[0]:.5f} to {ours[-1]:.5f}, {1e3 * ours_seconds:.3f} ms a step")
    print(f"jax.numpy:       loss {theirs[0]:.5f} to {theirs[-1]:.5f}, {1e3 * theirs_seconds:.3f} ms a step")
    difference = max(abs(a - b) for a, b in zip(ours, theirs))
    print(f"largest difference of the losses {difference:.2e}")
    assert difference < 1e-3 and ours[-1] < ours[0] / 2


if __name__ == "__main__":
    main()
