// Shapes and devices as lines of a key.
#include "capi/service/TuneKey.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace tawa::capi {

namespace {

constexpr int kTuneKeyVersion = 3; // raise it when a field changes its meaning, or the rows their format

std::string describeSize(int64_t size, bool isBucketed) {
  if (size == ArgumentFacts::kUnknown)
    return "?";
  if (!isBucketed || size <= 1)
    return std::to_string(size);
  return "<=" + std::to_string(std::bit_ceil(static_cast<uint64_t>(size)));
}

/// "f16 shape <=64 4096 strides 4096 1 alignment 16", "i32 4096".
std::string describe(const ArgumentFacts &facts, uint32_t buckets) {
  std::string text(elementName(facts.elementType));
  if (facts.kind != LogicalArgument::Kind::Tensor)
    return text + " " + describeSize(facts.value, (buckets & 1) != 0);
  text += " shape";
  for (size_t d = 0; d < facts.shape.size(); ++d)
    text += " " + describeSize(facts.shape[d], (buckets >> d & 1) != 0);
  text += " strides";
  // A stride that follows from bucketed sizes would give the size away; the order of the dimensions matters.
  for (int64_t stride : facts.strides)
    text += " " + (buckets && stride != 1 ? "*" : describeSize(stride, false));
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
    key.field("argument." + std::to_string(i), describe(facts[i], i < buckets.size() ? buckets[i] : 0));
}

static store::Key problemKey(store::KeyKind kind, std::string_view text, const std::vector<ArgumentFacts> &facts,
                             std::span<const uint32_t> buckets, const TuneDevice &device, bool isWarm) {
  store::Key key(kind, kTuneKeyVersion);
  key.field("device", device.name).field("multiprocessors", device.multiprocessors);
  key.field("cache", isWarm ? "warm" : "cold");
  addArguments(key, facts, buckets);
  key.block("text", text);
  return key;
}

store::Key tuneKey(std::string_view text, const std::vector<ArgumentFacts> &facts, std::span<const uint32_t> buckets,
                   const TuneDevice &device, bool isWarm) {
  return problemKey(store::KeyKind::Tune, text, facts, buckets, device, isWarm);
}

store::Key presetKey(std::string_view text, const std::vector<ArgumentFacts> &facts, const TuneDevice &device,
                     std::string_view build) {
  std::vector<uint32_t> buckets(facts.size(), UINT32_MAX);
  store::Key key = problemKey(store::KeyKind::Preset, text, facts, buckets, device, /*isWarm=*/false);
  key.field("build", build);
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
