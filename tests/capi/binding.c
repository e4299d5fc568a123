/* Bound launches on the emulator: other addresses, the same ones again, wrong ones, several threads. */
#include "check.h"

#include <pthread.h>
#include <stdint.h>

static const char text[] =
    "// tawa.grid ceildiv(n, 32)\n"
    "module {\n"
    "  tt.func public @scale(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32, %by: f32) {\n"
    "    %size = arith.constant 32 : i32\n"
    "    %program = tt.get_program_id x : i32\n"
    "    %begin = arith.muli %program, %size : i32\n"
    "    %first = tt.splat %begin : i32 -> tensor<32xi32>\n"
    "    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
    "    %at = arith.addi %first, %range : tensor<32xi32>\n"
    "    %end = tt.splat %n : i32 -> tensor<32xi32>\n"
    "    %mask = arith.cmpi slt, %at, %end : tensor<32xi32>\n"
    "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>\n"
    "    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>\n"
    "    %from = tt.addptr %xs, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi32>\n"
    "    %to = tt.addptr %ys, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi32>\n"
    "    %value = tt.load %from, %mask : tensor<32x!tt.ptr<f32>>\n"
    "    %factor = tt.splat %by : f32 -> tensor<32xf32>\n"
    "    %product = arith.mulf %value, %factor : tensor<32xf32>\n"
    "    tt.store %to, %product, %mask : tensor<32x!tt.ptr<f32>>\n"
    "    tt.return\n"
    "  }\n"
    "}\n";

enum { COUNT = 100 };

static tawa_runtime_t runtime;

static float *device_vector(float value) {
  float host[COUNT];
  void *address = NULL;
  int i;
  for (i = 0; i < COUNT; ++i)
    host[i] = value;
  CHECK_STATUS(TAWA_OK, tawa_memory_allocate(runtime, sizeof host, &address, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_in(runtime, address, host, sizeof host, &error));
  return address;
}

/* The value that all elements have; -1 where they differ. */
static float value_of(const float *address) {
  float host[COUNT];
  int i;
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_out(runtime, host, address, sizeof host, &error));
  for (i = 1; i < COUNT; ++i)
    if (host[i] != host[0])
      return -1;
  return host[0];
}

static tawa_kernel_t compiled(const tawa_arg_t *args) {
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_kernel_t kernel = NULL;
  request.text = text;
  request.text_len = sizeof text - 1;
  request.args = args;
  request.num_args = 4;
  CHECK_STATUS(TAWA_OK, tawa_compile(runtime, &request, &kernel, &error));
  return kernel;
}

static tawa_binding_t bound(tawa_kernel_t kernel, const tawa_arg_t *args) {
  tawa_binding_t binding = NULL;
  CHECK_STATUS(TAWA_OK, tawa_bind(kernel, args, 4, NULL, &binding, &error));
  return binding;
}

static void fill_args(tawa_arg_t *args, float *x, float *y, int n) {
  args[0] = tawa_vector(TAWA_F32, x, n);
  args[1] = tawa_vector(TAWA_F32, y, n);
  args[2] = tawa_i32(n);
  args[3] = tawa_f32(2.0f);
}

static void addresses_may_change(tawa_kernel_t kernel) {
  float *x = device_vector(1), *y = device_vector(0), *other = device_vector(3), *result = device_vector(0);
  void *data[2];
  tawa_arg_t args[4];
  tawa_binding_t binding;
  fill_args(args, x, y, COUNT);
  binding = bound(kernel, args);
  CHECK(tawa_binding_launch(binding, NULL, 0, NULL) == TAWA_OK);
  CHECK(value_of(y) == 2);
  data[0] = other, data[1] = result;
  CHECK(tawa_binding_launch(binding, data, 2, NULL) == TAWA_OK);
  CHECK(value_of(result) == 6 && value_of(y) == 2);
  data[0] = result, data[1] = y;
  CHECK(tawa_binding_launch(binding, data, 2, NULL) == TAWA_OK);
  CHECK(value_of(y) == 12);
  CHECK(tawa_binding_launch(binding, NULL, 0, NULL) == TAWA_OK); /* the addresses of the binding again */
  CHECK(value_of(y) == 2);
  tawa_binding_retain(binding);
  tawa_binding_release(binding);
  tawa_kernel_release(kernel); /* the binding keeps it */
  CHECK(tawa_binding_launch(binding, data, 2, NULL) == TAWA_OK);
  CHECK(value_of(y) == 12);
  tawa_binding_release(binding);
}

