"""Reductions, scans, sorting, and operations that rearrange elements."""

import itertools

from texts import FLOATS, INTEGERS, Text, is_float, tile

COMBINES = {"sum": ("arith.addf", "arith.addi"), "product": ("arith.mulf", "arith.muli"), "max": ("arith.maxnumf", "arith.maxsi"),
            "min": ("arith.minnumf", "arith.minsi"), "max with NaN": ("arith.maximumf", None), "umax": (None, "arith.maxui"), "umin": (None, "arith.minui"),
            "xor": (None, "arith.xori"), "or": (None, "arith.ori"), "and": (None, "arith.andi")}
SHAPES = (([128], 0), ([16, 64], 0), ([16, 64], 1), ([4, 8, 16], 0), ([4, 8, 16], 1), ([4, 8, 16], 2))


def folded(text, kind, operation, value, dtype, shape, axis, reverse=None):
    """A reduction or a scan with one operation."""
    short = "reduce" if kind == "tt.reduce" else "scan"
    left = [*shape[:axis], *shape[axis + 1 :]] if short == "reduce" else shape
    how = f"axis = {axis} : i32" + (f", reverse = {reverse}" if reverse else "")
    found = text.name()
    text.region(f'{found} = "{kind}"({value}) <{{{how}}}>', [f"%a: {dtype}", f"%b: {dtype}"],
                [f"%c = {operation} %a, %b : {dtype}", f"{kind}.return %c : {dtype}"], f": ({tile(shape, dtype)}) -> {tile(left, dtype)}")
    return found, left


def values_of(name, dtype):
    return "0.9..1.1" if name == "product" and is_float(dtype) else "1..3" if name == "product" else ""


def reductions():
    for name, operations in COMBINES.items():
        for dtype in (*FLOATS, *INTEGERS):
            operation = operations[0 if is_float(dtype) else 1]
            for shape, axis in SHAPES if dtype in ("f32", "i32") else SHAPES[1:3]:
                if operation:
                    text = Text()
                    found, left = folded(text, "tt.reduce", operation, text.input(dtype, shape, values_of(name, dtype)), dtype, shape, axis)
                    if left:
                        text.output(found, dtype, left)
                    else:
                        text.output_scalar(found, dtype)
                    yield f"{name} {dtype} of {shape} along {axis}", text


def extreme(f, i, dtype, shape, axis):
    """The largest or smallest element and its place, the first one of equals; f and i: when a float or an integer is better."""
    text, left = Text(), [*shape[:axis], *shape[axis + 1 :]]
    value, place = text.input(dtype, shape), text.along(shape, axis)
    both, compare = text.name(), (f"arith.cmpf {f}," if is_float(dtype) else f"arith.cmpi {i},")
    equal = "arith.cmpf oeq," if is_float(dtype) else "arith.cmpi eq,"
    text.region(f'{both}:2 = "tt.reduce"({value}, {place}) <{{axis = {axis} : i32}}>', [f"%a: {dtype}", "%i: i32", f"%b: {dtype}", "%j: i32"],
                [f"%better = {compare} %a, %b : {dtype}", f"%equal = {equal} %a, %b : {dtype}", "%earlier = arith.cmpi slt, %i, %j : i32",
                 "%first = arith.andi %equal, %earlier : i1", "%takes = arith.ori %better, %first : i1",
                 f"%value = arith.select %takes, %a, %b : {dtype}", "%place = arith.select %takes, %i, %j : i32",
                 f"tt.reduce.return %value, %place : {dtype}, i32"],
                f": ({tile(shape, dtype)}, {tile(shape, 'i32')}) -> ({tile(left, dtype)}, {tile(left, 'i32')})")
    text.output(f"{both}#0", dtype, left)
    text.output(f"{both}#1", "i32", left)
    return text


def extremes():
    for order, (f, i) in {"argmax": ("ogt", "sgt"), "argmin": ("olt", "slt")}.items():
        for dtype in (*FLOATS, *INTEGERS):
            for shape, axis in SHAPES[1:3]:
                yield f"{order} {dtype} of {shape} along {axis}", extreme(f, i, dtype, shape, axis)


