// Parses a kernel, folds its arguments and runs the front end up to phase "specialized".
#include "compiler/planner/affinize/Kernel.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/TT/UnsupportedOps.h"
#include "compiler/frontend/text/Directives.h"
#include "compiler/frontend/text/PreLexer.h"
#include "compiler/pipeline/ParameterNames.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "runtime/support/Expression.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace tawa {

static DialectRegistry allDialects() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

AffinizedKernel::AffinizedKernel(const AffinizeInput &input)
    : input(input), context(allDialects(), MLIRContext::Threading::DISABLED), diagnostics(context, input.name) {
  context.printOpOnDiagnostic(false);
}

Status AffinizedKernel::failure(StatusCode code, std::string_view otherwise) const {
  return Status(code, diagnostics.summary(otherwise), diagnostics.all);
}

Status AffinizedKernel::prepare() {
  for (auto step : {&AffinizedKernel::parse, &AffinizedKernel::bindArguments, &AffinizedKernel::bindGrid,
                    &AffinizedKernel::runFrontEnd})
    if (Status status = (this->*step)(); !status)
      return status;
  return Status::ok();
}

Status AffinizedKernel::parse() {
  Result<TemplateText> source = parseDirectives(input.text, input.name);
  if (!source)
    return source.status();
  Result<std::string> expanded = expand(*source, input.tile, input.name);
  if (!expanded)
    return expanded.status();
  tile = input.tile;
  for (const TileParameter &parameter : source->parameters)
    tile.try_emplace(parameter.name, parameter.values.front());
  gridExpression = source->grid;
  PrelexOptions options;
  options.stripLocations = true;
  Result<std::string> lexed = prelex(*expanded, input.name, options);
  if (!lexed)
    return lexed.status();
  ready = std::move(*lexed);
  module = parseSourceString<ModuleOp>(ready, ParserConfig(&context), input.name);
  if (!module || failed(tt::verifySupported(*module)))
    return failure(StatusCode::InvalidIR, "the text could not be parsed");
  kernel = findKernel(*module);
  return kernel ? Status::ok() : failure(StatusCode::InvalidIR, "the text holds no kernel");
}

//===--- Arguments ------------------------------------------------------------------------------------------------===//

Status AffinizedKernel::wrongArgument(size_t index, const std::string &why) const {
  return Status(StatusCode::InvalidArgument, input.name + ": argument '" + signature[index].name + "' " + why);
}

static std::vector<int64_t> denseStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

Status AffinizedKernel::bindArgument(size_t index, const LogicalArgument &wanted) {
  const ArgumentFacts &facts = input.arguments[index];
  bool isTensor = wanted.kind == LogicalArgument::Kind::Tensor;
  if (isTensor != (facts.kind == LogicalArgument::Kind::Tensor))
    return wrongArgument(index, isTensor ? "is a tensor and needs a shape" : "is a scalar");
  tensors.emplace_back();
  if (!isTensor)
    return Status::ok();
  bool isKnown = !facts.shape.empty() && std::ranges::all_of(facts.shape, [](int64_t extent) { return extent > 0; });
  if (!isKnown || (wanted.rank != 0 && wanted.rank != facts.shape.size()))
    return wrongArgument(index, "needs a shape of positive numbers" +
                                    (wanted.rank ? ", " + std::to_string(wanted.rank) + " of them" : ""));
  if (!facts.strides.empty() && facts.strides.size() != facts.shape.size())
    return wrongArgument(index, "has not as many strides as dimensions");
  tensors.back() = {wanted.name, facts.shape, facts.strides.empty() ? denseStrides(facts.shape) : facts.strides,
                    facts.elementType, static_cast<int>(index)};
  return Status::ok();
}

/// The number that a launch passes for a parameter; none for pointers, descriptors and what only the kernel computes
/// with.
static std::optional<int64_t> numberOf(const ParameterRole &role, Type type, const mesh::Tensor &tensor,
                                       const ArgumentFacts &facts) {
  if (role.part == ParameterRole::Part::Shape)
    return tensor.shape[role.dimension];
  if (role.part == ParameterRole::Part::Stride)
    return tensor.strides[role.dimension];
  bool isNumber = role.part == ParameterRole::Part::Scalar && isa<IntegerType>(type) &&
                  facts.kind == LogicalArgument::Kind::Constant;
  return isNumber ? std::optional(facts.value) : std::nullopt;
}

void AffinizedKernel::nameArguments(const LogicalSignature &read) {
  signature = read.arguments;
  std::vector<std::string> names = readParameterNames(ready);
  for (auto [index, role] : llvm::enumerate(read.parameters))
    if (index < names.size() && signature[role.argument].name.empty())
      signature[role.argument].name = names[index];
}

