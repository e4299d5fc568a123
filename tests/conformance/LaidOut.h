// Laid-out kernels written by a test: from IR as tawa-assign-layouts produces it to a run on the emulator.
#pragma once

#include "compiler/layouts/algebra/HopperLayouts.h"
#include "runtime/emulator/Emulator.h"
#include "runtime/support/Status.h"

#include <string>
#include <vector>

namespace tawa::conformance {

/// "#tawa.linear<...>", as it stands in a tensor's type.
std::string printed(const LinearLayout &layout);

/// Lowers the kernel of a text and runs one CTA of it, without races, on the emulator. `pointers` are its arguments.
Status runLaidOut(const std::string &text, const std::vector<emu::MemoryRegion> &pointers = {});

} // namespace tawa::conformance
