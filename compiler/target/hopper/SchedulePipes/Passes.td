// Passes over per-thread machine code for the pipes of an SM.
#ifndef TAWA_CONVERSION_SCHEDULEPIPES_PASSES_TD
#define TAWA_CONVERSION_SCHEDULEPIPES_PASSES_TD

include "mlir/Pass/PassBase.td"

def DeferSums : Pass<"tawa-defer-sums", "::mlir::ModuleOp"> {
  let summary = "sum loop-carried values across lanes after the loop";
  let description = [{
    Needs: machine-phase modules. If a loop carries a value as itself times a factor plus a sum over lanes, and the
    factor is equal in all of them, each lane carries its own part, and the lanes are summed after the loop. The sum
    within a thread becomes two chains that begin with the product. The order of additions changes, as for reductions.

    Example (tests/lit/target/hopper/SchedulePipes/defer-sums.mlir):
    ```mlir
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%l = %l0, %m = %m0) -> (f32, f32) : i32 {
    %s = arith.addf %ab, %cd fastmath<contract> : f32
    %s1 = sm90.shuffle bfly %s, %c1 : f32
    %t = arith.addf %s, %s1 : f32
    %t2 = sm90.shuffle bfly %t, %c2 : f32
    %scaled = arith.mulf %l, %factor fastmath<contract> : f32
    // becomes
    %loop:2 = scf.for .. iter_args(%l = %init, %.. = %..)
    %t = arith.addf %c, %b
    scf.yield %t
    %s1 = sm90.shuffle bfly %loop#0, %c1_i32
    %p1 = arith.addf %loop#0, %s1 : f32
    %s2 = sm90.shuffle bfly %p1, %c2_i32
    %p2 = arith.addf %p1, %s2 : f32
    ```
  }];
  let statistics = [
    Statistic<"deferred", "num-deferred", "carried sums that lanes exchange after their loop">,
    Statistic<"kept", "num-kept", "values carried by loops that are not changed, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tawa::sm90::SM90Dialect"];
}

def InterleaveFragments : Pass<"tawa-interleave-fragments", "::mlir::ModuleOp"> {
  let summary = "order products of mma.sync by K, and load their fragments shortly before them";
  let description = [{
    Needs: machine-phase modules for a GPU without wgmma, where large tiles are multiplied by `mma`. Others are left as they
    are.

    The lowering reads whole tiles into registers and then multiplies block by block. Between operations with other effects,
    products are put into the order of their steps along K, so that neighbours do not wait for each other's sums, and what
    reads a product's fragments from shared memory is put `ahead` products before it: a thread holds the fragments of few
    products instead of those of the tile. The order of the other operations stays.

    Example (tests/lit/target/hopper/SchedulePipes/interleave-fragments.mlir):
    ```mlir
    %a0:4 = sm90.ldmatrix %p {first} ..
    %a1:4 = sm90.ldmatrix %q {second} ..
    %s0:4 = sm90.mma (%a0#0, ..
    %s1:4 = sm90.mma (%a1#0, ..
    // becomes
    sm90.ldmatrix .. {first}
    sm90.ldmatrix .. {second}
    %x0:4 = sm90.mma ..
    sm90.ldmatrix .. {third}
    %x1:4 = sm90.mma ..
    ```
  }];
  let options = [
    Option<"ahead", "ahead", "unsigned", "8", "products between the load of a fragment and the product that takes it">,
  ];
  let statistics = [
    Statistic<"interleaved", "num-interleaved", "runs of operations in a new order">,
  ];
  let dependentDialects = ["::tawa::sm90::SM90Dialect"];
}

