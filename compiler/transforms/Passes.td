// The passes of phases 2 to 7, in the order in which compiler/pipeline runs them. Each has a file of its name and a lit test.
#ifndef TAWA_PASSES_TD
#define TAWA_PASSES_TD

include "mlir/Pass/PassBase.td"

def StructureControlFlow : Pass<"tawa-structure-control-flow", "::mlir::ModuleOp"> {
  let summary = "Turn branches between blocks into loops and conditions";
  let description = [{
    Functions and regions of several blocks (`cf.br`, `cf.cond_br`, early returns) become one block with `scf.if` and
    `scf.while`. `scf.index_switch` becomes conditions, `ub.poison` a zero; `llvm.intr.assume` is dropped.

    Needs: nothing. Holds after: every region has one block; control flow is scf.for, scf.while and scf.if.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::ub::UBDialect"];
}

def InlineCalls : Pass<"tawa-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Put the functions that the kernel calls into it";
  let description = [{
    Whether or not they say `noinline`. A function that calls itself, directly or through others, is an error; so is one that
    would become too large (analysis/OperationLimit.h), which is known before anything is inlined.

    Needs: functions of one block (tawa-structure-control-flow). Holds after: the module holds one function and no call.
  }];
}

def ExpandBlockPointers : Pass<"tawa-expand-block-pointers", "::mlir::ModuleOp"> {
  let summary = "Load and store through tensors of pointers what the text does through block pointers";
  let description = [{
    `tt.make_tensor_ptr` and `tt.advance` are decomposed into base, shape, strides and offsets, through loops and conditions.
    A load or store gets the addresses of its block, a mask for both bounds of the dimensions in `boundaryCheck`, and the
    padding as its `other`.

    Needs: one function with structured control flow. Holds after: no block pointers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandComposites : Pass<"tawa-expand-composites", "::mlir::ModuleOp"> {
  let summary = "Write operations that others define as those";
  let description = [{
    - `tt.cat`: join, trans and reshape, so that the elements keep their order.
    - `tt.dot` on f32 with `inputPrecision` tf32x3, bf16x3 or bf16x6: the operands are split into parts that the unit's type
      holds exactly, and the products of the parts that matter are added, the smallest first.
    - `tt.dot_scaled`: e2m1 values are unpacked, scales (e8m0, or f8E4M3FN) become bf16 numbers that are repeated along K,
      and a `tt.dot` multiplies the scaled operands in bf16, which holds them exactly (f16 operands: in f16 without scales, as
      tf32 with them).

    Needs: nothing. Holds after: none of these is left.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SpecializeArguments : Pass<"tawa-specialize-arguments", "::mlir::ModuleOp"> {
  let summary = "Bind parameters to logical arguments and fold the constant ones";
  let description = [{
    A caller passes tensors and scalars; the printed parameter list is longer: a descriptor is followed by its shape and
    strides. This pass writes `tawa.argument` on every parameter (which logical argument, which part of it) and replaces
    parameters that carry `tawa.constant` by that constant.

    Needs: one public `tt.func`. Holds after: every parameter has `tawa.argument`; constant parameters have no uses.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LongestFirst : Pass<"tawa-longest-first", "::mlir::ModuleOp"> {
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
  }];
  let options = [
    Option<"raster", "raster", "int", "0", "programs of a section along the other axes; 0: by what L2 holds, or by `resident`">,
    Option<"resident", "resident", "bool", "false", "tawa-make-persistent is to make a loop over the tiles">,
  ];
  let statistics = [Statistic<"ordered", "num-ordered", "kernels whose programs were put in order">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
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

    A function whose programs are equally long products gets `tawa.equal_tiles` (compiler/analysis/EqualTiles.h), persistent or
    not: a launch then starts no CTA that would have one tile less than others.

    Needs: bound parameters (tawa-specialize-arguments). A kernel stays as it is, and the module says why
    (`tawa.not_applied`), where its programs can observe the order in which they run. Likewise for turns, where a tile needs
    what an earlier one computed.
  }];
  let options = [
    Option<"persistent", "persistent", "bool", "true", "make the loop where the text has none; else only marks what is there">,
    Option<"turns", "turns", "int", "0", "consumer groups that take turns at the tiles; 0: all share each tile">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
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
  }];
  let options = [
    Option<"raster", "raster", "int", "0", "tile rows of a group; negative: tile columns; 0: as the text says">,
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

    ```mlir
    %x = tt.load %pointers, %mask, %zeros : tensor<128x64x!tt.ptr<f16>>
    // becomes, with %d made once from the parameters
    %x = tt.descriptor_load %d[%row, %column] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    ```
  }];
  let options = [
    Option<"consumerGroups", "consumer-groups", "int", "2", "as of tawa-partition-roles">,
  ];
  let statistics = [Statistic<"raised", "num-raised", "loads through pointers that became descriptor loads">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FoldUnitDims : Pass<"tawa-fold-unit-dims", "::mlir::ModuleOp"> {
  let summary = "Give tiles that go through a descriptor the rank they need";
  let description = [{
    A block of a batched tensor has leading dimensions of size 1. `tt.descriptor_load` may give, and `tt.descriptor_store`
    take, the tile without them (two dimensions stay); `tt.reshape` and `tt.expand_dims` that drop or add them disappear.

    Needs: nothing. Holds after: tiles of descriptor loads and stores that have more than two dimensions need them.

    ```mlir
    %b = tt.descriptor_load %d[%z, %i, %k] : !tt.tensordesc<tensor<1x128x64xf16>> -> tensor<1x128x64xf16>
    %x = tt.reshape %b : tensor<1x128x64xf16> -> tensor<128x64xf16>
    // becomes
    %x = tt.descriptor_load %d[%z, %i, %k] : !tt.tensordesc<tensor<1x128x64xf16>> -> tensor<128x64xf16>
    ```
  }];
}

def RaiseStores : Pass<"tawa-raise-stores", "::mlir::ModuleOp"> {
  let summary = "Store blocks of matrices behind pointers through descriptors, so that TMA can";
  let description = [{
    A store of a wgmma accumulator through a tensor of pointers becomes `tt.make_tensor_descriptor` and
    `tt.descriptor_store` on the conditions that tawa-raise-loads has for loads, if TMA can do it then
    (compiler/analysis/TileStores.h). Kernels without a tile load that could travel between roles are left alone. A remark says
    why a store stays.

    Needs: `tawa.argument` on the parameters. Holds after: descriptors it made are known at launch.

    ```mlir
    tt.store %pointers, %tile, %mask : tensor<128x256x!tt.ptr<f16>>
    // becomes, with %d made once from the parameters
    tt.descriptor_store %d[%row, %column], %tile : !tt.tensordesc<tensor<128x256xf16>>, tensor<128x256xf16>
    ```
  }];
  let options = [
    Option<"consumerGroups", "consumer-groups", "int", "2", "as of tawa-partition-roles">,
  ];
  let statistics = [Statistic<"raised", "num-raised", "stores through pointers that became descriptor stores">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitLoop : Pass<"tawa-split-loop", "::mlir::ModuleOp"> {
  let summary = "Let several CTAs share the iterations of a program's sum (split-K of a matrix product)";
  let description = [{
    A loop whose carried values are sums that start from zero (of dots, or of arith.addf and addi), counters and pointers that move
    by a fixed step, or never change, is shared out over `split` CTAs: rank r runs iterations r, r + split, ... Behind it
    `tawa.cluster_sum` adds up the parts, and what follows is done by the first CTA alone.

    Needs: the loop stands directly in the function; nothing up to its end has an effect, and nothing but sums is used of its
    results. Otherwise the kernel stays as it is and the module says why (`tawa.not_applied`, compiler/analysis/Decline.h).
    Holds after: the function has `tawa.split`; a launch starts so many CTAs for each program, neighbours along x.

    ```mlir
    %part = scf.for %k = %first to %n step %c4 iter_args(%acc = %zeros) ...   // first = lower bound + rank
    %sum = tawa.cluster_sum %part : tensor<64x16xf32>
    scf.if %isFirst { tt.store %p, %sum }
    ```
  }];
  let options = [
    Option<"split", "split", "int", "1", "CTAs that share a program's loop">,
  ];
  let statistics = [Statistic<"sums", "num-sums", "sums whose terms CTAs share">];
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
    but the module, which gets `tawa.declined = "reason"` (compiler/analysis/Decline.h).

    ```mlir
    %a = tt.descriptor_load %d[%i, %k] : ...          // {tawa.roles = array<i32: 0>, tawa.channel = 0}
    %c = tt.dot %a, %b, %acc : ...                    // {tawa.roles = array<i32: 1>}
    %i = arith.muli %pid, %c128 : i32                 // {tawa.roles = array<i32: 0, 1>}
    ```
  }];
  let options = [
    Option<"consumerGroups", "consumer-groups", "int", "2", "warp groups of the consumer role, which decide what wgmma takes">,
    Option<"ringDepth", "ring-depth", "int", "4", "slots of every aref; 0: as many as seem to fit shared memory, at most 4">,
    Option<"mmaDepth", "mma-depth", "int", "1", "dots in flight, and so the least number of slots">,
    Option<"epilogueStages", "epilogue-stages", "int", "2", "panels through which a warp stages a tile store">,
  ];
}

def DistributeRoles : Pass<"tawa-distribute-roles", "::mlir::ModuleOp"> {
  let summary = "Give each role its own copy of the code and join them by arefs (loop distribution)";
  let description = [{
    Paper, section III.C.2. Every role becomes a `tawa.warp_group` with a clone of the operations that carry it; every channel
    becomes an aref of depth D, or 1 where it is put into once. The producer puts where it loaded, the consumer gets in the same place of its own loop and gives
    the slot back after the last use. Puts and gets are numbered by counters that start at 0 with the kernel and are carried
    through every loop and condition, as the barriers are.

    wgmma reads elements of 8 and 32 bits with K innermost only. Tiles that were loaded otherwise (TurnedLoads.h) go through a
    third role, the turner: it gets them from the producer's ring and puts them into another one, in whose slots
    tawa-assign-layouts lets them lie as the dots want them. Where that would leave the consumers too few registers for their sums, they turn
    such tiles themselves.

    Needs: the annotations of tawa-partition-roles; does nothing to a kernel that was declined. Holds after: no annotation left; roles share only arefs and parameters.
  }];
  let options = [
    Option<"ringDepth", "ring-depth", "int", "4", "slots of every aref (the paper's D) where tawa-partition-roles planned none">,
    Option<"consumerGroups", "consumer-groups", "int", "2", "warp groups of the consumer role (cooperative, paper IV.A)">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def WrapOneRole : Pass<"tawa-wrap-one-role", "::mlir::ModuleOp"> {
  let summary = "Make a kernel that is not split one role";
  let description = [{
    Where the module has `tawa.declined`, the whole body becomes `tawa.warp_group "main"`.

    `warps = 0` lets the pass choose. A kernel with a dot has 4, 8 from tiles of 16384 elements on, 16 from 65536. Others have
    as many, 8 at most, as leave each thread 8 bytes of the largest tile that is loaded or stored, or 16 where threads meet to
    reduce; and twice as many where the tiles that are live at once (compiler/analysis/LiveTiles.h) would take more than what 64
    registers hold beside 16 for scalars.

    `registers` says how many a thread may have so that CTAs with 64 KiB of loads under way share an SM. It is 0, the assembler's
    choice, where that takes more than 1024 threads, where the tiles do not fit, and in kernels with a dot.

    Needs: nothing. Holds after: a declined kernel is one role and a `tt.return`.
  }];
  let options = [
    Option<"warps", "warps", "int", "0", "warps of the role: 1, 2, 4, 8 or 16; 0: the pass chooses">,
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
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def HoistDescriptors : Pass<"tawa-hoist-descriptors", "::mlir::ModuleOp"> {
  let summary = "Let the launch make the tensor maps of descriptors that the kernel makes";
  let description = [{
    A `tt.make_tensor_descriptor` of parameters and constants becomes a parameter with `tawa.argument` (the logical argument
    its base belongs to) and `tawa.descriptor`: offset, shape and strides as expressions over the arguments
    (compiler/analysis/LaunchExpression.h), which a launch evaluates.

    Needs: tawa-expand-descriptors. Holds after: every descriptor is a parameter or a `tawa.make_descriptor` of its role, and used by TMA.
  }];
}

def ShareTiles : Pass<"tawa-share-tiles", "::mlir::ModuleOp"> {
  let summary = "Load a tile that the CTAs of a cluster have in common once, by multicast";
  let description = [{
    CTAs of a cluster have consecutive program ids along x. For every descriptor load that is put into a ring, the part of its
    coordinates that depends on the program is remade for the neighbours (the program id and the induction variable of a loop over
    tiles substituted), and compared before the loops around the put: `tawa.put .. shared(..)` gets the answer. A load that does not depend on
    the program is shared always, one whose coordinates grow with it by a constant, or cannot be remade, never.

    A ring is shared where all CTAs of a cluster put into it equally often: loops and conditions around the puts do not depend on the
    program, or a loop walks tiles from the program's id in steps of the number of programs, over a number of them that the cluster
    divides. What only a launch can check of this becomes `tawa.cluster_divides` on the function (launch expressions). Where no
    ring is shared, the kernel runs without a cluster and the module says why (`tawa.not_applied`, compiler/analysis/Decline.h).

    Needs: roles; descriptors as parameters (tawa-hoist-descriptors). Holds after: the function has `tawa.cluster` if any put is shared.

    ```mlir
    %other = arith.divsi %neighbour, %rows : i32
    %same = arith.cmpi eq, %column, %other : i32
    scf.for %k = ... {
      tawa.put %ring[%n], %a, %b shared(%false, %same) : ...
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "int", "1", "CTAs of a cluster: 1, 2 or 4">,
  ];
  let statistics = [
    Statistic<"same", "num-same", "tiles that are always shared">,
    Statistic<"compared", "num-compared", "tiles whose coordinates are compared at run time">,
    Statistic<"own", "num-own", "tiles of shared rings that every CTA loads for itself">,
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
    follows from it runs while they do (StageTail.h).

    What a second product reads from registers is converted, and its accumulator scaled, behind the wait for the one before. A loop
    stays as it is, and the module says why (`tawa.not_applied`, `coarse`), where no product follows from another, one follows
    from two others in turn, a first one needs the sum of a second, both stages read one slot, effects would change their order, or
    the registers do not suffice.

    Needs: `tawa.warp_group` regions, before tawa-pipeline-dots. Holds after: dots of those loops are asynchronous.
  }];
  let statistics = [
    Statistic<"rotated", "num-rotated", "loops whose iterations overlap">,
    Statistic<"continued", "num-continued", "of these, ones whose last products run under what follows the loop">,
    Statistic<"declined", "num-declined", "loops with several products whose iterations do not">,
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
  }];
  let statistics = [Statistic<"overlapped", "num-overlapped", "loops whose stores run beside the next tile's first dot">];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def AssignLayouts : Pass<"tawa-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Say for every tensor which registers or which bytes of shared memory hold it";
  let description = [{
    Tiles that arrive through an aref lie in shared memory, swizzled as TMA writes and wgmma reads them; accumulators lie as
    the tensor cores leave them; global accesses want neighbours in memory in one thread (compiler/analysis/AxisInfo.h). Layouts
    for the rest are chosen by a cost: sectors and instructions of accesses, words through shared memory, shuffles. Indices,
    masks and addresses are remade in the layout of each user; views hand demands on to the smallest tensor; what is left to
    move gets `tawa.convert_layout`, `tawa.to_shared` or `tawa.from_shared`. Encodings are `#tawa.linear` (compiler/layout).

    Writes `tawa.vector` on tt.load and tt.store: aligned groups of so many register indices are consecutive and aligned in
    memory and have one mask value. Writes `tawa.divisible` on integer parameters whose hints this relies on; a launch checks
    them.

    Needs: roles; dots as tawa-pipeline-dots leaves them. Holds after: every tensor inside a role has an encoding, as
    compiler/dialect/Tawa/README.md lists it by operation.

    ```mlir
    %v = tt.load %p : tensor<1024x!tt.ptr<f32>>   // {tawa.vector = 4 : i32}, 4 neighbours in a thread
    ```
  }];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def HoldOperands : Pass<"tawa-hold-operands", "::mlir::ModuleOp"> {
  let summary = "Read a tile that every iteration multiplies from shared memory once";
  let description = [{
    A tile that is got before a loop, and is A of dots inside and nothing else, is read to registers where it is got, and its slot
    given back there, if the registers suffice beside what the loop carries and the sums it begins.

    Needs: layouts. Holds after: layouts.

    ```mlir
    %q = tawa.get %ring[%n]
    %a = tawa.from_shared %q
    tawa.consumed %ring[%n]
    ```
  }];
  let statistics = [Statistic<"operands", "num-operands", "tiles that are held in registers">];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def ReadLate : Pass<"tawa-read-late", "::mlir::ModuleOp"> {
  let summary = "Read from a slot behind products what has no room beside them";
  let description = [{
    A tile that is read from a slot to registers, and first needed behind a wait for products, is read behind that wait, and the slot
    given back behind its readers, if the registers do not suffice for it beside everything else that is held at the wait.

    Needs: layouts. Holds after: layouts.

    ```mlir
    %s = tawa.dot_wait %i pendings(1)
    %x = tawa.from_shared %slot
    %d = arith.subf %s, %x
    tawa.consumed %ring[%n]
    ```
  }];
  let statistics = [Statistic<"delayed", "num-delayed", "tiles read behind a wait for products">];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def VerifyLayouts : Pass<"tawa-verify-layouts", "::mlir::ModuleOp"> {
  let summary = "Check what the lowering relies on after tawa-assign-layouts (for tests)";
  let description = [{
    Every tensor in a role has a layout over the role's warps; elementwise operations, accesses and carried values do not mix
    layouts; views rename; reductions leave slices; dots have their fragments. An error names the rule that is broken.
  }];
}

def PrintAxisInfo : Pass<"tawa-print-axis-info", "::mlir::ModuleOp"> {
  let summary = "Say what is known about the integers and addresses of a kernel (for tests)";
  let description = [{
    A remark at each operation that makes integers or addresses: contiguity, divisibility and constancy by dimension
    (compiler/analysis/AxisInfo.h). Changes nothing.
  }];
}

def PrintWorkSummary : Pass<"tawa-print-work-summary", "::mlir::ModuleOp"> {
  let summary = "Say what a distributed kernel does: loops, bytes, products, role by role (for tests)";
  let description = [{
    A remark at the module with what the performance model is told of it (compiler/analysis/WorkSummary.h). Changes nothing.
    Needs the distributed kernel, before its dots are pipelined.
  }];
}

#endif
