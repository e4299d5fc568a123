// The table of refused operations, the list of operations accepted from other dialects, and the two ways of applying
// them (see UnsupportedOps.h).
#include "compiler/frontend/TT/UnsupportedOps.h"

#include "compiler/frontend/TT/TT.h"
#include "compiler/frontend/text/InlinePtx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tawa::tt {

static constexpr llvm::StringLiteral kOldDescriptors =
    "it works on descriptors whose shape and strides the text does not say; print the kernel with Triton 3.4 or later, "
    "which writes tt.make_tensor_descriptor";

static constexpr RefusedOp kRefusedOps[] = {
    {"tt.reinterpret_tensor_descriptor", kOldDescriptors},
    {"tt.experimental_descriptor_load", kOldDescriptors},
    {"tt.experimental_descriptor_store", kOldDescriptors},
    {"tt.experimental_tensormap_create", kOldDescriptors},
    {"tt.experimental_tensormap_fenceproxy_acquire", kOldDescriptors},
    {"cf.switch", "Triton prints cf.br and cf.cond_br only; branch by comparisons"},
    {"cf.assert", "write tt.assert"},
};

// Operations accepted from upstream dialects: all that Triton prints, and elementwise functions implemented here.
// Everything else in them is refused.
static const llvm::StringSet<> &supportedUpstreamOps() {
  static const llvm::StringSet<> names{
      "arith.addf",       "arith.addi",     "arith.andi",   "arith.bitcast",    "arith.ceildivsi",
      "arith.ceildivui",  "arith.cmpf",     "arith.cmpi",   "arith.constant",   "arith.divf",
      "arith.divsi",      "arith.divui",    "arith.extf",   "arith.extsi",      "arith.extui",
      "arith.floordivsi", "arith.fptosi",   "arith.fptoui", "arith.index_cast", "arith.index_castui",
      "arith.maximumf",   "arith.maxnumf",  "arith.maxsi",  "arith.maxui",      "arith.minimumf",
      "arith.minnumf",    "arith.minsi",    "arith.minui",  "arith.mulf",       "arith.muli",
      "arith.negf",       "arith.ori",      "arith.remf",   "arith.remsi",      "arith.remui",
      "arith.select",     "arith.shli",     "arith.shrsi",  "arith.shrui",      "arith.sitofp",
      "arith.subf",       "arith.subi",     "arith.truncf", "arith.trunci",     "arith.uitofp",
      "arith.xori",       "builtin.module", "cf.br",        "cf.cond_br",       "llvm.intr.assume",
      "math.absf",        "math.absi",      "math.ceil",    "math.cos",         "math.erf",
      "math.exp",         "math.exp2",      "math.floor",   "math.fma",         "math.log",
      "math.log2",        "math.rsqrt",     "math.sin",     "math.sqrt",        "scf.condition",
      "scf.for",          "scf.if",         "scf.while",    "scf.yield",        "ub.poison",
  };
  return names;
}

std::optional<RefusedOp> findRefusedOp(StringRef name) {
  const auto *found = llvm::find_if(kRefusedOps, [&](const RefusedOp &op) { return op.name == name; });
  if (found == std::end(kRefusedOps))
    return std::nullopt;
  return *found;
}

// The text after the operation's name.
static std::string refusalOfOp(StringRef name) {
  std::optional<RefusedOp> refused = findRefusedOp(name);
  return refused ? " is not supported: " + refused->reason.str() : " is not an operation that Tawa knows";
}

std::string refusalText(StringRef name) { return "'" + name.str() + "'" + refusalOfOp(name); }

// The parser puts "custom op 'tt.x'" before the text itself.
ParseResult parseRefusedOp(OpAsmParser &parser, OperationState &result) {
  return parser.emitError(parser.getNameLoc()) << StringRef(refusalOfOp(result.name.getStringRef())).ltrim();
}

/// Constant tensors must be inline: no phase reads elements stored elsewhere (dense_resource<>) or omitted (sparse<>).
static bool isForeignTable(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return constant && isa<ElementsAttr>(constant.getValue()) && !isa<DenseIntOrFPElementsAttr>(constant.getValue());
}

LogicalResult verifySupported(Operation *root) {
  bool refused = false;
  root->walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (auto assembly = dyn_cast<ElementwiseInlineAsmOp>(op)) {
      std::string_view text = assembly.getAsmString(), constraints = assembly.getConstraints();
      if (Result<std::string> plain = readInlinePtx(text, constraints); !plain) {
        refused = true;
        op->emitError() << plain.status().message();
      }
    }
    if (isForeignTable(op)) {
      refused = true;
      op->emitError() << "the constants of a tensor are read from dense<...> alone";
    }
    if (op->getName().getDialectNamespace() == TTDialect::getDialectNamespace() ||
        supportedUpstreamOps().contains(name))
      return;
    refused = true;
    op->emitError() << refusalText(name);
  });
  return failure(refused);
}

} // namespace tawa::tt
