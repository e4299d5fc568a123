#!/usr/bin/env python3
"""The checks of documents find what they are for: each case is a small tree with one document and the fault expected of it."""

import stat
import sys
import tempfile
import unittest
from pathlib import Path

import code_blocks
import markdown
import references
import words
from commands import Commands
from tree import Tree

PROGRAM = """#!/bin/sh
case "$1" in --help) echo '  run  K.mlir';; run) echo '  --arg NAME=VALUE  an argument';; --test-dir) echo '  Test  #1: lit/real';; esac
"""


class Checks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.write("src/Real.cpp", "// TAWA_REAL")
        self.write("src/Passes.td", 'def Real : Pass<"tawa-real", "x"> {')
        self.write("other.md", "# Some heading: of `two` words\n")
        self.write("include/tawa/tawa.h", "typedef void *tawa_runtime_t, *tawa_kernel_t, *tawa_error_t; typedef int tawa_arg_t;")
        self.program = self.write("tawa", PROGRAM)
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def tree(self, text):
        self.write("page.md", text)
        return Tree(self.root)

    def expect(self, faults, *words):
        messages = [f"{name}:{line}: {why}" for name, line, why in faults]
        self.assertEqual(len(messages), len(words), messages)
        for message, word in zip(messages, words):
            self.assertIn(word, message)

    def test_links(self):
        good = "[a](other.md) [b](other.md#some-heading-of-two-words) [c](https://x.org/y) [d](src/Real.cpp)\n"
        self.expect(references.faults(self.tree(good)))
        self.expect(references.faults(self.tree("\n[a](gone.md)")), "page.md:2: link to 'gone.md'")
        self.expect(references.faults(self.tree("[a](other.md#gone)")), "anchor 'gone'")

    def test_shed_words(self):
        good = "The barrier after this one, `behind` as a name\n```\nnobody\n```\n"
        self.write("src/good.cpp", 'int behind = who(nobody); // `behind`: a name; a user who reads\n')
        self.write("src/good.py", 'who = 1\nprint(f"{who} waits")\n')
        self.write("src/good.mlir", "%behind = arith.constant 1 : i32\n")
        self.expect(words.faults(self.tree(good)))
        self.write("src/bad.cpp", 'int a;\n// Every so-manieth tile.\nfail("nobody waits");\n')
        self.write("src/bad.py", '"""A thread\nwho waits for ever."""\n')
        self.write("src/bad.mlir", "// CHECK: the load behind it\n")
        self.expect(words.faults(self.tree("for whom\n")), "page.md:1: 'whom'", "src/bad.cpp:2: 'so-manieth'", "src/bad.cpp:3: 'nobody'",
                    "src/bad.mlir:1: 'behind'", "src/bad.py:2: 'who'", "src/bad.py:2: 'for ever'")

    def test_files_say_what_they_do(self):
        self.write("src/good.cpp", "// Sorts. See good.h for the order.\n")
        self.expect(words.faults(self.tree("")))
        self.write("src/bad.cpp", "// See good.h.\n")
        self.expect(words.faults(self.tree("")), "src/bad.cpp:1: the first sentence")

    def test_names_in_backticks(self):
        good = "`Real.cpp` `src/Real.cpp` `src/` `tawa-real` `--tawa-real` `TAWA_REAL` `f(x)/g` `on/off` `K=1`"
        self.expect(references.faults(self.tree(good)))
        self.expect(references.faults(self.tree("`src/Gone.cpp` `Gone.cpp`")), "src/Gone.cpp", "Gone.cpp")
        self.expect(references.faults(self.tree("`--tawa-gone` `TAWA_GONE`")), "--tawa-gone", "TAWA_GONE")

    def test_records_of_the_past_may_name_what_is_gone(self):
        self.write("perf/LOG.md", "`src/Gone.cpp` [a](gone.md)")
        self.expect(references.faults(Tree(self.root)), "gone.md")

    def commands(self, text):
        return Commands(self.tree(text), *[str(self.program)] * 3, "build").faults()

    def test_commands(self):
        self.expect(self.commands("```\nA=1 build/tawa run k.mlir \\\n  --arg a=1  # --not-an-option\n```\n`tawa run ... --arg`"))
        self.expect(self.commands("```\ntawa fly k.mlir\n```"), "page.md:2: 'tawa' has no command 'fly'")
        self.expect(self.commands("text\n```sh\nls && tawa run k.mlir --ar a=1\n```"), "page.md:3: 'tawa run' has no option --ar")
        self.expect(self.commands("`tawa run --argument a`"), "--argument")
        self.write("dev", "#!/bin/sh\necho '  test [CTEST ARGS]'").chmod(0o755)
        self.expect(self.commands("```\n./dev test -R 'lit|real$' && ctest --test-dir build -R lit/real\n```\n`./dev test -R NAME`"))
        self.expect(self.commands("```\n./dev test -R 'lit|gone'\n```"), "page.md:2: no test matches 'gone'")
        self.expect(self.commands("```\nctest -R gone\n```"), "page.md:2: no test matches 'gone'")
        self.expect(self.commands("```\npython3 src/gone.py --x\n```"), "there is no src/gone.py")

    def code(self, text):
        return code_blocks.faults(self.tree(text), sys.argv[1], sys.argv[2])

    def test_code(self):
        self.expect(self.code("```c\ntawa_runtime_t runtime = NULL;\n(void)runtime;\n```"))
        self.expect(self.code("```c\ntawa_gone(1);\n```"), "page.md:2: the block does not compile")

    def test_a_block_knows_its_lines(self):
        block = markdown.read(self.write("b.md", "x\n\n```sh\na\nb \\\n c\n```\n")).blocks[0]
        self.assertEqual(list(block.commands()), [(4, "a"), (5, "b  c")])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
