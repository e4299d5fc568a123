// Shapes and devices as lines of a key.
#include "capi/service/TuneKey.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

namespace tawa::capi {

namespace {

constexpr int kTuneKeyVersion = 3; // raise it when a field changes its meaning, or the rows their format

/// Sizes are rounded up to so many binary digits.
constexpr int kPowersOfTwo = 1, kEighths = 4;

/// Sizes of an argument, of which the bits of `which` name those that are rounded.
struct Buckets {
  uint32_t which = 0;
  int digits = kPowersOfTwo;
  bool has(size_t dimension) const { return (which >> dimension & 1) != 0; }
};

int64_t rounded(int64_t size, int digits) {
  int dropped = std::max(static_cast<int>(std::bit_width(static_cast<uint64_t>(size))) - digits, 0);
  int64_t up = ((size - 1) >> dropped) + 1; // the next power of two has a digit more
  return up << dropped;
}

std::string describeSize(int64_t size, std::optional<int> digits) {
  if (size == ArgumentFacts::kUnknown)
    return "?";
  if (!digits || size <= 1)
    return std::to_string(size);
  return "<=" + std::to_string(rounded(size, *digits));
}

/// "f16 shape <=64 4096 strides 4096 1 alignment 16", "i32 4096".
std::string describe(const ArgumentFacts &facts, const Buckets &buckets) {
  auto digitsOf = [&](size_t d) { return buckets.has(d) ? std::optional(buckets.digits) : std::nullopt; };
  std::string text(elementName(facts.elementType));
  if (facts.kind != LogicalArgument::Kind::Tensor)
    return text + " " + describeSize(facts.value, digitsOf(0));
  text += " shape";
  for (size_t d = 0; d < facts.shape.size(); ++d)
    text += " " + describeSize(facts.shape[d], digitsOf(d));
  text += " strides";
  // A stride that follows from bucketed sizes would give the size away; the order of the dimensions matters.
  for (int64_t stride : facts.strides)
    text += " " + (buckets.which != 0 && stride != 1 ? "*" : describeSize(stride, std::nullopt));
  if (facts.alignment)
    text += " alignment " + std::to_string(facts.alignment);
  if (facts.rowAlignment)
    text += " rows " + std::to_string(facts.rowAlignment);
  return facts.columnAlignment ? text + " columns " + std::to_string(facts.columnAlignment) : text;
}

} // namespace

TuneDevice tuneDevice(const HardwareCatalogue &catalogue, const DeviceInfo &device) {
  if (device.isEmulator) // whose description says how it came about
    return {"emulator", device.multiprocessors};
  bool isGuess = false;
  HardwareDescription hardware = catalogue.describe(device, &isGuess);
  return isGuess ? TuneDevice{device.description, device.multiprocessors} : tuneDevice(hardware);
}

TuneDevice tuneDevice(const HardwareDescription &hardware) {
  return {hardware.name, static_cast<int64_t>(hardware.multiprocessors)};
}

void addArguments(store::Key &key, const std::vector<ArgumentFacts> &facts, std::span<const uint32_t> buckets) {
  key.field("arguments", static_cast<int64_t>(facts.size()));
  for (size_t i = 0; i < facts.size(); ++i)
    key.field("argument." + std::to_string(i), describe(facts[i], {i < buckets.size() ? buckets[i] : 0}));
}

static store::Key problemKey(store::KeyKind kind, const TuneDevice &device, bool isWarm) {
  store::Key key(kind, kTuneKeyVersion);
  key.field("device", device.name).field("multiprocessors", device.multiprocessors);
  key.field("cache", isWarm ? "warm" : "cold");
  return key;
}

/// Every size is rounded to so many digits. What another build's model found is not asked for.
static store::Key likeKey(std::string_view text, const std::vector<ArgumentFacts> &facts, const TuneDevice &device,
                          std::string_view build, bool isWarm, int digits) {
  store::Key key = problemKey(store::KeyKind::Preset, device, isWarm);
  key.field("arguments", static_cast<int64_t>(facts.size()));
  for (size_t i = 0; i < facts.size(); ++i)
    key.field("argument." + std::to_string(i), describe(facts[i], {UINT32_MAX, digits}));
  key.block("text", text);
  key.field("build", build);
  return key;
}

store::Key tuneKey(std::string_view text, const std::vector<ArgumentFacts> &facts, std::span<const uint32_t> buckets,
                   const TuneDevice &device, bool isWarm) {
  store::Key key = problemKey(store::KeyKind::Tune, device, isWarm);
  addArguments(key, facts, buckets);
  key.block("text", text);
  return key;
}

store::Key presetKey(std::string_view text, const std::vector<ArgumentFacts> &facts, const TuneDevice &device,
                     std::string_view build) {
  return likeKey(text, facts, device, build, /*isWarm=*/false, kPowersOfTwo);
}

store::Key nearKey(std::string_view text, const std::vector<ArgumentFacts> &facts, const TuneDevice &device,
                   std::string_view build, bool isWarm) {
  store::Key key = likeKey(text, facts, device, build, isWarm, kEighths);
  key.field("space", "whole");
  return key;
}

std::optional<TunedChoice> choiceOf(std::span<const TuneRow> rows, const Provenance &ours) {
  std::vector<TuneRow> known;
  std::ranges::copy_if(rows, std::back_inserter(known),
                       [&](const TuneRow &row) { return ours.isOf(row) && row.wasTried(); });
  bool areOurs = chooseRow(known) >= 0;
  if (!areOurs)
    known.assign(rows.begin(), rows.end());
  int chosen = chooseRow(known);
  if (chosen < 0)
    return std::nullopt;
  const TuneRow &row = known[static_cast<size_t>(chosen)];
  Result<KernelConfig> config = KernelConfig::parse(row.config);
  if (!config)
    return std::nullopt;
  bool isFinal = areOurs && std::ranges::any_of(known, &TuneRow::isOfSpace);
  return TunedChoice{std::move(*config), std::string(store::outcomeName(row.outcome)), isFinal};
}

} // namespace tawa::capi
