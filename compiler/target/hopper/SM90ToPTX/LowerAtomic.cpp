// PTX of OpsAtomic.td.

#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

using namespace mlir;

namespace tawa::sm90 {

/// ".acq_rel.gpu.global": memory order, scope and state space of an atomic.
template <typename Atomic> static std::string placement(Atomic op) {
  StringRef space = isa<LLVM::LLVMPointerType>(op.getAddress().getType()) ? "global" : "shared";
  return ("." + stringifySemantics(op.getSemantics()) + "." + stringifyScope(op.getScope()) + "." + space).str();
}

/// ".add.noftz.f16", ".max.s64": operation and type.
static std::string operation(AtomicKind kind, Type type) {
  std::string bits = std::to_string(type.getIntOrFloatBitWidth());
  switch (kind) {
  case AtomicKind::And:
  case AtomicKind::Or:
  case AtomicKind::Xor:
  case AtomicKind::Exch:
    return ("." + stringifyAtomicKind(kind) + ".b").str() + bits;
  case AtomicKind::Add:
    return ".add.u" + bits;
  case AtomicKind::FAdd:
    return ".add" + std::string(type.isBF16() ? ".noftz.bf" : type.isF16() ? ".noftz.f" : ".f") + bits;
  case AtomicKind::Max:
    return ".max.s" + bits;
  case AtomicKind::Min:
    return ".min.s" + bits;
  case AtomicKind::UMax:
    return ".max.u" + bits;
  case AtomicKind::UMin:
    return ".min.u" + bits;
  }
  llvm_unreachable("unknown atomic");
}

PtxLowering::Values PtxLowering::lower(AtomicRmwOp op, AtomicRmwOp::Adaptor in) {
  bool wanted = op.getResult() && !op.getResult().use_empty();
  bool canReduce = op.getKind() != AtomicKind::Exch &&
                   (op.getSemantics() == Semantics::Relaxed || op.getSemantics() == Semantics::Release);
  Type type = op.getValue().getType();
  bool reduces = !wanted && canReduce;
  bool takesOld = wanted || (!reduces && type.isBF16()); // ptxas 13.0 crashes on "_" for bf16
  PtxAsm text = ptx();
  std::string old = takesOld ? text.output(carrierType(type)) : "_";
  if (takesOld && in.getPredicate())
    text.tie(0, zero(carrierType(type)));
  std::string place = text.input(in.getAddress()), value = text.input(toCarrier(in.getValue()));
  std::string tail = placement(op) + operation(op.getKind(), type) + " ", operands = "[" + place + "], " + value + ";";
  Values results = text.emit(text.predicate(in.getPredicate()) +
                             (reduces ? "red" + tail + operands : "atom" + tail + old + ", " + operands));
  if (wanted)
    return {fromCarrier(results[0], type)};
  return op.getResult() ? Values{zero(type)} : Values{};
}

PtxLowering::Values PtxLowering::lower(AddGlobalOp op, AddGlobalOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string place = text.input(in.getAddress());
  SmallVector<std::string> words;
  for (Value word : in.getWords())
    words.push_back(text.input(word));
  std::string vector = vectorSuffix(words.size());
  std::string kind =
      op.getType().isF32() ? vector + ".f32" : ".noftz" + vector + (op.getType().isF16() ? ".f16x2" : ".bf16x2");
  return text.emit(text.predicate(in.getPredicate()) + "red" + placement(op) + ".add" + kind + " [" + place + "], " +
                   vectorOf(words) + ";");
}

PtxLowering::Values PtxLowering::lower(FenceAcqRelOp op, FenceAcqRelOp::Adaptor) {
  return plain("fence.acq_rel." + Twine(stringifyScope(op.getScope())) + ";");
}

PtxLowering::Values PtxLowering::lower(AtomicCasOp op, AtomicCasOp::Adaptor in) {
  Type type = op.getType(), bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  auto asBits = [&](Value value) -> Value {
    return value.getType() == bits ? value : builder.create<LLVM::BitcastOp>(loc, bits, value);
  };
  Value expected = asBits(in.getExpected()), value = asBits(in.getValue());
  PtxAsm text = ptx();
  std::string old = text.output(bits);
  if (in.getPredicate())
    text.tie(0, zero(bits));
  std::string place = text.input(in.getAddress()), compare = text.input(expected), swap = text.input(value);
  Values results = text.emit(text.predicate(in.getPredicate()) + "atom" + placement(op) + ".cas.b" +
                             std::to_string(type.getIntOrFloatBitWidth()) + " " + old + ", [" + place + "], " +
                             compare + ", " + swap + ";");
  return {fromCarrier(results[0], type)};
}

} // namespace tawa::sm90
