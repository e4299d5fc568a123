// FoldScales: products of a tile by a power of two and by another constant become one product.
//
//   %a = arith.mulf %x, 0.125
//   %b = arith.mulf %a, 1.44269502      ->      %b = arith.mulf %x, 0.180336878
//
// A product by a power of two only changes the exponent, so both round alike, unless the first result is subnormal.
// With a power of at most one the first result cannot overflow either.
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-fold-scales"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_FOLDSCALES
#include "compiler/frontend/Passes.h.inc"

namespace {

/// The number that all elements are.
std::optional<APFloat> constantOf(Value value) {
  DenseFPElementsAttr tile;
  FloatAttr scalar;
  if (matchPattern(value, m_Constant(&tile)) && tile.isSplat())
    return tile.getSplatValue<APFloat>();
  return matchPattern(value, m_Constant(&scalar)) ? std::optional(scalar.getValue()) : std::nullopt;
}

bool isPowerUpToOne(const APFloat &number) {
  constexpr int least = -64; // far from what makes a product of usual numbers subnormal
  int exponent = number.isFiniteNonZero() ? number.getExactLog2() : 1;
  return exponent <= 0 && exponent >= least;
}

/// A product by a constant, as the other factor and the constant.
std::optional<std::pair<Value, APFloat>> scaled(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()), {product.getRhs(), product.getLhs()}})
    if (auto number = constantOf(other))
      return std::pair(factor, *number);
  return std::nullopt;
}

struct FoldScalesPass : impl::FoldScalesBase<FoldScalesPass> {
  void runOnOperation() override {
    getOperation().walk([&](arith::MulFOp product) { fold(product); });
  }

  void fold(arith::MulFOp product) {
    auto outer = scaled(product);
    auto inner = outer ? scaled(outer->first) : std::nullopt;
    if (!inner || !getElementTypeOrSelf(product.getType()).isF32() ||
        (!isPowerUpToOne(inner->second) && !isPowerUpToOne(outer->second)))
      return;
    APFloat both = inner->second * outer->second;
    if (!both.isFiniteNonZero() || both.isDenormal())
      return;
    // Where the power comes second, the first result is larger: it must not overflow where the whole does not.
    if (!isPowerUpToOne(inner->second) && !(abs(inner->second) <= APFloat(1.0f)))
      return;
    OpBuilder builder(product);
    Type type = product.getType();
    TypedAttr number = builder.getFloatAttr(getElementTypeOrSelf(type), both);
    if (auto shaped = dyn_cast<ShapedType>(type))
      number = DenseElementsAttr::get(shaped, both);
    Value constant = builder.create<arith::ConstantOp>(product.getLoc(), number);
    product->setOperands({inner->first, constant});
    folded.at(product);
  }
};

} // namespace
} // namespace tawa
