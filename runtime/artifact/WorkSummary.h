// WorkSummary: the work of a kernel, by role: loops and their trip counts, bytes moved and their positions, work of
// tensor cores and of threads. Made by the compiler from the distributed kernel (compiler/analysis/WorkSummary),
// evaluated by the performance model (runtime/tuner) for the arguments of a launch. Numbers known only at launch are
// expressions, so one summary serves all sizes. Plain data, not specific to any operator.
#pragma once

#include "runtime/artifact/KernelArtifact.h"
#include "runtime/artifact/RingSlots.h"
#include "runtime/artifact/RoleKind.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tawa {

/// A scalar of the kernel. Operands are earlier entries of WorkSummary::values.
struct WorkValue {
  enum class Op : uint8_t {
    Constant,  ///< number
    Scalar,    ///< logical argument `a`
    Shape,     ///< dimension `b` of logical argument `a`, outermost first
    Stride,    ///< likewise, in elements
    Program,   ///< id along axis `a`
    Programs,  ///< programs along axis `a`
    Induction, ///< of the loop that names this value
    Unknown,   ///< read from memory, or carried by a loop
    Add,       ///< and the rest: signed, of values a and b
    Sub,
    Mul,
    Div,
    CeilDiv,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Select, ///< a ? b : c
  };
  Op op = Op::Unknown;
  int32_t a = -1, b = -1, c = -1;
  int64_t number = 0;
  bool operator==(const WorkValue &) const = default;
};

/// A block of a tensor that is read or written at once.
struct WorkAccess {
  int32_t argument = -1;       ///< Logical argument it belongs to; -1: not known.
  std::vector<int64_t> block;  ///< Elements, outermost first.
  std::vector<int32_t> places; ///< Values: where the block begins, per dimension of the tensor; empty: not known.
  uint32_t elementBytes = 0;
  int32_t ring = -1;        ///< Through a slot of this ring; -1: to or from registers.
  bool isDescribed = false; ///< Through a descriptor: what lies outside of the tensor does not move.
  bool byTma = false;
  bool isCopyable = false;  ///< Of a load by a lone role: asynchronous copies can fetch the tile.
  bool isByElement = false; ///< Threads load so few bytes at once that no asynchronous copy takes them.
  int64_t bytes() const {
    int64_t size = elementBytes;
    for (int64_t extent : block)
      size *= extent;
    return size;
  }
  bool operator==(const WorkAccess &) const = default;
};

struct WorkStep {
  enum class Kind : uint8_t { Loop, Branch, Load, Store, Dot, Vector };
  Kind kind = Kind::Vector;
  // Loop: from `lower` in steps of `step` below `upper`. Branch: `body` where `condition` is not 0, else `otherwise`.
  int32_t lower = -1, upper = -1, step = -1, induction = -1, condition = -1;
  bool walksGrid = false; ///< A loop over the tiles of the grid.
  std::vector<WorkStep> body, otherwise;
  WorkAccess access; ///< Of Load and Store.
  // Dot: m x n += m x k * k x n on the unit for element types of `bits` bits; `isWgmma` where wgmma takes it.
  int64_t m = 0, n = 0, k = 0;
  uint32_t bits = 0;
  bool isWgmma = false, aInRegisters = false;
  bool isComputed = false;  ///< Threads of a consumer make an operand beside the product, in each iteration.
  bool isPipelined = false; ///< Sums up in its loop, so that P of them may be in flight.
  bool isPromoted = false;  ///< Sums of wgmma are added to the accumulator in f32.
  bool isFresh = false;     ///< Adds to zeros: what its loop carries has registers of its own.
  bool isContinued = false; ///< It goes on with the sums of another product, in their registers.
  double operations = 0;    ///< Of Vector: FMA-like operations of all threads together.
  bool operator==(const WorkStep &) const = default;
};

struct RoleWork {
  RoleKind kind = RoleKind::Main;
  uint32_t warps = 0;
  std::vector<WorkStep> steps;
  bool operator==(const RoleWork &) const = default;
};

