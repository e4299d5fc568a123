/* tawa.h: the C interface of Tawa, a JIT compilation runtime for GPU tile kernels. C99, no other header of ours;
 * dlpack.h beside it makes arguments of DLPack tensors, tawa.hpp wraps both for C++.
 *
 * A host program hands over the text of a kernel in Triton IR and a description of its arguments; it gets back a kernel
 * loaded on a device (an NVIDIA GPU, Hopper or another since Ampere, or an emulated one on the CPU) that it can launch.
 *
 * Rules that hold for every function
 *  - Return value: a tawa_status_t; TAWA_OK is 0. Slow calls take `tawa_error_t *error`, which may be NULL; where it
 *    is not, it is set to NULL on success and to an error object on failure, which the caller frees with
 *    tawa_error_release(). tawa_launch() has no such parameter: tawa_last_launch_error() holds the text instead.
 *  - Handles are opaque and counted: the function that makes one gives the caller one reference, _retain adds one,
 *    _release takes one away and accepts NULL. A kernel keeps its runtime alive.
 *  - Structs start with struct_size, reserved and next. Initialize them with their _INIT macro; fields called reserved
 *    must be 0 and next NULL (else TAWA_E_INVALID_ARGUMENT). New fields are only ever appended; a struct_size that ends
 *    inside a field is TAWA_E_ABI_MISMATCH. Elements of an array have one struct_size and lie that far apart.
 *  - Inputs are copied before a function returns. Strings handed out belong to the object they were asked of and live
 *    as long as it does, unless the function says that the caller frees them with tawa_free().
 *  - Threads: every function may be called from any thread at any time; kernels never change after creation, and
 *    launches take no lock. Releasing the last reference while another call uses the handle is the caller's error.
 *  - fork(): in the child, a runtime of the parent, its kernels, jobs and bindings serve no more. Every function that
 *    is given one and returns a status gives TAWA_E_FORKED; _retain and _release are the only others that may be called
 *    with them. The child may make runtimes of its own.
 *  - The library prints nothing to stdout, installs no signal handlers, reads no environment but the TAWA_* variables
 *    of tawa_environment_help(). No input of the caller makes it exit or abort.
 *  - Where host memory is out, calls give TAWA_E_OUT_OF_MEMORY, and can be made again when there is some. That holds
 *    for all that takes kernels from a cache and launches them. A compile that runs out of memory can still end or
 *    block the process, because LLVM does not check every allocation and is not exception-safe; a service that must not
 *    risk it fills a cache ahead and sets `frozen`.
 *  - Threads of its own are started inside calls that join them before they return. The one exception are jobs
 *    (tawa_compile_async(), TAWA_POLICY_BACKGROUND): they run on at most as many threads as the machine has processors,
 *    which end when no job is left; at exit() they are cancelled and waited for. Threads of the caller may be inside of
 *    any function when another one calls exit().
 *  - Sizes are bytes, strides are elements, shapes count the outermost dimension first.
 */
#ifndef TAWA_TAWA_H
#define TAWA_TAWA_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TAWA_API __attribute__((visibility("default")))
#else
#define TAWA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TAWA_VERSION_MAJOR 0
#define TAWA_VERSION_MINOR 1
#define TAWA_VERSION_PATCH 0
/* Changes when a program built against an older header could break; within one number the interface only grows. */
#define TAWA_ABI_VERSION 0

/* ---- version --------------------------------------------------------------------------------------------- */

/* "0.1.0". Static storage. */
TAWA_API const char *tawa_version(void);
/* TAWA_ABI_VERSION of the library; a program refuses to run where it differs from the one it was built with. */
TAWA_API uint32_t tawa_abi_version(void);
/* One line of JSON: versions of Tawa ("tawa") and LLVM, compiler, build type, and "id", a number in hexadecimal that
 * two builds share only if they are equal byte for byte: what a cache outside of Tawa should depend on. Static storage.
 */
TAWA_API const char *tawa_build_info(void);
/* Every TAWA_* environment variable: name, default, meaning, one line each. Static storage. An option given through
 * this interface always wins over the variable. */
TAWA_API const char *tawa_environment_help(void);
/* The keys of a configuration (tawa_compile_request_t) as a JSON array of objects: "name", "default", "meaning", and
 * either "least" and "most" or "choices", the list of all values. A kernel's text may declare further parameters:
 * tawa_signature_parameter(). Static storage. */
TAWA_API const char *tawa_config_keys(void);

/* ---- status and errors ----------------------------------------------------------------------------------- */

typedef enum tawa_status {
  TAWA_OK = 0,
  TAWA_E_INVALID_ARGUMENT, /* the call itself is wrong: NULL, unknown value, wrong kind of argument */
  TAWA_E_INVALID_IR,       /* the kernel's text does not parse or verify */
  TAWA_E_UNSUPPORTED,      /* right, but not something this version compiles or runs */
  TAWA_E_COMPILE_FAILED,   /* the compiler gave up; the diagnostics say where and why */
  TAWA_E_PTX_REJECTED,     /* the driver refused the PTX, or took it with a notice that makes it useless */
  TAWA_E_CUDA,             /* a CUDA driver call failed; the message names call and result */
  TAWA_E_NO_DEVICE,        /* no driver, no such device, or not a device that this needs */
  TAWA_E_TARGET_MISMATCH,  /* the kernel was made for another kind of device */
  TAWA_E_SHAPE_MISMATCH,   /* an argument of a launch does not fit what the kernel was compiled for */
  TAWA_E_CACHE_MISS,
  TAWA_E_CAPTURE_UNSAFE, /* the launch would have to load code while its stream is being captured */
  TAWA_E_CACHE_IO,
  TAWA_E_CACHE_CORRUPT,
  TAWA_E_BUSY,
  TAWA_E_TIMEOUT,
  TAWA_E_CANCELLED,
  TAWA_E_NO_VALID_CANDIDATE,
  TAWA_E_REFERENCE_MISMATCH,
  TAWA_E_OUT_OF_MEMORY,
  TAWA_E_ABI_MISMATCH, /* struct_size is impossible, or a newer field is set that this library does not know */
  TAWA_E_FORKED,       /* the runtime was made before fork(), by the parent of this process */
  TAWA_E_EMULATOR,     /* the emulated SM stopped the kernel: deadlock, race, bad access, endless loop */
  TAWA_E_INTERNAL      /* a defect of Tawa */
} tawa_status_t;

/* "TAWA_E_INVALID_IR". Static storage; "TAWA_E_UNKNOWN" for a number that is none. */
TAWA_API const char *tawa_status_name(tawa_status_t status);

typedef struct tawa_error *tawa_error_t;

typedef enum tawa_severity {
  TAWA_SEVERITY_ERROR = 0,
  TAWA_SEVERITY_WARNING,
  TAWA_SEVERITY_REMARK,
  TAWA_SEVERITY_NOTE
} tawa_severity_t;

