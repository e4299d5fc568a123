/* Python's arguments as tawa_arg_t: arguments.h. */
#include "arguments.h"

#include <string.h>

PyObject *arg_type, *describe, *stream_handle;

/* ---- DLPack's C exchange API ----------------------------------------------------------------------------------- */

/* What is known of a few types, the one found last first. Guarded by the GIL. */
static struct {
  PyObject *type;
  const exchange_t *api;
} known_types[4];

static const exchange_t *exchange_of_capsule(PyObject *capsule) {
  const exchange_t *api = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
  while (api && api->major != 1)
    api = api->previous;
  return api && api->tensor_from_object && api->current_stream ? api : NULL;
}

static const exchange_t *ask_type(PyObject *type) {
  PyObject *capsule = PyObject_GetAttrString(type, "__dlpack_c_exchange_api__");
  const exchange_t *api = capsule && PyCapsule_CheckExact(capsule) ? exchange_of_capsule(capsule) : NULL;
  PyErr_Clear();
  Py_XDECREF(capsule);
  return api;
}

const exchange_t *exchange_of(PyObject *object) {
  enum { KNOWN = sizeof known_types / sizeof known_types[0] };
  PyObject *type = (PyObject *)Py_TYPE(object);
  int i;
  for (i = 0; i < KNOWN; ++i)
    if (known_types[i].type == type)
      return known_types[i].api;
  const exchange_t *api = ask_type(type);
  Py_XDECREF(known_types[KNOWN - 1].type);
  for (i = KNOWN - 1; i > 0; --i)
    known_types[i] = known_types[i - 1];
  known_types[0].type = Py_NewRef(type);
  known_types[0].api = api;
  return api;
}

/* ---- one argument ---------------------------------------------------------------------------------------------- */

void begin(call_t *call, int32_t device_type, int32_t device_id) {
  call->device_type = device_type;
  call->device_id = device_id;
  call->stream = Py_None;
  call->api = NULL;
  call->framework_stream = NULL;
  call->count = call->buffers = 0;
  call->keep = NULL;
}

void end(call_t *call) {
  while (call->buffers > 0)
    PyBuffer_Release(&call->buffer[--call->buffers]);
  Py_CLEAR(call->keep);
}

static int keep(call_t *call, PyObject *object) {
  if (!call->keep && !(call->keep = PyList_New(0)))
    return -1;
  return PyList_Append(call->keep, object);
}

static PyObject *place(int32_t type, int32_t id) {
  if (type == CPU || type == CUDA_HOST)
    return PyUnicode_FromString("the CPU");
  return type == CUDA || type == CUDA_MANAGED ? PyUnicode_FromFormat("cuda:%d", (int)id)
                                              : PyUnicode_FromFormat("a device of DLPack's type %d", (int)type);
}

static int refuse_device(const call_t *call, int32_t type, int32_t id) {
  int is_emulator = call->device_type == CPU;
  PyObject *tensor = place(type, id);
  PyObject *kernel = is_emulator ? PyUnicode_FromString("the emulator") : place(call->device_type, call->device_id);
  if (tensor && kernel)
    PyErr_Format(PyExc_ValueError, "is on %U, the kernel runs on %U", tensor, kernel);
  Py_XDECREF(tensor);
  Py_XDECREF(kernel);
  return -1;
}

/* 0 where a tensor of that device is within reach of the kernel. */
static int check_device(call_t *call, int32_t type, int32_t id) {
  int is_host = type == CPU || type == CUDA_HOST, is_gpu = type == CUDA || type == CUDA_MANAGED;
  if (call->device_type == 0) {
    call->device_type = is_host ? CPU : is_gpu ? CUDA : type;
    call->device_id = id;
    return 0;
  }
  return (call->device_type == CPU ? is_host : is_gpu && id == call->device_id) ? 0 : refuse_device(call, type, id);
}

/* Types that Python's arrays lack travel as integers of their width. */
static void adopt_dtype(tawa_arg_t *arg, tawa_dtype_t wanted) {
  int is_narrow = wanted == TAWA_F8E4M3 || wanted == TAWA_F8E5M2;
  if ((wanted == TAWA_BF16 && arg->dtype == TAWA_I16) || (is_narrow && arg->dtype == TAWA_I8))
    arg->dtype = wanted;
}

