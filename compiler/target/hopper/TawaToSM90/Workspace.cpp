// Workspace.cpp: the parameter with a workspace's address, and the slots of a row of CTAs in it.
#include "compiler/target/hopper/TawaToSM90/Workspace.h"
#include "compiler/analysis/LogicalArguments.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa {

/// Added to the kernel on first use, with the bytes of each CTA.
Value Workspace::parameter(uint32_t bytes) {
  func::FuncOp target = context.target;
  for (BlockArgument argument : target.getArguments())
    if (auto role = parameterRole(target, argument.getArgNumber());
        role && role->part == ParameterRole::Part::Workspace)
      return argument;
  unsigned index = target.getNumArguments();
  auto role = writeParameterRole(builder, {ParameterRole::Part::Workspace, 0, 0});
  target.insertArgument(index, LLVM::LLVMPointerType::get(builder.getContext(), 1),
                        builder.getDictionaryAttr(ws::kArgumentAttr.named(role)), target.getLoc());
  sm90::kWorkspaceBytesAttr.set(target, bytes);
  return target.getArgument(index);
}

/// CTAs along y and z walk no tiles of the grid along these axes; each has memory of its own.
Value Workspace::slotAt(Location loc, Value slot, uint32_t each, uint32_t slotBytes) {
  auto read = [&](sm90::SpecialRegister which) -> Value {
    return builder.create<sm90::SpecialRegisterOp>(loc, builder.getI32Type(), which);
  };
  auto times = [&](Value a, Value b) -> Value { return builder.create<arith::MulIOp>(loc, a, b); };
  auto plus = [&](Value a, Value b) -> Value { return builder.create<arith::AddIOp>(loc, a, b); };
  Value row = plus(times(read(sm90::SpecialRegister::CtaidZ), read(sm90::SpecialRegister::NctaidY)),
                   read(sm90::SpecialRegister::CtaidY));
  Value slots = times(read(sm90::SpecialRegister::NctaidX), builder.constant(loc, each));
  Value number = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), plus(times(row, slots), slot));
  Value offset = times(number, builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(slotBytes)));
  Value base = parameter(each * slotBytes);
  return builder.create<LLVM::GEPOp>(loc, base.getType(), builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{offset});
}

} // namespace tawa
