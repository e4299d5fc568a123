// The state of one kernel's lowering, shared by the files of this folder: Kernel.cpp (function, roles), Operations.cpp
// (the table of operations), one file for each kind of operation (README.md lists them), SharedPlan.cpp (shared
// memory).
//
// A value of the tile program maps to a list of machine values:
//   scalar             -> itself
//   tensor, registers  -> one scalar per element the thread holds, in the order of the layout's register index
//   tensor, shared     -> the shared address of its first byte
//   inflight tensor    -> one !sm90.inflight per wgmma instance of the warp group
#pragma once

#include "compiler/analysis/OperationLimit.h"
#include "compiler/conversion/TawaToSM90/ConversionPlan.h"
#include "compiler/conversion/TawaToSM90/DisjointAddresses.h"
#include "compiler/conversion/TawaToSM90/WgmmaDot.h"
#include "compiler/dialect/SM90/SM90.h"
#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/layout/StorePanels.h"
#include "compiler/layout/TurnTile.h"
#include "runtime/artifact/KernelArtifact.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/MapVector.h"

namespace tawa {

inline constexpr unsigned kLanes = 32;
/// Shared memory one CTA may have on Hopper (CUDA, cudaDevAttrMaxSharedMemoryPerBlockOptin on sm_90): 227 KiB.
inline constexpr uint32_t kMaxSharedBytes = 232448;
inline constexpr uint32_t kBarrierBytes = 8;

/// Where a ring lives: D slots, then (elsewhere) D full and D empty barriers.
struct RingPlan {
  uint32_t slots = 0;                     ///< Byte offset of slot 0.
  uint32_t slotBytes = 0;                 ///< A multiple of 1024: swizzle patterns start at every slot.
  llvm::SmallVector<uint32_t> valueBytes; ///< Per payload value, without padding: what TMA will count.
  llvm::SmallVector<uint32_t> valueOffset;
  uint32_t full = 0, empty = 0; ///< Byte offsets of the barriers of slot 0.
  uint32_t depth = 0;
};

/// Where a role stages tiles on their way to global memory: `stages` panels per warp.
struct StagingPlan {
  uint32_t base = 0;
  uint32_t panelBytes = 0;
  uint32_t stages = 0;
};

/// How the parts of a sum travel between the CTAs of a program (ClusterSum.cpp): a buffer and an mbarrier per round.
struct SumPlan {
  uint32_t words = 0;       ///< Of one access.
  uint32_t vectors = 0;     ///< Accesses of one thread.
  uint32_t vectorBytes = 0; ///< One access of all threads.
  uint32_t rounds = 0;
  uint32_t buffers = 0, barriers = 0; ///< Byte offsets of round 0.

  uint32_t roundBytes() const { return vectors * vectorBytes; }
  uint32_t buffer(uint32_t round) const { return buffers + round * roundBytes(); }
  uint32_t barrier(uint32_t round) const { return barriers + round * kBarrierBytes; }
};
/// Without offsets.
SumPlan planSum(ws::ClusterSumOp op, uint32_t split);

/// Offsets into the kernel's dynamic shared memory. Every offset of the kernel is decided here.
class SharedPlan {
public:
  mlir::LogicalResult plan(tt::FuncOp func, uint32_t epilogueStages);
  const RingPlan &ring(mlir::Value aref) const { return rings.find(aref)->second; }
  const llvm::MapVector<mlir::Value, RingPlan> &allRings() const { return rings; }
  const StagingPlan &staging(mlir::Operation *role) const { return stagings.find(role)->second; }
  const SumPlan &sum(mlir::Operation *op) const { return sums.find(op)->second; }
  const llvm::MapVector<mlir::Operation *, SumPlan> &allSums() const { return sums; }
  /// Where a role keeps a tensor map that it is making, and what it described before: 128 bytes and some words.
  uint32_t descriptor(ws::MakeDescriptorOp op) const { return descriptors.lookup(op); }
  /// Where a to_shared writes its tile.
  uint32_t tile(ws::ToSharedOp op) const { return tiles.lookup(op); }
  /// True where dots that read such tiles may be in flight when one is written again.
  bool hasLateReaders(mlir::Operation *role) const { return lateReaders.contains(role); }
  uint32_t totalBytes() const { return total; }
  /// Says on the module how many slots the rings would have if they gave up `excess` bytes (ws::kFittingDepthAttr).
  void noteFittingDepth(tt::FuncOp func, uint32_t excess) const;

private:
  uint32_t reserve(uint32_t bytes, uint32_t alignment);
  /// Places the role's tiles, from offset 0; gives the bytes they take together.
  uint32_t planTiles(ws::WarpGroupOp role);

