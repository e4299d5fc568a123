// Folds integer operations on thread and warp indices, for each thread of a CTA.
#include "compiler/target/hopper/prover/ThreadValues.h"

#include "compiler/target/hopper/SM90/SM90.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa::verify {

static constexpr unsigned kElected = 13; // no particular lane: no code may rely on which

const std::vector<uint32_t> *ThreadValues::of(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second ? &*found->second : nullptr;
  Type type = value.getType();
  bool fits = type.isInteger(1) || type.isInteger(16) || type.isInteger(32);
  Values values = fits && value.getDefiningOp() ? compute(value.getDefiningOp()) : std::nullopt;
  auto entry = known.insert({value, std::move(values)}).first;
  return entry->second ? &*entry->second : nullptr;
}

ThreadValues::Values ThreadValues::compute(Operation *op) {
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant)))
    return std::vector<uint32_t>(threads, static_cast<uint32_t>(constant.getZExtValue()));
  auto make = [&](auto valueOf) {
    std::vector<uint32_t> values(threads);
    for (unsigned thread = 0; thread < threads; ++thread)
      values[thread] = valueOf(thread);
    return values;
  };
  if (zero != Zero::Nothing && isa<sm90::SharedBaseOp>(op))
    return std::vector<uint32_t>(threads, 0);
  if (isa<sm90::ElectSyncOp>(op))
    return make([](unsigned thread) { return thread % kLanes == kElected; });
  if (auto read = dyn_cast<sm90::SpecialRegisterOp>(op)) {
    if (read.getWhich() == sm90::SpecialRegister::TidX)
      return make([](unsigned thread) { return thread; });
    if (read.getWhich() == sm90::SpecialRegister::LaneId)
      return make([](unsigned thread) { return thread % kLanes; });
    if (rank && read.getWhich() == sm90::SpecialRegister::ClusterCtaRank)
      return std::vector<uint32_t>(threads, *rank);
    return std::nullopt;
  }
  if (auto shuffle = dyn_cast<sm90::ShuffleOp>(op)) {
    const std::vector<uint32_t> *from = of(shuffle.getValue());
    const std::vector<uint32_t> *lane = from ? of(shuffle.getLane()) : nullptr;
    if (!lane || shuffle.getMode() != sm90::ShuffleMode::Idx)
      return std::nullopt;
    from = of(shuffle.getValue()); // the table may have moved
    return make([&](unsigned thread) { return (*from)[thread / kLanes * kLanes + (*lane)[thread] % kLanes]; });
  }
  if (auto narrow = dyn_cast<arith::TruncIOp>(op)) {
    const std::vector<uint32_t> *from = of(narrow.getIn());
    uint32_t kept = llvm::maskTrailingOnes<uint32_t>(narrow.getType().getIntOrFloatBitWidth());
    return from ? make([&](unsigned thread) { return (*from)[thread] & kept; }) : Values();
  }
  Values folded = fold(op);
  bool isSlot = isa<arith::RemUIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant));
  if (!folded && isSlot && zero == Zero::SharedBaseAndSlots)
    return std::vector<uint32_t>(threads, 0);
  return folded;
}

ThreadValues::Values ThreadValues::fold(Operation *op) {
  bool isChoice = isa<arith::SelectOp>(op);
  if (op->getNumOperands() != (isChoice ? 3 : 2) || op->getNumRegions() != 0)
    return std::nullopt;
  llvm::SmallVector<std::vector<uint32_t>, 3> operands;
  for (Value operand : op->getOperands()) {
    const std::vector<uint32_t> *values = of(operand);
    if (!values)
      return std::nullopt;
    operands.push_back(*values);
  }
  auto each = [&](auto apply) -> Values {
    std::vector<uint32_t> results(threads);
    for (unsigned thread = 0; thread < threads; ++thread)
      results[thread] = apply(operands[0][thread], operands[1][thread]);
    return results;
  };
  if (isChoice) {
    for (unsigned thread = 0; thread < threads; ++thread)
      operands[0][thread] = operands[operands[0][thread] ? 1 : 2][thread];
    return operands[0];
  }
  auto divides = [&] { return !llvm::is_contained(operands[1], 0u); };
  using Word = uint32_t;
  return llvm::TypeSwitch<Operation *, Values>(op)
      .Case<arith::AddIOp>([&](auto) { return each([](Word a, Word b) { return a + b; }); })
      .Case<arith::SubIOp>([&](auto) { return each([](Word a, Word b) { return a - b; }); })
      .Case<arith::MulIOp>([&](auto) { return each([](Word a, Word b) { return a * b; }); })
      .Case<arith::AndIOp>([&](auto) { return each([](Word a, Word b) { return a & b; }); })
      .Case<arith::OrIOp>([&](auto) { return each([](Word a, Word b) { return a | b; }); })
      .Case<arith::XOrIOp>([&](auto) { return each([](Word a, Word b) { return a ^ b; }); })
      .Case<arith::ShLIOp>([&](auto) { return each([](Word a, Word b) { return b < 32 ? a << b : 0; }); })
      .Case<arith::ShRUIOp>([&](auto) { return each([](Word a, Word b) { return b < 32 ? a >> b : 0; }); })
      .Case<arith::ShRSIOp>([&](auto) {
        return each([](Word a, Word b) { return static_cast<Word>(static_cast<int32_t>(a) >> std::min(b, 31u)); });
      })
      .Case<arith::DivUIOp>([&](auto) { return divides() ? each([](Word a, Word b) { return a / b; }) : Values(); })
      .Case<arith::RemUIOp>([&](auto) { return divides() ? each([](Word a, Word b) { return a % b; }) : Values(); })
      .Case<arith::CmpIOp>([&](auto compare) {
        unsigned bits = compare.getLhs().getType().getIntOrFloatBitWidth();
        return each([&](Word a, Word b) -> Word {
          return arith::applyCmpPredicate(compare.getPredicate(), APInt(bits, a), APInt(bits, b));
        });
      })
      .Default([](Operation *) { return Values(); });
}

} // namespace tawa::verify
