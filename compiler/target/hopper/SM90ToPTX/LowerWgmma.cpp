// PTX of OpsWgmma.td. An accumulator is a struct of its registers; each statement that may write them takes them as
// tied operands (output and input in one register), which pins them throughout the kernel.

#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tawa::sm90 {

PtxLowering::Values PtxLowering::tieThrough(StringRef statement, ValueRange fragments) {
  PtxAsm text = ptx();
  SmallVector<Value> registers;
  for (Value fragment : fragments)
    llvm::append_range(registers, unpackStruct(builder, loc, fragment));
  for (Value value : registers)
    text.output(value.getType());
  for (auto [index, value] : llvm::enumerate(registers))
    text.tie(index, value);
  if (fragments.empty())
    return text.emit(statement);
  Value all = text.emitStruct(statement);
  if (fragments.size() == 1)
    return {all};
  Values results;
  SmallVector<Value> fields = unpackStruct(builder, loc, all);
  ArrayRef<Value> rest = fields;
  for (Value fragment : fragments) {
    size_t count = cast<LLVM::LLVMStructType>(fragment.getType()).getBody().size();
    results.push_back(packStruct(builder, loc, fragment.getType(), rest.take_front(count)));
    rest = rest.drop_front(count);
  }
  return results;
}

PtxLowering::Values PtxLowering::lower(AccUndefOp op, AccUndefOp::Adaptor) {
  return {builder.create<LLVM::UndefOp>(loc, fragmentStruct(op.getType()))};
}

// They are set after the wait: where a branch sets them before one, ptxas 13.0 takes that for a write during products
// of other branches, and serializes those (C7515).
bool handsOnUnwritten(WgmmaWaitOp wait) {
  ValueRange fragments = wait.getAccumulators();
  return !fragments.empty() &&
         llvm::all_of(fragments, [](Value fragment) { return fragment.getDefiningOp<ResumeOp>() != nullptr; });
}

// No instruction, only an ordering point: what computed the registers stays before it, and so before the wgmma_fence.
PtxLowering::Values PtxLowering::lower(ResumeOp op, ResumeOp::Adaptor in) {
  auto setsThem = [](Operation *user) { return isa<WgmmaWaitOp>(user) && handsOnUnwritten(cast<WgmmaWaitOp>(user)); };
  if (llvm::any_of(op->getUsers(), setsThem))
    return {in.getAccumulator()};
  return tieThrough("// resume", in.getAccumulator());
}

PtxLowering::Values PtxLowering::lower(PackOp op, PackOp::Adaptor in) {
  return {packStruct(builder, loc, fragmentStruct(op.getType()), in.getRegisters())};
}

PtxLowering::Values PtxLowering::lower(UnpackOp, UnpackOp::Adaptor in) {
  return unpackStruct(builder, loc, in.getAccumulator());
}

PtxLowering::Values PtxLowering::lower(WgmmaFenceOp, WgmmaFenceOp::Adaptor) {
  return plain("wgmma.fence.sync.aligned;");
}
PtxLowering::Values PtxLowering::lower(WgmmaCommitOp, WgmmaCommitOp::Adaptor) {
  return plain("wgmma.commit_group.sync.aligned;");
}

PtxLowering::Values PtxLowering::lower(WgmmaWaitOp op, WgmmaWaitOp::Adaptor in) {
  constexpr uint32_t most = 7; // that the instruction names
  std::string statement =
      ("wgmma.wait_group.sync.aligned " + Twine(std::min<uint32_t>(op.getPendings(), most)) + ";").str();
  if (!handsOnUnwritten(op))
    return tieThrough(statement, in.getAccumulators());
  plain(statement);
  return tieThrough("// resume", in.getAccumulators());
}

StringRef matrixTypeName(Type type) {
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (type.isTF32())
    return "tf32";
  if (type.isFloat8E4M3FN())
    return "e4m3";
  if (type.isFloat8E5M2())
    return "e5m2";
  if (type.isInteger(8))
    return type.isUnsignedInteger() ? "u8" : "s8";
  return type.isF32() ? "f32" : "s32";
}

/// "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
template <typename WgmmaLike> static std::string mnemonic(WgmmaLike op, int64_t columns) {
  InflightType d = op.getType();
  return ("wgmma.mma_async.sync.aligned.m64n" + Twine(columns) + "k" + Twine(op.getK()) + "." +
          matrixTypeName(d.getElementType()) + "." + matrixTypeName(op.getAType()) + "." +
          matrixTypeName(op.getBType()) + " ")
      .str();
}

/// scale-d: an immediate where the value is known, else a predicate register.
static std::string scalePlace(PtxAsm &text, Value original, Value converted) {
  BoolAttr known;
  if (matchPattern(original, m_Constant(&known)))
    return known.getValue() ? "1" : "0";
  return text.input(converted);
}

/// ", 1, -1, 0, 1": the signs of A and B, then the transpositions, as far as the element type has them.
template <typename WgmmaLike> static std::string modifiers(WgmmaLike op, ArrayRef<bool> transpositions) {
  std::string text;
  if (!op.getAType().isInteger(8))
    text += std::string(op.getNegA() ? ", -1" : ", 1") + (op.getNegB() ? ", -1" : ", 1");
  if (elementBits(op.getAType()) == 16)
    for (bool transposed : transpositions)
      text += transposed ? ", 1" : ", 0";
  return text;
}

