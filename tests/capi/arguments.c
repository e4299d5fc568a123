/* The shorthands of tawa.h: what they fill in, and a kernel that takes one argument of each. */
#include "check.h"

static const char text[] = "// tawa.grid 1\n"
                           "module {\n"
                           "  tt.func public @mix(%out: !tt.ptr<f64>, %a: f32, %b: f64, %c: i64, %d: i32) {\n"
                           "    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
                           "    %base = tt.splat %out : !tt.ptr<f64> -> tensor<32x!tt.ptr<f64>>\n"
                           "    %place = tt.addptr %base, %range : tensor<32x!tt.ptr<f64>>, tensor<32xi32>\n"
                           "    %fa = arith.extf %a : f32 to f64\n"
                           "    %fc = arith.sitofp %c : i64 to f64\n"
                           "    %fd = arith.sitofp %d : i32 to f64\n"
                           "    %ab = arith.addf %fa, %b : f64\n"
                           "    %cd = arith.addf %fc, %fd : f64\n"
                           "    %sum = arith.addf %ab, %cd : f64\n"
                           "    %values = tt.splat %sum : f64 -> tensor<32xf64>\n"
                           "    tt.store %place, %values : tensor<32x!tt.ptr<f64>>\n"
                           "    tt.return\n"
                           "  }\n"
                           "}\n";

static int is_tensor(tawa_arg_t arg, uint32_t rank, int64_t d0, int64_t d1, int64_t d2) {
  return arg.kind == TAWA_ARG_TENSOR && arg.struct_size == sizeof(tawa_arg_t) && arg.rank == rank &&
         arg.shape[0] == d0 && arg.shape[1] == d1 && arg.shape[2] == d2;
}

static void shapes_are_filled_in(void) {
  const int64_t shape[4] = {2, 3, 4, 5};
  int64_t many[TAWA_MAX_RANK + 1] = {0};
  tawa_arg_t four = tawa_tensor(TAWA_BF16, NULL, 4, shape);
  tawa_kernel_t kernel = NULL;
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_arg_t args[5];
  tawa_runtime_t runtime = open_emulator();
  CHECK(is_tensor(four, 4, 2, 3, 4) && four.shape[3] == 5 && four.dtype == TAWA_BF16);
  CHECK(is_tensor(tawa_vector(TAWA_F16, NULL, 7), 1, 7, 0, 0));
  CHECK(is_tensor(tawa_matrix(TAWA_F16, NULL, 7, 8), 2, 7, 8, 0));
  CHECK(is_tensor(tawa_tensor3(TAWA_F16, NULL, 7, 8, 9), 3, 7, 8, 9));
  CHECK(is_tensor(tawa_pointer(TAWA_F16, NULL), 0, 0, 0, 0));
  args[0] = tawa_tensor(TAWA_F64, NULL, TAWA_MAX_RANK + 1, many); /* for the call to refuse */
  args[1] = args[2] = args[3] = args[4] = tawa_i32(0);
  request.text = text;
  request.text_len = sizeof text - 1;
  request.args = args;
  request.num_args = 5;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
  tawa_runtime_release(runtime);
}

/* Compiles with d = 4 built in, launches with `args`; out[0], or 0 where a call failed. */
static double run(tawa_runtime_t runtime, tawa_arg_t *args) {
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_kernel_t kernel = NULL;
  double out[32] = {0};
  void *memory = NULL;
  CHECK_STATUS(TAWA_OK, tawa_memory_allocate(runtime, sizeof out, &memory, &error));
  args[0].data = memory;
  request.text = text;
  request.text_len = sizeof text - 1;
  request.args = args;
  request.num_args = 5;
  CHECK_STATUS(TAWA_OK, tawa_compile(runtime, &request, &kernel, &error));
  CHECK(tawa_launch(kernel, args, 5, NULL, NULL) == TAWA_OK);
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_out(runtime, out, memory, sizeof out, &error));
  tawa_kernel_release(kernel);
  tawa_memory_free(runtime, memory, NULL);
  return out[31];
}

static void a_kernel_takes_one_of_each(void) {
  tawa_runtime_t runtime = open_emulator();
  tawa_arg_t args[5];
  args[1] = tawa_f32(0.25f);
  args[2] = tawa_f64(0.5);
  args[3] = tawa_i64((int64_t)1 << 40);
  args[4] = tawa_constant(tawa_i32(4));
  args[0] = tawa_vector(TAWA_F64, NULL, 32);
  CHECK(run(runtime, args) == 1099511627780.75);
  args[0] = tawa_pointer(TAWA_F64, NULL);
  args[2] = tawa_constant(tawa_number(TAWA_F64, 1.5));
  args[4] = tawa_integer(TAWA_I32, -4);
  CHECK(run(runtime, args) == 1099511627773.75);
  tawa_runtime_release(runtime);
}

int main(void) {
  shapes_are_filled_in();
  a_kernel_takes_one_of_each();
  return failures != 0;
}