struct WorkSummary {
  std::vector<WorkValue> values;
  std::vector<RingWork> rings;
  std::vector<RoleWork> roles;                                 ///< In the order of their warps.
  std::string declined;                                        ///< Why there is one role; empty where there are more.
  std::vector<std::pair<std::string, std::string>> notApplied; ///< As in KernelReport.
  /// Registers available to a consumer thread, by `ctas` and then with one, two, ... consumer groups; 0: as many as
  /// there are.
  std::vector<std::vector<uint32_t>> consumerRegisters;
  /// The same beside one converter group; 0: none are left.
  std::vector<std::vector<uint32_t>> registersBesideConverter;
  bool uniformTileWork = false; ///< As in LaunchMetadata.
  bool paddedGrid = false;      ///< Likewise, where the configuration asks for a cluster.
  int64_t maskedPrograms = 0;   ///< For so many programs the text's masks leave something to do; 0: not known.
  int64_t panelBytes = 0;       ///< Staging of TMA stores: per warp and stage of `epilogue`.
  int64_t sumBytes = 0;         ///< Of what loops with products carry: CTAs that share a tile pass it on in each round.
  int64_t operandBytes = 0;     ///< Of operands that consumers compute and put into shared memory.
  int64_t convertedBytes = 0;   ///< Of operands that a converter can compute instead: a slot of its rings.
  int64_t exchangedBytes = 0;   ///< Of operands of which each of two groups that share a tile computes some columns.
  int64_t scratchBytes = 0;     ///< Of tensors that change hands between threads, where there is room.
  /// By the number of consumer groups that share a tile: of an operand that they unpack and that changes hands between
  /// them in each iteration; of scratchBytes, the sums of warps that have slices of K.
  std::vector<int64_t> movedBytes, slicedBytes;
  // What the grid is worked out from, as in KernelArtifact.
  std::string entry, gridExpression;
  RetiledGrid retiled;
  KernelConfig config;
  std::vector<LogicalArgument> arguments;

  /// Whether a configuration gives the kernel a converter.
  bool hasConverter(const KernelConfig &chosen) const { return chosen.converterGroups != 0 && convertedBytes != 0; }
  /// Of consumerRegisters or registersBesideConverter; nothing where more was asked for than the compiler counted.
  std::optional<uint32_t> consumerRegistersOf(const KernelConfig &chosen) const {
    const auto &counted = hasConverter(chosen) ? registersBesideConverter : consumerRegisters;
    auto ctas = static_cast<size_t>(chosen.ctas), groups = static_cast<size_t>(std::max(chosen.consumerGroups, 1));
    if (ctas > counted.size() || groups > counted[ctas - 1].size())
      return std::nullopt;
    return counted[ctas - 1][groups - 1];
  }
  int64_t movedBytesOf(int groups) const { return ofGroups(movedBytes, groups); }
  int64_t slicedBytesOf(int groups) const { return ofGroups(slicedBytes, groups); }
  int64_t scratchBytesOf(int groups) const { return std::max(scratchBytes, slicedBytesOf(groups)); }
  /// Whether another kernel does the same work, up to the names of its parameters.
  bool doesTheSameAs(const WorkSummary &other) const {
    return values == other.values && rings == other.rings && roles == other.roles;
  }
  bool hasRole(RoleKind kind) const { return std::ranges::count(roles, kind, &RoleWork::kind) != 0; }
  /// Whether another kernel does the same at other places, so often, or under such conditions.
  bool hasFormOf(const WorkSummary &other) const;
  /// For people and tests: roles with nested steps, values written out as expressions.
  std::string str() const;

private:
  static int64_t ofGroups(const std::vector<int64_t> &bytes, int groups) {
    auto at = static_cast<size_t>(groups - 1);
    return at < bytes.size() ? bytes[at] : 0;
  }
};

} // namespace tawa
