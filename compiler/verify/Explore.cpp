// See Explore.h. README.md says why finitely many states stand for all runs, and why one order of execution for all.
//
// Agents run until each is at its end, blocked, or at a choice: the head of a loop or a condition that is not known.
// Roles make equal choices together. A state at a choice that was met before is not continued again.
#include "compiler/verify/Explore.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <unordered_map>
#include <utility>

namespace tawa::verify {

namespace {

using Kind = Instruction::Kind;
using Key = std::vector<uint64_t>;

struct KeyHash {
  size_t operator()(const Key &key) const { return llvm::hash_combine_range(key.begin(), key.end()); }
};

class Explorer {
public:
  Explorer(const Program &program, Model &model, Protocol &protocol, bool isCoarse)
      : program(program), model(model), protocol(protocol), isCoarse(isCoarse) {}

  Verdict run(unsigned entryRegisters);

private:
  // One agent
  Step step(World &world, unsigned agent);
  Step enter(World &world, unsigned agent, const Instruction &instruction);
  Step leaveBlock(World &world, unsigned agent);
  Step enterBranch(World &world, unsigned agent, const Instruction &instruction);
  void leaveBranch(AgentCursor &cursor, const CodeBlock &left, const Instruction &branch, Lanes ran);
  void forgetStart(AgentCursor &cursor, int symbol, Number &counter);
  void arriveAtLoop(AgentCursor &cursor, const Instruction &loop, llvm::ArrayRef<Number> carried);
  /// Another iteration or the end of the loop; one branch or the other.
  void choose(AgentCursor &cursor, bool first);
  Number evaluate(World &world, unsigned agent, const Instruction &instruction);
  llvm::SmallVector<Number> read(const AgentCursor &cursor, llvm::ArrayRef<int> slots) const {
    llvm::SmallVector<Number> numbers;
    for (int slot : slots)
      numbers.push_back(readSlot(program, cursor, slot));
    return numbers;
  }
  const Instruction &at(const AgentCursor &cursor) const {
    const Frame &frame = cursor.frames.back();
    return program.block(frame.block).code[frame.index];
  }
  bool atEnd(const AgentCursor &cursor) const { return cursor.frames.empty(); }

  // All of them
  bool runToChoices(World &world);
  const Instruction &chosenAt(const AgentCursor &cursor) const;
  bool chooseAlike(const AgentCursor &a, const AgentCursor &b) const;
  llvm::SmallVector<unsigned> choosersOf(const World &world);
  void reportStuck(const World &world);
  Key describe(const World &world) const;
  void meet(World world);
  void proceed(World world);