  llvm::MapVector<mlir::Value, RingPlan> rings;
  llvm::DenseMap<mlir::Operation *, StagingPlan> stagings;
  llvm::MapVector<mlir::Operation *, uint32_t> tiles;
  llvm::DenseMap<mlir::Operation *, uint32_t> descriptors;
  llvm::MapVector<mlir::Operation *, SumPlan> sums;
  llvm::DenseSet<mlir::Operation *> lateReaders;
  uint32_t total = 0;
};

/// How a role stages a tile on its way to global memory (Stores.cpp).
struct PanelPlan {
  StorePanels panels;
  SharedAccessPlan write; ///< Of one panel, to an aligned buffer.
};
/// Fails with a diagnostic at `op` when registers of this layout cannot be staged.
mlir::FailureOr<PanelPlan> planPanels(mlir::Operation *op, mlir::RankedTensorType type);

/// An access to global memory, as far as it matters who else accesses the same bytes (GlobalOrder.cpp).
struct GlobalAccess {
  mlir::Value root;              ///< The parameter the pointer comes from; null: any.
  mlir::Value pointer;           ///< As the program has it.
  bool ownedByThread = false;    ///< No other thread makes the access as well.
  bool earlierIteration = false; ///< The pointer may have had another value.
  bool isAtomic = false;

  bool operator==(const GlobalAccess &) const = default;
};

/// Accesses since the last barrier of the role, each once: branches join what they know over and over.
struct GlobalOrder {
  llvm::SmallVector<GlobalAccess> reads, writes;
};

class KernelLowering {
public:
  KernelLowering(tt::FuncOp source, uint32_t epilogueStages)
      : source(source), epilogueStages(epilogueStages), builder(source, &made) {}
  mlir::LogicalResult run();

private:
  using Values = llvm::SmallVector<mlir::Value>;

  // Kernel.cpp
  void createFunction();
  mlir::Value readPosition(mlir::Location loc, unsigned threads);
  void emitSetup();
  void awaitBarriers(mlir::Location loc, unsigned threads);
  void setKernelAttributes(unsigned threads);
  void waitForCluster(mlir::Location loc);
  void awaitPeers(mlir::Location loc);
  mlir::LogicalResult lowerRoles();
  mlir::LogicalResult lowerRole(ws::WarpGroupOp role, unsigned firstWarp);

  // Operations.cpp
  mlir::LogicalResult lowerBlock(mlir::Block *block);
  mlir::LogicalResult lowerOperation(mlir::Operation *op);
  mlir::LogicalResult lowerElementwise(mlir::Operation *op);
  mlir::LogicalResult lowerConstant(mlir::arith::ConstantOp op);

  // Channels.cpp
  mlir::LogicalResult lowerPut(ws::PutOp put);
  void lowerGet(ws::GetOp get);
  void lowerConsumed(ws::ConsumedOp consumed);
  void lowerTurn(mlir::Location loc, uint32_t turn, mlir::Value condition, bool waits);
  struct Slot {
    mlir::Value address, full, empty, round; ///< round: how often the ring has gone round, mod 2.
  };
  Slot slotOf(mlir::Location loc, const RingPlan &ring, mlir::Value index);
  void initBarriers(mlir::Location loc);
  mlir::LogicalResult startTmaLoads(ws::PutOp put, unsigned position, const Slot &slot, uint32_t offset);
  /// The boxes of a tile; with `part`, this CTA's part of each of them, sent to all CTAs of the cluster.
  mlir::LogicalResult loadBoxes(tt::DescriptorLoadOp load, mlir::Value tile, mlir::Value full, bool part);

