// Searches coordinates of a grid among functions of its programs.
#include "compiler/planner/affinize/GridShape.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tawa {
namespace {

constexpr size_t kMostDims = 4;
constexpr size_t kMostCandidates = 64;

struct Normalized {
  int64_t extent = 0;
  ProgramFunction values;
  bool isSame = false; ///< As before.
};

/// Scaled and shifted to take all of 0 .. extent - 1; nothing where it leaves gaps.
std::optional<Normalized> normalize(const ProgramFunction &function) {
  int64_t least = std::ranges::min(function), step = 0;
  for (int64_t value : function)
    step = std::gcd(step, value - least);
  if (step == 0)
    return std::nullopt;
  Normalized result{0, {}, step == 1 && least == 0};
  for (int64_t value : function)
    result.values.push_back((value - least) / step);
  result.extent = std::ranges::max(result.values) + 1;
  if (result.extent > static_cast<int64_t>(result.values.size()))
    return std::nullopt;
  std::vector<bool> taken(result.extent);
  for (int64_t value : result.values)
    taken[value] = true;
  return std::ranges::find(taken, false) == taken.end() ? std::optional(std::move(result)) : std::nullopt;
}

/// The candidates that can be coordinates, each function once. Its name is the last that the kernel gives the function
/// itself, else the first of a multiple.
std::vector<Coordinate> coordinatesAmong(const std::vector<CoordinateCandidate> &candidates) {
  std::vector<Coordinate> coordinates;
  std::map<ProgramFunction, size_t> known;
  for (const CoordinateCandidate &candidate : candidates) {
    std::optional<Normalized> function = normalize(candidate.values);
    if (!function || (coordinates.size() == kMostCandidates && !known.contains(function->values)))
      continue;
    auto [place, isNew] = known.try_emplace(function->values, coordinates.size());
    if (isNew)
      coordinates.push_back({"", function->extent, std::move(function->values)});
    std::string &name = coordinates[place->second].name;
    if (!candidate.name.empty() && (function->isSame || name.empty()))
      name = candidate.name;
  }
  return coordinates;
}

/// fine mod ratio, where coarse is fine floordiv ratio; nothing where it is not.
std::optional<ProgramFunction> remainderOf(const Coordinate &fine, const Coordinate &coarse) {
  int64_t ratio = fine.extent / coarse.extent;
  if (ratio < 2 || fine.extent % coarse.extent != 0)
    return std::nullopt;
  ProgramFunction rest;
  for (size_t i = 0; i < fine.values.size(); ++i) {
    rest.push_back(fine.values[i] - ratio * coarse.values[i]);
    if (rest.back() < 0 || rest.back() >= ratio)
      return std::nullopt;
  }
  return rest;
}

/// Remainders that the kernel may not have computed itself.
void addRemainders(std::vector<Coordinate> &coordinates) {
  size_t count = coordinates.size();
  for (size_t fine = 0; fine < count; ++fine)
    for (size_t coarse = 0; coarse < count && coordinates.size() < kMostCandidates; ++coarse)
      if (std::optional<ProgramFunction> rest = remainderOf(coordinates[fine], coordinates[coarse]))
        coordinates.push_back({"", coordinates[fine].extent / coordinates[coarse].extent, std::move(*rest)});
}

} // namespace

/// Takes the coordinates if they map the programs one to one onto their box.
bool GridShape::choose(const std::vector<const Coordinate *> &coordinates) {
  constexpr uint32_t kNone = UINT32_MAX;
  size_t programs = coordinates.front()->values.size();
  indices.clear();
  byTile.assign(programs, kNone);
  for (const Coordinate *coordinate : coordinates)
    indices.push_back({coordinate->name, coordinate->extent});
  for (size_t program = 0; program < programs; ++program) {
    int64_t tile = 0;
    for (const Coordinate *coordinate : coordinates)
      tile = tile * coordinate->extent + coordinate->values[program];
    if (byTile[tile] != kNone)
      return false;
    byTile[tile] = static_cast<uint32_t>(program);
  }
  return true;
}

std::optional<mesh::Affine> GridShape::affine(const ProgramFunction &function) const {
  mesh::Affine result;
  result.constant = function[byTile[0]];
  int64_t stride = 1;
  result.coefficients.resize(indices.size());
  for (size_t dim = indices.size(); dim-- > 0; stride *= indices[dim].extent)
    if (indices[dim].extent > 1)
      result.coefficients[dim] = function[byTile[stride]] - result.constant;
  for (size_t tile = 0; tile < byTile.size(); ++tile)
    if (result.at(coordinatesOf(tile)) != function[byTile[tile]])
      return std::nullopt;
  return result;
}

std::vector<int64_t> GridShape::coordinatesOf(size_t tile) const {
  std::vector<int64_t> at(indices.size());
  auto rest = static_cast<int64_t>(tile);
  for (size_t dim = indices.size(); dim-- > 0; rest /= indices[dim].extent)
    at[dim] = rest % indices[dim].extent;
  return at;
}

/// The affine function with the values at a corner of the box, whose bit `dim` says at which end, and next to it.
mesh::Affine GridShape::affineAround(size_t corner, const ProgramFunction &function) const {
  mesh::Affine result;
  result.coefficients.resize(indices.size());
  int64_t tile = 0, stride = 1;
  std::vector<int64_t> strides(indices.size()), at(indices.size());
  for (size_t dim = indices.size(); dim-- > 0; stride *= indices[dim].extent) {
    strides[dim] = stride;
    at[dim] = (corner >> dim & 1) != 0 ? indices[dim].extent - 1 : 0;
    tile += at[dim] * stride;
  }
  int64_t value = function[byTile[tile]];
  for (size_t dim = 0; dim < indices.size(); ++dim)
    if (int64_t inwards = at[dim] == 0 ? strides[dim] : -strides[dim]; indices[dim].extent > 1)
      result.coefficients[dim] = (function[byTile[tile + inwards]] - value) * (inwards > 0 ? 1 : -1);
  result.constant = value - result.at(at);
  return result;
}

/// With the least divisor.
static mesh::TripCount reduced(mesh::TripCount trips) {
  int64_t common = trips.divisor;
  for (int64_t coefficient : trips.affine.coefficients)
    common = std::gcd(common, coefficient);
  trips.divisor /= common;
  trips.affine.constant = mesh::floorDiv(trips.affine.constant, common);
  for (int64_t &coefficient : trips.affine.coefficients)
    coefficient /= common;
  return trips;
}

/// Limits of a distance cut off some corners of the box, but leave another one.
std::optional<mesh::TripCount> GridShape::tripCount(const ProgramFunction &distances, int64_t step) const {
  mesh::TripCount none{{}, step, mesh::floorDiv(std::ranges::max(distances) + step - 1, step)};
  for (size_t corner = 0; corner < size_t(1) << indices.size(); ++corner) {
    mesh::TripCount trips = none;
    trips.affine = affineAround(corner, distances);
    trips.affine.constant += step - 1;
    bool fits = true;
    for (size_t tile = 0; fits && tile < byTile.size(); ++tile)
      fits = trips.at(coordinatesOf(tile)) ==
             std::max<int64_t>(0, mesh::floorDiv(distances[byTile[tile]] + step - 1, step));
    if (fits)
      return reduced(trips);
  }
  return std::nullopt;
}

/// Depth first over sets of `count` coordinates from number `from` on, whose extents multiply to `left`.
template <typename Fits>
static bool search(const std::vector<Coordinate> &known, size_t count, size_t from, int64_t left,
                   std::vector<const Coordinate *> &chosen, Fits fits) {
  if (count == 0)
    return left == 1 && fits();
  for (size_t i = from; i < known.size(); ++i) {
    if (left % known[i].extent != 0)
      continue;
    chosen.push_back(&known[i]);
    if (search(known, count - 1, i + 1, left / known[i].extent, chosen, fits))
      return true;
    chosen.pop_back();
  }
  return false;
}

std::optional<GridShape> GridShape::find(const std::vector<CoordinateCandidate> &candidates,
                                         const std::vector<ProgramFunction> &needed) {
  GridShape shape;
  size_t programs = candidates.empty() ? 1 : candidates.front().values.size();
  if (programs == 1) {
    shape.indices = {{"", 1}};
    shape.byTile = {0};
    return shape;
  }
  std::vector<Coordinate> known = coordinatesAmong(candidates);
  addRemainders(known);
  std::vector<const Coordinate *> chosen;
  auto fits = [&] {
    return shape.choose(chosen) &&
           std::ranges::all_of(needed, [&](const ProgramFunction &f) { return shape.affine(f).has_value(); });
  };
  for (size_t count = 1; count <= kMostDims; ++count)
    if (search(known, count, 0, static_cast<int64_t>(programs), chosen, fits))
      return shape;
  return std::nullopt;
}

} // namespace tawa
