// Reads the launch metadata of a KernelArtifact from the attributes of a machine kernel.
#include "compiler/pipeline/Artifact.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/UniformTileWork.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/target/hopper/SM90/Kernel.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/TawaToSM90/TawaToSM90.h"
#include "runtime/artifact/ParamLayout.h"

using namespace mlir;

namespace tawa {

static std::string printPayload(ws::ArefType type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(type.getPayload(), stream, [&](Type payload) {
    if (auto tensor = dyn_cast<RankedTensorType>(payload))
      payload = RankedTensorType::get(tensor.getShape(), tensor.getElementType()); // without the layout
    stream << payload;
  });
  return text;
}

void readReport(ModuleOp module, KernelReport &report) {
  if (auto declined = ws::kDeclinedAttr.get(module))
    report.declined = declined.str();
  if (auto notApplied = ws::kNotAppliedAttr.get(module))
    for (NamedAttribute setting : notApplied)
      report.notApplied.emplace_back(setting.getName().str(), cast<StringAttr>(setting.getValue()).str());
  module.walk(
      [&](ws::WarpGroupOp role) { report.roles.push_back({role.roleName(), role.getWarps(), role.getRegisters()}); });
  module.walk([&](ws::CreateArefOp create) {
    KernelReport::Ring ring;
    ws::ArefType type = create.getAref().getType();
    ring.depth = type.getDepth();
    ring.payload = printPayload(type);
    for (Type payload : type.getPayload())
      ring.slotBytes += ws::payloadBytes(payload);
    report.rings.push_back(std::move(ring));
  });
}

void readDepth(ModuleOp module, KernelConfig &config) {
  if (config.ringDepth == 0)
    module.walk([&](ws::CreateArefOp create) {
      ws::ArefType type = create.getAref().getType();
      if (!type.holdsNumber())
        config.ringDepth = std::max(config.ringDepth, static_cast<int>(type.getDepth()));
    });
}

/// What tawa-hoist-descriptors wrote about a tensor that the kernel describes itself.
static void readDescription(ws::DescriptionAttr described, TensorMapRecipe &recipe) {
  recipe.offset = described.getOffset().str();
  for (StringAttr size : described.getShape())
    recipe.shape.push_back(size.str());
  for (StringAttr stride : described.getStrides())
    recipe.strides.push_back(stride.str());
  if (described.getNan())
    recipe.fill = TensorMapRecipe::Fill::NaN;
}

void readReliedHints(ModuleOp module, std::vector<LogicalArgument> &arguments) {
  for (auto func : module.getOps<tt::FuncOp>())
    for (unsigned index = 0; index < func.getNumArguments(); ++index) {
      auto divisor = ws::kDivisibleAttr.get(func, index);
      auto role = parameterRole(func, index);
      if (!divisor || !role)
        continue;
      bool isStride = role->part == ParameterRole::Part::Stride, isExtent = role->part == ParameterRole::Part::Shape;
      if (role->part != ParameterRole::Part::Scalar && !isStride && !isExtent)
        continue;
      LogicalArgument &argument = arguments[role->argument];
      uint32_t &relied = isStride   ? argument.strideDivisor
                         : isExtent ? argument.columnDivisor // no other extent is hinted
                                    : argument.alignment;
      relied = std::max<uint32_t>(relied, *divisor);
      if (isStride) // rows are as aligned as the first of them
        argument.alignment = std::max(argument.alignment, relied * elementBytes(argument.elementType));
    }
}

static FailureOr<TensorMapRecipe> readRecipe(func::FuncOp kernel, sm90::TensorMapAttr attr) {
  auto type = elementTypeOf(attr.getElement());
  if (!type)
    return kernel.emitError() << "no launch builds a tensor map with elements of type " << attr.getElement();
  TensorMapRecipe recipe;
  recipe.argument = attr.getArgument();
  recipe.elementType = *type;
  recipe.box = attr.getBox();
  recipe.swizzle = static_cast<TensorMapRecipe::Swizzle>(attr.getSwizzle());
  if (ws::DescriptionAttr described = attr.getDescribed())
    readDescription(described, recipe);
  return recipe;
}

/// Of the parameters that are addresses.
static bool isAddress(ParameterRole::Part part) {
  return part == ParameterRole::Part::Pointer || part == ParameterRole::Part::Scratch ||
         part == ParameterRole::Part::Workspace;
}

static KernelParam::Source sourceOf(ParameterRole::Part part) {
  switch (part) {
  case ParameterRole::Part::Shape:
    return KernelParam::Source::TensorShape;
  case ParameterRole::Part::Stride:
    return KernelParam::Source::TensorStride;
  case ParameterRole::Part::Pointer:
  case ParameterRole::Part::Descriptor:
    return KernelParam::Source::TensorPointer;
  case ParameterRole::Part::Grid:
  case ParameterRole::Part::Programs:
    return KernelParam::Source::GridExtent;
  case ParameterRole::Part::Scratch:
    return KernelParam::Source::Scratch;
  case ParameterRole::Part::Workspace:
    return KernelParam::Source::Workspace;
  case ParameterRole::Part::Scalar:
    break;
  }
  return KernelParam::Source::Scalar;
}

RetiledGrid readRetiledGrid(FunctionOpInterface func) {
  RetiledGrid retiled;
  if (auto programs = ws::kRetiledGridAttr.get(func))
    for (auto [axis, expression] : llvm::enumerate(programs.getAsValueRange<StringAttr>()))
      retiled.programs[axis] = expression.str();
  if (auto zeros = ws::kRetiledZerosAttr.get(func))
    for (StringRef expression : zeros.getAsValueRange<StringAttr>())
      retiled.zeros.push_back(expression.str());
  if (auto walkers = ws::kWalkersAttr.get(func))
    retiled.walkers = walkers.str();
  return retiled;
}

LogicalResult readLaunch(ModuleOp module, KernelArtifact &artifact) {
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!sm90::isKernel(kernel))
      continue;
    FailureOr<sm90::KernelInfo> info = sm90::readKernelInfo(kernel);
    if (failed(info))
      return failure();
    artifact.entry = kernel.getName().str();
    artifact.launch.threads = info->threads;
    artifact.launch.sharedBytes = info->sharedBytes;
    artifact.launch.cluster = info->cluster;
    if (auto divides = ws::kClusterDividesAttr.get(kernel))
      for (StringRef expression : divides.getAsValueRange<StringAttr>())
        artifact.launch.clusterDivides.push_back(expression.str());
    artifact.launch.paddedGrid = ws::kPaddedGridAttr.on(kernel);
    artifact.launch.retiled = readRetiledGrid(kernel);
    artifact.launch.uniformTileWork = ws::kUniformTileWorkAttr.on(kernel);
    if (auto split = ws::kSplitAttr.get(kernel))
      artifact.launch.split = *split;
    if (auto scratch = sm90::kScratchBytesAttr.get(kernel))
      artifact.launch.scratchBytes = *scratch;
    artifact.launch.stream = ws::kStreamAttr.on(kernel);
    if (auto workspace = sm90::kWorkspaceBytesAttr.get(kernel))
      artifact.launch.workspaceBytes = *workspace;
    artifact.launch.registersPerThread = info->entryRegisters.value_or(0);
    for (BlockArgument argument : kernel.getArguments()) {
      unsigned index = argument.getArgNumber();
      if (auto map = sm90::kTensorMapAttr.get(kernel, index)) {
        FailureOr<TensorMapRecipe> recipe = readRecipe(kernel, map);
        if (failed(recipe))
          return failure();
        artifact.params.push_back(makeParam(KernelParam::Source::TensorMap, artifact.tensorMaps.size()));
        artifact.tensorMaps.push_back(*recipe);
        continue;
      }
      auto role = parameterRole(kernel, index);
      auto type = elementTypeOf(argument.getType());
      if (role && role->part == ParameterRole::Part::Grid)
        artifact.launch.walked[role->dimension] = true;
      if (!role || (!isAddress(role->part) && !type))
        return kernel.emitError() << "parameter " << index << " does not say where its value comes from";
      artifact.params.push_back(
          makeParam(sourceOf(role->part), role->argument, role->dimension, type.value_or(ElementType::I64)));
    }
    artifact.paramBytes = layoutParams(artifact.params);
    return success();
  }
  return module.emitError() << "the machine module holds no kernel";
}

} // namespace tawa
