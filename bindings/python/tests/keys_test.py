"""Keys of inputs: those of tensors that DLPack's C exchange API reads, here of a library made up for it.

usage: keys_test.py [unittest arguments]; the package must be importable
"""

import ctypes
import unittest

from tawa._launch import key_of

POINTERS = ctypes.POINTER(ctypes.c_int64)


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", POINTERS), ("strides", POINTERS), ("byte_offset", ctypes.c_uint64)]


READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))


class Exchange(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32 * 2), ("unused", ctypes.c_void_p * 4), ("read", READ), ("current_stream", ctypes.c_void_p)]


@READ
def read(tensor, out):
    if tensor.is_broken:
        return -1
    out[0] = DLTensor(None, 2, tensor.device, len(tensor.shape), 2, tensor.bits, 1, tensor.shape, tensor.strides, 0)
    return 0


EXCHANGE = Exchange((1, 3), (None,) * 4, read, 1)  # a stream is never asked for
ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object


class Tensor:
    __dlpack_c_exchange_api__ = ctypes.pythonapi.PyCapsule_New(ctypes.byref(EXCHANGE), ctypes.c_char_p(b"dlpack_exchange_api"), None)

    def __init__(self, *shape, strides=None, bits=16, device=0, is_broken=False):
        self.shape, self.bits, self.device, self.is_broken = (ctypes.c_int64 * len(shape))(*shape), bits, device, is_broken
        self.strides = None if strides is None else (ctypes.c_int64 * len(strides))(*strides)


class Other(Tensor):
    pass


class KeysTest(unittest.TestCase):
    def test_equal_inputs_have_equal_keys(self):
        first, second = (key_of((Tensor(4, 8, strides=(8, 1)), None, "gelu", 0.5, True)) for _ in range(2))
        self.assertEqual(first, second)
        self.assertEqual(hash(first), hash(second))

    def test_what_differs_has_another_key(self):
        inputs = [(Tensor(4, 8, strides=(8, 1)),), (Tensor(4, 8, strides=(1, 4)),), (Tensor(8, 4, strides=(8, 1)),), (Tensor(32, strides=(1,)),),
                  (Tensor(4, 8),), (Tensor(4, 8, strides=(8, 1), bits=32),), (Tensor(4, 8, strides=(8, 1), device=1),), (Other(4, 8, strides=(8, 1)),),
                  (Tensor(4, 8, strides=(8, 1)), None), (None, Tensor(4, 8, strides=(8, 1))), (Tensor(4), Tensor(8)), (Tensor(8), Tensor(4)),
                  (Tensor(4, 8), 1), (Tensor(4, 8), 2), (Tensor(4, 8), "1"), ()]
        keys = [key_of(each) for each in inputs]
        self.assertNotIn(None, keys)
        self.assertEqual(len(set(keys)), len(inputs))

    def test_what_cannot_be_read_has_none(self):
        self.assertIsNone(key_of((Tensor(4, is_broken=True),)))
        self.assertIsNone(key_of((object(),)))
        self.assertIsNone(key_of((Tensor(4), [1, 2])))
        self.assertIsNone(key_of(tuple(range(1000))))
        self.assertIsNone(key_of(tuple(Tensor(*[2] * 60, strides=[1] * 60) for _ in range(5))))
        with self.assertRaises(SystemError):
            key_of([1])


if __name__ == "__main__":
    unittest.main()
