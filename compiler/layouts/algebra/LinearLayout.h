// LinearLayout: the single representation of where the elements of a tile live, in registers and in shared memory.
//
// A layout is a linear map over GF(2): numbers are bit vectors and addition is XOR. Its inputs are hardware indices
// ("register", "lane", "warp", or "offset" in shared memory), its outputs are tensor coordinates ("dim0", "dim1", ...).
// Every dimension is a power of two, so the map is given by the images of the single input bits, its bases; the image
// of any index is the XOR of the bases of its set bits. Swizzles, fragments of matrix instructions and replication
// (zero bases) are all of this form, and queries become small matrix computations. README.md has a worked example.
// Depends only on the standard library, not on MLIR.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tawa {

class LinearLayout {
public:
  /// A named dimension of 1 << bits indices.
  struct Dim {
    std::string name;
    unsigned bits = 0;
    bool operator==(const Dim &) const = default;
  };
  /// The image of one input bit: one coordinate per output dimension, in the order of outs().
  using Basis = std::vector<uint32_t>;
  /// An input dimension and the images of its bits, least significant bit first.
  using InBases = std::pair<std::string, std::vector<Basis>>;
  using Names = std::vector<std::string>;

  /// The empty map: the neutral element of operator*.
  LinearLayout() = default;
  /// Every basis must have one coordinate per entry of `outs`, below that dimension's size.
  LinearLayout(std::vector<InBases> bases, std::vector<Dim> outs);

  /// out = in, for `bits` bits.
  static LinearLayout identity1D(unsigned bits, std::string in, std::string out);
  /// out = 0 for every index of `in`: replication. The output dimension has `outBits` bits.
  static LinearLayout zeros1D(unsigned bits, std::string in, std::string out, unsigned outBits = 0);

  // Shape. The order of dimensions is minor first and matters only where something is flattened.
  const std::vector<Dim> &ins() const { return inDims; }
  const std::vector<Dim> &outs() const { return outDims; }
  bool hasIn(std::string_view name) const { return find(inDims, name).has_value(); }
  bool hasOut(std::string_view name) const { return find(outDims, name).has_value(); }
  /// Bits of a dimension; 0 where there is none of that name.
  unsigned inBits(std::string_view name) const;
  unsigned outBits(std::string_view name) const;
  /// Indices of a dimension; 1 where there is none of that name.
  uint32_t inSize(std::string_view name) const { return 1u << inBits(name); }
  uint32_t outSize(std::string_view name) const { return 1u << outBits(name); }
  unsigned totalInBits() const;
  unsigned totalOutBits() const;
  Names inNames() const;
  Names outNames() const;

  // Values.
  const Basis &basis(std::string_view in, unsigned bit) const;
  uint32_t basis(std::string_view in, unsigned bit, std::string_view out) const;
  /// Coordinates, in the order of outs(), of the inputs given in the order of ins().
  std::vector<uint32_t> apply(const std::vector<uint32_t> &inputs) const;
  /// The same with both sides packed into one number: the first dimension has the least significant bits.
  uint32_t applyFlat(uint32_t input) const;
  /// The images of the packed input bits as packed outputs: the matrix, one column per entry.
  std::vector<uint32_t> flatBases() const;

  // Algebra.
  /// Direct product: this is the minor part, `outer` the major one. Bits of dimensions of the same name are
  /// concatenated; dimensions only `outer` has are appended.
  LinearLayout operator*(const LinearLayout &outer) const;
  /// next o this: first this map, then `next`. Outputs are matched to the inputs of `next` by name; `next` must have
  /// each of them, with at least as many bits.
  LinearLayout compose(const LinearLayout &next) const;
  /// The inverse of a bijection; none where the map is not one.
  std::optional<LinearLayout> inverse() const;
  /// A right inverse of a surjective map, which chooses for every output the smallest packed input.
  LinearLayout pseudoInverse() const;
  /// this: X -> T and other: Y -> T give X -> Y with other(result(x)) = this(x). The image of this must lie in that of
  /// `other`. An input bit whose basis equals that of the same bit of `other` maps to itself, so that a conversion
  /// moves nothing across what both sides share, replication included; else the smallest preimage is taken.
  LinearLayout invertAndCompose(const LinearLayout &other) const;
  /// The same; none where some value of this map is not a value of `other`.
  std::optional<LinearLayout> tryInvertAndCompose(const LinearLayout &other) const;
  /// The rest R with tile * R == *this, if there is one: the layout begins with `tile`.
  std::optional<LinearLayout> divideLeft(const LinearLayout &tile) const;
  /// Drops dimensions that are both input and output, map to themselves and touch nothing else; none if they do.
  std::optional<LinearLayout> quotient(const Names &dims) const;

  // Parts.
  /// Only these inputs (the others at 0) and only these outputs, in the order given.
  LinearLayout sublayout(const Names &ins, const Names &outs) const;
  /// True when these inputs do not influence these outputs.
  bool isZeroOn(const Names &ins, const Names &outs) const;
  /// Drops the bits of `in` that influence nothing; the remaining bits move down.
  LinearLayout removeZeroBases(std::string_view in) const;
  /// The bits of `in` that influence nothing, as a mask over its indices.
  uint32_t zeroBasisMask(std::string_view in) const;

  // Other views of the same map.
  /// Packs the outputs and splits them into `dims`; the total number of bits must stay.
  LinearLayout reshapeOuts(const std::vector<Dim> &dims) const;
  LinearLayout reshapeIns(const std::vector<Dim> &dims) const;
  LinearLayout transposeOuts(const Names &order) const;
  LinearLayout transposeIns(const Names &order) const;
  LinearLayout renameIn(std::string_view from, std::string to) const;
  LinearLayout renameOut(std::string_view from, std::string to) const;
  LinearLayout flattenIns(std::string name) const;
  LinearLayout flattenOuts(std::string name) const;

  // Properties.
  unsigned rank() const;
  bool isSurjective() const { return rank() == totalOutBits(); }
  bool isInjective() const { return rank() == totalInBits(); }
  bool isInvertible() const { return isSurjective() && isInjective(); }
  /// The same map between the same dimensions; the order in which the dimensions are listed does not count.
  bool operator==(const LinearLayout &other) const;
  /// The output dimensions with their sizes, then one line per basis: "lane 4 -> (1, 0)".
  std::string str() const;

private:
  static std::optional<unsigned> find(const std::vector<Dim> &dims, std::string_view name);
  uint32_t packOut(const Basis &basis) const;
  Basis unpackOut(uint32_t flat) const;

  std::vector<Dim> inDims;
  std::vector<Dim> outDims;
  std::vector<std::vector<Basis>> bases; ///< bases[i][b]: image of bit b of inDims[i].
};

} // namespace tawa
