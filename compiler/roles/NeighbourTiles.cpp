// NeighbourTiles: remakes what decides where tiles begin as other programs of a cluster have it.
#include "compiler/roles/NeighbourTiles.h"
#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/LogicalArguments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tawa {
namespace {

/// Remakes values as a neighbour has them.
class Neighbour {
public:
  Neighbour(OpBuilder &builder, Location loc, const ProgramVariance &variance, NeighbourScope scope, unsigned distance)
      : builder(builder), variance(variance) {
    Type type = builder.getI32Type();
    Value mine = builder.create<tt::GetProgramIdOp>(loc, type, tt::ProgramDim::X);
    Value bits = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(distance));
    program = builder.create<arith::XOrIOp>(loc, mine, bits);
    if (scope.tiles) {
      Value offset = builder.create<arith::SubIOp>(loc, program, mine);
      Value tile = scope.tiles.getInductionVar();
      mapping.map(tile, builder.create<arith::AddIOp>(loc, tile, offset).getResult());
    }
  }

  Value remake(Value value) {
    if (!variance.varies(value))
      return value;
    if (isProgramId(value))
      return program;
    if (Value there = mapping.lookupOrNull(value))
      return there;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      mapping.map(operand, remake(operand));
    builder.clone(*op, mapping);
    return mapping.lookup(value);
  }

private:
  OpBuilder &builder;
  const ProgramVariance &variance;
  IRMapping mapping;
  Value program;
};

uint32_t largestIn(uint32_t bits, ArrayRef<uint32_t> choices) {
  auto found = llvm::find_if(choices, [&](uint32_t other) { return other != bits && (other & ~bits) == 0; });
  return found == choices.end() ? 0 : *found;
}

} // namespace

void ProgramComparison::add(ArrayRef<Value> values, ArrayRef<uint32_t> choices) {
  for (uint32_t bits : choices)
    if (bits != 0)
      conditions.push_back({SmallVector<Value>(values), bits, largestIn(bits, choices), Value()});
}

void ProgramComparison::run(const ProgramVariance &variance, NeighbourScope scope, unsigned cluster) {
  llvm::SetVector<Value> all;
  for (const Condition &condition : conditions)
    all.insert(condition.values.begin(), condition.values.end());
  DenseMap<Value, SmallVector<Value>> ofPrograms; // by distance from this one
  for (unsigned distance = 0; distance < cluster; ++distance) {
    std::optional<Neighbour> neighbour;
    if (distance != 0)
      neighbour.emplace(builder, loc, variance, scope, distance);
    for (Value value : all)
      ofPrograms[value].push_back(neighbour ? neighbour->remake(value) : value);
    for (Condition &condition : conditions)
      if (condition.isFirst(distance))
        for (Value value : condition.values)
          require(condition, ofPrograms[value][distance & ~condition.bits], ofPrograms[value][distance]);
  }
}

Value ProgramComparison::bits(ArrayRef<uint32_t> choices) {
  MutableArrayRef<Condition> mine = MutableArrayRef(conditions).slice(used, choices.size() - 1);
  used += mine.size();
  Value found = constant(0);
  for (Condition &condition : llvm::reverse(mine)) {
    for (const Condition &other : mine)
      if (other.bits == condition.inside)
        condition.holds = builder.create<arith::AndIOp>(loc, condition.holds, other.holds);
    found = builder.create<arith::SelectOp>(loc, condition.holds, constant(condition.bits), found);
  }
  return found;
}

Value ProgramComparison::constant(uint32_t value) {
  return builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

void ProgramComparison::require(Condition &condition, Value one, Value other) {
  Value equal = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, one, other);
  condition.holds = condition.holds ? builder.create<arith::AndIOp>(loc, condition.holds, equal).getResult() : equal;
}

} // namespace tawa
