// DotKind: one function per unit with its rules, in order of preference.
#include "compiler/analysis/DotKind.h"

#include "compiler/analysis/RegisterPlan.h"
#include "compiler/roles/Tawa/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tawa {
namespace {

constexpr int64_t kInstrM = 64; // rows of one wgmma (PTX ISA, wgmma.mma_async shapes)
constexpr int64_t kMinInstrN = 8, kMaxInstrN = 256;
constexpr int64_t kInstrKBits = 256; // of a row of A, for wgmma and mma.sync alike
constexpr int64_t kRegisterBits = 32, kWarpLanes = 32;
constexpr int64_t kInstrKFp8 = 32;
/// Triton's value for: wgmma may sum any number of products.
constexpr int64_t kAnyNumberOfProducts = int64_t(1) << 30;

bool isFp8(Type type) { return type.isFloat8E4M3FN() || type.isFloat8E5M2(); }

struct Operands {
  RankedTensorType a, b, c;
  Type left, right, sum;

  explicit Operands(tt::DotOp dot)
      : a(cast<RankedTensorType>(dot.getA().getType())), b(cast<RankedTensorType>(dot.getB().getType())),
        c(cast<RankedTensorType>(dot.getC().getType())), left(a.getElementType()), right(b.getElementType()),
        sum(c.getElementType()) {}
  int64_t depth() const { return a.getShape().back(); }
  bool bothFp8() const { return isFp8(left) && isFp8(right); }
  bool isTf32(tt::DotOp dot) const {
    return left.isF32() && right.isF32() && dot.getInputPrecision() == tt::InputPrecision::TF32;
  }
};

/// Requirements of both matrix units.
std::optional<DotObstacle> commonObstacle(tt::DotOp dot, const Operands &operands) {
  if (operands.left.isF32() && !operands.isTf32(dot))
    return DotObstacle::Precision;
  if (operands.depth() * operands.left.getIntOrFloatBitWidth() < kInstrKBits)
    return DotObstacle::Depth;
  return std::nullopt;
}

/// The types that wgmma and mma.sync multiply are the same.
bool matrixUnitsTake(tt::DotOp dot, const Operands &operands) {
  const Type left = operands.left, right = operands.right, sum = operands.sum;
  if (operands.bothFp8() || operands.isTf32(dot))
    return sum.isF32();
  if (left.isInteger(8))
    return right.isInteger(8) && sum.isInteger(32);
  return left == right && ((left.isF16() && (sum.isF32() || sum.isF16())) || (left.isBF16() && sum.isF32()));
}

/// The number of products along K that the text lets wgmma sum before f32 does, in whole instructions; 0: unlimited.
/// Less than one instruction is left to mma.sync, which sums in f32.
int64_t promotionInterval(tt::DotOp dot, const Operands &operands) {
  int64_t allowed = dot.getMaxNumImpreciseAcc();
  if (!operands.bothFp8() || allowed >= kAnyNumberOfProducts)
    return 0;
  return std::min(allowed / kInstrKFp8 * kInstrKFp8, operands.depth());
}

/// Whether the role of an operation runs beside others.
bool hasOtherRoles(Operation *op) {
  auto role = op->getParentOfType<ws::WarpGroupOp>();
  return role && !llvm::hasSingleElement(role->getBlock()->getOps<ws::WarpGroupOp>());
}

/// A tile fetched by a producer role: the kernel was split for this dot. A lone role may fetch for itself.
bool comesFromProducer(Value value) {
  while (auto view = value.getDefiningOp<tt::TransOp>())
    value = view.getSrc();
  auto get = value.getDefiningOp<ws::GetOp>();
  return get && hasOtherRoles(get);
}

std::optional<DotObstacle> whyNotWgmma(tt::DotOp dot, uint32_t warps, const Operands &operands) {
  if (!hasFeature(dot, Feature::Wgmma))
    return DotObstacle::NoWgmma;
  if (operands.c.getRank() != 2)
    return DotObstacle::Batched;
  if (auto obstacle = commonObstacle(dot, operands))
    return obstacle;
  if (!matrixUnitsTake(dot, operands))
    return DotObstacle::ElementTypes;
  if (operands.bothFp8() && dot.getMaxNumImpreciseAcc() < kInstrKFp8)
    return DotObstacle::ImpreciseAccumulation;
  int64_t rows = operands.c.getDimSize(0), cols = operands.c.getDimSize(1);
  std::optional<DotObstacle> obstacle = planWgmmaAccumulator(rows, cols, warps).obstacle;
  // A kernel that was split for wgmma gets an error if its configuration does not fit, instead of running slowly.
  bool wasSplit = comesFromProducer(dot.getA()) && comesFromProducer(dot.getB());
  if (obstacle && !(wasSplit && *obstacle == DotObstacle::NotWholeWarpGroups))
    return obstacle;
  int64_t perThread = rows * cols / (warps * kWarpLanes) * operands.sum.getIntOrFloatBitWidth() / kRegisterBits;
  if (promotionInterval(dot, operands) != 0)
    perThread += std::min(perThread, kPromotedInstrN / 2);
  if (perThread > kMaxAccumulatorRegisters && !wasSplit)
    return DotObstacle::TooManyRegisters;
  return std::nullopt;
}

std::optional<DotObstacle> whyNotMmaSync(tt::DotOp dot, const Operands &operands) {
  if (auto obstacle = commonObstacle(dot, operands))
    return obstacle;
  if (!matrixUnitsTake(dot, operands))
    return DotObstacle::ElementTypes;
  return std::nullopt;
}

/// Whether uses of `value` need whole rows: a reduction along them, or another dot that takes it as A.
bool rowsMatter(Value value) {
  unsigned alongRows = cast<RankedTensorType>(value.getType()).getRank() - 1;
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t next = 0; next < seen.size(); ++next)
    for (OpOperand &use : seen[next].getUses()) {
      Operation *user = use.getOwner();
      if (auto reduce = dyn_cast<tt::ReduceOp>(user)) {
        if (reduce.getAxis() == alongRows)
          return true;
      } else if (isa<tt::DotOp>(user)) {
        if (use.getOperandNumber() == 0)
          return true;
      } else if (OpTrait::hasElementwiseMappableTraits(user)) {
        seen.insert(user->result_begin(), user->result_end());
      }
    }
  return false;
}

} // namespace

