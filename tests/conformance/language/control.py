"""Control flow, functions, programs, random numbers, inline PTX, and what talks to people."""

from texts import FLOATS, INTEGERS, Text, is_float, tile

N = [64]


def combine(dtype):
    return "arith.addf" if is_float(dtype) else "arith.addi"


def loops():
    for dtype in (*INTEGERS, *FLOATS):
        text = Text()
        zero, one, end = (text.const(each, "i32") for each in (0, 1, 5))
        start, step, total = text.input(dtype, N), text.input(dtype, N), text.name()
        text.line(f"{total} = scf.for %i = {zero} to {end} step {one} iter_args(%x = {start}) -> ({tile(N, dtype)}) : i32 {{")
        text.line(f"  %y = {combine(dtype)} %x, {step} : {tile(N, dtype)}")
        text.line(f"  scf.yield %y : {tile(N, dtype)}")
        text.line("}")
        text.output(total, dtype, N)
        yield f"for {dtype}", text
        text = Text()
        truth = text.op(f"arith.cmpi sgt, {text.op('tt.get_program_id x : i32')}, {text.scalar('i32', -1)} : i32")
        a, b, chosen = text.input(dtype, N), text.input(dtype, N), text.name()
        text.line(f"{chosen} = scf.if {truth} -> ({tile(N, dtype)}) {{")
        text.line(f"  %s = {combine(dtype)} {a}, {b} : {tile(N, dtype)}")
        text.line(f"  scf.yield %s : {tile(N, dtype)}")
        text.line("} else {")
        text.line(f"  scf.yield {b} : {tile(N, dtype)}")
        text.line("}")
        text.output(chosen, dtype, N)
        yield f"if {dtype}", text
    for bounds, name in (((0, 0, 1), "that never runs"), ((3, 20, 4), "with a step"), ((-5, 5, 2), "from below zero")):
        for index in ("i32", "i64"):
            text = Text()
            first, last, step, start = (text.const(each, index) for each in (*bounds, 0))
            total = text.op(f"scf.for %i = {first} to {last} step {step} iter_args(%x = {start}) -> ({index}) : {index} {{\n      %y = arith.addi %x, %i : {index}\n"
                            f"      scf.yield %y : {index}\n    }}")
            text.output_scalar(total, index)
            yield f"for {name} {index}", text
    yield "nested for", nested()
    for attributes in ("tt.num_stages = 3 : i32", "tt.loop_unroll_factor = 2 : i32", "tt.disallow_acc_multi_buffer", "tt.flatten", "tt.warp_specialize"):
        text = Text()
        zero, one, end, start = (text.const(each, "i32") for each in (0, 1, 7, 1))
        total = text.op(f"scf.for %i = {zero} to {end} step {one} iter_args(%x = {start}) -> (i32) : i32 {{\n      %y = arith.muli %x, %end : i32\n"
                        f"      scf.yield %y : i32\n    }} {{{attributes}}}".replace("%end", end))
        text.output_scalar(total, "i32")
        yield f"for {{{attributes}}}", text
    for dtype in ("i32", "i64", "f32"):
        text = Text()
        limit, start, found = text.const(1000, dtype), text.const(3, dtype), text.name()
        compare = "arith.cmpf olt," if is_float(dtype) else "arith.cmpi slt,"
        text.line(f"{found} = scf.while (%x = {start}) : ({dtype}) -> ({dtype}) {{")
        text.line(f"  %more = {compare} %x, {limit} : {dtype}")
        text.line(f"  scf.condition(%more) %x : {dtype}")
        text.line("} do {")
        text.line(f"^bb0(%y: {dtype}):")
        text.line(f"  %z = {combine(dtype)} %y, %y : {dtype}")
        text.line(f"  scf.yield %z : {dtype}")
        text.line("}")
        text.output_scalar(found, dtype)
        yield f"while {dtype}", text


