#include "tests/unit/metalium/PrintedProgram.h"

#include "runtime/mesh/core/LowerPlan.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tawa::metalium::tests {
namespace {

const char *const kFiles[] = {"reader_kernel.cpp", "compute_kernel.cpp", "writer_kernel.cpp", "host_program.cpp"};

// The machine's addresses have 32 bits; the model keeps its memory below 4 GB.
const std::string kCompile = std::string(TAWA_TEST_COMPILER) +
                             " -std=c++20 -Wall -Wextra -Werror -Wno-int-to-pointer-cast -I " TAWA_TEST_ROOT
                             " -I " TAWA_TEST_ROOT "/tests/planner/metalium ";

std::string contents(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

} // namespace

Code print(const mesh::Plan &plan, const mesh::TileProgram &program, const mesh::Machine &machine) {
  mesh::Lowered lowered = mesh::lowerPlan(plan, program, machine);
  EXPECT_TRUE(lowered.isOk()) << mesh::name(lowered.fault) << ": " << lowered.detail;
  return printCode(lowered.program, program, machine);
}

mesh::TileOperand step(int position) { return {mesh::TileOperand::Kind::Step, position, 0, false}; }

mesh::TileOperand constant(double value) { return {mesh::TileOperand::Kind::Constant, -1, value, false}; }

mesh::TileProgram exactGemm(const mesh::examples::GemmSizes &sizes) {
  mesh::TileProgram program = mesh::examples::gemm(sizes);
  program.body[0].body[2].op.reads = {step(0), step(1), {mesh::TileOperand::Kind::Carried}};
  program.body[0].carries = {{constant(0), step(2)}};
  program.body[1].stored = step(0);
  return program;
}

PrintedProgram::PrintedProgram(const Code &code) {
  const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->test_suite_name()) + "." + test->name();
  std::replace(name.begin(), name.end(), '/', '_');
  folder = testing::TempDir() + "tawa-metalium/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string *texts[] = {&code.reader, &code.compute, &code.writer, &code.host};
  for (int i = 0; i < 4; ++i)
    std::ofstream(folder + "/" + kFiles[i]) << *texts[i];
}

std::string PrintedProgram::command(const std::string &line) const {
  std::string log = folder + "/log.txt";
  int status = std::system(("cd " + folder + " && " + line + " > " + log + " 2>&1").c_str());
  return status == 0 ? "" : line + "\n" + contents(log);
}

std::string PrintedProgram::compile() const {
  std::string messages;
  for (const char *file : kFiles)
    messages += command(kCompile + "-fsyntax-only " + (file == kFiles[3] ? "" : "-std=c++17 ") + file);
  return messages;
}

std::string PrintedProgram::run(const std::string &mainBody) const {
  writeKernels();
  std::ofstream main(folder + "/main.cpp");
  main << "#include \"tests/planner/metalium/model/Matrices.h\"\n#include \"host_program.cpp\"\n"
          "namespace reader { void kernel_main(); }\n"
          "namespace compute { void kernel_main(); }\n"
          "namespace writer { void kernel_main(); }\n"
          "using namespace metalium_model;\n"
          "static void run(const Program &program) {\n"
          "  metalium_model::run(program, {{\"reader_kernel.cpp\", reader::kernel_main},\n"
          "    {\"compute_kernel.cpp\", compute::kernel_main}, {\"writer_kernel.cpp\", writer::kernel_main}});\n"
          "}\n"
          "int main() {\n  distributed::MeshDevice device;\n"
       << mainBody << "}\n";
  main.close();
  std::string failed = command(kCompile + "-O1 main.cpp kernels.cpp -o main " TAWA_TEST_MODEL " -lpthread");
  return failed.empty() ? command("./main") : failed;
}

/// The kernels in one file, each in a namespace of its own: their headers stand before.
void PrintedProgram::writeKernels() const {
  std::ofstream kernels(folder + "/kernels.cpp");
  for (const char *header :
       {"dataflow/dataflow_api", "compute/bcast", "compute/binary_max_min", "compute/cb_api",
        "compute/compute_kernel_api", "compute/eltwise_binary_sfpu", "compute/matmul", "compute/eltwise_unary/comp",
        "compute/eltwise_unary/eltwise_unary", "compute/eltwise_unary/fill", "compute/eltwise_unary/exp",
        "compute/eltwise_unary/negative", "compute/eltwise_unary/sqrt", "compute/eltwise_unary/where", "compute/pack",
        "compute/reconfig_data_format", "compute/reduce", "compute/reg_api", "compute/tile_move_copy"})
    kernels << "#include \"api/" << header << ".h\"\n";
  for (const char *part : {"reader", "compute", "writer"})
    kernels << "namespace " << part << " {\n#include \"" << part << "_kernel.cpp\"\n}\n";
}

} // namespace tawa::metalium::tests
