// RegisterPlan: how the registers of a multiprocessor are shared out between roles (PTX ISA, setmaxnreg).
//
// At entry every thread owns the same count. Consumers hold accumulators and need as many as possible; the producer
// keeps a few. Releases and requests must balance: the sum over all warp groups never exceeds the registers at entry.
#pragma once

#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"
#include "runtime/artifact/Target.h"

#include <algorithm>
#include <cstdint>

namespace tawa {

/// Enough for the address arithmetic and the loop of a producer; below it ptxas spills.
inline constexpr uint32_t kProducerRegisters = 40;
/// Registers for each copy started by a producer thread: its address (64 bits), carried by the loop.
inline constexpr uint32_t kRegistersPerCopy = 2;
/// Row numbers, masks and sizes derived from them, besides the addresses.
inline constexpr uint32_t kCopyingRegisters = 64;
inline constexpr uint32_t kMostProducerRegisters = 128;
/// For a converter that only transposes tiles: 16 words in flight, as read and as written, and addresses.
inline constexpr uint32_t kTransposingRegisters = 48;
/// For a converter that computes operands: some 32 elements at a time, scales, masks and addresses.
inline constexpr uint32_t kComputingRegisters = 104;
/// For a producer beside a converter: with eight registers fewer than usual, each of two consumer groups has eight
/// more. Where it only starts TMA loads, these take some 16.
inline constexpr uint32_t kProducerBesideConverterRegisters = 32;
/// What a thread asks for at most, in steps of setmaxnreg: one step less than it can name.
inline uint32_t consumerRegisterCap(const Target &target) {
  return static_cast<uint32_t>(target.registersPerThread / 8 * 8 - 8);
}

struct RegisterPlan {
  uint32_t entry = 0;     ///< Per thread at kernel entry.
  uint32_t producer = 0;  ///< After setmaxnreg.dec; 0: no role changes its count.
  uint32_t consumer = 0;  ///< After setmaxnreg.inc.
  uint32_t converter = 0; ///< After setmaxnreg, where there is one.
};

/// Registers of a producer whose threads start `copies` copies each in one round (0: one thread starts TMA loads).
///
///   copies     0   8 (one 128x64 f16 tile)   16 (two)   24 (128x64 and 256x64)   32 and more
///   registers  40  80                        96         112                      128
///
/// With fewer, ptxas 13.0 spills: at 24 copies, 12 bytes with 104 registers and 104 bytes with 88.
inline uint32_t producerRegisters(uint32_t copies) {
  if (copies == 0)
    return kProducerRegisters;
  return std::min((kCopyingRegisters + kRegistersPerCopy * copies + 7) / 8 * 8, kMostProducerRegisters);
}

/// Groups of a producer. Elements that no asynchronous copy takes pass through registers (`byElement`), so that a
/// thread waits for as many as it has room for: two groups wait for twice as many, and one consumer group leaves their
/// registers.
inline uint32_t producerGroups(bool byElement, uint32_t consumerGroups) {
  return byElement && consumerGroups == 1 ? 2 : 1;
}

/// Copies of a tile of so many vectors that each thread of a producer starts.
inline uint32_t copiesOfTile(int64_t vectors, uint32_t producerGroups) {
  return static_cast<uint32_t>(std::max<int64_t>(1, vectors / (int64_t{producerGroups} * kThreadsPerGroup)));
}

/// What each of so many threads of a CTA can have when it begins.
inline uint32_t entryRegisters(const Target &target, uint32_t threads) {
  return static_cast<uint32_t>(
      std::min(registersAtEntry(target.registersPerMultiprocessor, threads), target.registersPerThread));
}

/// Groups of a converter, which computes operands or only transposes tiles.
struct ConverterPlan {
  uint32_t groups = 0;
  bool computes = false;
};

/// The plan for `producerGroups` groups, whose threads start `copies` copies each, the groups of a converter if there
/// is one, and `consumerGroups` consumer groups; one CTA has all that the target has. A converter that computes has
/// what consumers cannot name, too. `consumer` is 0 where the converter leaves them nothing.
inline RegisterPlan planRegisters(const Target &target, uint32_t consumerGroups, uint32_t copies = 0,
                                  ConverterPlan converter = {}, uint32_t producerGroups = 1) {
  uint32_t cap = consumerRegisterCap(target);
  uint32_t groups = consumerGroups + producerGroups + converter.groups;
  auto floor8 = [](uint32_t value) { return value / 8 * 8; };
  RegisterPlan plan;
  plan.entry = entryRegisters(target, kThreadsPerGroup * groups);
  if (plan.entry >= cap) // entry already gives all a thread can name
    return plan;
  bool isLean = converter.groups != 0 && copies == 0;
  plan.producer = std::min(isLean ? kProducerBesideConverterRegisters : producerRegisters(copies), floor8(plan.entry));
  uint32_t left = groups * plan.entry - producerGroups * plan.producer;
  plan.converter = converter.groups == 0 ? 0 : converter.computes ? kComputingRegisters : kTransposingRegisters;
  uint32_t converters = converter.groups * plan.converter;
  plan.consumer = left < converters ? 0 : std::min(floor8((left - converters) / consumerGroups), cap);
  if (converter.groups != 0 && converter.computes)
    plan.converter = std::min(floor8((left - std::min(left, consumerGroups * plan.consumer)) / converter.groups), cap);
  return plan;
}

} // namespace tawa
