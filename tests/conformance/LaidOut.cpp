// Prints laid-out kernels, compiles them from that phase, and runs them on the emulator.
#include "tests/conformance/LaidOut.h"

#include "compiler/frontend/Passes.h"
#include "compiler/pipeline/Artifact.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/target/hopper/TawaToSM90/TawaToSM90.h"
#include "compiler/target/hopper/host/EmitHostObject.h"
#include "runtime/emulator/ObjectLoader.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cstring>

using namespace mlir;

namespace tawa::conformance {

/// One for all texts: types and dialects are loaded once.
static MLIRContext &sharedContext() {
  static DialectRegistry registry = [] {
    DialectRegistry made;
    registerAllDialects(made);
    return made;
  }();
  static MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  return context;
}

std::string printed(const LinearLayout &layout) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << ws::LinearAttr::get(&sharedContext(), layout);
  return text;
}

Status runLaidOut(const std::string &text, const std::vector<emu::MemoryRegion> &pointers) {
  MLIRContext &context = sharedContext();
  auto fail = [&](const char *what) { return Status(StatusCode::Internal, what); };
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return fail("does not parse");
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.addPass(createSpecializeArguments());
  buildPhase(passes, Phase::Machine, {}, TargetKind::Host);
  if (failed(passes.run(*module)))
    return fail("does not lower");
  KernelArtifact artifact;
  if (failed(readLaunch(*module, artifact)))
    return fail("launch facts lost");
  PassManager host(&context, ModuleOp::getOperationName());
  buildPhase(host, Phase::Llvm, {}, TargetKind::Host);
  if (failed(host.run(*module)))
    return fail("does not lower to the host");
  Result<std::string> object = emitHostObject(*module);
  if (!object)
    return object.status();
  auto kernel = loadHostObject(*object, artifact.entry, emu::symbols());
  if (!kernel)
    return kernel.status();
  emu::LaunchConfig config;
  config.threads = artifact.launch.threads;
  config.sharedBytes = artifact.launch.sharedBytes;
  config.registersPerThread = artifact.launch.registersPerThread;
  std::vector<void *> params;
  for (const emu::MemoryRegion &region : pointers)
    params.push_back(region.base);
  return emu::launch((*kernel)->entry, params.data(), params.size() * sizeof(void *), config, pointers);
}

} // namespace tawa::conformance
