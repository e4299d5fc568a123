// The table of KernelConfig.def, and suggestions for unknown names: the corresponding key of other compilers of such
// kernels, else the name with the smallest edit distance.
#include "runtime/artifact/ConfigKeys.h"

#include "runtime/artifact/KernelConfig.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <numeric>
#include <vector>

namespace tawa {
namespace {

constexpr ConfigKey keys[] = {
#define TAWA_CONFIG_KEY(member, key, fallback, least, most, form, meaning)                                             \
  {key, &KernelConfig::member, least, most, ConfigForm::form, meaning},
#include "runtime/artifact/KernelConfig.def"
#undef TAWA_CONFIG_KEY
};
constexpr std::string_view scheduleWords[] = {"cooperative", "pingpong"}; // by value of ConsumerSchedule

struct OtherName {
  std::string_view name;
  std::string_view meant;
};
// Triton's launch options and common options of its users; several keys where it depends.
constexpr OtherName otherNames[] = {
    {"num_stages", "D"},
    {"stages", "D"},
    {"depth", "D"},
    {"num_warps", "warps (of a kernel that is one role) or consumers (warp groups of one that is split)"},
    {"num_consumer_groups", "consumers"},
    {"num_ctas", "cluster"},
    {"cluster_size", "cluster"},
    {"num_buffers", "D"},
    {"SPLIT_K", "split"},
    {"GROUP_SIZE_M", "raster"},
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Case-insensitive edit distance: insertions, deletions and substitutions.
size_t edits(const std::string &from, const std::string &to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < from.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < to.size(); ++j) {
      size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[to.size()];
}

/// Empty where nothing is near.
std::string nearest(std::string_view key, std::span<const std::string> names) {
  std::string wanted = lower(key), best;
  size_t fewest = std::max<size_t>(1, key.size() / 3) + 1;
  for (const std::string &name : names)
    if (size_t distance = edits(wanted, lower(name)); distance < fewest && distance < name.size()) {
      fewest = distance;
      best = name;
    }
  return best;
}

std::string listed(std::span<const std::string> names) {
  std::string list;
  for (const std::string &name : names)
    list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

} // namespace

std::span<const ConfigKey> configKeys() { return keys; }

const ConfigKey *findConfigKey(std::string_view name) {
  const auto *found = std::ranges::find(keys, name, &ConfigKey::name);
  return found == std::end(keys) ? nullptr : found;
}

bool ConfigKey::takes(int64_t value) const {
  if (value < least || value > most)
    return false;
  return form != ConfigForm::PowersOfTwo || value == 0 || std::has_single_bit(static_cast<uint64_t>(value));
}

std::string ConfigKey::text(int value) const {
  return form == ConfigForm::Schedules ? std::string(scheduleWords[value]) : std::to_string(value);
}

std::string ConfigKey::values() const {
  if (form == ConfigForm::Range && most - least > 1)
    return std::to_string(least) + " to " + std::to_string(most);
  std::string list, last;
  for (int value = least; value <= most; ++value) {
    if (!takes(value))
      continue;
    if (!last.empty())
      list.append(list.empty() ? "" : ", ").append(last);
    last = text(value);
  }
  return list + " or " + last;
}

std::string unknownKey(std::string_view key, std::span<const std::string> parameters) {
  constexpr size_t kLongestShown = 64;
  std::vector<std::string> fixed;
  for (const ConfigKey &known : keys)
    fixed.emplace_back(known.name);
  std::vector<std::string> names(parameters.begin(), parameters.end());
  names.insert(names.end(), fixed.begin(), fixed.end());
  const auto *other =
      std::ranges::find_if(otherNames, [&](const OtherName &known) { return lower(known.name) == lower(key); });
  std::string meant = nearest(key, names);
  if (meant.empty() && other != std::end(otherNames))
    meant = other->meant;
  std::string shown(key.substr(0, kLongestShown));
  return "configuration: '" + shown + "' is neither a key nor a parameter of this text" +
         (meant.empty() ? "" : "; did you mean " + meant + "?") +
         (meant.empty() ? "; the keys are " : " The keys are ") + listed(fixed) +
         (parameters.empty() ? "; the text declares no parameters" : "; the parameters are " + listed(parameters));
}

} // namespace tawa
