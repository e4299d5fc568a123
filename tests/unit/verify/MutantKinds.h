// Ways to make one mistake at one place of a kernel, from which the lists of Mutants.h are composed.
#pragma once

#include "Mutants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <type_traits>

namespace tawa::test {

using namespace mlir;

/// The operation of this type with this number, in the order of the text.
template <typename Op> Op nth(ModuleOp module, unsigned place, llvm::function_ref<bool(Op)> wanted = nullptr) {
  Op found;
  module.walk([&](Op op) {
    if (wanted && !wanted(op))
      return WalkResult::advance();
    if (place-- != 0)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

template <typename Op> using Change = std::function<void(Op)>;

template <typename Op>
Mutation at(std::string name, const Change<Op> &change, const std::function<bool(Op)> &wanted = nullptr) {
  auto apply = [=](ModuleOp module, unsigned place) {
    Op op = nth<Op>(module, place, wanted ? llvm::function_ref<bool(Op)>(wanted) : nullptr);
    if (op)
      change(op);
    return static_cast<bool>(op);
  };
  return {std::move(name), apply};
}

template <typename Op> Mutation drop(const std::string &name, const std::function<bool(Op)> &wanted = nullptr) {
  return at<Op>("drop " + name, [](Op op) { op->erase(); }, wanted);
}

template <typename Op> Mutation repeat(const std::string &name, const std::function<bool(Op)> &wanted = nullptr) {
  return at<Op>("repeat " + name, [](Op op) { OpBuilder(op).clone(*op); }, wanted);
}

inline Value constant(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, value));
}

/// Adds to an operand.
inline void shift(Operation *op, unsigned operand, int64_t amount) {
  OpBuilder builder(op);
  Value value = op->getOperand(operand);
  Value delta = constant(builder, op->getLoc(), value.getType(), amount);
  op->setOperand(operand, builder.create<arith::AddIOp>(op->getLoc(), value, delta));
}

inline void replace(Operation *op, unsigned operand, int64_t value) {
  OpBuilder builder(op);
  op->setOperand(operand, constant(builder, op->getLoc(), op->getOperand(operand).getType(), value));
}

inline void invert(Operation *op, unsigned operand) {
  OpBuilder builder(op);
  Value value = op->getOperand(operand), one = constant(builder, op->getLoc(), value.getType(), 1);
  op->setOperand(operand, builder.create<arith::XOrIOp>(op->getLoc(), value, one));
}

/// A counter that goes up by one where a loop hands it on, for counters of protocols: i32.
inline bool advancesCounter(arith::AddIOp add) {
  APInt one;
  return add.getType().isInteger(32) && matchPattern(add.getRhs(), m_ConstantInt(&one)) && one == 1 &&
         llvm::any_of(add->getUses(), [](OpOperand &use) {
           Operation *around = use.getOwner()->getParentOp();
           bool isRead =
               isa<scf::ForOp, scf::WhileOp>(around) || (around->getNumResults() > use.getOperandNumber() &&
                                                         !around->getResult(use.getOperandNumber()).use_empty());
           return isa<scf::YieldOp>(use.getOwner()) && isRead;
         });
}

/// The operation moves in front of the last `Before`, with the values that it needs.
template <typename Before, typename Op>
Mutation hastenWithOperands(const std::string &name, const std::function<bool(Op)> &alsoWanted) {
  auto change = [](Op op) {
    Operation *before = op->getPrevNode();
    while (!isa<Before>(before))
      before = before->getPrevNode();
    std::function<void(Operation *)> move = [&](Operation *moved) {
      for (Value operand : moved->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && maker->getBlock() == before->getBlock() && before->isBeforeInBlock(maker))
          move(maker);
      moved->moveBefore(before);
    };
    move(op);
  };
  auto wanted = [=](Op op) {
    if (!alsoWanted(op))
      return false;
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (isa<Before>(before))
        return true;
    return false;
  };
  return at<Op>("hasten " + name, change, wanted);
}

inline bool inLoop(Operation *op) { return op->getParentOfType<LoopLikeOpInterface>() != nullptr; }

/// One role goes on where the others end.
inline Mutation invertWhile(const std::function<bool(scf::WhileOp)> &hasEvents) {
  return at<scf::WhileOp>(
      "invert condition of scf.while", [](scf::WhileOp loop) { invert(loop.getConditionOp(), 0); }, hasEvents);
}

} // namespace tawa::test
