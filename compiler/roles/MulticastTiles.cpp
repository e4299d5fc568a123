// MulticastTiles: loads a tile common to all programs of a cluster once, each CTA fetching a part of it for all (TMA
// multicast).
//
// Programs of a cluster have consecutive ids. Where CTAs share a program's sum (tawa-split-reduction), those of each
// that have the same part of it share tiles. The tile that a neighbour loads follows from the program's own code,
// by substitution: the slice of the coordinates is cloned with another program id (and, in a loop over tiles that
// begins with the id, with the neighbour's induction variable). Where the coordinates agree, so do the tiles:
//
//   %row, %column = .. %program ..                   %same = %column == (.. %program ^ 1 ..)
//   for %k {                                         for %k {
//     %a = tt.descriptor_load %da[%row, %k]            ..
//     %b = tt.descriptor_load %db[%column, %k]         ..
//     tawa.put %ring[%n], %a, %b                 ->    tawa.put %ring[%n], %a, %b multicast(%false, %same)
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
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tawa-multicast-tiles"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_MULTICASTTILES
#include "compiler/roles/Passes.h.inc"

namespace {

constexpr int64_t kSwizzleRows = 8; // swizzle patterns repeat after this many rows: where a tile may be cut

/// The place before the loops in which nothing depends on the program: there the neighbours' coordinates are made.
struct Scope {
  scf::ForOp tiles;            ///< The loop over tiles around it, whose induction variable differs between programs.
  Operation *anchor = nullptr; ///< What contains the put, or the put itself.

  bool isTile(Value value) const {
    scf::ForOp loop = tiles;
    return loop && value == loop.getInductionVar();
  }
};

Scope scopeOf(ws::PutOp put, const ProgramVariance &variance) {
  Scope scope{{}, put};
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
  llvm::SetVector<Value> compared; ///< Values at the scope that decide, where they have to be compared.
};

/// Facts about the tiles of one put.
class TileReuse {
public:
  TileReuse(const ProgramVariance &variance, Scope scope, unsigned cluster)
      : variance(variance), scope(scope), cluster(cluster) {}

  Sharing classify(Value tile) {
    auto load = tile.getDefiningOp<tt::DescriptorLoadOp>();
    if (!load || variance.varies(load.getDesc()) || load.getType().getRank() != 2 ||
        load.getType().getDimSize(0) % (kSwizzleRows * cluster) != 0)
      return {};
    Sharing sharing;
    visited.clear();
    for (Value index : load.getIndices())
      if (alwaysDiffers(index) || !collect(index, sharing.compared))
        return {};
    sharing.kind = sharing.compared.empty() ? Sharing::Same : Sharing::Compared;
    return sharing;
  }

private:
  /// The increment of a value per program id, if constant.
  std::optional<int64_t> slope(Value value) const;
  bool alwaysDiffers(Value value) const;
  /// Collects the dependences of `value` and those on the program; false where they cannot be compared.
  bool collect(Value value, llvm::SetVector<Value> &roots);
  bool collectInside(Value value, llvm::SetVector<Value> &roots);
  bool canRemake(Value value) const;

  const ProgramVariance &variance;
  Scope scope;
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

//===--- Conditions -----------------------------------------------------------------------------------------------===//

/// Remakes values as a neighbour has them.
class Neighbour {
public:
  Neighbour(OpBuilder &builder, Location loc, const ProgramVariance &variance, Scope scope, unsigned distance)
      : builder(builder), variance(variance) {
    Type type = builder.getI32Type();
    Value mine = builder.create<tt::GetProgramIdOp>(loc, type, tt::ProgramDim::X);
    Value bits = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(distance));
    program = builder.create<arith::XOrIOp>(loc, mine, bits);
    if (scope.tiles) {
      Value offset = builder.create<arith::SubIOp>(loc, program, mine);
      Value tile = scope.tiles.getInductionVar();
      mapping.map(tile, builder.create<arith::AddIOp>(loc, tile, offset).getResult());
    }
  }

  Value remake(Value value) {
    if (!variance.varies(value))
      return value;
    if (isProgramId(value))
      return program;
    if (Value there = mapping.lookupOrNull(value))
      return there;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      mapping.map(operand, remake(operand));
    builder.clone(*op, mapping);
    return mapping.lookup(value);
  }

private:
  OpBuilder &builder;
  const ProgramVariance &variance;
  IRMapping mapping;
  Value program;
};

/// True where all neighbours have the same values as this program; they then find the same.
Value compare(OpBuilder &builder, Location loc, const ProgramVariance &variance, Scope scope, unsigned cluster,
              ArrayRef<Value> values) {
  Value all;
  for (unsigned distance = 1; distance < cluster; ++distance) {
    Neighbour neighbour(builder, loc, variance, scope, distance);
    for (Value value : values) {
      Value equal = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, value, neighbour.remake(value));
      all = all ? builder.create<arith::AndIOp>(loc, all, equal).getResult() : equal;
    }
  }
  return all;
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
    Scope scope = scopeOf(put, variance);
    OpBuilder builder(scope.anchor);
    Location loc = put.getLoc();
    SmallVector<Value> conditions;
    for (const Sharing &sharing : sharings) {
      if (sharing.kind == Sharing::Compared) {
        conditions.push_back(compare(builder, loc, variance, scope, cluster, sharing.compared.getArrayRef()));
        ++compared;
        continue;
      }
      bool isSame = sharing.kind == Sharing::Same;
      conditions.push_back(builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(isSame)));
      ++(isSame ? same : own);
    }
    put.getMulticastMutable().assign(conditions);
  }
};

} // namespace
} // namespace tawa
