// What the compute thread keeps in circular buffers of its own: results of products and reductions, what they read,
// what loops carry, and what is read more than once. All other values are parts of the expressions that read them.
// Internal to the printing of code.
//
// Values of one size share a buffer where one is read for the last time before the other is computed: in loops one
// after the other, or in segments of one body.
//
// A value that a loop carries is packed to a ring of two blocks, of which the next iteration reads the front, and once
// more where the same iteration reads it: blocks that are waited for may not wrap around. The sum of a product that
// nothing else in the loop reads is added to in place: one block, whose pages go through the ring in the order of the
// product's subblocks.
#pragma once

#include "compiler/planner/metalium/Paging.h"

#include <map>
#include <optional>

namespace tawa::metalium {

/// Destination registers with 32-bit elements, one half of them: the packer has the other.
constexpr int kRegisters = 4;

/// Destination registers of one pass of a product: rows x columns of its tiles.
struct Subblock {
  int64_t rows = 1, columns = 1;
  int64_t tiles() const { return rows * columns; }
};

/// 32-bit tiles that are copied without conversion cannot be operands of the matrix unit: a value that is both has two.
struct ValueBuffers {
  int copied = -1, operand = -1; ///< The same where only one of these happens.
  std::set<int> all() const { return copied < 0 ? std::set<int>{} : std::set<int>{copied, operand}; }
};

struct TileValue {
  int loop = -1, position = -1; ///< The operator: its body, by the loop's index, and its step.
  const mesh::TileOperator *op = nullptr;
  int64_t rows = 0, columns = 0;              ///< Pages.
  ValueBuffers here = {};                     ///< For steps of the same body,
  ValueBuffers kept = {};                     ///< for the next iteration and for those after the loop.
  const mesh::TileOperand *carried = nullptr; ///< By the loop, from this.
  bool isInPlace = false;
  Subblock subblock = {}; ///< Of a product.
  int lastHere = -1;      ///< Position of the last step of the same body that reads it, or -1;
  int lastAfter = -1;     ///< of the last one of the body around it, after the loop. A loop reads what it begins with.

  std::set<int> buffers() const {
    std::set<int> all = here.all();
    all.merge(kept.all());
    return all;
  }
};

/// What an operand stands for.
struct TileSource {
  enum class Kind : uint8_t { None, Load, Constant, Scalar, Value, Part, Mask };
  Kind kind = Kind::None;
  const mesh::TileStep *load = nullptr;
  double constant = 0;
  std::string scalar; ///< C++.
  const TileValue *value = nullptr;
  bool isKept = false;                      ///< Of the value, what is kept.
  const mesh::TileOperator *part = nullptr; ///< An operator of the same body that has no buffer.
  const mesh::TileMask *mask = nullptr;
};

class TileValues {
public:
  /// Adds buffers to `paging`.
  TileValues(const mesh::TileProgram &tiles, Paging &paging, Refusals &refusals);

  /// Null for what has no buffer.
  const TileValue *find(int loop, int position) const;
  TileSource sourceOf(const mesh::TileOperand &operand, int loop) const;
  const std::vector<mesh::TileStep> &body(int loop) const { return *bodies.at(loop).steps; }
  int around(int loop) const { return bodies.at(loop).parent; }
  /// Of a loop, in the body around it.
  int positionOf(int loop) const { return static_cast<int>(bodies.at(loop).loop - body(around(loop)).data()); }
  /// Position of the last operator or store of a body.
  int lastPosition(int loop) const;

  std::vector<TileValue> values;

private:
  /// Of steps, those of loops among them, in the order of the text: first and last.
  using Span = std::pair<int, int>;
  struct Body {
    const std::vector<mesh::TileStep> *steps = nullptr;
    const mesh::TileStep *loop = nullptr;
    int parent = -1;
    std::vector<Span> spans = {}; ///< By position.
  };
  /// A buffer of values that are read in the body that computes them.
  struct SharedBuffer {
    int number;
    bool isOperand; ///< Of the matrix unit, of 32-bit elements.
    std::vector<Span> taken;
  };
  /// The operator that an operand comes from.
  struct Origin {
    enum class Time : uint8_t { Here, Before, After }; ///< Before: of the last iteration. After: the loop has ended.
    int loop = -1, position = -1;
    Time time = Time::Here;
    bool isOuter = false; ///< Computed outside of the loop that reads it.
  };
  struct Use {
    enum class Kind : uint8_t { Copied, Operand, Next };
    int loop, position;
    Kind kind;
    Origin::Time time;
    bool isStore, isTransposed;
  };

  void collect(const std::vector<mesh::TileStep> &steps, int loop, int parent, const mesh::TileStep *step);
  void collectUses();
  void addUse(const mesh::TileOperand &operand, int loop, int position, Use::Kind kind, bool isStore = false);
  std::optional<Origin> originOf(const mesh::TileOperand &operand, int loop) const;
  const mesh::TileStep *stepOf(const mesh::TileOperand &operand, int loop, int &body) const;
  const mesh::TileOperator &operatorAt(const Origin &origin) const { return body(origin.loop)[origin.position].op; }
  bool isScalar(const mesh::TileOperator &op, int loop) const;
  std::string scalarText(const mesh::TileOperator &op, int loop) const;
  bool needsBuffer(const mesh::TileOperator &op, int loop, int position, const std::vector<Use> &own) const;
  bool isSameSegment(int loop, int from, int to) const;
  void addValue(int loop, int position, const std::vector<Use> &own);
  bool mayBeEmpty(int loop) const;
  void setSize(TileValue &value) const;
  void setCarried(TileValue &value, const std::vector<Use> &own) const;
  ValueBuffers addBuffers(const TileValue &value, const std::vector<Use> &own, int64_t blocks);
  int addBuffer(const TileValue &value, const std::string &name, int64_t blocks);
  Span spanHere(const TileValue &value) const;
  int shareBuffer(const TileValue &value, const std::string &name, bool isOperand);

  const mesh::TileProgram &tiles;
  Paging &paging;
  Refusals &refusals;
  std::map<int, Body> bodies;
  int steps = 0; ///< So far, in all bodies.
  std::vector<SharedBuffer> shared;
  std::map<std::pair<int, int>, std::vector<Use>> uses; ///< By body and position.
};

/// Whether the program computes with one value for each row of a block: values and tensors of one dimension are columns
/// of tiles then, and else rows of pages.
bool hasColumns(const mesh::TileProgram &tiles);
/// Registers have 32-bit elements: casts change nothing there, and the packer rounds to the type of its buffer.
bool isCast(const std::string &op);
bool isNarrowing(const std::string &op);
/// Hexadecimal, which is exact.
std::string floatText(double value);

} // namespace tawa::metalium
