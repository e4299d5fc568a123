#!/usr/bin/env python3
"""Draws products at random, for `drawn.txt`; the distribution was written down before anything of it was measured.

M is log-uniform from 1 to 16384. N and K are a layer of a published model, all layers equally likely. In one product of four both are replaced:
in one of eight by numbers that are multiples of 8 (rows of 16-bit elements that TMA takes) and of no larger power of two, in one of
eight by odd numbers, each within a fifth of the layer's.

With --long-sums, products have few tiles and long sums, as the gradients of small weights have: M and N log-uniform from 64 to 2048, K from
4096 to 131072, all in multiples of 8.

With --gradient, products are those that a training step computes of the same layers for M tokens from 64 on: of the input, [M,N] times [N,K], or
of the weights, [N,M] times [M,K].

usage: draw.py [--seed N] [--count N] [--long-sums | --gradient input|weight]
"""

import argparse
import math
import random

#: (model, hidden, rows of q, k and v together, inner width of the feed-forward)
MODELS = (
    ("llama3-8b", 4096, 6144, 14336), ("llama3-70b", 8192, 10240, 28672), ("llama3-405b", 16384, 18432, 53248), ("mistral-7b", 4096, 6144, 14336),
    ("qwen2.5-7b", 3584, 4608, 18944), ("qwen2.5-72b", 8192, 10240, 29568), ("gemma2-9b", 3584, 8192, 14336), ("gemma2-27b", 4608, 8192, 36864),
    ("phi3-mini", 3072, 9216, 8192), ("phi4", 5120, 7680, 17920), ("gpt3-6.7b", 4096, 12288, 16384), ("bert-large", 1024, 3072, 4096),
    ("vit-huge", 1280, 3840, 5120), ("falcon-7b", 4544, 4672, 18176), ("gpt2-xl", 1600, 4800, 6400), ("t5-11b", 1024, 16384, 65536),
)
LARGEST_M, FEWEST_TRAINED = 16384, 64
LONG_SUMS = (64, 2048), (64, 2048), (4096, 131072)  # from and to, of M, N and K


def layers():
    for model, hidden, qkv, inner in MODELS:
        yield f"{model}.qkv", qkv, hidden
        yield f"{model}.out", hidden, hidden
        yield f"{model}.up", inner, hidden
        yield f"{model}.down", hidden, inner


def near(generator, size):
    return generator.randint(size * 4 // 5, size * 6 // 5)


def draw_long_sum(generator):
    m, n, k = (round(math.exp(generator.uniform(*map(math.log, ends)))) // 8 * 8 for ends in LONG_SUMS)
    return "long-sum", m, n, k


def draw(generator, fewest=1):
    m = max(fewest, round(math.exp(generator.uniform(math.log(fewest), math.log(LARGEST_M)))))
    name, n, k = generator.choice(list(layers()))
    kind = generator.randrange(8)
    if kind == 0:
        return f"{name}.by8", m, near(generator, n) // 16 * 16 + 8, near(generator, k) // 16 * 16 + 8
    if kind == 1:
        return f"{name}.odd", m, near(generator, n) | 1, near(generator, k) | 1
    return name, m, n, k


def draw_gradient(generator, of):
    name, tokens, n, k = draw(generator, FEWEST_TRAINED)
    return (f"{name}.{of}", tokens, k, n) if of == "input" else (f"{name}.{of}", n, k, tokens)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20261123)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--long-sums", action="store_true")
    parser.add_argument("--gradient", choices=("input", "weight"))
    options = parser.parse_args()
    generator = random.Random(options.seed)
    kind = " --long-sums" if options.long_sums else f" --gradient {options.gradient}" if options.gradient else ""
    print(f"# name M N K, by draw.py --seed {options.seed} --count {options.count}{kind}")
    for _ in range(options.count):
        if options.gradient:
            print(*draw_gradient(generator, options.gradient))
        else:
            print(*(draw_long_sum if options.long_sums else draw)(generator))


if __name__ == "__main__":
    main()
