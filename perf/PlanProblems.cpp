#include "perf/PlanProblems.h"

#include "compiler/planner/affinize/Affinize.h"
#include "compiler/planner/affinize/ArgumentFacts.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <tuple>

namespace tawa::perf {
namespace {

void addPrograms(Problem &problem, AffinizeInput input, const std::vector<Tile> &tiles) {
  for (const Tile &tile : tiles) {
    input.tile = tile;
    problem.programs.push_back(need(affinize(input)).program);
    problem.tiles.push_back(tile);
  }
}

std::vector<Tile> gemmTiles(const Gemm &gemm, const std::vector<int64_t> &sides, const std::vector<int64_t> &depths) {
  std::vector<Tile> tiles;
  for (int64_t m : sides)
    for (int64_t n : sides)
      for (int64_t k : depths)
        if (m <= gemm.m && n <= gemm.n && k <= gemm.k)
          tiles.push_back({{"BLOCK_M", m}, {"BLOCK_N", n}, {"BLOCK_K", k}});
  return tiles;
}

/// The text with another width of heads than it lists: what is planned is not compiled for GPUs.
std::string withWidth(std::string text, int64_t width) {
  constexpr std::string_view kListed = "HEAD_DIM = 128 | 64 | 256";
  size_t at = text.find(kListed);
  if (at == std::string::npos)
    fail("the attention text has no list of head dims");
  return text.replace(at, kListed.size(), "HEAD_DIM = " + std::to_string(width));
}

} // namespace

std::string readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    fail("cannot read " + path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Problem Problem::with(mesh::planner::Template only, const mesh::Machine &machine) const {
  Problem some{.name = name, .operations = operations};
  for (size_t i = 0; i < programs.size(); ++i)
    if (rulesOf(only, programs[i], machine)) {
      some.tiles.push_back(tiles[i]);
      some.programs.push_back(programs[i]);
    }
  return some;
}

std::string Gemm::name() const {
  char text[96];
  std::snprintf(text, sizeof text, "\"M\": %ld, \"N\": %ld, \"K\": %ld", long(m), long(n), long(k));
  return text;
}

Problem gemmProblem(const Gemm &gemm, const std::string &text, const std::vector<int64_t> &sides,
                    const std::vector<int64_t> &depths) {
  Problem problem{.name = gemm.name(), .operations = gemm.operations()};
  AffinizeInput input;
  input.text = text;
  input.arguments = {tensorFacts(ElementType::F16, {gemm.m, gemm.k}),
                     tensorFacts(ElementType::F16, {gemm.n, gemm.k}),
                     tensorFacts(ElementType::F16, {gemm.m, gemm.n}),
                     integerFacts(gemm.m),
                     integerFacts(gemm.n),
                     integerFacts(gemm.k)};
  addPrograms(problem, input, gemmTiles(gemm, sides, depths));
  return problem;
}

std::vector<Gemm> sweep() {
  std::vector<Gemm> gemms;
  for (int64_t k = 256; k <= 4096; k *= 2)
    for (int64_t m = 256; m <= 16384; m *= 2)
      for (int64_t n = 256; n <= m; n *= 2)
        gemms.push_back({m, n, k});
  std::ranges::sort(gemms, {}, [](const Gemm &gemm) { return std::tuple(gemm.operations(), gemm.k, gemm.m); });
  return gemms;
}

int64_t Attention::width() const { return 2048 / heads; }

Problem attentionProblem(const Attention &attention, const std::string &text) {
  Problem problem{.name = attention.name(), .operations = attention.operations()};
  std::string own = withWidth(text, attention.width());
  AffinizeInput input;
  input.text = own;
  ArgumentFacts matrix = tensorFacts(ElementType::F16, {attention.rows(), attention.width()});
  input.arguments = {matrix,
                     matrix,
                     matrix,
                     matrix,
                     tensorFacts(ElementType::F32, {attention.rows()}),
                     floatFacts(),
                     integerFacts(attention.keys),
                     integerFacts(attention.rows() / attention.keys)};
  std::vector<Tile> tiles;
  for (int64_t block : {64, 128})
    tiles.push_back({{"BLOCK_M", 128}, {"BLOCK_N", block}, {"HEAD_DIM", attention.width()}});
  addPrograms(problem, input, tiles);
  return problem;
}

} // namespace tawa::perf
