// The passes of the front end: from verified TTIR to one specialized function. Listed in the order in which
// compiler/pipeline runs them. Each has a file of its name and a lit test.
#ifndef TAWA_FRONTEND_PASSES_TD
#define TAWA_FRONTEND_PASSES_TD

include "mlir/Pass/PassBase.td"

def StructureControlFlow : Pass<"tawa-structure-control-flow", "::mlir::ModuleOp"> {
  let summary = "Turn branches between blocks into loops and conditions";
  let description = [{
    Functions and regions of several blocks (`cf.br`, `cf.cond_br`, early returns) become one block with `scf.if` and
    `scf.while`. `scf.index_switch` becomes conditions, `ub.poison` a zero. `llvm.intr.assume` is dropped; where it says
    that a number is not negative, the operation that computes the number gets `tawa.not_negative`.

    Needs: nothing. Holds after: every region has one block; control flow is scf.for, scf.while and scf.if.

    Example (tests/lit/frontend/structure-control-flow.mlir):
    ```mlir
    cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
    tt.return
    ^bb2:
    tt.store %p, %n : !tt.ptr<i32>
    // becomes
    scf.if %c {
    } else {
    tt.store
    }
    tt.return
    ```
  }];
  let statistics = [
    Statistic<"structured", "num-structured", "regions of several blocks that became loops and conditions">,
    Statistic<"switches", "num-switches", "scf.index_switch operations that became conditions">,
    Statistic<"dropped", "num-dropped", "assumptions and undefined values that were removed">,
    Statistic<"kept", "num-kept", "undefined descriptors and block pointers, left to the pass that expands them">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::ub::UBDialect"];
}

def InlineCalls : Pass<"tawa-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inline all functions that the kernel calls";
  let description = [{
    Including those marked `noinline`. A function that calls itself, directly or through others, is an error; so is one
    that would become too large (analysis/OperationLimit.h), which is checked before anything is inlined.

    Needs: functions of one block (tawa-structure-control-flow). Holds after: the module holds one function and no call.

    Example (tests/lit/frontend/inline-calls.mlir):
    ```mlir
    tt.func public @kernel(%p: !tt.ptr<i32>, %n: i32) {
    %twice, %square = tt.call @both(%n) : (i32) -> (i32, i32)
    tt.func private @both(%x: i32) -> (i32, i32) attributes {noinline = true} {
    %t = arith.addi %x, %x : i32
    %s = tt.call @"square__i32__(1,)"(%t) : (i32) -> i32
    tt.return %t, %s : i32, i32
    // becomes
    %twice = arith.addi %n, %n
    %square = arith.muli %twice, %twice
    ```
  }];
  let statistics = [
    Statistic<"inlined", "num-inlined", "calls that were replaced by the body of their function">,
    Statistic<"erased", "num-erased", "functions that are no longer called">,
  ];
}

