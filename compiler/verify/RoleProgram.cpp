// See RoleProgram.h.
#include "compiler/verify/RoleProgram.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tawa::verify {

using Kind = RoleInstruction::Kind;

static std::optional<int64_t> constantValue(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getBitWidth() == 1 ? constant.getZExtValue() : constant.getSExtValue();
}

static bool isSame(Value a, Value b) {
  auto left = constantValue(a);
  return a == b || (left && left == constantValue(b));
}

//===--- Which values matter
//--------------------------------------------------------------------------------------------===//

/// What hands a value on under another name: its operand or yield lies where its result does.
bool RoleProgram::handsOn(Operation *op) const {
  return isa<tt::TransOp>(op) || op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>();
}

/// From each get through views, branches and loops.
void RoleProgram::findTiles(Operation *role) {
  SmallVector<Value> pending;
  role->walk([&](ws::GetOp get) { llvm::append_range(pending, get.getValues()); });
  while (!pending.empty()) {
    Value tile = pending.pop_back_val();
    if (!tiles.insert(tile).second)
      continue;
    for (OpOperand &use : tile.getUses()) {
      Operation *user = use.getOwner();
      if (isa<tt::TransOp>(user)) {
        pending.push_back(user->getResult(0));
      } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
        pending.push_back(loop.getTiedLoopRegionIterArg(&use));
        pending.push_back(loop.getTiedLoopResult(&use));
      } else if (isa<scf::YieldOp>(user)) {
        Operation *around = user->getParentOp();
        pending.push_back(around->getResult(use.getOperandNumber()));
        if (auto loop = dyn_cast<scf::ForOp>(around))
          pending.push_back(loop.getRegionIterArg(use.getOperandNumber()));
      }
    }
  }
}

bool RoleProgram::isEvent(Operation *op) const {
  if (isa<ws::PutOp, ws::GetOp, ws::ConsumedOp, ws::DotBeginOp, ws::DotIssueOp, ws::DotWaitOp, ws::AwaitTurnOp,
          ws::PassTurnOp>(op))
    return true;
  return !handsOn(op) && llvm::any_of(op->getOperands(), [&](Value operand) { return tiles.contains(operand); });
}

/// Operations whose result the prover computes.
static bool isNumber(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::CmpIOp, arith::AndIOp, arith::XOrIOp, arith::SelectOp, arith::ExtUIOp,
             arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp, tt::TransOp>(op);
}

SmallVector<Value> RoleProgram::sourcesOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
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
    bool isNews = channel && !entry->second && !isNumberOfRounds;
    if (!isNew && !isNews)
      continue;
    if (isNews)
      entry->second = channel;
    slots[value] = kUnknown;
    pending.append(sources);
  }
}

void RoleProgram::followEvent(Operation *op) {
  for (Value operand : op->getOperands()) {
    bool isCondition = operand.getType().isInteger(1) && isa<ws::ConsumedOp, ws::AwaitTurnOp, ws::PassTurnOp>(op);
    if (isCondition || isa<ws::InflightType>(operand.getType()) || tiles.contains(operand))
      follow(operand, std::nullopt);
  }
  for (Value result : op->getResults())
    if (isa<ws::InflightType>(result.getType()) || tiles.contains(result))
      follow(result, std::nullopt);
  if (isa<ws::PutOp, ws::GetOp, ws::ConsumedOp>(op))
    follow(op->getOperand(1), Channel{rings.at(op->getOperand(0)), isa<ws::PutOp>(op)});
}

void RoleProgram::followAll(Operation *role) {
  SmallVector<Operation *> events;
  role->walk([&](Operation *op) {
    if (!isEvent(op))
      return;
    events.push_back(op);
    for (Operation *around = op; around != role; around = around->getParentOp())
      relevant.insert(around);
  });
  for (Operation *op : relevant)
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loopSteps[identities.of(loop.getUpperBound())] = loop.getStep();
  llvm::for_each(events, [&](Operation *op) { followEvent(op); });
  for (Operation *op : relevant)
    if (auto branch = dyn_cast<scf::IfOp>(op))
      follow(branch.getCondition(), std::nullopt);
}

//===--- Code
//-----------------------------------------------------------------------------------------------------------===//

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
  if (!constant)
    return kUnknown;
  constants.push_back(*constant);
  return kUnknown - static_cast<int>(constants.size());
}

