// Which passes make up each phase. compileKernel() runs them one phase at a time; tawa-opt can run any prefix of them.
#pragma once

#include "compiler/pipeline/Phases.h"
#include "runtime/artifact/KernelArtifact.h"

namespace mlir {
class OpPassManager;
class DialectRegistry;
} // namespace mlir

namespace tawa {

/// Adds the passes of one phase.
void buildPhase(mlir::OpPassManager &passes, Phase phase, const KernelConfig &config, TargetKind target);

/// What analysis/Tiling.h needs after the phase `specialized`.
void prepareTiling(mlir::OpPassManager &passes);

/// The dialects a kernel may be in, from its text to the machine, and all passes with the pipeline of their phases
/// (`--tawa-pipeline`), for tools.
void registerAllDialects(mlir::DialectRegistry &registry);
void registerAllPasses();

} // namespace tawa
