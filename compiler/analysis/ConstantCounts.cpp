// ConstantCounts: lists ways to read constants; TileNumbering tries them.
#include "compiler/analysis/ConstantCounts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

namespace tawa {

namespace {

class Ways {
public:
  Ways(ArrayRef<int64_t> constants, ArrayRef<size_t> dimensions) : constants(constants), dimensions(dimensions) {}

  std::vector<CountedConstants> find() {
    add(0);
    return std::move(found);
  }

private:
  void add(size_t position) {
    if (position == constants.size()) {
      if (llvm::all_of(dimensions, [&](size_t dimension) { return tilesAlong(dimension) != 0; }))
        found.push_back(way);
      return;
    }
    add(position + 1); // stays as it is
    for (size_t dimension : dimensions)
      for (int64_t factor : factorsOf(constants[position])) {
        CountedConstant counted{constants[position], dimension, factor};
        int64_t known = tilesAlong(dimension);
        if (known != 0 && known != counted.tiles())
          continue;
        way.push_back(counted);
        add(position + 1);
        way.pop_back();
      }
  }

  /// As the constants say that were read so far; 0: none of them does.
  int64_t tilesAlong(size_t dimension) const {
    auto counted = llvm::find_if(way, [&](const CountedConstant &one) { return one.dimension == dimension; });
    return counted == way.end() ? 0 : counted->tiles();
  }

  SmallVector<int64_t> factorsOf(int64_t value) const {
    SmallVector<int64_t> factors{1};
    for (int64_t other : constants)
      if (other != 1 && value % other == 0)
        factors.push_back(other);
    return factors;
  }

  ArrayRef<int64_t> constants;
  ArrayRef<size_t> dimensions;
  CountedConstants way;
  std::vector<CountedConstants> found;
};

} // namespace

std::vector<CountedConstants> waysToCount(ArrayRef<int64_t> constants, ArrayRef<size_t> dimensions) {
  constexpr size_t kMostConstants = 5, kMostDimensions = 2;
  bool areMany = constants.size() > kMostConstants || dimensions.size() > kMostDimensions;
  return areMany || dimensions.empty() ? std::vector<CountedConstants>() : Ways(constants, dimensions).find();
}

} // namespace tawa
