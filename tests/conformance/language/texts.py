"""Kernels in Triton's IR, line by line: what the other files of this folder write their cases with."""

import math

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64")
EIGHTHS = ("f8E4M3FN", "f8E5M2")
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f8E4M3FN": 8, "f8E5M2": 8, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}


def is_float(dtype):
    return "f" in dtype


def tile(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>" if shape else element


def pointer(dtype):
    return f"!tt.ptr<{dtype}>"


class Text:
    """One kernel and its launch. Values are names; tiles are [shape, element type] where a method needs to know."""

    def __init__(self, grid="1"):
        self.grid, self.parameters, self.launch, self.lines, self.functions = grid, [], [], [], []
        self.number, self.expects = 0, ""

    # ---- arguments

    def name(self):
        self.number += 1
        return f"%v{self.number}"

    def memory(self, dtype, shape, values=""):
        """A pointer to a tensor of the launch. values: as a `run` line says them."""
        found = f"%p{len(self.parameters)}"
        self.parameters.append(f"{found}: {pointer(dtype)} {{tt.divisibility = 16 : i32}}")
        self.launch.append(f"{dtype.lower().replace('fn', '')}[{','.join(map(str, shape))}]{'=' + values if values else ''}")
        return found

    def scalar(self, dtype, value):
        found = f"%p{len(self.parameters)}"
        self.parameters.append(f"{found}: {dtype}")
        self.launch.append(f"{dtype}:{value}")
        return found

    def descriptor(self, dtype, block, shape, values=""):
        """A tensor descriptor that the launch makes, with the parameters that follow it."""
        found = f"%p{len(self.parameters)}"
        rest = [f"{found}_size{i}: i32" for i in range(len(shape))] + [f"{found}_stride{i}: i64" for i in range(len(shape))]
        self.parameters.append(", ".join([f"{found}: !tt.tensordesc<{tile(block, dtype)}>", *rest]))
        self.launch.append(f"{dtype.lower().replace('fn', '')}[{','.join(map(str, shape))}]{'=' + values if values else ''}")
        return found

    # ---- operations

    def line(self, text):
        self.lines.append(text)

    def op(self, text):
        """A value made by an operation."""
        found = self.name()
        self.lines.append(f"{found} = {text}")
        return found

    def const(self, value, dtype, shape=()):
        if is_float(dtype) and "x" not in str(value) and "." not in str(value) and "e" not in str(value):
            value = f"{value}.0"
        alone = f"arith.constant {value}" + ("" if dtype == "i1" else f" : {dtype}")
        return self.op(f"arith.constant dense<{value}> : {tile(shape, dtype)}" if shape else alone)

    def arange(self, size, start=0):
        return self.op(f"tt.make_range {{end = {start + size} : i32, start = {start} : i32}} : tensor<{size}xi32>")

    def splat(self, value, dtype, shape):
        return self.op(f"tt.splat {value} : {dtype} -> {tile(shape, dtype)}")

    def expand(self, value, dtype, shape, axis):
        wider = [*shape[:axis], 1, *shape[axis:]]
        return self.op(f"tt.expand_dims {value} {{axis = {axis} : i32}} : {tile(shape, dtype)} -> {tile(wider, dtype)}")

    def broadcast(self, value, dtype, shape, wanted):
        return self.op(f"tt.broadcast {value} : {tile(shape, dtype)} -> {tile(wanted, dtype)}")

    def reshape(self, value, dtype, shape, wanted):
        return self.op(f"tt.reshape {value} : {tile(shape, dtype)} -> {tile(wanted, dtype)}")

    def along(self, shape, axis, step=1):
        """The index along one axis, times a step, as a tile of the whole shape."""
        line, size = self.arange(shape[axis]), shape[axis]
        if step != 1:
            line = self.op(f"arith.muli {line}, {self.const(step, 'i32', [size])} : tensor<{size}xi32>")
        now = [size]
        for i in range(len(shape)):
            if i < axis or i > axis:
                line, now = self.expand(line, "i32", now, i), [*now[:i], 1, *now[i:]]
        return self.broadcast(line, "i32", now, shape) if now != list(shape) else line

    def index(self, shape):
        """Places of the elements in row-major order."""
        whole = None
        for axis in range(len(shape)):
            part = self.along(shape, axis, math.prod(shape[axis + 1 :]))
            whole = part if whole is None else self.op(f"arith.addi {whole}, {part} : {tile(shape, 'i32')}")
        return whole

    def addresses(self, base, dtype, shape, places=None):
        bases = self.splat(base, pointer(dtype), shape)
        places = places or self.index(shape)
        return self.op(f"tt.addptr {bases}, {places} : {tile(shape, pointer(dtype))}, {tile(shape, 'i32')}")

    def input(self, dtype, shape, values=""):
        """A tile of the launch's tensor."""
        return self.op(f"tt.load {self.addresses(self.memory(dtype, shape, values), dtype, shape)} : {tile(shape, pointer(dtype))}")

    def output(self, value, dtype, shape, places=None, size=None):
        """Stores a tile; truth values as bytes."""
        if dtype == "i1":
            value, dtype = self.op(f"arith.extui {value} : {tile(shape, 'i1')} to {tile(shape, 'i8')}"), "i8"
        at = self.addresses(self.memory(dtype, size or shape), dtype, shape, places)
        self.line(f"tt.store {at}, {value} : {tile(shape, pointer(dtype))}")

    def output_scalar(self, value, dtype):
        self.line(f"tt.store {self.memory(dtype, [1])}, {value} : {pointer(dtype)}")

    def region(self, head, arguments, lines, tail):
        """An operation with one block."""
        self.line(f"{head} ({{")
        self.line(f"^bb0({', '.join(arguments)}):")
        self.lines += [f"  {each}" for each in lines]
        self.line(f"}}) {tail}")

    def __str__(self):
        body = "\n".join(f"    {each}" for each in self.lines)
        functions = "".join(f"{each}\n" for each in self.functions)
        expects = f"// expects: {self.expects}\n" if self.expects else ""
        return (f"{expects}// run: grid={self.grid} args={' '.join(self.launch)}\nmodule {{\n{functions}"
                f"  tt.func public @case({', '.join(self.parameters)}) {{\n{body}\n    tt.return\n  }}\n}}\n")
