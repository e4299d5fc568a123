// The passes that overlap loads, products, arithmetic and stores in the loops of roles.
// In the order in which compiler/pipeline runs them. Each has a file of its name and a lit test.
#ifndef TAWA_ROLES_PIPELINEPASSES_TD
#define TAWA_ROLES_PIPELINEPASSES_TD

include "mlir/Pass/PassBase.td"

def UnrollLoops : Pass<"tawa-unroll-loops", "::mlir::ModuleOp"> {
  let summary = "Unroll loops of a few iterations, so that all of them load together";
  let description = [{
    In a kernel that is one role, innermost `scf.for` loops without products, of 2 to 8 iterations that are known, are unrolled where they
    load what the kernel has not written: at most 32 words of each thread in all iterations, and 1024 operations. Loads pass stores that
    write nothing that they read. `ring-depth = 1`, by which loads stay as they are, keeps the loops. With `ring-depth = 2`, in a kernel
    without products, so many iterations of a longer loop become one as divide their number and stay within these limits.

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
    Option<"ringDepth", "ring-depth", "int", "0", "1: loads stay as they are; 2: longer loops in parts">,
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
    loop. Smaller loads are made one iteration ahead, of mma.sync two, and carried in registers, at most 8 words of each thread; those of consumers, too.
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
    Statistic<"carried", "num-carried", "loads that are made ahead in registers">,
    Statistic<"direct", "num-direct", "loops in which nothing is loaded ahead, though it might be">,
    Statistic<"tooLarge", "num-too-large", "rings of which two slots do not fit shared memory">,
    Statistic<"kept", "num-kept", "kernels whose loads stay as they are, as D = 1 demands">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
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

def TakeTurns : Pass<"tawa-take-turns", "::mlir::ModuleOp"> {
  let summary = "Let the warp groups of a role issue the products of a rotated loop one after the other";
  let description = [{
    Where a role of several warp groups has one loop with products, and the first wait of its iterations leaves products in flight for a
    later one (tawa-pipeline-stages), a group waits for its turn before it issues the products of an iteration, and passes the turn on
    after them: one group computes while the products of another run. Groups that begin together would stay together. A loop inside of
    another one, as where CTAs walk tiles, and several loops stay as they are: there, turns gained up to 2 % or cost up to 3 %. So do loops whose products read what threads have written, or with a release between them: no group may wait for another one within its turn.

    Needs: `tawa.warp_group` regions, after the passes that make layouts. Holds after: as before.

    Example (tests/lit/roles/take-turns.mlir):
    ```mlir
    %s = tawa.dot_issue %q, %k, %none ..
    %o = tawa.dot_issue %p, %k, %into ..
    %t = tawa.dot_wait %s pendings(1) ..
    // becomes
    tawa.turns_begin
    scf.for
    tawa.turn_wait
    tawa.dot_issue
    tawa.dot_issue
    tawa.turn_pass
    tawa.dot_wait .. pendings(1)
    ```
  }];
  let statistics = [
    Statistic<"taken", "num-taken", "loops whose products are issued in turns">,
    Statistic<"kept", "num-kept", "rotated loops of several warp groups that have none, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
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

    A loop whose sums begin with zeros is put into a branch, so that its first products replace the sums and no register is set. Where
    CTAs add up parts of the sums (tawa-stream-reduction) and several products are in flight, the registers are set instead.

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

def SliceSums : Pass<"tawa-slice-sums", "::mlir::ModuleOp"> {
  let summary = "Let warps divide K of a product of few rows, and add up what they have after the loop";
  let description = [{
    Of a product of few rows on mma.sync each warp of the role has some columns, so that all of them read the whole operand A. Where
    a loop carries sums only from product to product, scaled ones too, each warp gets a slice of K instead, if that saves more reads
    than adding up takes: the product becomes a batch of slices, which views make of the operands, and the loop carries a sum of
    each. They are added up after it, by way of shared memory. The sums of all slices take up to 64 registers of a thread
    (analysis/SumSlices.h). The order of additions changes, as for other reductions; what scales a product scales each slice, so that
    an infinite factor gives a NaN where slices differ in sign.

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

#endif // TAWA_ROLES_PIPELINEPASSES_TD
