// Shared interface of the pass AssignLayouts: the table of layouts, the rules of operations, the cost of a choice, the
// graph of choices and the rewriting. AssignLayouts.cpp explains how they work together.
#pragma once

#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/GlobalAccess.h"
#include "compiler/analysis/SampledAddress.h"
#include "compiler/analysis/TileRegisters.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/layouts/algebra/KPermutation.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <memory>

namespace tawa::layouts {

using ws::LinearAttr;

//===--- Layouts --------------------------------------------------------------------------------------------------===//

/// Layouts as uniqued attributes, with their maps and memoized queries.
class LayoutTable {
public:
  LayoutTable(mlir::MLIRContext *context, uint32_t warps) : context(context), warps(warps) {}

  const LinearLayout &map(LinearAttr layout);
  LinearAttr get(const LinearLayout &layout);
  uint32_t warpCount() const { return warps; }
  uint32_t registers(LinearAttr layout) { return map(layout).inSize("register"); }

  /// The operand layout with which the view only renames registers of `result`.
  LinearAttr demand(mlir::Operation *view, LinearAttr result);
  /// The result layout of a view without data movement; null where there is a choice (tt.broadcast).
  LinearAttr forward(mlir::Operation *view, LinearAttr operand);
  /// As forward(), with what a broadcast repeats in registers.
  LinearAttr repeated(mlir::Operation *view, LinearAttr operand);
  /// The same without registers that hold copies.
  LinearAttr dense(LinearAttr layout);
  /// The same without copies in the lanes of a warp, as far as registers can move there: each thread has fewer.
  LinearAttr spread(LinearAttr layout);
  /// The result layout of a reduction along `axis`.
  LinearAttr reduced(LinearAttr layout, unsigned axis);
  /// The operand layout of a reduction with this result in which a thread has all that it combines.
  LinearAttr expanded(LinearAttr result, tt::ReduceOp reduce);
  /// A new last dimension of size 2 as the lowest register bit, and back (null if it is no register bit).
  LinearAttr withPair(LinearAttr layout);
  LinearAttr withoutPair(LinearAttr layout);
  /// A layout for a tile without any requirement.
  LinearAttr fallback(llvm::ArrayRef<int64_t> shape);

private:
  mlir::MLIRContext *context;
  uint32_t warps;
  llvm::DenseMap<LinearAttr, std::unique_ptr<LinearLayout>> maps;
  llvm::DenseMap<std::pair<mlir::Operation *, LinearAttr>, LinearAttr> demands;
  llvm::DenseMap<std::pair<LinearAttr, unsigned>, LinearAttr> slices;
  llvm::DenseMap<LinearAttr, LinearAttr> densened;
};

std::vector<uint32_t> shapeOf(mlir::RankedTensorType type);
mlir::RankedTensorType withLayout(mlir::RankedTensorType type, LinearAttr layout);

//===--- Cost -----------------------------------------------------------------------------------------------------===//

// Everything in one unit, about a cycle of one warp of the role: an instruction of a memory access, a sector of 32
// bytes it touches, a word through shared memory, a shuffle. A barrier is worth some tens of them.

enum class Movement { None, Registers, Lanes, Warps };

/// What one request for global memory fetches at least, and what L1 looks up at once.
inline constexpr int64_t kSectorBytes = 32, kLineBytes = 128;

/// What the lanes of a warp touch in one instruction.
struct Footprint {
  uint32_t sectors = 0, lines = 0;
};

/// One global access: the facts about its addresses, and the width of its elements.
struct Access {
  AccessFacts facts;
  int64_t bytes = 4;
  bool atomic = false, isLoad = false, takesNeighbours = true;
  /// Of addresses that count up along no dimension.
  std::optional<SampledAddress> sampled;
  llvm::DenseMap<LinearAttr, Footprint> footprints; ///< Those that were asked for.
};

class CostModel {
public:
  /// `plannedScratch`: bytes of shared memory that are kept free for moving one tile between warps.
  CostModel(LayoutTable &table, int64_t plannedScratch) : table(table), plannedScratch(plannedScratch) {}

