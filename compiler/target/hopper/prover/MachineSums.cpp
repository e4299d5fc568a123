// Each CTA of a program takes part in a sum once, by code without loops, so what it does follows from its rank: the
// steps of each role are listed for every rank, and compared.
//
//   rank 0, role 1     .. slots .., arrive at (1, empty 0), wait for full 0, read, arrive at (2, empty 1), wait for full 1, read
//   rank 1, role 1     .. slots .., wait for empty 0, send to 0
//   rank 2, role 1     .. slots .., (as rank 0, with 3), wait for empty 1, send to 0
//
// A part may come to bytes of slots, or to those of another part, where its sender has waited for arrivals of the
// receiver that follow the last use of these bytes in each role that uses them.
#include "compiler/target/hopper/prover/MachineSums.h"

#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>

using namespace mlir;

namespace tawa::verify {

namespace {

constexpr int64_t kWordBytes = 4;

/// What a role does to a sum, or (Slots) to the slots of rings.
struct Step {
  enum class Kind : uint8_t { Slots, Wait, Arrive, Send, Read };
  Kind kind;
  Operation *op = nullptr;
  int64_t barrier = 0; ///< Waited for, arrived at, or counting the bytes that are sent.
  unsigned peer = 0;   ///< Of arrivals and what is sent.
  uint32_t arrivals = 0;
  Range bytes = {}; ///< Sent or read; of Slots, those of the ring.
};

/// The place of a step: in the role of a CTA.
struct StepAt {
  unsigned program, index;
};

class SumCheck {
public:
  SumCheck(MachineKernel &kernel, const MachineRings &rings) : kernel(kernel), rings(rings) {}

  std::optional<RoleFinding> run() {
    for (unsigned rank = 0; rank < kernel.cluster(); ++rank) {
      ThreadValues values(kernel.info.threads, rank);
      for (MachineRole &role : kernel.roles)
        list(role, values);
    }
    checkBarriers();
    forEach(Step::Kind::Send, [&](StepAt send) { checkSend(send); });
    forEach(Step::Kind::Read, [&](StepAt read) { checkRead(read); });
    if (!found)
      checkOrder();
    return found;
  }

private:
  using Program = std::vector<Step>;
  void list(MachineRole &role, ThreadValues &values);
  std::optional<Step> stepOf(MachineRole &role, Operation *op) const;
  bool finish(MachineRole &role, ThreadValues &values, Step &step);
  std::optional<std::set<unsigned>> performersOf(MachineRole &role, ThreadValues &values, Operation *op) const;
  void checkBarriers();
  void checkSend(StepAt at);
  void checkRead(StepAt at);
  bool followsSlots(StepAt send) const;
  bool comesBehind(StepAt send, StepAt earlier) const;
  bool arrivesBehind(const Program &program, const Step &permit, unsigned to, const Step &earlier,
                     const Step &later) const;
  void checkOrder();

  unsigned rankOf(unsigned program) const { return program / kernel.roles.size(); }
  const Step &at(StepAt place) const { return programs[place.program][place.index]; }
  unsigned firstOf(unsigned rank) const { return rank * kernel.roles.size(); }
  void forEach(Step::Kind kind, llvm::function_ref<void(StepAt)> visit) const {
    for (unsigned program = 0; program < programs.size(); ++program)
      for (unsigned index = 0; index < programs[program].size(); ++index)
        if (programs[program][index].kind == kind)
          visit({program, index});
  }
  bool waitsFor(unsigned rank, int64_t barrier) const {
    bool waits = false;
    forEach(Step::Kind::Wait,
            [&](StepAt wait) { waits |= rankOf(wait.program) == rank && at(wait).barrier == barrier; });
    return waits;
  }
  void fail(Operation *op, const llvm::Twine &what) {
    if (!found)
      found = RoleFinding{op, what.str()};
  }

