/* exit() while compiles run, the process's first ones included: by jobs and by threads of the caller. Each case is a
 * process of its own, which exits at another moment and must end with the code that it asked for. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JOBS = 12, THREADS = 4, CASES = 30, CODE = 42 };

static const char text_of_number[] = "module { tt.func public @number(%%out: !tt.ptr<i32>) {\n"
                                     "  %%value = arith.constant dense<%d> : tensor<32xi32>\n"
                                     "  %%range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
                                     "  %%base = tt.splat %%out : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>\n"
                                     "  %%place = tt.addptr %%base, %%range : tensor<32x!tt.ptr<i32>>, tensor<32xi32>\n"
                                     "  tt.store %%place, %%value : tensor<32x!tt.ptr<i32>>\n"
                                     "  tt.return } }\n";

/* Every number makes a kernel that no cache has. */
struct kernel_request {
  char text[1024];
  tawa_arg_t arg;
  tawa_compile_request_t request;
};

static void describe(struct kernel_request *kernel, int number) {
  static const tawa_arg_t arg = TAWA_ARG_INIT;
  static const tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  snprintf(kernel->text, sizeof kernel->text, text_of_number, number);
  kernel->arg = arg;
  kernel->arg.dtype = TAWA_I32;
  kernel->arg.rank = 1;
  kernel->arg.shape[0] = 32;
  kernel->request = request;
  kernel->request.text = kernel->text;
  kernel->request.text_len = strlen(kernel->text);
  kernel->request.args = &kernel->arg;
  kernel->request.num_args = 1;
}

static tawa_runtime_t runtime;

static void *compile_for_ever(void *number) {
  int next = *(int *)number;
  for (;; ++next) {
    struct kernel_request kernel;
    tawa_kernel_t compiled = NULL;
    describe(&kernel, next);
    if (tawa_compile(runtime, &kernel.request, &compiled, NULL) == TAWA_OK)
      tawa_kernel_release(compiled);
  }
  return NULL;
}

static void start_jobs(void) {
  int i;
  for (i = 0; i < JOBS; ++i) {
    struct kernel_request kernel;
    tawa_job_t job;
    describe(&kernel, i);
    if (tawa_compile_async(runtime, &kernel.request, &job, NULL) != TAWA_OK)
      _exit(1);
  }
}

static void start_threads(void) {
  static int first[THREADS];
  int i;
  for (i = 0; i < THREADS; ++i) {
    pthread_t thread;
    first[i] = (i + 1) * 100000;
    pthread_create(&thread, NULL, compile_for_ever, &first[i]);
  }
}

/* A process that does so, then exits after so many milliseconds; a hang ends by the alarm's signal. */
static void exits_in_the_middle(int with_jobs, int with_threads, int milliseconds) {
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    struct timespec moment = {0, 0};
    moment.tv_nsec = milliseconds * 1000000L;
    alarm(60);
    runtime = open_without_cache();
    if (with_jobs)
      start_jobs();
    if (with_threads)
      start_threads();
    nanosleep(&moment, NULL);
    exit(CODE);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == CODE);
}

int main(void) {
  int i;
  for (i = 0; i < CASES; ++i) {
    exits_in_the_middle(1, 0, 2 * i);
    exits_in_the_middle(0, 1, 2 * i);
    exits_in_the_middle(1, 1, 2 * i);
  }
  return failures != 0;
}
