// A small interpreter of role programs: numbers, loops and choices up to the next event.
#include "compiler/roles/prover/RoleRunner.h"

#include "compiler/roles/prover/RoleNumbers.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tawa::verify {

using Kind = RoleInstruction::Kind;

//===--- Numbers --------------------------------------------------------------------------------------------------===//

Amount RoleRunner::read(const RoleWorld &world, unsigned role, int operand) const {
  if (operand >= 0)
    return world.roles[role].values[operand];
  return operand == RoleProgram::kUnknown ? Amount() : Amount::integer(programs[role].constantOf(operand));
}

llvm::SmallVector<Amount> RoleRunner::readAll(const RoleWorld &world, unsigned role,
                                              llvm::ArrayRef<int> operands) const {
  llvm::SmallVector<Amount> amounts;
  for (int operand : operands)
    amounts.push_back(read(world, role, operand));
  return amounts;
}

Amount RoleRunner::readNumber(const RoleWorld &world, unsigned role, const TileNumber &number, Channel channel,
                              bool isNext) const {
  return number.modulus != 0 ? rules.numberOf(world, number, channel, isNext) : read(world, role, number.operand);
}

/// Values that count puts or gets are kept relative to them.
void RoleRunner::define(RoleWorld &world, unsigned role, int slot, const Amount &amount) const {
  if (slot < 0)
    return;
  auto channel = programs[role].channelOf(slot);
  world.roles[role].values[slot] = channel ? rules.asCount(world, amount, *channel) : amount;
}

//===--- Loops and branches ---------------------------------------------------------------------------------------===//

void RoleRunner::forgetInside(RoleWorld &world, unsigned role, int block) const {
  const RoleBlock &left = programs[role].block(block);
  std::vector<Amount> &values = world.roles[role].values;
  std::fill(values.begin() + left.valuesBegin, values.begin() + left.valuesEnd, Amount());
}

std::optional<bool> RoleRunner::hasMore(RoleWorld &world, unsigned role, int number, int rounds) {
  const Choice &choice = world.choices[number];
  if (rounds > 0)
    return true;
  if (choice.known)
    return false;
  ask(world, role, number);
  return std::nullopt;
}