def nested():
    text = Text()
    zero, one, end, start, total = *(text.const(each, "i32") for each in (0, 1, 4)), text.input("i32", N), text.name()
    tiles = tile(N, "i32")
    text.line(f"{total} = scf.for %i = {zero} to {end} step {one} iter_args(%x = {start}) -> ({tiles}) : i32 {{")
    text.line(f"  %inner = scf.for %j = {zero} to %i step {one} iter_args(%y = %x) -> ({tiles}) : i32 {{")
    text.line("    %odd = arith.remsi %j, %two : i32".replace("%two", text_two(text)))
    text.line(f"    %is = arith.cmpi eq, %odd, {one} : i32")
    text.line(f"    %z = scf.if %is -> ({tiles}) {{")
    text.line(f"      %s = arith.addi %y, %y : {tiles}")
    text.line(f"      scf.yield %s : {tiles}")
    text.line("    } else {")
    text.line(f"      scf.yield %y : {tiles}")
    text.line("    }")
    text.line(f"    scf.yield %z : {tiles}")
    text.line("  }")
    text.line(f"  scf.yield %inner : {tiles}")
    text.line("}")
    text.output(total, "i32", N)
    return text


def text_two(text):
    """A constant that stands before the lines of loops."""
    text.lines.insert(0, "%two = arith.constant 2 : i32")
    return "%two"


def functions():
    for dtype in (*INTEGERS, *FLOATS):
        for shape in ([], N):
            text = Text()
            kind = tile(shape, dtype)
            text.functions.append(f"  tt.func private @twice(%x: {kind}) -> {kind} attributes {{noinline = false}} {{\n    %y = {combine(dtype)} %x, %x : {kind}\n"
                                  f"    tt.return %y : {kind}\n  }}")
            value = text.input(dtype, N) if shape else text.op(f"tt.load {text.memory(dtype, [1])} : !tt.ptr<{dtype}>")
            made = text.op(f"tt.call @twice({text.op(f'tt.call @twice({value}) : ({kind}) -> {kind}')}) : ({kind}) -> {kind}")
            if shape:
                text.output(made, dtype, N)
            else:
                text.output_scalar(made, dtype)
            yield f"call {dtype}{'' if shape else ' of one element'}", text
    text = Text()
    text.functions.append("  tt.func private @store(%p: !tt.ptr<i32>, %v: i32) attributes {noinline = true} {\n    tt.store %p, %v : !tt.ptr<i32>\n    tt.return\n  }")
    text.line(f"tt.call @store({text.memory('i32', [1])}, {text.const(7, 'i32')}) : (!tt.ptr<i32>, i32) -> ()")
    yield "call of a function that stores, noinline", text
    text = Text()
    text.functions.append("  tt.func private @both(%x: i32) -> (i32, i32) {\n    %y = arith.addi %x, %x : i32\n    tt.return %x, %y : i32, i32\n  }")
    both = text.name()
    text.line(f"{both}:2 = tt.call @both({text.const(3, 'i32')}) : (i32) -> (i32, i32)")
    text.output_scalar(f"{both}#1", "i32")
    yield "call with two results", text
    text = Text("3")
    program, out = text.op("tt.get_program_id x : i32"), text.memory("i32", [1])
    text.line(f"%stop = arith.cmpi ne, {program}, {text.const(1, 'i32')} : i32")
    text.line("cf.cond_br %stop, ^bb1, ^bb2")
    text.lines += ["^bb1:  // pred: ^bb0", "tt.return", "^bb2:  // pred: ^bb0", f"tt.store {out}, {program} : !tt.ptr<i32>"]
    yield "early return", text


