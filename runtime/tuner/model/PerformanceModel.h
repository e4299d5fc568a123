// PerformanceModel: how long a launch takes, from what the kernel does (ProblemWork), a configuration and a hardware
// description; nothing is compiled and nothing is run. Microseconds for one prediction.
//
// One tile on one multiprocessor is a pipeline of roles, as in TileLoom's load/compute/store formula: the longest stage
// sets the pace, and what cannot overlap is added. For a loop of n iterations
//
//   load   = max(all lines / port, share of memory) + overhead of a slot
//   chain  = products / groups + gaps of waits + operations of threads / groups    one consumer group, by itself
//            where threads compute operands of products, the way of these is one of their operations
//   pace   = max(products of all groups, operations of all groups, chain, (latency + load + P * products) / D)
//   tile   = start + max(n * load, n * pace) + epilogue                     one tile per CTA
//   tile   = max(n * load, n * pace + epilogue)                             persistent: loads run ahead in the epilogue
//   tile   = max(n * load, n * pace, (max(n * load, n * pace) + epilogue) / groups)    ping-pong
//   epilogue = latency + max(panels / store, (results - what is staged) / share of memory)    the latter beyond L2
//   n, epilogue  ->  n / split, rounds * (latency + sum / store) + epilogue            CTAs that share a tile
//   last wave  ->  its part of a whole one + transfers * (latency + sum / part rate)   CTAs that share the last tiles
//
// A kernel of one role (LoneRole) has `slots` in place of D and no groups; its CTAs share a multiprocessor:
//
//   chain  = max(products + gaps of waits, operations)    P >= 2, and no operation needs a product of its iteration
//   pace   = max(chain, (latency + chain) / (slots - (P - 1)))        1 or fewer: latency + chain
//   wave   = max(tile, CTAs beside each other * the busiest unit's part of a tile)
//
// Tiles run in waves of one per multiprocessor, or of as many as are resident; in none of them the whole device exceeds
// the rates of memory and L2, or its power. L2 hands out a line once to neighbouring CTAs that want it at a time, and
// spends time on rows outside of a tensor and on rows that straddle two lines, too. Every max is a soft one, except
// among what one group does in an iteration: limits that nearly meet slow each other down.
#pragma once

#include "runtime/artifact/KernelConfig.h"
#include "runtime/artifact/WorkSummary.h"
#include "runtime/hardware/HardwareDescription.h"
#include "runtime/tuner/model/ProblemWork.h"

namespace tawa {

struct Prediction {
  double seconds = 0;
  const char *bound = ""; ///< What sets the pace of most of it: "products", "loads", "memory", "L2", "power", ...
  // Parts of the whole, in seconds, for people; they overlap.
  double products = 0, loads = 0, memory = 0, epilogue = 0, power = 0;
};

/// Inputs of a prediction besides the work.
struct ModelInput {
  const WorkSummary &summary;
  const ProblemWork &work;
  const KernelConfig &config;
  const HardwareDescription &hardware;
  /// Whether tensors that fit L2 are always there already, as when the same launch is repeated on the same data. If
  /// not, half of the launches find them there, as in measurements: with an empty L2, memory alone bounds many.
  bool isWarm = false;
};
Prediction predict(const ModelInput &input);

} // namespace tawa
