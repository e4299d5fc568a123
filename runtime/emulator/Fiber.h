// Fibers: stacks that one OS thread switches between explicitly. Every emulated GPU thread is one. A switch costs a few
// nanoseconds, because only the callee-saved registers are switched (FiberSwitch.S).
//
// A fiber may be abandoned: switched away from permanently, and its stack reused. Its objects are not destroyed, so
// code on a fiber keeps no owning object alive across a switch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tawa::emu {

/// The resumption point of a suspended fiber (or of the scheduler's own stack).
struct FiberContext {
  void *stackPointer = nullptr; ///< x86-64: top of the saved registers. Elsewhere: a ucontext_t at the stack's bottom.
  const void *stackBottom = nullptr;
  size_t stackBytes = 0;
  void *sanitizerStack = nullptr; ///< AddressSanitizer's shadow of this stack while it is suspended.
};

/// Lowest address and size of one fiber's usable stack.
struct FiberStack {
  uint8_t *bottom = nullptr;
  size_t bytes = 0;
};

/// Stacks of one worker, kept between launches: touching their pages for the first time costs more than a small kernel.
/// Below each lies an inaccessible guard, so that an overflow stops instead of corrupting its neighbour.
class StackPool {
public:
  StackPool() = default;
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;
  ~StackPool();

  /// False when the system gives no more address space.
  bool reserve(size_t count);
  FiberStack operator[](size_t index) const;

private:
  static constexpr size_t kStackBytes = 256 << 10;
  static constexpr size_t kGuardBytes = 64 << 10;
  static constexpr size_t kPerBlock = 128;
  std::vector<uint8_t *> blocks;
};

/// Makes `context` start `entry(argument)` on `stack` when first switched to. `entry` must never return.
void prepareFiber(FiberContext &context, FiberStack stack, void (*entry)(void *), void *argument);

/// Describes the calling OS thread's own stack, which sanitizers ask for; nothing otherwise.
void describeOwnStack(FiberContext &context);

/// Suspends `from`, which is running, and continues `to`. Returns when `from` is resumed.
void switchFiber(FiberContext &from, FiberContext &to);

/// Like switchFiber, but `from` is never resumed.
[[noreturn]] void leaveFiber(FiberContext &from, FiberContext &to);

/// First call of every fiber's entry.
void enterFiber();

} // namespace tawa::emu
