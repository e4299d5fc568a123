// Prototypes of the functions of EmulatorAbi.def, made from that file. The emulator implements them; tests call them as
// a compiled kernel would.
#pragma once

#include <cstdint>

namespace tawa::emu::abi {

// NOLINTBEGIN(readability-identifier-naming): the letters the table is written in
using v = void;
using i = uint32_t;
using l = uint64_t;
using f = float;
using p = void *;
// NOLINTEND(readability-identifier-naming)

/// "(a, b)" with the calling thread put in front.
#define TAWA_EMU_WITH_THREAD(...) p thread __VA_OPT__(, ) __VA_ARGS__

extern "C" {
#define TAWA_EMU_FN(name, result, parameters) result tawa_emu_##name(TAWA_EMU_WITH_THREAD parameters);
#include "runtime/emulator/EmulatorAbi.def"
#undef TAWA_EMU_FN
}

} // namespace tawa::emu::abi
