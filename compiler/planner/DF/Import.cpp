// Reads df operations into a mesh::Machine.
#include "compiler/planner/DF/Import.h"

#include "compiler/pipeline/DiagnosticCollector.h"
#include "compiler/planner/DF/DF.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>

using namespace mlir;

namespace tawa::df {

std::string_view textOf(ImportReason reason) {
  switch (reason) {
  case ImportReason::MapForm:
    return "a result of the map has not the form (affine floordiv c) mod m";
  case ImportReason::RepeatedUnit:
    return "a core has one kind of matrix unit, of vector unit and of scalar unit";
  case ImportReason::ScalarCount:
    return "a core has one scalar unit";
  case ImportReason::NoLocalMemory:
    return "no memory is scaled out as the cores are, so a core has none for itself";
  case ImportReason::NoGlobalMemory:
    return "there is no memory beside that of the cores, so tensors have no place";
  case ImportReason::TooLarge:
    return "an array of cores or memories has more than 100000 of them";
  }
  return "";
}

namespace {

LogicalResult refuse(Operation *op, ImportReason reason) {
  std::string_view text = textOf(reason);
  return op->emitOpError() << StringRef(text.data(), text.size());
}

double numberOf(std::optional<APFloat> value) { return value ? value->convertToDouble() : 0; }

/// Adds `factor` times the expression, if it is affine without division.
bool addAffine(AffineExpr expr, int64_t factor, mesh::Affine &sum) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum.constant += factor * constant.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    sum.coefficients[dim.getPosition()] += factor;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add)
    return addAffine(binary.getLHS(), factor, sum) && addAffine(binary.getRHS(), factor, sum);
  auto scale = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
  return scale && binary.getKind() == AffineExprKind::Mul && addAffine(binary.getLHS(), factor * scale.getValue(), sum);
}

/// Takes `expr op c` apart if it is one: `expr` is what is left, the result c.
int64_t strip(AffineExpr &expr, AffineExprKind kind, int64_t otherwise) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  auto constant = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
  if (!constant || binary.getKind() != kind || constant.getValue() <= 0)
    return otherwise;
  expr = binary.getLHS();
  return constant.getValue();
}

class Importer {
  template <typename Part> auto parts() { return op.getBody().front().getOps<Part>(); }

public:
  explicit Importer(MachineOp op) : op(op) {}

  FailureOr<mesh::Machine> run() {
    machine.name = op.getSymName().str();
    machine.clock = op.getClock().convertToDouble();
    machine.launchCycles = numberOf(op.getLaunch());
    machine.messageCycles = numberOf(op.getMessage());
    machine.semaphoreCycles = numberOf(op.getSemaphore());
    for (auto dim : parts<SpatialDimOp>())
      machine.dims.push_back({nameOf(dim), static_cast<int64_t>(dim.getSize())});
    for (auto memory : parts<MemoryOp>())
      if (failed(addMemory(memory)))
        return failure();
    if (failed(addCores(*parts<CoreOp>().begin())) || failed(addConnections()) || failed(checkMemories()))
      return failure();
    return machine;
  }

private:
  /// The name of a part in the text; one that has none is named by kind and number.
  template <typename Part> std::string nameOf(Part part) {
    if (!part.getLabel().empty())
      return part.getLabel().str();
    int64_t number = std::distance(parts<Part>().begin(), llvm::find(parts<Part>(), part));
    return Part::getOperationName().drop_front(sizeof("df.") - 1).str() + std::to_string(number);
  }

  int dimOf(Value value) {
    auto dims = parts<SpatialDimOp>();
    return static_cast<int>(std::distance(dims.begin(), llvm::find(dims, value.getDefiningOp<SpatialDimOp>())));
  }

  std::vector<int> dimsOf(Value component) {
    std::vector<int> dims;
    for (Value dim : dimensionsOf(component))
      dims.push_back(dimOf(dim));
    return dims;
  }

  mesh::Component componentOf(Value value) {
    auto memory = value.getDefiningOp<MemoryOp>();
    if (!memory)
      return {};
    auto memories = parts<MemoryOp>();
    return {static_cast<int>(std::distance(memories.begin(), llvm::find(memories, memory)))};
  }

  LogicalResult checkSize(Operation *component, const std::vector<int> &dims) const {
    constexpr int64_t kMost = 100000;
    int64_t count = 1;
    for (int dim : dims)
      count = std::min(count, kMost + 1) * std::min(machine.dims[dim].size, kMost + 1);
    return count > kMost ? refuse(component, ImportReason::TooLarge) : success();
  }

