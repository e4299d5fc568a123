/* The handlers that XLA calls for `tawa_launch`: checks of the call frame, axes of vmap, launches. Attributes say what
 * the call is (xla_site.h); a kernel is compiled and loaded in INITIALIZE, or in EXECUTE where XLA has no such stage,
 * so that EXECUTE can be captured in a command buffer: it looks a site up, and launches.
 */
#include "xla_site.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tawa_xla_minor = XLA_API_MINOR;

/* ---- the frame ------------------------------------------------------------------------------------------------- */

static xla_error_t *xla_error(const xla_frame_t *frame, const failure_t *failure) {
  xla_error_create_t args = {sizeof args, NULL, failure->text, failure->code};
  return frame->api->error_create(&args);
}

/* Registration: XLA asks what the handler was made for. */
static void answer_metadata(xla_metadata_t *metadata) {
  metadata->version.major = XLA_API_MAJOR;
  metadata->version.minor = tawa_xla_minor;
  metadata->traits = XLA_COMMAND_BUFFER_COMPATIBLE;
  if (metadata->struct_size >= offsetof(xla_metadata_t, state_type) + sizeof metadata->state_type)
    metadata->state_type = 0;
}

static int check_frame(const xla_frame_t *frame, failure_t *failure) {
  if (frame->arguments.struct_size < sizeof frame->arguments || frame->results.struct_size < sizeof frame->results ||
      frame->attributes.struct_size < sizeof frame->attributes)
    return fail(failure, XLA_UNIMPLEMENTED, "tawa: the call frame is of an older XLA than API %d.1", XLA_API_MAJOR);
  return 0;
}

/* ---- the device ------------------------------------------------------------------------------------------------ */

typedef struct {
  int (*stream_context)(void *stream, void **context);
  int (*push)(void *context);
  int (*pop)(void **context);
  int (*device)(int *number);
} driver_t;

static driver_t driver;

static void open_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    return;
  *(void **)&driver.stream_context = dlsym(library, "cuStreamGetCtx");
  *(void **)&driver.push = dlsym(library, "cuCtxPushCurrent_v2");
  *(void **)&driver.pop = dlsym(library, "cuCtxPopCurrent_v2");
  *(void **)&driver.device = dlsym(library, "cuCtxGetDevice");
}

/* Makes the stream's context the thread's current one, and tells the number of its GPU; leave_device() ends it. */
static int enter_device(const xla_frame_t *frame, void **stream, int *number, failure_t *failure) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  xla_stream_get_t get = {sizeof get, NULL, frame->context, NULL};
  xla_error_t *error = frame->api->stream_get(&get);
  void *context = NULL;
  if (error) {
    xla_error_destroy_t destroy = {sizeof destroy, NULL, error};
    frame->api->error_destroy(&destroy);
    return fail(failure, XLA_INTERNAL, "tawa: XLA has no stream for the call");
  }
  pthread_once(&once, open_driver);
  if (!driver.stream_context || !driver.push || !driver.pop || !driver.device)
    return fail(failure, XLA_PRECONDITION, "tawa: libcuda.so.1 was not found, or is too old");
  if (driver.stream_context(get.stream, &context) || driver.push(context))
    return fail(failure, XLA_INTERNAL, "tawa: the context of XLA's stream is not to be had");
  *stream = get.stream;
  if (driver.device(number) == 0)
    return 0;
  driver.pop(&context);
  return fail(failure, XLA_INTERNAL, "tawa: the GPU of XLA's stream is not to be had");
}

static void leave_device(void) {
  void *context;
  driver.pop(&context);
}

/* ---- operands and results -------------------------------------------------------------------------------------- */

/* The type that XLA counts so; -1: none that kernels know. */
static int dtype_of(int xla) {
  static const struct {
    int xla;
    tawa_dtype_t dtype;
  } types[] = {{1, TAWA_I1},   {2, TAWA_I8},   {3, TAWA_I16},   {4, TAWA_I32},     {5, TAWA_I64},
               {6, TAWA_I8},   {7, TAWA_I16},  {8, TAWA_I32},   {9, TAWA_I64},     {10, TAWA_F16},
               {11, TAWA_F32}, {12, TAWA_F64}, {16, TAWA_BF16}, {19, TAWA_F8E5M2}, {20, TAWA_F8E4M3}};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
    if (types[i].xla == xla)
      return (int)types[i].dtype;
  return -1;
}

