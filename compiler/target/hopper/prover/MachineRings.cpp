// Groups mbarriers into rings by the counters that select them, and checks arrivals and bytes. MachinePuts.cpp reads
// what fills a slot.
#include "compiler/target/hopper/prover/MachineRings.h"

#include "compiler/roles/prover/RoleProgram.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa::verify {

static constexpr int64_t kBarrierBytes = 8;

static std::string barrierName(int64_t byte) { return "the barrier at byte " + std::to_string(byte); }

//===--- Barriers -------------------------------------------------------------------------------------------------===//

void MachineRings::readInits() {
  SharedAddresses everywhere(kernel.threads, 0, 1, kernel.cluster()); // thread 0 makes them
  kernel.func.walk([&](sm90::MBarrierInitOp init) {
    Place place = everywhere.of(init.getAddress());
    if (!place.isOneByte() || place.number)
      return fail(init, "the address of this barrier is not known");
    if (place.low % kBarrierBytes != 0)
      return fail(init, "a barrier has to be aligned to 8 bytes");
    if (!counts.try_emplace(place.low, init.getCount()).second)
      fail(init, barrierName(place.low) + " is initialized twice");
  });
}

/// The address of a barrier, here or in a peer of the cluster.
static Value barrierOf(Operation *op) {
  Value address;
  if (isa<sm90::MBarrierArriveOp, sm90::MBarrierArriveExpectTxOp, sm90::MBarrierWaitParityOp, sm90::CpAsyncArriveOp,
          sm90::MBarrierArriveClusterOp>(op))
    address = op->getOperand(0);
  if (auto load = dyn_cast<sm90::TmaLoadOp>(op))
    address = load.getMbarrier();
  if (auto store = dyn_cast<sm90::StoreAsyncOp>(op))
    address = store.getMbarrier();
  auto peer = address ? address.getDefiningOp<sm90::MapSharedRankOp>() : sm90::MapSharedRankOp();
  return peer ? peer.getAddress() : address;
}

std::optional<BarrierUse> MachineRings::useAt(MachineRole &role, Operation *op, Value address) {
  Place place = role.places.of(address);
  bool isSlot = place.number && place.stride == kBarrierBytes;
  if (!place.isOneByte() || (place.number && !isSlot)) {
    fail(op, "which barrier this is does not follow from a counter");
    return std::nullopt;
  }
  BarrierUse use{place.low, place.depth, place.number};
  auto wait = dyn_cast<sm90::MBarrierWaitParityOp>(op);
  if (!wait)
    return use;
  auto parity = SharedAddresses::parityOf(wait.getParity());
  bool agrees = parity && (use.number ? parity->number == use.number && parity->depth == use.depth
                                      : !parity->number || parity->depth == 1);
  if (!agrees) {
    fail(op, "this parity is not that of the slot");
    return std::nullopt;
  }
  use.number = parity->number;
  return use;
}

void MachineRings::readUses(MachineRole &role) {
  role.body->walk([&](Operation *op) {
    Value address = barrierOf(op);
    auto use = address ? useAt(role, op, address) : std::nullopt;
    if (!use)
      return;
    uses[op] = *use;
  });
}

/// Whether a part of a sum is sent after it, in its block.
static bool sendsAfter(Operation *op) {
  while (op && !isa<sm90::StoreAsyncOp>(op))
    op = op->getNextNode();
  return op != nullptr;
}

