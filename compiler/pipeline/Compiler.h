// The compiler's front door: text in, KernelArtifact out. Opens no device, no file and no socket; one call uses one
// MLIRContext of its own, so calls may run on any number of threads at once.
#pragma once

#include "runtime/artifact/WorkSummary.h"
#include "runtime/hardware/TargetOf.h"
#include "runtime/support/Status.h"

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mlir {
class ModuleOp;
}

namespace tawa {

enum class Phase;

/// What the caller says about one logical argument (compiler/pipeline/README: "Logical arguments").
struct ArgumentFacts {
  LogicalArgument::Kind kind = LogicalArgument::Kind::Scalar;
  ElementType elementType = ElementType::I32;
  /// Outermost first; kUnknown where only the launch will tell. The compiler looks whether the rank fits, and reads
  /// nothing else: one artifact serves all shapes, and callers that store artifacts take the numbers out.
  std::vector<int64_t> shape;
  std::vector<int64_t> strides; ///< In elements, likewise.
  int64_t value = 0;            ///< Of a constant.
  uint32_t alignment = 0;       ///< Promise about the pointer (bytes) or integer (divisor); 0: none.
  /// Of a tensor that is passed as a descriptor and that TMA cannot take: 1, 2, 4 or 8 bytes, of which its address and
  /// its strides are multiples. 0: TMA can take it, or nothing is known.
  uint32_t rowAlignment = 0;
  /// Likewise of its last extent, in bytes; 0: a multiple of 16, or not known.
  uint32_t columnAlignment = 0;
  static constexpr int64_t kUnknown = INT64_MIN;
};

/// The stages whose text can be asked for (`tawa compile --emit=`). Cubin is made by the runtime from Ptx.
enum class EmitStage { Ttir, Tawa, Sm90, Llvm, Ptx };

struct CompileInput {
  std::string_view text;
  std::string name = "<kernel>"; ///< File name used in diagnostics.
  std::vector<ArgumentFacts> arguments;
  KernelConfig config;
  TargetKind target = TargetKind::Ptx;
  /// The GPU: every limit and rate that passes ask for. The emulated SM has those of the default description.
  Target gpu = defaultTarget();
  /// For launches with fewer programs than the tiles of a text that walks them itself: it keeps its loop.
  bool keepsTileLoop = false;
  std::optional<EmitStage> emit; ///< When set, compilation stops there and CompileOutput::text holds it.
  /// When set, the IR after every phase is written here, what passes counted, and a reproducer of a pass that fails.
  std::string dumpDirectory;
  bool dumpsPasses = false; ///< Then also the IR after every pass that changed it, under passes/.
  /// When set: asked before every phase; once true the compile ends with Cancelled.
  const std::atomic<bool> *cancelled = nullptr;
  /// When set, called after every phase, before anything relies on what the phase is to hold: for tests that damage it.
  std::function<void(Phase, mlir::ModuleOp)> afterPhase;
};

struct CompileOutput {
  KernelArtifact artifact;
  std::string text;                    ///< Of the stage asked for by `emit`.
  std::vector<Diagnostic> diagnostics; ///< Warnings and remarks; errors come with the Status.
  /// How long every pass and step of code generation took, in order; the verifier's runs between passes are not
  /// counted.
  std::vector<KernelReport::PhaseTime> passes;
};

Result<CompileOutput> compileKernel(const CompileInput &input);

/// Whether what a caller says about the arguments fits those of the text; all that compileKernel() demands of it.
/// `name` is the file name for the message. To be asked of a kernel that was compiled for another request.
Status checkFacts(std::span<const LogicalArgument> arguments, std::span<const ArgumentFacts> facts,
                  std::string_view name);

/// What the kernel does in this configuration, for the performance model: compiles up to its roles, not further.
Result<WorkSummary> summarizeKernel(const CompileInput &input);

/// What a caller can learn about a kernel's text without compiling it.
struct KernelSignature {
  std::string entry;
  std::vector<LogicalArgument> arguments; ///< In the order in which the caller passes them.
  std::vector<std::pair<std::string, std::vector<int64_t>>> tileParameters; ///< Name and allowed values.
  bool sizesAreFound = false;        ///< These are sizes that stand in the text, which the compiler can change.
  std::vector<std::string> settings; ///< Names of those that decide what the kernel computes.
  std::string gridExpression;
};
Result<KernelSignature> readSignature(std::string_view text, std::string_view name);

} // namespace tawa
