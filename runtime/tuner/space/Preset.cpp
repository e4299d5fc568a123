// The candidates of a preset, and the choice among them.
#include "runtime/tuner/space/Preset.h"

#include "runtime/artifact/OneRoleWarps.h"
#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"
#include "runtime/tuner/model/LoneRole.h"
#include "runtime/tuner/space/SpaceQuestions.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tawa {

namespace {

/// A configuration has to be predicted this much faster than the usual one to replace it, and one in the other form
/// (one role or several) with the usual tile this much faster than those in the usual form. Of one role the model knows
/// less: FP8 by blocks took 1.4 times as long so, and was expected to take 0.93 of the time of several. Larger tiles
/// gain more than predicted: weights of 8 bits with 16 rows, 28672 x 8192, take 65 us in 128 x 128 by several roles and
/// 96 us in the text's 64 x 64 by one, of which 62 and 65 were expected.
constexpr double kClearly = 0.95, kClearlyAsOneRole = 0.9, kOfLargerTiles = 0.97;
/// Launches that are predicted to take as long may do better with larger tiles than the text's.
constexpr double kWorthLargerTiles = 8e-6;
/// Where nothing tells how many programs there are: so many for each multiprocessor.
constexpr uint32_t kProgramsEach = 16;
/// How many are named at most, and of those that differ in depth alone; what the model counts of a kernel's resources
/// is an estimate.
constexpr size_t kRanked = 6, kOfDepths = 2;

/// What the model may rely on: a scalar of 0 counts no iterations, so that it more likely is one that was not set.
std::vector<ArgumentValue> knownArguments(std::span<const ArgumentValue> arguments) {
  std::vector<ArgumentValue> known(arguments.begin(), arguments.end());
  for (ArgumentValue &value : known) {
    auto end = value.shape.begin() + value.rank;
    bool isOpen = std::find(value.shape.begin(), end, kUnknownExtent) != end;
    if (value.kind == LogicalArgument::Kind::Tensor ? isOpen : value.bits == 0)
      value = ArgumentValue{.kind = LogicalArgument::Kind::Tensor, .elementType = value.elementType};
  }
  return known;
}

KernelConfig usualConfig(const SpaceInput &input) {
  KernelConfig config;
  for (const auto &[name, values] : input.tileParameters)
    config.tile[name] = values.front();
  return config;
}

KernelConfig with(KernelConfig config, int groups, int persistent, int depth) {
  config.consumerGroups = groups;
  config.persistent = persistent;
  config.ringDepth = depth;
  return config;
}

int64_t programsOf(const TileChoice &choice) { return int64_t{choice.grid[0]} * choice.grid[1] * choice.grid[2]; }

/// CTAs walk the tiles only where there is more than one for each.
std::vector<KernelConfig> configsOfRoles(const KernelConfig &usual, bool mayWalk) {
  std::vector<KernelConfig> configs{usual};
  for (int groups : {2, 1})
    for (int persistent = 0; persistent <= int{mayWalk}; ++persistent)
      for (int depth : {0, 2})
        configs.push_back(with(usual, groups, persistent, depth));
  return configs;
}

/// Several CTAs share each program's sum, as many as there are idle multiprocessors for.
std::vector<KernelConfig> configsOfSharedSums(const KernelConfig &usual, int64_t programs, double multiprocessors) {
  std::vector<KernelConfig> configs;
  for (int split : {2, 3, 4, 8})
    for (int groups : {2, 1})
      for (int depth : {0, 8})
        for (int inFlight : {1, 2}) {
          if (static_cast<double>(programs * split) > multiprocessors)
            return configs;
          configs.push_back(with(usual, groups, 0, depth));
          configs.back().mmaDepth = inFlight;
          configs.back().split = split;
        }
  return configs;
}

/// Roles where operands are computed, by the consumers or by a converter.
std::vector<KernelConfig> configsOfComputedOperands(const KernelConfig &usual) {
  std::vector<KernelConfig> configs;
  for (int groups : {2, 1})
    for (int converters : {0, 1})
      for (int inFlight : {2, 1}) {
        configs.push_back(with(usual, groups, 0, 0));
        configs.back().converterGroups = converters;
        configs.back().mmaDepth = inFlight;
      }
  return configs;
}

/// Two products in flight first: where the model sees no difference, the next operand is computed beside the products.
std::vector<KernelConfig> configsOfOneRole(const KernelConfig &usual) {
  std::vector<KernelConfig> configs;
  for (int inFlight : {2, 1})
    for (int depth : {0, 2, 3, 4}) {
      configs.push_back(with(usual, usual.consumerGroups, 0, depth));
      configs.back().mmaDepth = inFlight;
    }
  return configs;
}

bool loadsAhead(const TileChoice &choice, const KernelConfig &config, const HardwareDescription &hardware) {
  return choice.verdict.refusal == Refusal::None && loneRole(choice.summary, config, hardware).slotBytes > 0;
}

int64_t largestTile(const std::vector<WorkStep> &steps) {
  int64_t largest = 0;
  for (const WorkStep &step : steps) {
    int64_t own = step.access.elementBytes > 0 ? step.access.bytes() / step.access.elementBytes : 0;
    largest = std::max({largest, own, largestTile(step.body), largestTile(step.otherwise)});
  }
  return largest;
}

/// Without products. The compiler gives each thread enough loads that many CTAs keep a multiprocessor busy; where there
/// are few, idle threads take part, so that each does less one after the other, and loops load an iteration ahead.
KernelConfig forFewPrograms(KernelConfig config, const TileChoice &choice, const HardwareDescription &hardware) {
  const RoleWork &role = choice.summary.roles.front();
  int64_t programs = programsOf(choice), largest = largestTile(role.steps);
  auto room = static_cast<int64_t>(hardware.multiprocessors) * kThreadsAtEase;
  auto areIdle = [&](uint32_t warps) {
    int64_t threads = int64_t{kLanes} * warps;
    return warps <= kMostWarpsWithoutDot && threads <= largest && programs * threads <= room;
  };
  uint32_t warps = role.warps;
  while (areIdle(2 * warps))
    warps *= 2;
  if (warps != role.warps)
    config.warps = static_cast<int>(warps);
  if (loneRole(choice.summary, config, hardware).loadsInLoop && programs * kLanes * warps <= room)
    config.ringDepth = kAheadByOne;
  return config;
}

/// Configurations by their predicted times, where some have to be clearly faster than others.
class Contest {
public:
  explicit Contest(const SpaceInput &input, const KernelConfig &usual) : input(input), usual(usual) {}

