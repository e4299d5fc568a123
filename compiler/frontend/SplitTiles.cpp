// SplitTiles: replaces tiles with extents that are not powers of two by equal parts whose extents are.
//
//   %b = tt.descriptor_load %d[%n, %k] -> 192x64     %b0 = tt.descriptor_load %d[%n, %k] -> 64x64
//                                                    %b1 = tt.descriptor_load %d[%n + 64, %k] -> 64x64, ..
//   %s = tt.dot %a, %b', %c -> 128x192           ->  %s0 = tt.dot %a, %b0', %c0 -> 128x64
//                                                    %s1 = tt.dot %a, %b1', %c1 -> 128x64, ..
//
// Layouts of threads, swizzles and reductions need powers of two, while the machine's units take multiples of 8: what
// is one product in the text becomes one instruction again where the parts lie side by side in shared memory
// (JoinWgmmas). Descriptors describe blocks of a part's size afterwards, those that are parameters too.
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TileParts.h"
#include "compiler/frontend/TileValues.h"
#include "compiler/frontend/ValueDecomposition.h"
#include "compiler/support/Debug.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "tawa-split-tiles"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SPLITTILES
#include "compiler/frontend/Passes.h.inc"

namespace {

RankedTensorType tileOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

class TileSplitting : public ValueDecomposition {
public:
  LogicalResult split(tt::FuncOp func);

private:
  std::optional<SmallVector<Type>> partTypes(Type type) override;
  /// Its type was changed before all others.
  SmallVector<Value> partsOfParameter(BlockArgument parameter) override { return {parameter}; }
  LogicalResult visit(Operation *op) override;

  LogicalResult visitConstant(arith::ConstantOp op);
  LogicalResult visitRange(tt::MakeRangeOp op);
  LogicalResult visitSplat(tt::SplatOp op);
  LogicalResult visitBroadcast(tt::BroadcastOp op);
  LogicalResult visitTrans(tt::TransOp op);
  LogicalResult visitReshape(tt::ReshapeOp op);
  LogicalResult visitDot(tt::DotOp op);
  LogicalResult visitReduce(tt::ReduceOp op);
  LogicalResult visitAlongAxis(Operation *op, int64_t axis);
  LogicalResult visitMake(tt::MakeTensorDescOp op);
  LogicalResult visitBlock(Operation *op, OperandRange indices, Value tile);
  LogicalResult visitRows(Operation *op, Value tile);
  LogicalResult visitAccess(Operation *op, Value tile,
                            llvm::function_ref<void(OpBuilder &, size_t, SmallVectorImpl<Value> &)> place);
  LogicalResult visitEachPart(Operation *op);
  LogicalResult refuse(Operation *op);

  Value part(Value value, size_t number);
  Value partAt(Value value, ArrayRef<int64_t> position);
  SmallVector<Value> combine(OpBuilder &builder, tt::ReduceOp op, ArrayRef<SmallVector<Value>> tiles);
  Operation *clone(OpBuilder &builder, Operation *op, ValueRange operands);
  void settle(Value whole, SmallVector<Value> made);
  /// Settles what `make` gives for each part of a value, and discards the operation that defines it.
  LogicalResult makeParts(Value whole, llvm::function_ref<Value(OpBuilder &, size_t)> make);
};

//===--- Parts ----------------------------------------------------------------------------------------------------===//

std::optional<SmallVector<Type>> TileSplitting::partTypes(Type type) {
  if (auto descriptor = dyn_cast<tt::TensorDescType>(type); descriptor && hasParts(descriptor.getBlockType()))
    return SmallVector<Type>{tt::TensorDescType::get(TileParts(descriptor.getBlockType()).type())};
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !hasParts(tile))
    return std::nullopt;
  TileParts parts(tile);
  return SmallVector<Type>(parts.count(), parts.type());
}

/// A value without parts is the same for all.
Value TileSplitting::part(Value value, size_t number) {
  return partTypes(value.getType()) ? parts(value)[number] : value;
}

Value TileSplitting::partAt(Value value, ArrayRef<int64_t> position) {
  return part(value, TileParts(tileOf(value)).at(position));
}

/// A value that stays whole, as a sum over divided operands does, has one part.
void TileSplitting::settle(Value whole, SmallVector<Value> made) {
  if (partTypes(whole.getType()))
    record(whole, std::move(made));
  else
    whole.replaceAllUsesWith(made.front());
}

LogicalResult TileSplitting::makeParts(Value whole, llvm::function_ref<Value(OpBuilder &, size_t)> make) {
  Operation *op = whole.getDefiningOp();
  OpBuilder builder(op);
  SmallVector<Value> made;
  for (size_t number = 0, count = TileParts(tileOf(whole)).count(); number < count; ++number)
    made.push_back(make(builder, number));
  settle(whole, std::move(made));
  discard(op);
  return success();
}

