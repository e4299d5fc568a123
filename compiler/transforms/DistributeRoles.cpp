// DistributeRoles: one copy of the code per role, joined by arefs (paper, section III.C.2).
//
//   for %k { %a = load %k; %b = load %k; %acc = dot %a, %b, %acc }
// becomes
//   %ring = tawa.create_aref
//   tawa.warp_group "producer" { for %k iter_args(%n) { %a = load; %b = load; tawa.put %ring[%n], %a, %b; %n + 1 } }
//   tawa.warp_group "consumer" { for %k iter_args(%acc, %n) { %a, %b = tawa.get %ring[%n]; dot; tawa.consumed
//   %ring[%n]; %n + 1 } }
//
// The counter %n starts at 0 with the kernel and is carried through every loop that touches the ring, outer ones
// included: slot and phase follow from it, so it lives exactly as long as the barriers do.
#include "compiler/analysis/Decline.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_DISTRIBUTEROLES
#include "compiler/transforms/Passes.h.inc"

namespace {

constexpr int kProducer = 0, kConsumer = 1;
constexpr int kWarpsPerGroup = 4;

bool hasRole(Attribute roles, int role) {
  auto list = dyn_cast_or_null<DenseI32ArrayAttr>(roles);
  return list && llvm::is_contained(list.asArrayRef(), role);
}

/// The ring that loads travel through. Those of one block share a slot, in order; blocks are of loops that follow each
/// other, so that both roles come by them in the same order.
struct Channel {
  llvm::MapVector<Block *, SmallVector<Operation *>> sites;
  Value aref;

  ArrayRef<Operation *> firstSite() const { return sites.front().second; }
};

using Channels = llvm::MapVector<int, Channel>;

Channels collectChannels(tt::FuncOp func) {
  Channels channels;
  func.walk([&](Operation *op) {
    if (auto channel = op->getAttrOfType<IntegerAttr>(ws::kChannelAttr))
      channels[channel.getInt()].sites[op->getBlock()].push_back(op);
  });
  return channels;
}

/// Copies that each thread of the producer starts in one round of all channels; 0 where TMA fetches all tiles.
uint32_t copiesPerThread(const Channels &channels) {
  uint32_t copies = 0;
  for (const auto &[index, channel] : channels)
    for (Operation *load : channel.firstSite())
      if (auto copy = load->getAttrOfType<DenseI32ArrayAttr>(ws::kCopyAttr)) {
        int64_t elements = cast<RankedTensorType>(load->getResult(0).getType()).getNumElements();
        copies += std::max<int64_t>(1, elements / copy[1] / kThreadsPerGroup);
      }
  return copies;
}

/// The last operation of `block` that uses the value or a view of it, itself or inside one of its regions.
Operation *lastUserIn(Block *block, Value value, Operation *last) {
  for (Operation *user : value.getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (!last || last->isBeforeInBlock(ancestor))
      last = ancestor;
    if (isa<tt::TransOp>(user))
      last = lastUserIn(block, user->getResult(0), last);
  }
  return last;
}

/// Clones the part of a function that one role runs.
class RoleCloner {
public:
  RoleCloner(OpBuilder &builder, Channels &channels, int role) : builder(builder), channels(channels), role(role) {}

  void cloneFunction(tt::FuncOp func) {
    Value zero = builder.create<arith::ConstantOp>(func.getLoc(), builder.getI32IntegerAttr(0));
    for (auto &[index, channel] : channels)
      counters[index] = zero;
    cloneBlock(&func.getBody().front());
  }

private:
  void cloneBlock(Block *block);
  void cloneLoop(scf::ForOp loop);
  void cloneBranch(scf::IfOp branch);
  void cloneLoad(Operation *load);
  void cloneFetch(Operation *load);
  void put(int index, ArrayRef<Operation *> loads);
  void get(int index, ArrayRef<Operation *> loads);
  void advance(int index, Location loc);
  SmallVector<int> channelsIn(Operation *op);
  SmallVector<unsigned> keptResults(Operation *op);

  OpBuilder &builder;
  Channels &channels;
  int role;
  IRMapping mapping;
  DenseMap<int, Value> counters;                         ///< Puts or gets so far, per channel.
  DenseMap<Operation *, SmallVector<int>> releasedAfter; ///< Channels whose slot is given back after this operation.
  DenseMap<int, Value> borrowed;                         ///< Counter of the slot a channel's get handed out.
};

void RoleCloner::advance(int index, Location loc) {
  Value one = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(1));
  counters[index] = builder.create<arith::AddIOp>(loc, counters[index], one);
}

void RoleCloner::put(int index, ArrayRef<Operation *> loads) {
  SmallVector<Value> values;
  for (Operation *load : loads)
    values.push_back(mapping.lookup(load->getResult(0)));
  Location loc = loads.back()->getLoc();
  builder.create<ws::PutOp>(loc, channels[index].aref, counters[index], values);
  advance(index, loc);
}

