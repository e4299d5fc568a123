// tawa-plan-study: what the planner chooses for many problems, and what the simulator measures of it and of fixed
// dataflows; a line of JSON per problem, machine and choice. perf/harness/plan_study.py makes tables and plots of it.
//
// usage: tawa-plan-study STUDY KERNELS [--machine NAME]... [--limit OPERATIONS] [--seconds S] [--seed N]
//
//   gemms       140 products, the best ten plans of the model and the best of each template
//   irregular   one long product with a dimension from 256 to 2048
//   attention   64 and 128 heads, 512 to 8192 keys, 8192 tokens in total
//   ablation    products with spatial or temporal reuse switched off
//   exhaust     30 small products: every plan of the space simulated
//   drawn       the same for 24 products drawn at random, on four machines
//   time        enumeration and ranking of one product of 4096
//
// KERNELS is the folder tests/kernels. --limit leaves out problems with more multiplications, because their simulation
// takes long; what is left out is printed with "skipped". --seconds ends a study early, likewise: the smallest products
// come first. One thread.
#include "compiler/planner/affinize/Affinize.h"
#include "compiler/planner/affinize/ArgumentFacts.h"
#include "compiler/planner/machines/Catalogue.h"
#include "compiler/planner/model/Choice.h"
#include "runtime/mesh/PlanText.h"
#include "runtime/mesh/simulator/Simulator.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <tuple>

using namespace tawa;
using namespace tawa::mesh;
using namespace tawa::mesh::planner;

namespace {

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "tawa-plan-study: %s\n", message.c_str());
  std::exit(1);
}

template <typename T> T need(Result<T> result) {
  return result ? std::move(*result) : (fail(result.status().message()), std::move(*result));
}

class Clock {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }

private:
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

struct Options {
  std::string study, kernels;
  std::vector<std::string> machines = {};
  double limit = std::numeric_limits<double>::infinity();
  double seconds = std::numeric_limits<double>::infinity();
  uint64_t seed = 1;
};

Options parseOptions(int argc, char **argv) {
  if (argc < 3 || argc % 2 == 0)
    fail("usage: tawa-plan-study STUDY KERNELS [--machine NAME]... [--limit OPERATIONS] [--seconds S] [--seed N]");
  Options options{.study = argv[1], .kernels = argv[2]};
  for (int i = 3; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    if (option == "--machine")
      options.machines.push_back(argv[i + 1]);
    else if (option == "--limit")
      options.limit = std::atof(argv[i + 1]);
    else if (option == "--seconds")
      options.seconds = std::atof(argv[i + 1]);
    else if (option == "--seed")
      options.seed = std::strtoull(argv[i + 1], nullptr, 10);
    else
      fail("no option " + option);
  }
  return options;
}

