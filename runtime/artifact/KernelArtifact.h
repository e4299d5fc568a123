// KernelArtifact: the compiler's output, which the runtime loads and the store keeps. Plain data only.
//
// A kernel's parameter buffer is one block of bytes laid out by the rules of PTX .param space: parameters in order,
// each at its natural alignment (tensor maps: 128 bytes, aligned to 64). Both devices take the same block.
#pragma once

#include "runtime/artifact/ElementType.h"
#include "runtime/artifact/KernelConfig.h"
#include "runtime/artifact/RetiledGrid.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tawa {

enum class TargetKind : uint8_t { Ptx, Host };

/// How to build one CUtensorMap from a logical tensor argument. Dimensions here are innermost first, as the driver
/// counts them (PTX ISA, "Tensors"); the tensor argument counts outermost first.
struct TensorMapRecipe {
  enum class Swizzle : uint8_t { None = 0, B32 = 1, B64 = 2, B128 = 3 }; // values of CUtensorMapSwizzle
  enum class Fill : uint8_t { Zero = 0, NaN = 1 };
  uint32_t argument = 0; ///< Index of the logical tensor argument.
  ElementType elementType = ElementType::F16;
  std::vector<uint32_t> box; ///< Elements per dimension of one copy, innermost first; its size is the rank.
  Swizzle swizzle = Swizzle::None;
  Fill fill = Fill::Zero;
  // A kernel may describe the tensor itself, in expressions (runtime/support/Expression.h) over its arguments: "a3" is
  // the value of scalar argument 3, "a0_shape1" and "a0_stride1" are what tensor argument 0 has for dimension 1.
  std::string offset;               ///< Elements added to the argument's address; empty: none.
  std::vector<std::string> shape;   ///< Outermost first; empty: shape and strides are the argument's own.
  std::vector<std::string> strides; ///< In elements, likewise.
  bool isDescribed() const { return !shape.empty(); }
};

/// One kernel parameter and where its value comes from.
struct KernelParam {
  enum class Source : uint8_t {
    TensorMap,     ///< index: position in KernelArtifact::tensorMaps
    TensorPointer, ///< index: logical argument
    TensorShape,   ///< index: logical argument, dimension: outermost first
    TensorStride,  ///< likewise, in elements
    Scalar,        ///< index: logical argument
    GridExtent,    ///< dimension: axis of the grid that was asked for, where CTAs walk it or more are started
    Scratch,       ///< address of LaunchMetadata::scratchBytes per CTA, of this launch alone
    Workspace,     ///< address of LaunchMetadata::workspaceBytes per CTA, handed on from launch to launch
  };
  Source source = Source::Scalar;
  uint32_t index = 0;
  uint32_t dimension = 0;
  uint32_t bytes = 0;
  uint32_t alignment = 0;
  uint32_t offset = 0; ///< In the parameter buffer.
};

/// A logical argument: what the caller passes at launch.
struct LogicalArgument {
  enum class Kind : uint8_t { Tensor, Scalar, Constant };
  Kind kind = Kind::Scalar;
  std::string name; ///< As printed in the kernel's text.
  ElementType elementType = ElementType::I32;
  uint32_t rank = 0;      ///< Of a tensor; 0 for a bare pointer, whose shape the kernel never asks for.
  int64_t value = 0;      ///< Of a constant (bit pattern for floats).
  uint32_t alignment = 0; ///< Bytes (pointers) or a divisor (integers) the code relies on; checked at launch. 0: none.
  uint32_t strideDivisor = 0; ///< Likewise, in elements, of all strides of a tensor but the last.
  uint32_t columnDivisor = 0; ///< Likewise, of the last extent of a tensor.
};

struct LaunchMetadata {
  uint32_t threads = 0;
  uint32_t sharedBytes = 0; ///< Dynamic shared memory, alignment slack included.
  std::array<uint32_t, 3> cluster{1, 1, 1};
  /// Expressions over the arguments (as those of TensorMapRecipe) that the CTAs of a cluster must divide, so that all
  /// of them have equal work: numbers of tiles that a kernel walks itself.
  std::vector<std::string> clusterDivides;
  /// Clusters need not divide the grid: a launch starts whole ones along x, and CTAs beyond the grid write nothing.
  bool paddedGrid = false;
  /// CTAs of one program, neighbours along x: a launch starts that many for each program of the requested grid.
  uint32_t split = 1;
  /// Private global memory of each CTA while it runs, at linear CTA index * scratchBytes from the address in
  /// KernelParam::Scratch: tensor maps that the kernel makes itself. A multiple of 128.
  uint32_t scratchBytes = 0;
  /// CTAs share the iterations of tiles (stream-K): a launch starts all that are resident, however few tiles there are.
  bool stream = false;
  /// Global memory for each CTA, which all CTAs of a launch use together, at the address in KernelParam::Workspace. The
  /// first launch finds zeros there; each leaves to the next one what that relies on, so no two use it at a time.
  uint32_t workspaceBytes = 0;
  uint32_t registersPerThread = 0; ///< At entry: what every thread owns before any setmaxnreg.
  /// Axes of the grid that resident CTAs walk themselves. A launch starts as many CTAs as are resident at once, along
  /// the first of these axes, and passes the extents to the kernel (KernelParam::GridExtent).
  std::array<bool, 3> walked{};
  /// The programs of the grid are matrix products and take equally long, as far as the compiler can tell.
  bool uniformTileWork = false;
  RetiledGrid retiled;
  bool isPersistent() const { return walked[0] || walked[1] || walked[2]; }
};

/// The compiler's findings and decisions, as text: printed by the demo, the tools and kernel info.
struct KernelReport {
  struct Role {
    std::string name;
    uint32_t warps = 0;
    uint32_t registers = 0; ///< After setmaxnreg; 0 where the role keeps the entry count.
  };
  struct Ring {
    uint32_t depth = 0;
    uint64_t slotBytes = 0;
    std::string payload; ///< Printed tensor types.
  };
  struct PhaseTime {
    std::string phase;
    double milliseconds = 0;
  };
  std::string declined; ///< Why the kernel is one role; empty where it was split.
  /// Settings of the configuration that this kernel does not follow, each with the reason.
  std::vector<std::pair<std::string, std::string>> notApplied;
  std::vector<Role> roles;
  std::vector<Ring> rings;
  std::vector<PhaseTime> phases;
};

struct KernelArtifact {
  TargetKind target = TargetKind::Ptx;
  std::string gpu;   ///< What the code was made for, as Target::str() has it.
  std::string entry; ///< Symbol of the kernel.
  std::string code;  ///< PTX text or the bytes of a relocatable host object.
  KernelConfig config;
  LaunchMetadata launch;
  std::vector<LogicalArgument> arguments;
  std::vector<KernelParam> params;
  std::vector<TensorMapRecipe> tensorMaps;
  uint32_t paramBytes = 0;
  std::string gridExpression; ///< From `tawa.grid`; empty where the caller must give the grid.
  std::string contentHash;    ///< XXH3-128 of code and launch facts, 32 hex digits.
  KernelReport report;
};

} // namespace tawa
