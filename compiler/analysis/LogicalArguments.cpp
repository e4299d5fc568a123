// Groups the parameters of a tt.func into descriptors, pointers and scalars, and reads their attributes.
#include "compiler/analysis/LogicalArguments.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tawa {

std::optional<ElementType> elementTypeOf(Type type) {
  if (type.isFloat8E4M3FN())
    return ElementType::F8E4M3;
  if (type.isFloat8E5M2())
    return ElementType::F8E5M2;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return ElementType::I1;
    case 8:
      return ElementType::I8;
    case 16:
      return ElementType::I16;
    case 32:
      return ElementType::I32;
    case 64:
      return ElementType::I64;
    }
  }
  return std::nullopt;
}

std::optional<ParameterRole> parameterRole(FunctionOpInterface func, unsigned index) {
  ws::PartAttr part = ws::kArgumentAttr.get(func, index);
  return part ? std::optional(ParameterRole{part.getPart(), part.getIndex(), part.getDimension()}) : std::nullopt;
}

ws::PartAttr writeParameterRole(Builder &builder, const ParameterRole &role) {
  return ws::PartAttr::get(builder.getContext(), role.part, role.argument, role.dimension);
}

tt::FuncOp findKernel(ModuleOp module) {
  tt::FuncOp kernel;
  for (auto func : module.getOps<tt::FuncOp>()) {
    if (SymbolTable::getSymbolVisibility(func) == SymbolTable::Visibility::Private)
      continue;
    if (kernel) {
      func.emitError() << "the text holds more than one public kernel; pass one at a time";
      return {};
    }
    kernel = func;
  }
  if (!kernel)
    module.emitError() << "the text holds no public tt.func, so there is no kernel to compile";
  return kernel;
}

/// How many of the parameters after a descriptor are its shape and strides: all 2 * rank of them, or none.
static bool carriesShapeAndStrides(ArrayRef<Type> following, int64_t rank) {
  if (following.size() < static_cast<size_t>(2 * rank))
    return false;
  return llvm::all_of(following.take_front(rank), [](Type type) { return type.isInteger(32); }) &&
         llvm::all_of(following.slice(rank, rank), [](Type type) { return type.isInteger(64); });
}

FailureOr<LogicalSignature> readLogicalSignature(tt::FuncOp func) {
  LogicalSignature signature;
  ArrayRef<Type> types = func.getArgumentTypes();
  using Part = ParameterRole::Part;
  for (size_t i = 0; i < types.size(); ++i) {
    unsigned index = signature.arguments.size();
    LogicalArgument argument;
    auto divisibility = func.getArgAttrOfType<IntegerAttr>(i, "tt.divisibility");
    argument.alignment = divisibility ? divisibility.getInt() : 0;
    if (auto descriptor = dyn_cast<tt::TensorDescType>(types[i])) {
      RankedTensorType block = descriptor.getBlockType();
      Type element = block.getElementType();
      if (auto integer = dyn_cast<IntegerType>(element))
        element = IntegerType::get(func.getContext(), integer.getWidth());
      auto elementType = elementTypeOf(element);
      if (!elementType)
        return func.emitError() << "parameter " << i << ": no tensor of " << element << " can be passed";
      argument.kind = LogicalArgument::Kind::Tensor;
      argument.elementType = *elementType;
      argument.rank = block.getRank();
      argument.alignment = 16; // what TMA asks of every address (CUDA driver API, cuTensorMapEncodeTiled)
      signature.parameters.push_back({Part::Descriptor, index, 0});
      if (carriesShapeAndStrides(types.drop_front(i + 1), block.getRank())) {
        for (Part part : {Part::Shape, Part::Stride})
          for (unsigned dim = 0; dim < block.getRank(); ++dim)
            signature.parameters.push_back({part, index, dim});
        i += 2 * block.getRank();
      }
    } else if (auto pointer = dyn_cast<tt::PointerType>(types[i])) {
      auto elementType = elementTypeOf(pointer.getPointeeType());
      if (!elementType)
        return func.emitError() << "parameter " << i << ": no pointer to " << pointer.getPointeeType()
                                << " can be passed";
      argument.kind = LogicalArgument::Kind::Tensor;
      argument.elementType = *elementType;
      signature.parameters.push_back({Part::Pointer, index, 0});
    } else {
      auto elementType = elementTypeOf(types[i]);
      if (!elementType)
        return func.emitError() << "parameter " << i << " of type " << types[i] << " can not be passed by a caller";
      argument.kind = LogicalArgument::Kind::Scalar;
      argument.elementType = *elementType;
      signature.parameters.push_back({Part::Scalar, index, 0});
    }
    signature.arguments.push_back(std::move(argument));
  }
  return signature;
}

} // namespace tawa
