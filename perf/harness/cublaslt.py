"""cuBLASLt through ctypes: the tuned GEMM that Tawa's figures are compared with.

"Tuned" is the fastest of all algorithms the library's heuristic returns for the problem (eight are asked for), each
timed on the machine; it is up to 13 % above the heuristic's first choice. Only what that needs is bound here: one
matmul descriptor, three layouts, the heuristic query and the launch. Values of the enums are those of cublasLt.h and
library_types.h of CUDA 12 and 13.
"""

import ctypes
import glob
import os
import site

CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF, CUDA_R_8I, CUDA_R_32I = 0, 2, 14, 3, 10
CUDA_R_8F_E4M3, CUDA_R_8F_E5M2 = 28, 29
CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_32F_FAST_TF32 = 68, 72, 77
CUBLAS_OP_N, CUBLAS_OP_T = 0, 1
MATMUL_DESC_TRANSA, MATMUL_DESC_TRANSB, MATMUL_DESC_EPILOGUE, MATMUL_DESC_BIAS_POINTER, MATMUL_DESC_FAST_ACCUM = 3, 4, 7, 8, 25
EPILOGUE_GELU_BIAS = 36  # GELU by its tanh form
MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
MATMUL_PREF_MIN_ALIGNMENT_BYTES = 5, 6, 7, 8  # of A, B, C and D
CUBLAS_STATUS_SUCCESS = 0

WORKSPACE_BYTES = 64 << 20
REQUESTED_ALGORITHMS = 8
LARGEST_ALIGNMENT = 256


class Algorithm(ctypes.Structure):
    """cublasLtMatmulAlgo_t: opaque, copied by value."""

    _fields_ = [("data", ctypes.c_uint64 * 8)]


