// Matrices in the device's memory, for tests that run printed programs: filled, converted to pages, compared.
#pragma once

#include "tests/planner/metalium/model/Model.h"

#include <cmath>
#include <memory>

namespace metalium_model {

/// rows x columns in tiles of 32 x 32 elements, or with `isVector` each row in pages of 1024 elements.
class Matrix {
public:
  Matrix(size_t rows, size_t columns, tt::DataFormat format, bool isVector = false);

  float at(size_t row, size_t column) const { return values[row * columns + column]; }
  /// Whole numbers from -3 to 3, whose sums are exact, times `scale`.
  void fill(uint32_t seed, float scale = 1);
  void upload() const; ///< Values to pages, padded with zeros.
  void download();     ///< Pages to values.
  const std::shared_ptr<tt::tt_metal::distributed::MeshBuffer> &buffer() const { return pages; }

  const size_t rows, columns;

private:
  char *pageOf(size_t row, size_t column, size_t &element) const;

  tt::DataFormat format;
  bool isVector;
  std::vector<float> values;
  std::shared_ptr<tt::tt_metal::distributed::MeshBuffer> pages;
};

/// 0 where each element of `result` is as expected, else 1 with the first that is not.
int compare(const Matrix &result, const std::function<float(size_t, size_t)> &expected, float tolerance = 0);

} // namespace metalium_model
