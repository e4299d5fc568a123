// Collects the shared-memory accesses of a role, with the byte interval of each thread.
#include "compiler/target/hopper/prover/MachineAccesses.h"

#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;

namespace tawa::verify {

using Kind = PrivateAccess::Kind;

const char *describe(Kind kind) {
  switch (kind) {
  case Kind::Read:
    return "a read";
  case Kind::Write:
    return "a write";
  case Kind::Atomic:
    return "an atomic";
  case Kind::Store:
    return "a store that reads shared memory";
  case Kind::Product:
    return "a product";
  }
  return "";
}

/// The first address that a thread accesses.
static Value addressOf(Operation *op) {
  if (auto write = dyn_cast<sm90::TensormapWriteOp>(op))
    return write.getStaging();
  return op->getOperand(0);
}

int64_t accessBytes(Operation *op) {
  if (isa<sm90::TensormapWriteOp>(op))
    return kMapBytes;
  if (isa<sm90::StmatrixOp, sm90::LdmatrixOp>(op))
    return 16; // one row per lane
  if (isa<sm90::AtomicRmwOp, sm90::AtomicCasOp>(op))
    return (op->getOperand(1).getType().getIntOrFloatBitWidth() + 7) / 8;
  int64_t bytes = 0;
  auto types = isa<sm90::LoadSharedOp>(op) ? TypeRange(op->getResultTypes())
                                           : TypeRange(cast<sm90::StoreSharedOp>(op).getValues());
  for (Type type : types)
    bytes += (type.getIntOrFloatBitWidth() + 7) / 8;
  return bytes;
}

static std::optional<Kind> kindOf(Operation *op) {
  if (isa<sm90::AtomicRmwOp, sm90::AtomicCasOp>(op)) // of global memory, or of this
    return op->getOperand(0).getType().isInteger() ? std::optional(Kind::Atomic) : std::nullopt;
  if (isa<sm90::LoadSharedOp, sm90::LdmatrixOp>(op))
    return Kind::Read;
  if (isa<sm90::StoreSharedOp, sm90::StmatrixOp, sm90::TensormapWriteOp>(op))
    return Kind::Write;
  if (isa<sm90::TmaStoreOp>(op))
    return Kind::Store;
  if (isa<sm90::WgmmaOp, sm90::WgmmaRsOp>(op))
    return Kind::Product;
  return std::nullopt;
}

static bool orders(Operation *op) {
  return isa<sm90::FenceProxyAsyncOp, sm90::WarpSyncOp, sm90::BarrierSyncOp, sm90::BulkCommitOp, sm90::BulkWaitOp,
             sm90::WgmmaCommitOp, sm90::WgmmaWaitOp, sm90::MBarrierArriveOp, sm90::MBarrierArriveClusterOp,
             sm90::MBarrierWaitParityOp>(op);
}

PrivateAccesses::PrivateAccesses(MachineKernel &kernel, MachineRole &role, const MachineRings &rings)
    : kernel(kernel), role(role), knownRings(rings) {
  findWritten();
  readBlock(*role.body);
}

/// What threads read and write where slots were.
bool PrivateAccesses::isOfFreeSlot(Operation *op, Kind kind) const {
  bool isOfThreads = kind == Kind::Read || kind == Kind::Write || kind == Kind::Atomic;
  return isOfThreads && knownRings.areSlotsFree(op);
}

/// Slots in which the role stages stores, once it has read their tile; whether it uses their bytes when all are free.
void PrivateAccesses::findWritten() {
  role.body->walk([&](Operation *op) {
    auto kind = kindOf(op);
    if (knownRings.isOfPut(op) || (kind != Kind::Write && kind != Kind::Atomic && kind != Kind::Store))
      return;
    if (isOfFreeSlot(op, *kind)) {
      Place place = role.places.of(addressOf(op));
      reusesSlots |= knownRings.meetsSlots({place.low, place.high + accessBytes(op)});
      return;
    }
    if (auto ring = ringOf(op, *kind))
      written.insert(*ring);
  });
}

void PrivateAccesses::note(Operation *op) {
  for (; op->getBlock() != role.body && !relevant.contains(op->getParentOp()); op = op->getParentOp())
    relevant.insert(op->getParentOp());
}

void PrivateAccesses::readBlock(Block &block) {
  std::optional<Kind> last; // kind of the run that continues
  for (Operation &op : block) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        readBlock(inner);
    auto kind = knownRings.isOfPut(&op) ? std::nullopt : kindOf(&op);
    if (kind)
      read(&op, *kind, /*continues=*/kind == last && *kind != Kind::Store);
    if (kind || orders(&op))
      note(&op);
    if (kind || orders(&op) || op.getNumRegions() != 0)
      last = kind;
    if (isa<sm90::CpAsyncOp>(op) && !knownRings.isOfPut(&op) && !found)
      found = RoleFinding{&op, "copies outside of puts are not supported"};
  }
}

//===--- Bytes ----------------------------------------------------------------------------------------------------===//

