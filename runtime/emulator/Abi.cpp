// The table of all functions generated code may call. It is made from EmulatorAbi.def, so a function without an
// implementation is a link error.
#include "runtime/emulator/EmulatorAbi.h"

#include "runtime/emulator/Emulator.h"

namespace tawa::emu {

std::span<const Symbol> symbols() {
  static const Symbol table[] = {
#define TAWA_EMU_FN(name, result, parameters) {"tawa_emu_" #name, reinterpret_cast<void *>(&abi::tawa_emu_##name)},
#include "runtime/emulator/EmulatorAbi.def"
#undef TAWA_EMU_FN
  };
  return table;
}

} // namespace tawa::emu
