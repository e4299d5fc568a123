// See Program.h.
#include "compiler/verify/Program.h"

#include "compiler/verify/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;

namespace tawa::verify {

//===--- Which values matter
//--------------------------------------------------------------------------------------------===//

using Kind = Instruction::Kind;

/// Operations whose result follows from their operands in a way that Number knows.
static bool isArithmetic(Operation *op) {
  return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp, arith::DivSIOp,
             arith::RemUIOp, arith::RemSIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRUIOp,
             arith::ShRSIOp, arith::CmpIOp, arith::SelectOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp,
             arith::IndexCastOp, arith::IndexCastUIOp>(op);
}

void Program::follow(Value start) {
  SmallVector<Value> pending{start};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!slots.try_emplace(value, -1).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument == loop.getInductionVar())
        continue;
      unsigned index = argument.getArgNumber() - 1;
      pending.append({loop.getInitArgs()[index], loop.getYieldedValues()[index]});
      continue;
    }
    Operation *op = value.getDefiningOp();
    unsigned index = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      pending.append({loop.getInitArgs()[index], loop.getRegionIterArgs()[index], loop.getYieldedValues()[index]});
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      pending.append({branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)});
    else if (isArithmetic(op) || model.isSpecial(op))
      pending.append(op->operand_begin(), op->operand_end());
  }
}

bool Program::isRelevant(Operation *op) {
  auto known = relevant.find(op);
  return known != relevant.end() && known->second;
}

void Program::followAll(Operation *kernel) {
  SmallVector<Value> values;
  kernel->walk([&](Operation *op) {
    if (!model.isEvent(op))
      return;
    model.follow(op, values);
    for (Operation *around = op; around != kernel; around = around->getParentOp()) {
      relevant[around] = true;
      if (model.joinsRoles(op))
        joining[around] = true;
    }
  });
  for (Value value : values)
    follow(value);
  findPeriod();
  for (auto [op, isEvent] : relevant)
    if (auto branch = dyn_cast<scf::IfOp>(op))
      follow(branch.getCondition());
}

/// Something that a loop carries, or that plus or minus something.
static bool isCounter(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    return loop && value != loop.getInductionVar();
  }
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return isCounter(op->getOperand(0)) || isCounter(op->getOperand(1));
  return isa<scf::ForOp, scf::IfOp>(op);
}

/// Counters are compared with small constants (delayed releases) and taken modulo the depths of rings.
void Program::findPeriod() {
  constexpr int64_t kMostCompared = 64, kMostPeriod = 4096;
  auto divideBy = [&](int64_t divisor) {
    int64_t longer = std::lcm(counting.length, 2 * divisor);
    counting.length = longer <= kMostPeriod ? longer : counting.length;
  };
  for (int64_t depth : model.depths())
    divideBy(depth);
  for (auto [value, slot] : slots) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumOperands() != 2 || !isCounter(op->getOperand(0)))
      continue;
    APInt constant;
    if (!matchPattern(op->getOperand(1), m_ConstantInt(&constant)) || constant.getSExtValue() <= 0)
      continue;
    int64_t number = constant.getSExtValue();
    if (isa<arith::CmpIOp, arith::SubIOp>(op) && number < kMostCompared)
      counting.start = std::max(counting.start, number + 1);
    if (isa<arith::RemUIOp, arith::RemSIOp, arith::DivUIOp, arith::DivSIOp>(op))
      divideBy(number);
  }
}

//===--- Code
//-----------------------------------------------------------------------------------------------------------===//

static std::optional<Arithmetic::Compare> comparison(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  using Compare = Arithmetic::Compare;
  switch (predicate) {
  case Predicate::eq:
    return Compare::Equal;
  case Predicate::ne:
    return Compare::NotEqual;
  case Predicate::slt:
  case Predicate::ult:
    return Compare::Less;
  case Predicate::sle:
  case Predicate::ule:
    return Compare::LessEqual;
  case Predicate::sgt:
  case Predicate::ugt:
    return Compare::Greater;
  case Predicate::sge:
  case Predicate::uge:
    return Compare::GreaterEqual;
  }
  return std::nullopt;
}

