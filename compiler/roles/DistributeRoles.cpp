// DistributeRoles: one copy of the code per role, joined by arefs (paper, section III.C.2).
//
//   for %k { %a = load %k; %b = load %k; %acc = dot %a, %b, %acc }
// becomes
//   %ring = tawa.create_aref
//   tawa.warp_group producer { for %k iter_args(%n) { %a = load; %b = load; tawa.put %ring[%n], %a, %b; %n + 1 } }
//   tawa.warp_group consumer { for %k iter_args(%acc, %n) {
//       %a, %b = tawa.get %ring[%n]; dot; tawa.consumed %ring[%n]; %n + 1 } }
//
// The counter %n starts at 0 with the kernel and is carried through every loop that touches the ring, outer ones
// included: slot and phase follow from it, so it lives exactly as long as the barriers do.
#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/RoleCloner.h"
#include "compiler/roles/RoleRegisters.h"
#include "compiler/roles/SlotPlan.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/roles/TransposedLoads.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-distribute-roles"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_DISTRIBUTEROLES
#include "compiler/roles/Passes.h.inc"

namespace {

Channels collectChannels(tt::FuncOp func) {
  Channels channels;
  func.walk([&](Operation *op) {
    auto index = ws::kChannelAttr.get(op);
    if (!index)
      return;
    Channel &channel = channels[*index];
    channel.sites[op->getBlock()].push_back(op);
    bool isLoad = ws::kRolesAttr.get(op).contains(Role::Producer);
    bool isConverters = ws::kRolesAttr.get(op).contains(Role::Converter);
    channel.from = isLoad ? Role::Producer : Role::Converter;
    channel.to = isLoad && isConverters ? Role::Converter : Role::Consumer;
  });
  return channels;
}

RowEnds findRowEnds(tt::FuncOp func, const Channels &channels) {
  RowEnds ends;
  std::optional<AxisInfoAnalysis> axes;
  for (const auto &[index, channel] : channels)
    for (const auto &[block, loads] : channel.sites)
      for (Operation *op : loads) {
        auto load = dyn_cast<tt::LoadOp>(op);
        if (!load || !load.getMask())
          continue;
        if (!axes)
          axes.emplace(func);
        if (auto tile = planFetch(load, *axes); tile && tile->rowEnd)
          ends[load] = tile->rowEnd;
      }
  return ends;
}

bool isAnyByElement(const Channels &channels) {
  return llvm::any_of(channels, [](const auto &channel) {
    return llvm::any_of(channel.second.firstSite(), [](Operation *load) {
      ws::CopyAttr copy = ws::kCopyAttr.get(load);
      Type tile = load->getResult(0).getType();
      return copy && copy.getVector() * getElementTypeOrSelf(tile).getIntOrFloatBitWidth() / 8 < kLeastCopyBytes;
    });
  });
}

uint32_t copiesPerThread(const Channels &channels, uint32_t producerGroups) {
  SmallVector<Operation *> loads;
  for (const auto &[index, channel] : channels)
    llvm::append_range(loads, channel.firstSite());
  auto vectorOf = [](Operation *load) {
    ws::CopyAttr copy = ws::kCopyAttr.get(load);
    return copy ? copy.getVector() : 0;
  };
  return tawa::copiesPerThread(loads, vectorOf, producerGroups);
}

/// Channels of tiles that the dots of `warps` warps cannot read as they are loaded.
SmallVector<int> channelsToTranspose(const Channels &channels, uint32_t warps) {
  SmallVector<int> found;
  for (const auto &[index, channel] : channels)
    if (llvm::all_of(channel.sites, [&](auto &site) {
          return llvm::all_of(site.second, [&](Operation *load) { return mustTranspose(load->getResult(0), warps); });
        }))
      found.push_back(index);
  return found;
}

struct DistributeRolesPass : impl::DistributeRolesBase<DistributeRolesPass> {
  using DistributeRolesBase::DistributeRolesBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (ws::kDeclinedAttr.on(getOperation()))
      return kept.at(func);
    Channels channels = collectChannels(func);
    RowEnds rowEnds = findRowEnds(func, channels);
    Block &body = func.getBody().front();
    Operation *firstOld = &body.front();
    Operation *terminator = body.getTerminator();
    OpBuilder builder(terminator);
    auto fitting = ws::kRingDepthAttr.get(func);
    unsigned depth = fitting.value_or(ringDepth);
    ws::kRingDepthAttr.remove(func);
    for (auto &[index, channel] : channels) {
      SmallVector<Type> payload;
      for (Operation *load : channel.firstSite())
        payload.push_back(load->getResult(0).getType());
      // A single put in the whole kernel needs no further slots.
      Operation *first = channel.firstSite().front();
      bool repeats = llvm::any_of(channel.sites, [](auto &site) { return isInLoop(site.second.front()); });
      bool isDeep = repeats && !ws::kOneSlotAttr.on(first);
      auto type = ws::ArefType::get(&getContext(), isDeep ? depth : 1, payload);
      channel.aref = builder.create<ws::CreateArefOp>(first->getLoc(), type);
      if (ws::kStagesStoresAttr.on(first))
        ws::kStagesStoresAttr.set(channel.aref.getDefiningOp());
    }
    rings += channels.size();
    uint32_t warps = kWarpsPerGroup * groupsPerTile(body, consumerGroups);
    ConverterPlan converter;
    if (llvm::any_of(channels, [](auto &channel) { return channel.second.to == Role::Converter; }))
      converter = {static_cast<uint32_t>(converterGroups), /*computes=*/true};
    // A converter has the registers that a second group would take, as the partition counted on.
    uint32_t producers = converter.groups != 0 ? 1 : producerGroups(isAnyByElement(channels), consumerGroups);
    RegisterPlan plan =
        planRegisters(moduleTarget(func), consumerGroups, copiesPerThread(channels, producers), converter, producers);
    if (converter.groups == 0 && addTransposedChannels(channels, warps, plan, builder))
      converter.groups = 1;
    LLVM_DEBUG(llvm::dbgs() << "registers of a thread: producer " << plan.producer << ", converter " << plan.converter
                            << ", consumer " << plan.consumer << "\n");
    Operation *firstNew = channels.empty() ? terminator : channels.front().second.aref.getDefiningOp();
    for (const RolePlan &role : planRoles(plan, producers, pingPongAt(findTileLoop(body)), converter.groups)) {
      auto group =
          builder.create<ws::WarpGroupOp>(func.getLoc(), role.kind, kWarpsPerGroup * role.groups, role.registers);
      roles.at(group);
      OpBuilder inside = OpBuilder::atBlockBegin(&group.getBody().emplaceBlock());
      RoleCloner(inside, channels, rowEnds, role.kind, role.pingPong).cloneFunction(func);
    }
    eraseBetween(firstOld, firstNew);
  }

