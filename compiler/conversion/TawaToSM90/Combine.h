// Emits the regions that combine elements of reductions and scans, and what warps exchange for them.
#pragma once

#include "compiler/conversion/TawaToSM90/Scratch.h"

namespace tawa {

/// The elements of all operands at one place.
using Element = llvm::SmallVector<mlir::Value, 2>;

/// How warps show each other what they have of an element: `parts` parts of it, one per warp that takes part.
struct WarpExchange {
  uint32_t parts = 0, places = 0, lanePlaces = 0;
  llvm::SmallVector<uint32_t> elementBytes, regions; ///< Per operand.
  mlir::Value base, part, place, writes;             ///< part and place: this thread's own.
};

class CombineEmitter : public Emitter {
public:
  CombineEmitter(RoleContext &context, Scratch &scratch) : Emitter(context), scratch(scratch) {}

  mlir::FailureOr<Element> combine(mlir::Block &body, const Element &first, const Element &second);
  /// The same where every pair of threads that combines holds the elements exchanged: `swapped` says in which.
  mlir::FailureOr<Element> combineInOrder(mlir::Block &body, const Element &own, const Element &other,
                                          mlir::Value swapped);

  /// `shared` has zero bases where lanes and warps have the same elements; `warpBits` number the parts.
  WarpExchange planExchange(mlir::Location loc, const LinearLayout &shared, llvm::ArrayRef<unsigned> warpBits,
                            llvm::ArrayRef<Element> elements);
  void writeParts(mlir::Location loc, const WarpExchange &plan, llvm::ArrayRef<Element> elements);
  /// Reads a part of an element, and with it those after it that one instruction reads, unless `parts` has it already.
  /// To be called from the first part to the last.
  void readPart(mlir::Location loc, const WarpExchange &plan, uint32_t index, const Element &like, uint32_t part,
                llvm::SmallVectorImpl<Element> &parts);

private:
  mlir::Value addressOf(mlir::Location loc, const WarpExchange &plan, size_t operand, uint32_t element,
                        mlir::Value part);

  Scratch &scratch;
};

/// One operation whose operands may change places without a change of the result.
bool isSymmetric(mlir::Block &body);

} // namespace tawa