  MachineKernel &kernel;
  const MachineRings &rings;
  std::vector<Program> programs; ///< Of rank 0, all roles, then of rank 1.
  std::optional<RoleFinding> found;
};

/// What maps an address to another CTA, and the bytes that are added to it there.
std::pair<sm90::MapSharedRankOp, int64_t> remoteAddress(Value address) {
  int64_t offset = 0;
  if (auto sum = address.getDefiningOp<arith::AddIOp>())
    if (auto constant = constantValue(sum.getRhs())) {
      offset = *constant;
      address = sum.getLhs();
    }
  return {address.getDefiningOp<sm90::MapSharedRankOp>(), offset};
}

//===--- Steps ----------------------------------------------------------------------------------------------------===//

/// Without what depends on the rank.
std::optional<Step> SumCheck::stepOf(MachineRole &role, Operation *op) const {
  if (rings.readsSum(op)) {
    Place place = role.places.of(op->getOperand(0));
    return Step{Step::Kind::Read, op, 0, 0, 0, {place.low, place.high + kWordBytes * op->getNumResults()}};
  }
  if (rings.isOfSum(op)) {
    int64_t barrier = rings.useOf(op).first;
    if (isa<sm90::MBarrierWaitParityOp>(op))
      return Step{Step::Kind::Wait, op, barrier};
    if (isa<sm90::MBarrierArriveClusterOp>(op))
      return Step{Step::Kind::Arrive, op, barrier};
    auto store = dyn_cast<sm90::StoreAsyncOp>(op);
    if (!store)
      return std::nullopt;
    auto [to, offset] = remoteAddress(store.getAddress());
    Range bytes{0, kAnywhere};
    if (to) {
      Place place = role.places.of(to.getAddress());
      bytes = {place.low + offset, place.high + offset + kWordBytes * static_cast<int64_t>(store.getWords().size())};
    }
    return Step{Step::Kind::Send, op, barrier, 0, 0, bytes};
  }
  auto wait = dyn_cast<sm90::MBarrierWaitParityOp>(op);
  auto channel = wait ? rings.channelOf(wait) : std::nullopt;
  std::optional<unsigned> ring;
  if (isa<sm90::MBarrierArriveOp, sm90::MBarrierArriveClusterOp>(op))
    ring = rings.releasedBy(op);
  else if (channel && !channel->puts)
    ring = channel->ring;
  return ring ? std::optional(Step{Step::Kind::Slots, op, 0, 0, 0, rings.slotsOf(*ring)}) : std::nullopt;
}

/// The threads that execute an operation; none: that does not follow from their place and rank.
std::optional<std::set<unsigned>> SumCheck::performersOf(MachineRole &role, ThreadValues &values, Operation *op) const {
  std::set<unsigned> threads;
  for (unsigned thread = role.first; thread < role.first + role.threads; ++thread)
    threads.insert(thread);
  auto narrow = [&](Value condition, bool holds) {
    const std::vector<uint32_t> *known = values.of(condition);
    if (known)
      std::erase_if(threads, [&](unsigned thread) { return ((*known)[thread] != 0) != holds; });
    return known != nullptr;
  };
  for (Operation *inner = op; inner->getBlock() != role.body; inner = inner->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(inner->getParentOp());
    if (!branch || !narrow(branch.getCondition(), inner->getBlock() == branch.thenBlock()))
      return std::nullopt;
  }
  auto predicated = dyn_cast<sm90::PredicatedOpInterface>(op);
  if (Value predicate = predicated ? predicated.getPredicateValue() : Value(); predicate && !narrow(predicate, true))
    return std::nullopt;
  return threads;
}

/// Adds what depends on the rank; false where the step is none of this rank's.
bool SumCheck::finish(MachineRole &role, ThreadValues &values, Step &step) {
  if (step.kind == Step::Kind::Slots)
    return true;
  auto threads = performersOf(role, values, step.op);
  if (!threads)
    return fail(step.op, "whether this CTA does this to a sum does not follow from its rank"), false;
  if (threads->empty())
    return false;
  step.arrivals = threads->size();
  if (step.kind == Step::Kind::Arrive) {
    std::set<unsigned> warps;
    for (unsigned thread : *threads)
      warps.insert(thread / kLanes);
    if (warps.size() != role.threads / kLanes)
      fail(step.op, "not all warps of " + role.name + " tell the other CTA that they have read");
  } else if (threads->size() != role.threads) {
    fail(step.op, "not all threads of " + role.name + " take part in a sum");
  }
  if (step.kind != Step::Kind::Arrive && step.kind != Step::Kind::Send)
    return true;
  auto store = dyn_cast<sm90::StoreAsyncOp>(step.op);
  auto peer = (store ? store.getMbarrier() : step.op->getOperand(0)).getDefiningOp<sm90::MapSharedRankOp>();
  const std::vector<uint32_t> *rank = peer ? values.of(peer.getRank()) : nullptr;
  bool isOne = !store || (peer && remoteAddress(store.getAddress()).first &&
                          remoteAddress(store.getAddress()).first.getRank() == peer.getRank());
  if (!rank || !isOne || (*rank)[role.first] >= kernel.cluster())
    return fail(step.op, "the CTA that this goes to is not known"), false;
  step.peer = (*rank)[role.first];
  return true;
}

/// Parts of one sum, sent or read by operations that follow each other, are one step.
void SumCheck::list(MachineRole &role, ThreadValues &values) {
  Program &program = programs.emplace_back();
  role.body->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto step = stepOf(role, op);
    if (!step || !finish(role, values, *step))
      return;
    bool continues = !program.empty() && program.back().kind == step->kind && program.back().peer == step->peer &&
                     program.back().barrier == step->barrier && program.back().op->getBlock() == op->getBlock() &&
                     (step->kind == Step::Kind::Send || step->kind == Step::Kind::Read);
    if (!continues) {
      program.push_back(*step);
      return;
    }
    Range &bytes = program.back().bytes;
    bytes = {std::min(bytes.begin, step->bytes.begin), std::max(bytes.end, step->bytes.end)};
  });
}

