// AssignLayouts, layouts: memoized effects of views and reductions on layouts.
#include "compiler/layouts/AssignLayouts.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace tawa::layouts {

namespace {

constexpr uint32_t kWarpLanes = 32;

/// The layout of a broadcast's operand: the repeated dimensions have size 1.
LinearLayout collapse(const LinearLayout &layout, ArrayRef<int64_t> shape) {
  std::vector<LinearLayout::InBases> ins;
  for (const LinearLayout::Dim &in : layout.ins()) {
    std::vector<LinearLayout::Basis> bases;
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      bases.push_back(layout.basis(in.name, bit));
      for (auto [dim, size] : llvm::enumerate(shape))
        if (size == 1)
          bases.back()[dim] = 0;
    }
    ins.emplace_back(in.name, std::move(bases));
  }
  std::vector<LinearLayout::Dim> outs = layout.outs();
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size == 1)
      outs[dim].bits = 0;
  return LinearLayout(std::move(ins), std::move(outs));
}

std::vector<unsigned> inverseOrder(ArrayRef<int32_t> order) {
  std::vector<unsigned> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  return inverse;
}

} // namespace

std::vector<uint32_t> shapeOf(RankedTensorType type) { return {type.getShape().begin(), type.getShape().end()}; }

RankedTensorType withLayout(RankedTensorType type, LinearAttr layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

const LinearLayout &LayoutTable::map(LinearAttr layout) {
  std::unique_ptr<LinearLayout> &entry = maps[layout];
  if (!entry)
    entry = std::make_unique<LinearLayout>(layout.getLayout());
  return *entry;
}

LinearAttr LayoutTable::get(const LinearLayout &layout) {
  LinearAttr attr = LinearAttr::get(context, layout);
  std::unique_ptr<LinearLayout> &entry = maps[attr];
  if (!entry)
    entry = std::make_unique<LinearLayout>(layout);
  return attr;
}

LinearAttr LayoutTable::demand(Operation *view, LinearAttr result) {
  LinearAttr &entry = demands[{view, result}];
  if (entry)
    return entry;
  auto source = cast<RankedTensorType>(view->getOperand(0).getType());
  const LinearLayout &layout = map(result);
  LinearLayout wanted = llvm::TypeSwitch<Operation *, LinearLayout>(view)
                            .Case([&](tt::ExpandDimsOp op) { return sliceAxis(layout, op.getAxis()); })
                            .Case([&](tt::BroadcastOp op) { return collapse(layout, source.getShape()); })
                            .Case([&](tt::TransOp op) { return permuteAxes(layout, inverseOrder(op.getOrder())); })
                            .Default([&](Operation *) { return reshapeTensor(layout, shapeOf(source)); });
  LinearAttr attr = get(wanted);
  return demands[{view, result}] = attr;
}

LinearAttr LayoutTable::forward(Operation *view, LinearAttr operand) {
  const LinearLayout &layout = map(operand);
  return llvm::TypeSwitch<Operation *, LinearAttr>(view)
      .Case([&](tt::ExpandDimsOp op) { return get(expandAxis(layout, op.getAxis())); })
      .Case([&](tt::BroadcastOp) { return LinearAttr(); })
      .Case([&](tt::TransOp op) { return get(permuteAxes(layout, {op.getOrder().begin(), op.getOrder().end()})); })
      .Default([&](Operation *) {
        return get(reshapeTensor(layout, shapeOf(cast<RankedTensorType>(view->getResult(0).getType()))));
      });
}

LinearAttr LayoutTable::repeated(Operation *view, LinearAttr operand) {
  auto broadcast = dyn_cast<tt::BroadcastOp>(view);
  if (!broadcast)
    return forward(view, operand);
  ArrayRef<int64_t> from = cast<RankedTensorType>(broadcast.getSrc().getType()).getShape();
  LinearLayout layout = map(operand);
  for (auto [dim, size] : llvm::enumerate(cast<RankedTensorType>(broadcast.getType()).getShape()))
    if (from[dim] != size)
      layout = layout * LinearLayout::identity1D(llvm::Log2_64(size), "register", dimName(dim));
  return get(layout);
}

LinearAttr LayoutTable::dense(LinearAttr layout) {
  LinearAttr &entry = densened[layout];
  if (entry)
    return entry;
  if (map(layout).zeroBasisMask("register") == 0)
    return entry = layout;
  LinearAttr attr = get(map(layout).removeZeroBases("register"));
  return densened[layout] = attr;
}

LinearAttr LayoutTable::spread(LinearAttr layout) {
  const LinearLayout &few = map(dense(layout));
  std::vector<LinearLayout::Basis> registers, lanes;
  for (unsigned bit = 0; bit < few.inBits("register"); ++bit)
    registers.push_back(few.basis("register", bit));
  size_t moved = 0;
  for (unsigned bit = 0; bit < few.inBits("lane"); ++bit) {
    bool isCopy = (few.zeroBasisMask("lane") >> bit & 1) != 0 && moved < registers.size();
    lanes.push_back(isCopy ? registers[moved++] : few.basis("lane", bit));
  }
  registers.erase(registers.begin(), registers.begin() + moved);
  std::vector<LinearLayout::InBases> ins;
  for (const LinearLayout::Dim &in : few.ins()) {
    std::vector<LinearLayout::Basis> kept(in.bits);
    for (unsigned bit = 0; bit < in.bits; ++bit)
      kept[bit] = few.basis(in.name, bit);
    ins.emplace_back(in.name, in.name == "register" ? registers : in.name == "lane" ? lanes : kept);
  }
  return get(LinearLayout(std::move(ins), few.outs()));
}

LinearAttr LayoutTable::reduced(LinearAttr layout, unsigned axis) {
  if (LinearAttr known = slices.lookup({layout, axis}))
    return known;
  LinearAttr attr = get(sliceAxis(map(layout), axis).removeZeroBases("register"));
  return slices[{layout, axis}] = attr;
}

LinearAttr LayoutTable::expanded(LinearAttr result, tt::ReduceOp reduce) {
  unsigned axis = reduce.getAxis();
  auto source = cast<RankedTensorType>(reduce.getSrcs().front().getType());
  unsigned bits = llvm::Log2_64(source.getDimSize(axis));
  return get(expandAxis(map(dense(result)), axis) * LinearLayout::identity1D(bits, "register", dimName(axis)));
}

LinearAttr LayoutTable::withPair(LinearAttr layout) {
  const LinearLayout &map = this->map(layout);
  unsigned rank = tensorRank(map);
  LinearLayout::Names order;
  for (unsigned dim = 0; dim <= rank; ++dim)
    order.push_back(dimName(dim));
  return get((LinearLayout::identity1D(1, "register", dimName(rank)) * map).transposeOuts(order));
}

LinearAttr LayoutTable::withoutPair(LinearAttr layout) {
  const LinearLayout &map = this->map(layout);
  unsigned last = tensorRank(map) - 1;
  LinearLayout::Basis pair(last + 1, 0);
  pair[last] = 1;
  bool isFound = false;
  std::vector<LinearLayout::InBases> ins;
  for (const LinearLayout::Dim &in : map.ins()) {
    std::vector<LinearLayout::Basis> bases;
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      LinearLayout::Basis basis = map.basis(in.name, bit);
      if (in.name == "register" && basis == pair && !isFound) {
        isFound = true;
        continue;
      }
      if (basis[last])
        return {};
      basis.pop_back();
      bases.push_back(std::move(basis));
    }
    ins.emplace_back(in.name, std::move(bases));
  }
  if (!isFound)
    return {};
  std::vector<LinearLayout::Dim> outs = map.outs();
  outs.pop_back();
  return get(LinearLayout(std::move(ins), std::move(outs)));
}

LinearAttr LayoutTable::fallback(ArrayRef<int64_t> shape) {
  std::vector<uint32_t> sizes(shape.begin(), shape.end());
  uint64_t elements = 1;
  for (uint32_t size : sizes)
    elements *= size;
  uint32_t vector = std::clamp<uint64_t>(elements / (uint64_t{kWarpLanes} * warps), 1, 4);
  return get(blocked(sizes, vector, warps));
}

} // namespace tawa::layouts
