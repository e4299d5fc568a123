// Element types of tensors and scalars in the runtime: size and name, independent of MLIR.
#pragma once

#include <cstdint>
#include <string_view>

namespace tawa {

/// The same list and order as `tawa_dtype_t` in include/tawa/tawa.h.
enum class ElementType : uint8_t { I1, I8, I16, I32, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64 };

constexpr unsigned elementBits(ElementType type) {
  constexpr unsigned bits[] = {8, 8, 16, 32, 64, 8, 8, 16, 16, 32, 64}; // i1 is stored as a byte
  return bits[static_cast<unsigned>(type)];
}
constexpr unsigned elementBytes(ElementType type) { return elementBits(type) / 8; }

constexpr std::string_view elementName(ElementType type) {
  constexpr std::string_view names[] = {"i1",     "i8",  "i16",  "i32", "i64", "f8e4m3",
                                        "f8e5m2", "f16", "bf16", "f32", "f64"};
  return names[static_cast<unsigned>(type)];
}

} // namespace tawa
