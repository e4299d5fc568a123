// The rules that refuse a point of the search space: one function per rule, in the order in which they are asked.
#include "runtime/tuner/space/SpaceRules.h"

#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"
#include "runtime/artifact/StreamParts.h"
#include "runtime/tuner/model/LoneRole.h"

#include <algorithm>
#include <cmath>

namespace tawa {

namespace {

/// Of what half as many programs would load, the part from which on a cluster's are not worth their waiting for each
/// other: where memory bounds, that cost more than such a part saved.
constexpr double kLeastSaving = 0.9;

std::string number(int64_t value) { return std::to_string(value); }

class Rules {
public:
  Rules(const TileChoice &choice, const WorkSummary &probe, const HardwareDescription &hardware)
      : choice(choice), summary(choice.summary), probe(probe), hardware(hardware) {}

  struct Rule {
    Verdict (Rules::*judge)(const KernelConfig &) const;
    std::vector<int KernelConfig::*> reads;
  };

  /// In the order in which they are asked.
  static std::span<const Rule> all() {
    using K = KernelConfig;
    static const Rule rules[] = {
        {&Rules::slots, {&K::ringDepth, &K::mmaDepth}},
        {&Rules::oneRole,
         {&K::consumerGroups, &K::converterGroups, &K::ringDepth, &K::mmaDepth, &K::coarse, &K::epilogueStages,
          &K::warps, &K::persistent, &K::schedule, &K::raster, &K::cluster, &K::split, &K::stream, &K::dynamic,
          &K::ctas}},
        {&Rules::converters, {&K::converterGroups, &K::consumerGroups}},
        {&Rules::pingPong, {&K::schedule, &K::consumerGroups, &K::persistent}},
        {&Rules::persistence, {&K::persistent}},
        {&Rules::rows, {&K::consumerGroups, &K::schedule}},
        {&Rules::flight, {&K::mmaDepth}},
        {&Rules::registers, {&K::consumerGroups, &K::converterGroups, &K::schedule, &K::warps, &K::stream, &K::ctas}},
        {&Rules::shared,
         {&K::consumerGroups, &K::converterGroups, &K::ringDepth, &K::mmaDepth, &K::epilogueStages, &K::warps,
          &K::persistent, &K::schedule, &K::split, &K::ctas}},
        {&Rules::shares,
         {&K::consumerGroups, &K::converterGroups, &K::ringDepth, &K::mmaDepth, &K::epilogueStages, &K::persistent,
          &K::schedule, &K::split, &K::ctas}},
        {&Rules::epilogues, {&K::epilogueStages}},
        {&Rules::cluster, {&K::cluster, &K::persistent}},
        {&Rules::raster, {&K::raster}},
        {&Rules::sharing, {&K::split, &K::persistent, &K::cluster}},
        {&Rules::streaming,
         {&K::stream, &K::persistent, &K::schedule, &K::cluster, &K::consumerGroups, &K::ringDepth, &K::mmaDepth,
          &K::epilogueStages, &K::ctas}},
        {&Rules::handingOut,
         {&K::dynamic, &K::stream, &K::persistent, &K::schedule, &K::cluster, &K::consumerGroups, &K::ringDepth,
          &K::mmaDepth, &K::epilogueStages, &K::ctas}},
        {&Rules::stages, {&K::coarse}}};
    return rules;
  }

  /// By the rules whose number `isAsked` takes.
  template <typename IsAsked> Verdict judge(const KernelConfig &config, IsAsked isAsked) const {
    if (choice.verdict.refusal != Refusal::None)
      return choice.verdict;
    std::span<const Rule> rules = all();
    for (size_t i = 0; i < rules.size(); ++i)
      if (isAsked(i))
        if (Verdict verdict = (this->*rules[i].judge)(config); verdict.refusal != Refusal::None)
          return verdict;
    return {};
  }

private:
  static int groupsPerTile(const KernelConfig &config) {
    return config.schedule == PingPong ? 1 : config.consumerGroups;
  }

  Verdict slots(const KernelConfig &config) const {
    if (config.ringDepth == 0 || config.mmaDepth <= config.ringDepth)
      return {};
    return refuse(Refusal::SlotInFlight, "P=" + number(config.mmaDepth) + " exceeds D=" + number(config.ringDepth) +
                                             ": a slot cannot be reused before the wgmma that reads it has finished");
  }

