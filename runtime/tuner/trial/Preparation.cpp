// Compiles, has assembled, and loads.
#include "runtime/tuner/trial/Preparation.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

namespace tawa {

Status Preparation::compile(const Picked &picked) {
  return onThreads(picked, [&](size_t at) {
    Entrant &entrant = entrants[at];
    if (entrant.compiled || (at > 0 && course.isLate()))
      return false;
    course.begin("compiling", static_cast<int>(at));
    entrant.compiled = input.compile(input.candidates[at], input.device.target(), false);
    entrant.code = *entrant.compiled ? codeOf(**entrant.compiled) : "";
    return true;
  });
}

void Preparation::assembleAhead(Picked picked) {
  if (hasAssemblers())
    ahead = std::jthread([this, picked = std::move(picked)] { assemble(picked); });
}

/// A single one is assembled where it is loaded.
void Preparation::assemble(const Picked &picked) {
  Picked open;
  std::ranges::copy_if(picked, std::back_inserter(open), [&](size_t i) { return !assembled.contains(i); });
  if (open.size() < 2)
    return;
  refused.merge(input.assemble(open));
  assembled.insert(open.begin(), open.end());
}

Status Preparation::load(const Picked &picked) {
  if (ahead.joinable())
    ahead.join();
  if (hasAssemblers())
    assemble(picked);
  return onThreads(picked, [&](size_t at) {
    Entrant &entrant = entrants[at];
    course.begin("loading", static_cast<int>(at));
    auto found = refused.find(at);
    entrant.loaded = found == refused.end() ? load(std::move(**entrant.compiled)) : found->second;
    entrant.compiled.reset();
    return true;
  });
}

Status Preparation::onThreads(const Picked &picked, const std::function<bool(size_t at)> &work) {
  course.endTurn();
  if (Status status = course.report("compile", -1, 0, picked.size()); !status)
    return status;
  std::atomic<size_t> next{0}, done{0};
  std::atomic<bool> isCancelled{false};
  auto workOn = [&](bool reports) {
    for (size_t i = next++; i < picked.size() && !isCancelled; i = next++) {
      if (input.threads <= 1 && !course.report("compile", static_cast<int>(picked[i]), done, picked.size()))
        isCancelled = true;
      done += work(picked[i]) ? 1 : 0;
      if (reports && !course.report("compile", -1, done, picked.size()))
        isCancelled = true;
    }
  };
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < std::min<size_t>(input.threads, picked.size()); ++i)
    helpers.emplace_back(workOn, false);
  workOn(true);
  helpers.clear();
  return course.report("compile", -1, done, picked.size());
}

Result<std::unique_ptr<Kernel>> Preparation::load(KernelArtifact artifact) const {
  auto hand = [&](TargetKind) -> Result<KernelArtifact> { return std::move(artifact); };
  return Kernel::build(input.device, hand, {arguments.begin(), arguments.end()});
}

Result<std::unique_ptr<Kernel>> Preparation::buildTrusted(size_t index) const {
  KernelConfig config;
  config.tile = input.candidates[index].tile;
  course.begin("compiling the plain form");
  Result<KernelArtifact> artifact = input.compile(config, input.device.target(), true);
  course.begin("loading the plain form");
  return artifact ? load(std::move(*artifact)) : artifact.status();
}

} // namespace tawa
