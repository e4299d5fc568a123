"""tawa.plan(): plans for spatial machines as objects, without a device.

usage: plan_test.py [unittest arguments]; the package must be importable
"""

import os
import pathlib
import sys
import tempfile
import unittest

import tawa

KERNELS = pathlib.Path(__file__).resolve().parents[3] / "tests" / "kernels"
GEMM = (KERNELS / "gemm_param.mlir").read_text()
SCALE = (KERNELS / "scale.mlir").read_text()
SIZES = ((512, 128), (512, 128), (512, 512), 512, 512, 128)
BLOCK = "BLOCK_M=64 BLOCK_N=64 BLOCK_K=64"


def plan_gemm(**options):
    return tawa.plan(GEMM, *SIZES, **({"machine": "torus_4x4", "config": BLOCK, "top": 3} | options))


class PlanTest(unittest.TestCase):
    def test_plans_are_objects(self):
        found = plan_gemm()
        self.assertEqual(len(found.plans), 3)
        self.assertIs(found.best, found.plans[0])
        self.assertEqual([plan.cycles for plan in found.plans], sorted(plan.cycles for plan in found.plans))
        best = found.best
        self.assertEqual((best.tile["BLOCK_M"], best.tile["BLOCK_K"]), (64, 64))
        self.assertIn("load a: ", best.text)
        self.assertIn("store c: ", best.text)
        self.assertIn("tt.dot", best.program)
        self.assertIn("m_tile = ", best.summary)
        self.assertLessEqual(best.footprint, 262144)
        self.assertGreaterEqual(best.cycles, max(best.compute_cycles, best.load_cycles, best.store_cycles))
        self.assertAlmostEqual(best.microseconds, best.cycles / 1000)  # the machine runs at 1 GHz
        self.assertIsNone(best.simulated_cycles)
        self.assertNotIn("simulation", found.facts)

    def test_loads_travel_between_cores(self):
        for load in plan_gemm().best.loads:
            reached = {*load.readers, *(target for _, target in load.sends)}
            self.assertEqual(reached, set(range(16)), load)
            self.assertEqual(len(load.readers) + len(load.sends), 16)
        self.assertEqual([load.tensor for load in plan_gemm().best.loads], ["a", "b"])

    def test_the_fastest_simulated_one_is_the_best(self):
        found = plan_gemm(simulate=True)
        cycles = [plan.simulated_cycles for plan in found.plans]
        self.assertEqual(found.best.simulated_cycles, min(cycles))
        self.assertEqual(found.facts["simulation"]["cycles"], min(cycles))

    def test_a_machine_may_be_a_file(self):
        text = (KERNELS.parents[1] / "compiler" / "planner" / "machines" / "torus_4x4.mlir").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mine"
            path.write_text(text.replace("@torus_4x4", "@mine"))
            found = plan_gemm(machine=path)
        self.assertEqual(found.facts["machine"]["name"], "mine")
        self.assertEqual(found.best.cycles, plan_gemm().best.cycles)

    def test_machines_are_listed(self):
        self.assertLessEqual({"torus_4x4", "wormhole_8x8"}, set(tawa.plan_machines()))

    def test_refused_block_shapes_have_a_reason_without_the_name_of_the_file(self):
        rest = """%96 = arith.constant dense<96> : tensor<${BLOCK}xi32>
    %wrapped = arith.remsi %at, %96 : tensor<${BLOCK}xi32>
    %end ="""
        wraps = SCALE.replace("%xs, %at", "%xs, %wrapped").replace("%end =", rest)
        found = tawa.plan(wraps, (96,), (96,), 96, 2.0, machine="torus_4x4", name="wraps.mlir")
        self.assertEqual(found.best.tile, {"BLOCK": 32})
        (tile, reason), = found.refused
        self.assertEqual(tile, {"BLOCK": 64})
        self.assertRegex(reason, r"^\d+:\d+: error: '\S+' ")

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(tawa.InvalidArgument, "no machine is called 'abacus'"):
            plan_gemm(machine="abacus")
        with self.assertRaisesRegex(TypeError, "takes 6 arguments, 1 were described"):
            tawa.plan(GEMM, (512, 128), machine="torus_4x4")
        with self.assertRaisesRegex(TypeError, "argument 'M': plans are made for known sizes; give its value"):
            tawa.plan(GEMM, *SIZES[:3], None, 512, 128, machine="torus_4x4")
        with self.assertRaisesRegex(tawa.InvalidArgument, "argument 0 has a dimension of unknown size"):
            tawa.plan(GEMM, (None, 128), *SIZES[1:], machine="torus_4x4")
        with self.assertRaises(tawa.InvalidIR):
            tawa.plan("nonsense", machine="torus_4x4")


class CacheTest(unittest.TestCase):
    def test_the_same_problem_is_planned_once(self):
        self.assertEqual([plan_gemm().from_cache, plan_gemm().from_cache], [False, False])  # TAWA_CACHE=off
        with tempfile.TemporaryDirectory() as folder:
            os.environ |= {"TAWA_CACHE": "on", "TAWA_CACHE_DIR": folder}
            self.addCleanup(os.environ.update, {"TAWA_CACHE": "off"})
            first, second = plan_gemm(), plan_gemm()
            self.assertEqual([first.from_cache, second.from_cache], [False, True])
            self.assertEqual(first.plans, second.plans)
            with tawa.Cache() as cache:
                self.assertEqual([entry.kind for entry in cache.entries()], ["plan"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
