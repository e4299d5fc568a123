/* tawa._launch: the part of the Python package that is called once per launch. Arguments are turned into tawa_arg_t
 * without making objects (arguments.h), which ctypes cannot. All else is Python.
 */
#include "arguments.h"
#include "xla.h"

#include <string.h>

static PyObject *fail; /* fail(status, text): raises */

static PyObject *raise_launch(tawa_status_t status) {
  PyObject *text =
      PyUnicode_DecodeUTF8(tawa_last_launch_error(), (Py_ssize_t)strlen(tawa_last_launch_error()), "replace");
  PyObject *none = text ? PyObject_CallFunction(fail, "iO", (int)status, text) : NULL;
  Py_XDECREF(text);
  Py_XDECREF(none);
  return NULL;
}

/* ---- Binding --------------------------------------------------------------------------------------------------- */

typedef struct {
  PyObject_HEAD tawa_binding_t binding;
  PyObject *args; /* the tensors that it was bound with live as long as it does; NULL: it was bound with their shapes */
  const exchange_t *api;
  int32_t device_type, device_id;
} binding_t;

static PyObject *binding_type;

static void binding_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  tawa_binding_release(((binding_t *)self)->binding);
  Py_XDECREF(((binding_t *)self)->args);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject *binding_call(PyObject *object, PyObject *args, PyObject *keywords) {
  binding_t *self = (binding_t *)object;
  call_t call;
  void *data[MAX_ARGS], *stream;
  Py_ssize_t count = PyTuple_Size(args);
  tawa_status_t status;
  begin(&call, self->device_type, self->device_id);
  call.api = self->api;
  if (take_keywords(keywords, NULL, &call.stream) || take_stream(&call, &stream))
    return NULL;
  if (count > MAX_ARGS || (count == 0 && !self->args)) {
    PyErr_SetString(PyExc_TypeError,
                    count ? "too many addresses" : "bound with shapes only: give the addresses of the tensors");
    return NULL;
  }
  for (Py_ssize_t i = 0; i < count; ++i)
    data[i] = PyLong_AsVoidPtr(PyTuple_GetItem(args, i));
  if (PyErr_Occurred())
    return NULL;
  Py_BEGIN_ALLOW_THREADS status = tawa_binding_launch(self->binding, count ? data : NULL, (uint32_t)count, stream);
  Py_END_ALLOW_THREADS return status == TAWA_OK ? Py_NewRef(Py_None) : raise_launch(status);
}

static PyObject *binding_handle(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromVoidPtr(((binding_t *)self)->binding);
}

