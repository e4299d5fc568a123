// Dots.cpp: asynchronous dots as wgmma.
//
// An accumulator's layout says which instances of wgmma a warp group runs: its register index counts instrN/2 registers
// per instance, and the coordinates of register 0 of an instance are its corner. Operands are read through matrix
// descriptors that are derived from the layout of the shared tile; the warp group's own corner is added at run time,
// bit by bit of its index.
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

namespace {

/// The wgmma instances that cover one warp group's part of an accumulator.
struct Instances {
  LinearLayout layout;
  uint32_t instrN = 0, registers = 0, count = 0;
  unsigned groupBits = 0; ///< log2 of the warp groups that share the tile.

  explicit Instances(RankedTensorType tensor) : layout(ws::layoutOf(tensor).getLayout()) {
    groupBits = layout.inBits("warp") - 2;
    uint32_t columns = tensor.getDimSize(1);
    for (unsigned bit = 0; bit < groupBits; ++bit)
      if (layout.basis("warp", bit + 2, "dim1") != 0)
        columns /= 2;
    instrN = std::min<uint32_t>(columns, 256);
    registers = instrN / 2;
    count = layout.inSize("register") / registers;
  }
  /// Row and column of an instance's corner, before the warp group's own.
  std::vector<uint32_t> corner(uint32_t instance) const { return layout.apply({instance * registers, 0, 0}); }
  uint32_t groupBasis(unsigned bit, unsigned dim) const { return layout.basis("warp", bit + 2, dimName(dim)); }
};

sm90::InflightType inflightType(RankedTensorType tensor) {
  return sm90::InflightType::get(Instances(tensor).instrN, tensor.getElementType());
}

} // namespace

void KernelLowering::lowerDotBegin(ws::DotBeginOp begin) {
  auto tensor = cast<RankedTensorType>(begin.getTensor().getType());
  Instances instances(tensor);
  auto accumulator = sm90::AccumulatorType::get(instances.instrN, tensor.getElementType());
  ArrayRef<Value> registers = values[begin.getTensor()];
  Values started;
  for (uint32_t index = 0; index < instances.count; ++index) {
    Value packed = builder.create<sm90::PackOp>(
        begin.getLoc(), accumulator, registers.slice(size_t(index) * instances.registers, instances.registers));
    started.push_back(builder.create<sm90::ResumeOp>(begin.getLoc(), packed));
  }
  values[begin.getResult()] = started;
}

namespace {

/// One operand of a dot: its derived descriptor and the addresses of the blocks the instances need.
struct Operand {
  WgmmaSmemOperand form;
  Value base; ///< i64 descriptor of block 0 of the warp group, step 0.
};

} // namespace

LogicalResult KernelLowering::lowerDotIssue(ws::DotIssueOp issue) {
  Location loc = issue.getLoc();
  RankedTensorType tensor = issue.getResult().getType().getTensor();
  Instances instances(tensor);

  auto makeOperand = [&](Value value, unsigned mnDim, uint32_t instrMN) -> FailureOr<Operand> {
    auto type = cast<RankedTensorType>(value.getType());
    ws::LinearAttr layout = ws::layoutOf(type);
    if (!layout || !layout.isShared())
      return issue.emitOpError() << "operand " << mnDim
                                 << " of the dot is not in shared memory; this version of Tawa needs it there";
    WgmmaFailure why = WgmmaFailure::None;
    auto form = deriveWgmmaOperand(layout.getLayout(), type.getElementTypeBitWidth(), mnDim, instrMN, &why);
    if (!form)
      return issue.emitOpError() << "wgmma cannot read " << (mnDim == 0 ? "A" : "B") << ": " << describe(why);
    // The warp group's corner: each bit of its index moves the operand by a fixed number of bytes.
    Value address = one(value);
    Value group = builder.create<arith::ShRUIOp>(loc, roleWarp, constant(loc, 2));
    for (unsigned bit = 0; bit < instances.groupBits; ++bit) {
      uint32_t block = instances.groupBasis(bit, mnDim) / instrMN;
      if (block == 0)
        continue;
      Value set = builder.create<arith::AndIOp>(loc, builder.create<arith::ShRUIOp>(loc, group, constant(loc, bit)),
                                                constant(loc, 1));
      address = builder.create<arith::AddIOp>(
          loc, address, builder.create<arith::MulIOp>(loc, set, constant(loc, form->blockOffsets[block])));
    }
    // Bits 0..13 of a descriptor hold bits 4..17 of the address; in a cluster higher bits name the CTA and must not
    // leak in.
    Value masked = builder.create<arith::AndIOp>(loc, address, constant(loc, 0x3ffff));
    Value field = builder.create<arith::ShRUIOp>(loc, masked, constant(loc, 4));
    Value wide = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), field);
    Value fixed = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(encodeDescriptorConstant(*form)));
    return Operand{*form, builder.create<arith::OrIOp>(loc, wide, fixed)};
  };
  auto at = [&](const Operand &operand, uint32_t block, uint32_t step) -> Value {
    uint32_t offset = operand.form.blockOffsets[block] + operand.form.stepOffsets[step];
    if (offset == 0)
      return operand.base;
    Value delta = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(offset >> 4));
    return builder.create<arith::AddIOp>(loc, operand.base, delta);
  };

  FailureOr<Operand> a = makeOperand(issue.getA(), 0, 64);
  FailureOr<Operand> b = failed(a) ? FailureOr<Operand>() : makeOperand(issue.getB(), 1, instances.instrN);
  if (failed(a) || failed(b))
    return failure();
  auto typeOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getElementType(); };
  Value accumulate = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
  Values running = values[issue.getAccumulator()];
  builder.create<sm90::WgmmaFenceOp>(loc);
  for (uint32_t step = 0; step < a->form.stepOffsets.size(); ++step)
    for (uint32_t index = 0; index < instances.count; ++index) {
      std::vector<uint32_t> corner = instances.corner(index);
      running[index] =
          builder.create<sm90::WgmmaOp>(loc, running[index].getType(), running[index], at(*a, corner[0] / 64, step),
                                        at(*b, corner[1] / instances.instrN, step), accumulate, typeOf(issue.getA()),
                                        typeOf(issue.getB()), a->form.mnMajor, b->form.mnMajor,
                                        /*negA=*/false, /*negB=*/false);
    }
  builder.create<sm90::WgmmaCommitOp>(loc);
  values[issue.getResult()] = running;
  return success();
}

void KernelLowering::lowerDotWait(ws::DotWaitOp wait) {
  Location loc = wait.getLoc();
  RankedTensorType tensor = wait.getAccumulator().getType().getTensor();
  bool readable = isa<RankedTensorType>(wait.getResult().getType());
  Instances instances(tensor);
  Type accumulator = sm90::AccumulatorType::get(instances.instrN, tensor.getElementType());
  Type each = readable ? accumulator : Type(inflightType(tensor));
  Values operands = values[wait.getAccumulator()];
  auto waited =
      builder.create<sm90::WgmmaWaitOp>(loc, SmallVector<Type>(operands.size(), each), wait.getPendings(), operands);
  Values results;
  for (Value result : waited.getResults()) {
    if (readable)
      llvm::append_range(results, builder.create<sm90::UnpackOp>(loc, result).getRegisters());
    else
      results.push_back(result);
  }
  values[wait.getResult()] = results;
}

} // namespace tawa