  void enter(TileChoice &choice, const WorkSummary &probe, std::span<const KernelConfig> configs) {
    for (const KernelConfig &config : configs) {
      if (judgeByRules(choice, probe, input.hardware, config).refusal != Refusal::None)
        continue;
      const ProblemWork &work = workOf(input, choice, config);
      Prediction prediction = predict({choice.summary, work, config, input.hardware, input.isWarm});
      bool isLarger = config.tile != usual.tile;
      bool isUsualForm = (config.consumerGroups == 0) == (usual.consumerGroups == 0);
      double inOtherForm = 1 / (config.consumerGroups == 0 ? kClearlyAsOneRole : kClearly);
      double handicap = config == usual ? kClearly : isLarger ? kOfLargerTiles : isUsualForm ? 1 : inOtherForm;
      Candidate candidate;
      candidate.config = config;
      candidate.prediction = prediction;
      entries.emplace(prediction.seconds * handicap, std::move(candidate));
    }
  }

  const KernelConfig &winner() const { return entries.empty() ? usual : entries.begin()->second.config; }
  double seconds() const { return entries.empty() ? 0 : entries.begin()->second.prediction.seconds; }

  /// The winner, and those that come next, for a compiler that refuses it.
  std::vector<Candidate> ranking() const {
    std::vector<Candidate> ranked;
    std::map<std::string, size_t> alike;
    for (const auto &[seconds, candidate] : entries) {
      KernelConfig ofAnyDepth = candidate.config;
      ofAnyDepth.ringDepth = 0;
      bool isNew = std::ranges::find(ranked, candidate.config, &Candidate::config) == ranked.end();
      if (isNew && ranked.size() < kRanked && alike[ofAnyDepth.str()]++ < kOfDepths)
        ranked.push_back(candidate);
    }
    if (ranked.empty())
      ranked.emplace_back().config = usual;
    return ranked;
  }

private:
  const SpaceInput &input;
  const KernelConfig &usual;
  std::multimap<double, Candidate> entries; ///< By their seconds; of equal ones the first stays ahead.
};

/// Enters configurations of several roles. Whether the kernel follows a setting, the compiler is asked only where one
/// that has it would win.
void enterRoles(const SpaceInput &input, TileChoice &choice, std::span<const KernelConfig> roles, Contest &contest) {
  WorkSummary probe;
  auto ask = [&](bool isWanted, bool &isAsked, auto question) {
    if (!isWanted || isAsked)
      return false;
    WorkSummary answer = question(input, choice.tile);
    std::ranges::move(answer.notApplied, std::back_inserter(probe.notApplied));
    return isAsked = true;
  };
  for (bool walks = false, shares = false;;) {
    Contest hopeful = contest;
    hopeful.enter(choice, probe, roles);
    const KernelConfig &best = hopeful.winner();
    if (!ask(best.persistent != 0, walks, askForTileLoop) && !ask(best.split > 1, shares, askForSharedSum))
      break;
  }
  contest.enter(choice, probe, roles);
}

/// The answers for tiles that the sizes of the text allow.
TileChoices askForTiles(const SpaceInput &input, std::span<const TileValues> tiles) {
  TileChoices choices;
  for (const TileValues &tile : tiles)
    if (std::ranges::all_of(input.tileParameters, [&](const auto &parameter) {
          return std::ranges::count(parameter.second, tile.at(parameter.first)) > 0;
        }))
      choices[{tile, 0}];
  askChoices(input, choices);
  return choices;
}

TileValues withTwice(TileValues tile, const std::string &name) {
  tile[name] *= 2;
  return tile;
}

/// Tiles of twice the size along one dimension.
std::vector<TileValues> twiceAsLarge(const TileValues &tile) {
  std::vector<TileValues> tiles;
  for (const auto &[name, size] : tile)
    tiles.push_back(withTwice(tile, name));
  return tiles;
}

/// Of twice the size along two dimensions.
std::vector<TileValues> largerInTwo(const TileValues &tile) {
  std::vector<TileValues> tiles;
  for (auto one = tile.begin(); one != tile.end(); ++one)
    for (auto other = std::next(one); other != tile.end(); ++other)
      tiles.push_back(withTwice(withTwice(tile, one->first), other->first));
  return tiles;
}

/// Tiles that load less for each product, or need fewer iterations, where the sizes were the compiler's to find: from
/// the fastest so far upwards, as long as that helps; along two dimensions where along none it does. Of short launches
/// the model knows too little.
template <typename Function>
void enterLargerTiles(const SpaceInput &input, const KernelConfig &usual, Contest &contest, Function configsFor) {
  constexpr int kSteps = 2;
  auto enter = [&](std::span<const TileValues> tiles) {
    TileValues fastest = contest.winner().tile;
    TileChoices larger = askForTiles(input, tiles);
    for (auto &[key, choice] : larger) {
      KernelConfig config = usual;
      config.tile = key.first;
      if (choice.verdict.refusal == Refusal::None && choice.summary.declined.empty())
        enterRoles(input, choice, configsFor(config, choice), contest);
    }
    return contest.winner().tile != fastest;
  };
  bool mayHelp = input.sizesAreFound && contest.seconds() >= kWorthLargerTiles;
  for (int step = 0; step < kSteps && mayHelp; ++step) {
    TileValues tile = contest.winner().tile;
    mayHelp = enter(twiceAsLarge(tile)) || enter(largerInTwo(tile));
  }
}

/// Where wgmma takes no product, or threads make an operand of each, they load tiles to registers in either form, and a
/// producer spares them the copies alone; one role makes operands beside the products of the iteration before. So one
/// role is usual. Several are compared that have as many warps for the products, of which the model does not know what
/// more of them gain, and such of larger tiles, which use what is computed for more products, or need fewer iterations.
std::optional<std::vector<Candidate>> chooseWithOperandsOfThreads(const SpaceInput &input, const KernelConfig &usual,
                                                                  TileChoice &choice) {
  KernelConfig oneRole = with(usual, 0, 0, 0);
  TileChoice alone = askForOneRole(input, choice);
  if (!loadsAhead(alone, oneRole, input.hardware))
    return std::nullopt;
  auto groups = static_cast<int>(loneRole(alone.summary, oneRole, input.hardware).warps / kWarpsPerGroup);
  std::vector<KernelConfig> ahead = configsOfOneRole(oneRole);
  Contest contest(input, ahead.front());
  contest.enter(alone, {}, ahead);
  if (workOf(input, choice, usual).isComplete) {
    std::vector<KernelConfig> roles = configsOfSharedSums(usual, programsOf(choice), input.hardware.multiprocessors);
    roles.insert(roles.begin(), {with(usual, groups, 0, 0), with(usual, groups, 0, 2)});
    enterRoles(input, choice, roles, contest);
    enterLargerTiles(input, usual, contest, [&](const KernelConfig &config, const TileChoice &larger) {
      std::vector<KernelConfig> configs = configsOfComputedOperands(config);
      std::ranges::move(configsOfSharedSums(config, programsOf(larger), input.hardware.multiprocessors),
                        std::back_inserter(configs));
      return configs;
    });
  }
  return contest.ranking();
}

} // namespace