  struct Place {
    World world;
    bool isOpen;
  };
  const Program &program;
  Model &model;
  Protocol &protocol;
  bool isCoarse; ///< Forgets what hardly ever matters, for fewer states.
  std::unordered_map<Key, size_t, KeyHash> met;
  std::deque<Place> places;
  std::deque<size_t> open;
  Verdict verdict;
};

//===--- One agent
//------------------------------------------------------------------------------------------------------===//

Number Explorer::evaluate(World &world, unsigned agent, const Instruction &instruction) {
  AgentCursor &cursor = world.cursors[agent];
  Arithmetic arithmetic(program.period(), cursor.symbols);
  auto operand = [&](unsigned index) { return readSlot(program, cursor, instruction.operands[index]); };
  switch (instruction.kind) {
  case Kind::Add:
    return arithmetic.add(operand(0), operand(1));
  case Kind::Subtract:
    return arithmetic.subtract(operand(0), operand(1));
  case Kind::Multiply:
    return arithmetic.multiply(operand(0), operand(1));
  case Kind::Divide:
    return arithmetic.divide(operand(0), operand(1));
  case Kind::Remainder:
    return arithmetic.remainder(operand(0), operand(1));
  case Kind::And:
    return arithmetic.bitAnd(operand(0), operand(1));
  case Kind::Or:
    return arithmetic.bitOr(operand(0), operand(1));
  case Kind::Xor:
    return arithmetic.bitXor(operand(0), operand(1));
  case Kind::ShiftLeft:
    return arithmetic.shiftLeft(operand(0), operand(1));
  case Kind::ShiftRight:
    return arithmetic.shiftRight(operand(0), operand(1));
  case Kind::Compare:
    return arithmetic.compare(instruction.compare, operand(0), operand(1));
  case Kind::Select:
    return arithmetic.select(operand(0), operand(1), operand(2));
  case Kind::Copy:
    return operand(0);
  default:
    const Frame &frame = cursor.frames.back();
    return model.evaluate({world, protocol, program, instruction, agent, frame.lanes, frame.someLanes});
  }
}

static void forgetInside(AgentCursor &cursor, const CodeBlock &block) {
  std::fill(cursor.values.begin() + block.valuesBegin, cursor.values.begin() + block.valuesEnd, Number());
}

static void assign(AgentCursor &cursor, llvm::ArrayRef<int> slots, llvm::ArrayRef<Number> numbers) {
  for (auto [slot, number] : llvm::zip(slots, numbers))
    if (slot >= 0)
      cursor.values[slot] = number;
}

/// A counter has left the value it had when its loop was entered far behind: from now on that is only known to be
/// smaller, not which of its classes it was of. Saves a factor of states in nested loops.
void Explorer::forgetStart(AgentCursor &cursor, int symbol, Number &counter) {
  const Period &period = program.period();
  int start = counter.symbol;
  int64_t distance = counter.offset;
  int64_t least = cursor.symbols[start] + distance;
  cursor.symbols[symbol] = period.start + (least - period.start) % period.length;
  for (Number &number : cursor.values) {
    if (!number.isInteger() || number.symbol != start)
      continue;
    bool isStart = number.step == 0 && number.spread == 0 && !number.shared && number.offset <= 0;
    number = isStart ? Number::exact(number.offset - period.start) : Number();
    number.symbol = static_cast<int16_t>(isStart ? symbol : -1);
    number.step = isStart ? -1 : 0;
  }
  counter = Number::exact(0);
  counter.symbol = static_cast<int16_t>(symbol);
}

/// Only what the loop carries is still known there, and that no more exactly than later iterations need it.
void Explorer::arriveAtLoop(AgentCursor &cursor, const Instruction &loop, llvm::ArrayRef<Number> carried) {
  const CodeBlock &body = program.block(loop.first);
  Arithmetic arithmetic(program.period(), cursor.symbols);
  // Numbers that outer loops still know exactly stay behind those of this loop by more than is asked for.
  const int64_t start = program.period().start;
  llvm::SmallVector<Number> numbers;
  for (Number number : carried) {
    mlir::Operation *symbolLoop = number.symbol < 0 ? nullptr : program.loopOfSymbol(number.symbol);
    if (symbolLoop && !symbolLoop->isProperAncestor(loop.op))
      number = arithmetic.resolve(number);
    int64_t from = number.symbol >= 0 ? start : start * loop.depth;
    numbers.push_back(number.isInteger() ? arithmetic.widen(number, from) : number);
  }
  forgetInside(cursor, body);
  for (auto [slot, number] : llvm::zip(body.arguments, numbers)) {
    if (slot < 0)
      continue;
    bool needsSymbol = number.isInteger() && number.symbol < 0 && number.step == program.period().length;
    int symbol = program.symbolOf(slot);
    bool leftBehind = number.isInteger() && number.symbol >= 0 && number.step == program.period().length;
    if (leftBehind && isCoarse) {
      forgetStart(cursor, symbol, number);
    } else if (needsSymbol) {
      cursor.symbols[symbol] = number.offset;
      number = Number::exact(0);
      number.symbol = static_cast<int16_t>(symbol);
    }
    cursor.values[slot] = number;
  }
  cursor.choice = Choice::Iteration;
  cursor.isFirstIteration = false;
}

/// What is yielded is known where all lanes went the same way.
void Explorer::leaveBranch(AgentCursor &cursor, const CodeBlock &left, const Instruction &branch, Lanes ran) {
  llvm::SmallVector<Number> yielded = read(cursor, left.yields);
  if (ran != cursor.frames.back().lanes)
    std::fill(yielded.begin(), yielded.end(), Number());
  forgetInside(cursor, left);
  assign(cursor, branch.results, yielded);
  ++cursor.frames.back().index;
}

Step Explorer::leaveBlock(World &world, unsigned agent) {
  AgentCursor &cursor = world.cursors[agent];
  const CodeBlock &left = program.block(cursor.frames.back().block);
  if (cursor.frames.size() == 1) {
    mlir::Operation *last = left.code.empty() ? nullptr : left.code.back().op;
    if (protocol.finish({world.protocol, agent, kAllLanes, last}) == Step::Failed)
      return Step::Failed;
    cursor = {}; // nothing of it is needed any more
    return Step::Done;
  }
  int leftBlock = cursor.frames.back().block;
  Lanes ran = cursor.frames.back().lanes;
  bool some = cursor.frames.back().someLanes;
  cursor.frames.pop_back();
  const Instruction &around = at(cursor);
  if (around.kind == Kind::Loop) {
    llvm::SmallVector<Number> carried = read(cursor, left.yields);
    cursor.frames.push_back({leftBlock, 0, ran, some});
    arriveAtLoop(cursor, around, carried);
    return Step::Done;
  }
  Lanes rest = cursor.frames.back().lanes & ~ran;
  if (around.kind == Kind::Branch && leftBlock == around.first && around.second >= 0 && rest != 0) {
    forgetInside(cursor, left);
    cursor.frames.push_back({around.second, 0, rest, some});
    return Step::Done;
  }
  leaveBranch(cursor, left, around, ran);
  return Step::Done;
}

/// A condition that is known, or that holds in lanes that are, needs no choice.
Step Explorer::enterBranch(World &world, unsigned agent, const Instruction &instruction) {
  AgentCursor &cursor = world.cursors[agent];
  Frame frame = cursor.frames.back();
  Number condition = readSlot(program, cursor, instruction.operands[0]);
  Lanes yes = frame.lanes;
  if (auto value = condition.constant()) {
    yes = *value ? frame.lanes : 0;
  } else if (condition.kind == Number::Kind::InLanes) {
    yes = frame.lanes & condition.lanes;
  } else if (condition.kind == Number::Kind::InSome) {
    frame.someLanes = true; // only what may be done by any lanes is allowed in there
  } else {
    cursor.choice = Choice::Condition;
    return Step::Done;
  }
  if (yes != 0)
    cursor.frames.push_back({instruction.first, 0, yes, frame.someLanes});
  else if (instruction.second >= 0)
    cursor.frames.push_back({instruction.second, 0, frame.lanes, frame.someLanes});
  else
    ++cursor.frames.back().index;
  return Step::Done;
}

Step Explorer::enter(World &world, unsigned agent, const Instruction &instruction) {
  AgentCursor &cursor = world.cursors[agent];
  Frame frame = cursor.frames.back();
  if (instruction.kind == Kind::Branch)
    return enterBranch(world, agent, instruction);
  if (instruction.kind == Kind::Role) {
    if (!model.isRole(instruction.op))
      return protocol.fail(instruction.op, "control flow other than loops and conditions is not followed");
    if (model.enters(instruction.op, agent))
      cursor.frames.push_back({instruction.first, 0, frame.lanes, frame.someLanes});
    else
      ++cursor.frames.back().index;
    return Step::Done;
  }
  llvm::SmallVector<Number> inits = read(cursor, instruction.operands);
  cursor.frames.push_back({instruction.first, 0, frame.lanes, frame.someLanes});
  arriveAtLoop(cursor, instruction, inits);
  cursor.isFirstIteration = true;
  if (cursor.entered == instruction.identity) { // a condition around it has said so
    cursor.entered = 0;
    cursor.choice = Choice::None;
  }
  return Step::Done;
}

Step Explorer::step(World &world, unsigned agent) {
  AgentCursor &cursor = world.cursors[agent];
  Frame &frame = cursor.frames.back();
  ++verdict.steps;
  if (frame.index == static_cast<int>(program.block(frame.block).code.size()))
    return leaveBlock(world, agent);
  const Instruction &instruction = at(cursor);
  if (instruction.kind >= Kind::Loop)
    return enter(world, agent, instruction);
  if (instruction.kind == Kind::Event) {
    Step done = model.execute({world, protocol, program, instruction, agent, frame.lanes, frame.someLanes});
    if (done != Step::Done)
      return done;
  } else if (int slot = instruction.results[0]; slot >= 0) {
    cursor.values[slot] = evaluate(world, agent, instruction);
  }
  ++frame.index;
  return Step::Done;
}

void Explorer::choose(AgentCursor &cursor, bool first) {
  Choice choice = std::exchange(cursor.choice, Choice::None);
  cursor.isFirstIteration = false;
  if (choice == Choice::Iteration) {
    if (first)
      return;
    const CodeBlock &body = program.block(cursor.frames.back().block);
    llvm::SmallVector<Number> carried = read(cursor, body.arguments);
    forgetInside(cursor, body);
    cursor.frames.pop_back();
    assign(cursor, at(cursor).results, carried);
    ++cursor.frames.back().index;
    return;
  }
  const Instruction &branch = at(cursor);
  Frame frame = cursor.frames.back();
  int block = first ? branch.first : branch.second;
  cursor.entered = first ? branch.guarded : 0;
  if (block >= 0)
    cursor.frames.push_back({block, 0, frame.lanes, frame.someLanes});
  else
    ++cursor.frames.back().index;
}

//===--- All agents
//-----------------------------------------------------------------------------------------------------===//

/// The loop or condition at which an agent has to choose.
const Instruction &Explorer::chosenAt(const AgentCursor &cursor) const {
  const Frame &frame =
      cursor.choice == Choice::Iteration ? cursor.frames[cursor.frames.size() - 2] : cursor.frames.back();
  return program.block(frame.block).code[frame.index];
}

/// Whether two agents that have come so far make the same choice: another iteration of loops that go round equally
/// often, conditions that are the same, or a condition that asks whether the loop of the other has any iteration.
bool Explorer::chooseAlike(const AgentCursor &a, const AgentCursor &b) const {
  const Instruction &left = chosenAt(a), &right = chosenAt(b);
  auto guards = [](const Instruction &branch, const AgentCursor &other, const Instruction &loop) {
    return branch.guarded != 0 && branch.guarded == loop.identity && other.choice == Choice::Iteration &&
           other.isFirstIteration;
  };
  if (left.kind != right.kind)
    return left.kind == Kind::Branch ? guards(left, b, right) : guards(right, a, left);
  bool sameIteration = left.kind == Kind::Branch || a.isFirstIteration == b.isFirstIteration;
  return left.identity == right.identity && sameIteration;
}

/// Those who choose next, together. A loop or condition without barriers between roles is the business of one role;
/// otherwise all agents that are not at their end have to have come to the same one.
llvm::SmallVector<unsigned> Explorer::choosersOf(const World &world) {
  llvm::SmallVector<unsigned> choosers;
  unsigned running = 0;
  for (auto [agent, cursor] : llvm::enumerate(world.cursors)) {
    running += !atEnd(cursor);
    if (cursor.choice != Choice::None)
      choosers.push_back(agent);
  }
  for (unsigned agent : choosers) {
    const Instruction &here = chosenAt(world.cursors[agent]);
    if (here.joinsRoles)
      continue;
    llvm::erase_if(choosers, [&](unsigned other) { return chosenAt(world.cursors[other]).op != here.op; });
    return choosers;
  }
  const Instruction &here = chosenAt(world.cursors[choosers.front()]);
  for (unsigned agent : choosers) {
    if (chooseAlike(world.cursors[choosers.front()], world.cursors[agent]))
      continue;
    protocol.fail(here.op, protocol.info(choosers.front()).name + " and " + protocol.info(agent).name +
                               " come to loops or conditions that are not known to be alike");
    return {};
  }
  if (choosers.size() != running) {
    reportStuck(world);
    return {};
  }
  return choosers;
}

/// Somebody is blocked, and nobody can help.
void Explorer::reportStuck(const World &world) {
  std::string waits;
  mlir::Operation *op = nullptr;
  for (auto [agent, cursor] : llvm::enumerate(world.cursors)) {
    if (atEnd(cursor) || cursor.choice != Choice::None)
      continue;
    const Instruction &here = at(cursor);
    const Frame &frame = cursor.frames.back();
    World copy = world;
    waits += (op ? "; " : "") + model.describe({copy, protocol, program, here, static_cast<unsigned>(agent),
                                                frame.lanes, frame.someLanes});
    op = op ? op : here.op;
  }
  protocol.fail(op, "nobody can go on: " + waits);
}

/// Runs every agent as far as it gets. Which one runs first does not matter.
bool Explorer::runToChoices(World &world) {
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned agent = 0; agent < world.cursors.size(); ++agent) {
      AgentCursor &cursor = world.cursors[agent];
      while (!atEnd(cursor) && cursor.choice == Choice::None) {
        Step done = step(world, agent);
        if (done == Step::Failed)
          return false;
        if (done == Step::Blocked)
          break;
        progress = true;
      }
    }
  }
  bool someChoose =
      llvm::any_of(world.cursors, [](const AgentCursor &cursor) { return cursor.choice != Choice::None; });
  if (someChoose)
    return true;
  if (llvm::all_of(world.cursors, [this](const AgentCursor &cursor) { return atEnd(cursor); }))
    return protocol.finishAll(world.protocol) != Step::Failed;
  reportStuck(world);
  return false;
}