/// Marks the parameters whose numbers are known; phase "specialized" folds them.
Status AffinizedKernel::bindParameters(const LogicalSignature &read) {
  for (auto [index, role] : llvm::enumerate(read.parameters)) {
    Type type = kernel.getArgument(index).getType();
    std::optional<int64_t> number = numberOf(role, type, tensors[role.argument], input.arguments[role.argument]);
    if (number)
      ws::kConstantAttr.set(kernel, index, IntegerAttr::get(type, *number));
    else if (role.part == ParameterRole::Part::Scalar && isa<IntegerType>(type))
      return wrongArgument(role.argument, "is an integer and needs a value");
  }
  return Status::ok();
}

Status AffinizedKernel::bindArguments() {
  FailureOr<LogicalSignature> read = readLogicalSignature(kernel);
  if (failed(read))
    return failure(StatusCode::InvalidIR, "the kernel's parameters could not be read");
  nameArguments(*read);
  if (signature.size() != input.arguments.size())
    return Status(StatusCode::InvalidArgument, input.name + ": the kernel takes " + std::to_string(signature.size()) +
                                                   " arguments, not " + std::to_string(input.arguments.size()));
  for (auto [index, wanted] : llvm::enumerate(signature))
    if (Status status = bindArgument(index, wanted); !status)
      return status;
  return bindParameters(*read);
}

//===--- Grid -----------------------------------------------------------------------------------------------------===//

/// A name in the text's `tawa.grid`: a tile parameter or an integer argument.
std::optional<int64_t> AffinizedKernel::numberNamed(std::string_view name) const {
  if (auto found = tile.find(std::string(name)); found != tile.end())
    return found->second;
  auto argument = std::ranges::find(signature, name, &LogicalArgument::name);
  if (argument == signature.end())
    return std::nullopt;
  const ArgumentFacts &facts = input.arguments[argument - signature.begin()];
  return facts.kind == LogicalArgument::Kind::Constant ? std::optional(facts.value) : std::nullopt;
}

std::optional<int64_t> AffinizedKernel::extentNamed(std::string_view tensor, int64_t dim) const {
  auto found = std::ranges::find(tensors, tensor, &mesh::Tensor::name);
  bool isKnown = found != tensors.end() && dim >= 0 && dim < static_cast<int64_t>(found->shape.size());
  return isKnown ? std::optional(found->shape[dim]) : std::nullopt;
}

Status AffinizedKernel::evaluateGrid() {
  if (gridExpression.empty())
    return Status(StatusCode::InvalidArgument, input.name + ": the text does not say its grid (tawa.grid); give one");
  Result<std::vector<int64_t>> sizes = evaluateList(
      gridExpression, [&](std::string_view name) { return numberNamed(name); },
      [&](std::string_view tensor, int64_t dim) { return extentNamed(tensor, dim); });
  if (!sizes)
    return sizes.status();
  for (size_t axis = 0; axis < sizes->size() && axis < extents.size(); ++axis)
    extents[axis] = static_cast<uint32_t>(std::clamp<int64_t>((*sizes)[axis], 0, std::numeric_limits<int32_t>::max()));
  return Status::ok();
}

Status AffinizedKernel::bindGrid() {
  if (input.grid)
    extents = *input.grid;
  else if (Status status = evaluateGrid(); !status)
    return status;
  bool isEmpty = std::ranges::find(extents, 0u) != extents.end();
  return isEmpty ? Status(StatusCode::InvalidArgument, input.name + ": the grid has no programs") : Status::ok();
}

Status AffinizedKernel::runFrontEnd() {
  PassManager passes(&context, ModuleOp::getOperationName());
  for (Phase phase : {Phase::Parsed, Phase::Normalized, Phase::Specialized})
    buildPhase(passes, phase, KernelConfig(), TargetKind::Ptx);
  if (failed(passes.run(*module)))
    return failure(StatusCode::Unsupported, "the front end refused the kernel");
  kernel = findKernel(*module);
  return Status::ok();
}

//===--- Names ----------------------------------------------------------------------------------------------------===//

std::string AffinizedKernel::nameOf(BlockArgument parameter) const {
  std::optional<ParameterRole> role = parameterRole(kernel, parameter.getArgNumber());
  return role ? signature[role->argument].name : "";
}

std::string AffinizedKernel::nameOf(Operation *op) const {
  auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place || place.getLine() == 0)
    return {};
  StringRef line = ready;
  for (unsigned skipped = 1; skipped < place.getLine(); ++skipped)
    line = line.split('\n').second;
  line = line.split('\n').first;
  if (isa<scf::ForOp>(op))
    line = line.split("scf.for").second;
  line = line.ltrim();
  if (!line.consume_front("%"))
    return {};
  StringRef name = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; });
  auto [stem, number] = name.rsplit('_'); // MLIR prints a second %om as %om_1
  if (!number.empty() && llvm::all_of(number, llvm::isDigit))
    name = stem;
  bool isNumber = name.empty() || llvm::isDigit(name.front());
  return isNumber ? std::string() : name.str();
}

std::string AffinizedKernel::print() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ModuleOp(module.get()).print(stream);
  return text;
}

} // namespace tawa