/// What the text promises of runs of elements (tt.contiguity, tt.divisibility) holds for what divides both run and
/// part.
void narrowHints(Operation *op, RankedTensorType whole) {
  for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs())) {
    auto hint = dyn_cast<DenseIntElementsAttr>(attribute.getValue());
    if (!hint || !attribute.getName().getValue().starts_with("tt.") || hint.getNumElements() != whole.getRank())
      continue;
    TileParts parts(whole);
    SmallVector<APInt> numbers(hint.getValues<APInt>());
    for (auto [dim, number] : llvm::enumerate(numbers))
      if (parts.isDivided(dim))
        number = llvm::APIntOps::GreatestCommonDivisor(number, APInt(number.getBitWidth(), parts.extent(dim)));
    op->setDiscardableAttr(attribute.getName(), DenseIntElementsAttr::get(hint.getType(), numbers));
  }
}

/// The operation for one part: on these operands, with results of a part's type.
Operation *TileSplitting::clone(OpBuilder &builder, Operation *op, ValueRange operands) {
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  for (auto [whole, result] : llvm::zip(op->getResults(), copy->getResults()))
    if (auto types = partTypes(whole.getType())) {
      narrowHints(copy, tileOf(whole));
      result.setType(types->front());
    }
  return copy;
}

LogicalResult TileSplitting::refuse(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    auto descriptor = dyn_cast<tt::TensorDescType>(type);
    auto tile = descriptor ? descriptor.getBlockType() : dyn_cast<RankedTensorType>(type);
    for (int64_t extent : tile ? tile.getShape() : ArrayRef<int64_t>())
      if (extent != partExtent(extent))
        return op->emitOpError() << "cannot work on the parts of " << type << ", each with " << partExtent(extent)
                                 << " of its " << extent << " elements along a dimension; use a power of two, such as "
                                 << llvm::PowerOf2Ceil(extent);
  }
  return failure();
}

//===--- Operations whose parts do not depend on each other -------------------------------------------------------===//

/// Part n of the results from part n of the operands.
LogicalResult TileSplitting::visitEachPart(Operation *op) {
  OpBuilder builder(op);
  SmallVector<SmallVector<Value>> made(op->getNumResults());
  size_t count = 1;
  for (Value value : llvm::concat<Value>(SmallVector<Value>(op->getOperands()), SmallVector<Value>(op->getResults())))
    if (RankedTensorType tile = tileOf(value))
      count = std::max(count, TileParts(tile).count());
  for (size_t number = 0; number < count; ++number) {
    auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return part(operand, number); });
    Operation *copy = clone(builder, op, operands);
    for (auto [results, result] : llvm::zip(made, copy->getResults()))
      results.push_back(result);
  }
  for (auto [result, results] : llvm::zip(op->getResults(), made))
    record(result, std::move(results));
  discard(op);
  return success();
}

LogicalResult TileSplitting::visitConstant(arith::ConstantOp op) {
  auto elements = cast<DenseElementsAttr>(op.getValue());
  RankedTensorType tile = tileOf(op);
  TileParts parts(tile);
  return makeParts(op, [&](OpBuilder &builder, size_t number) -> Value {
    if (elements.isSplat())
      return builder.create<arith::ConstantOp>(op.getLoc(), elements.resizeSplat(parts.type()));
    SmallVector<int64_t> corner = parts.corner(number);
    SmallVector<Attribute> own;
    auto all = elements.getValues<Attribute>();
    for (size_t element = 0; element < all.size(); ++element) {
      size_t left = element;
      bool isInside = true;
      for (unsigned dim = tile.getRank(); dim-- > 0; left /= tile.getDimSize(dim)) {
        int64_t index = static_cast<int64_t>(left) % tile.getDimSize(dim) - corner[dim];
        isInside &= index >= 0 && index < parts.extent(dim);
      }
      if (isInside)
        own.push_back(all[element]);
    }
    return builder.create<arith::ConstantOp>(op.getLoc(), DenseElementsAttr::get(parts.type(), own));
  });
}

LogicalResult TileSplitting::visitRange(tt::MakeRangeOp op) {
  return makeParts(op, [&](OpBuilder &builder, size_t number) -> Value {
    auto range = cast<tt::MakeRangeOp>(clone(builder, op, {}));
    TileParts parts(tileOf(op));
    range.setStart(op.getStart() + parts.corner(number)[0]);
    range.setEnd(range.getStart() + parts.extent(0));
    return range;
  });
}

LogicalResult TileSplitting::visitSplat(tt::SplatOp op) {
  return makeParts(op, [&](OpBuilder &builder, size_t) { return clone(builder, op, op.getSrc())->getResult(0); });
}

