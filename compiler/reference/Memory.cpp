// Accesses to the launch's arguments: through pointers, where an address outside of its argument is an error, and
// through descriptors, whose blocks are filled and clipped. Every byte remembers which programs read and wrote it:
// programs of one launch run in no order, so where two of them meet the result is anybody's.
#include "compiler/reference/Numbers.h"
#include "compiler/reference/Program.h"

#include <cstring>
#include <limits>

using namespace mlir;

namespace tawa::reference {

namespace {

//===--- Bytes
//----------------------------------------------------------------------------------------------------------===//

/// One element in memory; `op` is who asks, for errors.
class Access {
public:
  Access(Operation *op, Program &program, Type element)
      : op(op), program(program), element(element), size(bytesOf(element)) {}

  Status check(Pointer at) const {
    int64_t limit = at.argument < 0 ? 0 : program.launch.args[at.argument].bytes;
    if (at.byte >= 0 && at.byte <= limit - static_cast<int64_t>(size))
      return Status::ok();
    return wrongProgram(op, "accesses byte " + std::to_string(at.byte) + " of argument " + std::to_string(at.argument) +
                                ", which has " + std::to_string(limit));
  }

  /// Appends the element to the list of the value that it belongs to.
  Status read(Pointer at, Value &result) const {
    if (Status status = check(at); !status)
      return status;
    for (Touched &touched : bytes(at)) {
      if (touched.writer != 0 && touched.writer != program.number)
        return race(at);
      touched.reader = touched.reader == 0 || touched.reader == program.number ? program.number : Touched::kSeveral;
    }
    uint64_t bits = 0; // little endian, as the devices are
    std::memcpy(&bits, place(at), size);
    if (isa<FloatType>(element))
      result.floats.push_back(fromBits(bits, element));
    else
      result.integers.push_back(wrapTo(static_cast<int64_t>(bits), element));
    return Status::ok();
  }

  Status write(Pointer at, const Value &source, int64_t index) const {
    if (Status status = check(at); !status)
      return status;
    uint64_t bits =
        isa<FloatType>(element) ? bitsOf(source.floats[index], element) : unsignedOf(source.integers[index], element);
    bool changes = std::memcmp(&bits, place(at), size) != 0;
    for (Touched &touched : bytes(at)) {
      bool others = (touched.writer != 0 && touched.writer != program.number) ||
                    (touched.reader != 0 && touched.reader != program.number);
      if (others && changes) // writing the same once more harms nobody
        return race(at);
      touched.writer = program.number;
    }
    std::memcpy(place(at), &bits, size);
    return Status::ok();
  }

private:
  char *place(Pointer at) const { return static_cast<char *>(program.launch.args[at.argument].data) + at.byte; }
  MutableArrayRef<Touched> bytes(Pointer at) const {
    return MutableArrayRef<Touched>(program.launch.touched[at.argument]).slice(at.byte, size);
  }
  Status race(Pointer at) const {
    return wrongProgram(op, "meets another program at byte " + std::to_string(at.byte) + " of argument " +
                                std::to_string(at.argument));
  }

