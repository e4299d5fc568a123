// WgmmaDot.cpp: splits a dot into wgmma instructions.
//
// An accumulator's layout determines the instances of wgmma that a warp group runs: its register index counts instrN/2
// elements per instance, and the coordinates of register 0 of an instance are its corner. Operands in shared memory are
// read through matrix descriptors that are derived from the layout of the shared tile; the warp group's own corner is
// added at run time, bit by bit of its index. A may be in registers instead, in the order of wgmmaOperandA; both
// operands may have K in another order (compiler/layouts/algebra/KPermutation.h).
#include "compiler/target/hopper/TawaToSM90/WgmmaDot.h"
#include "compiler/layouts/algebra/KPermutation.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kInstrM = 64; // rows of one wgmma (PTX ISA, wgmma.mma_async shapes)

WgmmaInstances::WgmmaInstances(RankedTensorType accumulator, uint32_t maxInstrN)
    : layout(ws::layoutOf(accumulator).getLayout()) {
  groupBits = layout.inBits("warp") - 2;
  uint32_t columns = accumulator.getDimSize(1);
  for (unsigned bit = 0; bit < groupBits; ++bit)
    if (layout.basis("warp", bit + 2, "dim1") != 0)
      columns /= 2;
  instrN = std::min(columns, maxInstrN);
  registers = instrN / 2;
  count = layout.inSize("register") / registers;
}

//===--- Operands -----------------------------------------------------------------------------------------------===//

/// The wgmma type of these elements: f32 is multiplied as tf32.
static Type instructionType(Type element) {
  return element.isF32() ? Type(FloatType::getTF32(element.getContext())) : element;
}

static Type elementType(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getElementType(); }

/// The descriptor of block `block`, step `step`.
static Value descriptorAt(OpBuilder &builder, Location loc, const WgmmaDot::SharedOperand &operand, uint32_t block,
                          uint32_t step) {
  uint32_t offset = operand.form.blockOffsets[block] + operand.form.stepOffsets[step];
  if (offset == 0)
    return operand.base;
  Value delta = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(offset >> 4));
  return builder.create<arith::AddIOp>(loc, operand.base, delta);
}

/// The first register of A's fragment of rows from `row` and step `step` of K; none where the registers are not in the
/// order of the instruction.
static std::optional<uint32_t> fragmentOf(const LinearLayout &layout, unsigned bits, uint32_t row, uint32_t step) {
  uint32_t perFragment = 128 / bits, k = step * 256 / bits;
  for (uint32_t first = 0; first < layout.inSize("register"); first += perFragment)
    if (layout.apply({first, 0, 0}) == std::vector<uint32_t>{row, k})
      return first;
  return std::nullopt;
}

FailureOr<Value> WgmmaEmitter::describeOperand(Operation *dot, Value value, unsigned mnDim,
                                               const WgmmaSmemOperand &form, ArrayRef<uint32_t> groupBlocks) {
  Location loc = dot->getLoc();
  // The warp group's corner: each bit of its index moves the operand by a fixed number of bytes.
  Value address = one(value);
  Value group = builder.create<arith::ShRUIOp>(loc, thread.warp, builder.constant(loc, 2));
  for (auto [bit, block] : llvm::enumerate(groupBlocks)) {
    if (block == 0)
      continue;
    if (block >= form.blockOffsets.size())
      return dot->emitOpError() << "operand " << mnDim << " of the dot is smaller than what the warp groups read of it";
    Value set = builder.create<arith::AndIOp>(
        loc, builder.create<arith::ShRUIOp>(loc, group, builder.constant(loc, bit)), builder.constant(loc, 1));
    address = builder.create<arith::AddIOp>(
        loc, address, builder.create<arith::MulIOp>(loc, set, builder.constant(loc, form.blockOffsets[block])));
  }
  // Bits 0..13 of a descriptor hold bits 4..17 of the address; in a cluster higher bits name the CTA and must not
  // leak in.
  Value masked = builder.create<arith::AndIOp>(loc, address, builder.constant(loc, 0x3ffff));
  Value field = builder.create<arith::ShRUIOp>(loc, masked, builder.constant(loc, 4));
  Value wide = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), field);
  Value fixed = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(encodeDescriptorConstant(form)));
  return builder.create<arith::OrIOp>(loc, wide, fixed).getResult();
}

