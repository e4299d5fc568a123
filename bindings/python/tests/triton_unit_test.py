"""The Triton back end without Triton: its own parts, and, with a stand-in for Triton and kernels on the emulator, the way of a kernel from
the first launch to fallbacks, switches and other processes.

usage: triton_unit_test.py [unittest arguments]; the package must be importable
"""

import array
import functools
import os
import pickle
import subprocess
import sys
import types
import unittest
import unittest.mock
from pathlib import Path

import tawa
import tawa.triton
import triton_standin as standin
from tawa._kernel import Parameter
from tawa.triton import _arguments, _patches, _report
from tawa.triton._state import state

# As Triton prints it: with sizes, without directives.
TEXT = (Path(__file__).resolve().parents[3] / "tests" / "kernels" / "scale.mlir").read_text().replace("${BLOCK}", "64")
TEXT = TEXT[TEXT.index("module"):]
SIGNATURE = {"x": "*fp32", "y": "*fp32", "n": "i32", "by": "fp32", "BLOCK": "constexpr"}
REFUSED = TEXT.replace("%value = tt.load %from, %mask : tensor<64x!tt.ptr<f32>>", "%value = tt.missing %from").replace("@scale", "@refused")


class Tensor:
    """Of a GPU, as far as a launcher can see."""

    def __init__(self, values, is_cuda=True):
        self.memory = tawa.runtime("emulator").empty(len(values), "f32").copy_in(array.array("f", values))
        self.is_cuda = is_cuda

    def data_ptr(self):
        return self.memory.address

    def is_pinned(self):
        return False

    def tolist(self):
        return list(self.memory.copy_out(array.array("f", [0] * self.memory.shape[0])))


def parameter(name, kind, dtype, rank=0):
    return Parameter(name, kind, dtype, rank, 0)


