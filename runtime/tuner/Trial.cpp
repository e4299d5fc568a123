// See Trial.h: compile, verify, measure, measure the finalists again.
#include "runtime/tuner/Trial.h"

#include "runtime/jit/Jit.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <random>
#include <thread>

namespace tawa {

namespace {

constexpr size_t kFinalists = 6;

/// How often everyone is launched: until the launches have taken this long, since short ones scatter by more than what
/// they differ by. Single launches of 15 us lie 5 % apart between their quartiles, and the median of 300 within 0.3 %.
struct Stage {
  const char *name;
  double seconds;
  int fewest, most;
  int roundsFor(double launch) const {
    return static_cast<int>(std::lround(std::clamp(seconds / launch, double(fewest), double(most))));
  }
};
constexpr Stage kHeats{"measure", 5e-3, 3, 30}, kFinals{"finals", 15e-3, 5, 300};

struct Entrant {
  std::optional<Result<std::unique_ptr<Kernel>>> loaded; ///< Compiled and loaded; not verified yet.
  std::unique_ptr<Kernel> kernel;
  std::vector<double> samples;
};

double quantile(std::vector<double> sorted, double part) {
  return sorted[static_cast<size_t>(part * static_cast<double>(sorted.size() - 1) + 0.5)];
}

class Trial {
public:
  explicit Trial(const TrialInput &input)
      : input(input), device(input.device), entrants(input.candidates.size()), rows(input.candidates.size()) {}

  Result<std::vector<TuneRow>> run() {
    for (size_t i = 0; i < rows.size(); ++i)
      rows[i].config = input.candidates[i].str();
    Result<ProblemData> created = ProblemData::create(device, input.arguments, input.uses, input.seed);
    if (!created)
      return created.status();
    data = &*created;
    if (Status status = makeReference(); !status)
      return status;
    if (Status status = findRight(); !status)
      return status;
    Status measured = canMeasure() ? measureAll() : Status::ok();
    entrants.clear(); // before their data goes
    return measured ? Result<std::vector<TuneRow>>(std::move(rows)) : measured;
  }

private:
  bool canMeasure() const { return input.clock || !device.info().isEmulator; }

  Status report(const char *stage, int config, size_t done, size_t total) {
    if (!input.progress || input.progress(stage, config, static_cast<uint32_t>(done), static_cast<uint32_t>(total)))
      return Status::ok();
    return {StatusCode::Cancelled, "the search was cancelled"};
  }

  bool isLate() const {
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    return input.budgetSeconds > 0 && spent.count() > input.budgetSeconds;
  }

  void fail(size_t index, const Status &status) {
    rows[index].outcome = TuneRow::Outcome::Failed;
    rows[index].reason = status.message();
    entrants[index].kernel.reset();
    if (input.onRow)
      input.onRow(index, rows[index]);
  }

  size_t wanted() const { return input.wanted ? std::min(input.wanted, entrants.size()) : entrants.size(); }

  /// Compiles and verifies candidates in their order, as many at once as places are open.
  Status findRight() {
    size_t right = 0;
    for (size_t next = 0; next < entrants.size() && right < wanted() && (next == 0 || !isLate());) {
      size_t end = std::min(next + wanted() - right, entrants.size());
      if (Status status = compile(next, end); !status)
        return status;
      if (Status status = verify(next, end, right); !status)
        return status;
      next = end;
    }
    return report("verify", -1, right, wanted());
  }

