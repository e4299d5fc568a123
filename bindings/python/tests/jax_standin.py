"""A stand-in for the parts of JAX 0.11 that tawa.jax builds on, for machines without JAX: registration of FFI targets, ffi_call, vmap
by its methods, and XLA's side of a call: frames as XLA FFI 0.3 lays them out, handed to the registered handler.

Arrays are of the CPU. A call runs at once; an array within vmap knows the axes that stand in front of its shape.
"""

import array
import ctypes
import math
import pathlib
import sys
import tempfile
import types
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_void_p

INSTANTIATE, PREPARE, INITIALIZE, EXECUTE = range(4)
TARGETS = {}  # (name, platform): {stage: handler}
DEPTH = []  # functions that are within vmap, outermost first
CALLS = []  # parameters of every ffi_call
DTYPES = {"bool": (1, "B"), "int8": (2, "b"), "int16": (3, "h"), "int32": (4, "i"), "int64": (5, "q"), "uint8": (6, "B"),
          "float16": (10, "H"), "float32": (11, "f"), "float64": (12, "d"), "bfloat16": (16, "H"), "complex64": (15, "d")}


class JaxRuntimeError(RuntimeError):
    """What XLA makes of an error that a handler returned."""


# ---- XLA's C ABI ---------------------------------------------------------------------------------------------------------


def struct(name, *fields):
    """A struct that opens with its size and a chain of extensions."""
    return type(name, (Structure,), {"_fields_": [("struct_size", c_size_t), ("extensions", c_void_p), *fields]})


Version = struct("Version", ("major", c_int), ("minor", c_int))
ErrorCreate = struct("ErrorCreate", ("message", c_char_p), ("code", c_int))
ErrorDestroy = struct("ErrorDestroy", ("error", c_void_p))
StreamGet = struct("StreamGet", ("context", c_void_p), ("stream", c_void_p))
Buffer = struct("Buffer", ("dtype", c_int), ("data", c_void_p), ("rank", c_int64), ("dims", POINTER(c_int64)))
Values = struct("Values", ("size", c_int64), ("types", POINTER(c_int)), ("values", POINTER(c_void_p)))
Attributes = struct("Attributes", ("size", c_int64), ("types", POINTER(c_int)), ("names", POINTER(c_void_p)), ("values", POINTER(c_void_p)))
Api = struct("Api", ("version", Version), ("internal", c_void_p), ("error_create", c_void_p), ("error_get_message", c_void_p),
             ("error_destroy", c_void_p), ("handler_register", c_void_p), ("stream_get", c_void_p), ("others", c_void_p * 11))
Frame = struct("Frame", ("api", c_void_p), ("context", c_void_p), ("stage", c_int), ("arguments", Values), ("results", Values),
               ("attributes", Attributes), ("future", c_void_p))


class Span(Structure):
    _fields_ = [("data", c_char_p), ("size", c_size_t)]


class Metadata(Structure):
    _fields_ = [("struct_size", c_size_t), ("version", Version), ("traits", c_uint32), ("state_type", c_int64)]


class MetadataExtension(Structure):
    _fields_ = [("struct_size", c_size_t), ("type", c_int), ("next", c_void_p), ("metadata", POINTER(Metadata))]


assert ctypes.sizeof(Frame) == 176 and Frame.attributes.offset == 120 and Api.error_create.offset == 48  # as in jaxlib 0.11
assert ctypes.sizeof(Buffer) == 48 and ctypes.sizeof(Metadata) == 48 and Api.stream_get.offset == 80

HANDLER = CFUNCTYPE(c_void_p, c_void_p)
DESTROYED = []
ERRORS = []  # (code, message) of errors that handlers made; an error's handle is its number from 1 on


@CFUNCTYPE(c_void_p, POINTER(ErrorCreate))
def error_create(args):
    ERRORS.append((args.contents.code, args.contents.message.decode()))
    return len(ERRORS)


@CFUNCTYPE(None, POINTER(ErrorDestroy))
def error_destroy(args):
    DESTROYED.append(args.contents.error)


@CFUNCTYPE(c_void_p, POINTER(StreamGet))
def stream_get(args):
    """Of the CPU, which has none."""
    assert args.contents.struct_size == ctypes.sizeof(StreamGet)
    ERRORS.append((3, "no stream"))
    return len(ERRORS)


def make_api():
    return Api(struct_size=ctypes.sizeof(Api), **{each: ctypes.cast(globals()[each], c_void_p)
                                                  for each in ("error_create", "error_destroy", "stream_get")})


def pointers(structs):
    return (c_void_p * max(len(structs), 1))(*map(ctypes.addressof, structs))


class Call:
    """A frame, and all that it points to."""

    def __init__(self, operands, results, attributes, stage=EXECUTE):
        self.api = make_api()
        self.arrays = (operands, results)
        self.buffers = [[self.buffer(each) for each in part] for part in (operands, results)]
        names = sorted(attributes)
        self.spans = [[Span(text.encode(), len(text.encode())) for text in part] for part in (names, [attributes[n] for n in names])]
        self.tables = [pointers(each) for each in (*self.buffers, *self.spans)]
        self.kinds = [(c_int * 16)(*[1] * 16), (c_int * 16)(*[4] * 16)]  # buffers, strings
        self.frame = Frame(struct_size=ctypes.sizeof(Frame), api=ctypes.addressof(self.api), stage=stage)
        for name, table, part in zip(("arguments", "results"), self.tables, self.buffers):
            setattr(self.frame, name, Values(ctypes.sizeof(Values), None, len(part), self.kinds[0], table))
        self.frame.attributes = Attributes(ctypes.sizeof(Attributes), None, len(names), self.kinds[1], *self.tables[2:])

    @staticmethod
    def buffer(value):
        dims = value.batch + value.shape
        return Buffer(ctypes.sizeof(Buffer), None, DTYPES[value.dtype.name][0], value.data.buffer_info()[0], len(dims),
                      (c_int64 * max(len(dims), 1))(*dims))

    def run(self, handler):
        error = handler(ctypes.addressof(self.frame))
        if error:
            raise JaxRuntimeError(*ERRORS[error - 1])