class ArgumentsTest(unittest.TestCase):
    PARAMETERS = [parameter("x", "tensor", "f16", 2), parameter("n", "scalar", "i32"), parameter("p", "tensor", "i8"),
                  parameter("s", "scalar", "f32")]
    TYPES = {"x": "tensordesc<fp16[64, 64]>", "c": "constexpr", "pair": ("i32", ("*u8", "constexpr")), "s": "fp32"}

    def test_slots(self):
        slots = _arguments.slots_of(self.TYPES, self.PARAMETERS)
        self.assertEqual([(slot.path, slot.kind) for slot in slots],
                         [((0,), "descriptor"), ((2, 0), "integer"), ((2, 1, 0), "pointer"), ((3,), "float")])
        self.assertEqual([slot.expression for slot in slots], ["a0", "a2[0]", "a2[1][0]", "a3"])

    def test_misfits(self):
        with self.assertRaisesRegex(_arguments.Unfit, "Triton passes 3 arguments, the text takes 4"):
            _arguments.slots_of({"x": "i32", "y": "i32", "z": "i32"}, self.PARAMETERS)
        with self.assertRaisesRegex(_arguments.Unfit, "argument 'x' is a nvTmaDesc to Triton, in the text a descriptor of f16"):
            _arguments.slots_of(self.TYPES | {"x": "nvTmaDesc"}, self.PARAMETERS)

    def descriptor(self, **options):
        base = types.SimpleNamespace(data_ptr=lambda: 4096, is_cuda=True)
        return types.SimpleNamespace(base=base, shape=[8, 4], strides=[4, 1], **options)

    def test_reading(self):
        slots = _arguments.slots_of(self.TYPES, self.PARAMETERS)
        key, made = _arguments.read(slots, (self.descriptor(padding="zero"), None, (7, (1 << 40, None)), -0.0))
        self.assertEqual(key, ((8, 4), (4, 1), "zero", 7, -0.0, -1.0))
        self.assertEqual([each.data for each in made if each.kind == 0], [4096, 1 << 40])
        self.assertEqual((tuple(made[0].shape[:2]), tuple(made[0].strides[:2])), ((8, 4), (4, 1)))
        self.assertEqual((made[1].integer, made[3].number), (7, -0.0))
        with self.assertRaisesRegex(_arguments.Unfit, "NaN"):
            _arguments.read(slots, (self.descriptor(padding="nan"), None, (7, (0, None)), 1.0))

    def test_keys_of_both_ways_agree(self):
        """What the function looks bindings up by is what read() keeps them under."""
        slots = _arguments.slots_of(self.TYPES, self.PARAMETERS)
        calls, slow = [], []
        args = (self.descriptor(), None, (7, (types.SimpleNamespace(data_ptr=lambda: 64, is_cuda=True), None)), 2.5)
        key, _ = _arguments.read(slots, args)
        gate = types.SimpleNamespace(open=True)
        bindings = {(1, 2, 3, *key): lambda *addresses, stream: calls.append((addresses, stream))}
        launch = _arguments.function_of(slots, len(self.TYPES), gate=gate, bindings=bindings, failures=(AttributeError,),
                                        slow=lambda *args: slow.append(args))
        chain = standin.HookChain()
        launch(1, 2, 3, 99, None, None, None, chain, None, *args)
        self.assertEqual((calls, slow), ([((4096, 64), 99)], []))
        hook = lambda metadata: None
        for change in ({"args": (*args[:3], 3.5)}, {"grid": (1, 2, 4)}, {"enter": hook}, {"leave": hook}, {"open": False}):
            gate.open = change.get("open", True)
            hooks = change.get("enter"), change.get("leave")
            launch(*change.get("grid", (1, 2, 3)), 99, None, None, None, *hooks, *change.get("args", args))
        self.assertEqual((len(calls), len(slow)), (1, 5))
        self.assertEqual(slow[0][9], (*args[:3], 3.5))

    def test_zeros_of_both_signs_are_two_numbers(self):
        slots = _arguments.slots_of({"s": "fp32"}, self.PARAMETERS[3:])
        found = []
        bindings = {}
        for zero in (0.0, -0.0):
            bindings[1, 1, 1, *_arguments.read(slots, (zero,))[0]] = lambda zero=zero, **_: found.append(str(zero))
        gate = types.SimpleNamespace(open=True)
        launch = _arguments.function_of(slots, 1, gate=gate, bindings=bindings, failures=(), slow=None)
        for zero in (0.0, -0.0):
            launch(1, 1, 1, 0, None, None, None, None, None, zero)
        self.assertEqual(found, ["0.0", "-0.0"])

    def test_addresses(self):
        host = types.SimpleNamespace(data_ptr=lambda: 64, is_cuda=False, is_pinned=lambda: False)
        with self.assertRaisesRegex(_arguments.Unfit, "not on the GPU"):
            _arguments.address_of(host)
        host.is_pinned = lambda: True
        self.assertEqual([_arguments.address_of(value) for value in (host, 5, None)], [64, 5, 0])


class PolicyTest(unittest.TestCase):
    def test_facts_decide(self):
        kernel = types.SimpleNamespace(spill_bytes=0, declined="")
        spilling = types.SimpleNamespace(spill_bytes=tawa.triton.SPILL_LIMIT + 4, declined="")
        plain = types.SimpleNamespace(spill_bytes=0, declined="no loop")
        cases = (("unspilled", kernel, "tt.dot", ""), ("unspilled", spilling, "", "spills 68 bytes"), ("compiled", spilling, "", ""),
                 ("unspilled", plain, "tt.dot", ""), ("roles", plain, "tt.dot", "not split into roles: no loop"),
                 ("roles", plain, "tt.load", ""), (lambda kernel: "mine", kernel, "", "mine"), (lambda kernel: None, kernel, "", ""))
        for policy, which, text, why in cases:
            found = tawa.triton.decide(which, text, policy)
            self.assertTrue(why in found and bool(why) == bool(found), (policy, found))


class ReportTest(unittest.TestCase):
    def test_rows(self):
        rows = _report.Rows()
        rows.add("one", "text 1", "cuda:0", True, tawa_ms=12.0, from_cache=True)
        rows.add("one", "text 1", "cuda:0", True, tawa_ms=12.0)
        row = rows.add("two", "text 2", "cuda:0", True)
        for _ in range(2):
            rows.add("three", "text 3", "cuda:0", False, why="UNSUPPORTED: this", triton_ms=5.0)
        rows.refuse_launch(row, "because")
        found = rows.snapshot()
        rows.refuse_launch(row, "later")
        self.assertEqual([(each.name, each.variants) for each in found.taken], [("one", 2), ("two", 1)])
        self.assertEqual((found.reasons(), found.fallen_back[0].triton_ms), ({"UNSUPPORTED: this": 1}, 10.0))
        lines = str(found).splitlines()
        self.assertEqual(lines[0], "2 kernels on Tawa, 1 on Triton")
        self.assertRegex(lines[1], r"^triton three .* triton 10.0 ms UNSUPPORTED: this$")
        self.assertRegex(lines[2], r"^tawa   one   tawa    12.0 ms \(cache\)")
        self.assertRegex(lines[3], r"1 launches by Triton: because$")
        self.assertEqual(found.as_dict()["rows"][0]["variants"], 2)


