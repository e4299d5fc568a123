// Derives the form of a kernel from its summary and configuration.
#include "runtime/tuner/model/KernelForm.h"

#include "runtime/artifact/PtxShapes.h"
#include "runtime/tuner/model/KernelNeeds.h"

#include <algorithm>

namespace tawa {

namespace {

/// CTAs that share a sum start together, and none ends before the others have its part: seconds, of the launch and of
/// each round of transfers. Fitted to what searches measured beside others of the same products, 5 to 500 microseconds.
constexpr double kSharedSum = 0.3e-6, kSharedRound = 0.3e-6;
/// The cost of overlapping arithmetic between a loop's products only with products of other groups (coarse=0).
constexpr double kPlainPace = 1.08;
/// Products of more sums a thread than these take longer: 256 x 144 to 256 x 192 and 144 x 256 to 176 x 256 by two
/// groups, at K of 1024 to 16384.
constexpr int64_t kSumsAtPace = 128;
constexpr double kManySumsPace = 1.04;
/// Groups that share the columns of each product, since its rows do not come out even, all read all rows: 192 x 256 by
/// two groups, at K of 3072 to 14808.
constexpr double kLeftOverPace = 1.03;
/// Of rows that straddle two lines, the CTAs of a cluster ask for second lines in what each loads itself, of two and
/// four CTAs for fewer. Measured on rows at odd multiples of 16 bytes.
constexpr double kSecondLinesOfTwo = 0.7, kSecondLinesOfFour = 0.85;

double secondLinesPart(int cluster) { return cluster == 2 ? kSecondLinesOfTwo : cluster == 4 ? kSecondLinesOfFour : 1; }

} // namespace

KernelForm::KernelForm(const ModelInput &input)
    : split(input.config.split), isSplit(!isOneRole(input.summary, input.config)),
      lone(isSplit ? LoneRole() : loneRole(input.summary, input.config, input.hardware)),
      isPersistent(input.work.walksGrid || (isSplit && input.config.persistent != 0)),
      groups(isSplit ? std::max(input.config.consumerGroups, 1) : 1),
      isPingPong(isSplit && isPersistent && input.config.schedule == PingPong && groups > 1),
      isStreamed(isSplit && input.config.persistent != 0 && input.config.stream != 0),
      isHandedOut(isSplit && input.config.persistent != 0 && input.config.dynamic != 0),
      hasConverter(isSplit && input.summary.hasConverter(input.config)),
      convertedBytes(static_cast<double>(input.summary.convertedBytes)),
      sumBytes(static_cast<double>(input.summary.sumBytes)),
      resident(residentCtas(input.summary, input.config, input.hardware)) {
  const SharedNeed need = sharedNeed(input.summary, input.config, input.hardware);
  slots = std::max(need.slots, 1);
  loadsAhead = !need.outerHaveOneSlot;
  const KernelConfig &config = input.config;
  const HardwareDescription &hw = input.hardware;
  const DotFacts dots(input.summary);
  movedBytes = isSplit ? static_cast<double>(input.summary.movedBytesOf(isPingPong ? 1 : groups)) : 0;
  hasStages = isSplit && dots.mostInOneLoop > 1;
  groupsShareRows = isSplit && !isPingPong && groups > 1 && dots.fewestRows >= kWgmmaRows * groups;
  if (isSplit && !isPingPong && dots.largest > kSumsAtPace * kThreadsPerGroup * groups)
    sumsPace = kManySumsPace;
  if (isSplit && !isPingPong && groups > 1 && dots.leavesRowsOver(groups))
    sumsPace *= kLeftOverPace;
  secondLines = input.work.fetchedInClustersOf(config.cluster) * secondLinesPart(config.cluster);
  if (hasStages && config.coarse == 0)
    stagePace = kPlainPace;
  double stored = 0;
  for (const TileWave &wave : input.work.waves)
    stored += wave.count * wave.storeBytes;
  storesAreLarge = stored > kUsableL2 * hw.l2Bytes;
  stagedBytes = static_cast<double>(input.summary.panelBytes * kWarpsPerGroup * config.epilogueStages) *
                (isPingPong ? 1 : groups);
  if (split > 1)
    addUp = kSharedSum + sumRounds(split) * (kSharedRound + sumBytes / (hw.storePerClock * groups) / hw.clock);
}

} // namespace tawa
