/* tawa_plan() keeps its plans: a second call for the same problem plans nothing, another problem is planned, and
 * without a cache every call plans. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <tawa/plan.h>

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/tawa-capi-plan-XXXXXX";

/* Plans; whether they came from the cache, or -1. `json` receives the answer, freed by the caller, unless NULL. */
static int is_from_cache(const tawa_plan_request_t *request, char **json) {
  char *made = NULL;
  int is_from_cache = -1;
  CHECK_STATUS(TAWA_OK, tawa_plan(request, &made, &error));
  if (made && strstr(made, "\"answer\":{\"from_cache\":1,\"seconds\":"))
    is_from_cache = 1;
  else if (made && strstr(made, "\"answer\":{\"from_cache\":0,\"seconds\":"))
    is_from_cache = 0;
  if (json)
    *json = made;
  else
    tawa_free(made);
  return is_from_cache;
}

static int is_planned(const tawa_plan_request_t *request) { return is_from_cache(request, NULL) == 0; }
static int is_kept(const tawa_plan_request_t *request) { return is_from_cache(request, NULL) == 1; }

static void test_the_same_problem(tawa_plan_request_t request) {
  char *first = NULL, *second = NULL;
  CHECK(is_from_cache(&request, &first) == 0);
  CHECK(is_from_cache(&request, &second) == 1);
  if (first && second) /* the times of planning are those of the first call */
    CHECK(strncmp(first, second, (size_t)(strstr(first, "\"answer\"") - first)) == 0);
  tawa_free(first);
  tawa_free(second);
  request.name = "elsewhere.mlir";
  CHECK(is_kept(&request));
}

static void test_other_problems(const tawa_plan_request_t *given) {
  tawa_plan_request_t request = *given;
  tawa_arg_t args[6];
  char *text = malloc(given->text_len + 1);
  memcpy(text, given->text, given->text_len);
  text[given->text_len] = '\n';
  request.text = text;
  ++request.text_len;
  CHECK(is_planned(&request) && is_kept(&request));
  request = *given;
  request.top = 2;
  CHECK(is_planned(&request) && is_kept(&request));
  request.is_simulated = 1;
  CHECK(is_planned(&request) && is_kept(&request));
  request = *given;
  request.config = "BLOCK_M=64 BLOCK_N=128 BLOCK_K=64";
  CHECK(is_planned(&request));
  request = *given;
  request.machine = "wormhole_4x8";
  CHECK(is_planned(&request));
  memcpy(args, given->args, sizeof args);
  args[0].shape[1] = args[1].shape[1] = args[5].integer = 512;
  request = *given;
  request.args = args;
  CHECK(is_planned(&request));
  CHECK(is_kept(given));
  free(text);
}

static void write_machine(const char *path, const char *clock) {
  FILE *file = fopen(path, "w");
  fprintf(file,
          "df.machine @line {clock = %s} {\n"
          "  %%x = df.spatial_dim 4\n"
          "  %%mat = df.mat {shape = [32, 32, 16], throughput = 2048}\n"
          "  %%vec = df.vec {shape = [64], throughput = 64}\n"
          "  %%scalar = df.scalar {latency = 1}\n"
          "  %%cores = df.core {scaleout = (%%x), scalein = (%%mat, %%vec, %%scalar, [1, 1, 1])}\n"
          "  %%local = df.memory {scaleout = (%%x), size = 1048576, bandwidth = 128, latency = 4}\n"
          "  %%local_port = df.mux %%local, %%cores {map = affine_map<(d0) -> (d0)>, bandwidth = 128}\n"
          "  %%one = df.spatial_dim 1\n"
          "  %%dram = df.memory {scaleout = (%%one), size = 4294967296, bandwidth = 100, latency = 300}\n"
          "  %%dram_port = df.mux %%dram, %%cores {map = affine_map<(d0) -> (0)>, bandwidth = 64}\n"
          "}\n",
          clock);
  fclose(file);
}

/* A description counts by its text: not by its path, and not by what stood there before. */
static void test_machines(tawa_plan_request_t request) {
  char one[100], other[100];
  snprintf(one, sizeof one, "%s/one.mlir", folder);
  snprintf(other, sizeof other, "%s/other.mlir", folder);
  write_machine(one, "1.0e9");
  write_machine(other, "1.0e9");
  request.machine = one;
  CHECK(is_planned(&request));
  request.machine = other;
  CHECK(is_kept(&request));
  write_machine(other, "1.5e9");
  CHECK(is_planned(&request));
  request.machine = one;
  CHECK(is_kept(&request));
}

static void test_errors_are_not_kept(tawa_plan_request_t request) {
  char *json = NULL;
  request.num_args = 5;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan(&request, &json, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan(&request, &json, &error));
}

static int count_plans(void *user, const tawa_cache_entry_t *entry) {
  CHECK(entry->kind == TAWA_CACHE_PLAN && !*entry->fault);
  CHECK(strstr(entry->summary, "gemm_param on ") != NULL && strstr(entry->summary, " cycles, ") != NULL);
  CHECK(strncmp(entry->key, "tawa plan ", 10) == 0);
  ++*(int *)user;
  return 0;
}

static void test_entries(void) {
  tawa_cache_t cache = NULL;
  int plans = 0;
  uint64_t removed = 0;
  CHECK_STATUS(TAWA_OK, tawa_cache_open(NULL, TAWA_CACHE_WRITE, &cache, &error));
  CHECK_STATUS(TAWA_OK, tawa_cache_visit(cache, count_plans, &plans, &error));
  CHECK(plans == 9);
  CHECK_STATUS(TAWA_OK, tawa_cache_prune(cache, 1, 0, &removed, &error));
  CHECK(removed == 9);
  tawa_cache_release(cache);
}

int main(int argc, char **argv) {
  size_t size = 0;
  char *text = read_file(argv[argc - 1], &size), cache[100];
  tawa_arg_t args[6];
  tawa_plan_request_t request = TAWA_PLAN_REQUEST_INIT;
  if (!mkdtemp(folder))
    return 2;
  snprintf(cache, sizeof cache, "%s/cache", folder);
  setenv("TAWA_CACHE", "on", 1);
  setenv("TAWA_CACHE_DIR", cache, 1);
  request.text = text;
  request.text_len = size;
  request.args = args;
  request.num_args = 6;
  request.machine = "wormhole_8x8";
  request.config = "BLOCK_M=128 BLOCK_N=128 BLOCK_K=64";
  args[0] = tawa_matrix(TAWA_F16, NULL, 1024, 256);
  args[1] = tawa_matrix(TAWA_F16, NULL, 1024, 256);
  args[2] = tawa_matrix(TAWA_F16, NULL, 1024, 1024);
  args[3] = tawa_i32(1024), args[4] = tawa_i32(1024), args[5] = tawa_i32(256);
  test_the_same_problem(request);
  test_other_problems(&request);
  test_machines(request);
  test_errors_are_not_kept(request);
  test_entries();
  CHECK(is_planned(&request));
  setenv("TAWA_CACHE", "off", 1);
  CHECK(is_planned(&request) && is_planned(&request));
  free(text);
  remove_folder(folder);
  return failures != 0;
}
