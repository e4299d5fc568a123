// PTX of OpsMemory.td: loads, stores, matrix moves, asynchronous copies. Elements narrower than a register are packed
// into 32-bit words, so that one access moves up to 16 bytes of any type.

#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

using namespace mlir;

namespace tawa::sm90 {

PtxLowering::Values PtxLowering::lower(SharedBaseOp op, SharedBaseOp::Adaptor) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value address = builder.create<LLVM::AddressOfOp>(loc, pointer, kSharedSymbol);
  return {builder.create<LLVM::PtrToIntOp>(loc, builder.getI32Type(), address)};
}

Value PtxLowering::zero(Type type) { return builder.create<LLVM::ZeroOp>(loc, type); }

Value PtxLowering::word(int32_t value) {
  return builder.create<LLVM::ConstantOp>(loc, builder.getI32Type(), builder.getI32IntegerAttr(value));
}

//===--- Scalars in registers -------------------------------------------------------------------------------------===//

Type carrierType(Type type) {
  bool narrow = type.isInteger(8) || type.isF16() || type.isBF16();
  return narrow ? IntegerType::get(type.getContext(), 16) : type;
}

Value PtxLowering::toCarrier(Value value) {
  Type carrier = carrierType(value.getType());
  if (carrier == value.getType())
    return value;
  if (value.getType().isInteger(8))
    return builder.create<LLVM::ZExtOp>(loc, carrier, value);
  return builder.create<LLVM::BitcastOp>(loc, carrier, value);
}

Value PtxLowering::fromCarrier(Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (type.isInteger(8))
    return builder.create<LLVM::TruncOp>(loc, type, value);
  return builder.create<LLVM::BitcastOp>(loc, type, value);
}

/// The type of the registers an access of these scalars moves: their own, or words that several of them share.
static Type accessType(TypeRange types) {
  unsigned bits = types[0].getIntOrFloatBitWidth();
  if (types.size() == 1 || bits >= 32)
    return carrierType(types[0]);
  return IntegerType::get(types[0].getContext(), std::min<unsigned>(32, bits * types.size()));
}

PtxLowering::Values PtxLowering::packWords(ValueRange values, Type wordType) {
  unsigned bits = values[0].getType().getIntOrFloatBitWidth(), each = wordType.getIntOrFloatBitWidth() / bits;
  auto inWord = [&](Value value) -> Value {
    Value plain = isa<IntegerType>(value.getType()) ? value : toCarrier(value);
    if (plain.getType() == wordType)
      return plain;
    return builder.create<LLVM::ZExtOp>(loc, wordType, plain);
  };
  Values words;
  for (size_t first = 0; first < values.size(); first += each) {
    Value all = inWord(values[first]);
    for (unsigned index = 1; index < each; ++index) {
      Value distance =
          builder.create<LLVM::ConstantOp>(loc, wordType, builder.getIntegerAttr(wordType, int64_t{index} * bits));
      Value shifted = builder.create<LLVM::ShlOp>(loc, inWord(values[first + index]), distance);
      all = builder.create<LLVM::OrOp>(loc, all, shifted);
    }
    words.push_back(all);
  }
  return words;
}

PtxLowering::Values PtxLowering::unpackWords(ValueRange words, TypeRange types) {
  Type wordType = words[0].getType();
  unsigned bits = types[0].getIntOrFloatBitWidth(), each = wordType.getIntOrFloatBitWidth() / bits;
  Type plain = builder.getIntegerType(bits);
  Values values;
  for (size_t index = 0; index < types.size(); ++index) {
    Value word = words[index / each];
    if (unsigned distance = index % each * bits)
      word = builder.create<LLVM::LShrOp>(
          loc, word, builder.create<LLVM::ConstantOp>(loc, wordType, builder.getIntegerAttr(wordType, distance)));
    if (plain != wordType)
      word = builder.create<LLVM::TruncOp>(loc, plain, word);
    values.push_back(word.getType() == types[index] ? word : builder.create<LLVM::BitcastOp>(loc, types[index], word));
  }
  return values;
}

//===--- Loads and stores -----------------------------------------------------------------------------------------===//

/// ".v4.b32 ", ".u8 ": vector size and type of an access.
static std::string accessSuffix(size_t count, Type type, bool isByte) {
  return vectorSuffix(count) + (isByte ? ".u8 " : ".b" + std::to_string(type.getIntOrFloatBitWidth()) + " ");
}