  LogicalResult addMemory(MemoryOp memory) {
    machine.memories.push_back({nameOf(memory), dimsOf(memory.getComponent()), static_cast<int64_t>(memory.getSize()),
                                memory.getBandwidth().convertToDouble(), numberOf(memory.getLatency())});
    return checkSize(memory, machine.memories.back().dims);
  }

  LogicalResult addCores(CoreOp core) {
    machine.coreDims = dimsOf(core.getComponent());
    if (failed(checkSize(core, machine.coreDims)))
      return failure();
    for (auto [unit, count] : llvm::zip(core.getScalein(), core.getCounts()))
      if (failed(addUnit(core, unit.getDefiningOp(), count)))
        return failure();
    return success();
  }

  LogicalResult addUnit(CoreOp core, Operation *unit, int64_t count) {
    if (auto mat = dyn_cast<MatOp>(unit)) {
      int64_t m = mat.getShape()[0], n = mat.getShape()[1], k = mat.getShape()[2];
      double operations = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
      return setOnce(core, machine.matrix,
                     mesh::MatrixUnit{m, n, k, mat.getThroughput().convertToDouble() / operations, count});
    }
    if (auto vec = dyn_cast<VecOp>(unit)) {
      int64_t width = vec.getShape().front();
      double rate = vec.getThroughput().convertToDouble() / static_cast<double>(width);
      return setOnce(core, machine.vector, mesh::VectorUnit{width, rate, count});
    }
    if (count != 1)
      return refuse(core, ImportReason::ScalarCount);
    return setOnce(core, machine.scalar, mesh::ScalarUnit{cast<ScalarOp>(unit).getLatency().convertToDouble()});
  }

  template <typename Unit> LogicalResult setOnce(CoreOp core, std::optional<Unit> &place, Unit unit) {
    if (place)
      return refuse(core, ImportReason::RepeatedUnit);
    place = unit;
    return success();
  }

  LogicalResult readMap(Operation *connection, AffineMap map, std::vector<mesh::Coordinate> &coordinates) {
    for (AffineExpr expr : map.getResults()) {
      mesh::Coordinate &coordinate = coordinates.emplace_back();
      coordinate.modulus = strip(expr, AffineExprKind::Mod, 0);
      coordinate.divisor = strip(expr, AffineExprKind::FloorDiv, 1);
      coordinate.affine.coefficients.resize(map.getNumDims());
      if (!addAffine(expr, 1, coordinate.affine))
        return refuse(connection, ImportReason::MapForm);
    }
    return success();
  }

  LogicalResult addConnections() {
    for (auto network : parts<InterconnectsOp>()) {
      mesh::Network &made = machine.networks.emplace_back();
      made = {nameOf(network),
              componentOf(network.getFrom()),
              componentOf(network.getTo()),
              {},
              network.getBandwidth().convertToDouble(),
              numberOf(network.getHopLatency()),
              network.getMulticast().value_or(false)};
      if (failed(readMap(network, network.getMap(), made.map)))
        return failure();
    }
    for (auto mux : parts<MuxOp>()) {
      mesh::Mux &made = machine.muxes.emplace_back();
      made = {
          nameOf(mux), componentOf(mux.getSrcs()), componentOf(mux.getDst()), {}, mux.getBandwidth().convertToDouble()};
      if (failed(readMap(mux, mux.getMap(), made.map)))
        return failure();
    }
    return success();
  }

  LogicalResult checkMemories() {
    if (machine.localMemory() < 0)
      return refuse(op, ImportReason::NoLocalMemory);
    return machine.globalMemory() < 0 ? refuse(op, ImportReason::NoGlobalMemory) : success();
  }

  MachineOp op;
  mesh::Machine machine;
};

} // namespace

Result<mesh::Machine> readMachine(std::string_view text, std::string_view name) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<DFDialect>();
  context.printOpOnDiagnostic(false);
  DiagnosticCollector diagnostics(context, std::string(name));
  auto module = parseSourceString<ModuleOp>(StringRef(text.data(), text.size()), ParserConfig(&context),
                                            StringRef(name.data(), name.size()));
  if (!module)
    return Status(StatusCode::InvalidIR, diagnostics.summary("the text could not be parsed"), diagnostics.all);
  auto machines = llvm::to_vector(module->getOps<MachineOp>());
  if (machines.size() != 1)
    return Status(StatusCode::InvalidIR,
                  std::string(name) + ": holds " + std::to_string(machines.size()) + " df.machine operations, not one");
  FailureOr<mesh::Machine> machine = Importer(machines.front()).run();
  if (failed(machine))
    return Status(StatusCode::Unsupported, diagnostics.summary("the machine could not be imported"), diagnostics.all);
  return std::move(*machine);
}

} // namespace tawa::df
