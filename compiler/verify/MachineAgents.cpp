// Who the agents of a machine kernel are (see MachineModel.h).
#include "compiler/verify/MachineModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa::verify {

namespace {

constexpr unsigned kLanesOfWarp = 32, kWarpsOfGroup = 4;

/// Evaluates what follows from the place of a warp alone.
class WarpValues {
public:
  explicit WarpValues(unsigned warp) : warp(warp) {}

  Number evaluate(Value value) {
    auto [entry, isNew] = known.try_emplace(value);
    if (!isNew)
      return entry->second;
    Number number = value.getDefiningOp() ? compute(value.getDefiningOp()) : Number();
    return known[value] = number;
  }

private:
  Number compute(Operation *op) {
    APInt constant;
    if (matchPattern(op, m_ConstantInt(&constant)))
      return Number::exact(constant.getBitWidth() == 1 ? constant.getZExtValue() : constant.getSExtValue());
    auto lanes = [](int64_t first) {
      Number number = Number::exact(first);
      number.spread = kLanesOfWarp - 1;
      number.isLane = true;
      return number;
    };
    auto binary = [&](auto method) {
      Number left = evaluate(op->getOperand(0)), right = evaluate(op->getOperand(1));
      return (arithmetic.*method)(left, right);
    };
    return llvm::TypeSwitch<Operation *, Number>(op)
        .Case<sm90::SpecialRegisterOp>([&](auto read) {
          bool isThread = read.getWhich() == sm90::SpecialRegister::TidX;
          return isThread                                           ? lanes(int64_t(warp) * kLanesOfWarp)
                 : read.getWhich() == sm90::SpecialRegister::LaneId ? lanes(0)
                                                                    : Number();
        })
        .Case<sm90::ShuffleOp>([&](auto shuffle) { return evaluate(shuffle.getValue()); })
        .Case<arith::AddIOp>([&](auto) { return binary(&Arithmetic::add); })
        .Case<arith::SubIOp>([&](auto) { return binary(&Arithmetic::subtract); })
        .Case<arith::AndIOp>([&](auto) { return binary(&Arithmetic::bitAnd); })
        .Case<arith::ShRUIOp>([&](auto) { return binary(&Arithmetic::shiftRight); })
        .Default([](Operation *) { return Number(); });
  }

  unsigned warp;
  Period period;
  std::vector<int64_t> symbols;
  Arithmetic arithmetic{period, symbols};
  llvm::DenseMap<Value, Number> known;
};

/// The outcome of a comparison; 2 where it depends on more than the warp.
int outcome(WarpValues &values, arith::CmpIOp compare) {
  auto left = values.evaluate(compare.getLhs()).constant(), right = values.evaluate(compare.getRhs()).constant();
  if (!left || !right)
    return 2;
  unsigned width = compare.getLhs().getType().getIntOrFloatBitWidth();
  return arith::applyCmpPredicate(compare.getPredicate(), APInt(width, *left, true), APInt(width, *right, true));
}

std::string nameOf(unsigned first, unsigned count) {
  return count == 1 ? "warp " + std::to_string(first)
                    : "warps " + std::to_string(first) + " to " + std::to_string(first + count - 1);
}

} // namespace

std::vector<AgentInfo> findAgents(func::FuncOp kernel, unsigned threads) {
  SmallVector<arith::CmpIOp> compares;
  kernel.walk([&](arith::CmpIOp compare) {
    if (compare.getLhs().getType().isInteger(32))
      compares.push_back(compare);
  });
  std::vector<AgentInfo> agents;
  std::vector<int> before;
  for (unsigned warp = 0; warp < threads / kLanesOfWarp; ++warp) {
    WarpValues values(warp);
    std::vector<int> outcomes;
    for (arith::CmpIOp compare : compares)
      outcomes.push_back(outcome(values, compare));
    bool isAlone = agents.empty() || outcomes != before || warp % kWarpsOfGroup <= 1;
    if (isAlone)
      agents.push_back({"", warp, 0});
    ++agents.back().warps;
    before = std::move(outcomes);
  }
  for (AgentInfo &agent : agents)
    agent.name = nameOf(agent.firstWarp, agent.warps);
  return agents;
}

} // namespace tawa::verify