  Movement movement(LinearAttr from, LinearAttr to);
  double convert(LinearAttr from, LinearAttr to, unsigned bytes);
  double toShared(LinearAttr from, unsigned bytes);
  double fromShared(LinearAttr to, unsigned bytes);
  /// Reading a tile that lies there already, as in a slot.
  double readTile(LinearAttr shared, LinearAttr to, unsigned bytes) { return readOf(shared, to, bytes).cost; }
  /// Whether the first two registers of a tile that is read so are the halves of a word, bytes of them at the same
  /// place.
  bool readsPairs(LinearAttr shared, LinearAttr to, unsigned bytes) { return readOf(shared, to, bytes).hasPairs; }
  /// How many consecutive registers, in aligned groups, run along one dimension inside its groups of `lengths`
  /// elements.
  unsigned run(LinearAttr layout, llvm::ArrayRef<int64_t> lengths);
  /// Elements per instruction: aligned groups of register indices that are consecutive in memory.
  unsigned vector(LinearAttr layout, const AccessFacts &facts) { return run(layout, facts.vector); }
  /// The bits of a register's index that do not change its element's value, where along each dimension aligned groups
  /// of so many elements are equal. Registers that hold copies are not looked at.
  uint32_t equalBits(LinearAttr layout, llvm::ArrayRef<int64_t> groups);
  double access(LinearAttr layout, Access &access);
  double reduce(LinearAttr layout, unsigned axis, unsigned operands, unsigned bytes);
  double compute(LinearAttr layout, double operations);

private:
  double beyondPlan(LinearAttr layout, unsigned bytes);
  Footprint footprint(LinearAttr layout, Access &access);
  std::optional<Footprint> sampledFootprint(const LinearLayout &map, Access &access);

  LayoutTable &table;
  int64_t plannedScratch;
  llvm::DenseMap<std::pair<LinearAttr, LinearAttr>, Movement> movements;
  struct Read {
    double cost = 0;
    bool hasPairs = false;
  };
  const Read &readOf(LinearAttr shared, LinearAttr to, unsigned bytes);
  llvm::DenseMap<std::tuple<LinearAttr, LinearAttr, unsigned>, Read> reads;
};

//===--- Rules of operations --------------------------------------------------------------------------------------===//

enum class OpClass {
  NoTensors,
  Source, ///< Made anywhere at no cost: constants, ranges, splats.
  View,
  Elementwise,
  Access,
  Copy, ///< Of a tile of pointers to a slot: pointers and mask in registers, the result in shared memory.
  Reduce,
  Scan,
  Split,
  Join,
  Gather,
  Histogram, ///< The choice is about the source.
  Free,      ///< Takes operands wherever they are: print, assert, unsplat.
  Get,       ///< Results in shared memory.
  DotBegin,  ///< Fixed layouts: see Rules.
  DotIssue,
  DotWait,
  Promoted, ///< A dot on wgmma that finishes where it stands.
  Mma,
  Fma,
  TileStore,
  Control,
  Unknown,
};

/// The layout that an operand must have, given the one chosen for its operation.
struct Requirement {
  enum Kind { Anything, Registers, WgmmaA, WgmmaB, SharedRowMajor } kind = Anything;
  LinearAttr layout; ///< Of Registers.
};

/// Orders of K and of columns in a product on mma.sync. Empty: the natural ones.
struct ProductOrder {
  KPermutation k, columns;
};

/// The rules of the operations in one role.
class Rules {
public:
  Rules(LayoutTable &table, CostModel &costs) : table(table), costs(costs) {}

  OpClass classify(mlir::Operation *op);
  Requirement requirement(mlir::OpOperand &operand, LinearAttr chosen);
  LinearAttr result(mlir::OpResult result, LinearAttr chosen);
  /// The choice that gives an operand, or a result, this layout; null where none is implied.
  LinearAttr chooseByOperand(mlir::OpOperand &operand, LinearAttr layout);
  LinearAttr chooseByResult(mlir::OpResult result, LinearAttr layout);
  /// The only layout the operation can have; null if there is a choice.
  mlir::FailureOr<LinearAttr> fixedLayout(mlir::Operation *op);

