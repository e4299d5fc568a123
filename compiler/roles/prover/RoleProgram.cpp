// Computes the program slice of a role that its events depend on, and numbers its values.
#include "compiler/roles/prover/RoleProgram.h"

#include "compiler/frontend/TT/TT.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa::verify {

using Kind = RoleInstruction::Kind;

std::optional<int64_t> constantValue(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getBitWidth() == 1 ? constant.getZExtValue() : constant.getSExtValue();
}

//===--- Which values matter --------------------------------------------------------------------------------------===//

/// Operations whose result the prover computes.
static bool isNumber(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::CmpIOp, arith::AndIOp, arith::XOrIOp, arith::SelectOp, arith::ExtUIOp,
             arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp, tt::TransOp>(op);
}

/// What a `scf.while` carries from body to body under one name: the condition hands it on as it comes. The argument of
/// its first block; nothing for values that the condition computes.
static std::optional<unsigned> handedOn(scf::WhileOp loop, unsigned position) {
  auto argument = dyn_cast<BlockArgument>(loop.getConditionOp().getArgs()[position]);
  bool isOwn = argument && argument.getOwner() == loop.getBeforeBody();
  return isOwn ? std::optional(argument.getArgNumber()) : std::nullopt;
}

/// Of the values that a body of `scf.while` begins with, those among these that they are at first, or become.
static SmallVector<Value> carriedInto(scf::WhileOp loop, ValueRange values) {
  SmallVector<Value> carried;
  for (unsigned position = 0; position < loop.getNumResults(); ++position) {
    auto source = handedOn(loop, position);
    carried.push_back(source ? values[*source] : Value());
  }
  return carried;
}

static SmallVector<Value> sourcesOfWhile(scf::WhileOp loop, unsigned position) {
  Value init = carriedInto(loop, loop.getInits())[position];
  Value next = carriedInto(loop, loop.getYieldOp().getResults())[position];
  return init ? SmallVector<Value>{init, loop.getAfterArguments()[position], next} : SmallVector<Value>();
}

SmallVector<Value> RoleProgram::sourcesOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (auto loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp()))
      return argument.getOwner() == loop.getAfterBody() ? sourcesOfWhile(loop, argument.getArgNumber())
                                                        : SmallVector<Value>();
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return {};
    return {loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()};
  }
  Operation *op = value.getDefiningOp();
  unsigned index = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getInitArgs()[index], loop.getRegionIterArgs()[index], loop.getYieldedValues()[index]};
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return {branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return sourcesOfWhile(loop, index);
  auto select = dyn_cast<arith::SelectOp>(op);
  bool isNumberOfThese = isNumber(op) && !(select && countedLoop(select));
  return isNumberOfThese ? SmallVector<Value>(op->getOperands()) : SmallVector<Value>();
}

void RoleProgram::follow(Value start, std::optional<Channel> channel) {
  SmallVector<Value> pending{start};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    SmallVector<Value> sources = sourcesOf(value);
    bool isNumberOfRounds = value.getDefiningOp<arith::SelectOp>() && sources.empty(); // what is added to a counter
    auto [entry, isNew] = followed.try_emplace(value, std::nullopt);
    bool isCondition = value.getType().isInteger(1); // which a first put may be counted by
    bool isNews = channel && !entry->second && !isNumberOfRounds && !isCondition;
    if (!isNew && !isNews)
      continue;
    if (isNews)
      entry->second = channel;
    slots[value] = kUnknown;
    pending.append(sources);
  }
}

void RoleProgram::followAll(Block &role) {
  SmallVector<Operation *> found;
  role.walk([&](Operation *op) {
    if (!events.isEvent(op))
      return;
    found.push_back(op);
    for (Operation *around = op; around != role.getParentOp(); around = around->getParentOp())
      relevant.insert(around);
  });
  for (Operation *op : relevant)
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loopSteps[identities.of(loop.getUpperBound())] = loop.getStep();
  for (Operation *op : found)
    events.follow(op, [&](Value value, std::optional<Channel> channel) { follow(value, channel); });
  for (Operation *op : relevant)
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && !events.holdsForRole(branch.getCondition()))
      follow(branch.getCondition(), std::nullopt);
}

