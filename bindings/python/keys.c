/* key_of(): what a function's inputs have in common with those of another call, without a Python call for each fact. */
#include "arguments.h"

#include <string.h>

enum { MOST_BYTES = 4096 };

/* Facts of the tensors one after the other, and all other inputs. */
typedef struct {
  char bytes[MOST_BYTES];
  size_t used;
  PyObject *others[MAX_ARGS]; /* borrowed */
  Py_ssize_t num_others;
} facts_t;

static int add(facts_t *facts, const void *data, size_t size) {
  if (size > MOST_BYTES - facts->used)
    return 0;
  memcpy(facts->bytes + facts->used, data, size);
  facts->used += size;
  return 1;
}

static int add_tensor(facts_t *facts, PyObject *type, const tawa_dltensor_t *tensor) {
  uint64_t head[] = {(uint64_t)(uintptr_t)type,
                     (uint64_t)(uint32_t)tensor->device_type << 32 | (uint32_t)tensor->device_id,
                     (uint64_t)(uint32_t)tensor->ndim << 33 | (uint64_t)(tensor->strides != NULL) << 32 |
                         (uint64_t)tensor->lanes << 16 | (uint64_t)tensor->bits << 8 | tensor->code};
  size_t size = (size_t)tensor->ndim * sizeof(int64_t);
  return add(facts, head, sizeof head) && add(facts, tensor->shape, size) &&
         (!tensor->strides || add(facts, tensor->strides, size));
}

/* Whether it is a number, a string or None: what is equal is the same input. */
static int is_plain(PyObject *object) {
  return object == Py_None || PyLong_Check(object) || PyFloat_Check(object) || PyUnicode_Check(object);
}

/* 0 where it is neither plain nor a tensor that can be read. */
static int add_input(facts_t *facts, PyObject *object) {
  static const char other = 'o';
  if (is_plain(object)) {
    if (facts->num_others == MAX_ARGS)
      return 0;
    facts->others[facts->num_others++] = object;
    return add(facts, &other, 1);
  }
  const exchange_t *api = exchange_of(object);
  tawa_dltensor_t tensor;
  if (!api)
    return 0;
  if (api->tensor_from_object(object, &tensor) != 0) {
    PyErr_Clear();
    return 0;
  }
  return add_tensor(facts, (PyObject *)Py_TYPE(object), &tensor);
}

PyObject *key_of(PyObject *module, PyObject *inputs) {
  (void)module;
  facts_t facts;
  facts.used = 0;
  facts.num_others = 0;
  Py_ssize_t count = PyTuple_Size(inputs);
  if (count < 0)
    return NULL;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!add_input(&facts, PyTuple_GetItem(inputs, i)))
      Py_RETURN_NONE;
  PyObject *bytes = PyBytes_FromStringAndSize(facts.bytes, (Py_ssize_t)facts.used);
  PyObject *key = bytes ? PyTuple_New(1 + facts.num_others) : NULL;
  if (!key) {
    Py_XDECREF(bytes);
    return NULL;
  }
  PyTuple_SetItem(key, 0, bytes);
  for (Py_ssize_t i = 0; i < facts.num_others; ++i)
    PyTuple_SetItem(key, 1 + i, Py_NewRef(facts.others[i]));
  return key;
}