  // ClusterSum.cpp
  mlir::LogicalResult lowerClusterSum(ws::ClusterSumOp op);
  mlir::Value ownPart(mlir::Location loc, const SumPlan &plan, uint32_t round);
  void sendPart(mlir::Location loc, const SumPlan &plan, uint32_t round, llvm::ArrayRef<mlir::Value> part);
  Values receivePart(mlir::Location loc, const SumPlan &plan, uint32_t round, llvm::ArrayRef<mlir::Value> part);

  // TurnedTiles.cpp
  mlir::LogicalResult turnTile(ws::PutOp put, const Slot &slot);
  mlir::Value hasOddBits(mlir::Location loc, mlir::Value index, uint32_t mask);
  void turnByMatrices(mlir::Location loc, const MatrixTurn &turn, mlir::Value from, mlir::Value to, mlir::Type element);
  mlir::LogicalResult turnByVectors(ws::PutOp put, const LinearLayout &from, const LinearLayout &to,
                                    mlir::Value target);

  // CopyAsync.cpp
  mlir::LogicalResult startCopies(ws::CopyTileOp copy, mlir::Value tile);
  mlir::Value ownsCopies(mlir::Location loc, const VectorPlan &plan);

  // Dots.cpp
  void lowerDotBegin(ws::DotBeginOp begin);
  mlir::LogicalResult lowerDotIssue(ws::DotIssueOp issue);
  void lowerDotWait(ws::DotWaitOp wait);
  /// The matrix descriptor of an operand at this warp group's corner: `groupBlocks` says how many blocks each bit of
  /// the group's index moves it.
  mlir::FailureOr<mlir::Value> describeOperand(mlir::Operation *dot, mlir::Value value, unsigned mnDim,
                                               const WgmmaSmemOperand &form, llvm::ArrayRef<uint32_t> groupBlocks);
  /// A dot as the instructions of one warp group take it; operand A in registers is still missing.
  mlir::FailureOr<WgmmaDot> describeDot(mlir::Operation *dot, WgmmaInstances instances);
  mlir::LogicalResult packOperandA(mlir::Operation *dot, WgmmaDot &described);
  /// One instruction: instance `index`, step `step` of K. Where `adds` is false it ignores what `running` holds.
  mlir::FailureOr<mlir::Value> issueWgmma(mlir::Operation *dot, const WgmmaDot &described, uint32_t index,
                                          uint32_t step, mlir::Value running, mlir::Value adds);

  // SharedTiles.cpp
  mlir::LogicalResult lowerToShared(ws::ToSharedOp op);
  void publishTiles(mlir::Operation *next);
  void meetForWrite(ws::DotWaitOp wait);
  mlir::LogicalResult lowerFromShared(ws::FromSharedOp op);
  void waitForDots(mlir::Operation *at);
  void endSlotRead(mlir::Value tile);
  void joinSlotReads(mlir::Operation *next);

  // PromotedDots.cpp, MmaDots.cpp and FmaDots.cpp: dots that finish where they stand.
  mlir::LogicalResult lowerDot(tt::DotOp dot);
  mlir::LogicalResult lowerPromotedDot(tt::DotOp dot, uint32_t promoteEvery);
  mlir::LogicalResult lowerMmaDot(tt::DotOp dot);
  mlir::LogicalResult lowerFmaDot(tt::DotOp dot);

  // Stores.cpp
  mlir::LogicalResult lowerStore(tt::DescriptorStoreOp store);
  Values warpCorner(mlir::Location loc, const LinearLayout &layout);
  void stagePanel(mlir::Location loc, mlir::Value buffer, const PanelPlan &plan, llvm::ArrayRef<mlir::Value> registers,
                  uint32_t outside);
  mlir::Value pack(mlir::Location loc, mlir::Value low, mlir::Value high);

