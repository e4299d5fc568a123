// Value numbering by hashes of operations and operands, through loops.
#include "compiler/roles/prover/ValueEquivalence.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace tawa::verify {

/// Loads count as equal: the kernel does not write what both roles read to find their bounds (PartitionRoles).
static bool dependsOnOperandsOnly(Operation *op) {
  return op->getNumRegions() == 0 && (isMemoryEffectFree(op) || op->getName().getStringRef().contains("load") ||
                                      op->getName().getStringRef().contains("shuffle"));
}

uint64_t Identities::onlyItself(Value value) {
  return llvm::hash_combine(StringRef("only"), value.getAsOpaquePointer());
}

/// Induction variables of nested loops may have the same bounds; their depth tells them apart.
static unsigned depthOf(Operation *loop) {
  unsigned depth = 0;
  for (Operation *around = loop->getParentOp(); around; around = around->getParentOp())
    depth += isa<scf::ForOp, scf::WhileOp>(around);
  return depth;
}

uint64_t Identities::ofLoop(scf::ForOp loop) {
  return llvm::hash_combine(StringRef("loop"), of(loop.getLowerBound()), of(loop.getUpperBound()), of(loop.getStep()));
}

/// Equal conditions of values that begin alike and go on alike.
uint64_t Identities::ofLoop(scf::WhileOp loop) {
  return llvm::hash_combine(StringRef("while"), depthOf(loop), of(loop.getConditionOp().getCondition()));
}

uint64_t Identities::ofResult(OpResult result) {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return llvm::hash_combine(StringRef("if"), of(branch.getCondition()), of(branch.thenYield().getOperand(index)),
                              of(branch.elseYield().getOperand(index)));
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return llvm::hash_combine(StringRef("result"), of(loop.getRegionIterArgs()[index]));
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return llvm::hash_combine(StringRef("result"), ofLoop(loop), of(loop.getConditionOp().getArgs()[index]));
  if (!dependsOnOperandsOnly(op))
    return onlyItself(result);
  uint64_t identity = llvm::hash_combine(op->getName(), op->hashProperties(), result.getType(), index);
  for (Value operand : op->getOperands())
    identity = llvm::hash_combine(identity, of(operand));
  return identity;
}

/// Identified by its initial value and the expression of one iteration. Results found in between hold only inside it.
uint64_t Identities::ofCarried(BlockArgument argument, uint64_t start, Value next) {
  constexpr size_t kMostOpen = 4; // the work grows with the factorial of this
  if (auto found = open.find(argument); found != open.end())
    return llvm::hash_combine(start, found->second);
  if (open.size() == kMostOpen)
    return onlyItself(argument);
  open[argument] = open.size();
  llvm::DenseMap<Value, uint64_t> outside;
  std::swap(known, outside);
  uint64_t identity = of(next);
  known = std::move(outside);
  open.erase(argument);
  return llvm::hash_combine(start, identity);
}

uint64_t Identities::ofArgument(BlockArgument argument) {
  Operation *around = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::WhileOp>(around)) {
    if (argument.getOwner() == loop.getAfterBody())
      return of(loop.getConditionOp().getArgs()[number]); // of this iteration
    uint64_t start = llvm::hash_combine(StringRef("begun"), depthOf(loop), of(loop.getInits()[number]));
    return ofCarried(argument, start, loop.getYieldOp().getOperand(number));
  }
  if (auto loop = dyn_cast<scf::ForOp>(around)) {
    if (number == 0)
      return llvm::hash_combine(StringRef("induction"), depthOf(loop), ofLoop(loop));
    uint64_t start = llvm::hash_combine(StringRef("carried"), ofLoop(loop), of(loop.getInitArgs()[number - 1]));
    return ofCarried(argument, start, loop.getYieldedValues()[number - 1]);
  }
  bool isParameter = around->getNumResults() == 0 && around->getBlock() && isa<ModuleOp>(around->getParentOp());
  if (isParameter)
    return llvm::hash_combine(StringRef("parameter"), number);
  return onlyItself(argument);
}

uint64_t Identities::of(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  return known[value] = compute(value);
}

std::optional<uint64_t> Identities::given(Value value) {
  auto found = handed.find(value);
  if (found == handed.end())
    return std::nullopt;
  auto [origin, number] = found->second;
  return llvm::hash_combine(StringRef("handed on"), origin.getAsOpaquePointer(), of(number));
}

uint64_t Identities::compute(Value value) {
  if (auto identity = given(value))
    return *identity;
  auto result = dyn_cast<OpResult>(value);
  return result ? ofResult(result) : ofArgument(cast<BlockArgument>(value));
}

} // namespace tawa::verify
