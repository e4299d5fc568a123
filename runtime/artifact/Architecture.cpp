// The tables of architectures and of what they have (PTX ISA, "Target ISA Notes" of each instruction).
#include "runtime/artifact/Architecture.h"

#include <algorithm>
#include <charconv>

namespace tawa {

namespace {

constexpr std::string_view kCodeArchitectures[] = {"sm_90a", "sm_80"};

constexpr FeatureInfo kFeatures[] = {
    {Feature::Wgmma, "wgmma", 9, 0, true},
    {Feature::RegisterDonation, "setmaxnreg", 9, 0, true},
    {Feature::Tma, "TMA", 9, 0, false},
    {Feature::Clusters, "clusters", 9, 0, false},
    {Feature::EarlyLaunch, "griddepcontrol", 9, 0, false},
    {Feature::MatrixStores, "stmatrix", 9, 0, false},
    {Feature::SuspendingWaits, "mbarrier.try_wait", 9, 0, false},
    {Feature::Bf16Arithmetic, "add and mul of bf16", 9, 0, false},
    {Feature::Bf16Atomics, "atomic sums of bf16", 9, 0, false},
    {Feature::VectorAtomics, "atomic sums of vectors", 9, 0, false},
    {Feature::Fp8Conversions, "conversions of FP8", 8, 9, false},
};

} // namespace

std::span<const FeatureInfo> allFeatures() { return kFeatures; }

bool Architecture::has(Feature feature) const {
  const FeatureInfo &info = *std::ranges::find(kFeatures, feature, &FeatureInfo::feature);
  if (info.isSpecific)
    return isSpecific && major == info.major && minor == info.minor;
  return major > info.major || (major == info.major && minor >= info.minor);
}

Result<Architecture> parseArchitecture(std::string_view text) {
  Status wrong(StatusCode::InvalidArgument,
               "'" + std::string(text) + "' is no architecture; write it as PTX does: sm_90a");
  constexpr std::string_view prefix = "sm_";
  if (!text.starts_with(prefix))
    return wrong;
  uint32_t number = 0;
  auto [end, error] = std::from_chars(text.data() + prefix.size(), text.data() + text.size(), number);
  std::string_view suffix(end, static_cast<size_t>(text.data() + text.size() - end));
  if (error != std::errc() || number < 10 || number >= 1000 || (!suffix.empty() && suffix != "a"))
    return wrong;
  return Architecture{number / 10, number % 10, !suffix.empty()};
}

std::span<const std::string_view> codeArchitectures() { return kCodeArchitectures; }

bool runsCodeFor(std::string_view architecture, uint32_t major, uint32_t minor) {
  Result<Architecture> parsed = parseArchitecture(architecture);
  if (!parsed)
    return false;
  if (parsed->isSpecific)
    return major == parsed->major && minor == parsed->minor;
  return major > parsed->major || (major == parsed->major && minor >= parsed->minor);
}

std::string_view codeArchitectureOf(uint32_t major, uint32_t minor) {
  auto runs = [&](std::string_view architecture) { return runsCodeFor(architecture, major, minor); };
  const auto *found = std::ranges::find_if(kCodeArchitectures, runs);
  return found == std::end(kCodeArchitectures) ? std::string_view() : *found;
}

} // namespace tawa