LogicalResult TileSplitting::visitBroadcast(tt::BroadcastOp op) {
  return makeParts(op, [&](OpBuilder &builder, size_t number) {
    SmallVector<int64_t> position = TileParts(tileOf(op)).position(number);
    for (auto [dim, size] : llvm::enumerate(tileOf(op.getSrc()).getShape()))
      position[dim] = size == 1 ? 0 : position[dim];
    return clone(builder, op, partAt(op.getSrc(), position))->getResult(0);
  });
}

LogicalResult TileSplitting::visitTrans(tt::TransOp op) {
  return makeParts(op, [&](OpBuilder &builder, size_t number) {
    SmallVector<int64_t> position = TileParts(tileOf(op)).position(number), source(position.size());
    for (auto [dim, from] : llvm::enumerate(op.getOrder()))
      source[from] = position[dim];
    return clone(builder, op, partAt(op.getSrc(), source))->getResult(0);
  });
}

LogicalResult TileSplitting::visitReshape(tt::ReshapeOp op) {
  return haveSameParts(tileOf(op.getSrc()), tileOf(op)) ? visitEachPart(op) : refuse(op);
}

/// For an operation that moves elements along one dimension, which must be whole.
LogicalResult TileSplitting::visitAlongAxis(Operation *op, int64_t axis) {
  for (Value operand : op->getOperands())
    if (TileParts(tileOf(operand)).isDivided(axis))
      return refuse(op);
  return visitEachPart(op);
}

//===--- Products and sums ----------------------------------------------------------------------------------------===//

/// A divided K gives a chain of products.
LogicalResult TileSplitting::visitDot(tt::DotOp op) {
  return makeParts(op, [&](OpBuilder &builder, size_t number) {
    SmallVector<int64_t> position = TileParts(tileOf(op)).position(number);
    size_t rank = position.size();
    Value sum = partAt(op.getC(), position);
    for (int64_t k = 0, steps = TileParts(tileOf(op.getA())).along(rank - 1); k < steps; ++k) {
      SmallVector<int64_t> row = position, column = position;
      row[rank - 1] = column[rank - 2] = k;
      sum = clone(builder, op, {partAt(op.getA(), row), partAt(op.getB(), column), sum})->getResult(0);
    }
    return sum;
  });
}

/// Tiles combined element by element with the region of a reduction, which may be done in any order.
SmallVector<Value> TileSplitting::combine(OpBuilder &builder, tt::ReduceOp op, ArrayRef<SmallVector<Value>> tiles) {
  SmallVector<Value> so = tiles.front();
  for (const SmallVector<Value> &next : tiles.drop_front()) {
    SmallVector<Value> both = so;
    llvm::append_range(both, next);
    auto map = builder.create<tt::MapElementwiseOp>(op.getLoc(), ValueRange(so).getTypes(), both, /*pack=*/1);
    IRMapping mapping;
    op.getCombineOp().cloneInto(&map.getScalarOp(), mapping);
    Operation *end = map.getScalarOp().front().getTerminator();
    OpBuilder(end).create<tt::MapElementwiseReturnOp>(end->getLoc(), end->getOperands());
    end->erase();
    so = map.getResults();
  }
  return so;
}

LogicalResult TileSplitting::visitReduce(tt::ReduceOp op) {
  OpBuilder builder(op);
  TileParts operand(tileOf(op.getSrcs().front()));
  SmallVector<SmallVector<Value>> made(op->getNumResults());
  for (size_t number = 0; number < operand.count(); ++number) {
    SmallVector<int64_t> position = operand.position(number);
    if (position[op.getAxis()] != 0)
      continue;
    SmallVector<SmallVector<Value>> tiles;
    for (int64_t step = 0; step < operand.along(op.getAxis()); ++step) {
      position[op.getAxis()] = step;
      tiles.push_back(
          llvm::map_to_vector(op.getSrcs(), [&](Value source) -> Value { return partAt(source, position); }));
    }
    Operation *copy = clone(builder, op, combine(builder, op, tiles));
    for (auto [results, result] : llvm::zip(made, copy->getResults()))
      results.push_back(result);
  }
  for (auto [result, results] : llvm::zip(op->getResults(), made))
    settle(result, std::move(results));
  discard(op);
  return success();
}

//===--- Descriptors ----------------------------------------------------------------------------------------------===//

Value plus(OpBuilder &builder, Location loc, Value index, int64_t offset) {
  if (offset == 0)
    return index;
  return builder.create<arith::AddIOp>(loc, index, integerOf(builder, loc, index.getType(), offset));
}

LogicalResult TileSplitting::visitMake(tt::MakeTensorDescOp op) {
  OpBuilder builder(op);
  record(op, {clone(builder, op, op->getOperands())->getResult(0)});
  discard(op);
  return success();
}

