// ConversionPlan.cpp: conversions between register layouts without shared memory, and halving of those too large for
// their scratch. ScratchPlan.cpp finds scratch layouts.
#include "compiler/target/hopper/TawaToSM90/ConversionPlan.h"
#include "compiler/target/hopper/TawaToSM90/Gf2Span.h"

#include <algorithm>
#include <bit>

namespace tawa {

std::vector<uint32_t> packedBases(const LinearLayout &layout, const char *in) {
  std::vector<uint32_t> packed;
  for (unsigned bit = 0; bit < layout.inBits(in); ++bit) {
    uint32_t value = 0;
    unsigned shift = 0;
    for (const LinearLayout::Dim &out : layout.outs()) {
      value |= layout.basis(in, bit, out.name) << shift;
      shift += out.bits;
    }
    packed.push_back(value);
  }
  return packed;
}

uint32_t combineBases(const std::vector<uint32_t> &bases, uint32_t index) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < bases.size(); ++bit)
    if (index >> bit & 1)
      result ^= bases[bit];
  return result;
}

Copies findCopies(const LinearLayout &layout) {
  Span span;
  auto copiesAmong = [&](const char *in) {
    uint32_t mask = 0, bit = 1;
    for (uint32_t basis : packedBases(layout, in)) {
      if (!span.add(basis))
        mask |= bit;
      bit <<= 1;
    }
    return mask;
  };
  Copies copies;
  copies.registers = copiesAmong("register");
  copies.lanes = copiesAmong("lane");
  copies.warps = copiesAmong("warp");
  return copies;
}

//===--- Inside a warp ------------------------------------------------------------------------------------------===//

namespace {

/// Solves for the place of an element in the source: in the thread's own registers if they have it, else in the warp.
class SourceSpan {
public:
  explicit SourceSpan(const LinearLayout &from)
      : lanes(packedBases(from, "lane")), warps(packedBases(from, "warp")), registerBits(from.inBits("register")) {
    std::vector<uint32_t> registers = packedBases(from, "register");
    own.add(registers);
    warp.add(registers);
    warp.add(lanes);
  }
  std::optional<WarpLocalPlan::Source> find(uint32_t element) const {
    if (auto members = own.express(element))
      return WarpLocalPlan::Source{static_cast<uint32_t>(*members), 0};
    auto members = warp.express(element);
    if (!members)
      return std::nullopt;
    uint32_t reg = static_cast<uint32_t>(*members & ((uint64_t(1) << registerBits) - 1));
    return WarpLocalPlan::Source{reg, static_cast<uint32_t>(*members >> registerBits)};
  }
  /// The source lane bit for bit `bit` of the lane: the lane itself, if possible.
  std::optional<WarpLocalPlan::Source> findLane(unsigned bit, uint32_t element) const {
    if (auto members = own.express(element ^ lanes[bit]))
      return WarpLocalPlan::Source{static_cast<uint32_t>(*members), 1u << bit};
    return find(element);
  }
  std::optional<WarpLocalPlan::Source> findWarp(unsigned bit, uint32_t element) const {
    return find(element ^ (bit < warps.size() ? warps[bit] : 0));
  }

private:
  std::vector<uint32_t> lanes, warps;
  unsigned registerBits;
  Span own, warp;
};

/// Expresses the thread-dependent register offsets in a basis of them.
void findSelectors(WarpLocalPlan &plan) {
  Span span;
  std::vector<unsigned> position; // of each selector among the vectors added
  unsigned added = 0;
  for (const auto *list : {&plan.lanes, &plan.warps})
    for (const WarpLocalPlan::Source &source : *list) {
      if (span.add(source.reg)) {
        plan.selectors.push_back(source.reg);
        position.push_back(added);
      }
      ++added;
    }
  auto select = [&](const std::vector<WarpLocalPlan::Source> &list) {
    std::vector<uint32_t> result;
    for (const WarpLocalPlan::Source &source : list) {
      uint64_t members = *span.express(source.reg);
      uint32_t mask = 0;
      for (unsigned i = 0; i < position.size(); ++i)
        mask |= static_cast<uint32_t>(members >> position[i] & 1) << i;
      result.push_back(mask);
    }
    return result;
  };
  plan.laneSelect = select(plan.lanes);
  plan.warpSelect = select(plan.warps);
}

} // namespace

std::optional<WarpLocalPlan> planWarpLocal(const LinearLayout &from, const LinearLayout &to) {
  SourceSpan source(from);
  WarpLocalPlan plan;
  auto append = [](std::vector<WarpLocalPlan::Source> &list, std::optional<WarpLocalPlan::Source> found) {
    if (found)
      list.push_back(*found);
    return found.has_value();
  };
  for (uint32_t basis : packedBases(to, "register"))
    if (!append(plan.registers, source.find(basis)))
      return std::nullopt;
  for (unsigned bit = 0; uint32_t basis : packedBases(to, "lane"))
    if (!append(plan.lanes, source.findLane(bit++, basis)))
      return std::nullopt;
  for (unsigned bit = 0; uint32_t basis : packedBases(to, "warp"))
    if (!append(plan.warps, source.findWarp(bit++, basis)))
      return std::nullopt;
  findSelectors(plan);
  return plan;
}

