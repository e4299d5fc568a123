// A planning problem as lines of a key; plans as text with one line ahead that sums them up.
#include "capi/KeptPlan.h"

#include "capi/service/TuneKey.h"
#include "runtime/artifact/PayloadHead.h"

namespace tawa::capi {

static constexpr int kPlanKeyVersion = 1;             // raise it when a field changes its meaning
static constexpr const char *kFormat = "tawa plan 2"; // or when the payload does

static std::string describeTile(const std::map<std::string, int64_t> &tile) {
  std::string text;
  for (const auto &[name, value] : tile)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

static std::string describeGrid(const std::optional<std::array<uint32_t, 3>> &grid) {
  if (!grid)
    return "of the text";
  return std::to_string((*grid)[0]) + " " + std::to_string((*grid)[1]) + " " + std::to_string((*grid)[2]);
}

store::Key planKey(const PlanRequest &request, std::string_view machineText, std::string_view build) {
  store::Key key(store::KeyKind::Plan, kPlanKeyVersion);
  key.field("build", build).field("tile", describeTile(request.kernel.tile));
  key.field("grid", describeGrid(request.kernel.grid));
  key.field("top", static_cast<int64_t>(request.ranking.keep));
  key.field("simulated", static_cast<int64_t>(request.simulated));
  addArguments(key, request.kernel.arguments);
  key.block("machine", machineText).block("text", request.kernel.text);
  return key;
}

std::string writePlan(const store::Key &key, const KeptPlan &plan) {
  return payloadHead(kFormat, key.hash()) + plan.summary + "\n" + plan.json;
}

Result<KeptPlan> readPlan(std::string_view payload) {
  if (!takePayloadHead(kFormat, payload))
    return Status(StatusCode::CacheCorrupt, "plans are of another version");
  size_t end = payload.find('\n');
  std::string_view json = end == payload.npos ? "" : payload.substr(end + 1);
  if (!json.starts_with('{') || !json.ends_with('}'))
    return Status(StatusCode::CacheCorrupt, "plans cannot be read");
  return KeptPlan{std::string(payload.substr(0, end)), std::string(json)};
}

} // namespace tawa::capi
