"""Operations on elements: every one with every type that it could have."""

from texts import BITS, EIGHTHS, FLOATS, INTEGERS, Text, is_float, tile

N = [128]
POSITIVE = "0.1..4"
# Of tl: what math makes of a float. log and roots want positive numbers.
MATH = {"exp": "", "exp2": "", "log": POSITIVE, "log2": POSITIVE, "sin": "", "cos": "", "sqrt": POSITIVE, "rsqrt": POSITIVE, "absf": "special",
        "ceil": "", "floor": "", "erf": ""}
FLOAT_BINARY = ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf")
INTEGER_BINARY = ("addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "shli", "shrsi", "shrui", "andi", "ori", "xori", "maxsi", "minsi", "maxui",
                  "minui")
FLOAT_COMPARE = ("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true")
INTEGER_COMPARE = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
LIBDEVICE = ("acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 "
             "fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi sqrt tan tanh "
             "tgamma trunc y0 y1").split()
LIBDEVICE_BINARY = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder".split()
# Names, types of arguments and result, where they follow no pattern.
LIBDEVICE_OTHER = (("fmaf", "f32 f32 f32", "f32"), ("fma", "f64 f64 f64", "f64"), ("ldexpf", "f32 i32", "f32"), ("ldexp", "f64 i32", "f64"),
                   ("powif", "f32 i32", "f32"), ("powi", "f64 i32", "f64"), ("ilogbf", "f32", "i32"), ("ilogb", "f64", "i32"), ("isnanf", "f32", "i32"),
                   ("isnand", "f64", "i32"), ("isinff", "f32", "i32"), ("isinfd", "f64", "i32"), ("finitef", "f32", "i32"), ("signbitf", "f32", "i32"),
                   ("clz", "i32", "i32"), ("clzll", "i64", "i32"), ("popc", "i32", "i32"), ("popcll", "i64", "i32"), ("brev", "i32", "i32"),
                   ("brevll", "i64", "i64"), ("ffs", "i32", "i32"), ("abs", "i32", "i32"), ("mulhi", "i32 i32", "i32"), ("umulhi", "i32 i32", "i32"),
                   ("mul24", "i32 i32", "i32"), ("sad", "i32 i32 i32", "i32"), ("byte_perm", "i32 i32 i32", "i32"), ("hadd", "i32 i32", "i32"),
                   ("float_as_int", "f32", "i32"), ("int_as_float", "i32", "f32"), ("float2int_rn", "f32", "i32"), ("float2int_rz", "f32", "i32"),
                   ("int2float_rn", "i32", "f32"), ("fast_expf", "f32", "f32"), ("fast_logf", "f32", "f32"), ("fast_sinf", "f32", "f32"),
                   ("fast_powf", "f32 f32", "f32"), ("fast_fdividef", "f32 f32", "f32"), ("saturatef", "f32", "f32"), ("fadd_rn", "f32 f32", "f32"),
                   ("fadd_rz", "f32 f32", "f32"), ("fmul_rn", "f32 f32", "f32"), ("fdiv_rn", "f32 f32", "f32"), ("fsqrt_rn", "f32", "f32"),
                   ("frcp_rn", "f32", "f32"), ("norm3df", "f32 f32 f32", "f32"), ("rhypotf", "f32 f32", "f32"))


def one(operation, inputs, result, values=(), form="{op} {args} : {type}"):
    """A kernel that computes one operation of tiles."""
    text = Text()
    loaded = [text.input(dtype, N, values[i] if i < len(values) else "") for i, dtype in enumerate(inputs)]
    made = text.op(form.format(op=operation, args=", ".join(loaded), type=tile(N, inputs[0]), result=tile(N, result),
                               types=", ".join(tile(N, dtype) for dtype in inputs)))
    text.output(made, result, N)
    return text


def unary():
    for name, values in MATH.items():
        for dtype in FLOATS:
            yield f"math.{name} {dtype}", one(f"math.{name}", [dtype], dtype, [values])
    for dtype in FLOATS:
        yield f"arith.negf {dtype}", one("arith.negf", [dtype], dtype, ["special"])
    for dtype in INTEGERS:
        yield f"math.absi {dtype}", one("math.absi", [dtype], dtype)
    for dtype in ("f32", "f64"):
        yield f"tt.precise_sqrt {dtype}", one("tt.precise_sqrt", [dtype], dtype, [POSITIVE])


def binary():
    for operation in FLOAT_BINARY:
        for dtype in FLOATS:
            special = ["special", "special"] if operation[:3] in ("max", "min") else ["", "0.5..2"]
            yield f"arith.{operation} {dtype}", one(f"arith.{operation}", [dtype, dtype], dtype, special)
    for operation in INTEGER_BINARY:
        for dtype in INTEGERS:
            second = "1..7" if operation[:3] in ("div", "rem", "shl", "shr") else ""
            yield f"arith.{operation} {dtype}", one(f"arith.{operation}", [dtype, dtype], dtype, ["", second])
    for operation in ("andi", "ori", "xori"):
        text = Text()
        truths = [text.op(f"arith.cmpi sgt, {text.input('i32', N)}, {text.const(0, 'i32', N)} : {tile(N, 'i32')}") for _ in range(2)]
        text.output(text.op(f"arith.{operation} {truths[0]}, {truths[1]} : {tile(N, 'i1')}"), "i1", N)
        yield f"arith.{operation} i1", text
    for dtype in ("i32", "i64"):
        yield f"tt.mulhiui {dtype}", one("tt.mulhiui", [dtype, dtype], dtype, ["-2000000000..2000000000"] * 2)
    for dtype in ("f32", "f64"):
        yield f"tt.precise_divf {dtype}", one("tt.precise_divf", [dtype, dtype], dtype, ["", "0.5..2"])


