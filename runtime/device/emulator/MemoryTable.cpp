// Maps addresses to allocations and registered host memory, and checks ranges against them.
#include "runtime/device/emulator/MemoryTable.h"

#include "runtime/device/Device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tawa {

namespace {

constexpr size_t kAlignment = 256; // as cuMemAlloc gives
constexpr int kPoison = 0xFF;      // NaN in every float type: use of unwritten memory shows in the result

Status refuse(const std::string &why) { return {StatusCode::InvalidArgument, "emulator: " + why}; }

} // namespace

std::optional<TensorExtent> extentOf(const ArgumentValue &value) {
  constexpr __int128 kFarthest = __int128{1} << 60; // elements; eight such sums times the largest type stay in range
  __int128 lowest = 0, highest = 0;
  for (uint32_t d = 0; d < value.rank; ++d)
    if (value.shape[d] <= 0)
      return TensorExtent{value.address, 0};
  for (uint32_t d = 0; d < value.rank; ++d) {
    __int128 reach = static_cast<__int128>(value.shape[d] - 1) * value.strides[d];
    if (reach > kFarthest || reach < -kFarthest)
      return std::nullopt;
    (reach < 0 ? lowest : highest) += reach;
  }
  int64_t size = elementBytes(value.elementType);
  __int128 begin = value.address + lowest * size, bytes = (highest - lowest + 1) * size;
  if (begin < 0 || begin + bytes > static_cast<__int128>(UINT64_MAX))
    return std::nullopt;
  return TensorExtent{static_cast<uint64_t>(begin), static_cast<uint64_t>(bytes)};
}

MemoryTable::~MemoryTable() {
  for (auto &[base, block] : blocks)
    if (!block.isRegistered)
      std::free(pointerTo(base));
}

Result<uint64_t> MemoryTable::allocate(size_t size) {
  size_t rounded = (std::max<size_t>(size, 1) + kAlignment - 1) / kAlignment * kAlignment;
  std::unique_ptr<void, decltype(&std::free)> memory(rounded < size ? nullptr : std::aligned_alloc(kAlignment, rounded),
                                                     &std::free);
  if (!memory)
    return Status(StatusCode::OutOfMemory, "emulator: no " + std::to_string(size) + " bytes of host memory");
  std::memset(memory.get(), kPoison, rounded);
  auto address = reinterpret_cast<uint64_t>(memory.get());
  std::lock_guard lock(mutex);
  blocks.emplace(address, MemoryBlock{address, size, false});
  static_cast<void>(memory.release());
  return address;
}

Status MemoryTable::remove(uint64_t address, bool isRegistered, const char *call) {
  std::lock_guard lock(mutex);
  auto found = blocks.find(address);
  if (found == blocks.end())
    return refuse(std::string(call) + " of address " + std::to_string(address) + ", where no block of memory begins");
  if (found->second.isRegistered != isRegistered)
    return refuse(std::string(call) + " of memory that was " +
                  (isRegistered ? "allocated; use tawa_memory_free()" : "registered; use tawa_memory_unregister()"));
  blocks.erase(found);
  return Status::ok();
}

Status MemoryTable::free(uint64_t address) {
  Status status = remove(address, false, "tawa_memory_free()");
  if (status)
    std::free(pointerTo(address));
  return status;
}

Status MemoryTable::registerHost(uint64_t address, size_t size) {
  if (address == 0 || size == 0 || address + size < address)
    return refuse("no memory of " + std::to_string(size) + " bytes can begin at address " + std::to_string(address));
  std::lock_guard lock(mutex);
  auto next = blocks.lower_bound(address);
  bool overlaps = next != blocks.end() && next->first - address < size;
  if (next != blocks.begin())
    overlaps |= std::prev(next)->second.holds(address, 1);
  if (overlaps)
    return refuse("the " + std::to_string(size) + " bytes at address " + std::to_string(address) +
                  " overlap memory that was allocated or registered already");
  blocks.emplace(address, MemoryBlock{address, size, true});
  return Status::ok();
}

Status MemoryTable::unregisterHost(uint64_t address) { return remove(address, true, "tawa_memory_unregister()"); }

std::optional<MemoryBlock> MemoryTable::find(uint64_t address) const {
  std::lock_guard lock(mutex);
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin())
    return std::nullopt;
  const MemoryBlock &block = std::prev(after)->second;
  return address - block.base <= block.size ? std::optional(block) : std::nullopt;
}

Status MemoryTable::check(uint64_t address, size_t bytes) const {
  std::optional<MemoryBlock> block = find(address);
  return block && block->holds(address, bytes)
             ? Status::ok()
             : refuse(std::to_string(bytes) + " bytes at address " + std::to_string(address) +
                      " are not inside one block of memory of this device");
}

} // namespace tawa