  /// Settings that apply only to the other kind of kernel.
  Verdict oneRole(const KernelConfig &config) const {
    const KernelConfig usual;
    if (!isOneRole(summary, config))
      return config.warps == usual.warps ? Verdict() : refuse(Refusal::NoEffect, "warps is for kernels of one role");
    KernelConfig plain;
    plain.tile = config.tile;
    plain.warps = config.warps;
    plain.persistent = config.persistent;
    plain.raster = config.raster;
    if (summary.declined.empty() || config.consumerGroups == 0)
      plain.consumerGroups = 0;
    LoneRole lone = loneRole(summary, config, hardware);
    if (lone.slotBytes > 0 || (lone.loadsInLoop && config.ringDepth == kAheadByOne))
      plain.ringDepth = config.ringDepth;
    if (lone.slots > config.mmaDepth && choice.dots->isPipelined)
      plain.mmaDepth = config.mmaDepth;
    if (config == plain)
      return {};
    return refuse(Refusal::NoEffect,
                  "the kernel is one role: " + (summary.declined.empty() ? "consumers=0" : summary.declined));
  }

  /// The reason why no kernel of this text follows a setting.
  const std::string *whyNot(std::string_view setting) const {
    for (const auto &[name, why] : probe.notApplied)
      if (name == setting)
        return &why;
    return nullptr;
  }

  /// Operands of mma.sync are computed where they are multiplied.
  Verdict converters(const KernelConfig &config) const {
    if (config.converterGroups == 0)
      return {};
    if (summary.convertedBytes == 0 || !choice.dots->areAllWgmma)
      return refuse(Refusal::NotApplied, "no operand of wgmma is computed from tiles alone");
    return {};
  }

  Verdict pingPong(const KernelConfig &config) const {
    if (config.schedule != PingPong)
      return {};
    if (config.consumerGroups < 2)
      return refuse(Refusal::NotApplied, "schedule=pingpong takes two consumer groups or more");
    if (!config.persistent && !choice.work().walksGrid)
      return refuse(Refusal::NotApplied, "schedule=pingpong takes a loop over tiles: persistent=1");
    const std::string *why = whyNot("schedule");
    return why ? refuse(Refusal::NotApplied, "schedule=pingpong: " + *why) : Verdict();
  }

  Verdict persistence(const KernelConfig &config) const {
    bool leavesSome = choice.walkers != 0 && choice.walkers < static_cast<uint32_t>(hardware.multiprocessors);
    if (!config.persistent && leavesSome)
      return refuse(Refusal::NotApplied, "persistent=0: the text walks its tiles by " + number(choice.walkers) +
                                             " programs, and leaves the other multiprocessors alone");
    if (!config.persistent)
      return {};
    if (choice.work().walksGrid)
      return refuse(Refusal::NoEffect, "the text walks its tiles itself, so that persistent=1 adds nothing");
    const std::string *why = whyNot("persistent");
    return why ? refuse(Refusal::NotApplied, "persistent=1: " + *why) : Verdict();
  }

  /// Whether as many groups as rows allow have too few registers for the sums, so that groups share columns.
  bool needsColumnsShared() const {
    int64_t threads = choice.dots->mostRows / kWgmmaRows * kThreadsPerGroup;
    return threads > 0 && choice.dots->largest / threads > kMostAccumulatorRegisters;
  }

  /// Whether each group has enough columns of an operand that threads compute.
  bool makesColumnsApart(int groups) const {
    return choice.dots->areAllComputed && columns() / groups >= kColumnsOfGroup;
  }

  /// Whether rows cannot be shared out, but columns can: where those of a group are a multiple of 64, or where the tile
  /// is stored transposed and they are an odd number of eights, every other one, of one wgmma
  /// (SM90ToPTX/JoinWgmmas.cpp). Rows of 8 columns take 2 us longer to store (192 x 176).
  bool mayShareLeftOver(int groups) const {
    constexpr int64_t kFewest = 72, kEight = 8;
    if (!choice.dots->leavesRowsOver(groups))
      return false;
    int64_t each = columns() / groups;
    bool isOdd = columns() % (kEight * groups) == 0 && each / kEight % 2 != 0 && each >= kFewest;
    return columns() % (kColumnsOfGroup * groups) == 0 || (isOdd && isStoredTransposed());
  }

  bool isStoredTransposed() const {
    return anyStep([](const WorkStep &step) {
      return step.kind == WorkStep::Kind::Store && step.access.byTma && step.access.block.front() < kWgmmaRows;
    });
  }

  static constexpr int64_t kColumnsOfGroup = 64;
  int64_t columns() const { return choice.dots->largest / choice.dots->mostRows; }

  /// Groups share a product's rows; beside such a product, they share the columns of others that have fewer
  /// (DotKind.h), and those of all products where registers ask for it, or where threads compute the operand, of which
  /// each group then computes its part: of 64 columns or more (weights of 8 bits, 64 x 28672 x 8192, in tiles of 64 x
  /// 256 by two groups 91 us, of 64 x 64 184 by two and 122 by one). An odd number of rows in 64s is a reason where
  /// each group has columns for one wgmma (mayShareLeftOver()): 176 x 192 takes 176 us where 152 x 256 takes 190.
  Verdict rows(const KernelConfig &config) const {
    int groups = groupsPerTile(config);
    int64_t needed = kWgmmaRows * groups;
    bool isPower = (groups & (groups - 1)) == 0;
    if (!isOneRole(summary, config) && !isPower && !choice.dots->areAllWgmma)
      return refuse(Refusal::Rows, "a product of mma.sync is not shared evenly by " + number(groups) + " groups");
    if (isOneRole(summary, config) || choice.dots->fewestRows == 0 || choice.dots->fewestRows % needed == 0)
      return {};
    bool mayShareColumns = choice.dots->mostRows % needed == 0 || makesColumnsApart(groups) || needsColumnsShared() ||
                           mayShareLeftOver(groups);
    if (isPower && mayShareColumns && choice.dots->fewestRows % kWgmmaRows == 0)
      return {};
    return refuse(Refusal::Rows, "a product of " + number(choice.dots->fewestRows) + " rows is not shared by " +
                                     number(groups) + " consumer groups of " + number(kWgmmaRows) + " rows each");
  }

  Verdict flight(const KernelConfig &config) const {
    if (config.mmaDepth == 1 || choice.dots->isPipelined)
      return {};
    return refuse(Refusal::NoEffect, "no product of this kernel stays in flight, so that P=1 is the same");
  }

  Verdict registers(const KernelConfig &config) const {
    if (choice.dots->largest == 0)
      return {};
    if (isOneRole(summary, config))
      return registersOfOneRole(config);
    int64_t threads = int64_t{kThreadsPerGroup} * groupsPerTile(config);
    int64_t one = choice.dots->largest / threads, all = choice.dots->inOneLoop / threads;
    constexpr int64_t margin = registerMargin(RegisterQuestion::CandidateSums);
    int64_t owned = summary.consumerRegistersOf(config).value_or(0);
    if (summary.hasConverter(config) && owned == 0)
      return refuse(Refusal::Registers,
                    "a converter leaves " + number(config.consumerGroups) + " consumer groups no registers");
    int64_t most = owned == 0 ? kMostAccumulatorRegisters : std::min(owned - margin, kMostAccumulatorRegisters);
    if (choice.dots->isPromoted)
      most = std::min(most, kMostPromotedRegisters);
    bool areAddedUp = config.stream != 0 && config.consumerGroups > 1;
    int64_t mostAddedUp =
        choice.dots->leavesRowsOver(config.consumerGroups) ? kMostAddedUpOfColumns : kMostAddedUpRegisters;
    if (areAddedUp && all > mostAddedUp)
      return refuse(Refusal::Registers, "stream=1: accumulators of " + number(all) + " registers per thread, " +
                                            number(mostAddedUp) + " are the most");
    bool isCopied = anyStep([](const WorkStep &step) {
      return step.kind == WorkStep::Kind::Load && step.access.ring >= 0 && !step.access.byTma;
    });
    int64_t available = owned == 0 ? static_cast<int64_t>(hardware.registersPerThread) : owned;
    int64_t mostInAll = isCopied ? most : most + margin; // threads that copy leave consumers fewer registers
    int64_t kept = choice.dots->keptInOneLoop / threads;
    int64_t mostKept = std::min(mostInAll, available - registerMargin(RegisterQuestion::SeveralSums));
    for (auto [needed, left] : {std::pair(one, most), std::pair(all, mostInAll), std::pair(kept, mostKept)})
      if (needed > left)
        return refuse(Refusal::Registers, "accumulators of " + number(needed) + " registers per thread, " +
                                              number(left) + " are left of a consumer's");
    int64_t loaded = loadedBesideSums() / kRegisterBytes / threads;
    if (loaded == 0 || fitsRegisters(RegisterQuestion::StraightCode, all + loaded, available))
      return {};
    return refuse(Refusal::Registers, "accumulators of " + number(all) + " registers per thread and " + number(loaded) +
                                          " of what is loaded for them, a consumer has " + number(available));
  }