/* One finding of the compiler about the kernel's text. */
typedef struct tawa_diagnostic {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  tawa_severity_t severity;
  uint32_t line;   /* from 1; 0: not known */
  uint32_t column; /* from 1; 0: not known */
  uint32_t reserved2;
  const char *file;    /* as named in the request; "" where not known */
  const char *op;      /* "tt.dot"; "" where no operation is concerned */
  const char *message; /* reason and remedy */
} tawa_diagnostic_t;
#define TAWA_DIAGNOSTIC_INIT                                                                                           \
  {(uint32_t)sizeof(tawa_diagnostic_t), 0, NULL, TAWA_SEVERITY_ERROR, 0, 0, 0, NULL, NULL, NULL}

typedef enum tawa_format { TAWA_FORMAT_TEXT = 0, TAWA_FORMAT_JSON } tawa_format_t;

/* All accept a NULL error: TAWA_OK, "", 0. */
TAWA_API tawa_status_t tawa_error_status(tawa_error_t error);
TAWA_API const char *tawa_error_message(tawa_error_t error);
TAWA_API uint32_t tawa_error_diagnostic_count(tawa_error_t error);
TAWA_API tawa_status_t tawa_error_diagnostic(tawa_error_t error, uint32_t index, tawa_diagnostic_t *diagnostic);
/* The whole error as text for people or as one JSON object. Freed by tawa_free(); NULL only when memory is out. */
TAWA_API char *tawa_error_render(tawa_error_t error, tawa_format_t format);
TAWA_API void tawa_error_release(tawa_error_t error);

/* Frees a buffer that a function of this header says the caller frees. Accepts NULL. */
TAWA_API void tawa_free(void *buffer);

/* ---- runtime --------------------------------------------------------------------------------------------- */

typedef struct tawa_runtime *tawa_runtime_t;

typedef enum tawa_log_level {
  TAWA_LOG_DEFAULT = 0, /* what TAWA_LOG says; warnings where it says nothing */
  TAWA_LOG_ERROR,
  TAWA_LOG_WARNING,
  TAWA_LOG_INFO,
  TAWA_LOG_DEBUG
} tawa_log_level_t;

/* Called from any thread that is inside a call of this library; must not block for long nor call back into it.
 * `message` ends with the call. */
typedef void (*tawa_log_fn)(void *user, tawa_log_level_t level, const char *message);

/* What decides the configuration of a kernel where its request names none. Searching takes the shapes of all tensors;
 * without them, and in a frozen runtime, all but NEVER do what CACHED does. */
typedef enum tawa_policy {
  TAWA_POLICY_DEFAULT = 0, /* in a request: the runtime's; in a runtime's options: what TAWA_POLICY says, else CACHED */
  TAWA_POLICY_NEVER,       /* the default configuration */
  TAWA_POLICY_CACHED,      /* what the cache has for such shapes on such a device: the fastest that was measured, else
                            * what the performance model chose. Where it has nothing: of a text that declares tile
                            * parameters and a grid, what PREDICTED does; of others tiles of the text's size or such
                            * beside it, and of consumers, persistent and D what the model finds best, if that is
                            * clearly faster than the default, which takes it a few milliseconds, once */
  TAWA_POLICY_BACKGROUND,  /* as PREDICTED, and a search goes on where none has been made: tawa_kernel_search() */
  TAWA_POLICY_BLOCKING,    /* the search comes first where none has been made */
  TAWA_POLICY_PREDICTED    /* as CACHED; where the cache has nothing the performance model chooses in the whole search
                            * space, which takes it some 2 ms per choice of tile parameters, once for sizes that are the
                            * same when rounded up to four binary digits, unless it expects the choice to be much slower
                            * for the others. Where how much there is to do is in memory, so that the model would have
                            * to guess it, tile parameters keep their first values */
} tawa_policy_t;

typedef enum tawa_switch { TAWA_SWITCH_DEFAULT = 0, TAWA_SWITCH_ON, TAWA_SWITCH_OFF } tawa_switch_t;

typedef struct tawa_runtime_options {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  /* "cuda:N", "cuda" (the first Hopper GPU, else the first NVIDIA GPU since Ampere), "emulator", or "auto" (that GPU if
   * there is one, else the emulator).
   * NULL: what TAWA_DEVICE says, else "auto". */
  const char *device;
  tawa_log_fn log; /* NULL: stderr */
  void *log_user;
  tawa_log_level_t log_level;
  uint32_t reserved2;
  const char *dump_dir; /* where compiles leave the IR after every phase; NULL: what TAWA_DUMP_DIR says, else nowhere */
  /* A CUcontext to work in. NULL: the one current on the calling thread if it is on this device, else the primary one.
   */
  void *cuda_context;
  /* Folder in which kernels and tuning results are kept, an absolute path, made where it is missing; "": none. NULL:
   * what TAWA_CACHE_DIR says, or none where TAWA_CACHE is off. Whatever goes wrong with it, calls go on without and the
   * log says so once. */
  const char *cache_dir;
  /* Caches that are only read, folders or sealed files, asked in this order after cache_dir, or alone
   * where that is none. NULL: what TAWA_CACHE_READONLY says, whatever TAWA_CACHE says. */
  const char *const *cache_readonly;
  uint32_t num_cache_readonly;
  tawa_switch_t frozen; /* on: a compile of what is in no cache is TAWA_E_CACHE_MISS; default: what TAWA_FROZEN says */
  uint64_t cache_max_bytes; /* of cache_dir, at least 1 MiB; 0: what TAWA_CACHE_MAX_SIZE says */
  tawa_policy_t policy;
  uint32_t reserved3;
} tawa_runtime_options_t;
/* clang-format off */
#define TAWA_RUNTIME_OPTIONS_INIT                                                                                      \
  {(uint32_t)sizeof(tawa_runtime_options_t), 0, NULL, NULL, NULL, NULL, TAWA_LOG_DEFAULT, 0, NULL, NULL, NULL, NULL,   \
   0, TAWA_SWITCH_DEFAULT, 0, TAWA_POLICY_DEFAULT, 0}
/* clang-format on */

/* Opens the device. `options` may be NULL. Needs no GPU and no driver unless "cuda:N" is asked for. */
TAWA_API tawa_status_t tawa_runtime_create(const tawa_runtime_options_t *options, tawa_runtime_t *runtime,
                                           tawa_error_t *error);
TAWA_API void tawa_runtime_retain(tawa_runtime_t runtime);
TAWA_API void tawa_runtime_release(tawa_runtime_t runtime);

typedef enum tawa_device_kind { TAWA_DEVICE_CUDA = 0, TAWA_DEVICE_EMULATOR } tawa_device_kind_t;

typedef struct tawa_device_info {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *name;        /* "cuda:0", "emulator" */
  const char *description; /* "NVIDIA H200"; what the emulator models; why "auto" took the emulator */
  tawa_device_kind_t kind;
  uint32_t compute_major;
  uint32_t compute_minor;
  uint32_t multiprocessors;
  uint32_t driver_version;         /* CUDA version of the driver, 1000 * major + 10 * minor; 0 on the emulator */
  uint32_t shared_bytes_per_block; /* most that a kernel may ask for */
  uint64_t memory_bytes;           /* of the GPU; 0 on the emulator */
} tawa_device_info_t;
#define TAWA_DEVICE_INFO_INIT                                                                                          \
  {(uint32_t)sizeof(tawa_device_info_t), 0, NULL, NULL, NULL, TAWA_DEVICE_CUDA, 0, 0, 0, 0, 0, 0}

