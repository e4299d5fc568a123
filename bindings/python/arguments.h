/* Python's arguments as tawa_arg_t, without making objects.
 *
 * Tensors are taken, in this order, from
 *  - tawa.Arg, a struct that is copied as it is;
 *  - DLPack's C exchange API, by which PyTorch tells address, shape and current stream without a Python call;
 *  - the buffer protocol (NumPy), for kernels that run on the emulator;
 *  - describe() of tawa/_tensors.py: __dlpack__ and __cuda_array_interface__.
 * Functions that give an int set an exception where it is not 0.
 */
#ifndef TAWA_PYTHON_ARGUMENTS_H
#define TAWA_PYTHON_ARGUMENTS_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* Python 3.11: one build serves all later versions */
#include <Python.h>

#include <tawa/dlpack.h>
#include <tawa/tawa.h>

enum { MAX_ARGS = 64, CPU = 1, CUDA = 2, CUDA_HOST = 3, CUDA_MANAGED = 13 }; /* the latter as DLPack counts them */

extern PyObject *arg_type;      /* tawa.Arg */
extern PyObject *describe;      /* describe(object, stream or None) -> (Arg, device type, device id, stream, keep) */
extern PyObject *stream_handle; /* stream_handle(object) -> int */

/* The layout of DLPackExchangeAPI. */
typedef struct exchange {
  uint32_t major, minor;
  struct exchange *previous;
  void *allocate, *managed_from_object, *managed_to_object;
  int (*tensor_from_object)(void *object, tawa_dltensor_t *tensor); /* borrowed; may be NULL */
  int (*current_stream)(int32_t device_type, int32_t device_id, void **stream);
} exchange_t;

typedef struct {
  tawa_arg_kind_t kind;
  tawa_dtype_t dtype;
} parameter_t;

/* The arguments of one call, and what must live until it ends. */
typedef struct {
  int32_t device_type, device_id; /* of the kernel; type 0: whatever the tensor's is, which is then stored here */
  PyObject *stream;               /* given by the caller, or None */
  const exchange_t *api;          /* of the first tensor that has one */
  void *framework_stream;         /* what describe() found */
  uint32_t count, buffers;
  PyObject *keep; /* list; NULL: nothing */
  tawa_arg_t args[MAX_ARGS];
  Py_buffer buffer[MAX_ARGS];
} call_t;

/* `device_type` 0: tensors of any one device. */
void begin(call_t *call, int32_t device_type, int32_t device_id);
void end(call_t *call);

/* The next argument of the call. */
int take(call_t *call, PyObject *object, parameter_t parameter);
int take_tensor(call_t *call, PyObject *object, tawa_dtype_t wanted, tawa_arg_t *arg);
int take_dltensor(const tawa_dltensor_t *tensor, tawa_arg_t *arg);
/* Puts the argument's name before the words of the exception at hand. */
void name_argument(PyObject *name);

/* The exchange API of an object's type; NULL where it has none. */
const exchange_t *exchange_of(PyObject *object);
/* key_of(inputs: tuple) -> a key that is equal for inputs of the same types, shapes, strides and devices, and the same
 * numbers, strings and Nones; None where one of them is something else, or a tensor without the exchange API. */
PyObject *key_of(PyObject *module, PyObject *inputs);

/* None, NULL: {0, 0, 0}. */
int take_grid(PyObject *given, uint32_t grid[3]);
/* The stream that the caller names, else the current one of the tensors' framework, else the default stream. */
int take_stream(const call_t *call, void **stream);
/* Borrowed references to the values of `grid` and `stream`; where one is NULL, and for any other keyword: an error. */
int take_keywords(PyObject *keywords, PyObject **grid, PyObject **stream);

#endif
