// RegisterBudget: does it fit the registers? Every pass that decides this, and the search space, asks here. A question
// counts the registers that tiles take of a thread; the question's margin is what the thread needs besides. The margins
// differ because the questions are asked at different stages, with different information.
#pragma once

#include <cstdint>

namespace tawa {

enum class RegisterQuestion : uint8_t {
  LoopTiles,     ///< May a loop hold this tile too? (tawa-promote-operands-to-registers, tawa-sink-shared-loads)
  DeferredStore, ///< May a finished tile wait beside the next one's sums? (tawa-overlap-stores)
  RotatedLoop,   ///< May a loop have the products of two iterations in flight? (tawa-pipeline-stages)
  ConsumerBesideConverter, ///< Do a consumer's sums leave room for a role that makes operands?
                           ///< (tawa-distribute-roles)
  SumsAtEntry,             ///< Do the sums of one wgmma fit before roles share registers out? (tawa-distribute-roles,
                           ///< SM90ToPTX)
  StraightCode,            ///< Do the values of code without branches fit, in this order? (tawa-reduce-pressure)
  CandidateSums,           ///< Is a configuration's accumulator worth compiling? (search space)
  SeveralSums,             ///< And those of several products, of which one is issued at a time? (search space)
  UnplannedKernel, ///< How many registers does a kernel take that may have as many as it likes? (performance model)
  OneRole,         ///< How many warps share the tiles of a kernel of one role? (tawa-wrap-one-role)
  ResidentCtas,    ///< Do all values fit while a multiprocessor holds as many threads as it can? (target/ptx)
};

/// Registers of a thread besides the tiles that the question counts.
constexpr int64_t registerMargin(RegisterQuestion question) {
  switch (question) {
  case RegisterQuestion::LoopTiles:     // addresses, counters, what is being computed
  case RegisterQuestion::DeferredStore: // addresses, counters, descriptors of wgmma, the place of the tile
    return 32;
  case RegisterQuestion::RotatedLoop:             // as LoopTiles, and row statistics that layouts do not show yet
  case RegisterQuestion::ConsumerBesideConverter: // tiles are counted before layouts are known
  case RegisterQuestion::CandidateSums:           // with 24 of 152, ptxas 13.0 serializes the products (C7512)
    return 40;
  case RegisterQuestion::SumsAtEntry: // ptxas 13.0 refuses a wgmma with fewer (C7602)
  case RegisterQuestion::SeveralSums: // with 24 of 232 or 23 of 255, it spills kilobytes and serializes them (C7512)
    return 26;
  case RegisterQuestion::StraightCode: // addresses, counters, steps of one element's arithmetic
    return 24;
  case RegisterQuestion::UnplannedKernel: // what ptxas takes where nothing bounds it: the median of 91 texts
    return 60;
  case RegisterQuestion::OneRole: // addresses, indices and what a step computes with
    return 16;
  case RegisterQuestion::ResidentCtas: // single PTX operations that are several in the machine: 64-bit divisions
    return 4;
  }
  return 0;
}

/// Whether tiles of `tiles` registers fit a thread that owns `owned`.
constexpr bool fitsRegisters(RegisterQuestion question, int64_t tiles, int64_t owned) {
  return tiles + registerMargin(question) <= owned;
}

/// What each of so many threads of a CTA has of its registers when it begins, in steps of setmaxnreg.
constexpr int64_t registersAtEntry(int64_t registers, int64_t threads) { return registers / threads / 8 * 8; }

/// Maximum registers of an accumulator per thread; with promoted sums, including those.
inline constexpr int64_t kMostAccumulatorRegisters = 216;
/// Maximum registers of an accumulator with promoted sums beside it, among the sizes of tiles.
inline constexpr int64_t kMostPromotedRegisters = 128;
/// Likewise of two groups that add up parts of tiles (stream=1): 192 spill; where they share columns, since rows do not
/// come out even, 132.
inline constexpr int64_t kMostAddedUpRegisters = 176, kMostAddedUpOfColumns = 128;

/// Threads that share a multiprocessor at ease: with fewer registers each, kernels of one role spill.
inline constexpr uint32_t kThreadsAtEase = 1024;

} // namespace tawa
