/* Every entry called wrongly: NULL for each pointer that must not be, broken structs, unknown devices and texts that
 * are no kernels. Each gives a status and words; none crashes, none leaves an output set. */
#include "check.h"

static void null_handles(void) {
  tawa_device_info_t device = TAWA_DEVICE_INFO_INIT;
  tawa_kernel_info_t kernel = TAWA_KERNEL_INFO_INIT;
  tawa_arg_info_t arg = TAWA_ARG_INFO_INIT;
  tawa_role_info_t role = TAWA_ROLE_INFO_INIT;
  tawa_ring_info_t ring = TAWA_RING_INFO_INIT;
  tawa_phase_info_t phase = TAWA_PHASE_INFO_INIT;
  tawa_parameter_info_t parameter = TAWA_PARAMETER_INFO_INIT;
  tawa_diagnostic_t diagnostic = TAWA_DIAGNOSTIC_INIT;
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_kernel_t made = NULL;
  const void *data;
  void *pointer;
  char *text;
  size_t size;
  double time;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(NULL, NULL, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(NULL, NULL, NULL));
  CHECK(tawa_runtime_device_info(NULL, &device) == TAWA_E_INVALID_ARGUMENT);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(NULL, &request, &made, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_emit(NULL, &request, TAWA_STAGE_PTX, &text, &size, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_signature_read(NULL, 0, NULL, NULL, &error));
  CHECK(tawa_kernel_info(NULL, &kernel) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_kernel_argument(NULL, 0, &arg) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_kernel_role(NULL, 0, &role) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_kernel_ring(NULL, 0, &ring) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_kernel_phase(NULL, 0, &phase) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_kernel_diagnostic(NULL, 0, &diagnostic) == TAWA_E_INVALID_ARGUMENT);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_kernel_artifact(NULL, TAWA_STAGE_PTX, &data, &size, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_kernel_function(NULL, &pointer, &error));
  CHECK(tawa_signature_argument(NULL, 0, &arg) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_signature_parameter(NULL, 0, &parameter) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_signature_argument_count(NULL) == 0 && tawa_signature_parameter_count(NULL) == 0);
  CHECK(strcmp(tawa_signature_entry(NULL), "") == 0 && strcmp(tawa_signature_grid(NULL), "") == 0);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_allocate(NULL, 1, &pointer, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_synchronize(NULL, NULL, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_launch_timed(NULL, NULL, 0, NULL, NULL, 0, 1, &time, &error));
  CHECK(tawa_launch(NULL, NULL, 0, NULL, NULL) == TAWA_E_INVALID_ARGUMENT);
  CHECK(strstr(tawa_last_launch_error(), "kernel is NULL") != NULL);
  tawa_runtime_retain(NULL);
  tawa_runtime_release(NULL);
  tawa_kernel_retain(NULL);
  tawa_kernel_release(NULL);
  tawa_signature_release(NULL);
  tawa_free(NULL);
}

static void null_error(void) {
  char *text = tawa_error_render(NULL, TAWA_FORMAT_JSON);
  tawa_diagnostic_t diagnostic = TAWA_DIAGNOSTIC_INIT;
  CHECK(tawa_error_status(NULL) == TAWA_OK);
  CHECK(strcmp(tawa_error_message(NULL), "") == 0);
  CHECK(tawa_error_diagnostic_count(NULL) == 0);
  CHECK(tawa_error_diagnostic(NULL, 0, &diagnostic) == TAWA_E_INVALID_ARGUMENT);
  CHECK(text && strstr(text, "\"status\":\"TAWA_OK\"") != NULL);
  tawa_free(text);
  tawa_error_release(NULL);
}

static void devices(void) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_runtime_t runtime = (tawa_runtime_t)&options;
  tawa_error_t kept = NULL;
  options.device = "quantum";
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(&options, &runtime, &error));
  CHECK(runtime == NULL);
  options.device = "cuda:4711"; /* whatever the machine: no such GPU */
  CHECK(tawa_runtime_create(&options, &runtime, &kept) == TAWA_E_NO_DEVICE);
  CHECK(strstr(tawa_error_message(kept), "cuda") != NULL);
  tawa_error_release(kept);
}

