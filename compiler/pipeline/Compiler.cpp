// compileKernel: text -> phases -> artifact. The order of the phases is Phases.h's; what each runs is Pipeline.cpp's.
#include "compiler/pipeline/Compiler.h"

#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/OperationLimit.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/Tiling.h"
#include "compiler/analysis/WorkSummary.h"
#include "compiler/frontend/TT/UnsupportedOps.h"
#include "compiler/frontend/text/Directives.h"
#include "compiler/frontend/text/PreLexer.h"
#include "compiler/pipeline/Artifact.h"
#include "compiler/pipeline/DiagnosticCollector.h"
#include "compiler/pipeline/ParameterNames.h"
#include "compiler/pipeline/PassDumps.h"
#include "compiler/pipeline/PassTimes.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/roles/prover/Passes.h"
#include "compiler/support/PassCounter.h"
#include "compiler/target/hopper/host/EmitHostObject.h"
#include "compiler/target/hopper/ptx/EmitPtx.h"
#include "runtime/artifact/ParamLayout.h"
#include "runtime/artifact/TileSizes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>

using namespace mlir;

namespace tawa {

namespace {

//===--- One compilation ------------------------------------------------------------------------------------------===//

class Compilation {
public:
  /// `depth`: slots of rings where the configuration leaves them open; 0: as many as seem to fit.
  explicit Compilation(const CompileInput &input, int depth = 0)
      : input(input), config(input.config), context(makeRegistry(), MLIRContext::Threading::DISABLED),
        diagnostics(context, input.name), passDumps(input.dumpDirectory, input.dumpsPasses, describe()) {
    if (leavesDepthOpen())
      config.ringDepth = depth;
    context.printOpOnDiagnostic(false); // place, operation and reason are enough for a caller
  }

  /// `declined`: why the kernel has to be one role; empty where nothing speaks against several.
  Result<CompileOutput> run(const std::string &declined = "");
  Result<WorkSummary> summarize();
  Result<KernelSignature> signature();

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  Status begin();
  Status parse();
  Status bindFacts();
  Status runPhase(Phase phase);
  void dropOwnSizes();
  void findTileSizes(KernelSignature &result);
  bool leavesDepthOpen() const { return input.config.ringDepth == 0; }
  Result<CompileOutput> runAsOneRole(const std::string &why);
  Result<CompileOutput> runWithSlots(int depth);
  bool isOneRole() const { return ws::kDeclinedAttr.on(*module); }
  Result<CompileOutput> runAgainAsOneRole(int depth, const std::string &why);
  Status emitCode();
  Status failure(StatusCode code, std::string_view otherwise) {
    std::string reproduction = passDumps.reproduction();
    return Status(code,
                  diagnostics.summary(otherwise) + (reproduction.empty() ? "" : "\nto reproduce: " + reproduction),
                  diagnostics.all);
  }
  void dumpCounts();
  /// For the head of a reproducer.
  std::string describe() const;
  /// Adds the time since the last call under this name.
  void finishPhase(llvm::StringRef name);
  void dump(llvm::StringRef name, llvm::StringRef suffix, llvm::function_ref<void(llvm::raw_ostream &)> print);
  std::string printModule();

