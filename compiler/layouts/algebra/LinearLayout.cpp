// LinearLayout: dimensions, products and composition, and views that rename or regroup dimensions. Elimination over
// GF(2) (rank, inverses, solving) is in LinearLayoutSolve.cpp.
#include "compiler/layouts/algebra/LinearLayout.h"

#include <algorithm>
#include <numeric>

namespace tawa {

LinearLayout::LinearLayout(std::vector<InBases> inBases, std::vector<Dim> outs) : outDims(std::move(outs)) {
  for (InBases &dim : inBases) {
    inDims.push_back({std::move(dim.first), static_cast<unsigned>(dim.second.size())});
    bases.push_back(std::move(dim.second));
  }
#ifndef NDEBUG
  assert(totalInBits() <= 32 && totalOutBits() <= 32);
  for (const std::vector<Basis> &images : bases)
    for (const Basis &image : images) {
      assert(image.size() == outDims.size());
      for (size_t d = 0; d < image.size(); ++d)
        assert((uint64_t(image[d]) >> outDims[d].bits) == 0 && "basis outside its dimension");
    }
#endif
}

LinearLayout LinearLayout::identity1D(unsigned bits, std::string in, std::string out) {
  std::vector<Basis> images;
  for (unsigned b = 0; b < bits; ++b)
    images.push_back({1u << b});
  return LinearLayout({{std::move(in), std::move(images)}}, {{std::move(out), bits}});
}

LinearLayout LinearLayout::zeros1D(unsigned bits, std::string in, std::string out, unsigned outBits) {
  return LinearLayout({{std::move(in), std::vector<Basis>(bits, Basis{0})}}, {{std::move(out), outBits}});
}

// --- Shape
// ------------------------------------------------------------------------------------------------------------

std::optional<unsigned> LinearLayout::find(const std::vector<Dim> &dims, std::string_view name) {
  for (unsigned i = 0; i < dims.size(); ++i)
    if (dims[i].name == name)
      return i;
  return std::nullopt;
}

unsigned LinearLayout::inBits(std::string_view name) const {
  auto index = find(inDims, name);
  return index ? inDims[*index].bits : 0;
}

unsigned LinearLayout::outBits(std::string_view name) const {
  auto index = find(outDims, name);
  return index ? outDims[*index].bits : 0;
}

static unsigned sumBits(const std::vector<LinearLayout::Dim> &dims) {
  return std::accumulate(dims.begin(), dims.end(), 0u, [](unsigned sum, const auto &dim) { return sum + dim.bits; });
}

unsigned LinearLayout::totalInBits() const { return sumBits(inDims); }
unsigned LinearLayout::totalOutBits() const { return sumBits(outDims); }

static LinearLayout::Names namesOf(const std::vector<LinearLayout::Dim> &dims) {
  LinearLayout::Names names;
  for (const LinearLayout::Dim &dim : dims)
    names.push_back(dim.name);
  return names;
}

LinearLayout::Names LinearLayout::inNames() const { return namesOf(inDims); }
LinearLayout::Names LinearLayout::outNames() const { return namesOf(outDims); }

// --- Values
// -----------------------------------------------------------------------------------------------------------

const LinearLayout::Basis &LinearLayout::basis(std::string_view in, unsigned bit) const {
  auto index = find(inDims, in);
  assert(index && bit < inDims[*index].bits && "no such input bit");
  return bases[*index][bit];
}

uint32_t LinearLayout::basis(std::string_view in, unsigned bit, std::string_view out) const {
  auto index = find(outDims, out);
  assert(index && "no such output");
  return basis(in, bit)[*index];
}

std::vector<uint32_t> LinearLayout::apply(const std::vector<uint32_t> &inputs) const {
  assert(inputs.size() == inDims.size());
  Basis result(outDims.size(), 0);
  for (size_t i = 0; i < inputs.size(); ++i) {
    assert((uint64_t(inputs[i]) >> inDims[i].bits) == 0 && "index outside its dimension");
    for (unsigned b = 0; b < inDims[i].bits; ++b)
      if (inputs[i] >> b & 1)
        for (size_t d = 0; d < result.size(); ++d)
          result[d] ^= bases[i][b][d];
  }
  return result;
}

uint32_t LinearLayout::packOut(const Basis &basis) const {
  uint64_t flat = 0;
  unsigned shift = 0;
  for (size_t d = 0; d < outDims.size(); ++d) {
    flat |= uint64_t(basis[d]) << shift;
    shift += outDims[d].bits;
  }
  return static_cast<uint32_t>(flat);
}

LinearLayout::Basis LinearLayout::unpackOut(uint32_t flat) const {
  Basis basis;
  uint64_t rest = flat;
  for (const Dim &dim : outDims) {
    basis.push_back(static_cast<uint32_t>(rest & ((uint64_t(1) << dim.bits) - 1)));
    rest >>= dim.bits;
  }
  return basis;
}

std::vector<uint32_t> LinearLayout::flatBases() const {
  std::vector<uint32_t> flat;
  for (const std::vector<Basis> &images : bases)
    for (const Basis &image : images)
      flat.push_back(packOut(image));
  return flat;
}

uint32_t LinearLayout::applyFlat(uint32_t input) const {
  uint32_t result = 0;
  for (const std::vector<Basis> &images : bases)
    for (const Basis &image : images) {
      if (input & 1)
        result ^= packOut(image);
      input >>= 1;
    }
  return result;
}

// --- Product, composition, parts
// --------------------------------------------------------------------------------------

LinearLayout LinearLayout::operator*(const LinearLayout &outer) const {
  std::vector<Dim> outs = outDims;
  for (const Dim &dim : outer.outDims)
    if (auto index = find(outs, dim.name))
      outs[*index].bits += dim.bits;
    else
      outs.push_back(dim);

  std::vector<InBases> result;
  for (size_t i = 0; i < inDims.size(); ++i) {
    result.push_back({inDims[i].name, bases[i]});
    for (Basis &image : result.back().second)
      image.resize(outs.size(), 0);
  }
  for (size_t i = 0; i < outer.inDims.size(); ++i) {
    auto index = find(inDims, outer.inDims[i].name);
    if (!index)
      result.push_back({outer.inDims[i].name, {}});
    std::vector<Basis> &images = index ? result[*index].second : result.back().second;
    for (const Basis &image : outer.bases[i]) {
      Basis shifted(outs.size(), 0);
      for (size_t d = 0; d < outer.outDims.size(); ++d)
        shifted[*find(outs, outer.outDims[d].name)] = image[d] << outBits(outer.outDims[d].name);
      images.push_back(std::move(shifted));
    }
  }
  return LinearLayout(std::move(result), std::move(outs));
}

LinearLayout LinearLayout::compose(const LinearLayout &next) const {
  std::vector<unsigned> source(next.inDims.size(), ~0u);
  for (unsigned d = 0; d < outDims.size(); ++d) {
    auto index = find(next.inDims, outDims[d].name);
    assert(index && outDims[d].bits <= next.inDims[*index].bits && "output does not fit the next map's input");
    source[*index] = d;
  }
  std::vector<InBases> result;
  for (size_t i = 0; i < inDims.size(); ++i) {
    result.push_back({inDims[i].name, {}});
    for (const Basis &image : bases[i]) {
      std::vector<uint32_t> inputs;
      for (unsigned d : source)
        inputs.push_back(d == ~0u ? 0 : image[d]);
      result.back().second.push_back(next.apply(inputs));
    }
  }
  return LinearLayout(std::move(result), next.outDims);
}

std::optional<LinearLayout> LinearLayout::divideLeft(const LinearLayout &tile) const {
  for (const Dim &dim : tile.inDims)
    if (!hasIn(dim.name) || dim.bits > inBits(dim.name))
      return std::nullopt;
  std::vector<Dim> outs = outDims;
  for (const Dim &dim : tile.outDims) {
    auto index = find(outs, dim.name);
    if (!index || dim.bits > outs[*index].bits)
      return std::nullopt;
    outs[*index].bits -= dim.bits;
  }
  std::vector<InBases> rest;
  for (size_t i = 0; i < inDims.size(); ++i) {
    rest.push_back({inDims[i].name, {}});
    unsigned tileBits = tile.inBits(inDims[i].name);
    for (unsigned b = 0; b < inDims[i].bits; ++b) {
      Basis shifted;
      for (size_t d = 0; d < outDims.size(); ++d) {
        // Below the tile's size only the tile itself may vary, above it only the rest.
        unsigned cut = tile.outBits(outDims[d].name);
        uint32_t low = bases[i][b][d] & ((uint64_t(1) << cut) - 1), high = uint64_t(bases[i][b][d]) >> cut;
        bool inTile = b < tileBits;
        uint32_t wanted = inTile && tile.hasOut(outDims[d].name) ? tile.basis(inDims[i].name, b, outDims[d].name) : 0;
        if (low != wanted || (inTile && high))
          return std::nullopt;
        shifted.push_back(high);
      }
      if (b >= tileBits)
        rest.back().second.push_back(std::move(shifted));
    }
  }
  return LinearLayout(std::move(rest), std::move(outs));
}

std::optional<LinearLayout> LinearLayout::quotient(const Names &dims) const {
  Names keptIns, keptOuts;
  for (const Dim &dim : inDims)
    if (std::find(dims.begin(), dims.end(), dim.name) == dims.end())
      keptIns.push_back(dim.name);
  for (const Dim &dim : outDims)
    if (std::find(dims.begin(), dims.end(), dim.name) == dims.end())
      keptOuts.push_back(dim.name);
  for (const std::string &name : dims) {
    if (!hasIn(name) || !hasOut(name) || inBits(name) != outBits(name))
      return std::nullopt;
    for (const Dim &in : inDims)
      for (unsigned b = 0; b < in.bits; ++b)
        if (basis(in.name, b, name) != (in.name == name ? 1u << b : 0))
          return std::nullopt;
    if (!isZeroOn({name}, keptOuts))
      return std::nullopt;
  }
  return sublayout(keptIns, keptOuts);
}

LinearLayout LinearLayout::sublayout(const Names &ins, const Names &outs) const {
  std::vector<Dim> dims;
  for (const std::string &name : outs) {
    assert(hasOut(name) && "no such output");
    dims.push_back({name, outBits(name)});
  }
  std::vector<InBases> result;
  for (const std::string &in : ins) {
    assert(hasIn(in) && "no such input");
    result.push_back({in, {}});
    for (unsigned b = 0; b < inBits(in); ++b) {
      Basis image;
      for (const std::string &out : outs)
        image.push_back(basis(in, b, out));
      result.back().second.push_back(std::move(image));
    }
  }
  return LinearLayout(std::move(result), std::move(dims));
}

bool LinearLayout::isZeroOn(const Names &ins, const Names &outs) const {
  std::vector<uint32_t> flat = sublayout(ins, outs).flatBases();
  return std::all_of(flat.begin(), flat.end(), [](uint32_t image) { return image == 0; });
}

uint32_t LinearLayout::zeroBasisMask(std::string_view in) const {
  uint32_t mask = 0;
  for (unsigned b = 0; b < inBits(in); ++b)
    if (packOut(basis(in, b)) == 0)
      mask |= 1u << b;
  return mask;
}

LinearLayout LinearLayout::removeZeroBases(std::string_view in) const {
  auto index = find(inDims, in);
  LinearLayout result = *this;
  if (!index)
    return result;
  std::vector<Basis> &images = result.bases[*index];
  std::erase_if(images, [&](const Basis &image) { return packOut(image) == 0; });
  result.inDims[*index].bits = images.size();
  return result;
}

// --- Views
// ------------------------------------------------------------------------------------------------------------

LinearLayout LinearLayout::reshapeOuts(const std::vector<Dim> &dims) const {
  assert(sumBits(dims) == totalOutBits() && "a reshape keeps the number of elements");
  LinearLayout result = *this;
  result.outDims = dims;
  for (size_t i = 0; i < bases.size(); ++i)
    for (size_t b = 0; b < bases[i].size(); ++b)
      result.bases[i][b] = result.unpackOut(packOut(bases[i][b]));
  return result;
}

LinearLayout LinearLayout::reshapeIns(const std::vector<Dim> &dims) const {
  assert(sumBits(dims) == totalInBits() && "a reshape keeps the number of elements");
  std::vector<Basis> all;
  for (const std::vector<Basis> &images : bases)
    all.insert(all.end(), images.begin(), images.end());
  LinearLayout result = *this;
  result.inDims = dims;
  result.bases.clear();
  auto next = all.begin();
  for (const Dim &dim : dims) {
    result.bases.emplace_back(next, next + dim.bits);
    next += dim.bits;
  }
  return result;
}

LinearLayout LinearLayout::transposeOuts(const Names &order) const {
  assert(order.size() == outDims.size());
  return sublayout(inNames(), order);
}

LinearLayout LinearLayout::transposeIns(const Names &order) const {
  assert(order.size() == inDims.size());
  return sublayout(order, outNames());
}

LinearLayout LinearLayout::renameIn(std::string_view from, std::string to) const {
  LinearLayout result = *this;
  if (auto index = find(inDims, from))
    result.inDims[*index].name = std::move(to);
  return result;
}

LinearLayout LinearLayout::renameOut(std::string_view from, std::string to) const {
  LinearLayout result = *this;
  if (auto index = find(outDims, from))
    result.outDims[*index].name = std::move(to);
  return result;
}

LinearLayout LinearLayout::flattenIns(std::string name) const { return reshapeIns({{std::move(name), totalInBits()}}); }
LinearLayout LinearLayout::flattenOuts(std::string name) const {
  return reshapeOuts({{std::move(name), totalOutBits()}});
}

bool LinearLayout::operator==(const LinearLayout &other) const {
  auto sameDims = [](const std::vector<Dim> &a, const std::vector<Dim> &b) {
    return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin());
  };
  if (!sameDims(inDims, other.inDims) || !sameDims(outDims, other.outDims))
    return false;
  return flatBases() == other.sublayout(inNames(), outNames()).flatBases();
}

std::string LinearLayout::str() const {
  std::string text = "(";
  for (size_t d = 0; d < outDims.size(); ++d)
    text += (d ? ", " : "") + outDims[d].name + " < " + std::to_string(uint64_t(1) << outDims[d].bits);
  text += ")\n";
  for (size_t i = 0; i < inDims.size(); ++i) {
    if (bases[i].empty())
      text += inDims[i].name + ": one index\n";
    for (size_t b = 0; b < bases[i].size(); ++b) {
      text += inDims[i].name + " " + std::to_string(1u << b) + " -> (";
      for (size_t d = 0; d < outDims.size(); ++d)
        text += (d ? ", " : "") + std::to_string(bases[i][b][d]);
      text += ")\n";
    }
  }
  return text;
}

} // namespace tawa
