// Folders and canonicalizations of the tt dialect that hold for every layout and target: splat constants stay constants
// through shape changes; accesses with a known mask lose it.
#include "compiler/frontend/TT/TT.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tawa::tt {

// A splat constant in another shape; null if the operand is not one.
static OpFoldResult resizeSplat(Attribute operand, Type type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(operand);
  return splat ? OpFoldResult(splat.resizeSplat(cast<ShapedType>(type))) : OpFoldResult();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Folders
//===--------------------------------------------------------------------------------------------------------------===//

OpFoldResult MakeRangeOp::fold(FoldAdaptor) {
  if (getType().getNumElements() != 1)
    return {};
  return DenseElementsAttr::get(getType(), APInt(32, getStart()));
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (!isa_and_nonnull<IntegerAttr, FloatAttr>(adaptor.getSrc()))
    return {};
  return DenseElementsAttr::get(cast<ShapedType>(getType()), adaptor.getSrc());
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) { return resizeSplat(adaptor.getSrc(), getType()); }

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  bool identity = llvm::equal(getOrder(), llvm::seq<int32_t>(0, getOrder().size()));
  if (identity && getSrc().getType() == getType())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  return matchPattern(adaptor.getOffset(), m_Zero()) ? OpFoldResult(getPtr()) : OpFoldResult();
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  return getSrc().getType() == getType() ? OpFoldResult(getSrc()) : OpFoldResult();
}

OpFoldResult FpToFpOp::fold(FoldAdaptor) {
  return getSrc().getType() == getType() ? OpFoldResult(getSrc()) : OpFoldResult();
}

// A cast and its inverse cancel only if the types agree, address space and pointee included.
OpFoldResult IntToPtrOp::fold(FoldAdaptor) {
  auto cast = getSrc().getDefiningOp<PtrToIntOp>();
  return cast && cast.getSrc().getType() == getType() ? OpFoldResult(cast.getSrc()) : OpFoldResult();
}

OpFoldResult PtrToIntOp::fold(FoldAdaptor) {
  auto cast = getSrc().getDefiningOp<IntToPtrOp>();
  return cast && cast.getSrc().getType() == getType() ? OpFoldResult(cast.getSrc()) : OpFoldResult();
}

OpFoldResult UnsplatOp::fold(FoldAdaptor adaptor) {
  if (auto splat = getSrc().getDefiningOp<SplatOp>())
    return splat.getSrc();
  auto constant = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc());
  return constant ? OpFoldResult(constant.getSplatValue<Attribute>()) : OpFoldResult();
}

// Gathering from a splat gives a splat.
OpFoldResult GatherOp::fold(FoldAdaptor adaptor) { return resizeSplat(adaptor.getSrc(), getType()); }

OpFoldResult AdvanceOp::fold(FoldAdaptor) {
  bool stays = llvm::all_of(getOffsets(), [](Value offset) { return matchPattern(offset, m_Zero()); });
  return stays ? OpFoldResult(getPtr()) : OpFoldResult();
}

// The integer that an attribute holds everywhere, if there is one.
static std::optional<APInt> uniformInteger(Attribute attribute) {
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(attribute))
    attribute = splat.getSplatValue<Attribute>();
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  return integer ? std::optional(integer.getValue()) : std::nullopt;
}

OpFoldResult MulhiUIOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> x = uniformInteger(adaptor.getX()), y = uniformInteger(adaptor.getY());
  if (!x || !y)
    return {};
  unsigned width = x->getBitWidth();
  APInt product = (x->zext(2 * width) * y->zext(2 * width)).extractBits(width, width);
  Attribute element = IntegerAttr::get(elementTypeOf(getType()), product);
  auto tensor = dyn_cast<RankedTensorType>(getType());
  return tensor ? OpFoldResult(DenseElementsAttr::get(tensor, element)) : OpFoldResult(element);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Canonicalizations
//===--------------------------------------------------------------------------------------------------------------===//

// tt.expand_dims or tt.broadcast of a tt.splat is a tt.splat.
template <typename ShapeOp> static LogicalResult reshapeSplat(ShapeOp op, PatternRewriter &rewriter) {
  auto splat = op.getSrc().template getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
  return success();
}

void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(reshapeSplat<ExpandDimsOp>);
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(reshapeSplat<BroadcastOp>);
}

// The value of a mask that is the same everywhere and known.
static std::optional<bool> knownMask(Value mask) {
  if (mask && matchPattern(mask, m_One()))
    return true;
  if (mask && matchPattern(mask, m_Zero()))
    return false;
  return std::nullopt;
}

// A load whose mask is true everywhere needs none; one whose mask is false reads nothing.
static LogicalResult dropLoadMask(LoadOp op, PatternRewriter &rewriter) {
  std::optional<bool> mask = knownMask(op.getMask());
  if (!mask || (!*mask && (!op.getOther() || op.getIsVolatile())))
    return failure();
  if (!*mask) {
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.getMaskMutable().clear();
    op.getOtherMutable().clear();
  });
  return success();
}

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) { patterns.add(dropLoadMask); }

static LogicalResult dropStoreMask(StoreOp op, PatternRewriter &rewriter) {
  std::optional<bool> mask = knownMask(op.getMask());
  if (!mask)
    return failure();
  if (*mask)
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
  else
    rewriter.eraseOp(op);
  return success();
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) { patterns.add(dropStoreMask); }

// An atomic access with an all-false mask changes nothing, and its result is undefined; an all-true mask is dropped.
static LogicalResult dropAtomicMask(AtomicRMWOp op, PatternRewriter &rewriter) {
  std::optional<bool> mask = knownMask(op.getMask());
  if (!mask || (!*mask && !op.use_empty()))
    return failure();
  if (*mask)
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
  else
    rewriter.eraseOp(op);
  return success();
}

void AtomicRMWOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(dropAtomicMask);
}

static LogicalResult dropTrueAssert(AssertOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

void AssertOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) { patterns.add(dropTrueAssert); }

} // namespace tawa::tt
