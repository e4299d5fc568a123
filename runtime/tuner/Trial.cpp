// See Trial.h: compile, verify, measure, measure the finalists again.
#include "runtime/tuner/Trial.h"

#include "runtime/jit/Jit.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <random>
#include <thread>

namespace tawa {

namespace {

constexpr int kRounds = 5, kFinalRounds = 15;
constexpr size_t kFinalists = 4, kShortFinalists = 8;
/// Seconds; of launches that take longer, a third of the rounds is enough.
constexpr double kLongLaunch = 2e-3;
/// Of shorter ones, whose times scatter by more than what they differ by, it takes so many times the rounds.
constexpr double kShortLaunch = 50e-6;
constexpr int kShortRounds = 3;

struct Entrant {
  std::optional<Result<KernelArtifact>> artifact;
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
    if (Status status = compileAll(); !status)
      return status;
    Result<ProblemData> created = ProblemData::create(device, input.arguments, input.uses, input.seed);
    if (!created)
      return created.status();
    data = &*created;
    if (Status status = makeReference(); !status)
      return status;
    if (Status status = verifyAll(); !status)
      return status;
    Status measured = canMeasure() ? measureAll() : Status::ok();
    for (Entrant &entrant : entrants)
      entrant.kernel.reset(); // before their data goes
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

  Status compileAll() {
    std::atomic<size_t> next{0}, done{0};
    std::atomic<bool> isCancelled{false};
    auto work = [&](bool reports) {
      for (size_t at = next++; at < entrants.size() && !isCancelled; at = next++) {
        entrants[at].artifact = input.compile(input.candidates[at], device.target(), false);
        ++done;
        if (reports && !report("compile", -1, done, entrants.size()))
          isCancelled = true;
      }
    };
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < std::min<size_t>(input.threads, entrants.size()); ++i)
      helpers.emplace_back(work, false);
    work(true);
    helpers.clear();
    return report("compile", -1, done, entrants.size());
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
      if (Status status = report("verify", -1, 0, entrants.size()); !status)
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

  Status verifyAll() {
    for (size_t i = 0; i < entrants.size(); ++i) {
      if (i > 0 && isLate())
        break;
      if (Status status = report("verify", static_cast<int>(i), i, entrants.size()); !status)
        return status;
      if (Status status = verify(i); !status) {
        fail(i, status);
        if (status.code() == StatusCode::Cuda) // most faults end the context, and all that it would run
          return status;
      }
      entrants[i].artifact.reset();
    }
    return report("verify", -1, entrants.size(), entrants.size());
  }

  Status verify(size_t index) {
    Entrant &entrant = entrants[index];
    if (!*entrant.artifact)
      return entrant.artifact->status();
    Result<std::unique_ptr<Kernel>> kernel = load(std::move(**entrant.artifact));
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
    if (Status status = rounds("measure", running, kRounds); !status)
      return status;
    std::vector<size_t> finalists = chooseFinalists();
    for (size_t i : finalists)
      entrants[i].samples.clear();
    if (Status status = rounds("finals", finalists, kFinalRounds); !status)
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
    size_t places = !order.empty() && order.front().first < kShortLaunch ? kShortFinalists : kFinalists;
    for (auto [median, index] : order)
      if (finalists.size() < places || index == 0)
        finalists.push_back(index);
    return finalists;
  }

  /// How many rounds an entrant takes part in, of a usual `count`.
  int roundsOf(const Entrant &entrant, int count) const {
    if (!entrant.kernel)
      return 0;
    double last = entrant.samples.empty() ? kShortLaunch : entrant.samples.back();
    return last > kLongLaunch ? (count + 2) / 3 : last < kShortLaunch ? count * kShortRounds : count;
  }

  /// Everyone once per round, in a new order each time, so that none always follows the same neighbour.
  Status rounds(const char *stage, std::vector<size_t> running, int count) {
    std::mt19937_64 random(input.seed);
    for (int round = 0; !running.empty() && (round == 0 || !isLate()); ++round) {
      for (size_t i = running.size(); i > 1; --i) // std::shuffle differs between libraries
        std::swap(running[i - 1], running[random() % i]);
      for (size_t i : running) {
        auto total = static_cast<size_t>(std::max(roundsOf(entrants[i], count), round + 1));
        if (Status status = report(stage, static_cast<int>(i), static_cast<size_t>(round), total); !status)
          return status;
        if (Status status = measure(i); !status) {
          fail(i, status);
          if (status.code() == StatusCode::Cuda)
            return status;
        }
      }
      std::erase_if(running, [&](size_t i) { return round + 1 >= roundsOf(entrants[i], count); });
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
