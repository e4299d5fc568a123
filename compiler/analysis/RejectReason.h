// The compiler's reasons to decline a transformation: an enum with texts shared by diagnostics, statistics and `tawa
// explain`.
#pragma once

#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringRef.h"

namespace tawa {

enum class RejectReason {
  NoTma,
  NoClusters,
  NoTileLoadInLoop,
  AddressDependsOnTile,
  EffectInAddress,
  LoadUnderCondition,
  TileNeededInRegisters,
  UnsupportedControlFlow,
  NotInnermostAccumulation,
  AccumulatorReadInLoop,
  SeveralDotsInLoop,
  OperandComputed,
  TileNotForTma,
  TileOutsideInnermostLoop,
  DotNotForWgmma,
  DescriptorNotMadeHere,
  ColumnNotAligned,
  MemoryOrder,
  MaskedElementsNotZero,
  CopyTooNarrow,
  SlotsTooLarge,
  NoProgramId,
  ProgramsObserveEachOther,
  NoTileLoop,
  OneConsumerGroup,
  TilesDependOnEachOther,
  SlotsNotCounted,
  ProgramIdNotDecomposed,
  ClusterOutOfStep,
  ClusterSharesNothing,
  OthersMultiplyMeanwhile,
  StoreBoundToTile,
  StoreTooLargeToWait,
  StagedInSlot,
  DotsNotInStages,
  TileReadByBothStages,
  LaterTileFirst,
  FirstNeedsSecond,
  EffectInStages,
  StagesTooLarge,
  ClusterTooLarge,
  NoSumLoop,
  SumLoopRepeated,
  EffectBeforeSum,
  NoTilesToShare,
  GroupsAlternate,
  SumLengthsDiffer,
  TilesAfterSum,
  NoProducer,
  RoundsStreamed,
  ClusterTakesTiles,
  GroupsTakeTurns,
  NextTileBegun,
  NoOperandToConvert,
  ConverterTooLarge,
  ProtocolNotProved,
  AskedFor,
};

constexpr llvm::StringLiteral declineText(RejectReason reason) {
  switch (reason) {
  case RejectReason::NoTma:
    return "the GPU has no TMA, with which a producer role would load";
  case RejectReason::NoClusters:
    return "the GPU has no clusters";
  case RejectReason::NoTileLoadInLoop:
    return "no tile is loaded inside a loop, so there is nothing for a producer role to run ahead of";
  case RejectReason::AddressDependsOnTile:
    return "the address of this load depends on data of another tile";
  case RejectReason::EffectInAddress:
    return "the address of a tile load needs an operation with side effects, which cannot run in two roles";
  case RejectReason::LoadUnderCondition:
    return "a tile load is under a condition, so the roles could disagree on the number of puts";
  case RejectReason::TileNeededInRegisters:
    return "a loaded tile is used by something other than the operands of tt.dot";
  case RejectReason::TileOutsideInnermostLoop:
    return "a loaded tile is needed in registers and is outside of the innermost loops, so nothing is gained by "
           "fetching it ahead";
  case RejectReason::UnsupportedControlFlow:
    return "control flow other than loops and conditions is not split into roles";
  case RejectReason::NotInnermostAccumulation:
    return "the dot does not accumulate into a value carried by its own loop";
  case RejectReason::AccumulatorReadInLoop:
    return "the accumulator is read inside the loop, so every iteration has to wait for its dot";
  case RejectReason::SeveralDotsInLoop:
    return "the loop contains more than one dot, so each is waited for in its iteration";
  case RejectReason::OperandComputed:
    return "an operand of tt.dot is computed in registers instead of loaded as a tile";
  case RejectReason::TileNotForTma:
    return "a loaded tile does not have the two dimensions, or the 16 bytes in a row, that a slot filled by TMA has";
  case RejectReason::DotNotForWgmma:
    return "wgmma does not take a tt.dot of this shape, these element types or this precision";
  case RejectReason::DescriptorNotMadeHere:
    return "the descriptor of a tile load is carried by a loop or chosen by a condition, so it is unknown where its "
           "tensor map would be made";
  case RejectReason::ColumnNotAligned:
    return "a loaded tile begins at a column that is no multiple of 16 bytes, as TMA needs";
  case RejectReason::MemoryOrder:
    return "a tile load may read what the kernel writes, or waits for, before it, so no other role may load it earlier";
  case RejectReason::MaskedElementsNotZero:
    return "the masked elements of a tile load are not zero";
  case RejectReason::CopyTooNarrow:
    return "less than 4 bytes of a tile of pointers are known to be contiguous in memory under one mask, so no "
           "asynchronous copy can fetch it";
  case RejectReason::SlotsTooLarge:
    return "the slots of the tiles do not fit shared memory beside the tensors that the end of the kernel moves there; "
           "a smaller P or tile helps";
  case RejectReason::NoProgramId:
    return "the kernel does not ask which program it is, so its programs do not differ";
  case RejectReason::ProgramsObserveEachOther:
    return "a program can observe the progress of others (the result of an atomic operation, a volatile load), so "
           "their order may matter";
  case RejectReason::NoTileLoop:
    return "there is no loop over tiles over which consumer groups could alternate";
  case RejectReason::OneConsumerGroup:
    return "a single consumer group has no other to alternate with";
  case RejectReason::TilesDependOnEachOther:
    return "a tile needs what an earlier one computed or wrote, so consumer groups cannot alternate over tiles";
  case RejectReason::SlotsNotCounted:
    return "how many slots a tile takes cannot be told without computing the tile, so consumer groups cannot "
           "alternate";
  case RejectReason::ProgramIdNotDecomposed:
    return "the number of the tile is not decomposed into a row and a column by division and remainder alone";
  case RejectReason::ClusterOutOfStep:
    return "how often the shareable tiles are loaded depends on the program, so the CTAs of a cluster would not stay "
           "in step";
  case RejectReason::ClusterSharesNothing:
    return "no tile is known to be the same for neighbouring programs, so a cluster would share nothing";
  case RejectReason::OthersMultiplyMeanwhile:
    return "consumer groups alternate, so another one multiplies meanwhile";
  case RejectReason::StoreBoundToTile:
    return "a store comes before the products of its tile, or its descriptor belongs to the tile";
  case RejectReason::StoreTooLargeToWait:
    return "accumulator and stored tile together need more registers than a thread has";
  case RejectReason::StagedInSlot:
    return "stores are staged in a slot that the next tile's products read: there is no room for both";
  case RejectReason::DotsNotInStages:
    return "no product of the loop is computed from another one, so none can overlap the code between them";
  case RejectReason::TileReadByBothStages:
    return "a tile is read before and after the point at which iterations of the loop would overlap";
  case RejectReason::LaterTileFirst:
    return "with one slot for it, a tile of a second product is loaded before one that a first product needs, so the "
           "producer could not load that one for the next iteration";
  case RejectReason::FirstNeedsSecond:
    return "the first product of an iteration is computed from the last one of the iteration before";
  case RejectReason::EffectInStages:
    return "an operation with side effects would be executed in another order if iterations overlapped";
  case RejectReason::StagesTooLarge:
    return "the sums of all products and the values carried from one iteration to the next do not fit the registers";
  case RejectReason::ClusterTooLarge:
    return "with the CTAs that share each program's sum (split) a cluster would have more than eight CTAs";
  case RejectReason::NoSumLoop:
    return "no loop sums, from zero, values that its iterations compute independently, so there is no sum to share";
  case RejectReason::SumLoopRepeated:
    return "the summing loop is inside another loop or a condition, so its sum is not computed exactly once";
  case RejectReason::EffectBeforeSum:
    return "before its sum the kernel writes, waits or reads memory that may change, which every CTA that shares the "
           "sum would repeat";
  case RejectReason::NoTilesToShare:
    return "resident CTAs do not walk the programs of the grid along x (persistent=1, for a text that does not walk "
           "its tiles itself), so they have no tiles to share";
  case RejectReason::GroupsAlternate:
    return "consumer groups alternate over tiles, so that none of them has consecutive iterations";
  case RejectReason::SumLengthsDiffer:
    return "how many iterations a sum has may depend on the program, so no CTA knows which ones are its share";
  case RejectReason::TilesAfterSum:
    return "tiles are loaded after the sum, when only the CTA that finishes it knows that they are needed";
  case RejectReason::NoProducer:
    return "the kernel is one role, so none could ask for the next tile while others compute";
  case RejectReason::RoundsStreamed:
    return "CTAs share the sums of the last tiles (stream), after rounds in which each takes one tile";
  case RejectReason::ClusterTakesTiles:
    return "the CTAs of a cluster share what they load, so they have to take neighbouring tiles together";
  case RejectReason::GroupsTakeTurns:
    return "consumer groups alternate over tiles, so each skips tiles whose numbers it would have to know";
  case RejectReason::NextTileBegun:
    return "part of the next tile's work is done beside this one's, so its number has to be known by then";
  case RejectReason::NoOperandToConvert:
    return "no product that wgmma takes has an operand that is computed from tiles of its own loop alone";
  case RejectReason::ConverterTooLarge:
    return "the sums of its products leave too few registers for a role that computes operands";
  case RejectReason::ProtocolNotProved:
    return "its roles were not proved to be free of races and deadlocks for all trip counts";
  case RejectReason::AskedFor:
    return "one role was asked for";
  }
  return "";
}

/// Writes down, and remarks, that the kernel does not follow a setting of the configuration.
inline void noteNotApplied(mlir::ModuleOp module, llvm::StringRef setting, RejectReason reason) {
  mlir::NamedAttrList settings(ws::kNotAppliedAttr.get(module));
  module.emitRemark() << setting << " is not applied: " << declineText(reason);
  settings.set(setting, mlir::StringAttr::get(module.getContext(), declineText(reason)));
  ws::kNotAppliedAttr.set(module, settings.getDictionary(module.getContext()));
}

} // namespace tawa