//===--- Rules ----------------------------------------------------------------------------------------------------===//

/// Each barrier at which something arrives is waited for, and each wait ends.
void SumCheck::checkBarriers() {
  std::map<std::pair<unsigned, int64_t>, uint32_t> arrivals, parts;
  std::map<std::pair<unsigned, int64_t>, Operation *> where;
  for (auto [kind, counted] : {std::pair(Step::Kind::Arrive, &arrivals), std::pair(Step::Kind::Send, &parts)})
    forEach(kind, [&](StepAt place) {
      const Step &step = at(place);
      (*counted)[{step.peer, step.barrier}] += step.arrivals;
      where[{step.peer, step.barrier}] = step.op;
    });
  for (auto &[key, op] : where)
    if (!waitsFor(key.first, key.second))
      fail(op, "the CTA that this goes to does not wait for it, and may have ended");
  for (auto &[key, count] : arrivals)
    if (count != rings.arrivalsAt(key.second))
      fail(where[key], llvm::Twine(count) + " warps say that bytes are free, and the barrier counts " +
                           llvm::Twine(rings.arrivalsAt(key.second)));
  forEach(Step::Kind::Wait, [&](StepAt place) {
    if (!where.contains({rankOf(place.program), at(place).barrier}))
      fail(at(place).op, "nothing comes that this waits for");
  });
}

/// Whether, before something is sent, the receiver's roles that read slots have told that they do so no more.
bool SumCheck::followsSlots(StepAt send) const {
  auto isBehindSlots = [&](const Program &program, int64_t barrier, unsigned to) {
    bool reads = false, arrives = false;
    for (const Step &step : program) {
      if (step.kind == Step::Kind::Slots && meets(step.bytes, at(send).bytes)) {
        reads = true;
        arrives = false;
      }
      arrives |= step.kind == Step::Kind::Arrive && step.peer == to && step.barrier == barrier;
    }
    return arrives || !reads;
  };
  for (unsigned index = 0; index < send.index; ++index) {
    const Step &wait = programs[send.program][index];
    unsigned first = firstOf(at(send).peer);
    bool areBehind = wait.kind == Step::Kind::Wait;
    for (unsigned program = first; areBehind && program < first + kernel.roles.size(); ++program)
      areBehind = isBehindSlots(programs[program], wait.barrier, rankOf(send.program));
    if (areBehind)
      return true;
  }
  return false;
}