def programs():
    for grid, axis in (("5", "x"), ("2,3", "y"), ("2,1,4", "z")):
        text = Text(grid)
        here, count = text.op(f"tt.get_program_id {axis} : i32"), text.op(f"tt.get_num_programs {axis} : i32")
        at = text.op(f"tt.addptr {text.memory('i32', [8])}, {here} : !tt.ptr<i32>, i32")
        text.line(f"tt.store {at}, {text.op(f'arith.muli {count}, {here} : i32')} : !tt.ptr<i32>")
        yield f"program and number of programs along {axis}", text
    for dtype, value in (("i8", 5), ("i16", -5), ("i32", 7), ("i64", 1 << 40), ("f16", 0.5), ("bf16", 0.5), ("f32", 1.5), ("f64", 2.5)):
        text = Text()
        text.output_scalar(text.scalar(dtype, value), dtype)
        yield f"parameter {dtype}", text
    text = Text()
    address = text.op(f"tt.ptr_to_int {text.memory('f32', [4])} : !tt.ptr<f32> -> i64")
    moved = text.op(f"arith.addi {address}, {text.const(8, 'i64')} : i64")
    text.line(f"tt.store {text.op(f'tt.int_to_ptr {moved} : i64 -> !tt.ptr<f32>')}, {text.const('2.5', 'f32')} : !tt.ptr<f32>")
    yield "pointer to number and back", text
    for barrier in ("gpu.barrier", "tt.debug_barrier"):
        text = Text()
        value = text.input("f32", N)
        text.line(barrier)
        text.output(value, "f32", N)
        yield barrier, text
    text = Text()
    size = text.scalar("i32", 64)
    text.line(f"llvm.intr.assume {text.op(f'arith.cmpi sgt, {size}, {text.const(0, chr(105) + str(32))} : i32')} : i1")
    text.output_scalar(size, "i32")
    yield "assume", text
    for word in ("true", "false"):
        text = Text()
        value = text.input("i32", N)
        text.line(f'tt.print " x: " {{hex = {word}, isSigned = array<i32: 1>}} : {value} : {tile(N, "i32")}')
        text.output(value, "i32", N)
        yield f"print {{hex = {word}}}", text
    text = Text()
    value = text.input("i32", N)
    text.line(f'tt.assert {text.op(f"arith.cmpi slt, {value}, {text.const(100, chr(105) + str(32), N)} : {tile(N, chr(105) + str(32))}")}, "too large" : {tile(N, "i1")}')
    text.output(value, "i32", N)
    yield "assert", text
    text = Text()
    results = text.name()
    text.region(f'{results} = "tt.map_elementwise"({text.input("i32", N)}) <{{pack = 1 : i32}}>', ["%a: i32"],
                ["%b = arith.muli %a, %a : i32", "tt.map_elementwise.return %b : i32"], f": ({tile(N, 'i32')}) -> {tile(N, 'i32')}")
    text.output(results, "i32", N)
    yield "map_elementwise", text


def random_numbers():
    """Philox, as tl.rand computes it: ten rounds of two wide products, keys that grow by constants."""
    for rounds in (4, 10):
        for result in ("bits", "uniform"):
            text, kind = Text(), tile(N, "i32")
            keys = [text.splat(text.scalar("i32", seed), "i32", N) for seed in (12345, 678)]
            words = [text.arange(64), *(text.const(0, "i32", N) for _ in range(3))]
            factors = [text.const(each, "i32", N) for each in (-766435501, -845247145)]  # 0xD2511F53, 0xCD9E8D57
            growth = [text.const(each, "i32", N) for each in (-1640531527, -1150833019)]  # 0x9E3779B9, 0xBB67AE85
            for _ in range(rounds):
                high = [text.op(f"tt.mulhiui {factors[i]}, {words[2 * i]} : {kind}") for i in (0, 1)]
                low = [text.op(f"arith.muli {factors[i]}, {words[2 * i]} : {kind}") for i in (0, 1)]
                mixed = [text.op(f"arith.xori {text.op(f'arith.xori {high[1 - i]}, {words[2 * i + 1]} : {kind}')}, {keys[i]} : {kind}") for i in (0, 1)]
                words, keys = [mixed[0], low[1], mixed[1], low[0]], [text.op(f"arith.addi {keys[i]}, {growth[i]} : {kind}") for i in (0, 1)]
            if result == "bits":
                text.output(words[0], "i32", N)
            else:
                below = text.op(f"arith.cmpi slt, {words[0]}, {text.const(0, 'i32', N)} : {kind}")
                turned = text.op(f"arith.subi {text.const(-1, 'i32', N)}, {words[0]} : {kind}")
                number = text.op(f"arith.sitofp {text.op(f'arith.select {below}, {turned}, {words[0]} : {tile(N, chr(105) + str(1))}, {kind}')} : {kind} to {tile(N, 'f32')}")
                text.output(text.op(f"arith.mulf {number}, {text.const('4.6566126e-10', 'f32', N)} : {tile(N, 'f32')}"), "f32", N)
            yield f"philox of {rounds} rounds, {result}", text