TAWA_API tawa_status_t tawa_runtime_device_info(tawa_runtime_t runtime, tawa_device_info_t *info);

/* What the caches of a runtime did since it was made. */
typedef struct tawa_cache_counters {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  uint64_t hits;
  uint64_t misses;
  uint64_t writes;
  uint64_t faults; /* each of them a miss, or a row that was not written */
  /* What they could not spare. */
  uint64_t compiles; /* kernels compiled, without the candidates of searches */
  uint64_t trials;   /* candidates that searches compiled and ran */
} tawa_cache_counters_t;
#define TAWA_CACHE_COUNTERS_INIT {(uint32_t)sizeof(tawa_cache_counters_t), 0, NULL, 0, 0, 0, 0, 0, 0}

TAWA_API tawa_status_t tawa_runtime_cache_counters(tawa_runtime_t runtime, tawa_cache_counters_t *counters);

/* The hardware description that search and performance model work with, as text: one `key = value unit` a line. `name`
 * is that of a description ("h200"), or a file with one if it contains a '/' or ends in ".hw"; NULL: that of the
 * runtime's device, with what its driver says put over the file (`runtime` may be NULL where a name is given). Mistakes
 * in files of TAWA_HARDWARE are TAWA_E_INVALID_ARGUMENT, with a diagnostic each. Freed by tawa_free(). */
TAWA_API tawa_status_t tawa_hardware_describe(tawa_runtime_t runtime, const char *name, char **text,
                                              tawa_error_t *error);
/* The names there are, one a line; those of TAWA_HARDWARE first. Freed by tawa_free(). */
TAWA_API tawa_status_t tawa_hardware_names(char **names, tawa_error_t *error);

/* ---- memory of the runtime's device ---------------------------------------------------------------------- */

/* On a GPU these are plain device allocations and blocking copies; any other way to get device memory serves as well.
 * On the emulator they are host memory with known bounds: a launch reaches only what was allocated or registered here,
 * and of it only what its tensor arguments describe. Addresses are given and taken as the `data` of tensor arguments.
 * What is freed is no longer used by a launch: the caller sees to that. A runtime that ends frees what is left. */
TAWA_API tawa_status_t tawa_memory_allocate(tawa_runtime_t runtime, size_t size, void **address, tawa_error_t *error);
TAWA_API tawa_status_t tawa_memory_free(tawa_runtime_t runtime, void *address, tawa_error_t *error);
/* Makes `size` bytes of host memory reachable for kernels, at the address they have: on a GPU pinned and mapped
 * (cuMemHostRegister(); kernels reach it over the bus), on the emulator as it is. The memory stays the caller's, must
 * be readable and writable, and may be unmapped, or go out of scope, only after tawa_memory_unregister(), which takes
 * the address that was registered; no launch may use it then. A runtime that ends forgets what is left on the emulator;
 * on a GPU it stays pinned in the context. TAWA_E_INVALID_ARGUMENT (on a GPU TAWA_E_CUDA): no bytes, or bytes that
 * overlap what is allocated or registered already. From any thread. */
TAWA_API tawa_status_t tawa_memory_register(tawa_runtime_t runtime, void *address, size_t size, tawa_error_t *error);
TAWA_API tawa_status_t tawa_memory_unregister(tawa_runtime_t runtime, void *address, tawa_error_t *error);
TAWA_API tawa_status_t tawa_memory_copy_in(tawa_runtime_t runtime, void *device, const void *host, size_t size,
                                           tawa_error_t *error);
TAWA_API tawa_status_t tawa_memory_copy_out(tawa_runtime_t runtime, void *host, const void *device, size_t size,
                                            tawa_error_t *error);
TAWA_API tawa_status_t tawa_memory_fill(tawa_runtime_t runtime, void *device, uint8_t value, size_t size,
                                        tawa_error_t *error);
/* TAWA_OK while kernels can run. TAWA_E_CUDA once a fault, of any kernel of the process, has broken the CUDA context:
 * nothing runs in it any more, the data in it is lost, and trying again is useless; only another process, or a context
 * that the caller makes anew, helps. A fault that the driver has not noticed yet is not seen: tawa_synchronize() waits
 * for it. Waits for nothing itself, and may be called while a stream is being captured. On the emulator always TAWA_OK.
 */
TAWA_API tawa_status_t tawa_runtime_check(tawa_runtime_t runtime, tawa_error_t *error);
/* Waits for all work of `stream` (a CUstream; NULL: the default stream). Reports what an earlier launch did wrong. */
TAWA_API tawa_status_t tawa_synchronize(tawa_runtime_t runtime, void *stream, tawa_error_t *error);

/* ---- arguments ------------------------------------------------------------------------------------------- */

/* Integers have no sign: a kernel's text says with each operation how it reads its operands. The unsigned names are
 * other names for the same types, and numbers may be given from the signed or the unsigned range of the type. */
typedef enum tawa_dtype {
  TAWA_I1 = 0, /* one byte */
  TAWA_I8,
  TAWA_I16,
  TAWA_I32,
  TAWA_I64,
  TAWA_F8E4M3,
  TAWA_F8E5M2,
  TAWA_F16,
  TAWA_BF16,
  TAWA_F32,
  TAWA_F64,
  TAWA_U8 = TAWA_I8,
  TAWA_U16 = TAWA_I16,
  TAWA_U32 = TAWA_I32,
  TAWA_U64 = TAWA_I64
} tawa_dtype_t;

typedef enum tawa_arg_kind {
  TAWA_ARG_TENSOR = 0, /* data, dtype, rank, shape, strides */
  TAWA_ARG_SCALAR,     /* dtype and a value that each launch may change */
  TAWA_ARG_CONSTANT    /* dtype and a value that is compiled in; launches must repeat it */
} tawa_arg_kind_t;

#define TAWA_MAX_RANK 8
/* Stands for a dimension or stride that only the launch will tell. */
#define TAWA_UNKNOWN INT64_MIN

/* A logical argument, as a person sees it: one per tensor or number of the kernel, in the order of tawa_signature_*.
 * How it fills the parameters printed in the kernel's text is Tawa's work. The same struct serves both calls:
 *  - to compile: dimensions and strides given are facts that the code may rely on; every launch must then match them.
 *  - to launch: rank 0 means "the shape given at compile time", if that was complete. */
