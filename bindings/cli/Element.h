// Element: conversions between stored elements and double for every element type that the CLI fills, prints or checks;
// rounding is to nearest, ties to even, like the hardware's conversions.
#pragma once

#include "tawa/tawa.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tawa::cli {

size_t elementBytes(tawa_dtype_t type);
std::string_view elementName(tawa_dtype_t type);
std::optional<tawa_dtype_t> elementFromName(std::string_view name);
bool isFloat(tawa_dtype_t type);

/// The spacing of the type's numbers next to 1: 2^-10 for f16. 0 for integers.
double elementEpsilon(tawa_dtype_t type);

double readElement(const void *data, size_t index, tawa_dtype_t type);
void writeElement(void *data, size_t index, tawa_dtype_t type, double value);

} // namespace tawa::cli
