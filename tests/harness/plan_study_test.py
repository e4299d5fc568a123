"""plan_study.py with the study program on the smallest product of the sweep, and its figures on rows made by hand."""

import json
import os
import subprocess
import sys
import tempfile
import unittest


def row(machine, template, *plans):
    plans = [{"estimate": estimate, "cycles": cycles, "bound": "dram", "plan": template} for estimate, cycles in plans]
    return {"study": "gemms", "M": 512, "N": 256, "K": 256, "machine": machine, "template": template, "by_shape": "2d", "plans": plans}


class Figures(unittest.TestCase):
    def rows(self, machine, one, two):
        return [row(machine, "any", (90, 100), (95, 80)), row(machine, "1d", (1, one)), row(machine, "1d-smaller", (1, 400)),
                row(machine, "2d", (1, two))]

    def test_speedups_errors_and_gains(self):
        figures = plan_study.gemm_summary(self.rows("a", 160, 120))["a"]
        self.assertAlmostEqual(figures["speedup"]["1d"], 2)
        self.assertAlmostEqual(figures["speedup"]["vendor"], 1.5)
        self.assertAlmostEqual(figures["error"]["mean"], 0.1)
        self.assertAlmostEqual(figures["gain over k = 1"][1], 0)
        self.assertAlmostEqual(figures["gain over k = 1"][2], 0.25)

    def test_reversal_needs_both_machines_to_differ(self):
        small, large = self.rows("wormhole_4x8", 100, 120), self.rows("wormhole_8x8", 120, 100)
        self.assertEqual(len(plan_study.reversals(small + large)), 1)
        self.assertEqual(plan_study.reversals(small + self.rows("wormhole_8x8", 100, 120)), [])

    def test_regret_is_against_all_plans(self):
        rows = [row("a", "any", (1, 100), (2, 50)), row("a", "any", (1, 100))]
        self.assertAlmostEqual(plan_study.exhaust_summary(rows)["mean regret"][5], 1)


class Program(unittest.TestCase):
    def test_smallest_product(self):
        done = subprocess.run([PROGRAM, "gemms", KERNELS, "--machine", "wormhole_1x8", "--limit", "16777216"], capture_output=True,
                              text=True, check=True)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        measured = [each for each in rows if "plans" in each]
        self.assertEqual(sum(bool(each.get("skipped")) for each in rows), 139)
        self.assertEqual([each["template"] for each in measured], ["any", "1d", "1d-smaller", "2d"])
        for each in measured:
            for plan in each["plans"]:
                # The eight cores compute for 256^3 * 2 / (8 * 1024) cycles at least.
                self.assertGreaterEqual(plan["cycles"], 4096)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lines.jsonl")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(done.stdout)
            shown = subprocess.run([sys.executable, "-B", f"{HARNESS}/plan_study.py", "--read", path, "--out", folder, "--date", "d"],
                                   capture_output=True, text=True, check=True).stdout
            self.assertIn("| wormhole_1x8 | 1 |", shown)
            self.assertTrue(os.path.exists(f"{folder}/d-plan-error.svg"))
            with open(f"{folder}/d-plan-gemms.json", encoding="utf-8") as stream:
                self.assertEqual(len(json.load(stream)["result"]["machines"]["wormhole_1x8"]["left out"]), 139)
            # A run is continued: of the lines that a file has, whole ones are not measured again.
            with open(path, "a", encoding="utf-8") as stream:
                stream.truncate(done.stdout.index("\n", done.stdout.index('"template": "1d-smaller"')) - 10)
            again = subprocess.run([PROGRAM, "gemms", KERNELS, "--machine", "wormhole_1x8", "--limit", "16777216", "--skip", path],
                                   capture_output=True, text=True, check=True).stdout
            rows = [json.loads(line) for line in again.splitlines()]
            self.assertEqual([each["template"] for each in rows if "plans" in each], ["1d-smaller", "2d"])


if __name__ == "__main__":
    HARNESS, PROGRAM, KERNELS = sys.argv[1:4]
    sys.path.insert(0, HARNESS)
    import plan_study

    unittest.main(argv=sys.argv[:1])
