// Elimination over GF(2) for LinearLayout: rank, inverses, and the input that has a given image.
//
// A matrix is a list of columns, the packed images of the packed input bits. Columns are added one by one to an echelon
// form in which each kept vector has a leading bit of its own and records which inputs it is the sum of. Lower input
// bits come first, so a column that depends on lower ones is never used and solutions are the smallest.
#include "compiler/layouts/algebra/LinearLayout.h"

#include <array>

namespace tawa {
namespace {

class Echelon {
public:
  explicit Echelon(const std::vector<uint32_t> &columns) {
    for (unsigned i = 0; i < columns.size(); ++i)
      insert({columns[i], uint32_t(1) << i});
  }

  unsigned rank() const { return kept; }

  /// The smallest input whose image is `image`; none if there is no such input.
  std::optional<uint32_t> solve(uint32_t image) const {
    Vector rest{image, 0};
    reduce(rest);
    if (rest.image)
      return std::nullopt;
    return rest.inputs;
  }

private:
  struct Vector {
    uint32_t image = 0;  ///< Leading bit unique among the vectors kept.
    uint32_t inputs = 0; ///< The input whose image this is.
  };

  void reduce(Vector &vector) const {
    for (int bit = 31; bit >= 0; --bit)
      if (vector.image >> bit & 1 && leading[bit].image) {
        vector.image ^= leading[bit].image;
        vector.inputs ^= leading[bit].inputs;
      }
  }

  void insert(Vector vector) {
    reduce(vector);
    for (int bit = 31; bit >= 0; --bit)
      if (vector.image >> bit & 1) {
        leading[bit] = vector;
        ++kept;
        return;
      }
  }

  std::array<Vector, 32> leading{};
  unsigned kept = 0;
};

} // namespace

unsigned LinearLayout::rank() const { return Echelon(flatBases()).rank(); }

std::optional<LinearLayout> LinearLayout::inverse() const {
  if (!isInvertible())
    return std::nullopt;
  return pseudoInverse();
}

LinearLayout LinearLayout::pseudoInverse() const {
  assert(isSurjective() && "only a surjective map has a right inverse");
  LinearLayout identity;
  for (const Dim &dim : outDims)
    identity = identity * identity1D(dim.bits, dim.name, dim.name);
  Echelon echelon(flatBases());
  std::vector<uint32_t> columns = identity.flatBases();
  std::vector<Basis> images;
  LinearLayout shape({}, inDims); // only to unpack packed inputs into this map's input dimensions
  for (uint32_t column : columns)
    images.push_back(shape.unpackOut(*echelon.solve(column)));
  return LinearLayout({{"flat", images}}, inDims).reshapeIns(outDims);
}

std::optional<LinearLayout> LinearLayout::tryInvertAndCompose(const LinearLayout &other) const {
  assert(outDims.size() == other.outDims.size() && "both maps must have the same outputs");
  for (const Dim &dim : outDims)
    if (!other.hasOut(dim.name))
      return std::nullopt;
  // Both sides packed in the order of this map's outputs; a coordinate outside of `other` has no preimage there.
  LinearLayout target = other.transposeOuts(outNames());
  Echelon echelon(target.flatBases());
  LinearLayout shape({}, target.inDims);
  std::vector<InBases> result;
  for (size_t i = 0; i < inDims.size(); ++i) {
    const std::string &name = inDims[i].name;
    result.push_back({name, {}});
    for (unsigned b = 0; b < inDims[i].bits; ++b) {
      const Basis &image = bases[i][b];
      auto same = find(target.inDims, name);
      if (same && b < target.inDims[*same].bits && target.bases[*same][b] == image) {
        Basis unit(target.inDims.size(), 0);
        unit[*same] = 1u << b;
        result.back().second.push_back(std::move(unit));
        continue;
      }
      for (size_t d = 0; d < outDims.size(); ++d)
        if (uint64_t(image[d]) >> target.outDims[d].bits)
          return std::nullopt;
      auto solution = echelon.solve(target.packOut(image));
      if (!solution)
        return std::nullopt;
      result.back().second.push_back(shape.unpackOut(*solution));
    }
  }
  return LinearLayout(std::move(result), target.inDims);
}

LinearLayout LinearLayout::invertAndCompose(const LinearLayout &other) const {
  auto result = tryInvertAndCompose(other);
  assert(result && "a value of this map is no value of the other");
  return std::move(*result);
}

} // namespace tawa
