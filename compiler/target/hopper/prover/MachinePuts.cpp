// What fills a ring slot: the arrivals, copies and bytes between the wait for it and the next event (see
// MachineRings.h).
#include "compiler/roles/prover/RoleProgram.h"
#include "compiler/target/hopper/prover/MachineAccesses.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <set>

using namespace mlir;

namespace tawa::verify {

/// What one put has done so far.
struct MachineRings::Fill {
  sm90::MBarrierWaitParityOp wait;
  std::optional<int64_t> full; ///< First barrier of its ring.
  uint32_t arrivals = 0;
  int64_t announced = 0, copied = 0;
  std::optional<int64_t> stride;
  ByteIntervals loads, copies;         ///< Of slot 0, or of the slot that is named directly.
  llvm::SmallVector<unsigned, 2> maps; ///< That roles write.

  // Written by threads themselves
  std::vector<Operation *> stores;
  std::vector<Range> writes; ///< By thread and store.
  std::set<unsigned> writing;
  Operation *unclear = nullptr;           ///< Which bytes this writes is not known.
  bool isFenced = false, haveMet = false; ///< All threads since the last store; the lanes of each warp since then.
};

static bool fills(Operation *op) {
  return isa<sm90::MBarrierArriveExpectTxOp, sm90::TmaLoadOp, sm90::CpAsyncOp, sm90::CpAsyncArriveOp>(op);
}

/// Operations that end a put.
static bool endsPut(Operation *op) {
  return isa<sm90::MBarrierWaitParityOp, sm90::MBarrierArriveOp, sm90::MBarrierArriveClusterOp, sm90::BarrierSyncOp,
             sm90::BarrierArriveOp, sm90::WgmmaWaitOp, sm90::ClusterArriveOp, sm90::ClusterWaitOp>(op);
}

static bool containsAny(Operation *op, bool (*wanted)(Operation *)) {
  return op->walk([&](Operation *inner) { return wanted(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Whether a place lies in the slot being filled.
static bool isOfSlot(const Place &place, const BarrierUse &empty) {
  bool isSlot =
      place.number ? place.number == empty.number && place.depth == empty.depth : !empty.number || empty.depth == 1;
  return place.shared && !place.isDescriptor && place.high < kAnywhere && isSlot;
}

void MachineRings::addLoad(MachineRole &role, sm90::TmaLoadOp load, Fill &fill) {
  Place to = role.places.of(load.getDestination());
  int64_t bytes = writtenMaps.boxBytes(load.getMap());
  if (!isOfSlot(to, uses.at(fill.wait)) || bytes == 0)
    return fail(load, "this tile does not go to the slot that was waited for");
  bool isPart = static_cast<bool>(load.getMulticastMask());
  Range range{to.low, to.high + bytes};
  std::optional<uint32_t> bits = sharedBitsOf(load);
  if (!bits)
    return fail(load, "a part of a tile does not go to all CTAs of the cluster that load it");
  uint32_t sharers = 1u << llvm::popcount(*bits);
  if (isPart && !arePartsOfOne(load, range, bytes, sharers))
    return fail(load, "CTAs of the cluster do not load different parts of a tile");
  if (auto map = writtenMaps.numberOf(load.getMap())) {
    if (isPart) // its own barrier does not tell when the other CTAs have it
      return fail(load, "a part of a tile goes to other CTAs by a tensor map that this one writes");
    fill.maps.push_back(*map);
  }
  fill.copied += bytes * sharers; // bytes from the other CTAs
  fill.stride = to.stride;
  for (const Range &other : fill.loads)
    if (meets(range, other))
      return fail(load, "two loads go to the same bytes of a slot");
  fill.loads.push_back(range);
}

/// All branches, by which CTAs share a tile, must fill the same bytes.
void MachineRings::addBranches(MachineRole &role, Operation *branch, Fill &fill) {
  Fill otherwise = fill;
  auto add = [&](Block *block, Fill &into) {
    for (Operation &op : *block)
      if (fills(&op))
        addToFill(role, &op, into);
      else if (containsAny(&op, fills))
        addBranches(role, &op, into);
      else if (containsAny(&op, endsPut))
        fail(&op, "copies of a put are in unsupported control flow");
  };
  auto choice = dyn_cast<scf::IfOp>(branch);
  if (!choice || !choice.elseBlock())
    return fail(branch, "copies of a put are in unsupported control flow");
  if (!followsChoice(choice))
    return fail(branch, "CTAs of the cluster share a tile otherwise than was chosen");
  add(choice.thenBlock(), fill);
  add(choice.elseBlock(), otherwise);
  bool isSame = fill.copied == otherwise.copied && fill.announced == otherwise.announced &&
                fill.arrivals == otherwise.arrivals && normalize(fill.loads) == normalize(otherwise.loads);
  if (!isSame)
    fail(branch, "a slot is filled in two ways that differ");
  fill.maps.append(otherwise.maps);
}

/// Whether the barrier of `op` belongs to the slot that was waited for, like everything else in the put.
bool MachineRings::namesSlot(Operation *op, Fill &fill) {
  const BarrierUse &full = uses.at(op), &empty = uses.at(fill.wait);
  bool isSlot = full.depth == empty.depth &&
                (full.number ? full.number == empty.number : full.depth == 1 || full.slot == empty.slot);
  if (!isSlot || (fill.full && *fill.full != full.first)) {
    fail(op, "this is not the barrier of the slot that was waited for");
    return false;
  }
  fill.full = full.first;
  return true;
}

void MachineRings::addToFill(MachineRole &role, Operation *op, Fill &fill) {
  inPuts.insert(op);
  std::vector<unsigned> waiting = kernel.performersOf(role, fill.wait).threads;
  std::vector<unsigned> filling = kernel.performersOf(role, op).threads;
  if (!std::includes(waiting.begin(), waiting.end(), filling.begin(), filling.end()))
    return fail(op, "threads fill a slot that did not wait for it");
  if (auto copy = dyn_cast<sm90::CpAsyncOp>(op)) {
    Place to = role.places.of(copy.getDestination());
    if (!isOfSlot(to, uses.at(fill.wait)))
      return fail(op, "this copy does not go to the slot that was waited for");
    fill.stride = to.stride;
    fill.copies.push_back({to.low, to.high + copy.getBytes()});
    return;
  }
  if (!namesSlot(op, fill))
    return;
  if (auto load = dyn_cast<sm90::TmaLoadOp>(op))
    return filling.size() == 1 ? addLoad(role, load, fill) : fail(op, "not exactly one thread starts this copy");
  fill.arrivals += filling.size();
  if (auto expect = dyn_cast<sm90::MBarrierArriveExpectTxOp>(op)) {
    Place bytes = role.places.of(expect.getBytes());
    if (bytes.shared || bytes.number || bytes.low != bytes.high)
      return fail(op, "the number of bytes is not known");
    fill.announced += bytes.low * static_cast<int64_t>(filling.size());
  } else if (fill.copies.empty()) {
    fail(op, "this arrives for copies, and none were made");
  }
}

bool MachineRings::handsOn(Operation *op) const {
  auto use = uses.find(op);
  return isa<sm90::MBarrierArriveOp>(op) && use != uses.end() && fulls.contains(use->second.first);
}

/// A store to the slot; other stores concern only the role. A fence covers all stores of its threads before it.
void MachineRings::addWrite(MachineRole &role, Operation *op, Fill &fill) {
  std::vector<unsigned> threads = kernel.performersOf(role, op).threads;
  bool isByAll = threads.size() == role.threads;
  if (isa<sm90::FenceProxyAsyncOp>(op))
    fill.isFenced |= std::ranges::includes(threads, fill.writing);
  if (isa<sm90::WarpSyncOp>(op) && isByAll)
    fill.haveMet = fill.isFenced;
  if (!isa<sm90::StoreSharedOp, sm90::StmatrixOp>(op))
    return;
  Place to = role.places.of(op->getOperand(0));
  if (!isOfSlot(to, uses.at(fill.wait)))
    return;
  const std::vector<uint32_t> *begins = kernel.slotBytes.of(op->getOperand(0));
  if (!begins || fill.stride.value_or(to.stride) != to.stride) {
    fill.unclear = op;
    return;
  }
  for (unsigned thread : threads) {
    fill.writes.push_back({(*begins)[thread], (*begins)[thread] + accessBytes(op)});
    fill.writing.insert(thread);
  }
  fill.stride = to.stride;
  fill.stores.push_back(op);
  fill.isFenced = fill.haveMet = false;
}

/// Every thread that wrote a slot arrives, or one lane per warp after a fence by all lanes and a warp barrier.
void MachineRings::addHandingOn(MachineRole &role, sm90::MBarrierArriveOp arrival, Fill &fill) {
  std::vector<unsigned> arriving = kernel.performersOf(role, arrival).threads;
  inPuts.insert(arrival);
  inPuts.insert(fill.stores.begin(), fill.stores.end());
  fill.arrivals += arriving.size();
  if (!namesSlot(arrival, fill))
    return;
  if (fill.unclear)
    return fail(fill.unclear, "the bytes of a slot that this writes are not known");
  if (!std::ranges::includes(kernel.performersOf(role, fill.wait).threads, fill.writing))
    return fail(arrival, "threads fill a slot that did not wait for it");
  if (!fill.isFenced)
    return fail(arrival, "no fence makes the threads' writes to a slot visible to wgmma");
  llvm::DenseSet<unsigned> lanes(arriving.begin(), arriving.end()), warps;
  for (unsigned thread : arriving)
    warps.insert(thread / kLanes);
  for (unsigned thread : fill.writing)
    if (!lanes.contains(thread) && !(fill.haveMet && warps.contains(thread / kLanes)))
      return fail(arrival, "a slot is handed on while threads may still write it");
  fill.loads.append(fill.writes.begin(), fill.writes.end());
  llvm::sort(fill.loads);
  for (size_t index = 1; index < fill.loads.size(); ++index)
    if (meets(fill.loads[index - 1], fill.loads[index]))
      return fail(arrival, "two threads write the same bytes of a slot");
}

void MachineRings::readPut(MachineRole &role, sm90::MBarrierWaitParityOp wait) {
  Fill fill;
  fill.wait = wait;
  bool hasArrived = false; // for copies: later ones would not be counted
  for (Operation *op = wait->getNextNode(); op; op = op->getNextNode()) {
    if (handsOn(op))
      addHandingOn(role, cast<sm90::MBarrierArriveOp>(op), fill);
    if (endsPut(op))
      break;
    addWrite(role, op, fill);
    if (op->getNumRegions() != 0) {
      if (containsAny(op, endsPut))
        break;
      if (containsAny(op, fills))
        addBranches(role, op, fill);
    } else if (fills(op)) {
      if (hasArrived && isa<sm90::CpAsyncOp>(op))
        return fail(op, "an arrival for copies comes before this copy");
      hasArrived |= isa<sm90::CpAsyncArriveOp>(op);
      addToFill(role, op, fill);
    }
  }
  if (!fill.copies.empty() && !hasArrived)
    return fail(wait, "no barrier waits for the copies of this put");
  if (!finding)
    finishPut(role, fill);
}

/// Checks bytes and arrivals, and that all puts into a ring agree.
void MachineRings::finishPut(MachineRole &role, const Fill &fill) {
  const BarrierUse &empty = uses.at(fill.wait);
  if (!fill.full && fill.loads.empty() && fill.copies.empty()) {
    tails.insert(fill.wait);
    return;
  }
  if (!fill.full || (fill.loads.empty() && fill.copies.empty()))
    return fail(fill.wait, "nothing is put into the slot that this waits for");
  if (fill.announced != fill.copied)
    return fail(fill.wait, std::to_string(fill.announced) + " bytes are announced for a slot, and " +
                               std::to_string(fill.copied) + " come");
  for (int64_t slot = 0; slot < empty.depth; ++slot)
    if (fill.arrivals != counts.at(*fill.full + slot * 8))
      return fail(fill.wait, std::to_string(fill.arrivals) + " threads arrive for a slot, and its barrier counts " +
                                 std::to_string(counts.at(*fill.full + slot * 8)));
  for (int64_t slot = 0; slot < empty.depth; ++slot)
    if (counts.at(empty.first + slot * 8) != counts.at(empty.first))
      return fail(fill.wait, "the barriers of a ring count different numbers of arrivals");
  ByteIntervals all = fill.loads;
  all.append(fill.copies);
  all = normalize(all);
  MachineRing ring{*fill.full, empty.first,          empty.depth, all.front().begin, fill.stride.value_or(0),
                   {},         !fill.copies.empty(), &role,       fill.maps};
  for (Range &range : all)
    range = {range.begin - ring.begin, range.end - ring.begin};
  ring.filled = all;
  auto [full, isNew] = ringOfFull.try_emplace(ring.full, found.size());
  if (isNew != ringOfEmpty.try_emplace(ring.empty, found.size()).second)
    return fail(fill.wait, "rings have barriers in common");
  if (isNew) {
    // A put before the loops has number 0; puts in loops determine the other slots.
    if (ring.depth > 1 && ring.stride == 0 && empty.slot != 0)
      return fail(fill.wait, "a ring begins with a slot other than the first");
    return found.push_back(ring);
  }
  MachineRing &known = found[full->second];
  bool isNamed = ring.stride == 0 && !empty.number && empty.slot != 0; // its place says where slots are
  if (known.stride == 0)
    known.stride = isNamed ? (ring.begin - known.begin) / empty.slot : ring.stride;
  ring.begin -= empty.number ? 0 : empty.slot * known.stride;
  known.maps.append(ring.maps);
  if (known.filler != ring.filler)
    return fail(fill.wait, "two roles fill a ring");
  bool isSame = (ring.stride == 0 || ring.stride == known.stride) && known.empty == ring.empty &&
                known.begin == ring.begin && known.filled == ring.filled;
  if (!isSame)
    fail(fill.wait, "two puts into a ring fill different bytes");
}

} // namespace tawa::verify
