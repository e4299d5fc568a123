// tawa-plan-study: what the planner chooses for many problems, and what the simulator measures of it and of fixed
// dataflows; a line of JSON per problem, machine and choice. perf/harness/plan_study.py makes tables and plots of it.
//
// usage: tawa-plan-study STUDY KERNELS [--machine NAME]... [--limit OPERATIONS] [--seconds S] [--seed N]
//                        [--skip LINES]
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
// come first. --skip leaves out what a file has that an earlier run wrote. One thread.
#include "perf/PlanMeasure.h"

#include <random>

using namespace tawa;
using namespace tawa::perf;
using namespace tawa::mesh::planner;

namespace {

StudyOptions parseOptions(int argc, char **argv) {
  if (argc < 3 || argc % 2 == 0)
    fail("usage: tawa-plan-study STUDY KERNELS [--machine NAME]... [--limit OPERATIONS] [--seconds S] [--seed N] "
         "[--skip LINES]");
  StudyOptions options{.study = argv[1], .kernels = argv[2]};
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
    else if (option == "--skip")
      options.skip = argv[i + 1];
    else
      fail("no option " + option);
  }
  return options;
}

const std::vector<std::string> kWormhole = {"wormhole_8x8", "wormhole_4x8", "wormhole_1x8"};

void gemms(const StudyOptions &options) {
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
void irregular(const StudyOptions &options) {
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

void attention(const StudyOptions &options) {
  Study study(options, {"wormhole_8x8"});
  std::string text = readFile(options.kernels + "/attention/fwd.mlir");
  for (int64_t keys = 512; keys <= 8192; keys *= 2)
    for (int64_t heads : {64, 128}) {
      Attention sizes{heads, keys};
      if (!study.isAccepted(sizes.name(), sizes.operations()))
        continue;
      Problem problem = attentionProblem(sizes, text);
      for (Template choice : {Template::Any, Template::Reload})
        study.measure(problem, study.machines[0], choice, {}, 3);
    }
}

void ablation(const StudyOptions &options) {
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
void measureAll(Study &study, const Problem &problem, const Study::Named &machine) {
  RankOptions all{.distinct = false, .exhaustive = true};
  study.measure(problem, machine, Template::Any, all, size_t(1) << 40);
  study.measure(problem, machine, Template::Any, {}, 10);
}

/// Small enough that every plan of the space can be simulated.
void exhaust(const StudyOptions &options) {
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
void drawn(const StudyOptions &options) {
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

void time(const StudyOptions &options) {
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
  StudyOptions options = parseOptions(argc, argv);
  const std::map<std::string, void (*)(const StudyOptions &)> studies = {
      {"gemms", gemms},       {"irregular", irregular}, {"attention", attention},
      {"ablation", ablation}, {"exhaust", exhaust},     {"drawn", drawn},
      {"time", time}};
  auto study = studies.find(options.study);
  if (study == studies.end())
    fail("no study " + options.study);
  study->second(options);
  return 0;
}
