// AssignLayouts, orders: a product on mma.sync adds up its terms in any order of K that both operands share, and has
// its columns in any order that operand B and the sums share.
//
// In the natural order a lane has two neighbours of K, then two that are eight further on. Of 16-bit tiles that lie in
// shared memory ldmatrix reads four such fragments at once. Of bytes, and of words with eight 4-bit numbers, it reads
// none: there a lane takes 2^n neighbours in one access, unpacks them where they are, and reads the other operand, or
// leaves the sums, in the same order. A register has two elements. Those that are 16 bits apart in a word of memory are
// in its halves already, so that one mask unpacks both: of bytes each and the one after the next, of 4-bit numbers each
// and the fourth after it. Others are put together by a permutation of bytes for each register, as then are those of
// the other operand; the fewer registers pay.
#include "compiler/analysis/DotKind.h"
#include "compiler/layouts/AssignLayouts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <bit>

using namespace mlir;

namespace tawa::layouts {

/// The natural order, then those in which a lane has more and more neighbours, with any two of them in a register.
static std::vector<KPermutation> ordersOf(uint32_t size, FragmentBits fragment, unsigned fewest) {
  constexpr unsigned kFarthest = 3; // numbers of 4 bits
  std::vector<KPermutation> orders(1);
  for (unsigned bits = fewest; bits + fragment.lanes <= unsigned(std::countr_zero(size)); ++bits)
    for (unsigned apart = 0; apart < (fragment.word == 1 ? std::min(bits, kFarthest) : 1); ++apart)
      orders.push_back(orderOfNeighbours(size, fragment, bits, apart));
  return orders;
}

static std::vector<KPermutation> ordersOfK(tt::DotOp dot) {
  auto type = cast<RankedTensorType>(dot.getA().getType());
  return ordersOf(type.getShape().back(), bitsOfK(type.getElementTypeBitWidth()), /*fewest=*/2);
}

constexpr unsigned kHalfBits = 16;

/// Of slices (tawa-slice-sums), whose sums are exchanged when the loop has ended, and of whole columns in a warp.
static std::vector<KPermutation> ordersOfColumns(tt::DotOp dot) {
  RankedTensorType type = dot.getType();
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  bool isCarried = loop && dot.getC().getParentRegion() == &loop.getRegion();
  return type.getRank() == 3 && isCarried ? ordersOf(type.getShape().back(), kBitsOfColumns, /*fewest=*/1)
                                          : std::vector<KPermutation>(1);
}

LinearAttr Rules::mmaOperand(tt::DotOp dot, unsigned number, const ProductOrder &order) {
  MmaFragments natural = planMmaFragments(dot, table.warpCount());
  unsigned last = dot.getType().getRank() - 1;
  if (number == 0)
    return table.get(withOrder(natural.a, last, order.k));
  return table.get(withOrder(withOrder(natural.b, last - 1, order.k), last, order.columns));
}

LinearAttr Rules::mmaSums(tt::DotOp dot) {
  MmaFragments natural = planMmaFragments(dot, table.warpCount());
  return table.get(withOrder(natural.sums, dot.getType().getRank() - 1, orderOf(dot).columns));
}

/// What an operand of a product is read from, while that is followed up from it.
struct Rules::Reading {
  int64_t elements = 0;  ///< Of the operand.
  uint32_t pairStep = 0; ///< From one element of a register to the other, along K; 0 where it has not two.
  DenseSet<Value> seen;  ///< Counted already.
};

/// What it costs to put registers of two elements together from what a tile in shared memory has. `layout`: of the tile
/// in registers, where an element that holds several of the operand's is repeated for each.
double Rules::costOfPairs(LinearAttr shared, LinearAttr layout, RankedTensorType tile, const Reading &reading) {
  unsigned bits = tile.getElementTypeBitWidth();
  int64_t held = reading.elements / tile.getNumElements(); // by an element
  const LinearLayout &map = table.map(layout);
  if (reading.pairStep == 0 || bits > 32 || held > bits || map.inBits("register") == 0)
    return 0;
  bool isRepeated = llvm::all_of(map.basis("register", 0), [](uint32_t step) { return step == 0; });
  bool isWord = isRepeated ? int64_t{reading.pairStep} * bits == kHalfBits * held
                           : costs.readsPairs(shared, layout, std::max(1u, bits / 8));
  return isWord ? 0 : costs.compute(layout, 1) / 2;
}

/// What it costs to read what an operand in this layout is made of; nothing where that would have to move, as it does
/// not lie in shared memory and has a place already. `natural`: in the natural order, null where that is not known.
std::optional<double> Rules::costOfReading(Value operand, LinearAttr layout, LinearAttr natural, Reading &reading) {
  constexpr int64_t kFew = 8; // loaded in any order at little cost, as scales of rows or columns are
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type || isCheap(operand) || !reading.seen.insert(operand).second)
    return 0;
  unsigned bytes = std::max(1u, type.getElementTypeBitWidth() / 8);
  if (LinearAttr shared = sharedLayoutOf(operand))
    return costs.readTile(shared, layout, bytes) + costOfPairs(shared, layout, type, reading);
  Operation *op = operand.getDefiningOp();
  OpClass kind = op ? classify(op) : OpClass::Unknown;
  if (kind == OpClass::View)
    return costOfReading(op->getOperand(0), table.demand(op, layout), natural ? table.demand(op, natural) : natural,
                         reading);
  if (kind == OpClass::Join) {
    LinearAttr half = table.withoutPair(layout);
    if (!half) // neighbours are in other threads
      return costs.toShared(layout, bytes) + costs.fromShared(layout, bytes);
    layout = half;
    natural = natural ? table.withoutPair(natural) : natural;
  } else if (kind != OpClass::Elementwise) {
    if (layout == natural)
      return 0;
    return type.getNumElements() * kFew <= reading.elements ? std::optional(costs.fromShared(layout, bytes))
                                                            : std::nullopt;
  }
  double total = 0;
  for (Value source : op->getOperands()) {
    std::optional<double> cost = costOfReading(source, layout, natural, reading);
    if (!cost)
      return std::nullopt;
    total += *cost;
  }
  return total;
}

const ProductOrder &Rules::orderOf(tt::DotOp dot) {
  auto [entry, isNew] = orders.try_emplace(dot);
  if (!isNew)
    return entry->second;
  ProductOrder best;
  auto costOf = [&](unsigned number, const ProductOrder &order) {
    Value operand = dot->getOperand(number);
    auto type = cast<RankedTensorType>(operand.getType());
    bool hasPairs = bitsOfK(type.getElementTypeBitWidth()).word == 1;
    Reading reading{type.getNumElements(), hasPairs ? 1u << (order.k.empty() ? 0 : order.k.front()) : 0, {}};
    return costOfReading(operand, mmaOperand(dot, number, order), mmaOperand(dot, number, {}), reading);
  };
  std::optional<double> least;
  for (const KPermutation &k : ordersOfK(dot)) {
    std::optional<double> left = costOf(0, {k, {}});
    for (const KPermutation &columns : left ? ordersOfColumns(dot) : std::vector<KPermutation>())
      if (std::optional<double> right = costOf(1, {k, columns}); right && (!least || *left + *right < *least)) {
        least = *left + *right;
        best = {k, columns};
      }
  }
  return entry->second = std::move(best);
}

} // namespace tawa::layouts