/// An access to one block: its parts lie further along the last dimensions, those of the tile.
LogicalResult TileSplitting::visitBlock(Operation *op, OperandRange indices, Value tile) {
  TileParts block(tileOf(tile));
  size_t leading = indices.size() - tileOf(tile).getRank();
  return visitAccess(op, tile, [&](OpBuilder &builder, size_t number, SmallVectorImpl<Value> &operands) {
    for (auto [dim, offset] : llvm::enumerate(block.corner(number))) {
      Value &index = operands[indices.getBeginOperandIndex() + leading + dim];
      index = plus(builder, op->getLoc(), index, offset);
    }
  });
}

/// An access to rows by their numbers, operands 1 and 2 being these and the column.
LogicalResult TileSplitting::visitRows(Operation *op, Value tile) {
  TileParts block(tileOf(tile));
  return visitAccess(op, tile, [&](OpBuilder &builder, size_t number, SmallVectorImpl<Value> &operands) {
    operands[1] = part(op->getOperand(1), block.position(number)[0]);
    operands[2] = plus(builder, op->getLoc(), operands[2], block.corner(number)[1]);
  });
}

/// A load's or store's access to each part of a tile; `place` changes operands that say where it lies.
LogicalResult
TileSplitting::visitAccess(Operation *op, Value tile,
                           llvm::function_ref<void(OpBuilder &, size_t, SmallVectorImpl<Value> &)> place) {
  OpBuilder builder(op);
  SmallVector<Value> made;
  for (size_t number = 0, count = TileParts(tileOf(tile)).count(); number < count; ++number) {
    SmallVector<Value> operands(op->getOperands());
    operands[0] = part(operands[0], 0); // the descriptor
    for (Value &operand : operands)
      operand = operand == tile ? part(tile, number) : operand;
    place(builder, number, operands);
    llvm::append_range(made, clone(builder, op, operands)->getResults());
  }
  if (op->getNumResults() != 0)
    record(tile, std::move(made));
  discard(op);
  return success();
}

//===--- The pass -------------------------------------------------------------------------------------------------===//

LogicalResult TileSplitting::visit(Operation *op) {
  if (op->hasTrait<OpTrait::Elementwise>())
    return visitEachPart(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp constant) { return visitConstant(constant); })
      .Case([&](tt::MakeRangeOp range) { return visitRange(range); })
      .Case([&](tt::SplatOp splat) { return visitSplat(splat); })
      .Case([&](tt::BroadcastOp broadcast) { return visitBroadcast(broadcast); })
      .Case([&](tt::TransOp trans) { return visitTrans(trans); })
      .Case([&](tt::ReshapeOp reshape) { return visitReshape(reshape); })
      .Case([&](tt::DotOp dot) { return visitDot(dot); })
      .Case([&](tt::ReduceOp reduce) { return visitReduce(reduce); })
      .Case([&](tt::ScanOp scan) { return visitAlongAxis(scan, scan.getAxis()); })
      .Case([&](tt::GatherOp gather) { return visitAlongAxis(gather, gather.getAxis()); })
      .Case([&](tt::MakeTensorDescOp make) { return visitMake(make); })
      .Case([&](tt::DescriptorLoadOp load) { return visitBlock(load, load.getIndices(), load.getResult()); })
      .Case<tt::DescriptorStoreOp, tt::DescriptorReduceOp>(
          [&](auto store) { return visitBlock(store, store.getIndices(), store.getSrc()); })
      .Case([&](tt::DescriptorGatherOp gather) { return visitRows(gather, gather.getResult()); })
      .Case([&](tt::DescriptorScatterOp scatter) { return visitRows(scatter, scatter.getSrc()); })
      .Case<tt::ExpandDimsOp, tt::JoinOp, tt::SplitOp, tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp,
            tt::MapElementwiseOp, tt::AssertOp>([&](Operation *each) { return visitEachPart(each); })
      .Default([&](Operation *other) { return refuse(other); });
}

LogicalResult TileSplitting::split(tt::FuncOp func) {
  for (BlockArgument parameter : func.getArguments())
    if (auto types = partTypes(parameter.getType()))
      parameter.setType(types->front());
  SmallVector<Type> types(func.getBody().front().getArgumentTypes());
  func.setFunctionType(FunctionType::get(func.getContext(), types, func.getResultTypes()));
  return run(func);
}

struct SplitTilesPass : impl::SplitTilesBase<SplitTilesPass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) { divided += llvm::count_if(op->getResults(), isDivided); });
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (failed(TileSplitting().split(func)))
        return signalPassFailure();
  }

  static bool isDivided(Value value) {
    RankedTensorType tile = tileOf(value);
    return tile && hasParts(tile);
  }
};

} // namespace
} // namespace tawa
