// Emits scalar machine operations: constants, linear maps of indices, elements as bits and packed words, shuffles.
//
// An element in a register is a scalar of its own type (pointers are LLVM pointers). In memory it takes a whole number
// of bytes (i1 one, a pointer eight). Vector accesses and shuffles take it packed into words of 32 bits.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace tawa {

/// Machine values: the registers that one thread holds of a tile value.
using Values = llvm::SmallVector<mlir::Value>;

class MachineBuilder : public mlir::OpBuilder {
public:
  using OpBuilder::OpBuilder;

  // Indices.
  mlir::Value constant(mlir::Location loc, uint32_t value);
  mlir::Value add(mlir::Location loc, mlir::Value base, uint32_t offset);
  /// XOR over the set bits of `index` of the given bases, one for each bit that it can have: how a linear map is
  /// applied to a value only known at run time.
  mlir::Value applyBases(mlir::Location loc, mlir::Value index, llvm::ArrayRef<uint32_t> bases);
  /// The index bits selected by `mask`, gathered together.
  mlir::Value gatherBits(mlir::Location loc, mlir::Value index, uint32_t mask, unsigned bits);
  /// Whether an odd number of the bits of `mask` is set in `index`; null where there are none.
  mlir::Value hasOddBits(mlir::Location loc, mlir::Value index, uint32_t mask);
  /// The address of one access of a plan: `own` is the thread's part of the offset, `xorBytes` the access's, of which
  /// `immediate` may be added.
  mlir::Value plannedAddress(mlir::Location loc, mlir::Value tile, mlir::Value own, uint32_t xorBytes,
                             uint32_t immediate);

  // Conditions.
  /// (index & mask) == 0; null where the mask is zero.
  mlir::Value bitsAreClear(mlir::Location loc, mlir::Value index, uint32_t mask);
  /// Conjunction of conditions of which some may be null, which is true.
  mlir::Value both(mlir::Location loc, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Location loc, mlir::Value condition, mlir::Value yes, mlir::Value no);

  // Elements.
  mlir::Type machineType(mlir::Type element);
  mlir::Value zero(mlir::Location loc, mlir::Type machineElement);
  mlir::Value toBits(mlir::Location loc, mlir::Value value);
  mlir::Value fromBits(mlir::Location loc, mlir::Value bits, mlir::Type machineElement);

  // Words.
  llvm::SmallVector<mlir::Type> wordTypes(mlir::Type machineElement, unsigned count);
  Values packWords(mlir::Location loc, llvm::ArrayRef<mlir::Value> elements);
  Values unpackWords(mlir::Location loc, mlir::ValueRange words, mlir::Type machineElement, unsigned count);
  /// Two 16-bit elements in one register.
  mlir::Value packHalves(mlir::Location loc, mlir::Value low, mlir::Value high);
  /// Two and four 8-bit elements (Bytes.cpp).
  mlir::Value packBytePair(mlir::Location loc, mlir::Value low, mlir::Value high);
  mlir::Value packBytes(mlir::Location loc, llvm::ArrayRef<mlir::Value> four);
  /// The word of four bytes, or of four `others` where `wantsOthers` holds.
  mlir::Value packBytesOrOthers(mlir::Location loc, llvm::ArrayRef<mlir::Value> four,
                                llvm::ArrayRef<mlir::Value> others, mlir::Value wantsOthers);
  /// Elements of another lane; `lane` is the mode's operand.
  Values shuffle(mlir::Location loc, sm90::ShuffleMode mode, llvm::ArrayRef<mlir::Value> elements, mlir::Value lane);
};

/// Bits of an element in memory: whole bytes, 64 for a pointer.
unsigned storageBits(mlir::Type machineElement);

} // namespace tawa
