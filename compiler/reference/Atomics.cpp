// Atomic accesses. Programs run one after another here, so every access is atomic; in a perturbed launch the elements
// of a tile are processed in reverse.
#include "compiler/reference/Access.h"
#include "compiler/reference/Combine.h"
#include "compiler/reference/Numbers.h"

#include <cmath>

using namespace mlir;

namespace tawa::reference {

namespace {

int64_t asSigned(uint64_t bits, Type element) {
  return wrapTo(static_cast<int64_t>(bits), IntegerType::get(element.getContext(), widthOf(element)));
}

/// Whether a sum has digits that numbers a few times as large cannot represent.
bool isFine(double sum, Type element) {
  if (sum == 0 || !std::isfinite(sum))
    return false;
  double large = std::ldexp(1, std::ilogb(sum) + 3);
  return roundTo(large + sum, element) != large + sum;
}

/// Additions of other programs come in between, in orders that no run here has. A sum that is exact in this order loses
/// digits in an order in which it is temporarily larger, so it is perturbed as well.
uint64_t addFloats(uint64_t here, uint64_t bits, Type element, Program &program) {
  double sum = fromBits(here, element) + fromBits(bits, element);
  return bitsOf(isFine(sum, element) ? program.approximate(sum, element, 1) : program.round(sum, element), element);
}

template <typename Compare> uint64_t pick(uint64_t here, uint64_t bits, Type element, Compare isBetter) {
  if (isa<FloatType>(element)) // a NaN loses
    return isBetter(fromBits(bits, element), fromBits(here, element)) || std::isnan(fromBits(here, element)) ? bits
                                                                                                             : here;
  if (element.isUnsignedInteger())
    return isBetter(bits, here) ? bits : here;
  return isBetter(asSigned(bits, element), asSigned(here, element)) ? bits : here;
}

} // namespace

uint64_t combineBits(tt::RMWOp kind, uint64_t here, uint64_t bits, Type element, Program &program) {
  switch (kind) {
  case tt::RMWOp::And:
    return here & bits;
  case tt::RMWOp::Or:
    return here | bits;
  case tt::RMWOp::Xor:
    return here ^ bits;
  case tt::RMWOp::Add:
    return here + bits;
  case tt::RMWOp::FAdd:
    return addFloats(here, bits, element, program);
  case tt::RMWOp::Max:
    return asSigned(here, element) < asSigned(bits, element) ? bits : here;
  case tt::RMWOp::Min:
    return asSigned(bits, element) < asSigned(here, element) ? bits : here;
  case tt::RMWOp::UMax:
    return std::max(here, bits);
  case tt::RMWOp::UMin:
    return std::min(here, bits);
  case tt::RMWOp::Exch:
    return bits;
  }
  return here;
}

uint64_t combineBits(tt::DescriptorReduceKind kind, uint64_t here, uint64_t bits, Type element, Program &program) {
  switch (kind) {
  case tt::DescriptorReduceKind::Add:
    return isa<FloatType>(element) ? addFloats(here, bits, element, program) : here + bits;
  case tt::DescriptorReduceKind::Min:
    return pick(here, bits, element, std::less<>());
  case tt::DescriptorReduceKind::Max:
    return pick(here, bits, element, std::greater<>());
  case tt::DescriptorReduceKind::Inc: // up to the operand, then 0
    return here >= bits ? 0 : here + 1;
  case tt::DescriptorReduceKind::Dec: // from the operand down to 0
    return here == 0 || here > bits ? bits : here - 1;
  case tt::DescriptorReduceKind::And:
    return here & bits;
  case tt::DescriptorReduceKind::Or:
    return here | bits;
  case tt::DescriptorReduceKind::Xor:
    return here ^ bits;
  }
  return here;
}

namespace {

/// Runs update(index, bits in memory) for every element that is not masked; the result is what memory held, or 0.
template <typename Op, typename Update> Status atomically(Op op, const Value *mask, Program &program, Update update) {
  const Value &pointers = program.get(op.getPtr());
  Access access(op, program, tt::elementTypeOf(op.getType()));
  std::vector<uint64_t> old(pointers.size());
  Status status = forEachLane(program.launch, pointers.size(), [&](int64_t index) {
    if (isMasked(mask, index))
      return Status::ok();
    return access.exchange(pointers.pointers[index], old[index], [&](uint64_t here) { return update(index, here); });
  });
  Value result;
  for (uint64_t bits : old)
    access.append(bits, result);
  program.set(op.getResult(), std::move(result));
  return status;
}

Status readModifyWrite(Operation *op, Program &program) {
  auto rmw = cast<tt::AtomicRMWOp>(op);
  const Value &value = program.get(rmw.getVal());
  const Value *mask = rmw.getMask() ? &program.get(rmw.getMask()) : nullptr;
  Type element = tt::elementTypeOf(rmw.getType());
  Access access(op, program, element);
  return atomically(rmw, mask, program, [&](int64_t index, uint64_t here) {
    return combineBits(rmw.getAtomicRmwOp(), here, access.bitsAt(value, index), element, program);
  });
}

Status compareAndSwap(Operation *op, Program &program) {
  auto cas = cast<tt::AtomicCASOp>(op);
  const Value &expected = program.get(cas.getCmp()), &value = program.get(cas.getVal());
  Access access(op, program, tt::elementTypeOf(cas.getType()));
  return atomically(cas, nullptr, program, [&](int64_t index, uint64_t here) {
    return here == access.bitsAt(expected, index) ? access.bitsAt(value, index) : here;
  });
}

} // namespace

void addAtomics(OpTable &table) {
  table["tt.atomic_rmw"] = readModifyWrite;
  table["tt.atomic_cas"] = compareAndSwap;
}

} // namespace tawa::reference
