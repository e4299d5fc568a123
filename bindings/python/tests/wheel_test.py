"""Builds the wheel, installs it into an empty folder without a network, and runs README and tests with what is there.

usage: wheel_test.py PACKAGE_FOLDER SOURCE_FOLDER VERSION
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, **options)


def check_contents(wheel):
    """It is for any Python from 3.11 on, and has all that runs."""
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"], wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    needed = {"tawa/_abi.py", "tawa/_launch.abi3.so", "tawa/libtawa.so.0", "tawa/tune-worker", "tawa/py.typed", "tawa/_launch.pyi",
              "tawa/jax.py", "tawa/torch/__init__.py", "tawa/triton/__init__.py", "tawa/kernels/gemm/linear.mlir"}
    assert needed <= names, needed - names
    assert any(name.endswith("NOTICE") for name in names) and not any(name.endswith(".c") for name in names)


def main():
    package, source = (pathlib.Path(folder).resolve() for folder in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as temporary:
        dist, target = pathlib.Path(temporary, "dist"), pathlib.Path(temporary, "target")
        run(sys.executable, source / "wheel.py", package, source, sys.argv[3], dist)
        (wheel,) = dist.glob("*.whl")
        check_contents(wheel)
        run(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", target, wheel)
        environment = {key: value for key, value in os.environ.items() if key not in ("TAWA_LIBRARY", "TAWA_WORKER")}
        environment |= {"PYTHONPATH": str(target), "PATH": "/usr/bin:/bin"}  # no `tawa` program is near
        here = "import tawa, sys; assert tawa.__file__.startswith(sys.argv[1]), tawa.__file__"
        run(sys.executable, "-c", here, target, cwd=temporary, env=environment)
        for test in ([source / "tests" / "readme_test.py", source / "README.md"], [source / "tests" / "package_test.py", "TuneTest", "NumPyTest"],
                     [source / "tests" / "operators_test.py", "Linear.test_shapes"]):
            run(sys.executable, "-B", *test, cwd=temporary, env=environment)


if __name__ == "__main__":
    main()
