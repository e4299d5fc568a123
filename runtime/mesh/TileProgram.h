// A tile kernel whose addresses are affine: parallel dimensions of the grid, a tree of sequential loops, and in it
// loads and stores of blocks of tensors and work of units. Made by compiler/planner's affinization from Triton IR, for
// given arguments; plain data. What the planner maps onto a machine.
//
// Indices are numbered: those of the grid first, then those of the loops, outermost and earlier first.
#pragma once

#include "runtime/artifact/ElementType.h"
#include "runtime/mesh/Affine.h"

#include <optional>

namespace tawa::mesh {

/// A parallel dimension of the grid, or a loop: 0 .. extent - 1.
struct Index {
  std::string name; ///< "m", "k"
  int64_t extent = 0;
  /// Of a loop that is not equally long in all programs of the grid: its length, from the grid's indices. Its extent is
  /// that of the longest.
  std::optional<TripCount> trips = {};
};

struct Tensor {
  std::string name;             ///< Of the kernel's parameter.
  std::vector<int64_t> shape;   ///< Outermost first.
  std::vector<int64_t> strides; ///< Elements.
  ElementType type = ElementType::F32;
  int argument = -1; ///< Of the kernel: the logical argument with its memory; -1: none.
  int64_t bytes() const;
};

/// A block of a tensor, in elements: `start` has one function of all indices per dimension. What lies outside of the
/// tensor reads as zero and is not written.
struct TileAccess {
  int tensor = -1;
  std::vector<int64_t> block;
  std::vector<Affine> start;
  int operation = -1; ///< Number of the load, or of the store, in the order of the text: how the evaluator names it.
  /// A mask may exclude elements inside of the tensor, too; a store leaves those as they are.
  bool isMasked = false;
  int64_t elements() const;
};

enum class Unit : uint8_t { Matrix, Vector, Scalar };

/// What an operator reads or a store writes, exactly: what code of it needs.
struct TileOperand {
  enum class Kind : uint8_t {
    Step,     ///< The result of a load, an operator or a loop, at position `step` of its body.
    Carried,  ///< Of a loop: what it carries as its number `result`.
    Argument, ///< The number `step` of the program's scalars.
    Constant, ///< `value` in all elements.
    Mask,     ///< The number `step` of the program's masks.
    Other,    ///< None of these.
  };
  /// How elements are repeated.
  enum class Spread : uint8_t {
    None,
    Columns, ///< A value of one dimension, once for each column.
    All,     ///< One element.
  };
  Kind kind = Kind::Other;
  int step = -1;
  double value = 0;
  bool isTransposed = false; ///< Of two dimensions.
  int result = 0;            ///< Of a loop.
  int outer = 0;             ///< The body is so many loops further out than the reader's.
  Spread spread = Spread::None;
};

/// A condition on the elements of a tile: comparisons of indices, which all hold where all sums are negative.
struct TileMask {
  struct Sum {
    std::vector<int64_t> steps; ///< By dimension of the tile: times the element's position.
    Affine start;               ///< Of all indices.
  };
  std::vector<Sum> negative;
};

/// One operation on tiles: `count` times m x n x k for the matrix unit, `elements` elements for the others.
struct TileOperator {
  std::string name; ///< "tt.dot"
  Unit unit = Unit::Vector;
  int64_t m = 0, n = 0, k = 0;
  int64_t elements = 0;
  std::vector<int> operands; ///< Steps (positions in the same body) whose results it reads.
  /// The same, one entry for each operand in their order. Empty where it is not known.
  std::vector<TileOperand> reads = {};
  std::vector<int64_t> shape = {}; ///< Of its result.
  ElementType type = ElementType::F32;
  int axis = -1;             ///< Of a reduction, and
  std::string combines = ""; ///< the operator that reduces two elements; empty: another function.
};

/// What a loop hands from one iteration to the next, and at last to the steps after it.
struct TileCarried {
  TileOperand first; ///< In the body around the loop.
  TileOperand next;  ///< In its own.
};

struct TileStep {
  enum class Kind : uint8_t { Loop, Load, Store, Operator };
  Kind kind = Kind::Operator;
  int index = -1;             ///< Of Loop: its number among the indices.
  std::vector<TileStep> body; ///< Of Loop.
  std::vector<TileCarried> carries = {};
  TileAccess access;  ///< Of Load and Store.
  TileOperator op;    ///< Of Operator.
  TileOperand stored; ///< Of Store: what it writes.
};

struct TileProgram {
  std::string name;
  std::vector<Index> indices;
  int gridDims = 0; ///< The first so many indices are parallel.
  std::vector<Tensor> tensors;
  std::vector<std::string> scalars = {}; ///< Float parameters that operators read.
  std::vector<TileMask> masks = {};      ///< Likewise.
  std::vector<TileStep> body;            ///< Of one program of the grid.
  /// Bytes that the body keeps between steps of loops (accumulators), of one program.
  int64_t carriedBytes = 0;

  /// Loads and stores, in the order of the text, with the loops around each, outermost first.
  struct Place {
    const TileStep *step;
    std::vector<int> loops;
  };
  std::vector<Place> loads() const;
  std::vector<Place> stores() const;
  std::string str() const;
};

} // namespace tawa::mesh