class PatchesTest(unittest.TestCase):
    def test_replace_and_undo(self):
        owner, patches = types.SimpleNamespace(f=lambda: 1), _patches.Patches()
        patches.replace(owner, "f", lambda original: lambda: original() + 1)
        patches.replace(owner, "f", lambda original: lambda: original() * 10)
        self.assertEqual((owner.f(), bool(patches)), (20, True))
        patches.undo()
        self.assertEqual((owner.f(), bool(patches)), (1, False))

    def test_modules_imported_later(self):
        seen = []
        sys.modules.pop("colorsys", None)
        imports = _patches.AfterImport({"colorsys": lambda module: seen.append(hasattr(module, "rgb_to_hsv")), "array": seen.append})
        imports.install()
        self.assertEqual(seen, [array])
        import colorsys  # pylint: disable=unused-import

        imports.remove()
        self.assertEqual(seen[1:], [True])
        self.assertNotIn(imports, sys.meta_path)


    def test_modules_of_another_version(self):
        def act(module):
            raise AttributeError("module has no attribute 'this'")

        imports = _patches.AfterImport({"array": act})
        with self.assertWarnsRegex(UserWarning, "made for another version of array: module has no attribute 'this'"):
            imports.install()
        imports.remove()


class EnableTest(unittest.TestCase):
    def run_apart(self, code, **environment):
        return subprocess.run([sys.executable, "-c", "import tawa.triton\n" + code], capture_output=True, text=True, check=False,
                              env=os.environ | environment, cwd=os.path.dirname(os.path.abspath(__file__)))

    def test_without_triton(self):
        done = self.run_apart("import sys; sys.modules['triton'] = None; tawa.triton.enable()")
        self.assertRegex(done.stderr, "ImportError: tawa.triton needs Triton 3.6, which is not installed")

    def test_other_version(self):
        done = self.run_apart("import triton_standin; triton_standin.install('3.5.1'); tawa.triton.enable()")
        self.assertRegex(done.stderr, "ImportError: tawa.triton needs Triton 3.6, version 3.5.1 is installed")

    def test_variable(self):
        done = self.run_apart("print(tawa.triton.enable(), tawa.triton.enabled()); tawa.triton.disable()", TAWA_TRITON="off")
        self.assertEqual((done.stdout, done.stderr), ("False False\n", ""))

    def test_policies(self):
        with self.assertRaisesRegex(ValueError, "'best' is no policy; there are compiled, unspilled, roles"):
            tawa.triton.enable(policy="best")


class WithStandIn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        standin.install()
        from tawa.triton import _workshop

        _workshop.DEVICE = "emulator"
        tawa.triton.enable()

    @classmethod
    def tearDownClass(cls):
        tawa.triton.disable()

    def setUp(self):
        standin.LAUNCHES.clear()
        standin.COMPILED.clear()
        self.x, self.y = Tensor(range(100)), Tensor([0] * 100)

    def launch(self, function, by=2.0, grid=(2, 1, 1), x=None, **options):
        return function.run(x or self.x, self.y, 100, by, 64, grid=grid, **options)

    def assertScaled(self, by):
        self.assertEqual(self.y.tolist(), [by * i for i in range(100)])

    def row(self, name):
        return [row for row in tawa.triton.report().rows if row.name == name][-1]

    def variant(self, name):
        """The kernel under another name: another text."""
        return standin.JITFunction(TEXT.replace("@scale", f"@{name}"), name, SIGNATURE)