  /// Several CTAs on a multiprocessor, where fewer of them fit it as they are.
  Verdict shares(const KernelConfig &config) const {
    if (config.ctas == 1)
      return {};
    KernelConfig whole = config;
    whole.ctas = 1;
    std::string asked = "ctas=" + number(config.ctas) + ": ";
    if (residentCtas(summary, whole, hardware) >= static_cast<uint32_t>(config.ctas))
      return refuse(Refusal::NoEffect, asked + "as many fit a multiprocessor as they are");
    int64_t threads = int64_t{kThreadsPerGroup} * (config.consumerGroups + 1 + (summary.hasConverter(config) ? 1 : 0));
    if (threads * config.ctas > static_cast<int64_t>(hardware.threadsPerMultiprocessor))
      return refuse(Refusal::Registers, asked + number(threads) + " threads each are more than a multiprocessor has");
    int64_t owned = summary.consumerRegistersOf(config).value_or(0);
    int groups = groupsPerTile(config);
    int64_t all = choice.dots->inOneLoop / (int64_t{kThreadsPerGroup} * groups) +
                  choice.dots->registersForSync(groups, summary.slicedBytesOf(groups));
    if (!fitsRegisters(RegisterQuestion::CandidateSums, all, owned))
      return refuse(Refusal::Registers, asked + "accumulators of " + number(all) +
                                            " registers per thread, a consumer has " + number(owned));
    auto share = static_cast<int64_t>(hardware.registersPerMultiprocessor) / config.ctas;
    int64_t entry = registersAtEntry(share, threads), sums = choice.dots->sumsOfInstruction(groupsPerTile(config));
    if (fitsRegisters(RegisterQuestion::SumsAtEntry, sums, entry))
      return {};
    return refuse(Refusal::Registers, asked + "threads begin with " + number(entry) + " registers, and one wgmma has " +
                                          number(sums) + " sums of each");
  }

  /// Bytes of the tiles that consumers load where they are done with a product.
  int64_t loadedBesideSums() const {
    int64_t most = 0;
    for (const RoleWork &role : summary.roles)
      if (role.kind == RoleKind::Consumer)
        most = std::max(most, loadedIn(role.steps));
    return most;
  }

  static int64_t loadedIn(const std::vector<WorkStep> &steps) {
    int64_t bytes = 0;
    for (const WorkStep &step : steps) {
      if (step.kind == WorkStep::Kind::Load && step.access.ring < 0)
        bytes += step.access.bytes();
      if (step.kind == WorkStep::Kind::Branch)
        bytes += std::max(loadedIn(step.body), loadedIn(step.otherwise));
      if (step.kind == WorkStep::Kind::Loop && step.walksGrid)
        bytes += loadedIn(step.body);
    }
    return bytes;
  }

  /// Of all roles.
  template <typename Predicate> bool anyStep(Predicate holds) const {
    return std::ranges::any_of(summary.roles, [&](const RoleWork &role) { return anyStepOf(role.steps, holds); });
  }
  template <typename Predicate> static bool anyStepOf(const std::vector<WorkStep> &steps, Predicate holds) {
    return std::ranges::any_of(steps, [&](const WorkStep &step) {
      return holds(step) || anyStepOf(step.body, holds) || anyStepOf(step.otherwise, holds);
    });
  }

