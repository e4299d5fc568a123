// The passes that split a kernel into roles and pipeline them. Listed in the order in which
// compiler/pipeline runs them. Each has a file of its name and a lit test.
#ifndef TAWA_ROLES_PASSES_TD
#define TAWA_ROLES_PASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleLongestFirst : Pass<"tawa-schedule-longest-first", "::mlir::ModuleOp"> {
  let summary = "Let programs with long loops begin before those with short ones";
  let description = [{
    Where the trip counts of the kernel's loops are a function of its id along one axis of the grid, that axis becomes the one that
    changes last, from the end where they are larger to the other one, inside of sections: as many programs along the other axes as L2
    holds the tiles of, or `raster`. So the longest programs of a section begin first and the shortest fill the gaps at its end, as
    in attention under a causal mask. At which end trip counts are larger is computed at run time. Functions that were
    put in order, and the number from which places are taken, have `tawa.tile_number` (compiler/analysis/ProgramGrid.h).

    With `resident`, tiles are not handed out to who is free, but to each of so many CTAs in its turn. A section is then
    one round of them, and every other section begins with the shortest, so that all CTAs have the same to do.

    Needs: bound parameters (tawa-specialize-arguments), before tawa-make-persistent. A kernel stays as it is where trip counts depend on
    several axes or on memory, and where its programs can observe the order in which they run.

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
    Option<"raster", "raster", "int", "0", "programs of a section along the other axes; 0: by what L2 holds, or by `resident`">,
    Option<"resident", "resident", "bool", "false", "tawa-make-persistent is to make a loop over the tiles">,
  ];
  let statistics = [
    Statistic<"ordered", "num-ordered", "kernels whose programs were put in order">,
    Statistic<"kept", "num-kept", "kernels whose programs stay in the order of the text, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect"];
}