typedef struct tawa_arg {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  tawa_arg_kind_t kind;
  tawa_dtype_t dtype;
  uint32_t rank;
  /* To compile: a promise about the pointer (bytes) or integer (divisor); 0: none beyond the element's size. */
  uint32_t alignment;
  void *data;      /* address on the device; to compile: may be NULL, else tensor maps are built at once */
  int64_t integer; /* value of an integer scalar or constant */
  double number;   /* value of a floating-point scalar or constant, rounded to dtype */
  int64_t shape[TAWA_MAX_RANK];
  int64_t strides[TAWA_MAX_RANK]; /* all 0: contiguous, last dimension fastest */
  /* To compile: bit d set: what was tuned for another size of dimension d (of a scalar: bit 0 and its value) will do as
   * long as both round up to the same power of two. 0: tuning results are for exactly these sizes. */
  uint32_t buckets;
  uint32_t reserved2;
} tawa_arg_t;
#define TAWA_ARG_INIT                                                                                                  \
  {(uint32_t)sizeof(tawa_arg_t), 0, NULL, TAWA_ARG_TENSOR, TAWA_F16, 0, 0, NULL, 0, 0.0, {0, 0, 0, 0, 0, 0, 0, 0},     \
   {0, 0, 0, 0, 0, 0, 0, 0},     0, 0}

/* Shorthands for arguments of every kind; plain C, no call into the library. Tensors are contiguous, their dimensions
 * count the outermost first, and `data` is an address on the device, which to compile may be NULL. */
static inline tawa_arg_t tawa_tensor(tawa_dtype_t dtype, void *data, uint32_t rank, const int64_t *shape) {
  tawa_arg_t arg = TAWA_ARG_INIT;
  uint32_t i;
  arg.dtype = dtype;
  arg.rank = rank; /* more than TAWA_MAX_RANK is what the call it is given to refuses */
  arg.data = data;
  for (i = 0; i < rank && i < TAWA_MAX_RANK; ++i)
    arg.shape[i] = shape[i];
  return arg;
}
static inline tawa_arg_t tawa_vector(tawa_dtype_t dtype, void *data, int64_t size) {
  return tawa_tensor(dtype, data, 1, &size);
}
static inline tawa_arg_t tawa_matrix(tawa_dtype_t dtype, void *data, int64_t rows, int64_t columns) {
  int64_t shape[2];
  shape[0] = rows;
  shape[1] = columns;
  return tawa_tensor(dtype, data, 2, shape);
}
static inline tawa_arg_t tawa_tensor3(tawa_dtype_t dtype, void *data, int64_t outer, int64_t rows, int64_t columns) {
  int64_t shape[3];
  shape[0] = outer;
  shape[1] = rows;
  shape[2] = columns;
  return tawa_tensor(dtype, data, 3, shape);
}
/* A bare pointer: nothing is said of a shape, which such a kernel never asks for. */
static inline tawa_arg_t tawa_pointer(tawa_dtype_t dtype, void *data) { return tawa_tensor(dtype, data, 0, NULL); }

/* Numbers that each launch may change. */
static inline tawa_arg_t tawa_integer(tawa_dtype_t dtype, int64_t value) {
  tawa_arg_t arg = TAWA_ARG_INIT;
  arg.kind = TAWA_ARG_SCALAR;
  arg.dtype = dtype;
  arg.integer = value;
  return arg;
}
static inline tawa_arg_t tawa_number(tawa_dtype_t dtype, double value) {
  tawa_arg_t arg = TAWA_ARG_INIT;
  arg.kind = TAWA_ARG_SCALAR;
  arg.dtype = dtype;
  arg.number = value;
  return arg;
}
static inline tawa_arg_t tawa_i32(int32_t value) { return tawa_integer(TAWA_I32, value); }
static inline tawa_arg_t tawa_i64(int64_t value) { return tawa_integer(TAWA_I64, value); }
static inline tawa_arg_t tawa_f32(float value) { return tawa_number(TAWA_F32, (double)value); }
static inline tawa_arg_t tawa_f64(double value) { return tawa_number(TAWA_F64, value); }
/* A number that is compiled in: tawa_constant(tawa_i32(64)). */
static inline tawa_arg_t tawa_constant(tawa_arg_t number) {
  number.kind = TAWA_ARG_CONSTANT;
  return number;
}

/* ---- what a kernel's text asks for ----------------------------------------------------------------------- */

typedef struct tawa_signature *tawa_signature_t;

typedef struct tawa_arg_info {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *name;
  tawa_arg_kind_t kind;
  tawa_dtype_t dtype;
  uint32_t rank;      /* of a tensor; 0 for a bare pointer whose shape the kernel never asks for */
  uint32_t alignment; /* the text's own promise (tt.divisibility); 0: none */
} tawa_arg_info_t;
#define TAWA_ARG_INFO_INIT {(uint32_t)sizeof(tawa_arg_info_t), 0, NULL, NULL, TAWA_ARG_TENSOR, TAWA_I1, 0, 0}

typedef struct tawa_parameter_info {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *name;      /* of the directive, or of a tile size that the compiler can change */
  const int64_t *values; /* allowed, of a tile size: usual, values; the first is the default */
  uint32_t num_values;
  uint32_t is_setting; /* it decides what the kernel computes, and is never searched */
} tawa_parameter_info_t;
#define TAWA_PARAMETER_INFO_INIT {(uint32_t)sizeof(tawa_parameter_info_t), 0, NULL, NULL, NULL, 0, 0}

/* Reads a kernel's text without compiling it; `name` is the file named in diagnostics and may be NULL. */
TAWA_API tawa_status_t tawa_signature_read(const char *text, size_t text_len, const char *name,
                                           tawa_signature_t *signature, tawa_error_t *error);
TAWA_API const char *tawa_signature_entry(tawa_signature_t signature);
/* The text's `tawa.grid` directive, "" where it has none and launches must give the grid. */
TAWA_API const char *tawa_signature_grid(tawa_signature_t signature);
TAWA_API uint32_t tawa_signature_argument_count(tawa_signature_t signature);
TAWA_API tawa_status_t tawa_signature_argument(tawa_signature_t signature, uint32_t index, tawa_arg_info_t *info);
TAWA_API uint32_t tawa_signature_parameter_count(tawa_signature_t signature);
TAWA_API tawa_status_t tawa_signature_parameter(tawa_signature_t signature, uint32_t index,
                                                tawa_parameter_info_t *info);
TAWA_API void tawa_signature_release(tawa_signature_t signature);

/* ---- compiling ------------------------------------------------------------------------------------------- */

typedef struct tawa_kernel *tawa_kernel_t;

typedef struct tawa_compile_request {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *text; /* Triton IR, with `tawa.` directives if wanted; need not end with a zero */
  size_t text_len;  /* at most 64 MiB */
  const char *name; /* file named in diagnostics; NULL: "<kernel>" */
  const tawa_arg_t *args;
  uint32_t num_args;
  uint32_t reserved2;
  /* "BLOCK_M=128 D=4 P=1 consumers=2 epilogue=2", any part may be left out; NULL: `policy` decides, "": all defaults.
   * Where it names nothing but settings of the text (`tawa.setting`) `policy` decides the rest. */
  const char *config;
  tawa_policy_t policy;
  uint32_t reserved3;
  /* How TAWA_POLICY_BACKGROUND and TAWA_POLICY_BLOCKING search: budget, seed, progress, worker; NULL: the defaults. Of
   * a search that goes on in the background, `progress` is called until its job is done. */
  const struct tawa_tune_options *tune;
  /* The GPU that code is made for, named as tawa_compile_to_cache() takes it, which has a parameter for it and refuses
   * this one. NULL: what TAWA_TARGET says, else the runtime's device. What is loaded must be code that the device runs:
   * "portable" is for every NVIDIA GPU since Ampere. */
  const char *target;
} tawa_compile_request_t;
/* clang-format off */
#define TAWA_COMPILE_REQUEST_INIT                                                                                      \
  {(uint32_t)sizeof(tawa_compile_request_t), 0, NULL, NULL, 0, NULL, NULL, 0, 0, NULL, TAWA_POLICY_DEFAULT, 0, NULL, NULL}