  /// And loads, as the driver's assembler takes longer than our compiler. On one thread it says with which one it is
  /// busy, in case that it does not come back.
  Status compile(size_t begin, size_t end) {
    std::atomic<size_t> next{begin}, done{0};
    std::atomic<bool> isCancelled{false};
    auto work = [&](bool reports) {
      for (size_t at = next++; at < end && !isCancelled; at = next++) {
        if (input.threads <= 1 && !report("compile", static_cast<int>(at), done, end - begin))
          isCancelled = true;
        Result<KernelArtifact> artifact = input.compile(input.candidates[at], device.target(), false);
        entrants[at].loaded = artifact ? load(std::move(*artifact)) : artifact.status();
        ++done;
        if (reports && !report("compile", -1, done, end - begin))
          isCancelled = true;
      }
    };
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < std::min<size_t>(input.threads, end - begin); ++i)
      helpers.emplace_back(work, false);
    work(true);
    helpers.clear();
    return report("compile", -1, done, end - begin);
  }

  /// Launches once and waits. A kernel that writes nothing leaves poison, which no comparison takes.
  Status launchOnce(const Kernel &kernel) {
    if (Status status = data->reset(); !status)
      return status;
    if (Status status = launch(kernel); !status)
      return status;
    return device.synchronize(nullptr);
  }

  Status launch(const Kernel &kernel) const {
    KernelLaunch request;
    request.arguments = data->arguments();
    request.grid = input.grid;
    return kernel.launch(request);
  }

  Result<std::unique_ptr<Kernel>> load(KernelArtifact artifact) const {
    auto hand = [&](TargetKind) -> Result<KernelArtifact> { return std::move(artifact); };
    return Kernel::build(device, hand, {data->arguments().begin(), data->arguments().end()});
  }

  /// The trusted form, of the first candidate for whose tiles there is one.
  Status makeReference() {
    Status last{StatusCode::NoValidCandidate, "there is no candidate"};
    for (size_t i = 0; i < input.candidates.size(); ++i) {
      if (Status status = report("verify", -1, 0, wanted()); !status)
        return status;
      KernelConfig config;
      config.tile = input.candidates[i].tile;
      Result<KernelArtifact> artifact = input.compile(config, device.target(), true);
      if (!artifact) {
        last = artifact.status();
        continue;
      }
      Result<std::unique_ptr<Kernel>> kernel = load(std::move(*artifact));
      last = kernel ? launchOnce(**kernel) : kernel.status();
      if (last)
        return data->keepReference();
    }
    return {last.code(), "no trusted form to compare candidates with: " + last.message()};
  }

  Status verify(size_t begin, size_t end, size_t &right) {
    for (size_t i = begin; i < end && (i == 0 || !isLate()); ++i) {
      if (Status status = report("verify", static_cast<int>(i), right, wanted()); !status)
        return status;
      Status status = verify(i);
      entrants[i].loaded.reset();
      right += status.isOk();
      if (!status)
        fail(i, status);
      if (status.code() == StatusCode::Cuda) // most faults end the context, and all that it would run
        return status;
    }
    return Status::ok();
  }

  Status verify(size_t index) {
    Entrant &entrant = entrants[index];
    Result<std::unique_ptr<Kernel>> &kernel = *entrant.loaded;
    if (!kernel)
      return kernel.status();
    if (uint32_t bytes = (*kernel)->loaded().info().spillBytes)
      return {StatusCode::Unsupported, "registers ran out: " + std::to_string(bytes) + " bytes per thread are spilled"};
    if (Status status = launchOnce(**kernel); !status)
      return status;
    if (Status status = data->compare(); !status)
      return status;
    rows[index].outcome = TuneRow::Outcome::Verified;
    entrant.kernel = std::move(*kernel);
    return Status::ok();
  }

  Status measureAll() {
    flush = input.l2Bytes > 0 ? static_cast<size_t>(2 * input.l2Bytes) : 0;
    if (flush > 0) {
      Result<uint64_t> scratch = device.allocate(flush);
      if (!scratch)
        return scratch.status();
      scratchAddress = *scratch;
    }
    Status status = measureInRounds();
    if (scratchAddress)
      static_cast<void>(device.free(scratchAddress));
    return status;
  }

