/* On a GPU: the plan of a launch is what the driver needs to launch the kernel itself, a kernel that was loaded can be
 * captured in a CUDA graph, and a context that a fault has broken says so. Skipped (77) where there is no Hopper GPU.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <dlfcn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] = "// tawa.grid ceildiv(n, 32)\n"
                           "module {\n"
                           "  tt.func public @number(%out: !tt.ptr<i32>, %n: i32, %base: i32) {\n"
                           "    %size = arith.constant 32 : i32\n"
                           "    %program = tt.get_program_id x : i32\n"
                           "    %begin = arith.muli %program, %size : i32\n"
                           "    %first = tt.splat %begin : i32 -> tensor<32xi32>\n"
                           "    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
                           "    %at = arith.addi %first, %range : tensor<32xi32>\n"
                           "    %plus = tt.splat %base : i32 -> tensor<32xi32>\n"
                           "    %value = arith.addi %at, %plus : tensor<32xi32>\n"
                           "    %to = tt.splat %out : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>\n"
                           "    %place = tt.addptr %to, %at : tensor<32x!tt.ptr<i32>>, tensor<32xi32>\n"
                           "    tt.store %place, %value : tensor<32x!tt.ptr<i32>>\n"
                           "    tt.return\n"
                           "  }\n"
                           "}\n";

enum { COUNT = 64 };

/* The driver's functions that are called here; each returns 0 where it succeeds. */
static struct {
  int (*launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                unsigned shared, void *stream, void **params, void **extra);
  int (*stream_create)(void **stream, unsigned flags);
  int (*begin_capture)(void *stream, int mode);
  int (*end_capture)(void *stream, void **graph);
  int (*instantiate)(void **executable, void *graph, unsigned long long flags);
  int (*graph_launch)(void *executable, void *stream);
  int (*context_create)(void **context, unsigned flags, int device);
  int (*retain_primary)(void **context, int device);
  int (*set_current)(void *context);
} cuda;

static int load_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    return 0;
  *(void **)&cuda.launch = dlsym(library, "cuLaunchKernel");
  *(void **)&cuda.stream_create = dlsym(library, "cuStreamCreate");
  *(void **)&cuda.begin_capture = dlsym(library, "cuStreamBeginCapture_v2");
  *(void **)&cuda.end_capture = dlsym(library, "cuStreamEndCapture");
  *(void **)&cuda.instantiate = dlsym(library, "cuGraphInstantiateWithFlags");
  *(void **)&cuda.graph_launch = dlsym(library, "cuGraphLaunch");
  *(void **)&cuda.context_create = dlsym(library, "cuCtxCreate_v2");
  *(void **)&cuda.retain_primary = dlsym(library, "cuDevicePrimaryCtxRetain");
  *(void **)&cuda.set_current = dlsym(library, "cuCtxSetCurrent");
  return cuda.launch && cuda.stream_create && cuda.begin_capture && cuda.end_capture && cuda.instantiate &&
         cuda.graph_launch && cuda.context_create && cuda.retain_primary && cuda.set_current;
}

static tawa_runtime_t runtime;
static tawa_kernel_t kernel;

static tawa_runtime_t open_gpu(void) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_runtime_t opened = NULL;
  options.device = "cuda";
  options.cache_dir = "";
  tawa_runtime_create(&options, &opened, NULL);
  return opened;
}

static void compile_kernel(void) {
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_arg_t args[3];
  args[0] = tawa_pointer(TAWA_I32, NULL);
  args[1] = args[2] = tawa_i32(0);
  request.text = text;
  request.text_len = sizeof text - 1;
  request.args = args;
  request.num_args = 3;
  CHECK_STATUS(TAWA_OK, tawa_compile(runtime, &request, &kernel, &error));
}