  // Descriptors.cpp: tensor maps that roles make.
  struct Description {
    mlir::Value base;
    Values sizes, strides; ///< Innermost first; bytes, of all dimensions but the innermost.
  };
  struct MadeDescriptor {
    mlir::scf::IfOp changed; ///< What happens where it is not the description before; maps are acquired at its end.
    mlir::scf::IfOp actor;   ///< What one thread does then: it writes the maps; `changed` in a role of one thread.
    mlir::Value staging;     ///< Shared memory for one map.
    Description described;
    using Form = std::pair<llvm::SmallVector<uint32_t>, Swizzle>; ///< A box, innermost first.
    llvm::SmallVector<std::pair<Form, mlir::Value>> maps;
  };
  void initDescriptors(mlir::Location loc);
  void finishDescriptors();
  mlir::Value scratchOfCta(mlir::Location loc);
  Description descriptionOf(ws::MakeDescriptorOp make);
  Values recordWords(mlir::Location loc, const Description &described);
  mlir::Value differsFromRecord(mlir::Location loc, mlir::Value record, llvm::ArrayRef<mlir::Value> words);
  void awaitLanded(mlir::Location loc, const RingPlan &ring, mlir::Value index);
  mlir::LogicalResult lowerMakeDescriptor(ws::MakeDescriptorOp make);
  mlir::Value madeMap(ws::MakeDescriptorOp make, llvm::ArrayRef<uint32_t> box, Swizzle swizzle);

