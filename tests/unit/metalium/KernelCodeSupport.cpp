#include "tests/unit/metalium/KernelCodeSupport.h"

#include <gtest/gtest.h>

namespace tawa::metalium::tests {

mesh::Plan planOf(const mesh::TileProgram &program) {
  mesh::Plan plan;
  plan.splits =
      program.gridDims == 1 ? std::vector<mesh::GridSplit>{{{0, 1}}} : std::vector<mesh::GridSplit>{{{0}}, {{1}}};
  for (int grid = 0; grid < program.gridDims; ++grid)
    plan.waves.push_back(grid);
  for (const mesh::TileProgram::Place &place : program.loads())
    plan.loads.push_back(
        {mesh::Movement::PerCore, {}, {}, static_cast<int>(plan.waves.size() + place.loops.size()), 1, 0, 2});
  plan.stores.assign(program.stores().size(), {2, 0});
  return plan;
}

Code codeOf(const mesh::TileProgram &program) { return print(planOf(program), program, mesh::examples::grid(2, 2)); }

void expectRight(const Result<AffineKernel> &kernel, const std::string &mainBody) {
  ASSERT_TRUE(kernel) << describe(kernel);
  expectRight(codeOf(kernel->program), mainBody);
}

void expectRight(const Code &code, const std::string &mainBody) {
  ASSERT_TRUE(code.isOk()) << name(code.refusal) << ": " << code.detail;
  PrintedProgram printed(code);
  EXPECT_EQ(printed.compile(), "");
  EXPECT_EQ(printed.run(mainBody), "");
}

std::string mainOfGemm(const std::string &name) {
  return "  Matrix a(200, 160, tt::DataFormat::Float16), b(300, 160, tt::DataFormat::Float16),\n"
         "      c(200, 300, tt::DataFormat::Float16);\n"
         "  a.fill(1); b.fill(2); a.upload(); b.upload();\n"
         "  run(create_" +
         name +
         "(device, \".\", a.buffer(), b.buffer(), c.buffer()));\n"
         "  c.download();\n"
         "  return compare(c, [&](size_t r, size_t q) {\n"
         "    float sum = 0;\n"
         "    for (size_t k = 0; k < a.columns; ++k) sum += a.at(r, k) * b.at(q, k);\n"
         "    return sum;\n  });\n";
}

const char *const kMainOfAttention =
    "  const size_t length = 128, width = 64;\n"
    "  Matrix q(256, 64, tt::DataFormat::Float16), k(256, 64, tt::DataFormat::Float16),\n"
    "      v(256, 64, tt::DataFormat::Float16), o(256, 64, tt::DataFormat::Float16),\n"
    "      lse(256, 1, tt::DataFormat::Float32);\n"
    "  q.fill(1); k.fill(2); v.fill(3); q.upload(); k.upload(); v.upload();\n"
    "  run(create_fwd(device, \".\", q.buffer(), k.buffer(), v.buffer(), lse.buffer(), o.buffer(), 0.0625f));\n"
    "  o.download(); lse.download();\n"
    "  std::vector<double> weights(length);\n"
    "  auto attend = [&](size_t row) {\n"
    "    size_t first = row / length * length;\n"
    "    double sum = 0;\n"
    "    for (size_t n = 0; n < length; ++n) {\n"
    "      double score = 0;\n"
    "      for (size_t c = 0; c < width; ++c) score += double(q.at(row, c)) * k.at(first + n, c);\n"
    "      sum += weights[n] = std::exp(score * 0.0625);\n"
    "    }\n"
    "    return sum;\n  };\n"
    "  for (size_t row = 0; row < 256; ++row) {\n"
    "    double sum = attend(row);\n"
    "    if (!(std::abs(lse.at(row, 0) - std::log2(sum)) < 0.02)) {\n"
    "      std::fprintf(stderr, \"lse of %zu is %g, expected %g\\n\", row, lse.at(row, 0), std::log2(sum));\n"
    "      return 1;\n    }\n"
    "    for (size_t c = 0; c < width; ++c) {\n"
    "      double value = 0;\n"
    "      for (size_t n = 0; n < length; ++n) value += weights[n] / sum * v.at(row / length * length + n, c);\n"
    "      if (!(std::abs(o.at(row, c) - value) < 0.01)) {\n"
    "        std::fprintf(stderr, \"%zu, %zu is %g, expected %g\\n\", row, c, o.at(row, c), value);\n"
    "        return 1;\n      }\n    }\n  }\n"
    "  return 0;\n";

} // namespace tawa::metalium::tests
