// Emits the regions that combine elements of reductions and scans, and the exchange between warps.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Scratch.h"
#include "compiler/target/hopper/TawaToSM90/WarpExchangePlan.h"

namespace tawa {

/// The elements of all operands at one place.
using Element = llvm::SmallVector<mlir::Value, 2>;

/// An exchange of parts between warps as one thread sees it.
struct WarpExchange {
  WarpExchangePlan plan;
  mlir::Value base;   ///< Of scratch.
  mlir::Value part;   ///< The thread's own.
  mlir::Value place;  ///< Of the thread's first element.
  mlir::Value writes; ///< The thread's parts are not copies of another thread's; null: in all threads.
};

class CombineEmitter : public Emitter {
public:
  CombineEmitter(RoleContext &context, Scratch &scratch) : Emitter(context), scratch(scratch) {}

  mlir::FailureOr<Element> combine(mlir::Block &body, const Element &first, const Element &second);
  /// The same where each combining pair of threads holds the elements in opposite order: `swapped` holds in one of
  /// them.
  mlir::FailureOr<Element> combineInOrder(mlir::Block &body, const Element &own, const Element &other,
                                          mlir::Value swapped);

  /// `shared` has zero bases where lanes and warps have the same elements; `warpBits` number the parts.
  WarpExchange openExchange(mlir::Location loc, const LinearLayout &shared, llvm::ArrayRef<unsigned> warpBits,
                            llvm::ArrayRef<Element> elements);
  void writeParts(mlir::Location loc, const WarpExchange &exchange, llvm::ArrayRef<Element> elements);
  /// Reads a part of an element, with those after it that the same instruction reads, unless `parts` has it already. To
  /// be called from the first part to the last.
  void readPart(mlir::Location loc, const WarpExchange &exchange, uint32_t index, const Element &like, uint32_t part,
                llvm::SmallVectorImpl<Element> &parts);
  /// In each lane, the part of its number modulo the number of parts; for exchanges whose lanes hold the same element.
  Element readPartOfLane(mlir::Location loc, const WarpExchange &exchange, uint32_t index, const Element &like);

private:
  mlir::Value addressOf(mlir::Location loc, const WarpExchange &exchange, size_t operand, uint32_t element,
                        mlir::Value part);

  Scratch &scratch;
};

/// A single commutative operation.
bool isSymmetric(mlir::Block &body);

} // namespace tawa
