"""The tile sizes that tile_sizes.py finds, for kernels whose sizes are known."""

import os
import subprocess
import sys
import unittest

HARNESS, TAWA_OPT, KERNELS = sys.argv[1:4]


class TileSizes(unittest.TestCase):
    def test_sizes_and_reasons_are_counted(self):
        files = [os.path.join(KERNELS, name) for name in ("gemm_tma.mlir", "gemm_grouped.mlir", "vec_add.mlir")]
        command = [sys.executable, f"{HARNESS}/tile_sizes.py", "--tawa-opt", TAWA_OPT, *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 MNK, 1 K of 2\n", done.stdout)
        self.assertRegex(done.stdout, r"gemm_grouped.mlir +N=256 +which tile a program takes")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