  // Elements.cpp: elements of any type as machine values, bits and words.
  mlir::Type machineType(mlir::Type element);
  mlir::Value toBits(mlir::Location loc, mlir::Value value);
  mlir::Value fromBits(mlir::Location loc, mlir::Value bits, mlir::Type machineElement);
  Values packWords(mlir::Location loc, llvm::ArrayRef<mlir::Value> elements);
  mlir::Value packBytes(mlir::Location loc, llvm::ArrayRef<mlir::Value> four); // Bytes.cpp
  /// The word of four bytes, or of four `others` where threads want those.
  mlir::Value packBytesOrOthers(mlir::Location loc, llvm::ArrayRef<mlir::Value> four,
                                llvm::ArrayRef<mlir::Value> others, mlir::Value wantsOthers);
  Values unpackWords(mlir::Location loc, mlir::ValueRange words, mlir::Type machineElement, unsigned count);
  llvm::SmallVector<mlir::Type> wordTypes(mlir::Type machineElement, unsigned count);
  Values shuffle(mlir::Location loc, sm90::ShuffleMode mode, llvm::ArrayRef<mlir::Value> elements, mlir::Value lane);
  mlir::Value select(mlir::Location loc, mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value zero(mlir::Location loc, mlir::Type machineElement);
  /// (index & mask) == 0; null where the mask is zero.
  mlir::Value bitsAreClear(mlir::Location loc, mlir::Value index, uint32_t mask);
  /// Conjunction of conditions of which some may be null, which is true.
  mlir::Value both(mlir::Location loc, mlir::Value a, mlir::Value b);
  /// True in the threads that hold an element first; null where all do. Copies are only looked for in lanes and warps.
  mlir::Value ownsElements(mlir::Location loc, const LinearLayout &layout);
  /// Coordinate `dim` of the element in each register, as i32.
  Values coordinates(mlir::Location loc, const LinearLayout &layout, unsigned dim);
  /// The one thread of a role that acts for all of them; null in a role of one thread.
  mlir::Value actsForRole(mlir::Location loc);
  /// The value of every thread is that of the one that acts for the role.
  mlir::Value broadcastFromActor(mlir::Location loc, mlir::Value value);

  // Scratch.cpp: shared memory that an operation uses and leaves, and conversions through it.
  void roleBarrier(mlir::Location loc);
  /// Address of at least `bytes` of scratch; whoever read it before is done with it.
  mlir::Value openScratch(mlir::Location loc, uint32_t bytes);
  /// What was written to scratch may now be read by all threads of the role.
  void publishScratch(mlir::Location loc);
  mlir::LogicalResult checkSharedBytes();
  /// What lane and warp choose by a linear map, such as an offset in a tile; the address of one access of a plan,
  /// `xorBytes` from there.
  mlir::Value plannedBase(mlir::Location loc, llvm::ArrayRef<uint32_t> laneBases, llvm::ArrayRef<uint32_t> warpBases);
  mlir::Value plannedAddress(mlir::Location loc, mlir::Value tile, mlir::Value own, uint32_t xorBytes,
                             uint32_t immediate);
  void writeShared(mlir::Location loc, mlir::Value tile, const SharedAccessPlan &plan, llvm::ArrayRef<mlir::Value> from,
                   mlir::Value predicate);
  Values readShared(mlir::Location loc, mlir::Value tile, const SharedAccessPlan &plan, mlir::Type machineElement,
                    const LinearLayout &layout);

  // Conversions.cpp
  mlir::LogicalResult lowerConvert(ws::ConvertLayoutOp convert);
  /// The tensor in the registers of another layout.
  Values convert(mlir::Location loc, llvm::ArrayRef<mlir::Value> source, const LinearLayout &from, LinearLayout to);
  Values selectorConditions(mlir::Location loc, const WarpLocalPlan &plan);
  mlir::Value sourceLane(mlir::Location loc, const WarpLocalPlan &plan);
  Values chooseCandidate(mlir::Location loc, llvm::SmallVector<Values> candidates,
                         llvm::ArrayRef<mlir::Value> conditions);
  Values convertInRounds(mlir::Location loc, llvm::ArrayRef<mlir::Value> source, const HalvedConversion &half);
  Values convertInWarp(mlir::Location loc, llvm::ArrayRef<mlir::Value> source, const WarpLocalPlan &plan);
  Values convertThroughScratch(mlir::Location loc, llvm::ArrayRef<mlir::Value> source, const LinearLayout &from,
                               const LinearLayout &to);

  // GlobalMemory.cpp
  mlir::LogicalResult lowerLoad(tt::LoadOp load);
  mlir::LogicalResult lowerStoreThroughPointers(tt::StoreOp store);

  // GlobalOrder.cpp
  /// Whether two accesses may meet in different threads.
  bool mayMeet(const GlobalAccess &a, const GlobalAccess &b);
  /// Waits for earlier accesses of other threads where this one might overtake them.
  void orderAccess(mlir::Operation *op, mlir::Value pointer, bool reads, bool writes);
  /// What the iteration before may have left to wait for.
  void enterLoop(mlir::Operation *loop);
  /// After a branch that need not have been taken: `other` is what holds where it was not.
  void leaveBranch(const GlobalOrder &other);

  // Atomics.cpp
  mlir::LogicalResult lowerAtomicRMW(tt::AtomicRMWOp op);
  mlir::LogicalResult lowerAtomicCAS(tt::AtomicCASOp op);
  /// What both have in common; `emit` makes the access of one register under a condition that may be null.
  mlir::LogicalResult lowerAtomic(mlir::Operation *op, mlir::Value pointer, mlir::Value mask, tt::MemSemantic semantics,
                                  llvm::function_ref<mlir::Value(size_t, mlir::Value)> emit);
  mlir::Value emitRMW(tt::AtomicRMWOp op, mlir::Value pointer, mlir::Value value, mlir::Value condition, bool wanted);

  // Views.cpp: where elements come from.
  mlir::LogicalResult lowerView(mlir::Operation *view, const LinearLayout &seenAs);
  mlir::LogicalResult lowerShapeOp(mlir::Operation *op);
  void lowerMakeRange(tt::MakeRangeOp op);
  void lowerPoison(mlir::ub::PoisonOp op);
  mlir::LogicalResult lowerJoin(tt::JoinOp op);
  mlir::LogicalResult lowerSplit(tt::SplitOp op);
  mlir::LogicalResult lowerTable(mlir::arith::ConstantOp op, const LinearLayout &layout);

  // Pointers.cpp: elementwise operations on pointers and bits.
  mlir::LogicalResult lowerPointerOp(mlir::Operation *op);

  // Reductions.cpp
  /// The elements of all operands at one place.
  using Element = llvm::SmallVector<mlir::Value, 2>;
  mlir::FailureOr<Element> combine(mlir::Block &body, const Element &first, const Element &second);
  /// The same where every pair of threads that combines holds the elements exchanged: `swapped` says in which.
  mlir::FailureOr<Element> combineInOrder(mlir::Block &body, const Element &own, const Element &other,
                                          mlir::Value swapped);
  mlir::LogicalResult lowerReduce(tt::ReduceOp op);
  mlir::FailureOr<Element> reduceInWarp(tt::ReduceOp op, llvm::ArrayRef<uint32_t> registers, uint32_t laneMask);
  mlir::LogicalResult reduceWarps(tt::ReduceOp op, const LinearLayout &sliced, uint32_t warpMask,
                                  llvm::MutableArrayRef<Element> elements);
  mlir::FailureOr<Element> reduceLanes(mlir::Block &body, Element element, uint32_t laneMask);
  mlir::LogicalResult bindReduced(tt::ReduceOp op, const LinearLayout &sliced,
                                  const llvm::MapVector<uint32_t, llvm::SmallVector<uint32_t>> &groups,
                                  llvm::ArrayRef<Element> elements);
  /// How warps show each other what they have of an element: `parts` parts of it, one per warp that takes part.
  struct WarpExchange {
    uint32_t parts = 0, places = 0, lanePlaces = 0;
    llvm::SmallVector<uint32_t> elementBytes, regions; ///< Per operand.
    mlir::Value base, part, place, writes;             ///< part and place: this thread's own.
  };
  /// `shared` has zero bases where lanes and warps have the same elements; `warpBits` number the parts.
  WarpExchange planWarpExchange(mlir::Location loc, const LinearLayout &shared, llvm::ArrayRef<unsigned> warpBits,
                                llvm::ArrayRef<Element> elements);
  mlir::Value exchangeAddress(mlir::Location loc, const WarpExchange &plan, size_t operand, uint32_t element,
                              mlir::Value part);
  void writeParts(mlir::Location loc, const WarpExchange &plan, llvm::ArrayRef<Element> elements);
  /// Reads a part of an element, and with it those behind it that one instruction reads, unless `parts` has it already.
  /// To be called from the first part to the last.
  void readPart(mlir::Location loc, const WarpExchange &plan, uint32_t index, const Element &like, uint32_t part,
                llvm::SmallVectorImpl<Element> &parts);
  /// The bits that `mask` names of an index of so many bits, moved together.
  mlir::Value gatherBits(mlir::Location loc, mlir::Value index, uint32_t mask, unsigned bits);
  // Scans.cpp
  mlir::LogicalResult lowerScan(tt::ScanOp op);
  friend class ScanLowering;

  // Gather.cpp
  mlir::LogicalResult lowerGather(tt::GatherOp op);
  mlir::LogicalResult lowerHistogram(tt::HistogramOp op);
  void clearCounters(mlir::Location loc, mlir::Value base, uint32_t bins);

  // ControlFlow.cpp
  mlir::LogicalResult lowerLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult lowerIf(mlir::scf::IfOp branch);
  mlir::LogicalResult lowerWhile(mlir::scf::WhileOp loop);
  /// Tile values as what carries them through a loop or a branch; elements of 8 and 16 bits share registers.
  Values flatten(mlir::Location loc, mlir::ValueRange tile);
  /// The reverse: gives each tile value its share of the machine values, as many as the one of `like` has.
  void bind(mlir::Location loc, mlir::ValueRange tile, mlir::ValueRange machine, mlir::ValueRange like);
  mlir::LogicalResult lowerRegion(mlir::Region &region, mlir::Region &lowered, mlir::ValueRange like,
                                  mlir::TypeRange types, llvm::function_ref<void(mlir::Operation *)> finish);

  // Debug.cpp
  mlir::LogicalResult lowerAssert(tt::AssertOp op);
  mlir::LogicalResult lowerPrint(tt::PrintOp op);
  mlir::Value printable(mlir::Location loc, mlir::Value value, bool isSigned);
  mlir::LogicalResult lowerMapElementwise(tt::MapElementwiseOp op);
  // InlineAsm.cpp
  mlir::LogicalResult lowerInlineAsm(tt::ElementwiseInlineAsmOp op);
  Values packAsmOperands(mlir::Location loc, llvm::ArrayRef<Values> operands, llvm::ArrayRef<mlir::Type> types,
                         size_t first, unsigned packed);
  void unpackAsmResults(mlir::Location loc, mlir::ValueRange registers, llvm::ArrayRef<mlir::Type> elements,
                        unsigned packed, llvm::MutableArrayRef<Values> results);

  // Helpers.
  mlir::Value one(mlir::Value value) { return values.lookup(value).front(); }
  mlir::Value constant(mlir::Location loc, uint32_t value);
  mlir::Value add(mlir::Location loc, mlir::Value base, uint32_t offset);
  mlir::Value tensorMap(mlir::Value descriptor, llvm::ArrayRef<uint32_t> box, Swizzle swizzle);
  /// The tensor map, and the coordinates innermost first, of a box of a tile that begins at `indices` of its tensor.
  /// Both are by dimension of the tile, outermost first; the tensor may have more in front of them.
  std::pair<mlir::Value, Values> tmaBox(mlir::Location loc, mlir::Value descriptor, mlir::ValueRange indices,
                                        llvm::ArrayRef<uint32_t> shape, llvm::ArrayRef<uint32_t> origin,
                                        Swizzle swizzle);
  /// XOR over the set bits of `index` of the given bases, one for each bit that it can have: how a linear map is
  /// applied to a value only known at run time.
  mlir::Value applyBases(mlir::Location loc, mlir::Value index, llvm::ArrayRef<uint32_t> bases);

  tt::FuncOp source;
  uint32_t epilogueStages;
  uint32_t entryRegisters = 0; ///< Of every thread, before roles change it; 0: the assembler's choice.
  OperationCounter made;       ///< What the builder has added so far.
  mlir::OpBuilder builder;
  SharedPlan shared;
  mlir::func::FuncOp target;
  llvm::DenseMap<mlir::Value, Values> values;
  mlir::Value sharedBase, warp, lane; ///< warp: index in the CTA, uniform over its lanes.
  mlir::Value thread;                 ///< Lane and, above it, warp as one number of the role; null where they are two.
  uint32_t cluster = 1;               ///< CTAs of a cluster.
  uint32_t split = 1;                 ///< CTAs of a program; where there are several, they are a cluster.
  mlir::Value clusterRank;            ///< Of this CTA; null without a cluster.
  llvm::DenseMap<mlir::Operation *, MadeDescriptor> makes;
  uint32_t madeMaps = 0;                   ///< Of all roles.
  mlir::Value ctaScratch;                  ///< Where this CTA's maps are; null without any.
  mlir::arith::ConstantOp ctaScratchBytes; ///< Filled in at the end.
  // Of the role being lowered:
  ws::WarpGroupOp role;
  mlir::Value roleWarp, laneIsZero;
  unsigned roleIndex = 0; ///< Among the roles of the kernel: its named barrier follows from it.
  bool loneRole = false;  ///< The kernel has no other.
  bool singleThread = false;
  bool knowsPeers = false; ///< The barriers that all CTAs of the program made at first may be used.
  GlobalOrder globalOrder;
  std::unique_ptr<DisjointAddresses> addresses; ///< Made when first asked.
  bool scratchIsRead = false;                   ///< Threads of the role may still be reading scratch.
  uint32_t scratchOffset = 0, scratchBytes = 0; ///< Scratch of this role.
  uint32_t scratchEnd = 0;                      ///< All shared memory up to and with the scratch of earlier roles.
  bool slotIsRead = false;                      ///< By lanes, and their warp has not met since.
  bool tileIsFresh = false;                     ///< A tile was written, and no barrier stands behind it yet.
  mlir::Value leader;    ///< True in the one thread that starts TMA loads, where others run beside it; else null.
  ws::ToSharedOp metFor; ///< Who read its bytes before is done when this write is reached.
};

/// Bits that an element takes in memory: whole bytes, 64 for a pointer.
unsigned storageBits(mlir::Type machineElement);

/// What reads a tile in shared memory, seen through views.
llvm::SmallVector<mlir::Operation *> readersOfTile(mlir::Value tile);
/// Whether an operation reads its operands as wgmma does, through the async proxy.
bool runsOnWgmma(mlir::Operation *op);
/// A wait of the dot's own block ends it.
bool finishesInBlock(ws::DotIssueOp issue);

/// Whether all threads of a role that only puts have work there: the copies of tiles behind pointers (CopyAsync.cpp).
bool copiesWithAllThreads(ws::WarpGroupOp role);
/// Arrivals of one round on the full barriers of a ring.
uint32_t fullArrivals(mlir::Value aref);
/// Whether threads copy tiles to the ring's slots asynchronously.
bool isCopiedTo(mlir::Value aref);

} // namespace tawa
