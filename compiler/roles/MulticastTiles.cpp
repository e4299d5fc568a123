// MulticastTiles: loads a tile common to programs of a cluster once, each CTA fetching a part of it for those (TMA
// multicast).
//
// Programs of a cluster have consecutive ids. Where CTAs share a program's sum (tawa-split-reduction), those of each
// that have the same part of it share tiles. The tile that a neighbour loads follows from the program's own code,
// by substitution: the slice of the coordinates is cloned with another program id (and, in a loop over tiles that
// begins with the id, with the neighbour's induction variable). Where the coordinates agree, so do the tiles:
//
//   %row, %column = .. %program ..                   %same = %column == (.. %program ^ 1 ..)
//                                                    %bits = %same ? 1 : 0
//   for %k {                                         for %k {
//     %a = tt.descriptor_load %da[%row, %k]            ..
//     %b = tt.descriptor_load %db[%column, %k]         ..
//     tawa.put %ring[%n], %a, %b                 ->    tawa.put %ring[%n], %a, %b multicast(%zero, %bits)
//
// Of four programs or eight, all may load a tile, or those whose numbers differ in some bits only: where tiles are
// numbered in groups of two rows, programs 0 and 1 of four are beside 2 and 3, so that 0 and 1 share a tile of B, 0 and
// 2 one of A. A bit counts if all programs that differ in it have the same tile, so that all CTAs find the same bits.
// What neighbours have in common, as quotients of the id, is shared by the lowest bits, else by the highest, or by all.
//
// Only values that depend on the program id are compared, before the loops that they do not depend on. The result may
// change from tile to tile: slots of a ring that is ever shared are always released to all CTAs. This requires that
// they put equally often, which is checked for the loops and conditions around the puts. Its producer ends with
// tawa.producer_tail, so that no CTA ends while others arrive at its barriers.
#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/ProgramVariance.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/UniformTripCounts.h"
#include "compiler/roles/NeighbourTiles.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/ClusterSharing.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tawa-multicast-tiles"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_MULTICASTTILES
#include "compiler/roles/Passes.h.inc"

namespace {

NeighbourScope scopeOf(ws::PutOp put, const ProgramVariance &variance) {
  NeighbourScope scope{{}, put};
  for (Operation *parent = put->getParentOp(); !isa<ws::WarpGroupOp>(parent); parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (loop && variance.varies(loop.getInductionVar()))
      return scope.tiles = loop, scope;
    scope.anchor = parent;
  }
  return scope;
}

bool isVisibleAt(Operation *anchor, Value value) { return value.getParentBlock()->findAncestorOpInBlock(*anchor); }

/// How one value of a put is loaded.
struct Sharing {
  enum Kind { Own, Compared, Same } kind = Own;
  llvm::SetVector<Value> compared;  ///< Values at the scope that decide, where they have to be compared.
  std::vector<uint32_t> bits = {0}; ///< Those by which programs may share it.
};

/// Which values grow with each program, and which only every so often, as far as operations tell: the number of a row
/// of tiles is a remainder, that of a column a quotient.
bool growsSlowly(Value value, const ProgramVariance &variance) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return variance.varies(op->getOperand(0));
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp, arith::MaxSIOp, arith::ExtSIOp,
                         arith::TruncIOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return !variance.varies(operand) || growsSlowly(operand, variance); });
}

/// Facts about the tiles of one put.
class TileReuse {
public:
  TileReuse(const ProgramVariance &variance, NeighbourScope scope, unsigned cluster)
      : variance(variance), scope(scope), cluster(cluster) {}

  Sharing classify(Value tile) {
    auto load = tile.getDefiningOp<tt::DescriptorLoadOp>();
    if (!load || variance.varies(load.getDesc()) || load.getType().getRank() != 2)
      return {};
    Sharing sharing;
    int64_t rowBytes = load.getType().getDimSize(1) * load.getType().getElementTypeBitWidth() / 8;
    sharing.bits = sharedBits(cluster, partsOfTile(load.getType().getDimSize(0), rowBytes));
    if (sharing.bits.size() == 1)
      return {};
    visited.clear();
    for (Value index : load.getIndices())
      if (alwaysDiffers(index) || !collect(index, sharing.compared))
        return {};
    sharing.kind = sharing.compared.empty() ? Sharing::Same : Sharing::Compared;
    bool isSlow = llvm::all_of(sharing.compared, [&](Value value) { return growsSlowly(value, variance); });
    std::erase_if(sharing.bits,
                  [&](uint32_t bits) { return bits != 0 && (isSlow ? bits % 2 == 0 : isOfNeighbours(bits)); });
    return sharing;
  }

private:
  /// Whether neighbours share, and not all programs.
  bool isOfNeighbours(uint32_t bits) const { return bits % 2 != 0 && bits != cluster - 1; }
  /// The increment of a value per program id, if constant.
  std::optional<int64_t> slope(Value value) const;
  bool alwaysDiffers(Value value) const;
  /// Collects the dependences of `value` and those on the program; false where they cannot be compared.
  bool collect(Value value, llvm::SetVector<Value> &roots);
  bool collectInside(Value value, llvm::SetVector<Value> &roots);
  bool canRemake(Value value) const;

