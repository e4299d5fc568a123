"""Tiles with extents that are no powers of two but multiples of 8: every kind of operation that works on their parts."""

import products
import shapes
from texts import Text, tile

COPIED = ([96], [24], [4, 96], [96, 4], [48, 40], [2, 24, 4], [2, 4, 56])
REDUCED = (([96], 0), ([16, 96], 0), ([16, 96], 1), ([48, 24], 0), ([48, 24], 1), ([4, 8, 24], 2))
PRODUCTS = ((64, 96, 32), (48, 16, 32), (32, 32, 48), (128, 192, 64), (96, 160, 96), (192, 64, 64))


def copies():
    for shape in COPIED:
        for dtype in ("i8", "f16", "f32", "i64"):
            text = Text()
            text.output(text.input(dtype, shape), dtype, shape)
            yield f"copy {dtype} of {shape}", text


def sums():
    for shape, axis in REDUCED:
        for dtype, operation in (("f32", "arith.addf"), ("i32", "arith.maxsi")):
            text = Text()
            found, left = shapes.folded(text, "tt.reduce", operation, text.input(dtype, shape), dtype, shape, axis)
            if left:
                text.output(found, dtype, left)
            else:
                text.output_scalar(found, dtype)
            yield f"{operation} {dtype} of {shape} along {axis}", text
    for dtype in ("f32", "i32"):
        yield f"argmax {dtype} of [16, 96] along 1", shapes.extreme("ogt", "sgt", dtype, [16, 96], 1)
        text = Text()
        found, shape = shapes.folded(text, "tt.scan", "arith.addf" if dtype == "f32" else "arith.addi", text.input(dtype, [8, 96]), dtype, [8, 96], 0)
        text.output(found, dtype, shape)
        yield f"scan {dtype} of [8, 96] along 0", text


def moves():
    text = Text()
    text.output(text.op(f"tt.trans {text.input('f16', [24, 96])} {{order = array<i32: 1, 0>}} : {tile([24, 96], 'f16')} -> {tile([96, 24], 'f16')}"), "f16", [96, 24])
    yield "trans [24, 96]", text
    text = Text()
    text.output(text.reshape(text.input("f32", [4, 2, 96]), "f32", [4, 2, 96], [8, 96]), "f32", [8, 96])
    yield "reshape [4, 2, 96] to [8, 96]", text
    text = Text()
    value, shape = text.input("f32", [96]), tile([96], "f32")
    joined = text.op(f"tt.join {value}, {text.op(f'arith.negf {value} : {shape}')} : {shape} -> {tile([96, 2], 'f32')}")
    text.output(joined, "f32", [96, 2])
    yield "join [96]", text
    text = Text()
    rows = text.broadcast(text.expand(text.input("f32", [96]), "f32", [96], 1), "f32", [96, 1], [96, 24])
    columns = text.broadcast(text.expand(text.input("f32", [24]), "f32", [24], 0), "f32", [1, 24], [96, 24])
    less = text.op(f"arith.cmpf olt, {rows}, {columns} : {tile([96, 24], 'f32')}")
    text.output(text.op(f"arith.select {less}, {rows}, {columns} : {tile([96, 24], 'i1')}, {tile([96, 24], 'f32')}"), "f32", [96, 24])
    yield "outer minimum [96, 24]", text
    text = Text()
    text.output(text.op(f"arith.constant dense<[{', '.join(map(str, range(24)))}]> : {tile([24], 'i32')}"), "i32", [24])
    yield "constant [24]", text


def extents():
    yield from copies()
    yield from sums()
    yield from moves()
    for m, n, k in PRODUCTS:
        yield f"product {m}x{n}x{k}", products.dot("f16", "f16", "f32", m, n, k)


FEATURES = {"extents between powers of two": extents}