/* clang-format on */

/* Compiles for the runtime's device, or takes the kernel from the cache, and loads it there; blocks. Any stack of the
 * calling thread will do. Where another process compiles the same kernel into the same cache, it is waited for, for 10
 * s at most. */
TAWA_API tawa_status_t tawa_compile(tawa_runtime_t runtime, const tawa_compile_request_t *request,
                                    tawa_kernel_t *kernel, tawa_error_t *error);
TAWA_API void tawa_kernel_retain(tawa_kernel_t kernel);
TAWA_API void tawa_kernel_release(tawa_kernel_t kernel);

typedef struct tawa_job *tawa_job_t;

/* The same without waiting: the compile goes on on a thread of the library. The request may end with the call.
 * Releasing a job does not end it. */
TAWA_API tawa_status_t tawa_compile_async(tawa_runtime_t runtime, const tawa_compile_request_t *request,
                                          tawa_job_t *job, tawa_error_t *error);
/* Waits for the job, for UINT64_MAX without end: TAWA_E_TIMEOUT where it is not done, else what tawa_compile() would
 * have given. Each call that succeeds gives a reference to the kernel; `kernel` may be NULL. */
TAWA_API tawa_status_t tawa_job_wait(tawa_job_t job, uint64_t timeout_ns, tawa_kernel_t *kernel, tawa_error_t *error);
/* TAWA_E_BUSY where it is not done, else its result. */
TAWA_API tawa_status_t tawa_job_poll(tawa_job_t job);
/* A job that is not done has the result TAWA_E_CANCELLED from now on; the compiler stops at its next phase. */
TAWA_API void tawa_job_cancel(tawa_job_t job);
TAWA_API void tawa_job_retain(tawa_job_t job);
TAWA_API void tawa_job_release(tawa_job_t job);

/* The search that TAWA_POLICY_BACKGROUND started when this kernel was compiled: a job whose kernel is the same one in
 * the configuration that was found, for the caller to go on with; NULL where there is none. Gives a reference. */
TAWA_API tawa_status_t tawa_kernel_search(tawa_kernel_t kernel, tawa_job_t *job, tawa_error_t *error);

/* Compiles for `target` into the runtime's cache without loading: needs no GPU. `target` is "emulator" or a GPU that
 * the library has a description of ("h200", see tawa_hardware_names()); NULL: the runtime's device. *was_there, if
 * wanted, becomes 1 where the cache had it already. TAWA_E_CACHE_IO where the kernel could not be put into the cache.
 * Where the request leaves the configuration open the policy decides it for the target; with another than the runtime's
 * device nothing can be measured, and BACKGROUND and BLOCKING do what PREDICTED does: what the model chooses is kept,
 * and is what a compile on such a device takes until it searches.
 */
TAWA_API tawa_status_t tawa_compile_to_cache(tawa_runtime_t runtime, const tawa_compile_request_t *request,
                                             const char *target, uint32_t *was_there, tawa_error_t *error);

/* Why the runtime's cache has no kernel, and no configuration, for a request: the fields of the key in which the
 * nearest entry differs. "" where it has both. Compiles nothing. Freed by tawa_free(). */
TAWA_API tawa_status_t tawa_cache_explain(tawa_runtime_t runtime, const tawa_compile_request_t *request, char **text,
                                          tawa_error_t *error);

/* The forms a kernel passes through. */
typedef enum tawa_stage {
  TAWA_STAGE_TTIR = 0, /* parsed input, directives expanded */
  TAWA_STAGE_TAWA,     /* warp groups and arefs */
  TAWA_STAGE_SM90,     /* machine operations, per thread */
  TAWA_STAGE_LLVM,     /* LLVM IR of the GPU's back end */
  TAWA_STAGE_PTX,
  TAWA_STAGE_CUBIN,      /* made by ptxas where one is installed, else by the driver, which refuses some kernels */
  TAWA_STAGE_HOST_OBJECT /* ELF object that the emulator runs */
} tawa_stage_t;

/* Compiles up to `stage` and hands out its text or bytes (a zero follows, not counted in *size). Freed by tawa_free().
 * Needs no GPU except for TAWA_STAGE_CUBIN without ptxas; the text does not depend on the runtime's device. */
TAWA_API tawa_status_t tawa_emit(tawa_runtime_t runtime, const tawa_compile_request_t *request, tawa_stage_t stage,
                                 char **data, size_t *size, tawa_error_t *error);

/* ---- what became of it ----------------------------------------------------------------------------------- */

