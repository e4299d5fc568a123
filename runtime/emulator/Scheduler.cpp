// The ring of ready threads, and the ways to leave the running one.
#include "runtime/emulator/Scheduler.h"

#include "runtime/emulator/Sm.h"

#include <bit>

namespace tawa::emu {

void WaitList::push(Thread &thread) {
  thread.nextWaiter = nullptr;
  (tail ? tail->nextWaiter : head) = &thread;
  tail = &thread;
}

Thread *WaitList::pop() {
  Thread *thread = head;
  if (thread) {
    head = thread->nextWaiter;
    if (!head)
      tail = nullptr;
  }
  return thread;
}

void Scheduler::reset(size_t fibers) {
  ring.assign(std::bit_ceil(fibers + 1), nullptr);
  head = tail = 0;
  switches = 0;
  describeOwnStack(main);
}

void Scheduler::wake(Thread &thread) { ring[tail++ & (ring.size() - 1)] = &thread; }

void Scheduler::wakeAll(WaitList &list) {
  while (Thread *thread = list.pop())
    wake(*thread);
}

Thread &Scheduler::pop() {
  ++switches;
  return *ring[head++ & (ring.size() - 1)];
}

FiberContext &Scheduler::nextContext() {
  if (!anyReady())
    return main;
  Thread &next = pop();
  next.wait = {};
  return next.fiber;
}

void Scheduler::block(Thread &self, Wait wait) {
  self.wait = wait;
  switchFiber(self.fiber, nextContext());
}

void Scheduler::yield(Thread &self) {
  if (!anyReady())
    return;
  wake(self);
  switchFiber(self.fiber, nextContext());
}

void Scheduler::finish(Thread &self) { leaveFiber(self.fiber, nextContext()); }

void Scheduler::abandon(Thread &self) { leaveFiber(self.fiber, main); }

void Scheduler::runReady() {
  if (anyReady()) {
    FiberContext &next = nextContext();
    switchFiber(main, next);
  }
}

} // namespace tawa::emu
