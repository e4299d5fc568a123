// Counts values from their first place to their last use.
#include "compiler/target/hopper/SchedulePipes/LiveRegisters.h"

#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/SM90/Kernel.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa::sm90 {

static int64_t registersOf(Value value) {
  constexpr int64_t kRegisterBits = 32;
  Type type = value.getType();
  if (auto sums = dyn_cast<AccumulatorType>(type))
    return sums.getNumRegisters();
  if (auto sums = dyn_cast<InflightType>(type))
    return sums.getNumRegisters();
  Operation *source = value.getDefiningOp();
  bool isAddress = isa<IntegerType>(type) && source && isa<arith::ArithDialect>(source->getDialect());
  if (!type.isIntOrFloat() || isAddress || matchPattern(value, m_Constant()))
    return 0;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), kRegisterBits);
}

LiveValues::LiveValues(ArrayRef<Operation *> run) : inside(run.begin(), run.end()) {
  for (Operation *op : run)
    for (Value operand : op->getOperands())
      ++usesLeft[operand];
  auto isUsedElsewhere = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return !inside.contains(user); });
  };
  for (Value value : llvm::to_vector(llvm::make_first_range(usesLeft)))
    if (isUsedElsewhere(value))
      usesLeft.erase(value);
    else if (!inside.contains(value.getDefiningOp()))
      now += registersOf(value);
}

int64_t LiveValues::change(ArrayRef<Operation *> ops) const {
  int64_t registers = 0;
  llvm::SmallDenseMap<Value, unsigned> uses;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      if (++uses[operand] == usesLeft.lookup(operand))
        registers -= registersOf(operand);
    for (Value result : op->getResults())
      registers += result.use_empty() ? 0 : registersOf(result);
  }
  return registers;
}

void LiveValues::place(Operation *op) {
  now += change(op);
  for (Value operand : op->getOperands())
    if (auto left = usesLeft.find(operand); left != usesLeft.end())
      --left->second;
}

int64_t liveRegisters(ArrayRef<Operation *> order) {
  LiveValues live(order);
  int64_t most = live.registers();
  for (Operation *op : order) {
    live.place(op);
    most = std::max(most, live.registers());
  }
  return most;
}

static int64_t registersAt(Operation *op) {
  for (Operation *at = op; at && !isa<func::FuncOp>(at); at = at->getParentOp())
    for (auto change : at->getBlock()->getOps<SetMaxRegistersOp>())
      return static_cast<int64_t>(change.getCount());
  Target target = moduleTarget(op);
  auto threads = kThreadsAttr.get(op->getParentOfType<func::FuncOp>());
  return threads ? std::min(target.registersPerThread, target.registersPerMultiprocessor / *threads)
                 : target.registersPerThread;
}

bool fitRegisters(ArrayRef<Operation *> order) {
  return order.empty() ||
         fitsRegisters(RegisterQuestion::StraightCode, liveRegisters(order), registersAt(order.front()));
}

} // namespace tawa::sm90
