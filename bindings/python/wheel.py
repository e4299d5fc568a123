"""Makes a wheel of the package that the build has put together, by setuptools and without a network.

The wheel holds the shared library, stripped, the extension, which any Python from 3.11 on can load, and the program that
searches run their candidates in. Nothing is compiled when it is installed.

usage: wheel.py PACKAGE_FOLDER SOURCE_FOLDER VERSION OUTPUT_FOLDER
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

PROJECT = """[build-system]
requires = ["setuptools", "wheel"]
build-backend = "setuptools.build_meta"

[project]
name = "tawa"
version = "{version}"
description = "Kernels as text in Triton's IR, compiled for Hopper GPUs or run on an emulated one"
readme = "README.md"
requires-python = ">=3.11"
license = {{text = "Apache-2.0"}}

[tool.setuptools]
packages = ["tawa", "tawa.torch", "tawa.triton"]
include-package-data = false
license-files = ["LICENSE", "NOTICE"]

[tool.setuptools.package-data]
tawa = ["*.so", "libtawa.so.0", "tune-worker", "py.typed", "*.pyi", "kernels/*/*.mlir"]
"""
# The extension is built already; that there is one makes the wheel's name say for which machines it is.
SETUP = """import setuptools

class Distribution(setuptools.Distribution):
    def has_ext_modules(self):
        return True

setuptools.setup(distclass=Distribution, options={"bdist_wheel": {"py_limited_api": "cp311"}})
"""


def stage(package, source, version, folder):
    shutil.copytree(package, folder / "tawa", ignore=shutil.ignore_patterns("__pycache__"))
    for binary in ("libtawa.so.0", "_launch.abi3.so", "tune-worker"):
        subprocess.run(["strip", "--strip-unneeded", folder / "tawa" / binary], check=True)
    shutil.copy(source / "README.md", folder)
    for name in ("LICENSE", "NOTICE"):
        shutil.copy(source.parent.parent / name, folder)
    (folder / "pyproject.toml").write_text(PROJECT.format(version=version), encoding="utf-8")
    (folder / "setup.py").write_text(SETUP, encoding="utf-8")


def main():
    package, source, output = (pathlib.Path(sys.argv[i]).resolve() for i in (1, 2, 4))
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        stage(package, source, sys.argv[3], pathlib.Path(temporary))
        command = [sys.executable, "setup.py", "--quiet", "bdist_wheel", "--dist-dir", output]
        subprocess.run(command, cwd=temporary, check=True)
    for wheel in output.glob("*.whl"):
        print(f"{wheel}: {wheel.stat().st_size >> 20} MiB")


if __name__ == "__main__":
    main()
