"""The forms that form_counts.py finds, for kernels whose form is known."""

import subprocess
import sys
import unittest


class Forms(unittest.TestCase):
    def count(self, *names, config=""):
        command = [sys.executable, f"{HARNESS}/form_counts.py", "--tawa-opt", TAWA_OPT, "--config", config]
        done = subprocess.run([*command, *(f"{KERNELS}/{name}" for name in names)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_each_kernel_has_one_form(self):
        shown = self.count("gemm_tma.mlir", "framework/gemm_lora_expand.mlir", "framework/gemm_small_16.mlir", "framework/pw_truth_argument.mlir")
        self.assertIn("1 split, 1 slots, 1 registers of 3\n", shown)  # one has no dot
        self.assertIn("   2 wgmma does not take a tt.dot of this shape, these element types or this precision\n", shown)

    def test_a_configuration_changes_the_form(self):
        self.assertIn("1 slots of 1\n   1 one role was asked for\n", self.count("gemm_ptr.mlir", config="consumers=0"))
        self.assertIn("no loop   gemm_tma.mlir", self.count("gemm_tma.mlir", config="consumers=0 D=1"))


if __name__ == "__main__":
    HARNESS, TAWA_OPT, KERNELS = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1])
