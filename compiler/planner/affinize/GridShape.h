// GridShape: coordinates of a box in which given integer functions of the programs of a grid are affine.
//
// A program's number may be any linearization of a tile's coordinates: rows, columns, groups of rows, the last of them
// smaller. Coordinates are chosen among candidates, integer functions that the kernel computes, as the smallest set
// that maps the programs one to one onto a box. No MLIR.
#pragma once

#include "runtime/mesh/TileProgram.h"

#include <optional>
#include <string>
#include <vector>

namespace tawa {

/// One value per program, by its number in the grid.
using ProgramFunction = std::vector<int64_t>;

struct CoordinateCandidate {
  std::string name; ///< Empty where the text has none.
  ProgramFunction values;
};

/// A candidate scaled to take all of 0 .. extent - 1.
struct Coordinate {
  std::string name;
  int64_t extent = 0;
  ProgramFunction values;
};

class GridShape {
public:
  /// The fewest coordinates in which all of `needed` are affine; nothing if no few candidates are.
  static std::optional<GridShape> find(const std::vector<CoordinateCandidate> &candidates,
                                       const std::vector<ProgramFunction> &needed);

  const std::vector<mesh::Index> &dims() const { return indices; }
  /// By tile, the last coordinate fastest: the program's number.
  const std::vector<uint32_t> &programs() const { return byTile; }
  /// The function over the coordinates; nothing where it is not affine.
  std::optional<mesh::Affine> affine(const ProgramFunction &function) const;
  /// Steps of size `step` that it takes to cover each distance, over the coordinates; nothing where that is no
  /// TripCount.
  std::optional<mesh::TripCount> tripCount(const ProgramFunction &distances, int64_t step) const;

private:
  bool choose(const std::vector<const Coordinate *> &coordinates);
  std::vector<int64_t> coordinatesOf(size_t tile) const;
  mesh::Affine affineAround(size_t corner, const ProgramFunction &function) const;

  std::vector<mesh::Index> indices;
  std::vector<uint32_t> byTile;
};

} // namespace tawa
