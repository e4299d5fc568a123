/* A kernel is compiled once: later runtimes take it from the cache, with the same facts and results, for other shapes
 * too; a frozen runtime compiles nothing; what is wrong with a cache is no error of a compile. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

static char *text;
static size_t size;
static char folder[] = "/tmp/tawa-capi-cache-XXXXXX";
static int warnings;

static void count_warning(void *user, tawa_log_level_t level, const char *message) {
  (void)user, (void)message;
  warnings += level <= TAWA_LOG_WARNING;
}

static tawa_runtime_t open_with(const char *cache, tawa_switch_t frozen) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_runtime_t runtime = NULL;
  options.device = "emulator";
  options.cache_dir = cache;
  options.frozen = frozen;
  options.log = count_warning;
  CHECK_STATUS(TAWA_OK, tawa_runtime_create(&options, &runtime, &error));
  return runtime;
}

/* Compiles for M = N = rows and K = 64; the launch on zeros must work. */
static tawa_status_t compile(tawa_runtime_t runtime, int rows, const char *name, const char *config, int *from_cache,
                             char *hash) {
  static uint16_t zeros[256 * 256];
  tawa_arg_t args[6];
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  tawa_phase_info_t phase = TAWA_PHASE_INFO_INIT;
  tawa_kernel_t kernel = NULL;
  tawa_error_t error = NULL;
  tawa_status_t status;
  int i;
  args[0] = tawa_matrix(TAWA_F16, NULL, rows, 64);
  args[1] = tawa_matrix(TAWA_F16, NULL, rows, 64);
  args[2] = tawa_matrix(TAWA_F16, NULL, rows, rows);
  args[3] = tawa_i32(rows), args[4] = tawa_i32(rows), args[5] = tawa_i32(64);
  request.text = text;
  request.text_len = size;
  request.name = name;
  request.args = args;
  request.num_args = 6;
  request.config = config;
  status = tawa_compile(runtime, &request, &kernel, &error);
  if (status) {
    CHECK(kernel == NULL);
    if (status == TAWA_E_CACHE_MISS && !strstr(tawa_error_message(error), "config: "))
      fprintf(stderr, "says not what differs: %s\n", tawa_error_message(error)), ++failures;
    tawa_error_release(error);
    return status;
  }
  CHECK(tawa_kernel_info(kernel, &info) == TAWA_OK);
  *from_cache = (int)info.from_cache;
  strcpy(hash, info.content_hash);
  CHECK(info.num_roles >= 2 && info.num_rings >= 1);
  CHECK(tawa_kernel_phase(kernel, 0, &phase) == TAWA_OK && strcmp(phase.name, "choose") == 0);
  CHECK(tawa_kernel_phase(kernel, 1, &phase) == TAWA_OK);
  CHECK((strcmp(phase.name, "cache") == 0) == (info.from_cache != 0));
  for (i = 0; i < 3; ++i) {
    CHECK_STATUS(TAWA_OK, tawa_memory_allocate(runtime, sizeof zeros, &args[i].data, &error));
    CHECK_STATUS(TAWA_OK, tawa_memory_copy_in(runtime, args[i].data, zeros, sizeof zeros, &error));
  }
  options.grid[0] = (uint32_t)(rows / 128) * (uint32_t)(rows / 128);
  CHECK(tawa_launch(kernel, args, 6, NULL, &options) == TAWA_OK);
  for (i = 0; i < 3; ++i)
    CHECK_STATUS(TAWA_OK, tawa_memory_free(runtime, args[i].data, &error));
  tawa_kernel_release(kernel);
  return status;
}

