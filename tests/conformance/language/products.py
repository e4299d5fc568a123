"""tt.dot and tt.dot_scaled: types, shapes and precisions."""

from texts import EIGHTHS, Text, tile

SHAPES = ((16, 16, 16), (16, 8, 32), (32, 32, 32), (64, 64, 32), (128, 64, 64), (64, 128, 32), (128, 256, 32), (16, 64, 128), (256, 16, 32))


def dot(a, b, c, m, n, k, how="", batch=(), zero=False):
    """C = A B + C."""
    text = Text()
    left, right = (text.input(dtype, [*batch, *shape], values(dtype)) for dtype, shape in ((a, [m, k]), (b, [k, n])))
    shapes = [[*batch, *each] for each in ((m, k), (k, n), (m, n))]
    to = text.const(0, c, shapes[2]) if zero else text.input(c, shapes[2])
    made = text.op(f"tt.dot {left}, {right}, {to}{how} : {tile(shapes[0], a)} * {tile(shapes[1], b)} -> {tile(shapes[2], c)}")
    text.output(made, c, shapes[2])
    return text


def values(dtype):
    return "-2..2" if dtype in EIGHTHS else ""


def dots():
    kinds = [(each, each, "f32", "") for each in ("f16", "bf16", *EIGHTHS)] + [("f8E4M3FN", "f8E5M2", "f32", ""), ("f16", "f16", "f16", ""), ("i8", "i8", "i32", ""),
             ("f64", "f64", "f64", "")]
    kinds += [("f32", "f32", "f32", f", inputPrecision = {each}") for each in ("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6")]
    for a, b, c, how in kinds:
        for m, n, k in SHAPES:
            if not (BYTES.get(a, 2) * k < 32 or (a == "f64" and m * n > 4096)):
                yield f"{a} x {b} to {c}{how.replace(', inputPrecision =', ',')} {m}x{n}x{k}", dot(a, b, c, m, n, k, how)
    for m, n, k in ((8, 16, 16), (1, 16, 16), (16, 1, 16), (1, 1, 16), (16, 16, 8), (2, 2, 2)):
        for a, c in (("f16", "f32"), ("f32", "f32")):
            yield f"{a} to {c} {m}x{n}x{k}", dot(a, a, c, m, n, k)
    for a, c in (("f16", "f32"), ("f32", "f32"), ("i8", "i32"), ("f8E4M3FN", "f32")):
        yield f"{a} batched", dot(a, a, c, 32, 32, 32, batch=(4,))
    for bound in (0, 32, 64, 1 << 30):
        yield f"f8E4M3FN, sums of {bound} imprecise", dot("f8E4M3FN", "f8E4M3FN", "f32", 64, 64, 128, f" {{maxNumImpreciseAcc = {bound} : i32}}")


BYTES = {"i8": 1, "f8E4M3FN": 1, "f8E5M2": 1, "f32": 4, "f64": 8}


def loops():
    """Products that a loop sums, from memory: what becomes roles."""
    for a, c in (("f16", "f32"), ("bf16", "f32"), ("f8E4M3FN", "f32"), ("i8", "i32"), ("f32", "f32")):
        for m, n, k in ((64, 64, 64), (128, 128, 64), (128, 64, 32)):
            for transposed in (False, True):
                text, depth = Text(), 3 * k
                left = text.descriptor(a, [m, k], [m, depth], values(a))
                right = text.descriptor(a, [n, k] if transposed else [k, n], [n, depth] if transposed else [depth, n], values(a))
                zero, step, end = (text.const(each, "i32") for each in (0, k, depth))
                start, total = text.const(0, c, [m, n]), text.name()
                text.line(f"{total} = scf.for %at = {zero} to {end} step {step} iter_args(%sum = {start}) -> ({tile([m, n], c)}) : i32 {{")
                text.line(f"  %a = tt.descriptor_load {left}[{zero}, %at] : !tt.tensordesc<{tile([m, k], a)}> -> {tile([m, k], a)}")
                if transposed:
                    text.line(f"  %t = tt.descriptor_load {right}[{zero}, %at] : !tt.tensordesc<{tile([n, k], a)}> -> {tile([n, k], a)}")
                    text.line(f"  %b = tt.trans %t {{order = array<i32: 1, 0>}} : {tile([n, k], a)} -> {tile([k, n], a)}")
                else:
                    text.line(f"  %b = tt.descriptor_load {right}[%at, {zero}] : !tt.tensordesc<{tile([k, n], a)}> -> {tile([k, n], a)}")
                text.line(f"  %next = tt.dot %a, %b, %sum, inputPrecision = tf32 : {tile([m, k], a)} * {tile([k, n], a)} -> {tile([m, n], c)}")
                text.line(f"  scf.yield %next : {tile([m, n], c)}")
                text.line("}")
                text.output(total, c, [m, n])
                yield f"{a} {m}x{n}x{k}{', B by columns' if transposed else ''}", text


