"""perf/harness/fit_rates.py: recovers the rates that a set of times was made with, by the library's own model, and keeps all else.

usage: fit_rates_test.py HARNESS_FOLDER TAWA MODEL_TIMES KERNELS
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

HARNESS, TAWA, MODEL, KERNELS = sys.argv[1:5]
sys.path.insert(0, HARNESS)
import fit_rates  # pylint: disable=wrong-import-position

SIZES = ((256, 256, 256), (8192, 8192, 4096), (4096, 4096, 512), (512, 8192, 8192), (128, 4096, 4096), (16, 6144, 4096))
CONFIGS = ("BLOCK_M=128 BLOCK_N=256 BLOCK_K=64 D=4", "BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 D=4 persistent=1", "BLOCK_M=64 BLOCK_N=64 BLOCK_K=64 D=4 consumers=1")
TRUE = {"memory_rate": 0.84, "tensor_usable": 0.89, "launch_latency": 1.35}  # of what the start has


def problem(sizes, times):
    m, n, k = sizes
    arguments = {"a": [m, k], "b": [n, k], "c": [m, n], "M": [m], "N": [n], "K": [k]}
    return {"kernel": os.path.join(KERNELS, "gemm_param.mlir"), "arguments": arguments, "times": times}


class Fit(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        text = subprocess.run([TAWA, "hardware", "--name", "h200"], check=True, capture_output=True, text=True).stdout
        self.start = fit_rates.Description(text)
        self.problems = [problem(sizes, dict.fromkeys(CONFIGS, 1.0)) for sizes in SIZES]

    def measure(self, factors):
        """What a GPU of these rates would need, into a result file."""
        values = {rate: self.start.values[rate] * factor for rate, factor in factors.items()}
        model = fit_rates.Model(MODEL, self.problems, self.folder.name)
        times = model.times(self.start.with_values(values))
        model.close()
        for each, seconds in zip(self.problems, times):
            each["times"] = dict(zip(CONFIGS, seconds))
        path = os.path.join(self.folder.name, "measured.json")
        with open(path, "w", encoding="utf-8") as stream:
            json.dump({"problems": self.problems}, stream)
        return path

    def run_tool(self, measured, *more):
        output = os.path.join(self.folder.name, "fitted.hw")
        command = [sys.executable, "-B", os.path.join(HARNESS, "fit_rates.py"), "--model", MODEL, "--tawa", TAWA, "-o", output]
        answer = subprocess.run([*command, *more, measured], check=True, capture_output=True, text=True).stdout
        with open(output, encoding="utf-8") as stream:
            return answer, fit_rates.Description(stream.read())

    def test_true_rates_are_recovered(self):
        answer, fitted = self.run_tool(self.measure(TRUE), "--rates", ",".join(TRUE))
        for rate, factor in TRUE.items():
            self.assertAlmostEqual(fitted.values[rate] / self.start.values[rate] / factor, 1, delta=0.03, msg=f"{rate}\n{answer}")
        before, after = map(float, re.search(r"launches: ([\d.]+)% -> ([\d.]+)%", answer).groups())
        self.assertGreater(before, 3)
        self.assertLess(after, 1)

    def test_what_is_not_fitted_stays_and_bounds_hold(self):
        _, fitted = self.run_tool(self.measure(TRUE), "--rates", "memory_rate,launch_latency", "--bound", "1.1")
        others = {rate: value for rate, value in self.start.values.items() if rate not in ("memory_rate", "launch_latency")}
        self.assertEqual({rate: fitted.values[rate] for rate in others}, others)
        for rate in ("memory_rate", "launch_latency"):
            self.assertLessEqual(max(fitted.values[rate] / self.start.values[rate], self.start.values[rate] / fitted.values[rate]), 1.1001)

    def test_what_the_description_lacks_is_an_error(self):
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            self.run_tool(self.measure({}), "--rates", "warp_speed")
        self.assertIn("warp_speed", caught.exception.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
