// Moves between registers and shared memory: stmatrix/ldmatrix plans and ordinary vector accesses.
//
// Both start from one map, (register, lane, warp) -> offset in the buffer, the register layout composed with the
// inverse of the shared layout. An instruction form is a condition on some bases of that map; all other bases become
// XORs on the byte address.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tawa {
namespace {

constexpr unsigned laneBits = 5;

/// The bases of (register, lane, warp) -> byte offset.
struct ByteMap {
  std::vector<uint32_t> registers, lanes, warps;

  static std::optional<ByteMap> make(const LinearLayout &regs, const LinearLayout &shared, uint32_t elementBytes) {
    auto offsets = regs.tryInvertAndCompose(shared);
    if (!offsets)
      return std::nullopt;
    auto bytes = [&](const char *dim) {
      std::vector<uint32_t> bases;
      for (unsigned b = 0; b < offsets->inBits(dim); ++b)
        bases.push_back(offsets->basis(dim, b, "offset") * elementBytes);
      return bases;
    };
    return ByteMap{bytes("register"), bytes("lane"), bytes("warp")};
  }
};

uint32_t combine(const std::vector<uint32_t> &bases, uint32_t index) {
  uint32_t result = 0;
  for (unsigned b = 0; b < bases.size(); ++b)
    if (index >> b & 1)
      result ^= bases[b];
  return result;
}

uint32_t unite(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b) {
  uint32_t mask = 0;
  for (const std::vector<uint32_t> *bases : {&a, &b})
    for (uint32_t basis : *bases)
      mask |= basis;
  return mask;
}

uint32_t zeroMask(const std::vector<uint32_t> &bases) {
  uint32_t mask = 0;
  for (unsigned b = 0; b < bases.size(); ++b)
    if (bases[b] == 0)
      mask |= 1u << b;
  return mask;
}

bool allMultiples(const std::vector<uint32_t> &bases, uint32_t bytes) {
  return std::all_of(bases.begin(), bases.end(), [&](uint32_t basis) { return basis % bytes == 0; });
}

/// Register bits that an instruction does not consume, with a way to enumerate what they select.
struct RegisterBits {
  std::vector<unsigned> bits;

  uint32_t index(uint32_t i) const {
    uint32_t result = 0;
    for (unsigned b = 0; b < bits.size(); ++b)
      if (i >> b & 1)
        result |= 1u << bits[b];
    return result;
  }
  uint32_t count() const { return 1u << bits.size(); }
};

// --- stmatrix
// ---------------------------------------------------------------------------------------------------------

constexpr uint32_t matrixRowBytes = 16;

/// The register bit of the packed pair and the bases of the row addresses, for one of the two forms.
struct MatrixForm {
  bool transposed = false;
  unsigned pairBit = 0;
  std::vector<uint32_t> rowBases; ///< Bytes of the row number's three bits.
};

/// Plain: lane l holds elements 2 (l mod 4) and the next one of row l / 4. The pair and two lane bits run inside the 16
/// bytes of a row, the other three lane bits across rows.
std::optional<MatrixForm> plainForm(const ByteMap &map) {
  auto pair = std::find(map.registers.begin(), map.registers.end(), 2);
  if (pair == map.registers.end() || map.lanes[0] != 4 || map.lanes[1] != 8)
    return std::nullopt;
  MatrixForm form{false, unsigned(pair - map.registers.begin()), {map.lanes.begin() + 2, map.lanes.end()}};
  return allMultiples(form.rowBases, matrixRowBytes) ? std::optional(form) : std::nullopt;
}

/// Eight rows are accessed without conflicts when the bits of their numbers select all eight 16-byte banks.
bool reachAllBanks(const std::vector<uint32_t> &rowBases) {
  uint32_t reached = 0;
  for (uint32_t row = 0; row < 8; ++row)
    reached |= 1u << (combine(rowBases, row) / matrixRowBytes % 8);
  return reached == 0xff;
}

/// Transposed: the roles of row and column are exchanged, so the pair and the two low lane bits run across rows. Any
/// register may be the pair; one whose rows are in different banks is preferred.
std::optional<MatrixForm> transposedForm(const ByteMap &map) {
  if (map.lanes[2] != 2 || map.lanes[3] != 4 || map.lanes[4] != 8)
    return std::nullopt;
  std::optional<MatrixForm> found;
  for (unsigned bit = 0; bit < map.registers.size(); ++bit) {
    MatrixForm form{true, bit, {map.registers[bit], map.lanes[0], map.lanes[1]}};
    if (!map.registers[bit] || !allMultiples(form.rowBases, matrixRowBytes))
      continue;
    if (reachAllBanks(form.rowBases))
      return form;
    if (!found)
      found = std::move(form);
  }
  return found;
}

} // namespace

const char *describe(StmatrixFailure failure) {
  switch (failure) {
  case StmatrixFailure::None:
    return "no failure";
  case StmatrixFailure::ElementSize:
    return "stmatrix moves 16-bit elements";
  case StmatrixFailure::NotCovered:
    return "the shared layout has no place for some element";
  case StmatrixFailure::ReplicatedLanes:
    return "several lanes hold the same element";
  case StmatrixFailure::NotMatrixShaped:
    return "the register layout does not store as 8x8 matrices with rows of 16 bytes";
  }
  return "unknown";
}

std::optional<StmatrixPlan> deriveStmatrix(const LinearLayout &regs, const LinearLayout &shared, unsigned elementBits,
                                           StmatrixFailure *why) {
  auto fail = [&](StmatrixFailure failure) {
    if (why)
      *why = failure;
    return std::nullopt;
  };
  if (elementBits != 16)
    return fail(StmatrixFailure::ElementSize);
  auto map = ByteMap::make(regs, shared, elementBits / 8);
  if (!map)
    return fail(StmatrixFailure::NotCovered);
  if (map->lanes.size() != laneBits)
    return fail(StmatrixFailure::NotMatrixShaped);
  if (zeroMask(map->lanes))
    return fail(StmatrixFailure::ReplicatedLanes);
  auto form = plainForm(*map);
  if (!form)
    form = transposedForm(*map);
  if (!form || !allMultiples(map->warps, matrixRowBytes))
    return fail(StmatrixFailure::NotMatrixShaped);

  // Register bits besides the pair: the first two choose among the matrices of one instruction, the others enumerate
  // instructions. Replicated registers are stored once.
  RegisterBits matrixBits, storeBits;
  for (unsigned b = 0; b < map->registers.size(); ++b) {
    if (b == form->pairBit || map->registers[b] == 0)
      continue;
    if (map->registers[b] % matrixRowBytes)
      return fail(StmatrixFailure::NotMatrixShaped);
    (matrixBits.bits.size() < 2 ? matrixBits : storeBits).bits.push_back(b);
  }

  StmatrixPlan plan;
  plan.matrices = matrixBits.count();
  plan.transposed = form->transposed;
  plan.pairStride = 1u << form->pairBit;
  plan.laneBases = form->rowBases;
  for (unsigned bit : matrixBits.bits)
    plan.laneBases.push_back(map->registers[bit]);
  plan.laneBases.resize(laneBits, 0); // the addresses of lanes beyond the matrices of .x1 and .x2 are ignored
  plan.warpBases = map->warps;
  plan.replicatedWarps = zeroMask(map->warps);
  for (uint32_t i = 0; i < storeBits.count(); ++i) {
    StmatrixPlan::Store store;
    store.xorBytes = combine(map->registers, storeBits.index(i));
    for (uint32_t matrix = 0; matrix < plan.matrices; ++matrix)
      store.registers.push_back(storeBits.index(i) | matrixBits.index(matrix));
    plan.stores.push_back(std::move(store));
  }
  return plan;
}

uint32_t StmatrixPlan::address(uint32_t lane, uint32_t warp, const Store &store) const {
  return combine(laneBases, lane) ^ combine(warpBases, warp) ^ store.xorBytes;
}

uint32_t StmatrixPlan::variableMask() const { return unite(laneBases, warpBases); }

// --- Vector accesses
// --------------------------------------------------------------------------------------------------

std::optional<VectorPlan> deriveVectorAccess(const LinearLayout &regs, const LinearLayout &shared, unsigned elementBits,
                                             bool keepReplicas) {
  const uint32_t elementBytes = elementBits / 8;
  auto map = ByteMap::make(regs, shared, elementBytes);
  if (!map)
    return std::nullopt;

  // Widen while some register bit reaches the next neighbour and everything else keeps the doubled alignment.
  RegisterBits vectorBits, otherBits;
  std::vector<uint32_t> rest = map->registers;
  for (uint32_t bytes = elementBytes; bytes < 16; bytes *= 2) {
    auto neighbour = std::find(rest.begin(), rest.end(), bytes);
    if (neighbour == rest.end())
      break;
    uint32_t kept = std::exchange(*neighbour, 0);
    if (!allMultiples(rest, bytes * 2) || !allMultiples(map->lanes, bytes * 2) ||
        !allMultiples(map->warps, bytes * 2)) {
      *neighbour = kept;
      break;
    }
    vectorBits.bits.push_back(neighbour - rest.begin());
  }
  for (unsigned b = 0; b < rest.size(); ++b)
    if (rest[b] != 0 || (keepReplicas && map->registers[b] == 0))
      otherBits.bits.push_back(b);

  VectorPlan plan;
  plan.vector = vectorBits.count();
  plan.laneBases = map->lanes;
  plan.warpBases = map->warps;
  plan.replicatedLanes = zeroMask(map->lanes);
  plan.replicatedWarps = zeroMask(map->warps);
  for (uint32_t i = 0; i < otherBits.count(); ++i) {
    VectorPlan::Access access;
    access.xorBytes = combine(map->registers, otherBits.index(i));
    for (uint32_t element = 0; element < plan.vector; ++element)
      access.registers.push_back(otherBits.index(i) | vectorBits.index(element));
    plan.accesses.push_back(std::move(access));
  }
  return plan;
}

uint32_t VectorPlan::address(uint32_t lane, uint32_t warp, const Access &access) const {
  return combine(laneBases, lane) ^ combine(warpBases, warp) ^ access.xorBytes;
}

uint32_t VectorPlan::variableMask() const { return unite(laneBases, warpBases); }

} // namespace tawa