/// Starts the statement with the accumulator's registers as tied operands; gives their places.
static std::string tieAccumulator(PtxAsm &text, ArrayRef<Value> registers) {
  for (Value value : registers)
    text.output(value.getType());
  for (auto [index, value] : llvm::enumerate(registers))
    text.tie(index, value);
  return placeList(0, registers.size());
}

/// Whether only computation separates a wgmma from the next one on its accumulator.
static bool isContinued(WgmmaOp wgmma) {
  auto next = wgmma->hasOneUse() ? dyn_cast<WgmmaOp>(*wgmma->user_begin()) : WgmmaOp();
  if (!next || next->getBlock() != wgmma->getBlock())
    return false;
  for (Operation *op = wgmma->getNextNode(); op != next; op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return false;
  return true;
}

void chainWgmmas(ModuleOp module) {
  module.walk([](WgmmaOp wgmma) {
    if (isContinued(wgmma))
      kContinuedAttr.set(wgmma);
  });
}

SmallVector<WgmmaOp> chainEndingIn(WgmmaOp last) {
  SmallVector<WgmmaOp> chain{last};
  while (auto earlier = chain.back().getAccumulator().getDefiningOp<WgmmaOp>()) {
    if (!kContinuedAttr.on(earlier))
      break;
    chain.push_back(earlier);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

/// The chains that one statement computes: that of `first`, and those merged into it, each by its last wgmma.
static SmallVector<WgmmaOp> joinedWith(WgmmaOp first) {
  SmallVector<WgmmaOp> parts{first};
  auto statement = kJoinsAttr.get(first);
  for (Operation *op = first->getNextNode(); statement && op; op = op->getNextNode())
    if (kJoinedAttr.get(op) == statement)
      parts.push_back(cast<WgmmaOp>(op));
  return parts;
}

/// The registers of a chain merged into an earlier one: its fields of that statement's result. The fragment of the
/// earlier chain was packed from fields of the same result.
Value PtxLowering::takenAlong(WgmmaOp op) {
  auto statement = kJoinedAttr.get(op);
  Operation *first = op->getPrevNode();
  while (kJoinsAttr.get(first) != statement)
    first = first->getPrevNode();
  auto packed = builder.getRemappedValue(first->getResult(0)).getDefiningOp<LLVM::InsertValueOp>();
  Value all = packed.getValue().getDefiningOp<LLVM::ExtractValueOp>().getContainer();
  SmallVector<Value> fields = unpackStruct(builder, loc, all);
  ArrayRef<Value> rest = fields;
  for (WgmmaOp part : joinedWith(cast<WgmmaOp>(first))) {
    size_t count = part.getType().getNumRegisters();
    if (part == op)
      return packStruct(builder, loc, fragmentStruct(part.getType()), rest.take_front(count));
    rest = rest.drop_front(count);
  }
  llvm_unreachable("a joined wgmma follows the one that takes it along");
}

PtxLowering::Values PtxLowering::lower(WgmmaOp op, WgmmaOp::Adaptor in) {
  if (kContinuedAttr.on(op))
    return {in.getAccumulator()};
  if (kJoinedAttr.on(op))
    return {takenAlong(op)};
  PtxAsm text = ptx();
  SmallVector<Value> registers;
  int64_t columns = 0;
  SmallVector<WgmmaOp> parts = joinedWith(op);
  for (WgmmaOp part : parts) {
    Value accumulator = builder.getRemappedValue(chainEndingIn(part).front().getAccumulator());
    llvm::append_range(registers, unpackStruct(builder, loc, accumulator));
    columns += part.getType().getN();
  }
  std::string d = tieAccumulator(text, registers);
  SmallVector<std::string> statements;
  for (WgmmaOp each : chainEndingIn(op)) {
    std::string a = text.input(builder.getRemappedValue(each.getDescA()));
    std::string b = text.input(builder.getRemappedValue(each.getDescB()));
    std::string scale = scalePlace(text, each.getScaleD(), builder.getRemappedValue(each.getScaleD()));
    statements.push_back(mnemonic(each, columns) + d + ", " + a + ", " + b + ", " + scale +
                         modifiers(each, {each.getTransA(), each.getTransB()}) + ";");
  }
  Value all = text.emitStruct(llvm::join(statements, "\n\t"));
  if (parts.size() == 1)
    return {all};
  SmallVector<Value> own = unpackStruct(builder, loc, all);
  own.resize(op.getType().getNumRegisters());
  return {packStruct(builder, loc, fragmentStruct(op.getType()), own)};
}

PtxLowering::Values PtxLowering::lower(WgmmaRsOp op, WgmmaRsOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string d = tieAccumulator(text, unpackStruct(builder, loc, in.getAccumulator()));
  std::string a =
      braced({text.input(in.getA0()), text.input(in.getA1()), text.input(in.getA2()), text.input(in.getA3())});
  std::string b = text.input(in.getDescB());
  std::string scale = scalePlace(text, op.getScaleD(), in.getScaleD());
  return {text.emitStruct(mnemonic(op, op.getType().getN()) + d + ", " + a + ", " + b + ", " + scale +
                          modifiers(op, {op.getTransB()}) + ";")};
}

} // namespace tawa::sm90