int take_dltensor(const tawa_dltensor_t *tensor, tawa_arg_t *arg) {
  tawa_status_t status = tawa_arg_from_dlpack(tensor, arg);
  if (status == TAWA_E_INVALID_ARGUMENT)
    PyErr_Format(PyExc_ValueError, "has %d dimensions, at most %d are taken", (int)tensor->ndim, TAWA_MAX_RANK);
  else if (status != TAWA_OK)
    PyErr_Format(
        PyExc_TypeError,
        "has an element type that Tawa has not (DLPack code %d, %d bits), or repeats one element by strides of 0",
        (int)tensor->code, (int)tensor->bits);
  return status == TAWA_OK ? 0 : -1;
}

static int take_exchanged(call_t *call, const exchange_t *api, PyObject *object, tawa_arg_t *arg) {
  tawa_dltensor_t tensor;
  if (api->tensor_from_object(object, &tensor) != 0) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_TypeError, "cannot be read through DLPack");
    return -1;
  }
  if (!call->api)
    call->api = api;
  return check_device(call, tensor.device_type, tensor.device_id) || take_dltensor(&tensor, arg) ? -1 : 0;
}

/* DLPack's code for a format of the struct module; -1: none. */
static int code_of_format(const char *format) {
  if (!format)
    return 1; /* unsigned bytes */
  if (*format == '@' || *format == '=' || *format == '<')
    ++format;
  if (format[0] == 0 || format[1] != 0)
    return -1;
  return strchr("bhilqn", *format)   ? 0
         : strchr("BHILQN", *format) ? 1
         : strchr("efd", *format)    ? 2
         : *format == '?'            ? 6
                                     : -1;
}

static int take_buffer(call_t *call, PyObject *object, tawa_arg_t *arg) {
  Py_buffer *view = &call->buffer[call->buffers];
  int64_t shape[TAWA_MAX_RANK], strides[TAWA_MAX_RANK];
  tawa_dltensor_t tensor = {NULL, CPU, 0, 0, 0, 0, 1, shape, strides, 0};
  if (PyObject_GetBuffer(object, view, PyBUF_RECORDS) != 0)
    return -1;
  ++call->buffers;
  int code = code_of_format(view->format);
  if (code < 0) {
    PyErr_Format(PyExc_TypeError, "has elements of format '%s'", view->format);
    return -1;
  }
  tensor.data = view->buf;
  tensor.ndim = view->ndim;
  tensor.code = (uint8_t)code;
  tensor.bits = (uint8_t)(8 * view->itemsize);
  for (int d = 0; d < view->ndim && d < TAWA_MAX_RANK; ++d) {
    if (view->strides[d] % view->itemsize != 0) {
      PyErr_Format(PyExc_ValueError, "has a stride of %zd bytes, no multiple of its elements", view->strides[d]);
      return -1;
    }
    shape[d] = view->shape[d];
    strides[d] = view->strides[d] / view->itemsize;
  }
  return check_device(call, CPU, 0) || take_dltensor(&tensor, arg) ? -1 : 0;
}

static int is_struct(PyObject *object) { return (PyObject *)Py_TYPE(object) == arg_type; }

/* A copy of a tawa.Arg, or of the bytes of one. */
static int take_struct(PyObject *object, tawa_arg_t *arg) {
  Py_buffer view;
  if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) != 0)
    return -1;
  int fits = view.len == (Py_ssize_t)sizeof *arg;
  if (fits)
    memcpy(arg, view.buf, sizeof *arg);
  else
    PyErr_SetString(PyExc_TypeError, "is no tawa.Arg");
  PyBuffer_Release(&view);
  return fits ? 0 : -1;
}

/* By way of Python. */
static int take_described(call_t *call, PyObject *object, tawa_arg_t *arg) {
  PyObject *found = PyObject_CallFunctionObjArgs(describe, object, call->stream, NULL);
  PyObject *made, *stream, *kept;
  int type, id;
  if (!found)
    return -1;
  int failed = keep(call, found); /* holds all that it has */
  Py_DECREF(found);
  if (failed || !PyArg_ParseTuple(found, "OiiOO", &made, &type, &id, &stream, &kept))
    return -1;
  if (check_device(call, type, id) || take_struct(made, arg))
    return -1;
  if (stream != Py_None && !call->framework_stream)
    call->framework_stream = PyLong_AsVoidPtr(stream);
  return PyErr_Occurred() ? -1 : 0;
}

