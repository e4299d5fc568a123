// Affine functions of integer indices: what addresses, loop nests and links of a machine are made of. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tawa::mesh {

/// Rounds towards minus infinity, as affine maps do.
constexpr int64_t floorDiv(int64_t value, int64_t divisor) {
  int64_t quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

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

/// A number of iterations: affine floordiv divisor, but not less than 0 nor more than `most`.
struct TripCount {
  Affine affine;
  int64_t divisor = 1, most = 0;

  int64_t at(std::span<const int64_t> indices) const;
  bool dependsOn(size_t index) const { return affine.dependsOn(index); }
  /// "min(2 * i0 + 2, 16)", "min((i0 + 1) / 2, 16)", with the names given.
  std::string str(std::span<const std::string> names) const;
  bool operator==(const TripCount &) const = default;
};

} // namespace tawa::mesh