//===--- Code -----------------------------------------------------------------------------------------------------===//

void RoleProgram::place(Value value, int block) {
  auto found = followed.find(value);
  if (found == followed.end())
    return;
  slots[value] = numSlots++;
  channels.push_back(found->second);
  slotBlocks.push_back(block);
}

int RoleProgram::operandOf(Value value) {
  if (auto slot = slots.find(value); slot != slots.end() && slot->second >= 0)
    return slot->second;
  auto constant = followed.contains(value) ? constantValue(value) : std::nullopt;
  return constant ? constantOperand(*constant) : kUnknown;
}

int RoleProgram::constantOperand(int64_t value) {
  constants.push_back(value);
  return kUnknown - static_cast<int>(constants.size());
}

bool RoleProgram::translateNumber(Operation &op, RoleInstruction &out) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return translateCompare(compare, out);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (auto bounds = countedLoop(select)) {
      out.kind = Kind::CountRounds;
      out.rounds = roundsOf(bounds->begin, bounds->end, loopSteps.at(identities.of(bounds->end)));
      return true;
    }
  auto kind =
      llvm::TypeSwitch<Operation *, std::optional<Kind>>(&op)
          .Case<arith::AddIOp>([](auto) { return Kind::Add; })
          .Case<arith::SubIOp>([](auto) { return Kind::Subtract; })
          .Case<arith::AndIOp>([](auto) { return Kind::And; })
          .Case<arith::XOrIOp>([](auto) { return Kind::Xor; })
          .Case<arith::SelectOp>([](auto) { return Kind::Select; })
          .Case<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp, tt::TransOp>(
              [](auto) { return Kind::Copy; })
          .Default([](Operation *) { return std::nullopt; });
  out.kind = kind.value_or(Kind::Unknown);
  return kind.has_value();
}

bool RoleProgram::holdsEvents(Block &block) {
  return block
      .walk([&](Operation *op) { return relevant.contains(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

void RoleProgram::translateRegions(Operation &op, RoleInstruction &out) {
  auto regionOf = [&](unsigned number) {
    bool exists = number < op.getNumRegions() && !op.getRegion(number).empty();
    return exists ? compile(op.getRegion(number).front()) : -1;
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    out.kind = Kind::Loop;
    out.rounds = roundsOf(loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    out.kind = Kind::Branch;
    out.identity = identities.of(branch.getCondition());
    asked.push_back(out.identity);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op); loop && !holdsEvents(*loop.getBeforeBody())) {
    out.kind = Kind::Loop;
    out.rounds.identity = identities.ofLoop(loop);
    asked.push_back(out.rounds.identity);
    out.first = regionOf(1);
    return;
  } else {
    out.kind = Kind::Unknown;
    return;
  }
  out.first = regionOf(0);
  out.second = regionOf(1);
}

/// Returns false for operations that need not be executed.
bool RoleProgram::translate(Operation &op, RoleInstruction &out) {
  out.op = &op;
  if (events.isEvent(&op)) {
    events.translate(&op, out, [&](Value value) { return operandOf(value); });
    return true;
  }
  bool gives = llvm::any_of(op.getResults(), [&](Value value) { return followed.contains(value); });
  if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op) ? gives || relevant.contains(&op) : relevant.contains(&op)) {
    translateRegions(op, out);
    return true;
  }
  return gives && translateNumber(op, out);
}

int RoleProgram::compile(Block &block) {
  int index = blocks.size();
  blocks.emplace_back();
  RoleBlock code;
  code.valuesBegin = numSlots;
  if (auto loop = dyn_cast<scf::ForOp>(block.getParentOp())) {
    code.loop = loop;
    for (BlockArgument argument : block.getArguments().drop_front()) {
      place(argument, index);
      code.arguments.push_back(operandOf(argument));
    }
  }
  auto whileLoop = dyn_cast<scf::WhileOp>(block.getParentOp());
  if (whileLoop) {
    code.loop = whileLoop;
    for (BlockArgument argument : block.getArguments()) {
      place(argument, index);
      code.arguments.push_back(operandOf(argument));
    }
  }
  auto operandsOf = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return value ? operandOf(value) : kUnknown; });
  };
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      llvm::append_range(code.yields, whileLoop ? operandsOf(carriedInto(whileLoop, op.getOperands()))
                                                : operandsOf(op.getOperands()));
      break;
    }
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    RoleInstruction instruction;
    bool executed = translate(op, instruction);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      llvm::append_range(instruction.operands, operandsOf(carriedInto(loop, loop.getInits())));
    else
      llvm::append_range(instruction.operands,
                         operandsOf(isa<scf::ForOp>(op) ? cast<scf::ForOp>(op).getInitArgs() : op.getOperands()));
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && events.holdsForRole(branch.getCondition()))
      instruction.operands = {constantOperand(1)};
    for (Value result : op.getResults()) {
      place(result, index);
      instruction.results.push_back(operandOf(result));
    }
    if (executed)
      code.code.push_back(std::move(instruction));
  }
  code.valuesEnd = numSlots;
  blocks[index] = std::move(code);
  return index;
}

/// Inner blocks have higher numbers than their parents.
void RoleProgram::noteUses() {
  lastUses.assign(blocks.size(), std::vector<int>(numSlots, -1));
  for (int index = static_cast<int>(blocks.size()) - 1; index >= 0; --index) {
    std::vector<int> &last = lastUses[index];
    auto use = [&](llvm::ArrayRef<int> operands, int at) {
      for (int slot : operands)
        if (slot >= 0)
          last[slot] = at;
    };
    for (auto [at, instruction] : llvm::enumerate(blocks[index].code)) {
      use(instruction.operands, at);
      use({instruction.number.operand, instruction.condition.value_or(kUnknown)}, at);
      for (const auto &[ring, number] : instruction.tiles)
        use(number.operand, at);
      for (int inner : {instruction.first, instruction.second})
        for (int slot = 0; inner >= 0 && slot < blocks[index].valuesEnd; ++slot)
          if (lastUses[inner][slot] >= 0)
            last[slot] = at;
    }
    use(blocks[index].yields, blocks[index].code.size());
  }
}

/// Constants that stand for a number of puts or gets.
void RoleProgram::noteConstants() {
  constexpr int64_t kMost = 64; // larger constants are other sizes
  auto note = [&](int operand) {
    if (operand < kUnknown && constantOf(operand) < kMost)
      largest = std::max(largest, constantOf(operand));
  };
  auto noteNumber = [&](const TileNumber &number) {
    note(number.operand);
    largest = std::max<int64_t>(largest, number.modulus > 1 ? number.remainder + number.modulus : 0);
  };
  auto noteBeside = [&](llvm::ArrayRef<int> counters, llvm::ArrayRef<int> operands) {
    for (auto [counter, operand] : llvm::zip(counters, operands))
      if (counter >= 0 && channels[counter])
        note(operand);
  };
  for (const RoleBlock &block : blocks)
    for (const RoleInstruction &instruction : block.code) {
      const auto &operands = instruction.operands;
      noteNumber(instruction.number);
      for (const auto &[ring, number] : instruction.tiles)
        noteNumber(number);
      if (instruction.kind == Kind::Compare)
        note(operands[1]);
      if (instruction.kind == Kind::Loop) {
        noteBeside(blocks[instruction.first].arguments, operands);
        noteBeside(blocks[instruction.first].arguments, blocks[instruction.first].yields);
      }
      if (instruction.kind == Kind::Branch)
        for (int branch : {instruction.first, instruction.second})
          if (branch >= 0)
            noteBeside(instruction.results, blocks[branch].yields);
    }
}

RoleProgram::RoleProgram(Block &role, const RoleEvents &events, Identities &identities)
    : events(events), identities(identities) {
  followAll(role);
  entryBlock = compile(role);
  noteUses();
  noteConstants();
}

} // namespace tawa::verify