def ExpandBlockPointers : Pass<"tawa-expand-block-pointers", "::mlir::ModuleOp"> {
  let summary = "Turn accesses through block pointers into accesses through tensors of pointers";
  let description = [{
    `tt.make_tensor_ptr` and `tt.advance` are decomposed into base, shape, strides and offsets, through loops and conditions.
    A load or store gets the addresses of its block, a mask for both bounds of the dimensions in `boundaryCheck`, and the
    padding as its `other`.

    Needs: one function with structured control flow. Holds after: no block pointers.

    Example (tests/lit/frontend/expand-block-pointers.mlir):
    ```mlir
    %b = tt.make_tensor_ptr %p, [%m, %ld], [%ld, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
    %v = tt.load %q cacheModifier = cg {boundaryCheck = array<i32: 0>, padding = 2 : i32} ..
    // becomes
    %base = tt.addptr %p, %skip : !tt.ptr<f16>, i64
    %mask = tt.broadcast .. : tensor<8x1xi1> -> tensor<8x16xi1>
    %v = tt.load %.., %mask, %nan cacheModifier = cg : tensor<8x16x!tt.ptr<f16>>
    ```
  }];
  let statistics = [
    Statistic<"expanded", "num-expanded", "loads and stores through block pointers">,
    Statistic<"kept", "num-kept", "loads and stores that do not go through a block pointer">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandComposites : Pass<"tawa-expand-composites", "::mlir::ModuleOp"> {
  let summary = "Decompose composite operations into primitive ones";
  let description = [{
    - `tt.cat`: join, trans and reshape, so that the elements keep their order.
    - `tt.dot` on f32 with `inputPrecision` tf32x3, bf16x3 or bf16x6: the operands are split into parts that the unit's
      type represents exactly, and the significant products of the parts are added, the smallest first.
    - `tt.dot_scaled`: e2m1 values are unpacked, scales (e8m0, or f8E4M3FN) become bf16 numbers that are repeated along
      K, and a `tt.dot` multiplies the scaled operands in bf16, which represents them exactly (f16 operands: in f16
      without scales, as tf32 with them).

    Needs: nothing. Holds after: none of these is left.

    Example (tests/lit/frontend/expand-composites.mlir):
    ```mlir
    %r = tt.cat %a, %b : tensor<64xf32> -> tensor<128xf32>
    // becomes
    %j = tt.join %a, %b : tensor<64xf32> -> tensor<64x2xf32>
    %t = tt.trans %j {order = array<i32: 1, 0>}
    %r = tt.reshape %t : tensor<2x64xf32> -> tensor<128xf32>
    ```
  }];
  let statistics = [
    Statistic<"cats", "num-cats", "tt.cat operations that were expanded">,
    Statistic<"split", "num-split", "dots whose operands were split into parts">,
    Statistic<"scaled", "num-scaled", "tt.dot_scaled operations that became tt.dot">,
    Statistic<"kept", "num-kept", "dots that a unit computes as they are">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SpecializeArguments : Pass<"tawa-specialize-arguments", "::mlir::ModuleOp"> {
  let summary = "Bind parameters to logical arguments and fold the constant ones";
  let description = [{
    A caller passes tensors and scalars; the printed parameter list is longer: a descriptor is followed by its shape and
    strides. This pass writes `tawa.argument` on every parameter (which logical argument, which part of it) and replaces
    parameters that carry `tawa.constant` by that constant. A loop whose step is then a constant below 1 is an error.

    Needs: one public `tt.func`. Holds after: every parameter has `tawa.argument`; constant parameters have no uses.

    Example (tests/lit/frontend/specialize-arguments.mlir):
    ```mlir
    %n: i32 {tawa.constant = 7 : i32}) {
    %s = tt.splat %n : i32 -> tensor<16xi32>
    // becomes
    %..: i32 {tawa.argument = #tawa.part<scalar, index = 2, dimension = 0>}
    %seven = arith.constant 7 : i32
    tt.splat %seven
    ```
  }];
  let statistics = [
    Statistic<"bound", "num-bound", "parameters bound to a logical argument">,
    Statistic<"constants", "num-constants", "of these, parameters that were folded into a constant">,
    Statistic<"widened", "num-widened", "of these, truth values that are passed as bytes">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect"];
}

def RaiseCountedLoops : Pass<"tawa-raise-counted-loops", "::mlir::ModuleOp"> {
  let summary = "Turn scf.while loops that count up to a bound into scf.for";
  let description = [{
    A `scf.while` counts if each iteration adds a positive number, which does not change, to one of its values, and its
    condition compares that value with a bound that does not change. Other parts of the condition are asked before the
    first iteration only: they must not change, or be lower bounds of the counter. Later passes know of a `scf.for` what
    the next iteration does: loads run ahead in it, and its iterations overlap.

    Needs: constants folded (tawa-specialize-arguments). Holds after: every `scf.while` left ends on something else.

    Example (tests/lit/frontend/raise-counted-loops.mlir):
    ```mlir
    %more = arith.cmpi slt, %i, %n : i32
    %next = arith.addi %j, %c2 : i32
    scf.yield %next, %s : i32, i32
    // becomes
    %sum = scf.for %i = %first to %n step %c2_i32 iter_args(%x = %c0_i32) -> (i32)
    ```
  }];
  let statistics = [
    Statistic<"raised", "num-raised", "loops that became scf.for">,
    Statistic<"kept", "num-kept", "loops that end on something else, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def UnwrapIndices : Pass<"tawa-unwrap-indices", "::mlir::ModuleOp"> {
  let summary = "Mask what lies beyond a matrix instead of wrapping it around";
  let description = [{
    The tile's indices modulo the number of rows or columns, by which texts load without a mask, become the indices, and
    the loads get a mask, if results of wrapped rows or columns are never stored: every store of what is computed from
    them has a mask that tests the same index. Then the tile is a block of the matrix for TMA.

    Needs: structured control flow, no block pointers. Holds after: nothing for later passes.

    Example (tests/lit/frontend/unwrap-indices.mlir):
    ```mlir
    %wrapped = arith.remsi %i, %ms : tensor<64xi32>
    %p = tt.addptr %as, %wrapped : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %p : tensor<64x!tt.ptr<f32>>
    // becomes
    %in = arith.cmpi slt, %i, %ms : tensor<64xi32>
    %p = tt.addptr %.., %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.load %p, %in, %.. : tensor<64x!tt.ptr<f32>>
    ```
  }];
  let statistics = [
    Statistic<"unwrapped", "num-unwrapped", "remainders of indices that became the indices">,
    Statistic<"kept", "num-kept", "remainders of tensors that stay">,
  ];
}

def FoldDivisions : Pass<"tawa-fold-divisions", "::mlir::ModuleOp"> {
  let summary = "Take multiples of the divisor out of quotients and remainders";
  let description = [{
    A quotient of a sum, of which one term is known to be a multiple of the constant divisor and no term is negative, becomes
    a sum of quotients; a remainder loses the term. Divisions move in front of `tt.splat`, `tt.expand_dims` and
    `tt.broadcast` for that. A number without its multiples of another one, `%p - %p / %n * %n`, becomes a remainder, which
    later passes know not to be negative.

    Needs: final tile sizes (tawa-retile). Holds after: nothing for later passes.

    Example (tests/lit/frontend/fold-divisions.mlir):
    ```mlir
    %k = arith.addi %first, %range : tensor<64xi32>
    %w = arith.divsi %k, %eight : tensor<64xi32>
    // becomes
    %f = arith.divsi %.., %.. : i32
    %r = arith.divsi %range, %.. : tensor<64xi32>
    ```
  }];
  let statistics = [
    Statistic<"folded", "num-folded", "quotients and remainders that became simpler">,
    Statistic<"remainders", "num-remainders", "differences that became remainders">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CompactLoads : Pass<"tawa-compact-loads", "::mlir::ModuleOp"> {
  let summary = "Load each address of a tile once, in loops with products";
  let description = [{
    A load of two dimensions, in a loop with products, whose addresses and masks are the same for groups of neighbours, as
    those of words that eight elements share are, becomes a load of the first of each group, whose elements are repeated
    afterwards. Layouts make that a matter of registers. A load stays where its addresses are not computed from constants,
    indices and scalars alone.

    Needs: final tile sizes (tawa-retile, tawa-split-tiles). Holds after: nothing for later passes.

    Example (tests/lit/frontend/compact-loads.mlir):
    ```mlir
    %word = arith.divsi %k, %eight : tensor<64xi32>
    %w = tt.load %p : tensor<64x64x!tt.ptr<i32>>
    // becomes
    %u = tt.load %.. : tensor<8x64x!tt.ptr<i32>>
    %v = tt.expand_dims %u {axis = 1 : i32} : tensor<8x64xi32> -> tensor<8x1x64xi32>
    %b = tt.broadcast %v : tensor<8x1x64xi32> -> tensor<8x8x64xi32>
    tt.reshape %b : tensor<8x8x64xi32> -> tensor<64x64xi32>
    ```
  }];
  let statistics = [
    Statistic<"compacted", "num-compacted", "loads that load each address once">,
    Statistic<"kept", "num-kept", "loads that repeat addresses">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FoldUnitDims : Pass<"tawa-fold-unit-dims", "::mlir::ModuleOp"> {
  let summary = "Drop unit dimensions of tiles accessed through descriptors";
  let description = [{
    A block of a batched tensor has leading dimensions of size 1. `tt.descriptor_load` may return, and
    `tt.descriptor_store` take, the tile without them (two dimensions remain); `tt.reshape` and `tt.expand_dims` that
    drop or add them disappear.

    Needs: nothing. Holds after: tiles of descriptor loads and stores that have more than two dimensions need them.

    Example (tests/lit/frontend/fold-unit-dims.mlir):
    ```mlir
    %b = tt.descriptor_load %d[%z, %i, %i] : !tt.tensordesc<tensor<1x64x32xf16>> -> tensor<1x64x32xf16>
    %x = tt.reshape %b : tensor<1x64x32xf16> -> tensor<64x32xf16>
    %y = arith.addf %x, %x : tensor<64x32xf16>
    %r = tt.expand_dims %y {axis = 0 : i32} : tensor<64x32xf16> -> tensor<1x64x32xf16>
    tt.descriptor_store %d[%z, %i, %i], %r : !tt.tensordesc<tensor<1x64x32xf16>>, tensor<1x64x32xf16>
    // becomes
    %x = tt.descriptor_load %..[%.., %.., %..] : !tt.tensordesc<tensor<1x64x32xf16>> -> tensor<64x32xf16>
    %y = arith.addf %x, %x : tensor<64x32xf16>
    tt.descriptor_store %..[%.., %.., %..], %y : !tt.tensordesc<tensor<1x64x32xf16>>, tensor<64x32xf16>
    ```
  }];
  let statistics = [
    Statistic<"folded", "num-folded", "tiles that lost leading dimensions of size 1">,
    Statistic<"kept", "num-kept", "tiles that need all dimensions they have">,
  ];
}

def FoldDotSums : Pass<"tawa-fold-dot-sums", "::mlir::ModuleOp"> {
  let summary = "Let products that are added to a carried sum, or to another product, continue it";
  let description = [{
    `acc + dot(a, b, 0)`, where a loop carries `acc`, becomes `dot(a, b, acc)`: as it is, scaled, or with other products
    added. So does `dot(c, d, z) + dot(a, b, 0)`, if the operands of both have the same width. Of FP8 products the matrix unit still sums no more than those of one `tt.dot` with fewer bits than f32 has
    (`maxNumImpreciseAcc`). Sums in f16 stay as they are.

    Needs: structured control flow. Holds after: no product from zeros is only added to a sum that its loop carries, or to
    a product of the same width of operands.

    Example (tests/lit/frontend/fold-dot-sums.mlir):
    ```mlir
    %p = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = arith.addf %p, %sum : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
    // becomes
    %next = tt.dot %.., %.., %sum : tensor<64x32xf16>
    scf.yield %next
    ```
  }];
  let statistics = [
    Statistic<"folded", "num-folded", "products that became part of a sum">,
  ];
}

def FoldScales : Pass<"tawa-fold-scales", "::mlir::ModuleOp"> {
  let summary = "Multiply by one constant instead of by a power of two and another one";
  let description = [{
    Scores are scaled by the inverse root of the head's width, and by log2(e) for exp2: with 64 columns the first is a
    power of two, so both products become one that gives the same f32. Only where the first result cannot overflow,
    and up to results that would be subnormal.

    Needs: nothing. Holds after: no f32 product by a power of two from 2^-64 to 1 and another constant is two.

    Example (tests/lit/frontend/fold-scales.mlir):
    ```mlir
    %a = arith.mulf %x, %eighth : tensor<64xf32>
    %b = arith.mulf %a, %log2e : tensor<64xf32>
    // becomes
    %b = arith.mulf %arg0, %both
    ```
  }];
  let statistics = [
    Statistic<"folded", "num-folded", "products that multiply by both constants">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ScaleMaxima : Pass<"tawa-scale-maxima", "::mlir::ModuleOp"> {
  let summary = "Scale the maximum of a tile instead of its elements";
  let description = [{
    `max(c * x)` becomes `c * max(x)` for a positive constant c, which rounds to the same number. Only where sums and
    differences alone read the products besides: these are fused with them, so that exp2(c x - max(c x)) takes one
    instruction for each element before exp2 instead of two.

    Needs: tawa-fold-scales. Holds after: no maximum of such products.

    Example (tests/lit/frontend/scale-maxima.mlir):
    ```mlir
    %b = arith.mulf %x, %c : tensor<64x32xf32>
    %m = "tt.reduce"(%b) <{axis = 1 : i32}> ({
    // becomes
    %n = "tt.reduce"(%x)
    %m = arith.mulf %n, %c : tensor<64xf32>
    ```
  }];
  let statistics = [
    Statistic<"scaled", "num-scaled", "maxima that are scaled">,
    Statistic<"kept", "num-kept", "maxima of other products, or of products with other uses">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ScalarizeCarriedOffsets : Pass<"tawa-scalarize-carried-offsets", "::mlir::ModuleOp"> {
  let summary = "Carry the number that iterations add to a tile of integers instead of the tile";
  let description = [{
    A loop that moves its rows by a number from a table (`offs_m += offset`) carries a tile, of which nothing shows that
    its elements stay neighbours. The tile before the loop plus a scalar does, so tiles at such rows are blocks of a
    matrix (`tawa-raise-loads`), and a thread carries one number.

    Needs: structured control flow. Holds after: no scf.for carries a tile of integers to which it only adds uniform tiles.

    Example (tests/lit/frontend/scalarize-carried-offsets.mlir):
    ```mlir
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %first) -> (tensor<64xi32>) : i32 {
    %next = arith.addi %rows, %splat : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
    // becomes
    %moved = scf.for .. iter_args(%sum = %c0_i32) -> (i32)
    %splat = tt.splat %sum : i32 -> tensor<64xi32>
    %rows = arith.addi %first, %splat : tensor<64xi32>
    %next = arith.addi %sum, %step : i32
    scf.yield %next : i32
    ```
  }];
  let statistics = [
    Statistic<"scalarized", "num-scalarized", "carried tiles that became a scalar">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FoldCarriedCounters : Pass<"tawa-fold-carried-counters", "::mlir::ModuleOp"> {
  let summary = "Replace numbers that a loop carries beside its own by its own";
  let description = [{
    A loop over tiles that Triton flattened carries the number of the tile a second time, in another phase. Then nothing
    shows that both are the same. Such a number becomes the induction variable plus a constant.

    Needs: structured control flow. Holds after: no loop carries its induction variable in steps of its own.

    Example (tests/lit/frontend/fold-carried-counters.mlir):
    ```mlir
    %before = arith.subi %first, %c132 : i32
    %last = scf.for %t = %first to %n step %c132 iter_args(%u = %before) -> (i32) : i32 {
    %next = arith.addi %u, %c132 : i32
    // becomes
    %u = arith.addi %t, %c-132_i32 : i32
    ```
  }];
  let statistics = [
    Statistic<"folded", "num-folded", "carried numbers that became the loop's own">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def GridFromTileLoop : Pass<"tawa-grid-from-tile-loop", "::mlir::ModuleOp"> {
  let summary = "Make a text's own loop over tiles the grid of its launch";
  let description = [{
    A loop of a kernel's body that begins with the number of the program and steps over those of the others is left out:
    each of its iterations is a program. The launch finds out how many there are (`tawa.retiled_grid`), and where the text
    steps by a constant, whether those that are asked for take each tile once (`tawa.retiled_zeros`). `tawa.walkers` says how
    many walk them in the text.

    A loop stays that carries anything but its own counter, whose tiles may depend on each other, or beside which more
    depends on the number of the program.

    Needs: `tawa.argument` on parameters (tawa-specialize-arguments); after tawa-retile. Holds after: loops over tiles that are left in the
    text (analysis/ProgramGrid.h) are no grids.

    Example (tests/lit/frontend/grid-from-tile-loop.mlir):
    ```mlir
    %first = tt.get_program_id x : i32
    %last = scf.for %tile = %first to %n step %c132 iter_args(%u = %before) -> (i32) : i32 {
    // becomes
    %tile = tt.get_program_id x
    ```
  }];
  let statistics = [
    Statistic<"released", "num-released", "loops that became grids">,
    Statistic<"kept", "num-kept", "loops over tiles that are none, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def UnshareTiles : Pass<"tawa-unshare-tiles", "::mlir::ModuleOp"> {
  let summary = "Give each use of a constant tile, a range or a broadcast one of its own";
  let description = [{
    Equal ranges of rows and of columns are one operation after common subexpressions were eliminated, which ties their
    dimensions together (analysis/TileDims.h). This pass undoes that, for what `tawa-retile` finds out.

    Needs: nothing. Holds after: constant tiles, `tt.make_range`, `tt.splat`, `tt.expand_dims`, `tt.broadcast`,
    `arith.extsi` and `arith.extui` have one use each.

    Example (tests/lit/frontend/unshare-tiles.mlir):
    ```mlir
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %rm = arith.addi %r, %m : tensor<64xi32>
    %rn = arith.addi %r, %n : tensor<64xi32>
    // becomes
    %r1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %r2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    ```
  }];
  let statistics = [
    Statistic<"cloned", "num-cloned", "operations made for further uses">,
  ];
}

def Retile : Pass<"tawa-retile", "::mlir::ModuleOp"> {
  let summary = "Give the tiles of a kernel's products other sizes";
  let description = [{
    `rows` and `columns` are those of the first `tt.dot`'s result, `sum` is the length of its sums (0: as the text says).
    Types, ranges, multiples of the sizes in addresses and numbers of tiles are rewritten where analysis/Tiling.h proves
    that the kernel computes the same; otherwise it is an error at the operation that stands in the way. The function gets
    `tawa.retiled_grid` and `tawa.retiled_zeros`, from which a launch works out how many programs it starts in place of
    those that are asked for.

    Sums over longer or shorter tiles add up their terms in another order, which a configuration with such sizes permits.

    Needs: `tawa.argument` on parameters (tawa-specialize-arguments), tawa-fold-carried-counters, tawa-unshare-tiles.
    Holds after: tiles have the sizes of the configuration.

    Example (tests/lit/frontend/retile.mlir):
    ```mlir
    %m_padded = arith.addi %m, %c127 : i32
    %m_tiles = arith.divsi %m_padded, %c128 : i32
    %row = arith.muli %m_tile, %c128 : i32
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    // becomes
    %padded = arith.addi %m, %c63_i32 : i32
    %tiles = arith.divsi %padded, %c64_i32 : i32
    %row = arith.muli %.., %c64_i32 : i32
    tt.descriptor_load %arg0[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    ```
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "0", "BLOCK_M of the configuration">,
    Option<"columns", "columns", "int64_t", "0", "BLOCK_N">,
    Option<"sum", "sum", "int64_t", "0", "BLOCK_K">,
  ];
  let statistics = [
    Statistic<"retiled", "num-retiled", "dimensions that have tiles of another size">,
    Statistic<"kept", "num-kept", "dimensions whose size cannot be changed, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitTiles : Pass<"tawa-split-tiles", "::mlir::ModuleOp"> {
  let summary = "Divide tiles whose extents are not powers of two into equal parts";
  let description = [{
    Each part has the largest power of two that divides the extent (192 = 3 x 64, 224 = 7 x 32), through loops and conditions.
    Products over parts of M and N share operands, those over parts of K add up in a chain; a reduction along a divided dimension
    combines the parts first. Descriptors describe blocks of a part's size. What cannot work on parts is an error:
    a reshape that mixes a divided dimension with others, a scan along one.

    Needs: `tt` without block pointers, calls and composite operations. Holds after: every extent of every tile is a power of
    two.

    Example (tests/lit/frontend/split-tiles.mlir):
    ```mlir
    %y = tt.descriptor_load %b[%n, %i] : !tt.tensordesc<tensor<192x64xf16>> -> tensor<192x64xf16>
    %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<192x64xf16> -> tensor<64x192xf16>
    %d = tt.dot %x, %t, %s : tensor<128x64xf16> * tensor<64x192xf16> -> tensor<128x192xf32>
    // becomes
    %b0 = tt.descriptor_load %arg1[%n, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %n1 = arith.addi %n, %c64_i32
    %b1 = tt.descriptor_load %arg1[%n1, %k]
    %n2 = arith.addi %n, %c128_i32
    %b2 = tt.descriptor_load %arg1[%n2, %k]
    tt.dot %a, %t0, %s0
    tt.dot %a, %t1, %s1
    tt.dot %a, %t2, %s2
    ```
  }];
  let statistics = [
    Statistic<"divided", "num-divided", "tiles that were divided into parts">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TAWA_FRONTEND_PASSES_TD
