// Tensors and blocks of a core program in pages: tiles of 32 x 32 elements. Internal to the printing of code.
#pragma once

#include "compiler/planner/metalium/CodeText.h"

#include <map>

namespace tawa::metalium {

constexpr int64_t kTileSide = 32;
constexpr int64_t kTileElements = kTileSide * kTileSide;

/// A tensor's pages: rows x columns for each index of the batch dimensions.
struct PagedTensor {
  std::vector<int64_t> batch;
  int64_t rows = 0, columns = 0, pageBytes = 0;
  bool isOfRows = false; ///< A page is 1024 elements in a row; else a tile.
};

/// A block's pages, as an access of a core program has them.
struct PagedBlock {
  int64_t rows = 0, columns = 0;
  std::vector<mesh::Affine> batch;
  mesh::Affine row, column; ///< Of its first page in the tensor.
  int64_t pages() const { return rows * columns; }
};

/// What a circular buffer holds: its tiles are blocks of `rows` x `columns` pages.
struct PagedBuffer {
  std::string name; ///< "cb_a"
  ElementType type = ElementType::F32;
  int64_t rows = 0, columns = 0;
  int64_t slots = 0; ///< Blocks.
  int64_t pageBytes() const { return kTileElements * elementBytes(type); }
  int64_t pages() const { return rows * columns; }
  int64_t blockBytes() const { return pages() * pageBytes(); }
};

class Paging {
public:
  Paging(const mesh::CoreProgram &program, bool hasColumns, Refusals &refusals);

  PagedTensor tensor(int number) const;
  PagedBlock block(const mesh::TileAccess &access) const;
  /// Buffer i of the program has number i; those that the code adds follow.
  std::vector<PagedBuffer> buffers;
  int ones = -1;   ///< A tile of ones, or -1,
  int scaler = -1; ///< and the factors of reductions, which the reader makes.
  void needOnes() { need(ones, "cb_ones"); }
  void needScaler() { need(scaler, "cb_scaler"); }
  /// Multiples of an element's place in its page, which the reader makes.
  struct Places {
    int64_t lower, right; ///< For the lower faces of the tile, and for the right ones,
    int64_t row, column;  ///< for rows and columns of a face.
    auto operator<=>(const Places &) const = default;
  };
  std::map<Places, int> places; ///< Buffers of one page.
  int placesOf(const Places &multiples);
  const bool hasColumns; ///< Values and tensors of one dimension are columns of tiles, not rows of pages.

private:
  void need(int &buffer, const char *name);
  void findRows(const std::vector<mesh::Operation> &body);
  void visit(const std::vector<mesh::Operation> &body);
  void holds(int buffer, const mesh::TileAccess &access);
  void checkRing(const mesh::BufferStep &step);
  mesh::Affine inUnits(const mesh::Affine &start, int64_t unit, const mesh::TileAccess &access) const;

  const mesh::CoreProgram &program;
  Refusals &refusals;
  std::set<int> inTiles; ///< Tensors with a block that is no single row.
};

} // namespace tawa::metalium