void RoleCloner::get(int index, ArrayRef<Operation *> loads) {
  SmallVector<Type> types;
  for (Operation *load : loads)
    types.push_back(load->getResult(0).getType());
  Location loc = loads.front()->getLoc();
  borrowed[index] = counters[index];
  auto get = builder.create<ws::GetOp>(loc, types, channels[index].aref, counters[index]);
  advance(index, loc);
  Operation *last = nullptr;
  for (auto [load, value] : llvm::zip(loads, get.getValues())) {
    mapping.map(load->getResult(0), value);
    last = lastUserIn(load->getBlock(), load->getResult(0), last);
  }
  releasedAfter[last].push_back(index);
}

/// What fetches a tile in the producer: the descriptor load itself, or a copy in place of a load through pointers.
void RoleCloner::cloneFetch(Operation *load) {
  auto pointers = dyn_cast<tt::LoadOp>(load);
  if (!pointers) {
    Operation *clone = builder.clone(*load, mapping);
    for (StringRef name : {StringRef(ws::kRolesAttr), StringRef(ws::kChannelAttr)})
      clone->removeAttr(name);
    return;
  }
  ArrayRef<int32_t> copy = load->getAttrOfType<DenseI32ArrayAttr>(ws::kCopyAttr).asArrayRef();
  Value mask = pointers.getMask() ? mapping.lookupOrDefault(pointers.getMask()) : Value();
  Value tile = builder.create<ws::CopyTileOp>(load->getLoc(), pointers.getType(),
                                              mapping.lookupOrDefault(pointers.getPtr()), mask, copy[0], copy[1]);
  mapping.map(pointers.getResult(), tile);
}

void RoleCloner::cloneLoad(Operation *load) {
  int index = load->getAttrOfType<IntegerAttr>(ws::kChannelAttr).getInt();
  ArrayRef<Operation *> loads = channels[index].sites[load->getBlock()];
  if (role == kConsumer) {
    if (load == loads.front())
      get(index, loads);
    return;
  }
  cloneFetch(load);
  if (load == loads.back())
    put(index, loads);
}

SmallVector<int> RoleCloner::channelsIn(Operation *op) {
  SmallVector<int> found;
  for (auto &[index, channel] : channels)
    if (llvm::any_of(channel.sites, [&](auto &site) { return op->isProperAncestor(site.second.front()); }))
      found.push_back(index);
  return found;
}

/// The results of a loop or condition that this role has a use for.
SmallVector<unsigned> RoleCloner::keptResults(Operation *op) {
  auto carried = op->getAttrOfType<ArrayAttr>(ws::kCarriedAttr);
  SmallVector<unsigned> kept;
  for (unsigned index = 0; index < op->getNumResults(); ++index)
    if (hasRole(carried[index], role))
      kept.push_back(index);
  return kept;
}

/// Both branches hand on the counters: one of them may have put or got what the other has not.
void RoleCloner::cloneBranch(scf::IfOp branch) {
  SmallVector<unsigned> kept = keptResults(branch);
  SmallVector<int> inside = channelsIn(branch);
  SmallVector<Type> types;
  for (unsigned index : kept)
    types.push_back(branch.getResult(index).getType());
  types.append(inside.size(), builder.getI32Type());
  bool hasElse = !types.empty() || branch.elseBlock();
  auto clone = builder.create<scf::IfOp>(branch.getLoc(), types, mapping.lookupOrDefault(branch.getCondition()),
                                         /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  DenseMap<int, Value> before = counters;
  for (auto [from, to] :
       {std::pair(branch.thenBlock(), clone.thenBlock()), std::pair(branch.elseBlock(), clone.elseBlock())}) {
    if (!to)
      continue;
    counters = before;
    OpBuilder::InsertionGuard guard(builder);
    to->clear();
    builder.setInsertionPointToEnd(to);
    SmallVector<Value> yielded;
    if (from) {
      cloneBlock(from);
      for (unsigned index : kept)
        yielded.push_back(mapping.lookupOrDefault(from->getTerminator()->getOperand(index)));
    }
    for (int index : inside)
      yielded.push_back(counters[index]);
    builder.create<scf::YieldOp>(branch.getLoc(), yielded);
  }
  counters = std::move(before);
  for (auto [position, index] : llvm::enumerate(kept))
    mapping.map(branch.getResult(index), clone.getResult(position));
  for (auto [position, index] : llvm::enumerate(inside))
    counters[index] = clone.getResult(kept.size() + position);
}

void RoleCloner::cloneLoop(scf::ForOp loop) {
  SmallVector<unsigned> kept = keptResults(loop);
  SmallVector<Value> inits;
  for (unsigned index : kept)
    inits.push_back(mapping.lookupOrDefault(loop.getInitArgs()[index]));
  SmallVector<int> inside = channelsIn(loop);
  for (int index : inside)
    inits.push_back(counters[index]);

  auto bound = [&](Value value) { return mapping.lookupOrDefault(value); };
  auto clone = builder.create<scf::ForOp>(loop.getLoc(), bound(loop.getLowerBound()), bound(loop.getUpperBound()),
                                          bound(loop.getStep()), inits);
  for (NamedAttribute attr : loop->getDiscardableAttrs())
    if (attr.getName() != ws::kCarriedAttr && attr.getName() != ws::kRolesAttr)
      clone->setDiscardableAttr(attr.getName(), attr.getValue());
  mapping.map(loop.getInductionVar(), clone.getInductionVar());
  for (auto [position, index] : llvm::enumerate(kept))
    mapping.map(loop.getRegionIterArgs()[index], clone.getRegionIterArgs()[position]);
  for (auto [position, index] : llvm::enumerate(inside))
    counters[index] = clone.getRegionIterArgs()[kept.size() + position];

  if (inits.empty()) // only a loop that carries nothing is built with its terminator
    clone.getBody()->getTerminator()->erase();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(clone.getBody());
    cloneBlock(loop.getBody());
    SmallVector<Value> yielded;
    for (unsigned index : kept)
      yielded.push_back(mapping.lookupOrDefault(loop.getYieldedValues()[index]));
    for (int index : inside)
      yielded.push_back(counters[index]);
    builder.create<scf::YieldOp>(loop.getLoc(), yielded);
  }
  for (auto [position, index] : llvm::enumerate(kept))
    mapping.map(loop.getResult(index), clone.getResult(position));
  for (auto [position, index] : llvm::enumerate(inside))
    counters[index] = clone.getResult(kept.size() + position);
}

