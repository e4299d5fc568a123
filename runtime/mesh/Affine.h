// Affine functions of integer indices: what addresses, loop nests and links of a machine are made of. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tawa::mesh {

/// coefficients . x + constant. Indices beyond the coefficients do not matter.
struct Affine {
  std::vector<int64_t> coefficients;
  int64_t constant = 0;

  int64_t at(std::span<const int64_t> indices) const;
  bool dependsOn(size_t index) const { return index < coefficients.size() && coefficients[index] != 0; }
  bool isConstant() const;
  /// "128 * i0 + i2 + 4", with the names given.
  std::string str(std::span<const std::string> names) const;
  bool operator==(const Affine &) const = default;
};

/// (affine floordiv divisor) mod modulus; a modulus of 0 takes no remainder. A result of an affine map.
struct Coordinate {
  Affine affine;
  int64_t divisor = 1, modulus = 0;

  int64_t at(std::span<const int64_t> indices) const;
  bool operator==(const Coordinate &) const = default;
};

} // namespace tawa::mesh
