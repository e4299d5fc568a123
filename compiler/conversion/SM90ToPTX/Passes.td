// The pass that lowers machine-phase modules for NVPTX.
#ifndef TAWA_CONVERSION_SM90TOPTX_PASSES_TD
#define TAWA_CONVERSION_SM90TOPTX_PASSES_TD

include "mlir/Pass/PassBase.td"

def SM90ToPTX : Pass<"tawa-sm90-to-ptx", "::mlir::ModuleOp"> {
  let summary = "lower a machine-phase module to the LLVM dialect for NVPTX";
  let description = [{
    Needs: a module of `sm90.kernel` functions over func, scf, cf, arith, scalar llvm and sm90 (compiler/dialect/SM90/README.md).
    Anything else is refused with an error that names the operation.

    After it: only the LLVM dialect. Every sm90 operation is one `llvm.inline_asm` in the PTX ISA's own words, or an
    intrinsic where it only reads a special register (compiler/dialect/SM90/README.md lists the few exceptions). An accumulator is a struct of its registers, tied through every
    asm that may write them, so that they stay in place. A kernel has `nvvm.kernel` and `nvvm.maxntid`; tensor maps are `byval`
    grid constants; dynamic shared memory is one external array of size 0 in address space 3, aligned to 1024.

    The asm is not marked convergent here, because `llvm.inline_asm` cannot say so; target/ptx does it on LLVM IR.

    ```mlir
    sm90.mbarrier_arrive %empty if %leader
    ```
    becomes
    ```mlir
    llvm.inline_asm has_side_effects "@$1 mbarrier.arrive.shared::cta.b64 _, [$0];", "r,b,~{memory}" %empty, %leader
        : (i32, i1) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TAWA_CONVERSION_SM90TOPTX_PASSES_TD
