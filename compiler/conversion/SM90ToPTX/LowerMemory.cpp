// PTX of OpsMemory.td: loads, stores, matrix moves, conversion.

#include "compiler/conversion/SM90ToPTX/PtxLowering.h"

using namespace mlir;

namespace tawa::sm90 {

PtxLowering::Values PtxLowering::lower(SharedBaseOp op, SharedBaseOp::Adaptor) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value address = builder.create<LLVM::AddressOfOp>(loc, pointer, kSharedSymbol);
  return {builder.create<LLVM::PtrToIntOp>(loc, builder.getI32Type(), address)};
}

Value PtxLowering::zero(Type type) { return builder.create<LLVM::ZeroOp>(loc, type); }

/// The type of the register that carries a scalar through asm: NVPTX has no 8-bit registers, and 16-bit floats go as
/// bits.
static Type carrierType(Type type) {
  bool narrow = type.isInteger(8) || type.isF16() || type.isBF16();
  return narrow ? IntegerType::get(type.getContext(), 16) : type;
}

static Value toCarrier(OpBuilder &builder, Location loc, Value value) {
  Type carrier = carrierType(value.getType());
  if (carrier == value.getType())
    return value;
  if (value.getType().isInteger(8))
    return builder.create<LLVM::ZExtOp>(loc, carrier, value);
  return builder.create<LLVM::BitcastOp>(loc, carrier, value);
}

static Value fromCarrier(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (type.isInteger(8))
    return builder.create<LLVM::TruncOp>(loc, type, value);
  return builder.create<LLVM::BitcastOp>(loc, type, value);
}

/// ".v4.b32 ", ".u8 ": vector size and type of an access.
static std::string accessSuffix(TypeRange types) {
  unsigned bits = types[0].getIntOrFloatBitWidth();
  std::string vector = types.size() > 1 ? ".v" + std::to_string(types.size()) : "";
  return vector + (bits == 8 ? ".u8 " : ".b" + std::to_string(bits) + " ");
}

static std::string places(ArrayRef<std::string> list) { return list.size() == 1 ? list[0] : braced(list); }

PtxLowering::Values PtxLowering::load(StringRef space, Value address, Value predicate, TypeRange types) {
  PtxAsm text = ptx();
  SmallVector<std::string> results;
  for (Type type : types)
    results.push_back(text.output(carrierType(type)));
  if (predicate) // a lane that does not load keeps the zero it came with
    for (auto [index, type] : llvm::enumerate(types))
      text.tie(index, zero(carrierType(type)));
  std::string place = text.input(address);
  Values loaded = text.emit(text.predicate(predicate) + "ld." + space.str() + accessSuffix(types) + places(results) +
                            ", [" + place + "];");
  for (auto [value, type] : llvm::zip_equal(loaded, types))
    value = fromCarrier(builder, loc, value, type);
  return loaded;
}

PtxLowering::Values PtxLowering::store(StringRef space, Value address, Value predicate, ValueRange values) {
  PtxAsm text = ptx();
  std::string place = text.input(address);
  SmallVector<std::string> sources;
  for (Value value : values)
    sources.push_back(text.input(toCarrier(builder, loc, value)));
  return text.emit(text.predicate(predicate) + "st." + space.str() + accessSuffix(values.getTypes()) + "[" + place +
                   "], " + places(sources) + ";");
}

PtxLowering::Values PtxLowering::lower(LoadSharedOp op, LoadSharedOp::Adaptor in) {
  return load("shared", in.getAddress(), in.getPredicate(), op.getResultTypes());
}
PtxLowering::Values PtxLowering::lower(LoadGlobalOp op, LoadGlobalOp::Adaptor in) {
  return load("global", in.getAddress(), in.getPredicate(), op.getResultTypes());
}
PtxLowering::Values PtxLowering::lower(StoreSharedOp, StoreSharedOp::Adaptor in) {
  return store("shared", in.getAddress(), in.getPredicate(), in.getValues());
}
PtxLowering::Values PtxLowering::lower(StoreGlobalOp, StoreGlobalOp::Adaptor in) {
  return store("global", in.getAddress(), in.getPredicate(), in.getValues());
}

/// ".sync.aligned.m8n8.x4.trans.shared.b16 "
static std::string matrixSuffix(size_t count, bool transposed) {
  return ".sync.aligned.m8n8.x" + std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16 ";
}

PtxLowering::Values PtxLowering::lower(StmatrixOp op, StmatrixOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string address = text.input(in.getAddress());
  SmallVector<std::string> registers;
  for (Value value : in.getRegisters())
    registers.push_back(text.input(value));
  return text.emit("stmatrix" + matrixSuffix(registers.size(), op.getTrans()) + "[" + address + "], " +
                   braced(registers) + ";");
}

PtxLowering::Values PtxLowering::lower(LdmatrixOp op, LdmatrixOp::Adaptor in) {
  PtxAsm text = ptx();
  SmallVector<std::string> registers;
  for (Type type : op.getResultTypes())
    registers.push_back(text.output(type));
  std::string address = text.input(in.getAddress());
  return text.emit("ldmatrix" + matrixSuffix(registers.size(), op.getTrans()) + braced(registers) + ", [" + address +
                   "];");
}

// The instruction names the high half first.
PtxLowering::Values PtxLowering::lower(CvtPackOp op, CvtPackOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(builder.getI32Type());
  std::string lo = text.input(in.getLo()), hi = text.input(in.getHi());
  return text.emit("cvt.rn." + std::string(op.getType().isF16() ? "f16x2" : "bf16x2") + ".f32 " + result + ", " + hi +
                       ", " + lo + ";",
                   /*pure=*/true);
}

} // namespace tawa::sm90