/* Structs of another version: shorter ones get defaults, longer ones must not ask for what is not known. */
static void struct_versions(void) {
  struct {
    tawa_runtime_options_t known;
    uint64_t newer;
  } longer = {TAWA_RUNTIME_OPTIONS_INIT, 0};
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_device_info_t info = TAWA_DEVICE_INFO_INIT;
  tawa_runtime_t runtime = NULL;
  longer.known.device = "emulator";
  longer.known.struct_size = sizeof longer;
  CHECK_STATUS(TAWA_OK, tawa_runtime_create(&longer.known, &runtime, &error));
  info.struct_size = (uint32_t)offsetof(tawa_device_info_t, description);
  info.description = "untouched";
  CHECK(tawa_runtime_device_info(runtime, &info) == TAWA_OK);
  CHECK(strcmp(info.name, "emulator") == 0 && strcmp(info.description, "untouched") == 0);
  info.struct_size = 15;
  CHECK(tawa_runtime_device_info(runtime, &info) == TAWA_E_ABI_MISMATCH);
  CHECK(tawa_runtime_device_info(runtime, NULL) == TAWA_E_INVALID_ARGUMENT);
  tawa_runtime_release(runtime);

  longer.newer = 1;
  CHECK_STATUS(TAWA_E_ABI_MISMATCH, tawa_runtime_create(&longer.known, &runtime, &error));
  options.struct_size = 0;
  CHECK_STATUS(TAWA_E_ABI_MISMATCH, tawa_runtime_create(&options, &runtime, &error));
  options.struct_size = 0xcccccccc;
  CHECK_STATUS(TAWA_E_ABI_MISMATCH, tawa_runtime_create(&options, &runtime, &error));
  options.struct_size = sizeof options;
  options.reserved = 1;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(&options, &runtime, &error));
  options.reserved = 0;
  options.next = &info;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(&options, &runtime, &error));
}

/* A struct_size that no version can have had: it ends inside a field, of which half would be taken. */
static void struct_sizes(tawa_runtime_t runtime) {
  struct {
    tawa_runtime_options_t known;
    uint64_t newer[2];
  } options = {TAWA_RUNTIME_OPTIONS_INIT, {0, 0}};
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_tune_options_t tune = TAWA_TUNE_OPTIONS_INIT;
  tawa_kernel_t kernel = NULL;
  uint32_t size;
  options.known.device = "emulator";
  for (size = 0; size <= sizeof options; ++size) {
    tawa_runtime_t made = NULL;
    tawa_status_t expected = size >= 24 && size % 8 == 0 ? TAWA_OK : TAWA_E_ABI_MISMATCH;
    options.known.struct_size = size;
    if (size == 16) /* the device is left out: whatever this machine has */
      continue;
    CHECK_STATUS(expected, tawa_runtime_create(&options.known, &made, &error));
    tawa_runtime_release(made);
  }
  request.text = "";
  request.tune = &tune;
  tune.struct_size = (uint32_t)offsetof(tawa_tune_options_t, progress) - 8; /* inside `grid` */
  CHECK_STATUS(TAWA_E_ABI_MISMATCH, tawa_compile(runtime, &request, &kernel, &error));
  tune.struct_size = (uint32_t)offsetof(tawa_tune_options_t, progress);
  CHECK(tawa_compile(runtime, &request, &kernel, NULL) != TAWA_E_ABI_MISMATCH);
}

