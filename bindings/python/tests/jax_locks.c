/* Stands before the library (LD_PRELOAD) and counts what the handler for XLA asks of it; compiles and launches of a
 * name that is held wait until it is let go. Python says where the library's own functions are.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <tawa/tawa.h>

typedef tawa_status_t compile_fn(tawa_runtime_t, const tawa_compile_request_t *, tawa_kernel_t *, tawa_error_t *);
typedef tawa_status_t launch_fn(tawa_binding_t, void *const *, uint32_t, void *);

compile_fn *real_compile;
launch_fn *real_launch;
atomic_int compiles, launches, waiting;
static char held_name[64];
static int holds_launches;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* Compiles of this name wait from now on, none where it is empty; so do launches where `launching`. */
void hold(const char *name, int launching) {
  pthread_mutex_lock(&mutex);
  strncpy(held_name, name, sizeof held_name - 1);
  holds_launches = launching;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

/* A launch that waits does so once: those after it go on. */
static void wait_while_held(const char *name) {
  pthread_mutex_lock(&mutex);
  if (name || holds_launches) {
    int isLaunch = name == NULL;
    holds_launches = isLaunch ? 0 : holds_launches;
    ++waiting;
    while (held_name[0] && (isLaunch || strcmp(held_name, name) == 0))
      pthread_cond_wait(&changed, &mutex);
    --waiting;
  }
  pthread_mutex_unlock(&mutex);
}

tawa_status_t tawa_compile(tawa_runtime_t runtime, const tawa_compile_request_t *request, tawa_kernel_t *kernel,
                           tawa_error_t *error) {
  ++compiles;
  wait_while_held(request->name ? request->name : "");
  return real_compile(runtime, request, kernel, error);
}

tawa_status_t tawa_binding_launch(tawa_binding_t binding, void *const *data, uint32_t count, void *stream) {
  ++launches;
  wait_while_held(NULL);
  return real_launch(binding, data, count, stream);
}
