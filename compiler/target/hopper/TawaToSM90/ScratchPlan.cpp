// ScratchPlan.cpp: a layout of scratch memory that one register layout writes and another reads.
//
// A scratch layout is an order of basis vectors of the tensor's coordinates, one for each bit of the offset: first the
// vector bits, which a thread moves in one access, then the bank bits up to 128 bytes, then the segment bits. An access
// is free of conflicts when its lanes (those of one phase: 8 lanes of 16 bytes, 16 of 8, 32 of 4) differ in bank bits
// where they differ at all, that is when their span meets the segments only in zero. A space of segments that meets
// neither the writer's lanes nor the reader's always exists if both spans have the size of the bank bits: with I their
// intersection, A' and B' the rest of each, it is spanned by the sums a_i + b_i and by a complement of both.
//
// Wide accesses of one side leave the other fewer bank bits, except to lanes that differ in the vector bits too
// (README.md, "Why scratch has no bank conflicts"). Several choices of vector bits are tried, always including accesses
// of one element; of those without conflicts the cheapest is kept.
#include "compiler/target/hopper/TawaToSM90/ConversionPlan.h"
#include "compiler/target/hopper/TawaToSM90/Gf2Span.h"

#include <algorithm>
#include <bit>
#include <set>

namespace tawa {

namespace {

constexpr unsigned kAccessBits = 4, kWordBits = 2, kRowBits = 7; ///< log2 of 16, 4 and 128 bytes

using Vectors = std::vector<uint32_t>;

/// The bases of a register layout, without copies.
struct Side {
  Vectors registers, lanes, warps;

  explicit Side(const LinearLayout &layout)
      : registers(packedBases(layout, "register")), lanes(packedBases(layout, "lane")),
        warps(packedBases(layout, "warp")) {}
  /// The lanes that an access of 1 << bytesLog bytes serves together.
  Vectors phase(unsigned bytesLog) const {
    unsigned count = bytesLog <= kWordBits ? 5 : 5 - (bytesLog - kWordBits);
    return Vectors(lanes.begin(), lanes.begin() + std::min<size_t>(count, lanes.size()));
  }
};

/// An 8x8 matrix of stmatrix and ldmatrix: the bits inside a row of 16 bytes, and those of the row's number.
struct MatrixBits {
  Vectors row, rows;
};

bool holds(const Vectors &list, uint32_t vector) { return std::find(list.begin(), list.end(), vector) != list.end(); }

/// Coordinates of vectors in a basis that starts with the vector bits of an access; those are dropped.
class Quotient {
public:
  Quotient(const Vectors &vectorBits, const Side &large, const Side &other, unsigned bits) {
    for (uint32_t vector : vectorBits)
      include(vector);
    dropped = basis.size();
    for (const Side *side : {&large, &other})
      for (const Vectors *list : {&side->registers, &side->lanes, &side->warps})
        for (uint32_t vector : *list)
          include(vector);
    for (unsigned bit = 0; bit < bits; ++bit)
      include(uint32_t(1) << bit);
  }
  unsigned dimension() const { return basis.size() - dropped; }
  uint32_t coordinates(uint32_t vector) const { return static_cast<uint32_t>(*span.express(vector)); }
  Vectors project(const Vectors &vectors) const {
    Vectors result;
    for (uint32_t vector : vectors)
      result.push_back(coordinates(vector) >> dropped);
    return result;
  }
  /// The span of `vectors` modulo the vector bits. The first `wordBits` of those do not count: they stay inside a
  /// bank's word.
  Vectors outside(const Vectors &vectors, unsigned wordBits) const {
    const uint32_t between = (1u << dropped) - (1u << std::min<size_t>(wordBits, dropped));
    Vectors pivots, result;
    for (uint32_t vector : vectors) {
      uint32_t rest = coordinates(vector);
      for (uint32_t pivot : pivots)
        if (rest & std::bit_floor(pivot & between))
          rest ^= pivot;
      (rest & between ? pivots : result).push_back(rest);
    }
    for (uint32_t &vector : result)
      vector >>= dropped;
    return result;
  }
  uint32_t lift(uint32_t coordinates) const {
    uint32_t vector = 0;
    for (unsigned i = 0; i < dimension(); ++i)
      if (coordinates >> i & 1)
        vector ^= basis[dropped + i];
    return vector;
  }

private:
  void include(uint32_t vector) {
    if (span.contains(vector))
      return;
    span.add(vector);
    basis.push_back(vector);
  }

