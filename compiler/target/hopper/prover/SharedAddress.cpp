// Abstract interpretation of shared-memory addresses: a base, a slot number, and an interval of bytes.
#include "compiler/target/hopper/prover/SharedAddress.h"

#include "compiler/roles/prover/RoleProgram.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <bit>
#include <functional>
#include <numeric>

using namespace mlir;

namespace tawa::verify {

static constexpr int64_t kSharedWindow = 0x3ffff; // what a matrix descriptor keeps of an address
static constexpr uint64_t kAddressField = 0x3fff; // where it keeps it
static constexpr int64_t kDescriptorUnit = 16;
static constexpr int64_t kMostValues = 1024; // of a loop's counter; of more, only the largest counts

/// Those that numbers from 0 to `high` may have.
static uint64_t bitsUpTo(int64_t high) {
  return high < 0 || high >= kAnywhere ? UINT64_MAX : std::bit_ceil(static_cast<uint64_t>(high) + 1) - 1;
}

static Place between(int64_t low, int64_t high, uint64_t bits) {
  Place place;
  place.low = low;
  place.high = high;
  place.bits = bits;
  return place;
}

static Place between(int64_t low, int64_t high) { return between(low, high, bitsUpTo(high)); }

static Place exactly(int64_t value) { return between(value, value, static_cast<uint64_t>(value)); }

/// Any nonnegative address.
static Place unknown() { return between(0, kAnywhere); }

static bool isNumber(const Place &place) { return !place.shared && !place.number && !place.isDescriptor; }

/// Of the counter of a loop with known bounds.
static std::optional<Place> rangeOfCounter(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || loop.getInductionVar() != value)
    return std::nullopt;
  auto first = constantValue(loop.getLowerBound()), end = constantValue(loop.getUpperBound()),
       step = constantValue(loop.getStep());
  if (!first || !end || !step || *step <= 0 || *first < 0)
    return std::nullopt;
  int64_t last = *first + std::max<int64_t>(*end - 1 - *first, 0) / *step * *step;
  if ((last - *first) / *step > kMostValues)
    return between(*first, last);
  uint64_t bits = 0;
  for (int64_t value = *first; value <= last; value += *step)
    bits |= static_cast<uint64_t>(value);
  return between(*first, last, bits);
}

/// Of numbers whose bits are put together, by or, xor, or a sum without a carry.
static Place combined(const Place &left, const Place &right) {
  bool areNumbers = isNumber(left) && isNumber(right) && std::min(left.low, right.low) >= 0 &&
                    std::max(left.high, right.high) < kAnywhere;
  uint64_t bits = left.bits | right.bits;
  return areNumbers ? between(0, static_cast<int64_t>(bits), bits) : unknown();
}

Place SharedAddresses::of(Value address) {
  if (auto found = known.find(address); found != known.end())
    return found->second;
  Place place = compute(address);
  return known[address] = place;
}

Place SharedAddresses::computeSum(Place left, Place right) {
  if (right.shared || right.isDescriptor)
    std::swap(left, right);
  bool isSlotClear = !left.number || !right.number || (left.number == right.number && left.depth == right.depth);
  if (right.shared || right.isDescriptor || !isSlotClear)
    return unknown();
  int64_t unit = left.isDescriptor ? kDescriptorUnit : 1;
  left.low += unit * right.low;
  left.high += unit * right.high;
  left.bits = (left.bits & right.bits) == 0 ? left.bits | right.bits : bitsUpTo(left.high);
  if (right.number) {
    left.number = right.number;
    left.depth = right.depth;
    left.stride += unit * right.stride;
  }
  return left;
}

Place SharedAddresses::scaled(Place place, int64_t factor) {
  if (place.shared || place.isDescriptor || factor < 0 || place.low < 0)
    return unknown();
  place.low *= factor;
  place.high = std::min(kAnywhere, place.high * factor);
  place.stride *= factor;
  place.bits = std::has_single_bit(static_cast<uint64_t>(factor)) ? place.bits * factor : bitsUpTo(place.high);
  return place;
}

