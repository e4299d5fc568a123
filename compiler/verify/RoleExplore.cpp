// See RoleExplore.h. README.md says why finitely many states stand for all runs, and why one order of execution for
// all.
//
// Roles run until each is at its end, blocked, or at a choice that is not known yet. Then one choice is decided, both
// ways. A state that was met before is not continued again.
#include "compiler/verify/RoleExplore.h"

#include "compiler/verify/RoleNumbers.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <unordered_map>

using namespace mlir;

namespace tawa::verify {

namespace {

using Kind = RoleInstruction::Kind;
using Key = std::vector<uint64_t>;

struct KeyHash {
  size_t operator()(const Key &key) const { return llvm::hash_combine_range(key.begin(), key.end()); }
};

/// How one choice was decided, and in which state.
struct Decision {
  int place = -1; ///< Before; -1: none.
  Operation *op = nullptr;
  bool first = false;
};

class RoleExplorer {
public:
  RoleExplorer(llvm::ArrayRef<RoleProgram> programs, RoleRules &rules) : programs(programs), rules(rules) {
    for (const RoleProgram &program : programs)
      asking.emplace_back(program.identitiesAsked().begin(), program.identitiesAsked().end());
  }

  RoleVerdict run();

private:
  // Numbers
  Amount read(const RoleWorld &world, unsigned role, int operand) const;
  llvm::SmallVector<Amount> readAll(const RoleWorld &world, unsigned role, llvm::ArrayRef<int> operands) const;
  void define(RoleWorld &world, unsigned role, int slot, const Amount &amount) const;

