/* cache-worker: one process of many on one cache, for storm.py.
 *
 *   cache-worker FOLDER one NUMBER          waits for a line on stdin, then asks for one kernel
 *   cache-worker FOLDER many SEED ROUNDS    asks for ROUNDS kernels, some of them often
 *   cache-worker FOLDER verify 0            checks every row, prints "bad N"
 *
 * The kernel of a number writes this number: a kernel that was mixed up with another is seen in what it does. Prints a
 * line "built N" or "taken N" per kernel; "WRONG ..." and exit code 1 where a result or a status is not right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tawa/tawa.h>

enum { ELEMENTS = 32, NUMBERS = 400 };

static int wrong(const char *what, unsigned number, const char *detail) {
  printf("WRONG %s of kernel %u: %s\n", what, number, detail);
  fflush(stdout);
  return 1;
}

static size_t write_text(char *text, size_t size, unsigned number) {
  return (size_t)snprintf(text, size,
                          "module {\n"
                          "  tt.func public @number(%%out: !tt.ptr<i32>) {\n"
                          "    %%value = arith.constant dense<%u> : tensor<32xi32>\n"
                          "    %%range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
                          "    %%base = tt.splat %%out : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>\n"
                          "    %%place = tt.addptr %%base, %%range : tensor<32x!tt.ptr<i32>>, tensor<32xi32>\n"
                          "    tt.store %%place, %%value : tensor<32x!tt.ptr<i32>>\n"
                          "    tt.return\n"
                          "  }\n"
                          "}\n",
                          number);
}

static tawa_status_t compile(tawa_runtime_t runtime, unsigned number, tawa_kernel_t *kernel, tawa_error_t *error) {
  char text[1024];
  tawa_arg_t out = TAWA_ARG_INIT;
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  request.text = text;
  request.text_len = write_text(text, sizeof text, number);
  out.dtype = TAWA_I32;
  out.rank = 1;
  out.shape[0] = ELEMENTS;
  request.args = &out;
  request.num_args = 1;
  return tawa_compile(runtime, &request, kernel, error);
}

static int run(tawa_runtime_t runtime, tawa_kernel_t kernel, unsigned number) {
  tawa_arg_t out = TAWA_ARG_INIT;
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  int32_t result[ELEMENTS];
  int i;
  options.grid[0] = 1;
  out.dtype = TAWA_I32;
  out.rank = 1;
  out.shape[0] = ELEMENTS;
  if (tawa_memory_allocate(runtime, sizeof result, &out.data, NULL) ||
      tawa_memory_fill(runtime, out.data, 0xff, sizeof result, NULL))
    return wrong("memory", number, "not to be had");
  if (tawa_launch(kernel, &out, 1, NULL, &options))
    return wrong("launch", number, tawa_last_launch_error());
  tawa_memory_copy_out(runtime, result, out.data, sizeof result, NULL);
  tawa_memory_free(runtime, out.data, NULL);
  for (i = 0; i < ELEMENTS; ++i)
    if (result[i] != (int32_t)number)
      return wrong("result", number, "it is another's");
  return 0;
}

static int ask(tawa_runtime_t runtime, unsigned number) {
  tawa_kernel_t kernel = NULL;
  tawa_error_t error = NULL;
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  int failed;
  if (compile(runtime, number, &kernel, &error))
    return wrong("compile", number, tawa_error_message(error));
  tawa_kernel_info(kernel, &info);
  failed = run(runtime, kernel, number);
  tawa_kernel_release(kernel);
  if (failed)
    return failed;
  printf("%s %u\n", info.from_cache ? "taken" : "built", number);
  fflush(stdout);
  return 0;
}

/* Small numbers often, large ones seldom: hits and misses, and rows that are old enough to go. */
static unsigned choose(unsigned *state) {
  double uniform;
  *state = *state * 1664525u + 1013904223u;
  uniform = (*state >> 8) / 16777216.0;
  return (unsigned)(NUMBERS * uniform * uniform * uniform);
}

static int many(tawa_runtime_t runtime, unsigned seed, unsigned rounds) {
  for (; rounds > 0; --rounds)
    if (ask(runtime, choose(&seed)))
      return 1;
  return 0;
}

static int verify(const char *folder) {
  tawa_cache_t cache = NULL;
  uint64_t bad = 1;
  tawa_status_t status = tawa_cache_open(folder, TAWA_CACHE_READ, &cache, NULL);
  if (!status)
    status = tawa_cache_verify(cache, 0, &bad, NULL);
  tawa_cache_release(cache);
  printf("bad %u %s\n", (unsigned)bad, tawa_status_name(status));
  return status || bad;
}

int main(int argc, char **argv) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_runtime_t runtime = NULL;
  int failed = 2;
  if (argc < 4)
    return 2;
  if (strcmp(argv[2], "verify") == 0)
    return verify(argv[1]);
  options.device = "emulator";
  options.cache_dir = argv[1];
  options.cache_max_bytes = strcmp(argv[2], "many") == 0 ? 1 << 20 : 0; /* so that rows go as well as come */
  if (tawa_runtime_create(&options, &runtime, NULL))
    return 2;
  if (strcmp(argv[2], "one") == 0) {
    getchar();
    failed = ask(runtime, (unsigned)atoi(argv[3]));
  } else if (strcmp(argv[2], "many") == 0 && argc == 5) {
    failed = many(runtime, (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]));
  }
  tawa_runtime_release(runtime);
  return failed;
}
