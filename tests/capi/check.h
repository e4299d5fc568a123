/* What the C tests share: a check that says where it failed and goes on, and the reading of a kernel's text. */
#ifndef TAWA_TESTS_CAPI_CHECK_H
#define TAWA_TESTS_CAPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tawa/tawa.h>

static int failures = 0;

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                          \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

/* The call gives the expected status; an error object, if any, has it too, says something, and is released. */
#define CHECK_STATUS(expected, call)                                                                                   \
  do {                                                                                                                 \
    tawa_error_t error = NULL;                                                                                         \
    tawa_status_t got = (call);                                                                                        \
    if (got != (expected)) {                                                                                           \
      fprintf(stderr, "%s:%d: %s gives %s: %s\n", __FILE__, __LINE__, #call, tawa_status_name(got),                    \
              tawa_error_message(error));                                                                              \
      ++failures;                                                                                                      \
    }                                                                                                                  \
    CHECK(tawa_error_status(error) == TAWA_OK || tawa_error_status(error) == got);                                     \
    CHECK(!error || strlen(tawa_error_message(error)) > 0);                                                            \
    tawa_error_release(error);                                                                                         \
  } while (0)

/* The file's text, freed by the caller; ends the test where it cannot be read. */
static inline char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = malloc(1 << 20);
  if (!file || !text) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  *size = fread(text, 1, 1 << 20, file);
  fclose(file);
  return text;
}

#ifdef _XOPEN_SOURCE
#include <ftw.h>

static inline int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place) {
  (void)facts, (void)kind, (void)place;
  return remove(path);
}

static inline void remove_folder(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
#endif

/* `cache` is the folder of the cache, "" for none, NULL for the environment's. */
static inline tawa_runtime_t open_emulator_with(const char *cache) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  tawa_runtime_t runtime = NULL;
  options.device = "emulator";
  options.cache_dir = cache;
  CHECK_STATUS(TAWA_OK, tawa_runtime_create(&options, &runtime, &error));
  return runtime;
}

static inline tawa_runtime_t open_emulator(void) { return open_emulator_with(NULL); }

static inline tawa_runtime_t open_without_cache(void) { return open_emulator_with(""); }

#endif
