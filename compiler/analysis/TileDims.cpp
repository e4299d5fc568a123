// Ties dimensions operation by operation, then numbers the classes in the order in which they occur.
#include "compiler/analysis/TileDims.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa {

ArrayRef<int64_t> tileShapeOf(Type type) {
  if (auto descriptor = dyn_cast<tt::TensorDescType>(type))
    return descriptor.getBlockType().getShape();
  return tt::shapeOf(type);
}

TileDims::TileDims(tt::FuncOp func) {
  func.walk([&](Operation *op) { add(op); });
  number(func);
}

int TileDims::of(Value value, unsigned dim) const {
  auto found = numbers.find({value.getAsOpaquePointer(), dim});
  return found == numbers.end() ? kNone : found->second;
}

SmallVector<int> TileDims::of(Value value) const {
  SmallVector<int> classes;
  for (unsigned dim = 0; dim < tileShapeOf(value.getType()).size(); ++dim)
    classes.push_back(of(value, dim));
  return classes;
}

void TileDims::tie(Value a, unsigned dimOfA, Value b, unsigned dimOfB) {
  if (tileShapeOf(a.getType())[dimOfA] != 1 && tileShapeOf(b.getType())[dimOfB] != 1)
    ties.unionSets({a.getAsOpaquePointer(), dimOfA}, {b.getAsOpaquePointer(), dimOfB});
}

void TileDims::tieAll(Value a, Value b) {
  for (unsigned dim = 0; dim < tileShapeOf(a.getType()).size(); ++dim)
    tie(a, dim, b, dim);
}

/// A tile may lack the leading dimensions of size 1 of its block.
void TileDims::tieBlock(Value descriptor, Value tile) {
  unsigned blockRank = tileShapeOf(descriptor.getType()).size(), rank = tileShapeOf(tile.getType()).size();
  for (unsigned dim = 1; dim <= std::min(blockRank, rank); ++dim)
    tie(descriptor, blockRank - dim, tile, rank - dim);
}

static SmallVector<unsigned> realDims(ArrayRef<int64_t> shape) {
  SmallVector<unsigned> dims;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size != 1)
      dims.push_back(dim);
  return dims;
}

/// A reshape takes some dimensions apart, and puts others together; those between them it keeps.
void TileDims::tieReshaped(Operation *op, Value from, Value to) {
  if (cast<tt::ReshapeOp>(op).getAllowReorder())
    return bindAll(op);
  ArrayRef<int64_t> source = tileShapeOf(from.getType()), result = tileShapeOf(to.getType());
  SmallVector<unsigned> left = realDims(source), right = realDims(result);
  for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    size_t firstLeft = i, firstRight = j;
    int64_t before = source[left[i++]], after = result[right[j++]];
    while (before != after)
      (before < after ? before : after) *= before < after ? source[left[i++]] : result[right[j++]];
    if (i == firstLeft + 1 && j == firstRight + 1) {
      tie(from, left[firstLeft], to, right[firstRight]);
      continue;
    }
    for (; firstLeft < i; ++firstLeft)
      bind(op, from, left[firstLeft]);
    for (; firstRight < j; ++firstRight)
      bind(op, to, right[firstRight]);
  }
}

/// The last dimension of `joined` says which of the parts an element is from.
void TileDims::tieJoined(Operation *op, ValueRange parts, Value joined) {
  unsigned rank = tileShapeOf(joined.getType()).size() - 1;
  for (Value part : parts)
    for (unsigned dim = 0; dim < rank; ++dim)
      tie(part, dim, joined, dim);
  bind(op, joined, rank);
}

void TileDims::tieDot(tt::DotOp dot) {
  unsigned rank = tileShapeOf(dot.getType()).size();
  for (unsigned batch = 0; batch + 2 < rank; ++batch)
    for (Value operand : {dot.getA(), dot.getB()})
      tie(operand, batch, dot.getResult(), batch);
  tie(dot.getA(), rank - 2, dot.getResult(), rank - 2);
  tie(dot.getB(), rank - 1, dot.getResult(), rank - 1);
  tie(dot.getA(), rank - 1, dot.getB(), rank - 2);
  tieAll(dot.getC(), dot.getResult());
}

/// Tensors of one shape are combined element by element.
void TileDims::tieElementwise(Operation *op) {
  Value first;
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults()))) {
    if (tileShapeOf(value.getType()).empty())
      continue;
    if (!first)
      first = value;
    else if (tileShapeOf(first.getType()) == tileShapeOf(value.getType()))
      tieAll(first, value);
    else
      return bindAll(op);
  }
}

void TileDims::bind(Operation *op, Value value, unsigned dim) {
  boundDims.push_back({{value.getAsOpaquePointer(), dim}, op});
}

