// setmaxnreg: a warp group releases registers to the CTA's pool or waits until it can take more (PTX ISA,
// "setmaxnreg"). The pool has the registers of the CTA's launch, threads times registers at entry, never the whole
// register file: registers that other CTAs of the SM might leave unused are not available.
#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

namespace tawa::emu {

constexpr uint32_t kMinRegisters = 24, kMaxRegisters = 256;

namespace {

/// Gives the group the registers that it waits for, if the pool has them.
bool grant(Cta &cta, WarpGroup &group) {
  uint32_t more = (group.wantedRegisters - group.registers) * kGroupThreads;
  if (more > cta.freeRegisters)
    return false;
  cta.freeRegisters -= more;
  group.registers = group.wantedRegisters;
  cta.cluster->scheduler.wakeAll(group.waiters);
  return true;
}

void release(Cta &cta, WarpGroup &group, uint32_t count) {
  cta.freeRegisters += (group.registers - count) * kGroupThreads;
  group.registers = count;
  std::erase_if(cta.registerQueue, [&](WarpGroup *waiting) { return grant(cta, *waiting); });
}

void check(Thread &self, uint32_t count, bool increase) {
  Cluster &cluster = *self.cta->cluster;
  const char *what = increase ? "setmaxnreg.inc" : "setmaxnreg.dec";
  if (!cluster.plan->config.registersPerThread)
    cluster.fail(self, "%s %u, but the launch does not say how many registers a thread has at entry", what, count);
  if (count < kMinRegisters || count > kMaxRegisters || count % 8)
    cluster.fail(self, "%s %u; legal are multiples of 8 from %u to %u", what, count, kMinRegisters, kMaxRegisters);
  uint32_t has = self.group->registers;
  if (increase ? count < has : count > has)
    cluster.fail(self, "%s %u in warp group %u, whose threads have %u registers", what, count, self.group->number, has);
}

} // namespace

namespace abi {

extern "C" v tawa_emu_set_max_registers(p thread, i count, i increase) {
  Thread &caller = self(thread);
  Cta &cta = *caller.cta;
  WarpGroup &group = *caller.group;
  Scheduler &scheduler = cta.cluster->scheduler;
  uint64_t operand = count | static_cast<uint64_t>(increase != 0) << 32;
  bool last = depositInGroup(caller, GroupDeposit::Kind::SetRegisters, operand, nullptr).threads == kGroupThreads;
  if (last) {
    check(caller, count, increase);
    group.deposits.popFront();
  }
  if (!increase) {
    if (last)
      release(cta, group, count);
    return;
  }
  if (last) {
    group.wantedRegisters = count;
    if (grant(cta, group))
      return;
    cta.registerQueue.push_back(&group);
  }
  group.waiters.push(caller);
  scheduler.block(caller, {Wait::Kind::Registers, count, 0});
}

} // namespace abi
} // namespace tawa::emu
