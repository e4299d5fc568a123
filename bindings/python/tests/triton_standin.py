"""A stand-in for the parts of Triton 3.6 that tawa.triton builds on, for machines without Triton: the pipeline of stages with its cache,
compiled kernels, launchers and hooks, with the names, parameters and order of the real ones. Kernels are texts of Triton IR.
"""

import functools
import hashlib
import json
import sys
import types
from collections import namedtuple

LAUNCHES = []  # (kernel, grid, arguments) of every launch that "Triton" makes
COMPILED = []  # names of kernels whose later stages "Triton" ran
DISK = {}

GPUTarget = namedtuple("GPUTarget", "backend arch warp_size")
TARGET = GPUTarget("cuda", 90, 32)


class HookChain:
    def __init__(self):
        self.calls = []

    def add(self, function):
        self.calls.append(function)

    def remove(self, function):
        self.calls.remove(function)

    def __call__(self, *args):
        for call in self.calls:
            call(*args)


class Options(types.SimpleNamespace):
    def hash(self):
        return str(sorted(self.__dict__.items()))


class CUDABackend:
    binary_ext = "cubin"

    def __init__(self, target):
        self.target = target

    def parse_options(self, given):
        known = {"num_warps": 4, "num_stages": 3, "num_ctas": 1, "maxnreg": None, "enable_fp_fusion": True, "arch": "sm90",
                 "launch_cooperative_grid": False, "launch_pdl": False, "instrumentation_mode": ""}
        return Options(**(known | {key: value for key, value in given.items() if key in known}))

    def add_stages(self, stages, options, language):
        def later(name, made):
            def stage(module, metadata):
                if name == "cubin":
                    COMPILED.append(metadata["name"])
                metadata.setdefault("shared", 0)
                metadata.setdefault("name", "from_triton")
                return made

            return stage

        if language == "triton":
            stages["ttir"] = lambda module, metadata: module
        for name in ("ttgir", "llir", "ptx"):
            stages[name] = later(name, f"{name} of Triton")
        stages["cubin"] = later("cubin", b"\x7fELF")

    def pack_metadata(self, metadata):
        return (metadata.num_warps, metadata.num_ctas, metadata.shared)

    @functools.lru_cache()
    def hash(self):
        return "ptxas-90"


class AsmDict(dict):
    def __missing__(self, key):
        raise KeyError(f"Unknown key: '{key}'")


class Source:
    """Of a kernel: its text stands for the Python function."""

    ext = "ttir"

    def __init__(self, text, name, signature, language="triton"):
        self.text, self.name, self.signature, self.language = text, name, signature, language

    def hash(self):
        return hashlib.sha256(self.text.encode()).hexdigest()


def compile_kernel(src, target=None, options=None):
    """As triton.compile()."""
    backend = CUDABackend(target or TARGET)
    is_file = isinstance(src, str)
    if is_file:
        with open(src, encoding="utf-8") as file:
            src = Source(file.read(), "from_file", {})
    options = backend.parse_options(options or {})
    key = hashlib.sha256(f"{src.hash()}-{backend.hash()}-{options.hash()}".encode()).hexdigest()
    if key not in DISK:
        metadata = {"hash": key, "target": target or TARGET, **options.__dict__}
        stages, group, module = {}, {}, src.text
        backend.add_stages(stages, options, src.language)
        for name, stage in list(stages.items())[1 if is_file else 0:]:
            module = stage(module, metadata)
            group[name] = module
        DISK[key] = (group, json.dumps(metadata))
    return CompiledKernel(src, DISK[key], key)


class CompiledKernel:
    def __init__(self, src, metadata_group, hash):  # pylint: disable=redefined-builtin
        group, text = metadata_group
        known = json.loads(text)
        known["target"] = GPUTarget(*known["target"])
        self.metadata = namedtuple("KernelMetadata", sorted(known))(**known)
        self.packed_metadata = CUDABackend(self.metadata.target).pack_metadata(self.metadata)
        self.src, self.hash, self.name = src, hash, self.metadata.name
        self.asm = AsmDict(group)
        self.kernel = self.asm["cubin"]
        self.module = self.function = self._run = None

    def _init_handles(self):
        if self.module is not None:
            return
        assert self.kernel == b"\x7fELF", "a stub was loaded"
        self._run = driver.active.launcher_cls(self.src, self.metadata)
        self.module, self.function, self.n_regs, self.n_spills, self.n_max_threads = 1, 2, 32, 0, 1024

    @property
    def run(self):
        if self._run is None:
            self._init_handles()
        return self._run

    def launch_metadata(self, grid, stream, *_):
        self._init_handles()
        return {"name": self.name, "stream": stream, "grid": grid}


class CudaLauncher:
    def __init__(self, src, metadata):
        self.name, self.signature = metadata.name, dict(src.signature)

    def __call__(self, x, y, z, stream, function, packed, metadata, enter, leave, *args):
        assert function == 2 and len(args) == len(self.signature)
        if enter is not None:
            enter(metadata)
        for value in args:
            assert not hasattr(value, "is_cuda") or value.is_cuda, "cannot be accessed from Triton"
        LAUNCHES.append((self.name, (x, y, z), args))
        if leave is not None:
            leave(metadata)


class JITFunction:
    def __init__(self, text, name, signature):
        self.src, self.caches = Source(text, name, signature), {}

    def _do_compile(self, key, options):
        self.caches[key] = compile_kernel(self.src, TARGET, options)
        return self.caches[key]

    def run(self, *args, grid, **options):
        key = str(options)
        kernel = self.caches.get(key) or self._do_compile(key, options)
        metadata = kernel.launch_metadata(grid, 0, *args)
        hooks = knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook
        kernel.run(*grid, 0, kernel.function, kernel.packed_metadata, metadata, *hooks, *args)
        return kernel


knobs = types.SimpleNamespace(
    runtime=types.SimpleNamespace(launch_enter_hook=HookChain(), launch_exit_hook=HookChain(), add_stages_inspection_hook=None),
    compilation=types.SimpleNamespace(override=False, dump_ir=False, use_ir_loc=None, store_binary_only=False))
driver = types.SimpleNamespace(active=types.SimpleNamespace(get_current_device=lambda: 0, launcher_cls=CudaLauncher))


def install(version="3.6.0"):
    modules = {"triton": {"__version__": version, "compile": compile_kernel, "knobs": knobs}, "triton.backends": {},
               "triton.backends.nvidia": {}, "triton.backends.nvidia.compiler": {"CUDABackend": CUDABackend}, "triton.compiler": {},
               "triton.compiler.compiler": {"CompiledKernel": CompiledKernel, "AsmDict": AsmDict}, "triton.runtime": {},
               "triton.runtime.driver": {"driver": driver}, "triton.runtime.jit": {"JITFunction": JITFunction}}
    for name, content in modules.items():
        module = types.ModuleType(name)
        module.__dict__.update(content)
        module.__path__ = []
        sys.modules[name] = module
