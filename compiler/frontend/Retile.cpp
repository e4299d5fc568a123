// Retile: writes other tile sizes into a kernel, wherever analysis/Tiling.h found the text's.
//
//   tensor<128x64xf16>, make_range 0 to 128          tensor<64x64xf16>, make_range 0 to 64
//   %om = %m_tile * 128                         ->   %om = %m_tile * 64
//   %m_tiles = (%M + 127) / 128                      %m_tiles = (%M + 127 - 64) / 64
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/Tiling.h"
#include "compiler/frontend/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/TileSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"

#define DEBUG_TYPE "tawa-retile"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_RETILE
#include "compiler/frontend/Passes.h.inc"

namespace {

/// Rewrites one kernel for sizes of its dimensions.
class Retiler {
public:
  Retiler(tt::FuncOp func, const Tiling &tiling, ArrayRef<int64_t> sizes)
      : func(func), space(tiling.space()), tiling(tiling), sizes(sizes), builder(func.getContext()) {}

  void run() {
    for (const auto &[operand, dimension] : space.sites())
      if (isChanged(dimension))
        scaleConstant(*operand, dimension);
    for (const TileNumbering &numbering : tiling.numberings())
      for (const TileCount &count : numbering.counts)
        changeCount(count);
    for (const TileCount &count : tiling.trips())
      changeCount(count);
    func.walk([&](Operation *op) { changeAttributes(op); });
    func.walk([&](Operation *op) { changeTypes(op); });
    auto types = func.getBody().front().getArgumentTypes();
    func.setFunctionType(FunctionType::get(func.getContext(), llvm::to_vector(types), func.getResultTypes()));
  }

private:
  bool isChanged(size_t dimension) const {
    return space.dimensions()[dimension].isOpen() && sizes[dimension] != space.dimensions()[dimension].size;
  }

  /// The new extent of a dimension.
  int64_t extentOf(int cls, int64_t size) const {
    auto dimension = space.dimensionOf(cls);
    return dimension ? sizes[*dimension] : size;
  }

  RankedTensorType retiled(RankedTensorType type, ArrayRef<int> classes) const {
    SmallVector<int64_t> shape(type.getShape());
    for (auto [size, cls] : llvm::zip(shape, classes))
      size = extentOf(cls, size);
    return type.clone(shape);
  }

  Type typeOf(Value value) const {
    SmallVector<int> classes = space.dims().of(value);
    if (auto descriptor = dyn_cast<tt::TensorDescType>(value.getType()))
      return tt::TensorDescType::get(retiled(descriptor.getBlockType(), classes));
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? retiled(type, classes) : value.getType();
  }

  void changeTypes(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(typeOf(argument));
    for (Value result : op->getResults())
      if (!isa<arith::ConstantOp>(op)) // whose value has it
        result.setType(typeOf(result));
  }

  void changeAttributes(Operation *op) {
    if (auto range = dyn_cast<tt::MakeRangeOp>(op))
      range.setEnd(range.getStart() + cast<RankedTensorType>(typeOf(range.getResult())).getDimSize(0));
    DenseElementsAttr elements;
    if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && matchPattern(op, m_Constant(&elements))) {
      auto type = cast<RankedTensorType>(typeOf(op->getResult(0)));
      if (type == elements.getType())
        return;
      constant.setValueAttr(elements.resizeSplat(type));
      op->getResult(0).setType(type);
    } else if (op->getNumResults() == 1) {
      changeHints(op);
    }
  }