def ShareReciprocals : Pass<"tawa-share-reciprocals", "::mlir::ModuleOp"> {
  let summary = "one reciprocal for the quotients of one divisor";
  let description = [{
    Needs: machine-phase modules after `tawa-expand-math`. Four or more `sm90.div_full` of f32 in a block with the same
    divisor become products with its reciprocal, scaled so that results are those of div_full, with an error of 2 ulp
    over the whole range.

    Example (tests/lit/target/hopper/SchedulePipes/share-reciprocals.mlir):
    ```mlir
    %q0 = sm90.div_full %x0, %y : f32
    %q1 = sm90.div_full %x1, %y : f32
    %q2 = sm90.div_full %x2, %y : f32
    %q3 = sm90.div_full %x3, %y : f32
    // becomes
    %scaled = arith.mulf %y, %scale : f32
    %r = sm90.approx rcp %scaled : f32
    %p0 = arith.mulf %x0, %r : f32
    arith.mulf %p0, %scale : f32
    ```
  }];
  let statistics = [
    Statistic<"shared", "num-shared", "divisors with a reciprocal of their own">,
    Statistic<"kept", "num-kept", "divisors of too few quotients">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tawa::sm90::SM90Dialect"];
}

def ReducePressure : Pass<"tawa-reduce-pressure", "::mlir::ModuleOp"> {
  let summary = "compute values where they are needed, if a thread has too few registers for all of them";
  let description = [{
    Needs: machine-phase modules after `tawa-expand-math`. The lowering computes each operation for all elements of a tile.
    Where more values are live than the thread has registers (those of its role, or its share of the multiprocessor's), what
    is between operations of products, waits, releases of slots or operations with regions is put into another order: operations
    with effects keep theirs, and what they need is computed right before them. Before loads, values are computed that free
    as many registers as they take, eight together with the steps that lead to them; at the end what leaves the run, likewise.
    The order is taken if clearly fewer registers are live at once (LiveRegisters.h), and not where `tawa-schedule-pipes`
    keeps a pipe busy under products.

    Example (tests/lit/target/hopper/SchedulePipes/reduce-pressure.mlir):
    ```mlir
    %x0 = arith.mulf %a0, %b : f32
    %x1 = arith.mulf %a1, %b : f32
    %y0 = arith.addf %x0, %a0 : f32
    %y1 = arith.addf %x1, %a1 : f32
    sm90.store_shared %at, %y0 : f32
    sm90.store_shared %at, %y1 : f32
    // becomes
    %x0 = arith.mulf %arg2
    %y0 = arith.addf %x0, %arg2
    sm90.store_shared %arg0, %y0
    %x1 = arith.mulf %arg3
    %y1 = arith.addf %x1, %arg3
    sm90.store_shared %arg0, %y1
    ```
  }];
  let statistics = [
    Statistic<"ordered", "num-ordered", "runs of operations in a new order">,
    Statistic<"kept", "num-kept", "runs of operations that stay in their order, by reason">,
  ];
}

def SelectCopies : Pass<"tawa-select-copies", "::mlir::ModuleOp"> {
  let summary = "make one copy of several that differ by which CTAs share a tile";
  let description = [{
    Needs: machine-phase modules after `tawa-prove-machine`, which compares the branches; it is the first of the llvm phase.
    Where both branches of a condition have nothing but copies by TMA that count on the same barriers, and arithmetic for them,
    each copy of one and its counterpart in the other become one, whose place, map, coordinates and mask are selected. In a loop
    that does not change the condition, the selections are made before it. A copy with a mask and one without stay.

    Example (tests/lit/target/hopper/SchedulePipes/select-copies.mlir):
    ```mlir
    scf.if %all {
    sm90.tma_load %p, %quarter[%k, %r], %full multicast %c15
    } else {
    sm90.tma_load %q, %half[%k, %s], %full multicast %pair
    }
    // becomes
    %at = arith.select %all, %arg4, %arg5
    %map = arith.select %all, %arg2, %arg1
    %row = arith.select %all, %arg7, %arg8
    %to = arith.select %all, %c15_i16, %arg10
    sm90.tma_load %at, %map[%arg6, %row], %arg9 multicast %to
    ```
  }];
  let statistics = [
    Statistic<"selected", "num-selected", "copies made of two">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tawa::sm90::SM90Dialect"];
}

def SchedulePipes : Pass<"tawa-schedule-pipes", "::mlir::ModuleOp"> {
  let summary = "order per-thread code to keep its slowest pipe busy";
  let description = [{
    Needs: machine-phase modules after `tawa-expand-math`. LLVM's NVPTX keeps the order it is given and ptxas follows it
    among ready instructions, so the order is determined here: a list schedule over the operations of a block, with a
    model of the pipes of an SM (PipeModel.h).

    Only blocks that wait for products and keep one pipe busy for long are changed. Operations with effects keep their
    order; the others, shuffles among them, move around them as their operands allow. A wait is placed where the work
    that it unblocks still fits under the work of the slowest pipe that does not depend on it. Operands of the next
    iteration that were computed after a wait stay after it: their registers may be those that the products read.

    ptxas moves a wait up past everything that is not tied to it, so an arrival before it is made to depend on results
    of earlier work, by conditions that always hold. The conditions of a mask are moved to its selects (Predicates.h).

    Example (tests/lit/target/hopper/SchedulePipes/schedule-pipes.mlir):
    ```mlir
    %s = sm90.wgmma_wait 1 %s1 ..
    sm90.mbarrier_arrive %barrier if %leader
    %e:24 = sm90.unpack %s : !sm90.accumulator<64x48xf32>
    %m0_0 = arith.maxnumf %e#0, %e#1 : f32
    %d0_0 = arith.subf %e#0, %m0_10 fastmath<contract> : f32
    // becomes
    sm90.wgmma_wait 1
    sm90.approx ex2
    arith.subf
    sm90.approx ex2
    arith.subf
    %holds = arith.cmpf uge, %.., %.. : f32
    %tied = arith.andi %.., %holds : i1
    sm90.mbarrier_arrive %.. if %tied
    ```
  }];
  let statistics = [
    Statistic<"scheduled", "num-scheduled", "blocks in a new order">,
    Statistic<"tied", "num-tied", "waits tied to the work before them">,
    Statistic<"kept", "num-kept", "runs of operations that stay in their order, by reason">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif
