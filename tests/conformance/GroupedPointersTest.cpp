// Products whose sizes and addresses are in tables on the device (tests/kernels/gemm/grouped_pointers.mlir): roles that
// make tensor maps themselves, for loads and for stores, repeatedly. Compared with the reference evaluator.
#include "tests/conformance/PlaceTest.h"
#include "tests/conformance/TileProgram.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace tawa::conformance {
namespace {

using Sizes = std::array<int32_t, 3>; ///< M, N, K of a group.

std::string tensor(int64_t rows, int64_t columns) {
  return " f16[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
}

/// A launch of `programs` over groups that all lie in memory of their own.
TileProgram launchOf(const std::string &text, const std::string &config, int programs,
                     const std::vector<Sizes> &groups) {
  const std::string count = std::to_string(groups.size());
  std::string launch = "grid=" + std::to_string(programs) + " config=\"" + config + "\" args=";
  std::string tensors;
  int next = 5; // after the tables, the sizes and their number
  for (int operand = 0; operand < 3; ++operand) {
    launch += (operand == 0 ? "ptr[" : " ptr[") + count + "]=";
    for (size_t group = 0; group < groups.size(); ++group, ++next) {
      auto [m, n, k] = groups[group];
      launch += (group == 0 ? "" : ",") + std::to_string(next);
      tensors += operand == 0 ? tensor(m, k) : operand == 1 ? tensor(n, k) : tensor(m, n);
    }
  }
  launch += " i32[" + std::to_string(3 * groups.size()) + "]=0 i32:" + count + tensors;
  TileProgram program;
  program.name = "grouped_pointers";
  program.text = text;
  Status status = readLaunch(launch, /*seed=*/20251122, program);
  EXPECT_TRUE(status) << launch << ": " << status.message();
  std::memcpy(program.args[3].bytes.data(), groups.data(), program.args[3].bytes.size());
  return program;
}

/// The kernel's text with a parameter for each matrix, so that an emulated device knows where the tables lead.
std::string withMemory(std::string text, size_t matrices) {
  const std::string from = "      %a_memory: !tt.ptr<f16>, %b_memory: !tt.ptr<f16>, %c_memory: !tt.ptr<f16>";
  std::string parameters;
  for (size_t matrix = 0; matrix < matrices; ++matrix)
    parameters += (matrix == 0 ? "      %memory" : ", %memory") + std::to_string(matrix) + ": !tt.ptr<f16>";
  return text.replace(text.find(from), from.size(), parameters);
}

class GroupedPointersTest : public PlaceTest {
protected:
  void check(const std::string &config, int programs, const std::vector<Sizes> &groups) {
    TileProgram program = launchOf(withMemory(text, 3 * groups.size()), config, programs, groups);
    Expectation expectation(program);
    ASSERT_TRUE(expectation.status()) << config << ": " << expectation.status().message();
    try {
      Tally tally;
      EXPECT_EQ(expectation.compare(runOn(*runtime, program, GetParam().schedule), tally), "") << config;
    } catch (const Error &error) {
      FAIL() << config << ": " << error.what();
    }
  }

  const std::string text = readKernel("gemm/grouped_pointers");
};

const char *const kOneGroup = "BLOCK_M=64 BLOCK_N=64 BLOCK_K=64 consumers=1 D=3 P=2";

/// Every tile of one CTA is of another tensor than the one before, and the tiles of some are smaller than a box.
TEST_P(GroupedPointersTest, EachTileOfAnotherGroup) {
  check(kOneGroup, 1, {{64, 64, 128}, {40, 64, 64}, {64, 24, 200}, {64, 64, 64}});
}

/// Copies of one group are under way while the next one is described: fewer iterations than the ring has slots.
TEST_P(GroupedPointersTest, ShortGroups) {
  check(kOneGroup, 2, {{128, 64, 16}, {64, 128, 64}, {64, 64, 16}, {128, 128, 16}});
}

TEST_P(GroupedPointersTest, SeveralTilesOfAGroup) {
  check("BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 consumers=2 D=2", 3, {{200, 264, 136}, {128, 128, 64}, {16, 400, 72}});
}

TEST_P(GroupedPointersTest, GroupsTakeTurns) {
  check("BLOCK_M=64 BLOCK_N=128 BLOCK_K=64 consumers=2 D=3 schedule=pingpong", 2, {{136, 128, 128}, {64, 264, 72}});
}

INSTANTIATE_TEST_SUITE_P(Grouped, GroupedPointersTest, testing::ValuesIn(places()),
                         [](const auto &info) { return info.param.name(); });

} // namespace
} // namespace tawa::conformance
