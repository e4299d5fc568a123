/* A search keeps every configuration that it tried, and it is never tried again: not by a second search, which only
 * measures what was added, and not a compile, which takes the best. The policies that search by themselves: first,
 * meanwhile, or by the model alone; how they are cancelled, and what is left where no candidate can be tried. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LENGTH = 256 };
static const char text[] = "// tawa.param BLOCK = 32 | 64\n"
                           "// tawa.grid ceildiv(n, BLOCK)\n"
                           "module {\n"
                           "  tt.func public @fill(%out: !tt.ptr<i32>, %n: i32) {\n"
                           "    %size = arith.constant ${BLOCK} : i32\n"
                           "    %program = tt.get_program_id x : i32\n"
                           "    %begin = arith.muli %program, %size : i32\n"
                           "    %first = tt.splat %begin : i32 -> tensor<${BLOCK}xi32>\n"
                           "    %range = tt.make_range {end = ${BLOCK} : i32, start = 0 : i32} : tensor<${BLOCK}xi32>\n"
                           "    %at = arith.addi %first, %range : tensor<${BLOCK}xi32>\n"
                           "    %base = tt.splat %out : !tt.ptr<i32> -> tensor<${BLOCK}x!tt.ptr<i32>>\n"
                           "    %place = tt.addptr %base, %at : tensor<${BLOCK}x!tt.ptr<i32>>, tensor<${BLOCK}xi32>\n"
                           "    tt.store %place, %at : tensor<${BLOCK}x!tt.ptr<i32>>\n"
                           "    tt.return\n"
                           "  }\n"
                           "}\n";
static char folder[] = "/tmp/tawa-capi-tune-XXXXXX";
static char cache[64], worker[64];

static tawa_runtime_t open_runtime(tawa_policy_t policy) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_runtime_t runtime = NULL;
  options.device = "emulator";
  options.cache_dir = cache;
  options.policy = policy;
  options.log_level = TAWA_LOG_ERROR;
  CHECK_STATUS(TAWA_OK, tawa_runtime_create(&options, &runtime, &error));
  return runtime;
}

/* `length` is a multiple of every block. Valid until the next call. */
static const tawa_compile_request_t *request_for(int length) {
  static tawa_arg_t args[2];
  static tawa_compile_request_t request;
  static const tawa_compile_request_t init = TAWA_COMPILE_REQUEST_INIT;
  static const tawa_arg_t blank = TAWA_ARG_INIT;
  args[0] = blank;
  args[0].dtype = TAWA_I32;
  args[0].rank = 1;
  args[0].shape[0] = length;
  args[1] = tawa_i32(length);
  request = init;
  request.text = text;
  request.text_len = sizeof text - 1;
  request.args = args;
  request.num_args = 2;
  return &request;
}

static tawa_tune_options_t options_here(void) {
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  options.isolation = TAWA_TUNE_IN_PROCESS;
  options.top = 3;
  return options;
}

static tawa_cache_counters_t counters_of(tawa_runtime_t runtime) {
  tawa_cache_counters_t counters = TAWA_CACHE_COUNTERS_INIT;
  CHECK(tawa_runtime_cache_counters(runtime, &counters) == TAWA_OK);
  return counters;
}

/* Compiles; fills `config` and `by`, and checks whether compilers and trials were at work. */
static tawa_kernel_t compile(tawa_runtime_t runtime, const tawa_compile_request_t *request, char *config, char *by) {
  tawa_kernel_t kernel = NULL;
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  CHECK_STATUS(TAWA_OK, tawa_compile(runtime, request, &kernel, &error));
  CHECK(tawa_kernel_info(kernel, &info) == TAWA_OK);
  strcpy(config, info.config ? info.config : "");
  strcpy(by, info.chosen_by ? info.chosen_by : "");
  return kernel;
}

/* Returns how many configurations were tried, and how many of those are out of the cache. */
static unsigned tune_at(int length, tawa_runtime_t runtime, const tawa_tune_options_t *options, unsigned *known,
                        char *best) {
  tawa_tune_result_t result = NULL;
  unsigned i, tried = 0;
  *known = 0;
  CHECK_STATUS(TAWA_OK, tawa_tune(runtime, request_for(length), options, &result, &error));
  for (i = 0; i < tawa_tune_result_count(result); ++i) {
    tawa_tune_row_t row = TAWA_TUNE_ROW_INIT;
    CHECK(tawa_tune_result_row(result, i, &row) == TAWA_OK);
    tried += row.outcome == TAWA_TUNE_VERIFIED || row.outcome == TAWA_TUNE_FAILED;
    *known += row.from_cache;
  }
  strcpy(best, tawa_tune_result_best(result));
  tawa_tune_result_release(result);
  return tried;
}

static unsigned tune(tawa_runtime_t runtime, const tawa_tune_options_t *options, unsigned *known, char *best) {
  return tune_at(LENGTH, runtime, options, known, best);
}

static void what_was_tried_is_not_tried_again(void) {
  char best[200], again[200], config[200], by[40];
  unsigned tried, known;
  tawa_tune_options_t options = options_here();
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_DEFAULT);
  tried = tune(runtime, &options, &known, best);
  CHECK(tried == 4 && known == 0 && counters_of(runtime).trials == 4); /* the default and three of the model's */
  tawa_runtime_release(runtime);

  runtime = open_runtime(TAWA_POLICY_DEFAULT); /* as another process would */
  CHECK(tune(runtime, &options, &known, again) == 4 && known == 4 && strcmp(best, again) == 0);
  CHECK(counters_of(runtime).trials == 0 && counters_of(runtime).compiles == 0);
  tawa_kernel_release(compile(runtime, request_for(LENGTH), config, by));
  CHECK(strcmp(config, best) == 0 && strcmp(by, "verified") == 0 && counters_of(runtime).compiles == 0);
  options.top = 5;
  CHECK(tune(runtime, &options, &known, again) == 6 && known == 4 && counters_of(runtime).trials == 2);
  options.again = 1;
  CHECK(tune(runtime, &options, &known, again) == 6 && known == 0 && counters_of(runtime).trials == 8);
  tawa_runtime_release(runtime);
}

static const tawa_compile_request_t *shared;
static void *search_too(void *runtime) {
  tawa_tune_options_t options = options_here();
  tawa_tune_result_t result = NULL;
  CHECK(tawa_tune(runtime, shared, &options, &result, NULL) == TAWA_OK);
  tawa_tune_result_release(result);
  return NULL;
}

/* The second one waits, and finds all rows. */
static void searches_of_one_problem_share_their_trials(void) {
  pthread_t threads[3];
  size_t i;
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_DEFAULT);
  shared = request_for(1472);
  for (i = 0; i < 3; ++i)
    CHECK(pthread_create(&threads[i], NULL, search_too, runtime) == 0);
  for (i = 0; i < 3; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
  CHECK(counters_of(runtime).trials == 4);
  tawa_runtime_release(runtime);
}

static void failures_are_kept(void) {
  char best[200];
  const int odd = 9 * 32;
  unsigned known;
  tawa_tune_options_t options = options_here();
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_DEFAULT);
  options.configs = "BLOCK=32 warps=4\nBLOCK=64"; /* whose last block ends past a tensor of odd length */
  tune_at(odd, runtime, &options, &known, best);
  CHECK(strstr(best, "warps=4") != NULL);
  tawa_runtime_release(runtime);
  runtime = open_runtime(TAWA_POLICY_DEFAULT);
  tune_at(odd, runtime, &options, &known, best);
  CHECK(known == 2 && counters_of(runtime).trials == 0);
  tawa_runtime_release(runtime);
}

/* Sums of few columns, which a compile without a search lets load an iteration ahead. */
static const char sums[] =
    "module {\n"
    "  tt.func public @sums(%in: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<i32>, %n: i32) {\n"
    "    %c0 = arith.constant 0 : i32\n"
    "    %c128 = arith.constant 128 : i32\n"
    "    %zero = arith.constant dense<0> : tensor<128xi32>\n"
    "    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>\n"
    "    %base = tt.splat %in : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>\n"
    "    %all = scf.for %i = %c0 to %n step %c128 iter_args(%sum = %zero) -> (tensor<128xi32>) : i32 {\n"
    "      %begin = tt.splat %i : i32 -> tensor<128xi32>\n"
    "      %at = arith.addi %begin, %range : tensor<128xi32>\n"
    "      %place = tt.addptr %base, %at : tensor<128x!tt.ptr<i32>>, tensor<128xi32>\n"
    "      %x = tt.load %place : tensor<128x!tt.ptr<i32>>\n"
    "      %more = arith.addi %sum, %x : tensor<128xi32>\n"
    "      scf.yield %more : tensor<128xi32>\n"
    "    }\n"
    "    %to = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>\n"
    "    %there = tt.addptr %to, %range : tensor<128x!tt.ptr<i32>>, tensor<128xi32>\n"
    "    tt.store %there, %all : tensor<128x!tt.ptr<i32>>\n"
    "    tt.return\n"
    "  }\n"
    "}\n";

static void what_is_taken_without_a_search_is_tried(void) {
  char config[200], by[40];
  tawa_arg_t args[3];
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_tune_options_t options = options_here();
  tawa_tune_result_t result = NULL;
  unsigned i, tried = 0;
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_CACHED);
  args[0] = *request_for(2 * LENGTH)->args;
  args[1] = *request_for(LENGTH)->args;
  args[1].shape[0] = 128;
  args[2] = tawa_i32(2 * LENGTH);
  request.text = sums;
  request.text_len = sizeof sums - 1;
  request.args = args;
  request.num_args = 3;
  options.grid[0] = 1;
  options.top = 1;
  request.tune = &options;
  tawa_kernel_release(compile(runtime, &request, config, by));
  CHECK(strstr(config, "D=2 ") != NULL && strcmp(by, "predicted") == 0);
  CHECK_STATUS(TAWA_OK, tawa_tune(runtime, &request, &options, &result, &error));
  for (i = 0; i < tawa_tune_result_count(result); ++i) {
    tawa_tune_row_t row = TAWA_TUNE_ROW_INIT;
    CHECK(tawa_tune_result_row(result, i, &row) == TAWA_OK);
    tried += row.outcome == TAWA_TUNE_VERIFIED && strcmp(row.config, config) == 0;
  }
  CHECK(tried == 1);
  tawa_tune_result_release(result);
  tawa_runtime_release(runtime);
}

/* The text with a parameter whose value is added to everything that is stored. */
static const char *text_with(const char *directive, const char *name) {
  static char longer[sizeof text + 300];
  const char *size = strstr(text, "    %size = "), *store = strstr(text, "    tt.store ");
  snprintf(longer, sizeof longer,
           "%s\n%.*s    %%more = arith.constant dense<${%s}> : tensor<${BLOCK}xi32>\n%.*s"
           "    %%sum = arith.addi %%at, %%more : tensor<${BLOCK}xi32>\n"
           "    tt.store %%place, %%sum : tensor<${BLOCK}x!tt.ptr<i32>>\n    tt.return\n  }\n}\n",
           directive, (int)(size - text), text, name, (int)(store - size), size);
  return longer;
}

/* What HARM=1 writes is not what the default's trusted form writes, so that half of the space is wrong: the half that
 * the text lists first. */
static void failed_candidates_are_replaced(void) {
  const char *harmed = text_with("// tawa.param HARM = 1 | 0", "HARM");
  unsigned i, right = 0, wrong = 0;
  tawa_tune_result_t result = NULL;
  tawa_tune_options_t options = options_here();
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_DEFAULT);
  tawa_compile_request_t request = *request_for(LENGTH);
  request.text = harmed;
  request.text_len = strlen(harmed);
  request.config = "HARM=0";
  CHECK_STATUS(TAWA_OK, tawa_tune(runtime, &request, &options, &result, &error));
  for (i = 0; i < tawa_tune_result_count(result); ++i) {
    tawa_tune_row_t row = TAWA_TUNE_ROW_INIT;
    CHECK(tawa_tune_result_row(result, i, &row) == TAWA_OK);
    right += row.outcome == TAWA_TUNE_VERIFIED;
    wrong += row.outcome == TAWA_TUNE_FAILED;
  }
  CHECK(right == 4 && wrong > 0); /* the default and three of the model's that are right */
  CHECK(counters_of(runtime).trials == right + wrong);
  tawa_tune_result_release(result);
  CHECK_STATUS(TAWA_OK, tawa_tune(runtime, &request, &options, &result, &error));
  CHECK(counters_of(runtime).trials == right + wrong); /* and those are not tried again */
  tawa_tune_result_release(result);
  tawa_runtime_release(runtime);
}

/* What a setting is the request says: no search goes over its values, and what is found for one is not taken for
 * another. */
static void a_setting_is_nobodys_choice(void) {
  char config[200], by[40];
  tawa_tune_options_t options = options_here();
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_BLOCKING);
  tawa_compile_request_t request = *request_for(1472);
  request.text = text_with("// tawa.setting MORE = 0 | 1", "MORE");
  request.text_len = strlen(request.text);
  request.tune = &options;
  request.config = "MORE=1";
  tawa_kernel_release(compile(runtime, &request, config, by));
  CHECK(strstr(config, "MORE=1") != NULL && strcmp(by, "verified") == 0 && counters_of(runtime).trials == 4);
  request.config = NULL;
  tawa_kernel_release(compile(runtime, &request, config, by));
  CHECK(strstr(config, "MORE=0") != NULL && strcmp(by, "verified") == 0 && counters_of(runtime).trials == 8);
  request.config = "MORE=1";
  tawa_kernel_release(compile(runtime, &request, config, by));
  CHECK(strstr(config, "MORE=1") != NULL && strcmp(by, "verified") == 0 && counters_of(runtime).trials == 8);
  request.config = "MORE=1 BLOCK=32"; /* this is a choice */
  tawa_kernel_release(compile(runtime, &request, config, by));
  CHECK(strstr(config, "MORE=1") != NULL && strcmp(by, "request") == 0 && counters_of(runtime).trials == 8);
  request.config = "MORE=2";
  CHECK(tawa_compile(runtime, &request, &(tawa_kernel_t){NULL}, NULL) == TAWA_E_INVALID_ARGUMENT);
  tawa_runtime_release(runtime);
}

static void a_blocking_compile_searches_once(void) {
  char config[200], again[200], by[40];
  tawa_tune_options_t options = options_here();
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_BLOCKING);
  tawa_compile_request_t request = *request_for(1024);
  request.tune = &options;
  tawa_kernel_release(compile(runtime, &request, config, by));
  CHECK(strcmp(by, "verified") == 0 && counters_of(runtime).trials == 4);
  tawa_runtime_release(runtime);
  runtime = open_runtime(TAWA_POLICY_BLOCKING);
  tawa_kernel_release(compile(runtime, &request, again, by));
  CHECK(strcmp(config, again) == 0 && counters_of(runtime).trials == 0 && counters_of(runtime).compiles == 0);
  tawa_runtime_release(runtime);
}

static int refuse(void *user, const tawa_tune_progress_t *progress) {
  ++*(int *)user;
  return strcmp(progress->stage, "verify") == 0;
}

static void a_search_is_cancelled(void) {
  int calls = 0;
  tawa_kernel_t kernel = NULL;
  tawa_tune_options_t options = options_here();
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_BLOCKING);
  tawa_compile_request_t request = *request_for(1088);
  request.tune = &options;
  options.progress = refuse;
  options.progress_user = &calls;
  CHECK_STATUS(TAWA_E_CANCELLED, tawa_compile(runtime, &request, &kernel, &error));
  CHECK(kernel == NULL && calls > 0);
  tawa_runtime_release(runtime);
}

static void a_search_goes_on_in_the_background(void) {
  char config[200], found[200], by[40];
  tawa_job_t job = NULL;
  tawa_kernel_t kernel, better = NULL;
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  tawa_tune_options_t options = options_here();
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_BACKGROUND);
  tawa_compile_request_t request = *request_for(1152);
  request.tune = &options;
  kernel = compile(runtime, &request, config, by);
  CHECK(strcmp(by, "predicted") == 0);
  CHECK_STATUS(TAWA_OK, tawa_kernel_search(kernel, &job, &error));
  CHECK(job != NULL);
  CHECK_STATUS(TAWA_OK, tawa_job_wait(job, UINT64_MAX, &better, &error));
  CHECK(tawa_kernel_info(better, &info) == TAWA_OK && strcmp(info.chosen_by, "verified") == 0);
  strcpy(found, info.config);
  CHECK(counters_of(runtime).trials == 4);
  tawa_kernel_release(better);
  tawa_kernel_release(kernel);
  tawa_job_release(job);
  kernel = compile(runtime, &request, config, by);
  CHECK(strcmp(config, found) == 0 && strcmp(by, "verified") == 0 && counters_of(runtime).trials == 4);
  CHECK_STATUS(TAWA_OK, tawa_kernel_search(kernel, &job, &error));
  CHECK(job == NULL); /* there is nothing left to search */
  tawa_kernel_release(kernel);
  tawa_runtime_release(runtime);
}

