// scf, cf, calls, and the terminators, most of which only forward values out of their block.
#include "compiler/reference/Program.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

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

//===--- Branches and calls ---------------------------------------------------------------------------------------===//

void goTo(Block *target, ValueRange operands, Program &program) {
  setAll(target->getArguments(), shareAll(operands, program), program);
  program.next = target;
}

Status branch(Operation *op, Program &program) {
  auto jump = cast<cf::BranchOp>(op);
  goTo(jump.getDest(), jump.getDestOperands(), program);
  return Status::ok();
}

Status conditionalBranch(Operation *op, Program &program) {
  auto jump = cast<cf::CondBranchOp>(op);
  if (program.integer(jump.getCondition()) != 0)
    goTo(jump.getTrueDest(), jump.getTrueDestOperands(), program);
  else
    goTo(jump.getFalseDest(), jump.getFalseDestOperands(), program);
  return Status::ok();
}

Status switchBranch(Operation *op, Program &program) {
  auto jump = cast<cf::SwitchOp>(op);
  int64_t flag = program.integer(jump.getFlag());
  if (std::optional<DenseIntElementsAttr> cases = jump.getCaseValues())
    for (auto [index, value] : llvm::enumerate(cases->getValues<APInt>()))
      if (value.getSExtValue() == flag) {
        goTo(jump.getCaseDestinations()[index], jump.getCaseOperands(index), program);
        return Status::ok();
      }
  goTo(jump.getDefaultDestination(), jump.getDefaultOperands(), program);
  return Status::ok();
}

Status call(Operation *op, Program &program) {
  auto callOp = cast<tt::CallOp>(op);
  auto callee = SymbolTable::lookupNearestSymbolFrom<tt::FuncOp>(op, callOp.getCalleeAttr());
  if (!callee || callee.isExternal())
    return unsupported(op, " of a function that the text does not have");
  if (Status status = program.call(callee, shareAll(callOp.getSrcs(), program)); !status)
    return status;
  setAll(op->getResults(), program.handedOut, program);
  return Status::ok();
}

//===--- scf ------------------------------------------------------------------------------------------------------===//

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

/// scf.condition yields the condition first, then the arguments of the body or the results.
Status runWhile(Operation *op, Program &program) {
  auto loop = cast<scf::WhileOp>(op);
  std::vector<ValueRef> carried = shareAll(loop.getInits(), program);
  while (true) {
    setAll(loop.getBeforeArguments(), carried, program);
    if (Status status = program.spend(1); !status)
      return status;
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

//===--- What a program says of itself ----------------------------------------------------------------------------===//

bool allTrue(const Value &condition) {
  return llvm::all_of(condition.integers, [](int64_t element) { return element != 0; });
}

Status checkAssertion(Operation *op, Program &program) {
  auto assertion = cast<tt::AssertOp>(op);
  if (allTrue(program.get(assertion.getCondition())))
    return Status::ok();
  return wrongProgram(op, "fails: " + assertion.getMessage().str());
}

Status checkAssumption(Operation *op, Program &program) {
  return allTrue(program.get(op->getOperand(0))) ? Status::ok() : wrongProgram(op, "assumes what is not so");
}

Status nothing(Operation *, Program &) { return Status::ok(); }

} // namespace

void addControlFlow(OpTable &table) {
  table["tt.assert"] = checkAssertion;
  table["llvm.intr.assume"] = checkAssumption;
  table["tt.print"] = nothing; // what is printed is no result
  table["tt.debug_barrier"] = nothing;
  table["cf.br"] = branch;
  table["cf.cond_br"] = conditionalBranch;
  table["cf.switch"] = switchBranch;
  table["tt.call"] = call;
  table["tt.scan.return"] = handOut;
  table["tt.map_elementwise.return"] = handOut;
  table["tt.return"] = handOut;
  table["tt.reduce.return"] = handOut;
  table["scf.yield"] = handOut;
  table["scf.condition"] = handOut;
  table["scf.for"] = runFor;
  table["scf.if"] = runIf;
  table["scf.while"] = runWhile;
}

} // namespace tawa::reference
