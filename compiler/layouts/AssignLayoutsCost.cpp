// AssignLayouts, cost: the cost of a layout choice for one warp, in units of about a cycle (AssignLayouts.h).
//
// The numbers are ratios, not measurements: an access costs its issue and the sectors of 32 bytes and lines of 128 that
// it touches, so that narrow or scattered accesses lose against a round trip through shared memory when they move much
// data, and win otherwise.
#include "compiler/layouts/AssignLayouts.h"
#include "compiler/layouts/algebra/SharedAccessPlan.h"

#include <algorithm>
#include <bit>

using namespace mlir;

namespace tawa::layouts {

namespace {

constexpr double kAccessIssue = 4;    ///< One ld or st of a warp.
constexpr double kSector = 1;         ///< One sector of global memory that it touches.
constexpr double kLine = 0.25;        ///< One line that L1 looks up.
constexpr double kHeld = 0.1;         ///< One register: of equal accesses the one that spreads over more threads.
constexpr double kAtomicFactor = 4;   ///< Atomics are done in L2, one word after the other.
constexpr double kSharedWord = 1;     ///< One word of each lane, written or read.
constexpr double kSharedCycle = 0.8;  ///< Of a planned access: 16 bytes of each lane cost what four words do.
constexpr double kRoleBarriers = 40;  ///< Two barriers of the role around a conversion.
constexpr double kWarpBarriers = 10;  ///< The same inside a warp.
constexpr double kBeyondPlan = 1000;  ///< A conversion through more shared memory than is planned.
constexpr double kShuffle = 3;        ///< One word, selections included.
constexpr double kRename = 0.01;      ///< Per register: keeps useless renamings away.
constexpr double kInstruction = 0.25; ///< Of plain arithmetic: four schedulers share the issue.
constexpr int64_t kWordBytes = 4;

unsigned log2Of(int64_t value) { return std::countr_zero(uint64_t(value)); }

/// Rank over GF(2).
unsigned rankOf(std::vector<uint64_t> vectors) {
  unsigned rank = 0;
  for (size_t i = 0; i < vectors.size(); ++i) {
    if (!vectors[i])
      continue;
    ++rank;
    uint64_t lowest = vectors[i] & (~vectors[i] + 1);
    for (size_t j = i + 1; j < vectors.size(); ++j)
      if (vectors[j] & lowest)
        vectors[j] ^= vectors[i];
  }
  return rank;
}

unsigned wordsOf(uint32_t registers, unsigned bytes) {
  return (int64_t(registers) * bytes + kWordBytes - 1) / kWordBytes;
}

} // namespace

Movement CostModel::movement(LinearAttr from, LinearAttr to) {
  if (from == to)
    return Movement::None;
  auto [entry, isNew] = movements.try_emplace({from, to}, Movement::Registers);
  if (!isNew)
    return entry->second;
  LinearLayout source = table.map(to).invertAndCompose(table.map(from));
  Movement result = Movement::Registers;
  for (const LinearLayout::Dim &in : source.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      uint32_t own = 1u << bit;
      uint32_t reg = source.basis(in.name, bit, "register"), lane = source.basis(in.name, bit, "lane"),
               warp = source.basis(in.name, bit, "warp");
      // Registers may come from registers, lanes and warps have to stay; then only names change.
      if (warp != (in.name == "warp" ? own : 0) || (in.name == "warp" && (lane || reg)))
        result = Movement::Warps;
      else if ((lane != (in.name == "lane" ? own : 0) || (in.name == "lane" && reg)) && result != Movement::Warps)
        result = Movement::Lanes;
    }
  return movements[{from, to}] = result;
}

double CostModel::convert(LinearAttr from, LinearAttr to, unsigned bytes) {
  switch (movement(from, to)) {
  case Movement::None:
    return 0;
  case Movement::Registers:
    return kRename * table.registers(to);
  case Movement::Lanes:
    return std::min(kShuffle * wordsOf(table.registers(table.dense(to)), std::max(bytes, 4u)),
                    toShared(from, bytes) - kRoleBarriers + kWarpBarriers + fromShared(to, bytes));
  case Movement::Warps:
    break;
  }
  return toShared(from, bytes) + fromShared(to, bytes) + beyondPlan(from, bytes);
}

/// The slots of rings were fitted to what the plan leaves, so that a wider tile may not fit beside them.
double CostModel::beyondPlan(LinearAttr layout, unsigned bytes) {
  unsigned bits = 0;
  for (const LinearLayout::Dim &out : table.map(layout).outs())
    bits += out.bits;
  return (int64_t(bytes) << bits) > plannedScratch ? kBeyondPlan : 0;
}

double CostModel::toShared(LinearAttr from, unsigned bytes) {
  return kRoleBarriers + kSharedWord * wordsOf(table.registers(table.dense(from)), bytes);
}

double CostModel::fromShared(LinearAttr to, unsigned bytes) {
  return kSharedWord * wordsOf(table.registers(table.dense(to)), bytes);
}

/// Whether one access brings the first two registers, as elements of one word that begin 16 bits apart.
static bool bringsPairs(const SharedAccessPlan &plan, unsigned elementBits) {
  constexpr unsigned kHalfBits = 16, kWordBits = 32;
  if (plan.matrix)
    return plan.matrix->pairStride == 1;
  for (const VectorPlan::Access &access : plan.vector.accesses) {
    auto first = llvm::find(access.registers, 0u), second = llvm::find(access.registers, 1u);
    if (first == access.registers.end() || second == access.registers.end())
      continue;
    auto bitOf = [&](auto at) { return unsigned(at - access.registers.begin()) * elementBits; };
    return bitOf(first) + kHalfBits == bitOf(second) && bitOf(first) / kWordBits == bitOf(second) / kWordBits;
  }
  return false;
}

const CostModel::Read &CostModel::readOf(LinearAttr shared, LinearAttr to, unsigned bytes) {
  auto [entry, isNew] = reads.try_emplace({shared, to, bytes});
  if (isNew) {
    auto plan = planSharedRead(table.map(to), table.map(shared), bytes * 8);
    entry->second =
        plan ? Read{kSharedCycle * plan->cycles, bringsPairs(*plan, bytes * 8)} : Read{fromShared(to, bytes)};
  }
  return entry->second;
}

unsigned CostModel::run(LinearAttr layout, ArrayRef<int64_t> lengths) {
  const LinearLayout &map = table.map(layout);
  if (map.inBits("register") == 0)
    return 1;
  const LinearLayout::Basis &first = map.basis("register", 0);
  for (unsigned dim = 0; dim < first.size(); ++dim) {
    if (first[dim] != 1)
      continue;
    unsigned bits = 0;
    for (; bits < map.inBits("register") && (2 << bits) <= lengths[dim]; ++bits) {
      LinearLayout::Basis step(first.size(), 0);
      step[dim] = 1u << bits;
      if (map.basis("register", bits) != step)
        break;
    }
    return 1u << bits;
  }
  return 1;
}

uint32_t CostModel::equalBits(LinearAttr layout, ArrayRef<int64_t> groups) {
  const LinearLayout &map = table.map(layout);
  uint32_t bits = 0;
  for (unsigned bit = 0; bit < map.inBits("register"); ++bit) {
    const LinearLayout::Basis &basis = map.basis("register", bit);
    bool isCopy = llvm::all_of(basis, [](uint32_t step) { return step == 0; }), isInside = true;
    for (unsigned dim = 0; dim < basis.size(); ++dim)
      isInside &= basis[dim] < std::bit_floor(static_cast<uint64_t>(groups[dim]));
    bits |= isInside && !isCopy ? 1u << bit : 0;
  }
  return bits;
}

/// By what is known of the addresses: aligned blocks of so many bytes, as coordinates without the bits inside a block.
static uint32_t blocksOf(const LinearLayout &map, const Access &access, int64_t blockBytes) {
  std::vector<uint64_t> blocks;
  for (unsigned bit = 0; bit < map.inBits("lane"); ++bit) {
    const LinearLayout::Basis &basis = map.basis("lane", bit);
    uint64_t key = 0;
    for (unsigned dim = 0; dim < basis.size(); ++dim) {
      unsigned inside = log2Of(access.facts.neighboursWithin(dim, access.bytes, blockBytes));
      key = key << map.outBits(dimName(dim)) | (basis[dim] >> inside << inside);
    }
    blocks.push_back(key);
  }
  return 1u << rankOf(std::move(blocks));
}

/// By the addresses of the lanes' first elements.
std::optional<Footprint> CostModel::sampledFootprint(const LinearLayout &map, Access &access) {
  llvm::SmallDenseSet<int64_t, 64> sectors, lines;
  for (uint32_t lane = 0; lane < map.inSize("lane"); ++lane) {
    SmallVector<int64_t> element(map.outs().size(), 0);
    for (unsigned bit = 0; bit < map.inBits("lane"); ++bit)
      for (unsigned dim = 0; dim < element.size(); ++dim)
        element[dim] ^= lane >> bit & 1 ? map.basis("lane", bit)[dim] : 0;
    std::optional<int64_t> address = access.sampled->at(element);
    if (!address)
      return std::nullopt;
    sectors.insert(*address / kSectorBytes);
    lines.insert(*address / kLineBytes);
  }
  return Footprint{sectors.size(), lines.size()};
}

Footprint CostModel::footprint(LinearAttr layout, Access &access) {
  const LinearLayout &map = table.map(layout);
  if (access.sampled) {
    if (auto known = access.footprints.find(layout); known != access.footprints.end())
      return known->second;
    if (std::optional<Footprint> found = sampledFootprint(map, access))
      return access.footprints[layout] = *found;
    access.sampled.reset();
  }
  return {blocksOf(map, access, kSectorBytes), blocksOf(map, access, kLineBytes)};
}

double CostModel::access(LinearAttr layout, Access &access) {
  Footprint touched = footprint(layout, access);
  LinearAttr dense = table.dense(layout);
  uint32_t registers = table.registers(dense), equal = access.isLoad ? equalBits(dense, access.facts.equal) : 0;
  unsigned width = access.takesNeighbours ? vector(layout, access.facts) : 1;
  width = equal ? std::min<unsigned>(width, equal & -equal) : width;
  double instructions = double(registers >> std::popcount(equal)) / width;
  double each = kAccessIssue + kSector * touched.sectors + kLine * touched.lines;
  double cost = kHeld * registers + instructions * each;
  return access.atomic ? cost * kAtomicFactor : cost;
}

double CostModel::reduce(LinearAttr layout, unsigned axis, unsigned operands, unsigned bytes) {
  const LinearLayout &map = table.map(layout);
  auto along = [&](const char *in) {
    unsigned count = 0;
    for (unsigned bit = 0; bit < map.inBits(in); ++bit)
      count += map.basis(in, bit, dimName(axis)) != 0;
    return count;
  };
  unsigned kept = table.registers(table.reduced(layout, axis)), words = std::max(1u, bytes / 4) * operands;
  double cost = kInstruction * operands * table.registers(layout);
  cost += kShuffle * words * kept * along("lane");
  if (unsigned warpBits = along("warp"))
    cost += kRoleBarriers + kSharedWord * words * kept * (1 + (1u << warpBits));
  return cost;
}

double CostModel::compute(LinearAttr layout, double operations) {
  return kInstruction * operations * table.registers(layout);
}

} // namespace tawa::layouts
