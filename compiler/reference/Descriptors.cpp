// Tensor descriptors and block pointers: blocks of a tensor in memory, filled and clipped at its edges.
#include "compiler/reference/Access.h"
#include "compiler/reference/Blocks.h"
#include "compiler/reference/Combine.h"
#include "compiler/reference/Numbers.h"

#include <limits>

using namespace mlir;

namespace tawa::reference {

namespace {

std::vector<int64_t> integersOf(OperandRange names, Program &program) {
  std::vector<int64_t> values;
  for (mlir::Value name : names)
    values.push_back(program.integer(name));
  return values;
}

/// A block of a tensor in memory, and along which dimensions its elements may lie outside.
struct Block {
  const Descriptor &tensor;
  RankedTensorType type;
  std::vector<int64_t> corner;
  std::vector<bool> isChecked;

  static Block of(const Descriptor &tensor, tt::TensorDescType type, std::vector<int64_t> corner) {
    RankedTensorType block = type.getSignlessBlockType();
    return {tensor, block, std::move(corner), std::vector<bool>(block.getRank(), true)};
  }

  /// Address of element `index` (row-major); none outside of the tensor.
  std::optional<Pointer> place(int64_t index) const {
    int64_t offset = 0;
    for (int64_t dim = type.getRank(); dim-- > 0; index /= type.getDimSize(dim)) {
      int64_t at = corner[dim] + index % type.getDimSize(dim);
      if (isChecked[dim] && (at < 0 || at >= tensor.shape[dim]))
        return std::nullopt;
      offset += at * tensor.strides[dim];
    }
    return advance(tensor.base, offset, type.getElementType());
  }
};

void appendPadding(bool isNaN, Type element, Value &result) {
  if (isa<FloatType>(element))
    result.floats.push_back(isNaN ? std::numeric_limits<double>::quiet_NaN() : 0);
  else
    result.integers.push_back(0);
}

/// Appends the block's elements to a value.
Status readBlock(Operation *op, Program &program, const Block &block, bool padsWithNaN, Value &result) {
  Type element = block.type.getElementType();
  Access access(op, program, element);
  for (int64_t index = 0; index < block.type.getNumElements(); ++index) {
    std::optional<Pointer> place = block.place(index);
    if (!place)
      appendPadding(padsWithNaN, element, result);
    else if (Status status = access.read(*place, result); !status)
      return status;
  }
  return Status::ok();
}

/// Writes the elements of `source` from number `first` on.
Status writeBlock(Operation *op, Program &program, const Block &block, const Value &source, int64_t first = 0) {
  int64_t count = block.type.getNumElements();
  if (Status status = program.spend(count); !status)
    return status;
  Access access(op, program, block.type.getElementType());
  return forEachLane(program.launch, count, [&](int64_t index) {
    std::optional<Pointer> place = block.place(index);
    return place ? access.write(*place, source, first + index) : Status::ok();
  });
}

//===--- Descriptors ----------------------------------------------------------------------------------------------===//

Status makeDescriptor(Operation *op, Program &program) {
  auto make = cast<tt::MakeTensorDescOp>(op);
  Value result;
  result.descriptor.base = program.get(make.getBase()).pointers.front();
  result.descriptor.padsWithNaN = make.getPadding() == tt::PaddingOption::NaN;
  result.descriptor.shape = integersOf(make.getShape(), program);
  result.descriptor.strides = integersOf(make.getStrides(), program);
  result.descriptor.strides.back() = 1;
  program.set(make.getResult(), std::move(result));
  return Status::ok();
}

Status descriptorLoad(Operation *op, Program &program) {
  auto load = cast<tt::DescriptorLoadOp>(op);
  const Descriptor &descriptor = program.get(load.getDesc()).descriptor;
  Value result;
  Status status =
      readBlock(op, program, Block::of(descriptor, load.getDesc().getType(), integersOf(load.getIndices(), program)),
                descriptor.padsWithNaN, result);
  program.set(load.getResult(), std::move(result));
  return status;
}

Status descriptorStore(Operation *op, Program &program) {
  auto store = cast<tt::DescriptorStoreOp>(op);
  const Descriptor &descriptor = program.get(store.getDesc()).descriptor;
  return writeBlock(op, program,
                    Block::of(descriptor, store.getDesc().getType(), integersOf(store.getIndices(), program)),
                    program.get(store.getSrc()));
}

Status descriptorReduce(Operation *op, Program &program) {
  auto reduce = cast<tt::DescriptorReduceOp>(op);
  const Descriptor &descriptor = program.get(reduce.getDesc()).descriptor;
  const Value &source = program.get(reduce.getSrc());
  tt::TensorDescType type = reduce.getDesc().getType();
  Block block = Block::of(descriptor, type, integersOf(reduce.getIndices(), program));
  Type element = block.type.getElementType();
  Access access(op, program, element);
  for (int64_t index = 0; index < block.type.getNumElements(); ++index) {
    std::optional<Pointer> place = block.place(index);
    uint64_t old = 0, bits = access.bitsAt(source, index);
    auto update = [&](uint64_t here) {
      return combineBits(reduce.getKind(), here, bits, type.getBlockType().getElementType(), program);
    };
    if (Status status = place ? access.exchange(*place, old, update) : Status::ok(); !status)
      return status;
  }
  return Status::ok();
}

/// Calls visit(block of row i) for the rows that a gather or scatter names.
template <typename Op, typename Visit> Status forEachRow(Op op, Program &program, Visit visit) {
  const Descriptor &descriptor = program.get(op.getDesc()).descriptor;
  int64_t column = program.integer(op.getYOffset()), index = 0;
  for (int64_t row : program.get(op.getXOffsets()).integers)
    if (Status status = visit(Block::of(descriptor, op.getDesc().getType(), {row, column}), index++); !status)
      return status;
  return Status::ok();
}

Status descriptorGather(Operation *op, Program &program) {
  auto gather = cast<tt::DescriptorGatherOp>(op);
  bool padsWithNaN = program.get(gather.getDesc()).descriptor.padsWithNaN;
  Value result;
  Status status = forEachRow(
      gather, program, [&](const Block &block, int64_t) { return readBlock(op, program, block, padsWithNaN, result); });
  program.set(gather.getResult(), std::move(result));
  return status;
}

Status descriptorScatter(Operation *op, Program &program) {
  auto scatter = cast<tt::DescriptorScatterOp>(op);
  const Value &source = program.get(scatter.getSrc());
  return forEachRow(scatter, program, [&](const Block &block, int64_t row) {
    return writeBlock(op, program, block, source, row * block.type.getNumElements());
  });
}

//===--- Block pointers -------------------------------------------------------------------------------------------===//

Status makeBlockPointer(Operation *op, Program &program) {
  auto make = cast<tt::MakeTensorPtrOp>(op);
  Value result;
  result.descriptor.base = program.get(make.getBase()).pointers.front();
  result.descriptor.shape = integersOf(make.getShape(), program);
  result.descriptor.strides = integersOf(make.getStrides(), program);
  result.descriptor.corner = integersOf(make.getOffsets(), program);
  program.set(make.getResult(), std::move(result));
  return Status::ok();
}

Status advanceBlockPointer(Operation *op, Program &program) {
  auto move = cast<tt::AdvanceOp>(op);
  Value result;
  result.descriptor = program.get(move.getPtr()).descriptor;
  for (auto [at, distance] : llvm::zip(result.descriptor.corner, integersOf(move.getOffsets(), program)))
    at = static_cast<int32_t>(static_cast<uint32_t>(at) + static_cast<uint32_t>(distance));
  program.set(move.getResult(), std::move(result));
  return Status::ok();
}

Block blockAt(const Descriptor &descriptor, mlir::Value pointer, ArrayRef<int32_t> boundaryCheck) {
  auto type = cast<RankedTensorType>(cast<tt::PointerType>(pointer.getType()).getPointeeType());
  Block block{descriptor, type, descriptor.corner, std::vector<bool>(type.getRank(), false)};
  for (int32_t dim : boundaryCheck)
    block.isChecked[dim] = true;
  return block;
}

} // namespace

Status loadBlock(tt::LoadOp load, Program &program) {
  Block block = blockAt(program.get(load.getPtr()).descriptor, load.getPtr(), load.getBoundaryCheck());
  Value result;
  Status status = readBlock(load, program, block, load.getPadding() == tt::PaddingOption::NaN, result);
  program.set(load.getResult(), std::move(result));
  return status;
}

Status storeBlock(tt::StoreOp store, Program &program) {
  Block block = blockAt(program.get(store.getPtr()).descriptor, store.getPtr(), store.getBoundaryCheck());
  return writeBlock(store, program, block, program.get(store.getValue()));
}

void addDescriptors(OpTable &table) {
  table["tt.make_tensor_descriptor"] = makeDescriptor;
  table["tt.descriptor_load"] = descriptorLoad;
  table["tt.descriptor_store"] = descriptorStore;
  table["tt.descriptor_reduce"] = descriptorReduce;
  table["tt.descriptor_gather"] = descriptorGather;
  table["tt.descriptor_scatter"] = descriptorScatter;
  table["tt.make_tensor_ptr"] = makeBlockPointer;
  table["tt.advance"] = advanceBlockPointer;
}

} // namespace tawa::reference
