// The files that a compile writes to its dump folder: phases, passes on request, counts of passes, and a reproducer of
// a failed pass.
#include "compiler/pipeline/Compiler.h"
#include "runtime/support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tawa;

static std::string read(const std::filesystem::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A kernel that calls a function which calls itself, or one that returns.
static std::string callKernel(bool recurses) {
  std::string body = recurses ? "  %r = tt.call @f(%x) : (i32) -> i32\n" : "  %r = arith.addi %x, %x : i32\n";
  return "tt.func private @f(%x: i32) -> i32 {\n" + body + R"(  tt.return %r : i32
}
tt.func public @kernel(%p: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %y = tt.call @f(%x) : (i32) -> i32
  tt.store %p, %y : !tt.ptr<i32>
  tt.return
})";
}

static Result<CompileOutput> compileInto(const std::string &folder, bool recurses, bool dumpsPasses) {
  std::string text = callKernel(recurses);
  CompileInput input;
  input.text = text;
  input.name = "calls.mlir";
  input.dumpDirectory = folder;
  input.dumpsPasses = dumpsPasses;
  return compileKernel(input);
}

/// What a command prints, and how it ends.
static std::pair<std::string, int> outputOf(const std::string &command) {
  std::string text;
  FILE *pipe = popen(command.c_str(), "r");
  for (int character = fgetc(pipe); character != EOF; character = fgetc(pipe))
    text += static_cast<char>(character);
  return {text, pclose(pipe)};
}

TEST(Dumps, AFailingPassLeavesAReproducerThatFailsTheSameWay) {
  TemporaryFolder folder;
  auto output = compileInto(folder.path, /*recurses=*/true, false);
  ASSERT_FALSE(output);
  std::string path = folder.path.string() + "/reproducer.mlir";
  std::string command = "tawa-opt " + path + " --pass-pipeline='builtin.module(tawa-inline-calls)'";
  EXPECT_NE(output.status().message().find("from within itself"), std::string::npos) << output.status().message();
  EXPECT_NE(output.status().message().find("to reproduce: " + command), std::string::npos) << output.status().message();
  std::string text = read(path);
  EXPECT_EQ(text.rfind("// " + command + "\n// kernel calls.mlir, target ptx, configuration D=0 P=1", 0), 0u) << text;

  auto [printed, status] = outputOf(TAWA_TEST_TAWA_OPT + command.substr(std::string("tawa-opt").size()) + " 2>&1");
  EXPECT_NE(status, 0);
  EXPECT_NE(printed.find("from within itself"), std::string::npos) << printed;
}

TEST(Dumps, ACompileThatGetsThroughLeavesNoReproducer) {
  TemporaryFolder folder;
  auto output = compileInto(folder.path, false, false);
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_TRUE(std::filesystem::exists(folder.path.string() + "/09-llvm.mlir"));
  EXPECT_FALSE(std::filesystem::exists(folder.path.string() + "/reproducer.mlir"));
  EXPECT_FALSE(std::filesystem::exists(folder.path.string() + "/passes"));
}

TEST(Dumps, CountsSayWhatPassesDidAndWhyNot) {
  TemporaryFolder folder;
  ASSERT_TRUE(compileInto(folder.path, false, false));
  std::string counts = read(folder.path.string() + "/counts.txt");
  EXPECT_NE(counts.find("       1 num-inlined: "), std::string::npos) << counts;
  EXPECT_NE(counts.find("           1 no tile is loaded inside a loop"), std::string::npos) << counts;
}

TEST(Dumps, PassesThatChangedTheKernelWhereAskedFor) {
  TemporaryFolder folder;
  ASSERT_TRUE(compileInto(folder.path, false, true));
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path.string() + "/passes"))
    names.push_back(entry.path().filename());
  auto has = [&](const std::string &pass) {
    return std::any_of(names.begin(), names.end(), [&](auto &name) { return name.find(pass) != std::string::npos; });
  };
  EXPECT_TRUE(has("-tawa-inline-calls.mlir"));
  EXPECT_TRUE(has("-tawa-lower-aref.mlir"));
  EXPECT_FALSE(has("-tawa-sink-shared-loads.mlir")) << "it changes nothing here";
}
