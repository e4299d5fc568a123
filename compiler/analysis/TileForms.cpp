// Reads polynomials from the definitions of values, with constants that may be tile sizes as factors of their own.
#include "compiler/analysis/TileForms.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa {

namespace {
constexpr size_t kMostTerms = 32; // longer sums are not handwritten addresses
constexpr int64_t kLeastTile = 8; // smaller constants are no tile sizes of products
} // namespace

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) || number.getBitWidth() > 64)
    return std::nullopt;
  return number.getSExtValue();
}

TileForm TileForms::sum(TileForm a, const TileForm &b, int64_t factor) {
  for (const auto &[factors, coefficient] : b) {
    int64_t &total = a[factors];
    total += coefficient * factor;
    if (total == 0)
      a.erase(factors);
  }
  return a;
}

TileForm TileForms::product(const TileForm &a, const TileForm &b) const {
  TileForm result;
  for (const auto &[left, leftCoefficient] : a)
    for (const auto &[right, rightCoefficient] : b) {
      TileFactors factors;
      std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(factors));
      result = sum(std::move(result), {{std::move(factors), leftCoefficient * rightCoefficient}});
    }
  return result;
}

unsigned TileForms::number(const TileSymbol &symbol) {
  auto [found, isNew] = numbers.try_emplace({symbol.kind, symbol.value.getAsOpaquePointer(), symbol.cls, symbol.site},
                                            static_cast<unsigned>(symbols.size()));
  if (isNew)
    symbols.push_back(symbol);
  return found->second;
}

unsigned TileForms::indexSymbol(int cls) { return number({TileSymbol::Kind::Index, {}, cls, nullptr, 0}); }

unsigned TileForms::roundsSymbol(scf::ForOp loop) {
  return number({TileSymbol::Kind::Rounds, loop.getInductionVar(), TileDims::kNone, nullptr, 0});
}

TileForm TileForms::atom(Value value) {
  return {{{number({TileSymbol::Kind::Scalar, value, TileDims::kNone, nullptr, 0})}, 1}};
}

static TileForm ofNumber(int64_t value) { return value == 0 ? TileForm() : TileForm{{{}, value}}; }

/// A constant that some tile size divides may stand for it.
bool TileForms::mayBeSite(int64_t value) const {
  for (unsigned cls = 0; cls < dims.count(); ++cls)
    if (dims.sizeOf(cls) >= kLeastTile && value != 0 && value % dims.sizeOf(cls) == 0)
      return true;
  return false;
}

TileForm TileForms::ofConstant(OpOperand &operand, int64_t value) {
  if (mayBeSite(value))
    return {{{number({TileSymbol::Kind::Site, {}, TileDims::kNone, &operand, value})}, 1}};
  return ofNumber(value);
}

TileForm TileForms::ofOperand(OpOperand &operand) {
  if (auto value = constantOf(operand.get()))
    return ofConstant(operand, *value);
  return of(operand.get());
}

TileForm TileForms::of(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  TileForm form = op ? ofOperation(op, value) : ofArgument(cast<BlockArgument>(value));
  if (form.size() > kMostTerms)
    form = atom(value);
  return known[value] = form;
}

bool TileForms::isOpaque(Value value) {
  TileForm form = of(value);
  return form.size() == 1 && form.begin()->first.size() == 1 && symbols[form.begin()->first.front()].value == value;
}

/// A product with a tile size is where a tile begins: what multiplies it is a stride.
bool TileForms::isFirstElement(Value value) const {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::MulIOp>(op) && llvm::any_of(op->getOperands(), [&](Value factor) {
           auto constant = constantOf(factor);
           return constant && mayBeSite(*constant);
         });
}

/// What a site multiplies is the number of a tile, however it was computed.
TileForm TileForms::ofProduct(Operation *op) {
  OpOperand &left = op->getOpOperand(0), &right = op->getOpOperand(1);
  auto factor = [&](OpOperand &operand, OpOperand &other) {
    bool isNumber = constantOf(other.get()) && isAtom(operand.get()) && !isFirstElement(operand.get());
    return isNumber ? atom(operand.get()) : ofOperand(operand);
  };
  return product(factor(left, right), factor(right, left));
}

TileForm TileForms::ofOperation(Operation *op, Value value) {
  if (!isa<IntegerType, tt::PointerType>(tt::elementTypeOf(value.getType())))
    return atom(value);
  if (auto number = constantOf(value))
    return ofNumber(*number);
  auto left = [&] { return ofOperand(op->getOpOperand(0)); };
  auto right = [&] { return ofOperand(op->getOpOperand(1)); };
  return llvm::TypeSwitch<Operation *, TileForm>(op)
      .Case([&](tt::MakeRangeOp range) {
        int cls = dims.of(value, 0);
        TileForm start = ofNumber(static_cast<int32_t>(range.getStart()));
        return cls == TileDims::kNone ? start : sum(index(cls), start);
      })
      .Case<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp, arith::ExtSIOp, arith::ExtUIOp>(
          [&](auto) { return left(); })
      .Case<arith::AddIOp, tt::AddPtrOp>([&](auto) { return sum(left(), right()); })
      .Case<arith::SubIOp>([&](auto) { return sum(left(), right(), -1); })
      .Case<arith::MulIOp>([&](auto) { return ofProduct(op); })
      .Default([&](Operation *) { return atom(value); });
}

TileForm TileForms::ofArgument(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || isAtom(argument))
    return atom(argument);
  if (argument != loop.getInductionVar()) {
    auto carried = ofCarried(loop, argument);
    return carried ? *carried : atom(argument);
  }
  TileForm rounds{{{roundsSymbol(loop)}, 1}};
  return sum(ofOperand(loop.getLowerBoundMutable()), product(rounds, ofOperand(loop.getStepMutable())));
}

/// A value that grows by the same amount in each iteration.
std::optional<TileForm> TileForms::ofCarried(scf::ForOp loop, BlockArgument argument) {
  if (!isa<IntegerType, tt::PointerType>(tt::elementTypeOf(argument.getType())))
    return std::nullopt;
  unsigned index = argument.getArgNumber() - loop.getNumInductionVars();
  TileForm step;
  for (Value next = loop.getYieldedValues()[index]; next != argument;) {
    Operation *op = next.getDefiningOp();
    if (!op || !isa<tt::AddPtrOp, arith::AddIOp>(op) || !loop->isProperAncestor(op))
      return std::nullopt;
    bool isSecond = isa<arith::AddIOp>(op) && loop.isDefinedOutsideOfLoop(op->getOperand(0));
    OpOperand &by = op->getOpOperand(isSecond ? 0 : 1);
    TileForm more = ofOperand(by);
    for (const auto &[factors, coefficient] : more)
      for (unsigned factor : factors)
        if (Value value = symbols[factor].value; value && !loop.isDefinedOutsideOfLoop(value))
          return std::nullopt;
    step = sum(std::move(step), more);
    next = op->getOperand(isSecond ? 1 : 0);
  }
  TileForm rounds{{{roundsSymbol(loop)}, 1}};
  return sum(ofOperand(loop.getInitsMutable()[index]), product(rounds, step));
}

} // namespace tawa
