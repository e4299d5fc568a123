// The pipeline, phase by phase. Read it next to the table of Phases.h.
#include "compiler/pipeline/Pipeline.h"

#include "compiler/conversion/SM90Passes.h"
#include "compiler/conversion/TawaToSM90/TawaToSM90.h"
#include "compiler/dialect/SM90/SM90.h"
#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/Passes.h"
#include "compiler/verify/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tawa {

static void addCleanup(OpPassManager &passes) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

void buildPhase(OpPassManager &passes, Phase phase, const KernelConfig &config, TargetKind target) {
  switch (phase) {
  case Phase::Parsed:
    // Dead and repeated code goes first: a load nobody reads must not become a channel nobody empties.
    addCleanup(passes);
    return;
  case Phase::Normalized:
    passes.addPass(createStructureControlFlow());
    passes.addPass(createInlineCalls());
    passes.addPass(createExpandBlockPointers());
    passes.addPass(createExpandComposites());
    passes.addPass(createFoldUnitDims());
    addCleanup(passes);
    return;
  case Phase::Specialized:
    passes.addPass(createSpecializeArguments());
    addCleanup(passes);
    return;
  case Phase::Partitioned:
    passes.addPass(createLongestFirst(LongestFirstOptions{config.raster, config.persistent != 0}));
    passes.addPass(createMakePersistent(
        MakePersistentOptions{config.persistent != 0, config.schedule == PingPong ? config.consumerGroups : 0}));
    passes.addPass(createRasterTiles(RasterTilesOptions{config.raster}));
    passes.addPass(createRaiseLoads(RaiseLoadsOptions{config.consumerGroups}));
    passes.addPass(createRaiseStores(RaiseStoresOptions{config.consumerGroups}));
    passes.addPass(createSplitLoop(SplitLoopOptions{config.split}));
    passes.addPass(createPartitionRoles(
        PartitionRolesOptions{config.consumerGroups, config.ringDepth, config.mmaDepth, config.epilogueStages}));
    return;
  case Phase::Distributed: {
    DistributeRolesOptions options;
    options.ringDepth = config.ringDepth;
    options.consumerGroups = config.consumerGroups;
    passes.addPass(createDistributeRoles(options));
    passes.addPass(createWrapOneRole(WrapOneRoleOptions{config.warps}));
    passes.addPass(createExpandDescriptors());
    passes.addPass(createHoistDescriptors());
    passes.addPass(createShareTiles(ShareTilesOptions{config.cluster}));
    addCleanup(passes);
    return;
  }
  case Phase::Pipelined: {
    if (config.coarse)
      passes.addPass(createPipelineStages());
    PipelineDotsOptions options;
    options.mmaDepth = config.mmaDepth;
    passes.addPass(createPipelineDots(options));
    passes.addPass(createOverlapStores());
    return;
  }
  case Phase::Proved:
    passes.addPass(createProveProtocol());
    return;
  case Phase::LaidOut:
    passes.addPass(createAssignLayouts());
    passes.addPass(createHoldOperands());
    passes.addPass(createReadLate());
    return;
  case Phase::Machine: {
    TawaToSM90Options options;
    options.epilogueStages = config.epilogueStages;
    passes.addPass(createTawaToSM90(options));
    passes.addPass(createExpandMath());
    // Slot arithmetic with D = 1, repeated constants and addresses.
    addCleanup(passes);
    passes.addPass(createShareReciprocals());
    passes.addPass(createDeferSums());
    passes.addPass(createSchedulePipes());
    passes.addPass(createProveMachine());
    return;
  }
  case Phase::Llvm:
    if (target == TargetKind::Ptx)
      buildSM90ToLLVMPTX(passes);
    else
      buildSM90ToLLVMHost(passes);
    return;
  }
}

void registerAllDialects(DialectRegistry &registry) {
  registry.insert<tt::TTDialect, ws::TawaDialect, sm90::SM90Dialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, LLVM::LLVMDialect, NVVM::NVVMDialect, math::MathDialect, scf::SCFDialect,
                  ub::UBDialect>();
}

void registerAllPasses() {
  registerTawaTransformsPasses();
  registerTawaVerifyPasses();
  registerTawaToSM90Passes();
  registerSM90ConversionPasses();
}

} // namespace tawa
