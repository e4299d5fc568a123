// The pipeline, phase by phase. Read it next to the table of Phases.h, which says what holds after each; the comments
// here say why passes stand in this order.
#include "compiler/pipeline/Pipeline.h"

#include "compiler/analysis/print/Passes.h"
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/layouts/Passes.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/roles/prover/Passes.h"
#include "compiler/target/hopper/Passes.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/TawaToSM90/TawaToSM90.h"
#include "runtime/artifact/TileSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tawa {

static void addCleanup(OpPassManager &passes) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

void prepareTiling(OpPassManager &passes) {
  passes.addPass(createFoldCarriedCounters());
  addCleanup(passes);
  passes.addPass(createUnshareTiles());
}

/// For the tile sizes that the configuration names, other than parameters of the text.
static void addRetiling(OpPassManager &passes, const KernelConfig &config) {
  auto size = [&](std::string_view name) {
    auto found = config.tile.find(std::string(name));
    return found == config.tile.end() ? 0 : found->second;
  };
  prepareTiling(passes);
  passes.addPass(createRetile(RetileOptions{size(kTileSizes[0]), size(kTileSizes[1]), size(kTileSizes[2])}));
}

void buildPhase(OpPassManager &passes, Phase phase, const KernelConfig &config, TargetKind target) {
  switch (phase) {
  case Phase::Parsed:
    // Dead and repeated code goes first: an unused load must not become a channel that is never emptied.
    addCleanup(passes);
    return;
  case Phase::Normalized:
    // Calls are inlined as regions of one block, so branches become structured control flow first.
    passes.addPass(createStructureControlFlow());
    passes.addPass(createInlineCalls());
    passes.addPass(createExpandBlockPointers());
    passes.addPass(createExpandComposites());
    passes.addPass(createFoldUnitDims());
    passes.addPass(createFoldDotSums());
    passes.addPass(createFoldScales());
    passes.addPass(createScaleMaxima());
    passes.addPass(createUnwrapIndices());
    passes.addPass(createScalarizeCarriedOffsets());
    addCleanup(passes);
    return;
  case Phase::Specialized:
    passes.addPass(createSpecializeArguments());
    passes.addPass(createRaiseCountedLoops());
    if (!config.tile.empty()) {
      addCleanup(passes);
      addRetiling(passes, config);
    }
    passes.addPass(createSplitTiles()); // when tiles have their sizes
    passes.addPass(createExpandUnalignedDescriptors());
    addCleanup(passes);
    return;
  case Phase::Partitioned:
    // Tile sizes are found and written in texts as they are; from here on they are final.
    passes.addPass(createGridFromTileLoop());
    passes.addPass(createCompactLoads());
    passes.addPass(createFoldDivisions()); // also of the rows that are left
    addCleanup(passes);
    // First the order of programs, then the loop over them, then the order within that loop: each finds the number from
    // which the next computes positions.
    passes.addPass(createScheduleLongestFirst(
        ScheduleLongestFirstOptions{config.raster, config.persistent != 0 && config.dynamic == 0}));
    passes.addPass(createMakePersistent(
        MakePersistentOptions{config.persistent != 0, config.schedule == PingPong ? config.consumerGroups : 0}));
    passes.addPass(createRasterTiles(RasterTilesOptions{config.raster}));
    passes.addPass(createTransposeDots(TransposeDotsOptions{config.consumerGroups}));
    // Accesses become descriptor accesses before their loops decide about roles: TMA needs no threads of a producer.
    passes.addPass(createRaiseLoads(RaiseLoadsOptions{config.consumerGroups}));
    passes.addPass(createRaiseStores(RaiseStoresOptions{config.consumerGroups}));
    passes.addPass(createSplitReduction(SplitReductionOptions{config.split}));
    passes.addPass(createPadGrid(PadGridOptions{static_cast<unsigned>(config.cluster)}));
    passes.addPass(
        createStreamReduction(StreamReductionOptions{config.stream != 0, static_cast<unsigned>(config.cluster)}));
    passes.addPass(createPartitionRoles(PartitionRolesOptions{
        config.consumerGroups, config.converterGroups, config.ringDepth, config.mmaDepth, config.epilogueStages}));
    return;
  case Phase::Distributed: {
    DistributeRolesOptions options;
    options.ringDepth = config.ringDepth;
    options.consumerGroups = config.consumerGroups;
    options.converterGroups = config.converterGroups;
    passes.addPass(createDistributeRoles(options));
    passes.addPass(createWrapOneRole(WrapOneRoleOptions{config.warps})); // what was declined
    // In one role TMA executes no loads; which descriptors are left for the launch is known only after that.
    passes.addPass(createExpandDescriptors());
    passes.addPass(createHoistDescriptors());
    passes.addPass(createMulticastTiles(MulticastTilesOptions{config.cluster}));
    // Roles are clones of the whole kernel: each drops what only the others use.
    addCleanup(passes);
    return;
  }
  case Phase::Pipelined: {
    passes.addPass(createUnrollLoops(UnrollLoopsOptions{config.ringDepth}));
    PipelineLoadsOptions loads;
    loads.ringDepth = config.ringDepth;
    loads.mmaDepth = config.mmaDepth;
    passes.addPass(createPipelineLoads(loads));
    passes.addPass(createDeferGroupSums()); // of loops as the text has them
    // Loops are rotated while their dots are still synchronous; all others become asynchronous in place.
    if (config.coarse)
      passes.addPass(createPipelineStages());
    // Loops that are not rotated.
    passes.addPass(createHoistDots());
    passes.addPass(createPrefetchLoads(PrefetchLoadsOptions{config.ringDepth}));
    PipelineDotsOptions options;
    options.mmaDepth = config.mmaDepth;
    passes.addPass(createPipelineDots(options));
    passes.addPass(createOverlapStores());
    passes.addPass(createSliceSums()); // the passes before look for tiles of two dimensions
    // The passes before know loops that count; the prover is to see the rings through which numbers travel.
    passes.addPass(createHandOutTiles(HandOutTilesOptions{config.dynamic != 0}));
    return;
  }
  case Phase::Proved:
    // After all passes that move puts, gets and releases, and before layouts hide which tile a value is.
    passes.addPass(createProveProtocol());
    return;
  case Phase::LaidOut:
    passes.addPass(createAssignLayouts(AssignLayoutsOptions{static_cast<int>(config.epilogueStages)}));
    passes.addPass(createPromoteOperandsToRegisters());
    passes.addPass(createSinkSharedLoads());
    passes.addPass(createHoistLoads());
    passes.addPass(createTakeTurns()); // when it is known what products read that threads write
    return;
  case Phase::Machine: {
    LowerArefOptions options;
    options.epilogueStages = config.epilogueStages;
    passes.addPass(createLowerAref(options));
    passes.addPass(createExpandMath()); // makes the divisions and the arithmetic that the following passes look for
    passes.addPass(createExpandInstructions());
    // Slot arithmetic with D = 1, repeated constants and addresses.
    addCleanup(passes);
    passes.addPass(createShareReciprocals());
    passes.addPass(createDeferSums());
    passes.addPass(createInterleaveFragments());
    passes.addPass(createReducePressure());
    passes.addPass(createSchedulePipes());
    passes.addPass(createProveMachine()); // last: it proves the order that both back ends keep
    return;
  }
  case Phase::Llvm:
    passes.addPass(createSelectCopies());
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

namespace {

/// `--tawa-pipeline="compile-from=... compile-to=... target=... config='...'"`.
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> from{*this, "compile-from",
                           llvm::cl::desc("phase whose result is the input; the next one is the first to run")};
  Option<std::string> to{*this, "compile-to", llvm::cl::desc("last phase to run"), llvm::cl::init("llvm")};
  Option<std::string> target{*this, "target", llvm::cl::desc("ptx or host"), llvm::cl::init("ptx")};
  Option<std::string> config{*this, "config", llvm::cl::desc("configuration, as in \"D=3 P=2\"")};
};

using ErrorHandler = llvm::function_ref<LogicalResult(const llvm::Twine &)>;

/// Where this phase stands in kPhases; no place for a name that is none.
std::optional<size_t> placeOf(llvm::StringRef name) {
  auto found = llvm::find_if(kPhases, [&](const PhaseInfo &info) { return info.name == name; });
  return found == kPhases.end() ? std::nullopt : std::optional<size_t>(found - kPhases.begin());
}

LogicalResult refusePhase(llvm::StringRef name, ErrorHandler error) {
  std::string names;
  for (const PhaseInfo &info : kPhases)
    names += (names.empty() ? "" : ", ") + info.name.str();
  return error("'" + name + "' is no phase: " + names);
}

LogicalResult buildPipeline(OpPassManager &passes, llvm::StringRef text, ErrorHandler error) {
  PipelineOptions options;
  if (failed(options.parseFromString(text)))
    return failure();
  auto config = KernelConfig::parse(options.config);
  if (!config)
    return error(llvm::StringRef(config.status().message()));
  for (const auto &[name, value] : config->tile)
    if (!isTileSize(name))
      return error("'" + llvm::Twine(name) +
                   "' is a parameter of the text, which --tawa-param sets before it is parsed");
  if (options.target != "ptx" && options.target != "host")
    return error("'" + options.target + "' is no target: ptx, host");
  auto from = placeOf(options.from), to = placeOf(options.to);
  if (!from && !options.from.empty())
    return refusePhase(options.from, error);
  if (!to)
    return refusePhase(options.to, error);
  TargetKind target = options.target == "ptx" ? TargetKind::Ptx : TargetKind::Host;
  for (size_t place = from ? *from + 1 : 0; place <= *to; ++place)
    buildPhase(passes, kPhases[place].phase, *config, target);
  return success();
}

} // namespace

static void registerTawaPipeline() {
  registerPassPipeline(
      "tawa-pipeline", "The phases of a compilation, one after the other (compiler/pipeline/Phases.h)", buildPipeline,
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> show) { show(PipelineOptions()); });
}

void registerAllPasses() {
  registerTawaFrontendPasses();
  registerTawaRolesPasses();
  registerTawaRoleProverPasses();
  registerTawaLayoutsPasses();
  registerHopperPasses();
  registerTawaPrintAnalysesPasses();
  registerTawaPipeline();
}

} // namespace tawa
