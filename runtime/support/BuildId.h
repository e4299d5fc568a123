// The identity of the program or library that this code was linked into, made by the linker from its contents: two
// builds that differ anywhere have different ones.
#pragma once

#include <string>

namespace tawa {

/// Hexadecimal; empty where it was linked without one.
std::string buildId();

} // namespace tawa
