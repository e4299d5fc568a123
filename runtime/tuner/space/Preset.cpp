// The candidates of a preset, and the choice among them.
#include "runtime/tuner/space/Preset.h"

#include "runtime/artifact/OneRoleWarps.h"
#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"
#include "runtime/tuner/model/LoneRole.h"
#include "runtime/tuner/space/TileSteps.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tawa {

namespace {

/// Smaller tiles make operands more often. The model expects too little of that: weights of 4 bits, 4096 x 4096, with
/// 64 rows take 12 us in the text's tiles and 23 in such that were predicted to be faster. Seconds.
constexpr double kShortWithOperands = 10e-6;
/// Where nothing tells how many programs there are: so many for each multiprocessor.
constexpr uint32_t kProgramsEach = 16;

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

/// CTAs walk the tiles only where there is more than one for each. Those of one consumer group may be more beside each
/// other than registers let by themselves, where wgmma takes all products, so that their sums are known.
std::vector<KernelConfig> configsOfRoles(const KernelConfig &usual, const TileChoice &choice, bool mayWalk) {
  std::vector<KernelConfig> configs{usual};
  for (int groups : {2, 1})
    for (int persistent = 0; persistent <= int{mayWalk}; ++persistent)
      for (int depth : {0, 2})
        configs.push_back(with(usual, groups, persistent, depth));
  if (choice.dots->areAllWgmma && choice.dots->hasArithmeticBeside)
    for (int ctas : {2, 3}) {
      configs.push_back(with(usual, 1, 0, 2));
      configs.back().ctas = ctas;
    }
  return configs;
}

/// Several CTAs share each program's sum, as many as there are idle multiprocessors for, or two beside each other. What
/// more of them beside each other take to add up, the model expects too little of: weights of 4 bits, 4096 x 4096, with
/// 16 rows take 12 us where four share a sum, 10 where two do, and were predicted 8 and 9.
std::vector<KernelConfig> configsOfSharedSums(const KernelConfig &usual, int64_t programs, double multiprocessors) {
  std::vector<KernelConfig> configs;
  for (int split : {2, 3, 4, 8})
    for (int groups : {2, 1})
      for (int depth : {0, 8})
        for (int inFlight : {1, 2}) {
          if (static_cast<double>(programs * split) > (split == 2 ? 2 : 1) * multiprocessors)
            return configs;
          configs.push_back(with(usual, groups, 0, depth));
          configs.back().mmaDepth = inFlight;
          configs.back().split = split;
        }
  return configs;
}

/// `configs`, and those that share sums.
std::vector<KernelConfig> andSharedSums(std::vector<KernelConfig> configs, const KernelConfig &usual,
                                        const TileChoice &choice, double multiprocessors) {
  std::ranges::move(configsOfSharedSums(usual, programsOf(choice), multiprocessors), std::back_inserter(configs));
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
/// Where large tiles take the warps of several groups, one group may do: more CTAs are beside each other then.
std::vector<KernelConfig> configsOfOneRole(const KernelConfig &usual, const TileChoice &choice,
                                           const HardwareDescription &hardware) {
  std::vector<KernelConfig> configs;
  for (int inFlight : {2, 1})
    for (int depth : {0, 2, 3, 4}) {
      configs.push_back(with(usual, usual.consumerGroups, 0, depth));
      configs.back().mmaDepth = inFlight;
    }
  if (loneRole(choice.summary, usual, hardware).warps > kWarpsPerGroup)
    for (KernelConfig config : std::vector<KernelConfig>(configs)) {
      config.warps = kWarpsPerGroup;
      configs.push_back(config);
    }
  return configs;
}

auto oneRoleOf(const SpaceInput &input) {
  return [&input](const KernelConfig &config, const TileChoice &tiles) {
    return configsOfOneRole(config, tiles, input.hardware);
  };
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
  std::vector<KernelConfig> ahead = configsOfOneRole(oneRole, alone, input.hardware);
  Contest contest(input, ahead.front());
  contest.enter(alone, {}, ahead);
  if (workOf(input, choice, usual).isComplete) {
    std::vector<KernelConfig> roles = configsOfSharedSums(usual, programsOf(choice), input.hardware.multiprocessors);
    roles.insert(roles.begin(), {with(usual, groups, 0, 0), with(usual, groups, 0, 2)});
    contest.enterRoles(choice, roles);
    auto rolesOf = [&](const KernelConfig &config, const TileChoice &tiles) {
      return andSharedSums(configsOfComputedOperands(config), config, tiles, input.hardware.multiprocessors);
    };
    TileConfigs configs{rolesOf, oneRoleOf(input)};
    if (contest.seconds() < kShortWithOperands)
      enterSmallerTiles(input, usual, choice, configs, contest);
    enterLargerTiles(input, usual, configs, contest);
  }
  return contest.ranking();
}

/// Of a kernel that is not split.
std::vector<Candidate> chooseOneRole(const SpaceInput &input, const KernelConfig &usual, TileChoice &choice,
                                     const TileConfigs &configs) {
  bool hasProducts = loneRole(choice.summary, usual, input.hardware).hasProducts;
  Contest contest(input, usual);
  contest.enter(choice, {},
                hasProducts ? configs.ofOneRole(usual, choice)
                            : std::vector{forFewPrograms(usual, choice, input.hardware)});
  if (hasProducts)
    enterSmallerTiles(input, usual, choice, configs, contest);
  return contest.ranking();
}

/// Threads load by addresses, of which the summary has no places: programs that load the same count as if each did so
/// from memory. Where that decides, the loads of several roles stand for those of one.
bool isBoundByMemory(const SpaceInput &input, const KernelConfig &usual, TileChoice &oneRole,
                     std::span<const KernelConfig> configs) {
  Contest contest(input, usual);
  contest.enter(oneRole, {}, configs);
  return std::string_view(contest.ranking().front().prediction.bound) == "memory";
}

/// Of one that is.
std::vector<Candidate> chooseRoles(const SpaceInput &input, const KernelConfig &usual, TileChoice &choice,
                                   const TileConfigs &configs) {
  // As if one role could load ahead what a producer can. Where it would win, the compiler is asked.
  std::vector<KernelConfig> lone = configs.ofOneRole(with(usual, 0, 0, 0), choice);
  Contest contest(input, usual);
  contest.enterRoles(choice, configs.ofRoles(usual, choice));
  Contest alone = contest;
  alone.enter(choice, {}, lone);
  if (alone.winner().consumerGroups == 0)
    if (TileChoice asked = askForOneRole(input, choice); loadsAhead(asked, lone.back(), input.hardware))
      contest.enter(isBoundByMemory(input, usual, asked, lone) ? choice : asked, {}, lone);
  enterSmallerTiles(input, usual, choice, configs, contest);
  if (contest.winner().consumerGroups > 0 && choice.dots->largest > 0 && workOf(input, choice, usual).isComplete)
    enterLargerTiles(input, usual, configs, contest);
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
  auto rolesOf = [&](const KernelConfig &config, const TileChoice &tiles) {
    bool mayWalk = programsOf(tiles) > input.hardware.multiprocessors;
    return andSharedSums(configsOfRoles(config, tiles, mayWalk), config, tiles, input.hardware.multiprocessors);
  };
  TileConfigs configs{rolesOf, oneRoleOf(input)};
  if (!choice.summary.declined.empty())
    return chooseOneRole(known, usual, choice, configs);
  if (choice.dots->areAllComputed && loneRole(choice.summary, usual, input.hardware).hasProducts)
    if (std::optional<std::vector<Candidate>> chosen = chooseWithOperandsOfThreads(known, usual, choice))
      return std::move(*chosen);
  return chooseRoles(known, usual, choice, configs);
}

} // namespace tawa
