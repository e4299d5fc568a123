/* Candidates that do harm, among right ones: each is a row that says why, the right one wins, and the process that
 * asked, its kernels and its device's memory are as before. On a GPU (TAWA_DEVICE=cuda) the harm is real: faults that
 * end a context, a kernel that never ends. usage: planted WORKER, a program that calls tawa_tune_worker() */
#define _XOPEN_SOURCE 700
#include "check.h"

enum { LENGTH = 4096 };
static const char text[] =
    "// tawa.param HARM = 0 | 1 | 2 | 3 | 4 | 5 | 6\n"
    "// tawa.grid 16\n"
    "tt.func public @doubled(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {\n"
    "  %harm = arith.constant ${HARM} : i32\n"
    "  %zero = arith.constant 0 : i32\n"
    "  %one = arith.constant 1 : i32\n"
    "  %two = arith.constant 2 : i32\n"
    "  %three = arith.constant 3 : i32\n"
    "  %four = arith.constant 4 : i32\n"
    "  %five = arith.constant 5 : i32\n"
    "  %six = arith.constant 6 : i32\n"
    "  %most = arith.constant 2147483647 : i32\n"
    "  %size = arith.constant 256 : i32\n"
    "  %far = arith.constant dense<1073741824> : tensor<256xi32>\n"
    "  %none = arith.constant dense<0.0> : tensor<256xf32>\n"
    "  %p = tt.get_program_id x : i32\n"
    "  %start = arith.muli %p, %size : i32\n"
    "  %is_late = arith.cmpi eq, %harm, %two : i32\n" /* 2: one element past the tensor */
    "  %shift = arith.select %is_late, %one, %zero : i32\n"
    "  %first = arith.addi %start, %shift : i32\n"
    "  %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>\n"
    "  %begin = tt.splat %start : i32 -> tensor<256xi32>\n"
    "  %index = arith.addi %range, %begin : tensor<256xi32>\n"
    "  %late = tt.splat %first : i32 -> tensor<256xi32>\n"
    "  %out = arith.addi %range, %late : tensor<256xi32>\n"
    "  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>\n"
    "  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>\n"
    "  %xp = tt.addptr %xs, %index : tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
    "  %yp = tt.addptr %ys, %out : tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
    "  %value = tt.load %xp : tensor<256x!tt.ptr<f32>>\n"
    "  %twice = arith.addf %value, %value : tensor<256xf32>\n"
    "  %is_wrong = arith.cmpi eq, %harm, %one : i32\n" /* 1: a wrong number */
    "  %wrong = tt.splat %is_wrong : i1 -> tensor<256xi1>\n"
    "  %result = arith.select %wrong, %value, %twice : tensor<256xi1>, tensor<256xf32>\n"
    "  %hangs = arith.cmpi eq, %harm, %three : i32\n" /* 3: no end in sight */
    "  scf.if %hangs {\n"
    "    %sum = scf.for %i = %zero to %most step %one iter_args(%s = %none) -> (tensor<256xf32>) : i32 {\n"
    "      %inner = scf.for %j = %zero to %most step %one iter_args(%t = %s) -> (tensor<256xf32>) : i32 {\n"
    "        %again = tt.load %xp {isVolatile = true} : tensor<256x!tt.ptr<f32>>\n"
    "        %next = arith.addf %t, %again : tensor<256xf32>\n"
    "        scf.yield %next : tensor<256xf32>\n"
    "      }\n"
    "      scf.yield %inner : tensor<256xf32>\n"
    "    }\n"
    "    tt.store %yp, %sum : tensor<256x!tt.ptr<f32>>\n"
    "  }\n"
    "  %strays = arith.cmpi eq, %harm, %five : i32\n" /* 5: far away from everything */
    "  scf.if %strays {\n"
    "    %away = tt.addptr %yp, %far : tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
    "    %further = tt.addptr %away, %far : tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
    "    tt.store %further, %result : tensor<256x!tt.ptr<f32>>\n"
    "  }\n"
    "  %traps = arith.cmpi eq, %harm, %six : i32\n" /* 6: a trap */
    "  scf.if %traps {\n"
    "    %holds = arith.cmpi slt, %index, %range : tensor<256xi32>\n"
    "    tt.assert %holds, \"planted\" : tensor<256xi1>\n"
    "  }\n"
    "  %writes = arith.cmpi ne, %harm, %four : i32\n" /* 4: nothing at all */
    "  scf.if %writes {\n"
    "    tt.store %yp, %result : tensor<256x!tt.ptr<f32>>\n"
    "  }\n"
    "  tt.return\n"
    "}\n";

