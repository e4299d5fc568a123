// The steps of a trial: compile, verify, measure, try neighbours of the fastest, measure the finalists again.
#include "runtime/tuner/trial/Trial.h"

#include "runtime/jit/Jit.h"
#include "runtime/tuner/trial/Entrant.h"
#include "runtime/tuner/trial/Preparation.h"
#include "runtime/tuner/trial/Stage.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <utility>

namespace tawa {

namespace {

constexpr size_t kFinalists = 5;
/// Bytes of spills per thread. 128 x 192 with bias and GELU has 496, and is the fastest of its product.
constexpr uint32_t kSpillsToMeasure = 512;

class Trial {
public:
  explicit Trial(const TrialInput &input)
      : input(input), device(input.device), course(input), entrants(input.candidates.size()),
        preparation(input, course, entrants), untried(input.candidates.size()), rows(input.candidates.size()) {
    std::iota(untried.begin(), untried.end(), size_t{0});
  }

  Result<std::vector<TuneRow>> run() {
    for (size_t i = 0; i < rows.size(); ++i)
      rows[i].config = input.candidates[i].str();
    preparation.assembleAhead(nextOnes(wanted() - refined()));
    course.begin("filling tensors");
    Result<ProblemData> created = ProblemData::create(device, input.arguments, input.uses, input.contents, input.seed);
    if (!created)
      return created.status();
    data.emplace(std::move(*created));
    preparation.useArguments(data->arguments());
    if (Status status = makeReference(); !status)
      return status;
    if (Status status = findRight(wanted() - refined()); !status)
      return status;
    Status measured = canMeasure() ? measureAll() : Status::ok();
    copyToTwins();
    return measured ? Result<std::vector<TuneRow>>(std::move(rows)) : measured;
  }

private:
  bool canMeasure() const { return input.clock || !device.info().isEmulator; }

  void fail(size_t index, const Status &status) {
    rows[index].outcome = TuneRow::Outcome::Failed;
    rows[index].reason = status.message();
    entrants[index].kernel.reset();
    if (input.onRow)
      input.onRow(index, rows[index]);
  }

  size_t wanted() const { return input.wanted ? std::min(input.wanted, entrants.size()) : entrants.size(); }

  /// Without times nothing tells which one is the fastest.
  size_t refined() const { return canMeasure() ? std::min(input.refined, wanted() - 1) : 0; }

  using Picked = Preparation::Picked;

  /// Verifies candidates in their order, as many at once as places are open; for each that has failed, another one
  /// follows.
  Status findRight(size_t places) {
    for (size_t right = 0; right < places && !isAtEnd();) {
      if (ready.empty())
        if (Status status = makeReady(places - right); !status)
          return status;
      if (Status status = verify(std::exchange(ready, {}), right); !status)
        return status;
    }
    return course.report("verify", -1, wanted(), wanted());
  }

  bool isAtEnd() const { return ready.empty() && (untried.empty() || (untried.front() > 0 && course.isLate())); }

  /// Compiles and loads the next `places` that compile and have code of their own. Where some do not, others are
  /// compiled ahead on threads that have nothing else to do; none is loaded that has no place, since that takes longer.
  Status makeReady(size_t places) {
    for (bool isShort = true; isShort && ready.size() < places && !untried.empty();) {
      bool hasFailed = std::ranges::count(rows, TuneRow::Outcome::Failed, &TuneRow::outcome) > 0;
      size_t ahead = hasFailed ? std::min<size_t>(input.threads, 2 * (places - ready.size())) : 0;
      if (Status status = preparation.compile(nextOnes(std::max(places - ready.size(), ahead))); !status)
        return status;
      isShort = entrants[untried.front()].compiled.has_value(); // not where time is up
      while (ready.size() < places && !untried.empty() && entrants[untried.front()].compiled)
        take(untried.front());
    }
    return preparation.load(ready);
  }

