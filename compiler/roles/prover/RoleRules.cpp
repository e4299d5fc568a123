// Checks each event against the rules and applies it to the state; README.md says why these rules suffice.
#include "compiler/roles/prover/RoleRules.h"

#include "runtime/artifact/PtxShapes.h"

#include "llvm/ADT/STLExtras.h"

namespace tawa::verify {

/// More in flight: nothing waits for them. A tile of 248 columns has 31 products.
static constexpr size_t kMostGroups = kMostPendings + 1;

static uint32_t only(unsigned role) { return 1u << role; }

RoleRules::RoleRules(std::vector<std::string> roleNames, std::vector<RingInfo> rings, int64_t countedTo)
    : names(std::move(roleNames)), rings(std::move(rings)), countedTo(static_cast<uint8_t>(countedTo)) {}

RoleWorld RoleRules::start() const {
  RoleWorld world;
  world.roles.resize(names.size());
  for (const RingInfo &info : rings) {
    world.rings.emplace_back();
    world.rings.back().slots.assign(info.depth, RingState::Free);
  }
  return world;
}

RoleStep RoleRules::fail(mlir::Operation *op, const llvm::Twine &what) {
  if (!found)
    found = RoleFinding{op, what.str()};
  return RoleStep::Failed;
}

static std::string ringName(unsigned ring) { return "ring " + std::to_string(ring); }

//===--- Numbers --------------------------------------------------------------------------------------------------===//

Amount RoleRules::asCount(const RoleWorld &world, Amount amount, Channel channel) const {
  uint8_t done = world.rings[channel.ring].done[channel.puts];
  if (amount.kind != Amount::Kind::Integer || amount.bounded || done == countedTo)
    return amount;
  amount.kind = Amount::Kind::Count;
  amount.channel = static_cast<uint8_t>(channel.number());
  amount.offset -= done;
  return amount;
}

Amount RoleRules::asInteger(const RoleWorld &world, Amount amount) const {
  if (amount.kind != Amount::Kind::Count)
    return amount;
  uint8_t done = world.rings[amount.channel / 2].done[amount.channel % 2];
  if (amount.bounded)
    return {};
  amount.kind = Amount::Kind::Integer;
  amount.channel = 0;
  amount.bounded = done == countedTo;
  amount.offset += done;
  return amount;
}

Amount RoleRules::numberOf(const RoleWorld &world, const TileNumber &number, Channel channel, bool isNext) const {
  int latest = isNext ? 0 : -1;
  if (number.modulus == 1)
    return Amount::count(channel, latest);
  uint8_t done = world.rings[channel.ring].done[channel.puts];
  if (done == countedTo)
    return {};
  auto modulus = static_cast<int>(number.modulus);
  int ahead = (done + latest - static_cast<int>(number.remainder)) % modulus;
  return Amount::count(channel, latest - (ahead < 0 ? ahead + modulus : ahead));
}

Amount RoleRules::tileOf(const RoleWorld &world, const Amount &number, unsigned ring) const {
  Amount count = asCount(world, number, {ring, false});
  bool isCount = count.kind == Amount::Kind::Count && count.channel == Channel{ring, false}.number();
  return isCount && !count.bounded && !count.hasRests() ? Amount::tile(ring, count.offset) : Amount();
}

void RoleRules::advance(RoleWorld &world, Channel channel) {
  RingState &ring = world.rings[channel.ring];
  ring.done[channel.puts] = std::min<uint8_t>(ring.done[channel.puts] + 1, countedTo);
  int least = -rings[channel.ring].depth - 1; // older ones are equivalent
  auto isCounted = [&](const Amount &amount) {
    return (amount.kind == Amount::Kind::Count && amount.channel == channel.number()) ||
           (amount.kind == Amount::Kind::Tile && !channel.puts && amount.channel == channel.ring);
  };
  world.forEachAmount([&](Amount &amount) {
    if (!isCounted(amount))
      return;
    if (--amount.offset > least || amount.hasRests())
      return;
    amount.bounded |= amount.offset < least;
    amount.offset = least;
  });
  if (channel.puts)
    return;
  for (RoleCursor &role : world.roles)
    for (DotGroup &group : role.dots)
      for (BorrowedTile &tile : group)
        tile.offset -= tile.ring == channel.ring && tile.offset >= least;
}

RoleStep RoleRules::checkIndex(Actor actor, Channel channel, Amount index) {
  index = asCount(actor.world, index, channel);
  bool isCount =
      index.kind == Amount::Kind::Count && index.channel == channel.number() && !index.bounded && !index.hasRests();
  if (!isCount)
    return fail(actor.op, "this index is not known to count the " + llvm::Twine(channel.puts ? "puts" : "gets") +
                              " of " + ringName(channel.ring));
  if (index.offset != 0)
    return fail(actor.op, "this index is " + llvm::Twine(std::abs(index.offset)) +
                              (index.offset > 0 ? " more" : " less") + " than the number of " +
                              (channel.puts ? "puts into " : "gets from ") + ringName(channel.ring) + " before it");
  return RoleStep::Done;
}

//===--- Rings ----------------------------------------------------------------------------------------------------===//

int RoleRules::placeOf(const RingState &ring, int64_t offset) const {
  int64_t place = int64_t(ring.full) - 1 - offset;
  return place >= 0 && place < int64_t(ring.slots.size()) ? static_cast<int>(place) : -1;
}

RoleStep RoleRules::put(Actor actor, unsigned number, const Amount &index) {
  RoleStep counted = checkIndex(actor, {number, true}, index);
  RingState &ring = actor.world.rings[number];
  if (counted != RoleStep::Done)
    return counted;
  if (ring.slots.back() != RingState::Free)
    return RoleStep::Blocked;
  ring.slots.pop_back();
  ring.slots.insert(ring.slots.begin(), RingState::Full);
  ++ring.full;
  uint64_t every = (uint64_t(1) << rings[number].depth) - 1;
  if (rings[number].followsLanding)
    ring.underWay = (ring.underWay << 1 | 1) & every;
  if (rings[number].isShared)
    ring.held = (ring.held << 1 | 1) & every;
  advance(actor.world, {number, true});
  return RoleStep::Done;
}

RoleStep RoleRules::get(Actor actor, unsigned number, const Amount &index) {
  RoleStep counted = checkIndex(actor, {number, false}, index);
  RingState &ring = actor.world.rings[number];
  if (counted != RoleStep::Done)
    return counted;
  if (rings[number].getters > 1 && !(ring.knowing & only(actor.role)))
    return fail(actor.op, names[actor.role] + " may get from " + ringName(number) +
                              " before another role has got the tile before: one bit of parity cannot tell them apart");
  if (ring.full == 0)
    return RoleStep::Blocked;
  ring.slots[ring.full - 1] = static_cast<uint8_t>(RingState::Borrowed + actor.role);
  --ring.full;
  ring.knowing = rings[number].getters > 1 ? only(actor.role) : ~0u;
  for (PingPongState &pingPong : actor.world.pingPongs) // the wait it synchronized with did not cover this
    pingPong.passedKnowing &= ~(1u << number);
  advance(actor.world, {number, false});
  return RoleStep::Done;
}

RoleStep RoleRules::release(Actor actor, unsigned number, const Amount &index) {
  Amount count = asCount(actor.world, index, {number, false});
  RingState &ring = actor.world.rings[number];
  bool isCount = count.kind == Amount::Kind::Count && count.channel == Channel{number, false}.number() &&
                 !count.bounded && !count.hasRests();
  if (!isCount)
    return fail(actor.op, "this index is not known to count the gets of " + ringName(number));
  int place = placeOf(ring, count.offset);
  if (place < 0 || ring.slots[place] != RingState::Borrowed + actor.role)
    return fail(actor.op, "this slot of " + ringName(number) + " is not borrowed by " + names[actor.role] +
                              ": it was not got yet, or given back already");
  for (const DotGroup &group : actor.cursor().dots)
    if (llvm::is_contained(group, BorrowedTile{static_cast<uint8_t>(number), count.offset}))
      return fail(actor.op, "a slot of " + ringName(number) + " is given back while a dot may still read it");
  ring.slots[place] = RingState::Free;
  return RoleStep::Done;
}

std::optional<int> RoleRules::putsAhead(const RoleWorld &world, unsigned number, const Amount &index,
                                        unsigned modulus) const {
  Amount count = asCount(world, index, {number, true});
  if (modulus != 0 && count.offset < 0)
    count.offset += static_cast<int>(modulus);
  bool isCount = count.kind == Amount::Kind::Count && count.channel == Channel{number, true}.number() &&
                 !count.bounded && !count.hasRests();
  return isCount && count.offset >= 0 ? std::optional<int>(count.offset) : std::nullopt;
}

/// Put n - depth, which was in the slot before put n. As put n was not made yet, the parity of the previous round /
/// identifies that round. Copies land without further action, so this cannot deadlock.
RoleStep RoleRules::awaitPut(Actor actor, unsigned number, const Amount &index, unsigned modulus) {
  int depth = rings[number].depth;
  auto ahead = putsAhead(actor.world, number, index, modulus);
  if (!ahead || *ahead >= depth)
    return fail(actor.op,
                "this does not wait for one of the last " + llvm::Twine(depth) + " puts into " + ringName(number));
  actor.world.rings[number].underWay &= ~(uint64_t(1) << (depth - 1 - *ahead));
  return RoleStep::Done;
}

/// Put n - depth has been given back: in the machine code, by the consumers of all CTAs that share the ring.
RoleStep RoleRules::awaitFree(Actor actor, unsigned number, const Amount &index, unsigned modulus, int slots) {
  RingState &ring = actor.world.rings[number];
  int depth = rings[number].depth;
  auto ahead = putsAhead(actor.world, number, index, modulus);
  if (!ahead || *ahead + slots > depth)
    return fail(actor.op, "this does not wait for the " + llvm::Twine(depth) + " slots of " + ringName(number));
  for (int place = depth - *ahead - slots; place < depth - *ahead; ++place)
    if (ring.slots[place] != RingState::Free)
      return RoleStep::Blocked;
  for (int place = depth - *ahead - slots; place < depth - *ahead; ++place)
    ring.held &= ~(uint64_t(1) << place);
  return RoleStep::Done;
}

RoleStep RoleRules::writeMap(Actor actor, uint32_t filled) {
  for (auto [number, ring] : llvm::enumerate(actor.world.rings))
    if ((filled >> number & 1) && ring.underWay != 0)
      return fail(actor.op, "this tensor map is written while loads of " + ringName(number) + " may still use it");
  return RoleStep::Done;
}

RoleStep RoleRules::read(Actor actor, llvm::ArrayRef<Amount> operands) {
  for (const Amount &tile : operands) {
    if (tile.kind != Amount::Kind::Tile)
      continue;
    const RingState &ring = actor.world.rings[tile.channel];
    int place = tile.bounded ? -1 : placeOf(ring, tile.offset);
    if (place < 0 || ring.slots[place] != RingState::Borrowed + actor.role)
      return fail(actor.op, "a tile of " + ringName(tile.channel) + " is read after its slot was given back");
  }
  return RoleStep::Done;
}

//===--- Dots -----------------------------------------------------------------------------------------------------===//

RoleStep RoleRules::issue(Actor actor, llvm::ArrayRef<Amount> operands) {
  if (read(actor, operands) == RoleStep::Failed)
    return RoleStep::Failed;
  RoleCursor &cursor = actor.cursor();
  if (cursor.dots.size() == kMostGroups)
    return fail(actor.op, "nothing waits for the dots of " + names[actor.role]);
  DotGroup group;
  for (const Amount &tile : operands)
    if (tile.kind == Amount::Kind::Tile)
      group.push_back({tile.channel, tile.offset});
  cursor.dots.push_back(std::move(group));
  for (Amount &amount : cursor.values)
    if (amount.kind == Amount::Kind::Accumulator)
      amount.offset = std::min(amount.offset + 1, kFarOff);
  return RoleStep::Done;
}

RoleStep RoleRules::wait(Actor actor, unsigned pendings) {
  RoleCursor &cursor = actor.cursor();
  if (cursor.dots.size() > pendings)
    cursor.dots.erase(cursor.dots.begin(), cursor.dots.end() - pendings);
  for (Amount &amount : cursor.values) // older ones are equivalent
    if (amount.kind == Amount::Kind::Accumulator && amount.offset > int(pendings))
      amount.offset = kFarOff;
  return RoleStep::Done;
}

bool RoleRules::isSettled(const Amount &accumulator, unsigned pendings) const {
  return accumulator.kind == Amount::Kind::Accumulator && accumulator.offset > int(pendings);
}

//===--- Ping-pong ------------------------------------------------------------------------------------------------===//

/// What a role knows to be over: first rings, then ping-pong groups.
uint32_t RoleRules::knownBy(const RoleWorld &world, unsigned role) const {
  uint32_t known = 0;
  unsigned bit = 0;
  for (const RingState &ring : world.rings)
    known |= uint32_t(ring.knowing >> role & 1) << bit++;
  for (const PingPongState &pingPong : world.pingPongs)
    known |= uint32_t(pingPong.knowing >> role & 1) << bit++;
  return known;
}

RoleStep RoleRules::pingPongWait(Actor actor, unsigned number) {
  PingPongState &pingPong = actor.world.pingPongs[number];
  if (!pingPong.passed)
    return RoleStep::Blocked;
  unsigned bit = 0;
  auto learn = [&](uint32_t &knowing) { knowing |= (pingPong.passedKnowing >> bit++ & 1) << actor.role; };
  for (RingState &ring : actor.world.rings)
    learn(ring.knowing);
  for (PingPongState &other : actor.world.pingPongs)
    learn(other.knowing);
  pingPong.passed = false;
  pingPong.passedKnowing = 0;
  pingPong.knowing = only(actor.role);
  for (PingPongState &other : actor.world.pingPongs)
    other.passedKnowing &= ~(1u << (actor.world.rings.size() + number));
  return RoleStep::Done;
}

RoleStep RoleRules::pingPongPass(Actor actor, unsigned number) {
  PingPongState &pingPong = actor.world.pingPongs[number];
  if (pingPong.passed || !(pingPong.knowing & only(actor.role)))
    return fail(actor.op,
                names[actor.role] + " may pass to group " + llvm::Twine(number) + " again before that one has waited");
  pingPong.passed = true;
  pingPong.passedKnowing = knownBy(actor.world, actor.role);
  return RoleStep::Done;
}

//===--- The end --------------------------------------------------------------------------------------------------===//

RoleStep RoleRules::finish(Actor actor) {
  if (!actor.cursor().dots.empty())
    return fail(actor.op, names[actor.role] + " ends with dots in flight");
  return RoleStep::Done;
}

/// No copy may land in the shared memory of a CTA that has ended, nor another CTA arrive there, and every borrowed slot
/// was released.
RoleStep RoleRules::finishAll(const RoleWorld &world) {
  for (auto [number, ring] : llvm::enumerate(world.rings)) {
    if (ring.full != 0)
      return fail(nullptr, "a tile of " + ringName(number) + " has not been read when the kernel ends");
    for (uint8_t slot : ring.slots)
      if (slot >= RingState::Borrowed)
        return fail(nullptr, names[slot - RingState::Borrowed] + " has not given back a slot of " + ringName(number) +
                                 " when the kernel ends");
    if (ring.held != 0)
      return fail(nullptr, "a CTA may end while others of its cluster give back slots of " + ringName(number));
  }
  for (auto [number, pingPong] : llvm::enumerate(world.pingPongs))
    if (pingPong.passed)
      return fail(nullptr,
                  "group " + llvm::Twine(number) + " has not waited for the last pass to it when the kernel ends");
  return RoleStep::Done;
}

std::string RoleRules::describeBlocked(const RoleWorld &world, unsigned role, const RoleInstruction &at) const {
  using Kind = RoleInstruction::Kind;
  if (at.kind == Kind::PingPongWait)
    return names[role] + " waits to be passed to, as group " + std::to_string(at.ring);
  if (at.kind == Kind::Get)
    return names[role] + " waits for a tile of " + ringName(at.ring);
  return names[role] + " waits for one of " + std::to_string(rings[at.ring].depth) + " slots of " + ringName(at.ring);
}

} // namespace tawa::verify
