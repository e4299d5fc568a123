/* A kernel from text to launch on the emulator, through every entry that has something to say about it; and the shapes
 * and numbers that its launches must refuse. */
#include "check.h"

enum { M = 128, N = 128, K = 64 };
static uint16_t zeros[M * N];

static void signature(const char *text, size_t size) {
  tawa_signature_t read = NULL;
  tawa_arg_info_t info = TAWA_ARG_INFO_INIT;
  CHECK_STATUS(TAWA_OK, tawa_signature_read(text, size, "gemm.mlir", &read, &error));
  CHECK(strlen(tawa_signature_entry(read)) > 0);
  CHECK(tawa_signature_argument_count(read) == 6);
  CHECK(tawa_signature_argument(read, 0, &info) == TAWA_OK);
  CHECK(info.kind == TAWA_ARG_TENSOR && info.dtype == TAWA_F16 && info.rank == 2 && strcmp(info.name, "a") == 0);
  CHECK(tawa_signature_argument(read, 3, &info) == TAWA_OK);
  CHECK(info.kind == TAWA_ARG_SCALAR && info.dtype == TAWA_I32 && strcmp(info.name, "M") == 0);
  CHECK(tawa_signature_argument(read, 6, &info) == TAWA_E_INVALID_ARGUMENT);
  tawa_signature_release(read);
}

static void facts(tawa_kernel_t kernel) {
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  tawa_arg_info_t arg = TAWA_ARG_INFO_INIT;
  tawa_role_info_t role = TAWA_ROLE_INFO_INIT;
  tawa_ring_info_t ring = TAWA_RING_INFO_INIT;
  tawa_phase_info_t phase = TAWA_PHASE_INFO_INIT;
  const char *const drivers[] = {"context", "link", "load"}; /* the last phases */
  const void *data = NULL;
  void *function = &info;
  size_t size = 0;
  double total = 0;
  uint32_t i;
  CHECK(tawa_kernel_info(kernel, &info) == TAWA_OK);
  CHECK(strlen(info.entry) > 0 && strlen(info.content_hash) == 32);
  CHECK(strstr(info.config, "D=3") && strstr(info.config, "P=2"));
  CHECK(info.ring_depth == 3 && info.mma_depth == 2);
  CHECK(info.threads % 32 == 0 && info.threads > 0 && info.shared_bytes > 0);
  CHECK(info.num_args == 6 && info.num_roles >= 2 && info.num_rings >= 1 && info.num_phases >= 3);
  CHECK(tawa_kernel_argument(kernel, 5, &arg) == TAWA_OK && strcmp(arg.name, "K") == 0);
  for (i = 0; i < info.num_roles; ++i)
    CHECK(tawa_kernel_role(kernel, i, &role) == TAWA_OK && role.warps > 0 && strlen(role.name) > 0);
  for (i = 0; i < info.num_rings; ++i)
    CHECK(tawa_kernel_ring(kernel, i, &ring) == TAWA_OK && ring.depth == 3 && ring.slot_bytes > 0);
  for (i = 0; i < info.num_phases; ++i) {
    CHECK(tawa_kernel_phase(kernel, i, &phase) == TAWA_OK && strlen(phase.name) > 0 && phase.milliseconds >= 0);
    total += phase.milliseconds;
    if (i + 3 >= info.num_phases)
      CHECK(strcmp(phase.name, drivers[i + 3 - info.num_phases]) == 0);
  }
  CHECK(total > 0);
  CHECK(tawa_kernel_role(kernel, info.num_roles, &role) == TAWA_E_INVALID_ARGUMENT);
  CHECK_STATUS(TAWA_OK, tawa_kernel_artifact(kernel, TAWA_STAGE_HOST_OBJECT, &data, &size, &error));
  CHECK(size > 4 && memcmp(data, "\177ELF", 4) == 0);
  CHECK_STATUS(TAWA_E_UNSUPPORTED, tawa_kernel_artifact(kernel, TAWA_STAGE_PTX, &data, &size, &error));
  CHECK_STATUS(TAWA_E_UNSUPPORTED, tawa_kernel_function(kernel, &function, &error));
  CHECK(function == NULL);
}

static void expect_refused(tawa_kernel_t kernel, const tawa_arg_t *args, uint32_t count, tawa_status_t status,
                           const char *words) {
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  options.grid[0] = 1;
  CHECK(tawa_launch(kernel, args, count, NULL, &options) == status);
  if (!strstr(tawa_last_launch_error(), words)) {
    fprintf(stderr, "expected '%s' in: %s\n", words, tawa_last_launch_error());
    ++failures;
  }
}

static void refused_launches(tawa_kernel_t kernel, const tawa_arg_t *good) {
  tawa_arg_t args[6];
  double time = 0;
#define RESET memcpy(args, good, sizeof args)
  RESET, args[1].shape[0] = 127;
  expect_refused(kernel, args, 6, TAWA_E_SHAPE_MISMATCH, "argument 'b': dimension 0 is 127");
  RESET, args[0].dtype = TAWA_BF16;
  expect_refused(kernel, args, 6, TAWA_E_SHAPE_MISMATCH, "argument 'a': has type bf16");
  RESET, args[2].data = (char *)args[2].data + 2;
  expect_refused(kernel, args, 6, TAWA_E_INVALID_ARGUMENT, "argument 'c': address");
  RESET, args[3] = args[0];
  expect_refused(kernel, args, 6, TAWA_E_INVALID_ARGUMENT, "argument 'M': is a tensor");
  RESET;
  expect_refused(kernel, args, 5, TAWA_E_INVALID_ARGUMENT, "takes 6 arguments");
  CHECK(tawa_launch(kernel, args, 6, NULL, NULL) == TAWA_E_INVALID_ARGUMENT); /* without a grid */
  CHECK(strstr(tawa_last_launch_error(), "tawa.grid") != NULL);
  CHECK_STATUS(TAWA_E_UNSUPPORTED, tawa_launch_timed(kernel, args, 6, NULL, NULL, 0, 1, &time, &error));
}

static void launches(tawa_runtime_t runtime, tawa_kernel_t kernel, const tawa_arg_t *args) {
  static const char *const schedules[] = {"eager", "wgmma-late", "late-random:7"};
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  uint16_t *result = malloc(sizeof zeros);
  size_t i, s;
  options.grid[0] = 1;
  for (s = 0; s < 3; ++s) {
    options.emulator_schedule = schedules[s];
    CHECK_STATUS(TAWA_OK, tawa_memory_fill(runtime, args[2].data, 0xff, sizeof zeros, &error));
    CHECK(tawa_launch(kernel, args, 6, NULL, &options) == TAWA_OK);
    CHECK(strcmp(tawa_last_launch_error(), "") == 0);
    CHECK_STATUS(TAWA_OK, tawa_memory_copy_out(runtime, result, args[2].data, sizeof zeros, &error));
    for (i = 0; i < M * N && result[i] == 0; ++i)
      ;
    CHECK(i == M * N); /* zero matrices give zero, where there were NaNs before */
  }
  options.emulator_schedule = "whenever";
  CHECK(tawa_launch(kernel, args, 6, NULL, &options) == TAWA_E_INVALID_ARGUMENT);
  free(result);
}