def several():
    """Reductions of three tiles at once: mean, squared distances and count, as layer norms combine them."""
    for dtype in ("f32", "f64"):
        for shape, axis in SHAPES[:3]:
            text, left = Text(), [*shape[:axis], *shape[axis + 1 :]]
            tiles = [text.input(dtype, shape), text.const(0, dtype, shape), text.const(1, dtype, shape)]
            all_three = text.name()
            text.region(f'{all_three}:3 = "tt.reduce"({", ".join(tiles)}) <{{axis = {axis} : i32}}>', [f"%{each}: {dtype}" for each in "abcdef"],
                        [f"%delta = arith.subf %d, %a : {dtype}", f"%count = arith.addf %c, %f : {dtype}", f"%part = arith.divf %f, %count : {dtype}",
                         f"%step = arith.mulf %delta, %part : {dtype}", f"%mean = arith.addf %a, %step : {dtype}", f"%square = arith.mulf %delta, %step : {dtype}",
                         f"%more = arith.mulf %square, %c : {dtype}", f"%sums = arith.addf %b, %e : {dtype}", f"%sum = arith.addf %sums, %more : {dtype}",
                         f"tt.reduce.return %mean, %sum, %count : {', '.join([dtype] * 3)}"],
                        f": ({', '.join([tile(shape, dtype)] * 3)}) -> ({', '.join([tile(left, dtype)] * 3)})")
            for i in range(3):
                if left:
                    text.output(f"{all_three}#{i}", dtype, left)
                else:
                    text.output_scalar(f"{all_three}#{i}", dtype)
            yield f"mean and squared distances {dtype} of {shape} along {axis}", text


def with_effects():
    """Combining that also checks, and values that leave a loop through a reduction."""
    for kind in ("tt.reduce", "tt.scan"):
        for dtype in ("i32", "f32"):
            text, shape = Text(), [16, 32]
            value, found, left = text.input(dtype, shape), text.name(), [16] if kind == "tt.reduce" else shape
            combine, compare = ("arith.addf", "arith.cmpf olt,") if dtype == "f32" else ("arith.addi", "arith.cmpi slt,")
            limit = text.const(100000, dtype)
            text.region(f'{found} = "{kind}"({value}) <{{axis = 1 : i32{", reverse = false" if kind == "tt.scan" else ""}}}>', [f"%a: {dtype}", f"%b: {dtype}"],
                        [f"%c = {combine} %a, %b : {dtype}", f"%fine = {compare} %c, {limit} : {dtype}", 'tt.assert %fine, "too large" : i1',
                         f"{kind}.return %c : {dtype}"], f": ({tile(shape, dtype)}) -> {tile(left, dtype)}")
            text.output(found, dtype, left)
            yield f"{kind} with an assertion {dtype}", text
    for dtype in ("i32", "f32"):  # of a reduction's result, once more
        text, shape = Text(), [16, 32]
        operation = "arith.addf" if is_float(dtype) else "arith.addi"
        rows, left = folded(text, "tt.reduce", operation, text.input(dtype, shape), dtype, shape, 1)
        text.output_scalar(folded(text, "tt.reduce", operation, rows, dtype, left, 0)[0], dtype)
        yield f"reduction of a reduction {dtype}", text


def scans():
    for name in ("sum", "product", "max", "min", "xor"):
        for dtype in (*FLOATS, *INTEGERS):
            operation = COMBINES[name][0 if is_float(dtype) else 1]
            for shape, axis in SHAPES[:3]:
                for reverse in ("false", "true"):
                    if operation and (dtype in ("f32", "i32") or axis == 1):
                        text = Text()
                        made, _ = folded(text, "tt.scan", operation, text.input(dtype, shape, values_of(name, dtype)), dtype, shape, axis, reverse)
                        text.output(made, dtype, shape)
                        yield f"{name} {dtype} of {shape} along {axis}{' backward' if reverse == 'true' else ''}", text
    for dtype in ("f32", "f64"):  # x = a x + b as a scan of pairs
        text, shape = Text(), [16, 32]
        both = text.name()
        text.region(f'{both}:2 = "tt.scan"({text.input(dtype, shape, "0..1")}, {text.input(dtype, shape)}) <{{axis = 1 : i32, reverse = false}}>',
                    [f"%{each}: {dtype}" for each in ("a", "b", "c", "d")],
                    [f"%e = arith.mulf %a, %c : {dtype}", f"%f = arith.mulf %b, %c : {dtype}", f"%g = arith.addf %f, %d : {dtype}",
                     f"tt.scan.return %e, %g : {dtype}, {dtype}"], f": ({tile(shape, dtype)}, {tile(shape, dtype)}) -> ({tile(shape, dtype)}, {tile(shape, dtype)})")
        text.output(f"{both}#1", dtype, shape)
        yield f"linear recurrence {dtype}", text


