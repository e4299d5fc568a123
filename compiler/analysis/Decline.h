// Why the compiler declines: an enum with text, so that diagnostics, statistics and `tawa explain` say the same words.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tawa {

enum class Decline {
  NoTileLoadInLoop,
  AddressDependsOnTile,
  EffectInAddress,
  LoadUnderCondition,
  TileNeededInRegisters,
  UnsupportedControlFlow,
  NotInnermostAccumulation,
  AccumulatorReadInLoop,
  SeveralDotsInLoop,
};

constexpr llvm::StringLiteral declineText(Decline reason) {
  switch (reason) {
  case Decline::NoTileLoadInLoop:
    return "no tile is loaded inside a loop, so there is nothing for a producer role to run ahead of";
  case Decline::AddressDependsOnTile:
    return "the address of this load depends on data of another tile";
  case Decline::EffectInAddress:
    return "the address of a tile load needs an operation with side effects, which cannot run in two roles";
  case Decline::LoadUnderCondition:
    return "a tile load stands under a condition, so the roles could disagree on the number of puts";
  case Decline::TileNeededInRegisters:
    return "a loaded tile is used by something other than the operands of tt.dot";
  case Decline::UnsupportedControlFlow:
    return "control flow other than scf.for is not split into roles";
  case Decline::NotInnermostAccumulation:
    return "the dot does not accumulate into a value carried by its own loop";
  case Decline::AccumulatorReadInLoop:
    return "the accumulator is read inside the loop, so every iteration has to wait for its dot";
  case Decline::SeveralDotsInLoop:
    return "more than one dot stands in the loop, so each is waited for where it is issued";
  }
  return "";
}

} // namespace tawa
