// Small floats by their bits, for the emulator's atomics, products and conversions.
#pragma once

#include "runtime/artifact/ElementType.h"

#include <cstdint>

namespace tawa::emu {

float halfToFloat(uint16_t bits);
uint16_t floatToHalf(float value); ///< Round to nearest even.
float bfloatToFloat(uint16_t bits);
uint16_t floatToBFloat(float value); ///< Round to nearest even.

/// An 8-bit float (F8E4M3 or F8E5M2) as a float, which holds it exactly.
float fp8ToFloat(ElementType type, uint8_t bits);
/// Round to nearest even; beyond the largest finite value, that value; NaN stays NaN (cvt.rn.satfinite).
uint8_t floatToFp8(ElementType type, float value);

} // namespace tawa::emu
