// Affinization: a kernel's text, its arguments and its grid as a mesh::TileProgram.
//
// With concrete arguments every integer of a kernel is a number per program of the grid, plus multiples of loop
// indices. What the front end prints as one linear grid with divisions and remainders has, evaluated for every program,
// the box of tiles in it: the values that accesses use are found among the kernel's scalars, as coordinates
// (GridShape.h).
//
//   %m = divsi %pid, %tiles_n            gemm: m in 0..32 n in 0..16
//   %n = remsi %pid, %tiles_n      ->      for k in 0..64
//   tt.descriptor_load %a[%m * 128, ..]      load a[128 * m, 64 * k], 128 x 64
//
// Loads and stores go through descriptors or through tensors of pointers. What is not affine is refused by name.
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "runtime/mesh/TileProgram.h"

#include <array>
#include <map>

namespace tawa {

/// Why a kernel has no tile program.
enum class AffinizeReason : uint8_t {
  WhileLoop,
  Condition,
  Atomic,
  SideEffect,
  AddressDependsOnData,
  AddressNotAffine,
  RemainderWrapsInTile,
  NotABlock,
  TensorNotFixed,
  MaskDependsOnData,
  ReadsWhatItWrites,
  TripCountDependsOnData,
  TripCountNotAffine,
  TripCountDependsOnLoop,
  GridNotABox,
  GridTooLarge,
};
std::string_view textOf(AffinizeReason reason);

struct AffinizeInput {
  std::string_view text;
  std::string name = "<kernel>";       ///< File name used in messages.
  std::map<std::string, int64_t> tile; ///< Values of the text's tile parameters; others take their first.
  /// One per logical argument: tensors with their shape (strides default to dense rows), integers as constants with
  /// their value. Floats need no value.
  std::vector<ArgumentFacts> arguments;
  std::optional<std::array<uint32_t, 3>> grid; ///< Left out: what the text's `tawa.grid` gives.
};

/// A tile program, and how its tiles are run by the kernel that it was made from.
struct AffineKernel {
  mesh::TileProgram program;
  std::array<uint32_t, 3> grid{1, 1, 1};
  /// Of each tile, in row-major order of the grid dimensions: the number of its program, x fastest.
  std::vector<uint32_t> programs;
  /// The kernel that TileAccess::operation counts in: the text after phase "specialized". It takes the same arguments.
  std::string text;
};

/// Errors name file, line, operation and reason.
Result<AffineKernel> affinize(const AffinizeInput &input);

} // namespace tawa