class KernelTest(WithStandIn):
    def test_taken(self):
        function = self.variant("taken")
        for by in (2.0, 2.0, 2.0, 3.0, -0.0, 0.0, 2.0):
            kernel = self.launch(function, by)
            self.assertScaled(by)
        self.assertEqual((standin.LAUNCHES, standin.COMPILED), ([], []))
        row = self.row("taken")
        self.assertTrue(row.taken and row.tawa_ms > 0 and row.device == "cuda:0")
        self.assertEqual((kernel.n_regs, kernel.n_spills, kernel.metadata.shared, kernel.metadata.name),
                         (row.facts["registers"], 0, row.facts["shared_bytes"], "taken"))
        self.assertTrue(kernel.metadata.launch_pdl)  # keeps Inductor's static launcher away
        launch = kernel.__dict__["_tawa"]
        self.assertEqual(len(launch._bindings), 1)
        self.assertEqual(sorted(str(key[4]) for key in launch._seen), ["-0.0", "0.0", "2.0", "3.0"])

    def test_other_tensors_through_a_binding(self):
        function = self.variant("rebound")
        for _ in range(3):
            self.launch(function)
        self.launch(function, x=Tensor([5] * 100))
        self.assertEqual(self.y.tolist(), [10.0] * 100)

    def test_variants_share_a_compile(self):
        function = self.variant("tuned")
        for warps in (1, 2, 4):
            self.launch(function, num_warps=warps)
        self.assertEqual((self.row("tuned").variants, len(function.caches)), (3, 3))

    def test_hooks(self):
        function, seen, chain = self.variant("hooked"), [], standin.knobs.runtime.launch_enter_hook
        note = lambda metadata: seen.append(metadata["name"])
        for _ in range(3):
            self.launch(function)
        chain.add(note)
        self.launch(function, 4.0)
        chain.remove(note)
        self.launch(function, 4.0)
        self.assertEqual(seen, ["hooked"])
        self.assertScaled(4.0)

    def test_forms(self):
        kernel = self.launch(self.variant("forms"))
        self.assertEqual(standin.COMPILED, [])
        self.assertEqual((kernel.asm["ptx"], kernel.asm["cubin"]), ("ptx of Triton", b"\x7fELF"))
        with self.assertRaises(KeyError):
            kernel.asm["spirv"]
        for wanted in (True, False):  # the metadata says True for either
            kernel = self.launch(self.variant(f"forms_{wanted}"), launch_pdl=wanted, num_warps=2)
            self.assertEqual((kernel.asm.recipe.options["launch_pdl"], kernel.asm.recipe.options["num_warps"]), (wanted, 2))

    def test_no_programs(self):
        self.launch(self.variant("idle"), grid=(0, 1, 1))
        self.assertEqual((self.y.tolist(), standin.LAUNCHES), ([0.0] * 100, []))

    def test_other_compiles_are_tritons(self):
        kernel = standin.compile_kernel(standin.Source(TEXT.replace("@scale", "@foreign"), "foreign", SIGNATURE))
        self.assertEqual(kernel.asm["cubin"], b"\x7fELF")
        taken = self.launch(self.variant("foreign"))
        self.assertNotEqual(taken.hash, kernel.hash)

    def test_from_another_process(self):
        """As Inductor does it: compiled in one process, without a GPU there, pickled, made ready in another."""
        function = self.variant("travelled")
        state.target = "h200"
        try:
            with state.considering(True, (3, 1, 1)):
                made = standin.compile_kernel(function.src)
        finally:
            state.target = ""
        self.assertEqual(list(made.metadata.tawa["grid"]), [3, 1, 1])
        fields = dict(made.__dict__, metadata=made.metadata._asdict())
        fields = pickle.loads(pickle.dumps(fields))
        kernel = standin.CompiledKernel.__new__(standin.CompiledKernel)
        kernel.__dict__.update(fields, metadata=type(made.metadata)(**fields["metadata"]))
        kernel.run(2, 1, 1, 0, kernel.function, None, None, None, None, self.x, self.y, 100, 6.0, 64)
        self.assertScaled(6.0)
        self.assertEqual(kernel.asm["ptx"], "ptx of Triton")


