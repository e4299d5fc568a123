// Dots.cpp: asynchronous dots as wgmma.
//
// An accumulator's layout says which instances of wgmma a warp group runs: its register index counts instrN/2 elements
// per instance, and the coordinates of register 0 of an instance are its corner. Operands in shared memory are read
// through matrix descriptors that are derived from the layout of the shared tile; the warp group's own corner is added
// at run time, bit by bit of its index. A may be in registers instead, in the order of wgmmaOperandA.
#include "compiler/conversion/TawaToSM90/Lowering.h"

#include "mlir/IR/Matchers.h"

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

/// A dot that starts from zeros right where it is issued need not be given them.
static bool startsFromZero(ws::DotBeginOp begin) {
  auto issue = begin.getResult().hasOneUse() ? dyn_cast<ws::DotIssueOp>(*begin.getResult().user_begin()) : nullptr;
  if (!issue || issue->getBlock() != begin->getBlock())
    return false;
  return matchPattern(begin.getTensor(), m_AnyZeroFloat()) || matchPattern(begin.getTensor(), m_Zero());
}

void KernelLowering::lowerDotBegin(ws::DotBeginOp begin) {
  Location loc = begin.getLoc();
  auto tensor = cast<RankedTensorType>(begin.getTensor().getType());
  Instances instances(tensor);
  Values &started = values[begin.getResult()];
  if (startsFromZero(begin)) {
    for (uint32_t index = 0; index < instances.count; ++index)
      started.push_back(builder.create<sm90::AccUndefOp>(loc, inflightType(tensor)));
    zeroStarts.insert(begin.getResult());
    return;
  }
  auto accumulator = sm90::AccumulatorType::get(instances.instrN, tensor.getElementType());
  Values registers = values[begin.getTensor()];
  for (uint32_t index = 0; index < instances.count; ++index) {
    ArrayRef<Value> own = ArrayRef(registers).slice(size_t(index) * instances.registers, instances.registers);
    Values words = tensor.getElementType().isF16() ? packWords(loc, own) : Values(own);
    Value packed = builder.create<sm90::PackOp>(loc, accumulator, words);
    values[begin.getResult()].push_back(builder.create<sm90::ResumeOp>(loc, packed));
  }
}

//===--- Operands
//-------------------------------------------------------------------------------------------------------===//

/// What wgmma calls elements of this type: f32 is multiplied as tf32.
static Type instructionType(Type element) {
  return element.isF32() ? Type(FloatType::getTF32(element.getContext())) : element;
}

static Type elementType(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getElementType(); }

namespace {

/// An operand in shared memory: its derived descriptor and the addresses of the blocks the instances need.
struct SharedOperand {
  WgmmaSmemOperand form;
  Value base; ///< i64 descriptor of block 0 of the warp group, step 0.
};

} // namespace

/// The descriptor of block `block`, step `step`.
static Value descriptorAt(OpBuilder &builder, Location loc, const SharedOperand &operand, uint32_t block,
                          uint32_t step) {
  uint32_t offset = operand.form.blockOffsets[block] + operand.form.stepOffsets[step];
  if (offset == 0)
    return operand.base;
  Value delta = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(offset >> 4));
  return builder.create<arith::AddIOp>(loc, operand.base, delta);
}

/// Where in the registers of A the fragment of rows from `row` and step `step` of K begins; none where they do not hold
/// it in the order of the instruction.
static std::optional<uint32_t> fragmentOf(const LinearLayout &layout, unsigned bits, uint32_t row, uint32_t step) {
  uint32_t perFragment = 128 / bits, k = step * 256 / bits;
  for (uint32_t first = 0; first < layout.inSize("register"); first += perFragment)
    if (layout.apply({first, 0, 0}) == std::vector<uint32_t>{row, k})
      return first;
  return std::nullopt;
}

FailureOr<Value> KernelLowering::describeOperand(ws::DotIssueOp issue, Value value, unsigned mnDim,
                                                 const WgmmaSmemOperand &form, ArrayRef<uint32_t> groupBlocks) {
  Location loc = issue.getLoc();
  // The warp group's corner: each bit of its index moves the operand by a fixed number of bytes.
  Value address = one(value);
  Value group = builder.create<arith::ShRUIOp>(loc, roleWarp, constant(loc, 2));
  for (auto [bit, block] : llvm::enumerate(groupBlocks)) {
    if (block == 0)
      continue;
    if (block >= form.blockOffsets.size())
      return issue.emitOpError() << "operand " << mnDim
                                 << " of the dot is smaller than what the warp groups read of it";
    Value set = builder.create<arith::AndIOp>(loc, builder.create<arith::ShRUIOp>(loc, group, constant(loc, bit)),
                                              constant(loc, 1));
    address = builder.create<arith::AddIOp>(
        loc, address, builder.create<arith::MulIOp>(loc, set, constant(loc, form.blockOffsets[block])));
  }
  // Bits 0..13 of a descriptor hold bits 4..17 of the address; in a cluster higher bits name the CTA and must not
  // leak in.
  Value masked = builder.create<arith::AndIOp>(loc, address, constant(loc, 0x3ffff));
  Value field = builder.create<arith::ShRUIOp>(loc, masked, constant(loc, 4));
  Value wide = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), field);
  Value fixed = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(encodeDescriptorConstant(form)));
  return builder.create<arith::OrIOp>(loc, wide, fixed).getResult();
}

