#!/usr/bin/env python3
"""The check of layers finds what it is for."""

import tempfile
import unittest
from pathlib import Path

import layers


class Layers(unittest.TestCase):
    def faults(self, name, included):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.parent.mkdir(parents=True)
            path.write_text(f'// x\n#include "{included}"\n', encoding="utf-8")
            return list(layers.faults(Path(folder)))

    def test_what_lies_below_may_be_included(self):
        self.assertEqual(self.faults("compiler/roles/A.cpp", "compiler/analysis/B.h"), [])
        self.assertEqual(self.faults("compiler/target/hopper/ptx/A.cpp", "compiler/target/hopper/SM90/B.h"), [])

    def test_a_pass_may_not_be_included_by_an_analysis(self):
        self.assertEqual(self.faults("compiler/analysis/A.h", "compiler/roles/B.h"),
                         ["compiler/analysis/A.h:2: compiler/analysis may not include compiler/roles/B.h"])

    def test_a_target_is_the_pipelines_alone(self):
        self.assertEqual(self.faults("compiler/pipeline/A.cpp", "compiler/target/hopper/B.h"), [])
        self.assertEqual(len(self.faults("compiler/layouts/A.cpp", "compiler/target/hopper/B.h")), 1)

    def test_the_runtime_does_not_include_the_compiler(self):
        self.assertEqual(len(self.faults("runtime/jit/A.cpp", "compiler/support/B.h")), 1)


if __name__ == "__main__":
    unittest.main()
