// Stacks of fibers, and the switch with the annotations that sanitizers need. The registers are switched in
// FiberSwitch.S on x86-64, through ucontext on other CPUs (correct, but each switch is two system calls).
#include "runtime/emulator/Fiber.h"

#include <cstdlib>
#include <pthread.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define TAWA_EMU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TAWA_EMU_ASAN 1
#endif
#endif
#ifdef TAWA_EMU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__)
#include <new>
#include <ucontext.h>
#endif

namespace tawa::emu {

StackPool::~StackPool() {
  for (uint8_t *block : blocks)
    munmap(block, kPerBlock * (kStackBytes + kGuardBytes));
}

bool StackPool::reserve(size_t count) {
  while (blocks.size() * kPerBlock < count) {
    size_t stride = kStackBytes + kGuardBytes;
    void *memory = mmap(nullptr, kPerBlock * stride, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    auto *block = static_cast<uint8_t *>(memory);
    blocks.push_back(block);
    for (size_t i = 0; i < kPerBlock; ++i)
      if (mprotect(block + i * stride + kGuardBytes, kStackBytes, PROT_READ | PROT_WRITE) != 0)
        return false;
  }
  return true;
}

FiberStack StackPool::operator[](size_t index) const {
  // Neighbouring fibers start at different cache sets; else all their hot frames compete for the same few.
  size_t colour = (index % 61) * 64;
  uint8_t *slot = blocks[index / kPerBlock] + (index % kPerBlock) * (kStackBytes + kGuardBytes);
  return {slot + kGuardBytes, kStackBytes - colour};
}

#if defined(__x86_64__)

extern "C" void tawa_emu_switch_stack(void **saveOld, void *next);
extern "C" void tawa_emu_start_fiber();

static void prepareRegisters(FiberContext &context, FiberStack stack, void (*entry)(void *), void *argument) {
  auto top = reinterpret_cast<uintptr_t>(stack.bottom + stack.bytes) & ~uintptr_t(15);
  auto *frame = reinterpret_cast<void **>(top) - 7; // r15 r14 r13 r12 rbx rbp return address
  frame[0] = frame[1] = frame[4] = frame[5] = nullptr;
  frame[2] = argument;
  frame[3] = reinterpret_cast<void *>(entry);
  frame[6] = reinterpret_cast<void *>(tawa_emu_start_fiber);
  context.stackPointer = frame;
}

static void switchRegisters(FiberContext &from, FiberContext &to) {
  tawa_emu_switch_stack(&from.stackPointer, to.stackPointer);
}

#else

static void startFiber(unsigned entryHigh, unsigned entryLow, unsigned argumentHigh, unsigned argumentLow) {
  auto join = [](unsigned high, unsigned low) { return (uint64_t(high) << 32) | low; };
  auto entry = reinterpret_cast<void (*)(void *)>(uintptr_t(join(entryHigh, entryLow)));
  entry(reinterpret_cast<void *>(uintptr_t(join(argumentHigh, argumentLow))));
  abort();
}

static void prepareRegisters(FiberContext &context, FiberStack stack, void (*entry)(void *), void *argument) {
  auto *saved = new (stack.bottom) ucontext_t;
  size_t header = (sizeof(ucontext_t) + 63) & ~size_t(63);
  getcontext(saved);
  saved->uc_stack.ss_sp = stack.bottom + header;
  saved->uc_stack.ss_size = stack.bytes - header;
  saved->uc_link = nullptr;
  uint64_t e = reinterpret_cast<uintptr_t>(entry), a = reinterpret_cast<uintptr_t>(argument);
  makecontext(saved, reinterpret_cast<void (*)()>(startFiber), 4, unsigned(e >> 32), unsigned(e), unsigned(a >> 32),
              unsigned(a));
  context.stackPointer = saved;
}

static void switchRegisters(FiberContext &from, FiberContext &to) {
  ucontext_t own; // the scheduler's own context has no fiber stack to keep one in
  if (!from.stackPointer)
    from.stackPointer = &own;
  swapcontext(static_cast<ucontext_t *>(from.stackPointer), static_cast<ucontext_t *>(to.stackPointer));
  if (from.stackPointer == &own)
    from.stackPointer = nullptr;
}

#endif

void prepareFiber(FiberContext &context, FiberStack stack, void (*entry)(void *), void *argument) {
#ifdef TAWA_EMU_ASAN
  __asan_unpoison_memory_region(stack.bottom, stack.bytes); // an abandoned fiber leaves its frames poisoned
#endif
  context.stackBottom = stack.bottom;
  context.stackBytes = stack.bytes;
  context.sanitizerStack = nullptr;
  prepareRegisters(context, stack, entry, argument);
}

void describeOwnStack(FiberContext &context) {
#ifdef TAWA_EMU_ASAN
  pthread_attr_t attributes;
  void *bottom = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &bottom, &bytes);
    pthread_attr_destroy(&attributes);
  }
  context.stackBottom = bottom;
  context.stackBytes = bytes;
#else
  (void)context;
#endif
}

void switchFiber(FiberContext &from, FiberContext &to) {
#ifdef TAWA_EMU_ASAN
  __sanitizer_start_switch_fiber(&from.sanitizerStack, to.stackBottom, to.stackBytes);
  switchRegisters(from, to);
  __sanitizer_finish_switch_fiber(from.sanitizerStack, nullptr, nullptr);
#else
  switchRegisters(from, to);
#endif
}

void leaveFiber(FiberContext &from, FiberContext &to) {
#ifdef TAWA_EMU_ASAN
  __sanitizer_start_switch_fiber(nullptr, to.stackBottom, to.stackBytes);
#endif
  switchRegisters(from, to);
  abort(); // a fiber that left is never resumed
}

void enterFiber() {
#ifdef TAWA_EMU_ASAN
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

} // namespace tawa::emu