  const ProgramVariance &variance;
  NeighbourScope scope;
  unsigned cluster;
  DenseSet<Value> visited;
};

std::optional<int64_t> TileReuse::slope(Value value) const {
  if (!variance.varies(value))
    return 0;
  if (isProgramId(value) || scope.isTile(value))
    return 1;
  Operation *op = value.getDefiningOp();
  if (auto limited = dyn_cast_if_present<arith::MinSIOp>(op)) // programs beyond the grid (tawa-pad-grid) share nothing
    return variance.varies(limited.getRhs()) ? std::nullopt : slope(limited.getLhs());
  if (!op || !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto left = slope(op->getOperand(0)), right = slope(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *left + *right;
  if (isa<arith::SubIOp>(op))
    return *left - *right;
  APInt factor;
  if (matchPattern(op->getOperand(1), m_ConstantInt(&factor)) && factor.getBitWidth() == 32)
    return static_cast<int32_t>(*left * factor.getSExtValue());
  return std::nullopt;
}

bool TileReuse::alwaysDiffers(Value value) const {
  auto perProgram = slope(value);
  for (unsigned distance = 1; perProgram && distance < cluster; ++distance)
    if (static_cast<uint32_t>(*perProgram * distance) == 0)
      return false;
  return perProgram.has_value();
}

bool TileReuse::canRemake(Value value) const {
  if (!variance.varies(value) || isProgramId(value) || scope.isTile(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return canRemake(operand); });
}

bool TileReuse::collect(Value value, llvm::SetVector<Value> &roots) {
  if (!variance.varies(value))
    return true;
  if (!isVisibleAt(scope.anchor, value))
    return !visited.insert(value).second || collectInside(value, roots);
  roots.insert(value);
  return value.getType().isIntOrIndex() && canRemake(value);
}

/// For a value defined inside the loops: carried values agree if their initial values and steps do.
bool TileReuse::collectInside(Value value, llvm::SetVector<Value> &roots) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return false;
    return collect(loop.getTiedLoopInit(argument)->get(), roots) &&
           collect(loop.getTiedLoopYieldedValue(argument)->get(), roots);
  }
  Operation *op = value.getDefiningOp();
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return collect(operand, roots); });
}

//===--- The pass -------------------------------------------------------------------------------------------------===//

/// Puts, each with what its values do.
using MulticastPuts = llvm::MapVector<ws::PutOp, SmallVector<Sharing>>;

/// All puts of a ring, if any of its tiles may be common to CTAs.
MulticastPuts putsOf(ws::CreateArefOp ring, const ProgramVariance &variance, unsigned cluster) {
  MulticastPuts puts;
  bool any = false;
  for (Operation *user : ring.getAref().getUsers()) {
    auto put = dyn_cast<ws::PutOp>(user);
    if (!put)
      continue;
    TileReuse reuse(variance, scopeOf(put, variance), cluster);
    for (Value tile : put.getValues()) {
      puts[put].push_back(reuse.classify(tile));
      any |= puts[put].back().kind != Sharing::Own;
    }
  }
  return any ? puts : MulticastPuts();
}