StringRef describe(DotObstacle obstacle) {
  switch (obstacle) {
  case DotObstacle::NoWgmma:
    return "the GPU has no wgmma";
  case DotObstacle::Batched:
    return "it has a batch dimension";
  case DotObstacle::ElementTypes:
    return "the unit does not multiply elements of these types";
  case DotObstacle::Precision:
    return "f32 operands need IEEE products, and the tensor cores have tf32";
  case DotObstacle::ImpreciseAccumulation:
    return "8-bit products must be summed in f32 more often than wgmma does";
  case DotObstacle::NotWholeWarpGroups:
    return "wgmma runs on whole warp groups, a power of two of them";
  case DotObstacle::Rows:
    return "the rows are no multiple of 64";
  case DotObstacle::Columns:
    return "there are fewer than 8 columns for each warp group";
  case DotObstacle::Depth:
    return "the inner dimension is shorter than the 32 bytes of one instruction";
  case DotObstacle::TooManyRegisters:
    return "the accumulator does not fit the registers of the role";
  }
  return "";
}

AccumulatorPlan planWgmmaAccumulator(int64_t rows, int64_t cols, uint32_t warps) {
  AccumulatorPlan plan;
  auto fail = [&](DotObstacle obstacle) {
    plan.obstacle = obstacle;
    return plan;
  };
  if (rows % kInstrM != 0)
    return fail(DotObstacle::Rows);
  int64_t groups = warps / kWarpsPerGroup;
  if (warps % kWarpsPerGroup != 0 || !llvm::isPowerOf2_64(groups))
    return fail(DotObstacle::NotWholeWarpGroups);
  int64_t groupsAlongN = std::max<int64_t>(1, groups / (rows / kInstrM));
  plan.instrN = std::min(kMaxInstrN, cols / groupsAlongN);
  if (plan.instrN < kMinInstrN)
    return fail(DotObstacle::Columns);
  plan.layout = wgmmaAccumulator(rows, cols, plan.instrN, warps);
  return plan;
}

DotPlan planDot(tt::DotOp dot, uint32_t warps) {
  Operands operands(dot);
  DotPlan plan;
  plan.notWgmma = whyNotWgmma(dot, warps, operands);
  if (!plan.notWgmma) {
    plan.unit = DotUnit::Wgmma;
    plan.promoteEvery = promotionInterval(dot, operands);
    return plan;
  }
  plan.notMmaSync = whyNotMmaSync(dot, operands);
  plan.unit = plan.notMmaSync ? DotUnit::Fma : DotUnit::MmaSync;
  return plan;
}

MmaFragments planMmaFragments(tt::DotOp dot, uint32_t warps) {
  Operands operands(dot);
  bool isBatched = operands.c.getRank() == 3;
  uint32_t batches = isBatched ? operands.c.getDimSize(0) : 1, pieces = std::min(batches, warps);
  ArrayRef<int64_t> sums = operands.c.getShape().take_back(2);
  uint32_t rows = sums[0], columns = sums[1], depth = operands.depth();
  MmaWarps split = chooseMmaWarps(rows, columns, warps / pieces, rowsMatter(dot.getResult()));
  MmaFragments fragments{mmaOperandA(rows, depth, operands.left.getIntOrFloatBitWidth(), split),
                         mmaOperandB(depth, columns, operands.right.getIntOrFloatBitWidth(), split),
                         mmaAccumulator(rows, columns, split)};
  if (isBatched)
    for (LinearLayout *fragment : {&fragments.a, &fragments.b, &fragments.sums})
      *fragment = batchOf(*fragment, batches, pieces);
  return fragments;
}

bool hasDots(tt::FuncOp func) {
  return func.walk([](tt::DotOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

} // namespace tawa
