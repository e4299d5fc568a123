/* Loops of launches without a language's own cost between them: the C side of perf/harness/launch_bench.py, which loads
 * this as a shared library. Each gives nanoseconds per launch, or -1 where a launch failed.
 */
#define _POSIX_C_SOURCE 200809L
#include <tawa/tawa.h>

#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

__attribute__((visibility("default"))) double loop_launch(tawa_kernel_t kernel, const tawa_arg_t *args, uint32_t count,
                                                          void *stream, uint32_t launches) {
  double begin = now();
  for (uint32_t i = 0; i < launches; ++i)
    if (tawa_launch(kernel, args, count, stream, NULL) != TAWA_OK)
      return -1;
  return (now() - begin) / launches;
}

__attribute__((visibility("default"))) double loop_binding(tawa_binding_t binding, void *stream, uint32_t launches) {
  double begin = now();
  for (uint32_t i = 0; i < launches; ++i)
    if (tawa_binding_launch(binding, NULL, 0, stream) != TAWA_OK)
      return -1;
  return (now() - begin) / launches;
}

/* The two sets of addresses in turns, so that tensor maps are built again each time. */
__attribute__((visibility("default"))) double loop_moving(tawa_binding_t binding, void *const *one, void *const *other,
                                                          uint32_t count, void *stream, uint32_t launches) {
  double begin = now();
  for (uint32_t i = 0; i < launches; ++i)
    if (tawa_binding_launch(binding, i % 2 ? one : other, count, stream) != TAWA_OK)
      return -1;
  return (now() - begin) / launches;
}

/* CUlaunchAttribute and CUlaunchConfig, as far as they are used here. */
typedef struct {
  int id;
  char padding[4];
  int value;
  char rest[60];
} attribute_t;
typedef struct {
  unsigned grid[3], block[3], shared;
  void *stream;
  attribute_t *attributes;
  unsigned count;
} config_t;
typedef int (*launch_fn)(const config_t *config, void *function, void **params, void **extra);

/* The driver's own call, cuLaunchKernelEx(), with all that the plan says. For kernels without clusters. */
__attribute__((visibility("default"))) double loop_driver(launch_fn launch, const tawa_launch_plan_t *plan,
                                                          void *stream, uint32_t launches) {
  void *params[64];
  attribute_t early = {6, {0}, 1, {0}}; /* programmatic stream serialization */
  config_t config = {{plan->grid[0], plan->grid[1], plan->grid[2]},
                     {plan->block[0], 1, 1},
                     plan->shared_bytes,
                     stream,
                     &early,
                     plan->begins_early};
  for (uint32_t i = 0; i < plan->num_parameters; ++i)
    params[i] = (char *)plan->parameters + plan->offsets[i];
  double begin = now();
  for (uint32_t i = 0; i < launches; ++i)
    if (launch(&config, plan->function, params, NULL) != 0)
      return -1;
  return (now() - begin) / launches;
}
