// Evaluates integer arithmetic for every program of a grid at once.
#include "compiler/planner/affinize/ProgramScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <functional>

using namespace mlir;

namespace tawa {

using Folder = std::function<std::optional<APInt>(ArrayRef<APInt>)>;

static unsigned widthOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

/// One operation on integers of any width; null for operations that are none.
static Folder folderOf(Operation *op) {
  using Args = ArrayRef<APInt>;
  using Out = std::optional<APInt>;
  unsigned width = widthOf(op->getResult(0).getType());
  auto division = [](auto divide) -> Folder {
    return [divide](Args v) -> Out { return v[1].isZero() ? Out() : Out(divide(v[0], v[1])); };
  };
  return llvm::TypeSwitch<Operation *, Folder>(op)
      .Case<arith::AddIOp>([](auto) { return [](Args v) -> Out { return v[0] + v[1]; }; })
      .Case<arith::SubIOp>([](auto) { return [](Args v) -> Out { return v[0] - v[1]; }; })
      .Case<arith::MulIOp>([](auto) { return [](Args v) -> Out { return v[0] * v[1]; }; })
      .Case<arith::AndIOp>([](auto) { return [](Args v) -> Out { return v[0] & v[1]; }; })
      .Case<arith::OrIOp>([](auto) { return [](Args v) -> Out { return v[0] | v[1]; }; })
      .Case<arith::XOrIOp>([](auto) { return [](Args v) -> Out { return v[0] ^ v[1]; }; })
      .Case<arith::ShLIOp>([](auto) { return [](Args v) -> Out { return v[0].shl(v[1]); }; })
      .Case<arith::ShRSIOp>([](auto) { return [](Args v) -> Out { return v[0].ashr(v[1]); }; })
      .Case<arith::ShRUIOp>([](auto) { return [](Args v) -> Out { return v[0].lshr(v[1]); }; })
      .Case<arith::DivSIOp>([&](auto) { return division([](const APInt &a, const APInt &b) { return a.sdiv(b); }); })
      .Case<arith::DivUIOp>([&](auto) { return division([](const APInt &a, const APInt &b) { return a.udiv(b); }); })
      .Case<arith::RemSIOp>([&](auto) { return division([](const APInt &a, const APInt &b) { return a.srem(b); }); })
      .Case<arith::RemUIOp>([&](auto) { return division([](const APInt &a, const APInt &b) { return a.urem(b); }); })
      .Case<arith::MinSIOp>([](auto) { return [](Args v) -> Out { return v[0].slt(v[1]) ? v[0] : v[1]; }; })
      .Case<arith::MaxSIOp>([](auto) { return [](Args v) -> Out { return v[0].sgt(v[1]) ? v[0] : v[1]; }; })
      .Case<arith::MinUIOp>([](auto) { return [](Args v) -> Out { return v[0].ult(v[1]) ? v[0] : v[1]; }; })
      .Case<arith::MaxUIOp>([](auto) { return [](Args v) -> Out { return v[0].ugt(v[1]) ? v[0] : v[1]; }; })
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [width](auto) { return [width](Args v) -> Out { return v[0].sextOrTrunc(width); }; })
      .Case<arith::ExtUIOp, arith::TruncIOp>(
          [width](auto) { return [width](Args v) -> Out { return v[0].zextOrTrunc(width); }; })
      .Case<arith::SelectOp>([](auto) { return [](Args v) -> Out { return v[0].isZero() ? v[2] : v[1]; }; })
      .Case<arith::CmpIOp>([](arith::CmpIOp compare) {
        return [predicate = compare.getPredicate()](Args v) -> Out {
          return APInt(1, arith::applyCmpPredicate(predicate, v[0], v[1]));
        };
      })
      .Default([](Operation *) { return Folder(); });
}

std::unique_ptr<ProgramFunction> ProgramScalars::evaluateArithmetic(Operation *op) {
  Folder fold = folderOf(op);
  std::vector<const ProgramFunction *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(fold ? of(operand) : nullptr);
  if (!fold || llvm::is_contained(operands, nullptr))
    return nullptr;
  auto result = std::make_unique<ProgramFunction>();
  SmallVector<APInt> values(operands.size());
  for (size_t program = 0; program < programs(); ++program) {
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      values[index] = APInt(widthOf(operand.getType()), (*operands[index])[program], /*isSigned=*/true);
    std::optional<APInt> value = fold(values);
    if (!value)
      return nullptr;
    result->push_back(value->getSExtValue());
  }
  return result;
}

std::unique_ptr<ProgramFunction> ProgramScalars::evaluate(Operation *op) {
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant)))
    return std::make_unique<ProgramFunction>(programs(), constant.getSExtValue());
  if (auto count = dyn_cast<tt::GetNumProgramsOp>(op))
    return std::make_unique<ProgramFunction>(programs(), grid[static_cast<unsigned>(count.getAxis())]);
  auto id = dyn_cast<tt::GetProgramIdOp>(op);
  if (!id)
    return evaluateArithmetic(op);
  size_t inner = 1;
  for (unsigned axis = 0; axis < static_cast<unsigned>(id.getAxis()); ++axis)
    inner *= grid[axis];
  auto result = std::make_unique<ProgramFunction>();
  for (size_t program = 0; program < programs(); ++program)
    result->push_back(static_cast<int64_t>(program / inner % grid[static_cast<unsigned>(id.getAxis())]));
  return result;
}

const ProgramFunction *ProgramScalars::of(Value scalar) {
  if (auto found = known.find(scalar); found != known.end())
    return found->second.get();
  Operation *op = scalar.getDefiningOp();
  bool isInteger = isa<IntegerType, IndexType>(scalar.getType());
  std::unique_ptr<ProgramFunction> result = op && isInteger && op->getNumResults() == 1 ? evaluate(op) : nullptr;
  return (known[scalar] = std::move(result)).get();
}

} // namespace tawa