  Status measureInRounds() {
    std::vector<size_t> running;
    for (size_t i = 0; i < entrants.size(); ++i)
      if (entrants[i].kernel)
        running.push_back(i);
    if (Status status = rounds(kHeats, running); !status)
      return status;
    std::vector<size_t> finalists = chooseFinalists();
    for (size_t i : finalists)
      entrants[i].samples.clear();
    if (Status status = rounds(kFinals, finalists); !status)
      return status;
    for (size_t i = 0; i < entrants.size(); ++i)
      if (!entrants[i].samples.empty())
        summarize(i);
    return Status::ok();
  }

  /// The fastest so far, and the default.
  std::vector<size_t> chooseFinalists() const {
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < entrants.size(); ++i)
      if (entrants[i].kernel)
        order.emplace_back(quantile(sortedSamples(i), 0.5), i);
    std::ranges::sort(order);
    std::vector<size_t> finalists;
    for (auto [median, index] : order)
      if (finalists.size() < kFinalists || index == 0)
        finalists.push_back(index);
    return finalists;
  }

  /// By its own last launch; 0 where it has failed.
  static int roundsOf(const Entrant &entrant, const Stage &stage) {
    if (!entrant.kernel)
      return 0;
    return entrant.samples.empty() ? stage.most : stage.roundsFor(entrant.samples.back());
  }

  /// Everyone once per round, in a new order each time, so that none always follows the same neighbour.
  Status rounds(const Stage &stage, std::vector<size_t> running) {
    std::mt19937_64 random(input.seed);
    for (int round = 0; !running.empty() && (round == 0 || !isLate()); ++round) {
      for (size_t i = running.size(); i > 1; --i) // std::shuffle differs between libraries
        std::swap(running[i - 1], running[random() % i]);
      for (size_t i : running) {
        auto total = static_cast<size_t>(std::max(roundsOf(entrants[i], stage), round + 1));
        if (Status status = report(stage.name, static_cast<int>(i), static_cast<size_t>(round), total); !status)
          return status;
        if (Status status = measure(i); !status) {
          fail(i, status);
          if (status.code() == StatusCode::Cuda)
            return status;
        }
      }
      std::erase_if(running, [&](size_t i) { return round + 1 >= roundsOf(entrants[i], stage); });
    }
    return Status::ok();
  }

  Status measure(size_t index) {
    if (flush > 0)
      if (Status status = device.fill(scratchAddress, 0, flush); !status)
        return status;
    auto once = [this, index] { return launch(*entrants[index].kernel); };
    Result<double> seconds = input.clock ? input.clock(device, index, once) : deviceSeconds(once);
    if (!seconds)
      return seconds.status();
    entrants[index].samples.push_back(*seconds);
    return Status::ok();
  }

  Result<double> deviceSeconds(const std::function<Status()> &once) const {
    Result<double> milliseconds = device.time(nullptr, once);
    return milliseconds ? Result<double>(*milliseconds / 1e3) : milliseconds;
  }

  std::vector<double> sortedSamples(size_t index) const {
    std::vector<double> samples = entrants[index].samples;
    std::ranges::sort(samples);
    return samples;
  }

  void summarize(size_t index) {
    std::vector<double> samples = sortedSamples(index);
    TuneRow &row = rows[index];
    if (row.outcome == TuneRow::Outcome::Failed)
      return;
    row.outcome = TuneRow::Outcome::Measured;
    row.median = quantile(samples, 0.5);
    row.best = samples.front();
    row.spread = quantile(samples, 0.75) - quantile(samples, 0.25);
    row.samples = static_cast<uint32_t>(samples.size());
  }

  const TrialInput &input;
  Device &device;
  std::vector<Entrant> entrants;
  std::vector<TuneRow> rows;
  ProblemData *data = nullptr;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  size_t flush = 0;
  uint64_t scratchAddress = 0;
};

} // namespace

Result<std::vector<TuneRow>> runTrial(const TrialInput &input) { return Trial(input).run(); }

} // namespace tawa