def scaled():
    codes = {"e4m3": ("f8E4M3FN", 1), "e5m2": ("f8E5M2", 1), "e2m1": ("i8", 2), "bf16": ("bf16", 1), "fp16": ("f16", 1)}
    for left, right in (("e4m3", "e4m3"), ("e5m2", "e5m2"), ("e4m3", "e2m1"), ("e2m1", "e2m1"), ("bf16", "e2m1"), ("fp16", "e4m3"), ("bf16", "e4m3")):
        for m, n, k in ((32, 32, 64), (64, 32, 128)):
            text, (a, a_packs), (b, b_packs) = Text(), codes[left], codes[right]
            shapes = ([m, k // a_packs], [k // b_packs, n], [m, n])
            operands = [text.input(dtype, shape, values(dtype)) for dtype, shape in ((a, shapes[0]), (b, shapes[1]))]
            scales = [None if left in ("bf16", "fp16") else text.input("i8", [m, k // 32], "120..130"), text.input("i8", [n, k // 32], "120..130")]
            words = [f"{operand} scale {scale}" if scale else operand for operand, scale in zip(operands, scales)]
            types = [f"{tile(shape, dtype)}, {tile([rows, k // 32], 'i8')}" if scale else tile(shape, dtype)
                     for shape, dtype, rows, scale in zip(shapes, (a, b), (m, n), scales)]
            made = text.op(f"tt.dot_scaled {', '.join(words)}, {text.input('f32', shapes[2])} lhs = {left} rhs = {right} {{fastMath = false}} : "
                           f"{' * '.join(types)} -> {tile(shapes[2], 'f32')}")
            text.output(made, "f32", shapes[2])
            yield f"{left} x {right} {m}x{n}x{k}", text


def epilogues():
    """What kernels do with a product before they store it."""
    m, n, k = 64, 64, 32
    for a in ("f16", "bf16", "f8E4M3FN", "f32"):
        for what in ("rows added", "columns added", "transposed", "scaled by a number", "normalized rows", "product of a product", "operands transposed"):
            text, whole = Text(), [m, n]
            left, right, how = text.input(a, [m, k], values(a)), text.input(a, [k, n], values(a)), ", inputPrecision = tf32"
            if what == "operands transposed":
                left = text.op(f"tt.trans {text.input(a, [k, m], values(a))} {{order = array<i32: 1, 0>}} : {tile([k, m], a)} -> {tile([m, k], a)}")
                right = text.op(f"tt.trans {text.input(a, [n, k], values(a))} {{order = array<i32: 1, 0>}} : {tile([n, k], a)} -> {tile([k, n], a)}")
            types = f"{tile([m, k], a)} * {tile([k, n], a)} -> {tile(whole, 'f32')}"
            made, shape = text.op(f"tt.dot {left}, {right}, {text.const(0, 'f32', whole)}{how} : {types}"), whole
            if what in ("rows added", "columns added"):
                axis = what == "columns added"
                line = text.expand(text.input("f32", [m]), "f32", [m], int(axis))
                made = text.op(f"arith.addf {made}, {text.broadcast(line, 'f32', [m, 1] if axis else [1, n], whole)} : {tile(whole, 'f32')}")
            elif what == "transposed":
                made, shape = text.op(f"tt.trans {made} {{order = array<i32: 1, 0>}} : {tile(whole, 'f32')} -> {tile([n, m], 'f32')}"), [n, m]
            elif what == "scaled by a number":
                made = text.op(f"arith.mulf {made}, {text.splat(text.scalar('f32', 0.5), 'f32', whole)} : {tile(whole, 'f32')}")
            elif what == "normalized rows":
                powers = text.op(f"math.exp {text.op(f'arith.mulf {made}, {text.const(0.125, chr(102) + str(32), whole)} : {tile(whole, chr(102) + str(32))}')} : {tile(whole, 'f32')}")
                total = text.name()
                text.region(f'{total} = "tt.reduce"({powers}) <{{axis = 1 : i32}}>', ["%a: f32", "%b: f32"], ["%c = arith.addf %a, %b : f32", "tt.reduce.return %c : f32"],
                            f": ({tile(whole, 'f32')}) -> {tile([m], 'f32')}")
                sums = text.broadcast(text.expand(total, "f32", [m], 1), "f32", [m, 1], whole)
                made = text.op(f"arith.divf {powers}, {sums} : {tile(whole, 'f32')}")
            elif what == "product of a product":
                narrow = made if a == "f32" else text.op(f"{'tt.fp_to_fp' if '8' in a else 'arith.truncf'} {made}{', rounding = rtne' if '8' in a else ''} : {tile(whole, 'f32')} "
                                                         f"{'->' if '8' in a else 'to'} {tile(whole, a)}")
                made = text.op(f"tt.dot {narrow}, {text.input(a, [n, k], values(a))}, {text.const(0, 'f32', [m, k])}{how} : {tile(whole, a)} * {tile([n, k], a)} -> "
                               f"{tile([m, k], 'f32')}")
                shape = [m, k]
            text.output(made, "f32", shape)
            yield f"{a}, {what}", text


FEATURES = {"products": dots, "what follows products": epilogues, "sums of products": loops, "products with scales": scaled}