//===--- Issue
//----------------------------------------------------------------------------------------------------------===//

namespace {

/// The dot of one warp group, instruction by instruction.
struct Issue {
  Instances instances;
  std::optional<SharedOperand> a; ///< None: in registers.
  SharedOperand b;
  Type aType, bType;
  bool fresh = false; ///< The accumulator is undefined before the first step.
  uint32_t steps() const { return b.form.stepOffsets.size(); }
};

} // namespace

LogicalResult KernelLowering::lowerDotIssue(ws::DotIssueOp op) {
  Location loc = op.getLoc();
  Issue issue{Instances(op.getResult().getType().getTensor()), std::nullopt, {}, {}, {}, false};
  issue.aType = instructionType(elementType(op.getA()));
  issue.bType = instructionType(elementType(op.getB()));
  issue.fresh = zeroStarts.contains(op.getAccumulator());
  const Instances &instances = issue.instances;

  auto share = [&](Value value, unsigned mnDim, uint32_t instrMN) -> FailureOr<SharedOperand> {
    auto type = cast<RankedTensorType>(value.getType());
    ws::LinearAttr layout = ws::layoutOf(type);
    if (!layout || !layout.isShared())
      return op.emitOpError() << "operand " << mnDim << " of the dot is not in shared memory";
    WgmmaFailure why = WgmmaFailure::None;
    auto form = deriveWgmmaOperand(layout.getLayout(), type.getElementTypeBitWidth(), mnDim, instrMN, &why);
    if (!form)
      return op.emitOpError() << "wgmma cannot read " << (mnDim == 0 ? "A" : "B") << ": " << describe(why);
    SmallVector<uint32_t> groupBlocks;
    for (unsigned bit = 0; bit < instances.groupBits; ++bit)
      groupBlocks.push_back(instances.groupBasis(bit, mnDim) / instrMN);
    FailureOr<Value> base = describeOperand(op, value, mnDim, *form, groupBlocks);
    if (failed(base))
      return failure();
    return SharedOperand{*form, *base};
  };
  ws::LinearAttr layoutA = ws::layoutOf(op.getA().getType());
  bool inRegisters = layoutA && !layoutA.isShared();
  if (!inRegisters) {
    FailureOr<SharedOperand> a = share(op.getA(), 0, 64);
    if (failed(a))
      return failure();
    issue.a = *a;
  }
  FailureOr<SharedOperand> b = share(op.getB(), 1, instances.instrN);
  if (failed(b))
    return failure();
  issue.b = *b;

  // Registers of A belong to wgmma until a wait: what computes the next ones comes after it.
  bool mayBeInFlight = !isa_and_nonnull<ws::DotBeginOp>(op.getAccumulator().getDefiningOp());
  if (inRegisters && mayBeInFlight)
    waitForDots(op);
  Values words;
  if (inRegisters) {
    unsigned bits = sm90::elementBits(issue.aType);
    if (layoutA.getLayout() !=
        wgmmaOperandA(op.getA().getType().getDimSize(0), op.getA().getType().getDimSize(1), bits, role.getWarps()))
      return op.emitOpError() << "operand A lies in registers, but not in the order in which wgmma takes it";
    for (Value word : packWords(loc, values[op.getA()]))
      words.push_back(toBits(loc, word));
  }

  Values running = values[op.getAccumulator()];
  builder.create<sm90::WgmmaFenceOp>(loc);
  for (uint32_t step = 0; step < issue.steps(); ++step)
    for (uint32_t index = 0; index < instances.count; ++index) {
      std::vector<uint32_t> corner = instances.corner(index);
      Value scale = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(!issue.fresh || step != 0));
      Value descA = issue.a ? descriptorAt(builder, loc, *issue.a, corner[0] / 64, step) : Value();
      Value descB = descriptorAt(builder, loc, issue.b, corner[1] / instances.instrN, step);
      if (issue.a) {
        running[index] = builder.create<sm90::WgmmaOp>(loc, running[index].getType(), running[index], descA, descB,
                                                       scale, issue.aType, issue.bType, issue.a->form.mnMajor,
                                                       issue.b.form.mnMajor, /*negA=*/false, /*negB=*/false);
        continue;
      }
      unsigned bits = sm90::elementBits(issue.aType);
      auto first = fragmentOf(layoutA.getLayout(), bits, corner[0], step);
      if (!first)
        return op.emitOpError() << "operand A in registers lacks rows that the accumulator has";
      Value *fragment = &words[*first * bits / 32];
      running[index] = builder.create<sm90::WgmmaRsOp>(
          loc, running[index].getType(), running[index], fragment[0], fragment[1], fragment[2], fragment[3], descB,
          scale, issue.aType, issue.bType, issue.b.form.mnMajor, /*negA=*/false, /*negB=*/false);
    }
  builder.create<sm90::WgmmaCommitOp>(loc);
  values[op.getResult()] = running;
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
    if (!readable) {
      results.push_back(result);
      continue;
    }
    auto registers = builder.create<sm90::UnpackOp>(loc, result).getRegisters();
    if (tensor.getElementType().isF16())
      llvm::append_range(results, unpackWords(loc, registers, tensor.getElementType(), instances.registers));
    else
      llvm::append_range(results, registers);
  }
  values[wait.getResult()] = results;
}

} // namespace tawa
