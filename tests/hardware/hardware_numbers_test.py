"""hardware_numbers.py finds every number that it names, in a tree with one planted line, and leaves comments and its homes alone."""

import pathlib
import tempfile
import unittest

import hardware_numbers

PLANTED = {
    "constexpr int64_t kRoom = 232448;": "shared memory of a CTA",
    "constexpr int64_t kRoom = 227 * 1024;": "shared memory of a CTA",
    "uint32_t most = 227 << 10;": "shared memory of a CTA",
    "auto all = 228 * 1024;": "shared memory of a multiprocessor",
    "unsigned each = 65536 / threads;": "registers of a multiprocessor",
    "int most = std::min(asked, 255);": "registers of a thread",
    "double waves = ctas / 132.0;": "multiprocessors",
    "int waves = ctas / 132;": "multiprocessors",
    "int64_t ctas = 2048 / threads;": "threads of a multiprocessor, or operations of its tensor cores per clock",
    "constexpr int64_t kL2 = 50 * 1024 * 1024;": "L2",
    "constexpr int64_t kLoadCycles = 2500;": "clocks that a load takes",
    'const char *processor = "sm_90a";': "architecture",
    "return kRegistersPerSM / threads;": "a constant that Target has",
}


class Findings(unittest.TestCase):
    def found(self, path, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
            return list(hardware_numbers.findings(pathlib.Path(folder)))

    def test_each_is_found_where_it_is_planted(self):
        for line, what in PLANTED.items():
            found = self.found("compiler/roles/Planted.cpp", f"// first\n{line}\n")
            self.assertEqual([(number, kind) for _, number, _, kind in found], [(2, what)], line)

    def test_comments_and_the_targets_own_files_may_say_them(self):
        self.assertEqual(self.found("compiler/analysis/A.h", "// 232448 bytes\n/* 132\n 255 */ int x = 1;\n"), [])
        self.assertEqual(self.found("runtime/hardware/HardwareDescription.cpp", "int most = 65536;\n"), [])

    def test_what_is_allowed_is_one_line_of_one_file(self):
        path, part, _ = hardware_numbers.ALLOWED[0]
        self.assertEqual(self.found(path, f"constexpr int64_t {part};\n"), [])
        self.assertEqual(len(self.found(path, "constexpr int64_t kOther = 65536;\n")), 1)
        self.assertEqual(len(self.found("compiler/analysis/Other.cpp", f"constexpr int64_t {part};\n")), 1)


if __name__ == "__main__":
    unittest.main()
