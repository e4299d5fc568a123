// Describes operators: unit, sizes, element type, and how a reduction combines.
#include "compiler/planner/affinize/DescribeOperator.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/TT/TT.h"

#include <algorithm>

using namespace mlir;

namespace tawa {

int64_t elementsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() : 1;
}

static bool hasTensor(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor);
}

/// What reduces two elements, where that is one operator.
static std::string combinerOf(tt::ReduceOp reduce) {
  Block &block = reduce.getCombineOp().front();
  bool isOne = block.getNumArguments() == 2 && llvm::hasNItems(block, 2) &&
               llvm::all_of(block.front().getOperands(), [](Value value) { return isa<BlockArgument>(value); });
  return isOne ? block.front().getName().getStringRef().str() : "";
}

static void describeResult(Operation *op, mesh::TileOperator &made) {
  if (op->getNumResults() != 1)
    return;
  Type type = op->getResult(0).getType();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    made.shape = tensor.getShape();
  if (std::optional<ElementType> element = elementTypeOf(tt::elementTypeOf(type)))
    made.type = *element;
}

mesh::TileOperator operatorOf(Operation *op) {
  mesh::TileOperator made;
  made.name = op->getName().getStringRef().str();
  describeResult(op, made);
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    made.axis = static_cast<int>(reduce.getAxis());
    made.combines = combinerOf(reduce);
  }
  if (auto dot = dyn_cast<tt::DotOp>(op)) {
    ArrayRef<int64_t> a = cast<RankedTensorType>(dot.getA().getType()).getShape();
    ArrayRef<int64_t> b = cast<RankedTensorType>(dot.getB().getType()).getShape();
    int64_t batch = a.size() == 3 ? a.front() : 1; // as one product of as many rows
    made.unit = mesh::Unit::Matrix;
    made.m = batch * a[a.size() - 2];
    made.n = b.back();
    made.k = a.back();
    return made;
  }
  made.unit = hasTensor(op) ? mesh::Unit::Vector : mesh::Unit::Scalar;
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes())))
    made.elements = std::max(made.elements, elementsOf(type));
  return made;
}

} // namespace tawa
