// Regions of global memory, and the check every plain load, store and atomic goes through.
#include "runtime/emulator/GlobalMemory.h"

#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace tawa::emu {

static uint64_t startOf(const MemoryRegion &region) { return reinterpret_cast<uintptr_t>(region.base); }

GlobalMemory::GlobalMemory(std::vector<MemoryRegion> memory) : regions(std::move(memory)) {
  std::sort(regions.begin(), regions.end(), [](const auto &a, const auto &b) { return startOf(a) < startOf(b); });
}

const MemoryRegion *GlobalMemory::find(uint64_t address, uint64_t bytes) const {
  // Two arguments may be views of one buffer, so the nearest start below need not be the region that holds the access.
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
    return "the launch names no global memory";
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
  return result + " '" + nearest->name + "'" + text;
}

namespace {

/// Fails unless the access lies in one region that allows it. Owns nothing when it leaves the fiber.
void checkGlobal(Thread &self, uint64_t address, uint32_t bytes, bool write) {
  Cluster &cluster = *self.cta->cluster;
  const char *verb = write ? "store to" : "load from";
  if (address % bytes)
    cluster.fail(self, "%u-byte %s global address 0x%" PRIx64 ": not a multiple of %u", bytes, verb, address, bytes);
  const MemoryRegion *region = cluster.plan->memory.find(address, bytes);
  if (!region) {
    cluster.note(self.cta, &self, "%u-byte %s global address 0x%" PRIx64 " is out of bounds: %s", bytes, verb, address,
                 cluster.plan->memory.describeMiss(address, bytes).c_str());
    return;
  }
  if (write && !region->writable)
    cluster.fail(self, "%u-byte store to global address 0x%" PRIx64 ": '%s' is read only", bytes, address,
                 region->name.c_str());
}

} // namespace

namespace abi {

extern "C" p tawa_emu_global_access(p thread, l address, i bytes, i access) {
  Thread &caller = self(thread);
  checkGlobal(caller, address, bytes, access != 0);
  caller.cta->cluster->leaveIfFailed(caller);
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

} // namespace abi
} // namespace tawa::emu