  /// What the compiler refuses of a single product; more of them may spill.
  Verdict registersOfOneRole(const KernelConfig &config) const {
    int64_t each = choice.dots->largest / (int64_t{kLanes} * loneRole(summary, config, hardware).warps);
    if (each <= kMostAccumulatorRegisters)
      return {};
    return refuse(Refusal::Registers, "an accumulator of " + number(each) + " registers per thread, " +
                                          number(kMostAccumulatorRegisters) + " are the most");
  }

  Verdict shared(const KernelConfig &config) const {
    if (isOneRole(summary, config))
      return slotsOfOneRole(config);
    SharedNeed need = sharedNeed(summary, config, hardware);
    int64_t most = sharedOfCta(config, hardware);
    if (need.bytes() <= most)
      return {};
    std::string sum = number(need.slots) + " slots of " + number(need.slot) + " bytes and " + number(need.once) +
                      " beside them are " + number(need.bytes()) + " bytes of shared memory, a CTA has " + number(most);
    return refuse(Refusal::SharedMemory, std::move(sum));
  }

  /// A lone role has as many slots as it asks for, or none.
  Verdict slotsOfOneRole(const KernelConfig &config) const {
    LoneRole role = loneRole(summary, config, hardware);
    if (config.ringDepth == 0 || role.slotBytes == 0 || role.slots == config.ringDepth)
      return {};
    return refuse(Refusal::SharedMemory, number(config.ringDepth) + " slots of " + number(role.slotBytes) +
                                             " bytes do not fit the shared memory of a CTA");
  }

  Verdict epilogues(const KernelConfig &config) const {
    if (summary.panelBytes > 0 || config.epilogueStages == KernelConfig().epilogueStages)
      return {};
    return refuse(Refusal::NoEffect, "no tile is stored by TMA, so that epilogue means nothing");
  }

  Verdict cluster(const KernelConfig &config) const {
    if (config.cluster == 1)
      return {};
    if (const std::string *why = whyNot("cluster"))
      return refuse(Refusal::NotApplied, "cluster=" + number(config.cluster) + ": " + *why);
    if (config.persistent && config.cluster == int{kPortableCluster})
      return refuse(Refusal::Registers, "cluster=" + number(config.cluster) +
                                            ": a producer that walks tiles has too few registers to find what so many "
                                            "programs have in common");
    if (choice.work().fetchedInClustersOf(config.cluster) == 1)
      return refuse(Refusal::NotApplied, "programs beside each other load no tile in common");
    double half = choice.work().fetchedInClustersOf(config.cluster / 2);
    if (choice.work().fetchedInClustersOf(config.cluster) >= kLeastSaving * half)
      return refuse(Refusal::NoEffect, "cluster=" + number(config.cluster) + ": programs load about as much as with " +
                                           number(config.cluster / 2));
    auto tiles = config.persistent ? static_cast<int64_t>(choice.work().tiles) : int64_t{choice.grid[0]};
    if (tiles % config.cluster == 0 || probe.paddedGrid)
      return {};
    return refuse(Refusal::Divisibility, number(tiles) + (config.persistent ? " tiles" : " programs along x") +
                                             " are no multiple of the cluster's " + number(config.cluster) + " CTAs");
  }

  Verdict raster(const KernelConfig &config) const {
    if (config.raster == 0)
      return {};
    const std::string *why = whyNot("raster");
    return why ? refuse(Refusal::NotApplied, "raster: " + *why) : Verdict();
  }

  /// CTAs that share a program's sum.
  Verdict sharing(const KernelConfig &config) const {
    if (config.split == 1)
      return {};
    std::string what = "split=" + number(config.split);
    if (const std::string *why = whyNot("split"))
      return refuse(Refusal::NotApplied, what + ": " + *why);
    if (config.persistent || choice.work().walksGrid)
      return refuse(Refusal::NotApplied, what + ": a loop inside the loop over tiles is not shared");
    if (config.cluster * config.split > int{kPortableCluster})
      return refuse(Refusal::NotApplied, what + " and cluster=" + number(config.cluster) + ": a cluster has up to " +
                                             number(kPortableCluster) + " CTAs");
    if (choice.work().mostTrips() >= config.split)
      return {};
    return refuse(Refusal::NoEffect, what + ": no loop has as many iterations");
  }

