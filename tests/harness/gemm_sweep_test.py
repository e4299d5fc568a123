#!/usr/bin/env python3
"""Searches of several problems at once (gemm_sweep.py --jobs): every problem in a process of its own, rows in order, failures told; and the
device's lock, which the library's searches hold too.

usage: gemm_sweep_test.py HARNESS PYTHON_BINDINGS
"""

import argparse
import fcntl
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

HARNESS, BINDINGS = sys.argv.pop(1), sys.argv.pop(1)
sys.path[:0] = [HARNESS, BINDINGS]
import gemm_sweep  # pylint: disable=wrong-import-position

F_OFD_SETLK = 37  # what BuildLock.cpp uses


class Jobs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def fake_sweep(self, command, **_):
        """What the process of a problem does: the second one dies."""
        value = lambda flag: command[command.index(flag) + 1]
        number = int(value("--only"))
        if number == 1:
            return subprocess.CompletedProcess(command, 1, "", "some line\nthe last word\n")
        with open(value("--json"), "w", encoding="utf-8") as stream:
            json.dump({"machine": {"gpu": "some"}, "rows": [{"name": f"p{number}", "brief": "--brief" in command, "outer": value("--outer"), "has_element": "--element" in command}]}, stream)
        return subprocess.CompletedProcess(command, 0, "", "")

    def test_every_problem_has_a_process(self):
        options = argparse.Namespace(jobs=2, seconds=60, kernel="k.mlir", problems="p.txt", brief=True, steady=False, epilogue=False, element=None, outer="ab", multiple=1, grid="", json=self.path("out.json"))
        run, subprocess.run = subprocess.run, self.fake_sweep
        self.addCleanup(setattr, subprocess, "run", run)
        rows = gemm_sweep.search_all(options, [(f"p{i}", (i, i, i), []) for i in range(3)])
        self.assertEqual([row["name"] for row in rows], ["p0", "p1", "p2"])
        self.assertEqual(rows[1]["failure"], "the last word")
        self.assertEqual(rows[2], {"name": "p2", "brief": True, "outer": "ab", "has_element": False})
        with open(options.json, encoding="utf-8") as stream:
            self.assertEqual(json.load(stream)["rows"], json.loads(json.dumps(rows)))
        options.seconds = -1
        self.assertEqual(gemm_sweep.search_all(options, [("p0", (1, 1, 1), [])]), [])

    def test_the_lock_is_that_of_searches(self):
        lock = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
        with open(self.path("cuda:0.lock"), "a", encoding="utf-8") as other:
            with gemm_sweep.timing.device_alone(other.name):
                with self.assertRaises(BlockingIOError):
                    fcntl.fcntl(other, F_OFD_SETLK, lock)
            fcntl.fcntl(other, F_OFD_SETLK, lock)
        with gemm_sweep.timing.device_alone(None), gemm_sweep.timing.device_alone(None):  # none to be had
            pass


class Errors(unittest.TestCase):
    def test_fp8_may_lose_what_the_peer_loses(self):
        usual = gemm_sweep.gemm_bench.ERROR_LIMITS["f8e4m3"]
        self.assertEqual(gemm_sweep.error_limit("f8e4m3", [usual / 2]), usual)
        self.assertAlmostEqual(gemm_sweep.error_limit("f8e4m3", [1.5 * usual, usual]), 1.65 * usual)
        self.assertEqual(gemm_sweep.error_limit("f8e4m3", [40 * usual, float("nan")]), usual)  # wrong results excuse nothing
        self.assertEqual(gemm_sweep.error_limit("f16", [1.0]), gemm_sweep.gemm_bench.ERROR_LIMITS["f16"])


if __name__ == "__main__":
    unittest.main()
