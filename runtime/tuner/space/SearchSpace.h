// SearchSpace: the configurations of a kernel for one problem, legal or not, the legal ones with a predicted time.
//
// Tile parameters come from the text, the other settings from a table. The compiler summarizes the kernel's work
// (WorkSummary) once per choice of tile parameters; whether the rest fits is arithmetic on that, and so a space of
// thousands of points takes milliseconds besides these queries. Rules only refuse points that cannot work or would
// equal another point; further refusals of the compiler or the assembler are found when they run.
//
// Of texts with many choices of tile parameters not every one is queried (TileEstimate). Listed are all points of the
// choices that were, and of the others none, not even as refused. Orders of tiles are tried of the fastest tiles only.
#pragma once

#include "runtime/tuner/model/PerformanceModel.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tawa {

/// Why a point is not worth compiling.
enum class Refusal : uint8_t {
  None,
  Compiler,     ///< It was asked and said no; the reason is its own.
  SlotInFlight, ///< P > D.
  Rows,         ///< wgmma takes 64 rows of a tile from each consumer group.
  Registers,
  SharedMemory,
  Divisibility, ///< Programs, or tiles, are no multiple of the cluster.
  NotApplied,   ///< The kernel does not follow the setting; the compiler says why.
  NoEffect,     ///< The same kernel as another point, or, of a raster, as points with other tile parameters.
  Grid,         ///< The number of CTAs cannot be worked out.
  Tma,          ///< A tensor breaks a rule of TMA, by which the kernel reaches it.
};
std::string_view refusalName(Refusal refusal);

struct Candidate {
  KernelConfig config; ///< Complete: all tile parameters have a value.
  Refusal refusal = Refusal::None;
  std::string reason; ///< In words and numbers; empty where there is no refusal.
  Prediction prediction;
  double commonShare = 0; ///< ProblemWork's.
  double handovers = 0;   ///< Of slots between roles; among equals the fewer the better.
  size_t shape = 0;       ///< The same for kernels whose products have sums of the same shapes; 0: there is none.
  bool isLegal() const { return refusal == Refusal::None; }
};

/// What the model does not tell apart: 0.1 %.
inline constexpr double kModelResolution = 0.001;

/// One setting besides tile parameters, and the values that are tried.
struct SpaceAxis {
  std::string_view name; ///< As KernelConfig prints it.
  int KernelConfig::*member;
  std::vector<int> values;
  enum class For : uint8_t { Roles, OneRole, Both } kernels = For::Roles; ///< For which it means something.
  int enough = 0; ///< Of values that follow a legal one, those that are larger are left out; 0: none.
};
/// The settings of the schedules that the compiler has.
std::vector<SpaceAxis> defaultAxes(const HardwareDescription &hardware);

/// Queries the compiler for the kernel's work; called from several threads at once.
using SummarizeFunction = std::function<Result<WorkSummary>(const KernelConfig &)>;

struct SpaceInput {
  std::vector<std::pair<std::string, std::vector<int64_t>>> tileParameters;
  bool sizesAreFound = false;  ///< As KernelSignature has it; a first value that an author wrote is the default.
  std::vector<SpaceAxis> axes; ///< Empty: defaultAxes(), or fewer values of these for a first choice.
  /// A choice without trials: other values are for what is measured, since the model seldom finds them faster. Refused
  /// points are not listed.
  bool isFirstChoice = false;
  SummarizeFunction summarize;
  std::span<const ArgumentValue> arguments;
  std::array<uint32_t, 3> grid{}; ///< All 0: from the text's directive.
  /// Where neither says anything, nor the results (guessGrid): so many programs. 0: then there is no answer.
  uint32_t assumedPrograms = 0;
  HardwareDescription hardware;
  bool isWarm = false; ///< See ModelInput.
  unsigned threads = 1;
};

struct SearchSpace {
  std::vector<Candidate> candidates; ///< Legal ones first, the fastest predicted first.
  size_t legal = 0;
  bool isComplete = true;      ///< The model need not guess how often loops run; else it cannot tell tile sizes apart.
  WorkSummary sample;          ///< Of one choice of tile parameters, for what is the same in all.
  double summarizeSeconds = 0; ///< What the compiler took, on all threads at once.
  double rankSeconds = 0;      ///< Rules and model.
};

/// Of all choices of tile parameters, or of those that promise most.
Result<SearchSpace> enumerateSpace(const SpaceInput &input);

/// Rules and model for explicitly named configurations, ranked likewise.
Result<SearchSpace> judgeConfigs(const SpaceInput &input, std::span<const KernelConfig> configs);

/// `count` legal candidates of a ranked list, the first one first, then those that are fast and unlike the chosen ones:
/// if the model is wrong about one, it is wrong about all that are like it. At most `alike` differ only in D, P and
/// epilogue, or not at all to the model.
std::vector<Candidate> selectTop(const SearchSpace &space, size_t count, size_t alike = 3);

} // namespace tawa
