// Dispatches any operation to its emitter, and owns the emitters of one kernel.
#pragma once

#include "compiler/target/hopper/TawaToSM90/ArefEmitter.h"
#include "compiler/target/hopper/TawaToSM90/AsyncDots.h"
#include "compiler/target/hopper/TawaToSM90/Atomics.h"
#include "compiler/target/hopper/TawaToSM90/ClusterSum.h"
#include "compiler/target/hopper/TawaToSM90/ControlFlow.h"
#include "compiler/target/hopper/TawaToSM90/Debug.h"
#include "compiler/target/hopper/TawaToSM90/Elementwise.h"
#include "compiler/target/hopper/TawaToSM90/Gather.h"
#include "compiler/target/hopper/TawaToSM90/GlobalMemory.h"
#include "compiler/target/hopper/TawaToSM90/InlineAsm.h"
#include "compiler/target/hopper/TawaToSM90/PartSums.h"
#include "compiler/target/hopper/TawaToSM90/PingPong.h"
#include "compiler/target/hopper/TawaToSM90/Reductions.h"
#include "compiler/target/hopper/TawaToSM90/Scans.h"
#include "compiler/target/hopper/TawaToSM90/Stores.h"
#include "compiler/target/hopper/TawaToSM90/SynchronousDots.h"
#include "compiler/target/hopper/TawaToSM90/TileCounter.h"
#include "compiler/target/hopper/TawaToSM90/Turns.h"
#include "compiler/target/hopper/TawaToSM90/Views.h"

namespace tawa {

/// Emitters reference those they use, but not their fields. They are created in this order, after the shared memory of
/// the kernel is planned.
struct Emitters {
  explicit Emitters(RoleContext &context);
  /// Forgets what holds of the role before alone.
  void beginRole();

  RoleBarrier barrier;
  Scratch scratch;
  GlobalOrder order;
  ConversionEmitter conversions;
  DescriptorEmitter descriptors;
  TensorMaps maps;
  TmaLoadEmitter loads;
  AsyncCopyEmitter copies;
  ConvertEmitter converts;
  ArefEmitter arefs;
  PingPongEmitter pingPong;
  TurnEmitter turns;
  ClusterSync clusterSync;
  ClusterSumEmitter clusterSums;
  Workspace workspace;
  PartSumEmitter partSums;
  TileCounterEmitter tileCounter;
  SlotReads slotReads;
  SharedTileEmitter tiles;
  WgmmaEmitter wgmma;
  AsyncDotEmitter asyncDots;
  SynchronousDotEmitter dots;
  TileStoreEmitter stores;
  GlobalMemoryEmitter globalMemory;
  AtomicEmitter atomics;
  ViewEmitter views;
  ElementwiseEmitter elementwise;
  CombineEmitter combiner;
  ReduceEmitter reductions;
  ScanEmitter scans;
  GatherEmitter gathers;
  ControlFlowEmitter controlFlow;
  DebugEmitter debug;
  InlineAsmEmitter inlineAsm;
};

class OperationTable : public Emitter {
public:
  OperationTable(RoleContext &context, Emitters &emit) : Emitter(context), emit(emit) {}
  mlir::LogicalResult lowerOperations(mlir::Block *block);

private:
  mlir::LogicalResult lowerOperation(mlir::Operation *op);
  mlir::LogicalResult lowerOther(mlir::Operation *op);
  mlir::LogicalResult lowerGridRead(mlir::Operation *op, bool count, unsigned axis);

  Emitters &emit;
};

} // namespace tawa