  /// A reduction over batches, as of the slices that warps have of a sum (tawa-slice-sums): each warp may have some of
  /// them, or all of some elements.
  static bool addsSlices(mlir::Operation *op);

  /// True if the value can be remade wherever it is wanted: an index, a mask, an address made of such.
  bool isCheap(mlir::Value value);

  /// The layout of a wgmma operand A in registers, if `home` becomes it by renaming registers and B has the same order
  /// of K, or is still to be written; else null.
  LinearAttr operandAInRegisters(mlir::OpOperand &operand, LinearAttr home);
  /// Whether wgmma can read a shared tile of this layout, in operand A's order of K where A is in registers.
  bool wgmmaReads(mlir::OpOperand &operand, LinearAttr shared);
  /// The shared layout in which a tile in registers is handed to wgmma.
  LinearAttr wgmmaTile(mlir::OpOperand &operand, LinearAttr registers);
  /// The same for operand B with this order of K; A has the natural one.
  LinearAttr wgmmaTile(mlir::OpOperand &operand, LinearAttr registers, const KPermutation &order);
  /// The layout of a tile in shared memory, through transpositions; null for registers, and where unknown yet.
  LinearAttr sharedLayoutOf(mlir::Value value);

private:
  /// The order of a dot on mma.sync: the natural one, but where both operands are made from tiles in shared memory and
  /// are faster to read in another one.
  const ProductOrder &orderOf(tt::DotOp dot);
  LinearAttr mmaOperand(tt::DotOp dot, unsigned number, const ProductOrder &order);
  LinearAttr mmaSums(tt::DotOp dot);
  struct Reading;
  std::optional<double> costOfReading(mlir::Value operand, LinearAttr layout, LinearAttr natural, Reading &reading);
  double costOfPairs(LinearAttr shared, LinearAttr layout, mlir::RankedTensorType tile, const Reading &reading);
  bool readsInOrder(mlir::OpOperand &operand, LinearAttr shared, const KPermutation &order);
  bool canHaveOrder(mlir::OpOperand &operandB, const KPermutation &order);
  LayoutTable &table;
  CostModel &costs;
  llvm::DenseMap<mlir::Value, bool> cheap;
  llvm::DenseMap<mlir::Operation *, OpClass> classes;
  llvm::DenseMap<mlir::Operation *, ProductOrder> orders;
};

//===--- The graph of choices -------------------------------------------------------------------------------------===//

/// Operations that share one layout.
struct Node {
  mlir::Operation *op = nullptr; ///< One of them; null for a value carried by control flow.
  mlir::RankedTensorType type;   ///< Of the tile the layout is about.
  double weight = 1;             ///< How often it runs, guessed from the loops around it.
  double operations = 0;         ///< Elementwise work per register.
  unsigned carriedBytes = 0;
  bool fixed = false, shared = false;
  std::optional<Access> access;
  LinearAttr layout; ///< The choice.
  llvm::SmallVector<LinearAttr, 8> candidates;
  llvm::SmallVector<unsigned, 4> edges;
};

/// A value of one node that another one needs, seen through views.
struct Edge {
  unsigned from = 0, to = 0;
  mlir::Value value;
  llvm::SmallVector<mlir::Operation *, 2> views; ///< From the value on.
  mlir::OpOperand *use = nullptr;
  double weight = 1;
};

class Graph {
public:
  Graph(LayoutTable &table, CostModel &costs, Rules &rules) : table(table), costs(costs), rules(rules) {}

  mlir::LogicalResult build(ws::WarpGroupOp role, const AxisInfoAnalysis &axes);
  /// Chooses a layout for every node (AssignLayoutsSearch.cpp).
  void solve();