class HeuristicResult(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t."""

    _fields_ = [
        ("algorithm", Algorithm),
        ("workspace_size", ctypes.c_size_t),
        ("state", ctypes.c_int),
        ("waves_count", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    ]


assert ctypes.sizeof(HeuristicResult) == 64 + 8 + 4 + 4 + 16


def find_library():
    """The copy that PyTorch has mapped already if there is one, else the one in its wheels, else the system's."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            path = line.rstrip("\n").split(None, 5)[-1]
            if "libcublasLt.so" in os.path.basename(path):
                return path
    roots = site.getsitepackages() + [site.getusersitepackages()]
    try:
        import nvidia  # The namespace package that holds CUDA's libraries beside PyTorch.

        roots += [os.path.dirname(path) for path in nvidia.__path__]
    except ImportError:
        pass
    for root in roots:
        found = sorted(glob.glob(os.path.join(root, "nvidia", "*", "lib", "libcublasLt.so.1[23]")))
        if found:
            return found[-1]
    for name in ("libcublasLt.so.13", "libcublasLt.so.12"):
        try:
            ctypes.CDLL(name)
            return name
        except OSError:
            continue
    raise RuntimeError("libcublasLt.so.13 or .12 not found; is PyTorch with CUDA installed?")


def _declare(library):
    """Argument types of every function used: without them ctypes would cut 64-bit values to ints."""
    pointer, size, integer = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    out = ctypes.POINTER(ctypes.c_void_p)
    signatures = {
        "cublasLtCreate": [out],
        "cublasLtDestroy": [pointer],
        "cublasLtMatmulDescCreate": [out, integer, integer],
        "cublasLtMatmulDescDestroy": [pointer],
        "cublasLtMatmulDescSetAttribute": [pointer, integer, pointer, size],
        "cublasLtMatrixLayoutCreate": [out, integer, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64],
        "cublasLtMatrixLayoutDestroy": [pointer],
        "cublasLtMatmulPreferenceCreate": [out],
        "cublasLtMatmulPreferenceDestroy": [pointer],
        "cublasLtMatmulPreferenceSetAttribute": [pointer, integer, pointer, size],
        "cublasLtMatmulAlgoGetHeuristic": [pointer] * 7
        + [integer, ctypes.POINTER(HeuristicResult), ctypes.POINTER(ctypes.c_int)],
        "cublasLtMatmul": [pointer] * 12 + [ctypes.POINTER(Algorithm), pointer, size, pointer],
    }
    for name, arguments in signatures.items():
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = ctypes.c_int
    library.cublasLtGetVersion.restype = ctypes.c_size_t
    library.cublasLtGetVersion.argtypes = []


class NoAlgorithm(RuntimeError):
    """The heuristic returned nothing usable."""


class CublasLt:
    """The library and one handle on the current device."""

    def __init__(self):
        self.path = find_library()
        self.library = ctypes.CDLL(self.path)
        _declare(self.library)
        self.version = self.library.cublasLtGetVersion()
        self.handle = ctypes.c_void_p()
        self.call("cublasLtCreate", ctypes.byref(self.handle))

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != CUBLAS_STATUS_SUCCESS:
            raise RuntimeError(f"{name} returned cublasStatus_t {status}")


def data_type(torch, kind):
    """cudaDataType_t of a torch type."""
    return {
        torch.float32: CUDA_R_32F,
        torch.float16: CUDA_R_16F,
        torch.bfloat16: CUDA_R_16BF,
        torch.float8_e4m3fn: CUDA_R_8F_E4M3,
        torch.float8_e5m2: CUDA_R_8F_E5M2,
        torch.int8: CUDA_R_8I,
        torch.int32: CUDA_R_32I,
    }[kind]


class Gemm:
    """C[M,N] = A[M,K] B[N,K]^T, all row-major; sums in f32, of 8-bit integers in i32; f32 operands as tf32. An operand whose name ("a", "b")
    is in `outer` lies in memory by columns: A as [K,M], B as [K,N].

    `fast_accumulation` lets the tensor cores sum FP8 products with fewer bits than f32 has. With `bias` [N], in C's type, C is
    gelu(A B^T + bias), GELU by its tanh form.

    cuBLAS counts column-major. A row-major [M,K] matrix is a column-major [K,M] one, so what is computed is
    C^T[N,M] = op(B) op(A) with op(B) the transpose of the column-major [K,N]: the TN form, with Tawa's B in first place.
    """

    def __init__(self, lt, a, b, c, fast_accumulation=True, bias=None, outer=""):
        import torch

        (m, k), (n, k_b) = (each.shape[::-1] if name in outer else each.shape for name, each in (("a", a), ("b", b)))
        assert k == k_b and tuple(c.shape) == (m, n)
        assert a.is_contiguous() and b.is_contiguous() and c.is_contiguous()
        kinds = [data_type(torch, tensor.dtype) for tensor in (a, b, c)]
        self.lt, self.operands, self.bias = lt, (a, b, c), bias
        self.workspace = torch.empty(WORKSPACE_BYTES, dtype=torch.uint8, device=a.device)
        integers = kinds[0] == CUDA_R_8I
        scalar = ctypes.c_int32 if integers else ctypes.c_float
        self.alpha, self.beta = scalar(1), scalar(0)
        compute = {CUDA_R_8I: CUBLAS_COMPUTE_32I, CUDA_R_32F: CUBLAS_COMPUTE_32F_FAST_TF32}.get(kinds[0], CUBLAS_COMPUTE_32F)
        self.operation = self._create("cublasLtMatmulDescCreate", compute, CUDA_R_32I if integers else CUDA_R_32F)
        first, second = (CUBLAS_OP_N if "b" in outer else CUBLAS_OP_T), (CUBLAS_OP_T if "a" in outer else CUBLAS_OP_N)
        self._set("cublasLtMatmulDescSetAttribute", self.operation, MATMUL_DESC_TRANSA, ctypes.c_int32(first))
        self._set("cublasLtMatmulDescSetAttribute", self.operation, MATMUL_DESC_TRANSB, ctypes.c_int32(second))
        if kinds[0] in (CUDA_R_8F_E4M3, CUDA_R_8F_E5M2):
            self._set(
                "cublasLtMatmulDescSetAttribute",
                self.operation,
                MATMUL_DESC_FAST_ACCUM,
                ctypes.c_int8(1 if fast_accumulation else 0),
            )
        if bias is not None:
            self._set("cublasLtMatmulDescSetAttribute", self.operation, MATMUL_DESC_EPILOGUE, ctypes.c_int32(EPILOGUE_GELU_BIAS))
            self._set("cublasLtMatmulDescSetAttribute", self.operation, MATMUL_DESC_BIAS_POINTER, ctypes.c_void_p(bias.data_ptr()))
        self.first = self._create("cublasLtMatrixLayoutCreate", kinds[1], *b.shape[::-1], b.shape[1])
        self.second = self._create("cublasLtMatrixLayoutCreate", kinds[0], *a.shape[::-1], a.shape[1])
        self.result = self._create("cublasLtMatrixLayoutCreate", kinds[2], n, m, n)
        self.candidates = self._candidates()
        self.chosen = self.candidates[0]

    def _create(self, name, *arguments):
        handle = ctypes.c_void_p()
        self.lt.call(name, ctypes.byref(handle), *arguments)
        return handle

    def _set(self, name, target, attribute, value):
        self.lt.call(name, target, attribute, ctypes.byref(value), ctypes.sizeof(value))

    def _candidates(self):
        preference = self._create("cublasLtMatmulPreferenceCreate")
        self._set(
            "cublasLtMatmulPreferenceSetAttribute",
            preference,
            MATMUL_PREF_MAX_WORKSPACE_BYTES,
            ctypes.c_uint64(WORKSPACE_BYTES),
        )
        # Of every row, not of the first alone: the heuristic takes 256 bytes for granted.
        a, b, c = self.operands
        for attribute, tensor in zip(MATMUL_PREF_MIN_ALIGNMENT_BYTES, (b, a, c, c)):
            row = tensor.shape[1] * tensor.element_size()
            self._set("cublasLtMatmulPreferenceSetAttribute", preference, attribute, ctypes.c_uint32(min(row & -row, LARGEST_ALIGNMENT)))
        results = (HeuristicResult * REQUESTED_ALGORITHMS)()
        count = ctypes.c_int(0)
        self.lt.call(
            "cublasLtMatmulAlgoGetHeuristic",
            self.lt.handle,
            self.operation,
            self.first,
            self.second,
            self.result,
            self.result,
            preference,
            REQUESTED_ALGORITHMS,
            results,
            ctypes.byref(count),
        )
        self.lt.call("cublasLtMatmulPreferenceDestroy", preference)
        usable = [results[i] for i in range(count.value) if results[i].state == CUBLAS_STATUS_SUCCESS]
        if not usable:
            raise NoAlgorithm("cuBLASLt's heuristic returned no usable algorithm")
        return usable

    def launch(self, stream, candidate=None):
        """Enqueues one product; `stream` is the raw handle of a CUDA stream."""
        candidate = candidate or self.chosen
        a, b, c = self.operands
        self.lt.call(
            "cublasLtMatmul",
            self.lt.handle,
            self.operation,
            ctypes.byref(self.alpha),
            b.data_ptr(),
            self.first,
            a.data_ptr(),
            self.second,
            ctypes.byref(self.beta),
            c.data_ptr(),
            self.result,
            c.data_ptr(),
            self.result,
            ctypes.byref(candidate.algorithm),
            self.workspace.data_ptr(),
            WORKSPACE_BYTES,
            stream,
        )

    def tune(self, stream, time_one):
        """Times every candidate with `time_one(launch) -> seconds` and keeps the fastest; returns all the times."""
        times = [time_one(lambda one=one: self.launch(stream, one)) for one in self.candidates]
        self.chosen = self.candidates[times.index(min(times))]
        return times

    def close(self):
        for layout in (self.first, self.second, self.result):
            self.lt.call("cublasLtMatrixLayoutDestroy", layout)
        self.lt.call("cublasLtMatmulDescDestroy", self.operation)
