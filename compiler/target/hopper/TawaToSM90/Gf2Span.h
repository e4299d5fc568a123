// Span: incrementally added vectors over GF(2), with the query which of them sum up to a given one. Used to plan layout
// conversions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace tawa {

class Span {
public:
  /// Adds a vector; false when it is a sum of earlier ones, and then it takes no part in answers.
  bool add(uint32_t vector) {
    Row row = reduce({vector, 0});
    unsigned position = added++;
    if (row.vector == 0)
      return false;
    row.members |= uint64_t(1) << position;
    rows[std::bit_width(row.vector) - 1] = row;
    ++rank;
    return true;
  }
  void add(const std::vector<uint32_t> &vectors) {
    for (uint32_t vector : vectors)
      add(vector);
  }
  bool contains(uint32_t vector) const { return reduce({vector, 0}).vector == 0; }
  /// Which of the vectors added (bit i: the i-th) have `vector` as their sum; none if none do.
  std::optional<uint64_t> express(uint32_t vector) const {
    Row row = reduce({vector, 0});
    return row.vector == 0 ? std::optional(row.members) : std::nullopt;
  }
  unsigned dimension() const { return rank; }

private:
  struct Row {
    uint32_t vector = 0;
    uint64_t members = 0;
  };
  Row reduce(Row row) const {
    for (int bit = 31; bit >= 0; --bit)
      if ((row.vector >> bit & 1) && rows[bit].vector) {
        row.vector ^= rows[bit].vector;
        row.members ^= rows[bit].members;
      }
    return row;
  }

  std::array<Row, 32> rows{};
  unsigned added = 0, rank = 0;
};

} // namespace tawa
