// Emits arefs as mbarriers: initialization, put, get and consumed.
#pragma once

#include "compiler/target/hopper/TawaToSM90/ConvertTiles.h"
#include "compiler/target/hopper/TawaToSM90/CopyAsync.h"
#include "compiler/target/hopper/TawaToSM90/RingSlot.h"
#include "compiler/target/hopper/TawaToSM90/TmaLoads.h"

namespace tawa {

class ArefEmitter : public Emitter {
public:
  ArefEmitter(RoleContext &context, TmaLoadEmitter &loads, AsyncCopyEmitter &copies, ConvertEmitter &converts)
      : Emitter(context), loads(loads), copies(copies), converts(converts) {}

  /// Once for the kernel, by one thread.
  void initBarriers(mlir::Location loc);
  mlir::LogicalResult lower(ws::PutOp put);
  mlir::LogicalResult lower(ws::GetOp get);
  mlir::LogicalResult lower(ws::ConsumedOp consumed);
  mlir::LogicalResult lower(ws::ProducerTailOp tail);

private:
  RingSlot slotOf(mlir::Location loc, mlir::Value aref, mlir::Value index);
  mlir::LogicalResult fillSlot(ws::PutOp put, const RingSlot &slot);
  void putNumber(ws::PutOp put, const RingSlot &slot);
  void getNumber(ws::GetOp get, const RingSlot &slot);

  TmaLoadEmitter &loads;
  AsyncCopyEmitter &copies;
  ConvertEmitter &converts;
};

} // namespace tawa