  Picked nextOnes(size_t count) const {
    return {untried.begin(), untried.begin() + static_cast<ptrdiff_t>(std::min(count, untried.size()))};
  }

  /// Of a compiled one, whether it is to be loaded.
  void take(size_t index) {
    std::erase(untried, index);
    Entrant &entrant = entrants[index];
    if (!*entrant.compiled)
      return fail(index, entrant.compiled->status());
    if (std::optional<size_t> twin = twinOf(index)) {
      twins.emplace_back(index, *twin);
      entrant.compiled.reset();
      return;
    }
    entrant.isTaken = true;
    ready.push_back(index);
  }

  /// How many of them are right.
  Result<size_t> tryOut(const Picked &picked) {
    if (Status status = preparation.compile(picked); !status)
      return status;
    for (size_t index : picked)
      if (entrants[index].compiled)
        take(index);
      else // no time left
        std::erase(untried, index);
    if (Status status = preparation.load(ready); !status)
      return status;
    size_t right = 0;
    Status status = verify(std::exchange(ready, {}), right);
    return status ? Result<size_t>(right) : status;
  }

  /// Launches once and waits. A kernel that writes nothing leaves poison, which no comparison accepts.
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

  /// For the first candidate whose tiles have a trusted form. Building that takes as long as a candidate, so the first
  /// is built beside them.
  Status makeReference() {
    std::optional<Result<std::unique_ptr<Kernel>>> first;
    if (input.threads > 1 && !input.candidates.empty()) {
      std::jthread beside([&] { first = preparation.buildTrusted(0); });
      if (Status status = makeReady(wanted() - refined()); !status)
        return status;
    }
    Status last{StatusCode::NoValidCandidate, "there is no candidate"};
    for (size_t i = 0; i < input.candidates.size() && (i == 0 || canTryOn(last)); ++i) {
      if (Status status = course.report("verify", -1, 0, wanted()); !status)
        return status;
      Result<std::unique_ptr<Kernel>> kernel = i == 0 && first ? std::move(*first) : preparation.buildTrusted(i);
      if (Status status = course.takeTurn(); !status)
        return status;
      course.begin("launching the plain form");
      last = kernel ? launchOnce(**kernel) : kernel.status();
      if (last)
        return data->keepReference();
    }
    return {last.code(), "no trusted form to compare candidates with: " + last.message()};
  }

  /// Most faults of a device end the context, and all that it would run.
  bool canTryOn(const Status &last) const { return last.code() != StatusCode::Cuda && !course.isLate(); }

