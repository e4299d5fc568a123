#include "tests/planner/metalium/model/Matrices.h"

#include "tests/planner/metalium/model/Tiles.h"

#include <cmath>
#include <cstdio>

namespace metalium_model {
namespace {

size_t ceilDiv(size_t a, size_t b) { return (a + b - 1) / b; }

size_t pageCount(size_t rows, size_t columns, bool isVector) {
  return isVector ? rows * ceilDiv(columns, kTileElements) : ceilDiv(rows, kTileSide) * ceilDiv(columns, kTileSide);
}

} // namespace

Matrix::Matrix(size_t rows, size_t columns, tt::DataFormat format, bool isVector)
    : rows(rows), columns(columns), format(format), isVector(isVector), values(rows * columns),
      pages(std::make_shared<tt::tt_metal::distributed::MeshBuffer>(
          static_cast<uint32_t>(pageCount(rows, columns, isVector)),
          static_cast<uint32_t>(kTileElements * elementBytes(format)))) {}

void Matrix::fill(uint32_t seed, float scale) {
  uint32_t state = seed * 2654435761u + 1;
  for (float &value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int>(state >> 16) % 7 - 3) * scale;
  }
}

char *Matrix::pageOf(size_t row, size_t column, size_t &element) const {
  size_t page = isVector ? row * ceilDiv(columns, kTileElements) + column / kTileElements
                         : row / kTileSide * ceilDiv(columns, kTileSide) + column / kTileSide;
  element = isVector ? column % kTileElements : elementOfTile(row % kTileSide, column % kTileSide);
  return pages->bytes.data() + page * pages->page_size;
}

void Matrix::upload() const {
  std::fill(pages->bytes.begin(), pages->bytes.end(), 0);
  size_t element = 0;
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column) {
      char *page = pageOf(row, column, element);
      storeElement(page, element, format, at(row, column));
    }
}

void Matrix::download() {
  size_t element = 0;
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column) {
      char *page = pageOf(row, column, element);
      values[row * columns + column] = loadElement(page, element, format);
    }
}

int compare(const Matrix &result, const std::function<float(size_t, size_t)> &expected, float tolerance) {
  for (size_t row = 0; row < result.rows; ++row)
    for (size_t column = 0; column < result.columns; ++column) {
      float want = expected(row, column), have = result.at(row, column);
      if (!(std::abs(have - want) <= tolerance * std::abs(want))) {
        std::fprintf(stderr, "element %zu, %zu is %g, expected %g\n", row, column, have, want);
        return 1;
      }
    }
  return 0;
}

} // namespace metalium_model
