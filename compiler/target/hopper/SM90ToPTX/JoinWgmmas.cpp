// JoinWgmmas: merges wgmmas of one A with adjacent columns of B into one instruction over all these columns.
//
//   wgmma m64n64k16 %d0, %a, %b          wgmma m64n192k16 (%d0, %d1, %d2), %a, %b
//   wgmma m64n64k16 %d1, %a, %b1    ->
//   wgmma m64n64k16 %d2, %a, %b2
//
// wgmma takes 8 to 256 columns in steps of 8, while tiles have powers of two here: one of 192 columns was divided into
// several products (tawa-split-tiles). Each of them would read A from shared memory again, which 64 columns of work do
// not hide. The registers of a wide accumulator are those of its parts in sequence (PTX ISA, D fragment), so no data
// moves. B's parts must follow each other like its groups of eight rows, which is proved from the arithmetic on the
// descriptors. An instruction has no more columns than the registers with which threads begin allow. Merged
// instructions are issued, and committed, with the first part: a wait that covers a later part covers that, too.
//
// This leaves the groups of the later parts empty, which is not free: ptxas closes an empty group with a dummy product
// of eight columns. So where every group of a kernel belongs to a set of the same size, a set is committed once, and
// waits count sets. A tile whose rows are several products, too, has sets of different sizes, and all products of an
// iteration are committed together.
#include "compiler/target/hopper/SM90/Kernel.h"
#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <utility>

using namespace mlir;

namespace tawa::sm90 {

bool isDefinedBefore(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  return !definition || definition->getBlock() != op->getBlock() || definition->isBeforeInBlock(op);
}

namespace {

constexpr int64_t kMostColumns = 256; // PTX ISA, wgmma.mma_async shapes

/// A sum of terms and a number.
struct Sum {
  SmallVector<Value> terms;
  int64_t number = 0;
};

void flatten(Value value, Sum &sum) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    sum.number += number.getSExtValue();
  } else if (auto add = value.getDefiningOp<arith::AddIOp>()) {
    flatten(add.getLhs(), sum);
    flatten(add.getRhs(), sum);
  } else {
    sum.terms.push_back(value);
  }
}

/// Whether two values are computed in the same way from the same ones.
bool isSame(Value one, Value other) {
  if (one == other)
    return true;
  Operation *a = one.getDefiningOp(), *b = other.getDefiningOp();
  return a && b && a->getName() == b->getName() && isPure(a) && a->getNumRegions() == 0 && a->getNumResults() == 1 &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         llvm::all_of_zip(a->getOperands(), b->getOperands(), isSame);
}

constexpr int64_t kGroup = 8;                                  // columns, or rows, that a stride is between
constexpr int kStrideBit = 32;                                 // PTX ISA, matrix descriptor
constexpr int64_t kStrideMask = int64_t{0x3fff} << kStrideBit; // in units of 16 bytes

/// A matrix descriptor, as the lowering of dots makes them: a constant, or'ed with the address in units of 16 bytes.
struct Descriptor {
  int64_t fields = 0; ///< All but the address.
  Sum address;        ///< In bytes.
  int64_t strideBytes() const { return (fields & kStrideMask) >> kStrideBit << 4; }
};

std::optional<Descriptor> readDescriptor(Value value) {
  Sum steps; // along K
  flatten(value, steps);
  auto either = steps.terms.size() == 1 ? steps.terms.front().getDefiningOp<arith::OrIOp>() : arith::OrIOp();
  APInt fields;
  if (!either || !matchPattern(either.getRhs(), m_ConstantInt(&fields)))
    return std::nullopt;
  auto wide = either.getLhs().getDefiningOp<arith::ExtUIOp>();
  auto units = wide ? wide.getIn().getDefiningOp<arith::ShRUIOp>() : arith::ShRUIOp();
  auto masked = units ? units.getLhs().getDefiningOp<arith::AndIOp>() : arith::AndIOp();
  APInt shift;
  if (!masked || !matchPattern(units.getRhs(), m_ConstantInt(&shift)) || shift != 4)
    return std::nullopt;
  Descriptor descriptor;
  descriptor.fields = fields.getSExtValue();
  flatten(masked.getLhs(), descriptor.address);
  descriptor.address.number += steps.number * 16;
  return descriptor;
}

/// The stride of a matrix that has the `columns` columns of one wgmma and, after them, those of another; none where
/// they are not in the same layout. Of a single group of columns no stride is read, so that the other may be anywhere:
/// where two consumer groups share products of 16 columns, each has every other group.
std::optional<int64_t> strideOfBoth(WgmmaOp one, WgmmaOp other, int64_t columns) {
  auto first = readDescriptor(one.getDescB()), second = readDescriptor(other.getDescB());
  if (!first || !second || (first->fields ^ second->fields) & ~kStrideMask ||
      first->address.terms.size() != second->address.terms.size() ||
      !llvm::all_of_zip(first->address.terms, second->address.terms, isSame))
    return std::nullopt;
  int64_t distance = second->address.number - first->address.number;
  int64_t stride = columns == kGroup ? distance : first->strideBytes();
  bool isAlike = other.getType().getN() == kGroup || second->strideBytes() == stride;
  bool fits = stride > 0 && stride < (kStrideMask >> kStrideBit << 4);
  return isAlike && fits && distance == columns / kGroup * stride ? std::optional(stride) : std::nullopt;
}