  LinearAttr layoutOf(mlir::Operation *op) const { return node(opNodes.lookup(op)).layout; }
  /// The layout in which a value is produced; null for views, cheap values and tiles in slots.
  LinearAttr homeOf(mlir::Value value);
  LinearAttr carriedLayout(mlir::Value value) const { return node(valueNodes.lookup(value)).layout; }
  /// The control-flow value that an operand feeds; null for other operands.
  static mlir::Value carriedBy(mlir::OpOperand &operand);
  Requirement requirement(mlir::OpOperand &operand, LinearAttr chosen);
  LinearAttr resultOf(mlir::Value value, LinearAttr chosen);

private:
  // Building.
  mlir::LogicalResult addBlock(mlir::Block &block, double weight);
  mlir::LogicalResult addOperation(mlir::Operation *op, double weight);
  mlir::LogicalResult addControl(mlir::Operation *op, double weight);
  unsigned addNode(Node node);
  void addCarried(mlir::ValueRange values, double weight);
  void addAccessCandidates(Node &node, const AxisInfoAnalysis &axes);
  void addEdges(mlir::Operation *op);
  void mergeElementwise(mlir::Operation *op, double weight);
  unsigned find(unsigned index) const;
  const Node &node(unsigned index) const { return nodes[find(index)]; }
  Node &node(unsigned index) { return nodes[find(index)]; }
  std::optional<unsigned> nodeOf(mlir::Value value) const;

  // Search.
  double ownCost(Node &node, LinearAttr layout);
  double edgeCost(const Edge &edge, LinearAttr from, LinearAttr to);
  double localCost(unsigned index, LinearAttr layout);
  LinearAttr follow(const Edge &edge, unsigned toward, LinearAttr layout);
  LinearAttr inOrderOfSlot(const Edge &edge);
  llvm::SmallVector<LinearAttr, 8> options(unsigned index);
  bool improveAlone(unsigned index);
  bool improveTogether(unsigned index);
  bool isFree(const Edge &edge);
  bool isFactor(unsigned index);

  LayoutTable &table;
  CostModel &costs;
  Rules &rules;
  const AxisInfoAnalysis *axes = nullptr;
  std::vector<Node> nodes;
  mutable std::vector<unsigned> parents;
  std::vector<Edge> edges;
  llvm::DenseMap<mlir::Operation *, unsigned> opNodes;
  llvm::DenseMap<mlir::Value, unsigned> valueNodes;
  size_t jointWork = 0;
  std::vector<mlir::Operation *> order; ///< All operations with tensors, as they stand.
};

//===--- Copies to slots (AssignLayoutsCopies.cpp) ----------------------------------------------------------------===//

/// The slot layout of value `index` of a ring if threads copy it there; none if TMA does.
std::optional<LinearLayout> copiedSlot(ws::CreateArefOp create, unsigned index);
/// Which thread copies which elements.
LinearAttr copyingThreads(ws::CopyTileOp copy, LayoutTable &table);
/// Elements per copy: the planned number, as far as these facts allow.
uint32_t copyVector(ws::CopyTileOp copy, const AxisInfoAnalysis &axes);

//===--- Tiles of a converter (AssignLayoutsConverted.cpp) -----------------------------------------------------------===//

/// Whether threads write the tiles of the ring: they may have the layout of their readers.
bool isConvertedRing(ws::CreateArefOp create);
/// The layout of such a tile: as the dots of a role (`graphOf`) require, in the order of K of their operand A; null
/// where they disagree.
LinearAttr convertedSlot(ws::CreateArefOp create,
                         llvm::function_ref<std::tuple<LayoutTable &, Rules &, Graph &>(ws::WarpGroupOp)> of);

//===--- Rewriting ------------------------------------------------------------------------------------------------===//

/// Gives all tensors of the role the layouts of the graph, and converts those that differ.
mlir::LogicalResult rewriteRole(ws::WarpGroupOp role, LayoutTable &table, CostModel &costs, Rules &rules, Graph &graph,
                                const AxisInfoAnalysis &axes);

} // namespace tawa::layouts