/// The number of puts at the end of the role, of which this is the last one of its ring; null: nothing counts them
/// there. Counters are carried by the loops and branches around the put.
Value putsAtEnd(ws::PutOp put) {
  Value count;
  for (Operation *user : put.getIndex().getUsers()) {
    auto next = dyn_cast<arith::AddIOp>(user);
    if (next && next->getBlock() == put->getBlock() && matchPattern(next.getRhs(), m_One()))
      count = next;
  }
  if (!count && isa<ws::WarpGroupOp>(put->getParentOp())) { // the only one
    OpBuilder builder(put);
    Value one = builder.create<arith::ConstantOp>(put.getLoc(), builder.getI32IntegerAttr(1));
    return builder.create<arith::AddIOp>(put.getLoc(), put.getIndex(), one);
  }
  for (Operation *around = put->getParentOp(); count && !isa<ws::WarpGroupOp>(around); around = around->getParentOp()) {
    Operation *yield = count.getParentBlock()->getTerminator();
    auto carried = llvm::find(yield->getOperands(), count);
    bool isCarried = isa<scf::ForOp, scf::IfOp>(around) && carried != yield->getOperands().end();
    count = isCarried ? around->getResult(std::distance(yield->getOperands().begin(), carried)) : Value();
  }
  return count;
}

/// The last one of the ring in its role.
ws::PutOp lastPutOf(ws::PutOp put) {
  put->getParentOfType<ws::WarpGroupOp>()->walk([&](ws::PutOp other) {
    if (other.getAref() == put.getAref())
      put = other;
  });
  return put;
}

struct MulticastTilesPass : impl::MulticastTilesBase<MulticastTilesPass> {
  using MulticastTilesBase::MulticastTilesBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (cluster == 1)
      return kept.because(func, "no cluster was asked for");
    if (ws::kDeclinedAttr.on(getOperation()))
      return kept.because(func, "the kernel is one role");
    if (cluster * ws::kSplitAttr.get(func).value_or(1) > int{kPortableCluster})
      return keep(func, RejectReason::ClusterTooLarge);
    ProgramVariance variance(func, cluster);
    UniformTripCounts rounds(variance, cluster);
    MulticastPuts shared;
    RejectReason reason = RejectReason::ClusterSharesNothing;
    for (auto ring : func.getOps<ws::CreateArefOp>())
      for (auto &entry : putsOf(ring, variance, cluster))
        shared.insert(entry);
    // Also tiles that are not shared: a CTA with more of them would make its peers wait.
    bool inStep = true;
    if (!shared.empty())
      func.walk([&](ws::PutOp put) { inStep &= rounds.holdAround(put); });
    llvm::MapVector<Value, Value> counts; // by ring
    for (auto &[put, sharings] : shared)
      inStep &= static_cast<bool>(counts[put.getAref()] = putsAtEnd(lastPutOf(put)));
    if (!inStep) {
      shared.clear();
      reason = RejectReason::ClusterOutOfStep;
    }
    if (shared.empty())
      return keep(func, reason);
    annotate(func, rounds.divided());
    for (auto &[put, sharings] : shared)
      rewrite(put, sharings, variance);
    for (auto [ring, count] : counts)
      OpBuilder::atBlockEnd(count.getParentBlock()).create<ws::ProducerTailOp>(count.getLoc(), ring, count);
  }

  void keep(tt::FuncOp func, RejectReason reason) {
    kept.because(func, declineText(reason));
    noteNotApplied(getOperation(), "cluster", reason);
  }

  void annotate(tt::FuncOp func, ArrayRef<StringAttr> divisible) {
    Builder builder(&getContext());
    ws::kClusterAttr.set(func, cluster);
    SmallVector<Attribute> expressions(divisible.begin(), divisible.end());
    if (!expressions.empty())
      ws::kClusterDividesAttr.set(func, builder.getArrayAttr(expressions));
  }

  void rewrite(ws::PutOp put, ArrayRef<Sharing> sharings, const ProgramVariance &variance) {
    NeighbourScope scope = scopeOf(put, variance);
    OpBuilder builder(scope.anchor);
    Location loc = put.getLoc();
    ProgramComparison comparison(builder, loc);
    for (const Sharing &sharing : sharings)
      if (sharing.kind == Sharing::Compared)
        comparison.add(sharing.compared.getArrayRef(), sharing.bits);
    comparison.run(variance, scope, cluster);
    SmallVector<Value> numbers;
    for (const Sharing &sharing : sharings) {
      if (sharing.kind == Sharing::Compared)
        numbers.push_back(comparison.bits(sharing.bits));
      else
        numbers.push_back(comparison.constant(sharing.kind == Sharing::Same ? sharing.bits.front() : 0));
      ++(sharing.kind == Sharing::Compared ? compared : sharing.kind == Sharing::Same ? same : own);
    }
    put.getMulticastMutable().assign(numbers);
  }
};

} // namespace
} // namespace tawa
