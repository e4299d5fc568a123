// The layouts that Hopper's units require, and what is derived from them: wgmma fragments in registers, swizzled tiles
// in shared memory, the TMA boxes that fill such a tile, the wgmma descriptor that reads it and the stmatrix
// instructions that write it.
//
// Tensor coordinates are the output dimensions "dim0", "dim1", ... outermost first (row, column). Register layouts map
// ("register", "lane", "warp") to them, where the register index counts elements and not 32-bit registers; shared
// memory layouts map "offset", in elements. Descriptors, boxes and store plans are derived from the map alone, however
// it was built, so a transposed view or a slice works when the hardware can express it.
#pragma once

#include "compiler/layouts/algebra/LinearLayout.h"

namespace tawa {

// --- Registers
// --------------------------------------------------------------------------------------------------------

/// The f32 accumulator of wgmma for a rows x cols tile over `warps` warps (a multiple of 4, so 1, 2, 4 .. warp groups).
/// Warp groups are stacked along M while there are rows (64 each), then along N (instrN each); left-over ones hold
/// copies. Register index: col 1, row 8, col 8, 16 .. instrN/2 inside an instruction, then the instances along N, then
/// the instances along M: index / (instrN / 2) enumerates the instructions of one warp group.
LinearLayout wgmmaAccumulator(uint32_t rows, uint32_t cols, uint32_t instrN, uint32_t warps);

/// Operand A of wgmma in registers, for elements of 8, 16 or 32 (tf32) bits. Register index: the elements packed in one
/// 32-bit register along k, then row 8, then the second half of the 32 bytes of k, then the k steps, then the instances
/// along M: index / (128 / elementBits) enumerates the instructions. Warps as in the accumulator; warp groups that
/// are stacked along N hold copies of A.
LinearLayout wgmmaOperandA(uint32_t rows, uint32_t k, unsigned elementBits, uint32_t warps);
/// The 16-bit case, the same map as an accumulator whose columns are k: conversion f32 -> f16 moves nothing.
LinearLayout wgmmaOperandA16(uint32_t rows, uint32_t k, uint32_t warps);
LinearLayout wgmmaOperandA8(uint32_t rows, uint32_t k, uint32_t warps);
LinearLayout wgmmaOperandATf32(uint32_t rows, uint32_t k, uint32_t warps);

/// How the warps of a role share the tile of an mma.sync product: along M first, then along N; each warp's part is one
/// piece of rows / m by cols / n. Warps beyond m * n hold copies.
struct MmaWarps {
  uint32_t m = 1, n = 1;
  uint32_t total = 1; ///< Warps that share it, a power of two.
  bool operator==(const MmaWarps &) const = default;
};
/// A split that gives every warp whole 16 x 8 instructions while there are any. `rowsFirst` keeps whole rows in a warp
/// as long as possible, for products whose rows are reduced or multiplied again; otherwise parts are nearly square, so
/// that the warps read little of the operands twice.
MmaWarps chooseMmaWarps(uint32_t rows, uint32_t cols, uint32_t warps, bool rowsFirst);

// Fragments of mma.sync m16n8k8 (tf32), k16 (16 bits), k32 (8 bits); PTX ISA, "Matrix Fragments for mma.m16n8k..".
// With instrK = 256 / elementBits, and mb, nb, kb the 16-row, 8-column and instrK blocks of one warp's part:
//   accumulator  register / 4                   = block of columns + nb * block of rows
//   operand A    register / (128 / elementBits) = block of k + kb * block of rows
//   operand B    register / (64 / elementBits)  = block of k + kb * block of columns
// and the low part of the register index enumerates the fragment in the order in which the instruction takes it. Tiles
// of fewer than 16 rows or 8 columns fill the instruction with copies (zero bases): the rows computed twice come out
// the same. K must be at least instrK, since a copied k would be counted twice.

/// The accumulator (or C operand): register index col 1, row 8, then column blocks, then row blocks.
LinearLayout mmaAccumulator(uint32_t rows, uint32_t cols, MmaWarps warps);
/// Operand A, rows x k; warps along N hold copies.
LinearLayout mmaOperandA(uint32_t rows, uint32_t k, unsigned elementBits, MmaWarps warps);
/// Operand B, k x cols; warps along M hold copies.
LinearLayout mmaOperandB(uint32_t k, uint32_t cols, unsigned elementBits, MmaWarps warps);

/// Several such products beside each other, as a new first dimension: `pieces` of them, a divisor of `batches`, are
/// computed by other warps than those of `one`, the rest one after the other (highest register bits).
LinearLayout batchOf(const LinearLayout &one, uint32_t batches, uint32_t pieces);

/// A coalesced layout of a tile of any rank: `vector` consecutive elements per thread along the fastest dimension, then
/// lanes, then warps, in the order of dimensions `order` (fastest first; empty: the last dimension first), the
/// remaining elements in further registers. Lanes and warps a small tile has no use for hold copies.
LinearLayout blocked(const std::vector<uint32_t> &shape, uint32_t vector, uint32_t warps,
                     std::vector<unsigned> order = {});

/// The choices that blocked() makes itself: the order and bounds of lanes and warps over the dimensions.
struct BlockedPlan {
  uint32_t vector = 1; ///< Consecutive elements per thread along order[0].
  uint32_t warps = 1;
  std::vector<unsigned> order;     ///< In which lanes, and at last the further registers, take the dimensions.
  std::vector<unsigned> warpOrder; ///< In which warps take what the lanes left; empty: as `order`.
  /// Maximum number of lanes along each dimension; empty: no bound. Surplus lanes hold copies.
  std::vector<uint32_t> maxLanes;
};
/// A layout as blocked() with these choices: every basis touches one dimension only.
LinearLayout blocked(const std::vector<uint32_t> &shape, const BlockedPlan &plan);

/// The layout of a tile after `axis` was reduced away: the dimension is dropped and the higher ones are renamed down.
/// Bits that only ran along the axis become replication.
LinearLayout sliceAxis(const LinearLayout &layout, unsigned axis);
/// Inserts a dimension of size 1 before `axis`; the dimensions from there on are renamed up.
LinearLayout expandAxis(const LinearLayout &layout, unsigned axis);
/// The layout of the transposed tensor: its dimension i is dimension order[i] of `layout`.
LinearLayout permuteAxes(const LinearLayout &layout, const std::vector<unsigned> &order);
/// The layout of the tensor reshaped, in row-major order, to `shape` of the same number of elements.
LinearLayout reshapeTensor(const LinearLayout &layout, const std::vector<uint32_t> &shape);

/// A register tile cut along one axis into slices that all have the layout `tile`, as a subtiled epilogue stores them.
struct RegisterSlices {
  LinearLayout tile;
  /// registers[s][i]: the register of the whole tile that is register i of slice s.
  std::vector<std::vector<uint32_t>> registers;
};
/// Cuts `layout` along `axis` into slices of `extent`; none when lanes or warps hold different slices.
std::optional<RegisterSlices> sliceRegisters(const LinearLayout &layout, unsigned axis, uint32_t extent);

/// Number of tensor dimensions of a layout.
unsigned tensorRank(const LinearLayout &layout);
/// "dim0", "dim1", ...
std::string dimName(unsigned axis);

// --- Shared memory
// ----------------------------------------------------------------------------------------------------

/// How 16-byte chunks are permuted inside an atom of 8 rows. The value is the TMA (CUtensorMap) encoding.
enum class Swizzle : uint8_t { None = 0, B32 = 1, B64 = 2, B128 = 3 };

/// Bytes of one row of the atom: 16 (no swizzle), 32, 64, 128.
uint32_t swizzleBytes(Swizzle swizzle);
/// Alignment a swizzled buffer needs so that its pattern starts at its first byte: 1024, 512, 256; 128 without swizzle.
uint32_t swizzleAlignment(Swizzle swizzle);
/// Bits 62..63 of the wgmma descriptor: 0 none, 1 128 B, 2 64 B, 3 32 B.
unsigned wgmmaSwizzleField(Swizzle swizzle);
/// What the hardware does to a byte address: bits 4.. ^= bits 7... An involution.
uint32_t swizzleAddress(Swizzle swizzle, uint32_t address);
/// The widest swizzle whose row divides the contiguous extent; none when there are fewer than 8 rows across it.
Swizzle chooseSwizzle(uint32_t contiguousBytes, uint32_t otherExtent);

/// offset -> (dim0, dim1) of a tile in shared memory as TMA writes it. The contiguous dimension is dim1 (rowMajor) or
/// dim0; the tile is cut along it into panels of swizzleBytes() (or `panelBytes`), each panel stored contiguously with
/// its whole other dimension, chunks swizzled by absolute address. Without swizzle the panel is the whole row, plain
/// row-major order; `panelBytes` = 16 gives the interleaved form wgmma reads without swizzle.
LinearLayout sharedSwizzled(uint32_t rows, uint32_t cols, unsigned elementBits, Swizzle swizzle, bool rowMajor = true,
                            uint32_t panelBytes = 0);
/// offset -> tile coordinates in plain row-major order, for any rank.
LinearLayout sharedRowMajor(const std::vector<uint32_t> &shape);

/// One TMA transfer of a tile. All vectors are by tensor dimension, outermost first as in the layout.
struct TmaBox {
  std::vector<uint32_t> shape;  ///< Elements per dimension, the same for all boxes of a tile; each at most 256.
  std::vector<uint32_t> origin; ///< First coordinate inside the tile.
  uint32_t byteOffset = 0;      ///< First byte inside the buffer.
};

enum class TmaFailure : uint8_t {
  None,
  NotBijective,    ///< The map has holes or copies.
  NoContiguousDim, ///< Neighbouring offsets are no neighbours in any dimension.
  NotSwizzledSo,   ///< Without the swizzle's XOR the map is no plain box order.
  InnerTooSmall,   ///< The contiguous run is shorter than 16 bytes.
  Misaligned,      ///< A box would start off the 128-byte alignment TMA needs.
};
const char *describe(TmaFailure failure);

/// The boxes that together fill a tile of layout `shared` under the swizzle mode `swizzle`, in order of
/// their byte offset.
std::optional<std::vector<TmaBox>> deriveTmaBoxes(const LinearLayout &shared, unsigned elementBits, Swizzle swizzle,
                                                  TmaFailure *why = nullptr);
/// Walks every element of every box as the TMA unit would place it and compares with the map.
bool checkTmaBoxes(const std::vector<TmaBox> &boxes, const LinearLayout &shared, unsigned elementBits, Swizzle swizzle);
/// The swizzle mode under which `shared` is a TMA tile, widest first; none if there is none.
std::optional<Swizzle> findTmaSwizzle(const LinearLayout &shared, unsigned elementBits);

// --- wgmma operands in shared memory
// ----------------------------------------------------------------------------------

/// How wgmma reads a tile of shared memory. The start address of an instruction is
///   buffer + blockOffsets[block along M or N] + stepOffsets[step along K],
/// and its descriptor is encodeDescriptorConstant(operand) | (start address & 0x3ffff) >> 4.
struct WgmmaSmemOperand {
  bool mnMajor = false; ///< Contiguous along M or N: the instruction's transpose immediate is 1.
  Swizzle swizzle = Swizzle::None;
  uint32_t leadingByteOffset = 0; ///< 0 where the instruction does not use it.
  uint32_t strideByteOffset = 0;  ///< 0 where the instruction does not use it.
  unsigned elementBits = 16;
  unsigned mnDim = 0;                 ///< The tensor dimension that is M or N; K is the other one.
  uint32_t instrMN = 64;              ///< Rows (A) or columns (B) one instruction reads.
  std::vector<uint32_t> stepOffsets;  ///< Bytes to add for each step of 32 bytes of K.
  std::vector<uint32_t> blockOffsets; ///< Bytes to add for each block of instrMN rows or columns.