Result<std::vector<Candidate>> choosePreset(const SpaceInput &input) {
  std::vector<ArgumentValue> arguments = knownArguments(input.arguments);
  SpaceInput known = input;
  known.arguments = arguments;
  known.assumedPrograms = static_cast<uint32_t>(input.hardware.multiprocessors) * kProgramsEach;
  KernelConfig usual = usualConfig(input);
  TileChoices choices;
  TileChoice &choice = choices[{usual.tile, usual.raster}];
  askChoices(known, choices);
  if (choice.verdict.refusal != Refusal::None)
    return choice.failure;
  Contest contest(known, usual);
  if (!choice.summary.declined.empty()) {
    bool hasProducts = loneRole(choice.summary, usual, input.hardware).hasProducts;
    contest.enter(choice, {},
                  hasProducts ? configsOfOneRole(usual) : std::vector{forFewPrograms(usual, choice, input.hardware)});
    return contest.ranking();
  }
  if (choice.dots->areAllComputed && loneRole(choice.summary, usual, input.hardware).hasProducts)
    if (std::optional<std::vector<Candidate>> chosen = chooseWithOperandsOfThreads(known, usual, choice))
      return std::move(*chosen);
  // As if one role could load ahead what a producer can. Where it would win, the compiler is asked.
  auto rolesOf = [&](const KernelConfig &config, const TileChoice &tiles) {
    std::vector<KernelConfig> roles = configsOfRoles(config, programsOf(tiles) > input.hardware.multiprocessors);
    std::ranges::move(configsOfSharedSums(config, programsOf(tiles), input.hardware.multiprocessors),
                      std::back_inserter(roles));
    return roles;
  };
  std::vector<KernelConfig> lone = configsOfOneRole(with(usual, 0, 0, 0));
  enterRoles(known, choice, rolesOf(usual, choice), contest);
  Contest alone = contest;
  alone.enter(choice, {}, lone);
  if (alone.winner().consumerGroups == 0)
    if (TileChoice asked = askForOneRole(known, choice); loadsAhead(asked, lone.back(), input.hardware))
      contest.enter(asked, {}, lone);
  if (contest.winner().consumerGroups > 0 && choice.dots->largest > 0 && workOf(known, choice, usual).isComplete)
    enterLargerTiles(known, usual, contest, rolesOf);
  return contest.ranking();
}

} // namespace tawa
