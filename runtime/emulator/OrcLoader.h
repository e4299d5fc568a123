// Loads a kernel's host object (compiler/target/host) into this process: links it in memory with LLVM's ORC, resolves
// its calls into the emulator, and keeps the code alive as long as somebody holds the LoadedObject.
//
// OrcLoader.cpp is the one file of the runtime that includes LLVM.
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

  ~LoadedObject();
  LoadedObject(const LoadedObject &) = delete;
  LoadedObject &operator=(const LoadedObject &) = delete;

private:
  struct Session;
  explicit LoadedObject(std::unique_ptr<Session> session);
  std::unique_ptr<Session> session;
  friend Result<std::shared_ptr<LoadedObject>> loadHostObject(std::string_view, std::string_view,
                                                              std::span<const emu::Symbol>);
};

/// Links `object` against `symbols` (usually emu::symbols()) and the arithmetic helpers generated code may need,
/// nothing else: a symbol of the process is never picked up. The error names what is missing or malformed.
Result<std::shared_ptr<LoadedObject>> loadHostObject(std::string_view object, std::string_view entry,
                                                     std::span<const emu::Symbol> symbols);

} // namespace tawa
