// Elements.cpp: elements of any type as machine values. An element in a register is a scalar of its own type (pointers
// are LLVM pointers); in memory it takes a whole number of bytes (i1 one, a pointer eight); moved in a vector access or
// a shuffle it is packed into words of 32 bits. Also: which thread holds what, as code.
#include "compiler/conversion/TawaToSM90/Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa {

static constexpr unsigned kWordBits = 32;

Type KernelLowering::machineType(Type element) {
  if (isa<tt::PointerType>(element))
    return LLVM::LLVMPointerType::get(builder.getContext(), 1);
  return element;
}

unsigned storageBits(Type machineElement) {
  if (isa<LLVM::LLVMPointerType, tt::PointerType>(machineElement))
    return 64;
  return std::max(8u, machineElement.getIntOrFloatBitWidth());
}

//===--- Bits
//-----------------------------------------------------------------------------------------------------------===//

Value KernelLowering::toBits(Location loc, Value value) {
  Type type = value.getType(), bits = builder.getIntegerType(storageBits(type));
  if (type == bits)
    return value;
  if (isa<LLVM::LLVMPointerType>(type))
    return builder.create<LLVM::PtrToIntOp>(loc, bits, value);
  if (type.isInteger(1))
    return builder.create<arith::ExtUIOp>(loc, bits, value);
  return builder.create<arith::BitcastOp>(loc, bits, value);
}

Value KernelLowering::fromBits(Location loc, Value bits, Type machineElement) {
  if (bits.getType() == machineElement)
    return bits;
  if (isa<LLVM::LLVMPointerType>(machineElement))
    return builder.create<LLVM::IntToPtrOp>(loc, machineElement, bits);
  if (machineElement.isInteger(1)) // any byte but 0 is true
    return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, bits, zero(loc, bits.getType()));
  return builder.create<arith::BitcastOp>(loc, machineElement, bits);
}

Value KernelLowering::zero(Location loc, Type machineElement) {
  if (isa<LLVM::LLVMPointerType>(machineElement))
    return builder.create<LLVM::ZeroOp>(loc, machineElement);
  return builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(machineElement));
}

Value KernelLowering::select(Location loc, Value condition, Value yes, Value no) {
  return yes == no ? yes : builder.create<arith::SelectOp>(loc, condition, yes, no).getResult();
}

//===--- Words
//----------------------------------------------------------------------------------------------------------===//

/// Elements of less than 32 bits that share a word, of `count` in all.
static unsigned perWord(unsigned bits, unsigned count) {
  return bits >= kWordBits ? 1 : std::min(count, kWordBits / bits);
}

SmallVector<Type> KernelLowering::wordTypes(Type machineElement, unsigned count) {
  unsigned bits = storageBits(machineElement), packed = perWord(bits, count);
  bool asItIs = packed == 1 && isa<FloatType>(machineElement) && bits >= kWordBits;
  Type word = asItIs ? machineElement : builder.getIntegerType(bits * packed);
  return SmallVector<Type>(count / packed, word);
}

KernelLowering::Values KernelLowering::packWords(Location loc, ArrayRef<Value> elements) {
  Type element = elements.front().getType();
  unsigned bits = storageBits(element), packed = perWord(bits, elements.size());
  Values words;
  for (size_t first = 0; first < elements.size(); first += packed) {
    if (packed == 1) {
      words.push_back(isa<FloatType>(element) && bits >= kWordBits ? elements[first] : toBits(loc, elements[first]));
      continue;
    }
    if (packed == 2 && bits == 16) {
      words.push_back(pack(loc, elements[first], elements[first + 1]));
      continue;
    }
    if (packed == 4 && bits == 8) {
      words.push_back(packBytes(loc, elements.slice(first, packed)));
      continue;
    }
    Type type = builder.getIntegerType(bits * packed);
    Value word;
    for (unsigned i = 0; i < packed; ++i) {
      Value part = builder.create<arith::ExtUIOp>(loc, type, toBits(loc, elements[first + i]));
      if (i != 0) {
        Value amount = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, int64_t(bits) * i));
        part = builder.create<arith::OrIOp>(loc, word, builder.create<arith::ShLIOp>(loc, part, amount));
      }
      word = part;
    }
    words.push_back(word);
  }
  return words;
}

KernelLowering::Values KernelLowering::unpackWords(Location loc, ValueRange words, Type machineElement,
                                                   unsigned count) {
  unsigned bits = storageBits(machineElement), packed = perWord(bits, count);
  Type part = builder.getIntegerType(bits);
  Values elements;
  for (Value word : words)
    for (unsigned i = 0; i < packed; ++i) {
      Value shifted = word;
      if (i != 0) {
        Value amount =
            builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(word.getType(), int64_t(bits) * i));
        shifted = builder.create<arith::ShRUIOp>(loc, word, amount);
      }
      if (packed != 1)
        shifted = builder.create<arith::TruncIOp>(loc, part, shifted);
      elements.push_back(fromBits(loc, shifted, machineElement));
    }
  return elements;
}

//===--- Shuffles
//-------------------------------------------------------------------------------------------------------===//

