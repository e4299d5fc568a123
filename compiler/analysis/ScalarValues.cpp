// Computes scalars, operands first.
#include "compiler/analysis/ScalarValues.h"
#include "compiler/analysis/TileForms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa {

/// The result for these operands; none where the operation is no arithmetic, or divides by zero.
static std::optional<int64_t> compute(Operation *op, ArrayRef<int64_t> from) {
  auto divided = [&](auto divide) -> std::optional<int64_t> {
    return from[1] == 0 ? std::nullopt : std::optional<int64_t>(divide());
  };
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<arith::AddIOp>([&](auto) { return from[0] + from[1]; })
      .Case<arith::SubIOp>([&](auto) { return from[0] - from[1]; })
      .Case<arith::MulIOp>([&](auto) { return from[0] * from[1]; })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) { return divided([&] { return from[0] / from[1]; }); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { return divided([&] { return from[0] % from[1]; }); })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) { return std::min(from[0], from[1]); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) { return std::max(from[0], from[1]); })
      .Case<arith::AndIOp>([&](auto) { return from[0] & from[1]; })
      .Case<arith::OrIOp>([&](auto) { return from[0] | from[1]; })
      .Case<arith::XOrIOp>([&](auto) { return from[0] ^ from[1]; })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>([&](auto) { return from[0]; })
      .Case<arith::SelectOp>([&](auto) { return from[0] ? from[1] : from[2]; })
      .Case([&](arith::CmpIOp compare) {
        APInt left(64, from[0], /*isSigned=*/true), right(64, from[1], /*isSigned=*/true);
        return arith::applyCmpPredicate(compare.getPredicate(), left, right);
      })
      .Default([](Operation *) { return std::nullopt; });
}

bool isScalarArithmetic(Operation *op) {
  return op && llvm::all_of(op->getOperandTypes(), [](Type type) { return type.isSignlessInteger(); }) &&
         compute(op, {1, 1, 1}).has_value();
}

std::optional<int64_t> evaluateScalar(Value value, ScalarValues &known, const OtherConstants &constants) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  if (auto number = constantOf(value)) {
    auto other = constants.find(*number);
    return other == constants.end() ? number : other->second;
  }
  Operation *op = value.getDefiningOp();
  if (!isScalarArithmetic(op))
    return std::nullopt;
  SmallVector<int64_t, 3> from;
  for (Value operand : op->getOperands()) {
    auto number = evaluateScalar(operand, known, constants);
    if (!number)
      return std::nullopt;
    from.push_back(*number);
  }
  from.resize(std::max<size_t>(from.size(), 3));
  auto result = compute(op, from);
  if (result)
    known[value] = *result;
  return result;
}

} // namespace tawa
