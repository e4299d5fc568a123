// Views.cpp: operations that only rearrange elements. The view's layout follows from its operand's by the algebra of
// compiler/layouts/algebra, and registers map one to one; where the result needs another layout, they are converted.
// Ranges and constant tables are computed from each thread's coordinates.
#include "compiler/target/hopper/TawaToSM90/Views.h"

#include "llvm/ADT/TypeSwitch.h"

#include <functional>

using namespace mlir;

namespace tawa {

LogicalResult ViewEmitter::lowerView(Operation *view, const LinearLayout &seenAs) {
  Value result = view->getResult(0);
  LinearLayout wanted = ws::layoutOf(result.getType()).getLayout();
  Values source = values.lookup(view->getOperand(0));
  values[result] = conversions.convert(view->getLoc(), source, seenAs, wanted);
  return success();
}

/// The layout with the outputs of dimensions in which `narrow` has size 1 forced to 0.
static LinearLayout narrowTo(const LinearLayout &layout, RankedTensorType narrow) {
  std::vector<LinearLayout::InBases> bases;
  std::vector<LinearLayout::Dim> outs;
  for (auto [axis, size] : llvm::enumerate(narrow.getShape()))
    outs.push_back({dimName(axis), static_cast<unsigned>(llvm::Log2_64(size))});
  for (const LinearLayout::Dim &in : layout.ins()) {
    bases.push_back({in.name, {}});
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      LinearLayout::Basis basis;
      for (const LinearLayout::Dim &out : outs)
        basis.push_back(out.bits == 0 ? 0 : layout.basis(in.name, bit, out.name));
      bases.back().second.push_back(std::move(basis));
    }
  }
  return LinearLayout(std::move(bases), std::move(outs));
}

LogicalResult ViewEmitter::lowerShape(Operation *op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  ws::LinearAttr attr = ws::layoutOf(operand.getType());
  if (isa<tt::SplatOp>(op)) {
    ws::LinearAttr wanted = ws::layoutOf(type);
    if (wanted) // else remade in the layout of each user
      values[result] = Values(wanted.getLayout().inSize("register"), one(operand));
    return success();
  }
  if (isa<tt::UnsplatOp>(op)) {
    values[result] = {one(operand)};
    return success();
  }
  if (!attr || !ws::layoutOf(type))
    return op->emitOpError() << "has a tensor without a layout; tawa-assign-layouts gives each one its own";
  if (attr.isShared()) { // a view of the same bytes
    values[result] = values.lookup(operand);
    return success();
  }
  LinearLayout layout = attr.getLayout();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tt::ExpandDimsOp>([&](auto expand) { return lowerView(op, expandAxis(layout, expand.getAxis())); })
      .Case<tt::TransOp>([&](auto trans) {
        return lowerView(op, permuteAxes(layout, {trans.getOrder().begin(), trans.getOrder().end()}));
      })
      .Case<tt::ReshapeOp>(
          [&](auto) { return lowerView(op, reshapeTensor(layout, {type.getShape().begin(), type.getShape().end()})); })
      .Case<tt::BroadcastOp>([&](tt::BroadcastOp broadcast) {
        // Brought to the result's layout as far as the operand reaches, registers then pass one to one.
        LinearLayout wanted = ws::layoutOf(type).getLayout();
        LinearLayout narrow = narrowTo(wanted, broadcast.getSrc().getType());
        values[result] = conversions.convert(op->getLoc(), values.lookup(operand), layout, narrow);
        return success();
      });
}

LogicalResult ViewEmitter::lower(tt::MakeRangeOp op) {
  ws::LinearAttr layout = ws::layoutOf(op.getType());
  if (!layout) // remade in the layout of each user
    return success();
  Location loc = op.getLoc();
  Values result = thread.coordinates(loc, layout.getLayout(), 0);
  if (int32_t start = op.getStart())
    for (Value &value : result)
      value = builder.create<arith::AddIOp>(loc, value, builder.constant(loc, start), arith::IntegerOverflowFlags::nsw);
  values[op.getResult()] = std::move(result);
  return success();
}

//===--- Pairs --------------------------------------------------------------------------------------------------===//

/// The layout with a new last dimension of size 2, which register bit 0 runs along.
static LinearLayout withPairs(const LinearLayout &layout) {
  std::vector<LinearLayout::InBases> bases;
  for (const LinearLayout::Dim &in : layout.ins()) {
    bases.push_back({in.name, {}});
    if (in.name == "register") {
      LinearLayout::Basis pair(layout.outs().size() + 1, 0);
      pair.back() = 1;
      bases.back().second.push_back(pair);
    }
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      LinearLayout::Basis basis = layout.basis(in.name, bit);
      basis.push_back(0);
      bases.back().second.push_back(std::move(basis));
    }
  }
  std::vector<LinearLayout::Dim> outs = layout.outs();
  outs.push_back({dimName(outs.size()), 1});
  return LinearLayout(std::move(bases), std::move(outs));
}

