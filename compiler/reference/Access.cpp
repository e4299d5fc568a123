// Bounds checks, element conversions and conflict detection of accesses to arguments.
#include "compiler/reference/Access.h"

#include "compiler/reference/Numbers.h"

#include <cstring>

using namespace mlir;

namespace tawa::reference {

Access::Access(Operation *op, Program &program, Type element)
    : op(op), program(program), element(element), size(bytesOf(element)) {}

//===--- Bits -----------------------------------------------------------------------------------------------------===//

uint64_t Access::bitsAt(const Value &source, int64_t index) const {
  if (isa<FloatType>(element))
    return bitsOf(source.floats[index], element);
  if (isa<tt::PointerType>(element))
    return static_cast<uint64_t>(addressOf(source.pointers[index], program.launch));
  return unsignedOf(source.integers[index], element);
}

void Access::append(uint64_t bits, Value &result) const {
  if (isa<FloatType>(element))
    result.floats.push_back(fromBits(bits, element));
  else if (isa<tt::PointerType>(element))
    result.pointers.push_back(pointerTo(static_cast<int64_t>(bits), program.launch));
  else
    result.integers.push_back(wrapTo(static_cast<int64_t>(bits), element));
}

//===--- Memory ---------------------------------------------------------------------------------------------------===//

Status Access::check(Pointer at) const {
  int64_t limit = at.argument < 0 ? 0 : static_cast<int64_t>(program.launch.args[at.argument].bytes);
  if (at.byte >= 0 && at.byte <= limit - static_cast<int64_t>(size))
    return Status::ok();
  if (at.argument < 0)
    return wrongProgram(op, "accesses address " + std::to_string(at.byte) + ", which is no argument's");
  return wrongProgram(op, "accesses byte " + std::to_string(at.byte) + " of argument " + std::to_string(at.argument) +
                              ", which has " + std::to_string(limit));
}

MutableArrayRef<Touched> Access::touched(Pointer at) const {
  std::vector<Touched> &all = program.launch.touched[at.argument];
  return all.empty() ? MutableArrayRef<Touched>() : MutableArrayRef<Touched>(all).slice(at.byte, size);
}

Status Access::race(Pointer at) const {
  return wrongProgram(op, "meets another program at byte " + std::to_string(at.byte) + " of argument " +
                              std::to_string(at.argument));
}

Status Access::noteRead(Pointer at) const {
  for (Touched &byte : touched(at)) {
    if (byte.writer != 0 && byte.writer != program.number)
      return race(at);
    byte.reader = byte.reader == 0 || byte.reader == program.number ? program.number : Touched::kSeveral;
  }
  return Status::ok();
}

/// Writing the same once more harms nothing. Whether programs write the same, the exact run says: in a perturbed one
/// each has a little different number, and either may stay.
Status Access::noteWrite(Pointer at, uint64_t bits) const {
  bool changes = std::memcmp(&bits, place(at), size) != 0;
  for (Touched &byte : touched(at)) {
    bool wasWritten = byte.writer != 0 && byte.writer != program.number;
    bool wasRead = byte.reader != 0 && byte.reader != program.number;
    if (changes && (wasRead || (wasWritten && !program.launch.isPerturbed())))
      return race(at);
    byte.writer = program.number;
  }
  return Status::ok();
}

Status Access::read(Pointer at, Value &result) const {
  if (Status status = check(at); !status)
    return status;
  if (Status status = noteRead(at); !status)
    return status;
  uint64_t bits = 0; // little endian, as the devices are
  std::memcpy(&bits, place(at), size);
  append(bits, result);
  return Status::ok();
}

Status Access::write(Pointer at, const Value &source, int64_t index) const {
  if (Status status = check(at); !status)
    return status;
  uint64_t bits = bitsAt(source, index);
  if (Status status = noteWrite(at, bits); !status)
    return status;
  std::memcpy(place(at), &bits, size);
  return Status::ok();
}

Status Access::exchange(Pointer at, uint64_t &old, const Update &update) const {
  if (Status status = check(at); !status)
    return status;
  old = 0;
  std::memcpy(&old, place(at), size);
  uint64_t bits = update(old);
  std::memcpy(place(at), &bits, size);
  return Status::ok();
}

//===--- Addresses ------------------------------------------------------------------------------------------------===//

int64_t addressOf(Pointer pointer, const Launch &launch) {
  if (pointer.argument < 0)
    return pointer.byte;
  return static_cast<int64_t>(launch.args[pointer.argument].address) + pointer.byte;
}

Pointer pointerTo(int64_t address, const Launch &launch) {
  for (auto [index, arg] : llvm::enumerate(launch.args)) {
    int64_t offset = address - static_cast<int64_t>(arg.address);
    if (arg.data && offset >= 0 && offset <= static_cast<int64_t>(arg.bytes))
      return {static_cast<int>(index), offset};
  }
  return {-1, address};
}

Pointer advance(Pointer pointer, int64_t elements, Type pointee) {
  uint64_t distance = static_cast<uint64_t>(elements) * bytesOf(pointee);
  return {pointer.argument, static_cast<int64_t>(static_cast<uint64_t>(pointer.byte) + distance)};
}

} // namespace tawa::reference