void RoleCloner::cloneBlock(Block *block) {
  for (Operation &op : *block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (hasRole(op.getAttr(ws::kRolesAttr), role))
        cloneLoop(loop);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (hasRole(op.getAttr(ws::kRolesAttr), role))
        cloneBranch(branch);
    } else if (op.hasAttr(ws::kChannelAttr)) {
      cloneLoad(&op);
    } else if (hasRole(op.getAttr(ws::kRolesAttr), role)) {
      builder.clone(op, mapping)->removeAttr(ws::kRolesAttr);
    }
    // The slot goes back in the block it was got in; what uses it deeper down lies inside `op`.
    for (int index : releasedAfter.lookup(&op))
      builder.create<ws::ConsumedOp>(op.getLoc(), channels[index].aref, borrowed[index], Value());
  }
}

struct DistributeRolesPass : impl::DistributeRolesBase<DistributeRolesPass> {
  using DistributeRolesBase::DistributeRolesBase;

  void runOnOperation() override {
    if (getOperation()->hasAttr(kDeclinedAttr))
      return;
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    Channels channels = collectChannels(func);
    Block &body = func.getBody().front();
    Operation *firstOld = &body.front();
    Operation *terminator = body.getTerminator();
    OpBuilder builder(terminator);
    auto fitting = func->getAttrOfType<IntegerAttr>(ws::kRingDepthAttr);
    unsigned depth = fitting ? fitting.getInt() : int64_t(ringDepth);
    func->removeAttr(ws::kRingDepthAttr);
    for (auto &[index, channel] : channels) {
      SmallVector<Type> payload;
      for (Operation *load : channel.firstSite())
        payload.push_back(load->getResult(0).getType());
      // What is put once in the whole kernel has no use for more slots.
      Operation *first = channel.firstSite().front();
      bool repeats = llvm::any_of(channel.sites, [](auto &site) {
        return site.second.front()->template getParentOfType<scf::ForOp>() != nullptr;
      });
      auto type = ws::ArefType::get(&getContext(), repeats ? depth : 1, payload);
      channel.aref = builder.create<ws::CreateArefOp>(first->getLoc(), type);
    }
    Operation *firstNew = channels.empty() ? terminator : channels.front().second.aref.getDefiningOp();
    RegisterPlan plan = planRegisters(consumerGroups, copiesPerThread(channels));
    const std::tuple<int, const char *, int, uint32_t> roles[] = {
        {kProducer, "producer", kWarpsPerGroup, plan.producer},
        {kConsumer, "consumer", kWarpsPerGroup * consumerGroups, plan.consumer}};
    for (auto [role, name, warps, registers] : roles) {
      auto group = builder.create<ws::WarpGroupOp>(func.getLoc(), name, warps, registers);
      OpBuilder inside = OpBuilder::atBlockBegin(&group.getBody().emplaceBlock());
      RoleCloner(inside, channels, role).cloneFunction(func);
    }
    eraseBetween(firstOld, firstNew);
  }

  /// Erases the undistributed code, users before what they use.
  static void eraseBetween(Operation *first, Operation *end) {
    SmallVector<Operation *> old;
    for (Operation *op = first; op != end; op = op->getNextNode())
      old.push_back(op);
    for (Operation *op : llvm::reverse(old)) {
      op->dropAllUses();
      op->erase();
    }
  }
};

} // namespace
} // namespace tawa