class FallbackTest(WithStandIn):
    def test_refused(self):
        function = standin.JITFunction(REFUSED, "refused", SIGNATURE)
        for _ in range(2):
            self.launch(function)
        self.assertEqual((len(standin.LAUNCHES), len(standin.COMPILED)), (2, 1))
        row = self.row("refused")
        self.assertRegex(row.why, "^INVALID_IR: .*tt.missing")
        self.assertEqual((row.taken, row.variants), (False, 1))

    def test_refused_and_started_by_another_launcher(self):
        """As by Inductor's static launcher, which takes the binary out of the kernel."""
        text = REFUSED.replace("@refused", "@refused_elsewhere")
        with state.considering(True):
            standin.compile_kernel(standin.Source(text, "refused_elsewhere", SIGNATURE))
        row = tawa.triton.report().rows[-1]
        self.assertEqual((row.name, row.taken, row.variants), ("refused_elsewhere", False, 1))
        self.assertRegex(row.why, "^INVALID_IR: .*tt.missing")

    def test_objections(self):
        for option, value in (("launch_cooperative_grid", True), ("enable_fp_fusion", False), ("instrumentation_mode", "timing")):
            self.launch(self.variant(f"objected_{option}"), **{option: value})
            self.assertIn(option, tawa.triton.report().rows[-1].why)
        self.assertEqual(len(standin.LAUNCHES), 3)

    def test_policy(self):
        tawa.triton.enable(policy=lambda kernel: f"{kernel.threads} threads")
        kernel = self.launch(self.variant("unwanted"))
        tawa.triton.enable()
        self.assertEqual((kernel.metadata.tawa["taken"], standin.COMPILED), (False, ["from_triton"]))
        self.assertRegex(tawa.triton.report().rows[-1].why, r"^\d+ threads$")
        self.assertEqual(len(standin.LAUNCHES), 1)

    def test_launches_that_fail(self):
        from tawa.triton import _launch

        function = self.variant("failing")
        self.launch(function)
        other = types.SimpleNamespace(is_cuda=True, data_ptr=lambda: 1 / 0)
        for i in range(_launch.PATIENCE + 2):
            self.launch(function, by=float(i), x=other)
        self.assertEqual((len(standin.LAUNCHES), len(standin.COMPILED)), (_launch.PATIENCE + 2, 1))
        row = self.row("failing")
        self.assertEqual((row.refused_launches, row.why), (_launch.PATIENCE, "ZeroDivisionError: division by zero"))

    def test_tensor_of_the_cpu(self):
        with self.assertRaisesRegex(AssertionError, "cannot be accessed from Triton"):
            self.launch(self.variant("host"), x=Tensor([0] * 100, is_cuda=False))

    def test_signature_that_does_not_fit(self):
        function = standin.JITFunction(TEXT.replace("@scale", "@unfit"), "unfit", SIGNATURE | {"by": "constexpr"})
        self.launch(function)
        self.assertRegex(self.row("unfit").why, "Triton passes 3 arguments, the text takes 4")
        self.assertEqual(len(standin.LAUNCHES), 1)


class SwitchTest(WithStandIn):
    def tearDown(self):
        tawa.triton.enable()

    def test_disable(self):
        function = self.variant("switched")
        for _ in range(3):
            self.launch(function)
        tawa.triton.disable()
        self.launch(function)
        self.assertEqual((len(standin.LAUNCHES), standin.COMPILED), (1, ["from_triton"]))
        self.launch(self.variant("while_off"))
        self.assertEqual(len(standin.LAUNCHES), 2)
        tawa.triton.enable()
        self.launch(function, 7.0)
        self.assertScaled(7.0)
        self.assertEqual(len(standin.LAUNCHES), 2)

    def test_disabled_before_it_is_loaded(self):
        function = self.variant("late")
        kernel = function._do_compile("{}", {})
        tawa.triton.disable()
        self.assertIs(self.launch(function), kernel)
        self.assertEqual(len(standin.LAUNCHES), 1)
        self.assertEqual(tawa.triton.report().rows[-1].why, "RuntimeError: switched off before it was loaded")

    def test_nothing_is_left(self):
        before = standin.JITFunction._do_compile
        tawa.triton.disable()
        self.assertEqual(standin.JITFunction._do_compile.__qualname__, "JITFunction._do_compile")
        self.assertEqual(standin.CUDABackend.hash(standin.CUDABackend(standin.TARGET)), "ptxas-90")
        self.assertNotEqual(before, standin.JITFunction._do_compile)