Key Explorer::describe(const World &world) const {
  Key key;
  key.reserve(512);
  for (const AgentCursor &cursor : world.cursors) {
    key.push_back(cursor.frames.size() << 3 | cursor.isFirstIteration << 2 | static_cast<unsigned>(cursor.choice));
    key.push_back(cursor.entered);
    for (const Frame &frame : cursor.frames)
      key.push_back(uint64_t(frame.block) << 32 | uint64_t(frame.index) << 8 | frame.lanes << 1 | frame.someLanes);
    for (auto [slot, number] : llvm::enumerate(cursor.values)) {
      if (number.kind == Number::Kind::Opaque)
        continue;
      key.push_back(uint64_t(slot) << 32 | uint64_t(uint16_t(number.symbol)) << 16 | uint64_t(number.kind) << 12 |
                    uint64_t(number.lanes) << 8 | number.shift << 2 | number.isLane << 1 | number.shared);
      key.insert(key.end(), {uint64_t(number.offset), uint64_t(number.step) << 32 | uint32_t(number.spread)});
      if (number.symbol >= 0)
        key.push_back(cursor.symbols[number.symbol]);
    }
  }
  world.protocol.describe(key);
  return key;
}

/// A world at a choice. In a coarse run, of worlds that differ only in what is known, one stands for all: that in which
/// only what is known in each of them is known. No rule forbids to know something, so what it may do, they may.
void Explorer::meet(World world) {
  Bits relevant = world.protocol.live;
  relevant |= protocol.accesses().events();
  world.protocol.forgetAllBut(relevant);
  Key key = describe(world);
  if (!isCoarse)
    world.protocol.describeKnown(key);
  auto [entry, isNew] = met.try_emplace(std::move(key), places.size());
  if (isNew) {
    places.push_back({std::move(world), true});
    open.push_back(entry->second);
    return;
  }
  Place &place = places[entry->second];
  if (!place.world.protocol.intersect(world.protocol) || place.isOpen)
    return;
  place.isOpen = true;
  open.push_back(entry->second);
}

