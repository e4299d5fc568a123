// Atomics on global and shared memory (PTX ISA, "atom", "red"). Clusters run on several OS threads, so those on global
// memory are real atomics of the host; all of them are sequentially consistent, whatever semantics the kernel asks for.
#include "runtime/artifact/ElementType.h"
#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Floats.h"
#include "runtime/emulator/Sm.h"

#include <atomic>
#include <bit>

namespace tawa::emu {

namespace {

enum class AtomicKind : uint32_t { And = 1, Or, Xor, Add, FAdd, Max, Min, UMax, UMin, Exch };

uint64_t addFloats(ElementType type, uint64_t a, uint64_t b) {
  auto narrow = [](uint64_t bits) { return static_cast<uint16_t>(bits); };
  auto word = [](uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); };
  switch (type) {
  case ElementType::F16: // the sum of two halves rounds right through f32, which has more than twice their bits
    return floatToHalf(halfToFloat(narrow(a)) + halfToFloat(narrow(b)));
  case ElementType::BF16:
    return floatToBFloat(bfloatToFloat(narrow(a)) + bfloatToFloat(narrow(b)));
  case ElementType::F32:
    return std::bit_cast<uint32_t>(word(a) + word(b));
  default:
    return std::bit_cast<uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
  }
}

/// Sign-extends 32-bit types, so that one 64-bit comparison serves both.
int64_t signedValue(ElementType type, uint64_t bits) {
  return elementBytes(type) == 4 ? static_cast<int32_t>(bits) : static_cast<int64_t>(bits);
}

uint64_t combine(AtomicKind kind, ElementType type, uint64_t old, uint64_t value) {
  switch (kind) {
  case AtomicKind::And:
    return old & value;
  case AtomicKind::Or:
    return old | value;
  case AtomicKind::Xor:
    return old ^ value;
  case AtomicKind::Add:
    return old + value;
  case AtomicKind::FAdd:
    return addFloats(type, old, value);
  case AtomicKind::Max:
    return signedValue(type, old) < signedValue(type, value) ? value : old;
  case AtomicKind::Min:
    return signedValue(type, value) < signedValue(type, old) ? value : old;
  case AtomicKind::UMax:
    return std::max(old, value);
  case AtomicKind::UMin:
    return std::min(old, value);
  case AtomicKind::Exch:
    return value;
  }
  return old;
}

/// The host address of an atomic's operand, with all checks of a store there.
void *atomicPlace(Thread &self, uint64_t address, bool isShared, uint32_t bytes) {
  constexpr uint32_t kAtomicAccess = 2;
  if (isShared)
    return abi::tawa_emu_shared_access(static_cast<ThreadState *>(&self), static_cast<uint32_t>(address), bytes,
                                       kAtomicAccess);
  return abi::tawa_emu_global_access(static_cast<ThreadState *>(&self), address, bytes, kAtomicAccess);
}

/// Replaces the word by `change(old)` in one step; gives the old one. `change` says nothing where nothing is stored.
template <typename Word, typename Change> uint64_t update(void *place, Change change) {
  std::atomic_ref<Word> cell(*static_cast<Word *>(place));
  Word old = cell.load();
  for (;;) {
    std::optional<uint64_t> wanted = change(old);
    if (!wanted || cell.compare_exchange_weak(old, static_cast<Word>(*wanted)))
      return old;
  }
}

template <typename Change> uint64_t updateBytes(void *place, uint32_t bytes, Change change) {
  switch (bytes) {
  case 2:
    return update<uint16_t>(place, change);
  case 4:
    return update<uint32_t>(place, change);
  default:
    return update<uint64_t>(place, change);
  }
}

} // namespace

namespace abi {

extern "C" l tawa_emu_atomic_rmw(p thread, l address, i isShared, i kind, i type, l value) {
  auto elements = static_cast<ElementType>(type);
  uint32_t bytes = elementBytes(elements);
  void *place = atomicPlace(self(thread), address, isShared != 0, bytes);
  return updateBytes(place, bytes, [=](uint64_t old) -> std::optional<uint64_t> {
    return combine(static_cast<AtomicKind>(kind), elements, old, value);
  });
}

extern "C" l tawa_emu_atomic_cas(p thread, l address, i isShared, i bytes, l expected, l value) {
  void *place = atomicPlace(self(thread), address, isShared != 0, bytes);
  return updateBytes(place, bytes, [=](uint64_t old) -> std::optional<uint64_t> {
    return old == expected ? std::optional<uint64_t>(value) : std::nullopt;
  });
}

} // namespace abi
} // namespace tawa::emu
