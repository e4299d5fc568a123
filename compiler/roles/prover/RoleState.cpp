// Arithmetic on symbolic numbers and choices, and the encoding of a state as a key.
#include "compiler/roles/prover/RoleState.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

namespace tawa::verify {

/// Present ones first, by number.
static void sortRests(std::array<int8_t, kMostRests> &rests) {
  llvm::sort(rests, [](int8_t a, int8_t b) { return uint8_t(a) < uint8_t(b); });
}

void Amount::addRest(int choice) {
  if (rests.back() >= 0) {
    *this = Amount(); // a sum over this many loops is not tracked
    return;
  }
  rests.back() = static_cast<int8_t>(choice);
  sortRests(rests);
}

void Amount::renumberRests(llvm::function_ref<int(int)> numberOf) {
  if (!hasRests())
    return;
  for (int8_t &rest : rests)
    rest = rest < 0 ? -1 : static_cast<int8_t>(numberOf(rest));
  sortRests(rests);
}

//===--- Choices --------------------------------------------------------------------------------------------------===//

static uint8_t only(unsigned role) { return static_cast<uint8_t>(1u << role); }

llvm::SmallVector<Iteration, 2> RoleWorld::iterationsOf(unsigned role) const {
  llvm::SmallVector<Iteration, 2> around;
  for (const RoleFrame &frame : roles[role].frames)
    if (frame.choice >= 0)
      around.push_back({frame.choice, choices[frame.choice].left[role]});
  return around;
}

int RoleWorld::choiceAt(unsigned role, Choice made) {
  made.around = iterationsOf(role);
  for (auto [index, choice] : llvm::enumerate(choices))
    if (choice.identity == made.identity && !(choice.reached & only(role)) && choice.around == made.around)
      return index;
  choices.push_back(std::move(made));
  return choices.size() - 1;
}

int RoleWorld::choiceAt(unsigned role, const Rounds &rounds) {
  Choice choice;
  choice.identity = rounds.identity;
  choice.isRounds = true;
  choice.known = rounds.constant >= 0;
  choice.total = static_cast<int8_t>(std::max(rounds.constant, 0));
  return choiceAt(role, std::move(choice));
}

int RoleWorld::choiceAt(unsigned role, uint64_t condition) {
  Choice choice;
  choice.identity = condition;
  return choiceAt(role, std::move(choice));
}

void RoleWorld::reach(unsigned role, int choice) { choices[choice].reached |= only(role); }

void RoleWorld::decide(int index, bool first) {
  Choice &choice = choices[index];
  if (!choice.isRounds) {
    choice.known = true;
    choice.outcome = first;
    return;
  }
  if (!first) {
    choice.known = true;
    forEachAmount([&](Amount &amount) { amount.renumberRests([&](int rest) { return rest == index ? -1 : rest; }); });
    return;
  }
  constexpr int kMostTotal = 16; // a role that comes later gets a choice of its own
  if (++choice.total > kMostTotal)
    choice.reached = ~0;
  for (unsigned role = 0; role < roles.size(); ++role)
    choice.left[role] += choice.inside >> role & 1;
  for (Choice &inner : choices)
    for (Iteration &iteration : inner.around)
      iteration.left += iteration.choice == index;
  forEachAmount([&](Amount &amount) { amount.offset += llvm::count(amount.rests, index); });
}

//===--- What is left out -----------------------------------------------------------------------------------------===//

bool RoleWorld::canReach(unsigned role, const Choice &choice, const llvm::DenseSet<uint64_t> &asking) const {
  if (roles[role].atEnd() || (choice.reached & only(role)) || !asking.contains(choice.identity))
    return false;
  return llvm::all_of(choice.around, [&](const Iteration &iteration) {
    const Choice &loop = choices[iteration.choice];
    return loop.inside & only(role) ? loop.left[role] >= iteration.left : !(loop.reached & only(role));
  });
}

bool RoleWorld::isNeeded(int index, llvm::ArrayRef<llvm::DenseSet<uint64_t>> asking) const {
  const Choice &choice = choices[index];
  if (choice.inside != 0)
    return true;
  for (unsigned role = 0; role < roles.size(); ++role)
    if (canReach(role, choice, asking[role]))
      return true;
  for (const RoleCursor &role : roles)
    for (const Amount &amount : role.values)
      if (llvm::is_contained(amount.rests, index))
        return true;
  return llvm::any_of(choices, [&](const Choice &inner) {
    return llvm::any_of(inner.around, [&](const Iteration &iteration) { return iteration.choice == index; });
  });
}

/// `order` has the old numbers of the remaining ones.
void RoleWorld::renumber(llvm::ArrayRef<int> order) {
  llvm::SmallVector<int, 8> numbers(choices.size(), -1);
  llvm::SmallVector<Choice, 4> kept;
  for (auto [number, old] : llvm::enumerate(order)) {
    numbers[old] = number;
    kept.push_back(std::move(choices[old]));
  }
  choices = std::move(kept);
  for (Choice &choice : choices)
    for (Iteration &iteration : choice.around)
      iteration.choice = numbers[iteration.choice];
  for (RoleCursor &role : roles) {
    for (RoleFrame &frame : role.frames)
      frame.choice = frame.choice < 0 ? -1 : numbers[frame.choice];
    role.asks = role.asks < 0 ? -1 : numbers[role.asks];
  }
  forEachAmount([&](Amount &amount) { amount.renumberRests([&](int rest) { return numbers[rest]; }); });
}

/// Whether a value defined in the block of `frames[depth]` is needed again. A loop-carried value may become the loop's
/// result; a value defined around a loop is needed in each of its iterations.
static bool isNeeded(llvm::ArrayRef<RoleFrame> frames, unsigned depth, const RoleProgram &program, int slot) {
  const RoleFrame &own = frames[depth];
  if (own.atHead && llvm::is_contained(program.block(own.block).arguments, slot))
    return true;
  for (unsigned at = depth; at < frames.size(); ++at) {
    bool isInnermost = at + 1 == frames.size(), repeats = at != depth && frames[at].choice >= 0;
    int next = repeats ? 0 : frames[at].index + !isInnermost;
    if (program.lastUse(frames[at].block, slot) >= next)
      return true;
  }
  return false;
}

static void forgetDead(RoleCursor &role, const RoleProgram &program) {
  for (auto [depth, frame] : llvm::enumerate(role.frames)) {
    const RoleBlock &block = program.block(frame.block);
    for (int slot = block.valuesBegin; slot < block.valuesEnd; ++slot)
      if (program.blockOf(slot) == frame.block && !isNeeded(role.frames, depth, program, slot))
        role.values[slot] = Amount();
  }
}

void RoleWorld::tidy(llvm::ArrayRef<RoleProgram> programs, llvm::ArrayRef<llvm::DenseSet<uint64_t>> asking) {
  for (auto [role, program] : llvm::zip(roles, programs))
    forgetDead(role, program);
  llvm::SmallVector<int, 8> order;
  for (bool isLess = true; isLess;) { // an inner loop's choice precedes that of the enclosing loop
    order.clear();
    for (unsigned index = 0; index < choices.size(); ++index)
      if (llvm::is_contained(llvm::map_range(roles, [](const RoleCursor &role) { return role.asks; }), int(index)) ||
          isNeeded(index, asking))
        order.push_back(index);
    isLess = order.size() != choices.size();
    renumber(order);
  }
  for (Choice &choice : choices) {
    bool isAwaited = false;
    for (unsigned role = 0; role < roles.size(); ++role)
      isAwaited |= canReach(role, choice, asking[role]);
    if (!isAwaited) {
      choice.total = 0;
      choice.reached = ~0;
    }
  }
  auto rankOf = [&](int index) { // equal identities keep the order in which roles reach them
    return std::tuple(choices[index].around.size(), choices[index].identity, index);
  };
  llvm::sort(order, [&](int a, int b) { return rankOf(a) < rankOf(b); });
  renumber(order);
}

//===--- States as keys -------------------------------------------------------------------------------------------===//

namespace {

class KeyWriter {
public:
  std::vector<uint64_t> key;

