// The pass that expands scalar functions.
#ifndef TAWA_CONVERSION_EXPANDMATH_PASSES_TD
#define TAWA_CONVERSION_EXPANDMATH_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandMath : Pass<"tawa-expand-math", "::mlir::ModuleOp"> {
  let summary = "expand scalar functions and small floats";
  let description = [{
    Needs: the output of `tawa-lower-aref`: per-thread code, which may contain `math` operations, elementwise `tt`
    operations and FP8 values, all scalar.

    After it: no `math`, no elementwise `tt`, no FP8 type. The remaining arithmetic is `arith`, scalar intrinsics of
    `llvm` and `sm90.approx`, `div_full`, `float_to_int` and conversions, which mean the same on both back ends.

      * `math.*` and `tt.extern_elementwise` (by libdevice name): the function's code.
      * `arith.divf` of f32: `sm90.div_full`, within 2 ulp. `tt.precise_divf`: `arith.divf`, which is correctly rounded
        from here on. So the pass must not run twice on a module.
      * `arith.remf`: exact, by a loop. Conversions of floats to integers saturate, NaN gives 0. Shifts by a variable take
        amounts beyond the width as PTX does.
      * `arith.addf`, `subf` and `mulf` of the kernel get `fastmath<contract>`: a product and a sum may be fused,
        as in Triton. Excluded are the code of an expanded function, and sums of values that two lanes exchange: both must
        compute the same bits. What a lane hands to others as a tile changes its layout (idx) is not exchanged.
      * f16 and bf16: sums, products and comparisons stay, all else is computed in f32. FP8 values are i8 with
        their bits; arithmetic on them is done in f32.

    Example (tests/lit/target/hopper/ExpandMath/functions.mlir):
    ```mlir
    %y = math.exp %x : f32
    // becomes
    %t = arith.mulf %.., %log2e : f32
    sm90.approx ex2 %t : f32
    ```
  }];
  let statistics = [
    Statistic<"expanded", "num-expanded", "functions and conversions that were written out, by operation">,
    Statistic<"contracted", "num-contracted", "sums and products that may be fused with another">,
    Statistic<"kept", "num-kept", "sums and products of values that lanes exchange, which may not">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::tawa::sm90::SM90Dialect"];
}

def ExpandInstructions : Pass<"tawa-expand-instructions", "::mlir::ModuleOp"> {
  let summary = "write out instructions that the GPU does not have";
  let description = [{
    Needs: the output of `tawa-expand-math`, and the target on the module (`runtime/artifact/Architecture.h` has the table of
    what each architecture has).

    After it, where the architecture has no such instruction: no `sm90.cvt_fp8_pack` and `cvt_fp8_unpack`, no `sm90.mma` of
    FP8, no `sm90.atomic_rmw fadd` of bf16. Results are the same to the bit, but for the order in which a product is summed.

    Example (tests/lit/target/hopper/ExpandMath/expand-instructions.mlir):
    ```mlir
    %lo, %hi = sm90.cvt_fp8_unpack %bytes {type = f8E5M2} : f16
    // becomes
    sm90.byte_permute .., .. [4, 0, 4, 1]
    ```
  }];
  let statistics = [
    Statistic<"expanded", "num-expanded", "instructions that were written out, by operation">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::tawa::sm90::SM90Dialect"];
}

#endif // TAWA_CONVERSION_EXPANDMATH_PASSES_TD