Place SharedAddresses::compute(Value value) {
  if (const std::vector<uint32_t> *own = threads.of(value)) {
    auto begin = own->begin() + first, end = begin + count;
    auto [low, high] = std::minmax_element(begin, end);
    uint32_t bits = std::accumulate(begin, end, 0U, std::bit_or<>());
    return between(static_cast<int32_t>(*low), static_cast<int32_t>(*high), bits);
  }
  Operation *op = value.getDefiningOp();
  if (auto constant = constantValue(value))
    return exactly(*constant);
  if (auto range = rangeOfCounter(value))
    return *range;
  if (isa_and_nonnull<sm90::SharedBaseOp>(op)) {
    Place place = exactly(0);
    place.shared = true;
    return place;
  }
  if (auto read = dyn_cast_or_null<sm90::SpecialRegisterOp>(op))
    return read.getWhich() == sm90::SpecialRegister::ClusterCtaRank ? between(0, cluster - 1) : unknown();
  if (isa_and_nonnull<arith::AddIOp>(op))
    return computeSum(of(op->getOperand(0)), of(op->getOperand(1)));
  if (isa_and_nonnull<arith::ExtUIOp>(op))
    return of(op->getOperand(0));
  auto constant = op && op->getNumOperands() == 2 ? constantValue(op->getOperand(1)) : std::nullopt;
  if (isa_and_nonnull<arith::XOrIOp, arith::OrIOp>(op) && !constant)
    return combined(of(op->getOperand(0)), of(op->getOperand(1)));
  return constant ? computeWithConstant(op, *constant) : unknown();
}

Place SharedAddresses::computeWithConstant(Operation *op, int64_t constant) {
  Place place = of(op->getOperand(0));
  if (isa<arith::RemUIOp>(op) && constant > 0) {
    place = exactly(0);
    place.number = op->getOperand(0);
    place.depth = constant;
    place.stride = 1;
    return place;
  }
  if (isa<arith::DivUIOp>(op) && constant > 0)
    return isNumber(place) && place.high < kAnywhere ? between(place.low / constant, place.high / constant) : unknown();
  if (isa<arith::SubIOp>(op))
    return computeSum(place, exactly(-constant));
  if (isa<arith::MulIOp>(op))
    return scaled(place, constant);
  if (isa<arith::ShLIOp>(op))
    return scaled(place, int64_t(1) << constant);
  if (isa<arith::AndIOp>(op))
    return place.shared && constant == kSharedWindow ? place : between(0, constant);
  if (isa<arith::ShRUIOp>(op)) {
    bool isAddress = place.shared && !place.isDescriptor && constant == 4;
    if (isAddress)
      place.isDescriptor = true;
    return isAddress ? place : unknown();
  }
  if (isa<arith::XOrIOp>(op) && constant >= 0)
    return combined(place, exactly(constant));
  bool setsFields = isa<arith::OrIOp>(op) && place.isDescriptor && (constant & kAddressField) == 0;
  if (!setsFields)
    return unknown();
  place.fields |= static_cast<uint64_t>(constant);
  return place;
}

std::optional<Parity> SharedAddresses::parityOf(Value value) {
  Parity parity;
  if (auto constant = constantValue(value)) {
    parity.constant = static_cast<unsigned>(*constant);
    return *constant == 0 || *constant == 1 ? std::optional(parity) : std::nullopt;
  }
  if (auto inverted = value.getDefiningOp<arith::XOrIOp>()) {
    if (constantValue(inverted.getRhs()) != 1)
      return std::nullopt;
    parity.inverted = true;
    value = inverted.getLhs();
  }
  auto bit = value.getDefiningOp<arith::AndIOp>();
  if (!bit || constantValue(bit.getRhs()) != 1)
    return std::nullopt;
  parity.number = bit.getLhs();
  auto round = parity.number.getDefiningOp<arith::DivUIOp>();
  if (auto depth = round ? constantValue(round.getRhs()) : std::nullopt) {
    parity.number = round.getLhs();
    parity.depth = *depth;
  }
  return parity;
}

} // namespace tawa::verify
