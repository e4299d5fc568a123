// The global memory a launch may access: the caller's buffers, by address. Every access of a kernel is looked up first,
// so that one outside names the argument it missed and by how much.
#pragma once

#include "runtime/emulator/Emulator.h"

namespace tawa::emu {

class GlobalMemory {
public:
  GlobalMemory() = default;
  explicit GlobalMemory(std::vector<MemoryRegion> memory);

  /// The region that holds all of [address, address + bytes), or null.
  const MemoryRegion *find(uint64_t address, uint64_t bytes) const;
  /// "16 bytes past the end of 'c_ptr' (4096 bytes at 0x7f..); mask the access, ...", for an address that find() did
  /// not find.
  std::string describeMiss(uint64_t address, uint64_t bytes) const;

private:
  std::vector<MemoryRegion> regions; // ascending base
};

} // namespace tawa::emu
