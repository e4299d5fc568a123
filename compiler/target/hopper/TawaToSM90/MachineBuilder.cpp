// MachineBuilder.cpp: indices, conditions, elements and words. Bytes.cpp packs elements of 8 bits.
#include "compiler/target/hopper/TawaToSM90/MachineBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

static constexpr unsigned kWordBits = 32;

Type MachineBuilder::machineType(Type element) {
  if (isa<tt::PointerType>(element))
    return LLVM::LLVMPointerType::get(getContext(), 1);
  return element;
}

unsigned storageBits(Type machineElement) {
  if (isa<LLVM::LLVMPointerType, tt::PointerType>(machineElement))
    return 64;
  return std::max(8u, machineElement.getIntOrFloatBitWidth());
}

//===--- Indices ---===//

Value MachineBuilder::constant(Location loc, uint32_t value) {
  return create<arith::ConstantOp>(loc, getI32IntegerAttr(value));
}

Value MachineBuilder::add(Location loc, Value base, uint32_t offset) {
  return offset == 0 ? base : create<arith::AddIOp>(loc, base, constant(loc, offset));
}

/// Index bits that a linear map shifts by the same distance, with the target position of each.
using Diagonals = llvm::SmallMapVector<int, uint32_t, 8>;

static Diagonals diagonalsOf(ArrayRef<uint32_t> bases) {
  Diagonals diagonals;
  for (auto [bit, basis] : llvm::enumerate(bases))
    for (uint32_t rest = basis; rest; rest &= rest - 1)
      diagonals[llvm::countr_zero(rest) - static_cast<int>(bit)] |= 1u << bit;
  return diagonals;
}

Value MachineBuilder::applyBases(Location loc, Value index, ArrayRef<uint32_t> bases) {
  Value result;
  auto include = [&](Value term) { result = result ? create<arith::XOrIOp>(loc, result, term).getResult() : term; };
  Diagonals diagonals = diagonalsOf(bases);
  size_t used = llvm::count_if(bases, [](uint32_t basis) { return basis != 0; });
  if (2 * diagonals.size() <= 3 * used) { // an AND and a shift for each distance
    for (auto [distance, mask] : diagonals) {
      Value term =
          mask == (1u << bases.size()) - 1 ? index : create<arith::AndIOp>(loc, index, constant(loc, mask)).getResult();
      if (distance > 0)
        term = create<arith::ShLIOp>(loc, term, constant(loc, distance));
      if (distance < 0)
        term = create<arith::ShRUIOp>(loc, term, constant(loc, -distance));
      include(term);
    }
    return result ? result : constant(loc, 0);
  }
  for (auto [bit, basis] : llvm::enumerate(bases)) {
    if (basis == 0)
      continue;
    // Bit `bit` of the index, spread to the mask 0 or -1 and cut to the basis.
    Value shifted = create<arith::ShLIOp>(loc, index, constant(loc, 31 - bit));
    Value mask = create<arith::ShRSIOp>(loc, shifted, constant(loc, 31));
    include(create<arith::AndIOp>(loc, mask, constant(loc, basis)));
  }
  return result ? result : constant(loc, 0);
}

Value MachineBuilder::gatherBits(Location loc, Value index, uint32_t mask, unsigned bits) {
  SmallVector<uint32_t> bases;
  for (unsigned bit = 0, position = 0; bit < bits; ++bit)
    bases.push_back(mask >> bit & 1 ? 1u << position++ : 0);
  return applyBases(loc, index, bases);
}

Value MachineBuilder::hasOddBits(Location loc, Value index, uint32_t mask) {
  SmallVector<uint32_t> bases;
  for (; mask; mask >>= 1)
    bases.push_back(mask & 1);
  if (bases.empty())
    return {};
  Value parity = applyBases(loc, index, bases);
  return create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, parity, constant(loc, 0));
}

