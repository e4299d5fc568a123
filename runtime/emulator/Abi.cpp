// The table of all functions generated code may call. It is made from EmulatorAbi.def, so a function without an
// implementation is a link error.
#include "runtime/emulator/EmulatorAbi.h"

#include "runtime/emulator/Sm.h"

namespace tawa::emu {

namespace {

/// The entry point for generated code: the function, with exceptions kept from the caller.
template <auto function> struct Entry;
template <typename R, typename... P, R (*function)(void *, P...)> struct Entry<function> {
  static R call(void *thread, P... operands) {
    return contained(self(thread), [&]() -> R { return function(thread, operands...); });
  }
};

} // namespace

std::span<const Symbol> symbols() {
  static const Symbol table[] = {
#define TAWA_EMU_FN(name, result, parameters)                                                                          \
  {"tawa_emu_" #name, reinterpret_cast<void *>(&Entry<&abi::tawa_emu_##name>::call)},
#include "runtime/emulator/EmulatorAbi.def"
#undef TAWA_EMU_FN
  };
  return table;
}

} // namespace tawa::emu
