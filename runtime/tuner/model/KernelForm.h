// KernelForm: what sets the pace of a kernel whatever tile is at hand: its roles, and how its CTAs share tiles.
#pragma once

#include "runtime/tuner/model/LoneRole.h"
#include "runtime/tuner/model/PerformanceModel.h"

#include <cstdint>

namespace tawa {

/// The part of L2 that serves the tensors of one kernel before its sets overflow.
inline constexpr double kUsableL2 = 0.86;

struct KernelForm {
  explicit KernelForm(const ModelInput &input);

  int split;     ///< CTAs that share a tile.
  bool isSplit;  ///< Into roles.
  LoneRole lone; ///< Of a kernel that is not.
  bool isPersistent;
  int groups;
  bool isPingPong;
  bool isStreamed;  ///< CTAs share the last tiles.
  bool isHandedOut; ///< CTAs take tiles one by one.
  bool hasConverter, groupsShareRows = false;
  double convertedBytes; ///< Of operands that consumers or a converter compute.
  double movedBytes = 0; ///< Of those that change hands between threads.
  double sumBytes;       ///< Of a tile.
  uint32_t resident;
  int slots = 1;          ///< Of the rings that a loop fills.
  bool loadsAhead = true; ///< A CTA that walks tiles loads the next one while it stores one.
  bool hasStages = false; ///< A loop's products are of several stages: a wait for one overlaps another.
  double stagePace = 1, sumsPace = 1;
  double secondLines = 1;      ///< The part of a tile's rows whose second lines a CTA asks for.
  bool storesAreLarge = false; ///< L2 does not keep the results.
  double stagedBytes = 0;      ///< Of stores, that wait in shared memory without anything waiting for them.
  double addUp = 0;            ///< Of a tile, where CTAs share it.
};

} // namespace tawa