PtxLowering::Values PtxLowering::load(StringRef qualified, Value address, Value predicate, TypeRange types) {
  PtxAsm text = ptx();
  Type each = accessType(types);
  bool shared = types.size() > 1 && types[0].getIntOrFloatBitWidth() < 32;
  size_t count = shared ? types.size() * types[0].getIntOrFloatBitWidth() / each.getIntOrFloatBitWidth() : types.size();
  SmallVector<std::string> results;
  for (size_t index = 0; index < count; ++index)
    results.push_back(text.output(each));
  if (predicate) // a lane that does not load keeps the zero it came with
    for (size_t index = 0; index < count; ++index)
      text.tie(index, zero(each));
  std::string place = text.input(address);
  std::string suffix = accessSuffix(count, each, types.size() == 1 && types[0].isInteger(8));
  Values loaded =
      text.emit(text.predicate(predicate) + qualified.str() + suffix + vectorOf(results) + ", [" + place + "];");
  if (shared)
    return unpackWords(loaded, types);
  for (auto [value, type] : llvm::zip_equal(loaded, types))
    value = fromCarrier(value, type);
  return loaded;
}

PtxLowering::Values PtxLowering::store(StringRef qualified, Value address, Value predicate, ValueRange values) {
  Type each = accessType(values.getTypes());
  bool isByte = values.size() == 1 && values[0].getType().isInteger(8);
  Values registers;
  if (values.size() > 1 && values[0].getType().getIntOrFloatBitWidth() < 32)
    registers = packWords(values, each);
  else
    for (Value value : values)
      registers.push_back(toCarrier(value));
  PtxAsm text = ptx();
  std::string place = text.input(address);
  SmallVector<std::string> sources;
  for (Value value : registers)
    sources.push_back(text.input(value));
  return text.emit(text.predicate(predicate) + qualified.str() + accessSuffix(sources.size(), each, isByte) + "[" +
                   place + "], " + vectorOf(sources) + ";");
}

/// ".cs", ".L1::evict_last": PTX takes one of the two, and only the modifier can affect the values read.
template <typename Access> static std::string cacheSuffix(Access op) {
  if (auto cache = op.getCache())
    return ("." + stringifyCacheModifier(*cache)).str();
  if (auto evict = op.getEvict())
    return (".L1::" + stringifyEviction(*evict)).str();
  return "";
}

PtxLowering::Values PtxLowering::lower(LoadSharedOp op, LoadSharedOp::Adaptor in) {
  return load("ld.shared", in.getAddress(), in.getPredicate(), op.getResultTypes());
}
PtxLowering::Values PtxLowering::lower(LoadGlobalOp op, LoadGlobalOp::Adaptor in) {
  std::string qualified = op.getIsVolatile() ? "ld.volatile.global" : "ld.global" + cacheSuffix(op);
  return load(qualified, in.getAddress(), in.getPredicate(), op.getResultTypes());
}
PtxLowering::Values PtxLowering::lower(StoreSharedOp, StoreSharedOp::Adaptor in) {
  return store("st.shared", in.getAddress(), in.getPredicate(), in.getValues());
}
PtxLowering::Values PtxLowering::lower(StoreAsyncOp, StoreAsyncOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string place = text.input(in.getAddress());
  SmallVector<std::string> words;
  for (Value word : in.getWords())
    words.push_back(text.input(word));
  std::string counter = text.input(in.getMbarrier());
  return text.emit("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes" +
                   accessSuffix(words.size(), in.getWords()[0].getType(), /*isByte=*/false) + "[" + place + "], " +
                   vectorOf(words) + ", [" + counter + "];");
}
PtxLowering::Values PtxLowering::lower(StoreGlobalOp op, StoreGlobalOp::Adaptor in) {
  return store("st.global" + cacheSuffix(op), in.getAddress(), in.getPredicate(), in.getValues());
}

//===--- Asynchronous copies --------------------------------------------------------------------------------------===//

PtxLowering::Values PtxLowering::lower(CpAsyncOp op, CpAsyncOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string destination = text.input(in.getDestination()), source = text.input(in.getSource());
  std::string size = in.getSourceBytes() ? ", " + text.input(in.getSourceBytes()) : "";
  StringRef cache = stringifyCacheModifier(op.getCache().value_or(CacheModifier::CA));
  return text.emit(text.predicate(in.getPredicate()) + "cp.async." + cache.str() + ".shared.global [" + destination +
                   "], [" + source + "], " + std::to_string(op.getBytes()) + size + ";");
}

PtxLowering::Values PtxLowering::lower(CpAsyncCommitOp, CpAsyncCommitOp::Adaptor) {
  return plain("cp.async.commit_group;");
}
PtxLowering::Values PtxLowering::lower(CpAsyncWaitOp op, CpAsyncWaitOp::Adaptor) {
  return plain("cp.async.wait_group " + Twine(op.getPendings()) + ";");
}
PtxLowering::Values PtxLowering::lower(CpAsyncArriveOp, CpAsyncArriveOp::Adaptor in) {
  PtxAsm text = ptx();
  return text.emit("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [" + text.input(in.getAddress()) + "];");
}

//===--- Matrix moves ---------------------------------------------------------------------------------------------===//

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

} // namespace tawa::sm90