  /// What the text promises of runs of elements (tt.contiguity, tt.divisibility) is not promised of the parts of a run.
  void changeHints(Operation *op) {
    SmallVector<int> classes = space.dims().of(op->getResult(0));
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs())) {
      auto hint = dyn_cast<DenseIntElementsAttr>(attribute.getValue());
      if (!hint || !attribute.getName().getValue().starts_with("tt.") ||
          hint.getNumElements() != static_cast<int64_t>(classes.size()))
        continue;
      SmallVector<APInt> numbers(hint.getValues<APInt>());
      for (auto [number, cls] : llvm::zip(numbers, classes))
        if (auto dimension = space.dimensionOf(cls); dimension && isChanged(*dimension))
          number = llvm::APIntOps::GreatestCommonDivisor(number, APInt(number.getBitWidth(), sizes[*dimension]));
      op->setDiscardableAttr(attribute.getName(), DenseIntElementsAttr::get(hint.getType(), numbers));
    }
  }

  Value constantLike(Value like, int64_t value) {
    Type type = like.getType();
    auto number = builder.getIntegerAttr(tt::elementTypeOf(type), value);
    auto tile = dyn_cast<RankedTensorType>(type);
    TypedAttr attribute = tile ? TypedAttr(DenseElementsAttr::get(tile, number)) : TypedAttr(number);
    return builder.create<arith::ConstantOp>(like.getLoc(), attribute);
  }

  /// A multiple of the old size becomes the same multiple of the new one.
  void scaleConstant(OpOperand &operand, size_t dimension) {
    int64_t value = *constantOf(operand.get()) / space.dimensions()[dimension].size * sizes[dimension];
    if (Operation *op = operand.get().getDefiningOp(); isa<RankedTensorType>(operand.get().getType())) {
      auto constant = cast<arith::ConstantOp>(op); // of this use alone
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      constant.setValueAttr(DenseElementsAttr::get(type, builder.getIntegerAttr(type.getElementType(), value)));
      return;
    }
    builder.setInsertionPoint(operand.getOwner());
    operand.set(constantLike(operand.get(), value));
  }

  void changeCount(const TileCount &count) {
    if (!isChanged(count.dimension))
      return;
    int64_t was = space.dimensions()[count.dimension].size, now = sizes[count.dimension];
    Operation *division = count.division();
    builder.setInsertionPointAfter(division);
    Value tiles;
    if (auto constant = constantOf(count.value)) {
      tiles = constantLike(count.value, count.factor * llvm::divideCeil(*constant / count.factor * was, now));
    } else {
      Value dividend = division->getOperand(0);
      if (count.roundsUp)
        dividend = builder.create<arith::AddIOp>(division->getLoc(), dividend, constantLike(dividend, now - was));
      tiles = builder.create<arith::DivSIOp>(division->getLoc(), dividend, constantLike(dividend, now));
    }
    for (OpOperand *use : count.uses)
      use->set(tiles);
  }

  tt::FuncOp func;
  const IterationSpace &space;
  const Tiling &tiling;
  ArrayRef<int64_t> sizes;
  OpBuilder builder;
};

struct RetilePass : impl::RetileBase<RetilePass> {
  using RetileBase::RetileBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    Tiling tiling(func);
    for (const TiledDimension &dimension : tiling.space().dimensions())
      if (dimension.reason)
        kept.because(dimension.place ? dimension.place : func.getOperation(), retileText(*dimension.reason));
    SmallVector<int64_t> sizes;
    if (failed(chooseSizes(func, tiling.space(), sizes)))
      return signalPassFailure();
    auto isSame = [](auto pair) { return std::get<0>(pair).size == std::get<1>(pair); };
    if (llvm::all_of(llvm::zip(tiling.space().dimensions(), sizes), isSame))
      return;
    RetiledGrid launch = tiling.launchFor(sizes);
    Retiler(func, tiling, sizes).run();
    if (failed(verify(func)))
      return signalPassFailure();
    annotate(func, launch);
  }

  /// The configuration's, where it says some.
  LogicalResult chooseSizes(tt::FuncOp func, const IterationSpace &space, SmallVectorImpl<int64_t> &sizes) {
    for (const TiledDimension &dimension : space.dimensions())
      sizes.push_back(dimension.size);
    int64_t configured[] = {rows, columns, sum};
    for (auto [name, wanted] : llvm::zip(kTileSizes, configured)) {
      if (wanted == 0)
        continue;
      auto isIt = [name = name](const TiledDimension &dimension) { return dimension.name == name; };
      const auto *dimension = llvm::find_if(space.dimensions(), isIt);
      if (dimension == space.dimensions().end())
        return decline(func, name, wanted, RetileReason::NoProduct);
      if (dimension->size == wanted)
        continue;
      if (!dimension->isOpen())
        return decline(dimension->place ? dimension->place : func.getOperation(), name, wanted, *dimension->reason);
      if (!dimension->allows(wanted))
        return decline(func, name, wanted, RetileReason::OtherPeriod);
      if (!llvm::isPowerOf2_64(wanted) && wanted % tt::kLeastPart != 0)
        return func.emitError() << StringRef(name) << "=" << wanted << " is no size of a tile; use a power of two or a "
                                << "multiple of " << tt::kLeastPart;
      sizes[dimension - space.dimensions().begin()] = wanted;
      ++retiled;
    }
    return success();
  }

  LogicalResult decline(Operation *op, std::string_view name, int64_t wanted, RetileReason reason) {
    return op->emitError() << StringRef(name) << "=" << wanted
                           << " is not possible for this kernel: " << retileText(reason) << "; leave "
                           << StringRef(name) << " out to keep the size that its text has";
  }

  void annotate(tt::FuncOp func, const RetiledGrid &launch) {
    Builder builder(&getContext());
    SmallVector<Attribute> programs, zeros;
    for (const std::string &expression : launch.programs)
      programs.push_back(builder.getStringAttr(expression));
    for (const std::string &expression : launch.zeros)
      zeros.push_back(builder.getStringAttr(expression));
    ws::kRetiledGridAttr.set(func, builder.getArrayAttr(programs));
    ws::kRetiledZerosAttr.set(func, builder.getArrayAttr(zeros));
  }
};

} // namespace
} // namespace tawa
