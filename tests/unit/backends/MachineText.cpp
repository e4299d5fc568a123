// Parses machine-phase text and runs it through one back end.

#include "tests/unit/backends/MachineText.h"

#include "compiler/target/hopper/Passes.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace tawa::test {

std::string gemmText() { return machineFile("gemm-machine.mlir"); }

std::string machineFile(const std::string &name) {
  std::string path = std::string(TAWA_MACHINE_TESTS) + "/" + name;
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

size_t countOf(const std::string &text, const std::string &what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size()))
    ++count;
  return count;
}

std::string replaceOnce(std::string text, const std::string &from, const std::string &to) {
  EXPECT_EQ(countOf(text, from), 1u) << from;
  if (size_t at = text.find(from); at != std::string::npos)
    text.replace(at, from.size(), to);
  return text;
}

static Result<std::string> compile(const std::string &text, void (*build)(mlir::OpPassManager &),
                                   const std::function<Result<std::string>(mlir::ModuleOp)> &emit) {
  mlir::DialectRegistry registry;
  registry.insert<sm90::SM90Dialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect, mlir::scf::SCFDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return Status(StatusCode::InvalidIR, "does not parse");
  mlir::PassManager passes(&context);
  build(passes);
  if (mlir::failed(passes.run(*module)))
    return Status(StatusCode::CompileFailed, "does not lower");
  return emit(*module);
}

Result<std::string> compileToPtx(const std::string &text, const PtxOptions &options) {
  return compile(text, buildSM90ToLLVMPTX, [&](mlir::ModuleOp module) { return emitPtx(module, options); });
}

Result<std::string> compileToHost(const std::string &text, const HostOptions &options) {
  return compile(text, buildSM90ToLLVMHost, [&](mlir::ModuleOp module) { return emitHostObject(module, options); });
}

std::string findPtxas() {
  if (const char *given = std::getenv("TAWA_PTXAS"))
    return given;
  for (const char *place : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"})
    if (std::filesystem::exists(place))
      return place;
  return {};
}

std::pair<std::string, int> assemble(const std::string &ptxas, const std::string &ptx) {
  std::string stem = (std::filesystem::temp_directory_path() / ("tawa-ptx-" + std::to_string(getpid()))).string();
  std::ofstream(stem + ".ptx") << ptx;
  FILE *pipe = popen((ptxas + " -arch=sm_90a -v " + stem + ".ptx -o " + stem + ".cubin 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 512> buffer;
  while (pipe && fgets(buffer.data(), buffer.size(), pipe))
    output += buffer.data();
  int status = pipe ? pclose(pipe) : -1;
  std::filesystem::remove(stem + ".ptx");
  std::filesystem::remove(stem + ".cubin");
  return {output, status};
}

} // namespace tawa::test
