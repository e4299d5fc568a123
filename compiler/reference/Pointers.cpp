// Pointers, and loads and stores through them and through tiles of them. Those through block pointers are in
// Descriptors.cpp.
#include "compiler/reference/Access.h"
#include "compiler/reference/Blocks.h"
#include "compiler/reference/Numbers.h"

using namespace mlir;

namespace tawa::reference {

namespace {

Status addPointer(Operation *op, Program &program) {
  auto add = cast<tt::AddPtrOp>(op);
  const Value &base = program.get(add.getPtr()), &offset = program.get(add.getOffset());
  Type pointee = tt::elementTypeOf(tt::pointeeTypeOf(add.getPtr().getType()));
  Value result;
  for (auto [pointer, elements] : llvm::zip(base.pointers, offset.integers))
    result.pointers.push_back(advance(pointer, elements, pointee));
  program.set(add.getResult(), std::move(result));
  return Status::ok();
}

Status toInteger(Operation *op, Program &program) {
  Value result;
  for (Pointer pointer : program.get(op->getOperand(0)).pointers)
    result.integers.push_back(addressOf(pointer, program.launch));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

Status fromInteger(Operation *op, Program &program) {
  Value result;
  for (int64_t address : program.get(op->getOperand(0)).integers)
    result.pointers.push_back(pointerTo(address, program.launch));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

const Value *optional(mlir::Value name, Program &program) { return name ? &program.get(name) : nullptr; }

Status load(Operation *op, Program &program) {
  auto loadOp = cast<tt::LoadOp>(op);
  if (isBlockPointer(loadOp.getPtr().getType()))
    return loadBlock(loadOp, program);
  const Value *mask = optional(loadOp.getMask(), program), *other = optional(loadOp.getOther(), program);
  Access access(op, program, tt::elementTypeOf(loadOp.getType()));
  Value result;
  for (auto [index, pointer] : llvm::enumerate(program.get(loadOp.getPtr()).pointers)) {
    if (!isMasked(mask, index)) {
      if (Status status = access.read(pointer, result); !status)
        return status;
    } else if (other) {
      result.append(*other, index);
    } else {
      access.append(0, result);
    }
  }
  program.set(loadOp.getResult(), std::move(result));
  return Status::ok();
}

Status store(Operation *op, Program &program) {
  auto storeOp = cast<tt::StoreOp>(op);
  if (isBlockPointer(storeOp.getPtr().getType()))
    return storeBlock(storeOp, program);
  const Value &pointers = program.get(storeOp.getPtr()), &value = program.get(storeOp.getValue());
  const Value *mask = optional(storeOp.getMask(), program);
  if (Status status = program.spend(pointers.pointers.size()); !status)
    return status;
  Access access(op, program, value.element());
  return forEachLane(program.launch, pointers.size(), [&](int64_t index) {
    return isMasked(mask, index) ? Status::ok() : access.write(pointers.pointers[index], value, index);
  });
}

} // namespace

void addPointers(OpTable &table) {
  table["tt.addptr"] = addPointer;
  table["tt.ptr_to_int"] = toInteger;
  table["tt.int_to_ptr"] = fromInteger;
  table["tt.load"] = load;
  table["tt.store"] = store;
}

} // namespace tawa::reference
