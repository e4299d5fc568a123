/* gemm.c: C[M,N] = A[M,K] * B[N,K]^T in f16, from the text of a kernel, on the GPU if there is one, else emulated.
 *   gemm tests/kernels/gemm_tma.mlir */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tawa/tawa.h>

enum { M = 208, N = 304, K = 96, TILE_M = 128, TILE_N = 256 };
static _Float16 a[M][K], b[N][K], c[M][N];
static tawa_error_t error;

/* Ends the program with what went wrong, if anything did. */
static void check(tawa_status_t status) {
  if (status == TAWA_OK)
    return;
  char *text = tawa_error_render(error, TAWA_FORMAT_TEXT);
  fprintf(stderr, "%s %s%s\n", tawa_status_name(status), error && text ? text : "", tawa_last_launch_error());
  exit(1);
}

static void *upload(tawa_runtime_t runtime, const void *host, size_t size) {
  void *device;
  check(tawa_memory_allocate(runtime, size, &device, &error));
  check(tawa_memory_copy_in(runtime, device, host, size, &error));
  return device;
}

int main(int argc, char **argv) {
  static char text[1 << 20];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return fprintf(stderr, "usage: %s gemm_tma.mlir\n", argv[0]), 2;
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  request.text = text;
  request.text_len = fread(text, 1, sizeof text, file);
  request.name = argv[1];
  for (int i = 0; i < M * K; ++i)
    a[i / K][i % K] = (_Float16)(rand() / (float)RAND_MAX - 0.5f);
  for (int i = 0; i < N * K; ++i)
    b[i / K][i % K] = (_Float16)(rand() / (float)RAND_MAX - 0.5f);

  tawa_runtime_t runtime;
  tawa_kernel_t kernel;
  check(tawa_runtime_create(NULL, &runtime, &error));
  tawa_arg_t args[] = {tawa_matrix(TAWA_F16, upload(runtime, a, sizeof a), M, K),
                       tawa_matrix(TAWA_F16, upload(runtime, b, sizeof b), N, K),
                       tawa_matrix(TAWA_F16, upload(runtime, c, sizeof c), M, N),
                       tawa_i32(M),
                       tawa_i32(N),
                       tawa_i32(K)};
  request.args = args;
  request.num_args = 6;
  check(tawa_compile(runtime, &request, &kernel, &error));
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  options.grid[0] = ((M + TILE_M - 1) / TILE_M) * ((N + TILE_N - 1) / TILE_N);
  check(tawa_launch(kernel, args, 6, NULL, &options));
  check(tawa_synchronize(runtime, NULL, &error));
  check(tawa_memory_copy_out(runtime, c, args[2].data, sizeof c, &error));

  int wrong = 0; /* results stay below 4, where half precision steps by 2e-3; a NaN is wrong as well */
  for (int i = 0; i < M * N; ++i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += (double)a[i / N][k] * (double)b[i % N][k];
    wrong += !(fabs((double)c[i / N][i % N] - sum) < 2e-3);
  }
  printf("%d of %d results wrong\n", wrong, M * N);
  for (int i = 0; i < 3; ++i)
    tawa_memory_free(runtime, args[i].data, NULL);
  tawa_kernel_release(kernel);
  tawa_runtime_release(runtime);
  return wrong != 0;
}