  Span span; ///< Of the basis and nothing else, so that sums are coordinates.
  Vectors basis;
  size_t dropped = 0;
};

/// Independent vectors of `wanted`, at most `size`; then more from `preferred` and unit vectors until there are `size`.
Vectors fillUp(const Vectors &wanted, const Vectors &preferred, unsigned size, unsigned dimension) {
  Span span;
  Vectors result;
  auto take = [&](uint32_t vector) {
    if (result.size() < size && span.add(vector))
      result.push_back(vector);
  };
  for (const Vectors *list : {&wanted, &preferred})
    for (uint32_t vector : *list)
      take(vector);
  for (unsigned bit = 0; bit < dimension; ++bit)
    take(uint32_t(1) << bit);
  return result;
}

/// A basis of the intersection of two spans, each given by independent vectors.
Vectors intersect(const Vectors &a, const Vectors &b) {
  Span span;
  span.add(a);
  Span kept;
  Vectors result;
  for (size_t i = 0; i < b.size(); ++i)
    if (auto members = span.express(b[i])) {
      // The part of the sum from `a` lies in both.
      uint32_t common = 0;
      for (size_t j = 0; j < a.size(); ++j)
        if (*members >> j & 1)
          common ^= a[j];
      if (common && kept.add(common))
        result.push_back(common);
    } else {
      span.add(b[i]);
    }
  return result;
}

/// Bank bits and segment bits of the quotient space for the lanes of both sides.
std::pair<Vectors, Vectors> spreadOverBanks(const Vectors &writer, const Vectors &reader, unsigned banks,
                                            unsigned dimension) {
  banks = std::min(banks, dimension);
  Vectors a = fillUp(writer, reader, banks, dimension), b = fillUp(reader, a, banks, dimension);
  Vectors common = intersect(a, b);
  Vectors ownA = fillUp(common, a, banks, dimension), ownB = fillUp(common, b, banks, dimension);
  Vectors segments;
  Span all;
  all.add(ownA);
  for (size_t i = common.size(); i < banks; ++i) {
    segments.push_back(ownA[i] ^ ownB[i]);
    all.add(ownB[i]);
  }
  for (unsigned bit = 0; bit < dimension; ++bit)
    if (all.add(uint32_t(1) << bit))
      segments.push_back(uint32_t(1) << bit);
  return {ownA, segments};
}

LinearLayout makeShared(const LinearLayout &like, const Vectors &offsetBits) {
  std::vector<LinearLayout::Basis> bases;
  for (uint32_t vector : offsetBits) {
    LinearLayout::Basis basis;
    for (const LinearLayout::Dim &out : like.outs()) {
      basis.push_back(vector & ((1u << out.bits) - 1));
      vector >>= out.bits;
    }
    bases.push_back(std::move(basis));
  }
  return LinearLayout({{"offset", std::move(bases)}}, like.outs());
}

/// The search of one conversion.
class ScratchSearch {
public:
  ScratchSearch(const LinearLayout &from, const LinearLayout &to, unsigned elementBits, bool hasStmatrix)
      : from(from), to(to), elementBits(elementBits), elementLog(std::countr_zero(elementBits / 8)),
        hasStmatrix(hasStmatrix), writer(from), reader(to) {}

  ScratchPlan run() {
    tryMatrices(reader, writer); // of equals ldmatrix, which is the faster one
    tryMatrices(writer, reader);
    tryVectors(reader, writer);
    tryVectors(writer, reader);
    best->bytes = (1u << from.totalOutBits()) * (elementBits / 8);
    return *best;
  }

private:
  /// Register bits of the large side that both have, at most `count`.
  Vectors sharedBits(const Side &large, const Side &other, unsigned count) const {
    Vectors bits;
    for (uint32_t vector : large.registers)
      if (bits.size() < count && vector && holds(other.registers, vector))
        bits.push_back(vector);
    return bits;
  }

  /// The vector bits of an access of the large side: `shared` ones, then register bits of its own. Those in which lanes
  /// of the other side differ are best: the words of one access are in different banks. They come last, because within
  /// a word they would be lost.
  Vectors vectorBits(const Side &large, const Side &other, Vectors bits, unsigned bytesLog) const {
    const Vectors lanes = other.phase(elementLog + bits.size());
    Quotient registers({}, large, other, from.totalOutBits());
    unsigned count = bytesLog - elementLog;
    Vectors telling, rest;
    Span told;
    for (uint32_t vector : large.registers) {
      if (!vector || holds(bits, vector))
        continue;
      uint32_t position = registers.coordinates(vector), differing = 0;
      for (size_t lane = 0; lane < lanes.size(); ++lane)
        differing |= (registers.coordinates(lanes[lane]) & position ? 1u : 0u) << lane;
      (told.add(differing) ? telling : rest).push_back(vector);
    }
    telling.resize(std::min(telling.size(), count - bits.size()));
    rest.resize(std::min(rest.size(), count - bits.size() - telling.size()));
    bits.insert(bits.end(), rest.begin(), rest.end());
    bits.insert(bits.end(), telling.begin(), telling.end());
    return bits;
  }

  /// The 8x8 matrices of 16-bit elements that a side can move: with a pair of columns in a register, or, transposed,
  /// with a pair of rows in one.
  std::vector<MatrixBits> matricesOf(const Side &side) const {
    const Vectors &lanes = side.lanes;
    std::vector<MatrixBits> result;
    if (elementBits != 16 || lanes.size() != 5)
      return result;
    for (uint32_t pair : side.registers) {
      Span span;
      span.add(lanes);
      span.add(pair);
      if (span.dimension() != 6)
        continue;
      result.push_back({{pair, lanes[0], lanes[1]}, {lanes[2], lanes[3], lanes[4]}});
      result.push_back({{lanes[2], lanes[3], lanes[4]}, {pair, lanes[0], lanes[1]}});
    }
    return result;
  }

  /// Matrices on one side; on the other the same, or the part of a matrix row held by one of its threads.
  void tryMatrices(const Side &side, const Side &other) {
    for (const MatrixBits &matrix : matricesOf(side)) {
      for (const MatrixBits &same : matricesOf(other))
        if (same.row == matrix.row)
          tryVector(side, other, matrix.row, matrix.rows, same.rows);
      unsigned held = 0;
      while (held < matrix.row.size() && holds(other.registers, matrix.row[held]))
        ++held;
      tryVector(side, other, matrix.row, matrix.rows, other.phase(elementLog + held));
    }
  }

  void tryVectors(const Side &large, const Side &other) {
    for (unsigned bytesLog = elementLog; bytesLog <= kAccessBits; ++bytesLog)
      for (unsigned count = 0; count <= bytesLog - elementLog; ++count) {
        Vectors shared = sharedBits(large, other, count);
        Vectors vector = vectorBits(large, other, shared, bytesLog);
        if (shared.size() == count && vector.size() == bytesLog - elementLog)
          tryVector(large, other, vector, large.phase(bytesLog), other.phase(elementLog + count));
      }
  }

  /// A conflict-free scratch layout with these vector bits for these lanes of each side, if there is one.
  void tryVector(const Side &large, const Side &other, const Vectors &vector, const Vectors &largeLanes,
                 const Vectors &otherLanes) {
    Quotient quotient(vector, large, other, from.totalOutBits());
    Vectors largePhase = quotient.project(largeLanes);
    Vectors otherPhase = quotient.outside(otherLanes, kWordBits - std::min(kWordBits, elementLog));
    auto [banks, segments] =
        spreadOverBanks(largePhase, otherPhase, kRowBits - elementLog - vector.size(), quotient.dimension());
    Vectors offsets = vector;
    for (const Vectors *list : {&banks, &segments})
      for (uint32_t coordinates : *list)
        offsets.push_back(quotient.lift(coordinates));
    if (tried.insert(offsets).second)
      consider(makeShared(from, offsets));
  }

  /// No conflicts first, then few cycles.
  static std::pair<unsigned, unsigned> rank(const ScratchPlan &plan) {
    return {plan.write.conflicts + plan.read.conflicts, plan.write.cycles + plan.read.cycles};
  }

  void consider(const LinearLayout &layout) {
    auto write = planSharedWrite(from, layout, elementBits, hasStmatrix),
         read = planSharedRead(to, layout, elementBits);
    if (!write || !read)
      return;
    ScratchPlan plan{layout, std::move(*write), std::move(*read), 0};
    if (!best || rank(plan) < rank(*best))
      best = std::move(plan);
  }

  const LinearLayout &from, &to;
  unsigned elementBits, elementLog;
  bool hasStmatrix;
  Side writer, reader;
  std::set<Vectors> tried;
  std::optional<ScratchPlan> best;
};

} // namespace

ScratchPlan planScratch(const LinearLayout &from, const LinearLayout &to, unsigned elementBits, bool hasStmatrix) {
  return ScratchSearch(from, to, elementBits, hasStmatrix).run();
}

} // namespace tawa