  // One role
  const RoleInstruction &at(const RoleWorld &world, unsigned role) const {
    const RoleFrame &frame = world.roles[role].frames.back();
    return programs[role].block(frame.block).code[frame.index];
  }
  void forgetInside(RoleWorld &world, unsigned role, int block) const;
  /// Whether there is another round beyond the first `skipped`; nothing: it is asked.
  std::optional<bool> hasMore(RoleWorld &world, unsigned role, int choice, int rounds);
  RoleStep ask(RoleWorld &world, unsigned role, int choice) {
    world.roles[role].asks = choice;
    return RoleStep::Asks;
  }
  RoleStep askAboutRounds(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep askAboutIteration(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep enterLoop(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep stepAtHead(RoleWorld &world, unsigned role);
  RoleStep enterBranch(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep leaveBlock(RoleWorld &world, unsigned role);
  RoleStep execute(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep executeEvent(RoleRules::Actor actor, const RoleInstruction &instruction);
  void defineResults(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep step(RoleWorld &world, unsigned role);

  // All of them
  bool runToChoices(RoleWorld &world);
  void reportStuck(const RoleWorld &world);
  int nextToDecide(const RoleWorld &world) const;
  Operation *askedAt(const RoleWorld &world, int choice) const;
  void proceed(RoleWorld world, Decision decision);
  std::string scenarioOf(Decision last) const;

  struct Place {
    RoleWorld world;
    Decision decision;
  };
  llvm::ArrayRef<RoleProgram> programs;
  RoleRules &rules;
  std::vector<llvm::DenseSet<uint64_t>> asking; ///< By role, what it may ask about.
  std::unordered_map<Key, int, KeyHash> met;
  std::deque<Place> places;
  Decision failed;
};

//===--- Numbers
//--------------------------------------------------------------------------------------------------------===//

Amount RoleExplorer::read(const RoleWorld &world, unsigned role, int operand) const {
  if (operand >= 0)
    return world.roles[role].values[operand];
  return operand == RoleProgram::kUnknown ? Amount() : Amount::integer(programs[role].constantOf(operand));
}

llvm::SmallVector<Amount> RoleExplorer::readAll(const RoleWorld &world, unsigned role,
                                                llvm::ArrayRef<int> operands) const {
  llvm::SmallVector<Amount> amounts;
  for (int operand : operands)
    amounts.push_back(read(world, role, operand));
  return amounts;
}

/// What counts puts or gets is kept relative to them.
void RoleExplorer::define(RoleWorld &world, unsigned role, int slot, const Amount &amount) const {
  if (slot < 0)
    return;
  auto channel = programs[role].channelOf(slot);
  world.roles[role].values[slot] = channel ? rules.asCount(world, amount, *channel) : amount;
}

//===--- Loops and branches
//---------------------------------------------------------------------------------------------===//

void RoleExplorer::forgetInside(RoleWorld &world, unsigned role, int block) const {
  const RoleBlock &left = programs[role].block(block);
  std::vector<Amount> &values = world.roles[role].values;
  std::fill(values.begin() + left.valuesBegin, values.begin() + left.valuesEnd, Amount());
}

std::optional<bool> RoleExplorer::hasMore(RoleWorld &world, unsigned role, int number, int rounds) {
  const Choice &choice = world.choices[number];
  if (rounds > 0)
    return true;
  if (choice.known)
    return false;
  ask(world, role, number);
  return std::nullopt;
}

RoleStep RoleExplorer::askAboutRounds(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  int number = world.choiceAt(role, instruction.rounds);
  const Choice &choice = world.choices[number];
  int rounds = choice.total - instruction.rounds.skipped;
  if (instruction.kind == Kind::AnyRounds) {
    auto any = hasMore(world, role, number, rounds);
    if (!any)
      return RoleStep::Asks;
    if (!*any)
      world.reach(role, number); // it will not come to the loop
    define(world, role, instruction.results[0], Amount::integer(*any));
    return RoleStep::Done;
  }
  if (rounds < 0 && !choice.known)
    return ask(world, role, number);
  Amount amount = Amount::integer(std::max(rounds, 0));
  if (!choice.known)
    amount.addRest(number);
  world.reach(role, number);
  define(world, role, instruction.results[0], amount);
  return RoleStep::Done;
}

RoleStep RoleExplorer::askAboutIteration(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  for (const RoleFrame &frame : world.roles[role].frames) {
    if (frame.choice < 0 || programs[role].block(frame.block).loop != instruction.loop)
      continue;
    std::optional<bool> holds = frame.again == instruction.negated;
    if (instruction.kind == Kind::IsNotLast)
      holds = hasMore(world, role, frame.choice, world.choices[frame.choice].left[role]);
    if (!holds)
      return RoleStep::Asks;
    define(world, role, instruction.results[0], Amount::integer(*holds));
    return RoleStep::Done;
  }
  return rules.fail(instruction.op, "this asks about a loop that is not around it");
}

RoleStep RoleExplorer::enterLoop(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  int number = world.choiceAt(role, instruction.rounds);
  Choice &choice = world.choices[number];
  int rounds = choice.total - instruction.rounds.skipped;
  if (rounds < 0 && !choice.known)
    return ask(world, role, number);
  world.reach(role, number);
  choice.inside |= 1u << role;
  choice.left[role] = static_cast<int8_t>(std::max(rounds, 0));
  llvm::SmallVector<Amount> inits = readAll(world, role, instruction.operands);
  const RoleBlock &body = programs[role].block(instruction.first);
  for (auto [slot, amount] : llvm::zip(body.arguments, inits))
    define(world, role, slot, amount);
  world.roles[role].frames.push_back({instruction.first, 0, number, /*atHead=*/true, /*again=*/false});
  return RoleStep::Done;
}

/// Another iteration, or the end of the loop.
RoleStep RoleExplorer::stepAtHead(RoleWorld &world, unsigned role) {
  RoleCursor &cursor = world.roles[role];
  RoleFrame &frame = cursor.frames.back();
  Choice &choice = world.choices[frame.choice];
  auto more = hasMore(world, role, frame.choice, choice.left[role]);
  if (!more)
    return RoleStep::Asks;
  if (*more) {
    --choice.left[role];
    frame.atHead = false;
    return RoleStep::Done;
  }
  choice.inside &= ~(1u << role);
  llvm::SmallVector<Amount> carried = readAll(world, role, programs[role].block(frame.block).arguments);
  forgetInside(world, role, frame.block);
  cursor.frames.pop_back();
  for (auto [slot, amount] : llvm::zip(at(world, role).results, carried))
    define(world, role, slot, amount);
  ++cursor.frames.back().index;
  return RoleStep::Done;
}

/// A condition that is a number here needs no choice.
RoleStep RoleExplorer::enterBranch(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  RoleCursor &cursor = world.roles[role];
  auto condition = read(world, role, instruction.operands[0]).exact();
  if (!condition) {
    int number = world.choiceAt(role, instruction.identity);
    if (!world.choices[number].known)
      return ask(world, role, number);
    condition = world.choices[number].outcome;
    world.reach(role, number);
  }
  int block = *condition ? instruction.first : instruction.second;
  if (block >= 0)
    cursor.frames.push_back({block, 0});
  else
    ++cursor.frames.back().index;
  return RoleStep::Done;
}

RoleStep RoleExplorer::leaveBlock(RoleWorld &world, unsigned role) {
  RoleCursor &cursor = world.roles[role];
  RoleFrame &frame = cursor.frames.back();
  const RoleBlock &left = programs[role].block(frame.block);
  if (cursor.frames.size() == 1) {
    Operation *last = left.code.empty() ? nullptr : left.code.back().op;
    if (rules.finish({world, role, last}) == RoleStep::Failed)
      return RoleStep::Failed;
    cursor = {}; // nothing of it is needed any more
    return RoleStep::Done;
  }
  constexpr int kMostCarried = 8; // numbers that go on growing are not followed
  llvm::SmallVector<Amount> yielded = readAll(world, role, left.yields);
  forgetInside(world, role, frame.block);
  if (frame.choice >= 0) {
    for (auto [slot, amount] : llvm::zip(left.arguments, yielded)) {
      define(world, role, slot, amount);
      if (slot < 0)
        continue;
      Amount &carried = world.roles[role].values[slot];
      if (carried.kind == Amount::Kind::Integer && std::abs(carried.offset) > kMostCarried)
        carried = Amount();
    }
    frame.index = 0;
    frame.atHead = frame.again = true;
    return RoleStep::Done;
  }
  cursor.frames.pop_back();
  for (auto [slot, amount] : llvm::zip(at(world, role).results, yielded))
    define(world, role, slot, amount);
  ++cursor.frames.back().index;
  return RoleStep::Done;
}

//===--- Events
//---------------------------------------------------------------------------------------------------------===//

/// Whether a condition beside an event lets it happen; nothing: that is not known.
static std::optional<bool> happens(const RoleInstruction &instruction, unsigned conditionAt, const Amount &condition) {
  if (instruction.operands.size() <= conditionAt)
    return true;
  auto value = condition.exact();
  return value ? std::optional<bool>(*value != 0) : std::nullopt;
}

RoleStep RoleExplorer::executeEvent(RoleRules::Actor actor, const RoleInstruction &instruction) {
  llvm::SmallVector<Amount> operands = readAll(actor.world, actor.role, instruction.operands);
  bool isTurn = instruction.kind == Kind::AwaitTurn || instruction.kind == Kind::PassTurn;
  if (isTurn || instruction.kind == Kind::Release) {
    unsigned conditionAt = isTurn ? 0 : 2;
    auto wanted = happens(instruction, conditionAt, operands.size() > conditionAt ? operands[conditionAt] : Amount());
    if (!wanted)
      return rules.fail(instruction.op, "whether this happens is not known");
    if (!*wanted)
      return RoleStep::Done;
  }
  switch (instruction.kind) {
  case Kind::Put:
    return rules.put(actor, instruction.ring, operands[1]);
  case Kind::Get:
    return rules.get(actor, instruction.ring, operands[1]);
  case Kind::Release:
    return rules.release(actor, instruction.ring, operands[1]);
  case Kind::Issue:
    return rules.issue(actor, operands);
  case Kind::Wait:
    return rules.wait(actor, cast<ws::DotWaitOp>(instruction.op).getPendings());
  case Kind::AwaitTurn:
    return rules.awaitTurn(actor, instruction.ring);
  case Kind::PassTurn:
    return rules.passTurn(actor, instruction.ring);
  case Kind::Begin:
    return RoleStep::Done;
  default:
    return rules.read(actor, operands);
  }
}

void RoleExplorer::defineResults(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  if (instruction.kind == Kind::Get) // advanced by now: the last one
    for (int slot : instruction.results)
      define(world, role, slot, Amount::tile(instruction.ring, -1));
  if (instruction.kind == Kind::Begin)
    define(world, role, instruction.results[0], Amount::accumulator(kFarOff));
  if (instruction.kind == Kind::Issue)
    define(world, role, instruction.results[0], Amount::accumulator(1));
  if (instruction.kind == Kind::Wait)
    define(world, role, instruction.results[0], read(world, role, instruction.operands[0]));
}

RoleStep RoleExplorer::execute(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  RoleRules::Actor actor{world, role, instruction.op};
  if (instruction.kind == Kind::Wait) {
    auto wait = cast<ws::DotWaitOp>(instruction.op);
    bool isReadable = !isa<ws::InflightType>(wait.getResult().getType());
    if (isReadable && !rules.isSettled(read(world, role, instruction.operands[0]), wait.getPendings()))
      return rules.fail(wait, "the accumulator is read while a dot may still write it");
  }
  RoleStep done = executeEvent(actor, instruction);
  if (done == RoleStep::Done)
    defineResults(world, role, instruction);
  return done;
}

RoleStep RoleExplorer::step(RoleWorld &world, unsigned role) {
  RoleFrame &frame = world.roles[role].frames.back();
  if (frame.atHead)
    return stepAtHead(world, role);
  if (frame.index == static_cast<int>(programs[role].block(frame.block).code.size()))
    return leaveBlock(world, role);
  const RoleInstruction &instruction = at(world, role);
  RoleStep done = RoleStep::Done;
  switch (instruction.kind) {
  case Kind::Loop:
    return enterLoop(world, role, instruction);
  case Kind::Branch:
    return enterBranch(world, role, instruction);
  case Kind::Unknown:
    return rules.fail(instruction.op, "control flow other than loops and conditions is not followed");
  case Kind::CountRounds:
  case Kind::AnyRounds:
    done = askAboutRounds(world, role, instruction);
    break;
  case Kind::IsFirst:
  case Kind::IsNotLast:
    done = askAboutIteration(world, role, instruction);
    break;
  default:
    if (instruction.kind >= Kind::Put)
      done = execute(world, role, instruction);
    else
      define(world, role, instruction.results[0],
             evaluate(rules, world, instruction, readAll(world, role, instruction.operands)));
  }
  if (done == RoleStep::Done)
    ++world.roles[role].frames.back().index;
  return done;
}

//===--- All roles
//------------------------------------------------------------------------------------------------------===//

/// Somebody is blocked, and nobody can help.
void RoleExplorer::reportStuck(const RoleWorld &world) {
  std::string waits;
  Operation *op = nullptr;
  for (unsigned role = 0; role < world.roles.size(); ++role) {
    if (world.roles[role].atEnd())
      continue;
    const RoleInstruction &here = at(world, role);
    waits += (op ? "; " : "") + rules.describeBlocked(world, role, here);
    op = op ? op : here.op;
  }
  rules.fail(op, "nobody can go on: " + waits);
}

/// Runs every role as far as it gets. Which one runs first does not matter.
bool RoleExplorer::runToChoices(RoleWorld &world) {
  bool isAsked = false, areAtEnd = true;
  for (bool progress = true; progress;) {
    progress = isAsked = false;
    areAtEnd = true;
    for (unsigned role = 0; role < world.roles.size(); ++role) {
      RoleCursor &cursor = world.roles[role];
      cursor.asks = -1;
      RoleStep done = RoleStep::Done;
      while (!cursor.atEnd() && (done = step(world, role)) == RoleStep::Done)
        progress = true;
      if (done == RoleStep::Failed)
        return false;
      isAsked |= done == RoleStep::Asks;
      areAtEnd &= cursor.atEnd();
    }
  }
  if (isAsked)
    return true;
  if (areAtEnd)
    return rules.finishAll(world) != RoleStep::Failed;
  reportStuck(world);
  return false;
}

/// That of the innermost loop: roles stay as close together as they can.
int RoleExplorer::nextToDecide(const RoleWorld &world) const {
  int next = -1;
  for (const RoleCursor &role : world.roles) {
    if (role.asks < 0)
      continue;
    auto depth = [&](int choice) { return world.choices[choice].around.size(); };
    if (next < 0 || depth(role.asks) > depth(next))
      next = role.asks;
  }
  return next;
}

Operation *RoleExplorer::askedAt(const RoleWorld &world, int choice) const {
  for (unsigned role = 0; role < world.roles.size(); ++role) {
    if (world.roles[role].asks != choice)
      continue;
    const RoleFrame &frame = world.roles[role].frames.back();
    return frame.atHead ? programs[role].block(frame.block).loop : at(world, role).op;
  }
  return nullptr;
}

void RoleExplorer::proceed(RoleWorld world, Decision decision) {
  if (!runToChoices(world)) {
    if (rules.finding())
      failed = decision;
    return;
  }
  if (llvm::all_of(world.roles, [](const RoleCursor &role) { return role.atEnd(); }))
    return;
  world.tidy(programs, asking);
  auto [entry, isNew] = met.try_emplace(world.key(), places.size());
  if (isNew)
    places.push_back({std::move(world), decision});
}

/// For example: the loop at line 12 goes round twice and ends, then ...
std::string RoleExplorer::scenarioOf(Decision last) const {
  llvm::SmallVector<Decision> decisions;
  for (Decision decision = last; decision.op; decision = places[decision.place].decision)
    decisions.push_back(decision);
  std::string text;
  for (size_t index = decisions.size(); index > 0;) {
    Decision decision = decisions[--index];
    unsigned times = 1;
    for (; index > 0 && decisions[index - 1].op == decision.op && decisions[index - 1].first == decision.first; ++times)
      --index;
    auto place = dyn_cast<FileLineColLoc>(decision.op->getLoc());
    std::string where = place ? " at " + std::to_string(place.getLine()) + ":" + std::to_string(place.getColumn()) : "";
    bool isCondition = isa<scf::IfOp>(decision.op);
    std::string outcome = isCondition      ? decision.first ? " holds" : " does not hold"
                          : decision.first ? " goes round " + std::to_string(times) + (times == 1 ? " time" : " times")
                                           : " ends";
    text += (text.empty() ? "" : ", ") + std::string(isCondition ? "the condition" : "the loop") + where + outcome;
  }
  return text;
}

RoleVerdict RoleExplorer::run() {
  constexpr size_t kMostStates = 4000;
  RoleWorld start = rules.start();
  for (auto [cursor, program] : llvm::zip(start.roles, programs)) {
    cursor.frames.push_back({program.entry(), 0});
    cursor.values.resize(program.slotCount());
  }
  proceed(std::move(start), {});
  for (size_t next = 0; next < places.size() && !rules.finding(); ++next) {
    int choice = nextToDecide(places[next].world);
    Operation *op = askedAt(places[next].world, choice);
    if (places.size() > kMostStates) {
      rules.fail(op, "the roles have more states than are followed");
      break;
    }
    for (bool first : {true, false}) {
      if (rules.finding())
        break;
      RoleWorld world = places[next].world;
      world.decide(choice, first);
      proceed(std::move(world), {static_cast<int>(next), op, first});
    }
  }
  return {rules.finding(), rules.finding() ? scenarioOf(failed) : "", static_cast<unsigned>(places.size())};
}

} // namespace

RoleVerdict exploreRoles(llvm::ArrayRef<RoleProgram> programs, RoleRules &rules) {
  return RoleExplorer(programs, rules).run();
}

} // namespace tawa::verify
