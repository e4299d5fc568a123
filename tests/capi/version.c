/* Identity: version, ABI, build, environment, and the names of status codes. */
#include "check.h"

int main(int argc, char **argv) {
  char expected[32];
  const char *id, *keys;
  int status;
  (void)argc;
  snprintf(expected, sizeof expected, "%d.%d.%d", TAWA_VERSION_MAJOR, TAWA_VERSION_MINOR, TAWA_VERSION_PATCH);
  CHECK(strcmp(tawa_version(), expected) == 0);
  CHECK(strcmp(tawa_version(), argv[1]) == 0);
  CHECK(tawa_abi_version() == TAWA_ABI_VERSION);
  CHECK(strstr(tawa_build_info(), "\"llvm\":\"19") != NULL);
  id = strstr(tawa_build_info(), "\"id\":\"");
  CHECK(id && strspn(id + 6, "0123456789abcdef") == 40);
  keys = tawa_config_keys();
  CHECK(keys[0] == '[' && keys[strlen(keys) - 1] == ']');
  CHECK(strstr(keys, "{\"name\":\"D\",\"default\":0,\"least\":0,\"most\":32,\"meaning\":\"ring depth") != NULL);
  CHECK(strstr(keys, "\"name\":\"warps\",\"default\":0,\"choices\":[0,1,2,4,8,16],") != NULL);
  CHECK(strstr(keys, "\"default\":\"cooperative\",\"choices\":[\"cooperative\",\"pingpong\"],") != NULL);
  CHECK(strstr(tawa_environment_help(), "TAWA_DEVICE (default: auto)") != NULL);

  CHECK(strcmp(tawa_status_name(TAWA_OK), "TAWA_OK") == 0);
  CHECK(strcmp(tawa_status_name(TAWA_E_INVALID_IR), "TAWA_E_INVALID_IR") == 0);
  CHECK(strcmp(tawa_status_name(TAWA_E_CAPTURE_UNSAFE), "TAWA_E_CAPTURE_UNSAFE") == 0);
  CHECK(strcmp(tawa_status_name(TAWA_E_INTERNAL), "TAWA_E_INTERNAL") == 0);
  for (status = TAWA_OK; status <= TAWA_E_INTERNAL; ++status)
    CHECK(strcmp(tawa_status_name((tawa_status_t)status), "TAWA_E_UNKNOWN") != 0);
  CHECK(strcmp(tawa_status_name((tawa_status_t)(TAWA_E_INTERNAL + 1)), "TAWA_E_UNKNOWN") == 0);
  CHECK(strcmp(tawa_status_name((tawa_status_t)-1), "TAWA_E_UNKNOWN") == 0);
  return failures != 0;
}