static void wrong_addresses_change_nothing(tawa_kernel_t kernel) {
  float *x = device_vector(1), *y = device_vector(0);
  void *data[2];
  tawa_arg_t args[4];
  tawa_binding_t binding;
  fill_args(args, x, y, COUNT);
  binding = bound(kernel, args);
  data[0] = x + 1, data[1] = x;
  CHECK(tawa_binding_launch(binding, data, 2, NULL) == TAWA_E_INVALID_ARGUMENT);
  CHECK(strstr(tawa_last_launch_error(), "argument 'x'") && strstr(tawa_last_launch_error(), "multiple of 16"));
  CHECK(tawa_binding_launch(binding, data, 1, NULL) == TAWA_E_INVALID_ARGUMENT);
  CHECK(strstr(tawa_last_launch_error(), "1 addresses for 2 tensors") != NULL);
  CHECK(tawa_binding_launch(binding, NULL, 0, NULL) == TAWA_OK);
  CHECK(value_of(y) == 2 && value_of(x) == 1);
  CHECK(strcmp(tawa_last_launch_error(), "") == 0);
  tawa_binding_release(binding);
}

static void what_a_launch_refuses_binding_does_too(tawa_kernel_t kernel) {
  tawa_arg_t args[4];
  tawa_binding_t binding = NULL;
  tawa_launch_plan_t plan = TAWA_LAUNCH_PLAN_INIT;
  fill_args(args, NULL, NULL, COUNT);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_bind(kernel, args, 3, NULL, &binding, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_bind(kernel, args, 4, NULL, NULL, &error));
  args[1] = tawa_vector(TAWA_F16, NULL, COUNT);
  CHECK_STATUS(TAWA_E_SHAPE_MISMATCH, tawa_bind(kernel, args, 4, NULL, &binding, &error));
  CHECK(binding == NULL);
  fill_args(args, NULL, NULL, 0); /* a grid of no CTAs */
  binding = bound(kernel, args);
  CHECK(tawa_binding_launch(binding, NULL, 0, NULL) == TAWA_OK);
  CHECK_STATUS(TAWA_E_UNSUPPORTED, tawa_binding_plan(binding, NULL, 0, &plan, &error));
  tawa_binding_release(binding);
  CHECK(tawa_binding_launch(NULL, NULL, 0, NULL) == TAWA_E_INVALID_ARGUMENT);
  tawa_binding_release(NULL);
}

struct job {
  tawa_binding_t binding;
  void *data[2];
};

static void *launch_often(void *given) {
  struct job *job = given;
  int i;
  for (i = 0; i < 50; ++i)
    if (tawa_binding_launch(job->binding, job->data, 2, NULL) != TAWA_OK)
      return job;
  return NULL;
}

static void threads_may_share_one(tawa_kernel_t kernel) {
  enum { THREADS = 4 };
  struct job jobs[THREADS];
  pthread_t threads[THREADS];
  void *failed = NULL;
  tawa_arg_t args[4];
  int i;
  fill_args(args, NULL, NULL, COUNT);
  jobs[0].binding = bound(kernel, args);
  for (i = 0; i < THREADS; ++i) {
    jobs[i].binding = jobs[0].binding;
    jobs[i].data[0] = device_vector((float)(i + 1));
    jobs[i].data[1] = device_vector(0);
    pthread_create(&threads[i], NULL, launch_often, &jobs[i]);
  }
  for (i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], &failed);
    CHECK(failed == NULL);
    CHECK(value_of(jobs[i].data[1]) == (float)(2 * (i + 1)));
  }
  tawa_binding_release(jobs[0].binding);
}

int main(void) {
  tawa_kernel_t kernel;
  tawa_arg_t args[4];
  runtime = open_emulator();
  fill_args(args, NULL, NULL, COUNT);
  args[0].shape[0] = args[1].shape[0] = TAWA_UNKNOWN;
  kernel = compiled(args);
  if (failures)
    return 1;
  CHECK_STATUS(TAWA_OK, tawa_kernel_load(kernel, NULL, &error)); /* nothing to do, and no mistake */
  CHECK_STATUS(TAWA_OK, tawa_runtime_check(runtime, &error));
  wrong_addresses_change_nothing(kernel);
  what_a_launch_refuses_binding_does_too(kernel);
  threads_may_share_one(kernel);
  addresses_may_change(kernel); /* releases the kernel */
  tawa_runtime_release(runtime);
  return failures != 0;
}
