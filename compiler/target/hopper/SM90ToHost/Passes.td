// The pass that lowers machine-phase modules for the emulated SM.
#ifndef TAWA_CONVERSION_SM90TOHOST_PASSES_TD
#define TAWA_CONVERSION_SM90TOHOST_PASSES_TD

include "mlir/Pass/PassBase.td"

def SM90ToHost : Pass<"tawa-sm90-to-host", "::mlir::ModuleOp"> {
  let summary = "lower a machine-phase module to the LLVM dialect for the emulated SM";
  let description = [{
    Needs: the same module as `tawa-sm90-to-ptx`. Anything else is refused with an error that names the operation;
    so is inline assembly, which has no meaning on the host.

    After it: only the LLVM dialect, and per kernel one function `void @entry(ptr %thread, ptr %params)` that one
    emulated thread runs. Every sm90 operation is a call of runtime/emulator/EmulatorAbi.def with the thread first;
    special registers are loads at the offsets of runtime/emulator/ThreadState.h; arguments are loads from the parameter
    buffer at the offsets of PTX .param space (a tensor map stays there and is passed as its address). A predicated
    operation becomes a branch. An accumulator in flight is a handle of the emulator, a readable one a struct of its
    registers. The end of every loop iteration calls `back_edge`, so that the emulator can interrupt every loop.

    Example (tests/lit/target/hopper/SM90ToHost/instructions.mlir):
    ```mlir
    sm90.mbarrier_init %address, 8
    // becomes
    llvm.call @tawa_emu_mbarrier_init(%thread, %address, %..) : (!llvm.ptr, i32, i32) -> ()
    ```
  }];
  let statistics = [
    Statistic<"lowered", "num-lowered", "machine operations that became calls of the emulator">,
    Statistic<"refused", "num-refused", "operations that have no meaning on the host">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TAWA_CONVERSION_SM90TOHOST_PASSES_TD
