// Passes that print what an analysis finds; for tests and for reading.
#ifndef TAWA_ANALYSIS_PRINT_PASSES_TD
#define TAWA_ANALYSIS_PRINT_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrintAxisInfo : Pass<"tawa-print-axis-info", "::mlir::ModuleOp"> {
  let summary = "Print the known facts about the integers and addresses of a kernel (for tests)";
  let description = [{
    A remark at each operation that computes integers or addresses: contiguity, divisibility and constancy by dimension
    (compiler/analysis/AxisInfo.h). Changes nothing.

    Example (tests/lit/analysis/axis-info.mlir):
    ```mlir
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %c64 = arith.constant 64 : i32
    %first = arith.muli %pid, %c64 : i32
    // becomes
    remark: contiguity [64], divisibility [1099511627776], constancy [1]
    remark: contiguity [1], divisibility [64], constancy [1], value 64
    remark: contiguity [1], divisibility [64], constancy [1]
    ```
  }];
  let statistics = [
    Statistic<"printed", "num-printed", "values that a remark describes">,
  ];
}

def PrintWorkSummary : Pass<"tawa-print-work-summary", "::mlir::ModuleOp"> {
  let summary = "Print the work of a distributed kernel: loops, bytes, products, by role (for tests)";
  let description = [{
    A remark at the module with the performance model's summary of the kernel (compiler/analysis/WorkSummary.h). Changes
    nothing.

    Example (tests/lit/analysis/print-work-summary.mlir):
    ```mlir
    %sum = scf.for %k = %zero to %depth step %wide iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %at = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %bt = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %next = tt.dot %at, %bt, %part, inputPrecision = tf32 ..
    // becomes
    role producer, 4 warps
    for %i = 0 to a3 step 64
    load 64x64 of 2 bytes, argument 0 at [(program_x * 64), %i], ring 0, TMA
    load 64x128 of 2 bytes, argument 1 at [%i, (program_y * 128)], ring 0, TMA
    role consumer, 4 warps
    for %i = 0 to a3 step 64
    dot 64x128x64 of 16 bits, wgmma, pipelined
    ```
  }];
  let statistics = [
    Statistic<"printed", "num-printed", "kernels that a remark describes">,
  ];
}

def PrintTiling : Pass<"tawa-print-tiling", "::mlir::ModuleOp"> {
  let summary = "Print the tile sizes of a kernel that can be changed, and why others cannot (for tests)";
  let description = [{
    A remark for each dimension of the first product (compiler/analysis/Tiling.h): its size, what numbers its tiles, or, at
    the operation that stands in the way, the reason why it cannot be changed. Changes nothing.

    Needs: what tawa-retile needs.

    Example (tests/lit/analysis/print-tiling.mlir):
    ```mlir
    %pm = tt.get_program_id x : i32
    %row = arith.muli %pm, %c64 : i32
    // becomes
    remark: BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0
    ```
  }];
  let statistics = [
    Statistic<"printed", "num-printed", "dimensions that a remark describes">,
  ];
}

#endif // TAWA_ANALYSIS_PRINT_PASSES_TD