static void *device_memory(void) {
  void *address = NULL;
  CHECK_STATUS(TAWA_OK, tawa_memory_allocate(runtime, COUNT * 4, &address, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_fill(runtime, address, 0, COUNT * 4, &error));
  return address;
}

static tawa_binding_t bound(void *address, int base) {
  tawa_binding_t binding = NULL;
  tawa_arg_t args[3];
  args[0] = tawa_pointer(TAWA_I32, address);
  args[1] = tawa_i32(COUNT);
  args[2] = tawa_i32(base);
  CHECK_STATUS(TAWA_OK, tawa_bind(kernel, args, 3, NULL, &binding, &error));
  return binding;
}

static int holds_numbers_from(void *address, int base) {
  int32_t host[COUNT];
  int i;
  CHECK_STATUS(TAWA_OK, tawa_synchronize(runtime, NULL, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_out(runtime, host, address, sizeof host, &error));
  for (i = 0; i < COUNT; ++i)
    if (host[i] != base + i)
      return 0;
  return 1;
}

static void launches_have_the_addresses_given(void) {
  void *first = device_memory(), *second = device_memory();
  tawa_binding_t binding = bound(first, 100);
  CHECK(tawa_binding_launch(binding, &second, 1, NULL) == TAWA_OK);
  CHECK(holds_numbers_from(second, 100));
  CHECK(!holds_numbers_from(first, 100));
  CHECK(tawa_binding_launch(binding, NULL, 0, NULL) == TAWA_OK);
  CHECK(holds_numbers_from(first, 100));
  tawa_binding_release(binding);
}

static void the_driver_launches_a_plan(void) {
  void *memory = device_memory(), *other = device_memory(), *context = NULL, *params[8];
  tawa_binding_t binding = bound(memory, 7);
  tawa_launch_plan_t plan = TAWA_LAUNCH_PLAN_INIT;
  uint32_t i;
  CHECK(cuda.retain_primary(&context, 0) == 0 && cuda.set_current(context) == 0);
  CHECK_STATUS(TAWA_OK, tawa_binding_plan(binding, &other, 1, &plan, &error));
  CHECK(plan.grid[0] == 2 && plan.grid[1] == 1 && plan.block[0] % 32 == 0 && plan.num_parameters == 2);
  CHECK(plan.sizes[0] == 8 && plan.sizes[1] == 4 && plan.parameter_bytes == 12); /* n is not used */
  for (i = 0; i < plan.num_parameters; ++i)
    params[i] = (char *)plan.parameters + plan.offsets[i];
  CHECK(cuda.launch(plan.function, plan.grid[0], plan.grid[1], plan.grid[2], plan.block[0], 1, 1, plan.shared_bytes,
                    NULL, params, NULL) == 0);
  CHECK(holds_numbers_from(other, 7));
  tawa_binding_release(binding);
}

static void loaded_kernels_can_be_captured(void) {
  void *memory, *context = NULL, *stream = NULL, *graph = NULL, *executable = NULL;
  tawa_binding_t binding;
  CHECK(cuda.context_create(&context, 0, 0) == 0); /* current from now on: the kernel is not loaded in it */
  memory = device_memory();
  binding = bound(memory, 5);
  CHECK(cuda.stream_create(&stream, 1) == 0);
  CHECK(cuda.begin_capture(stream, 2) == 0);
  CHECK(tawa_binding_launch(binding, NULL, 0, stream) == TAWA_E_CAPTURE_UNSAFE);
  CHECK(cuda.end_capture(stream, &graph) == 0);
  CHECK_STATUS(TAWA_OK, tawa_kernel_load(kernel, context, &error));
  CHECK(cuda.begin_capture(stream, 2) == 0);
  CHECK_STATUS(TAWA_OK, tawa_runtime_check(runtime, &error));
  CHECK(tawa_binding_launch(binding, NULL, 0, stream) == TAWA_OK);
  CHECK(cuda.end_capture(stream, &graph) == 0);
  CHECK(cuda.instantiate(&executable, graph, 0) == 0);
  CHECK(cuda.graph_launch(executable, stream) == 0);
  CHECK_STATUS(TAWA_OK, tawa_synchronize(runtime, stream, &error));
  CHECK(holds_numbers_from(memory, 5));
  tawa_binding_release(binding);
}

/* In a process of its own, since nothing runs in the context afterwards. */
static int a_broken_context_says_so(void) {
  tawa_binding_t binding;
  runtime = open_gpu();
  compile_kernel();
  CHECK_STATUS(TAWA_OK, tawa_runtime_check(runtime, &error));
  binding = bound((void *)16, 0);
  CHECK(tawa_binding_launch(binding, NULL, 0, NULL) == TAWA_OK);
  CHECK_STATUS(TAWA_E_CUDA, tawa_synchronize(runtime, NULL, &error));
  CHECK_STATUS(TAWA_E_CUDA, tawa_runtime_check(runtime, &error));
  return failures != 0;
}

int main(void) {
  pid_t child = fork();
  int result = -1;
  if (child == 0) {
    if (!load_driver() || !(runtime = open_gpu()))
      _exit(77);
    tawa_runtime_release(runtime);
    _exit(a_broken_context_says_so());
  }
  CHECK(waitpid(child, &result, 0) == child && WIFEXITED(result));
  if (WEXITSTATUS(result) == 77) {
    printf("no Hopper GPU: skipped\n");
    return 77;
  }
  CHECK(WEXITSTATUS(result) == 0);
  load_driver();
  runtime = open_gpu();
  compile_kernel();
  if (failures)
    return 1;
  launches_have_the_addresses_given();
  the_driver_launches_a_plan();
  loaded_kernels_can_be_captured();
  tawa_kernel_release(kernel);
  tawa_runtime_release(runtime);
  return failures != 0;
}
