// ScaleMaxima: the maximum of products by a positive constant becomes the product of the maximum.
//
//   %b = arith.mulf %x, 0.18                             %n = max %x
//   %m = max %b                              ->          %m = arith.mulf %n, 0.18
//   %d = arith.subf %b, %m                               %b = arith.mulf %x, 0.18
//                                                        %d = arith.subf %b, %m
//
// Rounding keeps the order, so the result is the same number. What is left of the products is subtracted from, and a
// product and a difference are one instruction.
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-scale-maxima"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SCALEMAXIMA
#include "compiler/frontend/Passes.h.inc"

namespace {

bool isMaximum(tt::ReduceOp reduce) {
  if (reduce->getNumOperands() != 1)
    return false;
  Block &body = reduce->getRegion(0).front();
  Operation *combine = &body.front();
  return isa<arith::MaxNumFOp, arith::MaximumFOp>(combine) && combine->getNextNode() == body.getTerminator() &&
         llvm::is_contained(combine->getOperands(), body.getArgument(0)) &&
         llvm::is_contained(combine->getOperands(), body.getArgument(1)) &&
         body.getTerminator()->getOperand(0) == combine->getResult(0);
}

/// The constant of a product, if it is positive.
std::optional<APFloat> positiveScale(Value factor) {
  DenseFPElementsAttr tile;
  if (!matchPattern(factor, m_Constant(&tile)) || !tile.isSplat())
    return std::nullopt;
  auto number = tile.getSplatValue<APFloat>();
  return number.isFiniteNonZero() && !number.isNegative() ? std::optional(number) : std::nullopt;
}

struct ScaleMaximaPass : impl::ScaleMaximaBase<ScaleMaximaPass> {
  void runOnOperation() override {
    getOperation().walk([&](tt::ReduceOp reduce) {
      auto product = isMaximum(reduce) ? reduce->getOperand(0).getDefiningOp<arith::MulFOp>() : arith::MulFOp();
      if (product)
        scale(reduce, product);
    });
  }

  void scale(tt::ReduceOp reduce, arith::MulFOp product) {
    bool isFused = llvm::all_of(product->getUsers(), [&](Operation *user) {
      return user == reduce || isa<arith::AddFOp, arith::SubFOp>(user);
    });
    if (!isFused)
      return kept.at(reduce);
    for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()), {product.getRhs(), product.getLhs()}})
      if (auto number = positiveScale(other)) {
        OpBuilder builder(reduce->getContext());
        builder.setInsertionPointAfter(reduce);
        reduce->setOperand(0, factor);
        Value maximum = reduce->getResult(0);
        Type type = maximum.getType();
        TypedAttr attribute = builder.getFloatAttr(getElementTypeOrSelf(type), *number);
        if (auto shaped = dyn_cast<ShapedType>(type))
          attribute = DenseElementsAttr::get(shaped, *number);
        Value constant = builder.create<arith::ConstantOp>(reduce.getLoc(), attribute);
        auto scaled = builder.create<arith::MulFOp>(reduce.getLoc(), maximum, constant);
        maximum.replaceAllUsesExcept(scaled, scaled);
        return this->scaled.at(reduce);
      }
    kept.at(reduce);
  }
};

} // namespace
} // namespace tawa