class Tuner:
    """As Inductor's CachingAutotuner."""

    seen = []

    def __init__(self, size_hints=None, **meta):
        self.device_props, self.inductor_meta, self.size_hints = types.SimpleNamespace(type="cuda"), meta, size_hints

    def _precompile_config(self, config):
        self.seen.append((config, state.is_considering))
        return state.grid


def compile_in_worker(*args):
    """As Inductor's _worker_compile_triton()."""
    Tuner()._precompile_config(args)
    return state.target, state.tag, state.device


class InductorTest(WithStandIn):
    """With modules of the names that PyTorch's have."""

    NAMES = {"torch": {}, "torch.utils": {}, "torch.utils._triton": {"triton_hash_with_backend": lambda: "HASH"},
             "torch.compiler": {}, "torch.compiler.config": {"cache_key_tag": "mine"}, "torch._inductor": {},
             "torch._inductor.runtime": {}, "torch._inductor.runtime.triton_heuristics": {"CachingAutotuner": Tuner},
             "torch._inductor.runtime.compile_tasks": {"_worker_compile_triton": compile_in_worker},
             "torch._inductor.async_compile": {"_worker_compile_triton": compile_in_worker}}

    def setUp(self):
        super().setUp()
        modules = {name: types.ModuleType(name) for name in self.NAMES}
        for name, module in modules.items():
            module.__dict__.update(self.NAMES[name])
            parent, _, last = name.rpartition(".")
            if parent:
                setattr(modules[parent], last, module)
        patcher = unittest.mock.patch.dict(sys.modules, modules)
        patcher.start()
        self.addCleanup(patcher.stop)
        self.addCleanup(tawa.triton.enable)
        self.addCleanup(tawa.triton.disable)
        tawa.triton.enable()
        self.modules = modules
        Tuner.seen.clear()

    def test_keys_of_caches(self):
        config, hashes = self.modules["torch.compiler.config"], self.modules["torch.utils._triton"]
        self.assertEqual((config.cache_key_tag, hashes.triton_hash_with_backend()), (f"mine{state.tag}", f"HASH-{state.tag}"))
        tawa.triton.enable(policy="compiled")
        self.assertEqual(config.cache_key_tag, f"mine{state.tag}")
        self.assertIn("compiled", state.tag)
        tawa.triton.disable()
        self.assertEqual((config.cache_key_tag, hashes.triton_hash_with_backend()), ("mine", "HASH"))

    def test_what_is_offered(self):
        Tuner()._precompile_config("plain")
        Tuner(store_cubin=True)._precompile_config("for C++")
        tawa.triton.disable()
        Tuner()._precompile_config("off")
        self.assertEqual(Tuner.seen, [("plain", True), ("for C++", False), ("off", False)])

    def test_programs(self):
        blocks = types.SimpleNamespace(kwargs={"XBLOCK": 16, "YBLOCK": 2, "R0_BLOCK": 32})
        self.assertEqual(Tuner({"x": 4096, "r0_": 128})._precompile_config(blocks), (256, 1, 1))
        self.assertEqual(Tuner({"x": 8, "y": 5})._precompile_config(blocks), (1, 3, 1))
        for hints in (None, {"x": 8, "z": 4}, {"y": 5}, {"x_0": 64}):
            self.assertEqual(Tuner(hints)._precompile_config(blocks), (), hints)
        self.assertEqual(Tuner({"x": 8})._precompile_config("no blocks"), ())
        self.assertEqual(state.grid, ())

    def test_workers(self):
        """What is sent to a worker, as it arrives there; this process stands for both."""
        tag = state.tag
        job = pickle.loads(pickle.dumps(functools.partial(self.modules["torch._inductor.async_compile"]._worker_compile_triton, "job")))
        try:
            self.assertEqual(job(), ("h200", tag, 0))
        finally:
            state.target = ""
        self.assertFalse(state.on)
        self.assertEqual(Tuner.seen, [(("job",), True)])

    def test_a_process_that_does_not_send_jobs(self):
        self.assertEqual(self.modules["torch._inductor.async_compile"]._worker_compile_triton("here")[0], "")


if __name__ == "__main__":
    unittest.main()
