// PrintTiling: a remark for each dimension of a kernel's product, with what analysis/Tiling finds. For tests, and to
// find out why a tile size cannot be changed.
#include "compiler/analysis/Tiling.h"
#include "compiler/analysis/print/Passes.h"
#include "compiler/support/Debug.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-print-tiling"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PRINTTILING
#include "compiler/analysis/print/Passes.h.inc"

namespace {

std::string numberedBy(const Tiling &tiling, size_t position) {
  if (tiling.space().dimensions()[position].loop)
    return "by a loop of sums";
  for (const TileNumbering &numbering : tiling.numberings())
    if (llvm::is_contained(numbering.dimensions, position))
      return (numbering.loop ? "by a loop over tiles of programs along axis " : "by programs along axis ") +
             std::to_string(numbering.axis);
  return "by nothing";
}

struct PrintTilingPass : impl::PrintTilingBase<PrintTilingPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      Tiling tiling(func);
      if (tiling.space().dimensions().empty())
        func.emitRemark() << retileText(RetileReason::NoProduct);
      for (auto [position, dimension] : llvm::enumerate(tiling.space().dimensions())) {
        ++printed;
        Operation *place = dimension.place ? dimension.place : func.getOperation();
        InFlightDiagnostic remark = place->emitRemark() << StringRef(dimension.name) << "=" << dimension.size;
        if (dimension.isOpen() && dimension.period == 0)
          remark << " can be changed: tiles are numbered " << numberedBy(tiling, position);
        else if (dimension.isOpen())
          remark << " can be changed to what divides " << dimension.period << ": tiles are numbered "
                 << numberedBy(tiling, position);
        else
          remark << " cannot be changed: " << retileText(*dimension.reason);
      }
    }
  }
};

} // namespace
} // namespace tawa