  uint32_t instrK() const { return 256 / elementBits; } ///< Elements of K per instruction.
};

enum class WgmmaFailure : uint8_t {
  None,
  NotBijective,    ///< The map has holes or copies.
  TooFewK,         ///< Less than the 32 bytes of K of one instruction.
  TooFewMN,        ///< Less than the rows or columns of one instruction.
  MNMajorType,     ///< Contiguous along M or N, but only 16-bit elements can be read so.
  NoCanonicalForm, ///< No swizzle mode makes the map a canonical layout of the matrix descriptor.
  OffsetRange,     ///< An offset does not fit its field of the descriptor.
};
const char *describe(WgmmaFailure failure);

/// Derives majorness, swizzle and offsets from the map offset -> (dim0, dim1) alone. `mnDim` says which of the two is M
/// or N; `instrMN` is 64 for operand A and the instruction's N for operand B.
std::optional<WgmmaSmemOperand> deriveWgmmaOperand(const LinearLayout &shared, unsigned elementBits, unsigned mnDim,
                                                   uint32_t instrMN, WgmmaFailure *why = nullptr);
/// The 64-bit matrix descriptor without the start address (base offset 0: buffers are aligned to the swizzle pattern).
uint64_t encodeDescriptorConstant(const WgmmaSmemOperand &operand);
/// Byte address, relative to an aligned buffer, of element (mn, k) of the instruction whose descriptor is `descriptor`
/// (start address included): the canonical layouts of the PTX ISA, section "wgmma matrix descriptor", as the hardware
/// reads them. Works from the descriptor bits alone.
uint32_t descriptorElementAddress(uint64_t descriptor, bool mnMajor, unsigned elementBits, uint32_t mn, uint32_t k);
/// Walks every element of every instruction through its descriptor and compares with the map.
bool checkWgmmaOperand(const WgmmaSmemOperand &operand, const LinearLayout &shared);

// --- Matrix moves between registers and shared memory
// -----------------------------------------------------------------

/// A tile written by stmatrix (or read by ldmatrix, whose fragments are the same). The address of lane l in warp w for
/// store s is buffer + (XOR of laneBases over the bits of l ^ XOR of warpBases over the bits of w ^
/// stores[s].xorBytes). The buffer must be aligned to the swizzle pattern; the offsets never reach beyond the tile.
struct StmatrixPlan {
  struct Store {
    uint32_t xorBytes = 0;
    /// Register i holds elements (registers[i], registers[i] ^ pairStride) in its low and high half; `matrices`
    /// entries.
    std::vector<uint32_t> registers;
  };
  unsigned matrices = 4;           ///< 1, 2 or 4: the .x1, .x2, .x4 forms.
  bool transposed = false;         ///< The .trans form.
  uint32_t pairStride = 1;         ///< Distance of the register indices of a packed pair.
  std::vector<uint32_t> laneBases; ///< 5 entries: bytes for each bit of the lane that supplies an address.
  std::vector<uint32_t> warpBases; ///< Bytes for each bit of the warp index.
  uint32_t replicatedWarps = 0;    ///< Warp bits that hold copies: warps with one of them set may skip the stores.
  std::vector<Store> stores;