static PyGetSetDef binding_getset[] = {{"handle", binding_handle, NULL, "The tawa_binding_t, as a number.", NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot binding_slots[] = {
    {Py_tp_doc,
     "A launch whose arguments are checked and packed once: kernel.bind().\n\n"
     "binding(*addresses, stream=None) launches it again, with the tensors that it was bound with or, of the\n"
     "same shapes, with those at the addresses, one for each tensor argument."},
    {Py_tp_dealloc, binding_dealloc},
    {Py_tp_call, binding_call},
    {Py_tp_getset, binding_getset},
    {0, NULL}};
static PyType_Spec binding_spec = {"tawa.Binding", sizeof(binding_t), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, binding_slots};

/* ---- Launcher -------------------------------------------------------------------------------------------------- */

typedef struct {
  PyObject_HEAD tawa_kernel_t kernel; /* a reference of its own */
  int32_t device_type, device_id;
  uint32_t count;
  PyObject *names; /* tuple of str */
  parameter_t parameters[MAX_ARGS];
} launcher_t;

/* Launcher(kernel, device type, device id, names, kinds, dtypes); kinds and dtypes are bytes. */
static int launcher_init(PyObject *object, PyObject *args, PyObject *keywords) {
  launcher_t *self = (launcher_t *)object;
  unsigned long long handle;
  const char *kinds, *dtypes;
  Py_ssize_t num_kinds, num_dtypes;
  PyObject *names;
  if (keywords && PyDict_Size(keywords) > 0) {
    PyErr_SetString(PyExc_TypeError, "no keywords are taken");
    return -1;
  }
  if (!PyArg_ParseTuple(args, "KiiO!y#y#", &handle, &self->device_type, &self->device_id, &PyTuple_Type, &names, &kinds,
                        &num_kinds, &dtypes, &num_dtypes))
    return -1;
  if (self->kernel || num_kinds != num_dtypes || num_kinds > MAX_ARGS || PyTuple_Size(names) != num_kinds) {
    PyErr_SetString(PyExc_ValueError, "as many names, kinds and dtypes as arguments, once");
    return -1;
  }
  self->count = (uint32_t)num_kinds;
  for (uint32_t i = 0; i < self->count; ++i) {
    self->parameters[i].kind = (tawa_arg_kind_t)kinds[i];
    self->parameters[i].dtype = (tawa_dtype_t)dtypes[i];
  }
  self->names = Py_NewRef(names);
  self->kernel = (tawa_kernel_t)(uintptr_t)handle;
  tawa_kernel_retain(self->kernel);
  return 0;
}

static void launcher_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  tawa_kernel_release(((launcher_t *)self)->kernel);
  Py_XDECREF(((launcher_t *)self)->names);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

/* Fills `call` from the positional arguments; on failure it is ended. */
static int take_arguments(const launcher_t *self, PyObject *args, call_t *call) {
  Py_ssize_t given = PyTuple_Size(args);
  if (given != (Py_ssize_t)self->count) {
    PyErr_Format(PyExc_TypeError, "the kernel takes %u arguments, %zd were given", self->count, given);
    return -1;
  }
  for (uint32_t i = 0; i < self->count; ++i)
    if (take(call, PyTuple_GetItem(args, i), self->parameters[i])) {
      name_argument(PyTuple_GetItem(self->names, i));
      end(call);
      return -1;
    }
  return 0;
}

static PyObject *launcher_call(PyObject *object, PyObject *args, PyObject *keywords) {
  const launcher_t *self = (launcher_t *)object;
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  PyObject *grid = NULL;
  call_t call;
  void *stream = NULL;
  tawa_status_t status;
  begin(&call, self->device_type, self->device_id);
  if (take_keywords(keywords, &grid, &call.stream) || take_grid(grid, options.grid) ||
      take_arguments(self, args, &call))
    return NULL;
  if (take_stream(&call, &stream)) {
    end(&call);
    return NULL;
  }
  Py_BEGIN_ALLOW_THREADS status = tawa_launch(self->kernel, call.args, call.count, stream, &options);
  Py_END_ALLOW_THREADS end(&call);
  return status == TAWA_OK ? Py_NewRef(Py_None) : raise_launch(status);
}

static binding_t *new_binding(const launcher_t *self, const call_t *call, PyObject *args, tawa_binding_t made) {
  allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject *)binding_type, Py_tp_alloc);
  binding_t *binding = (binding_t *)allocate((PyTypeObject *)binding_type, 0);
  if (!binding) {
    tawa_binding_release(made);
    return NULL;
  }
  binding->binding = made;
  binding->args = Py_XNewRef(args);
  binding->api = call->api;
  binding->device_type = self->device_type;
  binding->device_id = self->device_id;
  return binding;
}

static PyObject *bind(const launcher_t *self, PyObject *args, PyObject *keywords, int keeps) {
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  PyObject *grid = NULL, *result = NULL;
  call_t call;
  tawa_binding_t made = NULL;
  tawa_error_t error = NULL;
  begin(&call, self->device_type, self->device_id);
  if (take_keywords(keywords, &grid, NULL) || take_grid(grid, options.grid) || take_arguments(self, args, &call))
    return NULL;
  for (uint32_t i = 0; i < call.count && !keeps; ++i)
    call.args[i].data = NULL;
  tawa_status_t status = tawa_bind(self->kernel, call.args, call.count, &options, &made, &error);
  if (status == TAWA_OK)
    result = (PyObject *)new_binding(self, &call, keeps ? args : NULL, made);
  else
    Py_XDECREF(PyObject_CallFunction(fail, "is", (int)status, tawa_error_message(error)));
  tawa_error_release(error);
  end(&call);
  return result;
}

static PyObject *launcher_bind(PyObject *self, PyObject *args, PyObject *keywords) {
  return bind((launcher_t *)self, args, keywords, /*keeps=*/1);
}

static PyObject *launcher_bind_shapes(PyObject *self, PyObject *args, PyObject *keywords) {
  return bind((launcher_t *)self, args, keywords, /*keeps=*/0);
}

