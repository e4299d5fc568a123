// scf, and the terminators, all of which do one thing: hand values out of their block.
#include "compiler/reference/Program.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa::reference {

namespace {

Status handOut(Operation *op, Program &program) {
  std::vector<ValueRef> values;
  for (mlir::Value operand : op->getOperands())
    values.push_back(program.share(operand));
  program.handedOut = std::move(values);
  return Status::ok();
}

std::vector<ValueRef> shareAll(ValueRange names, Program &program) {
  std::vector<ValueRef> values;
  for (mlir::Value name : names)
    values.push_back(program.share(name));
  return values;
}

void setAll(ValueRange names, const std::vector<ValueRef> &values, Program &program) {
  for (auto [name, value] : llvm::zip(names, values))
    program.set(name, value);
}

Status runFor(Operation *op, Program &program) {
  auto loop = cast<scf::ForOp>(op);
  int64_t upper = program.get(loop.getUpperBound()).integers.front();
  int64_t step = program.get(loop.getStep()).integers.front();
  if (step <= 0)
    return wrongProgram(op, "has step " + std::to_string(step));
  std::vector<ValueRef> carried = shareAll(loop.getInitArgs(), program);
  int64_t i = program.get(loop.getLowerBound()).integers.front();
  while (i < upper) {
    if (Status status = program.spend(1); !status)
      return status;
    Value index;
    index.integers = {i};
    program.set(loop.getInductionVar(), std::move(index));
    setAll(loop.getRegionIterArgs(), carried, program);
    if (Status status = program.run(*loop.getBody()); !status)
      return status;
    carried = std::move(program.handedOut);
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  setAll(loop.getResults(), carried, program);
  return Status::ok();
}

Status runIf(Operation *op, Program &program) {
  auto branch = cast<scf::IfOp>(op);
  bool taken = program.get(branch.getCondition()).integers.front() != 0;
  Region &region = taken ? branch.getThenRegion() : branch.getElseRegion();
  if (region.empty())
    return Status::ok();
  if (Status status = program.run(region.front()); !status)
    return status;
  setAll(branch.getResults(), program.handedOut, program);
  return Status::ok();
}

/// scf.condition hands out the condition first, then what the body or the results get.
Status runWhile(Operation *op, Program &program) {
  auto loop = cast<scf::WhileOp>(op);
  std::vector<ValueRef> carried = shareAll(loop.getInits(), program);
  while (true) {
    setAll(loop.getBeforeArguments(), carried, program);
    if (Status status = program.run(*loop.getBeforeBody()); !status)
      return status;
    std::vector<ValueRef> passed = std::move(program.handedOut);
    bool goesOn = passed.front()->integers.front() != 0;
    passed.erase(passed.begin());
    if (!goesOn) {
      setAll(loop.getResults(), passed, program);
      return Status::ok();
    }
    setAll(loop.getAfterArguments(), passed, program);
    if (Status status = program.run(*loop.getAfterBody()); !status)
      return status;
    carried = std::move(program.handedOut);
  }
}

} // namespace

void addControlFlow(OpTable &table) {
  table["tt.return"] = handOut;
  table["tt.reduce.return"] = handOut;
  table["scf.yield"] = handOut;
  table["scf.condition"] = handOut;
  table["scf.for"] = runFor;
  table["scf.if"] = runIf;
  table["scf.while"] = runWhile;
}

} // namespace tawa::reference