  uint32_t address(uint32_t lane, uint32_t warp, const Store &store) const;
  /// The bits lanes and warps can set. The part of xorBytes outside of it may be an immediate offset of the
  /// instruction, because XOR is addition there.
  uint32_t variableMask() const;
  uint32_t immediatePart(const Store &store) const { return store.xorBytes & ~variableMask(); }
};

enum class StmatrixFailure : uint8_t {
  None,
  ElementSize,     ///< Elements are not 16 bits.
  NotCovered,      ///< The shared layout has no place for some coordinate.
  ReplicatedLanes, ///< Several lanes hold the same element.
  NotMatrixShaped, ///< The map does not begin with the 8x8 fragment, transposed or not.
};
const char *describe(StmatrixFailure failure);

/// Finds the stmatrix form for storing registers of layout `regs` into a tile of layout `shared`: plain if the fragment
/// runs along the contiguous dimension, transposed if across it.
std::optional<StmatrixPlan> deriveStmatrix(const LinearLayout &regs, const LinearLayout &shared, unsigned elementBits,
                                           StmatrixFailure *why = nullptr);

/// A tile written or read by ordinary vector instructions (st.shared.v4 and the like): the general case. Element /
/// `registers[i]` of an access is i elements after its address, which combines as in StmatrixPlan.
struct VectorPlan {
  struct Access {
    uint32_t xorBytes = 0;
    std::vector<uint32_t> registers;
  };
  uint32_t vector = 1;             ///< Elements per access; a power of two, at most 16 bytes.
  std::vector<uint32_t> laneBases; ///< Bytes for each bit of the lane.
  std::vector<uint32_t> warpBases; ///< Bytes for each bit of the warp index.
  uint32_t replicatedLanes = 0;    ///< Lane bits that hold copies.
  uint32_t replicatedWarps = 0;    ///< Warp bits that hold copies.
  std::vector<Access> accesses;    ///< Replicated registers are left out.

  uint32_t address(uint32_t lane, uint32_t warp, const Access &access) const;
  uint32_t variableMask() const;
  uint32_t immediatePart(const Access &access) const { return access.xorBytes & ~variableMask(); }
};

/// The widest vector accesses between registers of layout `regs` and a tile of layout `shared`; none when the shared
/// layout does not contain some coordinate. With `keepReplicas`, as a reader needs it, replicated registers get /
/// accesses of their own.
std::optional<VectorPlan> deriveVectorAccess(const LinearLayout &regs, const LinearLayout &shared, unsigned elementBits,
                                             bool keepReplicas = false);

} // namespace tawa
