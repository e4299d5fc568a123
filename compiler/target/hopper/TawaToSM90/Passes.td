#ifndef TAWA_TO_SM90_PASSES_TD
#define TAWA_TO_SM90_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerAref : Pass<"tawa-lower-aref", "::mlir::ModuleOp"> {
  let summary = "Lower a laid-out, warp-specialized kernel to per-thread machine operations";
  let description = [{
    Phase 8. Arefs become mbarrier pairs: put is a wait for the empty barrier and TMA loads that complete on the full
    one, get is a wait for full, consumed an arrival per warp on empty; slot and parity follow from the number of the
    put or get (paper, section III.E). Tensors in registers become scalars, one per element that a thread holds; dots
    become wgmma, mma.sync or a loop over K of multiply-adds, depending on their operands' layouts; `to_shared` and
    `from_shared` become vector accesses, stmatrix or ldmatrix between barriers of the role; tile stores go through
    swizzled staging with stmatrix and TMA. Roles become the branches of one if over warp groups.

    A kernel that is not split is one role of 1 to 16 warps. Accesses through pointers become vector accesses according
    to `tawa.vector`; conversions of layouts, reductions, scans, gathers and atomics follow from the layouts alone
    (README.md of the folder). Scalar functions are left to `tawa-expand-math`.

    Needs: `#tawa.linear` on every tensor, `tawa.argument` on every parameter. Holds after: `func.func` with
    `sm90.kernel` and only sm90, arith, scf on scalars. Tensor-map recipes and parameter sources are attributes of the
    parameters (`sm90.tensor_map`, `tawa.argument`).

    Example (tests/lit/target/hopper/TawaToSM90/dots.mlir):
    ```mlir
    %t:2 = tawa.get %ring[%n] : !tawa.aref<1, [tensor<128x64xf16>, tensor<128x64xf16>]> -> ..
    %v = tt.trans %t#1 {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
    %i = tawa.dot_issue %t#0, %v, %b adding if %false ..
    // becomes
    %start = sm90.acc_undef : <64x128xf32>
    %a0 = arith.ori .., %c4611686293305294848_i64
    %b0 = arith.ori .., %c4611686293305294848_i64
    sm90.wgmma_fence
    %w0 = sm90.wgmma %start, %a0, %b0, %false {aType = f16, bType = f16}
    ```
  }];
  let options = [
    Option<"epilogueStages", "epilogue-stages", "int", "2", "staging panels of each warp for tile stores">,
  ];
  let statistics = [
    Statistic<"roles", "num-roles", "roles that became branches over warp groups">,
    Statistic<"rings", "num-rings", "arefs that became mbarriers">,
    Statistic<"dots", "num-dots", "products that became instructions, by operation">,
    Statistic<"operations", "num-operations", "operations of the machine kernel">,
  ];
  let dependentDialects = ["::tawa::sm90::SM90Dialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif
