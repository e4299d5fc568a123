"""Texts of the memory-bound kernels that memory_bench.py times: Triton IR, one text for every contender.

Each function returns a Case: the text, its grid, what to allocate, the reference and the bytes a perfect kernel moves.
Rows are processed by one program each; elementwise work is cut into flat blocks.
"""

from dataclasses import dataclass, field
from typing import Callable

POINTER = "!tt.ptr<{}> {{tt.divisibility = 16 : i32}}"
F32_ADD = "arith.addf"
F32_MAX = "arith.maxnumf"


@dataclass
class Case:
    name: str
    text: str
    grid: tuple
    inputs: list  # [(dtype, shape)]
    output: tuple  # (dtype, shape)
    scalars: list  # [(dtype, value)]: parameters are the inputs, the output, then these
    reference: Callable  # torch tensors in, float64 tensor out
    tolerance: float
    bytes: int = field(init=False)

    def __post_init__(self):
        size = {"f16": 2, "f32": 4}
        count = lambda shape: shape[0] * (shape[1] if len(shape) > 1 else 1)
        self.bytes = sum(size[dtype] * count(shape) for dtype, shape in [*self.inputs, self.output])


def module(name, parameters, body):
    arguments = ", ".join(f"%{key}: {kind}" for key, kind in parameters)
    return (f"module {{\n  tt.func public @{name}({arguments}) attributes {{noinline = false}} {{\n"
            f"{body}    tt.return\n  }}\n}}\n")


def pointer(dtype):
    return POINTER.format(dtype)


INTEGER = "i32 {tt.divisibility = 16 : i32}"


def reduce(result, operand, operation, size, dtype="f32"):
    return (f'    {result} = "tt.reduce"({operand}) <{{axis = 0 : i32}}> ({{\n    ^bb0(%a: {dtype}, %b: {dtype}):\n'
            f"      %c = {operation} %a, %b : {dtype}\n      tt.reduce.return %c : {dtype}\n"
            f"    }}) : (tensor<{size}x{dtype}>) -> {dtype}\n")


def row_address(size):
    """Offset of the program's row, its columns and the mask of those that exist."""
    return (f"    %r = tt.get_program_id x : i32\n"
            f"    %i = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>\n"
            f"    %n = tt.splat %cols : i32 -> tensor<{size}xi32>\n"
            f"    %m = arith.cmpi slt, %i, %n : tensor<{size}xi32>\n"
            f"    %at = arith.muli %r, %stride : i32\n")


def row_pointers(name, base, size, dtype, offset="%at"):
    row = base if offset is None else f"%{name}_row"
    lines = "" if offset is None else f"    {row} = tt.addptr {base}, {offset} : !tt.ptr<{dtype}>, i32\n"
    return (f"{lines}    %{name}_all = tt.splat {row} : !tt.ptr<{dtype}> -> tensor<{size}x!tt.ptr<{dtype}>>\n"
            f"    %{name} = tt.addptr %{name}_all, %i : tensor<{size}x!tt.ptr<{dtype}>>, tensor<{size}xi32>\n")


def load_row(name, base, size, dtype, offset="%at"):
    """%name in f32, zero where masked."""
    t = f"tensor<{size}x{dtype}>"
    return (row_pointers(f"{name}_p", base, size, dtype, offset) +
            f"    %{name}_0 = arith.constant dense<0.0> : {t}\n"
            f"    %{name}_h = tt.load %{name}_p, %m, %{name}_0 : tensor<{size}x!tt.ptr<{dtype}>>\n"
            f"    %{name} = arith.extf %{name}_h : {t} to tensor<{size}xf32>\n")


def store_row(value, size):
    return (row_pointers("y_p", "%y", size, "f16") +
            f"    %out = arith.truncf {value} : tensor<{size}xf32> to tensor<{size}xf16>\n"
            f"    tt.store %y_p, %out, %m : tensor<{size}x!tt.ptr<f16>>\n")


def row_parameters(*extra):
    return [("x", pointer("f16")), *extra, ("y", pointer("f16")), ("stride", INTEGER), ("cols", INTEGER)]


def softmax(rows, cols):
    t = f"tensor<{cols}xf32>"
    body = (row_address(cols) + row_pointers("x_p", "%x", cols, "f16") +
            f"    %least = arith.constant dense<0xFC00> : tensor<{cols}xf16>\n"
            f"    %x_h = tt.load %x_p, %m, %least : tensor<{cols}x!tt.ptr<f16>>\n"
            f"    %v = arith.extf %x_h : tensor<{cols}xf16> to {t}\n" + reduce("%max", "%v", F32_MAX, cols) +
            f"    %max_t = tt.splat %max : f32 -> {t}\n    %d = arith.subf %v, %max_t : {t}\n"
            f"    %e = math.exp %d : {t}\n" + reduce("%sum", "%e", F32_ADD, cols) +
            f"    %sum_t = tt.splat %sum : f32 -> {t}\n    %p = arith.divf %e, %sum_t : {t}\n" + store_row("%p", cols))
    return Case("softmax", module("softmax", row_parameters(), body), (rows, 1, 1), [("f16", (rows, cols))],
                ("f16", (rows, cols)), [("i32", cols), ("i32", cols)], lambda x: x.double().softmax(-1), 1e-3)


def normalized(name, rows, cols, centered):
    t = f"tensor<{cols}xf32>"
    body = row_address(cols) + load_row("v", "%x", cols, "f16") + "    %count = arith.sitofp %cols : i32 to f32\n"
    if centered:
        body += (reduce("%sum", "%v", F32_ADD, cols) + "    %mean = arith.divf %sum, %count : f32\n"
                 f"    %mean_t = tt.splat %mean : f32 -> {t}\n    %c0 = arith.subf %v, %mean_t : {t}\n"
                 f"    %zero = arith.constant dense<0.0> : {t}\n"
                 f"    %d = arith.select %m, %c0, %zero : tensor<{cols}xi1>, {t}\n")
    d = "%d" if centered else "%v"
    body += (f"    %q = arith.mulf {d}, {d} : {t}\n" + reduce("%sq", "%q", F32_ADD, cols) +
             "    %var = arith.divf %sq, %count : f32\n    %eps = arith.constant 1.0e-5 : f32\n"
             "    %ve = arith.addf %var, %eps : f32\n    %rstd = math.rsqrt %ve : f32\n" +
             load_row("w", "%weight", cols, "f16", None) +
             f"    %rstd_t = tt.splat %rstd : f32 -> {t}\n    %s = arith.mulf {d}, %rstd_t : {t}\n"
             f"    %sw = arith.mulf %s, %w : {t}\n")
    extra, inputs = [("weight", pointer("f16"))], [("f16", (rows, cols)), ("f16", (cols,))]
    result = "%sw"
    if centered:
        body += load_row("b", "%bias", cols, "f16", None) + f"    %swb = arith.addf %sw, %b : {t}\n"
        extra.append(("bias", pointer("f16")))
        inputs.append(("f16", (cols,)))
        result = "%swb"

    def reference(x, w, b=None):
        x = x.double()
        x = x - x.mean(-1, keepdim=True) if centered else x
        y = x * (x.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * w.double()
        return y if b is None else y + b.double()

    return Case(name, module(name, row_parameters(*extra), body + store_row(result, cols)), (rows, 1, 1), inputs,
                ("f16", (rows, cols)), [("i32", cols), ("i32", cols)], reference, 4e-3)


def layer_norm(rows, cols):
    return normalized("layer_norm", rows, cols, True)


def rms_norm(rows, cols):
    return normalized("rms_norm", rows, cols, False)


def flat_address(block):
    return (f"    %pid = tt.get_program_id x : i32\n    %block = arith.constant {block} : i32\n"
            f"    %first = arith.muli %pid, %block : i32\n"
            f"    %lane = tt.make_range {{end = {block} : i32, start = 0 : i32}} : tensor<{block}xi32>\n"
            f"    %first_t = tt.splat %first : i32 -> tensor<{block}xi32>\n"
            f"    %i = arith.addi %first_t, %lane : tensor<{block}xi32>\n"
            f"    %n_t = tt.splat %n : i32 -> tensor<{block}xi32>\n"
            f"    %m = arith.cmpi slt, %i, %n_t : tensor<{block}xi32>\n")


def flat_load(name, base, block, dtype):
    return (row_pointers(f"{name}_p", base, block, dtype, None) +
            f"    %{name} = tt.load %{name}_p, %m : tensor<{block}x!tt.ptr<{dtype}>>\n")


def vector_add(rows, cols, block=1024):
    count, t = rows * cols, f"tensor<{block}xf32>"
    body = (flat_address(block) + flat_load("u", "%x", block, "f32") + flat_load("v", "%z", block, "f32") +
            f"    %s = arith.addf %u, %v : {t}\n" + row_pointers("o", "%y", block, "f32", None) +
            f"    tt.store %o, %s, %m : tensor<{block}x!tt.ptr<f32>>\n")
    parameters = [("x", pointer("f32")), ("z", pointer("f32")), ("y", pointer("f32")), ("n", INTEGER)]
    return Case("vector_add", module("vector_add", parameters, body), (-(-count // block), 1, 1),
                [("f32", (rows, cols))] * 2, ("f32", (rows, cols)), [("i32", count)],
                lambda x, z: x.double() + z.double(), 1e-6)


def fused_elementwise(rows, cols, block=1024):
    """silu(x + bias[column]) * gate + residual, f16, as a framework fuses it: flat index, column by remainder."""
    count, t, h = rows * cols, f"tensor<{block}xf32>", f"tensor<{block}xf16>"
    widen = lambda name: f"    %{name}_f = arith.extf %{name} : {h} to {t}\n"
    body = (flat_address(block) + f"    %cols = arith.constant dense<{cols}> : tensor<{block}xi32>\n"
            f"    %col = arith.remsi %i, %cols : tensor<{block}xi32>\n"
            f"    %b_all = tt.splat %bias : !tt.ptr<f16> -> tensor<{block}x!tt.ptr<f16>>\n"
            f"    %b_p = tt.addptr %b_all, %col : tensor<{block}x!tt.ptr<f16>>, tensor<{block}xi32>\n"
            f"    %b = tt.load %b_p, %m : tensor<{block}x!tt.ptr<f16>>\n" + flat_load("u", "%x", block, "f16") +
            flat_load("g", "%gate", block, "f16") + flat_load("r", "%residual", block, "f16") + widen("u") +
            widen("b") + widen("g") + widen("r") +
            f"    %a = arith.addf %u_f, %b_f : {t}\n    %zero = arith.constant dense<0.0> : {t}\n"
            f"    %one = arith.constant dense<1.0> : {t}\n    %minus = arith.subf %zero, %a : {t}\n"
            f"    %e = math.exp %minus : {t}\n    %den = arith.addf %e, %one : {t}\n"
            f"    %silu = arith.divf %a, %den : {t}\n    %sg = arith.mulf %silu, %g_f : {t}\n"
            f"    %s = arith.addf %sg, %r_f : {t}\n    %s_h = arith.truncf %s : {t} to {h}\n" +
            row_pointers("o", "%y", block, "f16", None) + f"    tt.store %o, %s_h, %m : tensor<{block}x!tt.ptr<f16>>\n")
    parameters = [(name, pointer("f16")) for name in ("x", "bias", "gate", "residual", "y")] + [("n", INTEGER)]

    def reference(x, bias, gate, residual):
        a = x.double() + bias.double()
        return a * a.sigmoid() * gate.double() + residual.double()

    full = ("f16", (rows, cols))
    return Case("fused_elementwise", module("fused_elementwise", parameters, body), (-(-count // block), 1, 1),
                [full, ("f16", (cols,)), full, full], full, [("i32", count)], reference, 2e-3)


def tile_index(rows, cols):
    """Row and column numbers of a tile as a column and a row vector, from the program's two ids."""
    return (f"    %pid_r = tt.get_program_id y : i32\n    %pid_c = tt.get_program_id x : i32\n"
            f"    %tr = arith.constant {rows} : i32\n    %tc = arith.constant {cols} : i32\n"
            f"    %r0 = arith.muli %pid_r, %tr : i32\n    %c0 = arith.muli %pid_c, %tc : i32\n"
            f"    %rr = tt.make_range {{end = {rows} : i32, start = 0 : i32}} : tensor<{rows}xi32>\n"
            f"    %cc = tt.make_range {{end = {cols} : i32, start = 0 : i32}} : tensor<{cols}xi32>\n"
            f"    %r0_t = tt.splat %r0 : i32 -> tensor<{rows}xi32>\n    %c0_t = tt.splat %c0 : i32 -> tensor<{cols}xi32>\n"
            f"    %rows = arith.addi %r0_t, %rr : tensor<{rows}xi32>\n"
            f"    %cols = arith.addi %c0_t, %cc : tensor<{cols}xi32>\n")


def tile_pointers(name, base, rows, cols, row_index, col_index, stride):
    """base[row_index * stride + col_index] for a rows x cols tile."""
    column, row, tile = f"tensor<{rows}x1xi32>", f"tensor<1x{cols}xi32>", f"tensor<{rows}x{cols}xi32>"
    pointers = f"tensor<{rows}x{cols}x!tt.ptr<f16>>"
    return (f"    %{name}_r = tt.expand_dims {row_index} {{axis = 1 : i32}} : tensor<{rows}xi32> -> {column}\n"
            f"    %{name}_st = tt.splat {stride} : i32 -> {column}\n"
            f"    %{name}_rs = arith.muli %{name}_r, %{name}_st : {column}\n"
            f"    %{name}_c = tt.expand_dims {col_index} {{axis = 0 : i32}} : tensor<{cols}xi32> -> {row}\n"
            f"    %{name}_rb = tt.broadcast %{name}_rs : {column} -> {tile}\n"
            f"    %{name}_cb = tt.broadcast %{name}_c : {row} -> {tile}\n"
            f"    %{name}_o = arith.addi %{name}_rb, %{name}_cb : {tile}\n"
            f"    %{name}_b = tt.splat {base} : !tt.ptr<f16> -> {pointers}\n"
            f"    %{name} = tt.addptr %{name}_b, %{name}_o : {pointers}, {tile}\n")


def transposition(rows, cols, tile=64):
    body = (tile_index(tile, tile) + tile_pointers("x_p", "%x", tile, tile, "%rows", "%cols", "%x_stride") +
            f"    %v = tt.load %x_p : tensor<{tile}x{tile}x!tt.ptr<f16>>\n"
            f"    %vt = tt.trans %v {{order = array<i32: 1, 0>}} : tensor<{tile}x{tile}xf16> -> tensor<{tile}x{tile}xf16>\n" +
            tile_pointers("y_p", "%y", tile, tile, "%cols", "%rows", "%y_stride") +
            f"    tt.store %y_p, %vt : tensor<{tile}x{tile}x!tt.ptr<f16>>\n")
    parameters = [("x", pointer("f16")), ("y", pointer("f16")), ("x_stride", INTEGER), ("y_stride", INTEGER)]
    return Case("transposition", module("transposition", parameters, body), (cols // tile, rows // tile, 1),
                [("f16", (rows, cols))], ("f16", (cols, rows)), [("i32", cols), ("i32", rows)],
                lambda x: x.double().t(), 0.0)


def rope(rows, cols, heads_each=8, head=128):
    """Rotary embedding: rows are tokens, a row holds cols / 128 heads; cos and sin are f32 tables by token."""
    half, t, h = head // 2, f"tensor<{heads_each}x{head // 2}xf32>", f"tensor<{heads_each}x{head // 2}xf16>"
    p = f"tensor<{heads_each}x{half}x!tt.ptr<f16>>"
    table = lambda name: (
        f"    %{name}_r = tt.addptr %{name}, %at : !tt.ptr<f32>, i32\n"
        f"    %{name}_a = tt.splat %{name}_r : !tt.ptr<f32> -> tensor<{half}x!tt.ptr<f32>>\n"
        f"    %{name}_p = tt.addptr %{name}_a, %j : tensor<{half}x!tt.ptr<f32>>, tensor<{half}xi32>\n"
        f"    %{name}_v = tt.load %{name}_p : tensor<{half}x!tt.ptr<f32>>\n"
        f"    %{name}_e = tt.expand_dims %{name}_v {{axis = 0 : i32}} : tensor<{half}xf32> -> tensor<1x{half}xf32>\n"
        f"    %{name}_t = tt.broadcast %{name}_e : tensor<1x{half}xf32> -> {t}\n")
    body = (f"    %token = tt.get_program_id x : i32\n    %group = tt.get_program_id y : i32\n"
            f"    %each = arith.constant {heads_each} : i32\n    %h0 = arith.muli %group, %each : i32\n"
            f"    %hr = tt.make_range {{end = {heads_each} : i32, start = 0 : i32}} : tensor<{heads_each}xi32>\n"
            f"    %h0_t = tt.splat %h0 : i32 -> tensor<{heads_each}xi32>\n"
            f"    %hs = arith.addi %h0_t, %hr : tensor<{heads_each}xi32>\n"
            f"    %j = tt.make_range {{end = {half} : i32, start = 0 : i32}} : tensor<{half}xi32>\n"
            f"    %row = arith.muli %token, %stride : i32\n    %half = arith.constant {half} : i32\n"
            f"    %head = arith.constant {head} : i32\n    %at = arith.muli %token, %half : i32\n" +
            "    %x_row = tt.addptr %x, %row : !tt.ptr<f16>, i32\n    %y_row = tt.addptr %y, %row : !tt.ptr<f16>, i32\n" +
            tile_pointers("u_p", "%x_row", heads_each, half, "%hs", "%j", "%head") +
            tile_pointers("o_p", "%y_row", heads_each, half, "%hs", "%j", "%head") +
            f"    %shift = arith.constant dense<{half}> : tensor<{heads_each}x{half}xi32>\n"
            f"    %v_p = tt.addptr %u_p, %shift : {p}, tensor<{heads_each}x{half}xi32>\n"
            f"    %w_p = tt.addptr %o_p, %shift : {p}, tensor<{heads_each}x{half}xi32>\n" + table("cos") + table("sin") +
            f"    %u_h = tt.load %u_p : {p}\n    %v_h = tt.load %v_p : {p}\n"
            f"    %u = arith.extf %u_h : {h} to {t}\n    %v = arith.extf %v_h : {h} to {t}\n"
            f"    %uc = arith.mulf %u, %cos_t : {t}\n    %vs = arith.mulf %v, %sin_t : {t}\n"
            f"    %lo = arith.subf %uc, %vs : {t}\n    %lo_h = arith.truncf %lo : {t} to {h}\n    tt.store %o_p, %lo_h : {p}\n"
            f"    %vc = arith.mulf %v, %cos_t : {t}\n    %us = arith.mulf %u, %sin_t : {t}\n"
            f"    %hi = arith.addf %vc, %us : {t}\n    %hi_h = arith.truncf %hi : {t} to {h}\n    tt.store %w_p, %hi_h : {p}\n")
    parameters = [("x", pointer("f16")), ("cos", pointer("f32")), ("sin", pointer("f32")), ("y", pointer("f16")),
                  ("stride", INTEGER)]

    def reference(x, cos, sin):
        x = x.double().reshape(rows, cols // head, head)
        u, v, c, s = x[..., :half], x[..., half:], cos.double()[:, None, :], sin.double()[:, None, :]
        import torch

        return torch.cat((u * c - v * s, v * c + u * s), -1).reshape(rows, cols)

    return Case("rope", module("rope", parameters, body), (rows, cols // head // heads_each, 1),
                [("f16", (rows, cols)), ("f32", (rows, half)), ("f32", (rows, half))], ("f16", (rows, cols)),
                [("i32", cols)], reference, 2e-3)


ALL = [vector_add, softmax, layer_norm, rms_norm, rope, transposition, fused_elementwise]
