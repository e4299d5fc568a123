// ThreadPosition.cpp: the parts of linear maps that depend on lane and warp, and the owners of elements.
#include "compiler/target/hopper/TawaToSM90/ThreadPosition.h"

using namespace mlir;

namespace tawa {

Value ThreadPosition::applyBases(Location loc, ArrayRef<uint32_t> laneBases, ArrayRef<uint32_t> warpBases) const {
  if (linear) { // a run of bits across lanes and warps stays one run
    SmallVector<uint32_t> bases(laneBases);
    bases.resize(llvm::Log2_32(kLanes), 0);
    llvm::append_range(bases, warpBases);
    return builder.applyBases(loc, linear, bases);
  }
  Value own = builder.applyBases(loc, lane, laneBases);
  if (llvm::all_of(warpBases, [](uint32_t basis) { return basis == 0; }))
    return own;
  return builder.create<arith::XOrIOp>(loc, own, builder.applyBases(loc, warp, warpBases));
}

Value ThreadPosition::ownsElements(Location loc, const LinearLayout &layout) const {
  Copies copies = findCopies(layout);
  return builder.both(loc, builder.bitsAreClear(loc, lane, copies.lanes),
                      builder.bitsAreClear(loc, warp, copies.warps));
}

Values ThreadPosition::coordinates(Location loc, const LinearLayout &layout, unsigned dim) const {
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
  Value own = builder.constant(loc, 0);
  if (linear)
    own = applyBases(loc, lanes, warps);
  else if (laneReach)
    own = builder.applyBases(loc, lane, lanes);
  if (warpReach && !linear) {
    Value ofWarp = builder.applyBases(loc, warp, warps);
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
      result.push_back(builder.create<arith::XOrIOp>(loc, own, builder.constant(loc, part)));
    else // a sum, which addresses can take apart again
      result.push_back(
          builder.create<arith::AddIOp>(loc, own, builder.constant(loc, part), arith::IntegerOverflowFlags::nsw));
  }
  return result;
}

Value ThreadPosition::actsForRole(Location loc) const {
  if (isSingle)
    return {};
  Value first = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, lane, builder.constant(loc, 0));
  if (warps == 1)
    return first;
  return builder.both(loc, first,
                      builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, warp, builder.constant(loc, 0)));
}

} // namespace tawa
