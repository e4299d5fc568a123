// Runs the reference evaluator for a launch; reads and draws elements of each type.
#include "tests/conformance/Oracle.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/TT/UnsupportedOps.h"
#include "compiler/frontend/text/Directives.h"
#include "compiler/frontend/text/PreLexer.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/reference/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <cstring>
#include <random>
#include <sstream>

using namespace mlir;

namespace tawa::conformance {

//===--- Evaluating -----------------------------------------------------------------------------------------------===//

static bool isCoarse(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 16;
}

static bool roundsInBetween(tt::FuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        bool isConversion = isa<arith::TruncFOp, arith::ExtFOp, tt::FpToFpOp, arith::ConstantOp, tt::DescriptorLoadOp,
                                tt::LoadOp, tt::TransOp>(op);
        bool inLoop = op->getParentOp() != op->getParentOfType<tt::FuncOp>();
        bool coarse = llvm::any_of(op->getResultTypes(), isCoarse);
        // A conversion in a loop rounds a running sum.
        bool rounds = coarse && (!isConversion || (inLoop && isa<arith::TruncFOp, tt::FpToFpOp>(op)));
        return rounds ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

OracleResult evaluateText(const std::string &text, std::vector<reference::ReferenceArgument> &args,
                          std::array<uint32_t, 3> grid, uint64_t stepLimit) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return success(); });
  Result<TemplateText> source = parseDirectives(text, "oracle");
  if (!source)
    return {source.status()};
  Result<std::string> expanded = expand(*source, {}, "oracle");
  if (!expanded)
    return {expanded.status()};
  PrelexOptions options;
  options.stripLocations = true;
  Result<std::string> ready = prelex(*expanded, "oracle", options);
  if (!ready)
    return {ready.status()};
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(*ready, &context);
  tt::FuncOp kernel = module && succeeded(tt::verifySupported(*module)) ? findKernel(*module) : tt::FuncOp();
  if (!kernel)
    return {Status(StatusCode::InvalidIR, "the text holds no kernel that the compiler should have taken")};
  return {reference::evaluate(kernel, args, grid, stepLimit), roundsInBetween(kernel)};
}

//===--- Elements -------------------------------------------------------------------------------------------------===//

static Type toMlir(ElementType type) {
  static MLIRContext context(MLIRContext::Threading::DISABLED);
  switch (type) {
  case ElementType::I1:
    return IntegerType::get(&context, 1);
  case ElementType::I8:
    return IntegerType::get(&context, 8);
  case ElementType::I16:
    return IntegerType::get(&context, 16);
  case ElementType::I32:
    return IntegerType::get(&context, 32);
  case ElementType::I64:
    return IntegerType::get(&context, 64);
  case ElementType::F8E4M3:
    return Float8E4M3FNType::get(&context);
  case ElementType::F8E5M2:
    return Float8E5M2Type::get(&context);
  case ElementType::F16:
    return Float16Type::get(&context);
  case ElementType::BF16:
    return BFloat16Type::get(&context);
  case ElementType::F32:
    return Float32Type::get(&context);
  case ElementType::F64:
    return Float64Type::get(&context);
  }
  return {};
}

/// The distance of neighbours relative to a value, and near zero.
struct Precision {
  double relative, smallest;
};
static Precision precisionOf(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3:
    return {0x1p-3, 0x1p-9};
  case ElementType::F8E5M2:
    return {0x1p-2, 0x1p-16};
  case ElementType::F16:
    return {0x1p-10, 0x1p-24};
  case ElementType::BF16:
    return {0x1p-7, 0x1p-133};
  case ElementType::F32:
    return {0x1p-23, 0x1p-149};
  default:
    return {0x1p-52, 0x1p-1074};
  }
}

static uint64_t bitsAt(const std::vector<char> &buffer, size_t index, size_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, buffer.data() + index * bytes, bytes);
  return bits;
}

std::string compareElements(ElementType type, const std::vector<char> &got, const std::vector<char> &expected,
                            double slack) {
  size_t bytes = elementBytes(type), count = expected.size() / bytes;
  Type element = toMlir(type);
  bool isFloat = isa<FloatType>(element);
  auto valueOf = [&](uint64_t bits) { return reference::fromBits(bits, element); };
  double largest = 0;
  for (size_t i = 0; isFloat && i < count; ++i)
    if (double value = std::fabs(valueOf(bitsAt(expected, i, bytes))); std::isfinite(value))
      largest = std::max(largest, value);
  Precision precision = precisionOf(type);
  for (size_t i = 0; i < count; ++i) {
    uint64_t here = bitsAt(got, i, bytes), there = bitsAt(expected, i, bytes);
    if (here == there)
      continue;
    std::ostringstream text;
    if (!isFloat) {
      text << "element " << i << " is 0x" << std::hex << here << ", expected 0x" << there;
      return text.str();
    }
    double a = valueOf(here), b = valueOf(there);
    double tolerance = std::fabs(b) * precision.relative + precision.smallest + largest * slack;
    bool same = (std::isnan(a) && std::isnan(b)) || a == b || std::fabs(a - b) <= tolerance;
    if (!same) {
      text << "element " << i << " is " << a << ", expected " << b;
      return text.str();
    }
  }
  return {};
}

std::vector<char> randomElements(ElementType type, size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Type element = toMlir(type);
  size_t bytes = elementBytes(type);
  std::vector<char> buffer(count * bytes);
  for (size_t i = 0; i < count; ++i) {
    double value = normal(random);
    uint64_t bits = isa<FloatType>(element) ? reference::bitsOf(reference::roundTo(value, element), element)
                                            : reference::unsignedOf(std::lround(4 * value), element);
    std::memcpy(buffer.data() + i * bytes, &bits, bytes);
  }
  return buffer;
}

} // namespace tawa::conformance