/// A barrier named without a counter may belong to a range from which a counter selects elsewhere. Afterwards it is
/// known / which barriers are filled and which are for sums.
void MachineRings::joinUses() {
  std::map<int64_t, int64_t> depths;
  for (auto &[op, use] : uses)
    depths[use.first] = std::max(depths[use.first], use.depth);
  for (auto &[op, use] : uses) {
    auto behind = depths.upper_bound(use.first);
    for (auto family = depths.begin(); family != behind; ++family) {
      auto [first, depth] = *family;
      if (use.first >= first + depth * kBarrierBytes || (first == use.first && depth == use.depth))
        continue;
      if (use.number || use.depth != 1)
        return fail(op, "rings have barriers in common");
      use = {first, depth, {}, static_cast<unsigned>((use.first - first) / kBarrierBytes)};
      break;
    }
  }
  for (auto &[op, use] : uses)
    if (isa<sm90::StoreAsyncOp>(op))
      sums.insert(use.first);
    else if (isa<sm90::MBarrierArriveExpectTxOp, sm90::CpAsyncArriveOp, sm90::TmaLoadOp>(op))
      fulls.insert(use.first);
  for (auto &[op, use] : uses) // what is sent waits for these; loads wait for those of rings
    if (isa<sm90::MBarrierWaitParityOp>(op) && sendsAfter(op))
      permits.insert(use.first);
  llvm::DenseSet<int64_t> handedOn; // threads write the slot, and nothing else does
  llvm::DenseSet<int64_t> given;    // back, by consumers of several CTAs
  for (auto &[op, use] : uses)
    if (isa<sm90::MBarrierArriveClusterOp>(op))
      given.insert(use.first);
  for (auto &[op, use] : uses) {
    auto wait = dyn_cast<sm90::MBarrierWaitParityOp>(op);
    if (!wait || fulls.contains(use.first) || given.contains(use.first) || isOfSum(op))
      continue;
    Parity parity = *SharedAddresses::parityOf(wait.getParity());
    if (parity.number ? !parity.inverted : parity.constant == 0) // of a get
      handedOn.insert(use.first);
  }
  fulls.insert(handedOn.begin(), handedOn.end());
}

std::optional<Channel> MachineRings::channelOf(sm90::MBarrierWaitParityOp wait) const {
  int64_t first = uses.at(wait).first;
  if (auto full = ringOfFull.find(first); full != ringOfFull.end())
    return Channel{full->second, awaitsOwnPut(wait)};
  if (auto empty = ringOfEmpty.find(first); empty != ringOfEmpty.end())
    return Channel{empty->second, true};
  return std::nullopt;
}

/// A lone role gets what it puts.
bool MachineRings::awaitsOwnPut(sm90::MBarrierWaitParityOp wait) const {
  if (kernel.roles.size() == 1)
    return false;
  auto full = ringOfFull.find(uses.at(wait).first);
  return full != ringOfFull.end() && found[full->second].filler->body->findAncestorOpInBlock(*wait);
}

std::optional<unsigned> MachineRings::releasedBy(Operation *arrival) const {
  auto ring = ringOfEmpty.find(uses.at(arrival).first);
  bool gives = isa<sm90::MBarrierArriveOp, sm90::MBarrierArriveClusterOp>(arrival) && ring != ringOfEmpty.end();
  return gives ? std::optional(ring->second) : std::nullopt;
}

static int64_t slotBytes(const MachineRing &ring) { return ring.depth == 1 ? ring.filled.back().end : ring.stride; }

//===--- Arrivals -------------------------------------------------------------------------------------------------===//

/// The threads that release a slot, over all CTAs that do, match the barrier's count.
void MachineRings::checkRelease(MachineRole &role, Operation *arrival) {
  auto number = releasedBy(arrival);
  if (!number)
    return fail(arrival, "no wait uses the barrier that this arrives at");
  Performers performers = kernel.performersOf(role, arrival);
  if (performers.threads.empty()) // it never happens
    return;
  if (performers.conditions.size() > 1)
    return fail(arrival, "whether this happens is not known");
  MachineRing &ring = found[*number];
  uint32_t expected = counts.at(ring.empty);
  auto peer = arrival->getOperand(0).getDefiningOp<sm90::MapSharedRankOp>();
  ring.isShared |= static_cast<bool>(peer);
  for (uint32_t from = 0; from < (peer ? kernel.cluster() : 1); ++from) {
    std::map<uint32_t, uint32_t> arrivals; // by rank, of this CTA and of those that do the same
    const std::vector<uint32_t> *rank = peer ? kernel.valuesOf(from).of(peer.getRank()) : nullptr;
    if (peer && !rank)
      return fail(arrival, "the CTA that this arrives at is not known");
    for (unsigned thread : performers.threads)
      arrivals[rank ? (*rank)[thread] : from] += peer ? kernel.programs() : 1;
    bool isAll = arrivals.size() == (peer ? kernel.programs() : 1);
    for (auto [to, count] : arrivals)
      if (!isAll || to >= kernel.cluster() || !kernel.shareTiles(from, to) || count != expected)
        return fail(arrival, std::to_string(count) + " threads arrive at " + barrierName(ring.empty) +
                                 ", which counts " + std::to_string(expected));
  }
}

