// Passes over per-thread machine code for the pipes of an SM.
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

def ShareReciprocals : Pass<"tawa-share-reciprocals", "::mlir::ModuleOp"> {
  let summary = "one reciprocal for the quotients of one divisor";
  let description = [{
    Needs: machine-phase modules after `tawa-expand-math`. Four or more `sm90.div_full` of f32 in a block that divide by the same value become
    products with its reciprocal, scaled so that results are those of div_full, with an error of 2 ulp over the whole range.
  }];
  let statistics = [Statistic<"shared", "num-shared", "divisors with a reciprocal of their own">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tawa::sm90::SM90Dialect"];
}

def SchedulePipes : Pass<"tawa-schedule-pipes", "::mlir::ModuleOp"> {
  let summary = "order per-thread code so that its slowest pipe never waits";
  let description = [{
    Needs: machine-phase modules after `tawa-expand-math`. LLVM's NVPTX keeps the order it is given and ptxas follows it among what is
    ready, so the order is made here: a list schedule over the operations of a block, with a model of the pipes of an SM
    (PipeModel.h).

    Only blocks that wait for products and keep one pipe busy for long are touched. Operations with effects keep their order; the
    others, shuffles among them, move around them as their operands allow. A wait comes when what it lets go still fits under the
    work of the slowest pipe that does not need it. What the next iteration gets and stood behind a wait stays behind it: its
    registers may be those that the products read.

    ptxas moves a wait up past everything that is not tied to it, so an arrival before it is made to depend on results of the
    work that is to come first, by conditions that always hold. The conditions of a mask are moved to its selects (Predicates.h).
  }];
  let statistics = [
    Statistic<"scheduled", "num-scheduled", "blocks in a new order">,
    Statistic<"tied", "num-tied", "waits tied to the work before them">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif
