/* Compiles that go on while the caller does something else: wait, poll, cancel; what happens to the request's memory,
 * to errors, in a child of fork(), and when the process ends with jobs under way. And the policies of a request. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 24 };
static char *text;
static size_t size;

/* Everything the request points to is gone when this returns. */
static tawa_job_t start(tawa_runtime_t runtime, const char *source, size_t length) {
  tawa_arg_t *args = malloc(6 * sizeof *args);
  char *copy = malloc(length);
  char name[] = "job.mlir", config[] = "D=3 P=2";
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_job_t job = NULL;
  int i;
  for (i = 0; i < 3; ++i)
    args[i] = tawa_matrix(TAWA_F16, NULL, 128, 128);
  for (i = 3; i < 6; ++i)
    args[i] = tawa_i32(128);
  memcpy(copy, source, length);
  request.text = copy;
  request.text_len = length;
  request.name = name;
  request.config = config;
  request.args = args;
  request.num_args = 6;
  CHECK_STATUS(TAWA_OK, tawa_compile_async(runtime, &request, &job, &error));
  memset(copy, '?', length);
  memset(args, 0x55, 6 * sizeof *args);
  memset(name, '?', sizeof name - 1);
  memset(config, '?', sizeof config - 1);
  free(copy);
  free(args);
  return job;
}

static void waits(tawa_runtime_t runtime) {
  tawa_kernel_t kernel = NULL, again = NULL;
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  tawa_job_t job = start(runtime, text, size);
  tawa_status_t status = tawa_job_poll(job);
  CHECK(status == TAWA_E_BUSY || status == TAWA_OK);
  status = tawa_job_wait(job, 0, &kernel, NULL);
  CHECK(status == TAWA_E_TIMEOUT || status == TAWA_OK);
  CHECK((kernel != NULL) == (status == TAWA_OK));
  tawa_kernel_release(kernel);
  CHECK_STATUS(TAWA_OK, tawa_job_wait(job, UINT64_MAX, &kernel, &error));
  CHECK_STATUS(TAWA_OK, tawa_job_wait(job, 0, &again, &error));
  CHECK(kernel != NULL && kernel == again && tawa_job_poll(job) == TAWA_OK);
  tawa_job_cancel(job); /* too late: it stays done */
  CHECK(tawa_job_poll(job) == TAWA_OK);
  tawa_job_release(job);
  tawa_kernel_release(again);
  CHECK(tawa_kernel_info(kernel, &info) == TAWA_OK && info.ring_depth == 3); /* outlives its job */
  tawa_kernel_release(kernel);
}

static void fails(tawa_runtime_t runtime) {
  static const char broken[] = "module { tt.func public @k( }";
  tawa_error_t error = NULL;
  tawa_kernel_t kernel = NULL;
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_job_t job = start(runtime, broken, sizeof broken - 1);
  CHECK(tawa_job_wait(job, UINT64_MAX, &kernel, &error) == TAWA_E_INVALID_IR);
  CHECK(kernel == NULL && strstr(tawa_error_message(error), "job.mlir") != NULL);
  tawa_error_release(error);
  CHECK(tawa_job_poll(job) == TAWA_E_INVALID_IR);
  tawa_job_release(job);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile_async(runtime, &request, &job, &error)); /* no text */
  CHECK(job == NULL);
  CHECK(tawa_job_poll(NULL) == TAWA_E_INVALID_ARGUMENT);
  tawa_job_cancel(NULL);
  tawa_job_release(NULL);
}

static void cancels(tawa_runtime_t runtime) {
  tawa_job_t jobs[MANY];
  int i, done = 0, cancelled = 0;
  for (i = 0; i < MANY; ++i)
    jobs[i] = start(runtime, text, size);
  for (i = 1; i < MANY; ++i)
    tawa_job_cancel(jobs[i]);
  for (i = 0; i < MANY; ++i) {
    tawa_kernel_t kernel = NULL;
    tawa_status_t status = tawa_job_wait(jobs[i], i ? 0 : UINT64_MAX, &kernel, NULL); /* a cancelled one is done */
    done += status == TAWA_OK;
    cancelled += status == TAWA_E_CANCELLED;
    CHECK((kernel != NULL) == (status == TAWA_OK));
    CHECK(tawa_job_poll(jobs[i]) == status);
    tawa_kernel_release(kernel);
    tawa_job_release(jobs[i]);
  }
  CHECK(done >= 1 && cancelled >= 1 && done + cancelled == MANY);
}

static void not_in_a_child(tawa_runtime_t runtime) {
  tawa_job_t job = start(runtime, text, size);
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    tawa_kernel_t kernel = NULL;
    exit(tawa_job_wait(job, UINT64_MAX, &kernel, NULL) == TAWA_E_FORKED ? 0 : 1); /* exit() waits for no job here */
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK_STATUS(TAWA_OK, tawa_job_wait(job, UINT64_MAX, NULL, &error));
  tawa_job_release(job);
}

static void policies(tawa_runtime_t runtime) {
  static const tawa_policy_t known[] = {TAWA_POLICY_DEFAULT, TAWA_POLICY_NEVER, TAWA_POLICY_CACHED,
                                        TAWA_POLICY_PREDICTED};
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_arg_t args[6];
  tawa_kernel_t kernel = NULL;
  size_t i;
  for (i = 0; i < 6; ++i)
    args[i] = i < 3 ? tawa_matrix(TAWA_F16, NULL, 128, 128) : tawa_i32(128);
  request.text = text;
  request.text_len = size;
  request.args = args;
  request.num_args = 6;
  for (i = 0; i < sizeof known / sizeof *known; ++i) {
    request.policy = known[i];
    CHECK_STATUS(TAWA_OK, tawa_compile(runtime, &request, &kernel, &error));
    tawa_kernel_release(kernel);
  }
  request.policy = (tawa_policy_t)9;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
}

int main(int argc, char **argv) {
  tawa_runtime_t runtime;
  int i;
  if (argc != 2)
    return 2;
  text = read_file(argv[1], &size);
  runtime = open_without_cache();
  waits(runtime);
  fails(runtime);
  cancels(runtime);
  not_in_a_child(runtime);
  policies(runtime);
  for (i = 0; i < MANY; ++i)
    tawa_job_release(start(runtime, text, size)); /* only exit() waits for these */
  tawa_runtime_release(runtime);
  free(text);
  return failures != 0;
}
