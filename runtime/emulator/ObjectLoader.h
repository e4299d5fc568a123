// Loads a kernel's host object (compiler/target/hopper/host) into this process: copies its sections into memory of
// their own, resolves its calls into the emulator, and keeps the code alive as long as the LoadedObject is held.
//
// The linker is our own, and small: such an object has code, constants and calls, in the forms that LLVM writes for
// position-independent x86-64. So taking a kernel from a cache does not need LLVM, whose libraries end the process when
// memory is exhausted.
#pragma once

#include "runtime/emulator/Emulator.h"
#include "runtime/support/Status.h"

#include <memory>
#include <span>
#include <string_view>

namespace tawa {

/// A kernel's machine code in memory. `entry` may be called until the last owner lets go, from any thread.
class LoadedObject {
public:
  emu::KernelEntry entry = nullptr;

  LoadedObject(void *pages, size_t size) : pages(pages), size(size) {}
  ~LoadedObject();
  LoadedObject(const LoadedObject &) = delete;
  LoadedObject &operator=(const LoadedObject &) = delete;

private:
  void *pages;
  size_t size;
};

/// Links `object` against `symbols` (usually emu::symbols()) and the arithmetic helpers generated code may need,
/// nothing else: symbols of the process are never used. The error names what is missing, malformed or of a kind that
/// such objects do not have.
Result<std::shared_ptr<LoadedObject>> loadHostObject(std::string_view object, std::string_view entry,
                                                     std::span<const emu::Symbol> symbols);

/// Functions for arithmetic that a baseline processor has no instruction for (HostSymbols.cpp).
std::span<const emu::Symbol> arithmeticHelpers();

} // namespace tawa