def inline_ptx():
    """The kernel compares with operations of its own: the evaluator knows no PTX."""
    cases = (("shl.b32 $0, $1, 3;", "=r,r", "i32", 1, "arith.shli", 3), ("add.f32 $0, $1, $1;", "=f,f", "f32", 1, "arith.addf", None),
             ("{ .reg .b32 t; add.s32 t, $1, $1; mov.b32 $0, t; }", "=r,r", "i32", 1, "arith.addi", None), ("add.f64 $0, $1, $1;", "=d,d", "f64", 1, "arith.addf", None),
             ("add.s64 $0, $1, $1;", "=l,l", "i64", 1, "arith.addi", None), ("add.s16 $0, $1, $1;", "=h,h", "i16", 1, "arith.addi", None),
             ("add.rn.f16x2 $0, $1, $1;", "=r,r", "f16", 2, "arith.addf", None), ("add.rn.bf16x2 $0, $1, $1;", "=r,r", "bf16", 2, "arith.addf", None),
             ("and.b32 $0, $1, 0x0F0F0F0F;", "=r,r", "i8", 4, "arith.andi", 15))
    for asm, constraints, dtype, pack, operation, constant in cases:
        text, kind = Text(), tile(N, dtype)
        value = text.input(dtype, N, "-3..4")
        made = text.op(f'tt.elementwise_inline_asm "{asm}" {{constraints = "{constraints}", packed_element = {pack} : i32, pure = true}} {value} : {kind} -> {kind}')
        wanted = text.op(f"{operation} {value}, {value if constant is None else text.const(constant, dtype, N)} : {kind}")
        text.output(text.op(f"{'arith.cmpf oeq,' if is_float(dtype) else 'arith.cmpi eq,'} {made}, {wanted} : {kind}"), "i1", N)
        text.expects = "ones"
        yield f"{asm.split()[0] if asm[0] != '{' else 'registers of its own'} {dtype}, {pack} at a time", text
    text, kind = Text(), tile(N, "i32")
    value, both = text.input("i32", N), text.name()
    text.line(f'{both}:2 = tt.elementwise_inline_asm "add.s32 $0, $2, 1; add.s32 $1, $2, 2;" {{constraints = "=r,=r,r", packed_element = 1 : i32, pure = true}} {value} : '
              f"{kind} -> {kind}, {kind}")
    distance = text.op(f"arith.subi {both}#1, {both}#0 : {kind}")
    text.output(text.op(f"arith.cmpi eq, {distance}, {text.const(1, 'i32', N)} : {kind}"), "i1", N)
    text.expects = "ones"
    yield "two results", text


def beyond():
    """What documents say is refused, or what no other feature reaches."""
    for asm, what in (("mov.u32 $0, %smid;", "a special register"), ("ld.global.b32 $0, [$1];", "a load"), ("bar.sync 0; mov.b32 $0, $1;", "a barrier"),
                      ("bra.uni L; L: mov.b32 $0, $1;", "a branch")):
        text, kind = Text(), tile(N, "i32")
        constraints = "=r,l" if "global" in asm else "=r,r"
        value = text.input("i64" if "global" in asm else "i32", N)
        source = tile(N, "i64") if "global" in asm else kind
        text.output(text.op(f'tt.elementwise_inline_asm "{asm}" {{constraints = "{constraints}", packed_element = 1 : i32, pure = false}} {value} : {source} -> {kind}'), "i32", N)
        yield f"inline PTX with {what}", text
    for other in ("f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E4M3"):
        text = Text()
        value = text.op(f"tt.bitcast {text.input('i8', N)} : {tile(N, 'i8')} -> {tile(N, other)}")
        text.output(text.op(f"tt.fp_to_fp {value} : {tile(N, other)} -> {tile(N, 'f32')}"), "f32", N)
        yield f"numbers of type {other}", text
    for shape in ([92], [3, 32], [1 << 21]):
        text = Text()
        text.output(text.input("i8", shape), "i8", shape)
        yield f"a tile of shape {shape}", text
    text = Text()
    text.functions.append("  tt.func private @down(%x: i32) -> i32 {\n    %y = tt.call @down(%x) : (i32) -> i32\n    tt.return %y : i32\n  }")
    text.output_scalar(text.op(f"tt.call @down({text.const(3, 'i32')}) : (i32) -> i32"), "i32")
    yield "a function that calls itself", text
    text = Text()
    clock = text.op('tt.extern_elementwise {libname = "", libpath = "", pure = false, symbol = "__nv_nothing"} : () -> i32')
    text.output_scalar(clock, "i32")
    yield "a function that libdevice lacks", text
    for packed in (1, 8):
        text = Text()
        value = text.op(f"tt.experimental_descriptor_load {text.memory('i8', [128])}[{text.const(0, 'i32')}] : !tt.ptr<i8> -> {tile([16 * packed], 'f32')}")
        text.output(value, "f32", [16 * packed])
        yield f"a descriptor as a bare pointer, {16 * packed} elements", text


FEATURES = {"beyond the language": beyond, "loops and branches": loops, "functions": functions, "programs and values": programs, "random numbers": random_numbers, "inline PTX": inline_ptx}
