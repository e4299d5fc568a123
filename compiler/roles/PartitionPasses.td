// The passes that prepare a kernel for roles and assign its operations to them: how programs walk and share tiles, which
// accesses TMA executes.
// In the order in which compiler/pipeline runs them. Each has a file of its name and a lit test.
#ifndef TAWA_ROLES_PARTITIONPASSES_TD
#define TAWA_ROLES_PARTITIONPASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleLongestFirst : Pass<"tawa-schedule-longest-first", "::mlir::ModuleOp"> {
  let summary = "Start programs with long loops before those with short ones";
  let description = [{
    Where the trip counts of the kernel's loops are a function of its id along one axis of the grid, that axis becomes
    the slowest, from the end with larger trip counts to the other one, within sections: as many programs along the
    other axes as L2 holds the tiles of, or `raster`. So the longest programs of a section begin first and the shortest
    fill the gaps at its end, as in attention under a causal mask. The end with larger trip counts is determined at run
    time. Ordered functions, and the number from which positions are computed, have `tawa.tile_number`
    (compiler/analysis/ProgramGrid.h).

    With `resident`, CTAs take tiles round-robin, regardless of completed work. A section is then one round of them, and
    every other section begins with the shortest, so that all CTAs have equal work. CTAs that take tiles one by one
    (tawa-hand-out-tiles) need no such order: to them the longest come first, as to the CTAs of a grid.

    Needs: bound parameters (tawa-specialize-arguments), before tawa-make-persistent. A kernel is left unchanged where
    trip counts depend on several axes or on memory, and where its programs can observe the order in which they run.

    Example (tests/lit/roles/schedule-longest-first.mlir):
    ```mlir
    tt.func public @causal(%v: !tt.tensordesc<tensor<32x32xf32>>, %o: !tt.tensordesc<tensor<32x32xf32>>) {
    %x = tt.get_program_id x : i32
    %sum = scf.for %n = %zero to %end step %block iter_args(%part = %none) -> (tensor<32x32xf32>) : i32 {
    // becomes
    %section = arith.divui %n, %width
    %inside = arith.remui %n, %width
    %first = arith.muli %section, %g
    ```
  }];
  let options = [
    Option<"raster", "raster", "int", "0", "programs per section along the other axes; 0: as many as fit L2, or by `resident`">,
    Option<"resident", "resident", "bool", "false", "tawa-make-persistent will make a loop over the tiles, of which each CTA has a share">,
  ];
  let statistics = [
    Statistic<"ordered", "num-ordered", "kernels whose programs were put in order">,
    Statistic<"kept", "num-kept", "kernels whose programs stay in the order of the text, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect"];
}