void TileDims::bindDims(Operation *op, Value value) {
  for (unsigned dim = 0; dim < tileShapeOf(value.getType()).size(); ++dim)
    bind(op, value, dim);
}

void TileDims::bindAll(Operation *op) {
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults())))
    bindDims(op, value);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        bindDims(op, argument);
}

/// Operations that rearrange dimensions.
void TileDims::addShape(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tt::ExpandDimsOp expand) {
        for (unsigned dim = 0; dim < tileShapeOf(expand.getSrc().getType()).size(); ++dim)
          tie(expand.getSrc(), dim, expand.getResult(), dim < expand.getAxis() ? dim : dim + 1);
      })
      .Case([&](tt::BroadcastOp broadcast) { tieAll(broadcast.getSrc(), broadcast.getResult()); })
      .Case([&](tt::TransOp trans) {
        for (auto [dim, from] : llvm::enumerate(trans.getOrder()))
          tie(trans.getSrc(), from, trans.getResult(), dim);
      })
      .Case([&](tt::ReshapeOp reshape) { tieReshaped(op, reshape.getSrc(), reshape.getResult()); })
      .Case([&](tt::JoinOp join) { tieJoined(op, join->getOperands(), join.getResult()); })
      .Case([&](tt::SplitOp split) { tieJoined(op, split->getResults(), split->getOperand(0)); })
      .Case([&](tt::ReduceOp reduce) {
        for (Value source : reduce.getSrcs()) {
          bind(op, source, reduce.getAxis());
          for (Value result : reduce.getResult())
            for (unsigned dim = 0; dim < tileShapeOf(result.getType()).size(); ++dim)
              tie(source, dim < reduce.getAxis() ? dim : dim + 1, result, dim);
        }
      });
}

void TileDims::add(Operation *op) {
  if (isa<tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, tt::ReshapeOp, tt::JoinOp, tt::SplitOp, tt::ReduceOp>(op))
    return addShape(op);
  DenseElementsAttr numbers;
  bool isConstant = matchPattern(op, m_Constant(&numbers));
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tt::DotOp dot) { tieDot(dot); })
      .Case<tt::MakeRangeOp, tt::SplatOp, tt::MakeTensorDescOp, tt::ReduceReturnOp, tt::ScanReturnOp>([](auto) {})
      .Case([&](tt::DescriptorLoadOp load) { tieBlock(load.getDesc(), load.getResult()); })
      .Case([&](tt::DescriptorStoreOp store) { tieBlock(store.getDesc(), store.getSrc()); })
      .Case([&](tt::DescriptorReduceOp reduce) { tieBlock(reduce.getDesc(), reduce.getSrc()); })
      .Case([&](scf::ForOp loop) {
        for (auto [result, argument, init, next] :
             llvm::zip(loop.getResults(), loop.getRegionIterArgs(), loop.getInitArgs(), loop.getYieldedValues()))
          for (Value value : {Value(argument), Value(init), Value(next)})
            tieAll(result, value);
      })
      .Case([&](scf::IfOp branch) {
        for (Region *region : branch.getRegions())
          if (!region->empty())
            for (auto [result, value] : llvm::zip(branch.getResults(), region->front().getTerminator()->getOperands()))
              tieAll(result, value);
      })
      .Case<tt::FuncOp, tt::ReturnOp, scf::YieldOp>([](auto) {})
      .Default([&](Operation *) {
        bool isPerElement = op->hasTrait<OpTrait::Elementwise>() ||
                            isa<tt::AddPtrOp, tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op);
        if (isPerElement && !isa<tt::ElementwiseInlineAsmOp>(op))
          tieElementwise(op);
        else if (!isConstant || (numbers && !numbers.isSplat()))
          bindAll(op);
      });
}

void TileDims::number(tt::FuncOp func) {
  std::map<Dim, int> leaders;
  auto numberOf = [&](Value value) {
    for (auto [dim, size] : llvm::enumerate(tileShapeOf(value.getType()))) {
      if (size == 1)
        continue;
      Dim own{value.getAsOpaquePointer(), static_cast<unsigned>(dim)};
      auto leader = ties.findLeader(ties.insert(own));
      auto [found, isNew] = leaders.try_emplace(*leader, static_cast<int>(sizes.size()));
      if (isNew)
        sizes.push_back(size);
      numbers[own] = found->second;
    }
  };
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), numberOf);
    llvm::for_each(op->getResults(), numberOf);
  });
  bound.assign(sizes.size(), nullptr);
  for (auto [dim, op] : boundDims)
    if (auto found = numbers.find(dim); found != numbers.end() && !bound[found->second])
      bound[found->second] = op;
}

} // namespace tawa
