"""Loads, stores, atomic operations, block pointers and tensor descriptors."""

from texts import BITS, EIGHTHS, FLOATS, INTEGERS, Text, is_float, pointer, tile

N = [128]
ORDERS = ("relaxed", "acquire", "release", "acq_rel")


def below(text, shape, end):
    """Which places of a tile of one dimension come before `end`."""
    return text.op(f"arith.cmpi slt, {text.index(shape)}, {text.const(end, 'i32', shape)} : {tile(shape, 'i32')}")


def loads_and_stores():
    for dtype in (*INTEGERS, *FLOATS, *EIGHTHS):
        for what in ("plain", "masked", "masked with another value", "strided", "by rows", "scalar"):
            text = Text()
            if what == "scalar":
                text.output_scalar(text.op(f"tt.load {text.memory(dtype, [1])} : {pointer(dtype)}"), dtype)
            elif what == "by rows":
                text.output(text.input(dtype, [16, 32]), dtype, [16, 32])
            else:
                places = text.op(f"arith.muli {text.arange(128)}, {text.const(3, 'i32', N)} : {tile(N, 'i32')}") if what == "strided" else None
                at, rest = text.addresses(text.memory(dtype, [400]), dtype, N, places), ""
                mask = below(text, N, 100) if what.startswith("masked") else None
                if what == "masked with another value":
                    other = text.const(3, "i8" if dtype in EIGHTHS else dtype, N)
                    rest = f", {text.op(f'tt.bitcast {other} : {tile(N, chr(105) + chr(56))} -> {tile(N, dtype)}') if dtype in EIGHTHS else other}"
                value = text.op(f"tt.load {at}{', ' + mask if mask else ''}{rest} : {tile(N, pointer(dtype))}")
                out = text.addresses(text.memory(dtype, N), dtype, N)
                stored = f", {mask}" if what == "masked" else ""
                text.line(f"tt.store {out}, {value}{stored} : {tile(N, pointer(dtype))}")
            yield f"{what} {dtype}", text
    for dtype in ("i8", "f16", "f32"):
        for what in ("one element for all", "a constant", "columns of one element"):
            text = Text()
            if what == "a constant":
                text.output(text.const(3, dtype, [16, 32]), dtype, [16, 32])
            else:  # strides of 0
                places = text.const(0, "i32", [16, 32]) if what == "one element for all" else text.along([16, 32], 0)
                at = text.addresses(text.memory(dtype, [16]), dtype, [16, 32], places)
                text.output(text.op(f"tt.load {at} : {tile([16, 32], pointer(dtype))}"), dtype, [16, 32])
            yield f"{what} {dtype}", text
    text = Text()  # truth values are bytes in memory
    at = [text.op(f"tt.bitcast {text.addresses(text.memory('i1', N), 'i1', N)} : {tile(N, pointer('i1'))} -> {tile(N, pointer('i8'))}") for _ in range(2)]
    truth = text.op(f"arith.cmpi ne, {text.op(f'tt.load {at[0]} : {tile(N, pointer(chr(105) + str(8)))}')}, {text.const(0, 'i8', N)} : {tile(N, 'i8')}")
    text.line(f"tt.store {at[1]}, {text.op(f'arith.extui {truth} : {tile(N, chr(105) + str(1))} to {tile(N, chr(105) + str(8))}')} : {tile(N, pointer('i8'))}")
    yield "truth values", text


def cache_hints():
    for dtype in ("f16", "f32"):
        for word in [f" cacheModifier = {each}" for each in ("ca", "cg", "cv")] + [f" evictionPolicy = {each}" for each in ("evict_first", "evict_last")] + [
                " {isVolatile = true}", " cacheModifier = cg evictionPolicy = evict_first"]:
            text = Text()
            value = text.op(f"tt.load {text.addresses(text.memory(dtype, N), dtype, N)}{word} : {tile(N, pointer(dtype))}")
            text.output(value, dtype, N)
            yield f"load{word} {dtype}", text
        for word in [f" cacheModifier = {each}" for each in ("wb", "cg", "cs", "wt")] + [f" evictionPolicy = {each}" for each in ("evict_first", "evict_last")]:
            text = Text()
            value = text.input(dtype, N)
            text.line(f"tt.store {text.addresses(text.memory(dtype, N), dtype, N)}, {value}{word} : {tile(N, pointer(dtype))}")
            yield f"store{word} {dtype}", text


