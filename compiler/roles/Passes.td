// The passes that split a kernel into roles and pipeline them. Listed in the order in which
// compiler/pipeline runs them. Each has a file of its name and a lit test.
#ifndef TAWA_ROLES_PASSES_TD
#define TAWA_ROLES_PASSES_TD

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
    it is the second of two (`tawa.needs_part`); the one that comes last adds them up (`tawa.sum_parts`) and alone executes
    the code after the sum. No CTA waits for another. Where the CTAs divide the tiles, all tiles are whole.

    Needs: tawa-make-persistent; CTAs walk the grid along x, and consumer groups do not alternate. The summing loop stands
    directly in the loop over tiles and has equally many iterations for all of them; nothing up to its end has an effect,
    and no tile is loaded after it. Otherwise the kernel is left unchanged, with the reason on the module
    (`tawa.not_applied`, compiler/analysis/RejectReason.h). Holds after: the function has `tawa.stream`; a launch starts all
    resident CTAs.

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
    %complete = tawa.count_part %q of %parts if %needed
    %all = tawa.sum_parts %part at %p of %parts in %q step %shared if %adds
    scf.if %complete {
    tt.store %.., %all
    ```
  }];
  let options = [
    Option<"stream", "stream", "bool", "true", "share the tiles">,
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
    tile loads, where the cut is. Operations without effects may belong to both. Writes `tawa.roles` on operations (0
    producer, 1 consumer), `tawa.carried` on loops and conditions (the roles of each carried value or result) and
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

def DistributeRoles : Pass<"tawa-distribute-roles", "::mlir::ModuleOp"> {
  let summary = "Give each role its own copy of the code and join them by arefs (loop distribution)";
  let description = [{
    Paper, section III.C.2. Every role becomes a `tawa.warp_group` with a clone of the operations assigned to it; every
    channel becomes an aref of depth D, or 1 if it has a single put. The producer puts where it loaded; the consumer
    gets at the same place of its own loop and releases the slot after the last use. Puts and gets are numbered by
    counters that start at 0 with the kernel and are carried through every loop and condition, like the barriers.

    wgmma reads elements of 8 and 32 bits with K innermost only. Tiles loaded in another order (TransposedLoads.h) go
    through a third role, which transposes them: it gets them from the producer's ring and puts them into another one,
    whose slot layout tawa-assign-layouts chooses for the dots. Where that would leave the consumers too few registers
    for their sums, they transpose such tiles themselves.

    Needs: the annotations of tawa-partition-roles; does nothing to a kernel that was declined. Holds after: no
    annotation is left; roles share only arefs and parameters.

    Example (tests/lit/roles/distribute-roles.mlir):
    ```mlir
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %b = tt.descriptor_load %db[%i, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %q, %b, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    // becomes
    %b = tawa.create_aref : <3, [tensor<32x64xf16>]>
    tawa.warp_group producer warps(4) registers(0)
    scf.for .. iter_args(%n = %zero) -> (i32)
    %bt = tt.descriptor_load
    tawa.put %b[%n], %bt
    tawa.warp_group consumer warps(4) registers(0)
    scf.for .. iter_args(%acc = .., %n = %zero)
    %bg = tawa.get %b[%n]
    %d = tt.dot %qg, %bg, %acc
    tawa.consumed %b[%n]
    ```
  }];
  let options = [
    Option<"ringDepth", "ring-depth", "int", "4", "slots of every aref (the paper's D) where tawa-partition-roles planned none">,
    Option<"consumerGroups", "consumer-groups", "int", "2", "warp groups of the consumer role (cooperative, paper IV.A)">,
  ];
  let statistics = [
    Statistic<"roles", "num-roles", "roles that got their own copy of the code">,
    Statistic<"rings", "num-rings", "arefs that join them">,
    Statistic<"transposed", "num-transposed", "of these, arefs filled by the role that transposes tiles">,
    Statistic<"kept", "num-kept", "kernels that stay one role">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def WrapOneRole : Pass<"tawa-wrap-one-role", "::mlir::ModuleOp"> {
  let summary = "Wrap a kernel that is not split into a single role";
  let description = [{
    Where the module has `tawa.declined`, the whole body becomes `tawa.warp_group main`.

    `warps = 0` lets the pass choose. A kernel with a dot has 4, 8 from tiles of 16384 elements on, 16 from 65536; but one or
    two where all its dots run on mma.sync, a lane has at most 16 elements of each result and 64 of each other tensor, and
    either at most 32 bytes of each operand or, with twice as many warps, less than 8 elements of each result.
    Others have as many, at most 8, as leave each thread 8 bytes of the largest tile that is loaded or stored, or 16
    where threads reduce together; and twice as many where the tiles live at once (compiler/analysis/LiveTiles.h) would
    need more than 64 registers, 16 of them for scalars.

    `registers` limits the registers of a thread so that CTAs with 64 KiB of loads in flight share an SM. It is 0, the
    assembler's choice, where that takes more than 1024 threads, where the tiles do not fit, and in kernels with a dot.

    Needs: nothing. Holds after: a declined kernel is one role and a `tt.return`.

    Example (tests/lit/roles/wrap-one-role.mlir):
    ```mlir
    %c = arith.constant 1 : i32
    tt.store %p, %c : !tt.ptr<i32>
    tt.return
    // becomes
    tawa.warp_group main warps(1) registers(0) {
    %c = arith.constant 1 : i32
    tt.store %.., %c
    }
    tt.return
    ```
  }];
  let options = [
    Option<"warps", "warps", "int", "0", "warps of the role: 1, 2, 4, 8 or 16; 0: the pass chooses">,
  ];
  let statistics = [
    Statistic<"wrapped", "num-wrapped", "kernels that became one role">,
    Statistic<"kept", "num-kept", "kernels that are split into roles">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def ExpandDescriptors : Pass<"tawa-expand-descriptors", "::mlir::ModuleOp"> {
  let summary = "Turn descriptor accesses that TMA does not execute into masked pointer accesses";
  let description = [{
    Loads, stores, reductions, gathers and scatters through tensor descriptors become `tt.load`, `tt.store` and
    `tt.atomic_rmw` on tensors of pointers, with masks for both bounds of every dimension and the descriptor's padding; a
    reduction that memory has no atomic operation for becomes a loop around `tt.atomic_cas` (AtomicLoop.h). A
    descriptor that the kernel makes is decomposed into base, shape, strides and padding, through loops and conditions; for
    one that is a parameter the pass adds parameters (`tawa.argument`, parts "pointer", and "shape" and "stride" where
    the text does not print them).

    In a kernel that is split into roles two forms remain: tiles that are put into an aref, and stores of a wgmma
    accumulator that TMA can execute (compiler/analysis/TileStores.h).

    Needs: roles. Holds after: TMA executes every remaining descriptor operation.

    Example (tests/lit/roles/expand-descriptors.mlir):
    ```mlir
    %v = tt.descriptor_load %d[%i, %c0, %c0] evictionPolicy = evict_first ..
    tt.descriptor_store %d[%i, %c0, %c0], %v : !tt.tensordesc<tensor<1x8x16xf16>>, tensor<8x16xf16>
    // becomes
    %base = tt.addptr %p, %skip
    %in = arith.andi %above, %below : i1
    %v = tt.load %ptr, %mask evictionPolicy = evict_first : tensor<8x16x!tt.ptr<f16>>
    tt.store %ptr, %v, %mask : tensor<8x16x!tt.ptr<f16>>
    ```
  }];
  let statistics = [
    Statistic<"expanded", "num-expanded", "accesses through descriptors that became accesses through pointers">,
    Statistic<"kept", "num-kept", "accesses through descriptors that TMA does">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ExpandUnalignedDescriptors : Pass<"tawa-expand-unaligned-descriptors", "::mlir::ModuleOp"> {
  let summary = "Turn accesses through descriptors of tensors that TMA cannot take into pointer accesses";
  let description = [{
    A parameter with `tawa.row_alignment` is the descriptor of a tensor whose address or strides are no multiples of 16 bytes.
    Its accesses become `tt.load`, `tt.store` and atomics on tensors of pointers, as those of `tawa-expand-descriptors` do, and
    base and strides are hinted (`tt.divisibility`) to be multiples of the bytes that the attribute names, which a launch checks.
    All other descriptors stay.

    Needs: specialized arguments; tiles have their sizes. Holds after: no access names such a parameter as its descriptor.

    Example (tests/lit/roles/expand-unaligned-descriptors.mlir):
    ```mlir
    %x = tt.descriptor_load %a[%i, %c0] : !tt.tensordesc<tensor<8x16xf16>> -> tensor<8x16xf16>
    // becomes
    %x = tt.load %.., %.. : tensor<8x16x!tt.ptr<f16>>
    ```
  }];
  let statistics = [
    Statistic<"expanded", "num-expanded", "accesses through descriptors that became accesses through pointers">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def HoistDescriptors : Pass<"tawa-hoist-descriptors", "::mlir::ModuleOp"> {
  let summary = "Turn descriptors made in the kernel into parameters whose tensor maps the launch makes";
  let description = [{
    A `tt.make_tensor_descriptor` of parameters and constants becomes a parameter with `tawa.argument` (the logical
    argument that its base belongs to) and `tawa.descriptor`: offset, shape and strides as expressions over the
    arguments (compiler/analysis/LaunchExpression.h), which a launch evaluates.

    Needs: tawa-expand-descriptors. Holds after: every descriptor is a parameter or a `tawa.make_descriptor` of its
    role, and used by TMA.

    Example (tests/lit/roles/hoist-descriptors.mlir):
    ```mlir
    tawa.warp_group producer warps(4) registers(0) {
    %d = tt.make_tensor_descriptor %q, [%m, %n], [%l, %t1] {padding = 2 : i32} : <f16>, <tensor<16x32xf16>>
    tt.descriptor_store %d[%m, %m], %v : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
    // becomes
    %d: !tt.tensordesc<tensor<16x32xf16>> {tawa.argument = #tawa.part<descriptor, index = 0, ..
    tt.descriptor_store %d
    ```
  }];
  let statistics = [
    Statistic<"hoisted", "num-hoisted", "descriptors that became parameters">,
    Statistic<"unused", "num-unused", "descriptors without a use, which were erased">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def MulticastTiles : Pass<"tawa-multicast-tiles", "::mlir::ModuleOp"> {
  let summary = "Load a tile common to the CTAs of a cluster once, by multicast";
  let description = [{
    Programs of a cluster have consecutive ids along x; where CTAs share a program's sum (tawa-split-reduction), those with the same
    part of it share tiles, and the cluster has up to eight CTAs in all. For every descriptor load that is put into a ring, the part
    of its coordinates that depends on the program is cloned for the neighbours (with the program id and the induction
    variable of a loop over tiles substituted), and compared before the loops around the put: `tawa.put .. multicast(..)`
    gets the result. A load that does not depend on the program is always shared; one whose coordinates grow with it by
    a constant, or cannot be cloned, never.

    A ring is shared where all CTAs of a cluster put into it equally often: loops and conditions around the puts do not
    depend on the program, or a loop walks tiles from the program's id in steps of the number of programs, and the
    cluster divides the number of tiles. Conditions that only a launch can check become `tawa.cluster_divides` on the
    function (launch expressions). Where no ring is shared, the kernel runs without a cluster, with the reason on the
    module (`tawa.not_applied`, compiler/analysis/RejectReason.h).

    Needs: roles; descriptors as parameters (tawa-hoist-descriptors). Holds after: the function has `tawa.cluster` if
    any put is shared.

    Example (tests/lit/roles/multicast-tiles.mlir):
    ```mlir
    %program = tt.get_program_id x : i32
    %column = arith.divsi %program, %c8 : i32
    %b = tt.descriptor_load %db[%y, %x] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    tawa.put %ring[%i], %a, %b : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>, tensor<64x64xf16>, ..
    // becomes
    %neighbour = arith.xori %program, %one
    %other = arith.divsi %neighbour, %eight
    %same = arith.cmpi eq, %column, %other
    scf.for
    tawa.put .. multicast(%false, %same)
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "int", "1", "programs of a cluster: 1, 2 or 4">,
  ];
  let statistics = [
    Statistic<"same", "num-same", "tiles that are always shared">,
    Statistic<"compared", "num-compared", "tiles whose coordinates are compared at run time">,
    Statistic<"own", "num-own", "tiles of shared rings that every CTA loads for itself">,
    Statistic<"kept", "num-kept", "kernels that run without a cluster, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect"];
}

def DeferGroupSums : Pass<"tawa-defer-group-sums", "::mlir::ModuleOp"> {
  let summary = "Add up what warp groups have of a row's sum after the loop";
  let description = [{
    Where a product has fewer than 64 rows for each warp group of a role, groups share its columns (analysis/DotKind.h). If a
    loop then carries sums of rows, as themselves times a factor plus the sums of a tile that is computed from the product
    element by element, it carries a column of sums for each group instead, and these are added up after it: otherwise groups
    exchange their parts in every iteration. The sums begin with zero. The order of additions changes, as for other
    reductions.

    Needs: `tawa.warp_group` regions with synchronous dots. Holds after: the same.

    Example (tests/lit/roles/defer-group-sums.mlir):
    ```mlir
    %part = "tt.reduce"(%p1) <{axis = 1 : i32}> ({
    %scaled = arith.mulf %l, %factor : tensor<64xf32>
    %next = arith.addf %scaled, %part : tensor<64xf32>
    // becomes
    %wide = tt.reshape %.. : tensor<64x64xf32> -> tensor<64x2x32xf32>
    %parts = "tt.reduce"(%wide) <{axis = 2 : i32}>
    %scaled = arith.mulf %l, %.. : tensor<64x2xf32>
    %next = arith.addf %scaled, %parts : tensor<64x2xf32>
    %sum = "tt.reduce"(%loop#0) <{axis = 1 : i32}>
    ```
  }];
  let statistics = [
    Statistic<"deferred", "num-deferred", "carried sums that groups add up after their loop">,
    Statistic<"kept", "num-kept", "carried sums that are not changed, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SliceSums : Pass<"tawa-slice-sums", "::mlir::ModuleOp"> {
  let summary = "Let warps divide K of a product of few rows, and add up what they have after the loop";
  let description = [{
    Of a product of few rows on mma.sync each warp of the role has some columns, so that all of them read the whole operand A. Where
    a loop carries sums only from product to product, scaled ones too, each warp gets a slice of K instead, if that saves more reads
    than adding up takes: the product becomes a batch of slices, which views make of the operands, and the loop carries a sum of
    each. They are added up after it, by way of shared memory. The sums of all slices take up to 64 registers of a thread
    (analysis/SumSlices.h). The order of additions changes, as for other reductions.

    Needs: `tawa.warp_group` regions; runs after the passes that pipeline loops, which look for tiles of two dimensions.
    Holds after: the same.

    Example (tests/lit/roles/slice-sums.mlir):
    ```mlir
    %two = tt.dot %a, %b, %one : tensor<16x128xf16> * tensor<128x64xf16> -> tensor<16x64xf32>
    // becomes
    %left = tt.trans %apart {order = array<i32: 1, 0, 2>} : tensor<16x4x32xf16> -> tensor<4x16x32xf16>
    %right = tt.reshape %.. : tensor<128x64xf16> -> tensor<4x32x64xf16>
    %two = tt.dot %.., %.., %one : tensor<4x16x32xf16> * tensor<4x32x64xf16> -> tensor<4x16x64xf32>
    %sum = "tt.reduce"(%loop) <{axis = 0 : i32}>
    ```
  }];
  let statistics = [
    Statistic<"sliced", "num-sliced", "carried sums whose K warps divide">,
    Statistic<"kept", "num-kept", "carried sums that are not changed, by reason">,
  ];
  let dependentDialects = ["::tawa::tt::TTDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def UnrollLoops : Pass<"tawa-unroll-loops", "::mlir::ModuleOp"> {
  let summary = "Unroll loops of a few iterations, so that all of them load together";
  let description = [{
    In a kernel that is one role, innermost `scf.for` loops without products, of 2 to 8 iterations that are known, are unrolled where they
    load what the kernel has not written: at most 32 words of each thread in all iterations, and 1024 operations. Loads pass stores that
    write nothing that they read. `ring-depth = 1`, by which loads stay as they are, keeps the loops.

    Needs: roles; accesses through pointers (tawa-expand-descriptors). Holds after: as before.

    Example (tests/lit/roles/unroll-loops.mlir):
    ```mlir
    %sum = scf.for %i = %c0 to %c1024 step %c512 iter_args(%s = %zero) -> (tensor<512xf32>) : i32 {
    %a = tt.load %source ..
    tt.store %target, %next ..
    // becomes
    %a0 = tt.load
    %a1 = tt.load
    tt.store %.., %a0
    arith.addf %a0, %a1
    ```
  }];
  let options = [
    Option<"ringDepth", "ring-depth", "int", "0", "1: loads stay as they are">,
  ];
  let statistics = [
    Statistic<"unrolled", "num-unrolled", "loops that are unrolled">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PipelineLoads : Pass<"tawa-pipeline-loads", "::mlir::ModuleOp"> {
  let summary = "Load what later iterations need under the arithmetic of this one";
  let description = [{
    Loads of innermost `scf.for` loops with a dot. In a kernel that is not split into roles, a tile of two dimensions, loaded
    through pointers, that threads can copy (compiler/analysis/PointerTiles.h; at least 1 KiB, zero where its mask is false) goes through
    the slots of an aref: iteration k puts the tiles of iteration k + D - 1 and gets its own; the first D - 1 are put before the
    loop. Smaller loads are made one iteration ahead and carried in registers, at most 8 words of each thread; those of consumers, too.
    Tiles are not carried where the iteration waits for another one. A kernel of one role whose sums several CTAs share has no slots.

    A load stays as it is where it may read what the kernel wrote before, where its address follows from another load, or where
    it is volatile. Loops that put alike share a ring. `ring-depth = 0` gives 2 slots where they fit shared memory, and up to 4
    as long as they fit half of it; another number asks for as many as that and as fit. With `mma-depth` above 1 a slot is given
    back an iteration late, so the put stands at the end of the iteration.

    Needs: roles; accesses through pointers (tawa-expand-descriptors). Holds after: as before.

    Example (tests/lit/roles/pipeline-loads.mlir):
    ```mlir
    %a = tt.load %ptr : tensor<64x64x!tt.ptr<f16>>
    %d = tt.dot %a, %b, %acc ..
    // becomes
    %copy = tawa.copy_tile ..
    tawa.put %ring[%..], %copy
    tawa.put %ring[%p]
    %tile = tawa.get %ring[%g]
    tt.dot %tile
    tawa.consumed %ring[%g]
    ```
  }];
  let options = [
    Option<"ringDepth", "ring-depth", "int", "0", "slots of each ring; 0: the pass chooses, 1: loads stay as they are">,
    Option<"mmaDepth", "mma-depth", "int", "1", "asynchronous dots in flight, the one just issued included">,
  ];
  let statistics = [
    Statistic<"pipelined", "num-pipelined", "loads whose tiles go through a ring">,
    Statistic<"carried", "num-carried", "loads that are made one iteration ahead, in registers">,
    Statistic<"direct", "num-direct", "loops in which nothing is loaded ahead, though it might be">,
    Statistic<"tooLarge", "num-too-large", "rings of which two slots do not fit shared memory">,
    Statistic<"kept", "num-kept", "kernels whose loads stay as they are, as D = 1 demands">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PipelineStages : Pass<"tawa-pipeline-stages", "::mlir::ModuleOp"> {
  let summary = "Overlap dots with the arithmetic of the next iteration (coarse-grained pipeline)";
  let description = [{
    Paper, section III.D.2 and algorithm 1. Applies to a loop with products (T), arithmetic on their sums (C) and
    products of its results (U), derived from uses and definitions (StagePlan.h). T of an iteration and U of the
    previous one are issued together, and C runs meanwhile: a prologue, the steady state and a drain, in a branch that
    guards against zero iterations. Slots that only U reads are got with it and released after it.

    A product that follows such a loop and does not depend on its sums, as of a peeled last iteration, is issued before
    the drain's products, and its dependents overlap with them (OverlapLoopDrain.h).

    Where second products depend on each other through arithmetic, they are issued one after the other: the first of them
    before T of the next iteration, so that the arithmetic on it runs meanwhile, and C during the last of them. Products
    that continue each other's sums are one product, unless the first of them reads a tile of T: then its sum is handed
    over.

    The register operand of a last product is converted, and its accumulator scaled, after the wait for the previous
    one. A loop is left unchanged, with the reason on the module (`tawa.not_applied`, `coarse`), where no product
    depends on another, a first one needs the sum of a second, both stages read one slot, one slot for a tile of a
    second product would keep the producer from loading that of a first one, effects would be reordered, or the
    registers do not suffice.

    Needs: `tawa.warp_group` regions, before tawa-pipeline-dots. Holds after: dots of those loops are asynchronous.

    Example (tests/lit/roles/pipeline-stages.mlir):
    ```mlir
    %s = tt.dot %k, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %p = math.exp2 %s : tensor<64x64xf32>
    %a = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
    %o = tt.dot %a, %v, %scaled : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    // becomes
    %k = tawa.get %keys[%nk]
    %first = tawa.dot_issue %k, %k, %.. adding if
    %v = tawa.get %values[%nv]
    %under = tawa.dot_issue %a, %v, %b
    %s = tawa.dot_wait %first pendings(1) : .. -> tensor<64x64xf32>
    %p = math.exp2 %s
    %o = tawa.dot_wait %under pendings(0) : .. -> tensor<64x64xf32>
    ```
  }];
  let statistics = [
    Statistic<"rotated", "num-rotated", "loops whose iterations overlap">,
    Statistic<"continued", "num-continued", "of these, loops whose last products overlap the code after the loop">,
    Statistic<"declined", "num-declined", "loops with several products whose iterations do not">,
    Statistic<"kept", "num-kept", "loops of one product at most">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PrefetchLoads : Pass<"tawa-prefetch-loads", "::mlir::ModuleOp"> {
  let summary = "Load rows and columns of the next iteration at the end of this one";
  let description = [{
    Of innermost loops with products that tawa-pipeline-stages leaves as they are: loads of one dimension whose addresses
    follow from values that the loop carries, of which some depend on other loads (a row from a table of blocks). At the
    end of an iteration these values are known for the next one. It loads there what the next one needs, which the loop
    carries in registers. A load stays where its address depends on what its own iteration loads, where it may read what
    the kernel wrote, or where the registers of a role do not suffice.

    Needs: `tawa.warp_group` regions, after tawa-pipeline-stages, before tawa-pipeline-dots. Holds after: as before.

    Example (tests/lit/roles/prefetch-loads.mlir):
    ```mlir
    %x = tt.load %at : tensor<64x!tt.ptr<f32>>
    %next = arith.addi %row, %step : i32
    scf.yield %o, %next : !sums, i32
    // becomes
    %next = arith.addi %row, %.. : i32
    %y = tt.load %.., %mores : tensor<64x!tt.ptr<f32>>
    scf.yield %.., %next, %y
    ```
  }];
  let options = [
    Option<"ringDepth", "ring-depth", "int", "0", "slots of each ring; 1: loads stay as they are">,
  ];
  let statistics = [
    Statistic<"prefetched", "num-prefetched", "loads that are made at the end of the iteration before">,
    Statistic<"kept", "num-kept", "loads that stay">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def HoistDots : Pass<"tawa-hoist-dots", "::mlir::ModuleOp"> {
  let summary = "Issue products with those before them that they do not depend on";
  let description = [{
    Of a loop that computes f(q k) * (d v), both products are issued before the arithmetic on the first one's sum, which
    then runs during the second product. A product moves with the slots that it reads, up to the first product of its
    block from which on it depends on no arithmetic; it does not pass releases or other effects. It stays where its sum,
    which is there earlier, would raise the registers that the block takes at most above those of its role. Products that
    continue each other's sums stay.

    Needs: `tawa.warp_group` regions, before tawa-pipeline-dots, which waits for each product where its sum is used. Holds
    after: of such products, those whose operands are slots follow each other.

    Example (tests/lit/roles/hoist-dots.mlir):
    ```mlir
    %s = tt.dot %q, %k, %none : !tile * !tile -> !sums
    %p = math.exp2 %s : !sums
    %v = tawa.get %values[%i] : !ring -> !tile
    %vt = tt.trans %v {order = array<i32: 1, 0>} : !tile -> !tile
    %t = tt.dot %d, %vt, %none : !tile * !tile -> !sums
    // becomes
    tt.dot
    %v = tawa.get
    tt.trans %v
    tt.dot
    math.exp2
    ```
  }];
  let statistics = [
    Statistic<"hoisted", "num-hoisted", "products that are issued earlier">,
    Statistic<"kept", "num-kept", "products that stay">,
  ];
}

def PipelineDots : Pass<"tawa-pipeline-dots", "::mlir::ModuleOp"> {
  let summary = "Make dots asynchronous, P in flight, and release slots when their readers are done";
  let description = [{
    Paper, section III.D.1. A dot that accumulates into a value carried by its loop, without another use, is issued and
    waited for with `pendings = P - 1`: up to P groups are in flight. Several such dots of one loop are issued together,
    and waited for together with `pendings = (P - 1) * dots`. The slots of its operands are released P - 1 iterations
    later, when that wait has retired their reader; slots still borrowed at the end of the loop are released after it,
    whatever the trip count was. Every other dot is waited for before the first use of its result, in its own block; its
    slots are released after that wait.

    Dots that wgmma does not take stay `tt.dot` (compiler/analysis/DotKind.h has the rules): mma.sync or plain
    multiplication computes them, synchronously. So do dots of 8-bit floats whose `maxNumImpreciseAcc` requires
    promotion to f32 sums every few products: wgmma computes them piece by piece.

    Needs: `tawa.warp_group` regions. Holds after: every remaining `tt.dot` is synchronous.

    Example (tests/lit/roles/pipeline-dots.mlir):
    ```mlir
    %t = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %x = tt.dot %t, %t, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>]>
    // becomes
    %begin = tawa.dot_begin
    %loop:2 = scf.for .. iter_args(%acc = %begin, %n = %c0_i32)
    %t = tawa.get ..[%n]
    %i = tawa.dot_issue %t, %t, %acc
    tawa.dot_wait %i pendings(0) : .. -> !tawa.inflight
    tawa.consumed ..[%n] :
    }
    tawa.dot_wait %loop#0 pendings(0) : .. -> tensor<64x64xf32>
    ```
  }];
  let options = [
    Option<"mmaDepth", "mma-depth", "int", "1", "wgmma groups in flight, the one just issued included (the paper's P)">,
  ];
  let statistics = [
    Statistic<"pipelined", "num-pipelined", "dots kept in flight across iterations">,
    Statistic<"awaited", "num-awaited", "dots waited for inside of their block, before their first use">,
    Statistic<"promoted", "num-promoted", "dots whose wgmma sums are promoted piece by piece">,
    Statistic<"elsewhere", "num-elsewhere", "dots that wgmma does not take">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def OverlapStores : Pass<"tawa-overlap-stores", "::mlir::ModuleOp"> {
  let summary = "Overlap the TMA store of a tile with the next tile's first dots";
  let description = [{
    In a loop over tiles whose iteration sums dots in a loop and then stores the tile by TMA, the store is carried to
    the next iteration, in subtiles of a staging buffer's size. Each subtile is stored between issuing one of the
    iteration's first dots and waiting for it; after the last iteration the store follows the loop. The tensor cores
    then wait only for the conversion of the accumulator, not for its way through shared memory.

    Does not apply where consumer groups alternate (ping-pong), or where accumulator and stored tile together need more registers
    than a thread has.

    Needs: dots as tawa-pipeline-dots leaves them; TMA executes descriptor stores. Holds after: the same.

    Example (tests/lit/roles/overlap-stores.mlir):
    ```mlir
    %end = scf.for %tile = %c0 to %tiles step %c1 iter_args(%first = %c0) -> (i32) : i32 {
    %x = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
    %v = arith.truncf %r#0 : tensor<64x128xf32> to tensor<64x128xf16>
    tt.descriptor_store %d[%place, %c0], %v : !tt.tensordesc<tensor<64x128xf16>>, tensor<64x128xf16>
    // becomes
    %issued = tawa.dot_issue %.. adding if %false
    tt.descriptor_store %d[%place, %c0_i32], %late {tawa.subtile = #tawa.subtile<0 of 2>}
    %done = tawa.dot_wait %issued pendings(0)
    %other = tawa.dot_issue
    tt.descriptor_store %d[%at, %c0_i32], %late {tawa.subtile = #tawa.subtile<1 of 2>}
    tawa.dot_wait %other pendings(0)
    %narrow = arith.truncf %sum#0
    ```
  }];
  let statistics = [
    Statistic<"overlapped", "num-overlapped", "loops whose stores run beside the next tile's first dot">,
    Statistic<"kept", "num-kept", "loops of a role whose stores stay where they are, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def HandOutTiles : Pass<"tawa-hand-out-tiles", "::mlir::ModuleOp"> {
  let summary = "Let resident CTAs take the next tile when they are done with one (dynamic tile scheduler)";
  let description = [{
    The loop over tiles of every role ends where a number is no tile's, instead of counting in steps of the number of CTAs.
    The producer takes the next number (`tawa.next_tile`) when it has loaded a tile, and hands it to the other roles, to each
    through a ring of numbers of its own. CTAs with short tiles so execute more of them.

    Needs: roles as tawa-distribute-roles leaves them, with a loop over the programs of the grid along x
    (tawa-make-persistent). A kernel is left unchanged, with the reason on the module (`tawa.not_applied`,
    compiler/analysis/RejectReason.h), where it is one role, where consumer groups alternate (ping-pong), where CTAs are clusters or share sums
    (tawa-stream-reduction), or where loads of the next tile are begun beside this one (tawa-pipeline-loads). Holds after: the
    roles' loops over tiles are `scf.while`, and all have the same numbers.

    Example (tests/lit/roles/hand-out-tiles.mlir):
    ```mlir
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
    %end = scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
    // becomes
    %numbers = tawa.create_aref : <2, [i32]>
    scf.while (%tile = %cta, %puts = %c0, %n = %..) : (i32, i32, i32) -> (i32, i32, i32)
    %istile = arith.cmpi slt, %tile, %tiles : i32
    scf.condition(%istile) %tile, %puts, %n
    %next = tawa.next_tile from %ctas of %tiles : i32
    tawa.put %numbers[%m], %next : <2, [i32]>, i32
    scf.yield %next, %after, %more
    %next = tawa.get %numbers[%m] : <2, [i32]> -> i32
    tawa.consumed %numbers[%m]
    scf.yield %next
    ```
  }];
  let options = [
    Option<"dynamic", "dynamic", "bool", "true", "hand out the tiles">,
  ];
  let statistics = [
    Statistic<"handedOut", "num-handed-out", "kernels whose CTAs take tiles one by one">,
    Statistic<"kept", "num-kept", "kernels whose CTAs have shares of the tiles, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TAWA_ROLES_PASSES_TD