/// Whether a role that reads the bytes of two parts, `earlier` and then `later`, arrives at `permit` in between.
bool SumCheck::arrivesBehind(const Program &program, const Step &permit, unsigned to, const Step &earlier,
                             const Step &later) const {
  bool has = false, permits = false, hasLater = false;
  for (const Step &step : program) {
    has |= step.kind == Step::Kind::Wait && step.barrier == earlier.barrier;
    hasLater |= step.kind == Step::Kind::Wait && step.barrier == later.barrier;
    permits |= has && step.kind == Step::Kind::Arrive && step.peer == to && step.barrier == permit.barrier;
    if (step.kind == Step::Kind::Read && meets(step.bytes, later.bytes) && permits && !hasLater)
      return false;
  }
  return permits;
}

/// Whether a part is sent when the receiver has read an earlier one in the same bytes.
bool SumCheck::comesBehind(StepAt send, StepAt earlier) const {
  unsigned first = firstOf(at(send).peer);
  for (unsigned index = 0; index < send.index; ++index) {
    const Step &wait = programs[send.program][index];
    bool isBehind = wait.kind == Step::Kind::Wait;
    for (unsigned program = first; isBehind && program < first + kernel.roles.size(); ++program) {
      bool reads = llvm::any_of(programs[program], [&](const Step &step) {
        return step.kind == Step::Kind::Read && meets(step.bytes, at(earlier).bytes);
      });
      isBehind = !reads || arrivesBehind(programs[program], wait, rankOf(send.program), at(earlier), at(send));
    }
    if (isBehind)
      return true;
  }
  return false;
}

void SumCheck::checkSend(StepAt send) {
  const Step &step = at(send);
  if (rings.meetsSlots(step.bytes) && !followsSlots(send))
    fail(step.op, "this may come to a slot that is still read");
  forEach(Step::Kind::Send, [&](StepAt other) {
    bool isSame = other.program == send.program && other.index == send.index;
    if (!isSame && at(other).peer == step.peer && meets(at(other).bytes, step.bytes) && !comesBehind(send, other) &&
        !comesBehind(other, send))
      fail(step.op, "two parts of sums may come to the same bytes at once");
  });
}

/// What is read has been sent, and counted by the last wait.
void SumCheck::checkRead(StepAt read) {
  const Program &program = programs[read.program];
  unsigned wait = read.index;
  while (program[wait].kind != Step::Kind::Wait) // one comes before each read of a sum
    --wait;
  bool isSent = false;
  forEach(Step::Kind::Send, [&](StepAt place) {
    const Step &send = at(place);
    isSent |= send.peer == rankOf(read.program) && send.barrier == program[wait].barrier &&
              send.bytes.begin <= at(read).bytes.begin && at(read).bytes.end <= send.bytes.end;
  });
  if (!isSent)
    fail(at(read).op, "this reads bytes that no other CTA sends");
}

/// No CTA waits for one that waits for it: the steps can be made in some order.
void SumCheck::checkOrder() {
  std::vector<unsigned> next(programs.size());
  std::map<std::pair<unsigned, int64_t>, unsigned> missing;
  for (Step::Kind kind : {Step::Kind::Arrive, Step::Kind::Send})
    forEach(kind, [&](StepAt place) { ++missing[{at(place).peer, at(place).barrier}]; });
  bool goesOn = true;
  while (goesOn) {
    goesOn = false;
    for (unsigned program = 0; program < programs.size(); ++program)
      for (; next[program] < programs[program].size(); ++next[program], goesOn = true) {
        const Step &step = programs[program][next[program]];
        if (step.kind == Step::Kind::Wait && missing[{rankOf(program), step.barrier}] != 0)
          break;
        if (step.kind == Step::Kind::Arrive || step.kind == Step::Kind::Send)
          --missing[{step.peer, step.barrier}];
      }
  }
  for (unsigned program = 0; program < programs.size(); ++program)
    if (next[program] < programs[program].size())
      return fail(programs[program][next[program]].op, "CTAs that share a sum wait for each other");
}

} // namespace

std::optional<RoleFinding> checkSums(MachineKernel &kernel, const MachineRings &rings) {
  bool sends = kernel.func.walk([](sm90::StoreAsyncOp) { return WalkResult::interrupt(); }).wasInterrupted();
  return sends ? SumCheck(kernel, rings).run() : std::nullopt;
}

} // namespace tawa::verify
