// Why a tile size of a kernel's text cannot be changed: all reasons, each with the sentence that users read.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tawa {

enum class RetileReason : uint8_t {
  NoProduct,        ///< The kernel has none, which would name the sizes.
  SameDimension,    ///< Two of rows, columns and sum.
  Bound,            ///< An operation rearranges the dimension, or computes across it.
  NoOrigin,         ///< The index within the tile occurs without the tile's number.
  SharedConstant,   ///< One constant stands for two sizes.
  NumberEscapes,    ///< The number of the tile is used for something else, too.
  SummedInTile,     ///< The dimension is summed over, but not by the loop that goes along it.
  NotASum,          ///< The loop along it carries something else than sums.
  EffectInLoop,     ///< It writes.
  OncePerTile,      ///< Something atomic does not go along it, and so happens once per tile.
  TripsUnknown,     ///< How often the loop runs is not a number of tiles.
  ProgramsUnknown,  ///< Which tiles a program takes depends on more than numbers of tiles.
  NotEachTileOnce,  ///< For some numbers of tiles.
  CarriedOverTiles, ///< The loop over tiles carries something from one to the next.
  GridUnknown,      ///< The launch cannot work out the number of tiles.
  OtherPeriod,      ///< Of one size, which does not divide what an index is divided by.
};

inline llvm::StringRef retileText(RetileReason reason) {
  switch (reason) {
  case RetileReason::NoProduct:
    return "the kernel has no product (tt.dot), whose rows, columns and sums the sizes are";
  case RetileReason::SameDimension:
    return "two of the product's rows, columns and sums are the same dimension";
  case RetileReason::Bound:
    return "an operation computes across the dimension, or takes it apart";
  case RetileReason::NoOrigin:
    return "an operation depends on the index within the tile alone, and not on the number of the tile times its size";
  case RetileReason::SharedConstant:
    return "one constant stands for the size and for something else";
  case RetileReason::NumberEscapes:
    return "the number of the tile is used for more than to find its elements";
  case RetileReason::SummedInTile:
    return "the dimension is summed over within a tile, but not by a loop along it";
  case RetileReason::NotASum:
    return "the loop along the dimension carries something else than sums over it";
  case RetileReason::EffectInLoop:
    return "the loop along the dimension writes to memory";
  case RetileReason::OncePerTile:
    return "an atomic operation is executed once for each tile along the dimension";
  case RetileReason::TripsUnknown:
    return "how often the loop along the dimension runs is not a number of tiles";
  case RetileReason::ProgramsUnknown:
    return "which tile a program takes depends on more than the numbers of programs and tiles";
  case RetileReason::NotEachTileOnce:
    return "for other numbers of tiles, programs would not take each tile once";
  case RetileReason::CarriedOverTiles:
    return "the loop over tiles carries something from one tile to the next";
  case RetileReason::GridUnknown:
    return "the number of tiles is not known to the launch";
  case RetileReason::OtherPeriod:
    return "the kernel divides the index of a tile's first element by a number that the size does not divide";
  }
  return "";
}

} // namespace tawa