def sorted_rows(text, value, dtype, shape, descending):
    """Bitonic: in each step the halves of blocks change places where their order is wrong."""
    rows, size = shape
    total = size.bit_length() - 1
    for stage in range(1, total + 1):
        for step in range(stage - 1, -1, -1):
            pairs, half = [rows * size >> (step + 1), 2, 1 << step], [rows * size >> (step + 1), 1 << step]
            both = text.reshape(value, dtype, shape, pairs)
            place, side = text.reshape(text.along(shape, 1), "i32", shape, pairs), text.along(pairs, 1)
            chosen = []
            for which in (0, 1):
                own = text.op(f"arith.cmpi eq, {side}, {text.const(which, 'i32', pairs)} : {tile(pairs, 'i32')}")
                kept = text.op(f"arith.select {own}, {both}, {text.const(0, dtype, pairs)} : {tile(pairs, 'i1')}, {tile(pairs, dtype)}")
                part, _ = folded(text, "tt.reduce", "arith.addf" if is_float(dtype) else "arith.addi", kept, dtype, pairs, 1)
                chosen.append(text.broadcast(text.expand(part, dtype, half, 1), dtype, [half[0], 1, half[1]], pairs))
            block = text.op(f"arith.shrui {place}, {text.const(stage, 'i32', pairs)} : {tile(pairs, 'i32')}")
            odd = text.op(f"arith.andi {block}, {text.const(1, 'i32', pairs)} : {tile(pairs, 'i32')}")
            flips = text.op(f"arith.cmpi ne, {odd}, {text.const(int(descending), 'i32', pairs)} : {tile(pairs, 'i32')}")
            if stage == total:
                flips = text.const("true" if descending else "false", "i1", pairs)
            larger = text.op(f"{'arith.cmpf ogt,' if is_float(dtype) else 'arith.cmpi sgt,'} {chosen[0]}, {chosen[1]} : {tile(pairs, dtype)}")
            swaps = text.op(f"arith.xori {larger}, {flips} : {tile(pairs, 'i1')}")
            at_second = text.op(f"arith.cmpi eq, {side}, {text.const(1, 'i32', pairs)} : {tile(pairs, 'i32')}")
            takes_second = text.op(f"arith.xori {swaps}, {at_second} : {tile(pairs, 'i1')}")
            next_value = text.op(f"arith.select {takes_second}, {chosen[1]}, {chosen[0]} : {tile(pairs, 'i1')}, {tile(pairs, dtype)}")
            value = text.reshape(next_value, dtype, pairs, shape)
    return value


def sorting():
    for dtype in ("f16", "f32", "i8", "i32", "i64"):
        for shape in ([1, 64], [4, 32]):
            for descending in (False, True):
                text = Text()
                text.output(sorted_rows(text, text.input(dtype, shape), dtype, shape, descending), dtype, shape)
                yield f"sort {dtype} {shape}{' descending' if descending else ''}", text


def histograms():
    for size, bins in itertools.product((32, 256, 1024), (2, 16, 256)):
        for masked in (False, True):
            text, shape = Text(), [size]
            value, mask, types = text.input("i32", shape, f"0..{bins}"), "", f"{tile(shape, 'i32')}"
            if masked:
                truth = text.op(f"arith.cmpi slt, {text.arange(size)}, {text.const(size - 5, 'i32', shape)} : {tile(shape, 'i32')}")
                mask = f", {truth}"
            text.output(text.op(f"tt.histogram {value}{mask} : {types} -> {tile([bins], 'i32')}"), "i32", [bins])
            yield f"histogram of {size} in {bins}{' masked' if masked else ''}", text


