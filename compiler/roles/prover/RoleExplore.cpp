// State-space exploration. README.md says why finitely many states stand for all runs, and one order of execution for
// all orders.
//
// Each role runs until it ends, blocks, or reaches an undecided choice. Then one choice is decided both ways. A state
// that was seen before is not continued.
#include "compiler/roles/prover/RoleExplore.h"

#include "compiler/roles/prover/RoleRunner.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <unordered_map>

using namespace mlir;

namespace tawa::verify {

namespace {

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
  RoleExplorer(llvm::ArrayRef<RoleProgram> programs, RoleRules &rules)
      : programs(programs), rules(rules), runner(programs, rules) {
    for (const RoleProgram &program : programs)
      asking.emplace_back(program.identitiesAsked().begin(), program.identitiesAsked().end());
  }

  RoleVerdict run();

private:
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
  RoleRunner runner;
  std::vector<llvm::DenseSet<uint64_t>> asking; ///< By role, what it may ask about.
  std::unordered_map<Key, int, KeyHash> met;
  std::deque<Place> places;
  Decision failed;
};

/// Deadlock: a role is blocked, and no other can proceed.
void RoleExplorer::reportStuck(const RoleWorld &world) {
  std::string waits;
  Operation *op = nullptr;
  for (unsigned role = 0; role < world.roles.size(); ++role) {
    if (world.roles[role].atEnd())
      continue;
    const RoleInstruction &here = runner.at(world, role);
    waits += (op ? "; " : "") + rules.describeBlocked(world, role, here);
    op = op ? op : here.op;
  }
  rules.fail(op, "deadlock: " + waits);
}

/// Runs every role as far as possible. The order among roles does not matter.
bool RoleExplorer::runToChoices(RoleWorld &world) {
  bool isAsked = false, areAtEnd = true;
  for (bool progress = true; progress;) {
    progress = isAsked = false;
    areAtEnd = true;
    for (unsigned role = 0; role < world.roles.size(); ++role) {
      RoleCursor &cursor = world.roles[role];
      cursor.asks = -1;
      RoleStep done = RoleStep::Done;
      while (!cursor.atEnd() && (done = runner.step(world, role)) == RoleStep::Done)
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

/// The choice of the innermost loop, which keeps roles as close together as possible.
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
    return frame.atHead ? programs[role].block(frame.block).loop : runner.at(world, role).op;
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

/// For example: the loop at line 12 runs 2 iterations and ends, then ...
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
    std::string outcome = isCondition ? decision.first ? " holds" : " does not hold"
                          : decision.first
                              ? " runs " + std::to_string(times) + (times == 1 ? " iteration" : " iterations")
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
      rules.fail(op, "the roles have more states than the prover explores");
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

/// Most kernels compare counters only with each other. If that fails, counters are also tracked from the start, up to
/// the / constants they are compared with, at the cost of more states.
RoleVerdict exploreRoles(llvm::ArrayRef<RoleProgram> programs, const std::vector<std::string> &names,
                         const std::vector<RingInfo> &rings) {
  int64_t largest = 0;
  for (const RoleProgram &program : programs)
    largest = std::max(largest, program.largestConstant());
  RoleVerdict verdict;
  unsigned states = 0;
  for (int64_t countedTo : {int64_t(1), largest + 3}) {
    RoleRules rules(names, rings, countedTo);
    verdict = RoleExplorer(programs, rules).run();
    states += verdict.states;
    if (!verdict.finding)
      break;
  }
  verdict.states = states;
  return verdict;
}

} // namespace tawa::verify
