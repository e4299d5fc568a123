// Regions of global memory, and the check every plain load, store and atomic goes through.
#include "runtime/emulator/GlobalMemory.h"

#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace tawa::emu {

static constexpr const char *kMaskIt = "mask the access, or describe a larger tensor";
static constexpr const char *kOnlyArguments = "a kernel reaches only what the tensor arguments of its launch describe";

static uint64_t startOf(const MemoryRegion &region) { return reinterpret_cast<uintptr_t>(region.base); }

GlobalMemory::GlobalMemory(std::vector<MemoryRegion> memory) : regions(std::move(memory)) {
  std::sort(regions.begin(), regions.end(), [](const auto &a, const auto &b) { return startOf(a) < startOf(b); });
}

const MemoryRegion *GlobalMemory::find(uint64_t address, uint64_t bytes) const {
  // Two arguments may be views of one buffer, so the nearest start below need not belong to the region of the access.
  auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                [](uint64_t at, const MemoryRegion &region) { return at < startOf(region); });
  const MemoryRegion *readOnly = nullptr;
  for (auto it = after; it != regions.begin();) {
    --it;
    if (address - startOf(*it) > it->bytes || bytes > it->bytes - (address - startOf(*it)))
      continue;
    if (it->writable)
      return &*it;
    readOnly = &*it;
  }
  return readOnly;
}

std::string GlobalMemory::describeMiss(uint64_t address, uint64_t bytes) const {
  const MemoryRegion *nearest = nullptr;
  uint64_t best = UINT64_MAX;
  for (const MemoryRegion &region : regions) {
    uint64_t start = startOf(region), end = start + region.bytes;
    uint64_t distance = address < start ? start - address : address >= end ? address - end : 0;
    if (distance < best) {
      best = distance;
      nearest = &region;
    }
  }
  if (!nearest)
    return std::string("the launch names no global memory; ") + kOnlyArguments;
  uint64_t start = startOf(*nearest), end = start + nearest->bytes;
  char text[160];
  if (address < start)
    snprintf(text, sizeof text, "%" PRIu64 " bytes before the start of", start - address);
  else if (address >= end)
    snprintf(text, sizeof text, "%" PRIu64 " bytes past the end of", address - end);
  else
    snprintf(text, sizeof text, "%" PRIu64 " of its bytes past the end of", address + bytes - end);
  std::string result = text;
  snprintf(text, sizeof text, " (%" PRIu64 " bytes at 0x%" PRIx64 ")", nearest->bytes, start);
  constexpr uint64_t kNear = 1 << 20; // what is farther away is hardly a wrong index
  return result + " '" + nearest->name + "'" + text + "; " + (best < kNear ? kMaskIt : kOnlyArguments);
}

void useGlobal(Thread &self, uint64_t address, uint32_t bytes, const char *what, bool write) {
  Cluster &cluster = *self.cta->cluster;
  const MemoryRegion *region = cluster.plan->memory.find(address, bytes);
  if (!region)
    cluster.note(self.cta, &self, "%u-byte %s global address 0x%" PRIx64 " is out of bounds: %s", bytes, what, address,
                 cluster.plan->memory.describeMiss(address, bytes).c_str());
  else if (write && !region->writable)
    cluster.note(self.cta, &self, "%u-byte %s global address 0x%" PRIx64 ": '%s' is read only", bytes, what, address,
                 region->name.c_str());
  cluster.leaveIfFailed(self); // owning nothing any more
}

namespace abi {

extern "C" p tawa_emu_global_access(p thread, l address, i bytes, i access) {
  Thread &caller = self(thread);
  const char *what = access == 0 ? "load from" : access == 1 ? "store to" : "atomic on";
  if (address % bytes)
    caller.cta->cluster->fail(caller, "%u-byte %s global address 0x%" PRIx64 ": not a multiple of %u", bytes, what,
                              address, bytes);
  useGlobal(caller, address, bytes, what, access != 0);
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

} // namespace abi
} // namespace tawa::emu
