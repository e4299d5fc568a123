// The host form of every sm90 operation: one overload each, in Lower<Topic>.cpp.
#pragma once

#include "compiler/target/hopper/MachineModule/MachineModule.h"
#include "compiler/target/hopper/SM90ToHost/EmulatorCalls.h"
#include "runtime/artifact/ElementType.h"

namespace tawa::sm90 {

class HostLowering {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  HostLowering(mlir::Operation *op, mlir::OpBuilder &builder) : builder(builder), loc(op->getLoc()) {}

#define TAWA_LOWERED_OP(OP) Values lower(OP op, OP::Adaptor in);
#include "compiler/target/hopper/MachineModule/LoweredOps.def"
#undef TAWA_LOWERED_OP

private:
  mlir::Value constant(int64_t value, unsigned bits = 32);
  /// Calls the emulator; the values are its arguments after the thread.
  mlir::Value call(EmuFn function, mlir::ValueRange arguments = {}) {
    return callEmulator(builder, loc, function, arguments);
  }
  Values callVoid(EmuFn function, mlir::ValueRange arguments = {}) {
    call(function, arguments);
    return {};
  }
  Values namedBarrier(EmuFn function, uint32_t id, uint32_t threads);
  /// The five coordinates the emulator takes, the missing ones zero, appended to `arguments` after the rank.
  void appendCoordinates(Values &arguments, mlir::ValueRange coordinates);
  /// Stack space for `words` i32, allocated once in the kernel's entry block.
  mlir::Value stackWords(int64_t words);
  mlir::Value elementPointer(mlir::Value base, mlir::Type type, int64_t index);
  Values loadFrom(mlir::Value pointer, mlir::TypeRange types);
  void storeTo(mlir::Value pointer, mlir::ValueRange values);
  mlir::Value access(mlir::Value address, mlir::TypeRange types, bool write);
  mlir::Value roundToHalf(mlir::Value value, mlir::Type type);
  /// The emulator's rounding of an f32, where LLVM has none: its bits as an i32.
  mlir::Value roundBits(mlir::Value value, mlir::Type type, Rounding rounding);
  mlir::Value typeNumber(mlir::Type type);
  /// The bits of a scalar of up to 64 bits, zero extended to an i64, and back.
  mlir::Value toBits(mlir::Value value);
  mlir::Value fromBits(mlir::Value bits, mlir::Type type);
  /// The arguments with which atomics name a place: its address as i64, and whether it is a shared one.
  Values placeOf(mlir::Value address);
  mlir::Value textConstant(llvm::StringRef text);
  template <typename WgmmaLike> mlir::Value packTypes(WgmmaLike op);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The emulator's number of an element type; tf32 operands lie in memory as f32.
ElementType elementTypeOf(mlir::Type type);

} // namespace tawa::sm90
