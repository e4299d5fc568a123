// The pass that lowers machine-phase modules for NVPTX.
#ifndef TAWA_CONVERSION_SM90TOPTX_PASSES_TD
#define TAWA_CONVERSION_SM90TOPTX_PASSES_TD

include "mlir/Pass/PassBase.td"

def SM90ToPTX : Pass<"tawa-sm90-to-ptx", "::mlir::ModuleOp"> {
  let summary = "lower a machine-phase module to the LLVM dialect for NVPTX";
  let description = [{
    Needs: a module of `sm90.kernel` functions over func, scf, cf, arith, scalar llvm and sm90
    (compiler/target/hopper/SM90/README.md). Anything else is refused with an error that names the operation.

    After it: only the LLVM dialect. Every sm90 operation is one `llvm.inline_asm` with PTX text, or an intrinsic where
    it only reads a special register (compiler/target/hopper/SM90/README.md lists the few exceptions). An accumulator is a
    struct of its registers, tied through every asm that may write them, so that they stay in place. A kernel has
    `nvvm.kernel` and `nvvm.maxntid`; tensor maps are `byval` grid constants; dynamic shared memory is one external
    array of size 0 in address space 3, aligned to 1024.

    The asm is not marked convergent here, because `llvm.inline_asm` has no such attribute; target/ptx does it on LLVM
    IR.

    Example (tests/lit/target/hopper/SM90ToPTX/join-wgmmas.mlir):
    ```mlir
    sm90.wgmma_fence
    %c1 = sm90.wgmma %c, %a, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
    %d1 = sm90.wgmma %d, %a, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
    // becomes
    wgmma.fence.sync.aligned
    wgmma.mma_async.sync.aligned.m64n128k16
    ```
  }];
  let statistics = [
    Statistic<"lowered", "num-lowered", "machine operations that became PTX">,
    Statistic<"joined", "num-joined", "chains of wgmma instructions that became part of a wider one">,
    Statistic<"chained", "num-chained", "wgmma instructions whose accumulator passes to the next one">,
    Statistic<"joinedWaits", "num-joined-waits", "waits that became part of the one before them">,
    Statistic<"kept", "num-kept", "ends of chains that are not widened">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TAWA_CONVERSION_SM90TOPTX_PASSES_TD