def ternary():
    for dtype in FLOATS:
        yield f"math.fma {dtype}", one("math.fma", [dtype] * 3, dtype)
        for nan in ("none", "all"):
            form = "{op} {args}, propagateNan = " + nan + " : {type}"
            yield f"tt.clampf {nan} {dtype}", one("tt.clampf", [dtype] * 3, dtype, ["special", "-2..-1", "1..2"], form)
    for dtype in (*INTEGERS, *FLOATS):
        text = Text()
        a, b = text.input(dtype, N), text.input(dtype, N)
        truth = text.op(f"arith.cmpi slt, {text.input('i32', N)}, {text.const(0, 'i32', N)} : {tile(N, 'i32')}")
        text.output(text.op(f"arith.select {truth}, {a}, {b} : {tile(N, 'i1')}, {tile(N, dtype)}"), dtype, N)
        yield f"arith.select {dtype}", text


def compare():
    for predicate in FLOAT_COMPARE:
        for dtype in FLOATS:
            yield f"arith.cmpf {predicate} {dtype}", one(f"arith.cmpf {predicate},", [dtype, dtype], "i1", ["special", "special"])
    for predicate in INTEGER_COMPARE:
        for dtype in INTEGERS:
            yield f"arith.cmpi {predicate} {dtype}", one(f"arith.cmpi {predicate},", [dtype, dtype], "i1", ["-3..3", "-3..3"])


def casts():
    for source in INTEGERS:
        for target in INTEGERS:
            if BITS[source] < BITS[target]:
                for operation in ("extsi", "extui"):
                    yield f"arith.{operation} {source} to {target}", one(f"arith.{operation}", [source], target, form="{op} {args} : {type} to {result}")
            elif BITS[source] > BITS[target]:
                yield f"arith.trunci {source} to {target}", one("arith.trunci", [source], target, ["-1000..1000"] if source != "i8" else [],
                                                                form="{op} {args} : {type} to {result}")
        for target in FLOATS:
            for operation in ("sitofp", "uitofp"):
                yield f"arith.{operation} {source} to {target}", one(f"arith.{operation}", [source], target, ["0..100"], "{op} {args} : {type} to {result}")
            for operation in ("fptosi", "fptoui"):
                yield f"arith.{operation} {target} to {source}", one(f"arith.{operation}", [target], source, ["0..100"], "{op} {args} : {type} to {result}")
    for source in FLOATS:
        for target in FLOATS:
            if BITS[source] < BITS[target]:
                yield f"arith.extf {source} to {target}", one("arith.extf", [source], target, ["special"], "{op} {args} : {type} to {result}")
            elif BITS[source] > BITS[target]:
                yield f"arith.truncf {source} to {target}", one("arith.truncf", [source], target, ["special"], "{op} {args} : {type} to {result}")
    for narrow in EIGHTHS:
        for other in FLOATS:
            yield f"tt.fp_to_fp {narrow} to {other}", one("tt.fp_to_fp", [narrow], other, form="{op} {args} : {type} -> {result}")
            for rounding in ("rtne", "rtz"):
                yield f"tt.fp_to_fp {rounding} {other} to {narrow}", one("tt.fp_to_fp", [other], narrow,
                                                                         form="{op} {args}, rounding = " + rounding + " : {type} -> {result}")
    for wide, narrow in (("f32", "f16"), ("f32", "bf16"), ("f64", "f32")):
        yield f"tt.fp_to_fp rtz {wide} to {narrow}", one("tt.fp_to_fp", [wide], narrow, form="{op} {args}, rounding = rtz : {type} -> {result}")
    for source in (*INTEGERS, *FLOATS, *EIGHTHS):
        for target in (*INTEGERS, *FLOATS, *EIGHTHS):
            if source != target and BITS[source] == BITS[target]:
                yield f"tt.bitcast {source} to {target}", one("tt.bitcast", [source], target, form="{op} {args} : {type} -> {result}")


def libdevice():
    form = '{{op}} {{args}} {{{{libname = "", libpath = "", pure = true, symbol = "__nv_{0}"}}}} : ({{types}}) -> {{result}}'
    for name in LIBDEVICE:
        values = {"acosh": "1..4", "lgamma": POSITIVE, "tgamma": POSITIVE, "y0": POSITIVE, "y1": POSITIVE}.get(name)
        values = values or ("0.1..0.9" if name in ("acos", "asin", "atanh", "erfinv", "erfcinv", "normcdfinv", "log", "log1p", "log2", "log10", "sqrt", "rsqrt",
                                                   "rcbrt", "logb") else "")
        for dtype, suffix in (("f32", "f"), ("f64", "")):
            yield f"{name} {dtype}", one("tt.extern_elementwise", [dtype], dtype, [values], form.format(name + suffix))
    for name in LIBDEVICE_BINARY:
        for dtype, suffix in (("f32", "f"), ("f64", "")):
            yield f"{name} {dtype}", one("tt.extern_elementwise", [dtype, dtype], dtype, [POSITIVE, POSITIVE], form.format(name + suffix))
    for name, inputs, result in LIBDEVICE_OTHER:
        values = [POSITIVE if is_float(each) else "1..7" for each in inputs.split()]
        yield f"{name}", one("tt.extern_elementwise", inputs.split(), result, values, form.format(name))


FEATURES = {"functions of one number": unary, "functions of two numbers": binary, "functions of three numbers": ternary, "comparisons": compare,
            "conversions": casts, "functions of libdevice": libdevice}
