// See MachineProducts.h.
#include "compiler/verify/MachineProducts.h"

#include "compiler/dialect/SM90/SM90.h"

using namespace mlir;

namespace tawa::verify {

namespace {

constexpr int64_t kRowsOfGroup = 8; // of a core matrix
constexpr int64_t kStepBytes = 32;  // of K, that one instruction reads
constexpr int64_t kRowsOfA = 64;

/// The fields of a matrix descriptor (PTX ISA, wgmma), in bytes.
struct Descriptor {
  int64_t start, leading, stride, width;
};

Descriptor decode(uint64_t bits) {
  constexpr uint64_t kField = 0x3fff;
  constexpr int64_t kWidths[] = {16, 128, 64, 32}; // by the two bits that say the swizzle
  auto bytes = [](uint64_t field) { return static_cast<int64_t>((field & kField) << 4); };
  return {bytes(bits), bytes(bits >> 16), bytes(bits >> 32), kWidths[bits >> 62]};
}

/// The bytes between the first and the last of an operand: groups of 8 rows (of the dimension that is not contiguous)
/// and pieces of the swizzle's width (along the one that is). Swizzling moves bytes within 8 such pieces.
Range extentOf(const Descriptor &descriptor, int64_t mn, bool mnMajor, int64_t elementBytes) {
  int64_t k = kStepBytes / elementBytes;
  int64_t fastBytes = (mnMajor ? mn : k) * elementBytes, slow = mnMajor ? k : mn;
  int64_t alongFast = descriptor.leading, alongSlow = descriptor.stride;
  if (mnMajor && descriptor.width == 16)
    std::swap(alongFast, alongSlow);
  int64_t pieces = std::max<int64_t>(1, fastBytes / descriptor.width), groups = slow / kRowsOfGroup;
  int64_t pattern = kRowsOfGroup * descriptor.width;
  int64_t begin = descriptor.start / pattern * pattern;
  return {begin, begin + (pieces - 1) * alongFast + (groups - 1) * alongSlow + pattern};
}

std::optional<Range> operandRange(const Context &context, Value value, int64_t mn, bool mnMajor, Type element) {
  Number number = context.value(value);
  if (!number.isInteger() || !number.shared || number.shift != 4 || number.step != 0 || number.spread != 0 ||
      number.symbol >= 0)
    return std::nullopt;
  int64_t elementBytes = sm90::elementBits(element) / 8;
  return extentOf(decode(static_cast<uint64_t>(number.offset)), mn, mnMajor, elementBytes);
}

} // namespace

std::optional<Ranges> readByProduct(const Context &context) {
  Operation *op = context.instruction.op;
  Ranges ranges;
  auto add = [&](std::optional<Range> range) {
    if (range)
      ranges.push_back(*range);
    return range.has_value();
  };
  if (auto product = dyn_cast<sm90::WgmmaOp>(op)) {
    bool known = add(operandRange(context, product.getDescA(), kRowsOfA, product.getTransA(), product.getAType())) &&
                 add(operandRange(context, product.getDescB(), product.getResult().getType().getN(),
                                  product.getTransB(), product.getBType()));
    return known ? std::optional(ranges) : std::nullopt;
  }
  auto product = cast<sm90::WgmmaRsOp>(op);
  bool known = add(operandRange(context, product.getDescB(), product.getResult().getType().getN(), product.getTransB(),
                                product.getBType()));
  return known ? std::optional(ranges) : std::nullopt;
}

bool fencedOperands(Operation *product) {
  auto fromRegisters = dyn_cast<sm90::WgmmaRsOp>(product);
  if (!fromRegisters)
    return true;
  Operation *fence = product->getPrevNode();
  while (fence && !isa<sm90::WgmmaFenceOp>(fence))
    fence = fence->getPrevNode();
  for (Value operand : {fromRegisters.getA0(), fromRegisters.getA1(), fromRegisters.getA2(), fromRegisters.getA3()}) {
    Operation *maker = operand.getDefiningOp();
    if (maker && maker->getBlock() == product->getBlock() && (!fence || fence->isBeforeInBlock(maker)))
      return false;
  }
  return true;
}

} // namespace tawa::verify