RoleStep RoleRunner::askAboutRounds(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  int number = world.choiceAt(role, instruction.rounds);
  const Choice &choice = world.choices[number];
  int rounds = choice.total - instruction.rounds.skipped;
  if (instruction.kind == Kind::AnyRounds) {
    auto any = hasMore(world, role, number, rounds);
    if (!any)
      return RoleStep::Asks;
    if (!*any && world.roles.size() > 1) // a lone role may ask again: no other role has to agree on the next loop
      world.reach(role, number);         // it does not reach the loop
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

RoleStep RoleRunner::askAboutIteration(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  for (const RoleFrame &frame : world.roles[role].frames) {
    if (frame.choice < 0 || programs[role].block(frame.block).loop != instruction.loop)
      continue;
    std::optional<bool> holds = frame.again == instruction.negated;
    if (instruction.kind == Kind::IsNotLast)
      holds = hasMore(world, role, frame.choice, world.choices[frame.choice].left[role] - (instruction.ahead - 1));
    if (!holds)
      return RoleStep::Asks;
    define(world, role, instruction.results[0], Amount::integer(*holds));
    return RoleStep::Done;
  }
  return rules.fail(instruction.op, "this asks about a loop that is not around it");
}

RoleStep RoleRunner::enterLoop(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
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
RoleStep RoleRunner::stepAtHead(RoleWorld &world, unsigned role) {
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

/// A condition with a known value needs no choice.
RoleStep RoleRunner::enterBranch(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
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

RoleStep RoleRunner::leaveBlock(RoleWorld &world, unsigned role) {
  RoleCursor &cursor = world.roles[role];
  RoleFrame &frame = cursor.frames.back();
  const RoleBlock &left = programs[role].block(frame.block);
  if (cursor.frames.size() == 1) {
    Operation *last = left.code.empty() ? nullptr : left.code.back().op;
    if (rules.finish({world, role, last}) == RoleStep::Failed)
      return RoleStep::Failed;
    cursor = {}; // none of it is needed any more
    return RoleStep::Done;
  }
  constexpr int kMostCarried = 8; // numbers that keep growing are not tracked
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

//===--- Events ---------------------------------------------------------------------------------------------------===//

llvm::SmallVector<Amount> RoleRunner::readTiles(const RoleWorld &world, unsigned role,
                                                const RoleInstruction &instruction) const {
  llvm::SmallVector<Amount> tiles = readAll(world, role, instruction.operands);
  for (const auto &[ring, number] : instruction.tiles)
    tiles.push_back(rules.tileOf(world, readNumber(world, role, number, {ring, false}, /*isNext=*/false), ring));
  return tiles;
}

RoleStep RoleRunner::readOrIssue(RoleRules::Actor actor, const RoleInstruction &instruction) {
  llvm::SmallVector<Amount> tiles = readTiles(actor.world, actor.role, instruction);
  for (auto [tile, named] : llvm::zip(llvm::drop_begin(tiles, instruction.operands.size()), instruction.tiles))
    if (tile.kind != Amount::Kind::Tile)
      return rules.fail(instruction.op,
                        "which tile of ring " + llvm::Twine(named.first) + " this reads does not follow from counters");
  return instruction.kind == Kind::Issue ? rules.issue(actor, tiles) : rules.read(actor, tiles);
}

RoleStep RoleRunner::executeEvent(RoleRules::Actor actor, const RoleInstruction &instruction) {
  auto number = [&](bool puts, bool isNext) {
    return readNumber(actor.world, actor.role, instruction.number, {instruction.ring, puts}, isNext);
  };
  switch (instruction.kind) {
  case Kind::Put: // a put that copies from another ring's slot reads it
    if (readOrIssue(actor, instruction) == RoleStep::Failed)
      return RoleStep::Failed;
    return rules.put(actor, instruction.ring, number(/*puts=*/true, /*isNext=*/true));
  case Kind::Get:
    return rules.get(actor, instruction.ring, number(/*puts=*/false, /*isNext=*/true));
  case Kind::Release:
    return rules.release(actor, instruction.ring, number(/*puts=*/false, /*isNext=*/false));
  case Kind::AwaitPut:
    return rules.awaitPut(actor, instruction.ring, number(/*puts=*/true, /*isNext=*/true), instruction.number.modulus);
  case Kind::AwaitFree:
    return rules.awaitFree(actor, instruction.ring, number(/*puts=*/true, /*isNext=*/true), instruction.number.modulus,
                           instruction.slots);
  case Kind::WriteMap:
    return rules.writeMap(actor, instruction.rings);
  case Kind::Wait:
    return rules.wait(actor, instruction.pendings);
  case Kind::PingPongWait:
    return rules.pingPongWait(actor, instruction.ring);
  case Kind::PingPongPass:
    return rules.pingPongPass(actor, instruction.ring);
  case Kind::Begin:
    return RoleStep::Done;
  default:
    return readOrIssue(actor, instruction);
  }
}

void RoleRunner::defineResults(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  auto defineAll = [&](const Amount &amount) {
    for (int slot : instruction.results)
      define(world, role, slot, amount);
  };
  if (instruction.kind == Kind::Get) // advanced by now: the last one
    defineAll(Amount::tile(instruction.ring, -1));
  if (instruction.kind == Kind::Begin)
    defineAll(Amount::accumulator(kFarOff));
  if (instruction.kind == Kind::Issue)
    defineAll(Amount::accumulator(1));
  if (instruction.kind == Kind::Wait)
    for (auto [slot, operand] : llvm::zip(instruction.results, instruction.operands))
      define(world, role, slot, read(world, role, operand));
}

/// A wait that makes accumulators readable covers the dots that wrote them.
RoleStep RoleRunner::checkReadable(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  for (auto [index, operand] : llvm::enumerate(instruction.operands))
    if (instruction.readable >> index & 1 && !rules.isSettled(read(world, role, operand), instruction.pendings))
      return rules.fail(instruction.op, "the accumulator is read while a dot may still write it");
  return RoleStep::Done;
}

RoleStep RoleRunner::execute(RoleWorld &world, unsigned role, const RoleInstruction &instruction) {
  if (instruction.condition) {
    auto happens = read(world, role, *instruction.condition).exact();
    if (!happens)
      return rules.fail(instruction.op, "whether this happens is not known");
    if (!*happens)
      return RoleStep::Done;
  }
  if (checkReadable(world, role, instruction) == RoleStep::Failed)
    return RoleStep::Failed;
  RoleStep done = executeEvent({world, role, instruction.op}, instruction);
  if (done == RoleStep::Done)
    defineResults(world, role, instruction);
  return done;
}

RoleStep RoleRunner::step(RoleWorld &world, unsigned role) {
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
    return rules.fail(instruction.op, "control flow other than loops and conditions is not supported");
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

} // namespace tawa::verify
