"""What on_gpu.py says of a run, from its status and its last lines."""

import unittest

import on_gpu


class Outcomes(unittest.TestCase):
    def test_of_unittest(self):
        of = lambda status, end: on_gpu.outcome(status, f"test_one ... ok\nRan 12 tests in 1.0s\n\n{end}\n")
        self.assertEqual(of(0, "OK"), ("ran", "12 ran, 0 skipped, 0 failed"))
        self.assertEqual(of(0, "OK (skipped=2)"), ("ran", "10 ran, 2 skipped, 0 failed"))
        self.assertEqual(of(0, "OK (skipped=12)"), ("skipped", "0 ran, 12 skipped, 0 failed"))
        self.assertEqual(of(1, "FAILED (failures=1, errors=2, skipped=3)"), ("FAILED", "9 ran, 3 skipped, 3 failed"))

    def test_of_programs(self):
        self.assertEqual(on_gpu.outcome(0, "first\nall right\n"), ("ran", "all right"))
        self.assertEqual(on_gpu.outcome(1, ""), ("FAILED", ""))
        self.assertEqual(on_gpu.outcome(on_gpu.SKIPPED, "skipped: no JAX"), ("skipped", ""))
        self.assertEqual(on_gpu.outcome(1, "ModuleNotFoundError: No module named 'jax'"), ("skipped", "No module named 'jax'"))
        self.assertEqual(on_gpu.outcome(1, "ModuleNotFoundError: No module named 'tawa'")[0], "FAILED")


if __name__ == "__main__":
    unittest.main()
