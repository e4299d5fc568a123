/* What is used of XLA's C ABI for foreign functions (XLA FFI, API 0.1 to 0.3; JAX 0.11 has 0.3), declared anew so that
 * neither JAX nor its headers are needed to build. Every struct tells its size, which is checked before what lies at
 * its end is read; fields are only appended within a major version. tests/jax_standin.py declares the same by itself.
 */
#ifndef TAWA_PYTHON_XLA_H
#define TAWA_PYTHON_XLA_H

#include <stddef.h>
#include <stdint.h>

enum { XLA_API_MAJOR = 0, XLA_API_MINOR = 3 }; /* the newest that this was written for */

/* Stages of a handler; a stage that is not named here is refused. */
enum { XLA_INSTANTIATE = 0, XLA_PREPARE, XLA_INITIALIZE, XLA_EXECUTE };
enum { XLA_METADATA = 1 };               /* kind of an extension */
enum { XLA_BUFFER = 1, XLA_STRING = 4 }; /* kinds of an argument or result; of an attribute */
enum { XLA_COMMAND_BUFFER_COMPATIBLE = 1 };
enum {
  XLA_INVALID_ARGUMENT = 3,
  XLA_NOT_FOUND = 5,
  XLA_EXHAUSTED = 8,
  XLA_PRECONDITION = 9,
  XLA_UNIMPLEMENTED = 12,
  XLA_INTERNAL = 13
};

typedef struct xla_error xla_error_t;
typedef struct xla_context xla_context_t;

typedef struct xla_extension {
  size_t struct_size;
  int type;
  struct xla_extension *next;
} xla_extension_t;

typedef struct {
  size_t struct_size;
  xla_extension_t *extensions;
  int major, minor;
} xla_version_t;

typedef struct {
  size_t struct_size;
  xla_version_t version;
  uint32_t traits;
  int64_t state_type; /* from API 0.2 on; 0: none */
} xla_metadata_t;

typedef struct {
  xla_extension_t base;
  xla_metadata_t *metadata;
} xla_metadata_extension_t;

typedef struct {
  size_t struct_size;
  xla_extension_t *extensions;
  const char *message;
  int code;
} xla_error_create_t;

typedef struct {
  size_t struct_size;
  xla_extension_t *extensions;
  xla_error_t *error;
} xla_error_destroy_t;

typedef struct {
  size_t struct_size;
  xla_extension_t *extensions;
  xla_context_t *context;
  void *stream; /* out: a CUstream */
} xla_stream_get_t;

typedef struct {
  size_t struct_size;
  xla_extension_t *extensions;
  xla_version_t version;
  const void *internal;
  xla_error_t *(*error_create)(xla_error_create_t *args);
  const void *error_get_message;
  void (*error_destroy)(xla_error_destroy_t *args);
  const void *handler_register;
  xla_error_t *(*stream_get)(xla_stream_get_t *args);
} xla_api_t;

typedef struct {
  size_t struct_size;
  xla_extension_t *extensions;
  int dtype;
  void *data;
  int64_t rank;
  const int64_t *dims;
} xla_buffer_t;

typedef struct {
  size_t struct_size;
  xla_extension_t *extensions;
  int64_t size;
  const int *types;
  xla_buffer_t *const *values;
} xla_buffers_t; /* arguments and results */

typedef struct {
  const char *data;
  size_t size;
} xla_span_t;

typedef struct {
  size_t struct_size;
  xla_extension_t *extensions;
  int64_t size;
  const int *types;
  xla_span_t *const *names;
  void *const *values;
} xla_attributes_t;

typedef struct {
  size_t struct_size;
  xla_extension_t *extensions;
  const xla_api_t *api;
  xla_context_t *context;
  int stage;
  xla_buffers_t arguments, results;
  xla_attributes_t attributes;
  void *future;
} xla_frame_t;

/* Handlers of the target `tawa_launch`: xla.c. */
xla_error_t *tawa_xla_cuda(xla_frame_t *frame);
xla_error_t *tawa_xla_emulator(xla_frame_t *frame);
/* The API's version that the handlers say they were made for; 0 to XLA_API_MINOR. */
extern int tawa_xla_minor;

#endif
