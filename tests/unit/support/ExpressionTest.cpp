// The integer expressions of kernel directives: values, precedence, overflow, and places of errors.
#include "runtime/support/Expression.h"

#include "gtest/gtest.h"

#include <map>

using namespace tawa;

namespace {

std::optional<int64_t> lookup(std::string_view name) {
  static const std::map<std::string, int64_t, std::less<>> values = {
      {"M", 1000}, {"N", 4096}, {"BLOCK_M", 128}, {"zero", 0}, {"least", INT64_MIN}, {"most", INT64_MAX}};
  auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int64_t> dimension(std::string_view tensor, int64_t axis) {
  if (tensor != "a" || axis > 1)
    return std::nullopt;
  return axis == 0 ? 300 : 70;
}

int64_t valueOf(std::string_view expression) {
  Result<int64_t> value = evaluate(expression, lookup, dimension);
  EXPECT_TRUE(value.isOk()) << value.status().message();
  return value ? *value : INT64_MIN;
}

// Column and reason of the error: "5: division by zero".
std::string errorOf(std::string_view expression) {
  Result<int64_t> value = evaluate(expression, lookup, dimension);
  if (value)
    return "value " + std::to_string(*value);
  EXPECT_EQ(value.status().code(), StatusCode::InvalidArgument);
  const Diagnostic &diagnostic = value.status().diagnostics().at(0);
  return std::to_string(diagnostic.column) + ": " + diagnostic.message;
}

} // namespace

TEST(Expression, Values) {
  EXPECT_EQ(valueOf("7"), 7);
  EXPECT_EQ(valueOf("  M "), 1000);
  EXPECT_EQ(valueOf("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(valueOf("ceildiv(M, BLOCK_M) * ceildiv(N, BLOCK_M)"), 8 * 32);
  EXPECT_EQ(valueOf("dim(a, 0) + dim( a , 1 )"), 370);
}

TEST(Expression, PrecedenceAndAssociation) {
  EXPECT_EQ(valueOf("2 + 3 * 4"), 14);
  EXPECT_EQ(valueOf("(2 + 3) * 4"), 20);
  EXPECT_EQ(valueOf("10 - 3 - 2"), 5);
  EXPECT_EQ(valueOf("100 / 10 / 5"), 2);
  EXPECT_EQ(valueOf("-2 * 3"), -6);
  EXPECT_EQ(valueOf("5 - -2"), 7);
  EXPECT_EQ(valueOf("- (1 + 2)"), -3);
  EXPECT_EQ(valueOf("17 % 5 * 2"), 4);
}

TEST(Expression, DivisionTruncatesAndCeildivRoundsUp) {
  EXPECT_EQ(valueOf("-7 / 2"), -3);
  EXPECT_EQ(valueOf("-7 % 2"), -1);
  EXPECT_EQ(valueOf("ceildiv(7, 2)"), 4);
  EXPECT_EQ(valueOf("ceildiv(8, 2)"), 4);
  EXPECT_EQ(valueOf("ceildiv(0, 2)"), 0);
  EXPECT_EQ(valueOf("ceildiv(-7, 2)"), -3);
  EXPECT_EQ(valueOf("ceildiv(-7, -2)"), 4);
}

TEST(Expression, Functions) {
  EXPECT_EQ(valueOf("min(3, 1, 2)"), 1);
  EXPECT_EQ(valueOf("max(3, M, 2)"), 1000);
  EXPECT_EQ(valueOf("min(5)"), 5);
  EXPECT_EQ(valueOf("log2(1)"), 0);
  EXPECT_EQ(valueOf("log2(128)"), 7);
  EXPECT_EQ(valueOf("log2(255)"), 7);
  EXPECT_EQ(valueOf("log2(most)"), 62);
}

TEST(Expression, OverflowIsAnError) {
  EXPECT_EQ(errorOf("most + 1"), "6: the result does not fit into 64 bits");
  EXPECT_EQ(errorOf("least - 1"), "7: the result does not fit into 64 bits");
  EXPECT_EQ(errorOf("most * 2"), "6: the result does not fit into 64 bits");
  EXPECT_EQ(errorOf("least / -1"), "7: the result does not fit into 64 bits");
  EXPECT_EQ(errorOf("least % -1"), "7: the result does not fit into 64 bits");
  EXPECT_EQ(errorOf("-least"), "1: the result does not fit into 64 bits");
  EXPECT_EQ(errorOf("ceildiv(least, -1)"), "1: the result does not fit into 64 bits");
  EXPECT_EQ(errorOf("9223372036854775808"), "1: the number does not fit into 64 bits");
}

TEST(Expression, DivisionByZeroIsAnError) {
  EXPECT_EQ(errorOf("M / zero"), "3: division by zero");
  EXPECT_EQ(errorOf("M % (1 - 1)"), "3: division by zero");
  EXPECT_EQ(errorOf("1 + ceildiv(M, zero)"), "5: division by zero");
}

TEST(Expression, WrongSpelling) {
  EXPECT_EQ(errorOf(""), "1: expected a number, a name or '('");
  EXPECT_EQ(errorOf("1 +"), "4: expected a number, a name or '('");
  EXPECT_EQ(errorOf("(1"), "3: expected ')'");
  EXPECT_EQ(errorOf("1 2"), "3: unexpected '2'");
  EXPECT_EQ(errorOf("M, N"), "2: unexpected ','");
  EXPECT_EQ(errorOf("1.5"), "1: only decimal integers are numbers");
  EXPECT_EQ(errorOf("0x10"), "1: only decimal integers are numbers");
  EXPECT_EQ(errorOf("ceildiv(1)"), "1: ceildiv takes 2 operands, not 1");
  EXPECT_EQ(errorOf("log2(1, 2)"), "1: log2 takes 1 operand, not 2");
  EXPECT_EQ(errorOf("log2(zero)"), "1: log2 of 0, which is not positive");
  EXPECT_EQ(errorOf("min"), "4: expected '('");
  EXPECT_EQ(errorOf("min()"), "5: expected a number, a name or '('");
  EXPECT_EQ(errorOf("dim(3, 0)"), "1: dim takes the name of a tensor and a dimension");
  EXPECT_EQ(errorOf("dim(a, M)"), "8: expected the number of a dimension");
}

TEST(Expression, UnknownNames) {
  EXPECT_EQ(errorOf("M + K"), "5: 'K' is not known");
  EXPECT_EQ(errorOf("2 * dim(a, 2)"), "5: there is no dimension 2 of 'a'");
  EXPECT_EQ(errorOf("dim(b, 0)"), "1: there is no dimension 0 of 'b'");
  EXPECT_FALSE(evaluate("M", {}).isOk());
  EXPECT_FALSE(evaluate("dim(a, 0)", lookup).isOk());
}

// Hostile nesting ends in an error, not in a stack overflow.
TEST(Expression, NestingIsBounded) {
  EXPECT_EQ(valueOf(std::string(60, '(') + "1" + std::string(60, ')')), 1);
  EXPECT_EQ(errorOf(std::string(100000, '(')), "65: nested deeper than 64");
  EXPECT_EQ(errorOf(std::string(100000, '-') + "1"), "65: nested deeper than 64");
}

TEST(Expression, Lists) {
  Result<std::vector<int64_t>> values = evaluateList("ceildiv(M, 128), 2 , min(1, 3)", lookup);
  ASSERT_TRUE(values.isOk()) << values.status().message();
  EXPECT_EQ(*values, (std::vector<int64_t>{8, 2, 1}));
  Result<std::vector<int64_t>> wrong = evaluateList("1, 2 / zero", lookup);
  ASSERT_FALSE(wrong.isOk());
  EXPECT_EQ(wrong.status().diagnostics().at(0).column, 6);
  EXPECT_FALSE(evaluateList("1,", lookup).isOk());
}

TEST(Expression, VariablesAreFoundWithoutValues) {
  size_t count = 0;
  Result<std::vector<ExpressionName>> names = variablesOf("ceildiv(P, Q) / 3, dim(t, 1) % P", &count);
  ASSERT_TRUE(names.isOk()) << names.status().message();
  EXPECT_EQ(count, 2u);
  ASSERT_EQ(names->size(), 3u);
  EXPECT_EQ((*names)[0].name, "P");
  EXPECT_EQ((*names)[0].column, 9);
  EXPECT_EQ((*names)[1].name, "Q");
  EXPECT_EQ((*names)[2].column, 32);
  EXPECT_FALSE(variablesOf("P +").isOk());
}

TEST(Expression, WhatFailsForAllValuesIsFoundWithoutThem) {
  auto failure = [](std::string_view text) {
    Result<std::vector<ExpressionName>> names = variablesOf(text, nullptr, lookup);
    return names ? "none" : std::to_string(names.status().diagnostics().at(0).column);
  };
  EXPECT_EQ(failure("later / zero"), "7");
  EXPECT_EQ(failure("later % (BLOCK_M - 128)"), "7");
  EXPECT_EQ(failure("max(later, log2(zero))"), "12");
  EXPECT_EQ(failure("most * 2 + later"), "6");
  EXPECT_EQ(failure("zero / later + most * later + log2(later) + min(zero, later) / dim(t, 7)"), "none");
  EXPECT_FALSE(variablesOf("1 / 0").isOk());
}

TEST(Expression, VariableNames) {
  EXPECT_TRUE(isVariableName("BLOCK_M"));
  EXPECT_TRUE(isVariableName("_x1"));
  EXPECT_FALSE(isVariableName(""));
  EXPECT_FALSE(isVariableName("1x"));
  EXPECT_FALSE(isVariableName("a b"));
  EXPECT_FALSE(isVariableName("ceildiv"));
}