  /// CTAs that share the last tiles.
  Verdict streaming(const KernelConfig &config) const {
    if (!config.stream)
      return {};
    if (const std::string *why = whyNot("stream"))
      return refuse(Refusal::NotApplied, "stream=1: " + *why);
    if (!config.persistent)
      return refuse(Refusal::NotApplied, "stream=1 takes a loop over tiles: persistent=1");
    if (config.schedule == PingPong)
      return refuse(Refusal::NotApplied, "stream=1 takes consumer groups that share each tile");
    auto cluster = static_cast<int64_t>(config.cluster);
    int64_t tiles = (static_cast<int64_t>(choice.work().tiles) + cluster - 1) / cluster * cluster;
    int64_t ctas = runningCtas(summary, config, hardware, choice.grid) / cluster * cluster;
    int64_t left = tiles % ctas;
    if (left == 0)
      return refuse(Refusal::NoEffect, "stream=1: " + number(ctas) + " CTAs divide " + number(tiles) + " tiles");
    if (streamParts(left, ctas, std::llround(choice.work().mostTrips())) > 1)
      return {};
    return refuse(Refusal::NoEffect, "stream=1: the last " + number(left) + " tiles keep most of " + number(ctas) +
                                         " CTAs busy as they are");
  }

  /// CTAs that take tiles one by one.
  Verdict handingOut(const KernelConfig &config) const {
    if (!config.dynamic)
      return {};
    if (!config.persistent)
      return refuse(Refusal::NotApplied, "dynamic=1 takes a loop over tiles: persistent=1");
    if (config.schedule == PingPong)
      return refuse(Refusal::NotApplied, "dynamic=1 takes consumer groups that share each tile");
    if (config.cluster > 1)
      return refuse(Refusal::NotApplied, "dynamic=1: the CTAs of a cluster take neighbouring tiles together");
    if (config.stream)
      return refuse(Refusal::NotApplied, "dynamic=1: stream=1 takes rounds in which each CTA has one tile");
    auto tiles = static_cast<int64_t>(choice.work().tiles);
    auto ctas = static_cast<int64_t>(hardware.multiprocessors) * residentCtas(summary, config, hardware);
    if (tiles > ctas)
      return {};
    return refuse(Refusal::NoEffect, "dynamic=1: each of " + number(ctas) + " CTAs has one tile at most");
  }

  Verdict stages(const KernelConfig &config) const {
    if (config.coarse == KernelConfig().coarse || choice.dots->mostInOneLoop > 1)
      return {};
    return refuse(Refusal::NoEffect, "no loop has two products, so that coarse=1 is the same");
  }

  const TileChoice &choice;
  const WorkSummary &summary, &probe;
  const HardwareDescription &hardware;
};

} // namespace

Verdict judgeByRules(const TileChoice &choice, const WorkSummary &probe, const HardwareDescription &hardware,
                     const KernelConfig &config) {
  return Rules(choice, probe, hardware).judge(config, [](size_t) { return true; });
}

RuleOrder::RuleOrder(std::span<const SpaceAxis> axes) {
  for (const Rules::Rule &rule : Rules::all()) {
    int last = 0;
    for (size_t i = 0; i < axes.size(); ++i)
      if (std::ranges::find(rule.reads, axes[i].member) != rule.reads.end())
        last = static_cast<int>(i) + 1;
    decided.push_back(last);
  }
}

Verdict RuleOrder::judge(const TileChoice &choice, const WorkSummary &probe, const HardwareDescription &hardware,
                         const KernelConfig &config, int judged, int known) const {
  return Rules(choice, probe, hardware).judge(config, [&](size_t rule) {
    return decided[rule] > judged && decided[rule] <= known;
  });
}

std::string_view refusalName(Refusal refusal) {
  constexpr std::string_view names[] = {
      "none",         "compiler",    "slot in flight", "rows", "registers", "shared memory",
      "divisibility", "not applied", "no effect",      "grid", "TMA"};
  return names[static_cast<size_t>(refusal)];
}

} // namespace tawa
