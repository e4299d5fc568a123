/* From the attributes of a call to a bound kernel on a device: xla_site.h. */
#include "xla_site.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fail(failure_t *failure, int code, const char *format, ...) {
  va_list arguments;
  failure->code = code;
  va_start(arguments, format);
  vsnprintf(failure->text, sizeof failure->text, format, arguments);
  va_end(arguments);
  return -1;
}

int fail_status(failure_t *failure, tawa_status_t status, const char *text) {
  int code = status == TAWA_E_INVALID_ARGUMENT || status == TAWA_E_INVALID_IR || status == TAWA_E_SHAPE_MISMATCH
                 ? XLA_INVALID_ARGUMENT
             : status == TAWA_E_UNSUPPORTED    ? XLA_UNIMPLEMENTED
             : status == TAWA_E_OUT_OF_MEMORY  ? XLA_EXHAUSTED
             : status == TAWA_E_CACHE_MISS     ? XLA_NOT_FOUND
             : status == TAWA_E_CAPTURE_UNSAFE ? XLA_PRECONDITION
                                               : XLA_INTERNAL;
  return fail(failure, code, "tawa: %s: %s", tawa_status_name(status), text);
}

/* The same with the text of an error object, which is released. */
static int fail_error(failure_t *failure, tawa_status_t status, tawa_error_t error) {
  char *text = tawa_error_render(error, TAWA_FORMAT_TEXT);
  fail_status(failure, status, text ? text : tawa_error_message(error));
  tawa_free(text);
  tawa_error_release(error);
  return -1;
}

size_t bytes_of(tawa_dtype_t dtype) {
  static const size_t bytes[] = {1, 1, 2, 4, 8, 1, 1, 2, 2, 4, 8};
  return bytes[dtype];
}

/* ---- attributes ------------------------------------------------------------------------------------------------ */

const xla_span_t *attribute(const xla_attributes_t *attributes, const char *name) {
  size_t size = strlen(name);
  for (int64_t i = 0; i < attributes->size; ++i)
    if (attributes->names[i]->size == size && memcmp(attributes->names[i]->data, name, size) == 0)
      return attributes->types[i] == XLA_STRING ? attributes->values[i] : NULL;
  return NULL;
}

/* A copy that ends with a zero, for free(); NULL for a missing attribute or where memory is out. */
static char *copy_of(const xla_span_t *span) {
  char *copy = span ? malloc(span->size + 1) : NULL;
  if (copy) {
    memcpy(copy, span->data, span->size);
    copy[span->size] = 0;
  }
  return copy;
}

/* Whole numbers with spaces between, read one after the other; `isBad` once there was none where one was wanted. */
typedef struct {
  char *at;
  int isBad;
} numbers_t;

static int64_t next_number(numbers_t *numbers) {
  char *end = numbers->at;
  long long value = numbers->isBad ? 0 : strtoll(numbers->at, &end, 10);
  numbers->isBad |= end == numbers->at;
  numbers->at = end;
  return value;
}

static int64_t next_within(numbers_t *numbers, int64_t least, int64_t most) {
  int64_t value = next_number(numbers);
  numbers->isBad |= value < least || value > most;
  return numbers->isBad ? least : value;
}

/* source, type, index, alias, value (the bits of a float), rank, dimensions */
static void read_place(numbers_t *numbers, place_t *place) {
  static const tawa_arg_t empty = TAWA_ARG_INIT;
  place->arg = empty;
  place->source = (source_t)next_within(numbers, FROM_OPERAND, FROM_CONSTANT);
  place->arg.dtype = (tawa_dtype_t)next_within(numbers, TAWA_I1, TAWA_F64);
  place->index = next_within(numbers, 0, SITE_ARGS);
  place->alias = next_within(numbers, -1, SITE_ARGS);
  place->arg.integer = next_number(numbers);
  memcpy(&place->arg.number, &place->arg.integer, sizeof place->arg.number);
  if (place->arg.dtype < TAWA_F8E4M3)
    place->arg.number = 0;
  else
    place->arg.integer = 0;
  place->arg.rank = (uint32_t)next_within(numbers, 0, TAWA_MAX_RANK);
  place->arg.kind = place->source == FROM_NUMBER     ? TAWA_ARG_SCALAR
                    : place->source == FROM_CONSTANT ? TAWA_ARG_CONSTANT
                                                     : TAWA_ARG_TENSOR;
  place->bytes = bytes_of(place->arg.dtype);
  for (uint32_t d = 0; d < place->arg.rank; ++d) {
    place->arg.shape[d] = next_within(numbers, 0, INT64_MAX);
    place->bytes *= (size_t)place->arg.shape[d];
  }
}

static int read_places(const xla_attributes_t *attributes, site_t *site, failure_t *failure) {
  char *text = copy_of(attribute(attributes, "arguments"));
  numbers_t numbers = {text, text == NULL};
  site->count = (uint32_t)next_within(&numbers, 0, SITE_ARGS);
  for (uint32_t i = 0; i < site->count; ++i)
    read_place(&numbers, &site->places[i]);
  free(text);
  return numbers.isBad ? fail(failure, XLA_INVALID_ARGUMENT, "tawa: the attribute 'arguments' is not understood") : 0;
}

