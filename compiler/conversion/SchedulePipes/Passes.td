// The pass that orders machine code.
#ifndef TAWA_CONVERSION_SCHEDULEPIPES_PASSES_TD
#define TAWA_CONVERSION_SCHEDULEPIPES_PASSES_TD

include "mlir/Pass/PassBase.td"

def DeferSums : Pass<"tawa-defer-sums", "::mlir::ModuleOp"> {
  let summary = "sum across lanes behind a loop what it accumulates";
  let description = [{
    Needs: machine-phase modules. A value that a loop carries as itself times a factor plus a sum over lanes becomes one part in
    each lane, and the lanes are summed behind the loop, if the factor is the same in all of them. What a thread sums by itself
    becomes two chains that begin with the product. Sums are taken in another order, as those of a reduction may be.
  }];
  let statistics = [Statistic<"deferred", "num-deferred", "carried sums that lanes exchange behind their loop">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tawa::sm90::SM90Dialect"];
}

def SchedulePipes : Pass<"tawa-schedule-pipes", "::mlir::ModuleOp"> {
  let summary = "order per-thread code so that its slowest pipe never waits";
  let description = [{
    Needs: machine-phase modules after `tawa-expand-math`. LLVM's NVPTX keeps the order it is given and ptxas follows it among what is
    ready, so the order is made here: a list schedule over the operations of a block, with a model of the pipes of an SM
    (PipeModel.h).

    Blocks that wait for products and keep the unit of ex2 busy for long are scheduled. Operations with effects keep their order; the
    others, shuffles among them, move around them as their operands allow. A wait comes when what it lets go still fits under the
    work of the slowest pipe that does not need it. What the next iteration gets and stood behind a wait stays behind it: its
    registers may be those that the products read.

    In other loops that wait for products, arithmetic of floats only moves to right before what first reads it, or before the fence of
    a product that does: each element then goes its way from one tile to the next, and few values lie between.

    ptxas moves a wait up past everything that is not tied to it, so an arrival before it is made to depend on a result of the
    work that is to come first, by a condition that always holds.
  }];
  let statistics = [
    Statistic<"scheduled", "num-scheduled", "blocks in a new order">,
    Statistic<"late", "num-late", "loops whose arithmetic stands where it is read">,
    Statistic<"tied", "num-tied", "waits tied to the work before them">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif
