// Loops over the tiles of a block: registers are acquired, computed, and packed. Internal to the printing of code.
#pragma once

#include "compiler/planner/metalium/ComputeSource.h"

namespace tawa::metalium {

class TileCode {
public:
  TileCode(Paging &paging, Variables &variables) : paging(paging), variables(variables) {}

  /// Evaluates the expression for each tile, and packs it to the blocks at these slots.
  struct Target {
    int buffer = -1;
    mesh::Affine slot; ///< From the producer's position.
  };
  void print(const Expression &value, const std::vector<Target> &targets);
  /// `again`: C++ that holds where what is added to in place is in the buffer; empty: never.
  void print(const Product &product, const TileValue &value, const std::string &again);
  void print(const Reduction &reduction, const TileValue &value);
  /// Tiles with 1 in all elements: what is repeated is multiplied with one.
  void makeOnes();

  void call(const std::string &function, const std::vector<std::string> &arguments = {});
  std::string buffer(int number);

  CodeText code{1};
  std::set<int> used, copied, multiplied; ///< Buffers; `multiplied`: that the matrix unit reads.
  std::set<std::string> headers;

private:
  void openLoop(const std::string &name, int64_t extent, int64_t step = 1);
  void close(int count);
  void await(const BlockSource &block);
  std::string index(const BlockSource &block, const std::string &tile);
  std::string tileOf(const BlockSource &block);
  void evaluate(const Expression &value, int to);
  void evaluateBlock(const Expression &value, int to);
  std::string placeOfTile(const Expression &value);
  void fill(int to, const std::string &value);
  void prepareCopy(int from);
  void loadSum(const Product &product, const TileValue &value, const std::string &again);
  void multiply(const Product &product, const Subblock &subblock);
  void packProduct(const TileValue &value, const Subblock &subblock);
  void pack(const TileValue &value, const std::string &from, const std::string &tile);
  void reserve(const TileValue &value);
  void push(const TileValue &value);

  Paging &paging;
  Variables &variables;
  std::set<int> written; ///< Registers since they were acquired.
};

} // namespace tawa::metalium
