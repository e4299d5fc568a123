/* tawa_plan(): plans of a kernel on described machines, as JSON; what is refused, and with which words. */
#include "check.h"

#include <tawa/plan.h>

static tawa_plan_request_t request_for(const char *text, size_t size, const tawa_arg_t *args) {
  tawa_plan_request_t request = TAWA_PLAN_REQUEST_INIT;
  request.text = text;
  request.text_len = size;
  request.name = "gemm.mlir";
  request.args = args;
  request.num_args = 6;
  request.machine = "wormhole_8x8";
  request.config = "BLOCK_M=128 BLOCK_N=128";
  request.top = 3;
  return request;
}

/* How often `word` is in the text. */
static int times(const char *text, const char *word) {
  int count = 0;
  for (; (text = strstr(text, word)) != NULL; text += strlen(word))
    ++count;
  return count;
}

static void test_plans(tawa_plan_request_t request) {
  char *json = NULL;
  CHECK_STATUS(TAWA_OK, tawa_plan(&request, &json, &error));
  if (!json)
    return;
  CHECK(json[0] == '{' && json[strlen(json) - 1] == '}');
  CHECK(strstr(json, "\"machine\":{\"name\":\"wormhole_8x8\"") != NULL);
  CHECK(strstr(json, "\"cores\":[{\"name\":\"x\",\"size\":8},{\"name\":\"y\",\"size\":8}]") != NULL);
  CHECK(strstr(json, "\"BLOCK_M\":128,\"BLOCK_N\":128,\"GROUP\":8}") != NULL);
  CHECK(times(json, "\"summary\":") == 3);
  CHECK(times(json, "\"readers\":[") == 6);
  CHECK(strstr(json, "\"BLOCK_M\":64") == NULL);
  /* One line of cores along x, from core to core: the last dimension of the array, y, counts fastest. */
  CHECK(strstr(json, "\"readers\":[0,1,2,3,4,5,6,7],\"sends\":[[0,8],[1,9],") != NULL);
  CHECK(strstr(json, "\"readers\":[0,8,16,24,32,40,48,56],\"sends\":[[0,1],[1,2],") != NULL);
  CHECK(strstr(json, ",[48,56],") != NULL && strstr(json, "[56,0]") == NULL);
  CHECK(strstr(json, "\"chosen\":0") != NULL);
  CHECK(strstr(json, "\"simulation\"") == NULL && strstr(json, "\"simulated\"") == NULL);
  tawa_free(json);
}

static void test_simulation(tawa_plan_request_t request) {
  char *json = NULL;
  request.top = 2;
  request.is_simulated = 1;
  CHECK_STATUS(TAWA_OK, tawa_plan(&request, &json, &error));
  CHECK(json && times(json, "\"simulated\":{\"cycles\":") == 2);
  CHECK(json && times(json, "\"kind\":\"matrix\"") == 64);
  CHECK(json && strstr(json, "\"stalls\":{\"reader\":{\"tiles\":") != NULL);
  tawa_free(json);
}

static void test_sizes_of_the_result(tawa_plan_request_t request) {
  char *json = NULL;
  request.top = 0;
  request.config = NULL;
  CHECK_STATUS(TAWA_OK, tawa_plan(&request, &json, &error));
  CHECK(json && times(json, "\"summary\":") == 5);
  CHECK(json && strstr(json, "\"BLOCK_M\":64,\"BLOCK_N\":256") != NULL);
  tawa_free(json);
}

static void test_refusals(tawa_plan_request_t good, const tawa_arg_t *args) {
  tawa_plan_request_t request = good;
  tawa_arg_t unknown[6];
  char *json = NULL;
  tawa_error_t why = NULL;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan(NULL, &json, &error));
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan(&good, NULL, &error));
  request.machine = NULL;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan(&request, &json, &error));
  request.machine = "abacus";
  CHECK(tawa_plan(&request, &json, &why) == TAWA_E_INVALID_ARGUMENT && !json);
  CHECK(strstr(tawa_error_message(why), "wormhole_8x8") != NULL);
  tawa_error_release(why);
  request.machine = "/dev/zero";
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan(&request, &json, &error));
  request = good;
  request.top = 1001;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan(&request, &json, &error));
  request = good;
  request.num_args = 5;
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan(&request, &json, &error));
  request = good;
  request.config = "BLOCK_M=128 D=4";
  CHECK(tawa_plan(&request, &json, &why) == TAWA_E_INVALID_ARGUMENT);
  CHECK(strstr(tawa_error_message(why), "no tile parameters") != NULL);
  tawa_error_release(why);
  request.config = "BLOCKS=128";
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan(&request, &json, &error));
  request = good;
  memcpy(unknown, args, sizeof unknown);
  unknown[1].shape[0] = TAWA_UNKNOWN;
  request.args = unknown;
  CHECK(tawa_plan(&request, &json, &why) == TAWA_E_INVALID_ARGUMENT);
  CHECK(strstr(tawa_error_message(why), "argument 1 has a dimension of unknown size") != NULL);
  tawa_error_release(why);
  request = good;
  request.text = "nonsense";
  request.text_len = 8;
  request.config = NULL;
  CHECK_STATUS(TAWA_E_INVALID_IR, tawa_plan(&request, &json, &error));
  CHECK(!json);
}

int main(int argc, char **argv) {
  size_t size = 0;
  char *text = read_file(argv[argc - 1], &size), *names = NULL;
  tawa_arg_t args[6];
  tawa_plan_request_t request = request_for(text, size, args);
  args[0] = tawa_matrix(TAWA_F16, NULL, 1024, 256);
  args[1] = tawa_matrix(TAWA_F16, NULL, 1024, 256);
  args[2] = tawa_matrix(TAWA_F16, NULL, 1024, 1024);
  args[3] = tawa_i32(1024);
  args[4] = tawa_i32(1024);
  args[5] = tawa_i32(256);
  test_plans(request);
  test_simulation(request);
  test_sizes_of_the_result(request);
  test_refusals(request, args);
  CHECK_STATUS(TAWA_OK, tawa_plan_machines(&names, &error));
  CHECK(names && strstr(names, "wormhole_8x8\n") != NULL && strstr(names, "h200\n") != NULL);
  CHECK_STATUS(TAWA_E_INVALID_ARGUMENT, tawa_plan_machines(NULL, &error));
  tawa_free(names);
  free(text);
  return failures != 0;
}