/* Host memory is no tensor until it is registered, and only as much of it as was. */
static void host_memory(tawa_runtime_t runtime, tawa_kernel_t kernel, const tawa_arg_t *good) {
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  uint16_t *host = malloc(sizeof zeros);
  tawa_arg_t args[6];
  options.grid[0] = 1;
  memcpy(args, good, sizeof args);
  memset(host, 0xff, sizeof zeros);
  args[2].data = host;
  expect_refused(kernel, args, 6, TAWA_E_INVALID_ARGUMENT, "tawa_memory_register()");
  CHECK(host[0] == 0xffff);
  args[2].data = (void *)(uintptr_t)4096;
  expect_refused(kernel, args, 6, TAWA_E_INVALID_ARGUMENT, "argument 'c': address 4096 is in no memory");
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_register(runtime, NULL, 16, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_register(runtime, host, sizeof zeros - 2, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_register(runtime, host, 2, &error));
  args[2].data = host;
  expect_refused(kernel, args, 6, TAWA_E_INVALID_ARGUMENT, "leaves its registered memory");
  CHECK_STATUS(TAWA_OK, tawa_memory_unregister(runtime, host, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_register(runtime, host, sizeof zeros, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_free(runtime, host, &error));
  CHECK(tawa_launch(kernel, args, 6, NULL, &options) == TAWA_OK);
  CHECK(host[0] == 0 && host[M * N - 1] == 0);
  CHECK_STATUS(TAWA_OK, tawa_memory_unregister(runtime, host, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_unregister(runtime, host, &error));
  expect_refused(kernel, args, 6, TAWA_E_INVALID_ARGUMENT, "tawa_memory_register()");
  free(host);
}

static void stages(tawa_runtime_t runtime, const tawa_compile_request_t *request) {
  char *first = NULL;
  char *second = NULL;
  size_t size = 0;
  int stage;
  for (stage = TAWA_STAGE_TTIR; stage <= TAWA_STAGE_PTX; ++stage) {
    CHECK_STATUS(TAWA_OK, tawa_emit(runtime, request, (tawa_stage_t)stage, &first, &size, &error));
    CHECK(first && strlen(first) == size && size > 100);
    CHECK(stage != TAWA_STAGE_PTX || (first && strstr(first, ".target sm_90a")));
    CHECK_STATUS(TAWA_OK, tawa_emit(runtime, request, (tawa_stage_t)stage, &second, NULL, &error));
    CHECK(first && second && strcmp(first, second) == 0); /* the same input gives the same text */
    tawa_free(first);
    tawa_free(second);
  }
  CHECK_STATUS(TAWA_OK, tawa_emit(runtime, request, TAWA_STAGE_HOST_OBJECT, &first, &size, &error));
  CHECK(size > 4 && memcmp(first, "\177ELF", 4) == 0);
  tawa_free(first);
  if (tawa_emit(runtime, request, TAWA_STAGE_CUBIN, &first, &size, NULL) == TAWA_OK) { /* ptxas is installed */
    CHECK(size > 4 && memcmp(first, "\177ELF", 4) == 0);
    tawa_free(first);
  } else {
    CHECK_STATUS(TAWA_E_NO_DEVICE, tawa_emit(runtime, request, TAWA_STAGE_CUBIN, &first, &size, &error));
    CHECK(first == NULL);
  }
}

/* Code for another GPU than the runtime's own: one that its device runs. */
static void for_other_gpus(tawa_runtime_t runtime, const tawa_compile_request_t *given) {
  tawa_compile_request_t request = *given;
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  tawa_kernel_t kernel = NULL;
  char *text = NULL;
  size_t size = 0;
  request.target = "portable";
  CHECK_STATUS(TAWA_OK, tawa_emit(runtime, &request, TAWA_STAGE_PTX, &text, &size, &error));
  CHECK(text && strstr(text, ".target sm_80"));
  tawa_free(text);
  CHECK_STATUS(TAWA_OK, tawa_compile(runtime, &request, &kernel, &error));
  CHECK(kernel && tawa_kernel_info(kernel, &info) == TAWA_OK && info.num_roles == 1);
  tawa_kernel_release(kernel);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile_to_cache(runtime, &request, "h200", NULL, &error));
  request.target = "no such GPU";
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
}

static void *upload_zeros(tawa_runtime_t runtime, size_t size) {
  void *device = NULL;
  CHECK_STATUS(TAWA_OK, tawa_memory_allocate(runtime, size, &device, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_in(runtime, device, zeros, size, &error));
  return device;
}

int main(int argc, char **argv) {
  tawa_runtime_t runtime = open_emulator();
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_kernel_t kernel = NULL;
  tawa_arg_t args[6];
  size_t size = 0;
  char *text = read_file(argc > 1 ? argv[1] : "", &size);
  args[0] = tawa_matrix(TAWA_F16, upload_zeros(runtime, M * K * 2), M, K);
  args[1] = tawa_matrix(TAWA_F16, upload_zeros(runtime, N * K * 2), N, K);
  args[2] = tawa_matrix(TAWA_F16, upload_zeros(runtime, M * N * 2), M, N);
  args[3] = tawa_i32(M);
  args[4] = tawa_i32(N);
  args[5] = tawa_i32(K);
  signature(text, size);
  request.text = text;
  request.text_len = size;
  request.name = "gemm.mlir";
  request.args = args;
  request.num_args = 6;
  request.config = "D=3 P=2";
  CHECK_STATUS(TAWA_OK, tawa_compile(runtime, &request, &kernel, &error));
  if (!kernel)
    return 1;
  stages(runtime, &request);
  for_other_gpus(runtime, &request);
  memset(text, 'x', size); /* everything was copied */
  free(text);
  tawa_runtime_release(runtime); /* the kernel keeps it alive */
  facts(kernel);
  refused_launches(kernel, args);
  launches(runtime, kernel, args);
  host_memory(runtime, kernel, args);
  tawa_kernel_release(kernel);
  return failures != 0;
}
