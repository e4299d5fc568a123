// Collects the queries of program id and grid size, and the operations by which programs observe each other.
#include "compiler/analysis/ProgramGrid.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

namespace {

template <typename Predicate> bool anyIn(tt::FuncOp func, Predicate holds) {
  return func.walk([&](Operation *op) { return holds(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

bool observesOthers(Operation *op) {
  if (isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op))
    return !op->use_empty();
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getIsVolatile();
  auto text = dyn_cast<tt::ElementwiseInlineAsmOp>(op);
  return text && !text.getPure();
}

/// c where the value is tt.get_program_id times the constant c.
std::optional<int64_t> programStride(Value value) {
  if (value.getDefiningOp<tt::GetProgramIdOp>())
    return 1;
  auto product = value.getDefiningOp<arith::MulIOp>();
  APInt factor;
  if (!product || !product.getLhs().getDefiningOp<tt::GetProgramIdOp>() ||
      !matchPattern(product.getRhs(), m_ConstantInt(&factor)))
    return std::nullopt;
  return factor.getSExtValue();
}

/// The least element of a tile that moves by `perProgram` from one program along `axis` to the next; `perProgram` is 0
/// of what is the same in all programs.
struct Position {
  tt::ProgramDim axis = tt::ProgramDim::X;
  int64_t perProgram = 0, least = 0;
};

std::optional<Position> sumOf(const Position &a, const Position &b) {
  if (a.perProgram != 0 && b.perProgram != 0)
    return std::nullopt;
  const Position &moving = b.perProgram != 0 ? b : a;
  return Position{moving.axis, moving.perProgram, a.least + b.least};
}

std::optional<Position> productOf(const Position &a, const Position &b) {
  const Position &factor = a.perProgram == 0 ? a : b, &other = a.perProgram == 0 ? b : a;
  if (factor.perProgram != 0)
    return std::nullopt;
  return Position{other.axis, other.perProgram * factor.least, other.least * factor.least};
}

/// Remembers what it read: a text may use a value many times.
class Positions {
public:
  std::optional<Position> of(Value value) {
    auto found = known.find(value);
    if (found == known.end())
      found = known.try_emplace(value, read(value)).first;
    return found->second;
  }

private:
  std::optional<Position> read(Value value) {
    Operation *op = value.getDefiningOp();
    APInt number;
    if (!op)
      return std::nullopt;
    if (matchPattern(value, m_ConstantInt(&number)))
      return Position{tt::ProgramDim::X, 0, number.getSExtValue()};
    if (auto program = dyn_cast<tt::GetProgramIdOp>(op))
      return Position{program.getAxis(), 1, 0};
    if (auto range = dyn_cast<tt::MakeRangeOp>(op))
      return Position{tt::ProgramDim::X, 0, int64_t(range.getStart())};
    if (isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      return of(op->getOperand(0));
    if (!isa<arith::AddIOp, arith::MulIOp>(op))
      return std::nullopt;
    std::optional<Position> a = of(op->getOperand(0)), b = of(op->getOperand(1));
    if (!a || !b)
      return std::nullopt;
    return isa<arith::AddIOp>(op) ? sumOf(*a, *b) : productOf(*a, *b);
  }

  llvm::DenseMap<Value, std::optional<Position>> known;
};

bool dependsOnGrid(Value value) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = options.inclusive = true;
  getBackwardSlice(value, &slice, options);
  return llvm::any_of(slice, llvm::IsaPred<tt::GetNumProgramsOp>);
}

/// A loop that starts at the program's own number and steps by the number of programs: the tiles of the next program
/// are left to it. A step of one program's width is a loop over everything after its first tile.
bool walksGrid(scf::ForOp loop) {
  std::optional<int64_t> stride = programStride(loop.getLowerBound());
  APInt step;
  if (!stride)
    return false;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return dependsOnGrid(loop.getStep());
  return *stride != 0 && step.getSExtValue() % *stride == 0 && step.getSExtValue() / *stride > 1;
}

} // namespace

Axes axesAskedFor(tt::FuncOp func) {
  Axes axes;
  for (auto axis : {tt::ProgramDim::X, tt::ProgramDim::Y, tt::ProgramDim::Z})
    if (anyIn(func, [&](Operation *op) {
          auto id = dyn_cast<tt::GetProgramIdOp>(op);
          return id && id.getAxis() == axis;
        }))
      axes.push_back(axis);
  return axes;
}

bool programsObserveEachOther(tt::FuncOp func) { return anyIn(func, observesOthers); }

int64_t programsWithinMasks(tt::FuncOp func) {
  int64_t most[] = {0, 0, 0};
  Positions positions;
  func.walk([&](arith::CmpIOp bound) {
    bool isBelow = llvm::is_contained({arith::CmpIPredicate::slt, arith::CmpIPredicate::ult}, bound.getPredicate());
    if (!isBelow || llvm::any_of(bound->getUsers(), llvm::IsaPred<scf::IfOp>)) // others may do something else
      return;
    std::optional<Position> at = positions.of(bound.getLhs()), end = positions.of(bound.getRhs());
    if (!at || !end || at->perProgram <= 0 || end->perProgram != 0 || end->least <= at->least)
      return;
    int64_t &programs = most[static_cast<size_t>(at->axis)];
    programs = std::max(programs, (end->least - at->least + at->perProgram - 1) / at->perProgram);
  });
  Axes axes = axesAskedFor(func);
  int64_t all = axes.empty() ? 0 : 1;
  for (tt::ProgramDim axis : axes)
    all *= most[static_cast<size_t>(axis)];
  return all;
}

scf::ForOp findWrittenTileLoop(tt::FuncOp func) {
  for (auto loop : func.getBody().front().getOps<scf::ForOp>())
    if (walksGrid(loop))
      return loop;
  return {};
}

} // namespace tawa