/* What is reserved now can get a meaning later, so that it must be 0 now, in every struct. */
static void reserved_fields(tawa_runtime_t runtime) {
  static const char text[] = "module { tt.func public @k(%x: i32) { tt.return } }";
  tawa_runtime_options_t options[2] = {TAWA_RUNTIME_OPTIONS_INIT, TAWA_RUNTIME_OPTIONS_INIT};
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_launch_options_t launch = TAWA_LAUNCH_OPTIONS_INIT;
  tawa_arg_t arg = tawa_i32(1);
  tawa_runtime_t made = NULL;
  tawa_kernel_t kernel = NULL, none = NULL;
  options[0].device = options[1].device = "emulator";
  options[0].reserved2 = options[1].reserved3 = 1;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(&options[0], &made, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(&options[1], &made, &error));
  request.text = text;
  request.text_len = sizeof text - 1;
  request.args = &arg;
  request.num_args = 1;
  CHECK_STATUS(TAWA_OK, tawa_compile(runtime, &request, &kernel, &error));
  launch.grid[0] = 1;
  CHECK(tawa_launch(kernel, &arg, 1, NULL, &launch) == TAWA_OK);
  launch.reserved2 = 1;
  CHECK(tawa_launch(kernel, &arg, 1, NULL, &launch) == TAWA_E_INVALID_ARGUMENT);
  arg.reserved2 = 1;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &none, &error));
  arg.reserved2 = 0;
  request.reserved3 = 1;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &none, &error));
  tawa_kernel_release(kernel);
}