void Explorer::proceed(World world) {
  if (runToChoices(world) && !llvm::all_of(world.cursors, [this](const AgentCursor &cursor) { return atEnd(cursor); }))
    meet(std::move(world));
}

Verdict Explorer::run(unsigned entryRegisters) {
  constexpr size_t kMostStates = 20000;
  World start{protocol.start(entryRegisters), {}};
  start.cursors.resize(protocol.agentCount());
  for (AgentCursor &cursor : start.cursors) {
    cursor.frames.push_back({program.entry(), 0, kAllLanes, false});
    cursor.values.resize(program.slotCount());
    cursor.symbols.resize(program.symbolCount());
  }
  proceed(std::move(start));
  while (!open.empty() && !protocol.finding()) {
    Place &place = places[open.front()];
    open.pop_front();
    place.isOpen = false;
    World world = place.world;
    llvm::SmallVector<unsigned> choosers = choosersOf(world);
    if (places.size() > kMostStates && !choosers.empty())
      protocol.fail(chosenAt(world.cursors[choosers.front()]).op, "the kernel has more states than are followed");
    for (bool first : {true, false}) {
      if (protocol.finding())
        break;
      World next = first ? world : std::move(world);
      for (unsigned agent : choosers)
        choose(next.cursors[agent], first);
      proceed(std::move(next));
    }
  }
  verdict.finding = protocol.finding();
  verdict.states = places.size();
  return verdict;
}

} // namespace

Verdict explore(const Program &program, Model &model, Protocol &protocol, unsigned entryRegisters) {
  Verdict verdict = Explorer(program, model, protocol, /*isCoarse=*/true).run(entryRegisters);
  if (!verdict.finding)
    return verdict;
  protocol.forgetFinding(); // was it only that too much was forgotten?
  return Explorer(program, model, protocol, /*isCoarse=*/false).run(entryRegisters);
}

} // namespace tawa::verify
