// Running text through the reference evaluator, for its tests.
#pragma once

#include "compiler/reference/Evaluator.h"

#include <gtest/gtest.h>

#include <string>

namespace tawa::reference {

/// Reads a text as the compiler does (directives with their first values), and evaluates its kernel. What cannot be
/// read is InvalidIR.
Status evaluateText(const std::string &text, std::vector<ReferenceArgument> args,
                    std::array<uint32_t, 3> grid = {1, 1, 1}, uint64_t stepLimit = uint64_t(1) << 24,
                    Perturbation perturbation = {});

template <typename T> ReferenceArgument tensorOf(std::vector<T> &values, std::vector<int64_t> shape = {}) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return ReferenceArgument::tensor(values.data(), values.size() * sizeof(T), std::move(shape), std::move(strides));
}

/// Wraps a body that defines %r, of N elements of type T, into a kernel that stores it. %x and %n are N-element inputs.
template <typename T>
std::vector<T> run(const std::string &type, const std::string &body, std::vector<T> input, std::string *error = nullptr,
                   Perturbation perturbation = {}) {
  std::string n = std::to_string(input.size());
  std::string pointers = "tensor<" + n + "x!tt.ptr<" + type + ">>";
  std::string text = "tt.func public @k(%in: !tt.ptr<" + type + ">, %out: !tt.ptr<" + type + ">) {\n" +
                     "%i = tt.make_range {end = " + n + " : i32, start = 0 : i32} : tensor<" + n + "xi32>\n" +
                     "%ins = tt.splat %in : !tt.ptr<" + type + "> -> " + pointers + "\n" +
                     "%from = tt.addptr %ins, %i : " + pointers + ", tensor<" + n + "xi32>\n" +
                     "%x = tt.load %from : " + pointers + "\n" + body + "\n%outs = tt.splat %out : !tt.ptr<" + type +
                     "> -> " + pointers + "\n" + "%to = tt.addptr %outs, %i : " + pointers + ", tensor<" + n +
                     "xi32>\n" + "tt.store %to, %r : " + pointers + "\ntt.return\n}\n";
  std::vector<T> output(input.size());
  Status status = evaluateText(text, {tensorOf(input), tensorOf(output)}, {1, 1, 1}, uint64_t(1) << 24, perturbation);
  if (error)
    *error = status.message();
  else
    EXPECT_EQ(status.message(), "");
  return output;
}

using Ints = std::vector<int32_t>;
using Longs = std::vector<int64_t>;
using Floats = std::vector<float>;

} // namespace tawa::reference