int take_tensor(call_t *call, PyObject *object, tawa_dtype_t wanted, tawa_arg_t *arg) {
  int failed;
  const exchange_t *api = NULL;
  if (is_struct(object))
    return take_struct(object, arg);
  if ((api = exchange_of(object)) != NULL)
    failed = take_exchanged(call, api, object, arg);
  else if (call->device_type != CUDA && PyObject_CheckBuffer(object))
    failed = take_buffer(call, object, arg);
  else
    failed = take_described(call, object, arg);
  if (!failed)
    adopt_dtype(arg, wanted);
  return failed;
}

/* The low 64 bits of an integer of either range. */
static int take_integer(PyObject *object, int64_t *value) {
  PyObject *number = PyNumber_Index(object);
  if (!number)
    return -1;
  *value = PyLong_AsLongLong(number);
  if (*value == -1 && PyErr_ExceptionMatches(PyExc_OverflowError)) {
    PyErr_Clear();
    *value = (int64_t)PyLong_AsUnsignedLongLong(number);
  }
  Py_DECREF(number);
  return PyErr_Occurred() ? -1 : 0;
}

static int take_number(PyObject *object, parameter_t parameter, tawa_arg_t *arg) {
  if (is_struct(object))
    return take_struct(object, arg);
  arg->kind = parameter.kind;
  arg->dtype = parameter.dtype;
  if (parameter.dtype < TAWA_F8E4M3)
    return take_integer(object, &arg->integer);
  arg->number = PyFloat_AsDouble(object);
  return arg->number == -1.0 && PyErr_Occurred() ? -1 : 0;
}

int take(call_t *call, PyObject *object, parameter_t parameter) {
  static const tawa_arg_t empty = TAWA_ARG_INIT;
  tawa_arg_t *arg = &call->args[call->count++];
  *arg = empty;
  return parameter.kind == TAWA_ARG_TENSOR ? take_tensor(call, object, parameter.dtype, arg)
                                           : take_number(object, parameter, arg);
}

void name_argument(PyObject *name) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  int is_ours = type == PyExc_TypeError || type == PyExc_ValueError || type == PyExc_BufferError;
  if (is_ours)
    PyErr_Format(type, "argument '%U': %S", name, value);
  else
    PyErr_Restore(type, value, trace);
  if (is_ours) {
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
  }
}

/* ---- grid and stream ------------------------------------------------------------------------------------------- */

int take_grid(PyObject *given, uint32_t grid[3]) {
  if (!given || given == Py_None)
    return 0;
  if (PyLong_Check(given)) {
    grid[0] = (uint32_t)PyLong_AsUnsignedLong(given);
    return PyErr_Occurred() ? -1 : 0;
  }
  Py_ssize_t axes = PySequence_Size(given);
  if (axes < 1 || axes > 3) {
    PyErr_SetString(PyExc_ValueError, "grid is a number of CTAs, or one to three of them");
    return -1;
  }
  for (Py_ssize_t i = 0; i < axes; ++i) {
    PyObject *axis = PySequence_GetItem(given, i);
    unsigned long count = axis ? PyLong_AsUnsignedLong(axis) : 0;
    Py_XDECREF(axis);
    if (PyErr_Occurred())
      return -1;
    if (count > UINT32_MAX) {
      PyErr_SetString(PyExc_OverflowError, "too many CTAs");
      return -1;
    }
    grid[i] = (uint32_t)count;
  }
  return 0;
}

int take_stream(const call_t *call, void **stream) {
  *stream = call->framework_stream;
  if (call->stream == Py_None) {
    if (!call->api || call->device_type == CPU)
      return 0;
    return call->api->current_stream(CUDA, call->device_id, stream);
  }
  PyObject *handle = PyLong_Check(call->stream) ? Py_NewRef(call->stream)
                                                : PyObject_CallFunctionObjArgs(stream_handle, call->stream, NULL);
  if (!handle)
    return -1;
  *stream = PyLong_AsVoidPtr(handle);
  Py_DECREF(handle);
  return PyErr_Occurred() ? -1 : 0;
}

int take_keywords(PyObject *keywords, PyObject **grid, PyObject **stream) {
  PyObject *key, *value;
  Py_ssize_t at = 0;
  while (keywords && PyDict_Next(keywords, &at, &key, &value)) {
    if (grid && PyUnicode_CompareWithASCIIString(key, "grid") == 0)
      *grid = value;
    else if (stream && PyUnicode_CompareWithASCIIString(key, "stream") == 0)
      *stream = value;
    else {
      PyErr_Format(PyExc_TypeError, "unexpected keyword argument '%U'", key);
      return -1;
    }
  }
  return 0;
}
