/* Four threads with stacks of 40 KiB compile and launch at the same time; a child process after fork() is told so. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, SIZE = 128 };

static tawa_runtime_t runtime;
static char *text;
static size_t text_len;

static tawa_status_t compile(const tawa_arg_t *args, tawa_kernel_t *kernel) {
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  request.text = text;
  request.text_len = text_len;
  request.args = args;
  request.num_args = 6;
  return tawa_compile(runtime, &request, kernel, NULL);
}

static void describe(tawa_arg_t *args) {
  int i;
  for (i = 0; i < 3; ++i) {
    void *device = NULL;
    tawa_memory_allocate(runtime, SIZE * SIZE * 2, &device, NULL);
    tawa_memory_fill(runtime, device, 0, SIZE * SIZE * 2, NULL);
    args[i] = tawa_matrix(TAWA_F16, device, SIZE, SIZE);
    args[3 + i] = tawa_i32(SIZE);
  }
}

static void *work(void *failed) {
  tawa_arg_t args[6];
  tawa_kernel_t kernel = NULL;
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  int i;
  options.grid[0] = 1;
  describe(args);
  *(tawa_status_t *)failed = compile(args, &kernel);
  for (i = 0; i < 3 && *(tawa_status_t *)failed == TAWA_OK; ++i)
    *(tawa_status_t *)failed = tawa_launch(kernel, args, 6, NULL, &options);
  tawa_kernel_release(kernel);
  for (i = 0; i < 3; ++i)
    tawa_memory_free(runtime, args[i].data, NULL);
  return NULL;
}

static void in_child(void) {
  tawa_arg_t args[6];
  tawa_kernel_t kernel = NULL;
  int result = -1;
  pid_t child = fork();
  if (child == 0) {
    describe(args);
    _exit(compile(args, &kernel) == TAWA_E_FORKED ? 0 : 1);
  }
  waitpid(child, &result, 0);
  CHECK(WIFEXITED(result) && WEXITSTATUS(result) == 0);
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  tawa_status_t results[THREADS];
  pthread_attr_t small;
  int i;
  text = read_file(argc > 1 ? argv[1] : "", &text_len);
  runtime = open_emulator();
  pthread_attr_init(&small);
  CHECK(pthread_attr_setstacksize(&small, 40 * 1024) == 0);
  for (i = 0; i < THREADS; ++i)
    CHECK(pthread_create(&threads[i], &small, work, &results[i]) == 0);
  for (i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    if (results[i] != TAWA_OK)
      fprintf(stderr, "thread %d: %s\n", i, tawa_status_name(results[i]));
    CHECK(results[i] == TAWA_OK);
  }
  in_child();
  tawa_runtime_release(runtime);
  free(text);
  return failures != 0;
}