  Status verify(const Picked &picked, size_t &right) {
    if (Status status = course.takeTurn(); !status)
      return status;
    for (size_t i : picked) {
      if (i > 0 && course.isLate())
        break;
      if (Status status = course.report("verify", static_cast<int>(i), right, wanted()); !status)
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

  /// The one with the same code that was taken before: settings left open may resolve to those of another
  /// configuration. It takes no place, and results of one hold for both.
  std::optional<size_t> twinOf(size_t index) const {
    for (size_t i = 0; i < entrants.size(); ++i)
      if (entrants[i].isTaken && entrants[i].code == entrants[index].code)
        return i;
    return std::nullopt;
  }

  void copyToTwins() {
    for (auto [twin, first] : twins) {
      std::string config = std::exchange(rows[twin], rows[first]).config;
      rows[twin].config = std::move(config);
      if (rows[twin].outcome == TuneRow::Outcome::Failed && input.onRow)
        input.onRow(twin, rows[twin]);
    }
  }

  Status verify(size_t index) {
    Entrant &entrant = entrants[index];
    Result<std::unique_ptr<Kernel>> &kernel = *entrant.loaded;
    if (!kernel)
      return kernel.status();
    if (Status status = checkSpills((*kernel)->loaded().info()); !status)
      return status;
    course.begin("launching", static_cast<int>(index));
    if (Status status = launchOnce(**kernel); !status)
      return status;
    course.begin("comparing", static_cast<int>(index));
    if (Status status = data->compare(); !status)
      return status;
    rows[index].outcome = TuneRow::Outcome::Verified;
    entrant.kernel = std::move(*kernel);
    return Status::ok();
  }

  Status measureAll() {
    Result<Measurement> created = Measurement::create(device, input.l2Bytes, input.clock);
    if (!created)
      return created.status();
    measurement.emplace(std::move(*created));
    if (Status status = rounds(kHeats, order()); !status)
      return status;
    if (Status status = refine(refined()); !status)
      return status;
    if (Status status = course.isLate() ? Status::ok() : measureAgain(chooseFinalists()); !status)
      return status;
    for (size_t i = 0; i < entrants.size(); ++i)
      if (!entrants[i].samples.empty() && rows[i].outcome != TuneRow::Outcome::Failed)
        entrants[i].samples.writeTo(rows[i]);
    return Status::ok();
  }

  /// The device may have another clock by then, or other work beside this. What the fastest takes tells how much slower
  /// it is: the times of those that are no finalists become what they would take now, so that none is chosen for a
  /// clock.
  Status measureAgain(const Picked &finalists) {
    if (finalists.empty())
      return Status::ok();
    Samples before = entrants[finalists.front()].samples;
    for (size_t i : finalists)
      entrants[i].samples.clear();
    Status status = rounds(kFinals, finalists);
    const Samples &now = entrants[finalists.front()].samples;
    for (size_t i = 0; i < entrants.size() && !before.empty() && !now.empty(); ++i)
      if (std::ranges::find(finalists, i) == finalists.end())
        entrants[i].samples.scale(now.median() / before.median());
    return status;
  }

  /// Tries neighbours of the fastest, a few at a time, as each may become the fastest in its turn; with many threads
  /// more, as these compile in the same time.
  Status refine(size_t places) {
    const size_t step = std::max<size_t>(input.threads / 4, 2);
    while (places > 0 && !untried.empty() && !course.isLate()) {
      Picked fastest = order();
      if (fastest.empty())
        break;
      size_t known = fastest.front();
      Picked picked = neighboursOf(known, std::min(places, step));
      if (picked.empty())
        picked = {untried.front()};
      Result<size_t> right = tryOut(picked);
      if (!right)
        return right.status();
      places -= *right;
      if (Status status = measureBeside(known, picked); !status)
        return status;
    }
    return Status::ok();
  }

  /// Between measurements the device waited for a compiler, and may have another clock now than it had: what the known
  /// one takes tells how much slower it is, round by round. Where time ends before there are enough rounds, none is
  /// chosen for the few that it has.
  Status measureBeside(size_t known, Picked picked) {
    Samples before = std::exchange(entrants[known].samples, {});
    picked.push_back(known);
    Status status = rounds(kHeats, picked);
    Samples now = std::exchange(entrants[known].samples, std::move(before));
    picked.pop_back();
    for (size_t i : picked) {
      Samples &samples = entrants[i].samples;
      if (samples.count() >= size_t{kHeats.fewest} && !now.empty())
        samples.scale(entrants[known].samples.median() / now.medianOfFirst(samples.count()));
      else {
        samples.clear();
        entrants[i].kernel.reset();
      }
    }
    return status;
  }

  /// In their order; those with the same setting changed come after one of each.
  Picked neighboursOf(size_t fastest, size_t most) const {
    Picked neighbours, further;
    std::set<std::string> changed;
    for (size_t i : untried)
      if (auto settings = differences(input.candidates[i], input.candidates[fastest]); settings.size() == 1)
        (changed.insert(settings.front()).second ? neighbours : further).push_back(i);
    neighbours.insert(neighbours.end(), further.begin(), further.end());
    neighbours.resize(std::min(neighbours.size(), most));
    return neighbours;
  }

  /// The correct ones, the fastest first where there are times.
  Picked order() const {
    std::vector<std::pair<double, size_t>> medians;
    for (size_t i = 0; i < entrants.size(); ++i)
      if (entrants[i].kernel)
        medians.emplace_back(entrants[i].samples.empty() ? 0 : entrants[i].samples.median(), i);
    std::ranges::sort(medians);
    Picked picked;
    for (auto [median, index] : medians)
      picked.push_back(index);
    return picked;
  }

  /// The fastest so far, and the default.
  Picked chooseFinalists() const {
    Picked finalists;
    for (size_t index : order())
      if (finalists.size() < kFinalists || index == 0)
        finalists.push_back(index);
    return finalists;
  }

  /// By its own last launch; 0 after a failure.
  static int roundsOf(const Entrant &entrant, const Stage &stage) {
    if (!entrant.kernel)
      return 0;
    return entrant.samples.empty() ? stage.most : stage.roundsFor(entrant.samples.last());
  }

  /// Each candidate once per round, in a new order each time, so that none always follows the same neighbour.
  /// Candidates that failed, were not reached in time, or share another one's code have no kernel and are left out.
  Status rounds(const Stage &stage, Picked running) {
    std::erase_if(running, [&](size_t i) { return !entrants[i].kernel; });
    if (Status status = course.takeTurn(); !status)
      return status;
    std::mt19937_64 random(input.seed);
    for (int round = 0; !running.empty() && (round == 0 || !course.isLate()); ++round) {
      for (size_t i = running.size(); i > 1; --i) // std::shuffle differs between libraries
        std::swap(running[i - 1], running[random() % i]);
      for (size_t i : running) {
        auto total = static_cast<size_t>(std::max(roundsOf(entrants[i], stage), round + 1));
        if (Status status = course.report(stage.name, static_cast<int>(i), static_cast<size_t>(round), total); !status)
          return status;
        if (round == 0)
          course.begin("measuring", static_cast<int>(i));
        if (Status status = measure(i); !status) {
          fail(i, status);
          if (status.code() == StatusCode::Cuda)
            return status;
        }
      }
      std::erase_if(running, [&](size_t i) { return round + 1 >= roundsOf(entrants[i], stage); });
      if ((round + 1) % stage.enough == 0)
        dropHopeless(stage.hopelessAfter(round + 1), running);
    }
    return Status::ok();
  }

  /// The times of all others are as good as they need be.
  void dropHopeless(double hopeless, std::vector<size_t> &running) const {
    auto medianOf = [&](size_t i) { return entrants[i].samples.median(); };
    double best = running.empty() ? 0 : medianOf(*std::ranges::min_element(running, {}, medianOf));
    std::erase_if(running, [&](size_t i) { return medianOf(i) > hopeless * best; });
  }

  Status measure(size_t index) {
    Result<double> seconds = measurement->time(index, [&] { return launch(*entrants[index].kernel); });
    if (!seconds)
      return seconds.status();
    entrants[index].samples.add(*seconds);
    return Status::ok();
  }

  const TrialInput &input;
  Device &device;
  Course course;
  std::optional<ProblemData> data; ///< Outlives the kernels, which know its addresses.
  std::optional<Measurement> measurement;
  std::vector<Entrant> entrants;
  Preparation preparation;
  std::vector<size_t> untried;                  ///< In their order.
  Picked ready;                                 ///< Loaded, not verified yet.
  std::vector<std::pair<size_t, size_t>> twins; ///< And of which.
  std::vector<TuneRow> rows;
};

} // namespace

Status checkSpills(const LoadInfo &info) {
  if (info.spillBytes <= kSpillsToMeasure)
    return Status::ok();
  return {StatusCode::Unsupported,
          "registers ran out: " + std::to_string(info.spillBytes) + " bytes per thread are spilled"};
}

Result<std::vector<TuneRow>> runTrial(const TrialInput &input) {
  Trial trial(input);
  Result<std::vector<TuneRow>> rows = trial.run();
  if (input.onEnd)
    input.onEnd(rows);
  return rows;
}

} // namespace tawa
