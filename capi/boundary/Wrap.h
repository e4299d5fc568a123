// The objects that the opaque handles of tawa.h point to, and how its structs are read and written across versions.
//
// A caller built against another version of the header has structs that are shorter or longer than ours. Reading copies
// the part both know over defaults; a shorter struct must end where one of our fields does, a longer one must hold
// zeros in the rest. Writing fills the part both know. No entry touches anything else of a caller's struct.
#pragma once

#include "capi/boundary/RuntimeTarget.h"
#include "compiler/pipeline/Compiler.h"
#include "include/tawa/tawa.h"
#include "runtime/artifact/TuneRow.h"
#include "runtime/device/Device.h"
#include "runtime/jit/Arguments.h"
#include "runtime/jit/Jit.h"
#include "runtime/store/Store.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

namespace tawa::capi {

/// Intrusive reference count of handles; starts with the creator's reference.
class RefCounted {
public:
  virtual ~RefCounted() = default;
  void retain() { count.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (count.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

private:
  std::atomic<uint32_t> count{1};
};

struct StructHeader {
  uint32_t structSize;
  uint32_t reserved;
  const void *next;
};
inline constexpr uint32_t kLargestStruct = 1 << 16; // a struct_size beyond it was never initialized

/// Offsets in a struct of tawa.h.
struct StructLayout {
  const char *name;
  uint32_t size;
  std::span<const uint32_t> ends;     ///< Of all fields.
  std::span<const uint32_t> reserved; ///< Where fields begin that must be 0 so that they can get a meaning later.
};
/// Defined for every struct of the header by a file made from it (StructLayouts.cmake).
template <typename Struct> const StructLayout &layoutOf();

/// Ok where the header of a caller's struct is valid and its struct_size is that of some version.
Status checkStruct(const void *given, const StructLayout &layout);

/// Ok for a valid struct with zeros in its reserved fields and in all bytes beyond the fields known here.
Status checkInput(const void *given, const StructLayout &layout);

/// Copies what both sides know of `given` over `ours`, which holds the defaults.
template <typename Struct> Status readStruct(const Struct *given, Struct &ours) {
  if (Status status = checkInput(given, layoutOf<Struct>()); !status)
    return status;
  std::memcpy(static_cast<void *>(&ours), given, std::min<size_t>(given->struct_size, sizeof(Struct)));
  return Status::ok();
}

/// Copies what both sides know of `ours` after the header of the caller's struct.
template <typename Struct> Status writeStruct(Struct *given, const Struct &ours) {
  if (Status status = checkStruct(given, layoutOf<Struct>()); !status)
    return status;
  size_t end = std::min<size_t>(given->struct_size, sizeof(Struct));
  std::memcpy(reinterpret_cast<char *>(given) + sizeof(StructHeader),
              reinterpret_cast<const char *>(&ours) + sizeof(StructHeader), end - sizeof(StructHeader));
  return Status::ok();
}

/// Element `index` of a caller's array of structs, whose elements lie struct_size apart.
template <typename Struct> const Struct *element(const Struct *array, uint32_t index) {
  return reinterpret_cast<const Struct *>(reinterpret_cast<const char *>(array) + size_t{index} * array->struct_size);
}

inline Status nullArgument(const char *name) { return {StatusCode::InvalidArgument, std::string(name) + " is NULL"}; }

inline Status badIndex(uint32_t index, size_t count) {
  return {StatusCode::InvalidArgument,
          "index " + std::to_string(index) + " is beyond the last of " + std::to_string(count)};
}

/// Ok for a kernel's text; a length beyond 64 MiB is taken for uninitialized.
Status checkText(const char *text, size_t length);

inline const char *orEmpty(const char *text) { return text ? text : ""; }

/// A copy that tawa_free() frees, with a zero after it, not counted in *size.
Status handOut(const std::string &bytes, char **data, size_t *size = nullptr);

/// Fills the caller's tawa_diagnostic_t from one of ours.
Status writeDiagnostic(const std::vector<Diagnostic> &diagnostics, uint32_t index, tawa_diagnostic_t *given);

/// Fills the caller's tawa_arg_info_t.
Status writeArgumentInfo(const std::vector<LogicalArgument> &arguments, uint32_t index, tawa_arg_info_t *given);

} // namespace tawa::capi

struct tawa_error {
  tawa::Status status;
};

struct tawa_runtime : tawa::capi::RefCounted {
  tawa::Logger log;
  std::unique_ptr<tawa::Device> device;      // refers to `log`
  std::unique_ptr<tawa::store::Store> store; // likewise; never null
  tawa::capi::RuntimeTarget gpu;             // what it compiles for
  bool isFrozen = false;                     // what is not stored is neither compiled nor searched
  tawa_policy_t policy = TAWA_POLICY_CACHED; // of requests that name none
  std::string dumpDirectory;
  bool dumpsPasses = false;
  uint32_t generation = 0; // of forks, as forkGeneration() was when it was made
  // What the store could not spare; see tawa_cache_counters_t.
  mutable std::atomic<uint64_t> compiles = 0, trials = 0;
};

struct tawa_kernel : tawa::capi::RefCounted {
  explicit tawa_kernel(tawa_runtime *runtime) : runtime(runtime) { runtime->retain(); }
  ~tawa_kernel() override {
    kernel.reset(); // before its device may go
    if (search)
      search->release();
    runtime->release();
  }

  tawa_runtime *runtime;
  std::unique_ptr<tawa::Kernel> kernel;
  std::vector<tawa::Diagnostic> diagnostics;
  std::vector<tawa::KernelReport::PhaseTime> phases; // in the order of tawa_phase_info_t
  std::string config;
  std::string chosenBy;
  bool isFromStore = false;
  tawa::capi::RefCounted *search = nullptr; // a tawa_job; null: none goes on
};

struct tawa_tune_result {
  std::string best;
  std::vector<tawa::TuneRow> rows;
};

struct tawa_signature {
  tawa::KernelSignature facts;
};
