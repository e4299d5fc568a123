// Builds, compiles and calls the kernels of ScalarKernel.h.

#include "tests/unit/math/ScalarKernel.h"

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/ExpandMath/ExpandMath.h"
#include "compiler/target/hopper/Passes.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/host/EmitHostObject.h"
#include "compiler/target/hopper/ptx/EmitPtx.h"
#include "runtime/emulator/Emulator.h"
#include "runtime/emulator/ThreadState.h"
#include "runtime/hardware/Catalogue.h"
#include "runtime/hardware/TargetOf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <unistd.h>

namespace tawa::test {
namespace {

/// FP8 travels through memory as i8.
std::string memoryType(const std::string &type) { return type.starts_with("f8") ? "i8" : type; }

Result<std::string> compile(const std::string &text, void (*lower)(mlir::OpPassManager &),
                            const std::function<Result<std::string>(mlir::ModuleOp)> &emit, std::string *errors,
                            const std::string &gpu = {}) {
  mlir::DialectRegistry registry;
  registry.insert<tt::TTDialect, sm90::SM90Dialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::func::FuncDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string said;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) { said += diagnostic.str() + "\n"; });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return Status(StatusCode::InvalidIR, "does not parse: " + said + text);
  if (!gpu.empty())
    ws::setTarget(*module, targetOf(*HardwareCatalogue::open("")->find(gpu)));
  mlir::PassManager passes(&context);
  passes.addPass(createExpandMath());
  passes.addPass(createExpandInstructions());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  if (lower)
    lower(passes);
  if (mlir::failed(passes.run(*module))) {
    if (errors)
      *errors = said;
    return Status(StatusCode::CompileFailed, "does not lower: " + said + text);
  }
  return emit(*module);
}

void noBackEdge(void *) {}

std::vector<emu::Symbol> symbols() {
  std::vector<emu::Symbol> all;
  for (const emu::Symbol &symbol : emu::symbols())
    if (std::string_view(symbol.name) != "tawa_emu_back_edge")
      all.push_back(symbol);
  all.push_back({"tawa_emu_back_edge", reinterpret_cast<void *>(&noBackEdge)});
  return all;
}

} // namespace

std::string scalarKernel(const std::string &body, const std::vector<std::string> &operandTypes,
                         const std::string &resultType, const std::string &kernel) {
  std::string parameters, loads;
  for (size_t index = 0; index < operandTypes.size(); ++index) {
    std::string name(1, static_cast<char>('a' + index)), type = operandTypes[index], memory = memoryType(type);
    parameters += "%p" + name + ": !llvm.ptr<1>, ";
    loads += "    %q" + name + " = llvm.getelementptr %p" + name + "[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, " +
             memory + "\n    %" + name + (memory == type ? "" : "bits") + " = llvm.load %q" + name +
             " : !llvm.ptr<1> -> " + memory + "\n";
    if (memory != type)
      loads += "    %" + name + " = arith.bitcast %" + name + "bits : " + memory + " to " + type + "\n";
  }
  std::string memory = memoryType(resultType), result = "%r", cast;
  if (memory != resultType) {
    result = "%rbits";
    cast = "    %rbits = arith.bitcast %r : " + resultType + " to " + memory + "\n";
  }
  return "func.func @" + kernel + "(" + parameters + R"(%out: !llvm.ptr<1>, %n: i64)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
)" + loads +
         "    " + body + "\n" + cast +
         "    %place = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, " + memory +
         "\n    llvm.store " + result + ", %place : " + memory + ", !llvm.ptr<1>\n  }\n  return\n}\n";
}

std::string libraryCall(const std::string &symbol, const std::vector<std::string> &operandTypes,
                        const std::string &resultType) {
  std::string names, types;
  for (size_t index = 0; index < operandTypes.size(); ++index) {
    std::string comma = index ? ", " : "";
    names += comma + "%" + std::string(1, static_cast<char>('a' + index));
    types += comma + operandTypes[index];
  }
  return "%r = tt.extern_elementwise " + names + R"( {libname = "", libpath = "", pure = true, symbol = ")" + symbol +
         "\"} : (" + types + ") -> " + resultType;
}

Result<std::string> expandedPtx(const std::string &text) {
  return compile(text, buildSM90ToLLVMPTX, [](mlir::ModuleOp module) { return emitPtx(module); }, nullptr);
}

Result<std::shared_ptr<LoadedObject>> expandedHost(const std::string &text, const HostCode &how,
                                                   const std::string &entry) {
  HostOptions options;
  options.optimization = how.optimization;
  options.detectHost = how.detectHost;
  auto object = compile(
      text, buildSM90ToLLVMHost, [&](mlir::ModuleOp module) { return emitHostObject(module, options); }, nullptr,
      how.gpu);
  if (!object)
    return object.status();
  return loadHostObject(*object, entry, symbols());
}

void callKernel(const LoadedObject &kernel, const std::vector<const void *> &operands, void *result, uint64_t count) {
  std::vector<uint64_t> parameters;
  for (const void *operand : operands)
    parameters.push_back(reinterpret_cast<uint64_t>(operand));
  parameters.push_back(reinterpret_cast<uint64_t>(result));
  parameters.push_back(count);
  emu::ThreadState thread{};
  kernel.entry(&thread, parameters.data());
}

std::string refusal(const std::string &text) {
  std::string errors;
  auto nothing = [](mlir::ModuleOp) { return Result<std::string>(std::string()); };
  auto result = compile(text, nullptr, nothing, &errors);
  return result ? std::string() : errors.empty() ? result.status().message() : errors;
}

std::string findPtxas() {
  if (const char *given = std::getenv("TAWA_PTXAS"))
    return given;
  for (const char *place : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"})
    if (std::filesystem::exists(place))
      return place;
  return {};
}

std::string assemble(const std::string &ptxas, const std::string &ptx) {
  std::string stem = (std::filesystem::temp_directory_path() / ("tawa-math-" + std::to_string(getpid()))).string();
  std::ofstream(stem + ".ptx") << ptx;
  FILE *pipe = popen((ptxas + " -arch=sm_90a -O0 " + stem + ".ptx -o " + stem + ".cubin 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 512> buffer;
  while (pipe && fgets(buffer.data(), buffer.size(), pipe))
    output += buffer.data();
  int status = pipe ? pclose(pipe) : -1;
  std::filesystem::remove(stem + ".ptx");
  std::filesystem::remove(stem + ".cubin");
  return status == 0 ? std::string() : "ptxas: " + output;
}

} // namespace tawa::test
