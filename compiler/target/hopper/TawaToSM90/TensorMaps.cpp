// TensorMaps.cpp: tensor maps made by the launch are parameters of the kernel, one for each form that the kernel
// requests.
#include "compiler/target/hopper/TawaToSM90/TensorMaps.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/target/hopper/TawaToSM90/TawaToSM90.h"

using namespace mlir;

namespace tawa {

/// One tensor-map parameter per (descriptor, box, swizzle); made when first asked for.
Value TensorMaps::mapOf(Value descriptor, ArrayRef<uint32_t> box, Swizzle swizzle) {
  if (auto make = descriptor.getDefiningOp<ws::MakeDescriptorOp>())
    return descriptors.mapOf(make, box, swizzle);
  tt::FuncOp source = context.source;
  func::FuncOp target = context.target;
  auto parameter = cast<BlockArgument>(descriptor);
  ws::PartAttr argument = ws::kArgumentAttr.get(source, parameter.getArgNumber());
  Type element = cast<tt::TensorDescType>(descriptor.getType()).getBlockType().getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = builder.getIntegerType(integer.getWidth());
  auto recipe = sm90::TensorMapAttr::get(builder.getContext(), argument.getIndex(), box, element,
                                         static_cast<sm90::TensorMapSwizzle>(swizzle),
                                         ws::kDescriptorAttr.get(source, parameter.getArgNumber()));
  for (BlockArgument known : target.getArguments())
    if (sm90::kTensorMapAttr.get(target, known.getArgNumber()) == recipe)
      return known;
  unsigned index = target.getNumArguments();
  target.insertArgument(index, sm90::TensorMapType::get(builder.getContext()),
                        builder.getDictionaryAttr(sm90::kTensorMapAttr.named(recipe)), descriptor.getLoc());
  return target.getArgument(index);
}

std::pair<Value, Values> TensorMaps::boxOf(Location loc, Value descriptor, ValueRange indices, ArrayRef<uint32_t> shape,
                                           ArrayRef<uint32_t> origin, Swizzle swizzle) {
  SmallVector<uint32_t> box(shape.rbegin(), shape.rend());
  box.resize(indices.size(), 1);
  Values coordinates;
  for (size_t dim = 0; dim < indices.size(); ++dim) { // innermost first
    Value index = one(indices[indices.size() - 1 - dim]);
    coordinates.push_back(dim < origin.size() ? builder.add(loc, index, origin[origin.size() - 1 - dim]) : index);
  }
  return {mapOf(descriptor, box, swizzle), coordinates};
}

} // namespace tawa
