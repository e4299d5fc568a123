// Bytes.cpp: packs four 8-bit elements into a word, depending on where they come from.
//
// Elements unpacked from words are moved by byte permutations (prmt): one where they come from two words, else one for
// each half and one for both. Halves that take the same byte of two words are gathered together with the neighbouring
// byte's half, which the next word of a transposed tile needs: 4 x 4 bytes take 8 permutations. Elements just narrowed
// from f32 take one conversion for two.
#include "compiler/target/hopper/TawaToSM90/MachineBuilder.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

namespace {

/// Byte `number` of a word of 32 bits.
struct ByteOf {
  Value word;
  unsigned number = 0;
};

/// Half `number` of a word.
struct HalfOf {
  Value word;
  unsigned number = 0;
};

} // namespace

/// The word that an element was unpacked from.
static std::optional<ByteOf> byteOf(Value element) {
  if (auto cast = element.getDefiningOp<arith::BitcastOp>())
    element = cast.getIn();
  auto cut = element.getDefiningOp<arith::TruncIOp>();
  if (!cut || !cut.getIn().getType().isInteger(32) || !cut.getType().isInteger(8)) // a truth value is one bit of it
    return std::nullopt;
  auto shift = cut.getIn().getDefiningOp<arith::ShRUIOp>();
  APInt distance;
  if (shift && matchPattern(shift.getRhs(), m_ConstantInt(&distance)) && distance.urem(8) == 0 && distance.ult(32))
    return ByteOf{shift.getLhs(), static_cast<unsigned>(distance.getZExtValue() / 8)};
  return ByteOf{cut.getIn(), 0};
}

/// Two bytes of two words as half of one. Neighbouring numbers share the word of both halves.
static HalfOf gatherHalf(OpBuilder &builder, Location loc, const ByteOf &low, const ByteOf &high) {
  int32_t first = low.number / 2 * 2;
  bool shares = low.number == high.number;
  SmallVector<int32_t> bytes = {first, first + 4, first + 1, first + 5};
  if (!shares)
    bytes = {static_cast<int32_t>(low.number), static_cast<int32_t>(high.number) + 4, 0, 0};
  Value word = builder.create<sm90::BytePermuteOp>(loc, low.word, high.word, bytes);
  return {word, shares ? low.number % 2 : 0};
}

/// A word of four bytes of other words.
static Value gatherBytes(OpBuilder &builder, Location loc, ArrayRef<ByteOf> bytes) {
  SmallVector<Value> words;
  for (const ByteOf &byte : bytes)
    if (!llvm::is_contained(words, byte.word))
      words.push_back(byte.word);
  if (words.size() > 2) {
    HalfOf low = gatherHalf(builder, loc, bytes[0], bytes[1]), high = gatherHalf(builder, loc, bytes[2], bytes[3]);
    auto at = [](const HalfOf &half, int32_t word) { return static_cast<int32_t>(2 * half.number) + 4 * word; };
    return builder.create<sm90::BytePermuteOp>(
        loc, low.word, high.word, ArrayRef<int32_t>{at(low, 0), at(low, 0) + 1, at(high, 1), at(high, 1) + 1});
  }
  SmallVector<int32_t> numbers;
  for (const ByteOf &byte : bytes)
    numbers.push_back(static_cast<int32_t>(byte.number) + (byte.word == words.front() ? 0 : 4));
  if (numbers == SmallVector<int32_t>{0, 1, 2, 3})
    return words.front();
  return builder.create<sm90::BytePermuteOp>(loc, words.front(), words.back(), numbers);
}

/// Two elements just narrowed with saturation to nearest, as 16 bits; null for others.
static Value narrowPair(OpBuilder &builder, Location loc, Value low, Value high) {
  auto narrowed = [](Value element) -> Value {
    auto conversion = element.getDefiningOp<tt::FpToFpOp>();
    bool isNearest = conversion && conversion.getRounding().value_or(tt::RoundingMode::RTNE) == tt::RoundingMode::RTNE;
    return isNearest && conversion.getSrc().getType().isF32() ? conversion.getSrc() : Value();
  };
  Value first = narrowed(low), second = narrowed(high);
  if (!first || !second)
    return {};
  return builder.create<sm90::CvtFp8PackOp>(loc, first, second, low.getType());
}

Value MachineBuilder::packBytePair(Location loc, Value low, Value high) {
  if (Value narrow = narrowPair(*this, loc, low, high))
    return narrow;
  Type half = getI16Type();
  auto first = byteOf(low), second = byteOf(high);
  bool areNeighbours = first && second && first->word == second->word && first->number % 2 == 0;
  if (areNeighbours && second->number == first->number + 1) {
    Value word = first->word;
    if (first->number != 0)
      word = create<arith::ShRUIOp>(loc, word, constant(loc, 16));
    return create<arith::TruncIOp>(loc, half, word);
  }
  auto wide = [&](Value element) -> Value { return create<arith::ExtUIOp>(loc, half, toBits(loc, element)); };
  Value distance = create<arith::ConstantOp>(loc, getI16IntegerAttr(8));
  Value raised = create<arith::ShLIOp>(loc, wide(high), distance);
  return create<arith::OrIOp>(loc, wide(low), raised);
}

Value MachineBuilder::packBytes(Location loc, ArrayRef<Value> four) {
  SmallVector<ByteOf> bytes;
  for (Value element : four)
    if (auto byte = byteOf(element))
      bytes.push_back(*byte);
  if (bytes.size() == four.size())
    return gatherBytes(*this, loc, bytes);
  Type word = getI32Type();
  auto wide = [&](Value bits) -> Value { return create<arith::ExtUIOp>(loc, word, bits); };
  auto pair = [&](Value low, Value high) -> Value { // as the low half of a word
    if (Value narrow = narrowPair(*this, loc, low, high))
      return wide(narrow);
    Value raised = create<arith::ShLIOp>(loc, wide(toBits(loc, high)), constant(loc, 8));
    return create<arith::OrIOp>(loc, wide(toBits(loc, low)), raised);
  };
  Value low = pair(four[0], four[1]), high = pair(four[2], four[3]);
  return create<sm90::BytePermuteOp>(loc, low, high, ArrayRef<int32_t>{0, 1, 4, 5});
}

/// Where both come from the same two words, as when neighbouring words are swapped, one permutation with its selector
/// in a register does both.
Value MachineBuilder::packBytesOrOthers(Location loc, ArrayRef<Value> four, ArrayRef<Value> others, Value wantsOthers) {
  Value word = packBytes(loc, four), other = packBytes(loc, others);
  auto permuted = word.getDefiningOp<sm90::BytePermuteOp>(), instead = other.getDefiningOp<sm90::BytePermuteOp>();
  bool isOne = permuted && instead && permuted.getA() == instead.getA() && permuted.getB() == instead.getB();
  if (!isOne)
    return create<arith::SelectOp>(loc, wantsOthers, other, word);
  Value selector =
      create<arith::SelectOp>(loc, wantsOthers, constant(loc, instead.selector()), constant(loc, permuted.selector()));
  return create<sm90::BytePermuteByOp>(loc, getI32Type(), permuted.getA(), permuted.getB(), selector);
}

} // namespace tawa