/* With a worker that never says a word. */
static void a_background_search_can_be_cancelled(void) {
  char config[200], by[40];
  time_t start = time(NULL);
  tawa_job_t job = NULL;
  tawa_kernel_t kernel;
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_BACKGROUND);
  tawa_compile_request_t request = *request_for(1216);
  FILE *script = fopen(worker, "w");
  fputs("#!/bin/sh\nexec sleep 100\n", script);
  fclose(script);
  chmod(worker, 0700);
  options.worker = worker;
  request.tune = &options;
  kernel = compile(runtime, &request, config, by);
  CHECK_STATUS(TAWA_OK, tawa_kernel_search(kernel, &job, &error));
  CHECK(tawa_job_poll(job) == TAWA_E_BUSY);
  tawa_job_cancel(job);
  CHECK_STATUS(TAWA_E_CANCELLED, tawa_job_wait(job, UINT64_MAX, NULL, &error));
  tawa_job_release(job);
  tawa_kernel_release(kernel);
  request = *request_for(1280); /* waits until the one that was cancelled has let go, and is itself left to exit() */
  request.tune = &options;
  tawa_kernel_release(compile(runtime, &request, config, by));
  tawa_runtime_release(runtime);
  CHECK(time(NULL) - start < 15);
}

static void without_a_worker_the_model_decides(void) {
  char config[200], by[40];
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_BLOCKING);
  tawa_compile_request_t request = *request_for(1344);
  options.worker = "/bin/false";
  request.tune = &options;
  tawa_kernel_release(compile(runtime, &request, config, by));
  CHECK(strcmp(by, "predicted") == 0);
  request.args = NULL; /* and with unknown arguments, no search does */
  request.num_args = 0;
  CHECK(tawa_compile(runtime, &request, &(tawa_kernel_t){NULL}, NULL) != TAWA_OK);
  tawa_runtime_release(runtime);
}

/* What a build farm stores for a GPU is there for every later process, and is the model's choice. */
static void the_models_choice_is_kept_for_a_target(void) {
  uint32_t was_there = 9;
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_PREDICTED);
  CHECK_STATUS(TAWA_OK, tawa_compile_to_cache(runtime, request_for(1408), "h200", &was_there, &error));
  CHECK(was_there == 0 && counters_of(runtime).compiles == 1);
  tawa_runtime_release(runtime);
  runtime = open_runtime(TAWA_POLICY_CACHED);
  CHECK_STATUS(TAWA_OK, tawa_compile_to_cache(runtime, request_for(1408), "h200", &was_there, &error));
  CHECK(was_there == 1 && counters_of(runtime).compiles == 0 && counters_of(runtime).hits > 0);
  tawa_runtime_release(runtime);
}

static tawa_status_t work_on(const char *job, char *answer, size_t size) {
  int input[2], output[2];
  tawa_status_t status;
  ssize_t length;
  CHECK(pipe(input) == 0 && pipe(output) == 0);
  CHECK(write(input[1], job, strlen(job)) == (ssize_t)strlen(job));
  close(input[1]);
  status = tawa_tune_worker(input[0], output[1]);
  close(output[1]);
  length = read(output[0], answer, size - 1);
  answer[length > 0 ? length : 0] = '\0';
  close(input[0]);
  close(output[0]);
  return status;
}

static void a_worker_without_a_job_is_an_error(void) {
  static const char target[] =
      "sm_90a shared_per_block=1 registers_per_multiprocessor=1 registers_per_thread=1 threads_per_multiprocessor=1 "
      "ctas_per_multiprocessor=1 l2=1 tensor_16bit=1 bytes_under_way=1 busy_load_latency=1";
  char answer[400], job[600];
  CHECK(tawa_tune_worker(-1, -1) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_tune_worker(-1, 1) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_tune_worker(0, -1) == TAWA_E_INVALID_ARGUMENT);
  CHECK(work_on("", answer, sizeof answer) == TAWA_E_INVALID_ARGUMENT);
  CHECK(work_on("garbage", answer, sizeof answer) == TAWA_E_INVALID_ARGUMENT);
  CHECK(strncmp(answer, "end 1 tuning job: ", 18) == 0);
  CHECK(work_on("device 4\ncuda\nname 1\nx\ntext 1\nx\nnumbers 17\n1 1 1 1 1 1 1 1 1\n", answer, sizeof answer) ==
        TAWA_E_INVALID_ARGUMENT);
  CHECK(strstr(answer, "target is missing") != NULL);
  snprintf(job, sizeof job,
           "device 4\ncuda\nname 1\nx\ntext 1\nx\ntarget %u\n%s\nworker 0\n\nturn-file 0\n\nnumbers 21\n1 1 1 1 1 1 1 "
           "1 1 0 0\n",
           (unsigned)strlen(target), target);
  CHECK(work_on(job, answer, sizeof answer) == TAWA_E_INVALID_ARGUMENT);
  CHECK(strstr(answer, "no candidate") != NULL);
}