  Operation *op;
  Program &program;
  Type element;
  unsigned size;
};

//===--- Pointers
//-------------------------------------------------------------------------------------------------------===//

Status addPointer(Operation *op, Program &program) {
  auto add = cast<tt::AddPtrOp>(op);
  const Value &base = program.get(add.getPtr()), &offset = program.get(add.getOffset());
  Type pointee = tt::elementTypeOf(tt::pointeeTypeOf(add.getPtr().getType()));
  int64_t size = isa<tt::PointerType>(pointee) ? 8 : bytesOf(pointee);
  Value result;
  for (auto [pointer, elements] : llvm::zip(base.pointers, offset.integers))
    result.pointers.push_back({pointer.argument, static_cast<int64_t>(static_cast<uint64_t>(pointer.byte) +
                                                                      static_cast<uint64_t>(elements) * size)});
  program.set(add.getResult(), std::move(result));
  return Status::ok();
}

bool isMasked(const Value *mask, size_t index) { return mask && mask->integers[index] == 0; }

/// What an element that is not read is: that of `other`, or zero.
void appendAbsent(const Value *other, size_t index, Type element, Value &result) {
  if (isa<FloatType>(element))
    result.floats.push_back(other ? other->floats[index] : 0);
  else
    result.integers.push_back(other ? other->integers[index] : 0);
}

Status load(Operation *op, Program &program) {
  auto loadOp = cast<tt::LoadOp>(op);
  Type element = tt::elementTypeOf(loadOp.getType());
  if (isa<tt::PointerType>(element))
    return unsupported(op, " of pointers");
  const Value *mask = loadOp.getMask() ? &program.get(loadOp.getMask()) : nullptr;
  const Value *other = loadOp.getOther() ? &program.get(loadOp.getOther()) : nullptr;
  Access access(op, program, element);
  Value result;
  for (auto [index, pointer] : llvm::enumerate(program.get(loadOp.getPtr()).pointers)) {
    if (isMasked(mask, index))
      appendAbsent(other, index, element, result);
    else if (Status status = access.read(pointer, result); !status)
      return status;
  }
  program.set(loadOp.getResult(), std::move(result));
  return Status::ok();
}

Status store(Operation *op, Program &program) {
  auto storeOp = cast<tt::StoreOp>(op);
  Type element = tt::elementTypeOf(storeOp.getValue().getType());
  if (isa<tt::PointerType>(element))
    return unsupported(op, " of pointers");
  const Value &pointers = program.get(storeOp.getPtr()), &value = program.get(storeOp.getValue());
  const Value *mask = storeOp.getMask() ? &program.get(storeOp.getMask()) : nullptr;
  if (Status status = program.spend(pointers.pointers.size()); !status)
    return status;
  Access access(op, program, element);
  for (auto [index, pointer] : llvm::enumerate(pointers.pointers))
    if (!isMasked(mask, index))
      if (Status status = access.write(pointer, value, index); !status)
        return status;
  return Status::ok();
}

//===--- Descriptors
//----------------------------------------------------------------------------------------------------===//

Status makeDescriptor(Operation *op, Program &program) {
  auto make = cast<tt::MakeTensorDescOp>(op);
  Value result;
  result.descriptor.base = program.get(make.getBase()).pointers.front();
  result.descriptor.padsWithNaN = make.getPadding() == tt::PaddingOption::NaN;
  for (mlir::Value size : make.getShape())
    result.descriptor.shape.push_back(program.get(size).integers.front());
  for (mlir::Value stride : make.getStrides())
    result.descriptor.strides.push_back(program.get(stride).integers.front());
  result.descriptor.strides.back() = 1;
  program.set(make.getResult(), std::move(result));
  return Status::ok();
}

/// Calls visit(place or nothing) for every element of the block at `corner`, in row-major order; outside of the tensor
/// there is no place. Stops at the first failure.
template <typename Visit>
Status forBlock(const Descriptor &descriptor, tt::TensorDescType type, const std::vector<int64_t> &corner,
                Visit visit) {
  RankedTensorType block = type.getSignlessBlockType();
  unsigned size = bytesOf(block.getElementType());
  for (int64_t index = 0; index < block.getNumElements(); ++index) {
    int64_t rest = index, offset = 0;
    bool inside = true;
    for (int64_t dim = block.getRank(); dim-- > 0; rest /= block.getDimSize(dim)) {
      int64_t at = corner[dim] + rest % block.getDimSize(dim);
      inside &= at >= 0 && at < descriptor.shape[dim];
      offset += at * descriptor.strides[dim];
    }
    std::optional<Pointer> place;
    if (inside)
      place = Pointer{descriptor.base.argument, descriptor.base.byte + offset * size};
    if (Status status = visit(index, place); !status)
      return status;
  }
  return Status::ok();
}

std::vector<int64_t> cornerOf(OperandRange indices, Program &program) {
  std::vector<int64_t> corner;
  for (mlir::Value index : indices)
    corner.push_back(program.get(index).integers.front());
  return corner;
}

Status descriptorLoad(Operation *op, Program &program) {
  auto loadOp = cast<tt::DescriptorLoadOp>(op);
  const Descriptor &descriptor = program.get(loadOp.getDesc()).descriptor;
  Type element = tt::elementTypeOf(loadOp.getType());
  Access access(op, program, element);
  Value result;
  Status status =
      forBlock(descriptor, loadOp.getDesc().getType(), cornerOf(loadOp.getIndices(), program),
               [&](int64_t, std::optional<Pointer> place) {
                 if (place)
                   return access.read(*place, result);
                 if (isa<FloatType>(element))
                   result.floats.push_back(descriptor.padsWithNaN ? std::numeric_limits<double>::quiet_NaN() : 0);
                 else
                   result.integers.push_back(0);
                 return Status::ok();
               });
  program.set(loadOp.getResult(), std::move(result));
  return status;
}

Status descriptorStore(Operation *op, Program &program) {
  auto storeOp = cast<tt::DescriptorStoreOp>(op);
  const Descriptor &descriptor = program.get(storeOp.getDesc()).descriptor;
  const Value &source = program.get(storeOp.getSrc());
  if (Status status = program.spend(elementCount(source.type)); !status)
    return status;
  Access access(op, program, source.element());
  return forBlock(descriptor, storeOp.getDesc().getType(), cornerOf(storeOp.getIndices(), program),
                  [&](int64_t index, std::optional<Pointer> place) {
                    return place ? access.write(*place, source, index) : Status::ok();
                  });
}

} // namespace

void addMemory(OpTable &table) {
  table["tt.addptr"] = addPointer;
  table["tt.load"] = load;
  table["tt.store"] = store;
  table["tt.make_tensor_descriptor"] = makeDescriptor;
  table["tt.descriptor_load"] = descriptorLoad;
  table["tt.descriptor_store"] = descriptorStore;
}

} // namespace tawa::reference
