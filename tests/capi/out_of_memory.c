/* Every allocation of a cache hit fails in turn, once or from there on: runtime, lookup, load, launch and releases go
 * on or say that memory is out, and with memory again the same process does it all. A process for each, since what is
 * made only once is made anew there. Nothing is compiled, so none of LLVM's allocations are among them. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <errno.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

/* This program's functions serve the library as well; they call the C library's own. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

typedef enum { NEVER, ONCE, FROM_THEN_ON } fault_t;
static volatile fault_t fault = NEVER;
static long allocations = 0, failing = 0;

static int fails(void) {
  long number;
  if (fault == NEVER && failing == 0)
    return 0;
  number = __sync_add_and_fetch(&allocations, 1);
  return fault == ONCE ? number == failing : fault == FROM_THEN_ON && number >= failing;
}

TAWA_API void *malloc(size_t size) { return fails() ? (errno = ENOMEM, (void *)NULL) : __libc_malloc(size); }
TAWA_API void *calloc(size_t count, size_t size) {
  return fails() ? (errno = ENOMEM, (void *)NULL) : __libc_calloc(count, size);
}
TAWA_API void *realloc(void *memory, size_t size) {
  return fails() ? (errno = ENOMEM, (void *)NULL) : __libc_realloc(memory, size);
}
TAWA_API void *aligned_alloc(size_t alignment, size_t size) {
  return fails() ? (errno = ENOMEM, (void *)NULL) : __libc_memalign(alignment, size);
}
TAWA_API int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = fails() ? NULL : __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

static const char text[] = "module {\n"
                           "  tt.func public @seven(%out: !tt.ptr<i32>) {\n"
                           "    %value = arith.constant dense<7> : tensor<32xi32>\n"
                           "    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
                           "    %base = tt.splat %out : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>\n"
                           "    %place = tt.addptr %base, %range : tensor<32x!tt.ptr<i32>>, tensor<32xi32>\n"
                           "    tt.store %place, %value : tensor<32x!tt.ptr<i32>>\n"
                           "    tt.return\n  }\n}\n";
static char cache[] = "/tmp/tawa-memory-XXXXXX";

static void say_nothing(void *user, tawa_log_level_t level, const char *message) {
  (void)user, (void)level, (void)message;
}

static tawa_status_t launch(tawa_runtime_t runtime, tawa_kernel_t kernel, tawa_arg_t *arg) {
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  int32_t result[32] = {0};
  tawa_status_t status = tawa_memory_allocate(runtime, sizeof result, &arg->data, NULL);
  options.grid[0] = 3;
  if (!status && !(status = tawa_launch(kernel, arg, 1, NULL, &options)) &&
      !(status = tawa_memory_copy_out(runtime, result, arg->data, sizeof result, NULL)))
    status = result[0] == 7 && result[31] == 7 ? TAWA_OK : TAWA_E_REFERENCE_MISMATCH;
  if (arg->data)
    tawa_memory_free(runtime, arg->data, NULL);
  return status;
}

/* The whole life of a kernel, up to the first failure. */
static tawa_status_t live(tawa_switch_t frozen) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_arg_t arg = TAWA_ARG_INIT;
  tawa_runtime_t runtime = NULL;
  tawa_kernel_t kernel = NULL;
  tawa_error_t error = NULL;
  tawa_status_t status;
  options.device = "emulator";
  options.cache_dir = cache;
  options.frozen = frozen;
  options.log = say_nothing;
  arg.dtype = TAWA_I32;
  request.text = text;
  request.text_len = sizeof text - 1;
  request.args = &arg;
  request.num_args = 1;
  request.config = "";
  status = tawa_runtime_create(&options, &runtime, &error);
  if (!status)
    status = tawa_compile(runtime, &request, &kernel, &error);
  if (!status)
    status = launch(runtime, kernel, &arg);
  tawa_error_release(error);
  tawa_kernel_release(kernel);
  tawa_runtime_release(runtime);
  return status;
}

/* Result of body in a process of its own: its exit code, or 256 and the signal that ended it. */
static int in_child(int (*body)(long argument), long argument) {
  int result = -1;
  pid_t child = fork();
  if (child == 0) {
    alarm(60); /* a lock that was never released */
    _exit(body(argument));
  }
  waitpid(child, &result, 0);
  return WIFEXITED(result) ? WEXITSTATUS(result) : 256 + WTERMSIG(result);
}

static int fill(long unused) {
  (void)unused;
  return live(TAWA_SWITCH_OFF) == TAWA_OK ? 0 : 1;
}

static int pipe_ends[2];

static int count(long unused) {
  (void)unused;
  failing = LONG_MAX;
  fault = ONCE;
  if (live(TAWA_SWITCH_ON) != TAWA_OK)
    return 1;
  return write(pipe_ends[1], &allocations, sizeof allocations) == sizeof allocations ? 0 : 1;
}

/* In a frozen runtime, a cache that could not be read for want of memory is a miss. */
static int is_honest(tawa_status_t status) {
  return status == TAWA_OK || status == TAWA_E_OUT_OF_MEMORY || status == TAWA_E_CACHE_MISS;
}

static int fail_one(long number) {
  tawa_status_t status;
  failing = number < 0 ? -number : number;
  fault = number < 0 ? FROM_THEN_ON : ONCE;
  status = live(TAWA_SWITCH_ON);
  fault = NEVER;
  if (!is_honest(status))
    fprintf(stderr, "allocation %ld: %s\n", number, tawa_status_name(status));
  return is_honest(status) && live(TAWA_SWITCH_ON) == TAWA_OK ? 0 : 1;
}

int main(void) {
  long total = 0, number;
  CHECK(mkdtemp(cache) && pipe(pipe_ends) == 0);
  CHECK(in_child(fill, 0) == 0);
  CHECK(in_child(count, 0) == 0 && read(pipe_ends[0], &total, sizeof total) == sizeof total);
  printf("%ld allocations\n", total);
  CHECK(total > 100);
  for (number = 1; number <= total; ++number) {
    int once = in_child(fail_one, number), from_then_on = in_child(fail_one, -number);
    if (once || from_then_on) {
      fprintf(stderr, "allocation %ld: result %d where it fails, %d where all fail from there on\n", number, once,
              from_then_on);
      ++failures;
    }
  }
  remove_folder(cache);
  return failures != 0;
}
