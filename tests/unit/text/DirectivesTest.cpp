// Tile parameters: declarations by directives, expansion of placeholders, and the position of every error.
#include "compiler/frontend/text/Directives.h"
#include "runtime/artifact/ConfigKeys.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace tawa;

namespace {

TemplateText parsed(std::string_view text) {
  Result<TemplateText> result = parseDirectives(text, "k.mlir");
  EXPECT_TRUE(result.isOk()) << result.status().message();
  return result ? *result : TemplateText();
}

std::string parseError(std::string_view text) {
  Result<TemplateText> result = parseDirectives(text, "k.mlir");
  return result ? "no error" : result.status().message();
}

std::string expanded(std::string_view text, const std::map<std::string, int64_t> &values = {}) {
  Result<std::string> result = expand(parsed(text), values, "k.mlir");
  return result ? *result : result.status().message();
}

std::string readFile(const std::string &path) {
  std::ifstream file(std::string(TAWA_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file.is_open()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace

TEST(Directives, PlainTextIsItself) {
  for (std::string text : {"module {\n}\n", "", "\n\n// a comment\nfoo\n", "no newline at the end"}) {
    EXPECT_TRUE(parsed(text).parameters.empty());
    EXPECT_EQ(expanded(text), text);
  }
  std::string kernel = readFile("tests/kernels/gemm_tma.mlir");
  EXPECT_EQ(expanded(kernel), kernel);
}

TEST(Directives, SettingsAreCutDownToOneValue) {
  TemplateText source = parsed("// tawa.setting CAUSAL = 0 | 1\n"
                               "// tawa.param BLOCK = 64 | 128\n"
                               "//tawa.setting DIM=64|128\n"
                               "use ${BLOCK} ${CAUSAL} ${DIM}\n");
  ASSERT_EQ(source.parameters.size(), 3u);
  EXPECT_TRUE(source.parameters[0].isSetting);
  EXPECT_FALSE(source.parameters[1].isSetting);
  auto with = [&](const std::map<std::string, int64_t> &values) {
    Result<std::string> text = withSettings(source, values, "k.mlir");
    return text ? *text : text.status().message();
  };
  std::string rest = "// tawa.param BLOCK = 64 | 128\n//tawa.setting DIM= ";
  EXPECT_EQ(with({}), "// tawa.setting CAUSAL = 0\n" + rest + "64\nuse ${BLOCK} ${CAUSAL} ${DIM}\n");
  EXPECT_EQ(with({{"CAUSAL", 1}, {"DIM", 128}, {"BLOCK", 128}}),
            "// tawa.setting CAUSAL = 1\n" + rest + "128\nuse ${BLOCK} ${CAUSAL} ${DIM}\n");
  EXPECT_EQ(expanded(with({{"DIM", 128}})), "// tawa.setting CAUSAL = 0\n" + rest + "128\nuse 64 0 128\n");
  EXPECT_EQ(with({{"CAUSAL", 2}}),
            "k.mlir:1:17: error: configuration: CAUSAL=2 is not one of the values that the text lists: 0, 1");
}

TEST(Directives, ParametersAndGrid) {
  TemplateText source = parsed("// A kernel.\n"
                               "//   tawa.param BLOCK_M = 64 | 128\n"
                               "\n"
                               "// tawa.param S=-3\n"
                               "//tawa.grid  ceildiv(M, BLOCK_M), dim(a, 0) , 2\n"
                               "use ${BLOCK_M} and ${S}\n");
  ASSERT_EQ(source.parameters.size(), 2u);
  EXPECT_EQ(source.parameters[0].name, "BLOCK_M");
  EXPECT_EQ(source.parameters[0].values, (std::vector<int64_t>{64, 128}));
  EXPECT_EQ(source.parameters[0].line, 2);
  EXPECT_EQ(source.parameters[0].column, 17);
  EXPECT_EQ(source.parameters[1].values, (std::vector<int64_t>{-3}));
  EXPECT_EQ(source.grid, "ceildiv(M, BLOCK_M), dim(a, 0) , 2");
}

TEST(Directives, WindowsLineEnds) {
  EXPECT_EQ(expanded("// tawa.param B = 1 | 2\r\n${B}\r\n", {{"B", 2}}), "// tawa.param B = 1 | 2\r\n2\r\n");
}

TEST(Directives, ExpandsExpressions) {
  std::string text = "// tawa.param B = 64 | 128\n"
                     "tensor<${B}x${ceildiv(B, 3) * 2}xf16> ${log2(B)}${min(B, 100) - 1}\n";
  EXPECT_EQ(expanded(text), "// tawa.param B = 64 | 128\ntensor<64x44xf16> 663\n");
  EXPECT_EQ(expanded(text, {{"B", 128}}), "// tawa.param B = 64 | 128\ntensor<128x86xf16> 799\n");
}

// Lines stay where they are, so that later diagnostics name the user's.
TEST(Directives, ExpansionKeepsLines) {
  std::string text = readFile("tests/kernels/gemm_param.mlir");
  std::string result = expanded(text, {{"BLOCK_M", 128}, {"BLOCK_N", 256}, {"BLOCK_K", 64}, {"GROUP", 8}});
  EXPECT_EQ(std::ranges::count(result, '\n'), std::ranges::count(text, '\n'));
  EXPECT_EQ(result.find("${"), std::string::npos);
  EXPECT_NE(result.find("!tt.tensordesc<tensor<128x64xf16>>"), std::string::npos);
}

TEST(Directives, CommentsAndStringsAreNotExpanded) {
  std::string text = "// tawa.param B = 64\n"
                     "\"${B} \\\" ${B}\" ${B} // ${B} ${nonsense\n";
  EXPECT_EQ(expanded(text), "// tawa.param B = 64\n\"${B} \\\" ${B}\" 64 // ${B} ${nonsense\n");
}

TEST(Directives, GridUsesCount) {
  EXPECT_EQ(parsed("// tawa.param SPLIT = 1 | 2\n// tawa.grid M, SPLIT\ncode\n").parameters.size(), 1u);
}

TEST(Directives, WrongDeclarations) {
  EXPECT_EQ(parseError("// tawa.foo B = 1\n"),
            "k.mlir:1:4: error: unknown directive 'tawa.foo'; there are tawa.param, tawa.setting and tawa.grid");
  EXPECT_EQ(parseError("// tawa.param B\n"), "k.mlir:1:15: error: expected `tawa.param NAME = VALUE | VALUE ...`");
  EXPECT_EQ(parseError("// tawa.param 2B = 1\n"), "k.mlir:1:15: error: '2B' cannot name a tile parameter");
  EXPECT_EQ(parseError("// tawa.param min = 1\n"), "k.mlir:1:15: error: 'min' cannot name a tile parameter");
  EXPECT_EQ(parseError("// tawa.param = 1\n"), "k.mlir:1:14: error: '' cannot name a tile parameter");
  EXPECT_EQ(parseError("\n// tawa.param B = 1\n// tawa.param B = 2\n${B}"),
            "k.mlir:3:15: error: tile parameter 'B' is declared twice; the first time on line 2");
}

TEST(Directives, WrongValues) {
  std::string rest = " is not an integer; the values of tile parameter 'B' are integers separated by '|'";
  EXPECT_EQ(parseError("// tawa.param B = 64 | big\n"), "k.mlir:1:24: error: 'big'" + rest);
  EXPECT_EQ(parseError("// tawa.param B = 6.5\n"), "k.mlir:1:19: error: '6.5'" + rest);
  EXPECT_EQ(parseError("// tawa.param B = 64 |\n"), "k.mlir:1:23: error: ''" + rest);
  EXPECT_EQ(parseError("// tawa.param B =\n"), "k.mlir:1:18: error: ''" + rest);
  EXPECT_EQ(parseError("// tawa.param B = 99999999999999999999\n"),
            "k.mlir:1:19: error: '99999999999999999999'" + rest);
  EXPECT_EQ(parseError("// tawa.param B = 64 | 32 | 64\n"), "k.mlir:1:29: error: value 64 is listed twice");
}

// What fails for every launch fails when the text is read or its values are chosen, at its place.
TEST(Directives, GridsThatAlwaysFail) {
  EXPECT_EQ(parseError("// tawa.grid M, ceildiv(N, 4 - 4)\n"), "k.mlir:1:17: error: division by zero");
  std::string text = "// tawa.param P = 0 | 2 | 9223372036854775807\n//  tawa.grid M, N / P + P * P\n";
  EXPECT_EQ(expanded(text), "k.mlir:2:20: error: division by zero");
  EXPECT_EQ(expanded(text, {{"P", 9223372036854775807}}), "k.mlir:2:28: error: the result does not fit into 64 bits");
  EXPECT_EQ(expanded(text, {{"P", 2}}), text);
  std::string unknown =
      "// tawa.param P = 0\n// tawa.grid P / M, M * 9223372036854775807, dim(a, 0) / P * 0 + min(P, M)\n";
  EXPECT_EQ(expanded(unknown), "k.mlir:2:56: error: division by zero");
}

TEST(Directives, NumbersHaveFewDigits) {
  std::string more = std::string(64, '0') + "1", reason = ": error: a number of more than 64 digits";
  EXPECT_EQ(parsed("// tawa.param B = " + more.substr(1) + "\n${B}").parameters.at(0).values.at(0), 1);
  EXPECT_EQ(parseError("// tawa.param B = 2 | " + more + "\n${B}"), "k.mlir:1:23" + reason);
  EXPECT_EQ(parseError("// tawa.grid M, 2 * " + more + "\n"), "k.mlir:1:21" + reason);
  EXPECT_EQ(parseError("code\n ${1 + " + more + "}\n"), "k.mlir:2:8" + reason);
}

TEST(Directives, WrongGrids) {
  EXPECT_EQ(parseError("// tawa.grid M\n// tawa.grid N\n"), "k.mlir:2:14: error: the grid is given twice");
  EXPECT_EQ(parseError("// tawa.grid M, N, K, 1\n"),
            "k.mlir:1:14: error: a grid has at most 3 dimensions, but there are 4");
  EXPECT_EQ(parseError("// tawa.grid M *\n"), "k.mlir:1:17: error: expected a number, a name or '('");
  EXPECT_EQ(parseError("// tawa.grid\n"), "k.mlir:1:13: error: expected a number, a name or '('");
}

TEST(Directives, WrongUses) {
  EXPECT_EQ(
      parseError("code\n  ${C}\n"),
      "k.mlir:2:5: error: 'C' is not a declared tile parameter; declare it with `// tawa.param C = ...` at the head "
      "of the text");
  EXPECT_EQ(parseError("// tawa.param B = 1\n\ncode\n"),
            "k.mlir:1:15: error: tile parameter 'B' is declared but never used");
  EXPECT_EQ(parseError("// tawa.param B = 1\n${B\n}"), "k.mlir:2:1: error: '${' is not closed on its line");
  EXPECT_EQ(parseError("// tawa.param B = 1\n ${B +}"), "k.mlir:2:7: error: expected a number, a name or '('");
  EXPECT_EQ(parseError("// tawa.param B = 1\n ${}"), "k.mlir:2:4: error: expected a number, a name or '('");
  EXPECT_EQ(parseError("// tawa.param B = 1\n ${B, B}"), "k.mlir:2:4: error: '${' holds one expression, not 2");
  EXPECT_EQ(parseError("code ${1}\n  // tawa.param B = 1\n"),
            "k.mlir:2:6: error: directives stand before the first line of code");
}

TEST(Directives, WrongChoices) {
  std::string text = "// tawa.param B = 64 | 0\n x ${64 / B}\n";
  EXPECT_EQ(expanded(text, {{"B", 96}}),
            "k.mlir:1:15: error: configuration: B=96 is not one of the values that the text lists: 64, 0");
  std::vector<std::string> names{"B"};
  EXPECT_EQ(expanded(text, {{"num_stages", 64}}), "k.mlir: " + unknownKey("num_stages", names));
  EXPECT_EQ(expanded(text, {{"B", 0}}), "k.mlir:2:9: error: division by zero");
}

TEST(Directives, ErrorsCarryDiagnostics) {
  Result<TemplateText> result = parseDirectives("code\n ${B}\n", "k.mlir");
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.status().code(), StatusCode::InvalidIR);
  const Diagnostic &diagnostic = result.status().diagnostics().at(0);
  EXPECT_EQ(diagnostic.file, "k.mlir");
  EXPECT_EQ(diagnostic.line, 2);
  EXPECT_EQ(diagnostic.column, 4);
}

TEST(Directives, TextIsBounded) {
  EXPECT_EQ(parseError(std::string(1 << 21, 'x')),
            "k.mlir:1:1: error: the text has 2097152 bytes; at most 1048576 are read");
}

// The page for users shows a kernel, a choice of values and the text that comes out: the two must agree.
TEST(Directives, WorkedExampleOfThePage) {
  std::string page = readFile("include/tawa/kernel-text.md");
  std::vector<std::string> blocks;
  for (size_t at = page.find("```mlir\n"); at != std::string::npos; at = page.find("```mlir\n", at)) {
    at += 8;
    size_t end = page.find("```", at);
    ASSERT_NE(end, std::string::npos);
    blocks.push_back(page.substr(at, end - at));
    at = end + 3;
  }
  ASSERT_EQ(blocks.size(), 2u) << "the example before and after expansion";
  EXPECT_EQ(expanded(blocks[0], {{"BLOCK", 256}}), blocks[1]);
}

TEST(Directives, TileSizesThatTheTextDoesNotDeclareAreForTheCompiler) {
  using Values = std::map<std::string, int64_t>;
  TemplateText source = parsed("// tawa.param BLOCK_M = 64 | 128\n${BLOCK_M}\n");
  EXPECT_EQ(valuesOfText(source, {{"BLOCK_M", 128}, {"BLOCK_N", 64}, {"BLOCK_K", 32}}), (Values{{"BLOCK_M", 128}}));
  EXPECT_EQ(valuesOfText(source, {{"BLOCK", 1}}), (Values{{"BLOCK", 1}})); // to be refused
}
