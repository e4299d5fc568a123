"""What the handler for XLA says of its locks (xla_site.h): threads that need the same kernel wait for the one that makes it, and it is
made once; other kernels, and launches of the same one, go on meanwhile. A library before Tawa's holds compiles and launches.

usage: jax_locks_test.py C_COMPILER INCLUDE_FOLDER
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def start():
    """Builds the library and runs this program again with it in front."""
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "jax_locks.so")
        command = [sys.argv[1], "-shared", "-fPIC", "-O1", "-pthread", "-I", sys.argv[2], "-o", library, str(HERE / "jax_locks.c")]
        subprocess.run(command, check=True)
        environment = {**os.environ, "LD_PRELOAD": library, "JAX_LOCKS": library}
        sys.exit(subprocess.run([sys.executable, "-B", __file__], env=environment, check=False).returncode)


if __name__ == "__main__" and "JAX_LOCKS" not in os.environ:
    start()

import jax_unit_test as unit  # pylint: disable=wrong-import-position
from tawa._library import c  # pylint: disable=wrong-import-position

locks = ctypes.CDLL(os.environ["JAX_LOCKS"])
for _short, _name in (("compile", "tawa_compile"), ("launch", "tawa_binding_launch")):
    ctypes.c_void_p.in_dll(locks, f"real_{_short}").value = ctypes.cast(getattr(c, _name), ctypes.c_void_p).value


def counted(name):
    return ctypes.c_int.in_dll(locks, name).value


def until(condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.001)


class Execution(threading.Thread):
    """A call of a kernel on a thread of its own, as XLA makes it. To describe it, frame_of() makes a call of another one."""

    def __init__(self, key, name, **changes):
        super().__init__(daemon=True)
        self.call, self.failure = unit.frame_of(key=key * 64, name=name, **changes), None

    def run(self):
        try:
            self.call.run(unit.handler())
        except unit.standin.JaxRuntimeError as failure:
            self.failure = failure

    def result(self):
        if not self.ident:
            self.start()
        self.join(10)
        assert not self.is_alive(), "it hangs"
        return [3 * i for i in range(40)] == list((ctypes.c_float * 40).from_address(self.call.buffers[1][0].data))


class Locks(unittest.TestCase):
    def setUp(self):
        Execution("f", "other.mlir").result()  # the runtime is open, and frame_of() has made its own kernel
        self.compiles, self.launches = counted("compiles"), counted("launches")
        self.addCleanup(locks.hold, b"", 0)

    def made(self):
        return counted("compiles") - self.compiles

    def test_a_kernel_is_made_once(self):
        first, *others = (Execution("0", "slow.mlir") for _ in range(4))
        locks.hold(b"slow.mlir", 0)
        first.start()
        until(lambda: counted("waiting") == 1)
        for each in others:
            each.start()
        time.sleep(0.2)
        self.assertTrue(first.is_alive() and all(each.is_alive() for each in others))
        self.assertEqual(self.made(), 1)
        locks.hold(b"", 0)
        self.assertTrue(all(each.result() for each in (first, *others)))
        self.assertEqual(self.made(), 1)

    def test_other_kernels_go_on(self):
        slow, other, quick = Execution("1", "slow.mlir"), Execution("f", "other.mlir"), Execution("2", "quick.mlir")
        locks.hold(b"slow.mlir", 0)
        slow.start()
        until(lambda: counted("waiting") == 1)
        self.assertTrue(other.result())  # which was made before
        self.assertTrue(quick.result())  # which is made now
        self.assertEqual((self.made(), slow.is_alive()), (2, True))
        locks.hold(b"", 0)
        self.assertTrue(slow.result())

    def test_launches_of_one_kernel_go_on(self):
        held, other = (Execution("f", "other.mlir") for _ in range(2))
        locks.hold(b"launch", 1)
        held.start()
        until(lambda: counted("waiting") == 1)
        self.assertTrue(other.result())
        self.assertTrue(held.is_alive())
        locks.hold(b"", 0)
        self.assertTrue(held.result())
        self.assertEqual((counted("launches") - self.launches >= 2, self.made()), (True, 0))

    def test_who_waited_for_a_failure_tries_again(self):
        wrong = [Execution("3", "slow.mlir", text="no kernel") for _ in range(2)]
        locks.hold(b"slow.mlir", 0)
        for each in wrong:
            each.start()
        until(lambda: counted("waiting") == 1)
        time.sleep(0.1)
        self.assertEqual(self.made(), 1)
        locks.hold(b"", 0)
        for each in wrong:
            each.result()
            self.assertIn("INVALID_IR", each.failure.args[1])
        self.assertEqual(self.made(), 2)
        self.assertTrue(Execution("3", "slow.mlir").result())

    def test_many_threads_on_many_kernels(self):
        all_of_them = [Execution("456789ab"[i % 8], "many.mlir") for i in range(32)]
        for each in all_of_them:
            each.start()
        self.assertTrue(all(each.result() for each in all_of_them))
        self.assertEqual(self.made(), 8)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
