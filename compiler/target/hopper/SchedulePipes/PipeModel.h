// PipeModel: the pipe of an SM quarter that executes an operation, for how long it is busy, and the result's latency.
//
//   pipe      lanes a cycle   cycles that an instruction occupies it   instructions
//   Fma            32               1                                  FFMA, FMUL, FADD
//   Alu            16               2                                  FMNMX, integers, comparisons, selections
//   Convert        16               2                                  F2FP
//   Shuffle         8               4
//   Mufu            4               8                                  ex2, lg2, rcp, ...
//   (CUDA programming guide, throughput of native instructions, 9.0)
//
// One instruction is issued per cycle. Latencies are rounded: an order that is good for them is good for similar ones.
#pragma once

#include "mlir/IR/Operation.h"

#include <cstdint>

namespace tawa::sm90 {

enum class Pipe : uint8_t { None, Fma, Alu, Convert, Shuffle, Mufu };
inline constexpr unsigned kPipes = 6;

struct PipeUse {
  Pipe pipe = Pipe::None; ///< None: no instruction of its own.
  uint32_t cycles = 0;    ///< That the pipe is occupied.
  uint32_t latency = 0;   ///< From issue to the result.
};

PipeUse pipeUse(mlir::Operation *op);

/// Whether the operation may be reordered with operations that have effects: it has none, or only reads registers of
/// the warp.
bool mayMove(mlir::Operation *op);

} // namespace tawa::sm90