  void write(uint64_t word) { key.push_back(word); }
  void write(const Amount &amount) {
    write(uint64_t(uint32_t(amount.offset)) << 32 | amount.channel << 8 | unsigned(amount.kind) << 2 |
          amount.hasRests() << 1 | unsigned(amount.bounded));
    if (!amount.hasRests())
      return;
    uint64_t rests = 0;
    for (int8_t rest : amount.rests)
      rests = rests << 8 | uint8_t(rest);
    write(rests);
  }
  void write(const Choice &choice) {
    write(choice.identity);
    write(uint64_t(choice.reached) << 24 | uint64_t(choice.inside) << 16 | uint64_t(uint8_t(choice.total)) << 8 |
          choice.known << 1 | unsigned(choice.outcome));
    uint64_t left = 0;
    for (unsigned role = 0; role < kMostRoles; ++role)
      left |= uint64_t(choice.inside >> role & 1 ? uint8_t(choice.left[role]) : 0) << 8 * role;
    write(left);
    write(choice.around.size());
    for (const Iteration &iteration : choice.around)
      write(uint64_t(uint32_t(iteration.choice)) << 32 | uint32_t(iteration.left));
  }
  void write(const RoleCursor &role) {
    write(uint64_t(role.frames.size()) << 32 | role.dots.size());
    for (const RoleFrame &frame : role.frames)
      write(uint64_t(frame.block) << 40 | uint64_t(frame.index) << 16 | uint64_t(uint8_t(frame.choice)) << 8 |
            frame.atHead << 1 | unsigned(frame.again));
    for (auto [slot, amount] : llvm::enumerate(role.values))
      if (amount.kind != Amount::Kind::Unknown) {
        write(slot);
        write(amount);
      }
    for (const DotGroup &group : role.dots) {
      write(group.size());
      for (const BorrowedTile &tile : group)
        write(uint64_t(tile.ring) << 32 | uint32_t(tile.offset));
    }
  }
  void write(const RingState &ring) {
    write(ring.full);
    for (uint8_t slot : ring.slots)
      write(slot);
    write(uint64_t(ring.knowing) << 16 | ring.done[0] << 8 | ring.done[1]);
    write(ring.underWay);
    write(ring.held);
  }
};

} // namespace

std::vector<uint64_t> RoleWorld::key() const {
  KeyWriter writer;
  writer.key.reserve(256);
  writer.write(choices.size());
  for (const Choice &choice : choices)
    writer.write(choice);
  for (const RoleCursor &role : roles)
    writer.write(role);
  for (const RingState &ring : rings)
    writer.write(ring);
  for (const PingPongState &pingPong : pingPongs) {
    writer.write(uint64_t(pingPong.knowing) << 1 | pingPong.passed);
    writer.write(pingPong.passedKnowing);
  }
  return std::move(writer.key);
}

} // namespace tawa::verify