def atomic(kind, dtype, order="acq_rel", scope="gpu", masked=True, scalar=False):
    """Four programs on 32 elements, or on one."""
    text, shape = Text("4"), [] if scalar else [32]
    memory, truth = text.memory(dtype, [32], "0..8" if not is_float(dtype) else ""), "true"
    at = memory if scalar else text.addresses(memory, dtype, shape)
    program = text.op("tt.get_program_id x : i32")
    number = text.op(f"arith.addi {program}, {text.const(1, 'i32')} : i32")
    if is_float(dtype):
        number = text.op(f"arith.sitofp {number} : i32 to {dtype}")
    elif dtype != "i32":
        number = text.op(f"arith.{'extsi' if BITS[dtype] > 32 else 'trunci'} {number} : i32 to {dtype}")
    value = number if scalar else text.splat(number, dtype, shape)
    truth = below(text, shape, 20) if masked and not scalar else text.const("true", "i1", shape)
    pointers = tile(shape, pointer(dtype))
    found = text.op(f"tt.atomic_rmw {kind}, {order}, {scope}, {at}, {value}, {truth} : ({pointers}, {tile(shape, dtype)}, {tile(shape, 'i1')}) -> {tile(shape, dtype)}")
    return text, found


def atomics():
    kinds = [("fadd", each) for each in FLOATS] + [(kind, each) for kind in ("add", "and", "or", "xor", "max", "min", "umax", "umin") for each in ("i32", "i64")]
    for kind, dtype in kinds:
        for scalar in (False, True):
            yield f"{kind} {dtype}{' of one element' if scalar else ''}", atomic(kind, dtype, scalar=scalar)[0]
    for order in ORDERS:
        for scope in ("cta", "gpu", "sys"):
            yield f"add i32 {order} {scope}", atomic("add", "i32", order, scope)[0]
    for dtype in ("i32", "i64", "f32"):
        for what in ("exch", "cas", "value before"):
            text, shape = Text(), [32]  # one program, so that the value before is known
            at, value = text.addresses(text.memory(dtype, shape, "0..3"), dtype, shape), text.input(dtype, shape)
            types = f"({tile(shape, pointer(dtype))}, {tile(shape, dtype)}, "
            if what == "cas":
                found = text.op(f"tt.atomic_cas acq_rel, gpu, {at}, {text.const(1, dtype, shape)}, {value} : {types}{tile(shape, dtype)}) -> {tile(shape, dtype)}")
            else:
                kind = "exch" if what == "exch" else "fadd" if is_float(dtype) else "add"
                found = text.op(f"tt.atomic_rmw {kind}, acq_rel, gpu, {at}, {value}, {text.const('true', 'i1', shape)} : {types}{tile(shape, 'i1')}) -> {tile(shape, dtype)}")
            text.output(found, dtype, shape)
            yield f"{what} {dtype}", text
    for dtype in ("i16", "i32", "i64"):
        text = Text()
        types = f"({pointer(dtype)}, {dtype}, {dtype}) -> {dtype}"
        found = text.op(f"tt.atomic_cas acq_rel, gpu, {text.memory(dtype, [1], '5')}, {text.const(5, dtype)}, {text.const(7, dtype)} : {types}")
        text.output_scalar(found, dtype)
        yield f"cas {dtype} of one element", text


def block_pointers():
    for dtype in ("f16", "f32", "i8", "i32"):
        for order, shape in (("1, 0", [40, 48]), ("0, 1", [48, 40])):
            for check, padding in (("", ""), ("0", "1"), ("0, 1", "1"), ("0, 1", "2")):
                if padding == "2" and not is_float(dtype):
                    continue
                text = Text()
                block, one = [16, 32], text.const(1, "i64")
                sizes = [text.const(each, "i64") for each in (shape if order == "1, 0" else shape[::-1])]
                strides = [text.const(shape[1], "i64"), one] if order == "1, 0" else [one, text.const(shape[1], "i64")]
                start = [text.const(0, "i32"), text.const(0, "i32")] if not check else [text.const(30, "i32"), text.const(0 if check == "0" else 20, "i32")]
                how = f" {{boundaryCheck = array<i32: {check}>, padding = {padding} : i32}}" if check else ""
                kind, made = f"!tt.ptr<{tile(block, dtype)}>", []
                for _ in range(2):
                    made.append(text.op(f"tt.make_tensor_ptr {text.memory(dtype, shape)}, [{', '.join(sizes)}], [{', '.join(strides)}], [{', '.join(start)}] "
                                        f"{{order = array<i32: {order}>}} : <{tile(block, dtype)}>"))
                value = text.op(f"tt.load {made[0]}{how} : {kind}")
                moved = text.op(f"tt.advance {made[0]}, [{text.const(-8, 'i32')}, {text.const(8 if check == '0' else -8, 'i32')}] : <{tile(block, dtype)}>") if check else made[0]
                again = text.op(f"tt.load {moved}{how} : {kind}")
                text.output(value, dtype, block)
                text.line(f"tt.store {made[1]}, {again}{' {boundaryCheck = array<i32: ' + check + '>}' if check else ''} : {kind}")
                yield f"{dtype} order [{order}], checks [{check}], padding {padding or 'none'}", text


