#include "runtime/mesh/Affine.h"

#include <algorithm>

namespace tawa::mesh {
namespace {

std::string termOf(int64_t coefficient, const std::string &name) {
  return coefficient == 1 ? name : std::to_string(coefficient) + " * " + name;
}

} // namespace

int64_t Affine::at(std::span<const int64_t> indices) const {
  int64_t value = constant;
  for (size_t i = 0; i < coefficients.size() && i < indices.size(); ++i)
    value += coefficients[i] * indices[i];
  return value;
}

bool Affine::isConstant() const {
  return std::ranges::all_of(coefficients, [](int64_t coefficient) { return coefficient == 0; });
}

std::string Affine::str(std::span<const std::string> names) const {
  std::string text;
  auto add = [&](const std::string &term) { text += (text.empty() ? "" : " + ") + term; };
  for (size_t i = 0; i < coefficients.size(); ++i)
    if (coefficients[i] != 0)
      add(termOf(coefficients[i], i < names.size() ? names[i] : "i" + std::to_string(i)));
  if (constant != 0 || text.empty())
    add(std::to_string(constant));
  return text;
}

int64_t TripCount::at(std::span<const int64_t> indices) const {
  return std::clamp<int64_t>(floorDiv(affine.at(indices), divisor), 0, most);
}

std::string TripCount::str(std::span<const std::string> names) const {
  std::string text = affine.str(names);
  if (divisor != 1)
    text = "(" + text + ") / " + std::to_string(divisor);
  return "min(" + text + ", " + std::to_string(most) + ")";
}

int64_t Coordinate::at(std::span<const int64_t> indices) const {
  int64_t value = floorDiv(affine.at(indices), divisor);
  return modulus == 0 ? value : value - floorDiv(value, modulus) * modulus;
}

} // namespace tawa::mesh