KernelLowering::Values KernelLowering::shuffle(Location loc, sm90::ShuffleMode mode, ArrayRef<Value> elements,
                                               Value lane) {
  Type element = elements.front().getType(), word = builder.getI32Type(), wide = builder.getI64Type();
  auto move = [&](Value value) -> Value {
    return builder.create<sm90::ShuffleOp>(loc, value.getType(), mode, value, lane);
  };
  Values moved;
  for (Value packed : packWords(loc, elements)) {
    unsigned bits = packed.getType().getIntOrFloatBitWidth();
    if (bits == kWordBits) {
      moved.push_back(move(packed));
    } else if (bits < kWordBits) {
      Value narrow = move(builder.create<arith::ExtUIOp>(loc, word, packed));
      moved.push_back(builder.create<arith::TruncIOp>(loc, packed.getType(), narrow));
    } else {
      Value both = isa<FloatType>(packed.getType()) ? toBits(loc, packed) : packed;
      Value half = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(kWordBits));
      Value low = move(builder.create<arith::TruncIOp>(loc, word, both));
      Value high =
          move(builder.create<arith::TruncIOp>(loc, word, builder.create<arith::ShRUIOp>(loc, both, half).getResult()));
      Value lowWide = builder.create<arith::ExtUIOp>(loc, wide, low);
      Value highWide =
          builder.create<arith::ShLIOp>(loc, builder.create<arith::ExtUIOp>(loc, wide, high).getResult(), half);
      moved.push_back(builder.create<arith::OrIOp>(loc, highWide, lowWide));
    }
  }
  return unpackWords(loc, moved, element, elements.size());
}

//===--- Who holds what
//-------------------------------------------------------------------------------------------------===//

Value KernelLowering::bitsAreClear(Location loc, Value index, uint32_t mask) {
  if (mask == 0)
    return {};
  Value bits = builder.create<arith::AndIOp>(loc, index, constant(loc, mask));
  return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, bits, constant(loc, 0));
}

Value KernelLowering::both(Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return builder.create<arith::AndIOp>(loc, a, b);
}

Value KernelLowering::ownsElements(Location loc, const LinearLayout &layout) {
  Copies copies = findCopies(layout);
  return both(loc, bitsAreClear(loc, lane, copies.lanes), bitsAreClear(loc, roleWarp, copies.warps));
}

KernelLowering::Values KernelLowering::coordinates(Location loc, const LinearLayout &layout, unsigned dim) {
  const std::string name = dimName(dim);
  auto basesOf = [&](const char *in, uint32_t &reach) {
    SmallVector<uint32_t> bases;
    for (unsigned bit = 0; bit < layout.inBits(in); ++bit) {
      bases.push_back(layout.basis(in, bit, name));
      reach |= bases.back();
    }
    return bases;
  };
  uint32_t laneReach = 0, warpReach = 0, unused = 0;
  SmallVector<uint32_t> lanes = basesOf("lane", laneReach), warps = basesOf("warp", warpReach),
                        registers = basesOf("register", unused);
  Value own = constant(loc, 0);
  if (thread)
    own = plannedBase(loc, lanes, warps);
  else if (laneReach)
    own = applyBases(loc, lane, lanes);
  if (warpReach && !thread) {
    Value ofWarp = applyBases(loc, roleWarp, warps);
    if (laneReach == 0)
      own = ofWarp;
    else if (laneReach & warpReach)
      own = builder.create<arith::XOrIOp>(loc, own, ofWarp);
    else
      own = builder.create<arith::AddIOp>(loc, own, ofWarp, arith::IntegerOverflowFlags::nsw);
  }
  Values result;
  for (uint32_t index = 0; index < 1u << registers.size(); ++index) {
    uint32_t part = 0;
    for (auto [bit, basis] : llvm::enumerate(registers))
      part ^= index >> bit & 1 ? basis : 0;
    if (part == 0)
      result.push_back(own);
    else if (part & (laneReach | warpReach))
      result.push_back(builder.create<arith::XOrIOp>(loc, own, constant(loc, part)));
    else // a sum, which addresses can take apart again
      result.push_back(builder.create<arith::AddIOp>(loc, own, constant(loc, part), arith::IntegerOverflowFlags::nsw));
  }
  return result;
}

//===--- One for all
//----------------------------------------------------------------------------------------------------===//

Value KernelLowering::actsForRole(Location loc) {
  if (singleThread)
    return {};
  Value first = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, lane, constant(loc, 0));
  if (role.getWarps() == 1)
    return first;
  return both(loc, first, builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, roleWarp, constant(loc, 0)));
}

Value KernelLowering::broadcastFromActor(Location loc, Value value) {
  if (singleThread)
    return value;
  if (role.getWarps() == 1)
    return shuffle(loc, sm90::ShuffleMode::Idx, value, constant(loc, 0)).front();
  Value place = openScratch(loc, storageBits(value.getType()) / 8);
  builder.create<sm90::StoreSharedOp>(loc, place, packWords(loc, value), actsForRole(loc));
  publishScratch(loc);
  auto load = builder.create<sm90::LoadSharedOp>(loc, wordTypes(value.getType(), 1), place, Value());
  return unpackWords(loc, load.getResults(), value.getType(), 1).front();
}

} // namespace tawa