def descriptors():
    for dtype in ("i8", "i32", "f16", "bf16", "f32", "f8E4M3FN"):
        for block, shape in (([32], [100]), ([16, 32], [40, 48]), ([4, 8, 32], [10, 20, 48]), ([2, 2, 4, 32], [3, 4, 10, 48]), ([1, 2, 2, 2, 32], [2, 3, 3, 4, 48])):
            if len(block) == 1 and dtype == "i8":
                shape = [112]
            if (shape[-1] * BITS[dtype]) % 128:
                shape = [*shape[:-1], shape[-1] + 128 - shape[-1] % 128]
            for where in ("of the launch", "made by the kernel"):
                text = Text()
                kind, start = f"!tt.tensordesc<{tile(block, dtype)}>", [text.const(each // 2 // 2 * 2, "i32") for each in shape]
                if where == "of the launch":
                    found = [text.descriptor(dtype, block, shape) for _ in range(2)]
                else:
                    sizes, steps, step = [text.const(each, "i32") for each in shape], [], 1
                    for each in reversed(shape):
                        steps.insert(0, text.const(step, "i64"))
                        step *= each
                    found = [text.op(f"tt.make_tensor_descriptor {text.memory(dtype, shape)}, [{', '.join(sizes)}], [{', '.join(steps)}] : {pointer(dtype)}, {kind}")
                             for _ in range(2)]
                value = text.op(f"tt.descriptor_load {found[0]}[{', '.join(start)}] : {kind} -> {tile(block, dtype)}")
                text.line(f"tt.descriptor_store {found[1]}[{', '.join(start)}], {value} : {kind}, {tile(block, dtype)}")
                yield f"load and store {dtype} of rank {len(block)} {where}", text
    for dtype, kinds in (("f32", ("add",)), ("f16", ("add", "min", "max")), ("bf16", ("add", "min", "max")), ("i32", ("add", "min", "max", "and", "or", "xor")),
                         ("i64", ("add", "min", "max", "and", "or", "xor"))):
        for kind in kinds:
            text, block, shape = Text(), [16, 32], [40, 48]
            found, start = text.descriptor(dtype, block, shape), [text.const(30, "i32"), text.const(32, "i32")]
            text.line(f"tt.descriptor_reduce {kind}, {found}[{', '.join(start)}], {text.input(dtype, block)} : !tt.tensordesc<{tile(block, dtype)}>, {tile(block, dtype)}")
            yield f"reduce {kind} {dtype}", text
    for dtype in ("f16", "bf16", "f32", "i32", "i8"):
        for what in ("gather", "scatter"):
            text, block, shape = Text(), [1, 64], [24, 64]
            found, zero, kind = text.descriptor(dtype, block, shape), text.const(0, "i32"), f"!tt.tensordesc<{tile(block, dtype)}>"
            rows = text.op(f"arith.muli {text.arange(8)}, {text.const(3, 'i32', [8])} : {tile([8], 'i32')}")
            if what == "gather":
                value = text.op(f"tt.descriptor_gather {found}[{rows}, {zero}] : ({kind}, {tile([8], 'i32')}, i32) -> {tile([8, 64], dtype)}")
                text.output(value, dtype, [8, 64])
            else:
                text.line(f"tt.descriptor_scatter {found}[{rows}, {zero}], {text.input(dtype, [8, 64])} : {kind}, {tile([8], 'i32')}, i32, {tile([8, 64], dtype)}")
            yield f"{what} {dtype}", text


FEATURES = {"loads and stores": loads_and_stores, "cache hints": cache_hints, "atomic operations": atomics, "block pointers": block_pointers,
            "tensor descriptors": descriptors}
