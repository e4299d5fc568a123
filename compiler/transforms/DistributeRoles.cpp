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

/// Loads that share a slot, in order, and the ring they travel through.
struct Channel {
  SmallVector<tt::DescriptorLoadOp> loads;
  Value aref;
};

using Channels = llvm::MapVector<int, Channel>;

Channels collectChannels(tt::FuncOp func) {
  Channels channels;
  func.walk([&](tt::DescriptorLoadOp load) {
    if (auto channel = load->getAttrOfType<IntegerAttr>(ws::kChannelAttr))
      channels[channel.getInt()].loads.push_back(load);
  });
  return channels;
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
  void cloneLoad(tt::DescriptorLoadOp load);
  void put(int index, Channel &channel, Location loc);
  void get(int index, Channel &channel, Location loc);
  void advance(int index, Location loc);
  SmallVector<int> channelsIn(scf::ForOp loop);

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

void RoleCloner::put(int index, Channel &channel, Location loc) {
  SmallVector<Value> values;
  for (tt::DescriptorLoadOp load : channel.loads)
    values.push_back(mapping.lookup(load.getResult()));
  builder.create<ws::PutOp>(loc, channel.aref, counters[index], values);
  advance(index, loc);
}

void RoleCloner::get(int index, Channel &channel, Location loc) {
  SmallVector<Type> types;
  for (tt::DescriptorLoadOp load : channel.loads)
    types.push_back(load.getResult().getType());
  borrowed[index] = counters[index];
  auto get = builder.create<ws::GetOp>(loc, types, channel.aref, counters[index]);
  advance(index, loc);
  Operation *last = nullptr;
  for (auto [load, value] : llvm::zip(channel.loads, get.getValues())) {
    mapping.map(load.getResult(), value);
    last = lastUserIn(load->getBlock(), load.getResult(), last);
  }
  releasedAfter[last].push_back(index);
}

void RoleCloner::cloneLoad(tt::DescriptorLoadOp load) {
  int index = load->getAttrOfType<IntegerAttr>(ws::kChannelAttr).getInt();
  Channel &channel = channels[index];
  if (role == kConsumer) {
    if (load == channel.loads.front())
      get(index, channel, load.getLoc());
    return;
  }
  Operation *clone = builder.clone(*load, mapping);
  for (StringRef name : {StringRef(ws::kRolesAttr), StringRef(ws::kChannelAttr)})
    clone->removeAttr(name);
  if (load == channel.loads.back())
    put(index, channel, load.getLoc());
}

SmallVector<int> RoleCloner::channelsIn(scf::ForOp loop) {
  SmallVector<int> found;
  for (auto &[index, channel] : channels)
    if (loop->isProperAncestor(channel.loads.front()))
      found.push_back(index);
  return found;
}

void RoleCloner::cloneLoop(scf::ForOp loop) {
  auto carried = loop->getAttrOfType<ArrayAttr>(ws::kCarriedAttr);
  SmallVector<unsigned> kept;
  SmallVector<Value> inits;
  for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
    if (hasRole(carried[index], role)) {
      kept.push_back(index);
      inits.push_back(mapping.lookupOrDefault(loop.getInitArgs()[index]));
    }
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
    } else if (auto load = dyn_cast<tt::DescriptorLoadOp>(op)) {
      if (op.hasAttr(ws::kChannelAttr))
        cloneLoad(load);
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
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    Channels channels = collectChannels(func);
    Block &body = func.getBody().front();
    Operation *firstOld = &body.front();
    Operation *terminator = body.getTerminator();
    OpBuilder builder(terminator);
    for (auto &[index, channel] : channels) {
      SmallVector<Type> payload;
      for (tt::DescriptorLoadOp load : channel.loads)
        payload.push_back(load.getResult().getType());
      auto type = ws::ArefType::get(&getContext(), ringDepth, payload);
      channel.aref = builder.create<ws::CreateArefOp>(channel.loads.front().getLoc(), type);
    }
    Operation *firstNew = channels.empty() ? terminator : channels.front().second.aref.getDefiningOp();
    RegisterPlan plan = planRegisters(consumerGroups);
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
