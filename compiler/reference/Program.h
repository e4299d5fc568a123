// One program of the grid during evaluation: the values it has computed, and the functions that run its operations.
// Internal to compiler/reference.
#pragma once

#include "compiler/reference/Evaluator.h"
#include "compiler/reference/Value.h"

#include "llvm/ADT/StringMap.h"

#include <optional>
#include <random>

namespace tawa::reference {

/// The program that touched a byte of an argument so far: its number from 1, or 0. kSeveral: more than one program read
/// it.
struct Touched {
  static constexpr uint32_t kSeveral = UINT32_MAX;
  uint32_t writer = 0;
  uint32_t reader = 0;
};

/// State shared by all programs of a launch.
struct Launch {
  std::vector<ReferenceArgument> &args;
  std::array<uint32_t, 3> grid;
  uint64_t stepsLeft;
  std::vector<std::vector<Touched>> touched; ///< Per argument, per byte; empty where races are not looked for.
  std::optional<std::mt19937> noise;         ///< Of a perturbed launch.
  double noiseScale;

  bool isPerturbed() const { return noise.has_value(); }
};

class Program {
public:
  Program(Launch &launch, std::array<uint32_t, 3> id, uint32_t number) : launch(launch), id(id), number(number) {}

  /// Runs a block whose arguments are set; the operands of its terminator are in `handedOut` afterwards.
  Status run(mlir::Block &block);
  /// Runs a region from its first block, whose arguments are set, following branches to its exit.
  Status run(mlir::Region &region);
  /// Runs a function on values of its parameters.
  Status call(tt::FuncOp function, const std::vector<ValueRef> &operands);

  const Value &get(mlir::Value name) const { return *values.find(name)->second; }
  ValueRef share(mlir::Value name) const { return values.find(name)->second; }
  void set(mlir::Value name, ValueRef value) { values[name] = std::move(value); }
  void set(mlir::Value name, Value value) {
    value.type = name.getType();
    if (launch.isPerturbed())
      disturbNaNs(value);
    values[name] = std::make_shared<const Value>(std::move(value));
  }

  /// A scalar operand.
  int64_t integer(mlir::Value name) const { return get(name).integers.front(); }

  /// Deducts steps from the limit.
  Status spend(uint64_t steps);

  /// A computed number rounded to its type. Where digits are lost and the launch is perturbed, it moves by up to `ulps`
  /// units of the last place.
  double round(double value, mlir::Type type, double ulps = 1);
  /// The result of a function that devices approximate: moves by up to `ulps` even where it needs no rounding.
  double approximate(double value, mlir::Type type, double ulps);
  /// A number of at most this size, either sign; 0 where the launch is not perturbed.
  double disturbance(double size);

  Launch &launch;
  const std::array<uint32_t, 3> id;
  const uint32_t number; ///< From 1.
  std::vector<ValueRef> handedOut;
  mlir::Block *next = nullptr; ///< Set by a branch: where it goes on.
  /// Elements of a scalar: more than 1 while a region of scalar operations is run for many elements at once.
  int64_t lanes = 1;

private:
  Status runOperation(mlir::Operation *op);
  void disturbNaNs(Value &value);

  llvm::DenseMap<mlir::Value, ValueRef> values;
  unsigned depth = 0; ///< Of nested blocks and calls.
};

/// Runs one operation whose operands are known.
using OpFunction = Status (*)(mlir::Operation *op, Program &program);
using OpTable = llvm::StringMap<OpFunction>;

void addIntegers(OpTable &table);
void addFloats(OpTable &table);
void addFunctions(OpTable &table);
void addExterns(OpTable &table);
void addConversions(OpTable &table);
void addShapes(OpTable &table);
void addPointers(OpTable &table);
void addDescriptors(OpTable &table);
void addAtomics(OpTable &table);
void addProducts(OpTable &table);
void addRegions(OpTable &table);
void addControlFlow(OpTable &table);

/// The errors a program can be at fault for, and those of the evaluator; both name the operation.
Status wrongProgram(mlir::Operation *op, const std::string &what);
Status unsupported(mlir::Operation *op, const std::string &what);

} // namespace tawa::reference