static const xla_buffer_t *buffer_at(const xla_buffers_t *buffers, int64_t index) {
  const xla_buffer_t *buffer =
      index < buffers->size && buffers->types[index] == XLA_BUFFER ? buffers->values[index] : NULL;
  return buffer && buffer->struct_size >= offsetof(xla_buffer_t, dims) + sizeof buffer->dims ? buffer : NULL;
}

/* The buffer of one of the kernel's tensors. */
static const xla_buffer_t *buffer_of(const xla_frame_t *frame, const place_t *place) {
  return buffer_at(place->source == FROM_RESULT ? &frame->results : &frame->arguments, place->index);
}

/* Axes that vmap put in front of all buffers: the shape of the results' ones. */
typedef struct {
  int64_t rank;
  const int64_t *dims;
  int64_t count; /* of launches */
} batch_t;

static int find_batch(const xla_frame_t *frame, const site_t *site, batch_t *batch, failure_t *failure) {
  for (uint32_t i = 0; i < site->count; ++i) {
    const xla_buffer_t *buffer = site->places[i].source == FROM_RESULT ? buffer_of(frame, &site->places[i]) : NULL;
    if (!buffer)
      continue;
    batch->rank = buffer->rank - (int64_t)site->places[i].arg.rank;
    batch->dims = buffer->dims;
    batch->count = 1;
    for (int64_t d = 0; d < batch->rank; ++d)
      batch->count *= buffer->dims[d];
    return 0;
  }
  return fail(failure, XLA_INVALID_ARGUMENT, "tawa: the call has no result");
}

/* Leading axes are the batch's, or of size 1 for an operand that is the same for all; the others are as described. */
static int has_shape(const xla_buffer_t *buffer, const place_t *place, const batch_t *batch) {
  if (batch->rank < 0 || buffer->rank != batch->rank + (int64_t)place->arg.rank)
    return 0;
  for (int64_t d = 0; d < batch->rank; ++d)
    if (buffer->dims[d] != batch->dims[d] && (place->source == FROM_RESULT || buffer->dims[d] != 1))
      return 0;
  return memcmp(buffer->dims + batch->rank, place->arg.shape, place->arg.rank * sizeof(int64_t)) == 0;
}

static int check_places(const xla_frame_t *frame, const site_t *site, const batch_t *batch, failure_t *failure) {
  for (uint32_t i = 0; i < site->count; ++i) {
    const place_t *place = &site->places[i];
    if (place->source > FROM_RESULT)
      continue;
    const xla_buffer_t *buffer = buffer_of(frame, place);
    if (!buffer || dtype_of(buffer->dtype) != (int)place->arg.dtype || !has_shape(buffer, place, batch))
      return fail(failure, XLA_INVALID_ARGUMENT,
                  "tawa: argument %u of the kernel: XLA's buffer is of another type or shape", i + 1);
    const xla_buffer_t *alias = place->alias < 0 ? NULL : buffer_at(&frame->arguments, place->alias);
    if (place->alias >= 0 && (!alias || !has_shape(alias, place, batch)))
      return fail(failure, XLA_INVALID_ARGUMENT, "tawa: argument %u of the kernel has no operand to share", i + 1);
    if (alias && site->device != EMULATOR && alias->data != buffer->data)
      return fail(failure, XLA_INTERNAL, "tawa: argument %u of the kernel: XLA gave its result another buffer", i + 1);
  }
  return 0;
}

/* Where launch number `launch` finds a buffer's part. */
static char *part_of(const xla_buffer_t *buffer, size_t bytes, const batch_t *batch, int64_t launch) {
  int64_t part = 0, step = 1;
  for (int64_t d = batch->rank; d-- > 0; launch /= batch->dims[d]) {
    part += buffer->dims[d] == 1 ? 0 : launch % batch->dims[d] * step;
    step *= buffer->dims[d];
  }
  return (char *)buffer->data + (size_t)part * bytes;
}

/* ---- launches -------------------------------------------------------------------------------------------------- */

static int launch_bound(const site_t *site, void *const *data, uint32_t count, void *stream, failure_t *failure) {
  tawa_status_t status = tawa_binding_launch(site->binding, data, count, stream);
  return status == TAWA_OK ? 0 : fail_status(failure, status, tawa_last_launch_error());
}

static int launch_on_gpu(const xla_frame_t *frame, const site_t *site, const batch_t *batch, int64_t launch,
                         void *stream, failure_t *failure) {
  void *data[SITE_ARGS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < site->count; ++i)
    if (site->places[i].source <= FROM_RESULT)
      data[count++] = part_of(buffer_of(frame, &site->places[i]), site->places[i].bytes, batch, launch);
  return launch_bound(site, data, count, stream, failure);
}