static tawa_compile_request_t request_for(tawa_arg_t *args) {
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  int i;
  for (i = 0; i < 2; ++i) {
    const tawa_arg_t blank = TAWA_ARG_INIT;
    args[i] = blank;
    args[i].dtype = TAWA_F32;
    args[i].rank = 1;
    args[i].shape[0] = LENGTH;
  }
  request.text = text;
  request.text_len = sizeof text - 1;
  request.args = args;
  request.num_args = 2;
  return request;
}

/* A kernel and its memory, from before the search on. */
struct bystander {
  tawa_kernel_t kernel;
  tawa_arg_t args[2];
};

static struct bystander settle(tawa_runtime_t runtime) {
  static float numbers[LENGTH];
  struct bystander here = {NULL, {TAWA_ARG_INIT, TAWA_ARG_INIT}};
  tawa_compile_request_t request = request_for(here.args);
  int i;
  request.config = "HARM=0";
  CHECK_STATUS(TAWA_OK, tawa_compile(runtime, &request, &here.kernel, &error));
  for (i = 0; i < LENGTH; ++i)
    numbers[i] = (float)i;
  for (i = 0; i < 2; ++i)
    CHECK_STATUS(TAWA_OK, tawa_memory_allocate(runtime, sizeof numbers, &here.args[i].data, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_in(runtime, here.args[0].data, numbers, sizeof numbers, &error));
  return here;
}

static void is_well(tawa_runtime_t runtime, const struct bystander *here) {
  static float numbers[LENGTH];
  int i, wrong = 0;
  CHECK_STATUS(TAWA_OK, tawa_memory_fill(runtime, here->args[1].data, 0xff, sizeof numbers, &error));
  CHECK(tawa_launch(here->kernel, here->args, 2, NULL, NULL) == TAWA_OK);
  CHECK_STATUS(TAWA_OK, tawa_synchronize(runtime, NULL, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_out(runtime, numbers, here->args[1].data, sizeof numbers, &error));
  for (i = 0; i < LENGTH; ++i)
    wrong += numbers[i] != 2 * (float)i;
  CHECK(wrong == 0);
}

/* Every planted one fails with a reason; the right ones do not. */
static void look_at(tawa_tune_result_t result) {
  unsigned i, failed = 0, right = 0;
  for (i = 0; i < tawa_tune_result_count(result); ++i) {
    tawa_tune_row_t row = TAWA_TUNE_ROW_INIT;
    CHECK(tawa_tune_result_row(result, i, &row) == TAWA_OK);
    printf("%-40.40s outcome %d, %8.2f us %s\n", row.config, (int)row.outcome, row.median_us, row.reason);
    failed += row.outcome == TAWA_TUNE_FAILED && *row.reason && !strstr(row.config, "HARM=0 ");
    right += (row.outcome == TAWA_TUNE_MEASURED || row.outcome == TAWA_TUNE_VERIFIED) && strstr(row.config, "HARM=0 ");
  }
  CHECK(failed == 6 && right == 2);
  CHECK(strstr(tawa_tune_result_best(result), "HARM=0 ") != NULL);
}

int main(int argc, char **argv) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_tune_options_t tune = TAWA_TUNE_OPTIONS_INIT;
  tawa_tune_result_t result = NULL;
  tawa_runtime_t runtime = NULL;
  tawa_arg_t args[2];
  tawa_compile_request_t request = request_for(args);
  struct bystander here;
  if (argc != 2)
    return 2;
  options.cache_dir = "";
  CHECK_STATUS(TAWA_OK, tawa_runtime_create(&options, &runtime, &error));
  here = settle(runtime);
  is_well(runtime, &here);
  tune.worker = argv[1];
  tune.candidate_seconds = 4;
  tune.configs = "HARM=0\nHARM=1\nHARM=2\nHARM=3\nHARM=4\nHARM=5\nHARM=6\nHARM=0 warps=8";
  CHECK_STATUS(TAWA_OK, tawa_tune(runtime, &request, &tune, &result, &error));
  look_at(result);
  tawa_tune_result_release(result);
  is_well(runtime, &here);
  tawa_kernel_release(here.kernel);
  CHECK_STATUS(TAWA_OK, tawa_memory_free(runtime, here.args[0].data, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_free(runtime, here.args[1].data, &error));
  tawa_runtime_release(runtime);
  return failures != 0;
}