typedef struct tawa_kernel_info {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *entry;           /* symbol */
  const char *config;          /* complete, as a request takes it */
  const char *content_hash;    /* 32 hexadecimal digits over code and launch facts */
  const char *grid_expression; /* "" where launches must give the grid */
  const char *jit_log;         /* of the driver's compiler; "" on the emulator, or where the driver's cache had it */
  uint32_t threads;            /* per CTA */
  uint32_t shared_bytes;       /* dynamic shared memory per CTA */
  uint32_t registers;          /* per thread at entry */
  uint32_t spill_bytes;        /* stored to local memory per thread because registers ran out */
  uint32_t local_bytes;        /* local memory per thread, spills included */
  uint32_t cluster[3];
  uint32_t ring_depth; /* D; 0: left to the compiler, and the kernel has no ring */
  uint32_t mma_depth;  /* P */
  uint32_t consumer_groups;
  uint32_t ptx_version; /* 10 * major + minor; 0 on the emulator */
  uint32_t num_args;
  uint32_t num_roles;
  uint32_t num_rings;
  uint32_t num_phases;
  uint32_t num_diagnostics; /* warnings and remarks of the compiler */
  uint32_t reserved2;
  const char *declined; /* why the kernel was not split into roles; "" where it was */
  uint32_t from_cache;  /* 1: nothing was compiled */
  uint32_t reserved3;
  /* Why this configuration: "request", "default", "measured", "verified" (on a device that gives no times),
   * "predicted" */
  const char *chosen_by;
} tawa_kernel_info_t;
/* clang-format off */
#define TAWA_KERNEL_INFO_INIT                                                                                          \
  {(uint32_t)sizeof(tawa_kernel_info_t), 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0,                         \
   {0, 0, 0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0, NULL}
/* clang-format on */

typedef struct tawa_role_info {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *name;
  uint32_t warps;
  uint32_t registers; /* per thread while the role runs */
} tawa_role_info_t;
#define TAWA_ROLE_INFO_INIT {(uint32_t)sizeof(tawa_role_info_t), 0, NULL, NULL, 0, 0}

typedef struct tawa_ring_info {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *payload; /* printed types of what one slot holds */
  uint64_t slot_bytes;
  uint32_t depth;
  uint32_t reserved2;
} tawa_ring_info_t;
#define TAWA_RING_INFO_INIT {(uint32_t)sizeof(tawa_ring_info_t), 0, NULL, NULL, 0, 0, 0}

/* Phases come in this order: "choose" (a configuration; the first of a process opens the cache), then "cache" (the
 * kernel was there) or the compiler's phases, then the driver's: "context" (until one is current; the first call of a
 * process makes the device's primary context unless one is there), "link" (PTX or host object to code in memory; short
 * where the driver's own cache has it) and "load". The emulator has no context: 0. */
typedef struct tawa_phase_info {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *name;
  double milliseconds;
} tawa_phase_info_t;
#define TAWA_PHASE_INFO_INIT {(uint32_t)sizeof(tawa_phase_info_t), 0, NULL, NULL, 0.0}

TAWA_API tawa_status_t tawa_kernel_info(tawa_kernel_t kernel, tawa_kernel_info_t *info);
TAWA_API tawa_status_t tawa_kernel_argument(tawa_kernel_t kernel, uint32_t index, tawa_arg_info_t *info);
TAWA_API tawa_status_t tawa_kernel_role(tawa_kernel_t kernel, uint32_t index, tawa_role_info_t *info);
TAWA_API tawa_status_t tawa_kernel_ring(tawa_kernel_t kernel, uint32_t index, tawa_ring_info_t *info);
TAWA_API tawa_status_t tawa_kernel_phase(tawa_kernel_t kernel, uint32_t index, tawa_phase_info_t *info);
TAWA_API tawa_status_t tawa_kernel_diagnostic(tawa_kernel_t kernel, uint32_t index, tawa_diagnostic_t *diagnostic);

/* Borrowed bytes of what was compiled: TAWA_STAGE_PTX of a kernel on a GPU, TAWA_STAGE_HOST_OBJECT of one on the
 * emulator; other stages are TAWA_E_UNSUPPORTED here and come from tawa_emit(). */
TAWA_API tawa_status_t tawa_kernel_artifact(tawa_kernel_t kernel, tawa_stage_t stage, const void **data, size_t *size,
                                            tawa_error_t *error);
/* Loads the kernel in `context`, a CUcontext of the runtime's device; NULL: the one in which a launch of the calling
 * thread would work (see tawa_runtime_options_t). tawa_compile() has loaded it in the latter of its own thread already.
 * A first launch in another context does the same, but is TAWA_E_CAPTURE_UNSAFE while its stream is being captured:
 * call this before. TAWA_E_TARGET_MISMATCH for a context of another device. Nothing to do on the emulator. */
TAWA_API tawa_status_t tawa_kernel_load(tawa_kernel_t kernel, void *context, tawa_error_t *error);
/* The CUfunction in the context the runtime works in (see tawa_runtime_options_t), loaded there if need be; what to
 * launch it with is in tawa_binding_plan(). TAWA_E_UNSUPPORTED on the emulator, and for a kernel that makes tensor maps
 * itself or whose CTAs share tiles (stream=1) or take them one by one (dynamic=1), since launches of it need memory
 * that only Tawa knows. */
TAWA_API tawa_status_t tawa_kernel_function(tawa_kernel_t kernel, void **function, tawa_error_t *error);

/* ---- choosing a configuration ---------------------------------------------------------------------------- */

typedef enum tawa_tune_outcome {
  TAWA_TUNE_PREDICTED = 0, /* legal, and not tried */
  TAWA_TUNE_MEASURED,
  TAWA_TUNE_VERIFIED, /* its result is right; this device, the emulator, gives no times */
  TAWA_TUNE_FAILED,   /* tried, and went wrong: compiler, assembler, result, fault, time; `reason` says which */
  TAWA_TUNE_REFUSED   /* not tried: `reason` */
} tawa_tune_outcome_t;

/* What is known of one configuration. Strings belong to the result. */
typedef struct tawa_tune_row {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *config; /* complete, as a request takes it */
  tawa_tune_outcome_t outcome;
  uint32_t samples;    /* launches measured */
  const char *rule;    /* of a refusal: "shared memory", "registers", ...; else "" */
  const char *reason;  /* of a refusal or failure, in words; else "" */
  const char *bound;   /* what the model holds to set the pace: "products", "loads", "memory", ...; "" if refused */
  double predicted_us; /* by the performance model; 0 where refused */
  double median_us;    /* measured; 0 where not */
  double best_us;
  double spread_us;    /* difference of the third and the first quartile */
  uint32_t from_cache; /* 1: tried by an earlier search */
  uint32_t reserved2;
} tawa_tune_row_t;
#define TAWA_TUNE_ROW_INIT                                                                                             \
  {(uint32_t)sizeof(tawa_tune_row_t), 0, NULL, NULL, TAWA_TUNE_PREDICTED, 0, NULL, NULL, NULL, 0.0, 0.0, 0.0, 0.0, 0, 0}

typedef struct tawa_tune_progress {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *stage;  /* "rank", "compile", "wait" (for another search), "verify", "measure", "finals" */
  const char *config; /* the one at hand; "" where it is about all */
  uint32_t done;      /* of this stage */
  uint32_t total;
} tawa_tune_progress_t;
#define TAWA_TUNE_PROGRESS_INIT {(uint32_t)sizeof(tawa_tune_progress_t), 0, NULL, NULL, NULL, 0, 0}
/* Called from threads of the library while a search runs, one at a time; ends with the call. Not 0: stop soon, with
 * TAWA_E_CANCELLED. */
typedef int (*tawa_tune_progress_fn)(void *user, const tawa_tune_progress_t *progress);

typedef enum tawa_tune_isolation {
  /* Candidates run in a process of their own: faults and hangs end that, not this. It is killed when it has told its
   * results, and its memory of the device is free a second or two after the search. */
  TAWA_TUNE_WORKER = 0,
  TAWA_TUNE_IN_PROCESS
} tawa_tune_isolation_t;

typedef struct tawa_tune_options {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  const char *hardware; /* as for tawa_hardware_describe(); NULL: the description of the runtime's device */
  const char *configs;  /* only these, one a line, the first of them the default; NULL: the search space */
  const char *worker;   /* program that calls tawa_tune_worker(); NULL: TAWA_WORKER, else `tawa` of this installation */
  tawa_tune_isolation_t isolation;
  uint32_t predict_only; /* 1: rank, compile and run nothing. Needs no device of that kind. */
  uint32_t top;     /* right candidates beside the default: the model's, and neighbours of the fastest; 0: 12 or 20 */
  uint32_t threads; /* for compiling; 0: as many as the machine has */
  uint64_t seed;    /* of the data and of the order of measurements */
  double budget_seconds; /* after which no further candidate is begun; 0: 60 */
  /* Without progress, after which a candidate counts as hanging (with TAWA_TUNE_WORKER); 0: 20. A worker that goes on
   * for four times as long after the budget's end is killed: TAWA_E_TIMEOUT. */
  double candidate_seconds;
  uint32_t warm;    /* 1: measured, and predicted, with data in L2; 0: half of the launches find L2 empty */
  uint32_t grid[3]; /* CTAs, for texts without `tawa.grid`; {0, 0, 0}: from the text */
  tawa_tune_progress_fn progress;
  void *progress_user;
  uint32_t again; /* 1: tries again what the cache has results of */
  uint32_t reserved2;
} tawa_tune_options_t;
#define TAWA_TUNE_OPTIONS_INIT                                                                                         \
  {(uint32_t)sizeof(tawa_tune_options_t),                                                                              \
   0,                                                                                                                  \
   NULL,                                                                                                               \
   NULL,                                                                                                               \
   NULL,                                                                                                               \
   NULL,                                                                                                               \
   TAWA_TUNE_WORKER,                                                                                                   \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0,                                                                                                                  \
   0.0,                                                                                                                \
   0.0,                                                                                                                \
   0,                                                                                                                  \
   {0, 0, 0},                                                                                                          \
   NULL,                                                                                                               \
   NULL,                                                                                                               \
   0,                                                                                                                  \
   0}

typedef struct tawa_tune_result *tawa_tune_result_t;

/* Finds the fastest configuration of a kernel for arguments of these shapes: legal ones are ranked by the performance
 * model; the best `top`, and the default, are compiled on all threads, compared with the same kernel compiled in its
 * plain form, measured, and the fastest measured again. Among them is what earlier searches found the fastest for the
 * same text and sizes that are no more than four times as large or small. The request's `config` is the default: what
 * is chosen is never slower than it was measured to be. Tensors need shapes, no addresses: the call works on data of
 * its own. Only what may lead a kernel, tensors of i32 and i64 that are read, is copied from the caller's, of those
 * that have an address, up to 64 MiB in all: with other indices a kernel may read outside of its tensors, and with
 * other lengths take another time. What writes to them must have finished. Every configuration that was tried is kept
 * in the runtime's cache, failures included, and is not tried again by the same build and driver; the best, compiled,
 * is kept as well, and what TAWA_POLICY_CACHED takes from then on. Searches of one device wait for one another, in this
 * process and among those that share the cache. With predict_only the best is the model's, and nothing is kept; rows
 * that earlier searches left are handed out all the same. Blocks. `options` may be NULL. */
TAWA_API tawa_status_t tawa_tune(tawa_runtime_t runtime, const tawa_compile_request_t *request,
                                 const tawa_tune_options_t *options, tawa_tune_result_t *result, tawa_error_t *error);
/* The configuration chosen. */
TAWA_API const char *tawa_tune_result_best(tawa_tune_result_t result);
/* Rows: those that were tried first, fastest first; then the legal ones as the model ranks them; then the refused. */
TAWA_API uint32_t tawa_tune_result_count(tawa_tune_result_t result);
TAWA_API tawa_status_t tawa_tune_result_row(tawa_tune_result_t result, uint32_t index, tawa_tune_row_t *row);
TAWA_API void tawa_tune_result_release(tawa_tune_result_t result);
/* What a worker program does: reads a job from one file descriptor to its end, runs it, and writes what comes of it to
 * the other. `tawa tune-worker` is one; a program that cannot rely on it being installed may be its own worker.
 * TAWA_OK: the job was run, whatever came of it. TAWA_E_INVALID_ARGUMENT: a descriptor that is not open or fails, or a
 * text that is no job; TAWA_E_NO_DEVICE and others of tawa_runtime_create(): its device could not be opened. Failures
 * are written to the other descriptor as well where that is open. Blocks. */
TAWA_API tawa_status_t tawa_tune_worker(int input, int output);

/* ---- launching ------------------------------------------------------------------------------------------- */

typedef struct tawa_launch_options {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  /* Programs; {0, 0, 0}: from the text's `tawa.grid`; otherwise a 0 counts as 1. Where the request left the
   * configuration open and other tile sizes were chosen than the text's (first) ones, what covers all with these
   * becomes what covers all with the chosen ones; for any other grid, as for a part of all programs, the kernel is
   * compiled and launched in the text's own sizes. */
  uint32_t grid[3];
  uint32_t reserved2;
  /* Order in which the emulator lets asynchronous work land: "eager", "wgmma-late", "late-random[:seed]". NULL: what
   * TAWA_EMU_SCHEDULE says, else "eager". Without effect on a GPU. */
  const char *emulator_schedule;
} tawa_launch_options_t;
#define TAWA_LAUNCH_OPTIONS_INIT {(uint32_t)sizeof(tawa_launch_options_t), 0, NULL, {0, 0, 0}, 0, NULL}

/* Checks the arguments, rebuilds the tensor maps whose pointer, shape or strides changed, and launches on `stream` (a
 * CUstream; NULL: the default stream). Asynchronous on a GPU; on the emulator the kernel has run when it returns, or
 * was stopped: TAWA_E_EMULATOR, or TAWA_E_TIMEOUT where it took longer than TAWA_EMU_SECONDS. What it wrote until then
 * stays written, and the runtime can be used on. A grid of no CTAs is TAWA_OK. On a GPU, once a thread has launched
 * this kernel, its next launches take no lock and allocate nothing, except where the grid must be worked out from
 * `tawa.grid` again because a shape or number changed, and where a kernel whose CTAs share tiles (stream=1) or take
 * them one by one (dynamic=1) comes to another stream or graph: then it allocates memory there, which it keeps, and
 * waits for that (README.md, "Memory of kernels"). The stream's order holds as ever: CTAs may take their places while
 * the launch ahead still ends (programmatic dependent launch), and wait for its end, and for what it wrote, before they
 * touch any memory of the caller. */
TAWA_API tawa_status_t tawa_launch(tawa_kernel_t kernel, const tawa_arg_t *args, uint32_t num_args, void *stream,
                                   const tawa_launch_options_t *options);
/* Text of the last failed tawa_launch() of the calling thread; "" where none failed. Lives until the next launch. */
TAWA_API const char *tawa_last_launch_error(void);

typedef struct tawa_binding *tawa_binding_t;

/* A launch whose arguments are checked and packed once, for programs that repeat it with other addresses. `args` and
 * `options` are those of tawa_launch() and are checked like there; addresses may be NULL here where launches give them.
 * Works out the grid, which no address changes. The binding keeps its kernel alive. */
TAWA_API tawa_status_t tawa_bind(tawa_kernel_t kernel, const tawa_arg_t *args, uint32_t num_args,
                                 const tawa_launch_options_t *options, tawa_binding_t *binding, tawa_error_t *error);
/* Launches as tawa_launch() does, with the numbers, shapes and strides of the binding, and with one address per tensor
 * argument in `data`, in the order of the arguments; NULL (num_data is not used): those that it was bound with. Tensor
 * maps are built again only for addresses that differ from the binding's last launch. Allocates as tawa_launch() does.
 * Safe from any thread, but launches of one binding wait for one another: threads that launch at the same time had
 * better have one each. The text of a failure is in tawa_last_launch_error(). */
TAWA_API tawa_status_t tawa_binding_launch(tawa_binding_t binding, void *const *data, uint32_t num_data, void *stream);

/* All that cuLaunchKernelEx() or a kernel node of a CUDA graph is told, with the function's context current. What it
 * points to belongs to the binding, and `parameters` holds the addresses asked for until the next tawa_binding_plan()
 * of that binding. */
typedef struct tawa_launch_plan {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  void *function;         /* CUfunction, of the context in which a launch of the calling thread would work */
  const void *parameters; /* block of all parameters; parameter i begins at offsets[i] and has sizes[i] bytes */
  const uint32_t *offsets;
  const uint32_t *sizes;
  size_t parameter_bytes;
  uint32_t num_parameters; /* of the compiled kernel, which has none for what its code does not use */
  uint32_t grid[3];        /* CTAs to start; of a persistent kernel those that are resident; 0: launch nothing */
  uint32_t block[3];       /* threads; y and z are 1 */
  uint32_t cluster[3];     /* CTAs; where it is not 1, 1, 1 the launch attribute must say so */
  uint32_t shared_bytes;   /* dynamic; the function's attributes allow for it already */
  uint32_t begins_early;   /* 1: the attribute "programmatic stream serialization" may be set */
} tawa_launch_plan_t;
#define TAWA_LAUNCH_PLAN_INIT                                                                                          \
  {(uint32_t)sizeof(tawa_launch_plan_t), 0, NULL, NULL, NULL, NULL, NULL, 0, 0, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, 0, 0}

/* What a launch of the binding with these addresses (as for tawa_binding_launch()) is made of. Loads the kernel where
 * it is not loaded. TAWA_E_UNSUPPORTED on the emulator and for kernels that have no tawa_kernel_function(). Such
 * kernels can be captured in a CUDA graph all the same: by a launch on a stream that is being captured. */
TAWA_API tawa_status_t tawa_binding_plan(tawa_binding_t binding, void *const *data, uint32_t num_data,
                                         tawa_launch_plan_t *plan, tawa_error_t *error);
TAWA_API void tawa_binding_retain(tawa_binding_t binding);
TAWA_API void tawa_binding_release(tawa_binding_t binding);

/* GPU time of `launches` launches back to back after `warmup` untimed ones, in milliseconds for all of them, between
 * two events of `stream`; waits for the result. TAWA_E_UNSUPPORTED on the emulator, whose time says nothing of speed.
 */
TAWA_API tawa_status_t tawa_launch_timed(tawa_kernel_t kernel, const tawa_arg_t *args, uint32_t num_args, void *stream,
                                         const tawa_launch_options_t *options, uint32_t warmup, uint32_t launches,
                                         double *milliseconds, tawa_error_t *error);

/* ---- caches, as people handle them ----------------------------------------------------------------------- */

/* One cache, without a runtime. Here a fault is an error: TAWA_E_CACHE_IO, TAWA_E_CACHE_CORRUPT, TAWA_E_BUSY. */
typedef struct tawa_cache *tawa_cache_t;

typedef enum tawa_cache_access { TAWA_CACHE_READ = 0, TAWA_CACHE_WRITE } tawa_cache_access_t;

/* `path` is a folder, or to read also a file that tawa_cache_export() made; NULL: the folder that the environment
 * names. To write, what is missing of the folder is made. What a writer that was killed began is undone, to read too;
 * TAWA_E_CACHE_IO where that takes permissions that the caller lacks. */
TAWA_API tawa_status_t tawa_cache_open(const char *path, tawa_cache_access_t access, tawa_cache_t *cache,
                                       tawa_error_t *error);
TAWA_API const char *tawa_cache_file(tawa_cache_t cache);
/* The folder that the environment names, whether it is there or not; "" where there is to be none. Freed by
 * tawa_free(). */
TAWA_API tawa_status_t tawa_cache_folder(char **path, tawa_error_t *error);
TAWA_API void tawa_cache_release(tawa_cache_t cache);

/* What an entry's key is about. */
typedef enum tawa_cache_kind {
  TAWA_CACHE_ALL = 0, /* of no entry: all of them */
  TAWA_CACHE_COMPILE, /* a compiled kernel */
  TAWA_CACHE_TUNE,    /* one configuration that was tried */
  TAWA_CACHE_LOAD,    /* machine code */
  TAWA_CACHE_PRESET,  /* the configuration that the performance model chose where none was given (TAWA_POLICY_CACHED) */
  TAWA_CACHE_PLAN     /* plans for a spatial machine */
} tawa_cache_kind_t;

typedef struct tawa_cache_entry {
  uint32_t struct_size;
  uint32_t reserved;
  const void *next;
  tawa_cache_kind_t kind;
  uint32_t reserved2;
  const char *hash;    /* of the key, 32 hexadecimal digits */
  const char *key;     /* its text: what the entry depends on, one line per field, then the kernel's text */
  const char *summary; /* what the entry holds, for people; "" where it is bad */
  const char *fault;   /* why it is bad; "" where it is good */
  uint64_t bytes;
  int64_t made; /* seconds since 1970 */
  int64_t used; /* likewise, of the last use; may lag by an hour */
} tawa_cache_entry_t;
#define TAWA_CACHE_ENTRY_INIT                                                                                          \
  {(uint32_t)sizeof(tawa_cache_entry_t), 0, NULL, TAWA_CACHE_ALL, 0, NULL, NULL, NULL, NULL, 0, 0, 0}

/* Called for each entry, which ends with the call; another value than 0 ends the walk. May not use the cache. */
typedef int (*tawa_cache_visit_fn)(void *user, const tawa_cache_entry_t *entry);
TAWA_API tawa_status_t tawa_cache_visit(tawa_cache_t cache, tawa_cache_visit_fn visit, void *user, tawa_error_t *error);
/* Checks the file and every entry; *bad receives how many entries are bad. `repair` 1: removes them. */
TAWA_API tawa_status_t tawa_cache_verify(tawa_cache_t cache, uint32_t repair, uint64_t *bad, tawa_error_t *error);
/* Removes entries not used since that time (seconds since 1970), then the least recently used ones beyond a size. */
TAWA_API tawa_status_t tawa_cache_prune(tawa_cache_t cache, uint64_t max_bytes, int64_t unused_since, uint64_t *removed,
                                        tawa_error_t *error);
/* Copies good entries. Of those that are there already only tuning results are replaced, by newer ones. */
TAWA_API tawa_status_t tawa_cache_copy(tawa_cache_t from, tawa_cache_t to, tawa_cache_kind_t kind, uint64_t *copied,
                                       tawa_error_t *error);
/* Copies into a new file. `seal` 1: read-only from then on; it serves as a read-only cache from any file
 * system. */
TAWA_API tawa_status_t tawa_cache_export(tawa_cache_t cache, const char *file, tawa_cache_kind_t kind, uint32_t seal,
                                         uint64_t *copied, tawa_error_t *error);

#ifdef __cplusplus
}
#endif
#endif /* TAWA_TAWA_H */