/* Lengths, counts and files that cannot be what was meant. */
static void impossible_inputs(tawa_runtime_t runtime) {
  static const char text[] = "module {}";
  const char *const caches[2] = {"/nowhere/cache", NULL};
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_signature_t signature = NULL;
  tawa_runtime_t made = NULL;
  tawa_kernel_t kernel = NULL;
  tawa_job_t job = NULL;
  char *description = NULL;
  request.text = text;
  request.text_len = SIZE_MAX;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile_async(runtime, &request, &job, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_signature_read(text, SIZE_MAX, NULL, &signature, &error));
  options.device = "emulator";
  options.cache_readonly = caches;
  options.num_cache_readonly = 2;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(&options, &made, &error));
  options.num_cache_readonly = UINT32_MAX;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(&options, &made, &error));
  options.cache_readonly = NULL;
  options.num_cache_readonly = 5;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_runtime_create(&options, &made, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_hardware_describe(NULL, "/dev/zero", &description, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_hardware_describe(NULL, "/", &description, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_hardware_describe(NULL, "/nowhere/gpu.hw", &description, &error));
}

static void memory(tawa_runtime_t runtime) {
  char host[16] = "fifteen letters";
  char back[16] = "";
  void *device = NULL;
  CHECK_STATUS(TAWA_OK, tawa_memory_allocate(runtime, 16, &device, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_in(runtime, device, host, 16, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_out(runtime, back, device, 16, &error));
  CHECK(memcmp(host, back, 16) == 0);
  CHECK_STATUS(TAWA_OK, tawa_memory_fill(runtime, device, 'x', 3, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_copy_out(runtime, back, device, 16, &error));
  CHECK(memcmp(back, "xxxteen", 7) == 0);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_copy_out(runtime, back, device, 17, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_copy_out(runtime, NULL, device, 16, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_copy_in(runtime, back, host, 16, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_allocate(runtime, 16, NULL, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_free(runtime, NULL, &error));
  CHECK_STATUS(TAWA_OK, tawa_memory_free(runtime, device, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_memory_free(runtime, device, &error));
  CHECK_STATUS(TAWA_E_OUT_OF_MEMORY, tawa_memory_allocate(runtime, (size_t)-1, &device, &error));
  CHECK_STATUS(TAWA_OK, tawa_synchronize(runtime, NULL, &error));
}

static void requests(tawa_runtime_t runtime) {
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_arg_t args[2] = {TAWA_ARG_INIT, TAWA_ARG_INIT};
  tawa_kernel_t kernel = (tawa_kernel_t)&request;
  char *data = NULL;
  size_t size = 0;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, NULL, &kernel, &error));
  CHECK(kernel == NULL);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, NULL, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error)); /* no text */
  request.text = "";
  request.config = "D=banana";
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
  request.config = NULL;
  request.num_args = 1;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error)); /* no args */
  request.args = args;
  args[0].rank = TAWA_MAX_RANK + 1;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
  args[0].rank = 0;
  args[0].dtype = (tawa_dtype_t)99;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
  args[0].dtype = TAWA_F16;
  args[0].kind = (tawa_arg_kind_t)3;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
  args[0] = tawa_i32(1);
  args[0].integer = (int64_t)1 << 40;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
  args[0] = tawa_i32(1);
  args[1].struct_size = 32;
  request.num_args = 2;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
  request.num_args = 0xffffffff;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_compile(runtime, &request, &kernel, &error));
  request.num_args = 0;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_emit(runtime, &request, (tawa_stage_t)7, &data, &size, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_emit(runtime, &request, TAWA_STAGE_PTX, NULL, &size, &error));
}

/* A text that is no kernel: the error says where. */
static void wrong_text(tawa_runtime_t runtime) {
  static const char text[] = "module {\n  tt.func public @k() {\n    this is no operation\n  }\n}\n";
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  tawa_diagnostic_t diagnostic = TAWA_DIAGNOSTIC_INIT;
  tawa_kernel_t kernel = NULL;
  tawa_signature_t signature = NULL;
  tawa_error_t error = NULL;
  char *rendered;
  request.text = text;
  request.text_len = sizeof text - 1;
  request.name = "wrong.mlir";
  CHECK(tawa_compile(runtime, &request, &kernel, &error) == TAWA_E_INVALID_IR);
  CHECK(kernel == NULL && tawa_error_status(error) == TAWA_E_INVALID_IR);
  CHECK(tawa_error_diagnostic_count(error) >= 1);
  CHECK(tawa_error_diagnostic(error, 0, &diagnostic) == TAWA_OK);
  CHECK(diagnostic.severity == TAWA_SEVERITY_ERROR && diagnostic.line == 3 && diagnostic.column >= 5);
  CHECK(diagnostic.file && strcmp(diagnostic.file, "wrong.mlir") == 0);
  CHECK(tawa_error_diagnostic(error, 1000, &diagnostic) == TAWA_E_INVALID_ARGUMENT);
  rendered = tawa_error_render(error, TAWA_FORMAT_TEXT);
  CHECK(rendered && strstr(rendered, "wrong.mlir:3:") != NULL);
  tawa_free(rendered);
  rendered = tawa_error_render(error, TAWA_FORMAT_JSON);
  CHECK(rendered && strstr(rendered, "\"file\":\"wrong.mlir\",\"line\":3") != NULL);
  tawa_free(rendered);
  tawa_error_release(error);
  request.name = "quote\" control\1 broken\xff whole\xc3\xa9";
  CHECK(tawa_compile(runtime, &request, &kernel, &error) == TAWA_E_INVALID_IR);
  rendered = tawa_error_render(error, TAWA_FORMAT_JSON);
  CHECK(rendered && strstr(rendered, "quote\\\" control\\u0001 broken\xef\xbf\xbd whole\xc3\xa9\"") != NULL);
  tawa_free(rendered);
  tawa_error_release(error);
  CHECK_STATUS(TAWA_E_INVALID_IR, tawa_signature_read(text, sizeof text - 1, NULL, &signature, &error));
  CHECK(signature == NULL);
}

int main(void) {
  tawa_runtime_t runtime = open_emulator();
  null_handles();
  null_error();
  devices();
  struct_versions();
  struct_sizes(runtime);
  reserved_fields(runtime);
  impossible_inputs(runtime);
  memory(runtime);
  requests(runtime);
  wrong_text(runtime);
  tawa_runtime_release(runtime);
  return failures != 0;
}