static void compiles_once(const char *cache) {
  char first[40] = "", second[40] = "";
  int from_cache = -1;
  tawa_cache_counters_t counters = TAWA_CACHE_COUNTERS_INIT;
  tawa_runtime_t runtime = open_with(cache, TAWA_SWITCH_OFF);
  CHECK(compile(runtime, 128, "a.mlir", NULL, &from_cache, first) == TAWA_OK && from_cache == 0);
  CHECK(compile(runtime, 128, "a.mlir", NULL, &from_cache, second) == TAWA_OK && from_cache == 1);
  CHECK(strcmp(first, second) == 0);
  CHECK(tawa_runtime_cache_counters(runtime, &counters) == TAWA_OK);
  /* The kernel, and the model's choice of its configuration for these sizes and for any. */
  CHECK(counters.hits == 1 && counters.writes == 3 && counters.faults == 0 && counters.misses >= 1);
  tawa_runtime_release(runtime);

  runtime = open_with(cache, TAWA_SWITCH_OFF);
  CHECK(compile(runtime, 128, "b.mlir", NULL, &from_cache, second) == TAWA_OK && from_cache == 1); /* another name */
  CHECK(compile(runtime, 256, "b.mlir", NULL, &from_cache, second) == TAWA_OK && from_cache == 1); /* other shapes */
  CHECK(strcmp(first, second) == 0);
  CHECK(compile(runtime, 128, "a.mlir", "D=3 P=2", &from_cache, second) == TAWA_OK && from_cache == 0);
  CHECK(strcmp(first, second) != 0);
  CHECK(compile(runtime, 128, "a.mlir", "P=2 D=3", &from_cache, second) == TAWA_OK && from_cache == 1);
  tawa_runtime_release(runtime);
}

static void frozen_compiles_nothing(const char *cache) {
  char hash[40];
  int from_cache = -1;
  tawa_runtime_t runtime = open_with(cache, TAWA_SWITCH_ON);
  CHECK(compile(runtime, 128, "a.mlir", "D=3 P=2", &from_cache, hash) == TAWA_OK && from_cache == 1);
  CHECK(compile(runtime, 128, "a.mlir", "D=2 P=2", &from_cache, hash) == TAWA_E_CACHE_MISS);
  tawa_runtime_release(runtime);
}

static void a_broken_cache_is_no_error(void) {
  char path[300], hash[40];
  int from_cache = -1;
  FILE *file;
  tawa_runtime_t runtime;
  snprintf(path, sizeof path, "%s/a-file", folder);
  file = fopen(path, "w");
  fclose(file);
  warnings = 0;
  runtime = open_with(path, TAWA_SWITCH_OFF);
  CHECK(compile(runtime, 128, "a.mlir", NULL, &from_cache, hash) == TAWA_OK && from_cache == 0);
  CHECK(compile(runtime, 128, "a.mlir", NULL, &from_cache, hash) == TAWA_OK && from_cache == 0);
  CHECK(warnings == 1);
  tawa_runtime_release(runtime);
  runtime = open_with("", TAWA_SWITCH_OFF); /* none wanted: nothing to complain about */
  CHECK(compile(runtime, 128, "a.mlir", NULL, &from_cache, hash) == TAWA_OK && from_cache == 0);
  CHECK(warnings == 1);
  tawa_runtime_release(runtime);
}

static void refuses_unknown_values(void) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_runtime_t runtime = NULL;
  options.frozen = (tawa_switch_t)7;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(&options, &runtime, &error));
}

static void the_environment_names_a_folder(const char *cache) {
  char *path = NULL;
  setenv("TAWA_CACHE", "on", 1);
  setenv("TAWA_CACHE_DIR", cache, 1);
  CHECK_STATUS(TAWA_OK, tawa_cache_folder(&path, &error));
  CHECK(path && strcmp(path, cache) == 0);
  tawa_free(path);
  setenv("TAWA_CACHE", "off", 1);
  CHECK_STATUS(TAWA_OK, tawa_cache_folder(&path, &error));
  CHECK(path && strcmp(path, "") == 0);
  tawa_free(path);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_cache_folder(NULL, &error));
}

int main(int argc, char **argv) {
  char cache[300];
  if (argc != 2 || !mkdtemp(folder))
    return 2;
  text = read_file(argv[1], &size);
  snprintf(cache, sizeof cache, "%s/below/cache", folder);
  compiles_once(cache);
  frozen_compiles_nothing(cache);
  a_broken_cache_is_no_error();
  refuses_unknown_values();
  the_environment_names_a_folder(cache);
  free(text);
  remove_folder(folder);
  return failures != 0;
}