std::string readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    fail("cannot read " + path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

using Tile = std::map<std::string, int64_t>;

/// A kernel with arguments, as one tile program per block shape.
struct Problem {
  std::string name; ///< Its sizes as members of a JSON object.
  double operations = 0;
  std::vector<Tile> tiles = {};
  std::vector<TileProgram> programs = {};

  /// The block shapes that a template has a meaning for: one block over a whole side leaves a grid of one dimension.
  Problem with(Template only, const Machine &machine) const {
    Problem some{.name = name, .operations = operations};
    for (size_t i = 0; i < programs.size(); ++i)
      if (rulesOf(only, programs[i], machine)) {
        some.tiles.push_back(tiles[i]);
        some.programs.push_back(programs[i]);
      }
    return some;
  }
};

void addPrograms(Problem &problem, AffinizeInput input, const std::vector<Tile> &tiles) {
  for (const Tile &tile : tiles) {
    input.tile = tile;
    problem.programs.push_back(need(affinize(input)).program);
    problem.tiles.push_back(tile);
  }
}

struct Gemm {
  int64_t m, n, k;
  double operations() const { return double(m) * double(n) * double(k); }
  std::string name() const {
    char text[96];
    std::snprintf(text, sizeof text, "\"M\": %ld, \"N\": %ld, \"K\": %ld", long(m), long(n), long(k));
    return text;
  }
};

/// Blocks of the text's own values that do not exceed the product. A library has few, too.
std::vector<Tile> gemmTiles(const Gemm &gemm, const std::vector<int64_t> &sides, const std::vector<int64_t> &depths) {
  std::vector<Tile> tiles;
  for (int64_t m : sides)
    for (int64_t n : sides)
      for (int64_t k : depths)
        if (m <= gemm.m && n <= gemm.n && k <= gemm.k)
          tiles.push_back({{"BLOCK_M", m}, {"BLOCK_N", n}, {"BLOCK_K", k}});
  return tiles;
}

Problem gemmProblem(const Gemm &gemm, const std::string &text, const std::vector<int64_t> &sides = {64, 128, 256},
                    const std::vector<int64_t> &depths = {64, 128}) {
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

/// Five columns of one K each, with the 28 pairs M >= N of the powers of two from 256 to 16384: the paper's count, its
/// own list is not printed in it. The smallest first.
std::vector<Gemm> sweep() {
  std::vector<Gemm> gemms;
  for (int64_t k = 256; k <= 4096; k *= 2)
    for (int64_t m = 256; m <= 16384; m *= 2)
      for (int64_t n = 256; n <= m; n *= 2)
        gemms.push_back({m, n, k});
  std::ranges::sort(gemms, {}, [](const Gemm &gemm) { return std::tuple(gemm.operations(), gemm.k, gemm.m); });
  return gemms;
}

std::string textOf(const Tile &tile) {
  std::string text;
  for (const auto &[name, value] : tile)
    text += (text.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(value);
  return text;
}

class Study {
public:
  Study(const Options &options, const std::vector<std::string> &machines) : options(options) {
    for (const std::string &name : options.machines.empty() ? machines : options.machines)
      this->machines.push_back({name, need(lookUpMachine(name))});
  }

  struct Named {
    std::string name;
    Machine machine;
  };
  std::vector<Named> machines;

  /// False, and a line that says so, for a problem that is too large or too late.
  bool isAccepted(const std::string &name, double operations) const {
    if (operations <= options.limit && clock.seconds() < options.seconds)
      return true;
    std::printf("{\"study\": \"%s\", %s, \"skipped\": true}\n", options.study.c_str(), name.c_str());
    return false;
  }

  /// Some of the best plans of the model by one template, simulated.
  void measure(const Problem &all, const Named &on, Template only, RankOptions ranking, size_t simulated) const {
    Problem problem = all.with(only, on.machine);
    if (problem.programs.empty())
      fail(std::string("template ") + nameOf(only) + " fits no block shape of " + all.name);
    ranking.only = only;
    ranking.keep = std::max(simulated, kConsidered);
    Clock rankClock;
    Result<Ranking> ranked = rankPlans(problem.programs, on.machine, ranking);
    double rankSeconds = rankClock.seconds();
    std::printf("{\"study\": \"%s\", %s, \"machine\": \"%s\", \"template\": \"%s\"", options.study.c_str(),
                problem.name.c_str(), on.name.c_str(), nameOf(only));
    if (!ranked) {
      std::printf(", \"refused\": \"%s\"}\n", ranked.status().message().c_str());
      return;
    }
    std::printf(", \"by_shape\": \"%s\", \"mappings\": %ld, \"space\": %ld, \"estimated\": %ld, \"rank_seconds\": %.3f",
                nameOf(chooseByShape(problem.programs[0], on.machine)), long(ranked->mappings), long(ranked->plans),
                long(ranked->estimated), rankSeconds);
    Clock simulateClock;
    std::printf(", \"plans\": [");
    printPlans(problem, on, ranked->best, simulated);
    std::printf("], \"simulate_seconds\": %.3f}\n", simulateClock.seconds());
    std::fflush(stdout);
  }

private:
  /// Simulates as the planner does: some of the best, or all in their order. Returns the cycles.
  double printPlan(const Problem &problem, const Named &on, const RankedPlan &ranked, bool isLater) const {
    const TileProgram &program = problem.programs[ranked.program];
    SimulationResult result = simulatePlan(ranked.plan, program, on.machine);
    std::printf("%s{\"estimate\": %.0f, ", isLater ? ", " : "", ranked.plan.estimate.cycles);
    if (result.isFinished())
      std::printf("\"cycles\": %.0f, \"read\": %ld, \"events\": %ld, ", result.cycles, long(result.bytesRead),
                  long(result.events));
    else
      std::printf("\"failed\": \"%s\", ", result.detail.c_str());
    std::printf("\"bound\": \"%s\", \"tile\": {%s}, \"plan\": \"%s\"}", ranked.plan.estimate.bound.c_str(),
                textOf(problem.tiles[ranked.program]).c_str(), summary(ranked.plan, program, on.machine).c_str());
    return result.cycles;
  }

  void printPlans(const Problem &problem, const Named &on, const std::vector<RankedPlan> &best,
                  size_t simulated) const {
    PlanChoice choice(best);
    for (size_t i = 0; i < std::min(simulated, best.size()); ++i) {
      size_t next = simulated < kConsidered ? *choice.next() : i;
      double cycles = printPlan(problem, on, best[next], i > 0);
      if (simulated < kConsidered)
        choice.learn(next, cycles);
    }
  }

  Options options;
  Clock clock;
};

const std::vector<std::string> kWormhole = {"wormhole_8x8", "wormhole_4x8", "wormhole_1x8"};

void gemms(const Options &options) {
  Study study(options, kWormhole);
  std::string text = readFile(options.kernels + "/gemm_param.mlir");
  for (const Gemm &gemm : sweep()) {
    if (!study.isAccepted(gemm.name(), gemm.operations()))
      continue;
    Problem problem = gemmProblem(gemm, text);
    for (const Study::Named &machine : study.machines) {
      study.measure(problem, machine, Template::Any, {}, 10);
      // The templates' blocks are chosen as TL's plans are: the best of the model's five.
      for (Template fixed : {Template::OneD, Template::OneDSmaller, Template::TwoD})
        study.measure(problem, machine, fixed, {}, 5);
    }
  }
}

/// Long products are measured with large blocks: with smaller ones they take minutes to simulate.
void irregular(const Options &options) {
  Study study(options, {"wormhole_8x8"});
  std::string text = readFile(options.kernels + "/gemm_param.mlir");
  constexpr int64_t kLong = 32768;
  for (int64_t size = 256; size <= 2048; size *= 2)
    for (const Gemm &gemm : {Gemm{kLong, size, kLong}, Gemm{kLong, kLong, size}}) {
      if (!study.isAccepted(gemm.name(), gemm.operations()))
        continue;
      Problem problem = gemmProblem(gemm, text, {128, 256}, {128});
      for (Template choice : {Template::Any, Template::OneD, Template::TwoD})
        study.measure(problem, study.machines[0], choice, {}, 2);
    }
}

/// The text with another width of heads than it lists: what is planned is not compiled for GPUs.
std::string withWidth(std::string text, int64_t width) {
  constexpr std::string_view kListed = "HEAD_DIM = 128 | 64 | 256";
  size_t at = text.find(kListed);
  if (at == std::string::npos)
    fail("the attention text has no list of head dims");
  return text.replace(at, kListed.size(), "HEAD_DIM = " + std::to_string(width));
}

/// A hidden width of 2048 shared by the heads; the batch makes up 8192 tokens.
void attention(const Options &options) {
  Study study(options, {"wormhole_8x8"});
  std::string text = readFile(options.kernels + "/attention/fwd.mlir");
  for (int64_t keys = 512; keys <= 8192; keys *= 2)
    for (int64_t heads : {64, 128}) {
      int64_t width = 2048 / heads, rows = heads * 8192;
      Problem problem;
      problem.name = "\"heads\": " + std::to_string(heads) + ", \"keys\": " + std::to_string(keys);
      problem.operations = 2.0 * double(rows) * double(keys) * double(width);
      if (!study.isAccepted(problem.name, problem.operations))
        continue;
      std::string own = withWidth(text, width);
      AffinizeInput input;
      input.text = own;
      ArgumentFacts matrix = tensorFacts(ElementType::F16, {rows, width});
      input.arguments = {matrix,
                         matrix,
                         matrix,
                         matrix,
                         tensorFacts(ElementType::F32, {rows}),
                         floatFacts(),
                         integerFacts(keys),
                         integerFacts(rows / keys)};
      std::vector<Tile> tiles;
      for (int64_t block : {64, 128})
        tiles.push_back({{"BLOCK_M", 128}, {"BLOCK_N", block}, {"HEAD_DIM", width}});
      addPrograms(problem, input, tiles);
      for (Template choice : {Template::Any, Template::Reload})
        study.measure(problem, study.machines[0], choice, {}, 3);
    }
}

void ablation(const Options &options) {
  Study study(options, {"wormhole_8x8"});
  std::string text = readFile(options.kernels + "/gemm_param.mlir");
  for (const Gemm &gemm : {Gemm{512, 512, 512}, Gemm{1024, 1024, 1024}, Gemm{2048, 2048, 2048}, Gemm{1024, 1024, 4096},
                           Gemm{2048, 2048, 1024}, Gemm{4096, 4096, 512}, Gemm{8192, 8192, 256}}) {
    if (!study.isAccepted(gemm.name(), gemm.operations()))
      continue;
    Problem problem = gemmProblem(gemm, text);
    for (Template choice : {Template::Any, Template::NoSpatialReuse, Template::NoTemporalReuse, Template::Reload})
      study.measure(problem, study.machines[0], choice, {}, 5);
  }
}

/// All plans, and those that the planner would simulate.
void measureAll(const Study &study, const Problem &problem, const Study::Named &machine) {
  RankOptions all{.distinct = false, .exhaustive = true};
  study.measure(problem, machine, Template::Any, all, size_t(1) << 40);
  study.measure(problem, machine, Template::Any, {}, 10);
}

/// Small enough that every plan of the space can be simulated.
void exhaust(const Options &options) {
  Study study(options, kWormhole);
  std::string text = readFile(options.kernels + "/gemm_param.mlir");
  std::vector<Gemm> gemms = {{256, 256, 256},  {512, 256, 256},   {512, 512, 256},  {512, 512, 512}, {1024, 512, 256},
                             {256, 1024, 512}, {1024, 1024, 256}, {2048, 512, 512}, {512, 256, 512}, {256, 256, 1024}};
  for (const Gemm &gemm : gemms) {
    if (!study.isAccepted(gemm.name(), gemm.operations()))
      continue;
    Problem problem = gemmProblem(gemm, text);
    for (const Study::Named &machine : study.machines)
      measureAll(study, problem, machine);
  }
}

/// Products that the model was not made with: each on one of four machines, each side and the depth a multiple of 64
/// from 128 to 1536, all uniform; those with more than 2^28 multiplications are drawn again.
void drawn(const Options &options) {
  constexpr int kProducts = 24;
  constexpr double kMost = double(1 << 28);
  Study study(options, {"wormhole_8x8", "wormhole_4x8", "wormhole_1x8", "torus_4x4"});
  std::string text = readFile(options.kernels + "/gemm_param.mlir");
  std::mt19937_64 random(options.seed);
  auto extent = [&] { return int64_t(2 + random() % 23) * 64; };
  for (int product = 0; product < kProducts; ++product) {
    const Study::Named &machine = study.machines[random() % study.machines.size()];
    Gemm gemm{};
    do {
      gemm.m = extent(), gemm.n = extent(), gemm.k = extent();
    } while (gemm.operations() > kMost);
    if (study.isAccepted(gemm.name(), gemm.operations()))
      measureAll(study, gemmProblem(gemm, text), machine);
  }
}

void time(const Options &options) {
  Study study(options, {"wormhole_8x8"});
  Clock clock;
  Problem problem =
      gemmProblem({4096, 4096, 4096}, readFile(options.kernels + "/gemm_param.mlir"), {64, 128, 256}, {32, 64, 128});
  std::printf("{\"study\": \"time\", \"affinize_seconds\": %.3f}\n", clock.seconds());
  for (const Study::Named &machine : study.machines)
    study.measure(problem, machine, Template::Any, {}, 5);
}

} // namespace

int main(int argc, char **argv) {
  Options options = parseOptions(argc, argv);
  const std::map<std::string, void (*)(const Options &)> studies = {
      {"gemms", gemms},       {"irregular", irregular}, {"attention", attention},
      {"ablation", ablation}, {"exhaust", exhaust},     {"drawn", drawn},
      {"time", time}};
  auto study = studies.find(options.study);
  if (study == studies.end())
    fail("no study " + options.study);
  study->second(options);
  return 0;
}
