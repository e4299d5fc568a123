// Recognizes the blocks of tensors that loads and stores access.
#include "compiler/planner/affinize/BlockReader.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/planner/affinize/MaskReader.h"
#include "compiler/planner/affinize/Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;

namespace tawa {

/// The caller's tensor that a parameter of the kernel stands for; null where the value is no such parameter.
static const mesh::Tensor *argumentOf(tt::FuncOp func, Value value, ParameterRole::Part part,
                                      const std::vector<mesh::Tensor> &arguments) {
  auto parameter = dyn_cast<BlockArgument>(value);
  if (!parameter || parameter.getOwner() != &func.getBody().front())
    return nullptr;
  std::optional<ParameterRole> role = parameterRole(func, parameter.getArgNumber());
  return role && role->part == part ? &arguments[role->argument] : nullptr;
}

int BlockReader::numberOf(mesh::Tensor tensor, Type element) {
  tensor.type = elementTypeOf(element).value_or(ElementType::I8);
  auto same = [&](const mesh::Tensor &known) {
    return known.argument == tensor.argument && known.shape == tensor.shape && known.strides == tensor.strides;
  };
  auto found = std::ranges::find_if(tensors, same);
  if (found == tensors.end())
    found = tensors.insert(found, std::move(tensor));
  return static_cast<int>(found - tensors.begin());
}

//===--- Descriptors ----------------------------------------------------------------------------------------------===//

std::optional<mesh::Tensor> BlockReader::describedTensor(Value descriptor) {
  if (const mesh::Tensor *argument = argumentOf(func, descriptor, ParameterRole::Part::Descriptor, arguments))
    return *argument;
  auto make = descriptor.getDefiningOp<tt::MakeTensorDescOp>();
  const mesh::Tensor *base = make ? argumentOf(func, make.getBase(), ParameterRole::Part::Pointer, arguments) : nullptr;
  if (!base)
    return std::nullopt;
  mesh::Tensor tensor{base->name, {}, {}, base->type, base->argument};
  auto collect = [&](ValueRange sizes, std::vector<int64_t> &numbers) {
    for (Value size : sizes)
      if (std::optional<Linear> number = linear.read(size); number && number->asConstant())
        numbers.push_back(*number->asConstant());
    return numbers.size() == sizes.size();
  };
  bool isFixed = collect(make.getShape(), tensor.shape) && collect(make.getStrides(), tensor.strides);
  return isFixed ? std::optional(tensor) : std::nullopt;
}

FailureOr<LinearBlock> BlockReader::readDescriptor(Operation *access, Value descriptor, ValueRange indices) {
  std::optional<mesh::Tensor> tensor = describedTensor(descriptor);
  if (!tensor)
    return refuse(access,
                  dependsOnData(descriptor) ? AffinizeReason::AddressDependsOnData : AffinizeReason::TensorNotFixed);
  RankedTensorType type = cast<tt::TensorDescType>(descriptor.getType()).getSignlessBlockType();
  LinearBlock block;
  block.block = type.getShape().vec();
  for (Value index : indices) {
    std::optional<Linear> start = linear.read(index);
    if (!start)
      return refuse(access,
                    dependsOnData(index) ? AffinizeReason::AddressDependsOnData : AffinizeReason::AddressNotAffine);
    block.start.push_back(std::move(*start));
  }
  block.tensor = numberOf(std::move(*tensor), type.getElementType());
  return block;
}

//===--- Tensors of pointers --------------------------------------------------------------------------------------===//

/// The dimensions of a tensor by stride, largest first; those that no step leads along are left out.
static SmallVector<int> dimensionsByStride(const mesh::Tensor &tensor) {
  SmallVector<int> dims;
  for (int dim = 0; dim < static_cast<int>(tensor.shape.size()); ++dim)
    if (tensor.strides[dim] > 0)
      dims.push_back(dim);
  auto isOuter = [&](int a, int b) { return std::pair(-tensor.strides[a], a) < std::pair(-tensor.strides[b], b); };
  std::ranges::sort(dims, isOuter);
  return dims;
}

/// An offset in elements as an index per dimension: as many of the largest stride as fit, the rest along the others.
static std::optional<std::vector<Linear>> indicesOf(Linear offset, const mesh::Tensor &tensor) {
  std::vector<Linear> indices(tensor.shape.size(), Linear{ProgramFunction(offset.programs.size(), 0), {}});
  for (int dim : dimensionsByStride(tensor)) {
    int64_t stride = tensor.strides[dim];
    Linear &index = indices[dim];
    for (size_t program = 0; program < offset.programs.size(); ++program)
      index.programs[program] = offset.programs[program] / stride;
    for (auto [loop, coefficient] : offset.loops)
      if (coefficient / stride != 0)
        index.loops[loop] = coefficient / stride;
    offset.add(index, -stride);
  }
  if (offset.asConstant() != 0)
    return std::nullopt;
  return indices;
}

std::optional<BlockReader::DimensionMap>
BlockReader::mapDimensions(const raise::Polynomial &offset, ArrayRef<int64_t> tile, const mesh::Tensor &tensor) {
  DimensionMap dims;
  for (int dim = 0; dim < static_cast<int>(tile.size()); ++dim) {
    std::optional<Linear> read = linear.read(offset.coefficientOf(dim));
    std::optional<int64_t> stride = read ? read->asConstant() : std::nullopt;
    if (!stride)
      return std::nullopt;
    int found = -1;
    for (int of = 0; of < static_cast<int>(tensor.shape.size()); ++of)
      if (tensor.strides[of] == *stride && !llvm::is_contained(dims, of) &&
          (found < 0 || tensor.shape[of] > tensor.shape[found]))
        found = of;
    bool isOneElement = tile[dim] == 1 || *stride == 0;
    if (found < 0 && !isOneElement)
      return std::nullopt;
    dims.push_back(isOneElement ? -1 : found);
  }
  return dims;
}

static bool hasRemainder(Value value) {
  SmallVector<Value> list = {value};
  while (!list.empty()) {
    Operation *op = list.pop_back_val().getDefiningOp();
    if (!op || !isa<RankedTensorType>(op->getResult(0).getType()))
      continue;
    if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      return true;
    llvm::append_range(list, op->getOperands());
  }
  return false;
}

/// Pointers that a loop carries begin before it.
static Value beforeLoops(Value pointers) {
  while (auto argument = dyn_cast<BlockArgument>(pointers)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      break;
    pointers = loop.getInitArgs()[argument.getArgNumber() - 1];
  }
  return pointers;
}

static AffinizeReason reasonOf(Value pointers) {
  if (dependsOnData(pointers))
    return AffinizeReason::AddressDependsOnData;
  return hasRemainder(beforeLoops(pointers)) ? AffinizeReason::RemainderWrapsInTile : AffinizeReason::AddressNotAffine;
}

FailureOr<LinearBlock> BlockReader::readPointers(Operation *access, Value pointers, Value mask) {
  std::optional<raise::Affine::Address> address = addresses.readAddress(pointers);
  if (!address)
    return refuse(access, reasonOf(pointers));
  const mesh::Tensor *tensor = argumentOf(func, address->base, ParameterRole::Part::Pointer, arguments);
  if (!tensor)
    return refuse(access, AffinizeReason::TensorNotFixed);
  auto type = dyn_cast<RankedTensorType>(pointers.getType());
  SmallVector<int64_t> tile = type ? SmallVector<int64_t>(type.getShape()) : SmallVector<int64_t>();
  std::optional<Linear> start = linear.read(address->offset.coefficientOf(-1));
  if (!start)
    return refuse(access, reasonOf(pointers));
  std::optional<DimensionMap> dims = mapDimensions(address->offset, tile, *tensor);
  std::optional<std::vector<Linear>> indices = dims ? indicesOf(*start, *tensor) : std::nullopt;
  if (!indices)
    return refuse(access, AffinizeReason::NotABlock);
  if (mask && dependsOnData(mask))
    return refuse(access, AffinizeReason::MaskDependsOnData);
  LinearBlock block{-1, std::vector<int64_t>(tensor->shape.size(), 1), std::move(*indices), false};
  for (auto [extent, dim] : llvm::zip(tile, *dims))
    if (dim >= 0)
      block.block[dim] = extent;
  block.tensor = numberOf(*tensor, cast<tt::PointerType>(tt::elementTypeOf(pointers.getType())).getPointeeType());
  block.isMasked = mask && excludesElements(mask, *dims, block);
  block.dims.assign(dims->begin(), dims->end());
  return block;
}

//===--- Masks ----------------------------------------------------------------------------------------------------===//

/// Whether all indices inside of the tensor satisfy the condition `negative` < 0.
bool BlockReader::isBound(const raise::Polynomial &negative, const DimensionMap &dims, const LinearBlock &block) {
  auto follows = [&](int dim, int64_t coefficient, int64_t bound) {
    // With start + index in 0 .. shape - 1, the largest value of coefficient * index + rest.
    std::optional<Linear> most = linear.read(negative.coefficientOf(-1));
    if (!most)
      return false;
    most->add(block.start[dim], -coefficient);
    most->add(coefficient * bound);
    return most->loops.empty() && std::ranges::all_of(most->programs, [](int64_t value) { return value < 0; });
  };
  for (int tile = 0; tile < static_cast<int>(dims.size()); ++tile) {
    std::optional<int64_t> coefficient = negative.coefficientOf(tile).asConstant();
    if (dims[tile] < 0 || !coefficient || (*coefficient != 1 && *coefficient != -1))
      continue;
    return follows(dims[tile], *coefficient, *coefficient == 1 ? tensors[block.tensor].shape[dims[tile]] - 1 : 0);
  }
  return false;
}

/// Whether a mask may exclude elements inside of the tensor. `dims` are those of the mask's own dimensions.
bool BlockReader::excludesElements(Value mask, DimensionMap dims, const LinearBlock &block) {
  Operation *op = mask.getDefiningOp();
  if (!op || matchPattern(op, m_One()))
    return !op;
  if (isa<arith::AndIOp>(op))
    return excludesElements(op->getOperand(0), dims, block) || excludesElements(op->getOperand(1), dims, block);
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    dims.erase(dims.begin() + expand.getAxis());
  if (isa<tt::BroadcastOp, tt::ExpandDimsOp>(op))
    return excludesElements(op->getOperand(0), dims, block);
  auto compare = dyn_cast<arith::CmpIOp>(op);
  std::optional<raise::Polynomial> negative = compare ? readComparison(compare, addresses) : std::nullopt;
  return !negative || !isBound(*negative, dims, block);
}

//===--- All accesses ---------------------------------------------------------------------------------------------===//

FailureOr<LinearBlock> BlockReader::read(Operation *access) {
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(access))
    return readDescriptor(load, load.getDesc(), load.getIndices());
  if (auto store = dyn_cast<tt::DescriptorStoreOp>(access))
    return readDescriptor(store, store.getDesc(), store.getIndices());
  if (auto load = dyn_cast<tt::LoadOp>(access))
    return readPointers(load, load.getPtr(), load.getMask());
  auto store = cast<tt::StoreOp>(access);
  return readPointers(store, store.getPtr(), store.getMask());
}

} // namespace tawa
