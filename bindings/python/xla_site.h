/* A call of a kernel in an XLA program, as tawa/jax.py describes it by attributes, and the kernel made for it on a
 * device. Plain C without Python, since XLA calls from threads of its own.
 */
#ifndef TAWA_PYTHON_XLA_SITE_H
#define TAWA_PYTHON_XLA_SITE_H

#include "xla.h"

#include <pthread.h>
#include <tawa/tawa.h>

enum { SITE_ARGS = 64, KEY_SIZE = 64, EMULATOR = -1 };
typedef enum { FROM_OPERAND = 0, FROM_RESULT, FROM_NUMBER, FROM_CONSTANT } source_t;

/* What the kernel gets as one of its arguments. */
typedef struct {
  source_t source;
  int64_t index; /* of the operand or result */
  int64_t alias; /* of a result: the operand whose buffer it shares, or -1 */
  size_t bytes;  /* of the tensor, without axes that vmap put in front */
  tawa_arg_t arg;
} place_t;

typedef struct site {
  struct site *next;
  char key[KEY_SIZE + 1]; /* names all of the attributes */
  int device;             /* number of the GPU, or EMULATOR */
  pthread_mutex_t making;
  int ready;
  uint32_t count;
  place_t places[SITE_ARGS];
  tawa_runtime_t runtime; /* shared by the sites of a device */
  tawa_kernel_t kernel;
  tawa_binding_t binding;
} site_t;

/* Why something failed, for XLA's error. */
typedef struct {
  int code;
  char text[2000];
} failure_t;

/* Functions that give an int fill `failure` where it is not 0. */
int fail(failure_t *failure, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
int fail_status(failure_t *failure, tawa_status_t status, const char *text);

/* The attribute as text that need not end with a zero; NULL where there is none. */
const xla_span_t *attribute(const xla_attributes_t *attributes, const char *name);
/* The site for these attributes on a device, compiled, bound and loaded at first need; kept until the process ends. Of
 * the threads that need it one makes it, under its `making`, and the others wait; after a failure the next one tries
 * again. Threads with other sites go on, and launches hold no lock (tests/jax_locks_test.py). */
int find_site(const xla_attributes_t *attributes, int device, site_t **site, failure_t *failure);
size_t bytes_of(tawa_dtype_t dtype);

#endif