static PyMethodDef launcher_methods[] = {
    {"bind", (PyCFunction)(void (*)(void))launcher_bind, METH_VARARGS | METH_KEYWORDS,
     "bind(*args, grid=None) -> Binding\n\nChecks and packs the arguments once, for launches that repeat them."},
    {"bind_shapes", (PyCFunction)(void (*)(void))launcher_bind_shapes, METH_VARARGS | METH_KEYWORDS,
     "bind_shapes(*args, grid=None) -> Binding\n\nThe same for tensors of these shapes and strides: it keeps none of\n"
     "them, and each launch gives addresses."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot launcher_slots[] = {{Py_tp_doc, "The launching half of tawa.Kernel."},
                                       {Py_tp_init, launcher_init},
                                       {Py_tp_dealloc, launcher_dealloc},
                                       {Py_tp_call, launcher_call},
                                       {Py_tp_methods, launcher_methods},
                                       {0, NULL}};
static PyType_Spec launcher_spec = {"tawa._launch.Launcher", sizeof(launcher_t), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, launcher_slots};

/* ---- the module ------------------------------------------------------------------------------------------------ */

static PyObject *setup(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *objects[4];
  if (!PyArg_ParseTuple(args, "OOOO", &objects[0], &objects[1], &objects[2], &objects[3]))
    return NULL;
  arg_type = Py_NewRef(objects[0]);
  describe = Py_NewRef(objects[1]);
  fail = Py_NewRef(objects[2]);
  stream_handle = Py_NewRef(objects[3]);
  Py_RETURN_NONE;
}

/* read_tensor(object, dtype) -> (bytes of a tawa_arg_t, device type, device id) */
static PyObject *read_tensor(PyObject *module, PyObject *args) {
  (void)module;
  static const tawa_arg_t empty = TAWA_ARG_INIT;
  PyObject *object, *result = NULL;
  int dtype;
  call_t call;
  if (!PyArg_ParseTuple(args, "Oi", &object, &dtype))
    return NULL;
  begin(&call, 0, 0);
  call.args[0] = empty;
  if (take_tensor(&call, object, (tawa_dtype_t)dtype, &call.args[0]) == 0)
    result = Py_BuildValue("y#ii", (const char *)&call.args[0], (Py_ssize_t)sizeof(tawa_arg_t), (int)call.device_type,
                           (int)call.device_id);
  end(&call);
  return result;
}

/* take_capsule(capsule of __dlpack__()) -> (bytes of a tawa_arg_t, device type, device id). The capsule stays the
 * owner: it must live until the launch is enqueued. */
static PyObject *take_capsule(PyObject *module, PyObject *capsule) {
  (void)module;
  tawa_arg_t arg = TAWA_ARG_INIT;
  const tawa_dltensor_t *tensor = PyCapsule_GetPointer(capsule, "dltensor"); /* first of DLManagedTensor */
  if (!tensor || take_dltensor(tensor, &arg))
    return NULL;
  return Py_BuildValue("y#ii", (const char *)&arg, (Py_ssize_t)sizeof arg, (int)tensor->device_type,
                       (int)tensor->device_id);
}

/* address_of(buffer, writable) -> int: of a contiguous one */
static PyObject *address_of(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *object;
  int is_writable;
  Py_buffer view;
  if (!PyArg_ParseTuple(args, "Op", &object, &is_writable) ||
      PyObject_GetBuffer(object, &view, is_writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0)
    return NULL;
  PyObject *address = PyLong_FromVoidPtr(view.buf);
  PyBuffer_Release(&view);
  return address;
}

/* xla_handlers(minor) -> (address of the handler for CUDA, address of that for the emulator) */
static PyObject *xla_handlers(PyObject *module, PyObject *args) {
  (void)module;
  int minor;
  if (!PyArg_ParseTuple(args, "i", &minor))
    return NULL;
  tawa_xla_minor = minor < XLA_API_MINOR ? minor : XLA_API_MINOR;
  return Py_BuildValue("KK", (unsigned long long)(uintptr_t)tawa_xla_cuda,
                       (unsigned long long)(uintptr_t)tawa_xla_emulator);
}

static PyMethodDef methods[] = {
    {"setup", setup, METH_VARARGS, "setup(Arg, describe, fail, stream_handle)"},
    {"read_tensor", read_tensor, METH_VARARGS, "read_tensor(object, dtype) -> (bytes, device type, device id)"},
    {"take_capsule", take_capsule, METH_O, "take_capsule(capsule) -> (bytes, device type, device id)"},
    {"address_of", address_of, METH_VARARGS, "address_of(buffer, writable) -> int"},
    {"key_of", key_of, METH_O, "key_of(inputs: tuple) -> a key of what their computation may depend on, or None"},
    {"xla_handlers", xla_handlers, METH_VARARGS, "xla_handlers(minor) -> (CUDA's address, the emulator's address)"},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "tawa._launch", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__launch(void) {
  PyObject *module = PyModule_Create(&definition);
  PyObject *launcher = PyType_FromSpec(&launcher_spec);
  binding_type = PyType_FromSpec(&binding_spec);
  if (!module || !launcher || !binding_type || PyModule_AddObjectRef(module, "Launcher", launcher) ||
      PyModule_AddObjectRef(module, "Binding", binding_type))
    return NULL;
  Py_DECREF(launcher);
  return module;
}
