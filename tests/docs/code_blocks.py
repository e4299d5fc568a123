"""Fenced C and C++ blocks compile against the public headers: those that hold statements inside of a function with the names that
the documents take for granted, those that include something by themselves."""

import subprocess

import markdown

NAMES = """
void documented(void *a, void *b, void *c, int M, int N, int K, const char *text, size_t length, void *stream,
                unsigned tiles, tawa_runtime_t runtime, tawa_kernel_t kernel, tawa_error_t error, tawa_arg_t *args);
void documented(void *a, void *b, void *c, int M, int N, int K, const char *text, size_t length, void *stream,
                unsigned tiles, tawa_runtime_t runtime, tawa_kernel_t kernel, tawa_error_t error, tawa_arg_t *args) {
"""


def program(lines, header):
    text = "\n".join(lines)
    return text if "#include" in text else f"#include <stddef.h>\n#include <tawa/{header}>\n{NAMES}{{\n#line 1\n{text}\n}}\n}}\n"


def faults(tree, c_compiler, cxx_compiler):
    compilers = {"c": [c_compiler, "-x", "c", "-std=c99"], "cpp": [cxx_compiler, "-x", "c++", "-std=c++20"]}
    for path in tree.documents():
        for block in markdown.read(path).blocks:
            if block.language not in compilers:
                continue
            source = program(block.lines, "tawa.h" if block.language == "c" else "tawa.hpp")
            command = compilers[block.language] + ["-fsyntax-only", f"-I{tree.root}/include", "-"]
            done = subprocess.run(command, input=source, capture_output=True, text=True, timeout=120)
            if done.returncode:
                yield str(path.relative_to(tree.root)), block.line, "the block does not compile:\n" + done.stderr
