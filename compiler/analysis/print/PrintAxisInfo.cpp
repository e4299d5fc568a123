// PrintAxisInfo: a remark at every operation that computes integers or addresses, with the facts of
// compiler/analysis/AxisInfo. For tests, and to find out why an access is not wider.
#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/print/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "tawa-print-axis-info"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PRINTAXISINFO
#include "compiler/analysis/print/Passes.h.inc"

static std::string describe(const AxisInfo &info) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto list = [&](StringRef name, ArrayRef<int64_t> numbers) {
    stream << name << " [";
    llvm::interleaveComma(numbers, stream);
    stream << "]";
  };
  list("contiguity", info.contiguity);
  list(", divisibility", info.divisibility);
  list(", constancy", info.constancy);
  auto isPlain = [&](unsigned dim) { return info.strided[dim] <= std::max(info.contiguity[dim], info.constancy[dim]); };
  if (!llvm::all_of(llvm::seq(info.rank()), isPlain)) {
    list(", strided", info.strided);
    list(" by", info.stride);
  }
  if (info.value)
    stream << ", value " << *info.value;
  return text;
}

namespace {

struct PrintAxisInfoPass : impl::PrintAxisInfoBase<PrintAxisInfoPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      AxisInfoAnalysis analysis(func);
      func.walk([&](Operation *op) {
        for (Value result : op->getResults())
          if (isa<IntegerType, tt::PointerType>(tt::elementTypeOf(result.getType()))) {
            ++printed;
            op->emitRemark() << describe(analysis.of(result));
          }
      });
    }
  }
};

} // namespace
} // namespace tawa