/// Leading iterations that are left out, and the last one that is, do not make another loop of it.
Rounds RoleProgram::roundsOf(Value begin, Value end, Value step) {
  Rounds rounds;
  auto minus = end.getDefiningOp<arith::SubIOp>();
  while (minus && isSame(minus.getRhs(), step)) {
    ++rounds.skipped;
    end = minus.getLhs();
    minus = end.getDefiningOp<arith::SubIOp>();
  }
  auto plus = begin.getDefiningOp<arith::AddIOp>();
  while (plus && isSame(plus.getRhs(), step)) {
    ++rounds.skipped;
    begin = plus.getLhs();
    plus = begin.getDefiningOp<arith::AddIOp>();
  }
  auto first = constantValue(begin), stride = constantValue(step);
  uint64_t from = identities.of(begin);
  if (first && stride && *first >= 0 && *stride > 0) {
    rounds.skipped += *first / *stride;
    from = llvm::hash_combine(StringRef("constant"), *first % *stride);
    constexpr int64_t kMostConstant = 32; // each is followed by itself
    auto last = constantValue(end);
    int64_t count = last ? llvm::divideCeil(std::max<int64_t>(0, *last - *first % *stride), *stride) : -1;
    rounds.constant = count <= kMostConstant ? count : -1;
  }
  rounds.identity = llvm::hash_combine(StringRef("rounds"), from, identities.of(end), identities.of(step));
  asked.push_back(rounds.identity);
  return rounds;
}

bool RoleProgram::translateEvent(Operation &op, RoleInstruction &out) {
  out.kind = llvm::TypeSwitch<Operation *, Kind>(&op)
                 .Case<ws::PutOp>([](auto) { return Kind::Put; })
                 .Case<ws::GetOp>([](auto) { return Kind::Get; })
                 .Case<ws::ConsumedOp>([](auto) { return Kind::Release; })
                 .Case<ws::DotBeginOp>([](auto) { return Kind::Begin; })
                 .Case<ws::DotIssueOp>([](auto) { return Kind::Issue; })
                 .Case<ws::DotWaitOp>([](auto) { return Kind::Wait; })
                 .Case<ws::AwaitTurnOp>([&](auto turn) { return out.ring = turn.getTurn(), Kind::AwaitTurn; })
                 .Case<ws::PassTurnOp>([&](auto turn) { return out.ring = turn.getTurn(), Kind::PassTurn; })
                 .Default([](Operation *) { return Kind::Read; });
  if (isa<ws::PutOp, ws::GetOp, ws::ConsumedOp>(op))
    out.ring = rings.at(op.getOperand(0));
  return true;
}

/// Comparisons of a loop's bounds ask how often it goes round; others are of numbers.
bool RoleProgram::translateCompare(arith::CmpIOp op, RoleInstruction &out) {
  using Predicate = arith::CmpIPredicate;
  Value left = op.getLhs(), right = op.getRhs();
  auto aroundOf = [&](Value induction) {
    auto argument = dyn_cast<BlockArgument>(induction);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
    return loop && argument == loop.getInductionVar() ? loop : scf::ForOp();
  };
  Predicate predicate = op.getPredicate();
  if (auto loop = aroundOf(left);
      loop && isSame(right, loop.getLowerBound()) && (predicate == Predicate::eq || predicate == Predicate::ne)) {
    out.kind = Kind::IsFirst;
    out.loop = loop;
    out.negated = predicate == Predicate::ne;
    return true;
  }
  auto rest = left.getDefiningOp<arith::SubIOp>();
  if (auto loop = rest ? aroundOf(rest.getRhs()) : scf::ForOp(); loop && predicate == Predicate::sgt &&
                                                                 isSame(rest.getLhs(), loop.getUpperBound()) &&
                                                                 isSame(right, loop.getStep())) {
    out.kind = Kind::IsNotLast;
    out.loop = loop;
    return true;
  }
  if (predicate == Predicate::sgt)
    std::swap(left, right);
  bool isLess = predicate == Predicate::slt || predicate == Predicate::sgt;
  auto step = isLess ? loopSteps.find(identities.of(right)) : loopSteps.end();
  if (step != loopSteps.end()) {
    out.kind = Kind::AnyRounds;
    out.rounds = roundsOf(left, right, step->second);
    return true;
  }
  out.kind = Kind::Compare;
  return true;
}

namespace {

/// A sum of values, each so many times, and a constant.
struct LinearSum {
  llvm::SmallMapVector<Value, int64_t, 4> times;
  int64_t constant = 0;

  void add(Value value, int64_t factor) {
    if (auto number = constantValue(value)) {
      constant += factor * *number;
    } else if (Operation *op = value.getDefiningOp(); op && isa<arith::AddIOp, arith::SubIOp>(op)) {
      add(op->getOperand(0), factor);
      add(op->getOperand(1), isa<arith::AddIOp>(op) ? factor : -factor);
    } else {
      times[value] += factor;
    }
  }
  bool isZero() const {
    return constant == 0 && llvm::all_of(times, [](const auto &entry) { return entry.second == 0; });
  }
};

Value withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

} // namespace

/// The bounds of a loop of this role whose rounds are counted: begin < end ? (end - begin + step - 1) / step : 0.
std::optional<RoleProgram::Bounds> RoleProgram::countedLoop(arith::SelectOp select) {
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || constantValue(select.getFalseValue()) != 0)
    return std::nullopt;
  Bounds bounds{compare.getLhs(), compare.getRhs()};
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(bounds.begin, bounds.end);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return std::nullopt;
  auto step = loopSteps.find(identities.of(bounds.end));
  if (step == loopSteps.end())
    return std::nullopt;
  Value count = withoutCasts(select.getTrueValue());
  auto divide = count.getDefiningOp<arith::DivUIOp>();
  if (!divide && constantValue(step->second) != 1)
    return std::nullopt;
  if (divide && !isSame(divide.getRhs(), step->second))
    return std::nullopt;
  LinearSum difference; // of what is divided, and what should be
  difference.add(divide ? divide.getLhs() : count, 1);
  difference.add(bounds.end, -1);
  difference.add(bounds.begin, 1);
  difference.add(step->second, -1);
  ++difference.constant;
  return difference.isZero() ? std::optional(bounds) : std::nullopt;
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
  } else {
    out.kind = Kind::Unknown;
    return;
  }
  out.first = regionOf(0);
  out.second = regionOf(1);
}

/// Gives false for operations that need not be executed.
bool RoleProgram::translate(Operation &op, RoleInstruction &out) {
  out.op = &op;
  if (isEvent(&op))
    return translateEvent(op, out);
  bool gives = llvm::any_of(op.getResults(), [&](Value value) { return followed.contains(value); });
  if (isa<scf::ForOp, scf::IfOp>(op) ? gives || relevant.contains(&op) : relevant.contains(&op)) {
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
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      for (Value value : op.getOperands())
        code.yields.push_back(operandOf(value));
      break;
    }
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    RoleInstruction instruction;
    bool executed = translate(op, instruction);
    auto operands = isa<scf::ForOp>(op) ? cast<scf::ForOp>(op).getInitArgs() : op.getOperands();
    for (Value operand : operands)
      instruction.operands.push_back(operandOf(operand));
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

/// Inner blocks have higher numbers than those around them.
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
      for (int inner : {instruction.first, instruction.second})
        for (int slot = 0; inner >= 0 && slot < blocks[index].valuesEnd; ++slot)
          if (lastUses[inner][slot] >= 0)
            last[slot] = at;
    }
    use(blocks[index].yields, blocks[index].code.size());
  }
}

/// Those that stand for a number of puts or gets.
void RoleProgram::noteConstants() {
  constexpr int64_t kMost = 64; // larger ones are sizes of something else
  auto note = [&](int operand) {
    if (operand < kUnknown && constantOf(operand) < kMost)
      largest = std::max(largest, constantOf(operand));
  };
  auto noteBeside = [&](llvm::ArrayRef<int> counters, llvm::ArrayRef<int> operands) {
    for (auto [counter, operand] : llvm::zip(counters, operands))
      if (counter >= 0 && channels[counter])
        note(operand);
  };
  for (const RoleBlock &block : blocks)
    for (const RoleInstruction &instruction : block.code) {
      const auto &operands = instruction.operands;
      if (instruction.kind == Kind::Put || instruction.kind == Kind::Get || instruction.kind == Kind::Release)
        note(operands[1]);
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

RoleProgram::RoleProgram(ws::WarpGroupOp role, const llvm::DenseMap<Value, unsigned> &rings, Identities &identities)
    : rings(rings), identities(identities) {
  findTiles(role);
  followAll(role);
  entryBlock = compile(role.getBody().front());
  noteUses();
  noteConstants();
}

} // namespace tawa::verify