/// Gives false for operations that need not be executed.
bool Program::translate(Operation &op, Instruction &out) {
  out.op = &op;
  if (model.isEvent(&op)) {
    out.kind = Kind::Event;
    return true;
  }
  if (isRelevant(&op)) {
    out.kind = isa<scf::ForOp>(op) ? Kind::Loop : isa<scf::IfOp>(op) ? Kind::Branch : Kind::Role;
    return true;
  }
  bool wanted = llvm::any_of(op.getResults(), [&](Value result) { return slots.contains(result); });
  if (!wanted)
    return false;
  if (model.isSpecial(&op)) {
    out.kind = Kind::Special;
    return true;
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    out.kind = Kind::Compare;
    out.compare = *comparison(compare.getPredicate());
    return true;
  }
  auto kind = llvm::TypeSwitch<Operation *, std::optional<Kind>>(&op)
                  .Case<arith::AddIOp>([](auto) { return Kind::Add; })
                  .Case<arith::SubIOp>([](auto) { return Kind::Subtract; })
                  .Case<arith::MulIOp>([](auto) { return Kind::Multiply; })
                  .Case<arith::DivUIOp, arith::DivSIOp>([](auto) { return Kind::Divide; })
                  .Case<arith::RemUIOp, arith::RemSIOp>([](auto) { return Kind::Remainder; })
                  .Case<arith::AndIOp>([](auto) { return Kind::And; })
                  .Case<arith::OrIOp>([](auto) { return Kind::Or; })
                  .Case<arith::XOrIOp>([](auto) { return Kind::Xor; })
                  .Case<arith::ShLIOp>([](auto) { return Kind::ShiftLeft; })
                  .Case<arith::ShRUIOp, arith::ShRSIOp>([](auto) { return Kind::ShiftRight; })
                  .Case<arith::SelectOp>([](auto) { return Kind::Select; })
                  .Case<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(
                      [](auto) { return Kind::Copy; })
                  .Default([](Operation *) { return std::nullopt; });
  if (!kind)
    return false; // stays opaque
  out.kind = *kind;
  return true;
}

int Program::compile(Block &block) {
  int index = blocks.size();
  blocks.emplace_back();
  CodeBlock code;
  code.valuesBegin = numSlots;
  auto place = [&](Value value) -> int {
    auto found = slots.find(value);
    if (found == slots.end())
      return -1;
    return found->second = numSlots++;
  };
  for (BlockArgument argument : block.getArguments())
    if (int slot = place(argument); isa<scf::ForOp>(block.getParentOp()) && argument.getArgNumber() != 0) {
      code.arguments.push_back(slot);
      if (slot >= 0) {
        symbols[slot] = symbolLoops.size();
        symbolLoops.push_back(block.getParentOp());
      }
    }
  for (Operation &op : block) {
    APInt constant;
    if (matchPattern(&op, m_ConstantInt(&constant))) {
      if (auto slot = slots.find(op.getResult(0)); slot != slots.end()) {
        constants.push_back(constant.getBitWidth() == 1 ? constant.getZExtValue() : constant.getSExtValue());
        slot->second = -1 - static_cast<int>(constants.size());
      }
      continue;
    }
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      for (Value value : op.getOperands())
        code.yields.push_back(slotOf(value));
      break;
    }
    Instruction instruction;
    bool executed = translate(op, instruction);
    if (executed && instruction.kind >= Kind::Loop) {
      instruction.joinsRoles = joining.lookup(&op);
      loopDepth += isa<scf::ForOp>(op);
      instruction.depth = loopDepth;
      auto regionOf = [&](unsigned number) {
        bool exists = number < op.getNumRegions() && !op.getRegion(number).empty();
        return exists ? compile(op.getRegion(number).front()) : -1;
      };
      instruction.first = regionOf(0);
      instruction.second = regionOf(1);
      loopDepth -= isa<scf::ForOp>(op);
      if (auto loop = dyn_cast<scf::ForOp>(op))
        instruction.identity = identities.ofLoop(loop);
      if (auto branch = dyn_cast<scf::IfOp>(op)) {
        instruction.identity = identities.of(branch.getCondition());
        instruction.guarded = identityOfGuarded(branch);
      }
    }
    auto operands = isa<scf::ForOp>(op) ? cast<scf::ForOp>(op).getInitArgs() : op.getOperands();
    for (Value operand : operands)
      instruction.operands.push_back(slotOf(operand));
    for (Value result : op.getResults())
      instruction.results.push_back(place(result));
    if (executed)
      code.code.push_back(std::move(instruction));
  }
  code.valuesEnd = numSlots;
  blocks[index] = std::move(code);
  return index;
}

Program::Program(Operation *kernel, Model &model) : model(model) {
  followAll(kernel);
  entryBlock = compile(kernel->getRegion(0).front());
}

//===--- Equal bounds
//---------------------------------------------------------------------------------------------------===//

/// A role may ask whether its loop has any iterations before it comes to it: if (begin < end) { for (begin, end) }.
uint64_t Program::identityOfGuarded(scf::IfOp branch) {
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return 0;
  Value begin = compare.getLhs(), end = compare.getRhs();
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(begin, end);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return 0;
  for (auto loop : branch.thenBlock()->getOps<scf::ForOp>())
    if (joining.lookup(loop) && identities.of(loop.getLowerBound()) == identities.of(begin) &&
        identities.of(loop.getUpperBound()) == identities.of(end))
      return identities.ofLoop(loop);
  return 0;
}

} // namespace tawa::verify