FailureOr<WgmmaDot> WgmmaEmitter::describeDot(Operation *dot, WgmmaInstances instances) {
  KPermutation order; // of both operands; the instruction sees positions
  auto share = [&](Value value, unsigned mnDim, uint32_t instrMN) -> FailureOr<WgmmaDot::SharedOperand> {
    auto type = cast<RankedTensorType>(value.getType());
    ws::LinearAttr layout = ws::layoutOf(type);
    if (!layout || !layout.isShared())
      return dot->emitOpError() << "operand " << mnDim << " of the dot is not in shared memory";
    WgmmaFailure why = WgmmaFailure::None;
    LinearLayout positions = order.empty() ? layout.getLayout() : withoutOrder(layout.getLayout(), 1 - mnDim, order);
    auto form = deriveWgmmaOperand(positions, type.getElementTypeBitWidth(), mnDim, instrMN, &why);
    if (!form)
      return dot->emitOpError() << "wgmma cannot read " << (mnDim == 0 ? "A" : "B") << ": " << describe(why);
    SmallVector<uint32_t> groupBlocks;
    for (unsigned bit = 0; bit < instances.groupBits; ++bit)
      groupBlocks.push_back(instances.groupBasis(bit, mnDim) / instrMN);
    FailureOr<Value> base = describeOperand(dot, value, mnDim, *form, groupBlocks);
    if (failed(base))
      return failure();
    return WgmmaDot::SharedOperand{*form, *base};
  };
  Value a = dot->getOperand(0), b = dot->getOperand(1);
  WgmmaDot described{instances, instructionType(elementType(a)), instructionType(elementType(b)), {}, {}, {}, {}};
  if (ws::LinearAttr layout = ws::layoutOf(a.getType()); layout && !layout.isShared()) {
    described.layoutA = layout.getLayout();
    order = orderOfOperandA(described.layoutA, sm90::elementBits(described.aType)).value_or(KPermutation());
    if (!order.empty())
      described.layoutA = withoutOrder(described.layoutA, /*axis=*/1, order);
  } else {
    FailureOr<WgmmaDot::SharedOperand> shared = share(a, 0, kInstrM);
    if (failed(shared))
      return failure();
    described.a = *shared;
  }
  FailureOr<WgmmaDot::SharedOperand> shared = share(b, 1, instances.instrN);
  if (failed(shared))
    return failure();
  described.b = *shared;
  return described;
}

LogicalResult WgmmaEmitter::packOperandA(Operation *dot, WgmmaDot &described) {
  Value a = dot->getOperand(0);
  auto type = cast<RankedTensorType>(a.getType());
  unsigned bits = sm90::elementBits(described.aType);
  if (described.layoutA != wgmmaOperandA(type.getDimSize(0), type.getDimSize(1), bits, thread.warps))
    return dot->emitOpError() << "operand A lies in registers, but not in the order in which wgmma takes it";
  for (Value word : builder.packWords(dot->getLoc(), values[a]))
    described.wordsA.push_back(builder.toBits(dot->getLoc(), word));
  return success();
}

//===--- Instructions -------------------------------------------------------------------------------------------===//

FailureOr<Value> WgmmaEmitter::issue(Operation *dot, const WgmmaDot &described, uint32_t index, uint32_t step,
                                     Value running, Value adds) {
  Location loc = dot->getLoc();
  std::vector<uint32_t> corner = described.instances.corner(index);
  Value descA = described.a ? descriptorAt(builder, loc, *described.a, corner[0] / kInstrM, step) : Value();
  Value descB = descriptorAt(builder, loc, described.b, corner[1] / described.instances.instrN, step);
  if (described.a)
    return builder
        .create<sm90::WgmmaOp>(loc, running.getType(), running, descA, descB, adds, described.aType, described.bType,
                               described.a->form.mnMajor, described.b.form.mnMajor, /*negA=*/false, /*negB=*/false)
        .getResult();
  unsigned bits = sm90::elementBits(described.aType);
  auto first = fragmentOf(described.layoutA, bits, corner[0], step);
  if (!first)
    return dot->emitOpError() << "operand A in registers lacks rows that the accumulator has";
  const Value *fragment = &described.wordsA[*first * bits / 32];
  return builder
      .create<sm90::WgmmaRsOp>(loc, running.getType(), running, fragment[0], fragment[1], fragment[2], fragment[3],
                               descB, adds, described.aType, described.bType, described.b.form.mnMajor, /*negA=*/false,
                               /*negB=*/false)
      .getResult();
}

//===--- Waits ---===//

void waitForDots(MachineBuilder &builder, ValueMap &values, Operation *at) {
  SmallVector<Value> live;
  auto consider = [&](Value value) {
    if (!isa<ws::InflightType>(value.getType()) || !values.count(value))
      return;
    for (Operation *user : value.getUsers())
      if (Operation *here = at->getBlock()->findAncestorOpInBlock(*user);
          here && (here == at || at->isBeforeInBlock(here)))
        return live.push_back(value);
  };
  llvm::for_each(at->getBlock()->getArguments(), consider);
  for (Operation &op : *at->getBlock()) {
    if (&op == at)
      break;
    llvm::for_each(op.getResults(), consider);
  }
  Values operands;
  for (Value value : live)
    llvm::append_range(operands, values[value]);
  auto wait = builder.create<sm90::WgmmaWaitOp>(at->getLoc(), llvm::to_vector(ValueRange(operands).getTypes()),
                                                /*pendings=*/0, operands);
  ValueRange waited = wait.getResults();
  for (Value value : live) {
    size_t count = values[value].size();
    values[value] = Values(waited.take_front(count));
    waited = waited.drop_front(count);
  }
}

} // namespace tawa