/* ---- what is made of them -------------------------------------------------------------------------------------- */

static int compile_kernel(const xla_attributes_t *attributes, site_t *site, const tawa_arg_t *args,
                          failure_t *failure) {
  const xla_span_t *text = attribute(attributes, "text"), *policy = attribute(attributes, "policy");
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  char *config = copy_of(attribute(attributes, "config")), *name = copy_of(attribute(attributes, "name"));
  tawa_error_t error = NULL;
  tawa_status_t status = TAWA_E_INVALID_ARGUMENT;
  request.config = config;
  request.name = name;
  request.args = args;
  request.num_args = site->count;
  request.policy = policy && policy->size == 1 ? (tawa_policy_t)(policy->data[0] - '0') : TAWA_POLICY_DEFAULT;
  if (text) {
    request.text = text->data;
    request.text_len = text->size;
    status = tawa_compile(site->runtime, &request, &site->kernel, &error);
  }
  free(config);
  free(name);
  return status == TAWA_OK ? 0 : fail_error(failure, status, error);
}

static int bind_kernel(const xla_attributes_t *attributes, site_t *site, const tawa_arg_t *args, failure_t *failure) {
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  tawa_error_t error = NULL;
  char *grid = copy_of(attribute(attributes, "grid"));
  numbers_t numbers = {grid, grid == NULL};
  for (int i = 0; i < 3; ++i)
    options.grid[i] = (uint32_t)next_within(&numbers, 0, UINT32_MAX);
  free(grid);
  if (numbers.isBad)
    return fail(failure, XLA_INVALID_ARGUMENT, "tawa: the attribute 'grid' is not understood");
  tawa_status_t status = tawa_bind(site->kernel, args, site->count, &options, &site->binding, &error);
  return status == TAWA_OK ? 0 : fail_error(failure, status, error);
}

static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static site_t *table;

/* With the table's mutex held: the runtime of a device, one for all of its sites. */
static int open_runtime(site_t *site, failure_t *failure) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_error_t error = NULL;
  char device[32] = "emulator";
  for (const site_t *other = table; other; other = other->next)
    if (other->device == site->device && other->runtime) {
      site->runtime = other->runtime;
      return 0;
    }
  if (site->device != EMULATOR)
    snprintf(device, sizeof device, "cuda:%d", site->device);
  options.device = device;
  tawa_status_t status = tawa_runtime_create(&options, &site->runtime, &error);
  return status == TAWA_OK ? 0 : fail_error(failure, status, error);
}

/* With the site's mutex held. */
static int make_site(const xla_attributes_t *attributes, site_t *site, failure_t *failure) {
  tawa_arg_t args[SITE_ARGS];
  int failed;
  pthread_mutex_lock(&table_mutex);
  failed = !site->runtime && open_runtime(site, failure);
  pthread_mutex_unlock(&table_mutex);
  if (failed || read_places(attributes, site, failure))
    return -1;
  for (uint32_t i = 0; i < site->count; ++i)
    args[i] = site->places[i].arg;
  if ((!site->kernel && compile_kernel(attributes, site, args, failure)) ||
      bind_kernel(attributes, site, args, failure))
    return -1;
  tawa_error_t error = NULL;
  tawa_status_t status = site->device == EMULATOR ? TAWA_OK : tawa_kernel_load(site->kernel, NULL, &error);
  if (status != TAWA_OK) {
    tawa_binding_release(site->binding);
    return fail_error(failure, status, error);
  }
  return 0;
}

static site_t *entry_of(const xla_span_t *key, int device) {
  site_t *site;
  pthread_mutex_lock(&table_mutex);
  for (site = table; site; site = site->next)
    if (site->device == device && memcmp(site->key, key->data, KEY_SIZE) == 0)
      break;
  if (!site && (site = calloc(1, sizeof *site))) {
    memcpy(site->key, key->data, KEY_SIZE);
    site->device = device;
    pthread_mutex_init(&site->making, NULL);
    site->next = table;
    table = site;
  }
  pthread_mutex_unlock(&table_mutex);
  return site;
}

int find_site(const xla_attributes_t *attributes, int device, site_t **site, failure_t *failure) {
  const xla_span_t *key = attribute(attributes, "key");
  if (!key || key->size != KEY_SIZE)
    return fail(failure, XLA_INVALID_ARGUMENT, "tawa: the attribute 'key' is missing or not of %d characters",
                KEY_SIZE);
  *site = entry_of(key, device);
  if (!*site)
    return fail(failure, XLA_EXHAUSTED, "tawa: out of memory");
  pthread_mutex_lock(&(*site)->making);
  int failed = !(*site)->ready && make_site(attributes, *site, failure);
  (*site)->ready = !failed;
  pthread_mutex_unlock(&(*site)->making);
  return failed;
}