def MakePersistent : Pass<"tawa-make-persistent", "::mlir::ModuleOp"> {
  let summary = "Let resident CTAs walk the grid (paper IV.B)";
  let description = [{
    The body becomes a loop over the programs of the grid, from this CTA's number in steps of how many CTAs there are. The
    extents of the axes that the kernel asks about become parameters (`tawa.argument`, part "grid"), which the launch fills with the grid
    that was asked for; `tt.get_program_id` and `tt.get_num_programs` become arithmetic on them. What is the same for every
    tile is computed before the loop.

    The loop gets `tawa.tile_loop` (compiler/analysis/TileLoop.h). So does a loop of the text that runs from the program's
    number in steps of the grid; nothing else is done to such a kernel.

    With `turns`, the loop also gets `tawa.turns`: so many consumer groups are to take turns at its tiles (ping-pong).

    A function whose programs are equally long products gets `tawa.equal_tiles` (compiler/analysis/UniformTileWork.h), persistent or
    not: a launch then starts no CTA that would have one tile less than others.

    Needs: bound parameters (tawa-specialize-arguments). A kernel stays as it is, and the module says why
    (`tawa.not_applied`), where its programs can observe the order in which they run. Likewise for turns, where a tile needs
    what an earlier one computed.

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
    Option<"turns", "turns", "int", "0", "consumer groups that take turns at the tiles; 0: all share each tile">,
  ];
  let statistics = [
    Statistic<"loops", "num-loops", "loops over the grid that were made">,
    Statistic<"marked", "num-marked", "loops over tiles that the text has itself">,
    Statistic<"turned", "num-turned", "loops at whose tiles consumer groups take turns">,
    Statistic<"equal", "num-equal", "kernels whose programs are equally long products">,
    Statistic<"kept", "num-kept", "settings that a kernel does not follow, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def RasterTiles : Pass<"tawa-raster-tiles", "::mlir::ModuleOp"> {
  let summary = "Walk the tiles in groups of rows or columns, for their reuse in L2";
  let description = [{
    Finds the row and the column that the kernel takes out of its tile number (the program's, or the counter of the tile loop), and
    computes them in another order: groups of `raster` rows (negative: columns), inside of which the other coordinate runs slower.
    Two ways of taking a number apart are known, each a bijection between numbers below rows * columns and pairs: quotient
    and remainder by one extent, and groups of rows or columns of which the last may be smaller. Which coordinate is the row is seen from
    the tiles it indexes.

    Needs: bound parameters. Where the number is used in any other way the kernel stays as it is and the module says so (`tawa.not_applied`).

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

def RaiseLoads : Pass<"tawa-raise-loads", "::mlir::ModuleOp"> {
  let summary = "Load blocks of matrices behind pointers through descriptors, so that TMA can";
  let description = [{
    A load through a tensor of pointers that a producer role could copy (compiler/analysis/PointerTiles.h) becomes
    `tt.make_tensor_descriptor` at the top of the function and `tt.descriptor_load`, if its address is a parameter plus
    (start + index) * stride for each of its two dimensions, one stride is 1 and the other a parameter or constant that is a
    multiple of 16 bytes, and its mask only compares indices with the tensor's bounds. RaiseBlocks.h says what
    holds of negative and overflowing indices. A remark says why a load stays.

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
    Option<"consumerGroups", "consumer-groups", "int", "2", "as of tawa-partition-roles">,
  ];
  let statistics = [
    Statistic<"raised", "num-raised", "loads through pointers that became descriptor loads">,
    Statistic<"kept", "num-kept", "loads through pointers that stay, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RaiseStores : Pass<"tawa-raise-stores", "::mlir::ModuleOp"> {
  let summary = "Store blocks of matrices behind pointers through descriptors, so that TMA can";
  let description = [{
    A store of a wgmma accumulator through a tensor of pointers becomes `tt.make_tensor_descriptor` and
    `tt.descriptor_store` on the conditions that tawa-raise-loads has for loads, if TMA can do it then
    (compiler/analysis/TileStores.h). Kernels without a tile load that could travel between roles are left alone. A remark says
    why a store stays.

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
    Option<"consumerGroups", "consumer-groups", "int", "2", "as of tawa-partition-roles">,
  ];
  let statistics = [
    Statistic<"raised", "num-raised", "stores through pointers that became descriptor stores">,
    Statistic<"kept", "num-kept", "stores through pointers that stay, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitReduction : Pass<"tawa-split-reduction", "::mlir::ModuleOp"> {
  let summary = "Let several CTAs share the iterations of a program's sum (split-K of a matrix product)";
  let description = [{
    A loop whose carried values are sums that start from zero (of dots, or of arith.addf and addi), counters and pointers that move
    by a fixed step, or never change, is shared out over `split` CTAs: rank r runs iterations r, r + split, ... Behind it
    `tawa.cluster_sum` adds up the parts, and what follows is done by the first CTA alone.

    Needs: the loop stands directly in the function; nothing up to its end has an effect, and nothing but sums is used of its
    results. Otherwise the kernel stays as it is and the module says why (`tawa.not_applied`, compiler/analysis/RejectReason.h).
    Holds after: the function has `tawa.split`; a launch starts so many CTAs for each program, neighbours along x.

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

def PartitionRoles : Pass<"tawa-partition-roles", "::mlir::ModuleOp"> {
  let summary = "Say for every operation which roles run it (task-aware partition)";
  let description = [{
    Paper, section III.C.1. Walks backwards from the effects: what a tile load's address needs, and the loop around it, is an
    iteration statement of the producer; what a store needs is a tile statement of the consumer, up to the tile loads, where the
    cut runs. Operations without effects may belong to both. Writes `tawa.roles` on operations (0 producer, 1 consumer),
    `tawa.carried` on loops and conditions (the roles of each carried value or result) and `tawa.channel` on tile loads
    (TileLoads.h says which can travel): loads that feed the same dots
    share a channel, and so do such loads in loops that follow each other. A load through pointers whose tile only feeds dots is a tile load too, where the producer's threads can copy
    it (compiler/analysis/PointerTiles.h); it gets `tawa.copy` with the dimension and the elements of a copy.
    On the function, `tawa.rings` says what a slot of each ring costs and how many are good for something, and with D=0
    `tawa.ring_depth` how many there will be (runtime/artifact/RingSlots.h).

    Needs: one function with structured control flow. Where a kernel cannot be split or is not worth it, nothing is annotated
    but the module, which gets `tawa.declined = "reason"` (compiler/analysis/RejectReason.h).

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
    Option<"consumerGroups", "consumer-groups", "int", "2", "warp groups of the consumer role, which decide what wgmma takes">,
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
    Paper, section III.C.2. Every role becomes a `tawa.warp_group` with a clone of the operations that carry it; every channel
    becomes an aref of depth D, or 1 where it is put into once. The producer puts where it loaded, the consumer gets in the same place of its own loop and gives
    the slot back after the last use. Puts and gets are numbered by counters that start at 0 with the kernel and are carried
    through every loop and condition, as the barriers are.

    wgmma reads elements of 8 and 32 bits with K innermost only. Tiles that were loaded otherwise (TransposedLoads.h) go through a
    third role, the transposer: it gets them from the producer's ring and puts them into another one, in whose slots
    tawa-assign-layouts lets them lie as the dots want them. Where that would leave the consumers too few registers for their sums, they turn
    such tiles themselves.

    Needs: the annotations of tawa-partition-roles; does nothing to a kernel that was declined. Holds after: no annotation left; roles share only arefs and parameters.

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
  let summary = "Make a kernel that is not split one role";
  let description = [{
    Where the module has `tawa.declined`, the whole body becomes `tawa.warp_group main`.

    `warps = 0` lets the pass choose. A kernel with a dot has 4, 8 from tiles of 16384 elements on, 16 from 65536. Others have
    as many, 8 at most, as leave each thread 8 bytes of the largest tile that is loaded or stored, or 16 where threads meet to
    reduce; and twice as many where the tiles that are live at once (compiler/analysis/LiveTiles.h) would take more than what 64
    registers hold beside 16 for scalars.

    `registers` says how many a thread may have so that CTAs with 64 KiB of loads under way share an SM. It is 0, the assembler's
    choice, where that takes more than 1024 threads, where the tiles do not fit, and in kernels with a dot.

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
  let summary = "Access through pointers and masks what TMA does not move";
  let description = [{
    Loads, stores, reductions, gathers and scatters through tensor descriptors become `tt.load`, `tt.store` and
    `tt.atomic_rmw` on tensors of pointers, with masks for both bounds of every dimension and the descriptor's padding; a
    reduction that memory has no atomic operation for becomes a loop around `tt.atomic_cas` (AtomicLoop.h). A
    descriptor that the kernel makes is decomposed into base, shape, strides and padding, through loops and conditions; for
    one that is a parameter the pass adds parameters (`tawa.argument`, parts "pointer", and "shape" and "stride" where
    the text does not print them).

    In a kernel that is split into roles two things stay: tiles that are put into an aref, and stores of a wgmma
    accumulator that TMA can do (compiler/analysis/TileStores.h).

    Needs: roles. Holds after: every descriptor operation left is done by TMA.

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

def HoistDescriptors : Pass<"tawa-hoist-descriptors", "::mlir::ModuleOp"> {
  let summary = "Let the launch make the tensor maps of descriptors that the kernel makes";
  let description = [{
    A `tt.make_tensor_descriptor` of parameters and constants becomes a parameter with `tawa.argument` (the logical argument
    its base belongs to) and `tawa.descriptor`: offset, shape and strides as expressions over the arguments
    (compiler/analysis/LaunchExpression.h), which a launch evaluates.

    Needs: tawa-expand-descriptors. Holds after: every descriptor is a parameter or a `tawa.make_descriptor` of its role, and used by TMA.

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
  let summary = "Load a tile that the CTAs of a cluster have in common once, by multicast";
  let description = [{
    CTAs of a cluster have consecutive program ids along x. For every descriptor load that is put into a ring, the part of its
    coordinates that depends on the program is remade for the neighbours (the program id and the induction variable of a loop over
    tiles substituted), and compared before the loops around the put: `tawa.put .. multicast(..)` gets the answer. A load that does not depend on
    the program is shared always, one whose coordinates grow with it by a constant, or cannot be remade, never.

    A ring is shared where all CTAs of a cluster put into it equally often: loops and conditions around the puts do not depend on the
    program, or a loop walks tiles from the program's id in steps of the number of programs, over a number of them that the cluster
    divides. What only a launch can check of this becomes `tawa.cluster_divides` on the function (launch expressions). Where no
    ring is shared, the kernel runs without a cluster and the module says why (`tawa.not_applied`, compiler/analysis/RejectReason.h).

    Needs: roles; descriptors as parameters (tawa-hoist-descriptors). Holds after: the function has `tawa.cluster` if any put is shared.

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
    Option<"cluster", "cluster", "int", "1", "CTAs of a cluster: 1, 2 or 4">,
  ];
  let statistics = [
    Statistic<"same", "num-same", "tiles that are always shared">,
    Statistic<"compared", "num-compared", "tiles whose coordinates are compared at run time">,
    Statistic<"own", "num-own", "tiles of shared rings that every CTA loads for itself">,
    Statistic<"kept", "num-kept", "kernels that run without a cluster, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect"];
}

def PipelineStages : Pass<"tawa-pipeline-stages", "::mlir::ModuleOp"> {
  let summary = "Let products run under the arithmetic of the next iteration (coarse-grained pipeline)";
  let description = [{
    Paper, section III.D.2 and algorithm 1. In a loop with products (T), arithmetic on their sums (C) and products of its results
    (U), found from uses and definitions (StagePlan.h), T of an iteration and U of the one before are issued together, and C
    runs while they do: a prologue, the steady state and a drain, in a branch that a loop without iterations does not take. Slots that
    only U reads are got with it and given back behind it.

    A product that follows such a loop and needs no sum of it, a peeled last iteration's for one, is issued before the drain's, and what
    follows from it runs while they do (OverlapLoopDrain.h).

    What a second product reads from registers is converted, and its accumulator scaled, behind the wait for the one before. A loop
    stays as it is, and the module says why (`tawa.not_applied`, `coarse`), where no product follows from another, one follows
    from two others in turn, a first one needs the sum of a second, both stages read one slot, effects would change their order, or
    the registers do not suffice.

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
    Statistic<"continued", "num-continued", "of these, ones whose last products run under what follows the loop">,
    Statistic<"declined", "num-declined", "loops with several products whose iterations do not">,
    Statistic<"kept", "num-kept", "loops of one product at most">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PipelineDots : Pass<"tawa-pipeline-dots", "::mlir::ModuleOp"> {
  let summary = "Make dots asynchronous, P in flight, and release slots when their readers are done";
  let description = [{
    Paper, section III.D.1. A dot that accumulates into a value carried by its loop, and nothing else reads, is issued and waited
    for with `pendings = P - 1`: up to P groups are in flight. Several such dots of one loop are issued one after the other, and
    waited for together with `pendings = (P - 1) * dots`. The slots its operands came from are released P - 1
    iterations later, when that wait has retired their reader; what is still borrowed when the loop ends is released after it,
    whatever the trip count was. Every other dot is waited for before its result is first used, in the block where it stands;
    its slots are released behind that wait.

    Dots that wgmma does not take stay `tt.dot` (compiler/analysis/DotKind.h has the rules): mma.sync or plain multiplication
    computes them, synchronously. So do dots of 8-bit floats whose `maxNumImpreciseAcc` asks for sums in f32 every so many
    products: wgmma computes them piece by piece.

    Needs: `tawa.warp_group` regions. Holds after: every `tt.dot` left finishes where it stands.

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
    Statistic<"promoted", "num-promoted", "dots whose sums wgmma hands over piece by piece">,
    Statistic<"elsewhere", "num-elsewhere", "dots that wgmma does not take">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def OverlapStores : Pass<"tawa-overlap-stores", "::mlir::ModuleOp"> {
  let summary = "Store a tile by TMA while the next tile's first product is being computed";
  let description = [{
    In a loop over tiles whose iteration sums dots in a loop and then stores the tile by TMA, the store is carried to the next
    iteration, in pieces of a staging buffer's size, and each piece stands between issuing one of its first dots and waiting
    for it; after the last iteration the store follows the loop. The tensor cores then wait only for the conversion of the
    accumulator, not for its way through shared memory.

    Not where consumer groups take turns, and not where accumulator and stored tile together need more registers than a
    thread has.

    Needs: dots as tawa-pipeline-dots leaves them; descriptor stores are done by TMA. Holds after: the same.

    Example (tests/lit/roles/overlap-stores.mlir):
    ```mlir
    %end = scf.for %tile = %c0 to %tiles step %c1 iter_args(%first = %c0) -> (i32) : i32 {
    %x = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
    %v = arith.truncf %r#0 : tensor<64x128xf32> to tensor<64x128xf16>
    tt.descriptor_store %d[%place, %c0], %v : !tt.tensordesc<tensor<64x128xf16>>, tensor<64x128xf16>
    // becomes
    %issued = tawa.dot_issue %.. adding if %false
    tt.descriptor_store %d[%place, %c0_i32], %late {tawa.piece = #tawa.piece<0 of 2>}
    %done = tawa.dot_wait %issued pendings(0)
    %other = tawa.dot_issue
    tt.descriptor_store %d[%at, %c0_i32], %late {tawa.piece = #tawa.piece<1 of 2>}
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

#endif // TAWA_ROLES_PASSES_TD