LogicalResult ViewEmitter::lower(tt::JoinOp op) {
  LinearLayout source = ws::layoutOf(op.getLhs().getType()).getLayout();
  LinearLayout wanted = ws::layoutOf(op.getResult().getType()).getLayout();
  Values pairs;
  for (auto [low, high] : llvm::zip_equal(values[op.getLhs()], values[op.getRhs()]))
    pairs.append({low, high});
  values[op.getResult()] = conversions.convert(op.getLoc(), pairs, withPairs(source), wanted);
  return success();
}

LogicalResult ViewEmitter::lower(tt::SplitOp op) {
  LinearLayout source = ws::layoutOf(op.getSrc().getType()).getLayout();
  LinearLayout wanted = ws::layoutOf(op.getOutLHS().getType()).getLayout();
  Values pairs = conversions.convert(op.getLoc(), values.lookup(op.getSrc()), source, withPairs(wanted));
  Values low, high;
  for (size_t index = 0; index < pairs.size(); index += 2) {
    low.push_back(pairs[index]);
    high.push_back(pairs[index + 1]);
  }
  values[op.getOutLHS()] = std::move(low);
  values[op.getOutRHS()] = std::move(high);
  return success();
}

//===--- Tables of constants ------------------------------------------------------------------------------------===//

/// Most selections that a constant of different elements may cost a thread.
static constexpr size_t kMaxTableSelects = 4096;

LogicalResult ViewEmitter::lower(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type) {
    values[op] = {builder.clone(*op)->getResult(0)};
    return success();
  }
  ws::LinearAttr layout = ws::layoutOf(type);
  if (!layout) // remade in the layout of each user; this one is left without users
    return success();
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat)
    return lowerTable(op, layout.getLayout());
  Value scalar = builder.create<arith::ConstantOp>(op.getLoc(), splat.getSplatValue<TypedAttr>());
  values[op] = Values(layout.getLayout().inSize("register"), scalar);
  return success();
}

LogicalResult ViewEmitter::lowerTable(arith::ConstantOp op, const LinearLayout &layout) {
  Location loc = op.getLoc();
  auto table = cast<DenseElementsAttr>(op.getValue());
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<TypedAttr> elements;
  for (Attribute element : table.getValues<Attribute>())
    elements.push_back(cast<TypedAttr>(element));
  unsigned laneBits = layout.inBits("lane"), threadBits = laneBits + layout.inBits("warp");
  if ((size_t(layout.inSize("register")) << threadBits) > kMaxTableSelects)
    return op.emitOpError() << "is a table of " << type.getNumElements()
                            << " different constants, too many to be made in registers; load it from memory";
  Values bits; // of the thread, as conditions
  for (unsigned bit = 0; bit < threadBits; ++bit) {
    bool ofLane = bit < laneBits;
    Value clear = builder.bitsAreClear(loc, ofLane ? thread.lane : thread.warp, 1u << (ofLane ? bit : bit - laneBits));
    bits.push_back(clear);
  }
  auto elementAt = [&](uint32_t reg, uint32_t thread) {
    std::vector<uint32_t> place = layout.apply({reg, thread & ((1u << laneBits) - 1), thread >> laneBits});
    size_t index = 0;
    for (auto [coordinate, size] : llvm::zip(place, type.getShape()))
      index = index * size + coordinate;
    return elements[index];
  };
  // Halves with the same constants are computed once.
  std::function<Value(uint32_t, uint32_t, unsigned)> choose = [&](uint32_t reg, uint32_t thread,
                                                                  unsigned bit) -> Value {
    if (bit == 0)
      return builder.create<arith::ConstantOp>(loc, elementAt(reg, thread));
    uint32_t half = 1u << (bit - 1);
    bool equal = true;
    for (uint32_t i = 0; i < half && equal; ++i)
      equal = elementAt(reg, thread | i) == elementAt(reg, thread | half | i);
    Value low = choose(reg, thread, bit - 1);
    return equal ? low : builder.select(loc, bits[bit - 1], low, choose(reg, thread | half, bit - 1));
  };
  Values result;
  for (uint32_t reg = 0; reg < layout.inSize("register"); ++reg)
    result.push_back(choose(reg, 0, threadBits));
  values[op] = std::move(result);
  return success();
}

} // namespace tawa