/// Per warp. Exact where the thread's position determines it; otherwise an upper bound over all threads.
std::vector<ByteIntervals> PrivateAccesses::bytesAt(Operation *op, Value address, int64_t bytes) {
  std::vector<ByteIntervals> touched(role.threads / kLanes);
  if (const std::vector<uint32_t> *offsets = kernel.addresses.of(address)) {
    for (unsigned thread : kernel.performersOf(role, op).threads)
      touched[(thread - role.first) / kLanes].push_back({(*offsets)[thread], (*offsets)[thread] + bytes});
    for (ByteIntervals &ranges : touched)
      ranges = normalize(std::move(ranges));
    return touched;
  }
  Place place = role.places.of(address);
  Range all{place.low, place.high + place.stride * (place.depth - 1) + bytes};
  return std::vector<ByteIntervals>(touched.size(), ByteIntervals{all});
}

std::vector<ByteIntervals> PrivateAccesses::bytesOf(Operation *op, Kind kind) {
  if (kind == Kind::Store) {
    auto store = cast<sm90::TmaStoreOp>(op);
    return bytesAt(op, store.getSource(), knownRings.maps().boxBytes(store.getMap()));
  }
  if (kind != Kind::Product)
    return bytesAt(op, addressOf(op), accessBytes(op));
  ByteIntervals all; // of those operands that lie in no slot, or in one whose bytes the role writes
  for (const ProductOperand &operand : sharedOperandsOf(op)) {
    Range bytes;
    auto part = partOf(op, operand, &bytes);
    if (part && part->number) { // of any slot
      const MachineRing &ring = knownRings.rings()[part->ring];
      bytes.end += ring.stride * (ring.depth - 1);
    }
    if (!part || reusesSlots || isWritten(part->ring))
      all.push_back(bytes);
  }
  return std::vector<ByteIntervals>(role.threads / kLanes, normalize(all));
}

/// The slot that has the operand, and its bytes.
std::optional<MachineRings::SlotPart> PrivateAccesses::partOf(Operation *op, const ProductOperand &operand,
                                                              Range *bytes) {
  Place place = role.places.of(operand.descriptor);
  Range first = extentOf(operand, place.fields, place.low), last = extentOf(operand, place.fields, place.high);
  *bytes = {first.begin, last.end};
  place.isDescriptor = false;
  place.low = place.high = first.begin;
  return knownRings.partOf(place, last.end - first.begin, op, found);
}

/// Of a product, the ring of a slot that the role writes.
std::optional<unsigned> PrivateAccesses::ringOf(Operation *op, Kind kind) {
  if (kind == Kind::Product) {
    Range bytes;
    for (const ProductOperand &operand : sharedOperandsOf(op))
      if (auto part = written.empty() ? std::nullopt : partOf(op, operand, &bytes); part && isWritten(part->ring))
        return part->ring;
    return std::nullopt;
  }
  if (isOfFreeSlot(op, kind) || (kind == Kind::Read && knownRings.readsSum(op)))
    return std::nullopt;
  auto store = dyn_cast<sm90::TmaStoreOp>(op);
  Value address = store ? store.getSource() : addressOf(op);
  int64_t bytes = store ? knownRings.maps().boxBytes(store.getMap()) : accessBytes(op);
  auto part = knownRings.partOf(role.places.of(address), bytes, op, found);
  return part ? std::optional(part->ring) : std::nullopt;
}

void PrivateAccesses::read(Operation *op, Kind kind, bool continues) {
  auto ring = ringOf(op, kind);
  bool isOnlyRead = ring && !isWritten(*ring) && !reusesSlots;
  std::vector<ByteIntervals> bytes = isOnlyRead ? std::vector<ByteIntervals>(role.threads / kLanes) : bytesOf(op, kind);
  bool isEmpty = llvm::all_of(bytes, [](const ByteIntervals &ranges) { return ranges.empty(); });
  if (isEmpty && !ring) // a product of tiles in slots, or not executed
    return;
  Performers performers = kernel.performersOf(role, op);
  if (continues && !accesses.empty() && accesses.back().ring == ring && accesses.back().kind == kind) {
    PrivateAccess &last = accesses.back();
    for (auto [all, more] : llvm::zip(last.bytes, bytes)) {
      all.append(more);
      all = normalize(std::move(all));
    }
    if (last.threads != performers.threads) {
      std::vector<unsigned> either;
      std::ranges::set_union(last.threads, performers.threads, std::back_inserter(either));
      last.threads = std::move(either);
    }
    return;
  }
  if (kind == Kind::Store)
    for (size_t index = 1; index < performers.threads.size(); ++index)
      if (performers.threads[index] / kLanes == performers.threads[index - 1] / kLanes && !found)
        found = RoleFinding{op, "more than one lane stores the same tile"};
  auto number = static_cast<unsigned>(accesses.size());
  numbers[op] = number;
  accesses.push_back({kind, op, number, ring, std::move(performers.threads), std::move(bytes)});
}

std::optional<unsigned> PrivateAccesses::madeAt(Operation *op) const {
  auto number = numbers.find(op);
  return number == numbers.end() ? std::nullopt : std::optional(number->second);
}

Meeting PrivateAccesses::meetingOf(const PrivateAccess &a, const PrivateAccess &b) {
  auto [known, isNew] = meetings.try_emplace({a.number, b.number}, Meeting::None);
  if (!isNew)
    return known->second;
  Meeting meeting = Meeting::None;
  for (size_t left = 0; left < a.bytes.size(); ++left)
    for (size_t right = 0; right < b.bytes.size(); ++right)
      if (meets(a.bytes[left], b.bytes[right]))
        meeting = std::max(meeting, left == right ? Meeting::InWarp : Meeting::InRole);
  return known->second = meeting;
}

} // namespace tawa::verify
