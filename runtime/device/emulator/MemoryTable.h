// MemoryTable: the memory of an emulated device: its own allocations, and host memory registered by the caller. Nothing
// else may be copied, or be a tensor of a launch.
#pragma once

#include "runtime/artifact/ArgumentValue.h"

#include <map>
#include <mutex>
#include <optional>

namespace tawa {

/// Lowest address and number of bytes of a tensor with a shape; no bytes where a dimension is 0.
struct TensorExtent {
  uint64_t base = 0;
  uint64_t bytes = 0;
};
/// None where shape and strides exceed the address space.
std::optional<TensorExtent> extentOf(const ArgumentValue &value);

struct MemoryBlock {
  uint64_t base = 0;
  uint64_t size = 0;
  bool isRegistered = false; ///< The caller's; else ours.

  bool holds(uint64_t address, uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
};

/// Safe from any thread: every call locks. Nothing here is on the path of a launch on a GPU.
class MemoryTable {
public:
  ~MemoryTable(); ///< Frees what was allocated; registered memory is left alone.

  Result<uint64_t> allocate(size_t size);
  Status free(uint64_t address);
  /// Refused where it overlaps a known block.
  Status registerHost(uint64_t address, size_t size);
  Status unregisterHost(uint64_t address);

  /// The block that contains an address; one past its end counts as inside for tensors of no bytes.
  std::optional<MemoryBlock> find(uint64_t address) const;
  /// Ok where all these bytes are in one block.
  Status check(uint64_t address, size_t bytes) const;

private:
  Status remove(uint64_t address, bool isRegistered, const char *call);

  mutable std::mutex mutex;
  std::map<uint64_t, MemoryBlock> blocks; // by base
};

} // namespace tawa