static void a_program_that_is_no_worker_is_named(void) {
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_NEVER);
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  tawa_tune_result_t result = NULL;
  tawa_error_t error = NULL;
  options.worker = "/bin/false";
  CHECK(tawa_tune(runtime, request_for(3 * LENGTH), &options, &result, &error) == TAWA_E_INVALID_ARGUMENT);
  CHECK(strstr(tawa_error_message(error), "/bin/false exited with code 1") != NULL);
  tawa_error_release(error);
  tawa_runtime_release(runtime);
}

/* An index that is not the caller's leads the kernel out of its tensor. */
static void indices_are_the_callers(void) {
  static const char picked[] = "// tawa.grid 1\n"
                               "module {\n"
                               "  tt.func public @picked(%x: !tt.ptr<f32>, %index: !tt.ptr<i64>, %y: !tt.ptr<f32>) {\n"
                               "    %far = arith.constant 1048576 : i64\n"
                               "    %which = tt.load %index : !tt.ptr<i64>\n"
                               "    %at = arith.muli %which, %far : i64\n"
                               "    %place = tt.addptr %x, %at : !tt.ptr<f32>, i64\n"
                               "    %value = tt.load %place : !tt.ptr<f32>\n"
                               "    tt.store %y, %value : !tt.ptr<f32>\n"
                               "    tt.return\n"
                               "  }\n"
                               "}\n";
  static const tawa_compile_request_t init = TAWA_COMPILE_REQUEST_INIT;
  const int64_t one = 1, first = 0;
  void *index = NULL;
  int here;
  tawa_arg_t args[3];
  tawa_compile_request_t request = init;
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  tawa_tune_result_t result = NULL;
  tawa_runtime_t runtime = open_runtime(TAWA_POLICY_DEFAULT);
  CHECK_STATUS(TAWA_OK, tawa_memory_allocate(runtime, sizeof first, &index, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_in(runtime, index, &first, sizeof first, &error));
  args[0] = args[2] = tawa_tensor(TAWA_F32, NULL, 1, &one);
  args[1] = tawa_tensor(TAWA_I64, NULL, 1, &one);
  request.text = picked;
  request.text_len = sizeof picked - 1;
  request.args = args;
  request.num_args = 3;
  options.seed = 7; /* of which the index is not 0 */
  CHECK(tawa_tune(runtime, &request, &options, &result, NULL) != TAWA_OK);
  args[1].data = index;
  for (here = 0; here < 2; ++here) {
    tawa_tune_row_t row = TAWA_TUNE_ROW_INIT;
    options.isolation = here ? TAWA_TUNE_IN_PROCESS : TAWA_TUNE_WORKER;
    options.again = 1;
    CHECK_STATUS(TAWA_OK, tawa_tune(runtime, &request, &options, &result, &error));
    CHECK(result && tawa_tune_result_row(result, 0, &row) == TAWA_OK && row.outcome == TAWA_TUNE_VERIFIED);
    tawa_tune_result_release(result);
    result = NULL;
  }
  CHECK_STATUS(TAWA_OK, tawa_memory_free(runtime, index, &error));
  tawa_runtime_release(runtime);
}

int main(void) {
  if (!mkdtemp(folder))
    return 2;
  snprintf(cache, sizeof cache, "%s/cache", folder);
  snprintf(worker, sizeof worker, "%s/worker", folder);
  what_was_tried_is_not_tried_again();
  searches_of_one_problem_share_their_trials();
  failures_are_kept();
  what_is_taken_without_a_search_is_tried();
  failed_candidates_are_replaced();
  a_setting_is_nobodys_choice();
  a_blocking_compile_searches_once();
  a_search_is_cancelled();
  a_search_goes_on_in_the_background();
  without_a_worker_the_model_decides();
  the_models_choice_is_kept_for_a_target();
  a_worker_without_a_job_is_an_error();
  a_program_that_is_no_worker_is_named();
  a_background_search_can_be_cancelled();
  indices_are_the_callers();
  remove_folder(folder);
  return failures != 0;
}
