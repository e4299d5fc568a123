"""The parts of Tawa's C interface (include/tawa/tawa.h) that measurements need, by ctypes.

Structs mirror the header field by field. The library checks struct_size, so an outdated mirror is refused by the
first call rather than misread.
"""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

MAX_RANK = 8
UNKNOWN = -(1 << 63)
ARG_TENSOR, ARG_SCALAR, ARG_CONSTANT = 0, 1, 2
DTYPES = ["i1", "i8", "i16", "i32", "i64", "f8e4m3", "f8e5m2", "f16", "bf16", "f32", "f64"]


class Struct(ctypes.Structure):
    """Every public struct opens with struct_size, reserved and next; this fills them in."""

    HEAD = [("struct_size", c_uint32), ("reserved", c_uint32), ("next", c_void_p)]

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(type(self)), **fields)


class RuntimeOptions(Struct):
    _fields_ = Struct.HEAD + [
        ("device", c_char_p),
        ("log", c_void_p),
        ("log_user", c_void_p),
        ("log_level", c_int),
        ("reserved2", c_uint32),
        ("dump_dir", c_char_p),
        ("cuda_context", c_void_p),
        ("cache_dir", c_char_p),
        ("cache_readonly", c_void_p),
        ("num_cache_readonly", c_uint32),
        ("frozen", c_int),
        ("cache_max_bytes", c_uint64),
        ("policy", c_int),
        ("reserved3", c_uint32),
    ]


class Arg(Struct):
    _fields_ = Struct.HEAD + [
        ("kind", c_int),
        ("dtype", c_int),
        ("rank", c_uint32),
        ("alignment", c_uint32),
        ("data", c_void_p),
        ("integer", c_int64),
        ("number", c_double),
        ("shape", c_int64 * MAX_RANK),
        ("strides", c_int64 * MAX_RANK),
        ("buckets", c_uint32),
        ("reserved2", c_uint32),
    ]


class ArgInfo(Struct):
    _fields_ = Struct.HEAD + [
        ("name", c_char_p),
        ("kind", c_int),
        ("dtype", c_int),
        ("rank", c_uint32),
        ("alignment", c_uint32),
    ]


class CompileRequest(Struct):
    _fields_ = Struct.HEAD + [
        ("text", c_char_p),
        ("text_len", c_size_t),
        ("name", c_char_p),
        ("args", POINTER(Arg)),
        ("num_args", c_uint32),
        ("reserved2", c_uint32),
        ("config", c_char_p),
        ("policy", c_int),
        ("reserved3", c_uint32),
        ("tune", c_void_p),
        ("target", c_char_p),
    ]


class KernelInfo(Struct):
    _fields_ = (
        Struct.HEAD
        + [(name, c_char_p) for name in ("entry", "config", "content_hash", "grid_expression", "jit_log")]
        + [(name, c_uint32) for name in ("threads", "shared_bytes", "registers", "spill_bytes", "local_bytes")]
        + [("cluster", c_uint32 * 3)]
        + [(name, c_uint32) for name in ("ring_depth", "mma_depth", "consumer_groups", "ptx_version", "num_args")]
        + [(name, c_uint32) for name in ("num_roles", "num_rings", "num_phases", "num_diagnostics", "reserved2")]
        + [("declined", c_char_p), ("from_cache", c_uint32), ("reserved3", c_uint32)]
    )


class PhaseInfo(Struct):
    _fields_ = Struct.HEAD + [("name", c_char_p), ("milliseconds", c_double)]


class LaunchOptions(Struct):
    _fields_ = Struct.HEAD + [("grid", c_uint32 * 3), ("reserved2", c_uint32), ("emulator_schedule", c_char_p)]


class TawaError(RuntimeError):
    """A call of the library failed; the message is the library's own."""


class Library:
    """libtawa.so with its functions declared."""

    SIGNATURES = {
        "tawa_version": ([], c_char_p),
        "tawa_build_info": ([], c_char_p),
        "tawa_error_render": ([c_void_p, c_int], c_void_p),
        "tawa_error_release": ([c_void_p], None),
        "tawa_free": ([c_void_p], None),
        "tawa_runtime_create": ([POINTER(RuntimeOptions), POINTER(c_void_p), POINTER(c_void_p)], c_int),
        "tawa_runtime_release": ([c_void_p], None),
        "tawa_signature_read": ([c_char_p, c_size_t, c_char_p, POINTER(c_void_p), POINTER(c_void_p)], c_int),
        "tawa_signature_argument_count": ([c_void_p], c_uint32),
        "tawa_signature_argument": ([c_void_p, c_uint32, POINTER(ArgInfo)], c_int),
        "tawa_signature_release": ([c_void_p], None),
        "tawa_compile": ([c_void_p, POINTER(CompileRequest), POINTER(c_void_p), POINTER(c_void_p)], c_int),
        "tawa_kernel_info": ([c_void_p, POINTER(KernelInfo)], c_int),
        "tawa_kernel_phase": ([c_void_p, c_uint32, POINTER(PhaseInfo)], c_int),
        "tawa_kernel_release": ([c_void_p], None),
        "tawa_launch": ([c_void_p, POINTER(Arg), c_uint32, c_void_p, POINTER(LaunchOptions)], c_int),
        "tawa_last_launch_error": ([], c_char_p),
    }

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        for name, (arguments, result) in self.SIGNATURES.items():
            function = getattr(self.c, name)
            function.argtypes, function.restype = arguments, result

    def check(self, status, error):
        """Raises for a failed call that filled in `error`."""
        if status == 0:
            return
        text = self.c.tawa_error_render(error, 0)
        message = ctypes.string_at(text).decode() if text else f"status {status}"
        self.c.tawa_free(text)
        self.c.tawa_error_release(error)
        raise TawaError(message.strip())