bool WarpLocalPlan::staysInThread() const {
  auto noLane = [](const Source &source) { return source.lane == 0; };
  for (unsigned bit = 0; bit < lanes.size(); ++bit)
    if (lanes[bit].lane != 1u << bit)
      return false;
  return std::all_of(registers.begin(), registers.end(), noLane) && std::all_of(warps.begin(), warps.end(), noLane);
}

WarpLocalPlan::Source WarpLocalPlan::ofRegister(uint32_t index) const {
  Source result;
  for (unsigned bit = 0; bit < registers.size(); ++bit)
    if (index >> bit & 1) {
      result.reg ^= registers[bit].reg;
      result.lane ^= registers[bit].lane;
    }
  return result;
}

std::vector<std::pair<uint32_t, uint32_t>> WarpLocalPlan::selectorMasks() const {
  std::vector<std::pair<uint32_t, uint32_t>> masks(selectors.size());
  for (size_t i = 0; i < masks.size(); ++i) {
    for (size_t bit = 0; bit < laneSelect.size(); ++bit)
      masks[i].first |= (laneSelect[bit] >> i & 1) << bit;
    for (size_t bit = 0; bit < warpSelect.size(); ++bit)
      masks[i].second |= (warpSelect[bit] >> i & 1) << bit;
  }
  return masks;
}

unsigned WarpLocalPlan::registersPerShuffle(unsigned bits) const {
  unsigned together = 1;
  for (const Source &source : registers) {
    if (together * bits >= 32 || source.lane != 0 || source.reg == 0)
      break;
    together *= 2;
  }
  return together;
}

size_t WarpLocalPlan::countShuffles(unsigned bits) const {
  size_t distinct = 1;
  for (const Source &source : registers)
    distinct *= source.reg == 0 && source.lane == 0 ? 1 : 2;
  size_t words = std::max(1u, bits / 32);
  return (distinct * words << selectors.size()) / registersPerShuffle(bits);
}

uint32_t WarpLocalPlan::originalOf(uint32_t index) const {
  for (unsigned bit = 0; bit < registers.size(); ++bit)
    if (registers[bit].reg == 0 && registers[bit].lane == 0)
      index &= ~(1u << bit);
  return index;
}

//===--- Rounds -------------------------------------------------------------------------------------------------===//

namespace {

/// A single coordinate bit: which output dimension, which bit of it.
struct CoordinateBit {
  size_t dim = 0;
  uint32_t value = 0;
};

/// The only coordinate bit of a basis, if it has only one.
std::optional<CoordinateBit> onlyBit(const LinearLayout::Basis &basis) {
  std::optional<CoordinateBit> found;
  for (size_t dim = 0; dim < basis.size(); ++dim) {
    if (basis[dim] == 0)
      continue;
    if (found || !std::has_single_bit(basis[dim]))
      return std::nullopt;
    found = CoordinateBit{dim, basis[dim]};
  }
  return found;
}

/// The register bit that alone decides the coordinate bit, if there is one.
std::optional<unsigned> soleOwner(const LinearLayout &layout, const CoordinateBit &bit) {
  std::optional<unsigned> owner;
  for (const LinearLayout::Dim &in : layout.ins())
    for (unsigned i = 0; i < in.bits; ++i) {
      const LinearLayout::Basis &basis = layout.basis(in.name, i);
      if (!(basis[bit.dim] & bit.value))
        continue;
      if (owner || in.name != "register" || !onlyBit(basis))
        return std::nullopt;
      owner = i;
    }
  return owner;
}

/// The layout without that register bit and coordinate bit; higher bits of the coordinate move down.
LinearLayout without(const LinearLayout &layout, unsigned registerBit, const CoordinateBit &bit) {
  std::vector<LinearLayout::InBases> bases;
  for (const LinearLayout::Dim &in : layout.ins()) {
    bases.push_back({in.name, {}});
    for (unsigned i = 0; i < in.bits; ++i) {
      if (in.name == "register" && i == registerBit)
        continue;
      LinearLayout::Basis basis = layout.basis(in.name, i);
      uint32_t low = basis[bit.dim] & (bit.value - 1);
      basis[bit.dim] = (basis[bit.dim] ^ low) >> 1 | low;
      bases.back().second.push_back(std::move(basis));
    }
  }
  std::vector<LinearLayout::Dim> outs = layout.outs();
  --outs[bit.dim].bits;
  return LinearLayout(std::move(bases), std::move(outs));
}

} // namespace

std::optional<HalvedConversion> halve(const LinearLayout &from, const LinearLayout &to) {
  for (unsigned bit = from.inBits("register"); bit-- > 0;) {
    auto coordinate = onlyBit(from.basis("register", bit));
    if (!coordinate)
      continue;
    auto fromBit = soleOwner(from, *coordinate), toBit = soleOwner(to, *coordinate);
    if (fromBit && toBit)
      return HalvedConversion{without(from, *fromBit, *coordinate), without(to, *toBit, *coordinate), *fromBit, *toBit};
  }
  return std::nullopt;
}

} // namespace tawa