def MakePersistent : Pass<"tawa-make-persistent", "::mlir::ModuleOp"> {
  let summary = "Make resident CTAs walk the grid (paper IV.B)";
  let description = [{
    The body becomes a loop over the programs of the grid, from this CTA's number in steps of the number of CTAs. The
    extents of the axes that the kernel queries become parameters (`tawa.argument`, part "grid"), which the launch fills
    with the requested grid; `tt.get_program_id` and `tt.get_num_programs` become arithmetic on them. Values equal for
    every tile are computed before the loop.

    The loop gets `tawa.tile_loop` (compiler/analysis/TileLoop.h). So does a loop of the text that runs from the
    program's number in steps of the grid; such a kernel is not changed otherwise.

    With `groups`, the loop also gets `tawa.pingpong`: the number of consumer groups that alternate over its tiles
    (ping-pong).

    A function whose programs are equally long products gets `tawa.uniform_tiles` (compiler/analysis/UniformTileWork.h), persistent or
    not: a launch then starts no CTA that would have one tile less than others.

    Needs: bound parameters (tawa-specialize-arguments). A kernel is left unchanged, with the reason on the module
    (`tawa.not_applied`), where its programs can observe the order in which they run. Likewise for ping-pong, where a tile
    needs the results of an earlier one.

    Example (tests/lit/roles/make-persistent.mlir):
    ```mlir
    %program = tt.get_program_id x : i32
    %programs = tt.get_num_programs x : i32
    %padded = arith.addi %n, %c1 : i32
    %at = arith.muli %program, %padded : i32
    %q = tt.addptr %p, %at : !tt.ptr<i32>, i32
    // becomes
    %cta = tt.get_program_id x
    %ctas = tt.get_num_programs x
    %padded = arith.addi %n
    scf.for %tile = %cta to %grid step %ctas
    %at = arith.muli %tile, %padded
    tt.addptr %.., %at
    %last = arith.subi %grid
    ```
  }];
  let options = [
    Option<"persistent", "persistent", "bool", "true", "make the loop where the text has none; else only marks what is there">,
    Option<"groups", "groups", "int", "0", "consumer groups that alternate over the tiles (ping-pong); 0: all share each tile">,
  ];
  let statistics = [
    Statistic<"loops", "num-loops", "loops over the grid that were made">,
    Statistic<"marked", "num-marked", "loops over tiles that the text has itself">,
    Statistic<"alternating", "num-alternating", "loops over whose tiles consumer groups alternate">,
    Statistic<"equal", "num-equal", "kernels whose programs are equally long products">,
    Statistic<"kept", "num-kept", "settings that do not apply to a kernel, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def RasterTiles : Pass<"tawa-raster-tiles", "::mlir::ModuleOp"> {
  let summary = "Walk the tiles in groups of rows or columns, for their reuse in L2";
  let description = [{
    Finds the row and the column that the kernel derives from its tile number (the program's, or the counter of the tile
    loop), and computes them in another order: groups of `raster` rows (negative: columns), in which the other
    coordinate is slower. Two decompositions are recognized, each a bijection between numbers below rows * columns and
    pairs: quotient and remainder by one extent, and groups of rows or columns of which the last may be smaller. The
    tiles that a coordinate indexes tell whether it is the row.

    Needs: bound parameters. Where the number has any other use the kernel is left unchanged, with the reason on the
    module (`tawa.not_applied`).

    Example (tests/lit/roles/raster-tiles.mlir):
    ```mlir
    %row = arith.divsi %p, %columns : i32
    %column = arith.remsi %p, %columns : i32
    // becomes
    %group = arith.divui %tile, %width
    %first = arith.muli %group, %c8_i32
    %inside = arith.remui %tile, %width
    %left = arith.subi %rows, %first
    %row = arith.addi %first, %at
    %column = arith.divui %inside, %size
    ```
  }];
  let options = [
    Option<"raster", "raster", "int", "0", "tile rows of a group; negative: tile columns; 0: as the text says">,
  ];
  let statistics = [
    Statistic<"rastered", "num-rastered", "kernels whose tiles were put in groups">,
    Statistic<"kept", "num-kept", "kernels whose tiles stay in the order of the text, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TransposeDots : Pass<"tawa-transpose-dots", "::mlir::ModuleOp"> {
  let summary = "Compute products of fewer than 64 rows transposed, so that wgmma takes them";
  let description = [{
    A wgmma has 64 rows and from 8 columns on. Where a loop sums products of fewer rows and of a multiple of 64 columns, of
    tiles that come from memory, it sums their transposes instead: `dot(a, b)` becomes `dot(trans b, trans a)`. The sum is
    turned over after the loop, and after the operations on single elements that follow, so that what is transposed is
    no wider than what the kernel stores.

    Needs: a GPU with wgmma, and a producer that would feed the products (a lone role has mma.sync, which takes 16 rows).
    A remark gives the reason where a product stays.

    Example (tests/lit/roles/transpose-dots.mlir):
    ```mlir
    %d = tt.dot %x, %y, %acc : tensor<16x32xf16> * tensor<32x128xf16> -> tensor<16x128xf32>
    %r = arith.truncf %scaled : tensor<16x128xf32> to tensor<16x128xf16>
    // becomes
    tt.dot %left, %right, %acc : tensor<128x32xf16> * tensor<32x16xf16> -> tensor<128x16xf32>
    %rounded = arith.truncf %scaled : tensor<128x16xf32> to tensor<128x16xf16>
    %result = tt.trans %rounded
    ```
  }];
  let options = [
    Option<"consumerGroups", "consumer-groups", "int", "2", "as in tawa-partition-roles">,
  ];
  let statistics = [
    Statistic<"transposedDots", "num-transposed", "products that are computed transposed">,
    Statistic<"kept", "num-kept", "products of a loop that stay as they are, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RaiseLoads : Pass<"tawa-raise-loads", "::mlir::ModuleOp"> {
  let summary = "Turn loads through pointers to blocks of matrices into descriptor loads, for TMA";
  let description = [{
    A load through a tensor of pointers that a producer role could copy (compiler/analysis/PointerTiles.h) becomes
    `tt.make_tensor_descriptor` at the top of the function and `tt.descriptor_load`, if its address is a parameter plus
    (start + index) * stride for each of its two dimensions, one stride is 1 and the other a parameter or constant that
    is a multiple of 16 bytes, and its mask only compares indices with the tensor's bounds. Up to three more terms number *
    stride that the text computes in 64 bits, of one of several matrices, are dimensions of their own. RaiseBlocks.h has the
    rules for negative and overflowing indices. A remark gives the reason where a load is not converted.

    Needs: `tawa.argument` on the parameters. Holds after: descriptors it made are known at launch.

    Example (tests/lit/roles/raise-loads.mlir):
    ```mlir
    %ap = tt.addptr %as, %es : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %x = tt.load %at, %mask, %other : tensor<64x32x!tt.ptr<f16>>
    // becomes
    %da = tt.make_tensor_descriptor %a, [%rows, %columns], [%lda, %..] : <f16>, <tensor<64x32xf16>>
    tt.descriptor_load %da[%a0, %a1]
    ```
  }];
  let options = [
    Option<"consumerGroups", "consumer-groups", "int", "2", "as in tawa-partition-roles">,
  ];
  let statistics = [
    Statistic<"raised", "num-raised", "loads through pointers that became descriptor loads">,
    Statistic<"kept", "num-kept", "loads through pointers that stay, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RaiseStores : Pass<"tawa-raise-stores", "::mlir::ModuleOp"> {
  let summary = "Turn stores through pointers to blocks of matrices into descriptor stores, for TMA";
  let description = [{
    A store of a wgmma accumulator through a tensor of pointers becomes `tt.make_tensor_descriptor` and
    `tt.descriptor_store` under the same conditions as loads in tawa-raise-loads, if TMA can then execute it
    (compiler/analysis/TileStores.h). Kernels without a tile load that could travel between roles are left alone. A
    remark gives the reason where a store is not converted.

    Needs: `tawa.argument` on the parameters. Holds after: descriptors it made are known at launch.

    Example (tests/lit/roles/raise-stores.mlir):
    ```mlir
    %p = tt.addptr %rpb, %nb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %mask = arith.andi %inmb, %innb : tensor<64x64xi1>
    tt.store %p, %v, %mask : tensor<64x64x!tt.ptr<f16>>
    // becomes
    %d = tt.make_tensor_descriptor %c, [%rows, %columns], [%ld, %..] : <f16>, <tensor<64x64xf16>>
    tt.descriptor_store %d[%.., %..], %v : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
    ```
  }];
  let options = [
    Option<"consumerGroups", "consumer-groups", "int", "2", "as in tawa-partition-roles">,
  ];
  let statistics = [
    Statistic<"raised", "num-raised", "stores through pointers that became descriptor stores">,
    Statistic<"kept", "num-kept", "stores through pointers that stay, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitReduction : Pass<"tawa-split-reduction", "::mlir::ModuleOp"> {
  let summary = "Split the iterations of a program's sum over several CTAs (split-K of a matrix product)";
  let description = [{
    A loop whose carried values are sums that start from zero (of dots, or of arith.addf and addi), counters and
    pointers with a fixed step, or invariant, is split over `split` CTAs: rank r runs iterations r, r + split, ... After
    it `tawa.cluster_sum` adds up the parts, and the first CTA alone executes the rest.

    Needs: the loop is directly in the function; nothing up to its end has an effect, and only the sums among its
    results are used. Otherwise the kernel is left unchanged, with the reason on the module (`tawa.not_applied`,
    compiler/analysis/RejectReason.h). Holds after: the function has `tawa.split`; a launch starts that many CTAs for each
    program, neighbours along x.

    Example (tests/lit/roles/split-reduction.mlir):
    ```mlir
    %sum:2 = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero, %column = %column0) -> ..
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x16xf16> -> tensor<64x16xf32>
    tt.store %p, %sum#0 : tensor<64x16x!tt.ptr<f32>>
    // becomes
    %rank = tawa.cluster_rank : i32
    %lower = arith.muli %rank, %c32_i32 : i32
    %sum:2 = scf.for %.. = %lower to %k step %c128_i32 iter_args(%acc = %zero, %column = %start) -> ..
    %all = tawa.cluster_sum %sum#0 : tensor<64x16xf32>
    %first = arith.cmpi eq, %rank, %.. : i32
    scf.if %first {
    tt.store %.., %all
    ```
  }];
  let options = [
    Option<"split", "split", "int", "1", "CTAs that share a program's loop">,
  ];
  let statistics = [
    Statistic<"sums", "num-sums", "sums whose terms CTAs share">,
    Statistic<"kept", "num-kept", "kernels whose sums one CTA computes, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def StreamReduction : Pass<"tawa-stream-reduction", "::mlir::ModuleOp"> {
  let summary = "Share the sums of the last tiles between resident CTAs (stream-K)";
  let description = [{
    In a loop over the programs of the grid that computes a sum as tawa-split-reduction takes it, the tiles that do not fill
    a round of CTAs get a loop of their own: their sums are cut into equal parts (runtime/artifact/StreamParts.h), and CTAs
    take parts of tiles, first the first part of each. Each CTA stores its part (`tawa.store_part`, `tawa.count_part`), unless
    it is the second of two (`tawa.needs_part`); the one that comes last adds them up (`tawa.sum_parts`), of many parts with
    the others, and one alone executes the code after the sum. No CTA relies on another. Where the CTAs divide the tiles,
    all tiles are whole. The CTAs of a cluster get the same part of tiles beside each other, if it divides the tiles.

    Needs: tawa-make-persistent and tawa-pad-grid; CTAs walk the grid along x, and consumer groups do not alternate. The
    summing loop stands directly in the loop over tiles and has equally many iterations for all of them; nothing up to its
    end has an effect, and no tile is loaded after it. Otherwise the kernel is left unchanged, with the reason on the
    module (`tawa.not_applied`, compiler/analysis/RejectReason.h). Holds after: the function has `tawa.stream`; a launch
    starts all resident CTAs.

    Example (tests/lit/roles/stream-reduction.mlir):
    ```mlir
    scf.for %tile = %cta to %tiles step %ctas : i32 {
    %sum:2 = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero, %column = %column0) -> ..
    tt.store %p, %sum#0 : tensor<64x16x!tt.ptr<f32>>
    // becomes
    scf.for %.. = %cta to %whole step %ctas
    scf.for %unit = %cta to %units step %ctas
    %q = arith.remui %unit, %divisor
    %p = arith.divui %unit, %divisor
    %tile = arith.addi %whole, %q
    %sum:2 = scf.for %.. = %lower to %upper step %c32_i32 iter_args(%.. = %.., %.. = %column)
    %needed = tawa.needs_part %q of %parts
    %part = tawa.store_part %sum#0 in %unit if %needed : tensor<64x16xf32>
    %complete = tawa.count_part %q of %parts step %shared if %needed
    %all = tawa.sum_parts %part at %p of %parts in %q step %shared if %adds
    scf.if %complete {
    tt.store %.., %all
    ```
  }];
  let options = [
    Option<"stream", "stream", "bool", "true", "share the tiles">,
    Option<"cluster", "cluster", "unsigned", "1", "CTAs of a cluster">,
  ];
  let statistics = [
    Statistic<"sums", "num-sums", "sums of shared tiles">,
    Statistic<"kept", "num-kept", "kernels whose tiles are all whole, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PadGrid : Pass<"tawa-pad-grid", "::mlir::ModuleOp"> {
  let summary = "Let clusters run a grid that they do not divide";
  let description = [{
    A launch starts whole clusters along x. A CTA beyond the grid becomes the last program once more, which is one of its own
    cluster: it loads its parts of the tiles that the cluster shares and stays in step with it. It writes nothing: its stores
    through pointers are masked, its blocks go to where TMA clips them. In a loop over the programs of the grid
    (tawa-make-persistent) it is the iterations that are filled up to whole clusters. Launches tell the kernel how many
    programs were asked for (`tawa.argument`, part "programs").

    Needs: tawa-raise-stores, whose masks would not be recognized after it. The kernel does not walk the grid itself, no
    program observes others, and all its effects can be masked; otherwise it is left as it is, and a launch refuses grids
    that the cluster does not divide. Holds after: the function has `tawa.padded_grid`.

    Example (tests/lit/roles/pad-grid.mlir):
    ```mlir
    %p = tt.get_program_id x : i32
    tt.descriptor_store %c[%row, %column], %x : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
    // becomes
    %last = arith.subi %programs, %one
    %own = arith.cmpi sle, %id, %last
    %p = arith.minsi %id, %last
    %moved = arith.select %own, %row, %outside
    tt.descriptor_store %..[%moved, %count]
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "unsigned", "1", "CTAs of a cluster">,
  ];
  let statistics = [
    Statistic<"padded", "num-padded", "kernels whose grid is filled up to whole clusters">,
    Statistic<"kept", "num-kept", "kernels left as they are, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect"];
}

def PartitionRoles : Pass<"tawa-partition-roles", "::mlir::ModuleOp"> {
  let summary = "Assign every operation to roles (task-aware partition)";
  let description = [{
    Paper, section III.C.1. Walks backwards from the effects: the operands of a tile load's address, and the loop around
    it, are iteration statements of the producer; the operands of a store are tile statements of the consumer, up to the
    tile loads, where the cut is. With `converter-groups`, operands of wgmma that are computed from tiles of their loop alone
    (ConvertedOperands.h) are a second cut: a converter gets these tiles, and each such operand has a channel, too. Operations without effects may belong to both. Writes `tawa.roles` on operations (0
    producer, 1 consumer, 2 converter), `tawa.carried` on loops and conditions (the roles of each carried value or result) and
    `tawa.channel` on tile loads (TileLoads.h defines which can travel): loads that feed the same dots share a channel,
    and so do such loads in consecutive loops. A load through pointers is a tile load too where the producer's threads can
    copy it (compiler/analysis/PointerTiles.h): for dots, or beside such a tile for the consumer's registers, as far as the
    producer can find its address and the slots fit. It gets `tawa.copy` with the dimension and the elements of a copy. On the function, `tawa.rings` has the slot size and the useful number of slots of each
    ring, and with D=0 `tawa.ring_depth` the planned number (runtime/artifact/RingSlots.h).

    Needs: one function with structured control flow. Where splitting a kernel is impossible or not worthwhile, only the
    module is annotated, with `tawa.declined = "reason"` (compiler/analysis/RejectReason.h).

    Example (tests/lit/roles/partition-roles.mlir):
    ```mlir
    %pid = tt.get_program_id x : i32
    %a = tt.descriptor_load %da[%pid, %off] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %b = tt.descriptor_load %db[%off, %pid] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %a, %b, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = arith.addi %off, %c32 : i32
    // becomes
    tt.get_program_id x {tawa.roles = #tawa.roles<producer, consumer>}
    tt.descriptor_load .. {tawa.channel = 0 : i32, tawa.roles = #tawa.roles<producer>}
    tt.descriptor_load .. {tawa.channel = 0 : i32, tawa.roles = #tawa.roles<producer>}
    tt.dot .. {tawa.roles = #tawa.roles<consumer>}
    arith.addi .. {tawa.roles = #tawa.roles<producer>}
    ```
  }];
  let options = [
    Option<"consumerGroups", "consumer-groups", "int", "2", "warp groups of the consumer role, which determine the dots that wgmma takes">,
    Option<"converterGroups", "converter-groups", "int", "0", "warp groups of a role that computes operands of dots; 0: consumers do">,
    Option<"ringDepth", "ring-depth", "int", "4", "slots of every aref; 0: as many as seem to fit shared memory, at most 4">,
    Option<"mmaDepth", "mma-depth", "int", "1", "dots in flight, and so the least number of slots">,
    Option<"epilogueStages", "epilogue-stages", "int", "2", "panels through which a warp stages a tile store">,
  ];
  let statistics = [
    Statistic<"partitioned", "num-partitioned", "kernels that are to be split into roles">,
    Statistic<"declined", "num-declined", "kernels that stay one role, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

#endif // TAWA_ROLES_PARTITIONPASSES_TD