  const CompileInput &input;
  KernelConfig config;
  MLIRContext context;
  DiagnosticCollector diagnostics;
  OwningOpRef<ModuleOp> module;
  TemplateText text;
  CompileOutput output;
  unsigned dumps = 0;
  bool verifiesPasses = true; ///< After each; else after each phase.
  PassDumps passDumps;
  PassCounts counts;
  std::chrono::steady_clock::time_point phaseStart = std::chrono::steady_clock::now();
};

void Compilation::finishPhase(llvm::StringRef name) {
  auto now = std::chrono::steady_clock::now();
  double milliseconds = std::chrono::duration<double, std::milli>(now - phaseStart).count();
  output.artifact.report.phases.push_back({name.str(), milliseconds});
  phaseStart = now;
}

void Compilation::dump(llvm::StringRef name, llvm::StringRef suffix,
                       llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (input.dumpDirectory.empty())
    return;
  llvm::SmallString<128> path(input.dumpDirectory);
  llvm::sys::path::append(path, llvm::Twine(dumps < 10 ? "0" : "") + llvm::Twine(dumps) + "-" + name + "." + suffix);
  ++dumps;
  writeDump(path, print);
}

/// Of a compilation that leaves dumps: what its passes counted, and a line with how to repeat one that failed.
void Compilation::dumpCounts() {
  llvm::SmallString<128> path(input.dumpDirectory);
  llvm::sys::path::append(path, "counts.txt");
  writeDump(path, [&](llvm::raw_ostream &stream) { counts.print(stream); });
}

std::string Compilation::describe() const {
  llvm::StringRef target = input.target == TargetKind::Ptx ? "ptx" : "host";
  return ("// kernel " + input.name + ", target " + target + ", configuration " + config.str() + "\n").str();
}

std::string Compilation::printModule() {
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  module->print(stream);
  return printed;
}

Status Compilation::parse() {
  Result<TemplateText> parsed = parseDirectives(input.text, input.name);
  if (!parsed)
    return parsed.status();
  text = std::move(*parsed);
  Result<std::string> expanded = expand(text, valuesOfText(text, input.config.tile), input.name);
  if (!expanded)
    return expanded.status();
  for (const TileParameter &parameter : text.parameters) // what is left is for the compiler
    config.tile.erase(parameter.name);
  PrelexOptions options;
  options.stripLocations = true; // places in this text are what its caller can look up
  Result<std::string> ready = prelex(*expanded, input.name, options);
  if (!ready)
    return ready.status();
  text.text = std::move(*ready);
  ParserConfig config(&context);
  module = parseSourceString<ModuleOp>(text.text, config, input.name);
  if (!module)
    return failure(StatusCode::InvalidIR, "the text could not be parsed");
  if (mlir::failed(tt::verifySupported(*module)))
    return failure(StatusCode::Unsupported, "the text uses operations of a later version");
  return Status::ok();
}

/// A caller's promise about an address or an integer counts like the text's own hint.
static void promiseDivisibility(tt::FuncOp func, const LogicalSignature &signature, unsigned argument,
                                uint32_t divisor) {
  for (auto [index, role] : llvm::enumerate(signature.parameters)) {
    bool isIt = role.part == ParameterRole::Part::Pointer ||
                (role.part == ParameterRole::Part::Scalar && isa<IntegerType>(func.getArgument(index).getType()));
    if (role.argument != argument || !isIt || divisor <= 1)
      continue;
    auto hint = func.getArgAttrOfType<IntegerAttr>(index, kDivisibilityHint);
    if (!hint || hint.getInt() < int64_t(divisor))
      func.setArgAttr(index, kDivisibilityHint, IntegerAttr::get(IntegerType::get(func.getContext(), 32), divisor));
  }
}

/// For what expands accesses through descriptors (compiler/roles/DescriptorExpansion.h).
static void noteAlignments(tt::FuncOp func, const LogicalSignature &signature, unsigned argument,
                           const ArgumentFacts &facts) {
  auto type = IntegerType::get(func.getContext(), 32);
  for (auto [index, role] : llvm::enumerate(signature.parameters)) {
    if (role.argument != argument || role.part != ParameterRole::Part::Descriptor)
      continue;
    if (facts.rowAlignment)
      ws::kRowAlignmentAttr.set(func, index, IntegerAttr::get(type, facts.rowAlignment));
    if (facts.columnAlignment)
      ws::kColumnAlignmentAttr.set(func, index, IntegerAttr::get(type, facts.columnAlignment));
  }
}

/// Compares what the caller says about the arguments with the text, and marks constant ones for phase 2.
Status Compilation::bindFacts() {
  tt::FuncOp func = findKernel(*module);
  FailureOr<LogicalSignature> signature = func ? readLogicalSignature(func) : FailureOr<LogicalSignature>();
  if (failed(signature))
    return failure(StatusCode::InvalidIR, "the kernel's parameters could not be read");
  std::vector<std::string> names = readParameterNames(text.text);
  std::vector<LogicalArgument> &arguments = signature->arguments;
  for (auto [index, role] : llvm::enumerate(signature->parameters))
    if (index < names.size() && arguments[role.argument].name.empty())
      arguments[role.argument].name = names[index];
  output.artifact.arguments = arguments;
  if (input.arguments.empty())
    return Status::ok();
  if (Status status = checkFacts(arguments, input.arguments, input.name); !status)
    return status;
  for (auto [index, facts, argument] : llvm::enumerate(input.arguments, output.artifact.arguments)) {
    bool isDescriptor = argument.rank != 0 && facts.rowAlignment != 0;
    argument.alignment = std::max(isDescriptor ? facts.rowAlignment : argument.alignment, facts.alignment);
    noteAlignments(func, *signature, index, facts);
    promiseDivisibility(func, *signature, index, facts.alignment);
    if (facts.kind != LogicalArgument::Kind::Constant)
      continue;
    argument.kind = LogicalArgument::Kind::Constant;
    argument.value = facts.value;
    unsigned parameter =
        llvm::find_if(signature->parameters, [&, i = index](const ParameterRole &role) { return role.argument == i; }) -
        signature->parameters.begin();
    Type type = func.getArgument(parameter).getType();
    APInt bits(type.getIntOrFloatBitWidth(), facts.value, /*isSigned=*/true);
    TypedAttr value = isa<IntegerType>(type)
                          ? TypedAttr(IntegerAttr::get(type, bits))
                          : TypedAttr(FloatAttr::get(type, APFloat(cast<FloatType>(type).getFloatSemantics(), bits)));
    ws::kConstantAttr.set(func, parameter, value);
  }
  return Status::ok();
}

/// What a phase writes out more than once stays within the limit, so that the next one begins with no more than that.
static LogicalResult keepLimit(ModuleOp module, Phase phase) {
  if (phase > Phase::Machine) // of an operation of the machine, LLVM has a few
    return success();
  for (auto func : module.getOps<FunctionOpInterface>())
    if (mlir::failed(checkOperationCount(func, func.getName(), countOperations(func),
                                         ("after the phase " + kPhases[size_t(phase)].name).str(), kLessForAThread)))
      return failure();
  return success();
}

/// Tile sizes that the text has anyway are no change, so that the code is that without them.
void Compilation::dropOwnSizes() {
  tt::DotOp dot = firstProduct(findKernel(*module));
  if (!dot)
    return;
  ArrayRef<int64_t> result = dot.getType().getShape();
  int64_t own[] = {result[result.size() - 2], result.back(), tt::shapeOf(dot.getA().getType()).back()};
  for (auto [name, size] : llvm::zip(kTileSizes, own))
    if (auto found = config.tile.find(std::string(name)); found != config.tile.end() && found->second == size)
      config.tile.erase(found);
}

Status Compilation::runPhase(Phase phase) {
  if (input.cancelled && *input.cancelled)
    return Status(StatusCode::Cancelled, input.name + ": cancelled before phase " + kPhases[size_t(phase)].name.str());
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.addInstrumentation(std::make_unique<PassTimes>(output.passes));
  if (!input.dumpDirectory.empty()) {
    passes.addInstrumentation(passDumps.instrumentation());
    passes.addInstrumentation(counts.collector());
  }
  passes.enableVerifier(verifiesPasses);
  buildPhase(passes, phase, config, input.target);
  const PhaseInfo &info = kPhases[static_cast<size_t>(phase)];
  bool succeeded = mlir::succeeded(passes.run(*module)) && (verifiesPasses || mlir::succeeded(verify(*module))) &&
                   mlir::succeeded(keepLimit(*module, phase));
  if (succeeded && phase == Phase::Normalized && !config.tile.empty())
    dropOwnSizes();
  if (succeeded && input.afterPhase)
    input.afterPhase(phase, *module);
  if (!input.dumpDirectory.empty())
    dumpCounts();
  dump(info.name, "mlir", [&](llvm::raw_ostream &stream) { module->print(stream); });
  finishPhase(info.name);
  if (!succeeded)
    return failure(phase == Phase::Parsed ? StatusCode::InvalidIR : StatusCode::Unsupported,
                   ("phase " + info.name + " failed").str());
  return Status::ok();
}

Status Compilation::emitCode() {
  if (input.cancelled && *input.cancelled)
    return Status(StatusCode::Cancelled, input.name + ": cancelled before its code was made");
  if (input.target == TargetKind::Ptx) {
    PtxOptions options;
    options.times = &output.passes;
    std::string llvmText;
    if (input.emit == EmitStage::Llvm || !input.dumpDirectory.empty())
      options.llvmIr = &llvmText;
    Result<std::string> ptx = emitPtx(*module, options);
    if (!ptx)
      return ptx.status();
    dump("kernel", "ll", [&](llvm::raw_ostream &stream) { stream << llvmText; });
    dump("kernel", "ptx", [&](llvm::raw_ostream &stream) { stream << *ptx; });
    output.text = input.emit == EmitStage::Llvm ? llvmText : *ptx;
    output.artifact.code = std::move(*ptx);
    finishPhase("ptx");
    return Status::ok();
  }
  HostOptions options;
  if (input.emit == EmitStage::Llvm)
    options.llvmIr = &output.text;
  Result<std::string> object = emitHostObject(*module, options);
  if (!object)
    return object.status();
  output.artifact.code = std::move(*object);
  finishPhase("host object");
  return Status::ok();
}

/// What comes before the phases.
Status Compilation::begin() {
  KernelArtifact &artifact = output.artifact;
  artifact.target = input.target;
  artifact.gpu = input.gpu.str();
  artifact.config = input.config;
  if (Status status = input.config.check(); !status)
    return status;
  if (Status status = parse(); !status)
    return status;
  ws::setTarget(*module, input.gpu.shareFor(config.ctas));
  if (input.keepsTileLoop)
    ws::kKeepsTileLoopAttr.set(*module);
  for (const TileParameter &parameter : text.parameters) // so that the artifact says which values it was made for
    artifact.config.tile.try_emplace(parameter.name, parameter.values.front());
  artifact.gridExpression = text.grid;
  return bindFacts();
}

/// The kernel is compiled again, from its text.
Result<CompileOutput> Compilation::runAsOneRole(const std::string &why) {
  Compilation plain(input);
  plain.dumps = dumps; // after those of the roles
  return plain.run(why);
}

/// A kernel that is one role, with so many slots for what it loads ahead; 1, or fewer than products are in flight: it
/// loads nothing ahead.
Result<CompileOutput> Compilation::runAgainAsOneRole(int depth, const std::string &why) {
  Compilation again(input);
  again.config.ringDepth = depth < config.mmaDepth ? 1 : std::max(1, depth);
  again.dumps = dumps;
  return again.run(why);
}

/// Bytes that only the machine phase knows of leave room for so many slots: what was proved of more is proved again.
Result<CompileOutput> Compilation::runWithSlots(int depth) {
  if (depth < config.mmaDepth)
    return runAsOneRole(declineText(RejectReason::SlotsTooLarge).str());
  Compilation shallower(input, depth);
  shallower.dumps = dumps;
  return shallower.run();
}

Result<CompileOutput> Compilation::run(const std::string &declined) {
  if (Status status = checkCodeFor(input.gpu); !status)
    return status;
  if (Status status = begin(); !status)
    return status;
  KernelArtifact &artifact = output.artifact;
  // The text's own hints about integers (tt.divisibility) count only where an access relies on them: phase laid-out
  // says which, and a launch checks those. A promise of the caller is always checked.
  for (auto [index, argument] : llvm::enumerate(artifact.arguments))
    if (argument.kind != LogicalArgument::Kind::Tensor)
      argument.alignment = input.arguments.empty() ? 0 : input.arguments[index].alignment;

  if (!declined.empty())
    ws::kDeclinedAttr.set(*module, declined);

  auto stopsAt = [&](EmitStage stage) { return input.emit == stage; };
  for (const PhaseInfo &info : kPhases) {
    Status status = runPhase(info.phase);
    std::optional<int32_t> fitting = ws::kFittingDepthAttr.get(*module);
    StringAttr unproved = ws::kUnprovedAttr.get(*module);
    bool hasOtherForm = !isOneRole() || config.ringDepth != 1;
    if (isOneRole() && (fitting || (unproved && hasOtherForm)))
      return runAgainAsOneRole(fitting.value_or(1), ws::kDeclinedAttr.get(*module).str());
    if (fitting && leavesDepthOpen())
      return runWithSlots(*fitting);
    if (!status)
      return status;
    // Roles that were not proved are not launched, nor slots. What is left then says so in a remark.
    if (unproved && hasOtherForm)
      return runAsOneRole((declineText(RejectReason::ProtocolNotProved) + ": " + unproved.getValue()).str());
    if (info.phase == Phase::LaidOut) {
      readReport(*module, artifact.report);
      readDepth(*module, artifact.config);
      readReliedHints(*module, artifact.arguments);
    }
    bool wanted = (info.phase == Phase::Parsed && stopsAt(EmitStage::Ttir)) ||
                  (info.phase == Phase::LaidOut && stopsAt(EmitStage::Tawa)) ||
                  (info.phase == Phase::Machine && stopsAt(EmitStage::Sm90));
    if (wanted) {
      output.text = printModule();
      output.diagnostics = diagnostics.all;
      return std::move(output);
    }
    if (info.phase == Phase::Machine && mlir::failed(readLaunch(*module, artifact)))
      return failure(StatusCode::Internal, "the machine kernel could not be read");
  }
  if (Status status = emitCode(); !status)
    return status;
  artifact.contentHash = contentHash(artifact);
  output.diagnostics = diagnostics.all;
  return std::move(output);
}

Result<WorkSummary> Compilation::summarize() {
  if (Status status = begin(); !status)
    return status;
  verifiesPasses = false; // a search asks for hundreds of summaries; what it tries is verified after each pass
  for (Phase phase : {Phase::Parsed, Phase::Normalized, Phase::Specialized, Phase::Partitioned, Phase::Distributed})
    if (Status status = runPhase(phase); !status)
      return status;
  WorkSummary summary;
  summarizeWork(*module, summary);
  readDepth(*module, output.artifact.config);
  summary.entry = findKernel(*module).getName().str();
  summary.retiled = readRetiledGrid(findKernel(*module));
  summary.gridExpression = std::move(output.artifact.gridExpression);
  summary.config = std::move(output.artifact.config);
  summary.arguments = std::move(output.artifact.arguments);
  return summary;
}

Result<KernelSignature> Compilation::signature() {
  if (Status status = parse(); !status)
    return status;
  if (Status status = bindFacts(); !status)
    return status;
  KernelSignature result;
  result.entry = findKernel(*module).getName().str();
  result.arguments = output.artifact.arguments;
  for (const TileParameter &parameter : text.parameters) {
    result.tileParameters.emplace_back(parameter.name, parameter.values);
    if (parameter.isSetting)
      result.settings.push_back(parameter.name);
  }
  result.gridExpression = text.grid;
  if (text.parameters.empty())
    findTileSizes(result);
  return result;
}

/// The text's own size, then others that products take well (below 64 rows: TransposeDots; between powers of two, parts
/// of one product: SplitTiles). Without masks, some fit some sizes of tensors only: the grid of a launch says which.
/// wgmma takes odd multiples of 8 columns, but of 8-bit integers (PTX ISA, wgmma.mma_async shapes).
static std::vector<int64_t> sizesToTry(const TiledDimension &dimension, bool isOfIntegers, int64_t longest) {
  constexpr int64_t kUsual[] = {64, 128, 256}, kFewRows[] = {8, 16, 32},
                    kJoined[] = {48, 80, 96, 112, 144, 160, 176, 192, 208, 224, 240};
  constexpr int64_t kFine = 24, kStep = 16, kLargest = 256;
  std::vector<int64_t> sizes = {dimension.size};
  auto add = [&](int64_t size) {
    if (llvm::find(sizes, size) == sizes.end() && dimension.allows(size))
      sizes.push_back(size);
  };
  if (dimension.loop) {
    add(std::max<int64_t>(dimension.size / 2, 32));
    for (int64_t size = dimension.size * 2; size <= longest; size *= 2)
      add(size);
    return sizes;
  }
  llvm::for_each(kUsual, add);
  if (dimension.name == kTileSizes[0])
    llvm::for_each(kFewRows, add);
  if (dimension.name == kTileSizes[0] || dimension.name == kTileSizes[1])
    llvm::for_each(kJoined, add);
  for (int64_t size = kFine; dimension.name == kTileSizes[0] && !isOfIntegers && size < kLargest; size += kStep)
    add(size);
  return sizes;
}

/// Along sums: iterations of narrow operands are worth their barriers where they load as many bytes as others do.
static int64_t longestStep(const TiledDimension &dimension, const TileDims &dims, tt::FuncOp func) {
  constexpr int64_t kLongestRowBits = int64_t{8} * 256;
  int64_t bits = kLongestRowBits;
  func.walk([&](Operation *op) {
    if (!isa<tt::LoadOp, tt::DescriptorLoadOp>(op) || !llvm::is_contained(dims.of(op->getResult(0)), dimension.cls))
      return;
    Type element = getElementTypeOrSelf(op->getResult(0));
    if (element.isIntOrFloat()) // truth values are bytes
      bits = std::min<int64_t>(bits, std::max(element.getIntOrFloatBitWidth(), 8u));
  });
  return std::max(dimension.size * 2, kLongestRowBits / bits);
}

/// Tile sizes of a text without parameters that the compiler can change (tawa-retile). A text that fails has none.
void Compilation::findTileSizes(KernelSignature &result) {
  result.sizesAreFound = true;
  for (Phase phase : {Phase::Parsed, Phase::Normalized, Phase::Specialized})
    if (!runPhase(phase))
      return;
  PassManager passes(&context, ModuleOp::getOperationName());
  prepareTiling(passes);
  if (mlir::failed(passes.run(*module)))
    return;
  Tiling tiling(findKernel(*module));
  bool isOfIntegers = false;
  module->walk([&](tt::DotOp dot) { isOfIntegers |= dot.getA().getType().getElementType().isInteger(8); });
  for (const TiledDimension &dimension : tiling.space().dimensions())
    if (dimension.isOpen()) {
      int64_t longest = longestStep(dimension, tiling.space().dims(), findKernel(*module));
      result.tileParameters.emplace_back(dimension.name, sizesToTry(dimension, isOfIntegers, longest));
    }
}

} // namespace

/// One argument; the reason where it does not fit.
static std::string misfit(const LogicalArgument &argument, const ArgumentFacts &facts) {
  bool isTensor = argument.kind == LogicalArgument::Kind::Tensor;
  if (isTensor != (facts.kind == LogicalArgument::Kind::Tensor))
    return isTensor ? "is a tensor in the text" : "is a scalar in the text";
  if (facts.elementType != argument.elementType)
    return "is " + std::string(elementName(argument.elementType)) + " in the text, " +
           std::string(elementName(facts.elementType)) + " was described";
  if (argument.rank != 0 && !facts.shape.empty() && facts.shape.size() != argument.rank)
    return "has rank " + std::to_string(argument.rank) + " in the text, " + std::to_string(facts.shape.size()) +
           " was described";
  return "";
}

Status checkFacts(std::span<const LogicalArgument> arguments, std::span<const ArgumentFacts> facts,
                  std::string_view name) {
  if (facts.empty())
    return Status::ok();
  std::string file(name);
  if (facts.size() != arguments.size())
    return Status(StatusCode::InvalidArgument, file + ": the kernel takes " + std::to_string(arguments.size()) +
                                                   " arguments, " + std::to_string(facts.size()) + " were described");
  for (size_t index = 0; index < facts.size(); ++index)
    if (std::string why = misfit(arguments[index], facts[index]); !why.empty())
      return Status(StatusCode::InvalidArgument,
                    file + ": argument " + std::to_string(index) + " (" + arguments[index].name + ") " + why);
  return Status::ok();
}

Result<CompileOutput> compileKernel(const CompileInput &input) { return Compilation(input).run(); }

Result<WorkSummary> summarizeKernel(const CompileInput &input) { return Compilation(input).summarize(); }

Result<KernelSignature> readSignature(std::string_view text, std::string_view name) {
  CompileInput input;
  input.text = text;
  input.name = name;
  return Compilation(input).signature();
}

} // namespace tawa