class Runtime:
    """A device. On a GPU it works in the context current on this thread, which is the one PyTorch uses."""

    def __init__(self, library, device):
        self.library, self.handle = library, c_void_p()
        error = c_void_p()
        # What is measured is compiled: no cache.
        options = RuntimeOptions(device=device.encode(), cache_dir=b"")
        library.check(library.c.tawa_runtime_create(byref(options), byref(self.handle), byref(error)), error)

    def close(self):
        self.library.c.tawa_runtime_release(self.handle)


def read_arguments(library, text, name):
    """[(name, kind, dtype)] of a kernel's text."""
    signature, error = c_void_p(), c_void_p()
    status = library.c.tawa_signature_read(text, len(text), name.encode(), byref(signature), byref(error))
    library.check(status, error)
    found = []
    for index in range(library.c.tawa_signature_argument_count(signature)):
        info = ArgInfo()
        library.c.tawa_signature_argument(signature, index, byref(info))
        found.append((info.name.decode(), info.kind, DTYPES[info.dtype]))
    library.c.tawa_signature_release(signature)
    return found


def tensor(dtype, pointer, shape):
    """A dense row-major tensor on the device."""
    arg = Arg(kind=ARG_TENSOR, dtype=DTYPES.index(dtype), rank=len(shape), data=pointer)
    for i, extent in enumerate(shape):
        arg.shape[i] = extent
    return arg


def unknown_matrix(dtype):
    """A dense row-major matrix of which only the launch will know more."""
    arg = Arg(kind=ARG_TENSOR, dtype=DTYPES.index(dtype), rank=2)
    arg.shape[0] = arg.shape[1] = arg.strides[0] = UNKNOWN
    arg.strides[1] = 1
    return arg


def scalar(dtype, value):
    return Arg(kind=ARG_SCALAR, dtype=DTYPES.index(dtype), integer=int(value), number=float(value))


class Kernel:
    """A compiled kernel with its arguments, ready to be launched many times on one stream."""

    def __init__(self, runtime, text, name, args, config="", grid=(0, 0, 0)):
        self.library, self.runtime, self.handle = runtime.library, runtime, c_void_p()
        self.options = LaunchOptions(grid=(c_uint32 * 3)(*grid))
        request = CompileRequest(
            text=text,
            text_len=len(text),
            name=name.encode(),
            args=(Arg * len(args))(*args),
            num_args=len(args),
            config=config.encode(),
        )
        error = c_void_p()
        status = self.library.c.tawa_compile(runtime.handle, byref(request), byref(self.handle), byref(error))
        self.library.check(status, error)
        self.launch = self.bound(args)

    def bound(self, args):
        """A function that enqueues one launch with these arguments on a stream, given as the raw handle."""
        held = (Arg * len(args))(*args)
        call, options = self.library.c.tawa_launch, byref(self.options)

        def launch(stream):
            if call(self.handle, held, len(held), stream, options):
                raise TawaError(self.library.c.tawa_last_launch_error().decode())

        return launch

    def info(self):
        info = KernelInfo()
        self.library.c.tawa_kernel_info(self.handle, byref(info))
        fields = {name: getattr(info, name) for name, _ in KernelInfo._fields_[3:]}
        fields["cluster"] = list(info.cluster)
        fields["phases"] = {}
        for index in range(info.num_phases):
            phase = PhaseInfo()
            self.library.c.tawa_kernel_phase(self.handle, index, byref(phase))
            fields["phases"][phase.name.decode()] = phase.milliseconds
        return {key: value.decode() if isinstance(value, bytes) else value for key, value in fields.items()}

    def close(self):
        self.library.c.tawa_kernel_release(self.handle)


def layout():
    """Sizes and offsets of the mirrors, for comparison with the header's."""
    mirrors = {
        "tawa_runtime_options_t": RuntimeOptions,
        "tawa_arg_t": Arg,
        "tawa_arg_info_t": ArgInfo,
        "tawa_compile_request_t": CompileRequest,
        "tawa_kernel_info_t": KernelInfo,
        "tawa_phase_info_t": PhaseInfo,
        "tawa_launch_options_t": LaunchOptions,
    }
    lines = []
    for name, mirror in mirrors.items():
        lines.append(f"{name} {ctypes.sizeof(mirror)}")
        lines += [f"{name}.{field} {getattr(mirror, field).offset}" for field, _ in mirror._fields_]
    return lines
