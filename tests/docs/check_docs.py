#!/usr/bin/env python3
"""Checks of the repository's documents, and of the prose of its sources. Prints FILE:LINE: what is wrong, and exits with 1 if anything is.

usage: check_docs.py ROOT references
       check_docs.py ROOT words
       check_docs.py ROOT commands TAWA TAWA_OPT CTEST BUILD
       check_docs.py ROOT code C_COMPILER CXX_COMPILER
"""

import sys

import code_blocks
import references
import words
from commands import Commands
from tree import Tree


def faults(root, kind, arguments):
    tree = Tree(root)
    if kind == "references":
        return references.faults(tree)
    if kind == "words":
        return words.faults(tree)
    if kind == "commands":
        return Commands(tree, *arguments).faults()
    return code_blocks.faults(tree, *arguments)


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in ("references", "words", "commands", "code"):
        sys.exit(__doc__)
    found = list(faults(sys.argv[1], sys.argv[2], sys.argv[3:]))
    for name, line, why in found:
        print(f"{name}:{line}: {why}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