  /// What becomes a warp group.
  struct RolePlan {
    Role kind;
    unsigned groups;
    uint32_t registers;
    PingPongGroup pingPong;
  };

  /// In the order in which their warps are numbered.
  SmallVector<RolePlan> planRoles(const RegisterPlan &plan, uint32_t producerGroups, unsigned pingPongGroups,
                                  uint32_t converterGroups) {
    SmallVector<RolePlan> list{{Role::Producer, producerGroups, plan.producer, {}}};
    if (converterGroups != 0)
      list.push_back({Role::Converter, converterGroups, plan.converter, {}});
    if (pingPongGroups == 0)
      list.push_back({Role::Consumer, static_cast<unsigned>(consumerGroups), plan.consumer, {}});
    for (unsigned group = 0; group < pingPongGroups; ++group)
      list.push_back({Role::Consumer, 1, plan.consumer, {group, pingPongGroups}});
    return list;
  }

  /// Gives each channel of tiles to transpose another one for the transposed tiles, and shares out the registers
  /// between one role more; false where there is none, or where the threads would have too few registers for the sums.
  bool addTransposedChannels(Channels &channels, uint32_t warps, RegisterPlan &plan, OpBuilder &builder) {
    tt::FuncOp func = findKernel(getOperation());
    SmallVector<int> indices = channelsToTranspose(channels, warps);
    RegisterPlan withConverter = planRegisters(moduleTarget(func), consumerGroups, /*copies=*/0, ConverterPlan{1});
    int64_t groups = int64_t(warps) / kWarpsPerGroup, sums = sumRegisters(func, groups * kThreadsPerGroup);
    if (indices.empty() || copiesPerThread(channels, /*producerGroups=*/1) != 0 ||
        !fitsRegisters(RegisterQuestion::ConsumerBesideConverter, sums, withConverter.consumer) ||
        !fitsRegisters(RegisterQuestion::SumsAtEntry, instructionRegisters(func, groups), withConverter.entry))
      return false;
    plan = withConverter;
    int next = channels.front().first;
    for (auto &[index, channel] : channels)
      next = std::max(next, index);
    for (int index : indices) {
      Channel second = channels[index];
      second.aref = builder.create<ws::CreateArefOp>(second.aref.getLoc(), cast<ws::ArefType>(second.aref.getType()));
      ++transposed;
      second.from = channels[index].to = Role::Converter;
      channels[index].transposed = ++next;
      channels[next] = second;
    }
    return true;
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
