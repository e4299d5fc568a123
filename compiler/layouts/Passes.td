// The passes that choose layouts, and those that follow from the choice. Listed in the order in which
// compiler/pipeline runs them. Each has a file of its name and a lit test.
#ifndef TAWA_LAYOUTS_PASSES_TD
#define TAWA_LAYOUTS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignLayouts : Pass<"tawa-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Assign every tensor its layout in registers or shared memory";
  let description = [{
    Tiles that arrive through an aref are in shared memory, swizzled as TMA writes and wgmma reads them; accumulators as
    the tensor cores leave them; global accesses need neighbours in memory in one thread (compiler/analysis/AxisInfo.h).
    Layouts for the rest are chosen by a cost: sectors and instructions of accesses, words through shared memory,
    shuffles. Indices, masks and addresses are rematerialized in the layout of each user; views propagate requirements
    to the smallest tensor; remaining conversions become `tawa.convert_layout`, `tawa.to_shared` or `tawa.from_shared`.
    Encodings are `#tawa.linear` (compiler/layouts/algebra).

    Writes `tawa.vector` on tt.load and tt.store: aligned groups of that many register indices are consecutive and
    aligned in memory and have one mask value. Writes `tawa.equal` on loads and elementwise operations: registers whose
    numbers differ in these bits alone are loaded, or computed, once. Writes `tawa.divisible` on integer parameters whose
    hints `tawa.vector` relies on; a launch checks them, and `tawa.equal` relies on no others.

    Needs: roles; dots as tawa-pipeline-dots leaves them. Holds after: every tensor inside a role has an encoding, as
    compiler/roles/Tawa/README.md lists it by operation.

    Example (tests/lit/layouts/assign-layouts.mlir):
    ```mlir
    %a = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %v = tt.trans %t {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xf16>
    // becomes
    tt.descriptor_load .. -> tensor<64x64xf16, %shared>
    arith.truncf .. : tensor<64x64xf32, %acc> to tensor<64x64xf16, %acc>
    ```
  }];
  let options = [
    Option<"epilogueStages", "epilogue-stages", "int", "2", "staging panels of each warp for tile stores, as of tawa-lower-aref">,
  ];
  let statistics = [
    Statistic<"roles", "num-roles", "roles whose tensors got layouts">,
    Statistic<"conversions", "num-conversions", "moves between layouts that were inserted">,
    Statistic<"reliedHints", "num-relied-hints", "integer hints that an access relies on">,
    Statistic<"ignoredHints", "num-ignored-hints", "integer hints without which no access is narrower">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def PromoteOperandsToRegisters : Pass<"tawa-promote-operands-to-registers", "::mlir::ModuleOp"> {
  let summary = "Load a loop-invariant A operand into registers once";
  let description = [{
    A tile that is got before a loop, and whose only uses are as A of dots inside, is loaded to registers at its get,
    and its slot is released there, if the registers suffice besides the loop-carried values and the sums that the loop
    starts.

    Needs: layouts. Holds after: layouts.

    Example (tests/lit/layouts/promote-operands-to-registers.mlir):
    ```mlir
    %q = tawa.get %once[%c0] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %s = tt.dot %q, %k, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %once[%c0] : !tawa.aref<1, [tensor<64x64xf16>]>
    // becomes
    %q = tawa.get
    %a = tawa.from_shared %q
    tawa.consumed
    scf.for
    tawa.dot_issue %a,
    ```
  }];
  let statistics = [
    Statistic<"operands", "num-operands", "tiles that are held in registers">,
    Statistic<"kept", "num-kept", "tiles that stay in shared memory, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def SinkSharedLoads : Pass<"tawa-sink-shared-loads", "::mlir::ModuleOp"> {
  let summary = "Sink shared-memory loads past a dot wait under register pressure";
  let description = [{
    A load of a tile from a slot to registers is sunk past a wait for products, and the slot's release past its readers,
    if the tile is first needed after the wait and the registers do not suffice for it beside everything else live
    there.

    Needs: layouts. Holds after: layouts.

    Example (tests/lit/layouts/sink-shared-loads.mlir):
    ```mlir
    %l = tawa.get %sums[%count] : !tawa.aref<2, [tensor<1x128xf32>]> -> tensor<1x128xf32>
    %s = tt.dot %q, %k, %zero : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
    %all = tt.broadcast %l : tensor<1x128xf32> -> tensor<64x128xf32>
    tawa.consumed %sums[%count] : !tawa.aref<2, [tensor<1x128xf32>]>
    %less = arith.subf %s, %all : tensor<64x128xf32>
    %e = math.exp2 %less : tensor<64x128xf32>
    // becomes
    tawa.dot_wait
    %row = tawa.from_shared
    %all = tt.broadcast %row
    arith.subf %.., %all
    tawa.consumed
    math.exp2
    ```
  }];
  let statistics = [
    Statistic<"delayed", "num-delayed", "tiles loaded after a wait for products">,
    Statistic<"kept", "num-kept", "reads of a slot that stay where they are, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def HoistLoads : Pass<"tawa-hoist-loads", "::mlir::ModuleOp"> {
  let summary = "Issue loads before threads exchange tiles";
  let description = [{
    A conversion of layouts (the example has one for each operand), a reduction or a copy to shared memory waits for
    its tile and for all threads. A load after it that depends on nothing which was exchanged or loaded is hoisted, with
    its addresses and masks, to before the first such operation, if the registers suffice. Nothing that writes memory,
    waits or has control flow lies between. A load of one or two registers of each thread is hoisted over loops that
    leave global memory as it is, products and slots included.

    Needs: layouts. Holds after: layouts.

    Example (tests/lit/layouts/hoist-loads.mlir):
    ```mlir
    %a = tt.load %pa : tensor<32x32x!tt.ptr<f16>>
    %b = tt.load %qa : tensor<32x32x!tt.ptr<f16>>
    %d = tt.dot %a, %b, %zero : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    // becomes
    tt.load
    tt.load
    tawa.convert_layout
    tawa.convert_layout
    tt.dot
    ```
  }];
  let statistics = [
    Statistic<"hoisted", "num-hoisted", "loads that are issued earlier">,
    Statistic<"kept", "num-kept", "loads that stay after an exchange, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def VerifyLayouts : Pass<"tawa-verify-layouts", "::mlir::ModuleOp"> {
  let summary = "Check the layout rules that the lowering relies on (for tests)";
  let description = [{
    Every tensor in a role has a layout over the role's warps; elementwise operations, accesses and carried values do
    not mix layouts; views rename; reductions leave slices; dots have their fragments. An error names the violated rule.

    Example (tests/lit/layouts/verify-layouts.mlir):
    ```mlir
    %x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #a>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #b>
    %q = tt.addptr %ps, %x : tensor<64x!tt.ptr<f32>, #b>, tensor<64xi32, #a>
    // becomes
    error: layout rule broken: operands and results lie differently
    ```
  }];
  let statistics = [
    Statistic<"verified", "num-verified", "operations in roles that were checked">,
  ];
}

#endif // TAWA_LAYOUTS_PASSES_TD