Value MachineBuilder::plannedAddress(Location loc, Value tile, Value own, uint32_t xorBytes, uint32_t immediate) {
  uint32_t variable = xorBytes & ~immediate;
  Value offset = variable ? create<arith::XOrIOp>(loc, own, constant(loc, variable)).getResult() : own;
  return add(loc, create<arith::AddIOp>(loc, tile, offset), immediate);
}

//===--- Bits ---------------------------------------------------------------------------------------------------===//

Value MachineBuilder::toBits(Location loc, Value value) {
  Type type = value.getType(), bits = getIntegerType(storageBits(type));
  if (type == bits)
    return value;
  if (isa<LLVM::LLVMPointerType>(type))
    return create<LLVM::PtrToIntOp>(loc, bits, value);
  if (type.isInteger(1))
    return create<arith::ExtUIOp>(loc, bits, value);
  return create<arith::BitcastOp>(loc, bits, value);
}

Value MachineBuilder::fromBits(Location loc, Value bits, Type machineElement) {
  if (bits.getType() == machineElement)
    return bits;
  if (isa<LLVM::LLVMPointerType>(machineElement))
    return create<LLVM::IntToPtrOp>(loc, machineElement, bits);
  if (machineElement.isInteger(1)) // any byte but 0 is true
    return create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, bits, zero(loc, bits.getType()));
  return create<arith::BitcastOp>(loc, machineElement, bits);
}

Value MachineBuilder::zero(Location loc, Type machineElement) {
  if (isa<LLVM::LLVMPointerType>(machineElement))
    return create<LLVM::ZeroOp>(loc, machineElement);
  return create<arith::ConstantOp>(loc, getZeroAttr(machineElement));
}

Value MachineBuilder::select(Location loc, Value condition, Value yes, Value no) {
  return yes == no ? yes : create<arith::SelectOp>(loc, condition, yes, no).getResult();
}

//===--- Words --------------------------------------------------------------------------------------------------===//

/// Elements of less than 32 bits that share a word, of `count` in all.
static unsigned perWord(unsigned bits, unsigned count) {
  return bits >= kWordBits ? 1 : std::min(count, kWordBits / bits);
}

SmallVector<Type> MachineBuilder::wordTypes(Type machineElement, unsigned count) {
  unsigned bits = storageBits(machineElement), packed = perWord(bits, count);
  bool asItIs = packed == 1 && isa<FloatType>(machineElement) && bits >= kWordBits;
  Type word = asItIs ? machineElement : getIntegerType(bits * packed);
  return SmallVector<Type>(count / packed, word);
}

/// The register whose halves are two 16-bit elements; null where there is none.
static Value wordOfHalves(Value low, Value high) {
  auto bitsOf = [](Value element) {
    auto cast = element.getDefiningOp<arith::BitcastOp>();
    return (cast ? cast.getIn() : element).getDefiningOp<arith::TruncIOp>();
  };
  arith::TruncIOp first = bitsOf(low), second = bitsOf(high);
  auto shift = second ? second.getIn().getDefiningOp<arith::ShRUIOp>() : arith::ShRUIOp();
  APInt distance;
  bool isOneWord = first && shift && shift.getLhs() == first.getIn() && first.getIn().getType().isInteger(32) &&
                   matchPattern(shift.getRhs(), m_ConstantInt(&distance)) && distance == 16;
  return isOneWord ? first.getIn() : Value();
}

/// Two 16-bit elements in one register; a pair just narrowed from f32 takes one conversion for both.
Value MachineBuilder::packHalves(Location loc, Value low, Value high) {
  if (Value word = wordOfHalves(low, high))
    return word;
  auto lowCast = low.getDefiningOp<arith::TruncFOp>(), highCast = high.getDefiningOp<arith::TruncFOp>();
  bool fromF32 = lowCast && highCast && lowCast.getIn().getType().isF32() && highCast.getIn().getType().isF32();
  if (fromF32 && (low.getType().isF16() || low.getType().isBF16()))
    return create<sm90::CvtPackOp>(loc, getI32Type(), lowCast.getIn(), highCast.getIn(), TypeAttr::get(low.getType()));
  auto widen = [&](Value value) -> Value {
    Value bits =
        isa<IntegerType>(value.getType()) ? value : create<arith::BitcastOp>(loc, getI16Type(), value).getResult();
    return create<arith::ExtUIOp>(loc, getI32Type(), bits);
  };
  Value shifted = create<arith::ShLIOp>(loc, widen(high), constant(loc, 16));
  return create<arith::OrIOp>(loc, shifted, widen(low));
}

Values MachineBuilder::packWords(Location loc, ArrayRef<Value> elements) {
  Type element = elements.front().getType();
  unsigned bits = storageBits(element), packed = perWord(bits, elements.size());
  Values words;
  for (size_t first = 0; first < elements.size(); first += packed) {
    ArrayRef<Value> part = elements.slice(first, packed);
    if (packed == 1)
      words.push_back(isa<FloatType>(element) && bits >= kWordBits ? part[0] : toBits(loc, part[0]));
    else if (bits == 16)
      words.push_back(packHalves(loc, part[0], part[1]));
    else
      words.push_back(packed == 2 ? packBytePair(loc, part[0], part[1]) : packBytes(loc, part));
  }
  return words;
}

Values MachineBuilder::unpackWords(Location loc, ValueRange words, Type machineElement, unsigned count) {
  unsigned bits = storageBits(machineElement), packed = perWord(bits, count);
  Type part = getIntegerType(bits);
  Values elements;
  for (Value word : words)
    for (unsigned i = 0; i < packed; ++i) {
      Value shifted = word;
      if (i != 0) {
        Value amount = create<arith::ConstantOp>(loc, getIntegerAttr(word.getType(), int64_t(bits) * i));
        shifted = create<arith::ShRUIOp>(loc, word, amount);
      }
      if (packed != 1)
        shifted = create<arith::TruncIOp>(loc, part, shifted);
      elements.push_back(fromBits(loc, shifted, machineElement));
    }
  return elements;
}

//===--- Shuffles -----------------------------------------------------------------------------------------------===//

Values MachineBuilder::shuffle(Location loc, sm90::ShuffleMode mode, ArrayRef<Value> elements, Value lane) {
  Type element = elements.front().getType(), word = getI32Type(), wide = getI64Type();
  auto move = [&](Value value) -> Value { return create<sm90::ShuffleOp>(loc, value.getType(), mode, value, lane); };
  Values moved;
  for (Value packed : packWords(loc, elements)) {
    unsigned bits = packed.getType().getIntOrFloatBitWidth();
    if (bits == kWordBits) {
      moved.push_back(move(packed));
    } else if (bits < kWordBits) {
      Value narrow = move(create<arith::ExtUIOp>(loc, word, packed));
      moved.push_back(create<arith::TruncIOp>(loc, packed.getType(), narrow));
    } else {
      Value both = isa<FloatType>(packed.getType()) ? toBits(loc, packed) : packed;
      Value half = create<arith::ConstantOp>(loc, getI64IntegerAttr(kWordBits));
      Value low = move(create<arith::TruncIOp>(loc, word, both));
      Value high = move(create<arith::TruncIOp>(loc, word, create<arith::ShRUIOp>(loc, both, half).getResult()));
      Value lowWide = create<arith::ExtUIOp>(loc, wide, low);
      Value highWide = create<arith::ShLIOp>(loc, create<arith::ExtUIOp>(loc, wide, high).getResult(), half);
      moved.push_back(create<arith::OrIOp>(loc, highWide, lowWide));
    }
  }
  return unpackWords(loc, moved, element, elements.size());
}

//===--- Conditions ---===//

Value MachineBuilder::bitsAreClear(Location loc, Value index, uint32_t mask) {
  if (mask == 0)
    return {};
  Value bits = create<arith::AndIOp>(loc, index, constant(loc, mask));
  return create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, bits, constant(loc, 0));
}

Value MachineBuilder::both(Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return create<arith::AndIOp>(loc, a, b);
}

} // namespace tawa
