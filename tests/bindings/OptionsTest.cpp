// The command-line reader and `--arg` specs.
#include "bindings/cli/Options.h"
#include "bindings/cli/Arguments.h"
#include "bindings/cli/Commands.h"
#include "bindings/cli/Json.h"
#include "bindings/cli/Progress.h"

#include <gtest/gtest.h>

using namespace tawa::cli;

namespace {

struct Parsed {
  std::string text;
  long long number = 0;
  bool flag = false;
  std::vector<std::string> list, positional;
  std::optional<std::string> problem;

  explicit Parsed(std::vector<const char *> words) {
    Options options;
    options.value("--output", "FILE", text, "");
    options.number("--number", "N", number, "");
    options.flag("--flag", flag, "");
    options.list("--list", "X", list, "");
    problem = options.parse(static_cast<int>(words.size()), words.data(), positional);
  }
};

TEST(Options, ReadsBothSpellings) {
  Parsed parsed({"k.mlir", "--number=5", "--list", "a", "--flag", "--list=b=c", "-o", "x"});
  ASSERT_FALSE(parsed.problem) << *parsed.problem;
  EXPECT_EQ(parsed.number, 5);
  EXPECT_TRUE(parsed.flag);
  EXPECT_EQ(parsed.list, (std::vector<std::string>{"a", "b=c"}));
  EXPECT_EQ(parsed.positional, (std::vector<std::string>{"k.mlir"}));
  EXPECT_EQ(parsed.text, "x");
}

TEST(Options, NamesWhatIsWrong) {
  EXPECT_EQ(Parsed({"--nope"}).problem, "unknown option --nope");
  EXPECT_EQ(Parsed({"--nubmer=1"}).problem, "unknown option --nubmer (did you mean --number?)");
  EXPECT_EQ(Parsed({"--out"}).problem, "unknown option --out (did you mean --output?)");
  EXPECT_EQ(Parsed({"--number"}).problem, "--number needs a value: N");
  EXPECT_EQ(Parsed({"--number", "5x"}).problem, "--number wants N, got '5x'");
  EXPECT_EQ(Parsed({"--flag=1"}).problem, "--flag takes no value");
}

TEST(ArgSpec, ReadsTensorsNumbersAndConstants) {
  ArgSpec tensor = parseArgSpec("a=bf16[512,256]");
  EXPECT_EQ(tensor.problem, "");
  EXPECT_EQ(tensor.value.kind, TAWA_ARG_TENSOR);
  EXPECT_EQ(tensor.value.dtype, TAWA_BF16);
  EXPECT_EQ(tensor.value.rank, 2u);
  EXPECT_EQ(tensor.value.shape[1], 256);
  ArgSpec constant = parseArgSpec("K=const:-3");
  EXPECT_EQ(constant.value.kind, TAWA_ARG_CONSTANT);
  EXPECT_EQ(constant.value.integer, -3);
  EXPECT_EQ(parseArgSpec("scale=0.125").value.number, 0.125);
}

TEST(ArgSpec, ReadsSizesThatOnlyALaunchTells) {
  ArgSpec rows = parseArgSpec("a=f16[?,256]");
  EXPECT_EQ(rows.problem, "");
  EXPECT_EQ(rows.value.shape[0], TAWA_UNKNOWN);
  EXPECT_EQ(rows.value.strides[0], 256); // dense, whatever the rows are
  EXPECT_EQ(rows.value.strides[1], 1);
  ArgSpec columns = parseArgSpec("a=f16[4,8,?]");
  EXPECT_EQ(columns.value.strides[0], TAWA_UNKNOWN);
  EXPECT_EQ(columns.value.strides[1], TAWA_UNKNOWN);
  EXPECT_EQ(columns.value.strides[2], 1);
}

TEST(Progress, StaysOutOfTheLastColumn) {
  EXPECT_EQ(progressLine("verify", 1, 2, "D=4", 80), "verify [============            ] 1/2 D=4");
  EXPECT_EQ(progressLine("verify", 1, 2, std::string(200, 'x'), 80).size(), 79u);
  EXPECT_EQ(progressLine("\u00e4\u00e4", 0, 0, "", 2), "\u00e4"); // whole characters
}

TEST(ArgSpec, RefusesNonsense) {
  for (const char *text :
       {"a", "=f16[2]", "a=f17[2]", "a=f16[2", "a=f16[]", "a=f16[2,-1]", "a=12x", "a=", "a=f16[1,1,1,1,1,1,1,1,1]"})
    EXPECT_NE(parseArgSpec(text).problem, "") << text;
}

TEST(Grid, ReadsOneToThreeNumbers) {
  uint32_t grid[3] = {};
  EXPECT_TRUE(parseGrid("8,2", grid));
  EXPECT_EQ(grid[0], 8u);
  EXPECT_EQ(grid[1], 2u);
  EXPECT_EQ(grid[2], 1u);
  for (const char *text : {"", "0", "8,", "1,2,3,4", "-1", "a"})
    EXPECT_FALSE(parseGrid(text, grid)) << text;
}

TEST(Json, EscapesAndNests) {
  JsonWriter writer;
  writer.beginObject().text("a\"b", "line\n\x01").beginArray("list").integer({}, -1).number({}, 0.0 / 0.0);
  EXPECT_EQ(writer.endArray().endObject().take(),
            "{\n  \"a\\\"b\": \"line\\n\\u0001\",\n  \"list\": [\n    -1,\n    null\n  ]\n}\n");
}

} // namespace
