// Decodes wgmma descriptors to the shared-memory bytes that a wgmma reads.
#include "compiler/target/hopper/prover/MachineProducts.h"

#include "compiler/target/hopper/SM90/SM90.h"

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

/// The byte extent of an operand: groups of 8 rows (of the dimension that is not contiguous) and pieces of the
/// swizzle's / width (along the one that is). Swizzling moves bytes within 8 such pieces.
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

} // namespace

llvm::SmallVector<ProductOperand, 2> sharedOperandsOf(Operation *product) {
  if (auto op = dyn_cast<sm90::WgmmaOp>(product))
    return {{op.getDescA(), kRowsOfA, op.getTransA(), op.getAType()},
            {op.getDescB(), op.getResult().getType().getN(), op.getTransB(), op.getBType()}};
  auto op = cast<sm90::WgmmaRsOp>(product);
  return {{op.getDescB(), op.getResult().getType().getN(), op.getTransB(), op.getBType()}};
}

Range extentOf(const ProductOperand &operand, uint64_t fields, int64_t start) {
  Descriptor descriptor = decode(fields);
  descriptor.start = start;
  return extentOf(descriptor, operand.mn, operand.mnMajor, sm90::elementBits(operand.element) / 8);
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