def gathers():
    for dtype in (*INTEGERS, *FLOATS):
        for source, places, axis in (([64], [32], 0), ([32, 16], [8, 16], 0), ([16, 32], [16, 64], 1)):
            text = Text()
            made = text.op(f"tt.gather {text.input(dtype, source)}[{text.input('i32', places, f'0..{source[axis]}')}] {{axis = {axis} : i32}} : "
                           f"({tile(source, dtype)}, {tile(places, 'i32')}) -> {tile(places, dtype)}")
            text.output(made, dtype, places)
            yield f"gather {dtype} {source} along {axis}", text


def rearrangements():
    for dtype in (*INTEGERS, *FLOATS):
        text = Text()
        text.output(text.op(f"tt.cat {text.input(dtype, [64])}, {text.input(dtype, [64])} : {tile([64], dtype)} -> {tile([128], dtype)}"), dtype, [128])
        yield f"cat {dtype}", text
        text = Text()
        text.output(text.op(f"tt.join {text.input(dtype, [8, 16])}, {text.input(dtype, [8, 16])} : {tile([8, 16], dtype)} -> {tile([8, 16, 2], dtype)}"),
                    dtype, [8, 16, 2])
        yield f"join {dtype}", text
        text = Text()
        value, first, second = text.input(dtype, [8, 16, 2]), text.name(), text.name()
        text.line(f"{first}, {second} = tt.split {value} : {tile([8, 16, 2], dtype)} -> {tile([8, 16], dtype)}")
        text.output(first, dtype, [8, 16])
        text.output(second, dtype, [8, 16])
        yield f"split {dtype}", text
        text = Text()
        text.output(text.splat(text.op(f"tt.load {text.memory(dtype, [1])} : !tt.ptr<{dtype}>"), dtype, [4, 8]), dtype, [4, 8])
        yield f"splat {dtype}", text
    for dtype, shape in (("f32", [16, 32]), ("i8", [16, 32]), ("f16", [4, 8, 16]), ("i32", [4, 8, 16]), ("f32", [2, 4, 8, 16])):
        for order in itertools.permutations(range(len(shape))):
            if len(shape) < 4 or order in ((3, 2, 1, 0), (1, 0, 3, 2), (0, 2, 1, 3), (2, 3, 0, 1)):
                text, turned = Text(), [shape[i] for i in order]
                made = text.op(f"tt.trans {text.input(dtype, shape)} {{order = array<i32: {', '.join(map(str, order))}>}} : {tile(shape, dtype)} -> {tile(turned, dtype)}")
                text.output(made, dtype, turned)
                yield f"permute {dtype} {shape} by {list(order)}", text
    for source, target in (([64], [8, 8]), ([8, 8], [64]), ([4, 16], [16, 4]), ([2, 4, 8], [8, 8]), ([16], [2, 2, 2, 2]), ([1, 32], [32, 1])):
        for flag in ("", " allow_reorder efficient_layout"):
            text = Text()
            made = text.op(f"tt.reshape {text.input('f32', source)}{flag} : {tile(source, 'f32')} -> {tile(target, 'f32')}")
            if flag:  # any order will do: the sum does not depend on it
                made, _ = folded(text, "tt.reduce", "arith.maxnumf", text.reshape(made, "f32", target, [_size(target)]), "f32",
                                 [_size(target)], 0)
                text.output_scalar(made, "f32")
            else:
                text.output(made, "f32", target)
            yield f"reshape {source} to {target}{' in any order' if flag else ''}", text
    for source, target in (([1, 32], [16, 32]), ([16, 1], [16, 32]), ([1, 1], [8, 8]), ([4, 1, 8], [4, 16, 8])):
        for dtype in ("f16", "f32", "i1", "i64"):
            text = Text()
            kept = "i8" if dtype == "i1" else dtype
            value = text.input(kept, source)
            if dtype == "i1":
                value = text.op(f"arith.cmpi sgt, {value}, {text.const(0, 'i8', source)} : {tile(source, 'i8')}")
            text.output(text.broadcast(value, dtype, source, target), dtype, target)
            yield f"broadcast {dtype} {source} to {target}", text


def _size(shape):
    whole = 1
    for each in shape:
        whole *= each
    return whole


FEATURES = {"reductions": reductions, "reductions of several tiles": several, "reductions with effects": with_effects, "argmax and argmin": extremes, "scans": scans, "sorting": sorting, "histograms": histograms, "gather": gathers,
            "rearrangements": rearrangements}