def metadata_of(handler, size=ctypes.sizeof(Metadata)):
    """What XLA asks at registration; there is no API in that frame. `size`: 36 in API 0.1."""
    metadata = Metadata(struct_size=size, state_type=77)
    extension = MetadataExtension(ctypes.sizeof(MetadataExtension), 1, None, ctypes.pointer(metadata))
    frame = Frame(struct_size=ctypes.sizeof(Frame), extensions=ctypes.addressof(extension))
    assert not handler(ctypes.addressof(frame))
    return metadata


# ---- jax -----------------------------------------------------------------------------------------------------------------


class DType:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name


class ShapeDtypeStruct:
    def __init__(self, shape, dtype):
        self.shape, self.dtype = tuple(shape), DType(getattr(dtype, "name", dtype))


class Array(ShapeDtypeStruct):
    """batch: sizes of the axes that vmap hides, outermost first; 1 where the array is the same for all."""

    def __init__(self, shape, dtype, values=None, batch=()):
        super().__init__(shape, dtype)
        self.batch = tuple(batch)
        size = math.prod(self.batch + self.shape)
        self.data = values if isinstance(values, array.array) else array.array(DTYPES[self.dtype.name][1], values or [0] * size)
        assert len(self.data) == size, "as many values as the shape says"


class Tracer(Array):
    pass


def levels_of(value, count):
    """With unhidden axes of size 1 for the inner calls of vmap that know nothing of it."""
    return Array(value.shape, value.dtype, value.data, value.batch + (1,) * (count - len(value.batch)))


def broadcast(value, batch):
    made, size = Array(value.shape, value.dtype, None, batch), math.prod(value.shape)
    for place in range(math.prod(batch)):
        source, step, rest = 0, 1, place
        for whole, own in zip(reversed(batch), reversed(value.batch)):
            source, step, rest = source + (rest % whole * step if own > 1 else 0), step * own, rest // whole
        made.data[place * size : (place + 1) * size] = value.data[source * size : (source + 1) * size]
    return made


def ffi_call(target, results, *, vmap_method=None, input_output_aliases=None):
    def launch(*operands, **attributes):
        CALLS.append({"target": target, "vmap_method": vmap_method, "aliases": dict(input_output_aliases or {}), **attributes})
        count = max(len(each.batch) for each in (*operands, Array((), "int8")))
        operands = [levels_of(each, count) for each in operands]
        batch = tuple(max((each.batch[i] for each in operands), default=1) if 0 not in [each.batch[i] for each in operands] else 0
                      for i in range(count))
        if vmap_method == "broadcast_all":
            operands = [broadcast(each, batch) for each in operands]
        made = [Array(each.shape, each.dtype, None, batch) for each in results]
        for source, place in (input_output_aliases or {}).items():
            made[place] = operands[source] = Array(made[place].shape, made[place].dtype, array.array(operands[source].data.typecode,
                                                                                                     operands[source].data), batch)
        stages = TARGETS[target, "cpu"]
        Call(operands, made, attributes).run(stages["execute"])
        return made

    return launch


def vmap(function, in_axes=0):
    def mapped(*args):
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        args = [levels_of(each, len(DEPTH)) for each in args]
        hidden = [Array(each.shape, each.dtype, each.data, each.batch + (1,)) if axis is None else
                  Array(each.shape[1:], each.dtype, each.data, each.batch + each.shape[:1]) for each, axis in zip(args, axes)]
        DEPTH.append(function)
        results = function(*hidden)
        DEPTH.pop()
        shown = [Array(each.batch[-1:] + each.shape, each.dtype, each.data, each.batch[:-1])
                 for each in (results if isinstance(results, tuple) else (results,))]
        return tuple(shown) if isinstance(results, tuple) else shown[0]

    return mapped


def register_ffi_target(name, given, platform="cpu", api_version=1):
    assert api_version == 1
    TARGETS[name, platform] = given if isinstance(given, dict) else {"execute": given}


HEADERS = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with


def set_version(major, minor):
    """The version that the installed jaxlib's header tells."""
    header = pathlib.Path(HEADERS.name, "xla", "ffi", "api", "c_api.h")
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(f"#define XLA_FFI_API_MAJOR {major}\n\n#define XLA_FFI_API_MINOR {minor}\n", encoding="utf-8")


def install():
    """Makes `import jax` give this."""
    jax = types.ModuleType("jax")
    jax.ShapeDtypeStruct, jax.Array, jax.vmap = ShapeDtypeStruct, Array, vmap
    jax.core = types.SimpleNamespace(Tracer=Tracer)
    jax.numpy = types.SimpleNamespace(asarray=lambda value: value)
    jax.ffi = types.SimpleNamespace(ffi_call=ffi_call, register_ffi_target=register_ffi_target, include_dir=lambda: HEADERS.name,
                                    pycapsule=lambda function: HANDLER(ctypes.cast(function, c_void_p).value))
    set_version(0, 3)
    sys.modules["jax"] = jax
    return jax
