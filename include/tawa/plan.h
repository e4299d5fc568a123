/* Planning: how a kernel's tiles are spread over the cores of a spatial machine that a file describes. It needs no
 * runtime and opens no device; docs/planner.md explains what plans say. */
#ifndef TAWA_PLAN_H
#define TAWA_PLAN_H

#include <tawa/tawa.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tawa_plan_request {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *text; /* Triton IR, as for tawa_compile(); need not end with a zero */
  size_t text_len;
  const char *name;       /* file named in diagnostics; NULL: "<kernel>" */
  const tawa_arg_t *args; /* tensors with their shape, numbers with their value; addresses are not needed */
  uint32_t num_args;
  uint32_t top;        /* so many plans are handed out: 1 to 1000; 0: 5 */
  const char *machine; /* of tawa_plan_machines(); a file with a `df.machine` if it has a '/' or ends in ".mlir" */
  const char *config;  /* tile parameters that keep one value: "BLOCK_M=128"; of the others all are tried. NULL: "" */
  uint32_t grid[3];    /* programs; {0, 0, 0}: from the text's `tawa.grid`; otherwise a 0 counts as 1 */
  uint32_t
      is_simulated; /* not 0: so many plans are simulated, chosen among the best hundred, and the fastest is chosen */
} tawa_plan_request_t;
#define TAWA_PLAN_REQUEST_INIT                                                                                         \
  {(uint32_t)sizeof(tawa_plan_request_t), 0, NULL, NULL, 0, NULL, NULL, 0, 0, NULL, NULL, {0, 0, 0}, 0}

/* Maps a kernel onto the cores of a described machine: which core computes which tile when, and how loads travel. Opens
 * no device. *json is one object, in cycles of the machine's clock and bytes:
 *   machine   "name", "text" (a summary), "clock" in hertz, "cores": the array's dimensions, "networks"
 *   programs  block shapes with a tile program: "tile" parameters and "text"; "refused": those without, with "reason"
 *   space     "mappings", "plans", how many of them were "estimated", and what was "pruned", by reason
 *   plans     best estimate first: "program", "rank", "summary", "nest", "footprint", "estimate", "loads"; "simulated".
 *             A load has its "movement", the cores that are "readers", and pairs of cores between which it "sends"
 *   chosen    index of a plan: the fastest simulated, else the first
 *   simulation  of the chosen plan, if asked for: "resources" with their busy cycles, "stalls" by thread and cause
 *   seconds   that ranking ("rank") and simulation ("simulate") took, when the plans were made
 *   answer    "from_cache": 1 if an earlier call made them; "seconds" that this call took
 * Cores are numbered in row-major order of the array. TAWA_E_UNSUPPORTED: the kernel is no tile program, the reason is
 * a diagnostic; TAWA_E_NO_VALID_CANDIDATE: no plan fits the machine. Blocks. Freed by tawa_free().
 *
 * Plans are kept in the cache that the environment names (TAWA_CACHE, TAWA_CACHE_DIR, TAWA_CACHE_READONLY) and taken
 * from there by calls with the same text, arguments, description of the machine (its text, not its name), config, grid,
 * top and is_simulated, and the same build of the library. A fault of the cache is a warning (TAWA_LOG), and plans are
 * made again. */
TAWA_API tawa_status_t tawa_plan(const tawa_plan_request_t *request, char **json, tawa_error_t *error);
/* The names of the machines that the library describes, one a line. Freed by tawa_free(). */
TAWA_API tawa_status_t tawa_plan_machines(char **names, tawa_error_t *error);

#ifdef __cplusplus
}
#endif

#endif /* TAWA_PLAN_H */
