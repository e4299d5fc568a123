// Shapes and devices as lines of a key.
#include "capi/TuneKey.h"

#include <bit>

namespace tawa::capi {

namespace {

constexpr int kTuneKeyVersion = 1; // raise it when a field changes its meaning

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
  return facts.alignment ? text + " alignment " + std::to_string(facts.alignment) : text;
}

} // namespace

store::Key tuneKey(std::string_view text, const std::vector<ArgumentFacts> &facts, std::span<const uint32_t> buckets,
                   const DeviceInfo &device) {
  store::Key key(store::KeyKind::Tune, kTuneKeyVersion);
  key.field("device", device.description).field("multiprocessors", device.multiprocessors);
  key.field("arguments", static_cast<int64_t>(facts.size()));
  for (size_t i = 0; i < facts.size(); ++i)
    key.field("argument." + std::to_string(i), describe(facts[i], i < buckets.size() ? buckets[i] : 0));
  key.block("text", text);
  return key;
}

std::optional<KernelConfig> fastest(const std::vector<store::TuneRow> &rows) {
  const store::TuneRow *best = nullptr;
  for (const store::TuneRow &row : rows)
    if (row.outcome == store::TuneRow::Outcome::Measured && (!best || row.time.median < best->time.median))
      best = &row;
  if (!best)
    return std::nullopt;
  Result<KernelConfig> config = KernelConfig::parse(best->config);
  return config ? std::optional(std::move(*config)) : std::nullopt;
}

} // namespace tawa::capi