/// Incoming data is waited for before any of it is read; what the block reads then is that data.
bool MachineRings::readAwaited(Operation *expect) {
  bool isAwaited = false;
  for (Operation *op = expect->getNextNode(); op; op = op->getNextNode()) {
    if (isa<sm90::LoadSharedOp>(op) && !isAwaited)
      return false;
    if (isa<sm90::LoadSharedOp>(op))
      sumReads.insert(op);
    isAwaited |= isa<sm90::MBarrierWaitParityOp>(op) && uses.at(op).first == uses.at(expect).first;
  }
  return isAwaited;
}

Range MachineRings::slotsOf(unsigned ring) const {
  return {found[ring].begin, found[ring].begin + slotBytes(found[ring]) * found[ring].depth};
}

bool MachineRings::meetsSlots(Range bytes) const {
  return llvm::any_of(llvm::seq(found.size()), [&](size_t ring) { return meets(bytes, slotsOf(ring)); });
}

/// A sum over several CTAs has a barrier of its own: announced bytes equal received bytes, once.
void MachineRings::checkSums(MachineRole &role) {
  std::map<int64_t, uint64_t> sent, announced;
  std::map<int64_t, Operation *> where;
  role.body->walk([&](Operation *op) {
    auto use = uses.find(op);
    if (use == uses.end() || !isOfSum(op))
      return;
    int64_t first = use->second.first;
    where[first] = op;
    uint64_t threads = kernel.performersOf(role, op).threads.size();
    if (op->getParentOfType<scf::ForOp>() || use->second.number)
      return fail(op, barrierName(first) + " is for one sum, and this may come again");
    if (auto store = dyn_cast<sm90::StoreAsyncOp>(op))
      sent[first] += 4 * store.getWords().size() * threads;
    if (auto expect = dyn_cast<sm90::MBarrierArriveExpectTxOp>(op)) {
      if (!readAwaited(op))
        return fail(op, "parts of a sum are read before they have arrived");
      if (threads != counts[first])
        return fail(op, std::to_string(threads) + " threads announce a sum at " + barrierName(first));
      announced[first] += constantValue(expect.getBytes()).value_or(0);
    }
  });
  for (auto [first, op] : where)
    if (sums.contains(first) && sent[first] != announced[first])
      fail(op, std::to_string(announced[first]) + " bytes are announced at " + barrierName(first) + ", and " +
                   std::to_string(sent[first]) + " come");
}

//===--- Places ---------------------------------------------------------------------------------------------------===//

/// Slots of rings are disjoint, and every barrier is used.
void MachineRings::checkLayout() {
  std::vector<Range> taken;
  for (const MachineRing &ring : found) {
    if (ring.filled.back().end > slotBytes(ring))
      return fail(nullptr, "a tile is larger than the slot of its ring");
    taken.push_back({ring.begin, ring.begin + slotBytes(ring) * ring.depth});
  }
  for (auto [byte, count] : counts)
    taken.push_back({byte, byte + kBarrierBytes});
  taken.insert(taken.end(), writtenMaps.memory().begin(), writtenMaps.memory().end());
  llvm::sort(taken);
  for (size_t index = 1; index < taken.size(); ++index)
    if (meets(taken[index - 1], taken[index]))
      return fail(nullptr, "two rings, barriers or tensor maps use the same bytes");
  llvm::DenseSet<int64_t> known(sums.begin(), sums.end());
  known.insert(permits.begin(), permits.end());
  for (const MachineRing &ring : found)
    for (int64_t slot = 0; slot < ring.depth; ++slot)
      for (int64_t first : {ring.full, ring.empty})
        known.insert(first + slot * kBarrierBytes);
  for (auto [byte, count] : counts)
    if (!known.contains(byte))
      return fail(nullptr, barrierName(byte) + " is initialized but never used");
}

