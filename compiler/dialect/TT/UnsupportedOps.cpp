// The table of refused operations and the two ways in which it is applied (see UnsupportedOps.h).
#include "compiler/dialect/TT/UnsupportedOps.h"

#include "compiler/dialect/TT/TT.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tawa::tt {

// The terminators of a refused region are listed too: they are the first thing in it that the parser cannot read.
static constexpr RefusedOp kRefusedOps[] = {
    {"tt.atomic_rmw", 2},
    {"tt.atomic_cas", 2},
    {"tt.scan", 2},
    {"tt.scan.return", 2},
    {"tt.cat", 2},
    {"tt.elementwise_inline_asm", 2},
    {"tt.extern_elementwise", 2},
    {"tt.clampf", 2},
    {"tt.precise_divf", 2},
    {"tt.precise_sqrt", 2},
    {"tt.mulhiui", 2},
    {"tt.int_to_ptr", 2},
    {"tt.ptr_to_int", 2},
    {"tt.dot_scaled", 2},
    {"tt.descriptor_reduce", 2},
    {"tt.descriptor_gather", 2},
    {"tt.call", 2},
    {"tt.make_tensor_ptr", 2},
    {"tt.advance", 2},
    {"tt.histogram", 3},
    {"tt.gather", 3},
    {"tt.descriptor_scatter", 3},
    {"tt.map_elementwise", 3},
    {"tt.map_elementwise.return", 3},
    {"tt.unsplat", 3},
    {"tt.print", 3},
    {"tt.assert", 3},
    {"tt.reinterpret_tensor_descriptor", 3},
    {"tt.experimental_descriptor_load", 3},
    {"tt.experimental_descriptor_store", 3},
    {"tt.experimental_descriptor_gather", 3},
    {"tt.experimental_descriptor_scatter", 3},
    {"tt.experimental_tensormap_create", 3},
    {"tt.experimental_tensormap_fenceproxy_acquire", 3},
    {"gpu.barrier", 3},
    {"ub.poison", 3},
    {"llvm.intr.assume", 2},
    {"scf.while", 2},
    {"cf.br", 2},
    {"cf.cond_br", 2},
    {"cf.switch", 3},
    {"cf.assert", 3},
    {"math.sin", 2},
    {"math.cos", 2},
    {"math.floor", 2},
    {"math.ceil", 2},
    {"math.absi", 2},
    {"arith.divui", 2},
    {"arith.remui", 2},
    {"arith.shli", 2},
    {"arith.shrui", 2},
    {"arith.shrsi", 2},
    {"arith.xori", 2},
    {"arith.extui", 2},
    {"arith.uitofp", 2},
    {"arith.fptosi", 2},
    {"arith.fptoui", 2},
    {"arith.maxui", 2},
    {"arith.minui", 2},
    {"arith.maximumf", 2},
    {"arith.minimumf", 2},
    {"arith.negf", 2},
    {"arith.remf", 2},
};

// What tier 1 takes from dialects that are not ours. Anything else of them is refused, named in no tier.
static constexpr llvm::StringLiteral kSupportedUpstreamOps[] = {
    "arith.constant", "arith.addi", "arith.subi",     "arith.muli",    "arith.divsi",  "arith.remsi", "arith.minsi",
    "arith.maxsi",    "arith.cmpi", "arith.andi",     "arith.ori",     "arith.select", "arith.extsi", "arith.trunci",
    "arith.sitofp",   "arith.addf", "arith.subf",     "arith.mulf",    "arith.divf",   "arith.cmpf",  "arith.maxnumf",
    "arith.minnumf",  "arith.extf", "arith.truncf",   "arith.bitcast", "math.exp",     "math.exp2",   "math.log",
    "math.log2",      "math.rsqrt", "math.sqrt",      "math.erf",      "math.absf",    "math.fma",    "scf.for",
    "scf.if",         "scf.yield",  "builtin.module",
};

std::optional<RefusedOp> findRefusedOp(StringRef name) {
  const auto *found = llvm::find_if(kRefusedOps, [&](const RefusedOp &op) { return op.name == name; });
  if (found == std::end(kRefusedOps))
    return std::nullopt;
  return *found;
}

static std::string refusal(int tier) {
  return (" (tier " + Twine(tier) + ") is not supported by this version of Tawa").str();
}

// What follows the operation's name.
static std::string refusalOfOp(StringRef name) {
  std::optional<RefusedOp> refused = findRefusedOp(name);
  return refused ? refusal(refused->tier) : " is not an operation that Tawa knows";
}

std::string refusalText(StringRef name) { return "'" + name.str() + "'" + refusalOfOp(name); }

// The parser puts "custom op 'tt.scan'" before the text itself.
ParseResult parseRefusedOp(OpAsmParser &parser, OperationState &result) {
  return parser.emitError(parser.getNameLoc()) << StringRef(refusalOfOp(result.name.getStringRef())).ltrim();
}

// Why a supported operation of our own is refused in the form it has here; empty if it is not.
static std::string formRefused(Operation *op) {
  if (isa<JoinOp>(op))
    return "'tt.join'" + refusal(2);
  if (auto reduce = dyn_cast<ReduceOp>(op); reduce && reduce.getSrcs().size() > 1)
    return "'tt.reduce' of several operands" + refusal(2);
  auto dot = dyn_cast<DotOp>(op);
  if (!dot)
    return {};
  if (shapeOf(dot.getA().getType()).size() == 3)
    return "'tt.dot' of rank 3" + refusal(2);
  if (elementTypeOf(dot.getA().getType()).isF64())
    return "'tt.dot' of f64" + refusal(3);
  InputPrecision precision = dot.getInputPrecision();
  if (precision != InputPrecision::TF32 && precision != InputPrecision::IEEE)
    return "'tt.dot' with inputPrecision = " + stringifyInputPrecision(precision).str() + refusal(3);
  return {};
}

LogicalResult verifySupported(Operation *root) {
  bool refused = false;
  root->walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    std::string text;
    if (op->getName().getDialectNamespace() == TTDialect::getDialectNamespace())
      text = formRefused(op);
    else if (!llvm::is_contained(kSupportedUpstreamOps, name))
      text = refusalText(name);
    if (text.empty())
      return;
    refused = true;
    op->emitError() << text;
  });
  return failure(refused);
}

} // namespace tawa::tt