/// The same descriptor with another stride.
Value withStride(OpBuilder &builder, Value descriptor, int64_t stride) {
  Location loc = descriptor.getLoc();
  if (auto step = descriptor.getDefiningOp<arith::AddIOp>())
    return builder.create<arith::AddIOp>(loc, withStride(builder, step.getLhs(), stride), step.getRhs());
  auto either = descriptor.getDefiningOp<arith::OrIOp>();
  APInt fields;
  matchPattern(either.getRhs(), m_ConstantInt(&fields));
  int64_t changed = (fields.getSExtValue() & ~kStrideMask) | stride >> 4 << kStrideBit;
  return builder.create<arith::OrIOp>(loc, either.getLhs(),
                                      builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(changed)));
}

/// Whether only computation, and operations that open and close groups of wgmmas, is between two operations of a block.
bool areNeighbours(Operation *first, Operation *second) {
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
    if (!op || (!isMemoryEffectFree(op) && !isa<WgmmaFenceOp, WgmmaCommitOp>(op)))
      return false;
  return true;
}

/// Whether threads begin with registers for the sums of such a wgmma.
bool hasRegistersFor(WgmmaOp wgmma, int64_t columns) {
  auto entry = kEntryRegistersAttr.get(wgmma->getParentOfType<FunctionOpInterface>());
  InflightType type = wgmma.getType();
  return !entry || fitsRegisters(RegisterQuestion::SumsAtEntry, type.getNumRegisters() * columns / type.getN(), *entry);
}

/// The stride with which the products of two chains, one `columns` columns after the other, can share instructions.
std::optional<int64_t> strideToJoin(ArrayRef<WgmmaOp> first, ArrayRef<WgmmaOp> next, int64_t columns) {
  std::optional<int64_t> stride = strideOfBoth(first.front(), next.front(), columns);
  auto fitsStep = [&](WgmmaOp one, WgmmaOp other) {
    bool alike = one.getAType() == other.getAType() && one.getBType() == other.getBType() && !one.getTransB() &&
                 !other.getTransB() && one.getTransA() == other.getTransA() && one.getNegA() == other.getNegA() &&
                 one.getNegB() == other.getNegB();
    return alike && isSame(one.getDescA(), other.getDescA()) && isSame(one.getScaleD(), other.getScaleD()) &&
           strideOfBoth(one, other, columns) == stride;
  };
  constexpr int64_t kI8Step = 16; // of n, from 32 on
  WgmmaOp begins = first.front(), other = next.front();
  int64_t all = columns + other.getType().getN();
  bool canJoin = stride && first.size() == next.size() &&
                 begins.getType().getElementType() == other.getType().getElementType() && all <= kMostColumns &&
                 hasRegistersFor(begins, all) && (!other.getAType().isInteger(8) || all % kI8Step == 0) &&
                 isDefinedBefore(other.getAccumulator(), first.back()) && llvm::all_of_zip(first, next, fitsStep);
  return canJoin ? stride : std::nullopt;
}

/// Whether a wgmma is part of the statement of an earlier chain.
bool isTakenAlong(WgmmaOp wgmma) {
  while (kContinuedAttr.on(wgmma))
    wgmma = cast<WgmmaOp>(*wgmma->user_begin());
  return kJoinedAttr.on(wgmma);
}

/// Groups that are to be one: as many in each case.
struct Merging {
  uint32_t groups = 0;
  bool areAlike = true;
  SmallVector<Operation *> needless; ///< Where they are one.

  void end(uint32_t count) {
    areAlike &= count == 0 || groups == 0 || count == groups;
    groups = count == 0 ? groups : count;
  }

  bool isPossible(ArrayRef<WgmmaWaitOp> waits) const {
    return areAlike && groups >= 2 &&
           llvm::all_of(waits, [&](WgmmaWaitOp wait) { return wait.getPendings() % groups == 0; });
  }
};

/// The groups of a function: in sets of one with work, followed by those that were merged into it; where these differ,
/// as when a tile's rows are several products of the same columns, in runs of all that are issued without a wait.
class GroupSets {
public:
  explicit GroupSets(FunctionOpInterface func) {
    func->walk([&](Block *block) { readBlock(*block); });
    func->walk([&](WgmmaWaitOp wait) { waits.push_back(wait); });
  }

  void commitOnce() {
    if (sets.needless.empty())
      return;
    for (const Merging *merging : {&sets, &runs}) {
      if (!merging->isPossible(waits))
        continue;
      for (Operation *op : merging->needless)
        op->erase();
      for (WgmmaWaitOp wait : waits)
        wait.setPendings(wait.getPendings() / merging->groups);
      return;
    }
  }

private:
  /// The operations before a commit.
  struct Group {
    SmallVector<Operation *> fences;
    uint32_t wgmmas = 0;
    bool works = false; ///< Whether an instruction is issued here.

    void add(Operation &op) {
      if (isa<WgmmaFenceOp>(op))
        fences.push_back(&op);
      auto wgmma = dyn_cast<WgmmaOp>(op);
      wgmmas += wgmma || isa<WgmmaRsOp>(op);
      works |= wgmma ? !isTakenAlong(wgmma) : isa<WgmmaRsOp>(op);
    }
  };

  void readBlock(Block &block) {
    Group group;
    WgmmaCommitOp ofSet, ofRun; // the last ones
    uint32_t set = 0, run = 0;  // groups
    for (Operation &op : block) {
      group.add(op);
      if (isa<WgmmaWaitOp>(op)) {
        sets.areAlike &= group.wgmmas == 0;
        runs.areAlike &= group.wgmmas == 0;
        runs.end(std::exchange(run, 0));
        ofRun = {};
      }
      auto commit = dyn_cast<WgmmaCommitOp>(op);
      if (!commit)
        continue;
      if (group.works) {
        sets.end(std::exchange(set, 0));
        ofSet = {};
      }
      add(commit, group, ofSet, set, sets);
      add(commit, group, ofRun, run, runs);
      group = Group();
    }
    sets.end(set);
    runs.end(run);
  }

  static void add(WgmmaCommitOp commit, const Group &group, WgmmaCommitOp &last, uint32_t &count, Merging &merging) {
    if (!group.works)
      llvm::append_range(merging.needless, group.fences);
    if (last)
      merging.needless.push_back(last);
    last = commit;
    ++count;
  }

  Merging sets, runs;
  SmallVector<WgmmaWaitOp> waits;
};

//===--- Chains and their statements ------------------------------------------------------------------------------===//

struct Chain {
  SmallVector<WgmmaOp> products;
  bool follows = false; ///< The chain before it, with nothing but computation in between.
};

SmallVector<Chain> readChains(ModuleOp module) {
  SmallVector<Chain> chains;
  WgmmaOp before; // the end of the last chain
  module.walk([&](WgmmaOp last) {
    if (kContinuedAttr.on(last))
      return;
    SmallVector<WgmmaOp> products = chainEndingIn(last);
    bool follows = before && before->getBlock() == last->getBlock() && areNeighbours(before, products.front());
    chains.push_back({std::move(products), follows});
    before = last;
  });
  return chains;
}

/// A chain, those that it takes along, and where the last of them ends.
struct Statement {
  ArrayRef<WgmmaOp> products;
  int64_t columns = 0;
  Operation *end = nullptr;
};

void setStride(ArrayRef<WgmmaOp> products, int64_t stride) {
  for (WgmmaOp product : products) {
    OpBuilder builder(product);
    product.getDescBMutable().assign(withStride(builder, product.getDescB(), stride));
  }
}

/// Moves an operation, and what it is computed from, to the place after another one; returns the new end of that place.
Operation *hoist(Operation *op, Operation *place) {
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp();
        source && source->getBlock() == place->getBlock() && place->isBeforeInBlock(source))
      place = hoist(source, place);
  op->moveAfter(place);
  return op;
}

} // namespace

/// Of blocks of rows, products take turns, so each chain may join any statement since the last other operation. What
/// has joined one stands after it, where later products on its accumulator can join, too.
void joinWgmmas(ModuleOp module) {
  SmallVector<Chain> chains = readChains(module);
  SmallVector<Statement> open;
  int32_t statements = 0;
  for (Chain &chain : chains) {
    if (!chain.follows)
      open.clear();
    WgmmaOp last = chain.products.back();
    std::optional<int64_t> stride;
    auto *statement = llvm::find_if(open, [&](Statement &other) {
      stride = strideToJoin(other.products, chain.products, other.columns);
      return stride.has_value();
    });
    if (statement == open.end()) {
      open.push_back({chain.products, last.getType().getN(), last});
      continue;
    }
    if (statement->columns == kGroup)
      setStride(statement->products, *stride);
    WgmmaOp first = statement->products.back();
    if (!kJoinsAttr.on(first))
      kJoinsAttr.set(first, statements++);
    kJoinedAttr.set(last, *kJoinsAttr.get(first));
    statement->columns += last.getType().getN();
    for (WgmmaOp product : chain.products)
      statement->end = hoist(product, statement->end);
  }
  module.walk([](FunctionOpInterface func) { GroupSets(func).commitOnce(); });
}

} // namespace tawa::sm90