/* Memory of the emulator for one tensor; operands, and results that share one, are copied in. */
static void *copy_in(const xla_frame_t *frame, const site_t *site, const place_t *place, const batch_t *batch,
                     int64_t launch) {
  void *memory = NULL;
  const xla_buffer_t *from = place->source == FROM_OPERAND ? buffer_of(frame, place)
                             : place->alias >= 0           ? buffer_at(&frame->arguments, place->alias)
                                                           : NULL;
  if (tawa_memory_allocate(site->runtime, place->bytes ? place->bytes : 1, &memory, NULL) != TAWA_OK)
    return NULL;
  if (from && place->bytes)
    tawa_memory_copy_in(site->runtime, memory, part_of(from, place->bytes, batch, launch), place->bytes, NULL);
  return memory;
}

static void copy_out(const xla_frame_t *frame, const site_t *site, const place_t *place, const batch_t *batch,
                     int64_t launch, void *memory) {
  if (place->source == FROM_RESULT && place->bytes)
    tawa_memory_copy_out(site->runtime, part_of(buffer_of(frame, place), place->bytes, batch, launch), memory,
                         place->bytes, NULL);
}

/* On copies: the emulator then names accesses beyond a tensor, and threads need not agree about memory. */
static int launch_on_emulator(const xla_frame_t *frame, const site_t *site, const batch_t *batch, int64_t launch,
                              void *stream, failure_t *failure) {
  void *data[SITE_ARGS];
  const place_t *tensors[SITE_ARGS];
  uint32_t count = 0;
  int failed = 0;
  for (uint32_t i = 0; i < site->count && !failed; ++i)
    if (site->places[i].source <= FROM_RESULT) {
      tensors[count] = &site->places[i];
      data[count] = copy_in(frame, site, tensors[count], batch, launch);
      failed = data[count] == NULL && fail(failure, XLA_EXHAUSTED, "tawa: the emulator has no memory left");
      count += !failed;
    }
  failed = failed || launch_bound(site, data, count, stream, failure);
  for (uint32_t i = 0; i < count; ++i) {
    if (!failed)
      copy_out(frame, site, tensors[i], batch, launch, data[i]);
    tawa_memory_free(site->runtime, data[i], NULL);
  }
  return failed;
}

static int execute(const xla_frame_t *frame, const site_t *site, void *stream, failure_t *failure) {
  batch_t batch;
  int failed = find_batch(frame, site, &batch, failure) || check_places(frame, site, &batch, failure);
  for (int64_t launch = 0; !failed && launch < batch.count; ++launch)
    failed = site->device == EMULATOR ? launch_on_emulator(frame, site, &batch, launch, stream, failure)
                                      : launch_on_gpu(frame, site, &batch, launch, stream, failure);
  return failed;
}

/* ---- handlers -------------------------------------------------------------------------------------------------- */

static int handle(const xla_frame_t *frame, int isGpu, failure_t *failure) {
  int device = EMULATOR, failed;
  void *stream = NULL;
  site_t *site;
  if (frame->stage == XLA_INSTANTIATE || frame->stage == XLA_PREPARE)
    return 0;
  if (frame->stage != XLA_INITIALIZE && frame->stage != XLA_EXECUTE)
    return fail(failure, XLA_UNIMPLEMENTED, "tawa: XLA's stage %d is not known", frame->stage);
  if (check_frame(frame, failure) || (isGpu && enter_device(frame, &stream, &device, failure)))
    return -1;
  failed = find_site(&frame->attributes, device, &site, failure) ||
           (frame->stage == XLA_EXECUTE && execute(frame, site, stream, failure));
  if (isGpu)
    leave_device();
  return failed;
}

static xla_error_t *handler(xla_frame_t *frame, int isGpu) {
  failure_t failure;
  for (xla_extension_t *extension = frame->extensions; extension; extension = extension->next)
    if (extension->type == XLA_METADATA) {
      answer_metadata(((xla_metadata_extension_t *)extension)->metadata);
      return NULL;
    }
  if (!frame->api || frame->api->struct_size < offsetof(xla_api_t, stream_get) + sizeof frame->api->stream_get) {
    fprintf(stderr, "tawa: XLA's interface lacks functions to report an error with\n");
    abort();
  }
  return handle(frame, isGpu, &failure) ? xla_error(frame, &failure) : NULL;
}

xla_error_t *tawa_xla_cuda(xla_frame_t *frame) { return handler(frame, 1); }

xla_error_t *tawa_xla_emulator(xla_frame_t *frame) { return handler(frame, 0); }
