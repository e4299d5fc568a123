// Access: one element of one of the launch's arguments, read or written by an operation. An address outside of its
// argument is an error. Every byte records which programs read and wrote it: programs of one launch are unordered, so
// where two of them conflict the result is undefined. Internal to compiler/reference.
#pragma once

#include "compiler/reference/Program.h"

#include <functional>

namespace tawa::reference {

class Access {
public:
  /// `op` is the accessing operation, for errors; `element` the type in memory.
  Access(mlir::Operation *op, Program &program, mlir::Type element);

  /// Appends the element to the list of the value that it belongs to.
  Status read(Pointer at, Value &result) const;
  /// Writes element `index` of a value.
  Status write(Pointer at, const Value &source, int64_t index) const;

  /// Replaces the bits in memory by `update` of them, atomically.
  using Update = std::function<uint64_t(uint64_t)>;
  Status exchange(Pointer at, uint64_t &old, const Update &update) const;

  /// Bits of one element of a value of this type, and a value's next element from bits.
  uint64_t bitsAt(const Value &source, int64_t index) const;
  void append(uint64_t bits, Value &result) const;

  unsigned bytes() const { return size; }

private:
  Status check(Pointer at) const;
  Status noteRead(Pointer at) const;
  Status noteWrite(Pointer at, uint64_t bits) const;
  Status race(Pointer at) const;
  char *place(Pointer at) const { return static_cast<char *>(program.launch.args[at.argument].data) + at.byte; }
  llvm::MutableArrayRef<Touched> touched(Pointer at) const;

  mlir::Operation *op;
  Program &program;
  mlir::Type element;
  unsigned size;
};

/// The address that a kernel sees, and back: the argument that contains it (or ends just before it), if there is one.
int64_t addressOf(Pointer pointer, const Launch &launch);
Pointer pointerTo(int64_t address, const Launch &launch);

/// Moves a pointer by elements of what it points at.
Pointer advance(Pointer pointer, int64_t elements, mlir::Type pointee);

/// Visits 0 .. count - 1, or backwards in a perturbed launch: lanes of one operation run in no order.
template <typename Visit> Status forEachLane(const Launch &launch, int64_t count, Visit visit) {
  for (int64_t i = 0; i < count; ++i)
    if (Status status = visit(launch.isPerturbed() ? count - 1 - i : i); !status)
      return status;
  return Status::ok();
}

inline bool isMasked(const Value *mask, int64_t index) { return mask && mask->integers[index] == 0; }

} // namespace tawa::reference
