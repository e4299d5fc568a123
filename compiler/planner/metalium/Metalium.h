// Prints the program of a core as C++ against TT-Metalium's public low-level interface: a reader, a compute and a
// writer kernel, and the host function that creates their circular buffers, semaphores and arguments.
//
// It prints the same CoreProgram that runtime/mesh's simulator runs. One text is for all cores: a core gets its
// coordinates, the addresses of the tensors and the network's coordinates of the cores it talks to as runtime
// arguments.
//
// How the parts of a CoreProgram appear:
//
//   tile of a buffer   an array of pages of a circular buffer, row-major; a page is a tile of 32 x 32 elements
//   tensor             pages in the device's memory, interleaved over its banks: tiles of 32 x 32 elements in the tile
//                      layout of the last two dimensions, row-major; or 1024 elements in a row where blocks are rows.
//                      The caller pads with zeros to whole pages
//   Forward, Signal    noc_async_write_multicast and noc_semaphore_set_multicast along a line of cores; noc_async_write
//                      and noc_semaphore_inc to one core, with a barrier between (they use different command buffers)
//   Barrier            of all reads, or of all writes, which CoreProgram allows
//   values             circular buffers that the compute thread fills and reads itself: results of products and
//                      reductions, what loops carry, what is read more than once (TileValues.h)
//
// Sources: TT-Metalium's documentation (docs.tenstorrent.com/tt-metal, pages of kernel_apis and host_apis, lab 3).
#pragma once

#include "runtime/mesh/Machine.h"
#include "runtime/mesh/core/CoreProgram.h"

namespace tawa::metalium {

/// Why a program has no code.
enum class Refusal : uint8_t {
  None,
  Grid,        ///< The cores are not an array of one or two dimensions.
  Block,       ///< A block is no array of whole tiles.
  Alignment,   ///< A block does not start at multiples of tiles.
  Mask,        ///< A mask of an access excludes elements inside of the tensor, or one of a selection is not exact.
  Element,     ///< The machine's units do not take the element type.
  Operator,    ///< An operator has no counterpart.
  Operands,    ///< What an operator reads, or a store writes, is not known or not at hand where it is executed.
  Accumulator, ///< A loop carries a value in a way that has no code, or a product is added to what is not computed.
  Registers,   ///< An expression needs more destination registers than there are.
  Ring,        ///< Tiles that are reserved together could wrap around in their buffer.
  Buffers,     ///< More circular buffers than a core has.
  Semaphores,  ///< More semaphores than a core has.
  LocalMemory, ///< Buffers do not fit the local memory.
};
const char *name(Refusal refusal);

/// The texts are of the files reader_kernel.cpp, compute_kernel.cpp, writer_kernel.cpp and host_program.cpp.
struct Code {
  std::string reader, compute, writer, host;
  Refusal refusal = Refusal::None;
  std::string detail; ///< What is refused, by name.
  bool isOk() const { return refusal == Refusal::None; }
};

/// `tiles` is the tile program that the core program was lowered from: its operators.
Code printCode(const mesh::CoreProgram &program, const mesh::TileProgram &tiles, const mesh::Machine &machine);

} // namespace tawa::metalium
