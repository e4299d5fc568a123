// The rings of a machine kernel, reconstructed from its mbarrier operations: which barriers belong together, which
// bytes form a slot, which role fills it and which ones release it.
#pragma once

#include "compiler/analysis/LastUses.h"
#include "compiler/target/hopper/prover/MachineMaps.h"

#include <map>

namespace tawa::verify {

/// A ring of `depth` slots; slot i has the barriers at byte full + 8 i and empty + 8 i.
struct MachineRing {
  int64_t full = 0, empty = 0, depth = 1;
  int64_t begin = 0, stride = 0; ///< Slot i is at begin + i * stride.
  ByteIntervals filled;          ///< By each put, counted from the slot's first byte.
  bool byThreads = false;        ///< Filled by threads, too: what wgmma reads needs a fence.
  const MachineRole *filler = nullptr;
  llvm::SmallVector<unsigned, 2> maps; ///< Those written by roles, of the maps through which it is filled.
  bool isShared = false;               ///< CTAs of the cluster fill its slots, and give them back, together.
};

/// The barrier that an operation names: in the slot that a counter selects, or directly.
struct BarrierUse {
  int64_t first = 0; ///< Byte of the barrier of slot 0.
  int64_t depth = 1;
  mlir::Value number; ///< Null: `slot`.
  unsigned slot = 0;
};

class MachineRings {
public:
  MachineRings(MachineKernel &kernel, const MachineMaps &maps) : kernel(kernel), writtenMaps(maps) {}

  /// Returns what is wrong with barriers, counts or bytes.
  std::optional<RoleFinding> read();

  const std::vector<MachineRing> &rings() const { return found; }
  const MachineMaps &maps() const { return writtenMaps; }
  /// Whether a wait is a put or a get, and of which ring; none: it waits for a sum.
  std::optional<Channel> channelOf(sm90::MBarrierWaitParityOp wait) const;
  /// Whether the producer of a ring waits here for its own put to land. The channel is that of its puts.
  bool awaitsOwnPut(sm90::MBarrierWaitParityOp wait) const;
  /// Whether it waits here for a slot that it does not fill: before the CTA ends (tawa.producer_tail).
  bool awaitsFreeSlot(sm90::MBarrierWaitParityOp wait) const { return tails.contains(wait); }
  /// The ring whose slot an arrival releases; none: it fills one.
  std::optional<unsigned> releasedBy(mlir::Operation *arrival) const;
  /// A copy or an arrival that fills a slot.
  bool isOfPut(mlir::Operation *op) const { return inPuts.contains(op); }
  /// An operation on a barrier of a sum over CTAs (MachineSums.h).
  bool isOfSum(mlir::Operation *op) const {
    auto use = uses.find(op);
    return use != uses.end() && (sums.contains(use->second.first) || permits.contains(use->second.first));
  }
  /// A read of a part that another CTA has sent.
  bool readsSum(mlir::Operation *op) const { return sumReads.contains(op); }
  uint32_t arrivalsAt(int64_t barrier) const { return counts.at(barrier); }
  /// The bytes of all slots of a ring.
  Range slotsOf(unsigned ring) const;
  /// Whether bytes lie in a slot.
  bool meetsSlots(Range bytes) const;
  /// Whether a lone role has no use for slots any more: their bytes are its private memory.
  bool areSlotsFree(mlir::Operation *op) const { return afterSlots.has(op); }
  const BarrierUse &useOf(mlir::Operation *op) const { return uses.at(op); }
  /// The ring whose slots contain a place, with bytes relative to the slot; none: no ring does.
  struct SlotPart {
    unsigned ring;
    mlir::Value number; ///< Null: `slot`.
    unsigned slot;
    Range bytes;
  };
  /// Sets `finding` where a place straddles slots.
  std::optional<SlotPart> partOf(const Place &place, int64_t bytes, mlir::Operation *op,
                                 std::optional<RoleFinding> &finding) const;

private:
  // Barriers
  void readInits();
  void readUses(MachineRole &role);
  std::optional<BarrierUse> useAt(MachineRole &role, mlir::Operation *op, mlir::Value address);
  void joinUses();
  // Rings (MachinePuts.cpp)
  struct Fill;
  void readPut(MachineRole &role, sm90::MBarrierWaitParityOp wait);
  void addToFill(MachineRole &role, mlir::Operation *op, Fill &fill);
  bool namesSlot(mlir::Operation *op, Fill &fill);
  bool handsOn(mlir::Operation *op) const;
  void addWrite(MachineRole &role, mlir::Operation *op, Fill &fill);
  void addHandingOn(MachineRole &role, sm90::MBarrierArriveOp arrival, Fill &fill);
  void addLoad(MachineRole &role, sm90::TmaLoadOp load, Fill &fill);
  void addBranches(MachineRole &role, mlir::Operation *branch, Fill &fill);
  void finishPut(MachineRole &role, const Fill &fill);
  // Tiles that CTAs share (MachineShares.cpp)
  std::optional<uint32_t> sharedBitsOf(sm90::TmaLoadOp load);
  bool arePartsOfOne(sm90::TmaLoadOp load, Range all, int64_t bytes, uint32_t sharers);
  bool followInTensor(sm90::TmaLoadOp load, llvm::ArrayRef<uint32_t> numbers);
  bool followsChoice(mlir::scf::IfOp choice);
  void forEachUse(llvm::function_ref<void(MachineRole &, mlir::Operation *)> visit);
  void checkWait(MachineRole &role, sm90::MBarrierWaitParityOp wait);
  void checkRelease(MachineRole &role, mlir::Operation *arrival);
  bool readAwaited(mlir::Operation *expect);
  void checkSums(MachineRole &role);
  void checkLayout();
  void fail(mlir::Operation *op, const llvm::Twine &what) {
    if (!finding)
      finding = RoleFinding{op, what.str()};
  }

  MachineKernel &kernel;
  const MachineMaps &writtenMaps;
  std::vector<MachineRing> found;
  std::map<int64_t, uint32_t> counts; ///< By byte of a barrier.
  llvm::DenseMap<mlir::Operation *, BarrierUse> uses;
  std::map<int64_t, unsigned> ringOfFull, ringOfEmpty; ///< By the first barrier.
  llvm::DenseSet<int64_t> fulls, sums;
  llvm::DenseSet<int64_t> permits; ///< Of parts of sums: the receiver has room.
  llvm::DenseSet<mlir::Operation *> sumReads;
  AfterLastUse afterSlots;                  ///< Of a lone role in a lone CTA.
  llvm::DenseSet<mlir::Operation *> inPuts; ///< Copies and arrivals that belong to a put.
  llvm::DenseSet<mlir::Operation *> tails;  ///< Waits of a producer that fills nothing afterwards.
  std::optional<RoleFinding> finding;
};

} // namespace tawa::verify