std::optional<MachineRings::SlotPart> MachineRings::partOf(const Place &place, int64_t bytes, Operation *op,
                                                           std::optional<RoleFinding> &finding) const {
  Range touched{place.low, place.high + bytes};
  Range all{touched.begin, touched.end + place.stride * (place.depth - 1)};
  for (auto [number, ring] : llvm::enumerate(found)) {
    int64_t size = slotBytes(ring);
    if (!meets(all, {ring.begin, ring.begin + size * ring.depth}))
      continue;
    int64_t slot = place.number ? 0 : (touched.begin - ring.begin) / size;
    int64_t first = ring.begin + slot * size;
    bool isOfRing = !place.number || (place.depth == ring.depth && place.stride == ring.stride);
    if (isOfRing && touched.begin >= first && touched.end <= first + size)
      return SlotPart{static_cast<unsigned>(number),
                      place.number,
                      static_cast<unsigned>(slot),
                      {touched.begin - first, touched.end - first}};
    if (!finding)
      finding = RoleFinding{op, "this touches bytes of more than one slot of ring " + std::to_string(number)};
    return std::nullopt;
  }
  return std::nullopt;
}

//===--- All of them ----------------------------------------------------------------------------------------------===//

/// The parity of a wait on a known ring is that of its number.
void MachineRings::checkWait(MachineRole &role, sm90::MBarrierWaitParityOp wait) {
  Parity parity = *SharedAddresses::parityOf(wait.getParity());
  if (isOfSum(wait)) {
    if (parity.number || parity.constant != 0)
      fail(wait, "this is not the only phase of the barrier of a sum");
    return;
  }
  auto channel = channelOf(wait);
  if (!channel)
    return fail(wait, "nothing fills what this waits for");
  if (parity.number && parity.inverted != channel->puts)
    fail(wait, "this wait has the wrong parity");
  if (awaitsFreeSlot(wait) && found[channel->ring].filler != &role)
    fail(wait, "nothing is put into the slot that this waits for");
}

void MachineRings::forEachUse(llvm::function_ref<void(MachineRole &, Operation *)> visit) {
  for (MachineRole &role : kernel.roles)
    role.body->walk([&](Operation *op) {
      if (!finding && uses.contains(op))
        visit(role, op);
    });
}

std::optional<RoleFinding> MachineRings::read() {
  readInits();
  for (MachineRole &role : kernel.roles)
    readUses(role);
  if (!finding)
    joinUses();
  forEachUse([&](MachineRole &, Operation *op) {
    const BarrierUse &use = uses[op];
    for (int64_t byte = use.first; byte < use.first + use.depth * kBarrierBytes; byte += kBarrierBytes)
      if (!counts.contains(byte))
        return fail(op, "no barrier is known to be at byte " + std::to_string(byte));
  });
  forEachUse([&](MachineRole &role, Operation *op) {
    auto wait = dyn_cast<sm90::MBarrierWaitParityOp>(op);
    if (wait && !fulls.contains(uses[op].first) && !isOfSum(op))
      readPut(role, wait);
  });
  forEachUse([&](MachineRole &role, Operation *op) {
    if (auto wait = dyn_cast<sm90::MBarrierWaitParityOp>(op))
      checkWait(role, wait);
    else if (isOfSum(op))
      return;
    else if (isa<sm90::MBarrierArriveOp, sm90::MBarrierArriveClusterOp>(op) && !handsOn(op))
      checkRelease(role, op);
    else if (!inPuts.contains(op))
      fail(op, "this fills a slot that is not waited for just before");
  });
  for (MachineRole &role : kernel.roles)
    if (!finding)
      checkSums(role);
  if (!finding)
    checkLayout();
  if (kernel.roles.size() == 1 && kernel.cluster() == 1)
    afterSlots = AfterLastUse(*kernel.roles.front().body, [&](Operation *op) { return uses.contains(op); });
  return finding;
}

} // namespace tawa::verify
