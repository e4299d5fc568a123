// TileTime: how long the roles of a CTA take for one tile, and what they ask of the device for it.
#pragma once

#include "runtime/tuner/model/KernelForm.h"

#include <initializer_list>

namespace tawa {

/// Times of one tile that do not depend on other tiles.
struct TileTime {
  double products = 0;     ///< Of all groups.
  double loop = 0;         ///< Of the consumer, loads being there.
  double busyLoop = 0;     ///< Of it, what CTAs of one multiprocessor do not overlap.
  double loads = 0;        ///< Of the producer, memory being fast enough.
  double extra = 0;        ///< Of the producer, in any case: slots, rows that are not there.
  double epilogue = 0;     ///< Of the groups that share a tile.
  double busyEpilogue = 0; ///< Of it, what CTAs of one multiprocessor do not overlap.
  double turns = 0;        ///< Of a lone role: how often it has had all its slots filled again.
  double busy = 0;         ///< What CTAs of one multiprocessor do not overlap: the busiest of its units, loop by loop.
  // For the limits of the whole device.
  double powerSeconds = 0; ///< Energy over power.
  double bytes = 0;        ///< Through ports.
  double absentRows = 0, brokenLines = 0;
};

TileTime timeTile(const ModelInput &input, const KernelForm &form, const TileClass &tile);

/// Limits that are nearly equal slow each other down: a norm between their maximum and their sum, close to the former.
double together(std::initializer_list<double> limits);

inline constexpr double kLine = 128; ///< Bytes that L2 hands out at once.

} // namespace tawa
